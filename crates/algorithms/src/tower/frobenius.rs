//! Powers of the Frobenius map of towers, as the linear maps over the prime field that they are.
//!
//! * **computes** `a^(p^n)`.
//! * **needs** resting coordinates. The output may be the operand.
//! * **gives** resting coordinates.
//! * **cost** a product with a constant for each image's coordinate that is neither 0 nor ±1, and the sums: in
//!   `Fp12 = Fp[u, v, w]` with `u² = −1` 18 to 20 products for n = 1, 8 for n = 2.
//! * **source** the definition.

use evariste_descriptions::Tower;
use evariste_formulas::{Builder, Checked, check};
use evariste_ir::Kernel;
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::formula::tower_of;
use super::means::{Means, REDUCED};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

/// The map itself.
pub const LINEAR: Linear = Linear;

/// The recipe.
pub struct Linear;

impl Recipe for Linear {
    fn name(&self) -> &'static str {
        "linear-map"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        s.field.get::<Tower>()?;
        (*s.operation == Operation::FROBENIUS).then_some(REDUCED)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let means = Means { modulus: &tower.base, layout: s.layout, parts, more: 0 };
        kernel(tower, means, 1, &kernel_name(s.operation, algorithm))
    }
}

/// The kernel of `a^(p^n)`.
pub(crate) fn kernel(tower: &Tower, means: Means, n: u32, name: &str) -> Result<Kernel, NotApplicable> {
    let images = images(tower, n);
    let formula = formula(&images, &tower.base.value)?;
    means.reduced(name, &formula, &|name| {
        let (i, j) = name.strip_prefix('m')?.split_once('_')?;
        images.get(i.parse::<usize>().ok()?)?.get(j.parse::<usize>().ok()?).cloned()
    })
}

/// The images of the basis: coordinates of `e_i^(p^n)`.
fn images(tower: &Tower, n: u32) -> Vec<Vec<BigUint>> {
    let (degree, height) = (tower.degree(), tower.height());
    let image = |i: usize| {
        let mut element = vec![BigUint::zero(); degree];
        element[i] = BigUint::one();
        (0..n).fold(element, |a, _| tower.ring.frobenius(height, &a))
    };
    (0..degree).map(image).collect()
}

/// `r_j = Σ m_ij·a_i`.
fn formula(images: &[Vec<BigUint>], p: &BigUint) -> Result<Checked, NotApplicable> {
    let b = Builder::new("frobenius-map");
    b.computes("a power of the Frobenius map, as a linear map");
    b.source("the definition");
    let degree = images.len();
    let names = |letter: &str| (0..degree).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(" ");
    let a = b.input("a", &names("a"));
    let minus_one = p - 1u32;
    let entries = |j: usize| (0..degree).filter(move |i| !images[*i][j].is_zero());
    let is_unit = |m: &BigUint| m.is_one() || *m == minus_one;
    // Constants come before steps.
    let constant = |(i, j): (usize, usize)| ((i, j), b.constant(&format!("m{i}_{j}")));
    let places = (0..degree).flat_map(|j| entries(j).map(move |i| (i, j)));
    let constants: Vec<_> = places.filter(|(i, j)| !is_unit(&images[*i][*j])).map(constant).collect();
    let mut results = Vec::with_capacity(degree);
    for j in 0..degree {
        let mut sum = None;
        let mut is = String::new();
        for i in entries(j) {
            let m = &images[i][j];
            let known = constants.iter().find(|(place, _)| *place == (i, j));
            let (term, text) = match known {
                Some((_, c)) => (*c * a[i], format!("m{i}_{j}*a{i}")),
                None if m.is_one() => (a[i], format!("a{i}")),
                None => (-a[i], format!("-a{i}")),
            };
            is = if is.is_empty() { text } else { format!("{is} + ({text})") };
            sum = Some(sum.map_or(term, |sum| sum + term));
        }
        results.push(sum.ok_or_else(|| NotApplicable("a map that is not one to one".into()))?);
        b.define(&format!("gives r{j} = {is}"));
    }
    b.output("r", &names("r"), &results);
    let formula = b.finish().map_err(|e| NotApplicable(e.to_string()))?;
    check(&formula).map_err(|e| NotApplicable(e.to_string()))
}
