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
    content.machine_code.iter().map(needed).fold(0, |all, bits| all | bits)
}

/// The bits of `PREFIX_cpu()` that one needs; what C cannot ask for was refused.
fn needed(code: &MachineCode) -> u32 {
    code.program.extensions().unwrap_or_default()
}

/// The C condition under which the machine code of an operation runs on this processor.
pub(super) fn runs(content: &Content, code: &MachineCode) -> String {
    let needed = format!("{}_{}_NEEDS", content.prefix.to_ascii_uppercase(), code.operation.to_ascii_uppercase());
    format!("({}_cpu() & {needed}) == {needed}", content.prefix)
}

/// Operations that have machine code, with their kernels.
fn dispatched<'a>(content: &'a Content) -> impl Iterator<Item = (&'a MachineCode, &'a Kernel)> {
    content.kernels.iter().filter_map(|(operation, kernel)| Some((content.machine_code(operation)?, *kernel)))
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
    for (code, kernel) in dispatched(content) {
        out += &format!("{upper}_INTERNAL {};\n", signature(kernel, &format!("{prefix}_{}_c", code.operation), false));
    }
    let offers: String = target
        .asked(all_needed(content))
        .map(|extension| format!(", and {} with {}", extension.bit, target.needs(extension.bit)))
        .collect();
    out += &format!(
        "\n#if {condition}\n\n/* What this processor offers, asked once: 1{offers}. */\n{upper}_INTERNAL unsigned {prefix}_cpu(void);\n\n\
         /* In machine code; each only where {prefix}_cpu() has the bits that it needs. */\n"
    );
    for (code, kernel) in dispatched(content) {
        let name = format!("{upper}_{}_NEEDS", code.operation.to_ascii_uppercase());
        out += &format!("#define {name} {}u /* {} */\n", needed(code), target.needs(needed(code)));
        out += &format!(
            "{upper}_INTERNAL {};\n",
            signature(kernel, &format!("{prefix}_{}{}", code.operation, ending(target)), false)
        );
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
    let (prefix, condition, ending) = (content.prefix, condition(content, target), ending(target));
    let question = (target.question.statements)(target.asks_for_more(all_needed(content)));
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
    for (code, kernel) in dispatched(content) {
        let symbol = format!("{prefix}_{}", code.operation);
        let arguments = call_arguments(kernel);
        out += &format!("\n{} {{\n#if {condition}\n", signature(kernel, &symbol, false));
        if needed(code) == 0 {
            out += &format!("  {symbol}{ending}({arguments});\n#else\n  {symbol}_c({arguments});\n#endif\n}}\n");
        } else {
            out += &format!(
                "  if ({}) {{\n    {symbol}{ending}({arguments});\n    return;\n  }}\n#endif\n  {symbol}_c({arguments});\n}}\n",
                runs(content, code)
            );
        }
    }
    out
}
