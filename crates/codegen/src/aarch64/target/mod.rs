//! AArch64 as assemblers and C compilers speak of it: what packages with machine code are made of.

mod stack;

use super::count::count;
use super::instruction::{Features, Gpr, Inst};
use super::{Aarch64, Program};
use crate::assembly::unwind::{Flow, Frame};
use crate::assembly::{Assembly, Constants, Counts, Dialect, Landing, Local, Question, Separator, Target};

static TARGET: Target = Target {
    name: "AArch64",
    suffix: "aarch64",
    compiled_for: "defined(__aarch64__) && !defined(__AARCH64EB__)",
    convention: "AAPCS64",
    called_so: "!defined(__ILP32__) && !defined(_WIN32) && !defined(__CYGWIN__)",
    dialect: Dialect {
        name: "GNU syntax, which Apple's assembler reads too",
        separator: Separator { elf: ";", apple: "%%" },
        opening: "",
        closing: "",
        constants: Constants::Behind,
        landing: Some(Landing {
            instruction: "hint #34",
            asked: "defined(__ARM_FEATURE_BTI_DEFAULT)",
            option: "-mbranch-protection=bti",
            note: NOTE,
        }),
    },
    extensions: &[],
    question: Question { by: "nothing", header: "stddef.h", statements: |_| "  unsigned cpu = 1;\n".to_string() },
    rust: None,
};

/// A section that tells the linker that indirect calls land on `bti c`, which is `hint #34`.
const NOTE: &str = "\
#if defined(__ARM_FEATURE_BTI_DEFAULT)
.section .note.gnu.property, \"a\", %note
.p2align 3
.long 4, 16, 5
.asciz \"GNU\"
.long 0xc0000000, 4, 1, 0
#endif
";

impl Assembly for Aarch64 {
    const TARGET: &'static Target = &TARGET;
    const PACKAGED: Features = Features;
    const PACKAGED_SETS: &'static str = "baseline";
    const SCHEDULE_SETS: &'static [&'static str] = &["baseline"];

    fn extensions(_: Features) -> Option<u32> {
        Some(0)
    }

    fn line(inst: &Inst, local: Local<'_>) -> String {
        inst.line(local)
    }

    fn is_landing(_: &Inst) -> bool {
        false
    }

    fn register(number: usize) -> &'static str {
        match u8::try_from(number) {
            Ok(number @ 0..31) => Gpr::x(number).name(),
            _ => Gpr::SP.name(),
        }
    }

    fn flow(inst: &Inst) -> Flow {
        stack::flow(inst)
    }

    fn step(frame: &mut Frame, inst: &Inst) -> Result<(), &'static str> {
        stack::step(frame, inst)
    }

    fn count(program: &Program) -> Counts {
        count(program)
    }
}
