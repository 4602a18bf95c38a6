//! One function in C: its comment, signature and body.

use evariste_ir::{ArrayKind, Kernel};

use crate::describe::facts_in;
use crate::unit::{Body, Function, Model, Part, Statement};

use super::body::{Text, part};
use super::names;
use super::types::c_type;
use super::verify::{self, Checks};

/// The C signature of a kernel: `void symbol(uint64_t out[4], const uint64_t a[4])`. In a definition, written arrays
/// that overlap no other are `restrict`.
pub fn signature(kernel: &Kernel, symbol: &str, definition: bool) -> String {
    signature_in(Model::of(kernel), kernel, symbol, if definition { "restrict " } else { "" })
}

/// As [`signature`], in the model of the caller, with the caller's word for what overlaps nothing.
fn signature_in(model: Model, kernel: &Kernel, symbol: &str, alone_word: &str) -> String {
    let params = kernel.visible().map(|p| {
        let info = kernel.array(p);
        let (ty, name) = (c_type(model, info.ty), names::array(&info.name));
        let constant = if info.kind == ArrayKind::Input { "const " } else { "" };
        let alone = kernel.visible().all(|q| q == p || kernel.are_disjoint(p, q));
        let restrict = info.kind != ArrayKind::Input && kernel.params().count() > 1 && alone;
        format!("{constant}{ty} {name}[{}{}]", if restrict { alone_word } else { "" }, info.len)
    });
    let params: Vec<String> = params.collect();
    format!("void {symbol}({})", if params.is_empty() { "void".to_string() } else { params.join(", ") })
}

/// The parameters' names, as a call from a function of the same signature passes them on.
pub fn call_arguments(kernel: &Kernel) -> String {
    kernel.visible().map(|p| names::array(&kernel.array(p).name)).collect::<Vec<_>>().join(", ")
}

/// The comment above a function: contract, bounds, representation.
pub fn comment(function: &Function) -> String {
    let mut lines = vec![format!("{}: kernel {}", function.symbol, function.kernel.name)];
    lines.extend(facts_in(function.model, &function.kernel).into_iter().map(|line| format!("  {line}")));
    format!("/* {}\n */\n", lines.join("\n * "))
}

/// What a file must define before its functions, by what they use.
#[derive(Clone, Copy, Default, Debug)]
pub struct Uses {
    /// Integers of 128 bits.
    pub wide: bool,
    /// The checking macro.
    pub checks: bool,
    /// Sums of whole numbers.
    pub numbers: bool,
    /// Functions in parts.
    pub parts: bool,
    /// Given, not found: are all functions `static inline`, in C and in C++?
    pub inline: bool,
}

/// What stands before a definition, and before parameters that overlap nothing.
fn words_before(inline: bool, public: bool) -> (&'static str, &'static str) {
    match (inline, public) {
        (true, _) => ("static inline ", "EVARISTE_RESTRICT "),
        (false, true) => ("", "restrict "),
        (false, false) => ("static ", "restrict "),
    }
}

/// The whole definition of a function with its comment.
pub fn definition(function: &Function, uses: &mut Uses) -> String {
    let Function { kernel, model, symbol, public, body } = function;
    let (model, (linkage, alone)) = (*model, words_before(uses.inline, *public));
    let opening = format!("{linkage}{} {{\n", signature_in(model, kernel, symbol, alone));
    if let Body::Same(other) = body {
        return format!("{}{opening}  {other}({});\n}}\n", comment(function), call_arguments(kernel));
    }
    // Names of wide types stand where something is declared.
    let declares = |s: &Statement| match s {
        Statement::Define { variable, .. } | Statement::Array { variable, .. } => variable.ty.bits(),
        Statement::Pair { first, second, .. } => first.as_ref().map_or(0, |v| v.ty.bits()).max(second.ty.bits()),
        Statement::Choose { ty, .. } | Statement::Table { entries: crate::unit::Entries::Values(ty, _), .. } => {
            ty.bits()
        }
        _ => 0,
    };
    let of_parameters = kernel.visible().any(|a| kernel.array(a).ty.bits() > 64);
    uses.wide |= model == Model::Words && of_parameters;
    function.statements(&mut |s| {
        uses.wide |= model == Model::Words && declares(s) > 64;
        uses.checks |= matches!(s, Statement::Within { .. });
    });
    let Checks { functions, entry, exit, numbers } = verify::checks(function);
    uses.checks |= !functions.is_empty();
    uses.numbers |= numbers;
    let mut text = Text::new(model);
    let mut before = functions;
    match body {
        Body::Same(_) => {}
        Body::Whole(body) => {
            let first = body.iter().take_while(|s| is_declaration(s)).count();
            text.block(&body[..first]);
            text.out += &entry;
            text.block(&body[first..]);
        }
        Body::Parts { arrays, parts } => {
            uses.parts = true;
            before += &passing(model, symbol, parts);
            text.out += &entry;
            in_parts(&mut text, symbol, arrays, parts);
        }
    }
    format!("{before}{}{opening}{}{exit}}}\n", comment(function), text.out)
}

/// The values that parts pass to each other, where there are any, and their functions.
fn passing(model: Model, symbol: &str, parts: &[Part]) -> String {
    let handed = parts.iter().flat_map(|p| &p.gives);
    let fields: String = handed.map(|v| format!("  {} {};\n", c_type(model, v.ty), v.name)).collect();
    let functions = parts.iter().map(|p| part(model, symbol, p));
    let values = (!fields.is_empty()).then(|| {
        format!("/* Values that the parts of {symbol} pass to each other. */\ntypedef struct {{\n{fields}}} live_in_{symbol};\n\n")
    });
    values.into_iter().chain(functions).collect()
}

/// Calls of the parts.
fn in_parts(text: &mut Text, symbol: &str, arrays: &[Statement], parts: &[Part]) {
    if parts.iter().any(Part::passes_values) {
        text.line(&format!("live_in_{symbol} live;"));
    }
    text.block(arrays);
    for p in parts {
        let live = p.passes_values().then_some("&live");
        let arrays = p.arrays.iter().map(|(variable, ..)| variable.name.as_str());
        let arguments: Vec<&str> = live.into_iter().chain(arrays).collect();
        text.line(&format!("{}({});", p.name, arguments.join(", ")));
    }
}

/// Tables, local arrays and unread parameters stand first.
fn is_declaration(statement: &Statement) -> bool {
    matches!(statement, Statement::Table { .. } | Statement::Array { .. } | Statement::Unread(_))
}

/// Parts are kept apart, or the compiler would put them together again.
pub const PART: &str = "
#if defined(__GNUC__)
#define EVARISTE_SECTION static __attribute__((noinline))
#else
#define EVARISTE_SECTION static
#endif
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    /// A long bit-sliced kernel has both preambles: a name that both defined kept such packages from compiling.
    #[test]
    fn its_names_are_not_those_of_bit_sliced_words() {
        let names = |text: &'static str| -> HashSet<&str> {
            let defined = text.lines().filter_map(|line| line.strip_prefix("#define "));
            defined.filter_map(|rest| rest.split([' ', '(']).next()).collect()
        };
        let (own, others) = (names(super::PART), names(super::super::types::LANES));
        assert!(!own.is_empty() && others.contains("EVARISTE_LANES"));
        assert!(own.is_disjoint(&others), "{:?}", own.intersection(&others).collect::<Vec<_>>());
    }
}
