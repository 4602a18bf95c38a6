//! The checker on mutated programs: every change of one instruction is refused, or computes the same on every vector.

use evariste_algorithms::{layouts, plans};
use evariste_codegen::aarch64::{
    Address, Chosen, Features, Gpr, Half, Inst, Logic, Program, Shift, Shifted, Sum, Wide, compile_kernel,
    compile_within,
};
use evariste_codegen::check::check_kernel;
use evariste_codegen::outline::Limits;
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_jit::encode;
use evariste_proof::{Outcome, prove};
use evariste_testing::full;
use evariste_testing::qemu::Runner;

use super::emulated::{Prepared, run};
use crate::common::Rng;
use crate::kernels::{random, rolled};

/// Registers that are easily mistaken for one.
fn others(register: Gpr) -> Vec<Gpr> {
    match register.place() {
        Some(place @ 0..31) => {
            let near = [1, 2, 7].map(|step| Gpr::x(((place + step) % 31) as u8));
            near.into_iter().chain([Gpr::ZERO, Gpr::SP]).collect()
        }
        _ => vec![Gpr::x(0), Gpr::x(9), Gpr::x(30)],
    }
}

fn others_of<T: PartialEq + Copy>(all: &[T], one: T) -> impl Iterator<Item = T> {
    all.iter().copied().filter(move |other| *other != one).collect::<Vec<T>>().into_iter()
}

const SUMS: [Sum; 8] = [Sum::Add, Sum::Adds, Sum::Sub, Sum::Subs, Sum::Adc, Sum::Adcs, Sum::Sbc, Sum::Sbcs];
const LOGIC: [Logic; 6] = [Logic::And, Logic::Or, Logic::Xor, Logic::AndNot, Logic::OrNot, Logic::XorNot];
const SHIFTS: [Shift; 4] = [Shift::Left, Shift::Right, Shift::Signed, Shift::Rotate];

fn shifted(right: Shifted) -> Vec<Shifted> {
    let mut all: Vec<Shifted> =
        others(right.register).into_iter().map(|register| Shifted { register, ..right }).collect();
    all.extend([right.amount ^ 1, (right.amount + 7) % 64].map(|amount| Shifted { amount, ..right }));
    all.extend(others_of(&SHIFTS, right.shift).map(|shift| Shifted { shift, ..right }));
    all
}

fn addresses(address: Address) -> Vec<Address> {
    let bases = others(address.base).into_iter().map(|base| Address { base, ..address });
    bases.chain([8, -8, 16].map(|step| Address { offset: address.offset + step, ..address })).collect()
}

/// Instructions that differ in one place.
fn changed(inst: Inst) -> Vec<Inst> {
    let mut all = Vec::new();
    match inst {
        Inst::Sum { op, to, left, right } => {
            all.extend(others_of(&SUMS, op).map(|op| Inst::Sum { op, to, left, right }));
            all.extend(others(to).into_iter().map(|to| Inst::Sum { op, to, left, right }));
            all.extend(others(left).into_iter().map(|left| Inst::Sum { op, to, left, right }));
            all.extend(shifted(right).into_iter().map(|right| Inst::Sum { op, to, left, right }));
            all.push(Inst::sum(op, to, right.register, left));
        }
        Inst::SumOf { op, to, left, value, high } => {
            all.extend(others_of(&SUMS, op).map(|op| Inst::SumOf { op, to, left, value, high }));
            all.extend(others(to).into_iter().map(|to| Inst::SumOf { op, to, left, value, high }));
            all.extend(others(left).into_iter().map(|left| Inst::SumOf { op, to, left, value, high }));
            all.extend([value ^ 1, value + 8].map(|value| Inst::SumOf { op, to, left, value, high }));
            all.push(Inst::SumOf { op, to, left, value, high: !high });
        }
        Inst::Logic { op, to, left, right } => {
            all.extend(others_of(&LOGIC, op).map(|op| Inst::Logic { op, to, left, right }));
            all.extend(others(to).into_iter().map(|to| Inst::Logic { op, to, left, right }));
            all.extend(others(left).into_iter().map(|left| Inst::Logic { op, to, left, right }));
            all.extend(shifted(right).into_iter().map(|right| Inst::Logic { op, to, left, right }));
        }
        Inst::LogicOf { op, to, left, value } => {
            all.extend(others_of(&LOGIC[..3], op).map(|op| Inst::LogicOf { op, to, left, value }));
            all.extend(others(left).into_iter().map(|left| Inst::LogicOf { op, to, left, value }));
            all.push(Inst::LogicOf { op, to, left, value: value.rotate_left(1) });
        }
        Inst::Product { half, to, left, right } => {
            let other = if half == Half::Low { Half::High } else { Half::Low };
            all.push(Inst::Product { half: other, to, left, right });
            all.extend(others(to).into_iter().map(|to| Inst::Product { half, to, left, right }));
            all.extend(others(left).into_iter().map(|left| Inst::Product { half, to, left, right }));
            all.extend(others(right).into_iter().map(|right| Inst::Product { half, to, left, right }));
        }
        Inst::Shift { shift, to, from, amount } => {
            all.extend(others_of(&SHIFTS, shift).map(|shift| Inst::Shift { shift, to, from, amount }));
            all.extend(others(from).into_iter().map(|from| Inst::Shift { shift, to, from, amount }));
            all.extend([amount ^ 1, amount ^ 32].map(|amount| Inst::Shift { shift, to, from, amount }));
        }
        Inst::Extract { to, high, low, amount } => {
            all.push(Inst::Extract { to, high: low, low: high, amount });
            all.extend([amount ^ 1, 64 - amount].map(|amount| Inst::Extract { to, high, low, amount }));
        }
        Inst::Select { chosen, to, left, right, carry } => {
            all.push(Inst::Select { chosen, to, left, right, carry: !carry });
            all.push(Inst::Select { chosen, to, left: right, right: left, carry });
            let kinds = [Chosen::AsIs, Chosen::PlusOne, Chosen::Complement];
            all.extend(others_of(&kinds, chosen).map(|chosen| Inst::Select { chosen, to, left, right, carry }));
            all.extend(others(to).into_iter().map(|to| Inst::Select { chosen, to, left, right, carry }));
        }
        _ => memory(inst, &mut all),
    }
    all
}

/// The same of what moves constants, memory and control.
fn memory(inst: Inst, all: &mut Vec<Inst>) {
    match inst {
        Inst::Move { wide, to, value, place } => {
            let kinds = [Wide::Zeros, Wide::Ones, Wide::Keep];
            all.extend(others_of(&kinds, wide).map(|wide| Inst::Move { wide, to, value, place }));
            all.push(Inst::Move { wide, to, value: value ^ 1, place });
            all.push(Inst::Move { wide, to, value, place: (place + 1) % 4 });
        }
        Inst::Load { bytes, to, address } => {
            all.extend(addresses(address).into_iter().map(|address| Inst::Load { bytes, to, address }));
            all.extend(others(to).into_iter().map(|to| Inst::Load { bytes, to, address }));
            all.extend(others_of(&[1, 2, 4, 8], bytes).map(|bytes| Inst::Load { bytes, to, address }));
        }
        Inst::Store { bytes, from, address } => {
            all.extend(addresses(address).into_iter().map(|address| Inst::Store { bytes, from, address }));
            all.extend(others(from).into_iter().map(|from| Inst::Store { bytes, from, address }));
            all.extend(others_of(&[1, 2, 4, 8], bytes).map(|bytes| Inst::Store { bytes, from, address }));
        }
        Inst::LoadPair { first, second, address } => {
            all.push(Inst::LoadPair { first: second, second: first, address });
            all.push(Inst::StorePair { first, second, address });
            all.extend(addresses(address).into_iter().map(|address| Inst::LoadPair { first, second, address }));
        }
        Inst::StorePair { first, second, address } => {
            all.push(Inst::StorePair { first: second, second: first, address });
            all.push(Inst::LoadPair { first, second, address });
            all.extend(addresses(address).into_iter().map(|address| Inst::StorePair { first, second, address }));
        }
        Inst::Push { first, second, bytes } => {
            all.push(Inst::Push { first: second, second: first, bytes });
            all.extend([bytes + 16, bytes - 16, bytes + 8].map(|bytes| Inst::Push { first, second, bytes }));
        }
        Inst::Pop { first, second, bytes } => {
            all.push(Inst::Pop { first: second, second: first, bytes });
            all.extend([bytes + 16, bytes - 16, bytes + 8].map(|bytes| Inst::Pop { first, second, bytes }));
        }
        Inst::Constant { to, offset } => {
            all.push(Inst::Constant { to, offset: offset ^ 8 });
            all.extend(others(to).into_iter().map(|to| Inst::Constant { to, offset }));
        }
        Inst::JumpUnlessZero { register, label } => {
            all.push(Inst::Jump(label));
            all.extend(others(register).into_iter().map(|register| Inst::JumpUnlessZero { register, label }));
        }
        _ => {}
    }
}

/// Every program that differs in one place.
fn mutants(program: &Program) -> Vec<(String, Program)> {
    let mut all = Vec::new();
    for (at, inst) in program.code.iter().enumerate() {
        let mut dropped = program.clone();
        dropped.code.remove(at);
        all.push((format!("instruction {at} {inst}: dropped"), dropped));
        if program.code.get(at + 1).is_some_and(|next| next != inst) {
            let mut exchanged = program.clone();
            exchanged.code.swap(at, at + 1);
            all.push((format!("instruction {at} {inst}: exchanged with the next"), exchanged));
        }
        for new in changed(*inst).into_iter().filter(|new| new != inst) {
            let mut p = program.clone();
            p.code[at] = new;
            all.push((format!("instruction {at} {inst}: {new}"), p));
        }
    }
    for i in 0..program.constants.len() {
        let mut p = program.clone();
        p.constants[i] ^= 1;
        all.push((format!("constant {i}"), p));
    }
    all
}

/// Refused and accepted mutants of all these, so many times more refused than accepted; an accepted one is right on every
/// vector.
fn judge(what: &str, times: usize, programs: Vec<(Kernel, Program)>) {
    let Some(runner) = Runner::new(what) else { return };
    let mut rng = Rng(17);
    let (mut refused, mut accepted) = (0, Vec::new());
    for (kernel, program) in &programs {
        check_kernel(kernel, program).unwrap_or_else(|e| panic!("{e}\n{kernel}\n{program}"));
        for (name, mutant) in mutants(program) {
            // What has no form is refused by the encoder.
            if check_kernel(kernel, &mutant).is_err() || encode(&mutant).is_err() {
                refused += 1;
            } else {
                accepted.push(Prepared::new(format!("{}, {name}", kernel.name), kernel, mutant, &mut rng, 12));
            }
        }
    }
    let (calls, wrong) = run(&runner, &accepted);
    println!("{what}: {refused} refused, {} accepted and right on {calls} calls", accepted.len());
    assert!(wrong.is_empty(), "{} wrong; the first was accepted: {}", wrong.len(), wrong[0]);
    assert!(refused > times * accepted.len(), "{refused} refused, {} accepted", accepted.len());
}

#[test]
fn random_programs() {
    let mut rng = Rng(4);
    let mut all = Vec::new();
    while all.len() < if full() { 100 } else { 12 } {
        let kernel = random::kernel(&mut rng, 20);
        let program = compile_kernel(&kernel, Features, None).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        if check_kernel(&kernel, &program).is_ok() {
            all.push((kernel, program));
        }
    }
    judge("mutants of random programs of AArch64", 4, all);
}

#[test]
fn rolled_programs() {
    let mut rng = Rng(5);
    let limits = Limits { straight: 0, segment: 12, inline: 0, data: 0 };
    let mut all = Vec::new();
    while all.len() < if full() { 40 } else { 2 } {
        let kernel = rolled::kernel(&mut rng);
        let program = compile_within(&kernel, Features, None, &limits).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        if program.code.len() < 200 && check_kernel(&kernel, &program).is_ok() {
            all.push((kernel, program));
        }
    }
    // Loops keep much in the frame that nobody reads.
    judge("mutants of rolled programs of AArch64", 2, all);
}

#[test]
fn products_of_fields() {
    let mut all = Vec::new();
    for text in ["2^64-59", "2^127-1", "2^61-1"] {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for layout in layouts(&field, 64) {
            for plan in plans(&field, &layout, &evariste_algorithms::Operation::MUL) {
                let Ok(Outcome::Proved(proved)) = plan.write().map(|kernel| prove(&kernel)) else { continue };
                let kernel = proved.kernel();
                let Ok(program) = compile_kernel(kernel, Features, None) else { continue };
                if program.code.len() < 80 && check_kernel(kernel, &program).is_ok() {
                    all.push((kernel.clone(), program));
                }
            }
        }
    }
    all.truncate(if full() { usize::MAX } else { 6 });
    assert!(!all.is_empty());
    judge("mutants of products on AArch64", 4, all);
}
