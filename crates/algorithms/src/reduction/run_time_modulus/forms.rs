//! Other forms of an element by a modulus supplied at run time: into and out of Montgomery form, and the canonical value.
//!
//! * **computes** `a·R mod p` as the product with `R² mod p`, which the caller brings; `a/R mod p` by the rows that
//!   clear alone; `a mod p` by one conditional subtraction.
//! * **needs** resting operands. Into Montgomery form: any number that fits the words (in lanes: below twice the power
//!   of two that bounds the moduli), and `R² mod p` below p.
//! * **gives** a resting element; out of Montgomery form and canonical a number below p.
//! * **cost** one product; n² + n multiplications, and a subtraction where 2p bounds; 2n additions.
//! * **source** Montgomery (1985).

use evariste_ir::{Builder, Kernel, Number, Polynomial};

use super::products::normalised;
use super::statement::{Size, Statement};
use super::sums::less_in_columns;
use crate::lanes::normalise::{cleaned, normalise_by};
use crate::lanes::{forms, montgomery};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::reduction::conditional_subtraction::subtract_if_not_below;
use crate::reduction::montgomery::greatest;
use crate::reduction::montgomery::{Clearing, RunTimeModulus};
use crate::reduction::montgomery_cios;
use crate::signature::NotApplicable;

/// The algorithm's name; `None` where elements are canonical at rest.
pub fn name(layout: &Layout, operation: &Operation) -> Option<&'static str> {
    let canonical = *operation == Operation::CANONICAL;
    match (canonical, layout.radix.is_some()) {
        (true, _) if layout.resting_multiple() == 1 => None,
        (true, false) => Some("conditional-subtraction"),
        (true, true) => Some("conditional-subtraction-lanes"),
        (false, false) => Some(montgomery_cios::INTEGRATED.name),
        (false, true) => Some(montgomery::INTEGRATED.name),
    }
}

/// The kernel of such an operation.
pub fn write(layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let name = name(layout, operation).ok_or_else(|| NotApplicable("elements are canonical at rest".into()))?;
    if *operation == Operation::TO_MONTGOMERY {
        let inputs = [("a", Size::Any), ("square", Size::Canonical)];
        let statement = Statement {
            factor: layout.factor(),
            ..Statement::new(operation, name, &inputs, Polynomial::default().plus(1, &[0, 1]))
        };
        return statement.kernel(layout, true, |b, modulus, x| {
            let t = match layout.radix {
                Some(k) => {
                    montgomery::scan(b, &montgomery::Clearing::at_run_time(modulus, k), layout, &x[0].1, &x[1].1)
                }
                None => montgomery_cios::scan(b, &Clearing::at_run_time(modulus), layout, &x[0].1, &x[1].1),
            };
            Ok(normalised(b, modulus, layout, t))
        });
    }
    let inputs = [("a", Size::Resting)];
    let canonical =
        Statement { result: Size::Canonical, ..Statement::new(operation, name, &inputs, Polynomial::input(0)) };
    if *operation == Operation::FROM_MONTGOMERY {
        let statement = Statement { factor: layout.factor(), ..canonical };
        return statement.kernel(layout, true, |b, modulus, x| Ok(divided(b, modulus, layout, &x[0].1)));
    }
    canonical.kernel(layout, false, |b, modulus, x| {
        Ok(match layout.radix {
            Some(_) => {
                let columns = cleaned(b, layout, &x[0].1);
                below(b, modulus, layout, columns)
            }
            None => subtract_if_not_below(b, x[0].1.clone(), &modulus.number, greatest(layout) - 1u32),
        })
    })
}

/// Columns of a number below 2p, brought below p.
fn below(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, columns: Vec<evariste_ir::Value>) -> Number {
    let u = less_in_columns(b, layout, columns, &modulus.number.digits);
    normalise_by(b, layout, u, &modulus.number.digits, greatest(layout) - 1u32, false)
}

/// `x/R`: at most `(2p − 1 + (R − 1)·p)/R`, which is p; below p from x below p.
fn divided(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, x: &Number) -> Number {
    if let Some(k) = layout.radix {
        let columns = forms::divided(b, &montgomery::Clearing::at_run_time(modulus, k), layout, x);
        return below(b, modulus, layout, columns);
    }
    let mut one = vec![b.word_constant(0); layout.digits()];
    one[0] = b.word_constant(1);
    let mut t =
        montgomery_cios::scan(b, &Clearing::at_run_time(modulus), layout, x, &Number::new(one, layout.word, 1.into()));
    if layout.resting_multiple() == 1 {
        t.bound = greatest(layout) - 1u32;
        return t;
    }
    subtract_if_not_below(b, t, &modulus.number, greatest(layout) - 1u32)
}
