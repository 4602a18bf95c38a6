//! Fields of 256 elements by products and maps of bytes: every pair of elements, interpreted and on vectors.

use crate::support::{Case, compilers, field, full, interpret, prove_plans};
use evariste_algorithms::{Operation, layouts, plans};
use evariste_backend::c::compile;
use evariste_codegen::program::{Lanes, Parameter};
use evariste_codegen::x86_64::lanes::{self, Shape, graph, shapes};
use evariste_codegen::x86_64::{Features, Width};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Interpreter;
use evariste_run::{Buffer, Role};
use evariste_testing::machine::Callable;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// Polynomials of default runs: that of the instruction, others of five and of seven terms.
const POLYNOMIALS: [&str; 3] = ["x^8+x^4+x^3+x+1", "x^8+x^4+x^3+x^2+1", "x^8+x^6+x^5+x^4+x^3+x+1"];

/// The fields: with `EVARISTE_FULL=1` all thirty.
fn fields() -> Vec<Field> {
    if !full() {
        return POLYNOMIALS.iter().map(|p| field(&format!("GF(2)[x]/({p})"))).collect();
    }
    let text =
        |p: u32| (0..=8).rev().filter(|i| p >> i & 1 == 1).map(|i| format!("x^{i}")).collect::<Vec<_>>().join("+");
    let all: Vec<Field> = (256u32..512).filter_map(|p| Field::parse(&format!("GF(2)[x]/({})", text(p))).ok()).collect();
    assert_eq!(all.len(), 30);
    all
}

/// Every operand, or every pair.
fn operands(case: &Case) -> Vec<Vec<u8>> {
    match case.plan.operation.row().name {
        "square" => (0..=255).map(|x| vec![x]).collect(),
        "selectznz" => {
            (0..=255u8).flat_map(|x| (0..=1).map(move |flag| vec![flag, x, x.wrapping_mul(167) ^ 0x5a])).collect()
        }
        _ => (0..=255).flat_map(|x| (0..=255).map(move |y| vec![x, y])).collect(),
    }
}

/// The field's definition.
fn answers(case: &Case) -> Vec<u8> {
    let Some(f) = case.plan.field.get::<BinaryField>() else { panic!("{} is no binary field", case.title()) };
    let number = |x: u8| BigUint::from(x);
    let of = |x: &Vec<u8>| match case.plan.operation.row().name {
        "square" => f.square(&number(x[0])),
        "mul" => f.multiply(&number(x[0]), &number(x[1])),
        "selectznz" => number(x[if x[0] == 1 { 2 } else { 1 }]),
        _ => number(x[0] ^ x[1]),
    };
    operands(case).iter().map(|x| of(x).to_u8().expect("a byte")).collect()
}

/// All operands through the function, so many a call.
fn call(compiled: &evariste_backend::Made, all: &[Vec<u8>]) -> Vec<u8> {
    let elements = compiled.order.elements() as usize;
    let mut out = Vec::new();
    for chunk in all.chunks(elements) {
        let mut given = 0..;
        let mut input = |bytes: usize| {
            let at = given.next().unwrap_or_default();
            let mut content: Vec<u8> = chunk.iter().map(|x| x[at]).collect();
            content.resize(bytes, 0xa5);
            Buffer::from_bytes(&content)
        };
        let arguments = compiled.function.arguments();
        let mut buffers: Vec<Buffer> = arguments
            .iter()
            .map(|a| if a.role == Role::Output { Buffer::zeroed(a.bytes) } else { input(a.bytes) })
            .collect();
        compiled.function.call(&mut buffers).expect("it runs");
        let written = arguments.iter().position(|a| a.role == Role::Output).expect("an output");
        out.extend_from_slice(&buffers[written].bytes()[..chunk.len()]);
    }
    out
}

/// Calls code that computes many elements at once.
fn call_lanes(callable: &Callable, order: Lanes, all: &[Vec<u8>]) -> Vec<u8> {
    let elements = order.elements() as usize;
    let mut out = Vec::new();
    for chunk in all.chunks(elements) {
        let mut given = 0..;
        let mut array = |param: &Parameter| -> Vec<u64> {
            let at = given.by_ref().take(usize::from(!param.role.is_written())).next();
            let element = |i: usize| at.and_then(|at| chunk.get(i).map(|x| u64::from(x[at])));
            (0..elements).map(|i| element(i).unwrap_or(0xa5)).collect()
        };
        let mut arrays: Vec<Vec<u64>> = callable.params().iter().map(&mut array).collect();
        callable.call(&mut arrays).expect("it runs");
        let written = callable.params().iter().position(|param| param.role.is_written()).expect("an output");
        out.extend(arrays[written][..chunk.len()].iter().map(|x| *x as u8));
    }
    out
}

#[test]
fn every_pair_of_bytes() {
    let features = Features::AVX512;
    let (mut interpreted, mut programs) = (0, 0);
    for f in fields() {
        let layout = layouts(&f, 8).remove(0);
        let mut candidates = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SELECTZNZ]
            .map(|op| plans(&f, &layout, &op))
            .concat();
        candidates.retain(|p| ["rijndael", "bit-matrix", "xor-words", "select"].contains(&p.algorithm.as_str()));
        assert_eq!(candidates.len(), 4, "{}", f.text());
        let (cases, failures) = prove_plans(&candidates);
        assert!(failures.is_empty(), "{failures:?}");
        for case in &cases {
            let (all, right) = (operands(case), answers(case));
            // A sum has one operand in its contract: both.
            if case.plan.operation != Operation::ADD {
                let numbers: Vec<Vec<BigInt>> =
                    all.iter().map(|x| x.iter().map(|x| BigInt::from(*x)).collect()).collect();
                let results = interpret(&Interpreter::checking_ranges(case.kernel()), &numbers).expect("no fault");
                assert!(results.iter().zip(&right).all(|(x, y)| *x == BigInt::from(*y)), "{}", case.title());
                interpreted += all.len();
            }
            // A compiler each, by turns.
            for compiler in
                compilers("products of bytes").into_iter().skip(interpreted % 2).take(if full() { 9 } else { 1 })
            {
                let compiled = compile(&case.proved, &compiler).unwrap_or_else(|e| panic!("{}: {e}", case.title()));
                // One element a call: some of them.
                let step = if full() || all.len() < 1000 { 1 } else { 37 };
                let some: Vec<Vec<u8>> = all.iter().step_by(step).cloned().collect();
                assert!(
                    call(&compiled, &some).iter().eq(right.iter().step_by(step)),
                    "{} by {}",
                    case.title(),
                    compiler.name
                );
            }
            let graph = graph(case.kernel(), features, Width::Z).unwrap_or_else(|e| panic!("{}: {e}", case.title()));
            for shape in [Shape::single(Width::Z)]
                .into_iter()
                .chain(shapes(case.kernel(), &graph, Width::Z).into_iter().take(if full() { 9 } else { 2 }))
            {
                let program = lanes::compile(&case.proved, features, shape)
                    .unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                assert_eq!(program.lanes.count, 64);
                let checked = evariste_codegen::check::check(&case.proved, &program)
                    .unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                assert!(call_lanes(&callable, program.lanes, &all) == right, "{} {shape}", case.title());
                programs += 1;
            }
        }
    }
    println!("{interpreted} results interpreted, {programs} programs on every operand");
    assert!(programs >= 9);
}
