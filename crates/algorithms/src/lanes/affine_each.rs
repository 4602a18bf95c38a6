//! `a·x + b` modulo `2^w + c` and then modulo `2^w`, for several words x of a lane by one a and one b.
//!
//! * **computes** each map by the quotient of half products ([`crate::prime::affine_halves`]).
//! * **needs** what that file needs; whole words a, x and b, any number of x.
//! * **gives** canonical values modulo `2^w`; their bits w are ghosts.
//! * **cost** of a map 14 operations, a load and a store; of a and b 11 operations and two loads, once for all x.
//! * **source** As there.

use evariste_descriptions::Field;
use evariste_ir::Kernel;

use super::affine::is_whole;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::affine_halves::{fits, of_words};
use crate::prime::representation::kernel_name;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Registry line.
pub const QUOTIENT_BY_HALVES: Whole = Whole { name: NAME, applies, write };

const NAME: &str = "quotient-by-halves";

/// More maps than that are a loop's matter.
const MOST: u32 = 64;

/// How many maps.
fn count(operation: &Operation) -> Option<u32> {
    operation.small_number_of(&Operation::AFFINE_EACH).filter(|n| (1..=MOST).contains(n))
}

fn applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    count(operation).is_some() && layout.constants && !is_whole(layout) && fits(field, layout.word)
}

fn write(field: &Field, layout: &Layout, operation: &Operation) -> Result<Kernel, NotApplicable> {
    let count = count(operation).ok_or_else(|| NotApplicable("no number of maps".into()))?;
    of_words(&kernel_name(operation, NAME), field, layout.word, count)
}
