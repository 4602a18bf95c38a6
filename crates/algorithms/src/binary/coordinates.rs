//! Elements of binary fields as arrays of one-bit words: parameters and contracts, written from the field alone.
//!
//! * **computes** nothing: the contract of a product is that of basis elements by the field's definition, that of a
//!   linear map its images.
//! * **needs** a layout of one-bit words, one a coordinate.
//! * **gives** arrays `out`, `a`, `b` of m bits, and claims about them.
//! * **cost** none.
//! * **source** Brumley and Page, "Bit-sliced binary normal basis multiplication" (2011), for the order of coordinates:
//!   `A = Σ a_i β^(2^i)`; polynomials `Σ a_i x^i`.

use std::sync::Arc;

use evariste_descriptions::{Basis, BinaryField, Field};
use evariste_ir::{Array, BitMap, Builder, Claim, Contract, Kernel, Operand, Value};
use num_bigint::{BigInt, BigUint};

use super::circuit::{Circuit, Wire};
use crate::layout::Layout;
use crate::signature::{Input, NotApplicable, input, output};

/// The binary field of a description.
pub fn binary(field: &Field) -> Result<&BinaryField, NotApplicable> {
    field.get::<BinaryField>().ok_or_else(|| NotApplicable("this needs a binary field".into()))
}

/// Is it a binary field whose elements lie in one-bit words, one a coordinate?
pub fn one_bit_words(field: &Field, layout: &Layout) -> bool {
    field.get::<BinaryField>().is_some_and(|f| layout.word == 1 && layout.digits() == f.degree as usize)
}

/// The output element.
pub fn element_out(b: &mut Builder, layout: &Layout) -> (Array, Operand) {
    output(b, "out", &layout.weights, &layout.resting)
}

/// An input element.
pub fn element_in(b: &mut Builder, name: &str, layout: &Layout) -> Input {
    input(b, name, &layout.weights, &layout.resting)
}

/// Is it such a field, in a normal basis?
pub fn normal_bits(field: &Field, layout: &Layout) -> bool {
    one_bit_words(field, layout) && field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_some())
}

/// Is it such a field, of polynomials?
pub fn polynomial_bits(field: &Field, layout: &Layout) -> bool {
    one_bit_words(field, layout) && field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_none())
}

/// The field's product.
pub fn product_map(f: &BinaryField) -> BitMap {
    match f.basis {
        Basis::Normal(_) => BitMap::RotatingBilinear(Arc::new(f.delta())),
        Basis::Polynomial => BitMap::Convolution(Arc::new(powers(f, 2 * f.degree - 1))),
    }
}

/// The coordinates of 1, x, x², … of a field of polynomials, that many.
pub fn powers(f: &BinaryField, count: u32) -> Vec<Vec<u32>> {
    let next = |x: &BigUint| Some(f.multiply(x, &f.generator()));
    let all = std::iter::successors(Some(f.one()), next).take(count as usize);
    all.map(|x| (0..f.degree).filter(|i| x.bit(u64::from(*i))).collect()).collect()
}

/// The contract of the field's product.
pub fn product_contract(f: &BinaryField, output: Operand, inputs: Vec<Operand>) -> Contract {
    Contract { facts: Vec::new(), inputs, claims: vec![Claim::Bits { output, map: product_map(f) }] }
}

/// The kernel of a product whose coordinates are a circuit's.
pub fn circuit_product(
    field: &Field,
    layout: &Layout,
    name: &str,
    build: impl FnOnce(&BinaryField, &mut Circuit, &[Wire], &[Wire]) -> Vec<Wire>,
) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let mut circuit = Circuit::default();
    let (p, q) = (circuit.inputs(layout.digits()), circuit.inputs(layout.digits()));
    let wires = build(f, &mut circuit, &p, &q);
    let mut b = Builder::new(name, 1);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let inputs: Vec<Value> = [x.array, y.array].into_iter().flat_map(|a| b.load_all(a)).collect();
    let values = circuit.write(&mut b, &inputs, &wires);
    b.store_all(out, &values);
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

/// The contract of a linear map: `images[i]` lists the coordinates of the image of basis vector i.
pub fn linear_contract(output: Operand, input: Operand, images: Vec<Vec<u32>>) -> Contract {
    Contract {
        facts: Vec::new(),
        inputs: vec![input],
        claims: vec![Claim::Bits { output, map: BitMap::Linear(Arc::new(images)) }],
    }
}

/// Two elements as one vector: the coordinates of `x`, then those of `y`.
pub fn joined(x: Operand, y: Operand) -> Operand {
    let m = x.bound.bits() as u32;
    let bound = &x.bound + (&y.bound << m);
    let mut digits = x.digits;
    digits.extend(y.digits.into_iter().map(|mut d| {
        d.weight += m;
        d
    }));
    Operand { name: format!("{}_{}", x.name, y.name), digits, bound: bound + BigInt::from(0), below: None }
}
