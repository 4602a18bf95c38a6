//! Baillie-PSW: a strong test to base 2, then a strong Lucas test with Selfridge's parameters.
//!
//! No composite is known that passes; none below 2^64 does. Nothing here factors p − 1.
//! Source: Baillie and Wagstaff, "Lucas pseudoprimes" (1980), with method A for the parameters.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::montgomery::Montgomery;

/// Trial division stops below this; a number below its square is decided by it.
const TRIAL_LIMIT: u32 = 1 << 10;

/// Whether `n` is prime: certain below 2^64, beyond any known exception above.
pub fn is_prime(n: &BigUint) -> bool {
    if *n < BigUint::from(2u32) || small_factor(n).is_some() {
        return false;
    }
    *n < BigUint::from(u64::from(TRIAL_LIMIT).pow(2)) || is_probable_prime(n)
}

/// Answers that are kept: a field, its plans and their proofs ask about the same number.
const KEPT: usize = 16;

/// Both tests. The last answers are kept: a number of 4096 bits takes tens of milliseconds.
fn is_probable_prime(n: &BigUint) -> bool {
    static LAST: Mutex<VecDeque<(BigUint, bool)>> = Mutex::new(VecDeque::new());
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = last().iter().find(|(other, _)| other == n) {
        return *known;
    }
    let prime = is_strong_probable_prime(n, 2) && is_strong_lucas_probable_prime(n);
    let mut last = last();
    last.truncate(KEPT - 1);
    last.push_front((n.clone(), prime));
    prime
}

/// The least prime factor of `n` below 2^10, unless that is `n` itself.
pub fn small_factor(n: &BigUint) -> Option<u32> {
    // The first divisor met is prime: its own factors would have been met before.
    (2..TRIAL_LIMIT).find(|&d| (d == 2 || d % 2 == 1) && (n % d).is_zero() && *n != BigUint::from(d) && !n.is_zero())
}

/// The strong (Miller-Rabin) test of `n` to a base; even numbers and numbers below 3 fail, except 2.
pub fn is_strong_probable_prime(n: &BigUint, base: u32) -> bool {
    if *n <= BigUint::from(2u32) || n.is_even() {
        return *n == BigUint::from(2u32);
    }
    let minus_one = n - 1u32;
    let s = minus_one.trailing_zeros().unwrap_or(0);
    let odd = &minus_one >> s;
    let mut modulo = Montgomery::new(n);
    let [one, opposite, factor] = [BigUint::one(), minus_one, BigUint::from(base) % n].map(|x| modulo.residue(&x));
    let mut power = one.clone();
    for i in (0..odd.bits()).rev() {
        power = modulo.square(&power);
        if odd.bit(i) {
            power = if base == 2 { modulo.add(&power, &power) } else { modulo.multiply(&power, &factor) };
        }
    }
    if power == one || power == opposite {
        return true;
    }
    for _ in 1..s {
        power = modulo.square(&power);
        if power == opposite {
            return true;
        }
    }
    false
}

/// The strong Lucas test of `n` with P = 1, Q = (1 − D)/4 and D the first of 5, −7, 9, −11, … with (D/n) = −1.
pub fn is_strong_lucas_probable_prime(n: &BigUint) -> bool {
    if *n <= BigUint::from(2u32) || n.is_even() {
        return *n == BigUint::from(2u32);
    }
    let root = n.sqrt();
    if &root * &root == *n {
        return false; // no D would ever be found
    }
    let mut d: i64 = 5;
    loop {
        match jacobi(d, n) {
            -1 => break,
            0 if *n != BigUint::from(d.unsigned_abs()) => return false,
            _ => d = if d > 0 { -(d + 2) } else { -d + 2 },
        }
    }
    // n + 1 = odd·2^s. (u, v, qk) are U_k, V_k, Q^k modulo n; k runs over the leading bits of odd.
    let q = (1 - d) / 4;
    let plus_one = n + 1u32;
    let s = plus_one.trailing_zeros().unwrap_or(0);
    let odd = &plus_one >> s;
    let mut modulo = Montgomery::new(n);
    let one = modulo.residue(&BigUint::one());
    let doubled = |modulo: &mut Montgomery, v: &[u64], qk: &[u64]| {
        let square = modulo.square(v);
        modulo.sub(&square, &modulo.add(qk, qk))
    };
    let (mut u, mut v, mut qk) = (one.clone(), one.clone(), modulo.times(&one, q));
    for i in (0..odd.bits() - 1).rev() {
        u = modulo.multiply(&u, &v);
        v = doubled(&mut modulo, &v, &qk);
        qk = modulo.square(&qk);
        if odd.bit(i) {
            let next_u = modulo.halve(&modulo.add(&u, &v));
            v = modulo.halve(&modulo.add(&modulo.times(&u, d), &v));
            u = next_u;
            qk = modulo.times(&qk, q);
        }
    }
    let is_zero = |x: &[u64]| x.iter().all(|word| *word == 0);
    if is_zero(&u) || is_zero(&v) {
        return true;
    }
    for _ in 1..s {
        v = doubled(&mut modulo, &v, &qk);
        if is_zero(&v) {
            return true;
        }
        qk = modulo.square(&qk);
    }
    false
}

/// The Jacobi symbol (a/n) of an odd a and an odd n ≥ 3.
fn jacobi(a: i64, n: &BigUint) -> i32 {
    let low = (n % 4u32).to_u64().unwrap_or(0);
    let size = a.unsigned_abs();
    let mut sign = if a < 0 && low == 3 { -1 } else { 1 };
    // (|a|/n) by reciprocity from (n/|a|), which is small.
    if size % 4 == 3 && low == 3 {
        sign = -sign;
    }
    sign * jacobi_small((n % size).to_u64().unwrap_or(0), size)
}

/// The Jacobi symbol (a/n) of an odd n.
fn jacobi_small(mut a: u64, mut n: u64) -> i32 {
    let mut sign = 1;
    a %= n;
    while a != 0 {
        while a.is_multiple_of(2) {
            a /= 2;
            if n % 8 == 3 || n % 8 == 5 {
                sign = -sign;
            }
        }
        (a, n) = (n, a);
        if a % 4 == 3 && n % 4 == 3 {
            sign = -sign;
        }
        a %= n;
    }
    if n == 1 { sign } else { 0 }
}
