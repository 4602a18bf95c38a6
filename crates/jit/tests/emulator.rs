//! The emulator against the processor at hand: every form of every instruction that the encoder writes, on random and
//! edge operands. Registers, defined flags and memory must be the same afterwards. It judges both: what the encoder
//! wrote means the same to another decoder and to the processor, and the emulator does what the processor does.

#![cfg(all(target_arch = "x86_64", not(windows)))]

use std::cell::Cell;

use crate::common::{Rng, forms, processor};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::table::row;
use evariste_codegen::x86_64::vector::{ALL, Comparison};
use evariste_codegen::x86_64::{Address, Base, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_emulator::{Access, Fault, Flags, Image, Machine, Region};
use evariste_jit::{Code, Executable, encode};
use evariste_testing::full;

/// Instructions that are run together; then the code returns.
type Snippet = Vec<Inst>;

/// The snippets in one program, with where each begins.
fn assemble(snippets: &[Snippet], constants: Vec<u64>) -> (Code, Vec<usize>) {
    let mut code = Vec::new();
    let mut starts = Vec::new();
    for snippet in snippets {
        starts.push(code.len());
        code.extend(snippet.iter().copied());
        code.push(Inst::new(Opcode::Return, &[]));
    }
    let program = Program {
        name: "forms".into(),
        features: Features::AVX512,
        lanes: Lanes::ONE,
        params: vec![],
        disjoint: vec![],
        constants,
        code,
        callees: Vec::new(),
    };
    let encoded = encode(&program).unwrap_or_else(|e| panic!("{e}"));
    let starts = starts.into_iter().map(|i| encoded.offsets[i]).collect();
    (encoded, starts)
}

/// The address that an instruction reads or writes.
fn memory(inst: &Inst) -> Option<Address> {
    inst.operands().find_map(|operand| match operand {
        Operand::Memory(a) | Operand::Broadcast(a) if inst.op != Opcode::Lea => Some(a),
        _ => None,
    })
}

fn stores_to_constants(snippet: &Snippet) -> bool {
    let is_store =
        |inst: &Inst| matches!(inst.operands[0], Some(Operand::Memory(Address { base: Base::Constants, .. })));
    snippet.iter().any(is_store)
}

/// Can it run between a call and a return, on memory that is there?
fn runs_alone(inst: &Inst) -> bool {
    let writes_stack_pointer = match (inst.op, inst.operands) {
        (Opcode::Cmp | Opcode::Test | Opcode::BitTest, _) => false,
        (_, [Some(Operand::Register(Gpr::Rsp)), ..]) => true,
        (Opcode::Mulx, [_, Some(Operand::Register(Gpr::Rsp)), _]) => true,
        _ => false,
    };
    let reachable = memory(inst).is_none_or(|a| match (a.base, a.index) {
        (Base::Constants, _) => true,
        (Base::Register(Gpr::Rsp), index) => index.is_none() && (8..=64).contains(&a.displacement),
        (Base::Register(base), index) => index.is_none_or(|(index, _)| index != base),
    });
    !matches!(inst.op, Opcode::Push | Opcode::Pop | Opcode::Return) && !writes_stack_pointer && reachable
}

/// Each instruction with an immediate in its name, with others.
fn variants(op: Vector, rng: &mut Rng) -> Vec<Vector> {
    let mut amount = |most: u64| [0, 1, 31, 63, rng.below(most)].map(|k| (k % most) as u8);
    match op {
        Vector::Ternary(_) => [0xca, 0x96].into_iter().chain(amount(256)).map(Vector::Ternary).collect(),
        Vector::Shl(_) => amount(64).map(Vector::Shl).into(),
        Vector::Shr(_) => amount(64).map(Vector::Shr).into(),
        Vector::Sar(_) => amount(64).map(Vector::Sar).into(),
        Vector::Rol(_) => amount(64).map(Vector::Rol).into(),
        Vector::Funnel(_) => amount(64).map(Vector::Funnel).into(),
        Vector::BlendHalves(_) => vec![Vector::BlendHalves(true), Vector::BlendHalves(false)],
        Vector::PermuteWords(_) => (0..6).map(|_| Vector::PermuteWords(rng.below(256) as u8)).collect(),
        Vector::BlendWords(_) => (0..16).map(Vector::BlendWords).collect(),
        Vector::Compare(_) => {
            [Comparison::Equal, Comparison::Less, Comparison::NotEqual, Comparison::NotLess].map(Vector::Compare).into()
        }
        op => vec![op],
    }
}

/// Every vector form with registers of its own.
fn vectors(rng: &mut Rng) -> Vec<Inst> {
    let mut all = Vec::new();
    for width in [Width::S, Width::X, Width::Y, Width::Z] {
        for (op, bits) in ALL.iter().flat_map(|op| op.element_bits(width).iter().map(move |bits| (*op, *bits))) {
            for op in variants(op, rng) {
                for operands in forms::vector(op, width, bits).into_iter().cycle().take(8) {
                    let number = rng.below(width.registers() as u64) as u8;
                    let other = |old: u8| (old + number) % width.registers() as u8;
                    let mask = |old: u8| (old + number) % 7 + 1;
                    let operands: Vec<Operand> = operands
                        .into_iter()
                        .map(|operand| match operand {
                            Operand::Vector(v) => Operand::Vector(other(v)),
                            Operand::Masked(v, k) => Operand::Masked(other(v), mask(k)),
                            Operand::Mask(k) => Operand::Mask(mask(k)),
                            same => same,
                        })
                        .collect();
                    all.push(Inst::sized(Opcode::Vector(op, width), bits, &operands));
                }
            }
        }
    }
    all
}

/// All that is run, and what a processor needs for it.
fn snippets(rng: &mut Rng) -> Vec<(Snippet, Features)> {
    let r = Operand::Register;
    // Each form of operands is there some three hundred times: a seventh of them, all with EVARISTE_FULL=1.
    let scalar = forms::scalar().into_iter().step_by(if full() { 1 } else { 7 });
    let mut all: Vec<Snippet> = scalar.chain(vectors(rng)).map(|inst| vec![inst]).collect();
    all.retain(|snippet| snippet.iter().all(runs_alone));
    for turn in 0..32 {
        let (from, to) = (Gpr::ALL[turn % 16], Gpr::ALL[turn * 7 % 16]);
        if to != Gpr::Rsp {
            all.push(vec![Inst::new(Opcode::Push, &[r(from)]), Inst::new(Opcode::Pop, &[r(to)])]);
        }
    }
    let needs =
        |snippet: &Snippet| snippet.iter().fold(Features::BASELINE, |needs, inst| needs.and(row(inst.op).needs));
    all.into_iter().map(|snippet| (snippet.clone(), needs(&snippet))).collect()
}

/// A number for an element of a vector: an integer or a double, at an edge or not.
fn element(rng: &mut Rng, doubles: bool) -> u64 {
    if !doubles {
        return rng.edge_word();
    }
    let sign = rng.below(2) << 63;
    sign | match rng.below(12) {
        0 => 0,
        1 => 0x7ff << 52,
        // Signalling and quiet.
        2 => 0x7ff << 52 | 1 + rng.below(1 << 51),
        3 => 0x7ff8 << 48 | rng.below(1 << 51),
        // Subnormal, the least, the greatest.
        4 => rng.below(1 << 52),
        5 => 1 << 52,
        6 => 0x7fe << 52 | (1 << 52) - 1,
        // Integers; numbers near 1, whose sums cancel; anything.
        7 | 8 => (rng.below(1 << 53) as f64).to_bits(),
        9 | 10 => (1020 + rng.below(6)) << 52 | rng.edge_word() & (1 << 52) - 1,
        _ => rng.word() >> 1,
    }
}

/// Registers and memory before a run.
#[derive(Clone)]
struct Before {
    general: [u64; 16],
    flags: u64,
    masks: [u64; 8],
    vectors: [[u8; 64]; 32],
    data: Vec<u8>,
    stack: Vec<u8>,
}

/// Where `rsp` is in the stack when the code begins: the return address lies there.
const RETURN: usize = 1 << 16;
/// What is compared of the stack: this much on either side of the return address.
const NEAR: usize = 256;
/// Where an operand lies in the data.
const TARGET: usize = 256;

fn before(snippet: &Snippet, rng: &mut Rng, data_at: u64, stack_at: u64) -> Before {
    let doubles = rng.below(2) == 0 || snippet.iter().any(|inst| format!("{:?}", inst.op).contains("Float"));
    let mut bytes = |n: usize| -> Vec<u8> { (0..n / 8).flat_map(|_| element(rng, doubles).to_le_bytes()).collect() };
    let (data, stack) = (bytes(1024), bytes(2 * NEAR));
    let vectors = std::array::from_fn(|_| bytes(64).try_into().expect("64 bytes"));
    let mut general: [u64; 16] = std::array::from_fn(|_| rng.edge_word());
    general[Gpr::Rsp as usize] = stack_at + RETURN as u64 + 8;
    for inst in snippet {
        let Some(Address { base: Base::Register(base), index, displacement }) = memory(inst) else { continue };
        if base == Gpr::Rsp {
            continue;
        }
        let index = index.map_or(0, |(index, scale)| general[index as usize].wrapping_mul(u64::from(scale)));
        let target = data_at + TARGET as u64 + rng.below(64);
        general[base as usize] = target.wrapping_sub(index).wrapping_sub(i64::from(displacement).cast_unsigned());
    }
    Before { general, flags: rng.word(), masks: std::array::from_fn(|_| rng.edge_word()), vectors, data, stack }
}

fn fill(words: &[Cell<u64>], bytes: &[u8]) {
    for (word, bytes) in words.iter().zip(bytes.as_chunks().0) {
        word.set(u64::from_le_bytes(*bytes));
    }
}

fn bytes(words: &[Cell<u64>]) -> Vec<u8> {
    words.iter().flat_map(|word| word.get().to_le_bytes()).collect()
}

/// Where an emulated snippet returns to.
const CALLER: u64 = 0x1000;

fn emulate(image: &Image, b: &Before, data_at: u64, stack_at: u64) -> Result<Machine, Fault> {
    let mut machine = Machine::new(0);
    machine.general = b.general;
    // The call has pushed the return address.
    machine.general[Gpr::Rsp as usize] -= 8;
    (machine.masks, machine.vectors) = (b.masks, b.vectors);
    machine.flags = Flags::from_bits(b.flags);
    machine.memory.add(image.constants());
    let region = |name: &str, base: u64, bytes: Vec<u8>| Region {
        name: name.into(),
        base,
        bytes,
        access: Access::ReadWrite,
        defined: None,
    };
    let mut stack = b.stack.clone();
    stack[NEAR..NEAR + 8].copy_from_slice(&CALLER.to_le_bytes());
    machine.memory.add(region("the data", data_at, b.data.clone()));
    machine.memory.add(region("the stack", stack_at + (RETURN - NEAR) as u64, stack));
    machine.run(image, 0, CALLER)?;
    Ok(machine)
}

/// The places where the two differ.
fn differences(machine: &Machine, state: &processor::State, data: &[u8], stack: &[u8], here: Features) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, emulated: &[u8], native: &[u8]| {
        if emulated != native {
            found.push(format!("{what}: emulated {emulated:02x?}, native {native:02x?}"));
        }
    };
    for r in 0..16 {
        let (x, y) = (machine.general[r], state.general[r]);
        compare(&format!("{:?}", Gpr::ALL[r]), &x.to_be_bytes(), &y.to_be_bytes());
    }
    let (flags, defined) = machine.flags.bits();
    compare("flags", &flags.to_be_bytes(), &(state.flags & defined).to_be_bytes());
    let (vectors, bytes, masks) = processor::reach(here);
    for v in 0..vectors {
        compare(&format!("vector {v}"), &machine.vectors[v][..bytes], &state.vectors[v][..bytes]);
    }
    for k in 0..masks {
        compare(&format!("mask {k}"), &machine.masks[k].to_be_bytes(), &state.masks[k].to_be_bytes());
    }
    let content = |name: &str| &machine.memory.region(name).expect("it was added").bytes;
    compare("data", content("the data"), data);
    let emulated = content("the stack");
    compare("below the return address", &emulated[NEAR - 128..NEAR], &stack[NEAR - 128..NEAR]);
    compare("above the return address", &emulated[NEAR + 8..], &stack[NEAR + 8..]);
    found
}

#[test]
fn every_form_does_what_the_processor_does() {
    let mut rng = Rng(0x3c6e_f372_fe94_f82b);
    let constants: Vec<u64> = (0..64).map(|i| element(&mut rng, i % 2 == 0)).collect();
    let all = snippets(&mut rng);
    let only: Vec<Snippet> = all.iter().map(|(snippet, _)| snippet.clone()).collect();
    let (code, starts) = assemble(&only, constants);
    let here = evariste_jit::available::<evariste_codegen::x86_64::X86_64>().ok();
    // SAFETY: it is run snippet by snippet, by `processor::run`, whose promise is kept there.
    let executable = here.and_then(|_| unsafe { Executable::new(&code) }.ok());
    let base = executable.as_ref().map_or(0x5555_0000, |e| e.raw() as usize as u64);
    let (data, stack) = (vec![Cell::new(0u64); 1024 / 8], vec![Cell::new(0u64); (RETURN + NEAR) / 8]);
    let (data_at, stack_at) = (data.as_ptr() as u64, stack.as_ptr() as u64);
    let rounds = if full() { 40 } else { 6 };
    let (mut compared, mut alone, mut wrong) = (0u32, std::collections::BTreeSet::new(), Vec::new());
    let ends = starts.iter().skip(1).copied().chain([code.code_len]);
    for (((snippet, needs), start), end) in all.iter().zip(starts.iter().copied()).zip(ends) {
        let image = Image::new(base + start as u64, &code.bytes[start..], end - start, code.constants_at - start);
        for _ in 0..rounds {
            let text = || snippet.iter().map(Inst::to_string).collect::<Vec<_>>().join("; ");
            let before = before(snippet, &mut rng, data_at, stack_at);
            let machine = match emulate(&image, &before, data_at, stack_at) {
                Ok(machine) => machine,
                // Constants are not written; the processor would stop this process.
                Err(fault) if matches!(fault.cause(), Fault::ReadOnly(_)) && stores_to_constants(snippet) => break,
                Err(fault) => {
                    wrong.push(format!("{}: {fault}", text()));
                    break;
                }
            };
            let (Some(here), Some(executable)) = (here.filter(|here| here.covers(*needs)), &executable) else {
                alone.insert(needs.to_string());
                continue;
            };
            let mut state = processor::State::new(before.general, before.flags, before.masks, before.vectors);
            let near = (RETURN - NEAR) / 8..;
            fill(&data, &before.data);
            fill(&stack[near.clone()], &before.stack);
            // SAFETY: `start` is within the code. The instructions before the next return write registers other than
            // rsp, and memory where `before` has put their operand: in `data`, or near the return address in `stack`,
            // of which 64 KiB lie below. Both are cells and nobody else's.
            unsafe {
                let code: evariste_jit::RawFunction =
                    std::mem::transmute((executable.raw() as *const u8).wrapping_add(start));
                processor::run(&mut state, code, here);
            }
            let found = differences(&machine, &state, &bytes(&data), &bytes(&stack[near]), here);
            compared += 1;
            if !found.is_empty() {
                wrong.push(format!("{}: {}", text(), found.join("; ")));
                break;
            }
        }
    }
    println!("{} snippets, {compared} runs compared with the processor", all.len());
    wrong.iter().take(40).for_each(|line| println!("{line}"));
    assert!(wrong.is_empty(), "{} of {} snippets differ", wrong.len(), all.len());
    if !alone.is_empty() {
        let features = alone.into_iter().collect::<Vec<String>>().join(", ");
        evariste_testing::lacks_feature("emulated instructions beside the processor's", &features);
    }
}
