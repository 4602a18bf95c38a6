//! Compiles and checks every plan of an operation, and says how long that takes:
//! `cargo run --release -p evariste-codegen --example checked -- FIELD OPERATION [SEGMENT INLINE]`.

use std::time::Instant;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::check::check;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::{Features, compile_within, count::count};
use evariste_descriptions::Field;
use evariste_ir::count::count as operations;
use evariste_proof::{Outcome, prove};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, operation, rest @ ..] = arguments.as_slice() else {
        return eprintln!("FIELD OPERATION [SEGMENT INLINE]");
    };
    let (Ok(field), Some(operation)) = (Field::parse(field), Operation::parse(operation)) else {
        return eprintln!("no such field or operation");
    };
    let mut limits = Limits::default();
    if let [segment, inline] = rest {
        limits = Limits {
            straight: 0,
            segment: segment.parse().unwrap_or(2048),
            inline: inline.parse().unwrap_or(40),
            ..limits
        };
    }
    for layout in layouts(&field, 64) {
        for plan in plans(&field, &layout, &operation) {
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { continue };
            let start = Instant::now();
            let compiled = compile_within(proved.kernel(), Features::ADX, None, &limits);
            let made = start.elapsed().as_secs_f64() * 1e3;
            match compiled {
                Ok(program) => {
                    let start = Instant::now();
                    let checked = check(&proved, &program);
                    let time = start.elapsed().as_secs_f64() * 1e3;
                    let verdict = checked.map_or_else(|e| e.to_string(), |c| format!("accepted, {:?}", c.report()));
                    let c = operations(proved.kernel());
                    let runs = c.multiplications + c.additions + c.wide_additions + c.logic + c.shifts + c.selects;
                    println!(
                        "{}: {runs} operations; {}; made in {made:.1} ms, checked in {time:.0} ms: {verdict}",
                        plan.name(),
                        count(&program)
                    );
                }
                Err(e) => println!("{}: {e}", plan.name()),
            }
        }
    }
}
