//! The ways to reduce what hash functions sum, a recipe each.
//!
//! * **computes** nothing: a list.
//! * **needs** a file with `applies` and `write`, which takes the name of a way and its [`Variant`](crate::reduction::complement::Variant).
//! * **gives** `RECIPES`.
//! * **cost** nothing.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998): products by shifts, multiples from a table.

/// The recipes of a file, one for each way to reduce, by its `applies` and `write`.
macro_rules! reductions {
    () => {
        super::ways::reductions! {
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
pub(super) use reductions;
