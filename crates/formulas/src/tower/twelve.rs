//! `Fp12` as quadratic over cubic over K = Fp2: products, squares and inverses, put together from those of each floor.
//!
//! * **computes** `r = a·b`, `r = a²`, `r = 1/a` in `K[v, u]/(v³ − ξ, u² − v)`.
//! * **needs** any commutative ring K.
//! * **gives** the scale of the products of the cubic floor: 1 by Karatsuba, 4 by Toom-3i.
//! * **cost** product 18M + 57A + 7·ξ (15M + 90A + 7·ξ by Toom-3i); square 12M + 43A + 6·ξ (10M + 65A + 6·ξ); inverse by the norms, see the table.
//! * **source** Devegili, Ó hÉigeartaigh, Scott, Dahab, "Multiplication and squaring on pairing-friendly fields" (2006).

use crate::check::check;
use crate::expression::Expression;
use crate::flatten::flatten;
use crate::floor::Floor;
use crate::formula::{Constant, Formula, Known};
use crate::tower::{
    cubic_chung_hasan, cubic_karatsuba, cubic_norm, cubic_toom_3i, multiples, quadratic_complex, quadratic_karatsuba,
    quadratic_norm,
};
use crate::verify::Defect;

/// The cubic floor `K[v]/(v³ − ξ)` with a product and a square of one scale, and v as the constant β of the quadratic floor above.
pub fn sextic_floor(product: &Formula, square: &Formula) -> Result<Floor, Defect> {
    let defect = |message: String| Defect { formula: product.name.clone(), message };
    let free = |name: &str| Constant { name: name.to_string(), known: Known::Free };
    let mut constants = vec![free("xi")];
    constants.extend(product.constants.iter().filter(|c| c.name != "xi").cloned());
    let is = Expression::Name("xi".to_string());
    let by_v = multiples::by_v("multiple-by-v")?;
    let inverse = cubic_norm::inverse("cubic-norm-inverse")?;
    Floor::new("fp6", ("v", 3, is), constants, product)
        .and_then(|floor| floor.with_square(square))
        .and_then(|floor| floor.with_inverse(&inverse))
        .and_then(|floor| floor.with_constant("beta", "v", Some(&by_v)))
        .map_err(|e| defect(e.to_string()))
}

fn over(name: &str, upper: Formula, [product, square]: [Formula; 2]) -> Result<Formula, Defect> {
    let defect = |message: String| Defect { formula: name.to_string(), message };
    let floor = sextic_floor(&product, &square)?;
    let upper = check(&upper).map_err(|e| defect(e.to_string()))?;
    let flat = flatten(&upper, &floor).map_err(|e| defect(e.to_string()))?;
    let computes = upper.formula().computes.replace("K[u]/(u² − β)", "K[v, u]/(v³ − ξ, u² − v)");
    let source = format!("{} over {}", upper.formula().name, product.name);
    Ok(Formula { name: name.to_string(), computes, source, ..(**flat.formula()).clone() })
}

/// Karatsuba's product; the square of fewest products of scale 1 without halving.
fn karatsuba() -> Result<[Formula; 2], Defect> {
    Ok([cubic_karatsuba::shared("karatsuba-3-shared")?, cubic_chung_hasan::sqr2("chung-hasan-2")?])
}

fn toom_3i() -> Result<[Formula; 2], Defect> {
    Ok([cubic_toom_3i::product("toom-3i")?, cubic_toom_3i::square("toom-3i-square")?])
}

/// Karatsuba over Karatsuba.
pub fn product(name: &str) -> Result<Formula, Defect> {
    over(name, quadratic_karatsuba::product("quadratic-karatsuba")?, karatsuba()?)
}

/// Karatsuba over Toom-3i.
pub fn product_toom_3i(name: &str) -> Result<Formula, Defect> {
    over(name, quadratic_karatsuba::product("quadratic-karatsuba")?, toom_3i()?)
}

/// Complex squaring over Karatsuba.
pub fn square(name: &str) -> Result<Formula, Defect> {
    over(name, quadratic_complex::square("quadratic-complex-square")?, karatsuba()?)
}

/// Complex squaring over Toom-3i.
pub fn square_toom_3i(name: &str) -> Result<Formula, Defect> {
    over(name, quadratic_complex::square("quadratic-complex-square")?, toom_3i()?)
}

/// By the norm, over Karatsuba and the norm.
pub fn inverse(name: &str) -> Result<Formula, Defect> {
    over(name, quadratic_norm::inverse("quadratic-norm-inverse")?, karatsuba()?)
}
