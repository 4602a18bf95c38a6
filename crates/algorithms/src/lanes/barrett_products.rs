//! Products of canonical numbers by Barrett reduction in lanes, without Montgomery form: for even moduli.
//!
//! * **computes** `a·b` and `a²` modulo p: [`super::barrett`], then one conditional subtraction.
//! * **needs** canonical numbers in clean digits, two bits above p.
//! * **gives** canonical numbers in clean digits.
//! * **cost** that of `barrett`, and about 7n.
//! * **source** as `barrett`.

use evariste_descriptions::Modulus;
use evariste_ir::{Builder, Contract, Kernel, Polynomial};

use super::add::of;
use super::barrett::{bounds, is_plain, kernel};
use super::forms::canonical_of;
use super::mul_words::Steps;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// Registry line: products of canonical numbers, without Montgomery form.
pub const PRODUCT: Whole = Whole {
    name: "barrett-madd",
    applies: |f, l, op| op.is_any(&[Operation::MUL, Operation::SQUARE]) && of(f, l, is_plain),
    write: |f, l, op| write(modulus(f)?, l, op),
};

/// The product or the square, then one conditional subtraction.
fn write(m: &Modulus, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let name = kernel_name(op, "barrett-madd");
    let mut b = Builder::new(&name, layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let names: &[&str] = if *op == Operation::SQUARE { &["a"] } else { &["a", "b"] };
    let inputs: Vec<_> = names.iter().map(|name| input(&mut b, name, &layout.weights, &layout.resting)).collect();
    let mut steps = Steps { b, layout };
    let factors = [inputs[0].array, inputs[inputs.len() - 1].array];
    let t = steps.call("product", kernel(m, layout, &format!("{name}_product")), &factors);
    let canonical = canonical_of(m, layout, &bounds(m, layout), &format!("{name}_canonical"))?;
    let b = steps.last("canonical", canonical, out, t);
    let claim = ValueClaim::plain(Polynomial::default().plus(1, &[0, inputs.len() as u32 - 1]), Some(prime(m)));
    let inputs = inputs.into_iter().map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim.on(operand)] }))
}
