//! Into Montgomery form.
//!
//! * **computes** `a·R mod p` as the Montgomery product of a and the constant `R² mod p`.
//! * **needs** a Montgomery layout of saturated words; a resting operand. The output may be the operand.
//! * **gives** a resting element.
//! * **cost** one Montgomery product; rows of zero digits of `R² mod p` cost nothing. Where the modulus is too long for
//!   straight-line code: a call of the layout's product, with the constant in a public table.
//! * **source** Montgomery, "Modular multiplication without trial division" (1985).

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::{Builder, Contract, Kernel, Number, Polynomial};
use num_bigint::BigInt;

use super::power::{Callee, has_elements};
use super::representation::{canonical_bounds, kernel_name, modulus, prime};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Composite, Integrated, Need, Pick, Whole};
use crate::reduction::conditional_subtraction::normalise;
use crate::reduction::{montgomery_cios, montgomery_difference};
use crate::signature::{self, NotApplicable, ValueClaim, input, output, store_result};
use crate::words::constant_digits;

/// Montgomery layouts.
pub const MONTGOMERY_CIOS: Whole = Whole {
    name: "montgomery-cios",
    applies: |f, l, op| applies(f, l, op, &montgomery_cios::INTEGRATED),
    write: |f, l, op| write(f, l, op, &montgomery_cios::INTEGRATED),
};

/// Montgomery layouts of one word, where the product has two.
pub const MONTGOMERY_DIFFERENCE: Whole = Whole {
    name: "montgomery-difference",
    applies: |f, l, op| {
        applies(f, l, op, &montgomery_difference::INTEGRATED)
            && modulus(f).is_ok_and(|m| (l.factor().pow(2) % prime(m) * &l.resting.bound) >> l.word > BigInt::ZERO)
    },
    write: |f, l, op| write(f, l, op, &montgomery_difference::INTEGRATED),
};

fn applies(field: &Field, layout: &Layout, op: &Operation, product: &Integrated) -> bool {
    *op == Operation::TO_MONTGOMERY && modulus(field).is_ok_and(|m| (product.applies)(m, layout))
}

/// The product of a and `R² mod p`.
fn write(field: &Field, layout: &Layout, op: &Operation, product: &Integrated) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let (p, r) = (prime(m), layout.factor());
    let claim = ValueClaim::plain(Polynomial::default().plus(&r % &p, &[0]), Some(p.clone()));
    signature::kernel(&kernel_name(op, product.name), layout, &[("a", &layout.resting)], claim, |b, x| {
        let square = &r * &r % &p;
        let digits = constant_digits(b, &square, layout.digits());
        let t = (product.multiply)(b, m, layout, &x[0], &Number::new(digits, layout.word, square));
        Ok(normalise(b, m, t, &layout.resting.bound))
    })
}

/// Montgomery layouts of long moduli: a call of the product.
pub const PRODUCT: Composite = Composite {
    name: "product",
    applies: |f, l, op| *op == Operation::TO_MONTGOMERY && only_by_product(f, l),
    needs: MUL,
    write: |f, l, op, parts| {
        let (p, r) = (prime(modulus(f)?), l.factor());
        let claim = ValueClaim::plain(Polynomial::default().plus(&r % &p, &[0]), Some(p.clone()));
        by_product(f, l, op, parts, &(&r * &r % &p), claim, false)
    },
};

/// The product that is called.
pub const MUL: &[Need] = &[Need::new(Operation::MUL, Pick::First)];

/// A Montgomery layout too long for straight-line code. (All layouts of toy words, so that it can be
/// tried on every input.)
pub fn only_by_product(field: &Field, layout: &Layout) -> bool {
    let straight = |m| (montgomery_cios::INTEGRATED.applies)(m, layout);
    layout.montgomery.is_some()
        && layout.radix.is_none()
        && modulus(field).is_ok_and(|m| layout.word < 8 || !straight(m))
        && has_elements(field, layout)
}

/// The kernel `out = a·constant/R` as a call, then brought below p if `below` is asked.
pub fn by_product(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    parts: &[Arc<Kernel>],
    constant: &BigInt,
    claim: ValueClaim,
    below: bool,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let [mul] = parts else { return Err(NotApplicable("made of a product".into())) };
    let mut b = Builder::new(kernel_name(op, "product"), layout.word);
    let canonical = canonical_bounds(m, layout);
    let subtract = below && layout.resting.bound > canonical.bound;
    let (out, operand) = output(&mut b, "out", &layout.weights, if below { &canonical } else { &layout.resting });
    let x = input(&mut b, "a", &layout.weights, &layout.resting);
    let mask: BigInt = (BigInt::from(1) << layout.word) - 1;
    let digits = layout.weights.iter().map(|w| (constant >> *w) & &mask).collect();
    let table = b.table("constant", digits);
    let full = evariste_ir::Interval::up_to(mask);
    let to = if subtract { b.local("t", layout.digits() as u32, full) } else { out };
    let mul = Callee::new(&mut b, mul.clone(), "mul");
    mul.call(&mut b, to, &[x.array, table]);
    let operand = if subtract {
        let t = Number { digits: b.load_all(to), weights: layout.weights.clone(), bound: layout.resting.bound.clone() };
        let result = normalise(&mut b, m, t, &canonical.bound);
        store_result(&mut b, out, operand, &result)?
    } else {
        operand
    };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim.on(operand)] }))
}
