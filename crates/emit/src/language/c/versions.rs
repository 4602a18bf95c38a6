//! What chooses between machine code and C: `PREFIX_versions.h`, which both sides and the test know, and the public
//! functions at the end of `PREFIX.c`.

use evariste_codegen::assembly::Target;
use evariste_ir::Kernel;

use crate::asm::ending;
use crate::notice::notice;
use crate::package::{Content, MachineCode};

use super::function::{call_arguments, signature};

/// `PREFIX_PROCESSOR`: is there machine code in this build?
pub(super) fn condition(content: &Content, target: &Target) -> String {
    (content.prefix.to_string() + &ending(target)).to_ascii_uppercase()
}

/// The bits that all functions of a package need.
fn all_needed(content: &Content) -> u32 {
    content.machine_code.iter().fold(0, |all, code| all | code.bits())
}

/// The macro of the bits of `PREFIX_cpu()` that one needs.
fn needs(content: &Content, code: &MachineCode) -> String {
    format!("{}_{}{}_NEEDS", content.prefix, code.operation, code.apart()).to_ascii_uppercase()
}

/// The C condition under which the machine code of an operation runs on this processor.
pub(super) fn runs(content: &Content, code: &MachineCode) -> String {
    let needed = needs(content, code);
    format!("({}_cpu() & {needed}) == {needed}", content.prefix)
}

/// Operations that have machine code, with their kernels.
fn dispatched<'a>(content: &'a Content) -> impl Iterator<Item = (&'a str, &'a Kernel)> {
    let all = content.kernels.iter().filter(|(operation, _)| content.has_machine_code(operation));
    all.map(|(operation, kernel)| (operation.as_str(), *kernel))
}

/// Defines what stands before functions of the package that are not for users.
pub(super) fn internal(upper: &str) -> String {
    format!(
        "#if defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#define {upper}_INTERNAL __attribute__((visibility(\"hidden\")))
#else
#define {upper}_INTERNAL
#endif
"
    )
}

/// `PREFIX_versions.h`.
pub(super) fn versions(content: &Content, target: &Target) -> String {
    let prefix = content.prefix;
    let (upper, condition) = (prefix.to_ascii_uppercase(), condition(content, target));
    let Target { name, convention, compiled_for, called_so, .. } = target;
    let mut out = notice(content, "both versions of the functions, for the package itself and for its test");
    out += &format!(
        "
#ifndef {upper}_VERSIONS_H
#define {upper}_VERSIONS_H

/* Is there machine code: {name} in the {convention} convention, a compiler that speaks as gcc does, and nobody who wants C only? */
#if {compiled_for} && defined(__GNUC__) && {called_so} && !defined(EVARISTE_PORTABLE)
#define {condition} 1
#else
#define {condition} 0
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

{}
#ifdef __cplusplus
extern \"C\" {{
#endif

/* In C. */
",
        internal(&upper)
    );
    for (operation, kernel) in dispatched(content) {
        out += &format!("{upper}_INTERNAL {};\n", signature(kernel, &format!("{prefix}_{operation}_c"), false));
    }
    let offers: String = target
        .asked(all_needed(content))
        .map(|extension| format!(", and {} with {}", extension.bit, target.needs(extension.bit)))
        .collect();
    out += &format!(
        "\n#if {condition}\n\n/* What this processor offers, asked once: 1{offers}. */\n{upper}_INTERNAL unsigned {prefix}_cpu(void);\n\n\
         /* In machine code; each only where {prefix}_cpu() has the bits that it needs. */\n"
    );
    for (operation, kernel) in dispatched(content) {
        for code in content.machine_codes(operation) {
            out += &format!("#define {} {}u /* {} */\n", needs(content, code), code.bits(), code.needed());
            let symbol = format!("{prefix}_{operation}{}", code.ending());
            out += &format!("{upper}_INTERNAL {};\n", signature(kernel, &symbol, false));
        }
    }
    out + "\n#endif\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n\n#endif\n"
}

/// What `PREFIX.c` includes beside its header.
pub(super) fn includes(content: &Content, target: &Target) -> String {
    let (condition, header) = (condition(content, target), target.question.header);
    format!("#include \"{}_versions.h\"\n\n#if {condition}\n#include <{header}>\n#endif\n", content.prefix)
}

/// The end of `PREFIX.c`: the question to the processor, and the public functions.
pub(super) fn functions(content: &Content, target: &Target) -> String {
    let (prefix, condition) = (content.prefix, condition(content, target));
    let question = (target.question.statements)(target.asked_bits(all_needed(content)));
    let mut out = format!(
        "
#if {condition}
/* The answer is the same whoever asks, so it does not matter which thread writes it. */
static unsigned {prefix}_known_cpu;

__attribute__((noinline, cold)) static unsigned {prefix}_ask_cpu(void) {{
{question}  __atomic_store_n(&{prefix}_known_cpu, cpu, __ATOMIC_RELAXED);
  return cpu;
}}

unsigned {prefix}_cpu(void) {{
  unsigned cpu = __atomic_load_n(&{prefix}_known_cpu, __ATOMIC_RELAXED);
  return cpu != 0 ? cpu : {prefix}_ask_cpu();
}}
#endif
"
    );
    for (operation, kernel) in dispatched(content) {
        let symbol = format!("{prefix}_{operation}");
        let arguments = call_arguments(kernel);
        out += &format!("\n{} {{\n#if {condition}\n", signature(kernel, &symbol, false));
        let codes: Vec<&MachineCode> = content.machine_codes(operation).collect();
        let call = |code: &MachineCode| format!("{symbol}{}({arguments});", code.ending());
        // What every processor has is last.
        let always = codes.iter().position(|code| code.bits() == 0);
        for code in &codes[..always.unwrap_or(codes.len())] {
            out += &format!("  if ({}) {{\n    {}\n    return;\n  }}\n", runs(content, code), call(code));
        }
        out += &match always {
            Some(at) => format!("  {}\n#else\n  {symbol}_c({arguments});\n#endif\n}}\n", call(codes[at])),
            None => format!("#endif\n  {symbol}_c({arguments});\n}}\n"),
        };
    }
    out
}
