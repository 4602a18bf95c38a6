//! The promises of a contract, one kind a file.

mod algebra;
pub(crate) mod bits;
mod divsteps;
mod equal;
mod formula;
mod power;
mod value;

use evariste_ir::{Claim, Modulo, Multiplication, Ring};
use num_bigint::BigInt;
use num_traits::One;

use formula::Verdict;

use crate::outcome::{Obligation, Report};
use crate::search::Search;
use crate::translate::Translation;

/// Shows promise number `i`.
pub(crate) fn check(
    t: &Translation,
    search: &mut Search,
    i: usize,
    claim: &Claim,
    report: &mut Report,
) -> Result<(), Obligation> {
    let output = claim.output();
    if by_calls(t, search, i, claim)? {
        return Ok(());
    }
    if let Claim::Divsteps { output, part, count } = claim {
        return divsteps::check(t.kernel, output, *part, *count);
    }
    if let Claim::Value { factor, polynomial, modulus: None, .. } = claim
        && factor.is_one()
    {
        return value::equality(t, search, i, output, polynomial);
    }
    if let Claim::Bits { map, .. } = claim
        && value::is_bounded_by_bits(output)
    {
        return bits::check(t.kernel, output, map);
    }
    let number = value::output(t, search, i, output)?;
    match claim {
        Claim::Value { factor, polynomial, modulus: Some(Modulo::Input(i)), .. } => {
            value::congruence_by_input(t, search, output, &number, factor, polynomial, *i)
        }
        Claim::Value { factor, polynomial, modulus, .. } => value::congruence(
            t,
            search,
            output,
            &number,
            factor,
            polynomial,
            modulus.as_ref().and_then(Modulo::constant),
        ),
        Claim::Polynomial { polynomial, map, .. } => formula::vector(t.kernel, output, polynomial, map),
        Claim::Iterate { recurrence, component, .. } => {
            formula::check_recurrence(t.kernel, output, recurrence, *component)
        }
        Claim::Step { name, .. } => {
            report.steps.push(name.clone());
            Ok(())
        }
        Claim::Bits { map, .. } => bits::check(t.kernel, output, map),
        Claim::Equal { left, right, .. } => equal::check(t.kernel, output, *left, *right),
        Claim::Divsteps { part, count, .. } => divsteps::check(t.kernel, output, *part, *count),
        Claim::Power { base, exponent, product: Multiplication::Modular { factor, modulus }, .. }
            if divsteps::is_inverse(t.kernel, exponent, modulus) =>
        {
            divsteps::inverse(t.kernel, output, *base, factor, modulus)
        }
        Claim::Power { base, exponent, product, .. } => power::check(t.kernel, output, *base, exponent, product),
    }
}

/// Shows a value of a kernel that is made of calls, in whole numbers; false where only its digits can tell.
fn by_calls(t: &Translation, search: &mut Search, i: usize, claim: &Claim) -> Result<bool, Obligation> {
    let Claim::Value { output, factor, polynomial, modulus } = claim else { return Ok(false) };
    if !formula::is_made_of_calls(t.kernel) {
        return Ok(false);
    }
    let modulus = match modulus {
        Some(Modulo::Input(_)) => return Ok(false),
        Some(Modulo::Constant(m)) => m.clone(),
        None => value::separating(t, search, output, factor, polynomial),
    };
    if modulus <= BigInt::one() {
        return Ok(false);
    }
    match formula::value(t.kernel, output, factor, polynomial, &Ring::Integers(modulus)) {
        Verdict::Shown => value::output(t, search, i, output).map(|_| true).or(Ok(false)),
        Verdict::Differs(detail) => Err(Obligation { what: format!("value of {}", output.name), detail }),
        Verdict::Unclear => Ok(false),
    }
}
