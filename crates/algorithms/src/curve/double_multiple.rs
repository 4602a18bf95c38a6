//! A multiple of a point and one of the base point, with the doublings of one.
//!
//! * **computes** `k·P + l·G` for the base point G.
//! * **needs** a curve whose sums have no exceptions, with a base point; k and l below `2^bits`, in words; P in resting
//!   coordinates.
//! * **gives** the coordinates of the sum.
//! * **cost** that of `k·P`, and for each digit of l an addition and a scan of a table of constants. Time and addresses
//!   depend on no operand: signatures are public, and so is their time, but this one needs no promise.
//! * **source** Straus, "Addition chains of vectors" (1964), with the digits of `multiple`.

use std::sync::Arc;

use evariste_descriptions::{Field, Structure};
use evariste_ir::{Builder, Contract, Kernel, View};
use num_bigint::BigUint;

use super::multiple::{JACOBIAN_NEEDS, NEEDS, Windows, has_base, has_points};
use super::setting::{curve_of, scalar_bits};
use super::{coordinates, digits, jacobian};
use crate::layout::Layout;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
use crate::signature::NotApplicable;

/// The sum of two multiples.
pub const DOUBLE_MULTIPLE: Composite = Composite {
    name: "windows",
    applies: |f, l, op| *op == Operation::DOUBLE_SCALAR_MUL && has_points(f, l) && has_base(f),
    needs: NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows"), parts),
};

/// The sum of two multiples, with doublings in Jacobian coordinates.
pub const JACOBIAN_DOUBLE_MULTIPLE: Composite = Composite {
    name: "windows-jacobian",
    applies: |f, l, op| {
        *op == Operation::DOUBLE_SCALAR_MUL && has_points(f, l) && has_base(f) && jacobian::formula(f).is_some()
    },
    needs: JACOBIAN_NEEDS,
    write: |f, l, op, parts| write(f, l, &kernel_name(op, "windows-jacobian"), parts),
};

fn write(field: &Field, layout: &Layout, name: &str, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let (curve, _) = curve_of(field)?;
    let (count, bits) = (coordinates::count(curve), scalar_bits(curve));
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", count);
    let (k, first) = digits::scalar(b, "k", bits);
    let point = Element::input(b, layout, "p", count);
    let (l, second) = digits::scalar(b, "l", bits);
    let windows = Windows::new(b, field, layout, parts)?;
    let multiple = |i: u32| coordinates::of(curve, &curve.scale_base(&i.into()).unwrap_or_else(|| curve.zero()));
    let multiples: Vec<BigUint> = (0..windows.entries()).flat_map(multiple).collect();
    let of_base = windows.constant(b, "multiples_of_base", &multiples);
    let (of_k, of_l) = (windows.digits(b, "digits_of_k", k), windows.digits(b, "digits_of_l", l));
    let of_point = windows.table(b, &View::whole(point.array));
    windows.start(b, of_point, of_k);
    windows.add(b, of_base, of_l, windows.first());
    windows.each(b, |b, at| {
        windows.add(b, of_point, of_k, at());
        windows.add(b, of_base, of_l, at());
    });
    let claims = windows.give(b, &out);
    let inputs = std::iter::once(first).chain(point.numbered(layout)).chain([second]).collect();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}
