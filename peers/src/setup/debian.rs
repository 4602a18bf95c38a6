//! Libraries that no registry of Rust has: their source packages come from Debian, by this system's own sources and
//! keys, into a folder of ours. Nothing of the system is changed and nobody has to be root.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::build::{c_flags, run, target_folder};

/// The folder that a library is installed to: `gf2x`, or `ntl`, which gets its own gf2x first.
pub fn installed(source: &str) -> Result<PathBuf> {
    let home = target_folder()?.join("debian");
    let prefix = home.join(format!("{source}-installed"));
    let done = prefix.join("done");
    if !done.exists() {
        let gf2x = if source == "ntl" { Some(installed("gf2x")?) } else { None };
        let folder = unpacked(&home, source)?;
        match gf2x {
            None => build_gf2x(&folder, &prefix)?,
            Some(gf2x) => build_ntl(&folder, &prefix, &gf2x)?,
        }
        std::fs::write(&done, "")?;
    }
    Ok(prefix)
}

/// gf2x takes its tables for carry-less products of the processor by the flags.
fn build_gf2x(folder: &Path, prefix: &Path) -> Result<()> {
    let mut configure = Command::new("./configure");
    configure.args(["--disable-shared", "--with-pic"]).arg(format!("--prefix={}", prefix.display()));
    run(configure.env("CFLAGS", c_flags()).current_dir(folder))?;
    make(folder)
}

/// NTL, on that gf2x and this system's GMP.
fn build_ntl(folder: &Path, prefix: &Path, gf2x: &Path) -> Result<()> {
    let folder = folder.join("src");
    let mut configure = Command::new("./configure");
    configure
        .args(["NATIVE=on", "TUNE=x86", "NTL_GF2X_LIB=on", "NTL_THREADS=off", "CXXFLAGS=-O3 -fPIC"])
        .args([format!("PREFIX={}", prefix.display()), format!("GF2X_PREFIX={}", gf2x.display())]);
    run(configure.current_dir(&folder))?;
    make(&folder)?;
    // Its shim is linked with both.
    for entry in std::fs::read_dir(gf2x.join("lib"))? {
        let file = entry?.path();
        if let Some(name) = file.file_name().filter(|_| file.is_file()) {
            std::fs::copy(&file, prefix.join("lib").join(name))?;
        }
    }
    Ok(())
}

/// Builds and installs.
fn make(folder: &Path) -> Result<()> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    run(Command::new("make").arg(format!("-j{jobs}")).current_dir(folder))?;
    run(Command::new("make").arg("install").current_dir(folder))
}

/// Fetches a source package and unpacks what its authors published.
fn unpacked(home: &Path, source: &str) -> Result<PathBuf> {
    let folder = home.join(source);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let options = lists(home)?;
    run(Command::new("apt-get").args(&options).args(["source", "--download-only", source]).current_dir(&folder))
        .context("its source package cannot be fetched")?;
    let files = std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let archive = files
        .iter()
        .find(|path| path.to_string_lossy().contains(".orig.tar"))
        .context("its source package holds no archive of its authors")?;
    run(Command::new("tar").arg("--strip-components=1").arg("-xf").arg(archive).current_dir(&folder))?;
    Ok(folder)
}

/// Options of apt-get for a list of source packages of our own, brought up to date.
fn lists(home: &Path) -> Result<Vec<String>> {
    let state = home.join("apt");
    let parts = state.join("sources");
    for folder in [parts.clone(), state.join("lists/partial"), state.join("cache/archives/partial")] {
        std::fs::create_dir_all(folder)?;
    }
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(entries) = std::fs::read_dir("/etc/apt/sources.list.d") {
        files.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    let mut any = false;
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "list" || e == "sources")) {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Some(name) = file.file_name() else { continue };
        std::fs::write(parts.join(name), as_sources(&text))?;
        any = true;
    }
    if !any {
        bail!("no list of package sources in /etc/apt");
    }
    let options: Vec<String> = [
        ("Dir::Etc::sourcelist", PathBuf::from("/dev/null")),
        ("Dir::Etc::sourceparts", parts),
        ("Dir::State::lists", state.join("lists")),
        ("Dir::Cache", state.join("cache")),
    ]
    .iter()
    .map(|(name, path)| format!("-o{name}={}", path.display()))
    .chain(["-qq".into(), "-oAPT::Sandbox::User=".into()])
    .collect();
    run(Command::new("apt-get").args(&options).arg("update")).context("the list of source packages")?;
    Ok(options)
}

/// A list of package sources with the lines of binary packages made ones of source packages.
fn as_sources(text: &str) -> String {
    let line = |line: &str| match (line.strip_prefix("deb "), line.strip_prefix("Types:")) {
        (Some(rest), _) => format!("deb-src {rest}\n"),
        (_, Some(_)) => "Types: deb-src\n".into(),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
