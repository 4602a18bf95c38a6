//! What chooses between machine code and C: `PREFIX_versions.h`, which both sides and the test know, and the public
//! functions at the end of `PREFIX.c`.

use evariste_codegen::x86_64::Features;
use evariste_ir::Kernel;

use crate::asm::needs;
use crate::notice::notice;
use crate::package::{Content, MachineCode};

use super::function::{call_arguments, signature};

/// `PREFIX_X86_64`: is there machine code in this build?
pub(super) fn condition(content: &Content) -> String {
    format!("{}_X86_64", content.prefix.to_ascii_uppercase())
}

/// The bits of `PREFIX_cpu()`.
fn bits(features: Features) -> u32 {
    2 * u32::from(features.bmi2)
        + 4 * u32::from(features.adx)
        + 8 * u32::from(features.avx2)
        + 16 * u32::from(features.fma)
        + 32 * u32::from(features.pclmul)
}

/// Does any operation need vector registers, which are there only when the system keeps them?
fn on_vectors(content: &Content) -> bool {
    content.machine_code.iter().any(|code| code.program.program().features.avx2)
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

/// `PREFIX_versions.h`.
pub(super) fn versions(content: &Content) -> String {
    let prefix = content.prefix;
    let (upper, condition) = (prefix.to_ascii_uppercase(), condition(content));
    let mut out = notice(content, "both versions of the functions, for the package itself and for its test");
    out += &format!(
        "
#ifndef {upper}_VERSIONS_H
#define {upper}_VERSIONS_H

/* Is there machine code: x86-64 in the System V convention, a compiler that speaks as gcc does, and nobody who wants C only? */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__ILP32__) && !defined(_WIN32) && !defined(__CYGWIN__) && !defined(EVARISTE_PORTABLE)
#define {condition} 1
#else
#define {condition} 0
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

#if defined(__GNUC__) && (defined(__ELF__) || defined(__APPLE__))
#define {upper}_INTERNAL __attribute__((visibility(\"hidden\")))
#else
#define {upper}_INTERNAL
#endif

#ifdef __cplusplus
extern \"C\" {{
#endif

/* In C. */
"
    );
    for (code, kernel) in dispatched(content) {
        out += &format!("{upper}_INTERNAL {};\n", signature(kernel, &format!("{prefix}_{}_c", code.operation), false));
    }
    let vectors = if on_vectors(content) { ", and 8 with AVX2, and 16 with FMA, and 32 with PCLMULQDQ" } else { "" };
    out += &format!(
        "\n#if {condition}\n\n/* What this processor offers, asked once: 1, and 2 with BMI1 and BMI2, and 4 with ADX{vectors}. */\n{upper}_INTERNAL unsigned {prefix}_cpu(void);\n\n\
         /* In machine code; each only where {prefix}_cpu() has the bits that it needs. */\n"
    );
    for (code, kernel) in dispatched(content) {
        let features = code.program.program().features;
        let name = format!("{upper}_{}_NEEDS", code.operation.to_ascii_uppercase());
        out += &format!("#define {name} {}u /* {} */\n", bits(features), needs(features));
        out += &format!(
            "{upper}_INTERNAL {};\n",
            signature(kernel, &format!("{prefix}_{}_x86_64", code.operation), false)
        );
    }
    out + "\n#endif\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n\n#endif\n"
}

/// What `PREFIX.c` includes beside its header.
pub(super) fn includes(content: &Content) -> String {
    format!("#include \"{}_versions.h\"\n\n#if {}\n#include <cpuid.h>\n#endif\n", content.prefix, condition(content))
}

/// What asks for AVX2, FMA and PCLMULQDQ: where the system says that it keeps the registers (XGETBV).
const VECTORS: &str = "    {
      unsigned avx2 = b >> 5 & 1, low = 0, high = 0;
      __cpuid(1, a, b, c, d);
      if ((c >> 27 & 1) != 0) __asm__(\"xgetbv\" : \"=a\"(low), \"=d\"(high) : \"c\"(0));
      (void)high;
      if ((low & 6) == 6) {
        if (avx2 != 0) cpu |= 8;
        if ((c >> 12 & 1) != 0) cpu |= 16;
        if ((c >> 1 & 1) != 0) cpu |= 32;
      }
    }
";

/// The end of `PREFIX.c`: the question to the processor, and the public functions.
pub(super) fn functions(content: &Content) -> String {
    let (prefix, condition) = (content.prefix, condition(content));
    let vectors = if on_vectors(content) { VECTORS } else { "" };
    let mut out = format!(
        "
#if {condition}
/* The answer is the same whoever asks, so it does not matter which thread writes it. */
static unsigned {prefix}_known_cpu;

__attribute__((noinline, cold)) static unsigned {prefix}_ask_cpu(void) {{
  unsigned a, b, c, d, cpu = 1;
  if (__get_cpuid_max(0, 0) >= 7) {{
    __cpuid_count(7, 0, a, b, c, d);
    (void)a, (void)c, (void)d;
    if ((b >> 3 & 1) != 0 && (b >> 8 & 1) != 0) cpu |= 2;
    if ((b >> 19 & 1) != 0) cpu |= 4;
{vectors}  }}
  __atomic_store_n(&{prefix}_known_cpu, cpu, __ATOMIC_RELAXED);
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
        if code.program.program().features == Features::BASELINE {
            out += &format!("  {symbol}_x86_64({arguments});\n#else\n  {symbol}_c({arguments});\n#endif\n}}\n");
        } else {
            out += &format!(
                "  if ({}) {{\n    {symbol}_x86_64({arguments});\n    return;\n  }}\n#endif\n  {symbol}_c({arguments});\n}}\n",
                runs(content, code)
            );
        }
    }
    out
}
