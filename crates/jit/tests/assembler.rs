//! What packages print of every instruction form, read by GNU's assembler and by clang's: the bytes that the encoder writes.

use std::path::Path;
use std::process::Command;

use crate::common::forms;
use evariste_codegen::assembly::{Assembly, CONSTANTS};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::table::row;
use evariste_codegen::x86_64::vector::ALL;
use evariste_codegen::x86_64::{Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width, X86_64};
use evariste_jit::{Code, encode};
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};

fn runs(command: &mut Command) -> bool {
    command.arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Branches near and far, forwards and back.
fn branches() -> Vec<Inst> {
    let label = |l: u32| Inst::new(Opcode::Label, &[Operand::Label(l)]);
    let mut code = vec![label(0)];
    for (at, filler) in [0, 30, 200].into_iter().enumerate() {
        let end = at as u32 + 1;
        let jumps = forms::CONDITIONS.iter().map(|c| Opcode::JumpIf(*c)).chain([Opcode::Jump]);
        code.extend(jumps.flat_map(|op| [0, end].map(|l| Inst::new(op, &[Operand::Label(l)]))));
        let add = Inst::new(Opcode::Add, &[Operand::Register(Gpr::R8), Operand::Immediate(1)]);
        code.extend(vec![add; filler]);
        code.push(label(end));
    }
    code
}

/// Does the assembler know an encoding that is a byte shorter? Of constants of 16 bits that can be written in 8, which no
/// program has.
fn is_shortened(inst: &Inst) -> bool {
    let high = |operand: Operand| matches!(operand, Operand::Immediate(0xff80..=0xffff));
    inst.bits == 16 && inst.operands().any(high)
}

/// Every form that the encoder writes.
fn all_forms() -> Vec<Inst> {
    let mut code = forms::scalar();
    for width in [Width::S, Width::X, Width::Y, Width::Z] {
        for op in ALL.into_iter().chain([Vector::Ternary(0xf8)]) {
            for bits in op.element_bits(width) {
                let forms = forms::vector(op, width, *bits);
                code.extend(forms.iter().map(|operands| Inst::sized(Opcode::Vector(op, width), *bits, operands)));
            }
        }
    }
    code.retain(|inst| !is_shortened(inst));
    code.extend(branches());
    code
}

/// The text of the program as in a package's assembly file, its constants behind it where the encoder puts them.
fn text(program: &Program) -> String {
    let local = |what: &str| format!(".Lf_{what}");
    let mut text = String::from(".intel_syntax noprefix\n.text\n.p2align 6\n");
    for inst in &program.code {
        match (inst.op, inst.operands().next()) {
            (Opcode::Label, Some(Operand::Label(l))) => text += &format!("{}:\n", local(&l.to_string())),
            _ => text += &format!("  {}\n", X86_64::line(inst, &local)),
        }
    }
    text += &format!(".p2align 6, 0xcc\n{}:\n", local(CONSTANTS));
    program.constants.iter().for_each(|c| text += &format!("  .quad {c:#x}\n"));
    text
}

fn assembled(cc: &str, text: &str, folder: &Path) -> Vec<u8> {
    std::fs::write(folder.join("all.s"), text).expect("the folder is ours");
    for (tool, arguments) in [(cc, "-c all.s -o all.o"), ("objcopy", "-O binary -j .text all.o all.bin")] {
        let output = Command::new(tool).args(arguments.split(' ')).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::read(folder.join("all.bin")).expect("it was written")
}

/// The instruction at the head of these bytes, and how long it is.
fn decoded(bytes: &[u8], at: usize) -> Instruction {
    Decoder::with_ip(64, bytes.get(at..).unwrap_or_default(), at as u64, DecoderOptions::NONE).decode()
}

/// The same bytes; of two registers either may stand first in an encoding of the same length.
fn compare(cc: &str, program: &Program, ours: &Code, theirs: &[u8]) {
    let mut turned = 0;
    for (i, inst) in program.code.iter().enumerate() {
        let at = ours.offsets[i];
        let end = ours.offsets.get(i + 1).copied().unwrap_or(ours.code_len);
        if ours.bytes.get(at..end) == theirs.get(at..end) {
            continue;
        }
        let (encoded, assembled) = (decoded(&ours.bytes, at), decoded(theirs, at));
        let line = X86_64::line(inst, &|what| what.to_string());
        let said = format!("{cc}: {line}: encoded as {encoded}, assembled as {assembled}");
        assert!(encoded.op_kinds().filter(|kind| *kind == OpKind::Register).count() >= 2, "{said}");
        assert_eq!((encoded.to_string(), encoded.len()), (assembled.to_string(), assembled.len()), "{said}");
        turned += 1;
    }
    assert_eq!(&ours.bytes[ours.constants_at..], &theirs[ours.constants_at..]);
    println!("{cc}: {} instructions, {turned} with registers in the other order", program.code.len());
}

#[test]
fn every_form_as_text() {
    if !runs(&mut Command::new("objcopy")) {
        return evariste_testing::lacks_tool("assembled text", "objcopy");
    }
    let of = |code: Vec<Inst>| Program {
        name: "f".into(),
        features: Features::AVX512,
        lanes: Lanes { count: 8, groups: 1 },
        params: vec![],
        disjoint: vec![],
        constants: vec![1, 2, 3],
        code,
        callees: Vec::new(),
    };
    // Clang 14 does not read every form; what packages may have it must read as GNU's assembler does.
    let apart = X86_64::PACKAGED_APART.expect("instructions that most processors lack").0;
    let packaged = |inst: &Inst| X86_64::PACKAGED.and(apart).covers(row(inst.op).needs);
    let all = all_forms();
    let some = all.iter().filter(|inst| packaged(inst)).copied().collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (cc, code) in [("gcc", all), ("clang", some)] {
        if !runs(&mut Command::new(cc)) {
            evariste_testing::lacks_tool("assembled text", cc);
            continue;
        }
        let program = of(code);
        let ours = encode(&program).unwrap_or_else(|e| panic!("{e}"));
        compare(cc, &program, &ours, &assembled(cc, &text(&program), folder.path()));
    }
}
