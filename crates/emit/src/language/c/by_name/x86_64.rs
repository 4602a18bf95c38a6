//! x86-64: carries and conditional moves, and the carry-less product where the compiler's flags allow it.

use super::ByName;

/// Of gcc and clang.
pub const X86_64: ByName = ByName {
    processor: "x86-64",
    has: "EVARISTE_X86_64",
    opening: OPENING,
    carry,
    select,
    carryless: ("__PCLMUL__", CARRYLESS),
};

const OPENING: &str = "
/* Carry flags and conditional moves by name, where the compiler has names for them; define EVARISTE_PORTABLE to do without. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(EVARISTE_PORTABLE)
#define EVARISTE_X86_64 1
#if defined(__clang__)
#define EVARISTE_SUBBORROW_32 __builtin_ia32_subborrow_u32
#define EVARISTE_SUBBORROW_64 __builtin_ia32_subborrow_u64
#else
#define EVARISTE_SUBBORROW_32 __builtin_ia32_sbb_u32
#define EVARISTE_SUBBORROW_64 __builtin_ia32_sbb_u64
#endif
#else
#define EVARISTE_X86_64 0
#endif
";

fn carry(bits: u32, add: bool) -> String {
    if add { format!("__builtin_ia32_addcarryx_u{bits}") } else { format!("EVARISTE_SUBBORROW_{bits}") }
}

/// One test, then conditional moves.
fn select(count: u32) -> String {
    let each = |f: &dyn Fn(u32) -> String, separator: &str| (0..count).map(f).collect::<Vec<_>>().join(separator);
    let moves = each(&|i| format!("\\n\\tcmovne {{%{}, %{i}|%{i}, %{}}}", count + 1 + i, count + 1 + i), "");
    let outputs = each(&|i| format!("\"+&r\"(x{i})"), ", ");
    let inputs = each(&|i| format!("\"r\"(a{i})"), ", ");
    format!(
        "  __asm__(\"test {{%{count}, %{count}|%{count}, %{count}}}{moves}\" : {outputs} : \"r\"(mask), {inputs} : \"cc\");\n"
    )
}

const CARRYLESS: &str = "  typedef long long pair __attribute__((vector_size(16)));
  pair x = {(long long)a, 0}, y = {(long long)b, 0};
  pair r = __builtin_ia32_pclmulqdq128(x, y, 0);
";
