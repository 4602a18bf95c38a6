//! Moduli as a kind of structure: names, lines of explanation, arithmetic by name.

use num_bigint::{BigInt, BigUint, Sign};

use crate::digest::digest;
use crate::{Modulus, Shape, Structure};

impl Structure for Modulus {
    fn name(&self) -> String {
        self.name.map_or_else(|| short_expression(self), str::to_owned)
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn description(&self) -> String {
        describe_modulus(self)
    }

    fn called(&self) -> String {
        self.name.map_or_else(|| self.text.clone(), str::to_owned)
    }

    fn title(&self) -> String {
        self.name.map_or_else(|| self.text.clone(), |name| format!("{name} ({})", self.text))
    }

    fn package_title(&self) -> String {
        format!("Arithmetic modulo {}", self.title())
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn order(&self) -> BigUint {
        self.value.clone()
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        let residue = self.reduce(integer.magnitude());
        Some(if integer.sign() == Sign::Minus { self.neg(&residue) } else { residue })
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.mul(a, b))
    }

    fn whole_product(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a * b)
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.add(a, b))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.neg(a))
    }

    fn canonical(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.reduce(a))
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        self.inverse(a)
    }

    fn complaint(&self, operation: &str, operands: &[BigUint]) -> Option<String> {
        let a = operands.first().filter(|a| operation == "sqrt" && self.prime && !self.is_square(a))?;
        Some(format!(
            "{a:#x} is no square modulo {}, and has no square root\nhelp: is_square tells which numbers have",
            self.called()
        ))
    }
}

/// The expression without blanks if it is short, in hexadecimal if the digits are a name, else the bit length and a
/// digest.
fn short_expression(modulus: &Modulus) -> String {
    let text: String = modulus.text.chars().filter(|c| !c.is_whitespace()).collect();
    match text.len() {
        _ if text.starts_with('(') => format!("{:#x}", modulus.value),
        0..=32 => text,
        _ => format!("mod{}-{:08x}", modulus.bits, digest(&modulus.value)),
    }
}

/// Lines: what it is, prime or not, its shapes, where it comes from.
fn describe_modulus(modulus: &Modulus) -> String {
    let mut lines = Vec::new();
    let title = match modulus.named() {
        Some(named) => format!("{}: {}, {}", named.name, modulus.text, named.what),
        None => modulus.text.clone(),
    };
    lines.push(title);
    let bits = modulus.bits;
    lines.push(match (modulus.prime, modulus.small_factor) {
        (true, _) => format!("a field: the modulus is a prime of {bits} bits (Baillie-PSW)"),
        (false, Some(factor)) => {
            format!("a ring, not a field: the modulus has {bits} bits and is composite, {factor} divides it; only units have an inverse")
        }
        (false, None) => {
            format!("a ring, not a field: the modulus has {bits} bits and is composite (Baillie-PSW); only units have an inverse")
        }
    });
    for shape in &modulus.shapes {
        lines.push(match shape {
            Shape::Generic => "form: no special form".to_owned(),
            shape => format!("form: {shape}"),
        });
    }
    if let Some(named) = modulus.named() {
        lines.push(format!("source: {}", named.source));
        if named.name.bytes().all(|b| b.is_ascii_digit()) {
            lines.push(format!("note: {0} is a name here; for the number {0} write ({0})", named.name));
        }
    }
    lines.join("\n")
}
