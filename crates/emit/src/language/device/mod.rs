//! What languages of many threads share, in which a thread computes one element: OpenCL C and CUDA C++. Values of up to 64 bits
//! are unsigned words of 64; functions take pointers to a thread's own arrays, and kernels load from arrays of elements, call
//! and store. A [`Dialect`] says what the languages write in different ways.

mod bytes;
mod chain;
mod dialect;
mod helpers;
mod notation;
mod vectors;

use std::cell::RefCell;
use std::collections::BTreeSet;

use evariste_ir::{Array, ArrayKind, Carries, Kernel, Machine};

use super::words::{Printer, facts, is_supported};
use crate::error::EmitError;
use crate::package::Content;
use crate::unit::{Beside, Body, Function, Lengths, Model, build};

pub use bytes::{Host, files, readme as readme_of_bytes, test_lines};
pub use dialect::Dialect;
pub use vectors::vectors;

use chain::Shape;
use dialect::{bits, parameters};
use notation::Device;

/// Both words of a product with addends, carries, comparisons; no integers of two words.
pub const MACHINE: Machine = Machine { flags: true, unsigned: true, carries: Carries::Flag, ..Machine::JAVA };

/// Devices promise 64 KiB for all constants of a program, and two functions may have a long table each.
pub const TABLE_BYTES: u64 = 32 << 10;

/// A function's declaration, as the readme shows it.
pub fn signature(dialect: &Dialect, symbol: &str, kernel: &Kernel) -> String {
    format!("void {symbol}({});", parameters(dialect, kernel, ""))
}

/// All functions, and a kernel `…_many` for each that users call.
pub fn source(dialect: &Dialect, content: &Content) -> Result<String, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let words = dialect.words;
    let how = Beside { prefix: content.prefix, dispatched: &[], words, taken: &[], lengths: Lengths::WHOLE };
    let unit = build(&content.kernels, &how)?;
    for function in &unit.functions {
        is_supported(function, words, 64)?;
    }
    let helpers = helpers::all(dialect, &unit.helpers, content.kernels[0].1)?;
    let chains = RefCell::default();
    let functions: String = unit.functions.iter().map(|f| definition(dialect, f, &chains)).collect();
    let helpers = helpers + &chain::all(dialect, &chains.borrow());
    let kernels: String =
        content.kernels.iter().map(|(operation, kernel)| many(dialect, content, operation, kernel)).collect();
    Ok(dialect.arithmetic.to_string() + &helpers + &functions + &kernels + &bytes::kernels(dialect, content))
}

fn definition(dialect: &Dialect, function: &Function, chains: &RefCell<BTreeSet<Shape>>) -> String {
    let Function { kernel, model, symbol, body, .. } = function;
    let device = Device { symbol, dialect, chains };
    let mut printer = Printer::new(&device, dialect.words, function);
    match body {
        Body::Same(other) => {
            let names: Vec<String> = kernel.visible().map(|a| dialect.words.name(&kernel.array(a).name)).collect();
            printer.line(&format!("{other}({});", names.join(", ")));
        }
        body => printer.body(body),
    }
    let lines: String = facts(*model, kernel).iter().map(|line| format!(" *   {line}\n")).collect();
    format!(
        "{}\n/* Kernel {}.\n{lines} */\n{} void {symbol}({}) {{\n{}}}\n",
        printer.before,
        kernel.name,
        dialect.function,
        parameters(dialect, kernel, ""),
        printer.out
    )
}

/// A thread loads its element's words, calls, and stores: results may lie on operands as wholes.
fn many(dialect: &Dialect, content: &Content, operation: &str, kernel: &Kernel) -> String {
    let symbol = format!("{}_{operation}", content.prefix);
    let [count, thread] = dialect.thread;
    let (mut declared, mut loaded, mut passed, mut stored) = (String::new(), String::new(), Vec::new(), String::new());
    for (i, a) in kernel.visible().enumerate() {
        let (info, ty) = (kernel.array(a), dialect.element(bits(kernel, a)));
        let (own, theirs, len) = (format!("evariste_{i}"), dialect.words.name(&info.name), info.len);
        declared += &format!("  {ty} {own}[{len}];\n");
        let each = |to: String, from: String| format!("  for (int i = 0; i < {len}; i++) {to} = {from};\n");
        let whole = format!("{theirs}[evariste_at * {len} + i]");
        if info.kind != ArrayKind::Output {
            loaded += &each(format!("{own}[i]"), whole.clone());
        }
        if info.kind != ArrayKind::Input {
            stored += &each(whole, format!("{own}[i]"));
        }
        passed.push(own);
    }
    let [kernel_word, array_word] = dialect.kernel;
    let given = [parameters(dialect, kernel, array_word), format!("const {count} evariste_count")].join(", ");
    format!(
        "\n/* {symbol} of each of so many elements: thread k takes words and gives words from k times their number on. */\n{kernel_word} void {symbol}_many({given}) {{\n  const {count} evariste_at = {thread};\n{declared}  if (evariste_at >= evariste_count) return;\n{loaded}  {symbol}({});\n{stored}}}\n",
        passed.join(", ")
    )
}

/// The readme's paragraphs that are alike.
pub fn usage(content: &Content) -> String {
    let prefix = content.prefix;
    let mut out = format!(
        "A thread computes one element. `{prefix}_OPERATION` takes a thread's own arrays, results first, words lowest first; a result may lie on an operand as a whole. The kernel `{prefix}_OPERATION_many` takes arrays of elements, one behind the other as in the packages of other languages, and behind them the number of elements; a result may be an operand.\n\n\
         Functions and kernels branch on no data and use no address that depends on data, unless their name says `vartime`. What a driver's compiler makes of that is the driver's: no barriers are known to it.\n"
    );
    if content.kernels.iter().any(|(_, kernel)| Model::of(kernel) == Model::Lanes) {
        out += "\nBit-sliced functions compute 64 elements a thread: bit k of every word belongs to element k.\n";
    }
    out
}

/// The entries of a list of untyped pointers as the arguments of a function.
pub fn pointers(dialect: &Dialect, kernel: &Kernel, list: &str) -> Vec<String> {
    let argument = |(i, a): (usize, Array)| {
        let constant = if kernel.array(a).kind == ArrayKind::Input { "const " } else { "" };
        format!("({constant}{} *){list}[{i}]", dialect.element(bits(kernel, a)))
    };
    kernel.visible().enumerate().map(argument).collect()
}
