//! Rule: every algorithm's file opens with the same five lines.

use super::{File, Violation};

/// The five, as they are written.
const LINES: [&str; 5] = ["**computes**", "**needs**", "**gives**", "**cost**", "**source**"];

/// Judges the module documentation of the files in the subfolders of `crates/algorithms/src`, and of formulas.
pub fn check(files: &[File]) -> Vec<Violation> {
    files.iter().filter(|file| is_algorithm(&file.path)).filter_map(judge).collect()
}

/// Subfolders of rows, which describe and compute nothing.
const ROWS: [&str; 2] = ["kinds/", "operation/"];

/// Files that stand between formulas and kernels and compute nothing by themselves.
const BETWEEN: [&str; 21] = [
    "curve/formula.rs",
    "curve/setting.rs",
    "lowering/claims.rs",
    "lowering/constants.rs",
    "lowering/lazy/blocks.rs",
    "lowering/lazy/explain.rs",
    "lowering/lazy/form.rs",
    "lowering/lazy/limits.rs",
    "lowering/lazy/merge.rs",
    "lowering/lazy/ranges.rs",
    "lowering/lazy/steps.rs",
    "lowering/lazy/write.rs",
    "lowering/order.rs",
    "lowering/places.rs",
    "pairing/kernels.rs",
    "pairing/setting.rs",
    "pairing/values.rs",
    "tower/floors.rs",
    "tower/formula.rs",
    "tower/means.rs",
    "tower/shape.rs",
];

/// Folders of formulas.
const FORMULAS: [&str; 3] = ["tower/", "curve/", "pairing/"];

/// An algorithm is a file of a subfolder, except the subfolder's own page, and rows.
fn is_algorithm(path: &str) -> bool {
    let formula = |rest: &str| FORMULAS.iter().any(|folder| rest.starts_with(folder)) && !rest.ends_with("/mod.rs");
    if path.strip_prefix("crates/formulas/src/").is_some_and(formula) {
        return path.ends_with(".rs");
    }
    path.strip_prefix("crates/algorithms/src/").is_some_and(|rest| {
        let rows = ROWS.iter().any(|folder| rest.starts_with(folder)) || BETWEEN.contains(&rest);
        rest.contains('/') && rest.ends_with(".rs") && !rest.ends_with("/mod.rs") && !rows
    })
}

fn judge(file: &File) -> Option<Violation> {
    let documentation: Vec<&str> =
        file.text.lines().take_while(|line| line.is_empty() || line.starts_with("//!")).collect();
    // A line counts when something follows its name.
    let says = |name: &str| {
        documentation.iter().any(|line| {
            let line = line.trim_start_matches("//!").trim().trim_start_matches("* ");
            line.strip_prefix(name).is_some_and(|rest| rest.trim().len() > 2)
        })
    };
    let missing: Vec<&str> = LINES.into_iter().filter(|name| !says(name)).collect();
    (!missing.is_empty()).then(|| Violation {
        place: file.path.clone(),
        line: 1,
        message: format!("the module's documentation lacks {}", missing.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "//! Comba.\n//!\n//! * **computes** ab.\n//! * **needs** digits.\n//! * **gives** digits.\n//! * **cost** n².\n//! * **source** Comba 1990.\n\nuse x;\n";

    fn found(path: &str, text: &str) -> Vec<Violation> {
        check(&[File { path: path.to_string(), text: text.to_string() }])
    }

    #[test]
    fn five_lines_are_asked_for() {
        let path = "crates/algorithms/src/integer/comba.rs";
        assert_eq!(found(path, GOOD), []);
        assert!(found(path, &GOOD.replace("**cost** n²", "**price** n²"))[0].message.ends_with("lacks **cost**"));
        assert!(found(path, &GOOD.replace("**cost** n².", "**cost**"))[0].message.ends_with("lacks **cost**"));
        assert_eq!(found(path, "fn f() {}\n//! * **computes** too late\n").len(), 1);
        assert_eq!(found("crates/formulas/src/tower/toom.rs", "fn f() {}").len(), 1);
    }

    #[test]
    fn only_algorithms_are_asked() {
        for path in [
            "crates/algorithms/src/integer/mod.rs",
            "crates/algorithms/src/operation/elements.rs",
            "crates/algorithms/src/signature.rs",
            "crates/ir/src/a/b.rs",
            "crates/formulas/src/tower/mod.rs",
            "crates/formulas/src/text/parse.rs",
        ] {
            assert_eq!(found(path, "fn f() {}"), []);
        }
    }
}
