//! Proves the candidates of a field whose name contains a text, and says what stayed open.
//!
//! `cargo run --release -p evariste-proof --example why -- 2^255-19 64 "mul comba+fold"`; `64/29` for the layouts for
//! lanes of words of 64 bits in digits of 29.

use std::time::Instant;

use evariste_algorithms::field_set::operations;
use evariste_algorithms::{Operation, lane_layouts, layouts, plans};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [text, word, rest @ ..] = args.as_slice() else {
        eprintln!("usage: why FIELD WORD [PART OF NAME] [dump]");
        return;
    };
    let (word, radix) = word.split_once('/').map_or((word.as_str(), None), |(word, radix)| (word, radix.parse().ok()));
    let (Ok(field), Ok(word)) = (Field::parse(text), word.parse::<u32>()) else {
        eprintln!("no such field or word");
        return;
    };
    let (mut proved, mut open) = (0, 0);
    for layout in radix.map_or_else(|| layouts(&field, word), |radix| lane_layouts(&field, word, radix)) {
        for op in operations(&field, &layout).into_iter().chain([Operation::ADD_ADD]) {
            for plan in plans(&field, &layout, &op) {
                let name = format!("{} {}", op.name(), plan.name());
                if !rest.first().is_none_or(|part| name.contains(part.as_str())) {
                    continue;
                }
                let Ok(kernel) = plan.write() else { continue };
                if rest.len() > 1 {
                    for (i, s) in kernel.body.iter().enumerate() {
                        println!("{i}: {s:?}");
                    }
                }
                let start = Instant::now();
                let outcome = prove(&kernel);
                let ms = start.elapsed().as_secs_f64() * 1e3;
                match outcome {
                    Outcome::Proved(p) => {
                        proved += 1;
                        let s = p.report().stats;
                        println!(
                            "{name:60} {ms:8.1} ms proved, {} queries, {} walks, {} eliminations, {} updates",
                            s.queries, s.walks, s.eliminations, s.updates
                        );
                    }
                    Outcome::Refuted(c) => {
                        open += 1;
                        println!("{name:60} {ms:8.1} ms REFUTED {} by {:?}", c.violation, c.inputs);
                    }
                    Outcome::Unknown(o) => {
                        open += 1;
                        println!("{name:60} {ms:8.1} ms UNKNOWN {}: {}", o.what, o.detail);
                    }
                }
            }
        }
    }
    println!("{proved} proved, {open} open");
}
