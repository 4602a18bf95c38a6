//! C99 from kernels: one function a kernel, and packages of them.
//!
//! What a C value stands for ([`types::Model`]) follows from the kernel: words of 64 bits are `uint64_t` with
//! `unsigned __int128` products, words of 32 bits `uint32_t` with `uint64_t`, words of one bit are a word of 64 lanes
//! (or fewer, as the compiler is told), and any other word is masked in the smallest type that holds it. The printer
//! adds nothing to the kernel but names: statements come in the kernel's order, and what nobody reads is left out.

mod bench_program;
mod call;
mod ct_program;
mod elements;
mod function;
mod header;
mod helpers;
mod index;
mod lanes;
mod names;
mod notice;
mod operations;
mod package;
mod parts;
mod prepare;
mod slices;
mod sqrt;
mod support_files;
mod test_program;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod vectors;
mod verify;

use std::sync::Arc;

use evariste_ir::{ArrayKind, Kernel, Type};

use crate::describe;
use crate::error::EmitError;
use crate::source::{Function, Parameter, Role, Source};

use call::Callee;
use helpers::Prelude;
use types::Model;

pub(crate) use bench_program::bench_program;
pub(crate) use ct_program::ct_program;
pub(crate) use elements::definitions as element_functions;
pub(crate) use function::signature;
pub(crate) use header::header;
pub(crate) use notice::{comment_safe, notice};
pub use package::package;
pub(crate) use slices::definitions as slicing;
pub(crate) use support_files::{functions as functions_section, makefile};
pub(crate) use test_program::test_program;
pub(crate) use vectors::vectors;

/// A kernel and the operation that it is in its package (the end of the function's name).
pub(crate) type Named<'a> = (String, &'a Kernel);

/// The functions for kernels as one C text, `prefix_operation` each, in the order given.
pub(crate) fn source(kernels: &[Named], prefix: &str, opening: &str) -> Result<Source, EmitError> {
    source_beside(kernels, prefix, opening, &[], None)
}

/// As [`source`], where the functions of the `dispatched` operations are given elsewhere and choose between the C
/// function, which is then called `prefix_operation_c`, and another. Other operations call what chooses; the C
/// functions themselves call C only. `narrow` is the layout for targets without integers of 128 bits.
pub(crate) fn source_beside(
    kernels: &[Named],
    prefix: &str,
    opening: &str,
    dispatched: &[&str],
    narrow: Option<&str>,
) -> Result<Source, EmitError> {
    check_names(kernels, prefix)?;
    let plain: Vec<&Kernel> = kernels.iter().map(|(_, k)| *k).collect();
    let is_dispatched = |operation: &String| dispatched.contains(&operation.as_str());
    let (beside, others): (Vec<&Named>, Vec<&Named>) =
        kernels.iter().partition(|(operation, _)| is_dispatched(operation));
    let given: Vec<Callee> = beside
        .iter()
        .map(|(operation, k)| Callee {
            kernel: Arc::new((*k).clone()),
            symbol: format!("{prefix}_{operation}"),
            model: Model::of(k),
        })
        .collect();
    // Callees of the C functions first, then those of the others: `visible` to these are what is given and all that
    // went before.
    let mut callees = Vec::new();
    beside.iter().for_each(|(_, k)| call::collect(k, prefix, &[], &mut callees));
    let for_beside = callees.len();
    others.iter().for_each(|(_, k)| call::collect(k, prefix, &given, &mut callees));
    let visible: Vec<Callee> = given.iter().chain(&callees).cloned().collect();
    let mut prelude = Prelude::default();
    let mut body = String::new();
    for (done, callee) in callees.iter().enumerate() {
        let known = if done < for_beside { &callees[..done] } else { &visible[..given.len() + done] };
        body += "\n";
        body += &function::definition(callee.model, &callee.kernel, &callee.symbol, "static ", known, &mut prelude)?;
    }
    let mut functions = Vec::new();
    for (operation, kernel) in kernels {
        let (symbol, known) = if is_dispatched(operation) {
            (format!("{prefix}_{operation}_c"), &callees[..for_beside])
        } else {
            (format!("{prefix}_{operation}"), &visible[..])
        };
        body += "\n";
        body += &function::definition(Model::of(kernel), kernel, &symbol, "", known, &mut prelude)?;
        functions.push(Function { parameters: parameters(kernel), symbol });
    }
    let all = || plain.iter().copied().chain(callees.iter().map(|c| &*c.kernel));
    if let Some(kernel) = all().find(|k| k.values.iter().any(|v| matches!(v.ty, Type::Float(..=23)))) {
        let what = "a floating-point number of fewer than 24 bits".to_string();
        return Err(EmitError::Unsupported {
            kernel: kernel.name.clone(),
            what,
            language: "C",
            help: "such formats are for tests in the interpreter; use words of 64 bits",
        });
    }
    let limbs = all().map(verify::limbs).max().unwrap_or(0);
    let helpers = prelude.text();
    let mut text = opening.to_string();
    if plain.iter().any(|k| Model::of(k) == Model::Words) {
        text += NO_VECTOR_STORES;
    }
    if plain.iter().any(|k| Model::of(k) == Model::Lanes) {
        text += types::LANES;
    }
    if helpers.contains("uint128") || body.contains("uint128") {
        text += &wide_integers(narrow);
        text += "__extension__ typedef unsigned __int128 uint128;\n";
    }
    if helpers.contains("(int128)") {
        text += "__extension__ typedef __int128 int128;\n";
    }
    if all().any(uses_floats) {
        text += FLOATS;
    }
    if body.contains("EVARISTE_CHECK") {
        text += verify::CHECK;
    }
    if body.contains("evariste_digit") {
        text += &verify::number_functions(limbs);
    }
    text += &helpers;
    if body.contains("EVARISTE_SECTION") {
        text += parts::PART;
    }
    text += &body;
    Ok(Source { text, functions })
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

fn uses_floats(kernel: &Kernel) -> bool {
    kernel.values.iter().any(|v| matches!(v.ty, Type::Float(_)))
}

/// The parameters in calling order.
pub(crate) fn parameters(kernel: &Kernel) -> Vec<Parameter> {
    let model = Model::of(kernel);
    let describe = |array| {
        let info = kernel.array(array);
        let role = match info.kind {
            ArrayKind::Input => Role::Input,
            ArrayKind::InOut => Role::InOut,
            _ => Role::Output,
        };
        Parameter { name: names::array(&info.name), bytes: model.element_bytes(info.ty) * info.len as usize, role }
    };
    prepare::visible_params(kernel).map(describe).collect()
}

fn bad(given: &str, role: &'static str) -> EmitError {
    EmitError::BadName { given: given.to_string(), role, suggestion: names::suggest(given) }
}

/// Is the prefix an identifier?
pub(crate) fn check_prefix(prefix: &str) -> Result<(), EmitError> {
    if names::is_identifier(prefix) { Ok(()) } else { Err(bad(prefix, "the prefix")) }
}

/// The parameters' names, as a call from a function of the same signature passes them on.
pub(crate) fn call_arguments(kernel: &Kernel) -> String {
    prepare::visible_params(kernel).map(|p| names::array(&kernel.array(p).name)).collect::<Vec<_>>().join(", ")
}

fn check_names(kernels: &[Named], prefix: &str) -> Result<(), EmitError> {
    check_prefix(prefix)?;
    for (i, (operation, _)) in kernels.iter().enumerate() {
        // Behind the prefix an operation may start with a digit.
        if !names::is_identifier(&format!("x{operation}")) || operation.is_empty() {
            return Err(bad(operation, "the name of an operation"));
        }
        let slicing =
            slices::NAMES.contains(&operation.as_str()) && kernels.iter().any(|(_, k)| Model::of(k) == Model::Lanes);
        if slicing || kernels[..i].iter().any(|(other, _)| other == operation) || operation.starts_with("inner_") {
            return Err(EmitError::DuplicateName { symbol: format!("{prefix}_{operation}") });
        }
    }
    Ok(())
}

/// What a function promises and needs, line by line.
pub(crate) fn facts(kernel: &Kernel) -> Vec<String> {
    facts_in(Model::of(kernel), kernel)
}

/// As [`facts`], in the model of the caller.
fn facts_in(model: Model, kernel: &Kernel) -> Vec<String> {
    let mut lines = describe::promises(kernel);
    lines.extend(describe::numbers(kernel));
    if model == Model::Lanes {
        lines
            .push("Bit-sliced: bit k of every word belongs to element k; EVARISTE_LANES elements at once.".to_string());
    }
    lines.extend(describe::aliasing(kernel, |a, b| function::is_disjoint(kernel, a, b)));
    if kernel.vartime {
        lines.push("NOT constant-time: memory is read at secret indices.".to_string());
    }
    lines
}
