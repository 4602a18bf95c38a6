//! Compiles the functions on arrays and links NTL, which `NTL_PREFIX` names, with gf2x and GMP.

include!("../shim.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    compile("c++", "shim.cpp", Some(&prefix("NTL_PREFIX")?))?;
    for library in ["ntl", "gf2x", "gmp", "stdc++", "m"] {
        println!("cargo::rustc-link-arg=-l{library}");
    }
    Ok(())
}
