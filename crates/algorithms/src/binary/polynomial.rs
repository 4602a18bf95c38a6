//! Products and squares of polynomials modulo an irreducible one, bit-sliced.
//!
//! * **computes** the product's 2m − 1 coefficients by a circuit of few gates, and replaces the powers of x from m upwards, from the highest down.
//! * **needs** polynomials of degree below m; the output may be an operand.
//! * **gives** the coefficients below x^m.
//! * **cost** M(m) gates of a product of polynomials, and m − 1 XORs for each term of the modulus but the highest. A square: half as many at most, pairs
//!   that several coefficients need are added once.
//! * **source** the product: `polynomial_product`; the reduction: schoolbook division.

use evariste_ir::{Builder, Kernel, Value};
use evariste_spec::{BinaryField, Field};

use super::circuit::{Circuit, Wire};
use super::coordinates::{binary, circuit_product, element_in, element_out, linear_contract, polynomial_bits, powers};
use super::polynomial_product::Products;
use crate::frame::NotApplicable;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::registry::Whole;

/// Fewest gates: products also by values at five places.
pub const FEWEST: Whole = Whole { name: "polynomial-karatsuba-values", applies: multiplies, write: |f, l, op| product(f, l, op, "polynomial_karatsuba_values", true) };
/// Shallow: Karatsuba's kind of splits only.
pub const SHALLOW: Whole = Whole { name: "polynomial-karatsuba", applies: multiplies, write: |f, l, op| product(f, l, op, "polynomial_karatsuba", false) };
/// Squares.
pub const SQUARING: Whole = Whole { name: "polynomial-squaring", applies: |f, l, op| *op == Operation::Square && polynomial_bits(f, l), write: square };

fn multiplies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::Mul && polynomial_bits(field, layout) && layout.digits() <= super::CIRCUIT_DEGREE as usize
}

/// Coefficients modulo the field's polynomial.
fn reduce(f: &BinaryField, c: &mut Circuit, mut x: Vec<Wire>) -> Vec<Wire> {
    let (m, exponents) = (f.degree as usize, f.exponents());
    for i in (m..x.len()).rev() {
        let top = x[i];
        for e in &exponents[1..] {
            let at = i - m + *e as usize;
            x[at] = c.xor(x[at], top);
        }
    }
    x.resize(m, None);
    x
}

fn product(field: &Field, layout: &Layout, op: &Operation, name: &str, evaluation: bool) -> Result<Kernel, NotApplicable> {
    let products = Products::new(layout.digits(), evaluation);
    circuit_product(field, layout, &format!("{}_{name}", op.name()), |f, c, x, y| {
        let product = products.multiply(c, x, y);
        reduce(f, c, product)
    })
}

fn square(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let mut circuit = Circuit::default();
    let x = circuit.inputs(layout.digits());
    let images: Vec<Vec<u32>> = powers(f, 2 * f.degree - 1).into_iter().step_by(2).collect();
    let row = |k: u32| (0..x.len()).filter(|i| images[*i].contains(&k)).collect();
    let wires = circuit.linear_map(&x, (0..f.degree).map(row).collect());
    let mut b = Builder::new(format!("{}_polynomial_squaring", op.name()), 1);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    let inputs: Vec<Value> = b.load_all(x.array);
    let values = circuit.write(&mut b, &inputs, &wires);
    b.store_all(out, &values);
    Ok(b.finish(linear_contract(output, x.operand, images)))
}
