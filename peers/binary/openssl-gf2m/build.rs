//! Compiles the functions on arrays and links this system's libcrypto.

include!("../shim.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    compile("cc", "shim.c", None)?;
    println!("cargo::rustc-link-arg=-lcrypto");
    Ok(())
}
