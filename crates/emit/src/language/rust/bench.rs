//! The benchmark of a crate: nanoseconds of each operation, one call after another, and each on the result of the last
//! where that has the form of its first operand.

use super::super::words::chained;
use super::crate_files::crate_name;
use super::tests::{call, functions, table, tables};
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;

/// `bench.rs`.
pub fn program(content: &Content) -> Result<String, EmitError> {
    let mut out = format!("\nuse std::hint::black_box;\nuse std::time::Instant;\n\nuse {}::*;\n", crate_name(content));
    let mut lines = String::new();
    for (operation, kernel) in &content.kernels {
        let named: String = tables(content, operation, kernel)?;
        // What is expected is of no use here.
        out += named.split(&format!("\nstatic {}", table(operation, 0, true))).next().unwrap_or_default();
        for function in functions(content, operation) {
            let called = call(&function, operation, kernel, &|table| format!("black_box(&{table}[0])"));
            let (written, read) = (params(kernel, true), params(kernel, false));
            let at =
                chained(kernel).filter(|_| written.len() == 1).and_then(|(_, a)| read.iter().position(|b| *b == a));
            let latency = at.map_or("f64::NAN".to_string(), |at| {
            let taken = table(operation, at, false);
            let x = |table: &str| if table == taken { "&x".to_string() } else { format!("black_box(&{table}[0])") };
            let called = call(&function, operation, kernel, &x);
            format!(
                "measure(|calls| {{ let mut x = *black_box(&{taken}[0]); for _ in 0..calls {{ x = {called}; }} black_box(&x); }})"
            )
        });
            lines += &format!(
                "    show(\"{function}\", measure(|calls| for _ in 0..calls {{ let out = {called}; black_box(&out); }}), {latency});\n"
            );
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
