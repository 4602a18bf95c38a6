//! The kernels of a prime field as a tower's recipes get them, and formulas lowered to them.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_formulas::Checked;
use evariste_ir::Kernel;
use evariste_ir::count::count;

use super::floors::Lowest;
use crate::layout::Layout;
use crate::lowering::lazy::{self, Calls, Supply, Whole};
use crate::lowering::{Ground, Numbers, Operations, lower};
use crate::operation::Operation;
use crate::recipe::{Need, Parts};
use crate::signature::NotApplicable;

/// Digits in lanes up to which every product is reduced, in what repeats formulas: those of SS-B160, in 52 bits each.
const FEW_DIGITS: usize = 4;

/// The operations of the prime field that formulas are made of, in the order of [`Operations`].
pub(crate) const OPERATIONS: &[Need] = &[
    Need::ground(Operation::MUL),
    Need::ground(Operation::SQUARE),
    Need::ground(Operation::ADD),
    Need::ground(Operation::SUB),
    Need::ground(Operation::OPP),
];

/// Declares what a recipe needs: the operations that formulas are made of and others of the prime field, with those
/// of whole products and without.
macro_rules! needs {
    ($visible:vis $reduced:ident, $whole:ident: $($more:ident),*) => {
        $visible const $reduced: &[$crate::recipe::Need] = &[
            $crate::recipe::Need::ground($crate::Operation::MUL),
            $crate::recipe::Need::ground($crate::Operation::SQUARE),
            $crate::recipe::Need::ground($crate::Operation::ADD),
            $crate::recipe::Need::ground($crate::Operation::SUB),
            $crate::recipe::Need::ground($crate::Operation::OPP),
            $($crate::recipe::Need::ground($crate::Operation::$more)),*
        ];
        $visible const $whole: &[$crate::recipe::Need] = &[
            $crate::recipe::Need::ground($crate::Operation::MUL),
            $crate::recipe::Need::ground($crate::Operation::SQUARE),
            $crate::recipe::Need::ground($crate::Operation::ADD),
            $crate::recipe::Need::ground($crate::Operation::SUB),
            $crate::recipe::Need::ground($crate::Operation::OPP),
            $($crate::recipe::Need::ground($crate::Operation::$more),)*
            $crate::recipe::Need::ground($crate::Operation::MUL_WIDE),
            $crate::recipe::Need::ground($crate::Operation::SQUARE_WIDE),
            $crate::recipe::Need::ground($crate::Operation::REDUCE),
        ];
    };
}

pub(crate) use needs;

needs!(pub(super) REDUCED, WHOLE:);

/// The kernels of [`OPERATIONS`], which begin all needs of formulas.
pub(crate) fn operations(parts: &dyn Parts) -> Result<Operations, NotApplicable> {
    Ok(Operations {
        mul: parts.kernel(0)?,
        square: parts.kernel(1)?,
        add: parts.kernel(2)?,
        sub: parts.kernel(3)?,
        opp: parts.kernel(4)?,
    })
}

/// A prime field, a layout, and parts for needs as [`needs!`] declares them.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    /// The prime.
    pub modulus: &'a Modulus,
    /// The layout.
    pub layout: &'a Layout,
    /// The kernels.
    pub parts: &'a dyn Parts,
    /// How many needs stand between the operations and those of whole products.
    pub more: usize,
}

impl<'a> Means<'a> {
    /// The field and the layout.
    pub fn ground(&self) -> Ground<'a> {
        Ground { modulus: self.modulus, layout: self.layout }
    }

    /// The kernel of need i behind the operations.
    pub fn more(&self, i: usize) -> Result<Arc<Kernel>, NotApplicable> {
        self.parts.kernel(OPERATIONS.len() + i)
    }

    /// The kernel of a formula with every product reduced.
    pub fn reduced(&self, name: &str, formula: &Checked, numbers: &Numbers) -> Result<Kernel, NotApplicable> {
        lower(name, formula, self.ground(), numbers, &operations(self.parts)?)
    }

    /// The kernel of a formula whose sums of products are reduced once.
    pub fn lazy(
        &self,
        name: &str,
        formula: &Checked,
        numbers: &Numbers,
        calls: Option<Calls>,
    ) -> Result<Kernel, NotApplicable> {
        let first = OPERATIONS.len() + self.more;
        let whole = |whole, layout: &Layout| {
            let at = match whole {
                Whole::ReducedProduct => 0,
                Whole::ReducedSquare => 1,
                Whole::Product => first,
                Whole::Square => first + 1,
                Whole::Reduction => first + 2,
            };
            self.parts.kernel_in(at, layout)
        };
        let supply = Supply { operations: operations(self.parts)?, whole: &whole };
        lazy::lower(name, formula, self.ground(), numbers, &supply, calls)
    }

    /// The kernel of a formula: where the layout has room with sums reduced once, products of the lowest floor being
    /// calls; else with every product reduced. In lanes, where all steps take about as long, that of the fewest; with few
    /// digits every product is reduced there, since what sums of whole products add makes pairings too long for machine code.
    pub fn best(
        &self,
        name: &str,
        formula: &dyn Fn(Lowest) -> Result<Checked, NotApplicable>,
        numbers: &Numbers,
    ) -> Result<Arc<Kernel>, NotApplicable> {
        let plain = formula(Lowest::Calls)?;
        let lazy = |calls| self.lazy(name, &plain, numbers, Some(calls));
        let reduced = || self.reduced(name, &plain, numbers);
        let sums = || self.lazy(name, &formula(Lowest::Sums)?, numbers, Some(Calls::Reduced));
        let (in_lanes, few) = (self.layout.radix.is_some(), self.layout.digits() <= FEW_DIGITS);
        let worth = lazy::is_worth(self.modulus, self.layout);
        let all = match () {
            () if in_lanes && few => vec![reduced()],
            () if in_lanes && worth => vec![lazy(Calls::Whole), lazy(Calls::Reduced), reduced()],
            () if lazy::sums_products(self.modulus, self.layout) => vec![sums(), reduced()],
            () if worth => vec![lazy(Calls::Whole)],
            () => vec![reduced()],
        };
        let least = all.into_iter().min_by_key(|kernel| kernel.as_ref().map_or(u64::MAX, |k| count(k).steps()));
        least.unwrap_or_else(|| Err(NotApplicable("no way to write a formula".into()))).map(Arc::new)
    }
}
