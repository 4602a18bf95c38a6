//! A module of Rust, made where a `build.rs` makes it. `cargo run --release -p evariste --example module` writes it among
//! temporary files.

use std::path::{Path, PathBuf};

use evariste::{Error, build};

/// Writes the module into a folder, and gives its path. In a build script `out_dir` is left out.
pub fn write(out: &Path) -> Result<PathBuf, Error> {
    build("p256").ops(["mul", "square", "add", "sub", "opp", "inv"]).out_dir(out).emit()
}

/// Does so, and says how a program takes it.
pub fn main() -> Result<(), Error> {
    let path = write(&std::env::temp_dir())?;
    println!("include!({path:?});");
    Ok(())
}
