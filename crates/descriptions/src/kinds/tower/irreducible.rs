//! Is the polynomial of a tower's highest floor irreducible, and if not, which factor has it?
//!
//! Source: Ben-Or, "Probabilistic algorithms in finite fields" (1981): f of degree n over a field of q elements is
//! irreducible exactly when it is coprime to `x^(q^i) − x` for i up to n/2, which collect the irreducible polynomials
//! whose degree divides i. Factors of one degree are told apart by Cantor and Zassenhaus, "A new algorithm for factoring
//! polynomials over finite fields" (1981).

use num_bigint::BigUint;
use num_traits::One;

use super::polynomials::{Polynomial, Polynomials};
use super::ring::{Element, Ring};

/// Elements that are tried before a polynomial of equal factors counts as not split; each splits it with a chance of
/// about a half.
const TRIES: u32 = 128;

/// An irreducible factor of least degree of the polynomial of the highest floor, where it is reducible.
pub(crate) fn factor(ring: &Ring) -> Option<Polynomial> {
    let top = ring.floors.len();
    let below = &ring.floors[top - 1].polynomial;
    let over = Polynomials { ring, floor: top - 1 };
    let whole = over.monic(below);
    let mut power = ring.variable(top);
    for degree in 1..=below.len() / 2 {
        // x^(q^degree): q is p to the power of the degree of the floor below.
        for _ in 0..ring.size(top - 1) {
            power = ring.frobenius(top, &power);
        }
        let difference = over.of(&ring.subtract(&power, &ring.variable(top)));
        let common = over.gcd(whole.clone(), difference)?;
        if common.len() > 1 {
            return Some(of_degree(ring, common, degree));
        }
    }
    None
}

/// A factor of that degree of a product of different ones of it.
fn of_degree(ring: &Ring, product: Polynomial, degree: usize) -> Polynomial {
    let top = ring.floors.len();
    let over = Polynomials { ring, floor: top - 1 };
    let (mut product, mut tried) = (product, 0);
    while product.len() > degree + 1 && tried < TRIES {
        tried += 1;
        // h^((q^degree − 1)/2) is 1 modulo some of the factors, −1 modulo others.
        let h = sample(ring, tried);
        let norm = (1..ring.size(top - 1) * degree)
            .fold((h.clone(), h), |(norm, image), _| {
                let image = ring.frobenius(top, &image);
                (ring.multiply(top, &norm, &image), image)
            })
            .0;
        let root = ring.power(top, &norm, &((&ring.p - 1u32) >> 1));
        let one = ring.constant(top, &BigUint::one());
        let part = over.gcd(product.clone(), over.of(&ring.subtract(&root, &one)));
        if let Some(part) = part.filter(|part| part.len() > 1 && part.len() < product.len()) {
            product = part;
        }
    }
    product
}

/// An element of the highest floor, another for each number.
fn sample(ring: &Ring, seed: u32) -> Element {
    let mut state = u64::from(seed);
    let coordinate = |_| {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        BigUint::from(z ^ z >> 31) % &ring.p
    };
    (0..ring.size(ring.floors.len())).map(coordinate).collect()
}
