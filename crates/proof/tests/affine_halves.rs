//! Affine maps whose quotient comes from half products: right on toy words, and so is what is proved of single faults.

use evariste_algorithms::{Operation, lane_layouts, layouts, plan_named};
use evariste_descriptions::Field;
use evariste_ir::interpret::{Axis, ClaimChecker, Interpreter, Product};
use evariste_ir::mutate::mutants;
use evariste_ir::{Kernel, Operand};
use evariste_proof::{Outcome, prove};
use evariste_testing::full;
use num_traits::ToPrimitive;

/// The map of a modulus just above a word.
fn map(text: &str, word: u32) -> Kernel {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let operation = Operation::AFFINE_MOD.with(word);
    let plan = layouts(&field, word)
        .iter()
        .find_map(|layout| plan_named(&field, layout, &operation, "quotient-by-halves"))
        .unwrap_or_else(|| panic!("{text} has no such map in words of {word} bits"));
    plan.write().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// So many maps of words by one a and b.
fn maps(text: &str, word: u32, count: u32) -> Kernel {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let operation = Operation::AFFINE_EACH.with(count);
    let plan = (2..word)
        .flat_map(|radix| lane_layouts(&field, word, radix))
        .find_map(|layout| plan_named(&field, &layout, &operation, "quotient-by-halves"))
        .unwrap_or_else(|| panic!("{text} has no such maps in words of {word} bits"));
    plan.write().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Values that follow one another.
type Range = [u64; 2];

/// A violation among inputs a, x (of several the first, the last those beside it) and b of these ranges, where b is anything.
fn wrong(kernel: &Kernel, a: Range, x: Range) -> Option<String> {
    let beside = [x[1] - (x[1] - x[0]).min(1), x[1]];
    let axis =
        |operand: &Operand, [lo, hi]: Range| Axis::element(operand.digits[0].array, operand.digits[0].index, lo, hi);
    let inputs = kernel.contract.inputs.iter();
    let axes = inputs.map(|operand| match operand.name.as_str() {
        "a" => axis(operand, a),
        "b" => axis(operand, [0, operand.bound.to_u64().expect("a word")]),
        "x" | "x0" => axis(operand, x),
        _ => axis(operand, beside),
    });
    // (What varies most comes first.)
    let mut axes: Vec<Axis> = axes.collect();
    axes.sort_by_key(|axis| std::cmp::Reverse(axis.hi - axis.lo));
    let axes = Product(axes);
    let interpreter = Interpreter::new(kernel);
    let mut checker = ClaimChecker::new(kernel);
    axes.blocks(&interpreter, |batch, start, count| {
        checker.capture(batch);
        let report = interpreter.run(batch);
        let lane = checker.check(batch, &report, count)?;
        Some(format!("the inputs, the most varied first, are {:?}", axes.combination(start + lane as u128)))
    })
}

/// Words of 10 bits: every x and b, by a next to powers of two and one in 61 (every one with `EVARISTE_FULL=1`).
#[test]
fn every_x_and_b() {
    let kernel = map("2^10 + 1", 10);
    let chosen = |a: &u64| full() || a % 61 == 7 || (0..=10).any(|i| a.abs_diff(1 << i) <= 1);
    for a in (0..1 << 10).filter(chosen) {
        assert_eq!(wrong(&kernel, [a, a], [0, 1023]), None);
    }
}

/// Longer words, edges of a and x, every b; a c that takes the room that there is.
#[test]
fn edges() {
    for (text, word) in [("2^12 + 3", 12), ("2^12 + 5", 12), ("2^14 + 21", 14), ("2^16 + 1", 16)] {
        let kernel = map(text, word);
        assert!(matches!(prove(&kernel), Outcome::Proved(_)), "{text}");
        let (top, half) = ((1u64 << word) - 1, 1u64 << (word / 2));
        let ranges =
            [[0, 1], [half - 1, half + 1], [top / 2, top / 2 + 1], [top - half, top - half + 1], [top - 1, top]];
        for a in ranges {
            for x in ranges {
                assert_eq!(wrong(&kernel, a, x), None, "{text}");
            }
        }
    }
}

/// Two words by one a and b: every b and first word, by a few a and second words.
#[test]
fn several() {
    let kernel = maps("2^10 + 1", 10, 2);
    assert!(matches!(prove(&kernel), Outcome::Proved(_)));
    for a in if full() { vec![0, 1, 31, 32, 511, 700, 992, 1023] } else { vec![33, 1023] } {
        assert_eq!(wrong(&kernel, [a, a], [0, 1023]), None);
    }
    assert!(matches!(prove(&maps("2^64 + 13", 64, 16)), Outcome::Proved(_)));
}

/// Single faults: what is proved is right on every b by many a and x.
#[test]
fn faults() {
    faults_of(&map("2^10 + 1", 10));
}

/// Those of two words by one a and b.
#[test]
fn faults_of_several() {
    faults_of(&maps("2^10 + 1", 10, 2));
}

fn faults_of(kernel: &Kernel) {
    let (mut proved, mut refuted, mut unknown) = (0, 0, 0);
    for mutant in mutants(kernel) {
        if evariste_ir::verify(&mutant.kernel).is_err() {
            continue;
        }
        match prove(&mutant.kernel) {
            Outcome::Proved(_) => {
                proved += 1;
                for (a, x) in [[0, 2], [31, 33], [510, 513], [1021, 1023]]
                    .into_iter()
                    .flat_map(|a| [[0, 3], [29, 34], [990, 995], [1019, 1023]].map(|x| (a, x)))
                {
                    assert_eq!(wrong(&mutant.kernel, a, x), None, "{}: proved and wrong", mutant.fault);
                }
            }
            Outcome::Refuted(_) => refuted += 1,
            Outcome::Unknown(_) => unknown += 1,
        }
    }
    println!("{proved} proved, {refuted} refuted, {unknown} unknown");
    assert!(proved > 0 && refuted > proved + unknown, "{proved} proved, {refuted} refuted, {unknown} unknown");
}
