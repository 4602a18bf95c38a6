//! Times packages of fields in several languages by their own benchmarks, one after the other:
//! `cargo run --release -p evariste-reproduce --example languages -- LANGUAGES FIELD…`, such as `c,java p256 25519`.
//! Nanoseconds of a product and a square, calls one after another and each on the result of the last, by plans of least
//! estimate; in Java beside BigInteger.

use evariste_algorithms::Operation;
use evariste_descriptions::Field;
use evariste_emit::language;
use evariste_reproduce::own_bench::numbers;
use evariste_tune::choose::{Wish, choose_for};
use evariste_tune::package::{Request, package};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [languages, fields @ ..] = arguments.as_slice() else { return Err("LANGUAGES FIELD…".into()) };
    println!("{:<14} {:<9} {:<30} {:>11} {:>8}   ns", "field", "language", "function, layout", "throughput", "latency");
    for name in fields {
        for text in languages.split(',') {
            of(name, text)?;
        }
    }
    Ok(())
}

/// Writes the package of a field in a language, runs its benchmark and prints what it says.
fn of(name: &str, text: &str) -> Result<(), String> {
    let field = Field::parse(name).map_err(|e| e.to_string())?;
    let row = language(text).map_err(|e| e.to_string())?;
    let word = row.machine.map(|machine| machine.word);
    let wish = Wish { canonical: true, word, machine: row.counted_as(), ..Wish::default() };
    let chosen = choose_for(&field, &[64, 32], None, None, wish).map_err(|e| e.to_string())?;
    let request = Request {
        language: row.name.into(),
        prefix: "fe".into(),
        operations: [Operation::MUL, Operation::SQUARE].map(|operation| operation.name()).into(),
        command_line: format!("evariste emit {name} --lang {} --prefix fe", row.name),
        ..Request::default()
    };
    let files = package(&chosen, &request, |_, _| ()).map_err(|e| e.to_string())?.files;
    let ((), told) = numbers(&files, row.name, || ()).map_err(|e| e.to_string())?;
    for (function, times) in
        told.iter().filter(|(function, _)| !["loop", "throughput"].iter().any(|word| function.starts_with(word)))
    {
        let time = |at: usize| times.get(at).filter(|ns| !ns.is_nan()).map_or("-".into(), |ns| format!("{ns:.2}"));
        let function = function.replace("fe_", "");
        let function = format!("{function}, {}", chosen.layout.name);
        println!("{name:<14} {:<9} {function:<30} {:>11} {:>8}", row.name, time(0), time(1));
    }
    Ok(())
}
