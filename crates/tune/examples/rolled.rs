//! Times machine code with loops and calls beside straight-line code and compiled C of the same plans:
//! `cargo run --release -p evariste-tune --example rolled -- FIELD OPERATION [PLAN-TEXT]`. Median cycles of independent
//! calls, paired in one run.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_backend::Made;
use evariste_backend::c::compile;
use evariste_backend::features;
use evariste_codegen::check::check;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::compile_within;
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::{Compiler, NativeFunction, TimingOptions};
use evariste_tune::measure::time;

/// The kernel as machine code within limits, and its size in bytes.
fn machine(proved: &Proved, limits: &Limits) -> Result<Made, String> {
    let features = features::<X86_64>().map_err(|e| e.to_string())?;
    let program = compile_within(proved.kernel(), features, None, limits).map_err(|e| e.to_string())?;
    let checked = check(proved, &program).map_err(|e| e.to_string())?;
    let function = evariste_jit::Function::new(&checked).map_err(|e| e.to_string())?;
    Ok(Made::scalar(proved.kernel(), NativeFunction::from_machine_code(function).map_err(|e| e.to_string())?))
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, operation, rest @ ..] = arguments.as_slice() else { return Err("FIELD OPERATION [PLAN-TEXT]".into()) };
    let field = Field::parse(field).map_err(|_| "no such field")?;
    let operation = Operation::parse(operation).ok_or("no such operation")?;
    let default = Limits::default();
    let variants = [
        ("as it is", default),
        ("rolled", Limits { straight: 0, ..default }),
        ("calls only", Limits { straight: 0, segment: 64, ..default }),
        ("segments of 512, inlined", Limits { straight: 0, segment: 512, inline: u64::MAX, ..default }),
        ("straight", Limits { straight: 1 << 16, ..default }),
    ];
    for layout in layouts(&field, 64) {
        for plan in plans(&field, &layout, &operation) {
            if rest.first().is_some_and(|text| !plan.name().contains(text.as_str())) {
                continue;
            }
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { continue };
            let mut made: Vec<(&str, Made)> = Vec::new();
            for (name, limits) in &variants {
                match machine(&proved, limits) {
                    Ok(compiled) => made.push((name, compiled)),
                    Err(e) => println!("{} {name}: {e}", plan.name()),
                }
            }
            let compiler = Compiler::find().map_err(|e| e.to_string())?;
            made.push(("C", compile(&proved, &compiler).map_err(|e| e.to_string())?));
            let pairs: Vec<(&Proved, &Made)> = made.iter().map(|(_, c)| (&proved, c)).collect();
            let timings = time(&pairs, &TimingOptions::default()).map_err(|e| e.to_string())?;
            for ((name, compiled), timing) in made.iter().zip(timings) {
                println!(
                    "{} {name}: {:.0} cycles, {} bytes",
                    plan.name(),
                    timing.throughput.cycles,
                    compiled.code_bytes.unwrap_or(0)
                );
            }
        }
    }
    Ok(())
}
