//! Compiles libsecp256k1's field, whose C source comes with the crate secp256k1-sys.

use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cargo = std::env::var("CARGO")?;
    let manifest = std::env::var("CARGO_MANIFEST_DIR")?;
    let found = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &std::env::var("TARGET")?, "--manifest-path"]).arg(Path::new(&manifest).join("Cargo.toml")).output()?;
    let text = String::from_utf8(found.stdout)?;
    // `"manifest_path":"…/secp256k1-sys-0.14.1/Cargo.toml"`
    let path = text
        .split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.rsplit(['/', '\\']).nth(1).is_some_and(|folder| folder.starts_with("secp256k1-sys-")))
        .ok_or("no source of secp256k1-sys")?;
    let source = Path::new(path).with_file_name("depend").join("secp256k1/src");
    cc::Build::new().file("field.c").include(&source).opt_level(3).warnings(false).flag_if_supported("-march=native").try_compile("evariste_secp256k1_field")?;
    println!("cargo::rerun-if-changed=field.c");
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
