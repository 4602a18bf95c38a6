//! Short vectors `(c₀, c₁, …)` with `Σ cᵢ·λⁱ ≡ 0` modulo n, for an endomorphism of eigenvalue λ on a group of order n.
//!
//! * **computes** two by Euclid's algorithm; four from the number that defines a family of pairings.
//! * **needs** λ below n; for a family λ = p.
//! * **gives** as many vectors as an endomorphism has powers in use; what they are good for is tested by who takes scalars apart.
//! * **cost** none in kernels: they are reckoned when a kernel is written.
//! * **source** Gallant, Lambert, Vanstone (2001) for two; Galbraith, Scott, "Exponentiation in pairing-friendly groups
//!   using homomorphisms" (2008) for four. BN: a reduced basis of the same lattice.

use evariste_descriptions::Way;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Two short vectors (a, b) with `a + λ·b ≡ 0` modulo n, one after the other in Euclid's algorithm.
pub(super) fn two(order: &BigInt, eigenvalue: &BigInt) -> Option<Vec<Vec<BigInt>>> {
    let root = order.sqrt();
    let (mut last, mut next) = ([order.clone(), BigInt::zero()], [eigenvalue.clone(), BigInt::from(-1)]);
    while next[0] >= root {
        let quotient = &last[0] / &next[0];
        let after = [0, 1].map(|i| &last[i] - &quotient * &next[i]);
        (last, next) = (next, after);
    }
    if next[0].is_zero() {
        return None;
    }
    let quotient = &last[0] / &next[0];
    let after = [0, 1].map(|i| &last[i] - &quotient * &next[i]);
    let length = |v: &[BigInt; 2]| v[0].abs().max(v[1].abs());
    let other = if length(&last) <= length(&after) { last } else { after };
    Some(vec![next.into(), other.into()])
}

/// Four of a family, whose number is x or, for BLS12, −x.
pub(super) fn four(way: &Way, x: &BigInt) -> Option<Vec<Vec<BigInt>>> {
    // Each coefficient as (a, b) of a·x + b.
    let rows: [[(i32, i32); 4]; 4] = match way {
        // p ≡ −x and x⁴ − x² + 1 = n
        Way::Bls12 { .. } => [
            [(1, 0), (0, 1), (0, 0), (0, 0)],
            [(0, 0), (1, 0), (0, 1), (0, 0)],
            [(0, 0), (0, 0), (1, 0), (0, 1)],
            [(0, 1), (0, 0), (0, -1), (-1, 0)],
        ],
        // p ≡ 6x² and 36x⁴ + 36x³ + 18x² + 6x + 1 = n
        Way::Bn { .. } => [
            [(2, 0), (1, 1), (-1, 0), (1, 0)],
            [(1, 0), (-1, 0), (1, 0), (2, 1)],
            [(1, 1), (1, 0), (1, 0), (-2, 0)],
            [(2, 1), (-1, 0), (-1, -1), (-1, 0)],
        ],
        _ => return None,
    };
    Some(rows.iter().map(|row| row.iter().map(|(a, b)| x * a + b).collect()).collect())
}

/// The determinant of a square matrix.
pub(super) fn determinant(rows: &[Vec<BigInt>]) -> BigInt {
    if rows.is_empty() {
        return 1.into();
    }
    let term = |i: usize| &rows[i][0] * cofactor(rows, i);
    (0..rows.len()).map(term).sum()
}

/// What the first element of row i is multiplied with in the determinant.
pub(super) fn cofactor(rows: &[Vec<BigInt>], i: usize) -> BigInt {
    let others = rows.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, row)| row[1..].to_vec());
    let minor = determinant(&others.collect::<Vec<_>>());
    if i.is_multiple_of(2) { minor } else { -minor }
}
