//! What the other commands answer, as text and as JSON.

use crate::common::{Place, documented};
use expect_test::{expect, expect_file};

#[test]
fn evaluations_agree_with_the_reference() {
    let place = Place::new();
    let cases: &[(&str, &str, &[&str], &str)] = &[
        ("p256", "mul", &["3", "5"], "15"),
        ("2^255 - 19", "mul", &["2^254", "4"], "38"),
        ("2^255 - 19", "sub", &["3", "-5"], "8"),
        ("babybear", "add", &["0x78000000", "7"], "6"),
        ("mersenne61", "opp", &["1"], "2305843009213693950"),
        ("secp256k1", "square", &["2^128"], "4294968273"),
        ("mersenne31", "pow_5", &["3"], "243"),
        ("mersenne31", "inv", &["2"], "1073741824"),
        ("mersenne31", "inv", &["0"], "0"),
        ("dfc", "affine_mod_2_64", &["2^64 - 1", "2^64 - 1", "5"], "201"),
        ("int96", "mul", &["2^96 - 1", "2^96 - 1"], "6277101735386680763835789423049210091073826769276946612225"),
        ("GF(2^5):onb2", "mul", &["31", "21"], "21"),
    ];
    for (field, operation, operands, expected) in cases {
        let mut arguments = vec!["eval", field, operation];
        arguments.extend(*operands);
        arguments.push("--json");
        let json = place.run(&arguments).ended(0).json();
        assert_eq!(
            (json["reference"].as_str(), json["kernel"].as_str()),
            (Some(*expected), Some(*expected)),
            "{field} {operation} {operands:?}"
        );
        assert_eq!(json["agree"], true);
        documented(&json);
    }
    let text = place.run(&["eval", "p256", "mul", "3", "5", "--plan", "montgomery-cios/montgomery-4x64"]).ok();
    assert!(
        text.starts_with(
            "mul in p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)\n  a = 3\n  b = 5\nreference  15\nkernel     15\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("montgomery-cios/montgomery-4x64") && text.contains("a, b < p → out < p, 2^256·out ≡ a·b"),
        "{text}"
    );
}

#[test]
fn explanations() {
    let place = Place::new();
    let text = place.run(&["explain", "GF(2^29):onb2"]).ok();
    assert!(
        text.starts_with("GF(2^29):onb2: the binary field of degree 29 in its optimal normal basis of type 2\n"),
        "{text}"
    );
    assert!(text.contains("optimal-polynomial") && text.contains("square"), "{text}");
    let json = place.run(&["explain", "25519", "--json"]).ended(0).json();
    documented(&json);
    let layouts = json["layouts"].as_array().expect("layouts");
    let names: Vec<&str> = layouts.iter().filter_map(|l| l["layout"].as_str()).collect();
    assert!(["4x64", "montgomery-4x64", "5x51"].iter().all(|name| names.contains(name)), "{names:?}");
    for operation in layouts.iter().flat_map(|l| l["operations"].as_array().expect("operations")) {
        assert!(
            operation["plans"].as_array().is_some_and(|p| !p.is_empty())
                && operation["best"]["bound_cycles"].as_f64() > Some(0.0),
            "{operation}"
        );
    }
}

/// Which way products of words go is measured when that is asked for, in text and as data.
#[test]
fn explanations_of_arrays() {
    let place = Place::new();
    let (asked, alone) = (["explain", "2^61-1", "--arrays", "--json"], ["explain", "2^61-1", "--json"]);
    assert!(place.run(&alone).ended(0).json()["arrays"].is_null());
    let json = place.run(&asked).ended(0).json();
    documented(&json);
    let ways = json["arrays"]["products_of_words"].as_array().expect("ways").clone();
    assert_eq!(ways[0]["operation"], "mul_words", "{json}");
    for way in &ways {
        assert!(way["one_by_one"].is_string() || way["lanes"].is_string(), "{way}");
        let from = way["lanes_from"].as_u64();
        assert!(from.is_none_or(|from| from.is_power_of_two() && way["lanes"].is_string()), "{way}");
        assert!(from.is_some() || way["one_by_one"].is_string(), "{way}");
    }
    let matrices = json["arrays"]["products_of_matrices"].as_array().expect("products").clone();
    assert_eq!(matrices.iter().map(|m| m["rows"].as_u64()).collect::<Vec<_>>(), [10, 30, 100, 300].map(Some));
    assert!(matrices.iter().all(|m| m["moduli"].is_null() == m["terms"].is_null()), "{json}");
    let text = place.run(&asked[..3]).ok();
    assert!(text.contains("\n300 × 300: by "), "{text}");
    assert!(text.contains("\nProducts of arrays of words") && text.contains("\nmul_words: "), "{text}");
}

/// Of what has several coordinates: how products are computed, in lanes or one by one.
#[test]
fn explanations_of_arrays_of_towers() {
    let place = Place::new();
    let asked = ["explain", "bn254-fp2", "--arrays", "--json"];
    let json = place.run(&asked).ended(0).json();
    documented(&json);
    let operations = json["arrays"]["operations"].as_array().expect("operations").clone();
    let names: Vec<_> = operations.iter().map(|o| o["operation"].as_str()).collect();
    assert_eq!(names, [Some("mul"), Some("square")], "{json}");
    let layout = json["arrays"]["layout"].as_str().expect("a layout");
    assert!(operations.iter().all(|o| o["how"].as_str().is_some_and(|how| how.contains(layout))), "{json}");
    let text = place.run(&asked[..3]).ok();
    assert!(text.contains("\nArrays of elements, coordinates in the layout") && text.contains("\nmul: "), "{text}");
}

#[test]
fn every_stage_of_a_kernel() {
    let place = Place::new();
    let shown = |what: &str, more: &[&str]| {
        place.run(&[&["show", what, "2^61-1", "--plan", "montgomery-cios/montgomery-1x64"][..], more].concat())
    };
    let kernel = shown("kernel", &[]).ok();
    assert!(kernel.contains("kernel mul_montgomery_cios: word 64 {"), "{kernel}");
    let c = shown("c", &[]).ok();
    assert!(c.contains("void mersenne61_mul_montgomery_cios("), "{c}");
    expect![[r#"
        a, b < p → out < p, 2^64·out ≡ a·b
        a (needed): at most 0x1ffffffffffffffe
          a[0]·2^0, at most 0x1ffffffffffffffe
        b (needed): at most 0x1ffffffffffffffe
          b[0]·2^0, at most 0x1ffffffffffffffe
        out (promised): at most 0x1ffffffffffffffe
          out[0]·2^0, at most 0x1ffffffffffffffe
    "#]]
    .assert_eq(&shown("contract", &[]).ok());
    let ranges = shown("ranges", &[]).ok();
    assert!(ranges.starts_with('%') && ranges.lines().all(|l| l.ends_with(" bits")), "{ranges}");
    let proof = shown("proof", &[]).ok();
    assert!(proof.starts_with("montgomery-cios/montgomery-1x64: proved in "), "{proof}");
    let plans = place.run(&["show", "plans", "2^61-1", "--op", "square"]).ok();
    assert!(plans.contains("montgomery-1x64: ") && plans.ends_with(" plans for square\n"), "{plans}");
    for what in ["kernel", "c", "contract", "ranges", "proof"] {
        let json = shown(what, &["--json"]).ended(0).json();
        documented(&json);
        assert_eq!(
            (json["plan"].as_str(), json["operation"].as_str()),
            (Some("montgomery-cios/montgomery-1x64"), Some("mul"))
        );
    }
    documented(&place.run(&["show", "plans", "2^61-1", "--json"]).ended(0).json());
}

#[test]
fn lists() {
    let place = Place::new();
    for (what, part) in [
        (vec!["fields"], "secp256k1"),
        (vec!["algorithms"], "montgomery-cios"),
        (vec!["formulas"], "toom-3i"),
        (vec!["targets"], "x86-64"),
        (vec!["targets"], "vpmadd52luq"),
        (vec!["languages"], "c"),
        (vec!["operations"], "affine"),
        (vec!["operations", "p256"], "to_montgomery"),
        (vec!["layouts", "2^255-19"], "5x51"),
    ] {
        let text = place.run(&[&["list"][..], &what].concat()).ok();
        assert!(text.contains(part), "{part} in {text}");
        let json = place.run(&[&["list"][..], &what, &["--json"]].concat()).ended(0);
        assert!(json.out.contains(part));
        documented(&json.json());
    }
    // Every listed name is understood.
    let fields = place.run(&["list", "fields", "--json"]).ended(0).json();
    for field in fields["fields"].as_array().expect("fields") {
        assert!(evariste::Field::parse(field["name"].as_str().expect("a name")).is_ok());
    }
}

#[test]
fn the_doctor() {
    let place = Place::new();
    let json = place.run(&["doctor", "--json"]).ended(0).json();
    documented(&json);
    assert!(json["cores"].as_u64() >= Some(1) && json["cache"]["writable"] == true, "{json}");
    let text = place.run(&["doctor"]).ok();
    assert!(["system ", "processor ", "cache "].iter().all(|part| text.contains(part)), "{text}");
    let homeless = place.with("EVARISTE_CACHE", None).with("XDG_CACHE_HOME", None).with("HOME", None);
    assert!(homeless.run(&["doctor"]).ok().contains("missing    a cache folder"));
}

#[test]
fn the_probe_and_who_uses_its_table() {
    let place = Place::new();
    let run = place.run(&["probe", "--json"]);
    if run.code == Some(1) && run.out.contains("machine code cannot be run here") {
        evariste_testing::lacks_feature("the probe", "x86-64");
        return;
    }
    let json = run.ended(0).json();
    documented(&json);
    assert!(
        json["core"]["costs"]["mulx"]["cycles"].as_f64().is_some_and(|x| x > 0.0)
            || json["core"]["costs"]["mul"].is_object()
    );
    let file = json["file"].as_str().expect("a file").to_string();
    // Asked for by name, by file, not at all.
    let mut bounds = Vec::new();
    let mut place = place;
    for (asked, name) in [("golden-cove", "Golden Cove"), ("zen-3", "Zen 3")] {
        place = place.with("EVARISTE_CORE", Some(asked));
        assert_eq!(place.run(&["doctor", "--json"]).ended(0).json()["costs"]["core"], name);
        bounds.push(place.run(&["explain", "p256", "--json"]).ended(0).out);
    }
    let place = place.with("EVARISTE_CORE", Some(&file));
    assert_eq!(place.run(&["doctor", "--json"]).ended(0).json()["costs"]["core"], json["core"]["name"]);
    // One of them may be this core, whose probe gives the same bounds.
    let own = place.run(&["explain", "p256", "--json"]).ended(0).out;
    assert!(bounds.iter().any(|bounds| *bounds != own));
    let place = place.with("EVARISTE_CORE", None);
    let found = place.run(&["doctor", "--json"]).ended(0).json();
    // A table that was measured with fewer instruction sets lies beside it as it should.
    let text = std::fs::read_to_string(&file).expect("a table");
    let is_of_sets = |line: &&str| !line.starts_with("\"store.ymm\" = ") || line.contains('{');
    let lesser: String = text.lines().filter(is_of_sets).map(|line| format!("{line}\n")).collect();
    std::fs::write(std::path::Path::new(&file).with_file_name("lesser.toml"), lesser).expect("written");
    // On a busy machine the fingerprint may not fit its own table; then that is said.
    let refused = found["costs"]["refused"].as_array().expect("a list").len();
    assert_eq!(found["costs"]["origin"] == "measured", refused == 0, "{found}");
    let place = place.with("EVARISTE_CORE", Some("486"));
    let wrong = place.run(&["explain", "p256"]).ended(1);
    assert!(wrong.err.contains("neither a file nor one of golden-cove, zen-3, zen-4"), "{}", wrong.err);
    // Another instruction set's costs say nothing of this machine's code.
    let place = place.with("EVARISTE_CORE", Some("neoverse-v1"));
    let wrong = place.run(&["explain", "p256"]).ended(1);
    assert!(
        wrong.err.starts_with("error: EVARISTE_CORE asks for the costs of Neoverse V1, which are of aarch64")
            && wrong.err.contains("help: tables of x86-64 are golden-cove, zen-3, zen-4, zen-5, and what"),
        "{}",
        wrong.err
    );
}

#[test]
fn a_table_that_cannot_be_written_is_told_of_before_measuring() {
    let place = Place::new();
    std::fs::write(place.path("file"), "").expect("written");
    for path in ["file/core.toml", "."] {
        let run = place.run(&["probe", "-o", path]).ended(1);
        assert!(
            run.err.starts_with("error: the core's table cannot be written to ") && run.out.is_empty(),
            "{}",
            run.err
        );
    }
}

#[test]
fn completions_for_every_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]).ok();
        assert!(script.contains("evariste") && script.contains("explain"), "{shell}");
    }
    documented(&place.run(&["completions", "bash", "--json"]).ended(0).json());
}

#[test]
fn help_texts() {
    let place = Place::new();
    let mut all = String::new();
    for command in [
        vec![],
        vec!["tune"],
        vec!["report"],
        vec!["reproduce"],
        vec!["emit"],
        vec!["eval"],
        vec!["explain"],
        vec!["show"],
        vec!["check"],
        vec!["list"],
        vec!["doctor"],
        vec!["completions"],
    ] {
        let text = place.run(&[&command[..], &["--help"]].concat()).ok();
        all += &format!("$ evariste {}--help\n\n{text}\n", command.iter().map(|w| format!("{w} ")).collect::<String>());
    }
    expect_file!["snapshots/help.txt"].assert_eq(&all);
    assert!(place.run(&["--version"]).ok().starts_with("evariste "));
}

#[test]
fn figures_made_anew() {
    let place = Place::new();
    let list = place.run(&["reproduce", "--json"]).ended(0).json();
    documented(&list);
    let names: Vec<&str> =
        list["reproductions"].as_array().expect("a list").iter().filter_map(|r| r["name"].as_str()).collect();
    for name in ["nb-gates", "nb-footprint", "nb-mix", "nb-sweep", "nb-ecc", "wg", "towers", "dfc-tables"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let text = place.run(&["reproduce"]).ok();
    assert!(text.contains("Brumley and Page") && text.contains("Hamburg"), "{text}");

    let json = place
        .run(&["reproduce", "nb-gates", "--quick", "--csv", "gates.csv", "--html", "gates.html", "--json"])
        .ended(0)
        .json();
    documented(&json);
    assert_eq!(
        (json["csv"].as_str(), json["html"].as_str(), json["quick"].as_bool()),
        (Some("gates.csv"), Some("gates.html"), Some(true))
    );
    let csv = std::fs::read_to_string(place.path("gates.csv")).expect("the values");
    let points: usize = json["panels"][0]["series"]
        .as_array()
        .expect("series")
        .iter()
        .map(|s| s["points"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(csv.lines().count(), 1 + points);
    // 29 clocks of AESMPO: 15 ANDs and 57 XORs each.
    assert!(csv.contains("\ngates,aesmpo,counted,m = 29,29,degree m,2088,"), "{csv}");
    let page = std::fs::read_to_string(place.path("gates.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg") && page.contains("Brumley and Page"));
    let text = place.run(&["reproduce", "nb-gates", "--quick"]).ok();
    assert!(text.contains("aesmpo") && text.contains("2088") && text.contains("at most 2.5 m²"), "{text}");

    let unknown = place.run(&["reproduce", "nb-gate"]).ended(2);
    assert!(
        unknown.err.contains("there is no reproduction called `nb-gate`\nhelp: there are nb-gates, "),
        "{}",
        unknown.err
    );
    let nowhere = place.run(&["reproduce", "nb-gates", "--csv", "nowhere/a.csv"]).ended(1);
    assert!(nowhere.err.contains("error: cannot write `nowhere/a.csv`: "), "{}", nowhere.err);
    place.run(&["reproduce", "--quick"]).ended(2);
}
