//! Isomorphisms between binary fields of one degree: a root of one field's polynomial in the other.
//!
//! Every field is embedded into the polynomials modulo the usual polynomial of its degree ([`BinaryField::standard`]);
//! the element that its basis is made of goes to the conjugate root of its minimal polynomial that is the least number.
//! So conversions compose, and one there and back is the identity.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::gf2x;
use crate::BinaryField;

impl BinaryField {
    /// The linear map to another basis of the same field: `[i]` is the image of this basis's element number i. `None`
    /// where the degrees differ.
    pub fn conversion(&self, to: &BinaryField) -> Option<Vec<BigUint>> {
        if self.degree != to.degree {
            return None;
        }
        if self == to {
            return Some((0..self.degree).map(|i| BigUint::one() << i).collect());
        }
        let standard = BinaryField::standard(self.degree)?;
        let modulus = gf2x::Modulus::new(standard.modulus()?.clone());
        let there = embedding(self, &modulus);
        let back = inverse(&embedding(to, &modulus));
        Some(there.iter().map(|x| apply(&back, x)).collect())
    }

    /// An element in another basis of the same field.
    pub fn convert(&self, to: &BinaryField, a: &BigUint) -> Option<BigUint> {
        Some(apply(&self.conversion(to)?, a))
    }
}

/// The image of an element under a linear map.
fn apply(images: &[BigUint], a: &BigUint) -> BigUint {
    let used = images.iter().enumerate().filter(|(i, _)| a.bit(*i as u64));
    used.fold(BigUint::zero(), |sum, (_, image)| sum ^ image)
}

/// The images of the basis's elements in polynomials modulo `modulus`.
fn embedding(field: &BinaryField, modulus: &gf2x::Modulus) -> Vec<BigUint> {
    let root = least_root(&field.minimal_polynomial(), modulus);
    let next = |x: &BigUint| match field.basis_type() {
        Some(_) => modulus.square(x),
        None => modulus.multiply(x, &root),
    };
    let first = if field.basis_type().is_some() { root.clone() } else { BigUint::one() };
    std::iter::successors(Some(first), |x| Some(next(x))).take(field.degree as usize).collect()
}

/// The columns of the inverse matrix, by elimination; the map is one to one.
fn inverse(images: &[BigUint]) -> Vec<BigUint> {
    let mut rows: Vec<(BigUint, BigUint)> =
        images.iter().enumerate().map(|(i, x)| (x.clone(), BigUint::one() << i)).collect();
    for column in 0..rows.len() {
        let Some(pivot) = (column..rows.len()).find(|r| rows[*r].0.bit(column as u64)) else { continue };
        rows.swap(column, pivot);
        let (image, of) = rows[column].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != column && row.0.bit(column as u64) {
                row.0 ^= &image;
                row.1 ^= &of;
            }
        }
    }
    rows.into_iter().map(|(_, of)| of).collect()
}

/// The least of the roots of an irreducible polynomial of degree m in GF(2)[x] modulo another of degree m.
fn least_root(f: &BigUint, modulus: &gf2x::Modulus) -> BigUint {
    let mut root = a_root(f, modulus);
    let mut least = root.clone();
    for _ in 1..f.bits() - 1 {
        root = modulus.square(&root);
        least = least.min(root.clone());
    }
    least
}

/// A root: the traces of d·y are 0 at some roots y and 1 at others, for a suitable d (Berlekamp, "Factoring polynomials
/// over large finite fields", 1970).
fn a_root(f: &BigUint, modulus: &gf2x::Modulus) -> BigUint {
    let m = (f.bits() - 1) as usize;
    let in_f = gf2x::Modulus::new(f.clone());
    let y = in_f.reduce(BigUint::from(2u32));
    let powers: Vec<BigUint> = std::iter::successors(Some(y), |y| Some(in_f.square(y))).take(m).collect();
    let mut g: Vec<BigUint> = (0..=m).map(|i| BigUint::from(u32::from(f.bit(i as u64)))).collect();
    let mut k = 0u32;
    while g.len() > 2 {
        let mut d = modulus.reduce(BigUint::one() << k);
        let mut trace = vec![BigUint::zero(); m];
        for power in &powers {
            (0..power.bits()).filter(|j| power.bit(*j)).for_each(|j| trace[j as usize] ^= &d);
            d = modulus.square(&d);
        }
        let part = gcd(&g, &trace, modulus);
        if part.len() > 1 && part.len() < g.len() {
            let other = divide(g, &part, modulus).0;
            g = if part.len() <= other.len() { part } else { other };
        }
        k += 1;
    }
    g.swap_remove(0)
}

/// Quotient and remainder of polynomials over the field, lowest coefficient first; the divisor is monic.
fn divide(mut a: Vec<BigUint>, b: &[BigUint], modulus: &gf2x::Modulus) -> (Vec<BigUint>, Vec<BigUint>) {
    let n = b.len() - 1;
    let mut quotient = vec![BigUint::zero(); a.len().saturating_sub(n)];
    for i in (n..a.len()).rev() {
        let top = std::mem::take(&mut a[i]);
        if !top.is_zero() {
            for (x, y) in a[i - n..i].iter_mut().zip(b) {
                *x ^= modulus.multiply(&top, y);
            }
        }
        quotient[i - n] = top;
    }
    a.truncate(n);
    (quotient, a)
}

/// The monic greatest common divisor.
fn gcd(a: &[BigUint], b: &[BigUint], modulus: &gf2x::Modulus) -> Vec<BigUint> {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    loop {
        while b.last().is_some_and(Zero::is_zero) {
            b.pop();
        }
        let Some(top) = b.last() else { return a };
        let factor = modulus.inverse(top);
        b.iter_mut().for_each(|x| *x = modulus.multiply(x, &factor));
        let rest = divide(a, &b, modulus).1;
        a = std::mem::replace(&mut b, rest);
    }
}
