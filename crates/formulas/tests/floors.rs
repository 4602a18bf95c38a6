//! Towers: formulas over an extension become formulas over its base, whose counts add up.

use evariste_formulas::{Constant, Expression, Floor, Formula, Known, check, count, flatten};
use expect_test::expect;

use crate::checks::named;

/// `K0[u]/(u² + 1)` with ξ = 1 + u and i = u.
pub fn gauss(xi: &str) -> Floor {
    let beta = Constant { name: "beta".to_string(), known: Known::Is(Expression::parse("-1").unwrap()) };
    let root = ("u", 2, Expression::parse("beta").unwrap());
    let by_xi = named(&format!("multiple-by-{}", xi.replace(" + ", "-plus-").replace('*', "")));
    Floor::new("fp2", root, vec![beta], &named("quadratic-karatsuba"))
        .and_then(|floor| floor.with_square(&named("gauss-complex-square")))
        .and_then(|floor| floor.with_inverse(&named("quadratic-norm-inverse")))
        .and_then(|floor| floor.with_constant("i", "u", Some(&named("multiple-by-u"))))
        .and_then(|floor| floor.with_constant("xi", xi, Some(&by_xi)))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Flattened, and checked once more.
pub fn over(formula: &Formula, floor: &Floor) -> Formula {
    let checked = check(formula).unwrap_or_else(|e| panic!("{e}"));
    let flat = flatten(&checked, floor).unwrap_or_else(|e| panic!("{e}"));
    check(flat.formula()).unwrap_or_else(|e| panic!("{e}\n{}", flat.formula()));
    (**flat.formula()).clone()
}

#[test]
fn counts_over_the_prime_field() {
    let floor = gauss("1 + u");
    let cost = |name: &str| count(&over(&named(name), &floor)).to_string();
    expect!["18M + 64A"].assert_eq(&cost("karatsuba-3"));
    expect!["18M + 62A"].assert_eq(&cost("karatsuba-3-shared"));
    expect!["15M + 79A"].assert_eq(&cost("toom-3i"));
}
