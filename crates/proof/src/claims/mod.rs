//! The promises of a contract, one kind a file.

pub mod value;

use evariste_ir::Claim;

use crate::outcome::{Obligation, Report};
use crate::search::Search;
use crate::translate::Translation;

/// Shows one promise.
pub(crate) fn check(t: &Translation, search: &mut Search, claim: &Claim, report: &mut Report) -> Result<(), Obligation> {
    let output = claim.output();
    let number = value::output(t, search, output)?;
    match claim {
        Claim::Value { factor, polynomial, modulus, .. } => value::congruence(t, search, output, &number, factor, polynomial, modulus.as_ref()),
        Claim::Step { name, .. } => {
            report.steps.push(name.clone());
            Ok(())
        }
        _ => Err(Obligation { what: output.name.clone(), detail: "no proof of this kind".to_string() }),
    }
}
