//! Known answers as data of C: a table for each parameter, and a list of functions that tests and benchmarks walk.

use evariste_ir::{Array, ArrayKind, Kernel};
use num_bigint::BigInt;

use super::super::words::{placements, rows};
use super::dialect::bits;
use crate::error::EmitError;
use crate::manifest::params;
use crate::notice::notice;
use crate::package::Content;

/// `PREFIX_vectors.h`.
pub fn vectors(content: &Content) -> Result<String, EmitError> {
    let guard = format!("{}_VECTORS_H", content.prefix.to_ascii_uppercase());
    let mut out = notice(content, "known answers");
    out += &format!("\n#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include <stdint.h>\n");
    let mut lines = String::new();
    let most = |all: &dyn Fn(&Kernel) -> usize| content.kernels.iter().map(|(_, k)| all(k)).max().unwrap_or(0).max(1);
    for (operation, kernel) in &content.kernels {
        let all = rows(content, operation, kernel)?;
        for written in [false, true] {
            for (at, a) in params(kernel, written).into_iter().enumerate() {
                let column: Vec<&Vec<BigInt>> =
                    all.iter().map(|row| if written { &row.outputs[at] } else { &row.inputs[at] }).collect();
                out += &table(&name(operation, at, written), bits(kernel, a), kernel.array(a).len, &column);
            }
        }
        lines += &line(operation, kernel, all.len());
    }
    out += &TYPES
        .replace("MOST_PARAMETERS", &most(&|k| k.visible().count()).to_string())
        .replace("MOST_SHARES", &most(&|k| placements(k).len() - 1).to_string());
    Ok(out + &format!("\nstatic const struct function functions[] = {{\n{lines}}};\n\n#endif\n"))
}

const TYPES: &str = "
/* A parameter: 'i' for what is read, 'o' for what is written, 'b' for both; bytes of an element; what is given, and known. */
struct parameter {
  char role;
  size_t bytes;
  const void *given, *known;
};

/* A function, its answers, and which written parameter may be which read one. */
struct function {
  const char *name;
  size_t rows;
  int parameter_count, share_count;
  struct parameter parameters[MOST_PARAMETERS];
  int shares[MOST_SHARES][2];
};
";

fn name(operation: &str, at: usize, written: bool) -> String {
    format!("{operation}_{}{at}", if written { "known" } else { "given" })
}

fn table(name: &str, bits: u32, len: u32, column: &[&Vec<BigInt>]) -> String {
    let row = |words: &&Vec<BigInt>| {
        let words: Vec<String> =
            words.iter().map(|x| format!("{x:#x}{}", if bits == 64 { "ull" } else { "u" })).collect();
        format!("  {{{}}},\n", words.join(", "))
    };
    let rows: String = column.iter().map(row).collect();
    format!("\nstatic const uint{bits}_t {name}[{}][{len}] = {{\n{rows}}};\n", column.len())
}

fn line(operation: &str, kernel: &Kernel, rows: usize) -> String {
    let (read, written) = (params(kernel, false), params(kernel, true));
    let column = |all: &[Array], a: Array, end: bool| {
        all.iter().position(|b| *b == a).map_or("NULL".to_string(), |at| name(operation, at, end))
    };
    let visible: Vec<Array> = kernel.visible().collect();
    let parameter = |a: &Array| {
        let role = match kernel.array(*a).kind {
            ArrayKind::Input => 'i',
            ArrayKind::Output => 'o',
            _ => 'b',
        };
        let bytes = bits(kernel, *a) / 8 * kernel.array(*a).len;
        format!("{{'{role}', {bytes}, {}, {}}}", column(&read, *a, false), column(&written, *a, true))
    };
    let at = |a: Array| visible.iter().position(|b| *b == a).unwrap_or(0);
    let shares: Vec<String> =
        placements(kernel).into_iter().flatten().map(|(w, r)| format!("{{{}, {}}}", at(w), at(r))).collect();
    let parameters: Vec<String> = visible.iter().map(parameter).collect();
    let listed = if shares.is_empty() { "{0, 0}".to_string() } else { shares.join(", ") };
    format!(
        "  {{\"{operation}\", {rows}, {}, {}, {{{}}}, {{{listed}}}}},\n",
        parameters.len(),
        shares.len(),
        parameters.join(", ")
    )
}
