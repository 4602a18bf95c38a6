//! Long kernels with carry-less products: routines of general registers, which call code on vector registers of one lane.

use std::sync::Arc;

use evariste_algorithms::binary::{frobenius, itoh_tsujii};
use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::{Features, Inst, Opcode, Program, compile_kernel};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;

fn first(field: &Field, operation: &Operation) -> Arc<Kernel> {
    let layout = &layouts(field, 64)[0];
    Arc::new(plans(field, layout, operation)[0].write().unwrap_or_else(|e| panic!("{}: {e}", operation.name())))
}

/// The inverse in GF(2^m) by its first product and square.
fn inverse(m: u32) -> (Kernel, Program) {
    let field = Field::parse(&format!("GF(2^{m})")).expect("a field");
    let (f, layout) = (field.get::<BinaryField>().expect("a binary field"), &layouts(&field, 64)[0]);
    let (mul, square) = (first(&field, &Operation::MUL), first(&field, &Operation::SQUARE));
    let kernel = itoh_tsujii::kernel("inverse", f, layout, mul, square).expect("a kernel");
    let program = compile_kernel(&kernel, Features::AVX2, None).unwrap_or_else(|e| panic!("m = {m}: {e}"));
    (kernel, program)
}

fn on_vectors(inst: &Inst) -> bool {
    matches!(inst.op, Opcode::Vector(..))
}

#[test]
fn maps_of_squarings_are_recognised() {
    for m in [163, 233] {
        let field = Field::parse(&format!("GF(2^{m})")).expect("a field");
        let (f, layout) = (field.get::<BinaryField>().expect("a binary field"), &layouts(&field, 64)[0]);
        for k in [3, 58] {
            let kernel = frobenius::kernel("map", f, layout, k);
            let program = compile_kernel(&kernel, Features::AVX2, None).unwrap_or_else(|e| panic!("{m}, {k}: {e}"));
            check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{m}, {k}: {e}"));
        }
    }
}

#[test]
fn inverses_call_products_on_vectors() {
    for m in [163, 233] {
        let (kernel, program) = inverse(m);
        assert!(!program.callees.is_empty() && program.code.iter().any(on_vectors), "m = {m}: no such routine");
        let report = check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("m = {m}: {e}"));
        assert_eq!(report.routines, program.callees.len(), "m = {m}");
    }
}

/// Faults of the routines: each instruction on vectors left out is seen, one after the other in a sample, and that vectors
/// of many elements have other parameters.
#[test]
fn faults_of_routines_on_vectors_are_seen() {
    let (kernel, program) = inverse(163);
    let places: Vec<usize> = (0..program.code.len()).filter(|i| on_vectors(&program.code[*i])).collect();
    assert!(places.len() > 20, "{} instructions on vectors", places.len());
    for at in places.iter().step_by(places.len().div_ceil(12)) {
        let mut wrong = program.clone();
        wrong.code.remove(*at);
        assert!(check_kernel(&kernel, &wrong).is_err(), "without {:?}", program.code[*at]);
    }
    let mut many = program.clone();
    many.lanes = Lanes { count: 2, groups: 1 };
    // The parameters of the routine that is looked at first are those of one.
    match check_kernel(&kernel, &many) {
        Err(CheckError::Routine { why, .. }) => assert!(matches!(*why, CheckError::Parameters(_)), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// What a routine leaves in a vector register is gone for its caller.
#[test]
fn a_call_keeps_no_vector() {
    let (kernel, program) = inverse(163);
    let call = program.code.iter().position(|inst| inst.op == Opcode::Call).expect("a call");
    let read = program.code.iter().find(|inst| on_vectors(inst) && stores(inst)).expect("a store of a vector");
    let mut wrong = program.clone();
    wrong.code.insert(call + 1, *read);
    match check_kernel(&kernel, &wrong) {
        Err(CheckError::Instruction { at, fault, .. }) => {
            assert!(at == call + 1 && !matches!(fault, Fault::Endless), "{at}: {fault:?}");
        }
        Err(CheckError::Routine { why, .. }) => assert!(matches!(*why, CheckError::Instruction { .. }), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// Is its first operand memory?
fn stores(inst: &Inst) -> bool {
    matches!(inst.operands[0], Some(evariste_codegen::x86_64::Operand::Memory(_)))
}
