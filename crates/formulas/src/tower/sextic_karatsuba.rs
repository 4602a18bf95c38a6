//! Products and squares in `K[x]/(x⁶ − ξ)` from halves in y = x², which are elements of `K[y]/(y³ − ξ)`.
//!
//! * **computes** `r = a·b`, `r = a²`.
//! * **needs** any commutative ring K.
//! * **gives** scale 1.
//! * **cost** 18M + 57A + 7·ξ: three products of halves, in 6M each; the square two, 12M + 43A + 6·ξ.
//! * **source** Karatsuba and Ofman 1962, on two and on three coefficients.

use crate::build::{Builder, Element};
use crate::definitions::extension::SEXTIC;
use crate::formula::Formula;
use crate::tower::cubic_karatsuba;
use crate::verify::Defect;

const SOURCE: &str = "Karatsuba and Ofman 1962, on two and on three coefficients";

/// Even and odd parts: elements of `K[y]/(y³ − ξ)`.
pub(super) fn halves<'b>(a: &[Element<'b>]) -> [[Element<'b>; 3]; 2] {
    [[a[0], a[2], a[4]], [a[1], a[3], a[5]]]
}

/// `y·a`
pub(super) fn turned<'b>(a: [Element<'b>; 3], xi: Element<'b>) -> [Element<'b>; 3] {
    [xi * a[2], a[0], a[1]]
}

/// Even and odd parts as one element.
pub(super) fn whole<'b>(even: [Element<'b>; 3], odd: [Element<'b>; 3]) -> [Element<'b>; 6] {
    [even[0], odd[0], even[1], odd[1], even[2], odd[2]]
}

pub(super) fn sum<'b>(a: [Element<'b>; 3], b: [Element<'b>; 3]) -> [Element<'b>; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

pub(super) fn difference<'b>(a: [Element<'b>; 3], b: [Element<'b>; 3]) -> [Element<'b>; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// The product.
pub fn product(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, y, constants] = SEXTIC.product(&b, 1, &[]);
    let xi = constants[0];
    let ([x0, x1], [y0, y1]) = (halves(&x), halves(&y));
    let (v0, v1) = (cubic_karatsuba::of(x0, y0, xi), cubic_karatsuba::of(x1, y1, xi));
    let both = cubic_karatsuba::of(sum(x0, x1), sum(y0, y1), xi);
    SEXTIC.give(&b, &whole(sum(v0, turned(v1, xi)), difference(both, sum(v0, v1))));
    b.finish()
}

/// With e and o for the halves, `(e + o x)² = (e + o)(e + y o) − e·o − y·e·o + 2·e·o·x`.
pub fn complex(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.source(SOURCE);
    let [x, constants] = SEXTIC.square(&b, 1, &[]);
    let xi = constants[0];
    let [e, o] = halves(&x);
    let v = cubic_karatsuba::of(e, o, xi);
    let w = cubic_karatsuba::of(sum(e, o), sum(e, turned(o, xi)), xi);
    SEXTIC.give(&b, &whole(difference(difference(w, v), turned(v, xi)), v.map(Element::double)));
    b.finish()
}
