//! Compiles and checks every plan of an operation for every processor, and says how many instructions that takes:
//! `cargo run --release -p evariste-codegen --example processors -- FIELD OPERATION [PART OF A PLAN'S NAME [text]]`.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::aarch64::Aarch64;
use evariste_codegen::assembly::Assembly;
use evariste_codegen::compile::Compile;
use evariste_codegen::x86_64::X86_64;
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};

fn show<I: Compile + Assembly>(name: &str, proved: &Proved, text: bool) {
    match I::checked(proved, I::PACKAGED.into(), None) {
        Ok(checked) => {
            println!("{name} on {}: {}", I::NAME, I::count(checked.program()));
            if text {
                println!("{}", checked.program());
            }
        }
        Err(e) => println!("{name} on {}: {e}", I::NAME),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, operation, rest @ ..] = arguments.as_slice() else {
        return eprintln!("FIELD OPERATION [PART OF A PLAN'S NAME [text]]");
    };
    let (Ok(field), Some(operation)) = (Field::parse(field), Operation::parse(operation)) else {
        return eprintln!("no such field or operation");
    };
    let (part, text) = (rest.first().map_or("", String::as_str), rest.len() > 1);
    for layout in layouts(&field, 64) {
        for plan in plans(&field, &layout, &operation).into_iter().filter(|plan| plan.name().contains(part)) {
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { continue };
            show::<X86_64>(&plan.name(), &proved, text);
            show::<Aarch64>(&plan.name(), &proved, text);
        }
    }
}
