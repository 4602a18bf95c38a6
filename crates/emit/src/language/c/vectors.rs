//! Known answers as constant arrays, checked against the kernels' parameters.

use evariste_ir::{Array, Kernel};
use num_bigint::BigInt;

use crate::error::EmitError;
use crate::manifest::{answers, params};
use crate::notice::notice;
use crate::package::{Content, Vector};
use crate::unit::Model;

use super::super::words::{LANES, pack};
use super::names;
use super::types::{c_type, constant, literal};

/// Rows of the table of an operation: one a vector, or one for 64 vectors.
pub(super) fn rows(content: &Content, operation: &str) -> usize {
    let count = content.vectors.iter().filter(|v| v.operation == operation).count();
    match content.kernels.iter().find(|(name, _)| name == operation) {
        Some((_, kernel)) if Model::of(kernel) == Model::Lanes => count.div_ceil(LANES),
        _ => count,
    }
}

/// `prefix_operation_parameter` or, for what is written, `…_expected`.
pub(super) fn table_name(content: &Content, operation: &str, kernel: &Kernel, array: Array, expected: bool) -> String {
    let name = names::array(&kernel.array(array).name);
    format!("{}_{operation}_{name}{}", content.prefix, if expected { "_expected" } else { "" })
}

/// `PREFIX_vectors.h`.
pub(crate) fn vectors(content: &Content) -> Result<String, EmitError> {
    let guard = format!("{}_VECTORS_H", content.prefix.to_ascii_uppercase());
    let mut out = notice(content, "known answers");
    out += &format!("\n#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n");
    for (operation, kernel) in &content.kernels {
        let vectors = answers(content, operation, kernel)?;
        for written in [false, true] {
            for (position, array) in params(kernel, written).into_iter().enumerate() {
                let digits =
                    |v: &&Vector| if written { v.outputs[position].clone() } else { v.inputs[position].clone() };
                let all: Vec<Vec<BigInt>> = vectors.iter().map(digits).collect();
                let name = table_name(content, operation, kernel, array, written);
                out += &table(kernel, array, &name, &all);
            }
        }
    }
    out += "\n#endif\n";
    Ok(out)
}

fn table(kernel: &Kernel, array: Array, name: &str, all: &[Vec<BigInt>]) -> String {
    let info = kernel.array(array);
    let model = Model::of(kernel);
    let rows: Vec<Vec<String>> = match model {
        Model::Words => all.iter().map(|digits| digits.iter().map(|d| constant(model, info.ty, d)).collect()).collect(),
        Model::Lanes => {
            let word = |word: u64| literal(&BigInt::from(word), 64);
            all.chunks(LANES).map(|chunk| pack(chunk, info.len as usize).into_iter().map(word).collect()).collect()
        }
    };
    // Rows of 64 elements, whatever the functions take.
    let ty = if model == Model::Lanes { "uint64_t" } else { c_type(model, info.ty) };
    let mut out = format!("\nstatic const {ty} {name}[{}][{}] = {{\n", rows.len(), info.len);
    for row in rows {
        out += "  {";
        let width = row.iter().map(String::len).max().unwrap_or(1) + 2;
        let lines: Vec<String> = row.chunks((110 / width).max(1)).map(|line| line.join(", ")).collect();
        out += &lines.join(",\n   ");
        out += "},\n";
    }
    out + "};\n"
}
