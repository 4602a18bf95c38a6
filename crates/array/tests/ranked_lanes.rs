//! A remembered ranking decides between lanes of several widths: what was measured to be the fastest on the mix is the
//! layout, and its vectors are those that everything runs on.

use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_array::{Engine, Options};
use evariste_backend::{Backend, named};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_testing::Random;
use serde_json::{Value, json};

use crate::operations::{check, field};

/// Vectors of 512 and of 256 bits, without products of 52 bits: where these are, narrower vectors have no layouts of
/// prime fields.
const SETS: &str = "bmi2+adx+avx2+fma+avx512+vbmi2";
const MIX: [Operation; 4] = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SUB];

/// The last plan of an operation that has such code: not all plans of short elements have.
fn coded(field: &Field, layout: &Layout, operation: &Operation, code: &str) -> Option<Plan> {
    let vectors = named(code).and_then(|entry| (entry.find)(Some(SETS)).ok())?;
    let has_code = |plan: &Plan| match prove(&plan.write().expect("a kernel")) {
        Outcome::Proved(proved) => vectors.has_code(&proved),
        _ => false,
    };
    plans(field, layout, operation).into_iter().rfind(has_code)
}

/// As above, of layouts that have one.
fn plan(field: &Field, layout: &Layout, operation: &Operation, code: &str) -> Plan {
    coded(field, layout, operation, code).unwrap_or_else(|| panic!("{operation:?} in {} as {code}", layout.name))
}

/// Elements of one digit of 32 bits.
fn short(field: &Field) -> Layout {
    let short = layouts(field, 32).into_iter().find(|l| l.digits() == 1 && l.montgomery.is_some());
    short.unwrap_or_else(|| panic!("{} has a short layout", field.text()))
}

/// Those, which vectors of 512 bits hold, and elements of two digits for whole products, which those of 256 do.
fn both(field: &Field) -> [Layout; 2] {
    let narrow = named("avx2").and_then(|entry| (entry.find)(Some(SETS)).ok());
    let own = narrow.map(|narrow| narrow.layouts(field)).unwrap_or_default();
    let long = own.into_iter().find(|l| l.radix.is_some_and(|radix| radix < 52) && l.montgomery.is_some());
    [short(field), long.unwrap_or_else(|| panic!("{} has a long layout", field.text()))]
}

/// A row of a ranking: that plan, as that code, in that time.
fn row(layout: &Layout, operation: &Operation, plan: &str, code: &str, ns: f64) -> Value {
    json!({
        "plan": plan, "code": code, "operation": operation.name(), "layout": layout.name, "proved": true,
        "contract": "", "multiplications": 0, "additions": 0, "moves": 0, "proof_ms": 0.0, "bound_cycles": 0.0,
        "latency_cycles": null, "latency_ns": null, "throughput_cycles": ns, "throughput_ns": ns,
        "percent_of_bound": null, "code_bytes": null,
    })
}

/// One row for each operation of the mix: the plan that has such code.
fn rows(field: &Field, layout: &Layout, code: &str, ns: f64) -> Vec<Value> {
    MIX.iter().map(|op| row(layout, op, &plan(field, layout, op, code).name(), code, ns)).collect()
}

/// An engine by the ranking of these rows; the layouts are ranked the wrong way round, which only lanes without
/// measurements go by.
fn engine(field: &Field, measured: &[(&Layout, &str, f64)]) -> Engine {
    let candidates: Vec<Value> = measured.iter().flat_map(|(l, code, ns)| rows(field, l, code, *ns)).collect();
    let mut slowest = measured.to_vec();
    slowest.sort_by(|a, b| b.2.total_cmp(&a.2));
    engine_of(field, SETS, candidates, &slowest.iter().map(|(l, ..)| *l).collect::<Vec<_>>())
}

/// An engine with these instruction sets by the ranking of these rows and layouts.
fn engine_of(field: &Field, sets: &str, candidates: Vec<Value>, layouts: &[&Layout]) -> Engine {
    let layout = |l: &&Layout| json!({ "layout": l.name, "description": "", "mix_ns": null, "throughput": [], "latency": [], "size": [] });
    let ranking = json!({
        "version": 2, "field": field.text(), "target": "", "mix": "", "candidates": candidates,
        "layouts": layouts.iter().map(layout).collect::<Vec<_>>(), "winner": null, "winner_code": null,
    });
    let ranking = Some(serde_json::from_value(ranking).expect("a ranking"));
    let options = Options { threads: 1, features: Some(sets.into()), ranking, ..Options::default() };
    Engine::with(field, options).expect("an engine")
}

/// Are there vectors of both widths? By slots alone those of 512 bits are taken.
fn has_both(field: &Field) -> bool {
    let options = Options { threads: 1, features: Some(SETS.into()), forget: true, ..Options::default() };
    Engine::with(field, options).expect("an engine").lanes() == 16
}

#[test]
fn the_fastest_measured_lanes_are_used() {
    for text in ["babybear", "mersenne31"] {
        let (field, m) = field(text);
        if !has_both(&field) {
            evariste_testing::lacks_feature(&format!("ranked lanes of {text}"), "AVX-512");
            continue;
        }
        let [short, long] = both(&field);
        for (measured, layout, code, lanes) in [
            (vec![(&short, "avx-512", 2.0), (&long, "avx2", 1.0)], &long, "avx2", 4),
            (vec![(&short, "avx-512", 1.0), (&long, "avx2", 2.0)], &short, "avx-512", 16),
        ] {
            let engine = engine(&field, &measured);
            assert_eq!((&engine.layout().name, engine.lanes()), (&layout.name, lanes), "{text}");
            engine.prepare().unwrap_or_else(|e| panic!("{engine:?}: {e}"));
            for operation in &MIX {
                let plan = plan(&field, layout, operation, code);
                let said = engine.describe(&operation.name()).expect("an operation");
                let vectors = if lanes == 16 { "zmm " } else { "ymm " };
                assert!(
                    said.starts_with(&format!("{}, ", plan.name()))
                        && said.contains(vectors)
                        && said.ends_with(", by the ranking that was given"),
                    "{said}"
                );
            }
            // Every operation that arrays have, at lengths around those of a vector and of a block.
            let mut rng = Random(31);
            for len in [0, 1, 3, 4, 5, 7, 8, 9, 16, 17, 33, 257] {
                check(&engine, &m, len, &mut rng);
            }
            check(&engine.with_threads(2).expect("threads"), &m, 1025, &mut rng);
        }
    }
}

/// One operation of the mix that was not measured on some lanes: these have no time, however fast the others were.
#[test]
fn lanes_with_a_part_of_the_mix_are_passed_over() {
    let (field, m) = field("babybear");
    if !has_both(&field) {
        evariste_testing::lacks_feature("lanes with a part of the mix", "AVX-512");
        return;
    }
    let [short, long] = both(&field);
    assert_eq!(engine(&field, &[(&long, "avx2", 0.1), (&short, "avx-512", 2.0)]).lanes(), 4);
    let mut part = rows(&field, &long, "avx2", 0.1);
    part.pop();
    part.extend(rows(&field, &short, "avx-512", 2.0));
    let engine = engine_of(&field, SETS, part, &[]);
    assert_eq!(engine.lanes(), 16);
    check(&engine, &m, 33, &mut Random(7));
}

/// A row that names a plan without such code (products in this layout compare, which vectors of 256 bits cannot), or no
/// plan at all, makes its lanes nobody's choice, however fast it says that they were.
#[test]
fn rows_without_code_are_passed_over() {
    let (field, m) = field("babybear");
    if !has_both(&field) {
        evariste_testing::lacks_feature("rows without code", "AVX-512");
        return;
    }
    let plain = layouts(&field, 32).into_iter().find(|l| l.digits() == 1 && l.montgomery.is_none()).expect("a layout");
    assert!(
        coded(&field, &plain, &Operation::MUL, "avx2").is_none()
            && coded(&field, &plain, &Operation::MUL, "avx-512").is_some()
    );
    let [short, long] = both(&field);
    let first = |op: &Operation| plans(&field, &plain, op).first().expect("a plan").name();
    let as_avx2 = |name: &dyn Fn(&Operation) -> String, layout: &Layout| -> Vec<Value> {
        MIX.iter().map(|op| row(layout, op, &name(op), "avx2", 0.1)).collect()
    };
    for bad in [as_avx2(&first, &plain), as_avx2(&|_| "abacus".into(), &long), as_avx2(&|_| "abacus".into(), &short)] {
        let engine = engine_of(&field, SETS, [bad, rows(&field, &short, "avx-512", 2.0)].concat(), &[]);
        assert_eq!((&engine.layout().name, engine.lanes()), (&short.name, 16));
        engine.prepare().unwrap_or_else(|e| panic!("{engine:?}: {e}"));
        check(&engine, &m, 33, &mut Random(7));
    }
}

/// A plan that was measured on other lanes, and has no code on those at hand: the operation takes one that has.
#[test]
fn a_row_of_other_lanes_may_have_no_code_here() {
    let (field, m) = field("babybear");
    let narrow = "bmi2+adx+avx2+fma";
    let short = short(&field);
    let only_wide = |op: &Operation| {
        let wide = named("avx-512")?.machine.map(|machine| (machine.model)())?;
        let here = named("avx2").and_then(|entry| (entry.find)(Some(narrow)).ok())?;
        let has = |backend: &dyn Backend, plan: &Plan| {
            prove(&plan.write().ok()?).proved().map(|proved| backend.has_code(&proved))
        };
        let both: Vec<Plan> = plans(&field, &short, op);
        let plan = both.iter().find(|p| has(&*wide, p) == Some(true) && has(&*here, p) == Some(false))?;
        both.iter().any(|p| has(&*here, p) == Some(true)).then(|| row(&short, op, &plan.name(), "avx-512", 1.0))
    };
    let rows: Vec<Value> =
        [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::CANONICAL, Operation::OPP, Operation::SELECTZNZ]
            .iter()
            .filter_map(only_wide)
            .collect();
    if named("avx2").is_some_and(|entry| (entry.find)(Some(narrow)).is_err()) {
        evariste_testing::lacks_feature("rows of other lanes", "AVX2");
        return;
    }
    assert!(!rows.is_empty(), "products that only vectors with masks have");
    let engine = engine_of(&field, narrow, rows, &[&short]);
    engine.prepare().unwrap_or_else(|e| panic!("{engine:?}: {e}"));
    check(&engine, &m, 33, &mut Random(7));
}
