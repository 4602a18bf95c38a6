//! The header: what a user of the functions reads.

use crate::describe::facts;
use crate::notice::{comment_safe, notice};
use crate::package::Content;
use crate::unit::Model;

use super::blocks;
use super::elements;
use super::running;
use super::simd;
use super::slices;
use super::status;
use super::stream;
use super::types::LANES;

/// `PREFIX.h`.
pub(crate) fn header(content: &Content) -> String {
    let (guard, opening) = opening(content, "declarations");
    let linked = "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    let end = "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    guard + &opening + linked + &declarations(content) + end
}

/// The notice with the guard, and the comment over all; `#endif` is the caller's.
pub(super) fn opening(content: &Content, what: &str) -> (String, String) {
    let guard = format!("{}_H", content.prefix.to_ascii_uppercase());
    let counts = [simd::has_arrays, blocks::is_in, stream::is_in, running::is_in].iter().any(|has| has(content));
    let sizes = if counts { "#include <stddef.h>\n" } else { "" };
    let first = notice(content, what) + &format!("\n#ifndef {guard}\n#define {guard}\n\n{sizes}#include <stdint.h>\n");
    let mut out = "\n/*\n".to_string();
    for line in content.description.lines() {
        out += &format!(" * {}\n", comment_safe(line));
    }
    out += " *\n * All functions run in constant time (no branch and no address depends on data) unless their comment says otherwise,\n";
    out += " * and assume the bounds that it states. Outputs come first. Nothing is allocated.\n */\n";
    (first, out)
}

/// Types, constants and declarations.
pub(super) fn declarations(content: &Content) -> String {
    let mut out = String::new();
    if content.kernels.iter().any(|(_, k)| Model::of(k) == Model::Lanes) {
        out += LANES;
        if !content.machine_code.is_empty() {
            out += "#if EVARISTE_LANES != 64\n#error \"machine code takes 64 elements\"\n#endif\n";
        }
    }
    if content.elements.is_some() || !content.statuses.is_empty() {
        out += status::STATUS;
    }
    out += &elements::types(content);
    for (operation, kernel) in &content.kernels {
        let symbol = format!("{}_{operation}", content.prefix);
        let facts = facts(kernel);
        out += &format!("\n/* {symbol}:\n");
        for fact in facts.into_iter().chain(elements::form(content, operation)).chain(status::note(content, operation))
        {
            out += &format!(" *   {fact}\n");
        }
        out += &format!(" */\n{}{};\n", content.linkage(), elements::typed_signature(content, operation, kernel));
    }
    out += &status::declarations(content);
    out += &elements::declarations(content);
    out += &simd::declaration(content);
    out += &slices::declarations(content);
    out + &blocks::declarations(content) + &stream::declarations(content) + &running::declarations(content)
}
