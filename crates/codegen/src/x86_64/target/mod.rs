//! x86-64 as assemblers and C compilers speak of it: what packages with machine code are made of.

mod line;
mod stack;

use super::count::count;
use super::lanes::ABREAST;
use super::{Features, Gpr, Inst, Opcode, Program, X86_64};
use crate::assembly::unwind::{Flow, Frame};
use crate::assembly::{
    Assembly, Constants, Counts, Dialect, Extension, InRust, Landing, Local, Question, Separator, Target,
};

static TARGET: Target = Target {
    name: "x86-64",
    suffix: "x86_64",
    compiled_for: "defined(__x86_64__)",
    convention: "System V",
    called_so: "!defined(__ILP32__) && !defined(_WIN32) && !defined(__CYGWIN__)",
    dialect: Dialect {
        name: "GNU syntax with Intel's order of operands",
        separator: Separator { elf: ";", apple: ";" },
        opening: ".intel_syntax noprefix",
        closing: ".att_syntax prefix",
        constants: Constants::Apart,
        landing: Some(Landing {
            instruction: "endbr64",
            // Asked for by `-fcf-protection`, which defines `__CET__`.
            asked: "defined(__CET__) && (__CET__ & 1)",
            option: "-fcf-protection",
            note: NOTE,
        }),
    },
    extensions: &[
        Extension { bit: 2, names: &["BMI1", "BMI2"], asked_with: 0, apart: "" },
        Extension { bit: 4, names: &["ADX"], asked_with: 0, apart: "" },
        Extension { bit: 8, names: &["AVX2"], asked_with: VECTORS, apart: "" },
        Extension { bit: 16, names: &["FMA"], asked_with: VECTORS, apart: "" },
        Extension { bit: 32, names: &["PCLMULQDQ"], asked_with: VECTORS, apart: "" },
        Extension { bit: IFMA, names: &["AVX-512 F, DQ, BW, VL", "IFMA"], asked_with: IFMA, apart: "_ifma" },
    ],
    question: Question { by: "CPUID", header: "cpuid.h", statements },
    rust: Some(InRust {
        compiled_for: "target_arch = \"x86_64\", target_pointer_width = \"64\", unix, not(target_vendor = \"apple\")",
        convention: "sysv64",
        statements: in_rust,
    }),
};

/// The bit of products of 52 bits in vectors of 256, with what else of AVX-512 code with them needs.
const IFMA: u32 = 64;

/// The bits of all that has vector registers.
const VECTORS: u32 = 8 | 16 | 32 | IFMA;

/// As [`statements`], always with the least vectors.
fn in_rust(asked: u32) -> String {
    IN_RUST.replace("MORE", if asked & IFMA != 0 { IFMA_IN_RUST } else { "" })
}

/// What asks for products of 52 bits: where the system keeps masks and all of the longest registers too.
const IFMA_IN_RUST: &str = "        if kept & 0xe6 == 0xe6 {
            cpu |= (b >> 16 & b >> 17 & b >> 21 & b >> 30 & b >> 31 & 1) << 6;
        }
";

const IN_RUST: &str = "    #[allow(unused_unsafe)]
    // SAFETY: every processor of this architecture has CPUID.
    let leaf = |a: u32| unsafe { core::arch::x86_64::__cpuid_count(a, 0) };
    let mut cpu = 1;
    if leaf(0).eax >= 7 {
        let (b, c) = (leaf(7).ebx, leaf(1).ecx);
        if b >> 3 & 1 != 0 && b >> 8 & 1 != 0 {
            cpu |= 2;
        }
        if b >> 19 & 1 != 0 {
            cpu |= 4;
        }
        // Does the system keep the registers of vectors?
        let mut kept = 0_u32;
        if c >> 27 & 1 != 0 {
            // SAFETY: the system has switched XGETBV on, which reads a register.
            unsafe {
                core::arch::asm!(\"xgetbv\", in(\"ecx\") 0, out(\"eax\") kept, out(\"edx\") _, options(nomem, nostack));
            }
        }
        if kept & 6 == 6 {
            cpu |= (b >> 5 & 1) << 3 | (c >> 12 & 1) << 4 | (c >> 1 & 1) << 5;
        }
MORE    }
    cpu
";

/// A section that tells the linker that indirect calls land on `endbr64`.
const NOTE: &str = "\
#if defined(__CET__) && __CET__ != 0
.section .note.gnu.property, \"a\", @note
.p2align 3
.long 4, 16, 5
.asciz \"GNU\"
.long 0xc0000002, 4, __CET__, 0
#endif
";

/// What asks for AVX2, FMA and PCLMULQDQ: where the system says that it keeps the registers (XGETBV).
const IN_VECTORS: &str = "    {
      unsigned avx2 = b >> 5 & 1, low = 0, high = 0;
FOUND      __cpuid(1, a, b, c, d);
      if ((c >> 27 & 1) != 0) __asm__(\"xgetbv\" : \"=a\"(low), \"=d\"(high) : \"c\"(0));
      (void)high;
      if ((low & 6) == 6) {
        if (avx2 != 0) cpu |= 8;
        if ((c >> 12 & 1) != 0) cpu |= 16;
        if ((c >> 1 & 1) != 0) cpu |= 32;
      }
KEPT    }
";

/// What asks for products of 52 bits, before leaf 1 is read and after it: where the system keeps masks and all of the
/// longest registers too.
const IFMA_IN_C: [&str; 2] = [
    "      unsigned ifma = b >> 16 & b >> 17 & b >> 21 & b >> 30 & b >> 31 & 1;\n",
    "      if ((low & 0xe6) == 0xe6 && ifma != 0) cpu |= 64;\n",
];

fn statements(asked: u32) -> String {
    let [found, kept] = if asked & IFMA != 0 { IFMA_IN_C } else { ["", ""] };
    let vectors = if asked & VECTORS != 0 { IN_VECTORS } else { "" };
    format!(
        "  unsigned a, b, c, d, cpu = 1;
  if (__get_cpuid_max(0, 0) >= 7) {{
    __cpuid_count(7, 0, a, b, c, d);
    (void)a, (void)c, (void)d;
    if ((b >> 3 & 1) != 0 && (b >> 8 & 1) != 0) cpu |= 2;
    if ((b >> 19 & 1) != 0) cpu |= 4;
{}  }}
",
        vectors.replace("FOUND", found).replace("KEPT", kept)
    )
}

impl Assembly for X86_64 {
    const TARGET: &'static Target = &TARGET;
    // With vector registers where a kernel needs them.
    const PACKAGED: Features = Features::AVX2;
    const PACKAGED_APART: Option<(Features, &'static str)> =
        Some((Features { avx512: true, ifma: true, ..Features::AVX2 }, ABREAST));
    const PACKAGED_SETS: &'static str = "bmi2+adx";
    const SCHEDULE_SETS: &'static [&'static str] = &["baseline", "bmi2", "bmi2+adx"];

    fn extensions(features: Features) -> Option<u32> {
        let Features { bmi2, adx, avx2, fma, pclmul, avx512, ifma, .. } = features;
        let asked = Features { bmi2, adx, avx2, fma, pclmul, avx512, ifma, ..Features::BASELINE };
        // One bit for all of AVX-512: nothing that is packaged has less of it.
        let bits = [(bmi2, 2), (adx, 4), (avx2, 8), (fma, 16), (pclmul, 32), (avx512 || ifma, IFMA)];
        (asked == features).then(|| bits.into_iter().filter(|(needed, _)| *needed).map(|(_, bit)| bit).sum())
    }

    fn line(inst: &Inst, local: Local<'_>) -> String {
        line::line(inst, local)
    }

    fn is_landing(inst: &Inst) -> bool {
        inst.op == Opcode::EndBranch
    }

    fn register(number: usize) -> &'static str {
        Gpr::ALL[number].name(64)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What C asks the processor for is what a program may need: its rows, its bits and its statements agree.
    #[test]
    fn what_is_needed_can_be_asked_for() {
        let (apart, code) = X86_64::PACKAGED_APART.expect("code with products of 52 bits");
        assert_eq!(code, "x86-64-ifma");
        for (features, bits, asked, words) in [
            (Features::BASELINE, 0, 6, "any x86-64"),
            (Features::BMI2, 2, 6, "BMI1 and BMI2"),
            (Features::ADX, 6, 6, "BMI1, BMI2 and ADX"),
            (Features::AVX2, 62, 62, "BMI1, BMI2, ADX, AVX2, FMA and PCLMULQDQ"),
            (apart, 126, 126, "BMI1, BMI2, ADX, AVX2, FMA, PCLMULQDQ, AVX-512 F, DQ, BW, VL and IFMA"),
            (Features { avx512: true, ifma: true, ..Features::BASELINE }, 64, 126, "AVX-512 F, DQ, BW, VL and IFMA"),
            (Features { avx512: true, ..Features::BASELINE }, 64, 126, "AVX-512 F, DQ, BW, VL and IFMA"),
        ] {
            assert_eq!(X86_64::extensions(features), Some(bits), "{features}");
            assert_eq!(TARGET.needs(bits), words);
            assert_eq!(TARGET.asked_bits(bits), asked);
            let text = (TARGET.question.statements)(asked);
            let set: u32 =
                text.split("cpu |= ").skip(1).filter_map(|rest| rest.split_once(';')?.0.parse::<u32>().ok()).sum();
            assert_eq!(set, asked, "{text}");
            assert_eq!(bits & !asked, 0);
            assert_eq!(TARGET.ending(bits), if bits & 64 != 0 { "_x86_64_ifma" } else { "_x86_64" });
            let rust = TARGET.rust.expect("crates have it");
            assert_eq!((rust.statements)(asked).contains("<< 6"), bits & 64 != 0);
        }
        let all = TARGET.extensions.iter().map(|extension| extension.bit).sum();
        assert_eq!(X86_64::extensions(X86_64::PACKAGED.and(apart)), Some(all));
        assert_eq!(X86_64::PACKAGED.scalar().to_string(), X86_64::PACKAGED_SETS);
        for more in [
            Features::AVX512,
            Features { gfni: true, ..Features::AVX2 },
            Features { vpclmul: true, ..Features::AVX2 },
            Features { vbmi2: true, ..apart },
        ] {
            assert_eq!(X86_64::extensions(more), None, "{more}");
        }
    }
}
