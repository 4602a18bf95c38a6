//! C99 from functions: packages, and texts for the compiler that candidates are measured with.
//!
//! Words of 64 bits are `uint64_t` with `unsigned __int128` products, words of 32 bits `uint32_t` with `uint64_t`, words
//! of one bit are a word of 64 lanes (or fewer, as the compiler is told), and any other word is masked in the smallest
//! type that holds it.

mod bench_program;
mod beside;
mod beside_readme;
pub(super) mod blocks;
mod body;
mod by_name;
mod codes;
mod ct_beside;
pub(crate) mod ct_program;
mod elements;
mod function;
mod header;
mod header_only;
mod helpers;
mod names;
pub(super) mod package;
pub(super) mod running;
mod simd;
mod slices;
mod status;
pub(super) mod stream;
mod support_files;
mod test_program;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod vectors;
mod verify;
mod versions;

use evariste_ir::{Kernel, Machine, Type};

use super::row::{Language, MAKE};
use crate::error::EmitError;
use crate::source::{Function, Parameter, Source};
use crate::unit::{Beside, Lengths, Model, Named, Unit, build};

use function::{Uses, definition};

pub use names::WORDS;
pub use package::package;
pub use simd::{has_lanes, levels as lane_levels};
pub use status::STATUS;

/// C99: a source and a header.
pub const C: Language = Language {
    name: "c",
    about: "C99: source and header",
    extension: "c",
    machine_code: false,
    has_arrays: true,
    faces: &[],
    module: None,
    floats: true,
    is_c: true,
    machine: None,
    table_bytes: None,
    tools: &["make"],
    test: MAKE,
    package: package::package,
};

/// One header of inline functions.
pub const HEADER_ONLY: Language = Language {
    name: "c-header",
    about: "one header of inline functions, for C99 and C++",
    extension: "h",
    has_arrays: false,
    faces: &[],
    module: None,
    package: header_only::package,
    ..C
};

/// C99 with machine code beside it.
pub const ASSEMBLY: Language = Language {
    name: "asm",
    about: "assembly, selected at run time, with the C as the fallback",
    extension: "S",
    machine_code: true,
    package: beside::package,
    ..C
};

/// C99 in words of 32 bits, whose products are integers of 64 bits: for compilers without wider ones.
pub const PORTABLE: Language = Language {
    name: "c-portable",
    about: "C99 without integers of 128 bits: words of 32 bits",
    has_arrays: false,
    faces: &[],
    module: None,
    machine: Some(Machine::C32_WIDE),
    table_bytes: None,
    ..C
};

/// The parameters in calling order.
pub fn parameters(kernel: &Kernel) -> Vec<Parameter> {
    crate::unit::parameters(kernel, &WORDS)
}

/// The functions for kernels as one C text, `prefix_operation` each, in the order given.
pub fn source(kernels: &[Named], prefix: &str, opening: &str) -> Result<Source, EmitError> {
    source_beside(kernels, prefix, &Frame { opening, ..Frame::default() })
}

/// Kernels as one C text, each as if it stood alone: functions that it calls are its own, so that a compiler has the
/// same reasons to inline them. Names of kernel `i` begin with `prefix` and `i`.
pub fn source_apart(kernels: &[Named], prefix: &str, opening: &str) -> Result<Source, EmitError> {
    let mut unit = Unit::default();
    for (i, kernel) in kernels.iter().enumerate() {
        let prefix = format!("{prefix}{i}");
        let own = build(std::slice::from_ref(kernel), &Beside { prefix: &prefix, ..usual(kernels) })?;
        unit.functions.extend(own.functions);
        unit.helpers.extend(own.helpers);
    }
    Ok(text_of(&unit, kernels, &Frame { opening, ..Frame::default() }))
}

/// Functions beside which nothing is given.
fn usual<'a>(kernels: &[Named]) -> Beside<'a> {
    let lanes = kernels.iter().any(|(_, k)| Model::of(k) == Model::Lanes);
    Beside {
        prefix: "",
        dispatched: &[],
        words: &WORDS,
        taken: if lanes { &slices::NAMES } else { &[] },
        lengths: Lengths::USUAL,
    }
}

/// What a text of functions stands in.
#[derive(Clone, Copy, Default, Debug)]
struct Frame<'a> {
    /// What it opens with.
    opening: &'a str,
    /// Operations whose functions are given elsewhere ([`Beside`]).
    dispatched: &'a [&'a str],
    /// The layout for targets without integers of 128 bits.
    narrow: Option<&'a str>,
    /// Is it part of a header?
    inline: bool,
}

/// As [`source`], in a frame.
fn source_beside(kernels: &[Named], prefix: &str, frame: &Frame) -> Result<Source, EmitError> {
    let unit = build(kernels, &Beside { prefix, dispatched: frame.dispatched, ..usual(kernels) })?;
    Ok(text_of(&unit, kernels, frame))
}

/// The text of a unit, whose public functions are those of the kernels, in their order.
fn text_of(unit: &Unit, kernels: &[Named], frame: &Frame) -> Source {
    let Frame { opening, narrow, inline, .. } = *frame;
    let is = |model| kernels.iter().any(|(_, k)| Model::of(k) == model);
    let mut uses = Uses { inline, ..Uses::default() };
    let body: String = unit.functions.iter().map(|f| format!("\n{}", definition(f, &mut uses))).collect();
    let mut text = opening.to_string();
    // A header leaves the user's options as they are.
    if is(Model::Words) && !inline {
        text += NO_VECTOR_STORES;
    }
    if is(Model::Lanes) && !inline {
        text += types::LANES;
    }
    if uses.wide || unit.helpers.iter().any(|h| helpers::is_wide(*h)) {
        text += &wide_integers(narrow);
        text += &once(inline, "uint128", "__extension__ typedef unsigned __int128 uint128;\n");
    }
    if unit.helpers.iter().any(|h| helpers::is_wide_signed(*h)) {
        text += &once(inline, "int128", "__extension__ typedef __int128 int128;\n");
    }
    if unit.functions.iter().any(|f| f.kernel.values.iter().any(|v| matches!(v.ty, Type::Float(_)))) {
        text += FLOATS;
    }
    if uses.checks {
        text += verify::CHECK;
    }
    if uses.numbers {
        let limbs = unit.functions.iter().map(|f| verify::limbs(&f.kernel)).max();
        text += &verify::number_functions(limbs.unwrap_or(0));
    }
    text += &helpers::all(&unit.helpers, |name, text| once(inline, name, &text));
    if uses.parts {
        text += function::PART;
    }
    text += &body;
    let public = unit.functions.iter().filter(|f| f.public).zip(kernels);
    let functions =
        public.map(|(f, (_, kernel))| Function { symbol: f.symbol.clone(), parameters: parameters(kernel) }).collect();
    Source { text, functions }
}

/// A definition that several packages have, in a header under a guard: a file may include them all.
fn once(inline: bool, name: &str, text: &str) -> String {
    if !inline {
        return text.to_string();
    }
    format!("#ifndef EVARISTE_HAS_{name}\n#define EVARISTE_HAS_{name}\n{}\n#endif\n", text.trim_end())
}

/// Stops a compiler without integers of 128 bits, and names the layout that works there.
fn wide_integers(narrow: Option<&str>) -> String {
    let instead = narrow.map_or("with words of 32 bits".to_string(), |layout| format!("with --layout {layout}"));
    format!(
        "\n#if !defined(__SIZEOF_INT128__)\n#error \"these functions need unsigned __int128, which this target lacks: emit the package {instead}\"\n#endif\n"
    )
}

/// gcc gathers the words of a result into vectors to store them, which doubles the latency of an addition (measured:
/// 11.9 and 6.6 cycles).
const NO_VECTOR_STORES: &str = "
/* Words are stored one by one: gathering them into vectors first takes longer than the sums themselves. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize(\"no-tree-slp-vectorize\")
#endif
";

/// Floating-point products must round by themselves, so that their errors can be computed.
const FLOATS: &str = "
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize(\"fp-contract=off\")
#endif
";
