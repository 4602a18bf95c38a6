//! Compiles libsecp256k1's field, whose C source comes with the crate secp256k1-sys.

include!("../../source.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = source("secp256k1-sys")?.join("depend").join("secp256k1/src");
    cc::Build::new()
        .file("field.c")
        .include(&source)
        .opt_level(3)
        .warnings(false)
        .flag_if_supported("-march=native")
        .try_compile("evariste_secp256k1_field")?;
    println!("cargo::rerun-if-changed=field.c");
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
