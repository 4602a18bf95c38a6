//! A package in C, made where a `build.rs` would make it: in the folder that cargo names `OUT_DIR`, else in one beside
//! other temporary files. `cargo run --release -p evariste --example package`.

use std::error::Error;
use std::path::{Path, PathBuf};

use evariste::{Field, Request, write_package};

/// Writes the package into a folder of its own in `out`, and gives that folder.
pub fn write(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let field = Field::parse("2^255 - 19")?;
    // The layout by name, and no ranking: the same code on every machine.
    let chosen = field.choose(Some("5x51"), None)?;
    let request = Request {
        language: "c".into(),
        prefix: "fe".into(),
        operations: ["add", "sub", "mul", "square", "inv"].map(String::from).to_vec(),
        command_line: "build.rs".into(),
        ..Request::default()
    };
    let package = field.package(&chosen, &request, |_done, _total| ())?;
    let folder = out.join("evariste-example-fe");
    // What a package of another field or another hand has left there is not replaced.
    write_package(&folder, &field.name(), &package.files, false)?;
    package.notes.iter().for_each(|note| println!("cargo::warning={note}"));
    Ok(folder)
}

/// Does so, and says what cargo is to look at.
pub fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::var_os("OUT_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = write(&out)?;
    println!("cargo::rerun-if-changed=build.rs");
    // The crate `cc` comes next: `cc::Build::new().file(folder.join("fe.c")).opt_level(3).compile("fe")`.
    println!("{}", folder.join("fe.c").display());
    Ok(())
}
