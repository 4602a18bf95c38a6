//! C compilers of this machine: finding them, naming them, running them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use evariste_emit::{Source, c_source, c_source_apart};
use evariste_proof::Proved;

use crate::error::RunError;
use crate::library::{Argument, Library, NativeFunction};

/// The names looked for in `PATH`, in order.
const NAMES: [&str; 3] = ["cc", "gcc", "clang"];

/// Lines of a compiler's message that an error keeps.
const MESSAGE_LINES: usize = 60;

/// Whose flags a compiler understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// GNU.
    Gcc,
    /// LLVM.
    Clang,
    /// Another one; only `-O2`, `-shared`, `-fPIC`, `-o` are relied upon.
    Other,
}

/// A C compiler that answered when asked for its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// What it was found as: `cc`, `gcc`, `clang`, or the value of `CC`.
    pub name: String,
    /// The program.
    pub path: PathBuf,
    /// Arguments that come before all others (`CC` may hold some).
    pub arguments: Vec<String>,
    /// Whose flags it understands.
    pub family: Family,
    /// First line of what `--version` prints.
    pub version: String,
}

impl Compiler {
    /// The compiler to use: the value of `CC` if it is set, else the first of `cc`, `gcc`, `clang` in `PATH`.
    ///
    /// # Errors
    /// [`RunError::NoCompiler`] with the names that were looked for; [`RunError::UnusableCc`].
    pub fn find() -> Result<Self, RunError> {
        Self::find_in(std::env::var("CC").ok().as_deref(), std::env::var_os("PATH").as_deref())
    }

    /// As [`Compiler::find`], with these values of `CC` and `PATH`.
    ///
    /// # Errors
    /// As [`Compiler::find`].
    pub fn find_in(cc: Option<&str>, path: Option<&OsStr>) -> Result<Self, RunError> {
        if let Some(value) = cc.filter(|value| !value.trim().is_empty()) {
            return Self::from_cc(value, path)
                .map_err(|reason| RunError::UnusableCc { value: value.to_string(), reason });
        }
        let found = NAMES.iter().find_map(|name| Self::from_cc(name, path).ok());
        found.ok_or_else(|| RunError::NoCompiler { looked_for: NAMES.map(str::to_string).to_vec() })
    }

    /// Every compiler of this machine: `CC`, `cc`, `gcc`, `clang`, the same program only once. The first is what
    /// [`Compiler::find`] gives when `CC` is usable or unset.
    pub fn all() -> Vec<Self> {
        let path = std::env::var_os("PATH");
        let cc = std::env::var("CC").ok();
        let names = cc.iter().map(String::as_str).filter(|value| !value.trim().is_empty()).chain(NAMES);
        let mut found: Vec<Compiler> = Vec::new();
        for compiler in names.filter_map(|name| Self::from_cc(name, path.as_deref()).ok()) {
            let same = |other: &Compiler| {
                // Links (`cc` for `gcc`) lead to one program; a launcher is told apart by its version line, less the
                // name it was called by.
                let number = |version: &str| version.split_once(' ').map(|(_, rest)| rest.to_string());
                other.path.canonicalize().ok() == compiler.path.canonicalize().ok()
                    && number(&other.version) == number(&compiler.version)
                    && other.arguments == compiler.arguments
            };
            if !found.iter().any(same) {
                found.push(compiler);
            }
        }
        found
    }

    /// The compiler called `name` (`gcc`, `clang`, a path, or a command with arguments such as `gcc -m32`).
    ///
    /// # Errors
    /// [`RunError::NoCompiler`]: there is none of that name, or it does not work.
    pub fn named(name: &str) -> Result<Self, RunError> {
        Self::from_cc(name, std::env::var_os("PATH").as_deref())
            .map_err(|_| RunError::NoCompiler { looked_for: vec![name.to_string()] })
    }

    /// Reads a value of `CC`: a program and maybe arguments. The error is the reason why it does not work.
    fn from_cc(value: &str, search: Option<&OsStr>) -> Result<Self, String> {
        let mut words = value.split_whitespace().map(str::to_string);
        let program = words.next().ok_or("it is empty")?;
        let arguments: Vec<String> = words.collect();
        let path = locate(&program, search).ok_or("there is no such program")?;
        let output = Command::new(&path)
            .args(&arguments)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.lines().next().unwrap_or("").trim().to_string();
        if !output.status.success() || version.is_empty() {
            return Err(format!("`{program} --version` ended with {} and wrote `{version}`", output.status));
        }
        let family = match &text {
            text if text.contains("clang") => Family::Clang,
            text if text.contains("Free Software Foundation") || text.contains("gcc") => Family::Gcc,
            _ => Family::Other,
        };
        Ok(Compiler { name: program, path, arguments, family, version })
    }

    /// Whether an empty program compiles with this flag.
    pub fn supports(&self, flag: &str) -> bool {
        tempfile::tempdir()
            .is_ok_and(|folder| self.shared_object("int evariste_probe;", &[flag], folder.path()).is_ok())
    }

    /// Compiles a C text to a shared object `kernel.so` (beside `kernel.c`) in `folder` and returns its path.
    ///
    /// `-shared -fPIC` are added to `flags`.
    ///
    /// # Errors
    /// [`RunError::CompileFailed`] with the compiler's message; a folder that cannot be written.
    pub fn shared_object(&self, source: &str, flags: &[&str], folder: &Path) -> Result<PathBuf, RunError> {
        let file = folder.join("kernel.c");
        std::fs::write(&file, source).map_err(|error| RunError::io(format!("write {}", file.display()), error))?;
        let mut arguments: Vec<&str> = flags.to_vec();
        arguments.extend(["-shared", "-fPIC", "-o", "kernel.so", "kernel.c"]);
        self.run(&arguments, folder)?;
        Ok(folder.join("kernel.so"))
    }

    /// The functions of proved kernels, in their order: printed as one C text, compiled with these flags, loaded. That
    /// the compiler, with these flags, does what C says is believed.
    ///
    /// Several threads may compile at once.
    ///
    /// # Errors
    /// A kernel that looks up in variable time at an index that only its contract bounds, or that C cannot print;
    /// [`RunError::CompileFailed`]; a library that cannot be loaded.
    pub fn functions(&self, kernels: &[&Proved], flags: &[&str]) -> Result<Vec<NativeFunction>, RunError> {
        bounded(kernels)?;
        let source = c_source(kernels, "evariste")?;
        // SAFETY: the text is that of the proved kernels.
        unsafe { self.functions_of(&source, flags, |_| None) }
    }

    /// As [`Compiler::functions`], each compiled as if it stood alone, in one run of the compiler.
    ///
    /// # Errors
    /// As [`Compiler::functions`].
    pub fn functions_apart(&self, kernels: &[&Proved], flags: &[&str]) -> Result<Vec<NativeFunction>, RunError> {
        bounded(kernels)?;
        let source = c_source_apart(kernels, "evariste")?;
        // Functions that several kernels call are there several times: to be inlined, not to become one.
        let apart = if self.family == Family::Gcc { &["-fno-ipa-icf"][..] } else { &[] };
        // SAFETY: the text is that of the proved kernels.
        unsafe { self.functions_of(&source, &[flags, apart].concat(), |i| Some(format!("evariste{i}_"))) }
    }

    /// The functions of a text; `own` begins the names of those that only function `i` calls, where others are there.
    ///
    /// # Safety
    /// The text must be one of proved kernels whose look-ups are [`bounded`].
    unsafe fn functions_of(
        &self,
        source: &Source,
        flags: &[&str],
        own: impl Fn(usize) -> Option<String>,
    ) -> Result<Vec<NativeFunction>, RunError> {
        // SAFETY: the text holds functions and constant tables of proved kernels, which have no constructors.
        let library = unsafe { self.load(&source.text, flags) }?;
        let function = |(i, f): (usize, &evariste_emit::Function)| {
            let arguments: Vec<Argument> = f.parameters.iter().map(Argument::from).collect();
            // SAFETY: the function is printed with these parameters. Public indices are within their arrays, as
            // `ir::verify` has checked; look-ups read whole tables, or in variable time what the caller asked: so for
            // all inputs, admissible or not.
            Ok(unsafe { library.function(&f.symbol, &arguments) }?.with_own(own(i)))
        };
        source.functions.iter().enumerate().map(function).collect()
    }

    /// Compiles a C text in a folder of its own and loads it. The folder goes when the library does.
    ///
    /// # Errors
    /// [`RunError::Io`]: no folder can be made there, or the compiler cannot be started. [`RunError::CompileFailed`] with
    /// what it said; [`RunError::Load`].
    ///
    /// # Safety
    /// As [`Library::open`], of what the text becomes.
    ///
    /// ```compile_fail,E0133
    /// let _ = evariste_run::Compiler::find().and_then(|c| c.load("void f(void) {}", &[]));
    /// ```
    pub unsafe fn load(&self, source: &str, flags: &[&str]) -> Result<Library, RunError> {
        let folder = tempfile::Builder::new()
            .prefix("evariste-")
            .tempdir()
            .map_err(|error| RunError::io(format!("make a folder in {}", std::env::temp_dir().display()), error))?;
        let object = self.shared_object(source, flags, folder.path())?;
        // SAFETY: the caller's promise.
        unsafe { Library::open_in(object, Some(folder)) }
    }

    /// Runs the compiler in `folder` with these arguments and returns what it wrote (its warnings, on success).
    ///
    /// # Errors
    /// [`RunError::CompileFailed`] when its exit status says so; a compiler that cannot be started.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: &[A], folder: &Path) -> Result<String, RunError> {
        let mut command = Command::new(&self.path);
        // Messages in English and without colours, whatever the user's settings.
        command.args(&self.arguments).args(arguments).current_dir(folder).env("LC_ALL", "C").stdin(Stdio::null());
        let output = command.output().map_err(|error| RunError::io(format!("run {}", self.path.display()), error))?;
        let mut message = String::from_utf8_lossy(&output.stderr).into_owned();
        message.push_str(&String::from_utf8_lossy(&output.stdout));
        if output.status.success() {
            return Ok(message);
        }
        let words = self
            .arguments
            .iter()
            .map(|word| word.as_str().into())
            .chain(arguments.iter().map(|word| word.as_ref().to_string_lossy()));
        let command = words.fold(self.name.clone(), |line, word| format!("{line} {word}"));
        let lines: Vec<&str> = message.lines().collect();
        let mut kept = lines[..lines.len().min(MESSAGE_LINES)].join("\n");
        if lines.len() > MESSAGE_LINES {
            kept.push_str(&format!("\n… and {} more lines", lines.len() - MESSAGE_LINES));
        }
        if kept.is_empty() {
            kept = format!("it ended with {} and wrote nothing", output.status);
        }
        Err(RunError::CompileFailed { compiler: self.version.clone(), command, message: kept })
    }
}

/// Refuses kernels that look up in variable time beyond their tables where inputs are not admissible.
fn bounded(kernels: &[&Proved]) -> Result<(), RunError> {
    match kernels.iter().find(|k| !k.kernel().vartime_look_ups_are_bounded()) {
        Some(leaky) => Err(RunError::UnboundedLookUp { kernel: leaky.kernel().name.clone() }),
        None => Ok(()),
    }
}

/// The file that a program's name stands for: itself when it has a folder, else the first executable one in the search
/// path.
fn locate(program: &str, search: Option<&OsStr>) -> Option<PathBuf> {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return std::path::absolute(program).ok().filter(|path| is_program(path));
    }
    let file = OsString::from(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    std::env::split_paths(search?).map(|folder| folder.join(&file)).find(|path| is_program(path))
}

/// Whether there is a file that may be run.
fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}
