//! The WG transformation and permutation, and what initialisation feeds back.
//!
//! * **computes** with `y = x + 1`: the permutation `y + y^(2^10+1) + y^(2^20+2^10+1) + y^(2^20+2^10−1) + y^(2^20−2^10+1) + 1`;
//!   Q, the sum of conjugates of the same powers; the transformation, their trace.
//! * **needs** a product of the field.
//! * **gives** an element, or a bit.
//! * **cost** `r = y^(2^10−1)` (four products), from which no inverse is needed: the powers are `y^(2^10)·y`, products of
//!   `y^(2^20)` by `y^(2^10)·y` and by r, and one of y by a conjugate of r. Then one product for the transformation, three for
//!   the permutation and for Q. The trace of a product is the parity of common coordinates: the last products are none.
//! * **source** Nawaz, Gong, "The WG Stream Cipher" (2005); exponents of Q as in the designers' source.

use std::sync::Arc;

use evariste_descriptions::Wg;
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value};

use super::elements::{Basis, Element, Elements, load, parameter, plus};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need};
use crate::signature::NotApplicable;

/// What all are made of.
pub(super) const NEEDS: &[Need] = &[Need::ground(Operation::MUL)];

/// The transformation.
pub const TRANSFORMATION: Composite = Composite {
    name: "traces",
    applies: |f, _, op| *op == Operation::TRANSFORMATION && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "traces"), l, parts, Function::Transformation),
};

/// What initialisation feeds back.
pub const FEEDBACK: Composite = Composite {
    name: "powers",
    applies: |f, _, op| *op == Operation::FEEDBACK && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "powers"), l, parts, Function::Feedback),
};

/// The permutation.
pub const PERMUTATION: Composite = Composite {
    name: "powers",
    applies: |f, _, op| *op == Operation::PERMUTATION && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "powers"), l, parts, Function::Permutation),
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    Transformation,
    Feedback,
    Permutation,
}

fn function(name: &str, layout: &Layout, parts: &[Arc<Kernel>], function: Function) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let bit = function == Function::Transformation;
    let (out, output) = if bit {
        let array = b.output("out", 1, &[1.into()]);
        (array, Operand::new("out", array, &[0], &[1.into()], 1.into()))
    } else {
        let (array, mut operands) = parameter(&mut b, layout, "out", ArrayKind::Output, 1);
        (array, operands.remove(0))
    };
    let (a, inputs) = parameter(&mut b, layout, "a", ArrayKind::Input, 1);
    let field = Elements::new(&mut b, layout, Basis::Normal(parts))?;
    let x = load(&mut b, layout, a, 0);
    let result = match function {
        Function::Transformation => vec![transformation(&mut b, &field, &x)],
        Function::Feedback => feedback(&mut b, &field, &x),
        Function::Permutation => permutation(&mut b, &field, &x),
    };
    b.store_all(out, &result);
    let claims = vec![Claim::Step { output, name: "wg".into() }];
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// `y^(2^10 − 1)`.
fn run(b: &mut Builder, field: &Elements, y: &[Value]) -> Element {
    // y^(2^j − 1) and y^(2^k − 1) give y^(2^(j+k) − 1).
    let joined = |b: &mut Builder, x: &[Value], k: u32, y: &[Value]| {
        let up = field.conjugate(b, x, k);
        field.product(b, &up, y)
    };
    let two = joined(b, y, 1, y);
    let four = joined(b, &two, 2, &two);
    let five = joined(b, &four, 1, y);
    joined(b, &five, 5, &five)
}

/// The trace of the permutation, which is that of Q; that of 1 is 1.
pub(super) fn transformation(b: &mut Builder, field: &Elements, x: &[Value]) -> Value {
    let y = field.plus_one(b, x);
    let r = run(b, field, &y);
    let y10 = field.conjugate(b, &y, 10);
    let y20 = field.conjugate(b, &y10, 10);
    let r10 = field.conjugate(b, &r, 10);
    let u = field.product(b, &y10, &y);
    let (by_y, by_y20) = (plus(b, &y10, &r10), plus(b, &u, &r));
    let sum = field.trace(b, &y, &[[&y, &by_y], [&y20, &by_y20]]);
    let one = b.word_constant(1);
    b.xor(sum, one)
}

/// Q.
pub(super) fn feedback(b: &mut Builder, field: &Elements, x: &[Value]) -> Element {
    let y = field.plus_one(b, x);
    let r = run(b, field, &y);
    let y9 = field.conjugate(b, &y, 9);
    let y10 = field.conjugate(b, &y9, 1);
    let y19 = field.conjugate(b, &y10, 9);
    let r9 = field.conjugate(b, &r, 9);
    let s = field.product(b, &y19, &y9);
    let by_y = plus(b, &y10, &s);
    let by_y = plus(b, &by_y, &r9);
    let mut sum = y.clone();
    for (x, z) in [(&y, &by_y), (&y19, &r)] {
        let power = field.product(b, x, z);
        sum = plus(b, &sum, &power);
    }
    field.plus_one(b, &sum)
}

/// The permutation.
fn permutation(b: &mut Builder, field: &Elements, x: &[Value]) -> Element {
    let y = field.plus_one(b, x);
    let r = run(b, field, &y);
    let y10 = field.conjugate(b, &y, 10);
    let y20 = field.conjugate(b, &y10, 10);
    let r10 = field.conjugate(b, &r, 10);
    let u = field.product(b, &y10, &y);
    let by_y20 = plus(b, &u, &r);
    let mut sum = plus(b, &y, &u);
    for (x, z) in [(&y20, &by_y20), (&r10, &y)] {
        let power = field.product(b, x, z);
        sum = plus(b, &sum, &power);
    }
    field.plus_one(b, &sum)
}
