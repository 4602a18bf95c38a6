//! The promises of a contract, one kind a file.

mod algebra;
mod bits;
mod equal;
mod power;
mod value;

use evariste_ir::{Claim, Modulo};
use num_traits::One;

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
    if let Claim::Value { factor, polynomial, modulus: None, .. } = claim
        && factor.is_one()
    {
        return value::equality(t, search, i, output, polynomial);
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
        Claim::Step { name, .. } => {
            report.steps.push(name.clone());
            Ok(())
        }
        Claim::Bits { map, .. } => bits::check(t.kernel, output, map),
        Claim::Equal { left, right, .. } => equal::check(t.kernel, output, *left, *right),
        Claim::Power { base, exponent, product, .. } => power::check(t.kernel, output, *base, exponent, product),
    }
}
