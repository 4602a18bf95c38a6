//! The floors of a tower as formulas have them, and a formula of the highest one as a formula over the prime field.
//!
//! A floor's variable is a root of `x^d − c`, or a root of unity: its [`Shape`]. What c is called depends on the degree: β of
//! a quadratic floor, ξ of others. Roots of unity that a floor has are constants of all floors above.

use evariste_descriptions::Tower;
use evariste_formulas::tower::multiples;
use evariste_formulas::{Checked, Constant, Expression, Floor, Formula, Known, flatten};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::shape::{CUBIC, Shape, root_of_unity};
use crate::lowering;
use crate::signature::NotApplicable;

/// How products of the lowest floor, or of all below the highest, stand in formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lowest {
    /// As their steps.
    Steps,
    /// Products and squares are calls of formulas of the fewest products.
    Calls,
    /// The same, and products and squares of the floors above are calls that call them.
    Nested,
    /// Products of quadratic floors are calls of formulas whose coordinates are sums of products.
    Sums,
}

/// The product of a quadratic floor each of whose coordinates is a sum of products.
pub(super) const SUMS: &str = "quadratic-schoolbook";

/// `c` of the polynomial `x^d − c`, in coordinates over the prime field.
fn constant(tower: &Tower, floor: usize) -> Vec<BigUint> {
    tower.ring.negate(&tower.ring.floors[floor].polynomial[0])
}

/// The number of a constant of a formula over the prime field: that of the lowest floor, or a root of unity.
pub(crate) fn number(tower: &Tower, name: &str) -> Option<BigUint> {
    if Shape::of(tower, 0)?.constant_name() == Some(name) {
        return Some(constant(tower, 0).swap_remove(0));
    }
    root_of_unity(&tower.base.value, name)
}

fn refused(why: &dyn std::fmt::Display) -> NotApplicable {
    NotApplicable(why.to_string())
}

fn named(name: &str) -> Result<Formula, NotApplicable> {
    Ok(Formula::clone(lowering::named(name)?.formula()))
}

/// A residue as an integer of least magnitude.
fn signed(tower: &Tower, x: &BigUint) -> BigInt {
    let x = BigInt::from(x.clone());
    let p = BigInt::from(tower.base.value.clone());
    if &x * 2u32 > p { x - p } else { x }
}

/// The formula of the highest floor over the prime field.
pub(crate) fn over_the_prime_field(
    tower: &Tower,
    formula: &str,
    cubic: &str,
    lowest: Lowest,
) -> Result<Checked, NotApplicable> {
    below(tower, tower.height() - 1, formula, cubic, lowest)
}

/// The product of the lowest floor over the prime field.
pub(crate) fn product_of_the_lowest(tower: &Tower, lowest: Lowest) -> Result<Checked, NotApplicable> {
    lowering::named(Level::new(tower, 0, CUBIC, lowest)?.product)
}

/// A formula whose elements lie on top of so many floors, over the prime field.
pub(super) fn below(
    tower: &Tower,
    floors: usize,
    formula: &str,
    cubic: &str,
    lowest: Lowest,
) -> Result<Checked, NotApplicable> {
    let mut over = lowering::named(formula)?;
    for floor in (0..floors).rev() {
        let means = if floor == 0 || lowest == Lowest::Nested { lowest } else { Lowest::Steps };
        let level = Level::new(tower, floor, cubic, means)?.floor(&roots(&over))?;
        let floor = match means {
            Lowest::Steps => level,
            Lowest::Calls | Lowest::Sums => level.with_calls(),
            Lowest::Nested => level.with_calls().keeping_calls(),
        };
        over = flatten(&over, &floor).map_err(|e| refused(&e))?;
    }
    Ok(over)
}

/// A formula over the lowest floor of a tower over the prime field, with calls of that floor's products and squares.
/// Elements of the lowest floor that are constants: their names and numbers, `s + t·u` with small s and t.
pub(crate) fn over_the_lowest(
    tower: &Tower,
    formula: &Checked,
    small: &[(&str, [u32; 2])],
    lowest: Lowest,
) -> Result<Checked, NotApplicable> {
    let level = Level::new(tower, 0, CUBIC, lowest)?;
    let variable = level.shape.variable;
    let mut floor = level.floor(&[])?;
    for (name, [s, t]) in small {
        let by = multiples::small("multiple-by-small", *s, *t).map_err(|e| refused(&e))?;
        let is = format!("({s}) + ({t})*{variable}");
        floor = floor.with_constant(name, &is, Some(&by)).map_err(|e| refused(&e))?;
    }
    flatten(formula, &floor.with_calls()).map_err(|e| refused(&e))
}

/// The roots that a formula needs.
fn roots(formula: &Checked) -> Vec<Constant> {
    let is_root = |constant: &&Constant| matches!(constant.known, Known::Root { .. });
    formula.formula().constants.iter().filter(is_root).cloned().collect()
}

/// A floor below the highest.
struct Level<'a> {
    tower: &'a Tower,
    floor: usize,
    shape: &'static Shape,
    /// The product.
    product: &'a str,
}

impl Level<'_> {
    fn new<'a>(tower: &'a Tower, floor: usize, cubic: &'a str, lowest: Lowest) -> Result<Level<'a>, NotApplicable> {
        let unknown = || NotApplicable("a floor's polynomial that no formulas are for".into());
        let shape = Shape::of(tower, floor).ok_or_else(unknown)?;
        let product = match shape.product {
            CUBIC => cubic,
            _ if lowest == Lowest::Sums && shape.is_quadratic() => SUMS,
            product => product,
        };
        Ok(Level { tower, floor, shape, product })
    }

    /// The floor, with the next one's constant, and with those of the roots above that it or a lower one has.
    fn floor(&self, above: &[Constant]) -> Result<Floor, NotApplicable> {
        let Level { shape, .. } = self;
        let parsed = |text: &str| Expression::parse(text).map_err(|e| refused(&e));
        let declared = |text: &str| match text.split_once(" = ") {
            Some((name, is)) => Ok(Constant { name: name.into(), known: Known::Is(parsed(is)?) }),
            None => Ok(Constant { name: text.into(), known: Known::Free }),
        };
        let mut constants = shape.constant.map(declared).transpose()?.into_iter().collect::<Vec<_>>();
        let product = named(self.product)?;
        // A product may ask for more of the floor below it.
        let more = product.constants.iter().filter(|c| Some(c.name.as_str()) != shape.constant_name());
        constants.extend(more.cloned());
        let passed: Vec<&Constant> = above.iter().filter(|root| self.is_from_below(root)).collect();
        for root in &passed {
            if constants.iter().all(|known| known.name != root.name) {
                constants.push((*root).clone());
            }
        }
        let degree = self.tower.ring.floors[self.floor].polynomial.len();
        let root = (shape.variable, degree as u32, parsed(shape.is)?);
        let mut floor =
            Floor::new(&format!("floor{}", self.floor), root, constants, &product).map_err(|e| refused(&e))?;
        // Products and squares that are added must carry one factor.
        if product.scale == 1 {
            floor = floor.with_square(&named(shape.square)?).map_err(|e| refused(&e))?;
        }
        for (name, is, by) in shape.roots {
            floor = floor.with_constant(name, is, Some(&named(by)?)).map_err(|e| refused(&e))?;
        }
        for root in passed {
            let by = multiples::by_constant("multiple-by-root-below", degree, root);
            let by = by.map_err(|e| refused(&e))?;
            floor = floor.with_constant(&root.name, &root.name, Some(&by)).map_err(|e| refused(&e))?;
        }
        self.next(floor)
    }

    /// Is a root that a formula above needs one of a lower floor?
    fn is_from_below(&self, root: &Constant) -> bool {
        let has = |shape: &Shape| shape.roots.iter().any(|(name, ..)| *name == root.name);
        !has(self.shape) && (0..self.floor).any(|floor| Shape::of(self.tower, floor).is_some_and(has))
    }

    /// The floor with the constant of the next one, where there is one: an element of it.
    fn next(&self, floor: Floor) -> Result<Floor, NotApplicable> {
        let Some(name) = Shape::of(self.tower, self.floor + 1).and_then(Shape::constant_name) else { return Ok(floor) };
        let variable = self.shape.variable;
        let c = constant(self.tower, self.floor + 1);
        // Each coefficient lies in the floor below; formulas speak of those in the prime field.
        let size = self.tower.ring.size(self.floor);
        let mut terms = Vec::new();
        for (power, coefficient) in c.chunks(size).enumerate() {
            if coefficient[1..].iter().any(|x| !x.is_zero()) {
                return Err(NotApplicable("a floor's constant with coefficients above the prime field".into()));
            }
            let number = signed(self.tower, &coefficient[0]);
            if !number.is_zero() {
                terms.push(match power {
                    0 => format!("({number})"),
                    1 => format!("({number})*{variable}"),
                    _ => format!("({number})*{variable}^{power}"),
                });
            }
        }
        let is = terms.join(" + ");
        let small: Vec<BigInt> = c.iter().map(|x| signed(self.tower, x)).collect();
        let has_i = self.shape.roots.iter().any(|(name, ..)| *name == "i");
        let by = match &small[..] {
            _ if is == format!("(1)*{variable}") => Some(self.shape.by_variable),
            [s, t] if has_i => known_multiple(s, t),
            _ => None,
        };
        let by = by.map(named).transpose()?;
        floor.with_constant(name, &is, by.as_ref()).map_err(|e| refused(&e))
    }
}

/// The formula that multiplies by `s + t·u`, where there is one.
fn known_multiple(s: &BigInt, t: &BigInt) -> Option<&'static str> {
    let number = |x: &BigInt| i64::try_from(x).ok();
    match (number(s)?, number(t)?) {
        (1, 1) => Some("multiple-by-1-plus-u"),
        (1, 2) => Some("multiple-by-1-plus-2u"),
        (9, 1) => Some("multiple-by-9-plus-u"),
        _ => None,
    }
}
