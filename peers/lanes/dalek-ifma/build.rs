//! Finds the sources of curve25519-dalek's field for vectors, and puts them where they look for each other.

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
    let backend = Path::new(path).with_file_name("src").join("backend");
    let module = |name: &str, file: &str| format!("#[allow(dead_code, unused_imports, missing_docs, clippy::all)] #[path = {:?}] pub mod {name};", backend.join(file));
    let text = [
        "pub mod backend {".into(),
        format!("pub mod serial {{ pub mod u64 {{ {} }} }}", module("field", "serial/u64/field.rs")),
        format!("pub mod vector {{ {} pub mod ifma {{ {} }} }}", module("packed_simd", "vector/packed_simd.rs"), module("field", "vector/ifma/field.rs")),
        "}".into(),
    ];
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("dalek.rs"), text.join("\n"))?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
