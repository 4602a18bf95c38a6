//! Programs of random kernels and of the kernels that are written agree with the interpreter, at every feature level.
//!
//! By default 600 random kernels, and of the written ones one product, drawn anew each day, before each reduction; with
//! `EVARISTE_FULL=1` 3,000 and all.

use crate::common;

use crate::common::{Rng, compare};
use evariste_algorithms::field_set::operations;
use evariste_algorithms::layouts;
use evariste_algorithms::plans;
use evariste_codegen::lower::LowerError;
use evariste_codegen::x86_64::lanes::needs_vectors;
use evariste_codegen::x86_64::{CompileError, Features, compile_kernel};
use evariste_descriptions::Field;
use evariste_testing::{full, reduction_of, sample};

const LEVELS: [Features; 3] = [Features::BASELINE, Features::BMI2, Features::ADX];

#[test]
fn random_kernels() {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    for round in 0..if full() { 3000 } else { 600 } {
        let seed = rng.0;
        let size = 1 + rng.below(if round % 10 == 0 { 150 } else { 40 }) as usize;
        let kernel = common::random::kernel(&mut rng, size);
        for features in LEVELS {
            let program =
                compile_kernel(&kernel, features, None).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}"));
            assert!(features.covers(program.features), "{features}: the program needs {}", program.features);
            let vectors = 12;
            let compared = compare(&kernel, &program, &mut rng, vectors)
                .unwrap_or_else(|e| panic!("seed {seed:#x}, {features}: {e}\n{kernel}\n{program}"));
            assert!(compared > 0, "the interpreter found faults in every vector: {kernel}");
        }
    }
}

fn all_plans(name: &str, word: u32) {
    let field = Field::parse(name).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let (mut done, mut refused, mut judged) = (0, 0, 0);
    for layout in layouts(&field, word) {
        for operation in operations(&field, &layout) {
            let what = format!("{name} {} {}", layout.name, operation.name());
            let all = plans(&field, &layout, &operation);
            for plan in sample(&what, all, usize::MAX, |plan| reduction_of(&plan.algorithm).to_string()) {
                let Ok(kernel) = plan.write() else { continue };
                // These are computed in vector registers: the tests of `jit` have them.
                if needs_vectors(&kernel) {
                    continue;
                }
                let kernel = evariste_ir::prune(&kernel);
                for features in LEVELS {
                    let title = format!("{name} {} {} {features}", operation.name(), plan.name());
                    match compile_kernel(&kernel, features, None) {
                        Ok(program) => {
                            // Inputs within the ranges of digits, not of the numbers: kernels may find faults; those
                            // vectors do not count.
                            match compare(&kernel, &program, &mut rng, 6) {
                                Ok(vectors) => judged += vectors,
                                Err(e) => panic!("{title}: {e}\n{kernel}\n{program}"),
                            }
                            done += 1;
                        }
                        Err(CompileError::Lower(LowerError::TooLong { .. })) => refused += 1,
                        Err(e) => panic!("{title}: {e}"),
                    }
                }
            }
        }
    }
    println!("{name} in {word}-bit words: {done} programs, {refused} too long, {judged} vectors");
    assert!(done > 0 && judged > 3 * done, "most vectors are within what the kernels admit");
}

#[test]
fn fields_of_four_words() {
    for name in ["2^255-19", "p256", "bls12-381-fr"] {
        all_plans(name, 64);
    }
}

#[test]
fn longer_fields() {
    for name in ["bls12-381-fp", "p521"] {
        all_plans(name, 64);
    }
}

#[test]
fn short_fields_and_half_words() {
    for name in ["dfc", "mmh", "goldilocks", "mersenne31", "mersenne61"] {
        all_plans(name, 64);
        all_plans(name, 32);
    }
}

#[test]
fn integers_and_bits() {
    all_plans("int256", 64);
    all_plans("GF(2^29):onb2", 1);
}
