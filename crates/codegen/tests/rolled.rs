//! Kernels with loops and calls, forced to keep them by small limits, agree with the interpreter, and the checker
//! accepts their programs. By default 400 random kernels, with `EVARISTE_FULL=1` 1,500.

use crate::common;

use crate::common::{Rng, compare};
use evariste_codegen::check::check_kernel;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::{Features, Opcode, compile_within};

const LEVELS: [Features; 3] = [Features::BASELINE, Features::BMI2, Features::ADX];

#[test]
fn random_kernels() {
    let mut rng = Rng(0x243f_6a88_85a3_08d3);
    let (mut loops, mut calls, mut straight, mut refused, mut programs) = (0, 0, 0, 0, 0);
    for round in 0..if evariste_testing::full() { 1500 } else { 400 } {
        let seed = rng.0;
        let kernel = common::rolled::kernel(&mut rng);
        let features = LEVELS[round % 3];
        let limits = Limits {
            straight: 0,
            segment: [0, 4, 12, 40][rng.below(4) as usize],
            inline: [0, 0, 20][rng.below(3) as usize],
            data: 0,
        };
        let program = compile_within(&kernel, features, None, &limits)
            .unwrap_or_else(|e| panic!("seed {seed:#x} {limits:?}: {e}\n{kernel}"));
        let has = |f: &dyn Fn(Opcode) -> bool| program.code.iter().any(|inst| f(inst.op));
        loops += usize::from(has(&|op| matches!(op, Opcode::JumpIf(_))));
        calls += usize::from(has(&|op| op == Opcode::Call));
        straight += usize::from(!has(&|op| matches!(op, Opcode::JumpIf(_) | Opcode::Call)));
        programs += 1;
        let compared = compare(&kernel, &program, &mut rng, 6)
            .unwrap_or_else(|e| panic!("seed {seed:#x}, {features} {limits:?}: {e}\n{kernel}\n{program}"));
        assert!(compared > 0, "the interpreter found faults in every vector: {kernel}");
        if let Err(e) = check_kernel(&kernel, &program) {
            refused += 1;
            println!("seed {seed:#x} {limits:?}: {e}");
        }
    }
    println!(
        "{programs} programs: {loops} with loops, {calls} with calls, {straight} straight; the checker did not recognise {refused}"
    );
    assert!(loops * 2 > programs && calls * 20 > programs, "the kernels are rolled");
    assert!(refused * 200 <= programs * 3, "the checker recognises at least 197 programs of 200");
}
