//! Candidates of the named fields in the emulator: each field's algorithms of each operation as scalar code and on
//! vectors, on random and edge inputs, in every lane of every group, equal to the interpreter. Nobody has checked these
//! programs: a fault of the emulator is a fault of the compiler or of the encoder.
//!
//! A default run draws a sample, at least one candidate of each operation of a field; inverses, which are
//! long, only with `EVARISTE_FULL=1`.

use evariste_algorithms::field_set::operations;
use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, Plan, lane_layouts, plans};
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Program, compile_kernel};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_testing::levels::{Level, levels};
use evariste_testing::machine::Callable;
use evariste_testing::{full, sample};

use crate::common::{Rng, Vectors};

const FIELDS: [&str; 14] = [
    "2^255-19",
    "p256",
    "secp256k1",
    "bn254-fp",
    "bls12-381-fr",
    "bls12-381-fp",
    "p384",
    "dfc",
    "goldilocks",
    "babybear",
    "mersenne31",
    "mersenne61",
    "GF(2^131)",
    "GF(2^163)",
];

/// Every candidate, with its field's name.
fn candidates() -> Vec<(&'static str, Plan)> {
    let mut all = Vec::new();
    for text in FIELDS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let words = layouts(&field, 64).into_iter().chain(layouts(&field, 32));
        for layout in words.chain(lane_layouts(&field, 64, 52)) {
            for operation in operations(&field, &layout).into_iter().filter(|o| full() || *o != Operation::INVERSE) {
                all.extend(plans(&field, &layout, &operation).into_iter().map(|plan| (text, plan)));
            }
        }
    }
    all
}

/// The kernel's programs at some levels, as far as there are: scalar code, one lane, vectors of all widths; each once.
fn programs(kernel: &evariste_ir::Kernel, levels: &[Level]) -> Vec<Program> {
    let mut all: Vec<Program> = Vec::new();
    for level in levels {
        let vectors = level.widths().into_iter().map(|width| {
            let shape = Shape { groups: 2, active: 2, ..Shape::single(width) };
            lanes::compile_kernel(kernel, level.features, shape).ok()
        });
        let scalar = compile_kernel(kernel, level.features.scalar(), None).ok();
        let made = [scalar, lanes::compile_one(kernel, level.features).ok()].into_iter().chain(vectors).flatten();
        made.for_each(|program| {
            if !all.contains(&program) {
                all.push(program)
            }
        });
    }
    all
}

#[test]
fn named_fields_in_the_emulator() {
    let mut rng = Rng(0xb5c0_fbcf_ec4d_3b2f);
    let all = candidates();
    let known = all.len();
    let chosen = sample("candidates in the emulator", all, 100, |(text, plan)| (*text, plan.operation.name()));
    let levels = levels("fields in the emulator");
    let (mut made, mut inputs, mut without) = (0, 0, 0);
    for (text, plan) in &chosen {
        // Without ghost digits, as kernels are compiled.
        let Ok(Outcome::Proved(proved)) = plan.write().map(|kernel| prove(&kernel)) else { continue };
        let kernel = proved.kernel();
        let name = format!("{text} {} {}", plan.operation.name(), plan.name());
        for program in programs(kernel, &levels) {
            let vectors = Vectors::new(kernel, &program, &mut rng, 16);
            without += usize::from(vectors.len() == 0);
            let emulated = Callable::emulated(&program).unwrap_or_else(|e| panic!("{name}: {e}"));
            vectors.compare(&emulated, program.lanes, 2).unwrap_or_else(|e| panic!("{name}: {e}\n{program}"));
            (made, inputs) = (made + 1, inputs + vectors.len());
        }
    }
    println!(
        "{} candidates of {known}, {made} programs on {inputs} inputs, {without} programs without an input",
        chosen.len()
    );
    assert!(made > 300 && without * 10 < made, "{made} programs, {without} without an input");
}
