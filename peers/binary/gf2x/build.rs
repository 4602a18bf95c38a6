//! Compiles the functions on arrays and links gf2x, which `GF2X_PREFIX` names.

include!("../shim.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    compile("cc", "shim.c", Some(&prefix("GF2X_PREFIX")?))?;
    println!("cargo::rustc-link-arg=-lgf2x");
    Ok(())
}
