//! The C package as one header of `static inline` functions, for C99 and C++: no file to compile, nothing to link, and the
//! compiler may put each call in its place. Several such headers can stand in one file.

use crate::error::EmitError;
use crate::manifest::manifest;
use crate::package::{Content, File, PackageSpec};

use super::{Frame, bench_program, ct_program, header, names};
use super::{source_beside, support_files, test_program, vectors};

/// The package of a specification.
pub fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&Content { header_only: true, ..spec.content() })
}

/// As [`package`], over kernels.
pub(super) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    // Products of doubles must round by themselves: an option for a whole file, which a header must not set.
    if let Some((_, kernel)) = content.kernels.iter().find(|(_, kernel)| kernel.uses_floats()) {
        let help = "take `--lang c` without `--header-only`, or plans and a layout without doubles";
        let what = "doubles in a header".to_string();
        return Err(EmitError::Unsupported {
            kernel: kernel.name.clone(),
            what,
            language: names::WORDS.language,
            help,
        });
    }
    let prefix = content.prefix;
    let file = |path: &str, text: String| File { path: path.to_string(), text };
    Ok(vec![
        file(&format!("{prefix}.h"), functions(content)?),
        file(&format!("{prefix}_vectors.h"), vectors::vectors(content)?),
        file("test.c", test_program::test_program(content)),
        file("bench.c", bench_program::bench_program(content)),
        file("ct.c", ct_program::ct_program(content)),
        file("README.md", support_files::readme(content)),
        file("Makefile", support_files::makefile(content)),
        manifest(content)?,
    ])
}

/// The header: declarations as of any package, then the functions.
fn functions(content: &Content) -> Result<String, EmitError> {
    let narrow = content.elements.and_then(|e| e.narrow.as_deref());
    let frame = Frame { opening: RESTRICT, narrow, inline: true, ..Frame::default() };
    let code = source_beside(&content.kernels, content.prefix, &frame)?.text + &super::package::beside(content);
    // Names that depend on the package, or that no guard keeps to one.
    let own = ["EVARISTE_LIMBS", "evariste_digit", "evariste_at_most", "evariste_turn"];
    let code = own.iter().fold(code, |code, name| code.replace(name, &format!("{}_{name}", content.prefix)));
    let (guard, opening) = header::opening(content, "the functions, inline");
    Ok(guard + &opening + &header::declarations(content) + &code + "\n#endif\n")
}

/// C++ has no word for it.
const RESTRICT: &str = "
#ifdef __cplusplus
#define EVARISTE_RESTRICT
#else
#define EVARISTE_RESTRICT restrict
#endif
";
