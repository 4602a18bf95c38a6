//! The C package with machine code for a processor beside the C of every operation that has it, and public functions that
//! choose.

use crate::asm::{Entry, ending, entry, source, target};
use crate::error::EmitError;
use crate::manifest::manifest;
use crate::notice::notice;
use crate::package::{Content, File, MachineCode, PackageSpec};

use super::beside_readme::readme;
use super::{Frame, bench_program, ct_program, test_program};
use super::{header, simd, source_beside, support_files, vectors, versions};

/// The assembly package of a specification. Operations without machine code are in C only.
///
/// # Errors
/// As the C package; machine code that belongs to no operation or to another kernel; no machine code at all.
pub fn package(spec: &PackageSpec) -> Result<Vec<File>, EmitError> {
    of_content(&spec.content())
}

/// As [`package`], over kernels.
pub(super) fn of_content(content: &Content) -> Result<Vec<File>, EmitError> {
    if content.kernels.is_empty() {
        return Err(EmitError::NoKernels);
    }
    let target = target(&content.machine_code.iter().collect::<Vec<_>>())?;
    let ending = ending(target);
    let entries = entries(content)?;
    let (prefix, condition) = (content.prefix, versions::condition(content, target));
    let mut dispatched: Vec<&str> = content.machine_code.iter().map(|code| code.operation.as_str()).collect();
    dispatched.dedup();
    let opening = format!(
        "{}\n#include \"{prefix}.h\"\n{}",
        notice(content, "the functions in C, and the choice between C and machine code"),
        versions::includes(content, target)
    );
    let narrow = content.elements.and_then(|e| e.narrow.as_deref());
    let frame = Frame { opening: &opening, dispatched: &dispatched, narrow, inline: false };
    let code = source_beside(&content.kernels, prefix, &frame)?;
    let title = format!("functions in machine code for {}", target.name);
    let opening = format!("{}\n#include \"{prefix}_versions.h\"\n", notice(content, &title));
    let file = |path: String, text: String| File { path, text };
    let files = vec![
        file(format!("{prefix}.h"), header::header(content)),
        file(
            format!("{prefix}.c"),
            code.text + &versions::functions(content, target) + &super::package::beside(content),
        ),
        file(format!("{prefix}{ending}.S"), opening + &source(&entries, target, &condition)?),
        file(format!("{prefix}_versions.h"), versions::versions(content, target)),
        file(format!("{prefix}_vectors.h"), vectors::vectors(content)?),
        file("test.c".to_string(), test_program::test_program(content)),
        file("bench.c".to_string(), bench_program::bench_program(content)),
        file("ct.c".to_string(), ct_program::ct_program(content)),
        file("README.md".to_string(), readme(content, target)),
        file("Makefile".to_string(), support_files::makefile(content)),
        manifest(content)?,
    ];
    simd::with_files(content, files)
}

/// The functions of the assembly file, in the order of the package.
fn entries<'a>(content: &'a Content) -> Result<Vec<Entry<'a>>, EmitError> {
    for code in content.machine_code {
        let kernel =
            content.kernels.iter().find(|(operation, _)| *operation == code.operation).map(|(_, kernel)| kernel);
        kernel.ok_or_else(|| EmitError::MachineCode {
            operation: code.operation.clone(),
            why: "the package has no such operation".into(),
        })?;
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (operation, kernel) in &content.kernels {
        // The names of versions must not be those of operations.
        let taken = |suffix: &str| content.kernels.iter().any(|(other, _)| *other == format!("{operation}{suffix}"));
        let clashes = |code: &MachineCode| taken(&code.ending()) || !code.apart().is_empty() && taken(&code.apart());
        if operation == "cpu"
            || content.has_machine_code(operation) && taken("_c")
            || content.machine_codes(operation).any(clashes)
        {
            return Err(EmitError::DuplicateName { symbol: format!("{}_{operation}", content.prefix) });
        }
        for code in content.machine_codes(operation) {
            let entry = entry(content.prefix, code, kernel)?;
            if entries.iter().any(|other| other.symbol == entry.symbol) {
                return Err(EmitError::DuplicateName { symbol: entry.symbol });
            }
            entries.push(entry);
        }
    }
    Ok(entries)
}
