//! Gauss periods and the normal bases that they give.
//!
//! p = T·m + 1 prime, z a primitive p-th root of unity, u of order T modulo p: β = Σ z^(u^j), j < T,
//! is a normal element of GF(2^m) exactly when gcd(T·m/k, m) = 1, with k the order of 2 modulo p.
//! Source: Ash, Blake and Vanstone, "Low complexity normal bases" (1989); IEEE 1363 annex A.3.

use num_integer::Integer;

/// Whether GF(2^degree) has a Gaussian normal basis of this type.
pub fn has_gaussian_basis(degree: u32, basis_type: u32) -> bool {
    if degree < 2 || basis_type == 0 || degree > 1 << 16 || basis_type > 1 << 10 {
        return false;
    }
    let p = basis_type * degree + 1;
    is_small_prime(p)
        && p > 2
        && (p - 1).is_multiple_of(order_of_two(p))
        && ((p - 1) / order_of_two(p)).gcd(&degree) == 1
}

/// The types up to `limit` of the Gaussian normal bases of GF(2^degree), in increasing order; none when 8 divides the
/// degree.
pub fn gaussian_types(degree: u32, limit: u32) -> Vec<u32> {
    (1..=limit).filter(|&basis_type| has_gaussian_basis(degree, basis_type)).collect()
}

/// Whether p is prime, by trial division.
pub(crate) fn is_small_prime(p: u32) -> bool {
    p >= 2 && least_factor(p) == p
}

/// The least prime factor of n ≥ 2.
pub(crate) fn least_factor(n: u32) -> u32 {
    (2u32..).take_while(|&d| u64::from(d) * u64::from(d) <= u64::from(n)).find(|&d| n.is_multiple_of(d)).unwrap_or(n)
}

/// The multiplicative order of 2 modulo an odd p ≥ 3.
fn order_of_two(p: u32) -> u32 {
    let (mut power, mut order) = (2 % p, 1);
    while power != 1 {
        power = power * 2 % p;
        order += 1;
    }
    order
}

/// The Gauss period of a degree and type: which exponents of z make up each basis element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GaussPeriod {
    /// The prime T·degree + 1.
    pub p: u32,
    /// `exponents[i]` are the n with z^n a term of B_i = β^(2^i): 2^i·u^j modulo p for j < T.
    pub exponents: Vec<Vec<u32>>,
    /// `index[n]` is the i with z^n a term of B_i, the sequence F; `index[0]` is unused.
    pub index: Vec<u32>,
}

impl GaussPeriod {
    /// The period of a degree and type for which [`has_gaussian_basis`] holds.
    pub fn new(degree: u32, basis_type: u32) -> Self {
        let p = basis_type * degree + 1;
        let subgroup: Vec<u32> = powers(element_of_order(basis_type, p), p).take(basis_type as usize).collect();
        let mut exponents = Vec::with_capacity(degree as usize);
        let mut index = vec![0; p as usize];
        let mut power = 1;
        for i in 0..degree {
            let own: Vec<u32> = subgroup.iter().map(|u| product(power, *u, p)).collect();
            own.iter().for_each(|n| index[*n as usize] = i);
            exponents.push(own);
            power = power * 2 % p;
        }
        Self { p, exponents, index }
    }
}

/// a·b modulo p.
fn product(a: u32, b: u32, p: u32) -> u32 {
    (u64::from(a) * u64::from(b) % u64::from(p)) as u32
}

/// 1, u, u², … until they repeat.
fn powers(u: u32, p: u32) -> impl Iterator<Item = u32> {
    let next = move |x: &u32| Some(product(*x, u, p)).filter(|x| *x != 1);
    std::iter::successors(Some(1), next)
}

/// The least element of that order modulo a prime p.
fn element_of_order(order: u32, p: u32) -> u32 {
    // (One power more than asked for tells a greater order.)
    (1..p).find(|u| powers(*u, p).take(order as usize + 1).count() == order as usize).unwrap_or(1)
}
