//! What formulas cost, beside what was published.

use evariste_formulas::{count, registry};

#[test]
fn print_counts() {
    for family in registry() {
        for entry in family.formulas {
            let f = entry.formula().unwrap();
            println!("{} | {} | {} | {}", family.name, entry.name, f.scale, count(&f));
        }
    }
}
