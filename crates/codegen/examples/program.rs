//! Prints the programs of a field's kernels:
//! `cargo run --release -p evariste-codegen --example program -- FIELD [OPERATION [PLAN]]`. With a plan the graph and
//! the program itself, else counts of all plans.

use std::time::Instant;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::lower::lower;
use evariste_codegen::x86_64::{Features, compile, count::count};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, rest @ ..] = arguments.as_slice() else { return eprintln!("FIELD [OPERATION [PLAN]]") };
    let Ok(field) = Field::parse(field) else { return eprintln!("{field} is no field") };
    let Some(operation) = Operation::parse(rest.first().map_or("mul", String::as_str)) else {
        return eprintln!("no such operation");
    };
    for layout in layouts(&field, 64) {
        for plan in plans(&field, &layout, &operation) {
            if rest.get(1).is_some_and(|name| plan.name() != *name) {
                continue;
            }
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { continue };
            let start = Instant::now();
            let compiled = compile(&proved, Features::ADX, None);
            let time = start.elapsed();
            match compiled {
                Ok(program) => {
                    println!("{:55} {} ({:.2} ms)", plan.name(), count(&program), time.as_secs_f64() * 1e3);
                    if rest.len() > 1 {
                        if let Ok(graph) = lower(proved.kernel()) {
                            println!("{graph}");
                        }
                        println!("{program}");
                    }
                }
                Err(e) => println!("{:55} {e}", plan.name()),
            }
        }
    }
}
