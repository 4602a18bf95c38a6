//! Modular reduction: of full products, and interleaved with the product. One algorithm a file.

use evariste_ir::{Builder, Kernel, Number, Polynomial};
use evariste_spec::Modulus;
use num_bigint::BigInt;

use crate::frame::{self, NotApplicable, ValueClaim};
use crate::layout::Layout;
use crate::registry::{Integrated, Product, Reduction};

pub mod barrett;
pub mod carry_pass;
pub mod complement;
pub mod conditional_subtraction;
pub mod fold;
pub mod fold_unsaturated;
pub mod montgomery;
pub mod montgomery_cihs;
pub mod montgomery_cios;
pub mod montgomery_cios_no_carry;
pub mod montgomery_cios_rolled;
pub mod montgomery_fios;
pub mod montgomery_fips;
pub mod montgomery_sos;
pub mod solinas;
pub mod words;

/// A kernel `R·out ≡ a·b (mod p)` (R = 1 outside Montgomery layouts) whose body returns an unsettled number; the frame settles it.
fn modular_product(
    name: &str,
    m: &Modulus,
    layout: &Layout,
    square: bool,
    body: impl FnOnce(&mut Builder, &[Number]) -> Number,
) -> Result<Kernel, NotApplicable> {
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    let claim = ValueClaim { factor: layout.factor(), polynomial, modulus: Some(BigInt::from(m.value.clone())) };
    let inputs = [("a", &layout.loose), ("b", &layout.loose)];
    let inputs = if square { &inputs[..1] } else { &inputs[..] };
    frame::kernel(name, layout, inputs, claim, |b, numbers| {
        let t = body(b, numbers);
        Ok(conditional_subtraction::settle(b, m, t, &layout.resting.bound))
    })
}

/// Product, then reduction.
pub fn reduced_product(name: &str, product: &Product, reduction: &Reduction, m: &Modulus, layout: &Layout, square: bool) -> Result<Kernel, NotApplicable> {
    modular_product(name, m, layout, square, |b, x| {
        let digits = if square { (product.square)(b, &x[0].digits) } else { (product.multiply)(b, &x[0].digits, &x[1].digits) };
        let bound = &x[0].bound * &x[x.len() - 1].bound;
        let t = Number::new(digits, layout.word, bound);
        (reduction.reduce)(b, m, layout, t)
    })
}

/// Product and reduction interleaved.
pub fn integrated_product(name: &str, integrated: &Integrated, m: &Modulus, layout: &Layout, square: bool) -> Result<Kernel, NotApplicable> {
    modular_product(name, m, layout, square, |b, x| match (square, integrated.square) {
        (true, Some(square)) => square(b, m, layout, &x[0]),
        (true, None) => (integrated.multiply)(b, m, layout, &x[0], &x[0]),
        _ => (integrated.multiply)(b, m, layout, &x[0], &x[1]),
    })
}

/// The digits of a non-negative integer, `n` words of `w` bits, as constants.
pub fn constant_digits(b: &mut Builder, x: &BigInt, n: usize) -> Vec<evariste_ir::Value> {
    let w = b.word();
    let mask: BigInt = (BigInt::from(1) << w) - 1;
    (0..n as u32).map(|i| b.word_constant((x >> (i * w)) & &mask)).collect()
}
