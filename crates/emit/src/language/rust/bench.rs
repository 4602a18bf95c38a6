//! The benchmark of a crate: nanoseconds of each operation, one call after another, and each on the result of the last
//! where that has the form of its first operand.

use evariste_ir::Kernel;

use super::super::words::chained;
use super::crate_files::crate_name;
use super::tests::{call, functions, table, tables};
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;

/// The line of a function. What is read is hidden from the compiler once, and each call takes it anew, since it sees nothing of
/// what is done with a result. A chain takes two calls a step: a result that is assigned to the operand would be copied first.
fn line(function: &str, operation: &str, kernel: &Kernel) -> String {
    let (written, read) = (params(kernel, true), params(kernel, false));
    let given = |table: &str| format!("given_{}", table.to_ascii_lowercase());
    let taken: String = (0..read.len())
        .map(|at| table(operation, at, false))
        .map(|table| format!("let {} = black_box(&{table}[0]); ", given(&table)))
        .collect();
    let called = call(function, operation, kernel, &given);
    let at = chained(kernel).filter(|_| written.len() == 1).and_then(|(_, a)| read.iter().position(|b| *b == a));
    let latency = at.map_or("f64::NAN".to_string(), |at| {
        let taken_at = table(operation, at, false);
        let on = |name: &str| {
            let called = |table: &str| if table == taken_at { format!("&{name}") } else { given(table) };
            call(function, operation, kernel, &called)
        };
        format!(
            "measure(|calls| {{ {taken}let mut x = *{}; for _ in 0..calls / 2 {{ let y = {}; x = {}; }} black_box(&x); }})",
            given(&taken_at),
            on("x"),
            on("y")
        )
    });
    format!(
        "    show(\"{function}\", measure(|calls| {{ {taken}for _ in 0..calls {{ let out = {called}; black_box(&out); }} }}), {latency});\n"
    )
}

/// `bench.rs`.
pub fn program(content: &Content) -> Result<String, EmitError> {
    let mut out = format!("\nuse std::hint::black_box;\nuse std::time::Instant;\n\nuse {}::*;\n", crate_name(content));
    let mut lines = String::new();
    for (operation, kernel) in &content.kernels {
        let named: String = tables(content, operation, kernel)?;
        // What is expected is of no use here.
        out += named.split(&format!("\nstatic {}", table(operation, 0, true))).next().unwrap_or_default();
        for function in functions(content, operation) {
            lines += &line(&function, operation, kernel);
        }
    }
    Ok(out
        + "
/// Times a loop of calls: doubles the loop until it lasts a millisecond, then keeps the least of 50 runs.
fn measure(run: impl Fn(usize)) -> f64 {
    let time = |n: usize| {
        let start = Instant::now();
        run(n);
        start.elapsed().as_nanos() as f64
    };
    let mut n = 16;
    while time(n) < 1e6 {
        n *= 2;
    }
    (0..50).map(|_| time(n) / n as f64).fold(f64::INFINITY, f64::min)
}

fn show(name: &str, throughput: f64, latency: f64) {
    let latency = if latency.is_nan() { \"-\".to_string() } else { format!(\"{latency:.2}\") };
    println!(\"{name:<32} {throughput:>12.2} {latency:>12}\");
}

fn main() {
    println!(\"{:<32} {:>12} {:>12}   ns per call, least of 50 runs\", \"\", \"throughput\", \"latency\");
" + &lines
        + "}\n")
}
