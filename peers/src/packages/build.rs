//! Builds one package, with everything that this processor has, in a process of its own: none takes another's features,
//! and one that fails is one line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Builder, Package, processor};
use crate::setup::debian;

/// The Rust compiler's flags: everything that this processor has, without what is withheld.
pub fn rust_flags() -> String {
    let withheld: Vec<String> = processor::withheld().iter().map(|feature| format!("-{feature}")).collect();
    let native = "-C target-cpu=native";
    if withheld.is_empty() { native.into() } else { format!("{native} -C target-feature={}", withheld.join(",")) }
}

/// Those of C, C++ and configure scripts.
pub fn c_flags() -> String {
    let mut flags = "-O3 -march=native".to_string();
    for feature in processor::withheld() {
        flags += " -mno-";
        flags += match feature {
            "bmi1" => "bmi",
            "pclmulqdq" => "pclmul",
            same => same,
        };
    }
    flags
}

/// The packages' versions.
pub const LOCK: &str = include_str!("../../Cargo.lock");

/// The folder of `Cargo.toml`.
pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where peers are built.
pub fn target_folder() -> Result<PathBuf> {
    // The executable lies in TARGET/PROFILE.
    let own = std::env::current_exe()?;
    let name = [vec!["peers".to_string()], processor::asked_without()].concat().join("-without-");
    Ok(own.ancestors().nth(2).context("the executable lies in no target folder")?.join(name))
}

/// Builds a package and gives the library's path.
pub fn build(package: &Package) -> Result<PathBuf> {
    if !processor::withheld().is_empty() && matches!(package.builder, Builder::Go | Builder::Debian("ntl")) {
        bail!("takes everything that the processor has, also what EVARISTE_WITHOUT names");
    }
    match package.builder {
        Builder::Cargo => cargo_build(package.name, None),
        Builder::Debian(source) => {
            let variable = format!("{}_PREFIX", source.to_uppercase());
            let prefix = match std::env::var_os(&variable) {
                Some(folder) => folder,
                None => debian::installed(source)?.into_os_string(),
            };
            cargo_build(package.name, Some((variable, prefix)))
        }
        Builder::Go => go_build(package.name),
    }
}

/// Cargo, without what the caller's environment says of builds.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(home());
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PROFILE_") || ["CARGO_ENCODED_RUSTFLAGS", "CARGO_INCREMENTAL"].contains(&&*text) {
            cargo.env_remove(&name);
        }
    }
    cargo.env("RUSTFLAGS", rust_flags()).env("CFLAGS", c_flags()).env("CXXFLAGS", c_flags());
    cargo
}

/// A package of this workspace, with the profile `peer`.
fn cargo_build(package: &str, variable: Option<(String, OsString)>) -> Result<PathBuf> {
    let target = target_folder()?;
    let name = format!("evariste-peer-{package}");
    let mut command = cargo();
    command.args(["build", "--quiet", "--locked", "--profile", "peer", "--package", &name, "--target-dir"]);
    command.arg(&target).envs(variable);
    run(&mut command)?;
    let file = format!("{}{}{}", std::env::consts::DLL_PREFIX, name.replace('-', "_"), std::env::consts::DLL_SUFFIX);
    Ok(target.join("peer").join(file))
}

/// Builds a Go program as a shared object.
fn go_build(folder: &str) -> Result<PathBuf> {
    let file = format!("{}peer_go{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = target_folder()?.join("go").join(file);
    let mut command = Command::new("go");
    command
        .args(["build", "-buildvcs=false", "-buildmode=c-shared", "-o"])
        .arg(&path)
        .arg(".")
        .current_dir(home().join(folder))
        .env("CGO_ENABLED", "1")
        .env("GOAMD64", processor::go_level());
    run(&mut command)?;
    Ok(path)
}

/// Runs a step of a build; a failure is the line of its output that says most.
pub fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("run {program}"))?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        bail!("cannot be built: {}", reason(&String::from_utf8_lossy(&text)));
    }
    Ok(())
}

/// The line of a failed build that says most.
pub fn reason(output: &str) -> String {
    let lines = || output.lines().map(str::trim).filter(|line| !line.is_empty());
    let errors = || {
        lines().filter(|line| {
            let text = line.to_lowercase();
            text.contains("error") && !text.contains("custom build command") && !text.contains("(ignored)")
        })
    };
    errors()
        .find(|line| line.contains("rror: ") && !line.contains("could not compile"))
        .or_else(|| errors().next())
        .or_else(|| lines().next_back())
        .unwrap_or_default()
        .trim_start_matches("cargo:warning=")
        .to_string()
}

/// The version of a crate in the lock file, or of a module in a file `go.mod`.
pub fn version(package: &Package) -> Option<String> {
    if package.builder == Builder::Go {
        let module = std::fs::read_to_string(home().join(package.name).join("go.mod")).ok()?;
        let after = module.split(&format!("{} v", package.of)).nth(1)?;
        return Some(after.split_whitespace().next()?.to_string());
    }
    let after = LOCK.split(&format!("name = \"{}\"\nversion = \"", package.of)).nth(1)?;
    Some(after.split('"').next()?.to_string())
}
