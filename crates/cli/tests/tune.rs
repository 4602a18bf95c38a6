//! `tune`, what it remembers, and what happens without a compiler or with a cache that is broken.

use crate::common::{Place, compiler, documented};
use serde_json::Value;

/// A field with few candidates.
const SMALL: &str = "GF(2^5):onb2";

#[test]
fn a_small_field_is_tuned_and_the_winner_kept() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    let ranking = place.run(&["tune", SMALL, "--quick", "--keep", "--json"]).ended(0).json();
    documented(&ranking);
    assert_eq!(ranking["field"], SMALL);
    let candidates = ranking["candidates"].as_array().expect("candidates");
    let keys = ["plan", "proved", "contract", "multiplications", "additions", "moves", "bound_cycles"];
    let measured = ["latency_cycles", "throughput_cycles", "throughput_ns", "code_bytes"];
    assert!(candidates.iter().any(|c| c["note"].is_null()), "{ranking}");
    for c in candidates {
        assert!(keys.iter().all(|key| !c[key].is_null()), "{c}");
        assert_eq!(c["proved"], true, "{c}");
        // What is far behind as machine code is not compiled, and says so: whether any is depends on the moment.
        if c["note"].as_str().is_some_and(|note| note.starts_with("not compiled: ")) {
            assert!(measured.iter().all(|key| c[key].is_null()), "{c}");
            continue;
        }
        assert!(measured.iter().all(|key| c[key].as_f64() > Some(0.0)), "{c}");
        let spreads = ["throughput_spread", "latency_spread"];
        assert!(spreads.iter().all(|key| c[key].as_f64() >= Some(0.0)), "{c}");
        // No bound is beaten.
        assert!(c["percent_of_bound"].as_f64().is_none_or(|percent| percent > 0.0 && percent <= 100.0), "{c}");
    }
    let winner = ranking["winner"].as_str().expect("a winner");
    assert!(candidates.iter().any(|c| c["plan"] == winner));
    assert_eq!(place.cached().len(), 1);

    // The winner is used from now on.
    let eval = place.run(&["eval", SMALL, "mul", "3", "5", "--json"]).ended(0).json();
    assert_eq!((eval["plan"].as_str(), eval["chosen_by"].as_str()), (Some(winner), Some("remembered winner")));
    let doctor = place.run(&["doctor", "--json"]).ended(0).json();
    assert_eq!(doctor["cache"]["rankings"], 1);
}

#[test]
fn a_part_of_the_candidates_is_shown_and_not_remembered() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    let text = place
        .run(&[
            "tune",
            "mersenne31",
            "--quick",
            "--keep",
            "--word",
            "64",
            "--only",
            "montgomery-cios/",
            "--only",
            "/1x31",
        ])
        .ok();
    for part in [
        "mersenne31 (2^31 - 1)",
        "montgomery-1x64: ",
        "1x31: ",
        "  mul: a, b < p → out < p, 2^64·out ≡ a·b",
        "throughput",
        "not remembered: only a part",
        "machine ",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("32-bit words"), "{text}");
    assert!(place.cached().is_empty());
}

#[test]
fn without_a_compiler_machine_code_is_measured() {
    let place = Place::new().without_compiler();
    let run = place.run(&["tune", "mersenne61", "--quick", "--keep", "--json"]);
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return;
    }
    let run = run.ended(0);
    assert!(run.err.starts_with("note: no C compiler") && run.err.contains("machine code only"), "{}", run.err);
    let ranking = run.json();
    documented(&ranking);
    assert_eq!(ranking["winner_code"], "x86-64");
    assert_eq!(place.cached().len(), 1);
    let eval = place.run(&["eval", "mersenne61", "mul", "2^60", "6", "--json"]).ended(0).json();
    assert_eq!((eval["runner"].as_str(), eval["kernel"].as_str()), (Some("machine code"), Some("3")));
}

#[test]
fn schedules_are_searched_kept_and_used() {
    let place = Place::new().without_compiler();
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return;
    }
    let run = place.run(&["tune", "25519", "--quick", "--keep", "--search", "2", "--json"]).ended(0);
    assert!(run.err.contains("note: searching for schedules: "), "{}", run.err);
    let ranking = run.json();
    documented(&ranking);
    let searches = ranking["searches"].as_array().expect("searches");
    assert!((1..=2).contains(&searches.len()), "{searches:?}");
    let searched: Vec<&Value> =
        ranking["candidates"].as_array().expect("candidates").iter().filter(|c| !c["searched"].is_null()).collect();
    // Schedules that ship may have rows too.
    assert!(
        searched.len()
            >= searches
                .iter()
                .filter(|s| s["better"] == true)
                .map(|s| (s["operation"].to_string(), s["plan"].to_string(), s["goal"].to_string()))
                .collect::<std::collections::HashSet<_>>()
                .len()
    );
    for row in searched {
        assert!(
            row["genes"].is_string()
                && row["fingerprint"].is_string()
                && row["heuristic_cycles"].as_f64() > Some(0.0)
                && row["code"] == "x86-64",
            "{row}"
        );
    }
    let eval = ["eval", "25519", "mul", "2^200", "2^60+3", "--json"];
    let answer = place.run(&eval).ended(0).json();
    assert_eq!((answer["runner"].as_str(), answer["agree"].as_bool()), (Some("machine code"), Some(true)));

    // A schedule can be shown; one that is of another kernel, or none at all, is told of.
    let shown = place.run(&["show", "schedule", "25519"]).ok();
    assert_eq!(shown.matches(';').count(), 2, "{shown}");
    let file = place.cached().remove(0);
    let mut ranking = ranking;
    for (schedule, code, what) in [
        ("0; ; ", 1, "the schedule belongs to another kernel"),
        ("x", 0, "this is not a schedule, which is three lists of numbers"),
    ] {
        for row in
            ranking["candidates"].as_array_mut().expect("candidates").iter_mut().filter(|c| c["code"] == "x86-64")
        {
            row["genes"] = schedule.into();
        }
        std::fs::write(&file, ranking.to_string()).expect("written");
        let run = place.run(&eval).ended(code);
        let said = format!("{}{}", run.out, run.err);
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn without_machine_code_compiled_c_takes_over() {
    if !compiler() {
        return;
    }
    let place = Place::new().without_machine_code();
    let run = place.run(&["tune", SMALL, "--quick", "--keep", "--json"]).ended(0);
    assert!(run.err.contains("EVARISTE_MACHINE_CODE is off; compiled C only"), "{}", run.err);
    assert_eq!(run.json()["winner_code"], "c");
    let eval = place.run(&["eval", SMALL, "mul", "3", "5", "--json"]).ended(0).json();
    assert_eq!(eval["runner"], "compiled");
}

#[test]
fn with_neither_candidates_are_proved_and_ranked_by_bound() {
    let place = Place::new().without_compiler().without_machine_code();
    let run = place.run(&["tune", SMALL]).ended(1);
    assert!(run.err.contains("error: no C compiler: looked for cc, gcc, clang in PATH"), "{}", run.err);
    assert!(run.err.contains("\nhelp: install one"), "{}", run.err);
    assert!(
        run.out.contains("candidates proved") && run.out.contains("aesmpo") && run.out.contains("nothing was measured"),
        "{}",
        run.out
    );
    let json = place.run(&["tune", SMALL, "--json"]).ended(1).json();
    documented(&json);
    assert_eq!((&json["winner"], json["error"]["kind"].as_str()), (&Value::Null, Some("failure")));
    // In each layout by itself.
    let layout = |c: &Value| c["plan"].as_str().and_then(|p| p.rsplit('/').next()).map(str::to_string);
    let candidates: Vec<&Value> =
        json["candidates"].as_array().expect("candidates").iter().filter(|c| c["operation"] == "mul").collect();
    for group in candidates.chunk_by(|x, y| layout(x) == layout(y)) {
        let bounds: Vec<f64> = group.iter().filter_map(|c| c["bound_cycles"].as_f64()).collect();
        assert!(!bounds.is_empty() && bounds.is_sorted(), "{bounds:?}");
    }
    assert!(place.cached().is_empty());

    let eval = place.run(&["eval", "2^61-1", "mul", "2^60", "6", "--json"]).ended(0);
    assert!(
        eval.err.starts_with("note: no C compiler") && eval.err.contains("the kernel is interpreted"),
        "{}",
        eval.err
    );
    assert_eq!((eval.json()["runner"].as_str(), eval.json()["kernel"].as_str()), (Some("interpreted"), Some("3")));
    let doctor = place.run(&["doctor"]).ok();
    assert!(doctor.contains("missing    a C compiler: no C compiler: looked for"), "{doctor}");

    // A package can be written, and its vectors judged.
    place.run(&["emit", SMALL, "-o", "out"]).ok();
    let check = place.run(&["check", "out"]).ended(0);
    assert!(check.err.contains("the package's test is not run"), "{}", check.err);
}

#[test]
fn an_unusable_compiler_is_named() {
    let place = Place::new().with("CC", Some("/nowhere/tcc -O9")).without_machine_code();
    let run = place.run(&["tune", SMALL]).ended(1);
    assert!(
        run.err
            .contains("error: CC is set to `/nowhere/tcc -O9`, which does not work: there is no such program\nhelp: "),
        "{}",
        run.err
    );
    let run = place.run(&["tune", SMALL, "--compiler", "no-such-compiler"]).ended(1);
    assert!(run.err.contains("looked for no-such-compiler"), "{}", run.err);
}

#[test]
fn a_corrupt_cache_is_told_of_and_nothing_is_lost() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    place.run(&["tune", SMALL, "--quick", "--keep"]).ok();
    let file = place.cached().remove(0);
    for garbage in ["", "{", "null", "{\"version\": 99}", "\u{0}\u{1}"] {
        std::fs::write(&file, garbage).expect("written");
        let eval = place.run(&["eval", SMALL, "mul", "3", "5"]).ended(0);
        assert!(
            eval.err.starts_with("warning: the remembered ranking ") && eval.err.contains("\nhelp: "),
            "{}",
            eval.err
        );
        assert_eq!(std::fs::read_to_string(&file).expect("left in place"), garbage);
    }
    let doctor = place.run(&["doctor", "--json"]).ended(0).json();
    assert_eq!(
        (&doctor["cache"]["rankings"], doctor["cache"]["unreadable"].as_array().map(Vec::len)),
        (&0.into(), Some(1))
    );

    let tune = place.run(&["tune", SMALL, "--quick", "--keep"]).ended(0);
    assert!(tune.err.contains("it was kept as "), "{}", tune.err);
    let files = place.cached();
    assert_eq!(files.len(), 2);
    assert_eq!(std::fs::read_to_string(&files[1]).expect("kept"), "\u{0}\u{1}");
    assert!(files[1].to_string_lossy().ends_with(".corrupt"));
    assert_eq!(place.run(&["eval", SMALL, "mul", "3", "5"]).ended(0).err, "");
}

#[test]
fn a_cache_that_cannot_be_written_is_no_failure() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    std::fs::write(place.path("file"), "").expect("written");
    let folder = place.path("file/cache").display().to_string();
    let place = place.with("EVARISTE_CACHE", Some(&folder));
    let run = place.run(&["tune", SMALL, "--quick", "--keep"]).ended(0);
    assert!(run.err.contains("warning: the ranking cannot be remembered"), "{}", run.err);
    assert!(run.out.contains("\nnot remembered\n") && run.out.contains("winner "), "{}", run.out);
    let run = place.run(&["tune", SMALL, "--quick", "--no-cache"]).ended(0);
    assert_eq!(run.err, "");
}

#[test]
fn the_page_is_written_beside_the_ranking() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    let nothing = place.run(&["report", "-o", "all.html"]).ended(1);
    assert!(
        nothing.err.contains("error: nothing is remembered in ")
            && nothing.err.contains("\nhelp: measure a field first: `evariste tune FIELD`"),
        "{}",
        nothing.err
    );

    let text = place.run(&["tune", SMALL, "--quick", "--keep", "--html", "page.html"]).ok();
    assert!(text.ends_with("\npage         page.html\n") && text.contains("remembered in"), "{text}");
    let page = std::fs::read_to_string(place.path("page.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains(SMALL) && page.contains("aesmpo/5x1"), "{page}");

    // From memory it is the same page.
    let json = place.run(&["report", "-o", "all.html", "--json"]).ended(0).json();
    documented(&json);
    assert_eq!(json, serde_json::json!({ "file": "all.html", "fields": [SMALL] }));
    assert_eq!(std::fs::read_to_string(place.path("all.html")).expect("the page"), page);
    place.run(&["report", SMALL, SMALL, "-o", "all.html"]).ok();
    assert_eq!(std::fs::read_to_string(place.path("all.html")).expect("the page"), page);

    // A field without a ranking: nothing is written.
    let missing = place.run(&["report", SMALL, "p256", "-o", "more.html"]).ended(1);
    assert!(
        missing.err.contains(
            "error: nothing is remembered of p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)\nhelp: `evariste tune 'p256'`"
        ),
        "{}",
        missing.err
    );
    assert!(!place.path("more.html").exists());

    // A ranking that cannot be read is left out, and told of.
    std::fs::write(place.cache().join("broken.json"), "{").expect("written");
    let run = place.run(&["report", "-o", "all.html"]).ended(0);
    assert!(run.err.starts_with("warning: the remembered ranking ") && run.err.contains("broken.json"), "{}", run.err);
}

#[test]
fn a_page_that_cannot_be_written_is_told_of_before_measuring() {
    let place = Place::new();
    for file in ["nowhere/page.html", "."] {
        let run = place.run(&["tune", SMALL, "--html", file]).ended(1);
        assert!(
            run.err.contains(&format!("error: cannot write `{file}`: "))
                && run.err.contains("\nhelp: give a file in a folder that exists"),
            "{}",
            run.err
        );
        assert_eq!(run.out, "");
    }
    assert!(place.cached().is_empty());
    let run = place.run(&["report", "-o"]).ended(2);
    assert!(run.err.contains("-o, --output") || run.err.contains("--output <FILE>"), "{}", run.err);
}

#[test]
fn an_unmeasured_ranking_has_a_page() {
    let place = Place::new().without_compiler().without_machine_code();
    let run = place.run(&["tune", SMALL, "--html", "page.html", "--json"]).ended(1);
    documented(&run.json());
    assert_eq!(run.json()["html"], "page.html");
    let page = std::fs::read_to_string(place.path("page.html")).expect("the page");
    assert!(page.contains("Bound (nothing was measured)") && page.contains("Not measured"), "{page}");
}

#[test]
fn what_is_remembered_is_shown_and_tables_fit() {
    let place = Place::new().without_compiler();
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return;
    }
    assert!(place.run(&["rankings"]).ok().starts_with("nothing is remembered"));
    let missing = place.run(&["rankings", SMALL]).ended(1);
    assert!(missing.err.contains("help: `evariste tune"), "{}", missing.err);
    let two = ["tune", SMALL, "GF(2^3):onb2", "--quick", "--keep", "--csv", "all.csv", "--json"];
    let both = place.run(&two).ended(0).json();
    assert_eq!(both["rankings"].as_array().map(Vec::len), Some(2));
    let csv = std::fs::read_to_string(place.path("all.csv")).expect("all.csv");
    let candidates: usize = (0..2).map(|i| both["rankings"][i]["candidates"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(csv.lines().count(), 1 + candidates, "{csv}");
    let list = place.run(&["rankings", "--json"]).ended(0).json();
    assert_eq!(list["rankings"].as_array().map(Vec::len), Some(2));
    assert_eq!(place.run(&["rankings", SMALL, "--json"]).ended(0).json(), both["rankings"][0]);
    for columns in [60, 80] {
        let narrow = Place::new().without_compiler().with("COLUMNS", Some(&columns.to_string()));
        let run = narrow.run(&["tune", SMALL, "--quick", "--no-cache"]).ended(0);
        // But for single words that are longer.
        let broken = |line: &&str| line.chars().count() > columns && line.trim().contains(' ');
        let wide: Vec<&str> = run.out.lines().filter(broken).collect();
        assert!(wide.is_empty(), "{columns}: {wide:#?}");
        assert!(run.out.contains("not shown for want of room: moves"), "{}", run.out);
        let whole = narrow.run(&["tune", SMALL, "--quick", "--no-cache", "--wide"]).ended(0);
        assert!(whole.out.contains("additions  moves") && !whole.out.contains("want of room"), "{}", whole.out);
    }
}

/// A table of another core in the user's folder is told of, also where one that ships fits and is used.
#[test]
fn a_table_that_does_not_fit_is_told_of() {
    let place = Place::new().without_compiler().with("EVARISTE_CORE", None);
    let folder = place.cache().join("cores");
    std::fs::create_dir_all(&folder).expect("a folder");
    let doctor = place.run(&["doctor", "--json"]).ended(0).json();
    let known = doctor["costs"]["fingerprint"].as_object().expect("ratios").clone();
    let ratios: String =
        known.iter().map(|(name, x)| format!("\"{name}\" = {}\n", 3.0 * x.as_f64().expect("x"))).collect();
    let text = format!(
        "name = \"another\"\narchitecture = \"x86-64\"\nprocessor = \"another\"\nsource = \"this test\"\nresources = [\"r\"]\n\
         [fingerprint]\n{ratios}[costs]\n\"mulx\" = {{ cycles = 3.0, uses = {{ \"r\" = 3.0 }} }}\n"
    );
    std::fs::write(folder.join("another.toml"), &text).expect("written");
    let run = place.run(&["tune", "2^61-1", "--quick", "--no-cache", "--code", "x86-64", "--only", "comba"]);
    if run.code == Some(1) && run.err.contains("machine code") {
        evariste_testing::lacks_feature("machine code", "x86-64");
        return;
    }
    let run = run.ended(0);
    let told = |line: &&str| line.starts_with("note: ") && line.contains("another.toml");
    assert_eq!(run.err.lines().filter(told).count(), 1, "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.join("another.toml")).expect("a file"), text);
}

#[test]
fn words_for_options() {
    let place = Place::new();
    assert_eq!(place.run(&["help", "tune"]).ok(), place.run(&["tune", "--help"]).ok());
    assert_eq!(place.run(&["version"]).ok(), place.run(&["--version"]).ok());
    assert!(!place.run(&["tune", "--help"]).ok().contains('\x1b'), "no colours where nobody looks");
}

/// What is far behind is not compiled or not measured for long, and nothing of that is hidden.
#[test]
fn every_candidate_has_a_row_and_all_compiles_them_all() {
    if !compiler() {
        return;
    }
    let place = Place::new();
    let options = ["tune", "babybear", "--quick", "--no-cache", "--json", "--code", "c", "--layout", "montgomery-1x64"];
    let rows = |more: &[&str]| -> Vec<Value> {
        let ranking = place.run(&[&options[..], more].concat()).ended(0).json();
        documented(&ranking);
        let mut rows = ranking["candidates"].as_array().expect("candidates").clone();
        rows.sort_by_key(|c| (c["operation"].to_string(), c["plan"].to_string()));
        rows
    };
    let (usual, all) = (rows(&[]), rows(&["--all"]));
    let names =
        |rows: &[Value]| -> Vec<String> { rows.iter().map(|c| format!("{} {}", c["operation"], c["plan"])).collect() };
    assert_eq!(names(&usual), names(&all));
    assert!(all.len() > 30, "{}", all.len());
    for c in &all {
        assert!(c["throughput_ns"].as_f64() > Some(0.0) && c["brief"].is_null() && c["note"].is_null(), "{c}");
    }
    for c in &usual {
        let not_compiled = c["note"].as_str().is_some_and(|note| note.starts_with("not compiled: about "));
        assert_eq!(c["throughput_ns"].is_null(), not_compiled, "{c}");
        assert!(!not_compiled || c["code"] == "c", "{c}");
    }
    // Of each operation one at least is measured at length, as the fastest is.
    for operation in ["add", "sub", "mul", "square"] {
        let mut measured = usual.iter().filter(|c| c["operation"] == operation && !c["throughput_ns"].is_null());
        assert!(measured.any(|c| c["brief"].is_null()), "{operation}");
    }
}

/// Layouts that vectors alone compute in may be named, those that take more time there too; plans without a form on vectors
/// are counted.
#[test]
fn layouts_of_lanes_are_taken_by_name() {
    let place = Place::new().without_compiler();
    let run = |field: &str, layout: &str| {
        place.run(&["tune", field, "--lanes", "--layout", layout, "--quick", "--no-cache", "--json"])
    };
    let known = run("2^255-19", "9x29");
    if known.code == Some(2) {
        assert!(known.out.contains("no layout `9x29`"), "{known:#?}");
        evariste_testing::lacks_feature("layouts of lanes by name", "x86-64");
        return;
    }
    let ranking = known.ended(0).json();
    let rows = ranking["candidates"].as_array().expect("candidates");
    assert!(rows.iter().any(|c| c["plan"] == "fold-columns/9x29" && c["operation"] == "mul"), "{rows:#?}");
    let unknown = run("2^255-19", "9x99").ended(2);
    assert!(unknown.out.contains("no layout `9x99`") && unknown.out.contains(", and in lanes "), "{unknown:#?}");
    let counted = run("babybear", "montgomery-1x64").ended(0).json();
    documented(&counted);
    let without = counted["without_vectors"].as_array().expect("some plans have no form on vectors");
    assert!(without.iter().all(|w| w["plans"].as_u64() > Some(0) && w["why"].is_string()), "{without:?}");
}
