//! Which products in lanes a package has: by estimates, by what is remembered, as named.

use evariste_algorithms::Layout;
use evariste_backend::{c, named};
use evariste_descriptions::Field;
use evariste_tune::Ranking;
use evariste_tune::arrays::{Lanes, options, products};
use evariste_tune::choose::{Chosen, Wish, choose_for};
use serde_json::{Value, json};

/// A field in its canonical layout of words of 64 bits, as C.
fn chosen(text: &str, layout: Option<&str>) -> Chosen {
    let field = Field::parse(text).expect("a field");
    let wish = Wish { code: Some((&c::C).into()), canonical: true, ..Wish::default() };
    let chosen = choose_for(&field, &[64, 32], layout, None, wish).expect("a layout");
    Chosen { code: Some((&c::C).into()), ..chosen }
}

/// The products of arrays, as the options that name them.
fn taken(chosen: &Chosen) -> String {
    let one = chosen.proved(&evariste_algorithms::Operation::MUL).expect("a product");
    products(chosen, &one, None).map_or_else(|e| e.to_string(), |all| options(&all))
}

fn row(layout: &str, plan: &str, code: &str, ns: f64) -> Value {
    json!({
        "plan": plan, "code": code, "operation": "mul", "layout": layout, "proved": true,
        "contract": "", "multiplications": 0, "additions": 0, "moves": 0, "proof_ms": 0.0, "bound_cycles": 0.0,
        "latency_cycles": null, "latency_ns": null, "throughput_cycles": ns, "throughput_ns": ns,
        "percent_of_bound": null, "code_bytes": null,
    })
}

fn ranking(field: &Field, rows: Vec<Value>) -> Option<Ranking> {
    let ranking = json!({
        "version": 2, "field": field.text(), "target": "", "mix": "", "candidates": rows, "layouts": [], "winner": null,
        "winner_code": null,
    });
    Some(serde_json::from_value(ranking).expect("a ranking"))
}

/// A plan of the product in a layout for these lanes.
fn product(chosen: &Chosen, layout: &str, code: &str) -> String {
    let model = (named(code).and_then(|entry| entry.machine).expect("vectors").model)();
    let layouts: Vec<Layout> = model.layouts(&chosen.field);
    let layout = layouts.iter().find(|l| l.name == layout).expect("a layout");
    evariste_algorithms::plans(&chosen.field, layout, &evariste_algorithms::Operation::MUL)[0].name()
}

#[test]
fn without_measurements_estimates_decide() {
    // AVX2 is what cores run that have no wider vectors: these alone are asked.
    let both = " --lanes avx2=fold-madd/9x29 --lanes avx-512=fold-madd/5x52";
    assert_eq!(taken(&chosen("2^255 - 19", Some("4x64"))), both);
    let both = " --lanes avx2=montgomery-madd/montgomery-9x29-clean --lanes avx-512=montgomery-madd/montgomery-5x52";
    assert_eq!(taken(&chosen("p256", Some("montgomery-4x64"))), both);
    let small = taken(&chosen("babybear", Some("montgomery-1x64")));
    assert!(small.contains(" --lanes avx2=") && small.contains(" --lanes avx-512="), "{small}");
    let short = taken(&chosen("babybear", Some("montgomery-1x32")));
    assert!(short.contains(" --lanes avx2=") && short.ends_with("/montgomery-1x32"), "{short}");
    // Several words of 32 bits, elements that are not canonical: no kernel takes and gives what they are.
    assert_eq!(taken(&chosen("p256", Some("montgomery-8x32"))), " --lanes none");
    for (field, layout) in
        [("2^255 - 19", "5x51"), ("2^255 - 19", "4x64-redundant"), ("bn254-fp", "montgomery-4x64-lazy")]
    {
        assert_eq!(taken(&chosen(field, Some(layout))), " --lanes none", "{layout}");
    }
}

/// Squares go through the lanes of products where that is faster than squares one by one, by estimates alone: whether the
/// levels are those that are best or those that the command of the package names.
#[test]
fn squares_are_decided_alike_wherever_a_package_is_made() {
    let base = chosen("p256", Some("montgomery-4x64"));
    let [one, square] = [&evariste_algorithms::Operation::MUL, &evariste_algorithms::Operation::SQUARE]
        .map(|operation| base.proved(operation).expect("a kernel"));
    let squares = |chosen: &Chosen, square| -> Vec<(&'static str, bool)> {
        let all = products(chosen, &one, square).expect("products");
        all.iter().map(|one| (one.level, one.squares)).collect()
    };
    let best = squares(&base, Some(&square));
    assert!(best.contains(&("avx-512", true)), "{best:?}");
    assert!(squares(&base, None).iter().all(|(_, squares)| !squares));
    let named = best.iter().map(|(level, _)| (level.to_string(), None)).collect();
    assert_eq!(squares(&Chosen { lanes: Lanes::Given(named), ..base.clone() }, Some(&square)), best);
}

/// What was measured of a layout's product decides between layouts, and beside that of one element between lanes and
/// none.
#[test]
fn what_is_remembered_decides() {
    let base = chosen("2^255 - 19", Some("4x64"));
    let lanes = |rows: Vec<(&str, &str, f64)>| {
        let row = |(layout, code, ns): &(&str, &str, f64)| row(layout, &product(&base, layout, code), code, *ns);
        ranking(&base.field, rows.iter().map(row).collect())
    };
    let clean = lanes(vec![("5x52", "avx-512", 2.0), ("5x52-clean", "avx-512", 1.0)]);
    let by_layout = Chosen { lane_ranking: clean, ..base.clone() };
    assert_eq!(taken(&by_layout), " --lanes avx2=fold-madd/9x29 --lanes avx-512=fold-madd/5x52-clean");
    let one = evariste_algorithms::plans(&base.field, &base.layout, &evariste_algorithms::Operation::MUL)[0].name();
    let alone = |ns: f64| ranking(&base.field, vec![row("4x64", &one, "c", ns)]);
    for (ns, expected) in [(100.0, " --lanes avx2=fold-madd/9x29"), (1.0, " --lanes none")] {
        let rows = vec![("9x29", "avx2", 10.0), ("5x52", "avx-512", if ns == 1.0 { 9.0 } else { 1e4 })];
        let both = Chosen { lane_ranking: lanes(rows), ranking: alone(ns), ..base.clone() };
        assert_eq!(taken(&both), expected, "one product in {ns} ns");
    }
}

#[test]
fn levels_and_plans_can_be_named() {
    let base = chosen("2^255 - 19", Some("4x64"));
    let given = |all: &[(&str, Option<&str>)]| {
        let all = all.iter().map(|(level, plan)| (level.to_string(), plan.map(str::to_string))).collect();
        taken(&Chosen { lanes: Lanes::Given(all), ..base.clone() })
    };
    assert_eq!(given(&[]), " --lanes none");
    assert_eq!(given(&[("avx2", None)]), " --lanes avx2=fold-madd/9x29");
    // In the order of the levels, whatever the order of the options.
    let plan = "montgomery-madd-twice/montgomery-5x52";
    let both = given(&[("avx-512", Some(plan)), ("avx2", None)]);
    assert_eq!(both, format!(" --lanes avx2=fold-madd/9x29 --lanes avx-512={plan}"));
    assert_eq!(given(&[("neon", None)]), "no vectors `neon` for arrays\nhelp: C has avx2 and avx-512");
    let other = given(&[("avx2", Some("fold-madd/5x52"))]);
    let help = "there are montgomery-madd-twice/montgomery-9x29-clean, fold-madd/9x29, fold-madd/10x25.5";
    assert_eq!(other, format!("no products of arrays on avx2: no plan `fold-madd/5x52`\nhelp: {help}"));
}
