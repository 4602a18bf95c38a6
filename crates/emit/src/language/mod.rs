//! The languages: a file or folder each, and a line in the table.

mod c89_bytes;
mod c89_names;
mod c89_programs;
mod c89_status;
mod device;
mod operators;
mod row;
mod words;

use crate::package::PackageSpec;

pub use row::{Face, Language};

/// Declares the languages' files and lists what they hold: a line is a file with the names of its languages.
macro_rules! languages {
    ($($file:ident::$first:ident $(, $more:ident)*;)+) => {
        $(pub mod $file;)+

        /// All languages.
        pub const LANGUAGES: &[Language] = &[$($file::$first $(, $file::$more)*),+];
    };
}

languages! {
    c::C, HEADER_ONLY, PORTABLE, ASSEMBLY;
    c89::C89;
    cuda::CUDA;
    go::GO;
    java::JAVA;
    opencl::OPENCL;
    rust::RUST, RUST_ASSEMBLY;
    wasm::WASM;
}

/// Has a package functions on the bytes of a stream cipher?
pub fn has_streams(spec: &PackageSpec) -> bool {
    words::StreamWords::of(&spec.content()).is_some()
}

/// Has it functions on messages of a hash function?
pub fn has_messages(spec: &PackageSpec) -> bool {
    words::RunningWords::of(&spec.content()).is_some()
}
