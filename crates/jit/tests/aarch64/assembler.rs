//! What packages print of every form, read by GNU's assembler for AArch64: the bytes that the encoder writes. And what the
//! decoder reads of them is what was printed.

use std::path::Path;
use std::process::Command;

use evariste_codegen::aarch64::{Address, Features, Gpr, Inst, Logic, Program, Sum};
use evariste_codegen::assembly::CONSTANTS;
use evariste_codegen::program::Lanes;
use evariste_jit::{constant_time, disassemble, encode};

use super::forms;

const TOOLS: [&str; 2] = ["aarch64-linux-gnu-as", "aarch64-linux-gnu-objcopy"];

fn program(code: Vec<Inst>) -> Program {
    Program {
        name: "f".into(),
        features: Features,
        lanes: Lanes::ONE,
        params: vec![],
        disjoint: vec![],
        constants: vec![1, 2, 3],
        code,
        callees: Vec::new(),
    }
}

/// The program as in a package's assembly file, its constants behind it where the encoder puts them.
fn text(program: &Program) -> String {
    let local = |what: &str| format!(".Lf_{what}");
    let mut text = String::from(".text\n.p2align 6\n");
    for inst in &program.code {
        text += &inst.line(&local);
        text += if matches!(inst, Inst::Label(_)) { ":\n" } else { "\n" };
    }
    text += &format!(".p2align 6, 0\n{}:\n", local(CONSTANTS));
    program.constants.iter().for_each(|c| text += &format!(".quad {c:#x}\n"));
    text
}

fn assembled(text: &str, folder: &Path) -> Vec<u8> {
    std::fs::write(folder.join("all.s"), text).expect("the folder is ours");
    for (tool, arguments) in TOOLS.into_iter().zip(["all.s -o all.o", "-O binary -j .text all.o all.bin"]) {
        let output = Command::new(tool).args(arguments.split(' ')).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::read(folder.join("all.bin")).expect("it was written")
}

#[test]
fn every_form_as_text() {
    for tool in TOOLS {
        if !Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success()) {
            return evariste_testing::lacks_tool("assembled text for AArch64", tool);
        }
    }
    let program = program(forms::all());
    let ours = encode(&program).unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let theirs = assembled(&text(&program), folder.path());
    for (inst, at) in program.code.iter().zip(&ours.offsets).filter(|(inst, _)| !matches!(inst, Inst::Label(_))) {
        assert_eq!(ours.bytes[*at..at + 4], theirs[*at..at + 4], "{inst} at {at:#x}");
    }
    assert_eq!(ours.bytes[ours.constants_at..], theirs[ours.constants_at..ours.bytes.len()]);
    println!("{} instructions", program.code.len());
}

#[test]
fn what_is_read_back_is_what_was_written() {
    let program = program(forms::all());
    let code = encode(&program).unwrap_or_else(|e| panic!("{e}"));
    let class = constant_time(&code).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(class.instructions, program.code.iter().filter(|inst| !matches!(inst, Inst::Label(_))).count());
    let text = disassemble(&code);
    let mut lines = text.lines();
    for (i, inst) in program.code.iter().enumerate().filter(|(_, inst)| !matches!(inst, Inst::Label(_))) {
        let place = |label: u32| {
            let at = program.code.iter().position(|inst| *inst == Inst::Label(label)).expect("it is there");
            format!("{:#x}", code.offsets[at])
        };
        let said = match *inst {
            Inst::Jump(label) => format!("b {}", place(label)),
            Inst::Call(label) => format!("bl {}", place(label)),
            Inst::JumpUnlessZero { register, label } => format!("cbnz {register}, {}", place(label)),
            Inst::Constant { to, offset } => format!("ldr {to}, {:#x}", code.constants_at + offset as usize),
            _ => inst.to_string(),
        };
        let line = lines.next().expect("a line for each");
        assert_eq!(line.get(17..), Some(said.as_str()), "instruction {i}");
    }
}

#[test]
fn what_is_not_on_the_list_is_refused() {
    let code = encode(&program(vec![Inst::Return])).unwrap_or_else(|e| panic!("{e}"));
    // udiv x0, x1, x2; cmp by a secret and b.ne; ldr with a register offset; br x0; csel on the zero flag; svc.
    for word in [0x9ac2_0820u32, 0x5400_0041, 0xf862_6820, 0xd61f_0000, 0x9a82_0020, 0xd400_0001, 0] {
        let mut code = code.clone();
        code.bytes[..4].copy_from_slice(&word.to_le_bytes());
        assert!(constant_time(&code).is_err(), "{word:#x}");
        assert!(disassemble(&code).contains(".inst"));
    }
}

#[test]
fn what_has_no_form_is_refused() {
    let (x0, at) = (Gpr::x(0), |base, offset| Address { base, offset });
    let none = [
        Inst::sum(Sum::Add, x0, Gpr::SP, x0),
        Inst::logic(Logic::Or, Gpr::SP, x0, x0),
        Inst::SumOf { op: Sum::Add, to: Gpr::ZERO, left: x0, value: 1, high: false },
        Inst::SumOf { op: Sum::Adds, to: Gpr::SP, left: x0, value: 1, high: false },
        Inst::SumOf { op: Sum::Adcs, to: x0, left: x0, value: 1, high: false },
        Inst::SumOf { op: Sum::Add, to: x0, left: x0, value: 4096, high: false },
        Inst::LogicOf { op: Logic::Or, to: x0, left: x0, value: 5 },
        Inst::LogicOf { op: Logic::Or, to: Gpr::SP, left: x0, value: 1 },
        Inst::Load { bytes: 8, to: x0, address: at(x0, 4) },
        Inst::Load { bytes: 8, to: x0, address: at(x0, -8) },
        Inst::Load { bytes: 8, to: x0, address: at(x0, 8 * 4096) },
        Inst::Load { bytes: 3, to: x0, address: at(x0, 0) },
        Inst::Store { bytes: 8, from: Gpr::SP, address: at(x0, 0) },
        Inst::LoadPair { first: x0, second: x0, address: at(x0, 0) },
        Inst::StorePair { first: x0, second: x0, address: at(x0, 512) },
        Inst::Constant { to: x0, offset: 24 },
        Inst::Jump(1),
    ];
    for inst in none {
        assert!(encode(&program(vec![inst])).is_err(), "{inst}");
    }
    assert!(encode(&program(vec![Inst::Label(0), Inst::Label(0)])).is_err());
}
