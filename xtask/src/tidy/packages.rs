//! The packages of the workspace and what they depend on, as cargo knows them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

/// A package, of this workspace or from outside.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Whether it belongs to this workspace.
    pub member: bool,
    /// Its licence expression (SPDX), if it states one.
    pub licence: Option<String>,
    /// What it declares to depend on.
    pub dependencies: Vec<Dependency>,
}

/// A declared dependency.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// Name of the package depended on.
    pub name: String,
    /// `normal`, `dev` or `build`.
    pub kind: String,
}

/// All packages that a build on this machine uses.
pub fn packages(root: &Path) -> anyhow::Result<Vec<Package>> {
    let host = host_triple(root)?;
    // What is needed was fetched by the build; ask the network only when it was not.
    let text = metadata(root, &host, &["--offline"]).or_else(|_| metadata(root, &host, &[]))?;
    parse(&text)
}

fn metadata(root: &Path, host: &str, more: &[&str]) -> anyhow::Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--filter-platform", host];
    let output = Command::new(cargo)
        .args(arguments)
        .args(more)
        .current_dir(root)
        .output()
        .context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn host_triple(root: &Path) -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").current_dir(root).output().context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not say its host")?;
    Ok(host.to_string())
}

fn parse(text: &str) -> anyhow::Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(text).context("cargo metadata is not JSON")?;
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let string = |value: &Value| value.as_str().map(str::to_string);
    let members = list(&metadata, "workspace_members");
    let package = |package: Value| Package {
        name: string(&package["name"]).unwrap_or_default(),
        member: members.contains(&package["id"]),
        licence: string(&package["license"])
            .or_else(|| string(&package["license_file"]).map(|_| "its own file".to_string())),
        dependencies: list(&package, "dependencies")
            .into_iter()
            .map(|dependency| Dependency {
                name: string(&dependency["name"]).unwrap_or_default(),
                kind: string(&dependency["kind"]).unwrap_or_else(|| "normal".to_string()),
            })
            .collect(),
    };
    let packages: Vec<Package> = list(&metadata, "packages").into_iter().map(package).collect();
    if !packages.iter().any(|package| package.member) {
        bail!("cargo metadata names no package of this workspace");
    }
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_cargo_prints() {
        let text = r#"{"workspace_members": ["path+x#a"], "packages": [
            {"name": "a", "id": "path+x#a", "license": "MIT", "dependencies": [{"name": "b", "kind": null}, {"name": "c", "kind": "dev"}]},
            {"name": "b", "id": "registry#b", "license": null, "license_file": "LICENCE", "dependencies": []}]}"#;
        let packages = parse(text).unwrap();
        let kinds: Vec<(&str, &str)> =
            packages[0].dependencies.iter().map(|d| (d.name.as_str(), d.kind.as_str())).collect();
        assert_eq!(kinds, [("b", "normal"), ("c", "dev")]);
        assert_eq!((packages[0].member, packages[1].member), (true, false));
        assert_eq!(packages[1].licence.as_deref(), Some("its own file"));
        assert!(parse("{}").is_err() && parse("").is_err());
    }
}
