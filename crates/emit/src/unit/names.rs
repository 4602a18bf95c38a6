//! Names of functions, arrays and values.

use std::collections::HashSet;

use evariste_ir::{Array, Kernel, Op, Type, Value};

/// Names that a language keeps for itself.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What the language is called in messages.
    pub language: &'static str,
    /// Whole words.
    pub reserved: &'static [&'static str],
    /// Beginnings, such as those of helpers.
    pub beginnings: &'static [&'static str],
}

impl Words {
    /// A name of the kernel's: its own, with an underscore where the language needs the word itself.
    pub fn name(&self, name: &str) -> String {
        let clash = self.reserved.contains(&name) || self.beginnings.iter().any(|h| name.starts_with(h));
        if clash { format!("{name}_") } else { name.to_string() }
    }
}

/// Is the text a name that every language and our tests take: a letter, then letters, digits, underscores?
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// An identifier like `text`.
pub fn suggest(text: &str) -> String {
    let cleaned: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let cleaned = cleaned.trim_matches('_');
    match cleaned.chars().next() {
        None => "field".to_string(),
        Some(c) if c.is_ascii_digit() => format!("f{cleaned}"),
        Some(_) => cleaned.to_string(),
    }
}

/// Names of values in one function, none given twice.
#[derive(Debug)]
pub struct Names {
    taken: HashSet<String>,
    next: u32,
    of: Vec<Option<String>>,
}

impl Names {
    /// No value has a name yet; arrays have theirs.
    pub fn new(kernel: &Kernel, words: &Words) -> Names {
        let array = |name: &str| words.name(name);
        let mut taken: HashSet<String> = words.reserved.iter().map(|s| s.to_string()).collect();
        taken.extend(kernel.arrays.iter().flat_map(|a| ["", "_index", "_view", "_at"].map(|end| array(&a.name) + end)));
        Names { taken, next: 0, of: vec![None; kernel.values.len()] }
    }

    /// The name of a value that has been given one.
    pub fn get(&self, value: Value) -> Option<&str> {
        self.of[value.0 as usize].as_deref()
    }

    /// Lets `value` be called what `other` is called.
    pub fn share(&mut self, value: Value, other: Value) {
        self.of[value.0 as usize] = self.of[other.0 as usize].clone();
    }

    /// A name that nobody has: `wish` if it is free.
    pub fn fresh(&mut self, wish: &str) -> String {
        let mut name = wish.to_string();
        let mut count = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wish}_{count}");
            count += 1;
        }
        name
    }

    /// Names a loaded element: `a3`, or `a1_3` where the array's name ends in a digit.
    pub fn loaded(&mut self, value: Value, array: &str, element: Option<i64>) -> String {
        let joint = if array.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let wish = match element {
            Some(i) => format!("{array}{joint}{i}"),
            None => format!("{array}{joint}{}", self.number()),
        };
        self.give(value, &wish)
    }

    /// Names the results of an operation by what they are: `lo`, `hi`, `c` for carries, `m` for masks, `w` for double
    /// words, `t` for others.
    pub fn results(&mut self, op: &Op, results: &[Value], types: &[Type]) {
        let number = self.number();
        for (i, (value, ty)) in results.iter().zip(types).enumerate() {
            let stem = match (op, i, ty) {
                (Op::MulWide | Op::MulAddAdd, 0, _) => "lo",
                (Op::MulWide | Op::MulAddAdd, 1, _) => "hi",

                (_, _, Type::Flag) => "c",
                (_, _, Type::Mask(_)) => "m",
                (_, _, Type::Wide(_)) => "w",
                (_, _, Type::Float(_)) => "f",
                (Op::Select, ..) => "s",
                _ => "t",
            };
            let wish = if matches!(op, Op::Split) { format!("{stem}{number}_{i}") } else { format!("{stem}{number}") };
            self.give(*value, &wish);
        }
    }

    fn give(&mut self, value: Value, wish: &str) -> String {
        let name = self.fresh(wish);
        self.of[value.0 as usize] = Some(name.clone());
        name
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

/// The name of a table of public indices.
pub fn index_table(kernel: &Kernel, words: &Words, table: Array) -> String {
    format!("{}_index", words.name(&kernel.array(table).name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        assert!(is_identifier("p256") && is_identifier("a_b"));
        assert!(
            !is_identifier("")
                && !is_identifier("2x")
                && !is_identifier("a-b")
                && !is_identifier("_a")
                && !is_identifier("é")
        );
        assert_eq!(["2^255-19", "a-b", "", "ü"].map(suggest), ["f2_255_19", "a_b", "field", "field"]);
        let words = Words { language: "C", reserved: &["this"], beginnings: &["mask_"] };
        assert_eq!(["a", "this", "mask_64"].map(|name| words.name(name)), ["a", "this_", "mask_64_"]);
    }
}
