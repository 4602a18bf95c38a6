//! Values: the output lies within its digits and bound, and is congruent (or equal) to a polynomial in the inputs.

use evariste_ir::{Digit, Operand, Polynomial};
use num_bigint::{BigInt, Sign};
use num_traits::One;

use crate::broken_rules::{Rule, broken};
use crate::equations::system::pow2;
use crate::equations::{Atom, Poly};
use crate::outcome::Obligation;
use crate::search::Search;
use crate::session::at_most;
use crate::translate::Translation;
use crate::translate::run::weighted;

/// The end: every equation may serve.
const END: Atom = Atom(u32::MAX);

/// An equality of integers. It comes before the bound: the digits' intervals say how far apart the two sides can be at
/// most, a congruence modulo more than that is an equality, and then the output is bounded by what the polynomial can
/// be.
pub(crate) fn equality(
    t: &Translation,
    search: &mut Search,
    i: usize,
    output: &Operand,
    polynomial: &Polynomial,
) -> Result<(), Obligation> {
    let number = digits_of(t, i, output)?;
    below(t, search, output, &number)?;
    let (low, reach) = search.system().interval(&number);
    let most = most(t, search, polynomial);
    if low.sign() == Sign::Minus || polynomial.0.iter().any(|(c, _)| c.sign() == Sign::Minus) || most > output.bound {
        bound(search, output, &number)?;
        digits(t, search, i, output)?;
        return congruence(t, search, output, &number, &BigInt::one(), polynomial, None);
    }
    let modulus = pow2((most + reach).bits() as u32 + 1) + 1;
    congruence(t, search, output, &number, &BigInt::one(), polynomial, Some(&modulus))?;
    digits(t, search, i, output)
}

/// Does it follow from a map of bits that was shown, which leaves 0 above the bits of each digit's maximum, that the
/// number and its digits are within their bounds?
pub(crate) fn is_bounded_by_bits(output: &Operand) -> bool {
    let whole = |d: &Digit| d.bits.is_none() && (&d.max + 1u32).magnitude().count_ones() == 1;
    let most: BigInt = output.digits.iter().map(|d| &d.max << d.weight).sum();
    broken(Rule::BitBound) || output.below.is_none() && output.digits.iter().all(whole) && most <= output.bound
}

/// The output number, shown to lie within its digits and bound.
pub(crate) fn output(t: &Translation, search: &mut Search, i: usize, output: &Operand) -> Result<Poly, Obligation> {
    let number = digits_of(t, i, output)?;
    if !below(t, search, output, &number)? {
        bound(search, output, &number)?;
    }
    digits(t, search, i, output)?;
    Ok(number)
}

/// The whole number is below its multiple of an input number. Does that say that it is at most its bound?
fn below(t: &Translation, search: &mut Search, output: &Operand, number: &Poly) -> Result<bool, Obligation> {
    let Some(below) = output.below else { return Ok(false) };
    let less = number.plus(&-BigInt::from(below.multiple), &t.inputs[below.number as usize]);
    at_most(
        search,
        &less,
        &-BigInt::one(),
        END,
        &format!("{} below its multiple of {}", output.name, t.kernel.contract.inputs[below.number as usize].name),
    )?;
    Ok(below.greatest(&t.kernel.contract.inputs) <= output.bound)
}

/// The output's digits as one polynomial.
fn digits_of(t: &Translation, i: usize, output: &Operand) -> Result<Poly, Obligation> {
    weighted(output, &t.outputs[i])
        .ok_or_else(|| Obligation { what: output.name.clone(), detail: "a digit is never written".to_string() })
}

/// The whole number is at most its bound.
fn bound(search: &mut Search, output: &Operand, number: &Poly) -> Result<(), Obligation> {
    if search.system().interval(number).1 > output.bound {
        at_most(search, number, &output.bound, END, &format!("bound of {}", output.name))?;
    }
    Ok(())
}

/// Each digit is within its range, given that the whole number is within its bound.
fn digits(t: &Translation, search: &mut Search, i: usize, output: &Operand) -> Result<(), Obligation> {
    let sys = search.system();
    let written = |d: &Digit| t.arrays[d.array.0 as usize][d.index as usize].as_ref();
    for d in &output.digits {
        let Some(x) = written(d).filter(|x| sys.interval_of(x).0.sign() == Sign::Minus) else { continue };
        at_most(
            search,
            &x.poly().scaled(&-BigInt::one()),
            &BigInt::from(0),
            END,
            &format!("sign of digit {} of {}", d.index, output.name),
        )?;
    }
    // No digit is negative (one that counts as it is written, by what was just shown): the number's bound bounds each
    // of them.
    let counted = output.digits.iter().zip(&t.outputs[i]);
    let non_negative = counted
        .into_iter()
        .all(|(d, x)| d.bits.is_none() || x.as_ref().is_some_and(|x| sys.interval_of(x).0.sign() != Sign::Minus));
    for d in &output.digits {
        let Some(x) = written(d) else { continue };
        let hi = sys.interval_of(x).1;
        if hi > d.max && !(non_negative && d.bits.is_none() && &output.bound >> d.weight <= d.max) {
            at_most(search, &x.poly(), &d.max, END, &format!("digit {} of {}", d.index, output.name))?;
        }
    }
    Ok(())
}

/// The greatest absolute value that the polynomial can have on admissible inputs.
fn most(t: &Translation, search: &Search, polynomial: &Polynomial) -> BigInt {
    let bounds: Vec<BigInt> = t
        .kernel
        .contract
        .inputs
        .iter()
        .zip(&t.inputs)
        .map(|(o, p)| (&o.bound).min(&search.system().interval(p).1).clone())
        .collect();
    let absolute =
        Polynomial(polynomial.0.iter().map(|(c, f)| (BigInt::from(c.magnitude().clone()), f.clone())).collect());
    absolute.evaluate(&bounds)
}

/// An odd modulus larger than the distance of `factor · output` and the polynomial: two integers that are congruent
/// modulo it are equal.
pub(crate) fn separating(
    t: &Translation,
    search: &Search,
    output: &Operand,
    factor: &BigInt,
    polynomial: &Polynomial,
) -> BigInt {
    let distance = most(t, search, polynomial) + &output.bound * BigInt::from(factor.magnitude().clone());
    pow2(distance.bits() as u32 + 1) + 1
}

/// `factor · number ≡ polynomial`.
pub(crate) fn congruence(
    t: &Translation,
    search: &mut Search,
    output: &Operand,
    number: &Poly,
    factor: &BigInt,
    polynomial: &Polynomial,
    modulus: Option<&BigInt>,
) -> Result<(), Obligation> {
    let open = |detail: String| Obligation { what: format!("value of {}", output.name), detail };
    let spec = t
        .values
        .polynomial(polynomial, &t.inputs)
        .ok_or_else(|| open("the specification's degree is too high".to_string()))?;
    let origin = number.scaled(factor).plus(&-BigInt::one(), &spec);
    let modulus = match modulus {
        Some(m) if m.sign() == Sign::Plus => m.clone(),
        Some(_) => return Err(open("the modulus is not positive".to_string())),
        None => separating(t, search, output, factor, polynomial),
    };
    let proved = search.congruence(&origin, &modulus, None).map_err(|r| open(r.to_string()))?;
    if proved.says(&origin, &modulus) { Ok(()) } else { Err(open("another congruence was shown".to_string())) }
}

/// `factor · number ≡ polynomial` modulo input number `m`: the search names a quotient, and
/// `factor · number − polynomial − quotient · m = 0` is shown as an equality of integers. A quotient is any polynomial
/// with integer coefficients: unknowns are integers.
pub(crate) fn congruence_by_input(
    t: &Translation,
    search: &mut Search,
    output: &Operand,
    number: &Poly,
    factor: &BigInt,
    polynomial: &Polynomial,
    m: u32,
) -> Result<(), Obligation> {
    let open = |detail: String| Obligation { what: format!("value of {}", output.name), detail };
    let degree = || open("the specification's degree is too high".to_string());
    let spec = t.values.polynomial(polynomial, &t.inputs).ok_or_else(degree)?;
    let modulus = &t.inputs[m as usize];
    let origin = number.scaled(factor).plus(&-BigInt::one(), &spec);
    // How far apart the two sides will be is seen when the quotient is known; it has about as many bits as they have.
    let distance = most(t, search, polynomial)
        + (&output.bound + search.system().interval(modulus).1) * BigInt::from(factor.magnitude().clone());
    let large = pow2(2 * distance.bits() as u32 + 128) + 1;
    let mut quotient = Poly::default();
    let proved = search.congruence(&origin, &large, Some((modulus, &mut quotient))).map_err(|r| open(r.to_string()))?;
    let multiple = quotient.times(modulus, |a| search.system().is_own_square(a)).ok_or_else(degree)?;
    let difference = origin.plus(&-BigInt::one(), &multiple);
    let (least, greatest) = search.system().interval(&difference);
    let near = -&large < least && greatest < large;
    if near && proved.says(&difference, &large) {
        Ok(())
    } else {
        Err(open("another congruence was shown".to_string()))
    }
}
