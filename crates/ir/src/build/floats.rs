//! Operations on floats, as they are: sums and products of floats have no simplifications but those that no rounding
//! sees.

use super::Builder;
use crate::kernel::{Type, Value};
use crate::op::Op;

impl Builder {
    /// The float of a pattern.
    pub fn bits_to_float(&mut self, bits: Value, ty: Type) -> Value {
        self.op1(Op::BitsToFloat, &[bits], ty)
    }

    /// The pattern of a float.
    pub fn float_to_bits(&mut self, x: Value) -> Value {
        let bits = Type::Word(self.ty(x).bits() as u8);
        self.op1(Op::FloatToBits, &[x], bits)
    }

    /// The float nearest to `a + b`.
    pub fn float_add(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::FloatAdd, &[a, b], self.ty(a))
    }

    /// The float nearest to `a − b`.
    pub fn float_sub(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::FloatSub, &[a, b], self.ty(a))
    }

    /// The float nearest to `a·b`.
    pub fn float_mul(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::FloatMul, &[a, b], self.ty(a))
    }

    /// The float nearest to `a·b + c`.
    pub fn float_fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.op1(Op::FloatFma, &[a, b, c], self.ty(a))
    }
}
