//! Products of polynomials over GF(2) in whole words by carry-less products.
//!
//! * **computes** the 2n words of `a·b`, or of `a²`.
//! * **needs** n words each. Double words stay unsplit until all that belongs to a column is added.
//! * **gives** the product, not reduced.
//! * **cost** schoolbook: n² carry-less products and n² − 2n + 1 sums of double words; Karatsuba: K(1) = 1, K(2) = 3,
//!   K(3) = 6, K(n) = 2 K(⌈n/2⌉) + K(⌊n/2⌋) products; a square: n products of a word by itself. Then 2n − 1 splits and
//!   2n − 2 sums of words.
//! * **source** Karatsuba, Ofman (1962); three parts by six products: Weimerskirch, Paar, "Generalizations of the
//!   Karatsuba algorithm for efficient implementations" (2003); squares: Hankerson, Menezes, Vanstone, "Guide to
//!   Elliptic Curve Cryptography" (2004), 2.3.4.

use evariste_ir::{Builder, Value};

use crate::recipe::CarrylessProduct;

/// Every word by every other.
pub const SCHOOLBOOK: CarrylessProduct = CarrylessProduct {
    name: "clmul-schoolbook",
    applies: |_, n| n <= 18,
    multiply: Some(|b, x, y| columns(b, |b| schoolbook(b, x, y))),
    square: None,
};

/// Fewer products, more sums.
pub const KARATSUBA: CarrylessProduct = CarrylessProduct {
    name: "clmul-karatsuba",
    applies: |_, n| (2..=72).contains(&n),
    multiply: Some(|b, x, y| columns(b, |b| karatsuba(b, x, y))),
    square: None,
};

/// Each word by itself: the products of different words occur twice.
pub const SQUARES: CarrylessProduct = CarrylessProduct {
    name: "clmul-squares",
    applies: |_, _| true,
    multiply: None,
    square: Some(|b, x| {
        let w = b.word();
        let pairs: Vec<Vec<Value>> = x
            .iter()
            .map(|x| {
                let wide = b.clmul(*x, *x);
                b.split(wide, w)
            })
            .collect();
        pairs.concat()
    }),
};

/// Words of a polynomial whose coefficients are double words: coefficient k begins at word k.
pub fn columns(b: &mut Builder, coefficients: impl FnOnce(&mut Builder) -> Vec<Value>) -> Vec<Value> {
    let w = b.word();
    let coefficients = coefficients(b);
    let zero = b.word_constant(0);
    let mut above = zero;
    let mut words = Vec::new();
    for wide in coefficients {
        let parts = b.split(wide, w);
        words.push(b.xor(parts[0], above));
        above = parts[1];
    }
    words.push(above);
    words
}

/// The coefficients of a product, each a double word.
pub fn schoolbook(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut out: Vec<Option<Value>> = vec![None; x.len() + y.len() - 1];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate() {
            if b.is_zero(*x) || b.is_zero(*y) {
                continue;
            }
            let product = b.clmul(*x, *y);
            add(b, &mut out[i + j], product);
        }
    }
    filled(b, out)
}

fn add(b: &mut Builder, sum: &mut Option<Value>, x: Value) {
    *sum = Some(match *sum {
        Some(y) => b.xor(y, x),
        None => x,
    });
}

fn filled(b: &mut Builder, sums: Vec<Option<Value>>) -> Vec<Value> {
    let wide = b.wide_type();
    sums.into_iter().map(|x| x.unwrap_or_else(|| b.zero(wide))).collect()
}

fn sums(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    x.iter().enumerate().map(|(i, x)| y.get(i).map_or(*x, |y| b.xor(*x, *y))).collect()
}

fn karatsuba(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    match x.len() {
        1 => vec![b.clmul(x[0], y[0])],
        3 => three(b, x, y),
        n => {
            let h = n.div_ceil(2);
            let (low, high) = (karatsuba(b, &x[..h], &y[..h]), karatsuba(b, &x[h..], &y[h..]));
            let (s, t) = (sums(b, &x[..h], &x[h..]), sums(b, &y[..h], &y[h..]));
            let middle = karatsuba(b, &s, &t);
            let mut out = vec![None; 2 * n - 1];
            for (at, part) in [(0, &low), (h, &low), (h, &middle), (h, &high), (2 * h, &high)] {
                part.iter().enumerate().for_each(|(i, v)| add(b, &mut out[at + i], *v));
            }
            filled(b, out)
        }
    }
}

/// (x_i + x_j)(y_i + y_j) for each pair, and the three squares of the scheme.
fn three(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let d: Vec<Value> = (0..3).map(|i| b.clmul(x[i], y[i])).collect();
    let pair = |b: &mut Builder, i: usize, j: usize| {
        let (s, t) = (b.xor(x[i], x[j]), b.xor(y[i], y[j]));
        b.clmul(s, t)
    };
    let (p01, p02, p12) = (pair(b, 0, 1), pair(b, 0, 2), pair(b, 1, 2));
    let (s01, s12) = (b.xor(d[0], d[1]), b.xor(d[1], d[2]));
    let c1 = b.xor(p01, s01);
    let c3 = b.xor(p12, s12);
    let c2 = b.xor(p02, s01);
    let c2 = b.xor(c2, d[2]);
    vec![d[0], c1, c2, c3, d[2]]
}
