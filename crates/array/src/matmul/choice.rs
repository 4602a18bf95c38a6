//! Which way a product of matrices goes: by what the steps of each take on one core of AVX-512, in nanoseconds. On other
//! vectors all of them take longer by about as much.

use std::fmt;

use evariste_jit::residues::Width;

use super::Sizes;
use super::residues::Residues;
use crate::engine::Engine;

/// How a product of matrices is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductOfMatrices {
    /// Moduli by whose residues sums are taken; `None`: they are taken in columns of integers, or by multiples of rows.
    pub moduli: Option<usize>,
    /// Bits of a vector of residues.
    pub vector_bits: Option<usize>,
    /// Products that are added up before they are reduced.
    pub terms: Option<usize>,
}

impl fmt::Display for ProductOfMatrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.moduli, self.vector_bits, self.terms) {
            (Some(moduli), Some(bits), Some(terms)) => {
                write!(f, "by residues modulo {moduli} numbers on vectors of {bits} bits, {terms} products a sum")
            }
            _ => f.write_str("by sums of products of elements"),
        }
    }
}

/// Nanoseconds for one product modulo one modulus; for a residue of an entry of a factor or of the product.
const PRODUCT: f64 = 0.0043;
const RESIDUE: f64 = 0.18;

/// Nanoseconds for a product of two digits, and for each digit of an entry of the product by each.
const DIGITS: f64 = 0.05;
const CUT: f64 = 4.0;

impl Engine {
    /// How the product of a matrix of m × k elements and one of k × n is computed.
    pub fn product_of_matrices(&self, m: usize, k: usize, n: usize) -> ProductOfMatrices {
        let found = self.residues(m, Sizes { k, n });
        let bits = |r: &Residues| if r.width == Width::Wide { 512 } else { 256 };
        ProductOfMatrices {
            moduli: found.as_ref().map(|r| r.constants.moduli.len()),
            vector_bits: found.as_ref().map(bits),
            terms: found.as_ref().map(|r| (2 * r.constants.depth).min(k)),
        }
    }

    /// Products of m rows by residues, where that takes less time than sums of products of elements.
    pub(super) fn residues(&self, m: usize, sizes: Sizes) -> Option<Residues> {
        // A row or a column is not worth the numbers that it would take.
        if m.min(sizes.n) < 2 {
            return None;
        }
        let residues = Residues::new(&self.kernels, sizes.k)?;
        let [m, k, n] = [m, sizes.k, sizes.n].map(|x| x as f64);
        let vectors = sizes.n.next_multiple_of(residues.width.lanes()) as f64;
        let by_modulus = PRODUCT * m * k * vectors + RESIDUE * (m * k + k * n + m * n);
        let digits = (self.kernels.digits() as f64).powi(2);
        let by_elements = digits * (DIGITS * m * k * n + CUT * m * n);
        (by_modulus * (residues.constants.moduli.len() as f64) < by_elements).then_some(residues)
    }
}
