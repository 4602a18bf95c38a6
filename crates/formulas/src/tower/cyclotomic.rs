//! Squares of elements of the cyclotomic subgroup of `K[w]/(w⁶ − ξ)`, all six coordinates and four of them.
//!
//! * **computes** `r = f²` for f with `f^(p⁴ − p² + 1) = 1`.
//! * **needs** such an f: the definition assumes what that says without p. Frobenius of `p²` maps w to ωw, with ω a sixth
//!   root of unity in K, so that `f(ω⁴w)·f(ω²w) = f(−w)` (assumption E, coefficient by coefficient).
//! * **gives** scale 1. It is proved, exactly, that each output is the coefficient of f² plus twice that of E: the identity
//!   holds modulo the ideal of E, with the stated multiple.
//! * **cost** 9S + 30A + 4·ξ; compressed 6S + 20A + 3·ξ.
//! * **source** Granger and Scott, "Faster squaring in the cyclotomic subgroup" (2010); Karabina, "Squaring in cyclotomic
//!   subgroups" (2013). Published counts of the compressed square say 24 additions.

use crate::build::{Builder, Element};
use crate::definitions::extension::SEXTIC;
use crate::formula::Formula;
use crate::verify::Defect;

/// `(a + b y)²` with `y² = ξ`: 3S + 4A + 1·ξ.
fn fourth<'b>(a: Element<'b>, b: Element<'b>, xi: Element<'b>) -> [Element<'b>; 2] {
    let (aa, bb) = (a.square(), b.square());
    [aa + xi * bb, (a + b).square() - aa - bb]
}

/// `3s − 2f`
fn less<'b>(s: Element<'b>, f: Element<'b>) -> Element<'b> {
    (s - f).double() + s
}

/// `3s + 2f`
fn more<'b>(s: Element<'b>, f: Element<'b>) -> Element<'b> {
    (s + f).double() + s
}

/// What is known of f, an element `f0 + f1 w + …`, and ω.
pub(super) fn assume(b: &Builder) {
    b.define("unknown omega");
    b.define("given omega^2 = omega - 1");
    b.define(&format!("let f = {}", SEXTIC.polynomial("f", "w")));
    b.define(&format!("let f_2 = {}", SEXTIC.polynomial("f", "(omega^2*w)")));
    b.define(&format!("let f_4 = {}", SEXTIC.polynomial("f", "(omega^4*w)")));
    b.define(&format!("let f_conjugate = {}", SEXTIC.polynomial("f", "(-w)")));
    b.define("assume E: f_4*f_2 = f_conjugate");
    b.define("assume U: f*f_conjugate = 1");
}

/// The coefficient k of f² is equal to the output k, by E.
fn equations(b: &Builder, which: &[usize]) {
    for k in which {
        let pairs = (0..6).flat_map(|i| (0..6).map(move |j| (i, j))).filter(|(i, j)| (i + j) % 6 == *k);
        let term = |(i, j)| if i + j >= 6 { format!("xi*f{i}*f{j}") } else { format!("f{i}*f{j}") };
        let square = pairs.map(term).collect::<Vec<_>>().join(" + ");
        b.define(&format!("gives r{k} = {square} by 2*E_{k}"));
    }
}

/// All six coordinates.
pub fn square(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("r = f² for f in the cyclotomic subgroup of K[w]/(w⁶ − ξ)");
    b.source("Granger and Scott 2010");
    let f = b.input("f", &SEXTIC.names("f"));
    let xi = b.constant("xi");
    b.define("root w^6 = xi");
    assume(&b);
    equations(&b, &[0, 1, 2, 3, 4, 5]);
    let [a, c, d] = [(0, 3), (1, 4), (2, 5)].map(|(j, k)| fourth(f[j], f[k], xi));
    let r = [
        less(a[0], f[0]),
        more(xi * d[1], f[1]),
        less(c[0], f[2]),
        more(a[1], f[3]),
        less(d[0], f[4]),
        more(c[1], f[5]),
    ];
    b.output("r", &SEXTIC.names("r"), &r);
    b.finish()
}

/// The coordinates 1, 2, 4, 5 from themselves.
pub fn compressed(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    b.computes("four coordinates of r = f² for f in the cyclotomic subgroup of K[w]/(w⁶ − ξ)");
    b.source("Karabina 2013");
    let f = b.input("f", "f1 f2 f4 f5");
    let xi = b.constant("xi");
    b.define("root w^6 = xi");
    b.define("unknown f0");
    b.define("unknown f3");
    assume(&b);
    equations(&b, &[1, 2, 4, 5]);
    let [f1, f2, f4, f5] = [0, 1, 2, 3].map(|k| f[k]);
    let (c, d) = (fourth(f1, f4, xi), fourth(f2, f5, xi));
    b.output("r", "r1 r2 r4 r5", &[more(xi * d[1], f1), less(c[0], f2), less(d[0], f4), more(c[1], f5)]);
    b.finish()
}
