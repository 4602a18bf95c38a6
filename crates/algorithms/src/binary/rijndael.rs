//! Products and squares in GF(2^8) where a machine multiplies bytes modulo x^8 + x^4 + x^3 + x + 1, and maps them by a
//! matrix.
//!
//! * **computes** `a·b` modulo any irreducible polynomial of degree 8: in the other basis, where the product is one
//!   operation; `a²`, which is a linear map.
//! * **needs** elements of one byte. The output may be an operand.
//! * **gives** the product's or the square's coefficients.
//! * **cost** one product and three maps, or without maps where the polynomial is that one; a square: one map.
//! * **source** Intel, "Galois Field New Instructions (GFNI)" technology guide (2018), for product and map; all fields
//!   of 256 elements are one: Lidl, Niederreiter, "Finite Fields" (1997), theorem 2.5.

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::{Builder, Kernel, Value};
use num_bigint::BigUint;

use super::coordinates::{binary, element_in, element_out, linear_contract, powers, product_contract};
use super::words::polynomial_words;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// x^8 + x^4 + x^3 + x + 1.
const POLYNOMIAL: u32 = 0x11b;

/// By one product of bytes.
pub const PRODUCT: Whole = Whole {
    name: "rijndael",
    applies: |f, l, op| *op == Operation::MUL && bytes(f, l),
    write: |f, l, _| product(f, l),
};
/// By one map.
pub const SQUARE: Whole = Whole {
    name: "bit-matrix",
    applies: |f, l, op| *op == Operation::SQUARE && bytes(f, l),
    write: |f, l, _| square(f, l),
};

fn bytes(field: &Field, layout: &Layout) -> bool {
    polynomial_words(field, layout) && layout.word == 8 && field.get::<BinaryField>().is_some_and(|f| f.degree == 8)
}

fn byte(x: &BigUint) -> u8 {
    x.to_bytes_le()[0]
}

/// The images of the basis of one field in the other; `None`: they have the same basis.
fn images(from: &BinaryField, to: &BinaryField) -> Result<Option<[u8; 8]>, NotApplicable> {
    if from.modulus() == to.modulus() {
        return Ok(None);
    }
    let images = from.conversion(to).map(|images| images.iter().map(byte).collect::<Vec<u8>>());
    let images = images.and_then(|images| <[u8; 8]>::try_from(images).ok());
    Ok(Some(images.ok_or_else(|| NotApplicable("two fields of 256 elements are needed".into()))?))
}

fn mapped(b: &mut Builder, images: Option<[u8; 8]>, x: Value) -> Value {
    images.map_or(x, |images| b.bit_matrix(images, x))
}

fn product(field: &Field, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let rijndael = BinaryField::polynomial(&BigUint::from(POLYNOMIAL))
        .map_err(|_| NotApplicable("the polynomial is irreducible".into()))?;
    let (there, back) = (images(f, &rijndael)?, images(&rijndael, f)?);
    let mut b = Builder::new("mul_rijndael", layout.word);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let [p, q] = [x.array, y.array].map(|a| b.load_all(a)[0]);
    let (p, q) = (mapped(&mut b, there, p), mapped(&mut b, there, q));
    let product = b.rijndael_mul(p, q);
    let product = mapped(&mut b, back, product);
    b.store_all(out, &[product]);
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

fn square(field: &Field, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let squares: Vec<Vec<u32>> = powers(f, 2 * f.degree - 1).into_iter().step_by(2).collect();
    let mut images = [0; 8];
    for (image, coordinates) in images.iter_mut().zip(&squares) {
        *image = coordinates.iter().fold(0, |sum, i| sum | 1 << i);
    }
    let mut b = Builder::new("square_bit_matrix", layout.word);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    let a = b.load_all(x.array)[0];
    let result = b.bit_matrix(images, a);
    b.store_all(out, &[result]);
    Ok(b.finish(linear_contract(output, x.operand, squares)))
}
