//! Faults in bytes: a bit of a function's code is flipped, and some input must show it in the emulator. Bits that an
//! encoding ignores do not count; few of the others change nothing that a result depends on (the upper half of a word
//! that only its lowest bit counts of, `or` for `add` where no bits meet).

use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Features, Program, Width, compile_kernel};
use evariste_ir::Kernel;
use evariste_jit::encode;
use evariste_testing::full;
use evariste_testing::machine::Callable;

use crate::common::{Rng, Vectors};
use crate::kernels::random;
use crate::lanes::{Use, kernel};

/// Calls for each pattern of aliasing and flip.
const CALLS: usize = 6;

/// Flips bits of the program's instructions, one in so many. Gives how many some input showed, and the others.
fn flip(kernel: &Kernel, program: &Program, one_in: u64, rng: &mut Rng) -> (usize, Vec<String>) {
    let vectors = Vectors::new(kernel, program, rng, 64);
    assert!(vectors.len() > 20, "too few inputs within what the kernel admits\n{kernel}");
    let code = encode(program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let right = Callable::emulated_code(&program.params, &code);
    vectors.compare(&right, program.lanes, usize::MAX).unwrap_or_else(|e| panic!("{e}\n{kernel}\n{program}"));
    let (mut seen, mut unseen) = (0, Vec::new());
    let mut bit = rng.below(one_in) as usize;
    while bit < 8 * code.code_len {
        let mut faulty = code.clone();
        faulty.bytes[bit / 8] ^= 1 << (bit % 8);
        let callable = Callable::emulated_code(&program.params, &faulty);
        if callable.reads_as(&right) {
            // The encoding ignores that bit.
        } else if vectors.compare(&callable, program.lanes, CALLS).is_err() {
            seen += 1;
        } else {
            let at = code.offsets.partition_point(|offset| *offset <= bit / 8) - 1;
            unseen.push(format!("bit {} of `{}`", bit - 8 * code.offsets[at], program.code[at]));
        }
        bit += 1 + rng.below(2 * one_in) as usize;
    }
    (seen, unseen)
}

fn judge(what: &str, programs: &[(Kernel, Program)], rng: &mut Rng) {
    let (mut seen, mut unseen) = (0, Vec::new());
    for (kernel, program) in programs {
        let (more, others) = flip(kernel, program, if full() { 1 } else { 12 }, rng);
        seen += more;
        unseen.extend(others);
    }
    println!("{what}: {} programs, {seen} flipped bits were seen, {} were not", programs.len(), unseen.len());
    unseen.iter().step_by(unseen.len() / 20 + 1).for_each(|line| println!("    {line}"));
    assert!(
        seen > 500 && unseen.len() * 12 < seen,
        "{what}: {seen} seen, {} not:\n{}",
        unseen.len(),
        unseen.join("\n")
    );
}

#[test]
fn flipped_bits_of_scalar_code() {
    let mut rng = Rng(0x428a_2f98_d728_ae22);
    let mut programs = Vec::new();
    for (round, level) in [Features::BASELINE, Features::BMI2, Features::ADX].into_iter().cycle().take(15).enumerate() {
        let kernel = random::kernel(&mut rng, 10 + round);
        let program = compile_kernel(&kernel, level, None).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        programs.push((kernel, program));
    }
    judge("scalar code", &programs, &mut rng);
}

#[test]
fn flipped_bits_of_code_on_vectors() {
    let mut rng = Rng(0x7137_4491_23ef_65cd);
    let mut programs = Vec::new();
    for (round, width) in [Width::Z, Width::Y, Width::Z, Width::X].into_iter().cycle().take(24).enumerate() {
        let bits = [64, 32, 64, 1, 8][round % 5];
        let of = if width.has_masks() { Use::All } else { Use::Plain };
        let kernel = kernel(&mut rng, 10 + round, bits, bits == 8, of);
        let shape = Shape { groups: 2, active: 2, ..Shape::single(width) };
        // Some have no form without masks.
        let Ok(program) = lanes::compile_kernel(&kernel, Features::AVX512, shape) else { continue };
        programs.push((kernel, program));
    }
    assert!(programs.len() > 12, "{} programs", programs.len());
    judge("code on vectors", &programs, &mut rng);
}
