//! Montgomery products by a modulus supplied at run time.
//!
//! * **computes** `a·b/R mod p`, `a²/R mod p` by every scan that takes the digits of p and `−1/p mod 2^w` as values.
//! * **needs** resting operands; p odd and its inverse.
//! * **gives** a resting element: `(A·B + (R−1)·p)/R < 2p` for `A < p` and `B < R`, and one subtraction; for
//!   `A, B < 2p` and `R ≥ 4p` less than 2p, and nothing is subtracted.
//! * **cost** 2n² + n multiplications, as for a modulus without structure that is known.
//! * **source** Montgomery (1985); Walter (1999).

use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Builder, Kernel, Number, Polynomial, View};

use super::statement::{Size, Statement};
use crate::lanes::montgomery;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::reduction::conditional_subtraction::subtract_if_not_below;
use crate::reduction::montgomery::{Clearing, RunTimeModulus, Scan};
use crate::reduction::{
    montgomery_cihs, montgomery_cios, montgomery_cios_chains, montgomery_cios_merge, montgomery_cios_mixed,
    montgomery_cios_no_carry, montgomery_fios, montgomery_fips, montgomery_sos, montgomery_sos_chains,
    montgomery_sos_merge,
};
use crate::signature::NotApplicable;

/// A reduction of a finished product.
type Reduce = fn(&mut Builder, &Clearing, &Layout, Number) -> Number;

/// Interleaved products.
const SCANS: &[Scan] = &[
    montgomery_cios::SCAN,
    montgomery_cios_chains::SCAN,
    montgomery_cios_merge::SCAN,
    montgomery_cios_mixed::SCAN,
    montgomery_cios_no_carry::SCAN,
    montgomery_fios::SCAN,
    montgomery_fips::SCAN,
    montgomery_cihs::SCAN,
];

/// Reductions of finished products.
const REDUCTIONS: &[(&str, Reduce)] = &[
    ("montgomery-sos", montgomery_sos::scan),
    ("montgomery-sos-chains", montgomery_sos_chains::scan),
    ("montgomery-sos-merge", montgomery_sos_merge::scan),
];

/// The product in lanes.
const LANES: &str = montgomery::INTEGRATED.name;

/// The names of the algorithms that need no whole product.
pub(super) fn algorithms(layout: &Layout) -> Vec<&'static str> {
    if layout.radix.is_some() {
        return vec![LANES];
    }
    SCANS.iter().filter(|s| (s.applies)(layout)).map(|s| s.name).collect()
}

/// The names of the reductions of whole products.
pub(super) fn reductions(layout: &Layout) -> Vec<&'static str> {
    if layout.radix.is_some() { Vec::new() } else { REDUCTIONS.iter().map(|r| r.0).collect() }
}

/// The product or square by the algorithm of that name.
pub(super) fn write(
    layout: &Layout,
    operation: &Operation,
    algorithm: &str,
    product: Option<Arc<Kernel>>,
) -> Result<Kernel, NotApplicable> {
    let square = *operation == Operation::SQUARE;
    let inputs = [("a", Size::Resting), ("b", Size::Resting)];
    let inputs = if square { &inputs[..1] } else { &inputs[..] };
    let polynomial = Polynomial::default().plus(1, if square { &[0, 0] } else { &[0, 1] });
    let statement = Statement { factor: layout.factor(), ..Statement::new(operation, algorithm, inputs, polynomial) };
    statement.kernel(layout, true, |b, modulus, x| {
        let t = unnormalised(b, modulus, layout, x, algorithm, product, square)?;
        Ok(normalised(b, modulus, layout, t))
    })
}

/// The product by the algorithm of that name, below 2p.
fn unnormalised(
    b: &mut Builder,
    modulus: &RunTimeModulus,
    layout: &Layout,
    x: &[(Array, Number)],
    algorithm: &str,
    product: Option<Arc<Kernel>>,
    square: bool,
) -> Result<Number, NotApplicable> {
    let (first, second) = (&x[0].1, &x[x.len() - 1].1);
    if let (LANES, Some(k)) = (algorithm, layout.radix) {
        let p = montgomery::Clearing::at_run_time(modulus, k);
        return Ok(if square {
            montgomery::scan_square(b, &p, layout, first)
        } else {
            montgomery::scan(b, &p, layout, first, second)
        });
    }
    let p = Clearing::at_run_time(modulus);
    if let Some(scan) = SCANS.iter().find(|s| s.name == algorithm) {
        return Ok(match (square, scan.square) {
            (true, Some(of)) => of(b, &p, layout, first),
            _ => (scan.multiply)(b, &p, layout, first, second),
        });
    }
    // The name of a whole product stands before that of its reduction.
    let reduction = algorithm.rsplit('+').next();
    let reduce = REDUCTIONS.iter().find(|r| Some(r.0) == reduction).map(|r| r.1);
    let (Some(product), Some(reduce)) = (product, reduce) else {
        return Err(NotApplicable(format!("there is no algorithm {algorithm} for a run-time modulus")));
    };
    let t = called_product(b, product, layout, x)?;
    Ok(reduce(b, &p, layout, t))
}

/// What a product below 2p leaves to do.
pub(super) fn normalised(b: &mut Builder, modulus: &RunTimeModulus, layout: &Layout, mut t: Number) -> Number {
    if layout.resting_multiple() == 1 {
        return subtract_if_not_below(b, t, &modulus.number, layout.resting.bound.clone());
    }
    t.bound = layout.resting.bound.clone();
    t
}

/// The product as a call, so that the reduction's proof knows its contract only.
fn called_product(
    b: &mut Builder,
    product: Arc<Kernel>,
    layout: &Layout,
    x: &[(Array, Number)],
) -> Result<Number, NotApplicable> {
    let t = product.array(Array(0));
    let t = b.array("t", t.ty, t.len, ArrayKind::Local, t.ranges.clone());
    let views = std::iter::once(t).chain(x.iter().map(|x| x.0)).map(View::whole).collect();
    let bound = &x[0].1.bound * &x[x.len() - 1].1.bound;
    let product = b.callee(product);
    b.call(product, views);
    Ok(Number::new(b.load_all(t), layout.word, bound))
}
