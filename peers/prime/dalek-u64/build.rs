//! Finds the source of curve25519-dalek's field for words of 64 bits.

include!("../../source.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let field = source("curve25519-dalek")?.join("src").join("backend/serial/u64/field.rs");
    let module = format!(
        "#[allow(dead_code, unused_imports, missing_docs, clippy::all)]\n#[path = {field:?}]\npub mod field;\n"
    );
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("dalek.rs"), module)?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
