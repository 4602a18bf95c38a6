//! A described structure, and how it is named and presented.

use crate::digest::digest;
use crate::{BinaryField, Integers, Modulus, OddModuli, Shape};

/// What a description means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The integers modulo an odd number; a field when that is prime.
    Modular(Modulus),
    /// Plain integers, without a reduction.
    Integers(Integers),
    /// A field of characteristic two.
    Binary(BinaryField),
    /// The integers modulo an odd number supplied at run time.
    Odd(OddModuli),
}

impl Field {
    /// A short name that tells this structure from others: `p256`, `25519`, `2^127-1`, `int256`, `gf2-131-onb2`.
    ///
    /// A long modulus without a usual form is `mod381-` and eight hexadecimal digits of its FNV-1a digest.
    pub fn name(&self) -> String {
        match self {
            Field::Modular(modulus) => match modulus.name {
                Some(name) => name.to_owned(),
                None => short_expression(modulus),
            },
            Field::Integers(integers) => format!("int{}", integers.bits),
            Field::Odd(moduli) => format!("odd{}", moduli.bits),
            Field::Binary(field) => field.name(),
        }
    }

    /// The name as an identifier of C and most other languages: `p256`, `f25519`, `f2e127m1`, `int256`, `gf2_131_onb2`.
    pub fn identifier(&self) -> String {
        let name = self.name();
        let mut identifier = String::new();
        // In a name `-` joins words; in an expression it is a sign.
        let expression = name.contains('^');
        for c in name.chars() {
            match c {
                '-' if expression => identifier.push('m'),
                '+' => identifier.push('p'),
                '^' => identifier.push('e'),
                c if c.is_ascii_alphanumeric() => identifier.push(c),
                '-' => identifier.push('_'),
                _ => {}
            }
        }
        if identifier.starts_with(|c: char| c.is_ascii_digit()) {
            identifier.insert(0, 'f');
        }
        identifier
    }

    /// A description that parses back to this structure: `2^255 - 19`, `int256`, `GF(2^131):onb2`.
    pub fn text(&self) -> String {
        match self {
            Field::Modular(modulus) => modulus.text.clone(),
            Field::Integers(integers) => format!("int{}", integers.bits),
            Field::Odd(moduli) => format!("odd{}", moduli.bits),
            Field::Binary(field) => field.text(),
        }
    }

    /// What people call it, such that it parses back: its name where it has one of its own (`p256`), else the
    /// description.
    pub fn called(&self) -> String {
        match self {
            Field::Modular(modulus) => modulus.name.map_or_else(|| self.text(), str::to_owned),
            _ => self.text(),
        }
    }

    /// The name, with what it stands for where that is another text: `p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)`.
    pub fn title(&self) -> String {
        match self {
            Field::Modular(modulus) if modulus.name.is_some() => format!("{} ({})", self.name(), self.text()),
            _ => self.text(),
        }
    }

    /// What this structure is, in a few lines.
    pub fn description(&self) -> String {
        match self {
            Field::Modular(modulus) => describe_modulus(modulus),
            Field::Integers(integers) => format!(
                "int{bits}: plain integers of {bits} bits; a product has {product} bits and is not reduced",
                bits = integers.bits,
                product = 2 * integers.bits
            ),
            Field::Binary(field) => describe_binary(field),
            Field::Odd(moduli) => format!(
                "odd{bits}: integers modulo any odd number below 2^{bits}, supplied at run time\n\
                 parameters: after the operands the modulus p, and for products inverse = -1/p modulo 2^k for digits of k bits\n\
                 elements: x*R mod p, below p or 2p; to Montgomery form by a product with R^2 mod p; no inversion, no bytes",
                bits = moduli.bits
            ),
        }
    }

    /// Bits of an element: of the modulus, of an operand, or the degree.
    pub fn bits(&self) -> u32 {
        match self {
            Field::Modular(modulus) => modulus.bits,
            Field::Integers(integers) => integers.bits,
            Field::Odd(moduli) => moduli.bits,
            Field::Binary(field) => field.degree,
        }
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

/// Lines: what it is, its basis, its multiplication matrix or where its polynomial comes from.
fn describe_binary(field: &BinaryField) -> String {
    let (m, text) = (field.degree, field.text());
    let Some(t) = field.basis_type() else {
        let source = match field.polynomial_source() {
            Some(source) => format!("source: {source}"),
            None => {
                let usual = BinaryField::standard(m).map(|f| f.text()).unwrap_or_default();
                format!("note: GF(2^{m}) alone means {usual}")
            }
        };
        return format!(
            "{text}: the binary field of degree {m} as polynomials\nbasis: 1, x, ..., x^{}\n{source}",
            m - 1
        );
    };
    let kind = if t <= 2 { "optimal" } else { "Gaussian" };
    let beta = match t {
        1 => "z".to_owned(),
        2 => "z + 1/z".to_owned(),
        t => format!("the sum of z^u over the {t} residues u with u^{t} = 1"),
    };
    let ones: usize = field.matrix().iter().map(Vec::len).sum();
    let p = field.root_order().unwrap_or_default();
    format!(
        "{text}: the binary field of degree {m} in its {kind} normal basis of type {t}\n\
         basis: B_i = beta^(2^i), beta = {beta}, z of order {p} = {t}*{m} + 1\n\
         multiplication matrix: {ones} ones"
    )
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
