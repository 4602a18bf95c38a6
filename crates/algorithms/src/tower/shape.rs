//! What formulas know of a floor's polynomial: the families of its operations, and the roots of unity that it has.

use evariste_descriptions::{Floor, Tower};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Floors of one kind of polynomial.
pub(super) struct Shape {
    /// How the families of its products and squares begin.
    pub family: &'static str,
    polynomial: Polynomial,
    /// What the power of the variable is: in formulas, and where it is a number.
    pub is: &'static str,
    /// The constant of the polynomial, with what is known of it.
    pub constant: Option<&'static str>,
    /// The variable, as formulas that multiply by it call it.
    pub variable: &'static str,
    /// The product below other floors; of cubic ones a recipe may name another.
    pub product: &'static str,
    /// The square below other floors.
    pub square: &'static str,
    /// The multiple by the variable, where there is a formula.
    pub by_variable: &'static str,
    /// What is around the inverse of the floor below.
    pub inverse: Inverse,
    /// Roots of unity for the floors above: what they are, and their multiples.
    pub roots: &'static [(&'static str, &'static str, &'static str)],
    /// The trace of the variable, where the degree is 2.
    pub trace: i8,
}

/// Polynomials of a shape.
enum Polynomial {
    /// `x^n − c` for any c.
    Binomial(usize),
    /// With these coefficients below the highest power.
    Is(&'static [i8]),
}

/// An inverse by the inverse of the norm.
pub(super) enum Inverse {
    /// The norm, and its inverse times the conjugate.
    Conjugate([&'static str; 2]),
    /// The adjoint with the norm, and its inverse times the adjoint.
    Adjoint([&'static str; 2]),
    /// The norm to the halves, elements of `K[y]/(yⁿ − c)` for y the variable's square; how these are inverted; and the
    /// inverse of the norm times the conjugate.
    Halves([&'static str; 2], &'static Inverse),
}

const CUBIC_INVERSE: Inverse = Inverse::Adjoint(["cubic-adjoint", "cubic-multiple"]);
const QUARTIC_HALVES: Inverse = Inverse::Conjugate(["quartic-half-norm", "quadratic-conjugate-multiple"]);
const QUADRATIC: Inverse = Inverse::Conjugate(["quadratic-norm", "quadratic-conjugate-multiple"]);

/// The product of a cubic floor below, unless a recipe says another.
pub(crate) const CUBIC: &str = "karatsuba-3-shared";

/// The first that a polynomial fits is its shape.
const SHAPES: &[Shape] = &[
    Shape {
        family: "quadratic",
        polynomial: Polynomial::Is(&[1, 0]),
        is: "beta",
        constant: Some("beta = -1"),
        variable: "u",
        product: "quadratic-karatsuba",
        square: "gauss-complex-square",
        by_variable: "multiple-by-u",
        inverse: QUADRATIC,
        roots: &[("i", "u", "multiple-by-u")],
        trace: 0,
    },
    Shape {
        family: "quadratic",
        polynomial: Polynomial::Binomial(2),
        is: "beta",
        constant: Some("beta"),
        variable: "u",
        product: "quadratic-karatsuba",
        square: "quadratic-complex-square",
        by_variable: "multiple-by-u",
        inverse: QUADRATIC,
        roots: &[],
        trace: 0,
    },
    Shape {
        family: "cubic",
        polynomial: Polynomial::Binomial(3),
        is: "xi",
        constant: Some("xi"),
        variable: "v",
        product: CUBIC,
        square: "chung-hasan-2",
        by_variable: "multiple-by-v",
        inverse: CUBIC_INVERSE,
        roots: &[],
        trace: 0,
    },
    Shape {
        family: "quartic",
        polynomial: Polynomial::Binomial(4),
        is: "xi",
        constant: Some("xi"),
        variable: "x",
        product: "karatsuba-2-2",
        square: "quartic-complex-square",
        by_variable: "multiple-by-quartic-root",
        inverse: Inverse::Halves(["quartic-norm", "quartic-opposite-multiple"], &QUARTIC_HALVES),
        roots: &[],
        trace: 0,
    },
    Shape {
        family: "sextic",
        polynomial: Polynomial::Binomial(6),
        is: "xi",
        constant: Some("xi"),
        variable: "x",
        product: "karatsuba-2-3",
        square: "sextic-complex-square",
        by_variable: "multiple-by-sextic-root",
        inverse: Inverse::Halves(["sextic-norm", "sextic-opposite-multiple"], &CUBIC_INVERSE),
        roots: &[],
        trace: 0,
    },
    Shape {
        family: "third-root",
        polynomial: Polynomial::Is(&[1, 1]),
        is: "-x - 1",
        constant: None,
        variable: "x",
        product: "third-root-karatsuba",
        square: "third-root-square",
        by_variable: "third-root-multiple-by-root",
        inverse: Inverse::Conjugate(["third-root-norm", "third-root-conjugate-multiple"]),
        roots: &[("omega", "x", "third-root-multiple-by-root")],
        trace: -1,
    },
    Shape {
        family: "sixth-root",
        polynomial: Polynomial::Is(&[1, -1]),
        is: "x - 1",
        constant: None,
        variable: "x",
        product: "sixth-root-karatsuba",
        square: "sixth-root-square",
        by_variable: "sixth-root-multiple-by-root",
        inverse: Inverse::Conjugate(["sixth-root-norm", "sixth-root-conjugate-multiple"]),
        roots: &[("omega", "x - 1", "sixth-root-multiple-by-omega")],
        trace: 1,
    },
    Shape {
        family: "fifth-root",
        polynomial: Polynomial::Is(&[1, 1, 1, 1]),
        is: "-x^3 - x^2 - x - 1",
        constant: None,
        variable: "x",
        product: "fifth-root-karatsuba",
        square: "fifth-root-karatsuba-square",
        by_variable: "fifth-root-multiple-by-zeta",
        inverse: Inverse::Adjoint(["fifth-root-adjoint", "fifth-root-multiple"]),
        roots: &[
            ("zeta", "x", "fifth-root-multiple-by-zeta"),
            ("zeta2", "x^2", "fifth-root-multiple-by-zeta2"),
            ("zeta3", "x^3", "fifth-root-multiple-by-zeta3"),
            ("zeta4", "x^4", "fifth-root-multiple-by-zeta4"),
        ],
        trace: 0,
    },
];

impl Shape {
    /// The shape of a floor, the lowest one being 0; `None` where no formulas know its polynomial.
    pub fn of(tower: &Tower, floor: usize) -> Option<&'static Shape> {
        let floor = tower.ring.floors.get(floor)?;
        SHAPES.iter().find(|shape| shape.polynomial.fits(floor, &tower.base.value))
    }

    /// Is it one of `x² − c`?
    pub fn is_quadratic(&self) -> bool {
        self.family == "quadratic"
    }

    /// Have all floors of a tower one?
    pub fn are_known(tower: &Tower) -> bool {
        (0..tower.height()).all(|floor| Shape::of(tower, floor).is_some())
    }

    /// Are the polynomials of all floors `x^n − c`, of degrees that formulas know?
    pub fn are_binomial(tower: &Tower) -> bool {
        (0..tower.height()).all(|floor| Shape::of(tower, floor).is_some_and(|shape| shape.constant.is_some()))
    }

    /// The name of the constant of the polynomial.
    pub fn constant_name(&self) -> Option<&'static str> {
        self.constant.and_then(|constant| constant.split(' ').next())
    }
}

impl Polynomial {
    fn fits(&self, floor: &Floor, p: &BigUint) -> bool {
        let number = |x: i8| if x < 0 { p - u32::from(x.unsigned_abs()) } else { BigUint::from(x.unsigned_abs()) };
        let is = |a: &[BigUint], x: i8| a[0] == number(x) && a[1..].iter().all(Zero::is_zero);
        match self {
            Polynomial::Binomial(degree) => {
                floor.polynomial.len() == *degree && floor.polynomial[1..].iter().flatten().all(Zero::is_zero)
            }
            Polynomial::Is(all) => {
                floor.polynomial.len() == all.len() && floor.polynomial.iter().zip(*all).all(|(a, x)| is(a, *x))
            }
        }
    }
}

/// A root of unity of the prime field by its name in formulas, where it has one.
pub(super) fn root_of_unity(p: &BigUint, name: &str) -> Option<BigUint> {
    let (order, prime) = match name {
        "i" => (4u32, 2u32),
        "omega" => (3, 3),
        "zeta" => (5, 5),
        _ => return None,
    };
    let below: BigUint = p - 1u32;
    if !(&below % order).is_zero() {
        return None;
    }
    let candidates = (2u32..).take_while(|x| BigUint::from(*x) < *p);
    let mut roots = candidates.map(|x| BigUint::from(x).modpow(&(&below / order), p));
    roots.find(|root| !root.modpow(&(order / prime).into(), p).is_one())
}
