//! Rule: every dependency has its reason in `docs/dependencies.md`, and is declared once, for the workspace.

use super::{Package, Violation};

/// Compares the manifest of the workspace, the rows `| `name` | reason |` of the page, and what members depend on.
pub fn check(manifest: &str, page: &str, packages: &[Package]) -> Vec<Violation> {
    let declared = declared(manifest);
    let explained: Vec<(usize, &str)> =
        page.lines().enumerate().filter_map(|(index, line)| Some((index + 1, row(line)?))).collect();
    let violation = |place: &str, line, message| Violation { place: place.to_string(), line, message };
    let mut violations = Vec::new();
    for (line, name) in &declared {
        if !explained.iter().any(|(_, other)| other == name) {
            violations.push(violation("Cargo.toml", *line, format!("{name} has no reason in docs/dependencies.md")));
        }
    }
    for (line, name) in &explained {
        if !declared.iter().any(|(_, other)| other == name) {
            violations.push(violation("docs/dependencies.md", *line, format!("{name} is not a dependency any more")));
        }
    }
    for package in packages.iter().filter(|package| package.member) {
        for dependency in &package.dependencies {
            let inside = packages.iter().any(|other| other.member && other.name == dependency.name);
            if !inside && !declared.iter().any(|(_, name)| *name == dependency.name) {
                let message = format!("{} is not declared in the workspace's Cargo.toml", dependency.name);
                violations.push(violation(&package.name, 0, message));
            }
        }
    }
    violations
}

/// Name of a dependency from outside and its line, for each entry of `[workspace.dependencies]`.
fn declared(manifest: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (index, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == "[workspace.dependencies]";
        } else if let Some((name, value)) = line.split_once('=').filter(|_| inside && !line.starts_with('#'))
            && !value.contains("path =")
        {
            found.push((index + 1, name.trim()));
        }
    }
    found
}

/// The name of a row, `| `name` | …`.
fn row(line: &str) -> Option<&str> {
    let (name, reason) = line.strip_prefix("| `")?.split_once("` | ")?;
    (!reason.trim_end_matches('|').trim().is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Dependency;

    const MANIFEST: &str = "[workspace]\nmembers = []\n[workspace.dependencies]\nours = { path = \"x\" }\nserde = \"1\"\n# no = 1\n[profile.release]\ndebug = 1\n";

    #[test]
    fn every_dependency_needs_a_reason() {
        assert_eq!(check(MANIFEST, "| `serde` | JSON |\n", &[]), []);
        let missing = check(MANIFEST, "| `serde` | |\n", &[]);
        assert_eq!((missing.len(), missing[0].line), (1, 5));
        let stale = check(MANIFEST, "| `serde` | JSON |\n| `rug` | numbers |\n", &[]);
        assert_eq!((stale.len(), stale[0].line), (1, 2));
    }

    #[test]
    fn members_take_dependencies_from_the_workspace() {
        let dependency = |name: &str| Dependency { name: name.to_string(), kind: "dev".to_string() };
        let package = Package {
            name: "a".into(),
            member: true,
            licence: None,
            dependencies: vec![dependency("serde"), dependency("rug")],
        };
        let found = check(MANIFEST, "| `serde` | JSON |\n", &[package]);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.starts_with("rug "));
    }
}
