//! Universal hash functions as kernels: MMH and square hash of messages of up to 32 words.
//!
//! A shorter message, and its key, are filled up with words of 0, which add nothing to any of the sums.

/// The recipes of a file, one for each way to reduce, by its `applies` and `write`.
macro_rules! reductions {
    () => {
        super::reductions! {
            MUL: "complement-mul" shifts false table false;
            MUL_TABLE: "complement-mul-table" shifts false table true;
            SHIFT: "complement-shift" shifts true table false;
            SHIFT_TABLE: "complement-shift-table" shifts true table true;
        }
    };
    ($($constant:ident: $name:literal shifts $shifts:literal table $table:literal;)+) => {
        $(
            const $constant: Whole = Whole {
                name: $name,
                applies,
                write: |f, l, op| write(f, l, op, $name, Variant { shifts: $shifts, table: $table }),
            };
        )+

        /// Every way to reduce.
        pub const RECIPES: &[&dyn Recipe] = &[$(&$constant),+];
    };
}
use reductions;

mod given;
mod running;
mod sums;
mod whole;

pub use self::given::{WORDS, fits, given, ground, layouts};
pub use self::running::{RECIPES as RUNNING_RECIPES, WRAPPING_RECIPES};
pub use self::whole::RECIPES;
