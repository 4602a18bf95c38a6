//! What can go wrong between a C text and its measurement: what was given, what is wrong, what would work.

use std::path::PathBuf;

/// An error of this room. Each message is complete by itself and can be shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No C compiler was found.
    #[error(
        "no C compiler: looked for {} in PATH, with CC unset\n\
         help: install one (Debian: apt-get install gcc; Fedora: dnf install gcc; macOS: xcode-select --install), \
         or set CC to the path of one", looked_for.join(", ")
    )]
    NoCompiler {
        /// The names that were looked for, in order.
        looked_for: Vec<String>,
    },
    /// The system has no OpenCL, or no device for it.
    #[error(
        "no OpenCL device: {why}\n\
         help: install a driver (Debian: apt-get install ocl-icd-libopencl1 pocl-opencl-icd for the processor; a GPU's comes with its own)"
    )]
    NoOpenCl {
        /// What was missing.
        why: String,
    },
    /// An OpenCL driver refused something.
    #[error("cannot {doing}: OpenCL says {status}{}{said}", if said.is_empty() { "" } else { ": " })]
    OpenCl {
        /// What was being done.
        doing: String,
        /// The driver's code.
        status: i32,
        /// What its compiler said, or what is wrong with a call.
        said: String,
    },
    /// The variable `CC` is set, to something that does not run.
    #[error(
        "CC is set to `{value}`, which does not work: {reason}\nhelp: set CC to a C compiler such as gcc or clang, or unset it"
    )]
    UnusableCc {
        /// The value of `CC`.
        value: String,
        /// What happened when it was tried.
        reason: String,
    },
    /// A look-up in variable time whose index only the contract bounds.
    #[error(
        "`{kernel}` looks up a table in variable time at an index that only its contract bounds, so another input would read outside the table\nhelp: let the kernel take the index's low bits, or look up in constant time"
    )]
    UnboundedLookUp {
        /// The kernel's name.
        kernel: String,
    },
    /// A kernel has no C.
    #[error(transparent)]
    Emit(#[from] evariste_emit::EmitError),
    /// The compiler refused the source text.
    #[error("{compiler} refused the program (command: {command})\n{message}")]
    CompileFailed {
        /// The compiler's version line.
        compiler: String,
        /// The command line that was run.
        command: String,
        /// What the compiler wrote, at most its first 60 lines.
        message: String,
    },
    /// A file or a process could not be handled.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was being done, with the path.
        doing: String,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A compiled library could not be loaded into this process.
    #[error("cannot load {}: {message}\nhelp: the folder must allow execution; set TMPDIR to one that does", path.display())]
    Load {
        /// The shared object.
        path: PathBuf,
        /// The loader's message.
        message: String,
    },
    /// A library has no such symbol.
    #[error("the library has no function `{symbol}`")]
    SymbolMissing {
        /// The symbol that was asked for.
        symbol: String,
    },
    /// A function was declared with too few or too many arguments.
    #[error("`{symbol}` is declared with {given} arguments; 1 to {most} can be called")]
    Arity {
        /// The function.
        symbol: String,
        /// The number of arguments declared.
        given: usize,
        /// The most that can be called.
        most: usize,
    },
    /// A call gave another number of buffers than the function has arguments.
    #[error("`{symbol}` takes {expected} arguments; {given} were given")]
    ArgumentCount {
        /// The function.
        symbol: String,
        /// The number of arguments it takes.
        expected: usize,
        /// The number given.
        given: usize,
    },
    /// A workload gave another number of operands than the function reads, or no set of operands at all.
    #[error("`{symbol}` reads {expected} operands, {given} were given to time it on")]
    OperandCount {
        /// The function.
        symbol: String,
        /// The number of arguments it reads.
        expected: usize,
        /// The number of operands given; 0 where there is no set of them.
        given: usize,
    },
    /// A call gave a buffer of the wrong length, or none at all.
    #[error("`{symbol}`: argument {argument} needs a buffer of {expected} bytes, {given} were given")]
    BufferLength {
        /// The function.
        symbol: String,
        /// Index of the argument, from 0.
        argument: usize,
        /// The bytes declared.
        expected: usize,
        /// The bytes given; 0 where there is no such buffer.
        given: usize,
    },
    /// The process in which a function was timed ended early.
    #[error("`{symbol}` cannot be timed: its process ended early ({why})")]
    NotTimed {
        /// The function.
        symbol: String,
        /// How it ended.
        why: String,
    },
    /// There is no runner of that name.
    #[error("there is no runner `{given}`\nhelp: there are {known}")]
    NoRunner {
        /// The name.
        given: String,
        /// The names that there are.
        known: String,
    },
    /// A runner cannot run here.
    #[error(
        "the runner `{runner}` cannot run: {tool} is not here, or does not work\nhelp: install it (Debian: apt-get install {packages})"
    )]
    RunnerLacks {
        /// The runner.
        runner: &'static str,
        /// What it lacks.
        tool: String,
        /// Debian's packages of all that it needs.
        packages: &'static str,
    },
    /// A function does not compute the known answer on another processor.
    #[error("`{symbol}` does not hold on `{runner}`: {why}")]
    WrongThere {
        /// The function.
        symbol: String,
        /// The runner.
        runner: &'static str,
        /// What happened.
        why: String,
    },
    /// Somebody asked to stop ([`Stop`](crate::Stop)) before there was a result.
    #[error("stopped")]
    Stopped,
}

impl RunError {
    /// Wraps a system error with what was being done.
    pub(crate) fn io(doing: impl Into<String>, source: std::io::Error) -> Self {
        RunError::Io { doing: doing.into(), source }
    }
}
