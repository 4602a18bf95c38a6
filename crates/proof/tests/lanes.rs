//! Every candidate in the layouts for lanes is proved, in little time, and needs no more port slots than the best known kernels.

use std::time::Instant;

use evariste_algorithms::field_set::operations;
use evariste_algorithms::{lane_layouts, plans};
use evariste_ir::port_slots;
use evariste_proof::{Outcome, prove};
use evariste_spec::Field;

/// Proves all candidates of a field; the names of those that are not proved.
fn all(text: &str) -> Vec<String> {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let mut failed = Vec::new();
    let layouts = lane_layouts(&field, 64, 52);
    assert!(!layouts.is_empty(), "{text} has no layout for lanes");
    for layout in layouts {
        for op in operations(&field, &layout) {
            for plan in plans(&field, &layout, &op) {
                let name = format!("{text} {} {}", op.name(), plan.name());
                let start = Instant::now();
                let kernel = match plan.write() {
                    Ok(kernel) => kernel,
                    Err(e) => {
                        failed.push(format!("{name}: {e}"));
                        continue;
                    }
                };
                let outcome = prove(&kernel);
                let ms = start.elapsed().as_secs_f64() * 1e3;
                let verdict = match &outcome {
                    Outcome::Proved(p) => format!("proved, {} slots", port_slots(p.kernel()).map_or("-".into(), |s| s.to_string())),
                    Outcome::Refuted(c) => format!("REFUTED {}", c.violation),
                    Outcome::Unknown(o) => format!("UNKNOWN {}: {}", o.what, o.detail),
                };
                println!("{name:70} {ms:8.1} ms {verdict}");
                if !matches!(outcome, Outcome::Proved(_)) {
                    failed.push(format!("{name}: {verdict}"));
                }
            }
        }
    }
    failed
}

fn none_open(fields: &[&str]) {
    let failed: Vec<String> = fields.iter().flat_map(|f| all(f)).collect();
    assert!(failed.is_empty(), "{} candidates are not proved:\n{}", failed.len(), failed.join("\n"));
}

/// The fewest slots of an operation's candidates in the layouts of that name (dirty before clean), and the bar.
const BARS: &[(&str, &str, &str, u64)] = &[
    ("bls12-381-fr", "mul", "montgomery-5x52", 118),
    ("bn254-fp", "mul", "montgomery-5x52", 118),
    ("bls12-381-fp", "mul", "montgomery-8x52", 286),
    ("p384", "mul", "montgomery-8x52", 286),
    ("2^255-19", "mul", "5x52", 88),
    ("2^255-19", "square", "5x52", 76),
    ("secp256k1", "mul", "5x52", 88),
    ("secp256k1", "square", "5x52", 76),
    ("p256", "mul", "montgomery-5x52", 102),
    ("p256", "add", "montgomery-5x52", 27),
    ("p256", "sub", "montgomery-5x52", 32),
    ("bn254-fp", "add", "montgomery-5x52", 24),
    ("bn254-fp", "sub", "montgomery-5x52", 29),
    ("bn254-fp", "opp", "montgomery-5x52", 24),
    ("bls12-381-fr", "add", "montgomery-5x52", 25),
    ("bls12-381-fp", "add", "montgomery-8x52", 39),
    ("bls12-381-fp", "sub", "montgomery-8x52", 47),
    ("int192", "mul", "4x52", 53),
    ("int256", "mul", "5x52", 77),
    ("int384", "mul", "8x52", 173),
    ("int521", "mul", "11x52", 305),
    ("int1024", "mul", "20x52", 917),
    ("dfc", "affine_constant_mod_2_64", "above-2x52", 17),
];

#[test]
fn slots_stay_below_the_bars() {
    println!("slots  bar  kernel");
    let mut above = Vec::new();
    for (text, operation, layout, bar) in BARS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let layout = lane_layouts(&field, 64, 52).into_iter().find(|l| l.name == *layout).unwrap_or_else(|| panic!("{text} has no layout {layout}"));
        let operation = operations(&field, &layout).into_iter().find(|o| o.name() == *operation).unwrap_or_else(|| panic!("{text} has no {operation}"));
        let candidates = plans(&field, &layout, &operation);
        let slots = candidates.iter().filter_map(|p| {
            let Outcome::Proved(proved) = prove(&p.write().ok()?) else { return None };
            Some((port_slots(proved.kernel())?, p.name()))
        });
        let Some((slots, name)) = slots.min() else { panic!("{text}: no proved kernel of {}", operation.name()) };
        println!("{slots:5} {bar:4}  {text} {} {name}", operation.name());
        if slots > *bar {
            above.push(format!("{text} {}: {slots} slots, the bar is {bar}", operation.name()));
        }
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
}

#[test]
fn fields_of_256_bits() {
    none_open(&["2^255-19", "p256", "secp256k1", "sm2", "bn254-fp", "bls12-381-fr"]);
}

#[test]
fn longer_fields() {
    none_open(&["p384", "448", "bls12-381-fp", "p521"]);
}

#[test]
fn short_fields() {
    none_open(&["dfc", "mmh", "goldilocks", "mersenne61", "p192", "p224", "babybear", "2^127 - 1", "2^251 - 9"]);
}

#[test]
fn integers() {
    none_open(&["int192", "int256", "int384", "int521", "int1024", "int4096"]);
}
