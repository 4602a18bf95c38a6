//! Towers and pairings of one element in digits of 52 bits, whose calls are computed side by side: machine code beside the
//! reference, of coordinates at the edges and random ones, in the form that elements rest in.
//!
//! By default a few plans, others each day; with `EVARISTE_FULL=1` all.

use evariste_algorithms::{Operation, Plan, plans};
use evariste_descriptions::{Field, Pairing, Tower};
use evariste_ir::Kernel;
use evariste_proof::prove;
use evariste_testing::{Random, lacks_feature, sample};
use evariste_tune::evaluate::{Callable, Evaluator, Runner};
use evariste_tune::here;
use num_bigint::BigUint;

/// Each plan of these operations in the layouts that code of one element has of its own, on all of these operands.
fn agree(text: &str, operations: &[Operation], one_in: usize, all: &[Vec<BigUint>]) {
    let Some(backend) = here::scalar(None) else { return };
    let field = Field::parse(text).expect("a field");
    let layouts = backend.layouts(&field);
    if layouts.is_empty() {
        lacks_feature(text, "AVX-512 IFMA");
        return;
    }
    let of = |operation: &Operation| layouts.iter().flat_map(|l| plans(&field, l, operation)).collect::<Vec<_>>();
    for operation in operations {
        let name = format!("{} of {text} side by side", operation.name());
        let plans = of(operation);
        assert!(!plans.is_empty(), "{name}");
        let written = |plan: Plan| plan.write().ok().map(|kernel| (plan, kernel));
        // Those that take whole what calls others are always among them.
        let drawn = sample(&name, plans, one_in, |plan| plan.name().contains("-nested-calls"));
        let mut drawn: Vec<(Plan, Kernel)> = drawn.into_iter().filter_map(written).collect();
        // Of those that were drawn none may have a kernel in its layout.
        if drawn.is_empty() {
            drawn.extend(of(operation).into_iter().find_map(written));
        }
        assert!(!drawn.is_empty(), "{name}: no plan has a kernel");
        for (plan, kernel) in drawn {
            let proved = prove(&kernel).proved().unwrap_or_else(|| panic!("{}: no proof", plan.name()));
            let callable = Callable::new(proved, None, None).expect("code");
            assert_eq!(callable.runner(), Runner::Assembled, "{text} {}", plan.name());
            let evaluator = Evaluator::new(&field, operation, &plan.layout, callable);
            for operands in all {
                let operands = &operands[..operation.row().inputs.len()];
                let wanted = operation.meaning(&*field, operands).expect("an element");
                let got = evaluator.evaluate(operands).expect("a result");
                assert_eq!(got, wanted, "{text} {} {operands:?}", plan.name());
            }
        }
    }
}

fn element(tower: &Tower, rng: &mut Random) -> BigUint {
    let p = &tower.base.value;
    let edges = [BigUint::ZERO, 1u32.into(), p - 1u32, p >> 1u32];
    let coordinate = |rng: &mut Random| match rng.word() % 8 {
        at @ 0..4 => edges[at as usize].clone(),
        _ => (0..8).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word()) % p,
    };
    let all: Vec<BigUint> = (0..tower.degree()).map(|_| coordinate(rng)).collect();
    tower.packed(&all)
}

#[test]
fn towers_agree_with_the_reference() {
    let mut rng = Random(0x3c6e_f372_fe94_f82b ^ evariste_testing::seed());
    let operations = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SUB, Operation::OPP];
    for text in ["bls12-381-fp2", "bls12-381-fp6", "bls12-381-fp12", "bn254-fp2", "bn254-fp12"] {
        let field = Field::parse(text).expect("a field");
        let tower = field.get::<Tower>().expect("a tower");
        let all: Vec<Vec<BigUint>> = (0..6).map(|_| (0..2).map(|_| element(tower, &mut rng)).collect()).collect();
        agree(text, &operations, 12, &all);
    }
}

#[test]
fn pairings_agree_with_the_definition() {
    let mut rng = Random(0x8b3e_a5c1_77d1_0f4d ^ evariste_testing::seed());
    for text in sample("pairings side by side", vec!["pairing:bls12-381", "pairing:bn254"], 1, |_| ()) {
        let field = Field::parse(text).expect("a field");
        let pairing = field.get::<Pairing>().expect("a pairing");
        let mut pair = |neutral: bool| {
            let k = BigUint::from(if neutral { 0 } else { rng.word() });
            let first = pairing.first.scale_base(&k).expect("a point");
            vec![first, pairing.second.scale_base(&rng.word().into()).expect("a point")]
        };
        let all = [pair(false), pair(true)];
        agree(text, &[Operation::PAIRING_MULTIPLE], usize::MAX, &all);
    }
}
