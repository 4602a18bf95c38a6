//! What languages with the signs and brackets of C write alike: operators and indices.

use crate::unit::{Arithmetic, Place, Term};

/// The sign of an operation on floats or words.
pub(super) fn sign(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Sub => "-",
        Arithmetic::Mul => "*",
    }
}

/// A public number: an index, or the count of a shift.
pub(super) fn place(at: &Place) -> String {
    place_with(at, &|table, at| format!("{table}[{at}]"))
}

/// As [`place`], where `entry` writes the entry of a table.
pub(super) fn place_with(at: &Place, entry: &dyn Fn(&str, &str) -> String) -> String {
    let place = |at: &Place| place_with(at, entry);
    let terms = match at {
        Place::Ring { sum, length, once } => {
            return format!("{}({}, {length})", if *once { "wrap_index" } else { "ring_index" }, place(sum));
        }
        Place::Sum(terms) if terms.is_empty() => return "0".to_string(),
        Place::Sum(terms) => terms,
    };
    let mut out = String::new();
    for (negative, term) in terms {
        out += match (out.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        out += &match term {
            Term::Constant(c) => c.to_string(),
            Term::Counter(1, name) => name.clone(),
            Term::Counter(k, name) => format!("{k} * {name}"),
            Term::Entry(table, at) => entry(table, &place(at)),
            Term::Element => "e".to_string(),
            Term::Place(other) => place(other),
        };
    }
    out
}
