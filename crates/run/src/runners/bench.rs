//! A runner whose tools are there: programs are compiled for its processor and run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::calls::{Call, program};
use super::{By, Runner};
use crate::compiler::Compiler;
use crate::error::RunError;

/// Longest run of a program.
const LIMIT: Duration = Duration::from_secs(300);

/// Of every program that is run by an emulator of processes.
const HOSTED: &[&str] = &["-static"];
/// The ATmega128 has 4 KiB of memory, which are the stack's; static data lies above, where external memory is.
const AVR: &[&str] =
    &["-Dmain=evariste_main", "-Wl,--section-start=.data=0x801100,--defsym=__DATA_REGION_LENGTH__=0xef00"];
/// All of a program lies in one memory, from its start on, and no library is there.
const BARE: &[&str] = &[
    "-Dmain=evariste_main",
    "-ffreestanding",
    "-nostdlib",
    "-static",
    "-Wl,-N,-Ttext=0x02000000,--build-id=none",
    "-lgcc",
];

/// A runner, ready to run.
#[derive(Debug)]
pub struct Bench {
    /// Which.
    pub runner: &'static Runner,
    /// The compiler that was found.
    pub compiler: Compiler,
    /// Goes with this value; the plugin or the simulator's host lies in it.
    folder: tempfile::TempDir,
}

/// What a program did.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote.
    pub output: String,
    /// What it, or who ran it, wrote to standard error.
    pub errors: String,
}

impl Runner {
    /// Finds the compiler and what runs programs; the latter is made ready where it needs that.
    ///
    /// # Errors
    /// [`RunError::RunnerLacks`]: something is not there, or does not work.
    pub fn bench(&'static self) -> Result<Bench, RunError> {
        let lacks =
            |tool: &str| RunError::RunnerLacks { runner: self.name, tool: tool.to_string(), packages: self.packages };
        let compiler = Compiler::named(self.compiler).map_err(|_| lacks(self.compiler))?;
        let folder = tempfile::Builder::new()
            .prefix("evariste-runner-")
            .tempdir()
            .map_err(|error| RunError::io(format!("make a folder in {}", std::env::temp_dir().display()), error))?;
        let bench = Bench { runner: self, compiler, folder };
        bench.make_host()?;
        // A compiler may be there without its library.
        bench.write("empty.c", "#include <stdio.h>\nint main(void) {\n  printf(\"ready\\n\");\n  return 0;\n}\n")?;
        let path = bench.folder.path().join("empty.c");
        let program = bench.compile(&[], &[path.into()], "empty").map_err(|_| lacks("its C library"))?;
        let ran = bench.run(&program, false).map_err(|_| lacks(self.run_by()))?;
        if ran.status.success() && ran.output == "ready\n" { Ok(bench) } else { Err(lacks(self.run_by())) }
    }
}

impl Bench {
    /// Compiles and runs a program with these flags and sources (absolute paths). Warnings are errors.
    ///
    /// # Errors
    /// [`RunError::CompileFailed`]; a program that runs for longer than five minutes.
    pub fn test(&self, flags: &[&str], sources: &[OsString]) -> Result<Ran, RunError> {
        let program = self.compile(&[flags, &["-Wall", "-Wextra", "-Werror"]].concat(), sources, "run_test")?;
        self.run(&program, false)
    }

    /// What each of these calls takes. The sources (absolute paths) have the functions, and `opening` declares them.
    ///
    /// # Errors
    /// [`RunError::CompileFailed`], [`RunError::WrongThere`]: an answer is not the expected one.
    pub fn count(
        &self,
        flags: &[&str],
        sources: &[OsString],
        opening: &str,
        calls: &[Call],
    ) -> Result<Vec<u64>, RunError> {
        let mark = match self.runner.by {
            By::Qemu(..) => include_str!("mark_qemu.h"),
            By::Simavr => include_str!("mark_simavr.h"),
            By::Mgba => include_str!("mark_mgba.h"),
        };
        let main = self.write("calls.c", &program(opening, mark, calls))?;
        let all: Vec<OsString> = [main.into()].into_iter().chain(sources.iter().cloned()).collect();
        let program = self.compile(&[flags, &["-w"]].concat(), &all, "calls")?;
        let ran = self.run(&program, true)?;
        let wrong = |symbol: &str, why: String| RunError::WrongThere {
            symbol: symbol.to_string(),
            runner: self.runner.name,
            why,
        };
        let marks: Vec<u64> = ran.errors.lines().filter_map(|line| line.strip_prefix("mark ")?.parse().ok()).collect();
        let done = marks.len() / 3;
        let symbol = |i: usize| calls.get(i).map_or("", |call| call.symbol.as_str());
        match ran.status.code() {
            Some(0) if marks.len() == 3 * calls.len() => Ok(marks.chunks_exact(3).map(between).collect()),
            Some(i @ 1..=100) => {
                let i = if i < 100 { i as usize - 1 } else { done.saturating_sub(1) };
                Err(wrong(symbol(i), "its answer is not the known one".into()))
            }
            _ => {
                let said = ran.errors.lines().find(|line| !line.starts_with("mark ")).unwrap_or("it did not return");
                Err(wrong(symbol(done), format!("{said} ({})", ran.status)))
            }
        }
    }

    /// Makes what runs programs, where it is not there as it is.
    fn make_host(&self) -> Result<(), RunError> {
        let (text, flags): (&str, &[&str]) = match self.runner.by {
            By::Qemu(..) => (include_str!("count.c"), &["-shared", "-fPIC"]),
            By::Simavr => (include_str!("simavr.c"), &["-lsimavr", "-lelf"]),
            By::Mgba => (include_str!("mgba.c"), &["-lmgba"]),
        };
        self.write("host.c", text)?;
        let native = Compiler::find()?;
        let arguments = [&["-O2", "-o", "host", "host.c"], flags].concat();
        match native.run(&arguments, self.folder.path()) {
            Ok(_) => Ok(()),
            Err(_) => Err(RunError::RunnerLacks {
                runner: self.runner.name,
                tool: format!("the library of {}", self.runner.run_by()),
                packages: self.runner.packages,
            }),
        }
    }

    /// Writes a file of its own folder.
    fn write(&self, name: &str, text: &str) -> Result<PathBuf, RunError> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).map_err(|error| RunError::io(format!("write {}", path.display()), error))?;
        Ok(path)
    }

    /// Compiles a program for the processor.
    fn compile(&self, flags: &[&str], sources: &[OsString], name: &str) -> Result<PathBuf, RunError> {
        let (start, last) = match self.runner.by {
            By::Qemu(..) => (None, HOSTED),
            By::Simavr => (Some(("start_simavr.c", include_str!("start_simavr.c"))), AVR),
            By::Mgba => (Some(("start_mgba.c", include_str!("start_mgba.c"))), BARE),
        };
        let mut arguments: Vec<OsString> =
            ["-O2"].iter().chain(self.runner.flags).chain(flags).map(OsString::from).collect();
        arguments.extend(["-o".into(), name.into()]);
        if let Some((file, text)) = start {
            arguments.push(self.write(file, text)?.into());
        }
        arguments.extend(sources.iter().cloned());
        arguments.extend(last.iter().map(OsString::from));
        self.compiler.run(&arguments, self.folder.path())?;
        Ok(self.folder.path().join(name))
    }

    /// Runs a program, counting or not.
    fn run(&self, program: &Path, counting: bool) -> Result<Ran, RunError> {
        let host = self.folder.path().join("host");
        let mut command = match self.runner.by {
            By::Qemu(emulator, arguments) => {
                let mut command = Command::new(emulator);
                command.args(arguments);
                if counting {
                    command.arg("-plugin").arg(host);
                }
                command
            }
            By::Simavr | By::Mgba => Command::new(host),
        };
        command.arg(program).stdin(Stdio::null());
        self.finish(&mut command)
    }

    /// Runs a command to its end, or to the limit.
    fn finish(&self, command: &mut Command) -> Result<Ran, RunError> {
        let io = |error| RunError::io(format!("run {}", self.runner.run_by()), error);
        let path = |name: &str| self.folder.path().join(name);
        let file = |name: &str| std::fs::File::create(path(name)).map_err(io);
        let mut child = command.stdout(file("output")?).stderr(file("errors")?).spawn().map_err(io)?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait().map_err(io)? {
                Some(status) => break status,
                None if start.elapsed() > LIMIT => {
                    let _ = child.kill();
                    break child.wait().map_err(io)?;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let text = |name: &str| std::fs::read(path(name)).map(|b| String::from_utf8_lossy(&b).into_owned()).map_err(io);
        Ok(Ran { status, output: text("output")?, errors: text("errors")? })
    }
}

/// What lies between the last two of three marks, less what a mark takes. A simulator's clock may begin again at 2^32.
fn between(marks: &[u64]) -> u64 {
    let difference = |from: u64, to: u64| if to >= from { to - from } else { to + (1 << 32) - from };
    difference(marks[1], marks[2]).saturating_sub(difference(marks[0], marks[1]))
}
