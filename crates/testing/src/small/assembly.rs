//! Its assembler, as there would be one.

use evariste_codegen::assembly::unwind::{Flow, Frame};
use evariste_codegen::assembly::{Assembly, Constants, Counts, Dialect, Local, Question, Separator, Target};
use evariste_codegen::program::Program;

use super::{Inst, NoFeatures, STACK, Small};

static TARGET: Target = Target {
    name: "Small",
    suffix: "small",
    compiled_for: "defined(__small__)",
    convention: "smallest",
    called_so: "!defined(__smaller__)",
    dialect: Dialect {
        name: "the syntax of its manual",
        separator: Separator { elf: "%%", apple: "%%" },
        opening: "",
        closing: "",
        constants: Constants::Apart,
        landing: None,
    },
    extensions: &[],
    question: Question { by: "its name", header: "small.h", statements: |_| "  unsigned cpu = 1;\n".to_string() },
    rust: None,
};

impl Assembly for Small {
    const TARGET: &'static Target = &TARGET;
    const PACKAGED: NoFeatures = NoFeatures;
    const PACKAGED_SETS: &'static str = "any";
    const SCHEDULE_SETS: &'static [&'static str] = &["any"];

    fn extensions(_: NoFeatures) -> Option<u32> {
        Some(0)
    }

    fn line(inst: &Inst, local: Local<'_>) -> String {
        match *inst {
            Inst::Load { to, base, offset } => format!("load r{to}, r{base}, {offset}"),
            Inst::Store { from, base, offset } => format!("store r{from}, r{base}, {offset}"),
            Inst::Step { to, from, bytes } => format!("step r{to}, r{from}, {bytes}"),
            Inst::Xor { to, from } => format!("xor r{to}, r{from}"),
            Inst::Label(label) => local(&label.to_string()),
            Inst::Call(label) => format!("call {}", local(&label.to_string())),
            Inst::Return(register) => format!("return r{register}"),
        }
    }

    fn is_landing(_: &Inst) -> bool {
        false
    }

    fn register(number: usize) -> &'static str {
        ["r0", "r1", "r2", "r3", "r4", "r5"][number]
    }

    fn flow(inst: &Inst) -> Flow {
        match inst {
            Inst::Call(label) => Flow::Call(*label),
            Inst::Return(_) => Flow::Return,
            _ => Flow::Behind,
        }
    }

    fn step(frame: &mut Frame, inst: &Inst) -> Result<(), &'static str> {
        let bytes = |offset: i64| i32::try_from(offset).map_err(|_| "stores far away");
        match *inst {
            Inst::Step { to: STACK, from: STACK, bytes } => frame.grow(-bytes)?,
            Inst::Store { from, base: STACK, offset } => frame.store(from, bytes(offset)?),
            Inst::Load { to, base: STACK, offset } if to != STACK => frame.load(to, bytes(offset)?),
            Inst::Load { to: STACK, .. } | Inst::Step { to: STACK, .. } => return Err("writes the stack pointer"),
            _ => {}
        }
        Ok(())
    }

    fn count(program: &Program<Small>) -> Counts {
        let count = |is: fn(&Inst) -> bool| program.code.iter().filter(|inst| is(inst)).count() as u32;
        let instructions = count(|inst| !matches!(inst, Inst::Label(_)));
        Counts {
            instructions,
            loads: count(|inst| matches!(inst, Inst::Load { .. })),
            stores: count(|inst| matches!(inst, Inst::Store { .. })),
            spills: count(|inst| matches!(inst, Inst::Store { base: STACK, .. })),
            ..Counts::default()
        }
    }
}
