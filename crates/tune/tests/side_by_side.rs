//! Towers and pairings of one element in digits of 52 bits, whose calls are computed side by side: machine code beside the
//! reference, of coordinates at the edges and random ones, in the form that elements rest in.
//!
//! By default a few plans, others each day; with `EVARISTE_FULL=1` all.

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Form, Operation, Plan, plans};
use evariste_backend::Choice;
use evariste_descriptions::{Field, Modulus, Pairing, Tower};
use evariste_ir::{ArrayKind, Kernel};
use evariste_proof::prove;
use evariste_run::{Buffer, Role};
use evariste_testing::{Random, lacks_feature, sample};
use evariste_tune::encode::{Arrays, bits, decode};
use evariste_tune::here;
use evariste_tune::operands::{arrays, numbers};
use num_bigint::{BigInt, BigUint};

/// Operands as a plan's layout holds them, array by array.
fn buffers(plan: &Plan, kernel: &Kernel, form: &Form, operands: &[BigUint]) -> Vec<Buffer> {
    let slots = plan.operation.row().inputs.iter().zip(operands);
    let values: Vec<BigInt> = slots
        .flat_map(|(slot, x)| match kinds::given(&plan.field, slot.holds, x) {
            Given::Elements(all) => all.iter().map(|x| form.held(x)).collect(),
            Given::Number(x) => vec![x],
        })
        .map(BigInt::from)
        .collect();
    let given = arrays(kernel, &numbers(kernel), &values).expect("operands of the contract");
    let words = |array| {
        let own = given.iter().find(|(of, _)| *of == array);
        own.map_or_else(|| vec![0; kernel.array(array).len as usize], |(_, words)| words.iter().map(bits).collect())
    };
    kernel.visible().map(|array| Buffer::from_u64(&words(array))).collect()
}

/// What a call gave.
fn answer(plan: &Plan, kernel: &Kernel, form: &Form, buffers: &[Buffer]) -> BigUint {
    let all = kernel.visible().zip(buffers);
    let written: Arrays = all.map(|(a, b)| (a, b.to_u64().into_iter().map(BigInt::from).collect())).collect();
    let claims = kernel.contract.claims.iter();
    let numbers: Vec<BigUint> =
        claims.map(|claim| form.element(&decode(claim.output(), &written).to_biguint().unwrap_or_default())).collect();
    let holds = plan.operation.row().outputs.first().map_or(Holds::Element, |slot| slot.holds);
    kinds::result(&plan.field, holds, &numbers).expect("an element")
}

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
        let mut made = 0;
        for plan in sample(&name, plans, one_in, |_| ()) {
            let Ok(kernel) = plan.write() else { continue };
            let proved = prove(&kernel).proved().unwrap_or_else(|| panic!("{}: no proof", plan.name()));
            let choice = Choice { long: true, ..Choice::default() };
            let code = backend.make(&proved, &choice).unwrap_or_else(|e| panic!("{text} {}: {e}", plan.name()));
            let ground = kinds::ground(&field);
            let form = Form::modulo(ground.get::<Modulus>().map(|m| &m.value), &plan.layout);
            for operands in all {
                let operands = &operands[..operation.row().inputs.len()];
                let mut given = buffers(&plan, proved.kernel(), &form, operands);
                code.function.call(&mut given).expect("a call");
                let wanted = operation.meaning(&*field, operands).expect("an element");
                let got = answer(&plan, proved.kernel(), &form, &given);
                assert_eq!(got, wanted, "{text} {} {operands:?}", plan.name());
            }
            let inputs = proved.kernel().visible().filter(|a| proved.kernel().array(*a).kind != ArrayKind::Output);
            let read = code.function.arguments().iter().filter(|a| a.role != Role::Output);
            assert_eq!(inputs.count(), read.count());
            made += 1;
        }
        assert!(made > 0, "{name}: no plan has a kernel");
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
