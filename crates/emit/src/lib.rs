//! Source packages from proved kernels, one module a language.
//!
//! [`c_source`] prints kernels as one C text for a compiler; [`package`] makes a whole package (source, vectors, test,
//! benchmark, readme) in any language of [`LANGUAGES`]; [`write_package`] puts it into a folder without ever leaving
//! half of it. Only [`Proved`] kernels are taken. Nothing here chooses algorithms or runs compilers.

mod agreement;
mod asm;
mod describe;
mod error;
mod folder;
mod language;
mod manifest;
mod marker;
mod notice;
mod package;
mod source;
mod swap;
mod unit;

use evariste_proof::Proved;

pub use error::EmitError;
pub use folder::write_package;
pub use language::{Face, LANGUAGES, Language, has_messages, has_streams};
pub use manifest::{MANIFEST, Manifest, ManifestFunction, ManifestParameter, ManifestVector, ManifestVersion};
pub use marker::MARKER;
pub use package::{
    BlockCipher, BufferAnswer, Elements, File, HashAnswer, LaneProduct, MachineCode, PackageSpec, RunningHash, Status,
    StreamAnswer, StreamCipher, Units, Vector,
};
pub use source::{DeviceSource, Function, Parameter, Role, Source};

/// The language of that name, in letters of either case.
///
/// # Errors
/// [`EmitError::NoSuchLanguage`] with the names that there are.
pub fn language(name: &str) -> Result<&'static Language, EmitError> {
    LANGUAGES.iter().find(|l| l.name.eq_ignore_ascii_case(name)).ok_or_else(|| EmitError::NoSuchLanguage {
        given: name.to_string(),
        known: LANGUAGES.iter().map(|l| l.name).collect::<Vec<_>>().join(", "),
    })
}

/// The C package of `spec`: relative paths and texts. Fails when a name is no identifier, when an operation has no
/// vector or one that does not fit, or when the language lacks something.
pub fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    language::c::package(spec)
}

/// The vectors for which C has products of arrays, by the names of back ends, the least first.
pub fn lane_levels() -> impl Iterator<Item = &'static str> {
    language::c::lane_levels()
}

/// Has a kernel a form in C on those vectors, and does it take and promise what the product of one element does?
///
/// # Errors
/// What has none, what is different.
pub fn has_lanes(level: &str, kernel: &Proved, one: &Proved) -> Result<(), EmitError> {
    language::c::has_lanes(level, kernel.kernel(), one.kernel())
}

/// What tells another kernel from this one, so that its code is no version of this one's function, in words to which `of`
/// and this kernel's name belong; `None`: parameters and contract are the same.
pub fn difference(kernel: &Proved, other: &Proved) -> Option<&'static str> {
    agreement::difference(kernel.kernel(), other.kernel())
}

/// Programs of one processor as assembly text for the C compiler, each with the kernel that it was checked against;
/// operation `k` becomes `prefix_k_PROCESSOR`. On another processor the text is empty.
pub fn assembly(functions: &[(&MachineCode, &Proved)], prefix: &str) -> Result<String, EmitError> {
    asm::text(functions, prefix)
}

/// The parameters of a kernel's function in C and in machine code, in calling order.
pub fn parameters(kernel: &evariste_ir::Kernel) -> Vec<Parameter> {
    language::c::parameters(kernel)
}

/// Kernels as one self-contained C text; kernel `k` becomes `prefix_k`. For compiling and timing candidates; no
/// two may have one name.
///
/// # Errors
/// Equal names, a prefix that is no identifier, an operation that C lacks.
pub fn c_source(kernels: &[&Proved], prefix: &str) -> Result<Source, EmitError> {
    let named: Vec<unit::Named> = kernels.iter().map(|k| (k.kernel().name.clone(), k.kernel())).collect();
    language::c::source(&named, prefix, "#include <stdint.h>\n")
}

/// As [`c_source`], each kernel as if it stood alone: nothing is shared but helpers, names may be equal, and those of
/// kernel `i` begin with `prefix` and `i`. One run of a compiler then gives the code of many.
pub fn c_source_apart(kernels: &[&Proved], prefix: &str) -> Result<Source, EmitError> {
    let named: Vec<unit::Named> = kernels.iter().map(|k| (k.kernel().name.clone(), k.kernel())).collect();
    language::c::source_apart(&named, prefix, "#include <stdint.h>\n")
}

/// Kernels, which have to be legal on the [machine](Language::machine) of OpenCL C, as one text in it; kernel `k` becomes
/// `prefix_k_many`, over arrays of elements.
///
/// # Errors
/// As [`c_source`].
pub fn opencl_source(kernels: &[(&str, &Proved)], prefix: &str) -> Result<DeviceSource, EmitError> {
    let named: Vec<unit::Named> = kernels.iter().map(|(name, k)| (name.to_string(), k.kernel())).collect();
    language::opencl::program(&named, prefix)
}
