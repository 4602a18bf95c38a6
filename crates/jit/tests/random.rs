//! Ten thousand random straight-line kernels: compiled at each feature level, checked, encoded, called, and equal to
//! the interpreter.
//!
//! The checker may fail to recognise a right program (it then is refused, and nothing wrong leaves); how often that
//! happens here is counted and bounded.

use crate::kernels::random;

use crate::common::{Rng, Vectors};
use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::{Features, compile_kernel};
use evariste_jit::{constant_time, encode};
use evariste_testing::machine::Callable;

/// Kernels of each of two tests, which run side by side.
fn kernels() -> usize {
    if evariste_testing::full() { 5_000 } else { 400 }
}

#[test]
fn random_kernels_run() {
    run_all(0x6a09_e667_f3bc_c908);
}

#[test]
fn more_random_kernels_run() {
    run_all(0x510e_527f_ade6_82d1);
}

fn run_all(seed: u64) {
    let mut rng = Rng(seed);
    let (mut run, mut vectors, mut refused) = (0, 0, Vec::new());
    let kernels = kernels();
    for round in 0..kernels {
        let seed = rng.0;
        let size = 1 + rng.below(if round % 10 == 0 { 120 } else { 30 }) as usize;
        let kernel = random::kernel(&mut rng, size);
        let mut prepared: Option<Vectors> = None;
        for level in [Features::BASELINE, Features::BMI2, Features::ADX] {
            let program =
                compile_kernel(&kernel, level, None).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}"));
            let checked = check_kernel(&kernel, &program);
            let code = encode(&program).unwrap_or_else(|e| panic!("seed {seed:#x} {level}: {e}"));
            constant_time(&code).unwrap_or_else(|e| panic!("seed {seed:#x} {level}: {e}"));
            let prepared = prepared.get_or_insert_with(|| Vectors::new(&kernel, &program, &mut rng, 8));
            let judged = match &checked {
                Ok(report) => prepared.judge(*report, &program),
                Err(e) => {
                    refused.push(format!("seed {seed:#x} {level}: {e}"));
                    // Nobody has checked it: in the emulator only.
                    let emulated = Callable::emulated(&program).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}"));
                    prepared.compare(&emulated, program.lanes, usize::MAX)
                }
            };
            judged.unwrap_or_else(|e| panic!("seed {seed:#x} {level}: {e}\n{kernel}\n{program}"));
            run += 1;
            vectors += prepared.len();
        }
    }
    println!(
        "{run} programs of {kernels} kernels ran on {vectors} vectors; the checker did not recognise {}",
        refused.len()
    );
    for line in refused.iter().take(20) {
        println!("{line}");
    }
    assert!(
        refused.len() * 200 <= kernels * 3,
        "the checker recognises at least 199 programs of 200:\n{}",
        refused.join("\n")
    );
}
