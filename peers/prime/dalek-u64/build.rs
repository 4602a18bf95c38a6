//! Finds the source of curve25519-dalek's field for words of 64 bits.

use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cargo = std::env::var("CARGO")?;
    let manifest = std::env::var("CARGO_MANIFEST_DIR")?;
    let found = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &std::env::var("TARGET")?, "--manifest-path"]).arg(Path::new(&manifest).join("Cargo.toml")).output()?;
    let text = String::from_utf8(found.stdout)?;
    // `"manifest_path":"…/curve25519-dalek-5.0.0/Cargo.toml"`
    let path = text
        .split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.rsplit(['/', '\\']).nth(1).is_some_and(|folder| folder.starts_with("curve25519-dalek-") && !folder.contains("derive")))
        .ok_or("no source of curve25519-dalek")?;
    let field = Path::new(path).with_file_name("src").join("backend/serial/u64/field.rs");
    let module = format!("#[allow(dead_code, unused_imports, missing_docs, clippy::all)]\n#[path = {field:?}]\npub mod field;\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("dalek.rs"), module)?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
