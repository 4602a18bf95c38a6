//! The part of `ct.c` that runs the functions beside the kernels: reading of bytes with a status, tests of elements,
//! and the way into slices and back.

use crate::package::Content;

use super::blocks;
use super::elements;
use super::running;
use super::simd;
use super::slices;
use super::stream;
use super::types::unsigned;

/// An array of a function: its type, its name, its length.
pub struct Operand {
    pub ty: String,
    pub name: &'static str,
    pub len: String,
}

/// A function that C makes of others.
pub struct Made {
    /// Its name behind the prefix.
    pub name: &'static str,
    /// Arrays that it writes; they come first.
    pub outputs: Vec<Operand>,
    /// Arrays that it reads.
    pub inputs: Vec<Operand>,
    /// Does it give a status?
    pub status: bool,
}

impl Made {
    /// Elements of a field in and out, all of one type.
    pub fn of_elements(
        name: &'static str,
        content: &Content,
        output: Option<Operand>,
        inputs: &[&'static str],
    ) -> Made {
        let inputs = inputs.iter().map(|name| element(content, name)).collect();
        Made { name, status: output.is_none(), outputs: output.into_iter().collect(), inputs }
    }
}

/// An element of the field.
pub fn element(content: &Content, name: &'static str) -> Operand {
    let (ty, len) = content.elements.map_or(("", 0), |e| (unsigned(e.word), e.weights.len()));
    Operand { ty: ty.into(), name, len: len.to_string() }
}

/// The functions beside the kernels that a package has.
fn all(content: &Content) -> Vec<Made> {
    elements::made(content).into_iter().chain(slices::made(content)).collect()
}

/// For `ct.c`: a function for each, and the lines that call them.
pub fn runs(content: &Content) -> (String, String) {
    let all = all(content);
    let calls: String = all.iter().map(|made| format!("  ct_{}();\n", made.name)).collect();
    let (arrays, array_calls) = simd::ct(content);
    let (buffers, buffer_calls) = blocks::ct(content);
    let (streams, stream_calls) = stream::ct(content);
    let (messages, message_calls) = running::ct(content);
    let all: String = all.iter().map(|made| run(content, made)).collect();
    (
        all + &arrays + &buffers + &streams + &messages,
        calls + &array_calls + &buffer_calls + &stream_calls + &message_calls,
    )
}

/// One function on inputs that are undefined.
fn run(content: &Content, made: &Made) -> String {
    let (name, symbol) = (made.name, format!("{}_{}", content.prefix, made.name));
    let mut out = format!("\nstatic void ct_{name}(void) {{\n");
    for Operand { ty, name, len } in made.outputs.iter().chain(&made.inputs) {
        // Slices of many lanes are long for a stack.
        out += &format!("  static {ty} {name}[{len}];\n");
    }
    if made.status {
        out += "  int status;\n";
    }
    out += "  unsigned long before = VALGRIND_COUNT_ERRORS;\n";
    for input in &made.inputs {
        out += &format!("  (void)VALGRIND_MAKE_MEM_UNDEFINED({0}, sizeof {0});\n", input.name);
    }
    let arguments: Vec<&str> = made.outputs.iter().chain(&made.inputs).map(|o| o.name).collect();
    let given = if made.status { "status = " } else { "" };
    out += &format!("  {given}{symbol}({});\n", arguments.join(", "));
    let mut arrived: Vec<String> = made.outputs.iter().map(|o| format!("is_secret({0}, sizeof {0})", o.name)).collect();
    if made.status {
        arrived.push("is_secret(&status, sizeof status)".into());
    }
    out + &format!("  judge(\"{symbol}\", VALGRIND_COUNT_ERRORS - before, {});\n}}\n", arrived.join(" && "))
}
