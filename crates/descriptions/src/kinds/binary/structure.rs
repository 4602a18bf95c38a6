//! Binary fields as a kind of structure: names, lines of explanation, arithmetic by name.

use num_bigint::BigUint;

use crate::{BinaryField, Structure};

impl Structure for BinaryField {
    fn name(&self) -> String {
        self.name()
    }

    fn text(&self) -> String {
        self.text()
    }

    fn description(&self) -> String {
        describe_binary(self)
    }

    fn bits(&self) -> u32 {
        self.degree
    }

    fn one(&self) -> BigUint {
        self.one()
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.multiply(a, b))
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.add(a, b))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(a.clone())
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        self.inverse(a)
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
