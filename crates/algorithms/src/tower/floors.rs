//! The floors of a tower as formulas have them, and a formula of the highest one as a formula over the prime field.
//!
//! A floor's variable is a root of `x^d − c`. What c is called depends on the degree: β of a quadratic floor, ξ of a
//! cubic one. Where a quadratic floor over the prime field has β = −1, its variable is i for the floors above.

use evariste_descriptions::{Floor as TowerFloor, Tower};
use evariste_formulas::tower::multiples;
use evariste_formulas::{Checked, Constant, Expression, Floor, Formula, Known, flatten};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use crate::lowering;
use crate::signature::NotApplicable;

/// The product of a cubic floor below, unless a recipe says another.
pub(crate) const CUBIC: &str = "karatsuba-3-shared";

/// Is every floor `x^2 − c` or `x^3 − c`?
pub(crate) fn are_binomial(tower: &Tower) -> bool {
    let floor =
        |f: &TowerFloor| matches!(f.polynomial.len(), 2 | 3) && f.polynomial[1..].iter().flatten().all(Zero::is_zero);
    tower.ring.floors.iter().all(floor)
}

/// The name of a floor's constant in formulas.
fn constant_name(degree: usize) -> &'static str {
    if degree == 2 { "beta" } else { "xi" }
}

/// `c` of the polynomial `x^d − c`, in coordinates over the prime field.
fn constant(tower: &Tower, floor: usize) -> Vec<BigUint> {
    tower.ring.negate(&tower.ring.floors[floor].polynomial[0])
}

/// The number of a constant of a formula over the prime field: that of the lowest floor.
pub(crate) fn number(tower: &Tower, name: &str) -> Option<BigUint> {
    let degree = tower.ring.floors.first()?.polynomial.len();
    (name == constant_name(degree)).then(|| constant(tower, 0).swap_remove(0))
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

/// The formula of the highest floor over the prime field; with `calls` for products and squares of the lowest floor.
pub(crate) fn over_the_prime_field(
    tower: &Tower,
    formula: &str,
    cubic: &str,
    calls: bool,
) -> Result<Checked, NotApplicable> {
    below(tower, tower.height() - 1, formula, cubic, calls)
}

/// A formula whose elements lie on top of so many floors, over the prime field.
pub(super) fn below(
    tower: &Tower,
    floors: usize,
    formula: &str,
    cubic: &str,
    calls: bool,
) -> Result<Checked, NotApplicable> {
    let mut over = lowering::named(formula)?;
    for floor in (0..floors).rev() {
        let level = Level { tower, floor, cubic }.floor()?;
        let floor = if calls && floor == 0 { level.with_calls() } else { level };
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
) -> Result<Checked, NotApplicable> {
    let level = Level { tower, floor: 0, cubic: CUBIC };
    let variable = level.variable();
    let mut floor = level.floor()?;
    for (name, [s, t]) in small {
        let by = multiples::small("multiple-by-small", *s, *t).map_err(|e| refused(&e))?;
        let is = format!("({s}) + ({t})*{variable}");
        floor = floor.with_constant(name, &is, Some(&by)).map_err(|e| refused(&e))?;
    }
    flatten(formula, &floor.with_calls()).map_err(|e| refused(&e))
}

/// A floor below the highest.
struct Level<'a> {
    tower: &'a Tower,
    floor: usize,
    cubic: &'a str,
}

impl Level<'_> {
    fn degree(&self) -> usize {
        self.tower.ring.floors[self.floor].polynomial.len()
    }

    /// The constant of the lowest floor is −1.
    fn is_gauss(&self) -> bool {
        let c = constant(self.tower, 0);
        self.floor == 0 && self.degree() == 2 && signed(self.tower, &c[0]) == -BigInt::one()
    }

    /// The floor, with the next one's constant.
    fn floor(&self) -> Result<Floor, NotApplicable> {
        let (degree, name) = (self.degree(), constant_name(self.degree()));
        let minus_one = Expression::parse("-1").map_err(|e| refused(&e))?;
        let known = if self.is_gauss() { Known::Is(minus_one) } else { Known::Free };
        let mut constants = vec![Constant { name: name.into(), known }];
        let product = named(if degree == 2 { "quadratic-karatsuba" } else { self.cubic })?;
        // A product may ask for more of the floor below it.
        constants.extend(product.constants.iter().filter(|c| c.name != name).cloned());
        let square = match (degree, self.is_gauss()) {
            (2, true) => Some("gauss-complex-square"),
            (2, false) => Some("quadratic-complex-square"),
            // Products and squares that are added must carry one factor.
            _ if product.scale == 1 => Some("chung-hasan-2"),
            _ => None,
        };
        let variable = self.variable();
        let root = (variable.as_str(), degree as u32, Expression::Name(name.into()));
        let mut floor =
            Floor::new(&format!("floor{}", self.floor), root, constants, &product).map_err(|e| refused(&e))?;
        if let Some(square) = square {
            floor = floor.with_square(&named(square)?).map_err(|e| refused(&e))?;
        }
        if self.is_gauss() {
            floor = floor.with_constant("i", &variable, Some(&named("multiple-by-u")?)).map_err(|e| refused(&e))?;
        }
        self.next(floor, &variable)
    }

    /// The variable's name in formulas that multiply by it: `u` of quadratic floors, `v` of cubic ones.
    fn variable(&self) -> String {
        if self.degree() == 2 { "u".into() } else { "v".into() }
    }

    /// The floor with the constant of the next one, where there is one: an element of it.
    fn next(&self, floor: Floor, variable: &str) -> Result<Floor, NotApplicable> {
        let Some(above) = self.tower.ring.floors.get(self.floor + 1) else { return Ok(floor) };
        let above = above.polynomial.len();
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
        let by = match (self.degree(), &small[..]) {
            (2, [s, t]) if self.is_gauss() => known_multiple(s, t),
            (2, [s, t]) if s.is_zero() && t.is_one() => Some("multiple-by-u"),
            (3, [s, t, rest @ ..]) if size == 1 && s.is_zero() && t.is_one() && rest.iter().all(Zero::is_zero) => {
                Some("multiple-by-v")
            }
            (3, _) if is == format!("(1)*{variable}") => Some("multiple-by-v"),
            _ => None,
        };
        let by = by.map(named).transpose()?;
        floor.with_constant(constant_name(above), &is, by.as_ref()).map_err(|e| refused(&e))
    }
}

/// The formula that multiplies by `s + t·u`, where there is one.
fn known_multiple(s: &BigInt, t: &BigInt) -> Option<&'static str> {
    let number = |x: &BigInt| i64::try_from(x).ok();
    match (number(s)?, number(t)?) {
        (0, 1) => Some("multiple-by-u"),
        (1, 1) => Some("multiple-by-1-plus-u"),
        (1, 2) => Some("multiple-by-1-plus-2u"),
        (9, 1) => Some("multiple-by-9-plus-u"),
        _ => None,
    }
}
