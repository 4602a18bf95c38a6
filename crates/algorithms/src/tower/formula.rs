//! A formula of a tower's highest floor as a recipe.

use evariste_descriptions::{Field, Tower};
use evariste_formulas::registry;
use evariste_ir::Kernel;

use super::{OPERATIONS, floors};
use crate::lowering::{Ground, Operations, lower};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

/// A formula of the highest floor.
pub struct TowerFormula {
    operation: Operation,
    formula: &'static str,
    /// The product of a cubic floor below, and the name that tells this recipe from the one without.
    over: Option<(&'static str, &'static str)>,
}

impl TowerFormula {
    /// The formula of that name. Cubic floors below multiply by Karatsuba, or by the product that is named with what
    /// tells this recipe from the other.
    pub const fn new(
        operation: Operation,
        formula: &'static str,
        over: Option<(&'static str, &'static str)>,
    ) -> TowerFormula {
        TowerFormula { operation, formula, over }
    }

    /// The degree of the extensions that it is for.
    fn degree(&self) -> usize {
        let of = |name: &str| registry().iter().any(|f| f.name.starts_with(name) && self.is_in(f.formulas));
        if of("quadratic") { 2 } else { 3 }
    }

    fn is_in(&self, formulas: &[evariste_formulas::Entry]) -> bool {
        formulas.iter().any(|entry| entry.name == self.formula)
    }
}

impl Recipe for TowerFormula {
    fn name(&self) -> &'static str {
        self.over.map_or(self.formula, |(_, own)| own)
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let tower = s.field.get::<Tower>()?;
        let [below @ .., top] = &tower.ring.floors[..] else { return None };
        let fits = *s.operation == self.operation && top.polynomial.len() == self.degree();
        let over = self.over.is_none() || below.iter().any(|floor| floor.polynomial.len() == 3);
        (fits && over && floors::are_binomial(tower)).then_some(OPERATIONS)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let cubic = self.over.map_or(floors::CUBIC, |(below, _)| below);
        let formula = floors::over_the_prime_field(tower, self.formula, cubic)?;
        let ground = Ground { modulus: &tower.base, layout: s.layout };
        let numbers = |name: &str| floors::number(tower, name);
        lower(&kernel_name(s.operation, algorithm), &formula, ground, &numbers, &operations(parts)?)
    }
}

/// The tower of a field.
pub(super) fn tower_of(field: &Field) -> Result<&Tower, NotApplicable> {
    field.get::<Tower>().ok_or_else(|| NotApplicable("only towers have floors".into()))
}

/// The kernels of [`OPERATIONS`].
pub(crate) fn operations(parts: &dyn Parts) -> Result<Operations, NotApplicable> {
    Ok(Operations {
        mul: parts.kernel(0)?,
        square: parts.kernel(1)?,
        add: parts.kernel(2)?,
        sub: parts.kernel(3)?,
        opp: parts.kernel(4)?,
    })
}
