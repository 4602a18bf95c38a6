//! The C package: which files there are, and their common frame.

use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, PackageSpec};

use super::{Frame, bench_program, blocks, ct_program, elements, header, running, simd, slices, status, stream};
use super::{source_beside, support_files, test_program, vectors};

/// The C package of a specification.
pub fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

/// As [`package`], over kernels.
pub(super) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let prefix = content.prefix;
    let file = |path: String, text: String| File { path, text };
    let mut files = library(content)?;
    files.extend([
        file(format!("{prefix}_vectors.h"), vectors::vectors(content)?),
        file("test.c".to_string(), test_program::test_program(content)),
        file("bench.c".to_string(), bench_program::bench_program(content)),
        file("ct.c".to_string(), ct_program::ct_program(content)),
        file("README.md".to_string(), support_files::readme(content)),
        file("Makefile".to_string(), support_files::makefile(content)),
        manifest(content)?,
    ]);
    simd::with_files(content, files)
}

/// What users compile: the header and the source.
pub(crate) fn library(content: &Content) -> Result<Vec<File>, EmitError> {
    let prefix = content.prefix;
    let opening = format!("{}\n#include \"{prefix}.h\"\n", notice(content, "the functions"));
    let narrow = content.elements.and_then(|e| e.narrow.as_deref());
    let frame = Frame { opening: &opening, narrow, ..Frame::default() };
    let code = source_beside(&content.kernels, prefix, &frame)?;
    Ok(vec![
        File { path: format!("{prefix}.h"), text: header::header(content) },
        File { path: format!("{prefix}.c"), text: code.text + &beside(content) },
    ])
}

/// The functions beside the kernels, after them.
pub(super) fn beside(content: &Content) -> String {
    status::definitions(content)
        + &elements::definitions(content)
        + &slices::definitions(content)
        + &blocks::definitions(content)
        + &stream::definitions(content)
        + &running::definitions(content)
}
