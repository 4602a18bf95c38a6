//! `PREFIX_x86_64.S`: the checked programs of a package as text for the C compiler's assembler, on ELF and Mach-O.

use evariste_codegen::x86_64::count::count;
use evariste_codegen::x86_64::{Features, Opcode, Program};
use evariste_ir::Kernel;

use crate::describe::facts;
use crate::error::EmitError;
use crate::notice::comment_safe;

use super::text::{line, local};
use super::unwind;

/// One function of the file.
pub(crate) struct Entry<'a> {
    /// The name that a linker sees (but for Mach-O's underscore).
    pub symbol: String,
    /// Where the program came from: the plan's name.
    pub plan: &'a str,
    /// What it computes.
    pub kernel: &'a Kernel,
    /// The instructions.
    pub program: &'a Program,
}

/// Directives whose form depends on the object file. `endbr64` and the property note are there when the compiler asks
/// for them (`-fcf-protection`, which defines `__CET__`).
const MACROS: &str = "
#if defined(__APPLE__)
#define EVARISTE_SYMBOL(name) _##name
#define EVARISTE_LOCAL(name) L##name
#define EVARISTE_FUNCTION(name) .globl _##name; .private_extern _##name; .p2align 6
#define EVARISTE_END(name)
#define EVARISTE_CONSTANTS .section __TEXT,__const; .p2align 6
#else
#define EVARISTE_SYMBOL(name) name
#define EVARISTE_LOCAL(name) .L##name
#define EVARISTE_FUNCTION(name) .globl name; .hidden name; .type name, @function; .p2align 6
#define EVARISTE_END(name) .size name, . - name
#define EVARISTE_CONSTANTS .section .rodata; .p2align 6
#endif
#if defined(__CET__) && (__CET__ & 1)
#define EVARISTE_ENTRY endbr64
#else
#define EVARISTE_ENTRY
#endif

.intel_syntax noprefix
";

/// Sections that tell the linker that the stack need not be executable and that indirect calls land on `endbr64`.
const NOTES: &str = "
#if defined(__CET__) && __CET__ != 0
.section .note.gnu.property, \"a\", @note
.p2align 3
.long 4, 16, 5
.asciz \"GNU\"
.long 0xc0000002, 4, __CET__, 0
#endif
";

/// The text after the opening comment. `condition` is what the preprocessor asks whether there is machine code at all.
pub(crate) fn source(entries: &[Entry], condition: &str) -> Result<String, EmitError> {
    let mut text = format!("\n#if {condition}\n{MACROS}");
    for entry in entries {
        text += "\n";
        text += &function(entry)?;
    }
    text += "\n.att_syntax prefix\n\n#if defined(__ELF__)";
    text += NOTES;
    text += "#endif\n\n#endif\n\n#if defined(__ELF__)\n.section .note.GNU-stack, \"\", %progbits\n#endif\n";
    Ok(text)
}

/// What a processor must offer, in words.
pub(crate) fn needs(features: Features) -> String {
    let Features { bmi2, adx, avx2, fma, pclmul, .. } = features;
    let all = [("BMI1", bmi2), ("BMI2", bmi2), ("ADX", adx), ("AVX2", avx2), ("FMA", fma), ("PCLMULQDQ", pclmul)];
    let names: Vec<&str> = all.into_iter().filter_map(|(name, needed)| needed.then_some(name)).collect();
    match names.as_slice() {
        [] => "any x86-64".into(),
        [name] => name.to_string(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn function(entry: &Entry) -> Result<String, EmitError> {
    let (symbol, program) = (&entry.symbol, entry.program);
    let mut out = format!("/* {symbol}: {}\n", comment_safe(entry.plan));
    for fact in facts(entry.kernel) {
        out += &format!(" *   {fact}\n");
    }
    let frames =
        unwind::frames(program).map_err(|why| EmitError::MachineCode { operation: program.name.clone(), why })?;
    out += &format!(" * Processor: {}. {}.\n", needs(program.features), count(program));
    out += " * System V calling convention. Checked instruction by instruction against the proved kernel. */\n";
    if !program.constants.is_empty() {
        out += &format!("EVARISTE_CONSTANTS\n{}:\n", local(symbol, "constants"));
        for constant in &program.constants {
            out += &format!("    .quad {constant:#018x}\n");
        }
    }
    out += &format!(".text\nEVARISTE_FUNCTION({symbol})\nEVARISTE_SYMBOL({symbol}):\n    .cfi_startproc\n");
    if program.code.first().is_none_or(|inst| inst.op != Opcode::EndBranch) {
        out += "    EVARISTE_ENTRY\n";
    }
    let mut now = unwind::entry();
    for (inst, frame) in program.code.iter().zip(frames) {
        if let Some(frame) = frame {
            for directive in unwind::directives(now, frame) {
                out += &format!("    {directive}\n");
            }
            now = frame;
        }
        let indent = if inst.op == Opcode::Label { "" } else { "    " };
        out += &format!("{indent}{}\n", line(inst, symbol));
    }
    out += &format!("    .cfi_endproc\nEVARISTE_END({symbol})\n");
    Ok(out)
}
