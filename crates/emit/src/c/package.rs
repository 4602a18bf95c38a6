//! The C package: which files there are, and their common frame.

use crate::error::EmitError;
use crate::package::{Content, File, PackageSpec};

use super::{bench_program, ct_program, header, slices, source, support_files, test_program, vectors};

/// Licence of everything that is written.
pub(super) const LICENCE: &str = "\
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED \"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.";

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
    let opening = format!("{}\n#include \"{prefix}.h\"\n", notice(content, "the functions"));
    let code = source(&content.kernels, prefix, &opening)?;
    let file = |path: String, text: String| File { path, text };
    Ok(vec![
        file(format!("{prefix}.h"), header::header(content)),
        file(format!("{prefix}.c"), code.text + &slices::definitions(content)),
        file(format!("{prefix}_vectors.h"), vectors::vectors(content)?),
        file("test.c".to_string(), test_program::test_program(content)),
        file("bench.c".to_string(), bench_program::bench_program(content)),
        file("ct.c".to_string(), ct_program::ct_program(content)),
        file("README.md".to_string(), support_files::readme(content)),
        file("Makefile".to_string(), support_files::makefile(content)),
    ])
}

/// The comment that opens every file.
pub(crate) fn notice(content: &Content, what: &str) -> String {
    let line = |text: &str| comment_safe(text);
    let licence = LICENCE.lines().map(|l| format!(" * {l}").trim_end().to_string() + "\n").collect::<String>();
    format!(
        "/* {}: {what}\n *\n * Written by Evariste; do not edit. Command:\n *   {}\n *\n * SPDX-License-Identifier: 0BSD\n *\n{licence} */\n",
        line(content.title),
        line(content.command_line)
    )
}

/// Text that cannot end a comment and stays on its line.
pub(crate) fn comment_safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ").replace('\\', "/")
}
