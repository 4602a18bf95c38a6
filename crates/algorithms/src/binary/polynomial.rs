//! Products of polynomials modulo an irreducible one, bit-sliced.
//!
//! * **computes** the product's 2m − 1 coefficients by a circuit of few gates, and replaces the powers of x from m
//!   upwards, from the highest down.
//! * **needs** polynomials of degree below m; the output may be an operand.
//! * **gives** the coefficients below x^m.
//! * **cost** M(m) gates of a product of polynomials, and m − 1 XORs for each term of the modulus but the highest.
//! * **source** the product: `polynomial_product`; the reduction: schoolbook division.

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;

use super::circuit::{Circuit, Wire};
use super::coordinates::{binary, circuit_product, polynomial_bits};
use super::leaves::{Ends, levels, rolled_product};
use super::polynomial_product::{Cost, Products};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Fewest gates: products also by values at five places.
pub const FEWEST: Whole = Whole {
    name: "polynomial-karatsuba-values",
    applies: multiplies,
    write: |f, l, op| product(f, l, op, "polynomial_karatsuba_values", Cost::Gates),
};
/// Shallow: Karatsuba's kind of splits only.
pub const SHALLOW: Whole = Whole {
    name: "polynomial-karatsuba",
    applies: multiplies,
    write: |f, l, op| product(f, l, op, "polynomial_karatsuba", Cost::ShallowGates),
};
/// By blocks that stay in registers.
pub const BLOCKS: Whole = Whole {
    name: "polynomial-blocks",
    applies: multiplies,
    write: |f, l, op| product(f, l, op, "polynomial_blocks", Cost::Instructions),
};
/// By blocks that stay in registers, all of them by the same code.
pub const ROLLED: Whole = Whole {
    name: "polynomial-rolled",
    applies: |f, l, op| multiplies(f, l, op) && levels(l.digits()) > 0,
    write: |f, l, op| {
        let field = binary(f)?;
        let ends = Ends { before: &|_, x| x.to_vec(), runs: None, after: &|c, x| reduce(field, c, x.to_vec()) };
        rolled_product(f, l, &format!("{}_polynomial_rolled", op.name()), &ends)
    },
};

fn multiplies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::MUL
        && polynomial_bits(field, layout)
        && layout.digits() <= super::circuit::CIRCUIT_DEGREE as usize
}

/// Coefficients modulo the field's polynomial.
pub fn reduce(f: &BinaryField, c: &mut Circuit, mut x: Vec<Wire>) -> Vec<Wire> {
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

fn product(field: &Field, layout: &Layout, op: &Operation, name: &str, cost: Cost) -> Result<Kernel, NotApplicable> {
    let products = Products::new(layout.digits(), cost);
    circuit_product(field, layout, &format!("{}_{name}", op.name()), |f, c, x, y| {
        let product = products.multiply(c, x, y);
        reduce(f, c, product)
    })
}
