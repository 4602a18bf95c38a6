//! How long it takes to make code on vectors: writing the kernel, its proof, code, the check of the code, encoding;
//! every plan of every operation of some fields.
//!
//! `cargo run --release -p evariste-tune --example made [FIELD …]`. Milliseconds of one thread, each the least of
//! three; the shape is the longest of those that are tried, and beside it what arrays use, blocks of eight groups. Of
//! each operation the longest plan is printed.

use std::time::Instant;

use evariste_algorithms::{Layout, Operation, Plan, field_set, lane_layouts, plans};
use evariste_backend::features;
use evariste_codegen::check::check;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Features, Width};
use evariste_descriptions::Field;
use evariste_jit::Function;
use evariste_proof::{Outcome, Proved, prove};

/// Fields of 256 bits.
const FIELDS: [&str; 5] = ["bls12-381-fr", "25519", "secp256k1", "p256", "int256"];

/// Groups of a block of an array.
const BLOCK: u32 = 8;

/// Milliseconds of the steps: writing, proof, code, check, encoding.
#[derive(Clone, Copy)]
struct Steps([f64; 5]);

impl Steps {
    const NONE: Steps = Steps([f64::INFINITY; 5]);

    fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The lesser of both, step by step.
    fn least(mut self, other: Steps) -> Steps {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a = a.min(b));
        self
    }
}

/// What a step gave, and its milliseconds.
fn timed<T>(step: impl FnOnce() -> Result<T, String>) -> Result<(f64, T), String> {
    let clock = Instant::now();
    let value = step()?;
    Ok((clock.elapsed().as_secs_f64() * 1e3, value))
}

fn proved(plan: &Plan) -> Result<(f64, f64, Proved), String> {
    let (written, kernel) = timed(|| plan.write().map_err(|e| e.to_string()))?;
    let (proof, outcome) = timed(|| Ok(prove(&kernel)))?;
    match outcome {
        Outcome::Proved(proved) => Ok((written, proof, proved)),
        other => Err(format!("not proved: {other:?}")),
    }
}

/// From a plan to a function, once.
fn make(plan: &Plan, features: Features, pick: impl Fn(&[Shape]) -> Option<Shape>) -> Result<(Steps, Shape), String> {
    let (written, proof, proved) = proved(plan)?;
    let graph = lanes::graph(proved.kernel(), features, Width::Z).map_err(|e| e.to_string())?;
    let shape = pick(&lanes::shapes(proved.kernel(), &graph, Width::Z)).ok_or("no shape")?;
    let (compiled, program) = timed(|| lanes::compile(&proved, features, shape).map_err(|e| e.to_string()))?;
    let (checked, program) = timed(|| check(&proved, &program).map_err(|e| e.to_string()))?;
    let (encoded, _) = timed(|| Function::new(&program).map_err(|e| e.to_string()))?;
    Ok((Steps([written, proof, compiled, checked, encoded]), shape))
}

/// The least of three.
fn least(plan: &Plan, features: Features, pick: impl Fn(&[Shape]) -> Option<Shape>) -> Result<(Steps, Shape), String> {
    let mut all = Steps::NONE;
    let mut of = None;
    for _ in 0..3 {
        let (steps, shape) = make(plan, features, &pick)?;
        all = all.least(steps);
        of = Some(shape);
    }
    Ok((all, of.ok_or("no shape")?))
}

fn longest(shapes: &[Shape]) -> Option<Shape> {
    shapes.iter().copied().max_by_key(|s| s.groups * s.iterations)
}

fn block(shapes: &[Shape]) -> Option<Shape> {
    let shape = *shapes.first()?;
    let side = shape.groups.min(BLOCK);
    Some(Shape { groups: side, iterations: BLOCK / side, active: shape.active.min(side), ..shape })
}

fn row(field: &str, layout: &Layout, operation: &Operation, what: &str, made: &(Steps, Shape, String)) {
    let (steps, shape, plan) = made;
    let [written, proof, compiled, checked, encoded] = steps.0;
    println!(
        "{field:13} {:18} {:16} {what:8} {:6.1} {written:6.1} {proof:6.1} {compiled:6.1} {checked:6.1} {encoded:6.1}  {plan}, {shape}",
        layout.name,
        operation.name(),
        steps.total()
    );
}

fn main() -> Result<(), String> {
    let features = features::<X86_64>().map_err(|e| e.to_string())?;
    let given: Vec<String> = std::env::args().skip(1).collect();
    let fields = if given.is_empty() { FIELDS.map(String::from).to_vec() } else { given };
    println!(
        "{:13} {:18} {:16} {:8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "field", "layout", "operation", "shape", "total", "write", "prove", "code", "check", "encode"
    );
    let (mut count, mut worst) = (0, 0.0f64);
    for name in &fields {
        let field = Field::parse(name).map_err(|_| format!("{name} is no field"))?;
        for layout in lane_layouts(&field, 64, 52) {
            // Inverses are chains of hundreds of products.
            for operation in field_set::operations(&field, &layout).into_iter().filter(|o| o.name() != "inv") {
                let mut slowest: [Option<(Steps, Shape, String)>; 2] = [None, None];
                for plan in plans(&field, &layout, &operation) {
                    let picks: [fn(&[Shape]) -> Option<Shape>; 2] = [longest, block];
                    for (slowest, pick) in slowest.iter_mut().zip(picks) {
                        let (steps, shape) = match least(&plan, features, pick) {
                            Ok(made) => made,
                            Err(why) => {
                                println!("{name:13} {:18} {}: {why}", layout.name, plan.name());
                                continue;
                            }
                        };
                        count += 1;
                        worst = worst.max(steps.total());
                        if slowest.as_ref().is_none_or(|(s, ..)| s.total() < steps.total()) {
                            *slowest = Some((steps, shape, plan.name()));
                        }
                    }
                }
                for (what, made) in ["longest", "block"].into_iter().zip(&slowest) {
                    made.iter().for_each(|made| row(name, &layout, &operation, what, made));
                }
            }
        }
    }
    println!("{count} functions; the slowest to make took {worst:.1} ms");
    Ok(())
}
