// Included by the build scripts here: compiles `shim.c` or `shim.cpp` with everything that this processor has, and
// links it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that a library was installed to, from a variable of the environment.
#[allow(dead_code)]
fn prefix(variable: &str) -> Result<PathBuf, String> {
    println!("cargo::rerun-if-env-changed={variable}");
    let folder = std::env::var(variable).map_err(|_| {
        format!("error: {variable} does not name the folder that the library was installed to, with include/ and lib/")
    })?;
    Ok(PathBuf::from(folder))
}

/// Compiles one file to an object that is linked.
fn compile(compiler: &str, file: &str, include: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={file}");
    let object = PathBuf::from(std::env::var("OUT_DIR")?).join("shim.o");
    let mut command = Command::new(compiler);
    command.args(["-O3", "-march=native", "-fPIC", "-c", file, "-o"]).arg(&object);
    if let Some(folder) = include {
        command.arg("-I").arg(folder.join("include"));
        println!("cargo::rustc-link-search=native={}", folder.join("lib").display());
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("error: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    println!("cargo::rustc-link-arg={}", object.display());
    Ok(())
}
