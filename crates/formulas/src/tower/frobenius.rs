//! Frobenius on `Fp12 = Fp[u, w]/(u² + 1, w⁶ − ξ)`, over Fp.
//!
//! * **computes** `f^p = Σ conj(f_k)·γ^k w^k` with γ = ξ^((p−1)/6) (also p³, with its γ); `f^(p²) = Σ f_k γ^k w^k` with a
//!   sixth root of unity γ in Fp; `f^(p⁶)`, the conjugate.
//! * **needs** p = 3 mod 4 for `conj(u) = −u`; the constant γ.
//! * **gives** scale 1.
//! * **cost** 15 products with constants and 21A; 8 products with γ and 8A; 6A (negatives); a negative counts as 1A.
//! * **source** Devegili, Scott, Dahab, "Implementing cryptographic pairings over Barreto-Naehrig curves" (2007).

use crate::build::{Builder, Element};
use crate::formula::Formula;
use crate::verify::Defect;

/// `f0_0 f0_1 f1_0 …`
fn names(of: &str) -> String {
    (0..12).map(|k| format!("{of}{}_{}", k / 2, k % 2)).collect::<Vec<_>>().join(" ")
}

/// `Σ (f_k0 ± f_k1 u) x^k`
fn polynomial(of: &str, sign: char, x: &str) -> String {
    (0..6).map(|k| format!("({of}{k}_0 {sign} {of}{k}_1*u)*{x}^{k}")).collect::<Vec<_>>().join(" + ")
}

fn begin<'b>(b: &'b Builder, exponent: &str, constants: &[String]) -> [Vec<Element<'b>>; 2] {
    b.computes(&format!("r = f^{exponent} in Fp[u, w]/(u² + 1, w⁶ − ξ)"));
    b.source("Devegili, Scott and Dahab 2007");
    let f = b.input("f", &names("f"));
    let constants = constants.iter().map(|c| b.constant(c)).collect();
    b.define("root u^2 = -1");
    b.define("unknown xi_0");
    b.define("unknown xi_1");
    b.define("root w^6 = xi_0 + xi_1*u");
    b.define(&format!("let r = {}", polynomial("r", '+', "w")));
    [f, constants]
}

/// p or p³.
pub fn odd(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let mut constants = vec!["g1_0".to_string(), "g1_1".to_string()];
    for k in 2..6 {
        constants.push(format!("g{k}_0 = g{j}_0*g1_0 - g{j}_1*g1_1", j = k - 1));
        constants.push(format!("g{k}_1 = g{j}_0*g1_1 + g{j}_1*g1_0", j = k - 1));
    }
    constants.extend((1..6).map(|k| format!("s{k} = g{k}_0 + g{k}_1")));
    let [f, g] = begin(&b, "p", &constants);
    b.define(&format!("gives r = {}", polynomial("f", '-', "((g1_0 + g1_1*u)*w)")));
    let mut r = vec![f[0], -f[1]];
    for k in 1..6 {
        let (x, y) = (f[2 * k], f[2 * k + 1]);
        let (s, t) = (g[2 * k - 2] * x, g[2 * k - 1] * y);
        r.extend([s + t, g[9 + k] * (x - y) - s + t]);
    }
    b.output("r", &names("r"), &r);
    b.finish()
}

/// p².
pub fn second(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let [f, c] = begin(&b, "(p²)", &["gamma^2 = gamma - 1".to_string()]);
    b.define(&format!("gives r = {}", polynomial("f", '+', "(gamma*w)")));
    let gamma = c[0];
    let mut r = Vec::new();
    for k in 0..6 {
        for x in [f[2 * k], f[2 * k + 1]] {
            // γ² = γ − 1, γ³ = −1
            r.push(match k {
                0 => x,
                1 => gamma * x,
                2 => gamma * x - x,
                3 => -x,
                4 => -(gamma * x),
                _ => x - gamma * x,
            });
        }
    }
    b.output("r", &names("r"), &r);
    b.finish()
}

/// p⁶.
pub fn conjugate(name: &str) -> Result<Formula, Defect> {
    let b = Builder::new(name);
    let [f, _] = begin(&b, "(p⁶)", &[]);
    b.define(&format!("gives r = {}", polynomial("f", '+', "(-w)")));
    let r: Vec<Element> = (0..12).map(|k| if k / 2 % 2 == 1 { -f[k] } else { f[k] }).collect();
    b.output("r", &names("r"), &r);
    b.finish()
}
