//! Final exponentiations: f to the power `(p^k − 1)/r`, or to a multiple of it that costs less.
//!
//! * **computes** `f^((p^k − 1)/r)`; its cube on BLS12 curves, its power `2x(6x² + 3x + 1)` on BN curves.
//! * **needs** resting coordinates. The output may be the operand.
//! * **gives** resting coordinates; 0 for 0.
//! * **cost** an inverse; on BLS12 five powers by about |x|, on BN three by x, of squares in the cyclotomic subgroup
//!   (9S over Fp2; of fewer coordinates, 6S, where inverses are cheap); a dozen products, and powers of the Frobenius map. The exact exponent costs a dozen products more. On supersingular
//!   curves a power by `(p + 1)/r` for k = 2; for k = 6 five products.
//! * **source** Scott, Benger, Charlemagne, Dominguez Perez, Kachisa (2009); Fuentes-Castañeda, Knapp,
//!   Rodríguez-Henríquez (2011); Hayashida, Hayasaka, Teruya (2020) for BLS12.
//!
//! With `Φ = (p⁴ − p² + 1)/r`: on BLS12 `3Φ = (x − 1)²(x + p)(x² + p² − 1) + 3`; on BN
//! `Φ = p³ + (6x² + 1)p² − (36x³ + 18x² + 12x − 1)p − (36x³ + 30x² + 18x + 2)`, and `2x(6x² + 3x + 1)Φ` is
//! `(1 + 6x + 12x² + 12x³) + (4x + 6x² + 12x³)p + (6x + 6x² + 12x³)p² + (4x + 6x² + 12x³ − 1)p³`. On supersingular
//! curves `(p² − 1)/r = (p − 1)·(p + 1)/r`, and with `p² − p + 1 = 3r` `(p⁶ − 1)/r = 3(p² − 1)(p² + p + 1)`. That the
//! program computes these powers is tested.

use evariste_ir::{Array, Builder, Claim, Contract, Kernel};
use num_bigint::BigUint;

use super::kernels::Kernels;
use super::setting::{Family, Setting, Way};
use super::values::Values;
use crate::layout::Layout;
use crate::lowering::{Element, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting as Wanted};
use crate::signature::NotApplicable;
use crate::tower::needs;

needs!(REDUCED, WHOLE: INVERSE, IS_ZERO, SELECTZNZ);

/// The exact exponent.
pub const EXPONENTIATION: Exponentiation = Exponentiation { operation: Operation::FINAL_EXPONENTIATION, exact: true };

/// A multiple of it.
pub const EXPONENTIATION_MULTIPLE: Exponentiation =
    Exponentiation { operation: Operation::FINAL_EXPONENTIATION_MULTIPLE, exact: false };

/// An exponentiation as a recipe.
pub struct Exponentiation {
    operation: Operation,
    exact: bool,
}

impl Recipe for Exponentiation {
    fn name(&self) -> &'static str {
        "cyclotomic-powers"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Wanted) -> Option<&'static [Need]> {
        let setting = Setting::new(s.field, s.layout).ok()?;
        let fits = *s.operation == self.operation;
        fits.then_some(if lazy::takes(setting.modulus(), s.layout) { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Wanted, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let setting = Setting::new(s.field, s.layout)?;
        let means = setting.means(parts, 3);
        let kernels = Kernels::new(&setting, means);
        let mut builder = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let b = &mut builder;
        let size = setting.target().degree();
        let out = Element::output(b, s.layout, "out", size);
        let f = Element::input(b, s.layout, "f", size);
        let v = Values::new(b, &setting, &kernels, means)?;
        let inverse = Callee::new(b, kernels.inverse(&means.more(0)?)?, "inverse");
        // m = f^((p⁶ − 1)(p² + 1)) for k = 12, f^(p − 1) for k = 2, f^(p² − 1) for k = 6.
        let [m, t] = ["m", "t"].map(|name| v.room(b, name));
        inverse.call(b, t, &[f.array]);
        match setting.family {
            Family::Distorted3 => v.frobenius(b, 2, m, f.array),
            _ => v.conjugate(b, m, f.array),
        }
        v.mul(b, m, m, t);
        if setting.family.way() == Way::OptimalAte {
            v.frobenius(b, 2, t, m);
            v.mul(b, m, m, t);
        }
        match &setting.family {
            Family::Bls12(x) => bls12(b, &v, out.array, m, x, self.exact),
            Family::Bn(x) if self.exact => bn(b, &v, out.array, m, x),
            Family::Bn(x) => bn_multiple(b, &v, out.array, m, x),
            Family::Distorted2 => {
                let (p, r) = (&setting.modulus().value, &setting.pairing.order);
                v.power(b, out.array, m, &((p + 1u32) / r));
            }
            Family::Distorted3 => cubes(b, &v, out.array, m, t),
        }
        let claims = claims(&out, s.layout, "cyclotomic_powers");
        Ok(builder.finish(Contract { facts: Vec::new(), inputs: f.numbered(s.layout), claims }))
    }
}

/// m to the power `3(p² + p + 1)`.
fn cubes(b: &mut Builder, v: &Values, out: Array, m: Array, t: Array) {
    let s = v.room(b, "s");
    v.frobenius(b, 1, t, m);
    v.frobenius(b, 2, s, m);
    v.mul(b, m, m, t);
    v.mul(b, m, m, s);
    v.square(b, t, m);
    v.mul(b, out, m, t);
}

/// What is promised of a value: what its digits are; its meaning is tested.
pub(super) fn claims(out: &Element, layout: &Layout, name: &str) -> Vec<Claim> {
    out.numbered(layout).into_iter().map(|output| Claim::Step { output, name: name.into() }).collect()
}

/// For the number −u: m to the power `(u + 1)²(p − u)(u² + p² − 1)/3 + 1`, or three times that.
fn bls12(b: &mut Builder, v: &Values, out: Array, m: Array, u: &BigUint, exact: bool) {
    let [t, a] = ["t1", "a"].map(|name| v.room(b, name));
    let above = u + 1u32;
    let third = if exact { &above / 3u32 } else { above.clone() };
    v.power(b, t, m, &third);
    v.power(b, t, t, &above);
    v.power(b, a, t, u);
    v.conjugate(b, a, a);
    v.frobenius(b, 1, t, t);
    v.mul(b, t, t, a);
    v.power(b, a, t, u);
    v.power(b, a, a, u);
    let [s, w] = ["s", "w"].map(|name| v.room(b, name));
    v.frobenius(b, 2, s, t);
    v.mul(b, a, a, s);
    v.conjugate(b, t, t);
    v.mul(b, a, a, t);
    if !exact {
        v.square(b, w, m);
        v.mul(b, m, m, w);
    }
    v.mul(b, out, a, m);
}

/// m^x, m^(x²), m^(x³).
fn powers(b: &mut Builder, v: &Values, m: Array, x: &BigUint) -> [Array; 3] {
    let all = ["x1", "x2", "x3"].map(|name| v.room(b, name));
    let mut from = m;
    for to in all {
        v.power(b, to, from, x);
        from = to;
    }
    all
}

/// The exact exponent for x.
fn bn(b: &mut Builder, v: &Values, out: Array, m: Array, x: &BigUint) {
    let [x1, x2, x3] = powers(b, v, m, x);
    let [s, t, u] = ["s", "t1", "u"].map(|name| v.room(b, name));
    // The cube of x3^(2 + 2p)·x2^(1 + p)·x1, times the square of x2·x1^p.
    v.frobenius(b, 1, s, x3);
    v.mul(b, s, s, x3);
    v.square(b, s, s);
    v.frobenius(b, 1, t, x1);
    v.mul(b, t, t, x2);
    v.mul(b, s, s, x2);
    v.mul(b, s, s, x1);
    v.frobenius(b, 1, u, x2);
    v.mul(b, s, s, u);
    v.square(b, u, s);
    v.mul(b, s, s, u);
    v.square(b, t, t);
    v.mul(b, s, s, t);
    v.conjugate(b, s, s);
    v.frobenius(b, 2, t, x2);
    v.mul(b, s, s, t);
    // Its sixth power, and those of m.
    v.square(b, t, s);
    v.mul(b, s, s, t);
    v.square(b, s, s);
    v.square(b, t, m);
    v.conjugate(b, t, t);
    v.mul(b, s, s, t);
    for n in 1..=3 {
        v.frobenius(b, n, t, m);
        v.mul(b, s, s, t);
    }
    v.copy(b, out, s);
}

/// `2x(6x² + 3x + 1)` times the exact exponent.
fn bn_multiple(b: &mut Builder, v: &Values, out: Array, m: Array, x: &BigUint) {
    let [x1, x2, x3] = powers(b, v, m, x);
    let [s, t, u] = ["s", "t1", "u"].map(|name| v.room(b, name));
    // s = 4x + 6x² + 12x³, t = 6x + 6x² + 12x³, u = 1 + 6x + 12x² + 12x³.
    v.square(b, x1, x1);
    v.square(b, x3, x3);
    v.mul(b, s, x3, x2);
    v.square(b, t, s);
    v.mul(b, s, s, t);
    v.mul(b, s, s, x1);
    // (6x³ + 3x² + 2x) so far: x1 is 2x.
    v.square(b, s, s);
    v.mul(b, t, s, x1);
    v.square(b, u, x2);
    v.mul(b, u, u, x2);
    v.square(b, u, u);
    v.mul(b, u, u, t);
    v.mul(b, u, u, m);
    v.conjugate(b, m, m);
    v.mul(b, x3, s, m);
    for (n, from) in [(1, s), (2, t), (3, x3)] {
        v.frobenius(b, n, x2, from);
        v.mul(b, u, u, x2);
    }
    v.copy(b, out, u);
}
