//! Normal-basis elements as arrays of one-bit words: parameters and contracts, written from the field alone.
//!
//! * **computes** nothing: the contract of a product is the multiplication matrix of the field's definition, that of a linear map its images.
//! * **needs** a layout of one-bit words, one a coordinate.
//! * **gives** arrays `out`, `a`, `b` of m bits, and claims about them.
//! * **cost** none.
//! * **source** Brumley and Page, "Bit-sliced binary normal basis multiplication" (2011), for the order of coordinates: `A = Σ a_i β^(2^i)`.

use std::sync::Arc;

use evariste_ir::{Array, BitMap, Builder, Claim, Contract, Operand};
use evariste_spec::{BinaryField, Field};
use num_bigint::BigInt;

use crate::frame::{Input, NotApplicable, input, output};
use crate::layout::Layout;

/// The binary field of a description.
pub fn binary(field: &Field) -> Result<&BinaryField, NotApplicable> {
    match field {
        Field::Binary(f) => Ok(f),
        _ => Err(NotApplicable("this needs a binary field".into())),
    }
}

/// Is it a binary field whose elements lie in one-bit words, one a coordinate?
pub fn one_bit_words(field: &Field, layout: &Layout) -> bool {
    matches!(field, Field::Binary(f) if layout.word == 1 && layout.digits() == f.degree as usize)
}

/// The output element.
pub fn element_out(b: &mut Builder, layout: &Layout) -> (Array, Operand) {
    output(b, "out", &layout.weights, &layout.resting)
}

/// An input element.
pub fn element_in(b: &mut Builder, name: &str, layout: &Layout) -> Input {
    input(b, name, &layout.weights, &layout.resting)
}

/// The contract of the field's product.
pub fn product_contract(f: &BinaryField, output: Operand, inputs: Vec<Operand>) -> Contract {
    let map = BitMap::RotatingBilinear(Arc::new(f.delta()));
    Contract { facts: Vec::new(), inputs, claims: vec![Claim::Bits { output, map }] }
}

/// The contract of a linear map: `images[i]` lists the coordinates of the image of basis vector i.
pub fn linear_contract(output: Operand, input: Operand, images: Vec<Vec<u32>>) -> Contract {
    Contract { facts: Vec::new(), inputs: vec![input], claims: vec![Claim::Bits { output, map: BitMap::Linear(Arc::new(images)) }] }
}

/// Two elements as one vector: the coordinates of `x`, then those of `y`.
pub fn joined(x: Operand, y: Operand) -> Operand {
    let m = x.digits.len() as u32;
    let bound = &x.bound + (&y.bound << m);
    let mut digits = x.digits;
    digits.extend(y.digits.into_iter().map(|mut d| {
        d.weight += m;
        d
    }));
    Operand { name: format!("{}_{}", x.name, y.name), digits, bound: bound + BigInt::from(0) }
}
