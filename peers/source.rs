// Included by build scripts: finds the source of a crate that the package names, built or not.

use std::path::PathBuf;
use std::process::Command;

/// The folder of the crate's source, `NAME-VERSION` with a version of digits.
fn source(name: &str) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let cargo = std::env::var("CARGO")?;
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    // Of every platform: sources that are compiled here are dependencies of none. What is not there yet is fetched.
    let found = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()?;
    if !found.status.success() {
        return Err(format!("no source of {name}: {}", String::from_utf8_lossy(&found.stderr).trim()).into());
    }
    let text = String::from_utf8(found.stdout)?;
    // `"manifest_path":"…/NAME-VERSION/Cargo.toml"`
    let is_of = |folder: &str| {
        folder
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('-'))
            .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    };
    let paths = text.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let path = paths
        .into_iter()
        .find(|path| path.rsplit(['/', '\\']).nth(1).is_some_and(is_of))
        .ok_or_else(|| format!("no source of {name}"))?;
    Ok(PathBuf::from(path).with_file_name(""))
}
