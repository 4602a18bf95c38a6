//! Steps of Miller loops on sextic twists `y² = x³ + b'`, projective, with the lines.
//!
//! * **computes** `R = 2T` and the tangent at T; `R = T + Q` and the line through T and Q, Q affine; the image of a point
//!   of the twist under the p-th power map of the curve.
//! * **needs** T not the identity; for sums T ≠ ±Q. The form with halves needs that 2 has an inverse.
//! * **gives** the line at a point (xP, yP) of the curve below as (c0, cx·xP, cy·yP): on a D-twist it is
//!   `cy yP + cx xP w + c0 w³`, on an M-twist (times w³, which the final power removes) `c0 + cx xP w² + cy yP w³`.
//! * **cost** doubling 3M + 6S + b', with 14A + 2 halvings, or 19A without them (then all is 4 times as large); addition
//!   11M + 2S + 9A; `at` 2M with elements of the base field (4m); the map of twisted points 2M with constants.
//! * **source** Aranha et al. 2011; Costello, Lange, Naehrig, "Faster pairing computations on curves with high-degree
//!   twists" (2010).

use crate::build::{Builder, Element};
use crate::definitions::weierstrass::{self, PROJECTIVE};
use crate::formula::{Characteristic, Formula};
use crate::verify::Defect;

/// The line is `yP − slope·xP + (slope·x1 − y1)`, times cy.
pub(super) fn line(b: &Builder, elements: [Element; 3]) {
    b.define("nonzero cy \"the line is vertical\"");
    b.define("gives cx = -slope*cy");
    b.define("gives c0 = (slope*x1 - y1)*cy");
    b.output("line", "c0 cx cy", &elements);
}

fn doubling(b: &Builder) -> ([Element<'_>; 3], Element<'_>) {
    b.computes("R = 2T on y² = x³ + b, and the tangent at T");
    b.source("Aranha et al. 2011");
    let t = weierstrass::input(b, "T", "1");
    b.constant("a = 0");
    b.constant("b");
    let b3 = b.constant("b3 = 3*b");
    weierstrass::stands_for(b, "1", PROJECTIVE);
    weierstrass::double(b);
    (t, b3)
}

/// 2T with halves.
pub fn double(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.characteristic(Characteristic::NotTwo);
    let ([x, y, z], b3) = doubling(&b);
    let a = (x * y).halve();
    let (bb, c) = (y.square(), z.square());
    let e = b3 * c;
    let f = 3 * e;
    let g = (bb + f).halve();
    let h = (y + z).square() - (bb + c);
    let j = x.square();
    let out = [a * (bb - f), g.square() - 3 * e.square(), bb * h];
    weierstrass::gives(&b, PROJECTIVE, out);
    line(&b, [e - bb, 3 * j, -h]);
    b.finish()
}

/// 2T without halves: coordinates are four times those with them.
pub fn double_whole(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let ([x, y, z], b3) = doubling(&b);
    let xy = (x * y).double();
    let (bb, c) = (y.square(), z.square());
    let e = b3 * c;
    let f = 3 * e;
    let h = (y + z).square() - (bb + c);
    let out = [xy * (bb - f), (bb + f).square() - 12 * e.square(), 4 * (bb * h)];
    weierstrass::gives(&b, PROJECTIVE, out);
    line(&b, [e - bb, 3 * x.square(), -h]);
    b.finish()
}

/// T + Q.
pub fn add(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("R = T + Q on y² = x³ + b, Q affine, and the line through T and Q");
    b.source("Costello, Lange and Naehrig 2010");
    let [x, y, z] = weierstrass::input(&b, "T", "1");
    let q = b.input("Q", "x2 y2");
    b.constant("a = 0");
    b.constant("b");
    weierstrass::stands_for(&b, "1", PROJECTIVE);
    weierstrass::on_curve(&b, "2");
    weierstrass::sum(&b);
    let (th, la) = (y - q[1] * z, x - q[0] * z);
    let (c, d) = (th.square(), la.square());
    let (e, f, g) = (la * d, z * c, x * d);
    let h = e + f - g.double();
    weierstrass::gives(&b, PROJECTIVE, [la * h, th * (g - h) - e * y, z * e]);
    line(&b, [th * q[0] - la * q[1], -th, la]);
    b.finish()
}

/// A line at a point of the curve over the base field, coordinates over it: 4m.
pub fn at(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("a line at (xP, yP): cx and cy, of two coordinates each, times xP and yP of one");
    b.source("the definition");
    let (l, p) = (b.input("line", "cx_0 cx_1 cy_0 cy_1"), b.input("P", "xP yP"));
    b.define("root u^2 = -1");
    b.define("gives dx_0 + dx_1*u = (cx_0 + cx_1*u)*xP");
    b.define("gives dy_0 + dy_1*u = (cy_0 + cy_1*u)*yP");
    b.output("line_at_P", "dx_0 dx_1 dy_0 dy_1", &[l[0] * p[0], l[1] * p[0], l[2] * p[1], l[3] * p[1]]);
    b.finish()
}

/// The p-th power map on the twist, coordinates over the base field: conjugates times constants.
pub fn frobenius(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("(x^p·γ2, y^p·γ3) for x, y, γ2, γ3 in Fp[u]/(u² + 1)");
    b.source("the definition");
    let q = b.input("Q", "x_0 x_1 y_0 y_1");
    let [g, h] = ["g2", "g3"].map(|g| [0, 1].map(|k| b.constant(&format!("{g}_{k}"))));
    b.define("root u^2 = -1");
    b.define("gives X_0 + X_1*u = (x_0 - x_1*u)*(g2_0 + g2_1*u)");
    b.define("gives Y_0 + Y_1*u = (y_0 - y_1*u)*(g3_0 + g3_1*u)");
    let out =
        [g[0] * q[0] + g[1] * q[1], g[1] * q[0] - g[0] * q[1], h[0] * q[2] + h[1] * q[3], h[1] * q[2] - h[0] * q[3]];
    b.output("R", "X_0 X_1 Y_0 Y_1", &out);
    b.finish()
}
