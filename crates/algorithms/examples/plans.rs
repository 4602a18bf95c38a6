//! Every plan of some fields, a line each: field, layout, operation, algorithm, fingerprint of the kernel's text. Two
//! runs, before and after a change of the registry, show what it changed:
//!
//!     cargo run --release -p evariste-algorithms --example plans [FIELD…] > plans.txt

use std::io::Write;

use evariste_algorithms::{Operation, field_set, lane_layouts, layouts, plans, plans_vartime};
use evariste_descriptions::Field;

/// One of each shape, short and long.
const FIELDS: &[&str] = &[
    "p256",
    "25519",
    "secp256k1",
    "bls12-381-fp",
    "goldilocks",
    "babybear",
    "dfc",
    "2^127-1",
    "448",
    "p521",
    "65521",
    "2^64-59",
    "0xfedcba9876543211",
    "int64",
    "int256",
    "int2048",
    "odd64",
    "odd256",
    "odd2048",
    "2^2203-1",
    "GF(2^8)",
    "GF(2)[x]/(x^8+x^4+x^3+x+1)",
    "GF(2^11):onb2",
    "GF(2^13):gnb4",
    "GF(2^36):onb1",
    "GF(2^29)",
    "GF(2^131):onb2",
    "GF(2^163)",
    "GF(2^233)",
];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let fields = if named.is_empty() { FIELDS.iter().map(|f| f.to_string()).collect() } else { named };
    for text in fields {
        let field = Field::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let scalar = [64, 32, 8, 1].into_iter().flat_map(|w| {
            if w == 1 && field.text().starts_with("GF") || w > 8 || field.bits() <= 16 * w {
                layouts(&field, w)
            } else {
                Vec::new()
            }
        });
        let lanes = [(64, 52), (64, 28), (8, 6)].into_iter().flat_map(|(word, radix)| {
            if word > 8 || field.bits() < 80 { lane_layouts(&field, word, radix) } else { Vec::new() }
        });
        let mut seen = Vec::new();
        for layout in scalar.chain(lanes) {
            if seen.contains(&layout.name) && layout.word == 1 {
                continue;
            }
            seen.push(layout.name.clone());
            let powers = ["pow_1f", "pow_10001"].into_iter().filter_map(Operation::parse);
            for operation in field_set::operations(&field, &layout).into_iter().chain(powers) {
                for plan in
                    plans(&field, &layout, &operation).into_iter().chain(plans_vartime(&field, &layout, &operation))
                {
                    let kernel = match plan.write() {
                        Ok(kernel) => format!("{:016x}", kernel.fingerprint()),
                        Err(why) => why.to_string(),
                    };
                    let line = format!(
                        "{} | w{} {} | {} | {} | {kernel}",
                        field.name(),
                        layout.word,
                        layout.name,
                        operation.name(),
                        plan.algorithm
                    );
                    if writeln!(std::io::stdout(), "{line}").is_err() {
                        return;
                    }
                }
            }
        }
    }
}
