//! The WG transformation and permutation, and what initialisation feeds back.
//!
//! * **computes** with `y = x + 1`: the permutation `y + y^(2^10+1) + y^(2^20+2^10+1) + y^(2^20+2^10−1) + y^(2^20−2^10+1) + 1`;
//!   Q, the sum of conjugates of the same powers; the transformation, their trace.
//! * **needs** a product and an inverse of the field.
//! * **gives** an element, or a bit.
//! * **cost** an inverse (six products), and two products for the transformation, four for the permutation, five for Q. The
//!   trace of a product is the parity of common coordinates: the last product of each power is none.
//! * **source** Nawaz, Gong, "The WG Stream Cipher" (2005); exponents of Q as in the designers' source.

use std::sync::Arc;

use evariste_descriptions::Wg;
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value};

use super::elements::{Element, Elements, common, conjugate, load, parameter, plus, plus_one, trace};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Need};
use crate::signature::NotApplicable;

/// What all are made of.
pub(super) const NEEDS: &[Need] = &[Need::ground(Operation::MUL), Need::ground(Operation::INVERSE)];

/// The transformation.
pub const TRANSFORMATION: Composite = Composite {
    name: "traces",
    applies: |f, _, op| *op == Operation::TRANSFORMATION && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "traces"), l, parts, Function::Transformation),
};

/// What initialisation feeds back.
pub const FEEDBACK: Composite = Composite {
    name: "inverse",
    applies: |f, _, op| *op == Operation::FEEDBACK && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "inverse"), l, parts, Function::Feedback),
};

/// The permutation.
pub const PERMUTATION: Composite = Composite {
    name: "inverse",
    applies: |f, _, op| *op == Operation::PERMUTATION && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| function(&kernel_name(op, "inverse"), l, parts, Function::Permutation),
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
    let field = Elements::new(&mut b, layout, parts).ok_or_else(|| NotApplicable("a part is missing".into()))?;
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

/// The trace of Q, of which that of 1 is 1.
pub(super) fn transformation(b: &mut Builder, field: &Elements, x: &[Value]) -> Value {
    let y = plus_one(b, x);
    let v = field.inverse(b, &y);
    let [y9, y10, y19, v9] = [(&y, 9), (&y, 10), (&y, 19), (&v, 9)].map(|(x, k)| conjugate(b, x, k));
    let u = field.product(b, &y19, &y);
    let w = field.product(b, &y10, &v);
    // y^(2^19+2^9+1) and y^(2^19−2^9+1) are u times conjugates.
    let middle = plus(b, &y9, &v9);
    let mut terms = y.clone();
    for (x, z) in [(&y10, &y), (&u, &middle), (&w, &y19)] {
        let shared = common(b, x, z);
        terms = plus(b, &terms, &shared);
    }
    let sum = trace(b, &terms);
    let one = b.word_constant(1);
    b.xor(sum, one)
}

/// Q.
pub(super) fn feedback(b: &mut Builder, field: &Elements, x: &[Value]) -> Element {
    let y = plus_one(b, x);
    let v = field.inverse(b, &y);
    let [y9, y10, y19, v9] = [(&y, 9), (&y, 10), (&y, 19), (&v, 9)].map(|(x, k)| conjugate(b, x, k));
    let u = field.product(b, &y19, &y);
    let w = field.product(b, &y10, &v);
    let middle = plus(b, &y9, &v9);
    let mut sum = y.clone();
    for (x, z) in [(&y10, &y), (&u, &middle), (&w, &y19)] {
        let power = field.product(b, x, z);
        sum = plus(b, &sum, &power);
    }
    plus_one(b, &sum)
}

/// The permutation.
fn permutation(b: &mut Builder, field: &Elements, x: &[Value]) -> Element {
    let y = plus_one(b, x);
    let v = field.inverse(b, &y);
    let [y10, y20, v10] = [(&y, 10), (&y, 20), (&v, 10)].map(|(x, k)| conjugate(b, x, k));
    let s = field.product(b, &y10, &y);
    let mut factor = s.clone();
    for (x, z) in [(&y10, &v), (&v10, &y)] {
        let power = field.product(b, x, z);
        factor = plus(b, &factor, &power);
    }
    let powers = field.product(b, &y20, &factor);
    let sum = plus(b, &y, &s);
    let sum = plus(b, &sum, &powers);
    plus_one(b, &sum)
}
