//! Gaussian normal bases of types above 2 through polynomials: no sparse change of basis is known there.
//!
//! * **computes** both factors as polynomials modulo the usual polynomial of the degree, their product, and its
//!   coordinates in the normal basis.
//! * **needs** a Gaussian normal basis of type 3 or more. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a product of polynomials with its reduction, and three dense maps: about 0.17 m² XORs each by sharing
//!   pairs, `m²/t + 2^t m/t` by blocks of t coordinates for long elements, where the search for pairs takes too long.
//!   31,000 gates for m = 163, type 4, a third of the best sequential multiplier's.
//! * **source** the definitions; pairs: Paar, "Optimized arithmetic for Reed-Solomon encoders" (1997); blocks:
//!   Arlazarov, Dinic, Kronrod, Faradzhev (1970).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;

use super::circuit::{Circuit, Wire};
use super::coordinates::{circuit_product, normal_bits};
use super::frobenius::block;
use super::polynomial::reduce;
use super::polynomial_product::{Cost, Products};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Greatest degree for which pairs are searched.
const PAIRS_DEGREE: usize = 200;

/// Fewest gates.
pub const FEWEST: Whole =
    Whole { name: "via-polynomial", applies, write: |f, l, op| write(f, l, op, "via_polynomial", Cost::Gates) };
/// By blocks that stay in registers.
pub const BLOCKS: Whole = Whole {
    name: "via-polynomial-blocks",
    applies,
    write: |f, l, op| write(f, l, op, "via_polynomial_blocks", Cost::Instructions),
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let fits = |f: &Field| {
        f.get::<BinaryField>().is_some_and(|f| f.basis_type() > Some(2) && f.degree <= super::circuit::CIRCUIT_DEGREE)
    };
    *op == Operation::MUL && normal_bits(field, layout) && fits(field)
}

/// For each coordinate of the other basis those of this one that add up to it.
fn rows(from: &BinaryField, to: &BinaryField) -> Result<Vec<Vec<usize>>, NotApplicable> {
    let images = from.conversion(to).ok_or_else(|| NotApplicable("two fields of one degree are needed".into()))?;
    let row = |k: u32| (0..images.len()).filter(|i| images[*i].bit(u64::from(k))).collect();
    Ok((0..from.degree).map(row).collect())
}

fn changed(c: &mut Circuit, x: &[Wire], rows: &[Vec<usize>]) -> Vec<Wire> {
    if x.len() <= PAIRS_DEGREE {
        c.linear_map(x, rows.to_vec())
    } else {
        c.linear_map_by_blocks(x, rows, block(x.len()))
    }
}

fn write(field: &Field, layout: &Layout, op: &Operation, name: &str, cost: Cost) -> Result<Kernel, NotApplicable> {
    let no = || NotApplicable("this needs a binary field".into());
    let Some(f) = field.get::<BinaryField>() else { return Err(no()) };
    let standard = BinaryField::standard(f.degree).ok_or_else(no)?;
    let (there, back) = (rows(f, &standard)?, rows(&standard, f)?);
    let products = Products::new(layout.digits(), cost);
    circuit_product(field, layout, &format!("{}_{name}", op.name()), |_, c, x, y| {
        let (p, q) = (changed(c, x, &there), changed(c, y, &there));
        let product = products.multiply(c, &p, &q);
        let reduced = reduce(&standard, c, product);
        changed(c, &reduced, &back)
    })
}
