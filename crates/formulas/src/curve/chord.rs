//! Addition on `y² = x³ + a x + b` by the chord, projective.
//!
//! * **computes** `R = P + Q`.
//! * **needs** P ≠ Q, neither the identity. For P = −Q of order other than two the identity (0 : Y : 0).
//! * **gives** projective coordinates.
//! * **cost** 12M + 2S + 6A.
//! * **source** Cohen, Miyaji, Ono, "Efficient elliptic curve exponentiation using mixed coordinates" (1998).

use crate::build::Builder;
use crate::definitions::weierstrass::{self, PROJECTIVE};
use crate::formula::Formula;
use crate::verify::Defect;

/// P + Q.
pub fn addition(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = P + Q on y² = x³ + a x + b, by the chord");
    b.source("Cohen, Miyaji and Ono 1998");
    let [[x1, y1, z1], [x2, y2, z2]] = weierstrass::two_points(&b, PROJECTIVE);
    let (x, y, zz) = (x1 * z2, y1 * z2, z1 * z2);
    let (u, v) = (y2 * z1 - y, x2 * z1 - x);
    let vv = v.square();
    let (vvv, r) = (v * vv, vv * x);
    let a = u.square() * zz - vvv - r.double();
    weierstrass::gives(&b, PROJECTIVE, [v * a, u * (r - a) - vvv * y, vvv * zz]);
    b.finish()
}
