//! Compiles the functions on bytes and links this system's libcrypto.

include!("../../binary/shim.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    compile("cc", "shim.c", None)?;
    println!("cargo::rustc-link-arg=-lcrypto");
    Ok(())
}
