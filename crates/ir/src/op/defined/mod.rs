//! Operations that are defined by what they do in the rest of the language: one file each, and one line in
//! `defined!`, which declares it and lists it in [`DEFINED`].
//!
//! The row has a body, and nobody needs a rule for such an operation: interpreter, proof, checker, machine code and
//! every language see what [`Kernel::written_out`](crate::Kernel::written_out) makes of it.

use super::row::Row;

macro_rules! defined {
    ($($file:ident::$row:ident;)*) => {
        $(mod $file;)*

        /// Every operation that is defined by a body.
        pub static DEFINED: &[&Row] = &[$(&$file::$row),*];
    };
}

defined! {
    // `parity::PARITY;` would declare the file `parity.rs` and list its row.
}
