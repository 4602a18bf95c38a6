//! Every plan of every layout for lanes through the walk of arrays: an engine that a ranking makes use it, at lengths
//! around those of vectors and blocks, against `num-bigint`.
//!
//! By default one plan in [`STRIDE`] of two fields; with `EVARISTE_FULL=1` all of them, and more fields.

use evariste_algorithms::layouts;
use evariste_algorithms::{Layout, Operation, Plan, lane_layouts, plans};
use evariste_array::{Array, BigUint, Engine, Options};
use evariste_backend::vectors;
use evariste_descriptions::{Field, Modulus};
use evariste_testing::Random;

const LENGTHS: [usize; 7] = [0, 1, 7, 8, 9, 511, 513];
const FIELDS: [&str; 2] = ["bls12-381-fr", "25519"];
const MORE: [&str; 7] = ["p256", "bn254-fp", "bls12-381-fp", "p384", "448", "babybear", "p521"];
/// One plan in that many takes part in a default run.
const STRIDE: u64 = 9;
const OPERATIONS: [Operation; 10] = [
    Operation::MUL,
    Operation::SQUARE,
    Operation::ADD,
    Operation::SUB,
    Operation::OPP,
    Operation::TO_MONTGOMERY,
    Operation::FROM_MONTGOMERY,
    Operation::CANONICAL,
    Operation::FROM_WORDS,
    Operation::TO_WORDS,
];

trait Numbers {
    fn number(&mut self, m: &Modulus) -> BigUint;
}

impl Numbers for Random {
    /// Below p, near its ends or anywhere.
    fn number(&mut self, m: &Modulus) -> BigUint {
        let any = (0..m.bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word()) % &m.value;
        match self.word() % 8 {
            0 => BigUint::ZERO,
            1 => &m.value - 1u32,
            2 => &m.value - (BigUint::from(1u32) << (self.word() % u64::from(m.bits - 1))),
            3 => (BigUint::from(1u32) << (self.word() % u64::from(m.bits))) - 1u32,
            _ => any,
        }
    }
}

/// The widest lanes of this machine: their name and their layouts; without any that arrays take (those of SSE2 compare
/// no elements) those of the widest that there are.
fn lanes(field: &Field) -> (&'static str, Vec<Layout>) {
    let usual = Engine::with(field, Options { threads: 1, forget: true, ..Options::default() }).unwrap();
    match vectors().first().filter(|_| usual.lanes() > 1) {
        Some(lanes) => {
            let taken = lanes.layouts(field).into_iter().filter(|layout| lanes.takes(field, layout, false));
            (lanes.entry().name, taken.collect())
        }
        None => ("avx-512", lane_layouts(field, 64, 52)),
    }
}

/// An engine in that layout with that plan, as code of those lanes.
fn engine(field: &Field, code: &str, layout: &Layout, plan: &Plan) -> Engine {
    let candidate = serde_json::json!({
        "plan": plan.name(), "code": code, "operation": plan.operation.name(), "layout": layout.name, "proved": true, "contract": "", "multiplications": 0, "additions": 0, "moves": 0,
        "proof_ms": 0.0, "bound_cycles": 0.0, "latency_cycles": null, "latency_ns": null, "throughput_cycles": 1.0, "throughput_ns": 1.0, "percent_of_bound": null, "code_bytes": null,
    });
    let ranking = serde_json::json!({
        "version": 2, "field": field.text(), "target": "", "mix": "", "candidates": [candidate],
        "layouts": [{ "layout": layout.name, "description": "", "mix_ns": null, "throughput": [], "latency": [], "size": [] }], "winner": null, "winner_code": null,
    });
    Engine::with(
        field,
        Options { threads: 1, ranking: Some(serde_json::from_value(ranking).unwrap()), ..Options::default() },
    )
    .unwrap()
}

/// Numbers in an array whose padding lanes hold anything.
fn array(engine: &Engine, x: &[BigUint], rng: &mut Random) -> Array {
    let mut a = engine.from_integers(x).unwrap();
    a.spoil(|| rng.word());
    a
}

fn check(engine: &Engine, m: &Modulus, plan: &Plan, len: usize, rng: &mut Random) {
    let numbers = |rng: &mut Random| (0..len).map(|_| rng.number(m)).collect::<Vec<_>>();
    let (x, y) = (numbers(rng), numbers(rng));
    let (a, b) = (array(engine, &x, rng), array(engine, &y, rng));
    // Operands that rest as operations leave them, not only canonical ones.
    let (loose, twice) =
        (engine.add(&engine.sub(&a, &b).unwrap(), &engine.mul(&a, &b).unwrap()).unwrap(), engine.add(&a, &a).unwrap());
    let u: Vec<BigUint> = x.iter().zip(&y).map(|(x, y)| m.add(&m.sub(x, y), &m.mul(x, y))).collect();
    let v: Vec<BigUint> = x.iter().map(|x| m.add(x, x)).collect();
    let wanted = |f: &dyn Fn(usize) -> BigUint| (0..len).map(f).collect::<Vec<_>>();
    let (got, wanted) = match plan.operation.row().name {
        "mul" => (engine.mul(&loose, &twice), wanted(&|i| m.mul(&u[i], &v[i]))),
        "square" => (engine.square(&loose), wanted(&|i| m.square(&u[i]))),
        "add" => (engine.add(&loose, &twice), wanted(&|i| m.add(&u[i], &v[i]))),
        "sub" => (engine.sub(&loose, &twice), wanted(&|i| m.sub(&u[i], &v[i]))),
        "opp" => (engine.neg(&loose), wanted(&|i| m.sub(&BigUint::ZERO, &u[i]))),
        "canonical" => (engine.canonical(&loose).and_then(|a| engine.resting(&a)), u.clone()),
        // Into and out of arrays.
        _ => (Ok(loose), u.clone()),
    };
    assert_eq!(
        engine.to_integers(&got.unwrap()).unwrap(),
        wanted,
        "{} of {len} elements by {} in {engine:?}",
        plan.operation.name(),
        plan.name()
    );
}

#[test]
fn every_plan_through_the_walk() {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let fields = FIELDS.iter().chain(MORE.iter().filter(|_| full));
    let (mut tried, mut known, mut without) = (0, 0, 0);
    for text in fields {
        let field = Field::parse(text).unwrap();
        let Some(m) = field.get::<Modulus>() else { panic!("{text} has no modulus") };
        let short = layouts(&field, 32).into_iter().filter(|l| full && l.digits() == 1);
        let (code, long) = lanes(&field);
        for layout in long.into_iter().chain(short) {
            for operation in &OPERATIONS {
                for (at, plan) in plans(&field, &layout, operation).iter().enumerate() {
                    known += 1;
                    if !full && known % STRIDE != 0 {
                        continue;
                    }
                    let engine = engine(&field, code, &layout, plan);
                    if engine.lanes() == 1 && (at > 0 || !full) {
                        continue;
                    }
                    // Layouts of which SSE2 compares no elements give way to others.
                    if code == "sse2" && engine.layout().name != layout.name {
                        without += 1;
                        continue;
                    }
                    let described = engine.describe(&operation.name()).unwrap();
                    // A plan without code on vectors gives way to one that has some; of digits of 32 bits a few have none.
                    if layout.word == 32 && !described.starts_with(&format!("{}, ", plan.name())) {
                        without += 1;
                        continue;
                    }
                    assert!(
                        described.starts_with(&format!("{}, ", plan.name())),
                        "{}: {described} instead of {}",
                        operation.name(),
                        plan.name()
                    );
                    let mut rng = Random(0x9e37_79b9_7f4a_7c15 ^ tried);
                    for (turn, len) in LENGTHS.into_iter().enumerate() {
                        // The two long ones in turn.
                        if full || len < 100 || turn % 2 == (tried % 2) as usize {
                            check(&engine, m, plan, len, &mut rng);
                        }
                    }
                    tried += 1;
                }
            }
        }
    }
    assert!(4 * without <= known, "{without} of {known} plans have no code on vectors");
    match tried {
        0 if known >= STRIDE => {
            evariste_testing::lacks_feature("every plan through the walk of arrays", "AVX-512 IFMA")
        }
        _ => println!("{tried} plans of {known}, {without} without code on vectors"),
    }
}
