//! The tests of the Python package: a virtual environment in the build folder with what they need, the package put
//! together from its modules and the extension of this build, and pytest.
//!
//! What cannot be had (Python 3.11, its packages without a network) is a counted skip with the reason.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;

/// The oldest version that the extension loads in.
const OLDEST: (u32, u32) = (3, 11);

/// What the tests use, as pip names it. In `pyproject.toml` these are the extra `test`.
const PACKAGES: &[&str] =
    &["numpy>=2.1", "pytest", "hypothesis", "dask[array]", "distributed", "pyarrow", "pandas", "matplotlib"];

/// The folder of the package.
pub const FOLDER: &str = "python";

/// The package that cargo builds; it is no test program, and links in Python alone.
pub const CRATE: &str = "evariste-python";

/// What is ready to run: the command, or why there is none.
pub enum Ready {
    /// Pytest on all tests.
    Tests(Command),
    /// This is missing.
    Lacks(String),
}

/// Makes everything ready.
pub fn ready(root: &Path, build: &Path, full: bool) -> anyhow::Result<Ready> {
    let Some(python) = found() else {
        return Ok(Ready::Lacks(format!("python {}.{} with venv", OLDEST.0, OLDEST.1)));
    };
    let interpreter = match environment(python, build)? {
        Ok(interpreter) => interpreter,
        Err(why) => return Ok(Ready::Lacks(why)),
    };
    let modules = package(root, build)?;
    let mut command = Command::new(interpreter);
    command.args(["-m", "pytest", "-p", "no:cacheprovider", "-rs", "--durations=0", "--durations-min=1", "tests"]);
    command.current_dir(root.join(FOLDER)).env("PYTHONPATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
    // Rankings of this machine's user are no matter of tests.
    command.env("EVARISTE_CACHE", build.join("python-cache"));
    if full {
        command.env("EVARISTE_FULL", "1");
    }
    Ok(Ready::Tests(command))
}

/// A Python that is new enough.
fn found() -> Option<&'static str> {
    let check = format!("import sys, venv; sys.exit(sys.version_info < {OLDEST:?})");
    let runs = |name: &&&str| Command::new(name).args(["-c", &check]).output().is_ok_and(|out| out.status.success());
    ["python3", "python3.11", "python3.12", "python3.13", "python"].iter().find(runs).copied()
}

/// The interpreter of the environment, made once; an error says what could not be had.
fn environment(python: &str, build: &Path) -> anyhow::Result<Result<PathBuf, String>> {
    let folder = build.join("python-environment");
    let interpreter = folder.join("bin/python");
    let (stamp, wanted) = (folder.join("packages.txt"), PACKAGES.join("\n"));
    if std::fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) {
        return Ok(Ok(interpreter));
    }
    let made = Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder).output();
    if !made.as_ref().is_ok_and(|out| out.status.success()) {
        return Ok(Err("a virtual environment of Python".to_string()));
    }
    let mut install = Command::new(&interpreter);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
    let installed = install.output().context("cannot run pip")?;
    if !installed.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&installed.stderr).trim());
        return Ok(Err(format!("Python packages: {}", PACKAGES.join(", "))));
    }
    std::fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(Ok(interpreter))
}

/// A folder with the modules and the extension of this build, as a wheel would install them.
fn package(root: &Path, build: &Path) -> anyhow::Result<PathBuf> {
    let folder = build.join("python-package");
    let target = folder.join("evariste");
    let _ = std::fs::remove_dir_all(&target);
    std::fs::create_dir_all(&target).with_context(|| format!("cannot make {}", target.display()))?;
    let source = root.join(FOLDER).join("package/evariste");
    for entry in std::fs::read_dir(&source).with_context(|| format!("cannot list {}", source.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), target.join(entry.file_name()))?;
        }
    }
    let library = build.join("release/lib_core.so");
    std::fs::copy(&library, target.join("_core.abi3.so"))
        .with_context(|| format!("cannot copy {}", library.display()))?;
    Ok(folder)
}

/// What pytest's last lines say, in the words of a Rust test program: tests that passed, failed, were skipped, and a
/// `SKIP:` line for each reason.
pub fn translated(lines: &[String]) -> Vec<String> {
    let Some(last) = lines.iter().rev().find(|line| line.contains(" passed") || line.contains(" failed")) else {
        return Vec::new();
    };
    let count = |what: &str| {
        let words: Vec<&str> = last.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| word.starts_with(what));
        at.and_then(|at| words.get(at.checked_sub(1)?)?.parse::<usize>().ok()).unwrap_or(0)
    };
    let failed = count("failed") + count("error");
    let verdict = if failed > 0 { "FAILED" } else { "ok" };
    let skip = |line: &String| {
        // `SKIPPED [1] test_x.py:3: why`.
        let (_, why) = line.strip_prefix("SKIPPED ")?.split_once(": ")?;
        Some(format!("SKIP: python (tool: {why})"))
    };
    let mut all: Vec<String> = lines.iter().filter_map(skip).collect();
    let (passed, others) = (count("passed"), count("deselected"));
    all.push(format!("test result: {verdict}. {passed} passed; {failed} failed; 0 ignored; {others} filtered out"));
    all
}

/// A test and how long it took, in a line of pytest's list of durations.
pub fn duration(line: &str) -> Option<(String, Duration)> {
    // `1.72s call     tests/test_x.py::test_y[0]`.
    let (seconds, rest) = line.split_once("s call ")?;
    let taken = Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok()?;
    Some((rest.trim().to_string(), taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn what_pytest_says_is_understood() {
        let good = translated(&lines("....\n358 passed, 3 warnings in 40.12s"));
        assert_eq!(good, ["test result: ok. 358 passed; 0 failed; 0 ignored; 0 filtered out"]);
        let bad = translated(&lines("F.E\nFAILED tests/a.py::b\n2 failed, 350 passed, 1 error in 40.12s"));
        assert_eq!(bad, ["test result: FAILED. 350 passed; 3 failed; 0 ignored; 0 filtered out"]);
        let others = translated(&lines("350 passed, 8 deselected in 40.12s"));
        assert_eq!(others, ["test result: ok. 350 passed; 0 failed; 0 ignored; 8 filtered out"]);
        let skipped = translated(&lines("SKIPPED [2] tests/a.py:3: no dask\n350 passed, 2 skipped in 1.00s"));
        assert_eq!(
            skipped,
            ["SKIP: python (tool: no dask)", "test result: ok. 350 passed; 0 failed; 0 ignored; 0 filtered out"]
        );
        assert_eq!(translated(&lines("Segmentation fault")), [""; 0]);
    }

    #[test]
    fn durations_are_read() {
        let slow = duration("12.50s call     tests/test_a.py::test_b[x-1]");
        assert_eq!(slow, Some(("tests/test_a.py::test_b[x-1]".to_string(), Duration::from_millis(12_500))));
        for other in ["1.01s setup    tests/test_a.py::test_b", "=== slowest durations ===", "-1s call x"] {
            assert_eq!(duration(other), None, "{other}");
        }
    }
}
