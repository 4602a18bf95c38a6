//! Rule: imports only go down. A room knows the rooms that its row names, in its tests too.

use super::{Package, Violation};

/// Each package of the workspace and the packages of the workspace that it may depend on.
const ROOMS: &[(&str, &[&str])] = &[
    ("evariste-descriptions", &[]),
    ("evariste-ir", &[]),
    ("evariste-formulas", &[]),
    ("evariste-algorithms", &["evariste-descriptions", "evariste-formulas", "evariste-ir"]),
    ("evariste-proof", &["evariste-descriptions", "evariste-ir"]),
    ("evariste-cores", &[]),
    ("evariste-codegen", &["evariste-cores", "evariste-ir", "evariste-proof"]),
    ("evariste-emit", &["evariste-codegen", "evariste-proof", "evariste-ir"]),
    ("evariste-jit", &["evariste-codegen"]),
    ("evariste-run", &["evariste-emit", "evariste-jit", "evariste-proof"]),
    ("evariste-probe", &["evariste-cores", "evariste-run", "evariste-jit", "evariste-codegen"]),
    ("evariste-backend", &BELOW_BACKEND),
    ("evariste-tune", &BELOW_TUNE),
    ("evariste-array", &BELOW_ARRAY),
    ("evariste-reproduce", &BELOW_REPRODUCE),
    ("evariste-report", &["evariste-reproduce", "evariste-tune"]),
    ("evariste", &BELOW_FACADE),
    ("evariste-cli", &["evariste", "evariste-report", "evariste-reproduce"]),
    ("evariste-python", &["evariste", "evariste-reproduce"]),
    ("evariste-emulator", &[]),
    ("evariste-testing", &["evariste-codegen", "evariste-emulator", "evariste-jit", "evariste-proof"]),
    ("xtask", &["evariste-testing"]),
];

const BELOW_BACKEND: [&str; 9] = [
    "evariste-cores",
    "evariste-probe",
    "evariste-algorithms",
    "evariste-run",
    "evariste-jit",
    "evariste-codegen",
    "evariste-proof",
    "evariste-ir",
    "evariste-descriptions",
];

const BELOW_TUNE: [&str; 11] = [
    "evariste-cores",
    "evariste-probe",
    "evariste-backend",
    "evariste-algorithms",
    "evariste-run",
    "evariste-emit",
    "evariste-jit",
    "evariste-codegen",
    "evariste-proof",
    "evariste-ir",
    "evariste-descriptions",
];

const BELOW_ARRAY: [&str; 11] = [
    "evariste-cores",
    "evariste-backend",
    "evariste-tune",
    "evariste-algorithms",
    "evariste-run",
    "evariste-jit",
    "evariste-codegen",
    "evariste-proof",
    "evariste-ir",
    "evariste-descriptions",
    "evariste-emit",
];

const BELOW_REPRODUCE: [&str; 12] = [
    "evariste-emit",
    "evariste-cores",
    "evariste-formulas",
    "evariste-backend",
    "evariste-tune",
    "evariste-algorithms",
    "evariste-run",
    "evariste-jit",
    "evariste-codegen",
    "evariste-proof",
    "evariste-ir",
    "evariste-descriptions",
];

const BELOW_FACADE: [&str; 14] = [
    "evariste-cores",
    "evariste-formulas",
    "evariste-probe",
    "evariste-backend",
    "evariste-tune",
    "evariste-array",
    "evariste-algorithms",
    "evariste-run",
    "evariste-emit",
    "evariste-jit",
    "evariste-codegen",
    "evariste-proof",
    "evariste-ir",
    "evariste-descriptions",
];

/// What a room's tests may use beside `evariste-testing`, which is for all: proofs are tested on the kernels that are
/// written, and with their own switches for breaking rules.
const IN_TESTS: &[(&str, &[&str])] = &[
    ("evariste-proof", &["evariste-algorithms", "evariste-formulas", "evariste-proof"]),
    ("evariste-codegen", &["evariste-algorithms", "evariste-descriptions"]),
    (
        "evariste-jit",
        &["evariste-algorithms", "evariste-ir", "evariste-proof", "evariste-descriptions", "evariste-emulator"],
    ),
    ("evariste-probe", &["evariste-emulator"]),
];

/// Judges the dependencies that the members of the workspace declare.
pub fn check(packages: &[Package]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let members: Vec<&Package> = packages.iter().filter(|package| package.member).collect();
    for package in &members {
        let violation = |message: String| Violation { place: package.name.clone(), line: 0, message };
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == package.name) else {
            violations.push(violation("is not a room: give it a row in the table of rooms, in xtask too".to_string()));
            continue;
        };
        for dependency in &package.dependencies {
            let inside = members.iter().any(|member| member.name == dependency.name);
            let in_tests = dependency.kind == "dev"
                && (dependency.name == "evariste-testing"
                    || IN_TESTS
                        .iter()
                        .any(|(name, more)| *name == package.name && more.contains(&dependency.name.as_str())));
            if inside && !in_tests && !allowed.contains(&dependency.name.as_str()) {
                violations.push(violation(format!(
                    "imports {} ({}), which its row in the table of rooms does not name: imports only go down",
                    dependency.name, dependency.kind
                )));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::Dependency;

    fn package(name: &str, dependencies: &[(&str, &str)]) -> Package {
        let dependency = |&(name, kind): &(&str, &str)| Dependency { name: name.to_string(), kind: kind.to_string() };
        Package {
            name: name.to_string(),
            member: true,
            licence: None,
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn upward_imports_are_found() {
        let spec = package("evariste-descriptions", &[("serde", "normal")]);
        let ir = package("evariste-ir", &[]);
        let good = [
            spec.clone(),
            ir.clone(),
            package("evariste-algorithms", &[("evariste-descriptions", "normal"), ("evariste-ir", "dev")]),
        ];
        assert_eq!(check(&good), []);
        let upward = [spec.clone(), package("evariste-ir", &[("evariste-descriptions", "normal")])];
        assert_eq!(check(&upward).len(), 1);
        let in_tests = [spec, package("evariste-ir", &[("evariste-descriptions", "dev")])];
        assert!(check(&in_tests)[0].message.contains("evariste-descriptions (dev)"));
        assert_eq!(check(&[package("evariste-attic", &[])])[0].place, "evariste-attic");
    }

    /// The table itself only goes down: each room comes after all that it may import.
    #[test]
    fn the_table_has_no_cycle() {
        for (index, (room, below)) in ROOMS.iter().enumerate() {
            for lower in *below {
                let place = ROOMS.iter().position(|(name, _)| name == lower);
                assert!(place.is_some_and(|place| place < index), "{room} imports {lower}");
            }
        }
    }
}
