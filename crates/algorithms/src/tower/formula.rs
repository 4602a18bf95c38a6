//! A formula of a tower's highest floor as a recipe.

use evariste_descriptions::{Field, Tower};
use evariste_formulas::{Checked, Entry, Family, registry};
use evariste_ir::Kernel;

use super::floors::{self, Lowest};
use super::means::{Means, REDUCED, WHOLE};
use super::shape::{CUBIC, Shape};
use crate::lowering::Ground;
use crate::lowering::lazy::{self, Calls};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

/// A formula of the highest floor.
pub struct TowerFormula {
    operation: Operation,
    formula: &'static str,
    /// The product of a cubic floor below.
    over: Option<&'static str>,
    name: &'static str,
    sums: Sums,
}

/// How sums of products are reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// Each product is.
    Reduced,
    /// The sum is.
    Lazy,
    /// Products and squares of the lowest floor are kernels that give sums, which are reduced when they are summed.
    LazyCalls,
    /// They are kernels that give elements.
    Calls,
    /// The same, and those of the floors above it are kernels that call them.
    NestedCalls,
    /// They are kernels that give elements, whose coordinates are sums of products that are reduced as they are made.
    Sums,
}

impl TowerFormula {
    /// The formula of that name, as the recipe of another. Cubic floors below multiply by Karatsuba, or by the product
    /// that is named.
    pub const fn new(
        operation: Operation,
        formula: &'static str,
        over: Option<&'static str>,
        name: &'static str,
        sums: Sums,
    ) -> TowerFormula {
        TowerFormula { operation, formula, over, name, sums }
    }

    /// Is it for floors of that shape?
    fn is_for(&self, shape: &Shape) -> bool {
        let of = |family: &Family| {
            let rest = family.name.strip_prefix(shape.family);
            rest.is_some_and(|rest| rest.starts_with('-')) && self.is_in(family.formulas)
        };
        registry().iter().any(of)
    }

    fn is_in(&self, formulas: &[Entry]) -> bool {
        formulas.iter().any(|entry| entry.name == self.formula)
    }
}

impl Recipe for TowerFormula {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let tower = s.field.get::<Tower>()?;
        let below = tower.height().checked_sub(1)?;
        let fits = *s.operation == self.operation && self.is_for(Shape::of(tower, below)?);
        let is_cubic = |floor| Shape::of(tower, floor).is_some_and(|shape| shape.product == CUBIC);
        let over = self.over.is_none() || (0..below).any(is_cubic);
        if !(fits && over && Shape::are_known(tower)) {
            return None;
        }
        match self.sums {
            Sums::Reduced => Some(REDUCED),
            Sums::Sums => {
                let has_products = below > 0 || self.formula == floors::SUMS;
                let quadratic = Shape::of(tower, 0).is_some_and(Shape::is_quadratic);
                (quadratic && has_products && lazy::sums_products(&tower.base, s.layout)).then_some(WHOLE)
            }
            Sums::LazyCalls | Sums::Calls if below == 0 => None,
            // For products in lanes, whose products of the floor below may lie side by side; squares are quicker by other ways.
            Sums::NestedCalls if below < 2 || s.layout.radix.is_none() || self.over.is_some() => None,
            Sums::NestedCalls if self.operation != Operation::MUL => None,
            _ => lazy::is_worth(&tower.base, s.layout).then_some(WHOLE),
        }
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let formula = self.over_the_prime_field(tower)?;
        let means = Means { modulus: &tower.base, layout: s.layout, parts, more: 0 };
        let numbers = |name: &str| floors::number(tower, name);
        let name = kernel_name(s.operation, algorithm);
        match self.sums {
            Sums::Reduced => means.reduced(&name, &formula, &numbers),
            _ => means.lazy(&name, &formula, &numbers, self.calls()),
        }
    }

    fn explanation(&self, s: Setting) -> Option<String> {
        let tower = tower_of(s.field).ok().filter(|_| self.sums != Sums::Reduced)?;
        let formula = self.over_the_prime_field(tower).ok()?;
        let ground = Ground { modulus: &tower.base, layout: s.layout };
        lazy::explain(&formula, ground, &|name| floors::number(tower, name), self.calls()).ok()
    }
}

impl TowerFormula {
    fn over_the_prime_field(&self, tower: &Tower) -> Result<Checked, NotApplicable> {
        let cubic = self.over.unwrap_or(CUBIC);
        let lowest = match self.sums {
            Sums::Reduced | Sums::Lazy => Lowest::Steps,
            Sums::LazyCalls | Sums::Calls => Lowest::Calls,
            Sums::NestedCalls => Lowest::Nested,
            Sums::Sums => Lowest::Sums,
        };
        floors::over_the_prime_field(tower, self.formula, cubic, lowest)
    }

    /// What products of the lowest floor give where they are called.
    fn calls(&self) -> Option<Calls> {
        match self.sums {
            Sums::Reduced | Sums::Lazy => None,
            Sums::LazyCalls => Some(Calls::Whole),
            Sums::Calls | Sums::NestedCalls | Sums::Sums => Some(Calls::Reduced),
        }
    }
}

/// The tower of a field.
pub(super) fn tower_of(field: &Field) -> Result<&Tower, NotApplicable> {
    field.get::<Tower>().ok_or_else(|| NotApplicable("only towers have floors".into()))
}
