//! Functions of C sources that are timed in a process of their own: whatever they do, they do it there.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::buffer::Buffer;
use crate::clock::Pinned;
use crate::compiler::Compiler;
use crate::error::RunError;
use crate::leakage::fits;
use crate::library::{Argument, Role};
use crate::lock::TimingLock;

/// The program around the functions.
const PROGRAM: &str = include_str!("timed.c");

/// Most arguments of a function.
const MOST: usize = 16;

/// C sources and the program that times functions of them.
#[derive(Debug)]
pub struct TimedProgram {
    program: PathBuf,
    functions: Vec<(String, Vec<Argument>)>,
    /// Goes with this value.
    _folder: tempfile::TempDir,
}

impl TimedProgram {
    /// Compiles the sources (absolute paths) with these flags. `functions` are names of functions
    /// `void f(P *, …)` in them, and their arguments. Nothing of the sources runs yet.
    ///
    /// # Errors
    /// Sources that do not compile, functions that they do not have, more arguments than are passed.
    pub fn build(
        compiler: &Compiler,
        flags: &[&str],
        sources: Vec<OsString>,
        functions: Vec<(String, Vec<Argument>)>,
    ) -> Result<TimedProgram, RunError> {
        if let Some((symbol, arguments)) = functions.iter().find(|(_, a)| a.is_empty() || a.len() > MOST) {
            return Err(RunError::Arity { symbol: symbol.clone(), given: arguments.len(), most: MOST });
        }
        let folder = tempfile::Builder::new()
            .prefix("evariste-")
            .tempdir()
            .map_err(|error| RunError::io(format!("make a folder in {}", std::env::temp_dir().display()), error))?;
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).map_err(|error| RunError::io(format!("write {}", file.display()), error))
        };
        write("evariste_timed.c", PROGRAM)?;
        write("evariste_calls.c", &calls(&functions))?;
        let mut arguments: Vec<OsString> = flags.iter().map(Into::into).collect();
        arguments.extend(["-o", "timed", "evariste_timed.c", "evariste_calls.c"].map(OsString::from));
        arguments.extend(sources);
        compiler.run(&arguments, folder.path())?;
        Ok(TimedProgram { program: folder.path().join("timed"), functions, _folder: folder })
    }

    /// The name of the function of that number.
    pub fn symbol(&self, function: usize) -> &str {
        &self.functions[function].0
    }

    /// The arguments of the function of that number.
    pub fn arguments(&self, function: usize) -> &[Argument] {
        &self.functions[function].1
    }

    /// Ticks of a call in a process of its own, on these sets of operands (one buffer for each argument that is read) in
    /// turn: the median of `samples` samples of `calls` calls each. Takes [`TimingLock`].
    ///
    /// # Errors
    /// Operands that do not fit the arguments; the lock; a function that does not return.
    pub fn ticks(&self, function: usize, sets: &[Vec<Buffer>], calls: usize, samples: usize) -> Result<f64, RunError> {
        let (symbol, arguments) = (self.symbol(function), self.arguments(function));
        let read: Vec<usize> = (0..arguments.len()).filter(|i| arguments[*i].role != Role::Output).collect();
        if sets.is_empty() || calls == 0 || samples == 0 {
            return Err(RunError::OperandCount { symbol: symbol.to_string(), expected: read.len(), given: 0 });
        }
        sets.iter().try_for_each(|set| fits(symbol, arguments, &read, set))?;
        let pool: Vec<Vec<&[u8]>> = sets.iter().map(|set| set.iter().map(Buffer::bytes).collect()).collect();
        let _lock = TimingLock::acquire()?;
        let _pinned = Pinned::to_one_core();
        let mut sampler = self.start(function, &pool)?;
        sampler.one()?;
        let order: Vec<u64> = (0..samples as u64).map(|i| i % pool.len() as u64).collect();
        let mut times = sampler.samples(calls, &order)?;
        times.sort_unstable();
        Ok(times[times.len() / 2] as f64 / calls as f64)
    }

    /// Starts a process for one function. `pool` has sets of operands, one value for each argument that is read, as
    /// long as it says.
    pub(crate) fn start(&self, function: usize, pool: &[Vec<&[u8]>]) -> Result<Sampler, RunError> {
        let arguments = self.arguments(function);
        let mut words = vec![function as u64, arguments.len() as u64];
        for argument in arguments {
            words.extend([argument.bytes as u64, u64::from(argument.role != Role::Output)]);
        }
        words.push(pool.len() as u64);
        let child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| RunError::io(format!("run {}", self.program.display()), error))?;
        let mut sampler = Sampler { child, symbol: self.symbol(function).to_string() };
        sampler.send(&words)?;
        sampler.send_bytes(&pool.iter().flatten().flat_map(|value| value.iter().copied()).collect::<Vec<u8>>())?;
        Ok(sampler)
    }
}

/// One small function each that passes an array of pointers on as arguments, and the table of them.
fn calls(functions: &[(String, Vec<Argument>)]) -> String {
    let (mut text, mut table) = (String::new(), String::new());
    for (i, (symbol, arguments)) in functions.iter().enumerate() {
        let types = vec!["void *"; arguments.len()].join(", ");
        let pointers: Vec<String> = (0..arguments.len()).map(|k| format!("p[{k}]")).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "extern void {symbol}({types});");
        let _ = writeln!(text, "static void call_{i}(unsigned char **p) {{ {symbol}({}); }}", pointers.join(", "));
        let _ = write!(table, "call_{i}, ");
    }
    format!(
        "typedef void timed_call(unsigned char **);\nextern timed_call *const timed_calls[];\n{text}timed_call *const timed_calls[] = {{{table}}};\n"
    )
}

/// A process that times one function.
pub(crate) struct Sampler {
    child: Child,
    symbol: String,
}

impl Sampler {
    /// The ticks of the quickest of some calls on the last set.
    pub(crate) fn one(&mut self) -> Result<u64, RunError> {
        Ok(self.receive(1)?[0])
    }

    /// The ticks of each sample of so many calls, on these sets in this order; the process ends.
    pub(crate) fn samples(mut self, calls: usize, order: &[u64]) -> Result<Vec<u64>, RunError> {
        self.send(&[calls as u64, order.len() as u64])?;
        self.send(order)?;
        let times = self.receive(order.len())?;
        let status = self.child.wait().map_err(|error| self.ended(&error.to_string()))?;
        if status.success() { Ok(times) } else { Err(self.ended(&status.to_string())) }
    }

    fn send(&mut self, words: &[u64]) -> Result<(), RunError> {
        self.send_bytes(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>())
    }

    fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let sent = self.child.stdin.as_mut().map(|pipe| pipe.write_all(bytes).and_then(|()| pipe.flush()));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.lost()),
        }
    }

    fn receive(&mut self, words: usize) -> Result<Vec<u64>, RunError> {
        let mut bytes = vec![0; 8 * words];
        let received = self.child.stdout.as_mut().map(|pipe| pipe.read_exact(&mut bytes));
        match received {
            Some(Ok(())) => {
                let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
                Ok(bytes.chunks_exact(8).map(word).collect())
            }
            _ => Err(self.lost()),
        }
    }

    /// The process no longer listens or answers: how it ended.
    fn lost(&mut self) -> RunError {
        let _ = self.child.kill();
        let why = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        self.ended(&why)
    }

    fn ended(&self, why: &str) -> RunError {
        RunError::NotTimed { symbol: self.symbol.clone(), why: why.to_string() }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // Nothing is left running, however sampling ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
