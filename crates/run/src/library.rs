//! Compiled code loaded into this process, and functions of it that can be called on buffers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use evariste_emit::Role;

use crate::buffer::Buffer;
use crate::elf::code_size;
use crate::error::RunError;
use crate::raw_call::{CallLoop, RawFunction, call_loop};

/// One pointer argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// Bytes behind the pointer that the function may touch.
    pub bytes: usize,
    /// What it does with them.
    pub role: Role,
}

impl From<&evariste_emit::Parameter> for Argument {
    fn from(parameter: &evariste_emit::Parameter) -> Argument {
        Argument { bytes: parameter.bytes(), role: parameter.role }
    }
}

impl Argument {
    /// An argument of `bytes` bytes that is written only.
    pub fn output(bytes: usize) -> Self {
        Argument { bytes, role: Role::Output }
    }

    /// An argument of `bytes` bytes that is read only.
    pub fn input(bytes: usize) -> Self {
        Argument { bytes, role: Role::Input }
    }

    /// An argument of `bytes` bytes that is read and written.
    pub fn in_out(bytes: usize) -> Self {
        Argument { bytes, role: Role::InOut }
    }
}

/// The loaded object, what its file held, and the folder it lies in; dropped in this order, when the last function of
/// it is gone.
#[derive(Debug)]
struct Loaded {
    library: libloading::Library,
    file: Vec<u8>,
    _folder: Option<tempfile::TempDir>,
}

/// A shared object loaded into this process. It stays loaded as long as a function of it exists.
#[derive(Clone, Debug)]
pub struct Library {
    loaded: Arc<Loaded>,
}

impl Library {
    /// Loads the shared object at `path`.
    ///
    /// # Errors
    /// [`RunError::Load`].
    ///
    /// # Safety
    /// The object's constructors run now, its destructors when the last function of it is gone: it must have none, or
    /// such as may run in this process at any time.
    ///
    /// ```compile_fail,E0133
    /// let _ = evariste_run::Library::open(std::path::Path::new("anybody.so"));
    /// ```
    pub unsafe fn open(path: &Path) -> Result<Self, RunError> {
        // SAFETY: the caller's promise.
        unsafe { Self::open_in(path.to_path_buf(), None) }
    }

    /// Loads an object and takes over the folder it lies in: it goes at once where the system keeps what is loaded
    /// (so that nothing is left behind, however this process ends), else with the library.
    ///
    /// # Safety
    /// As [`Library::open`].
    pub(crate) unsafe fn open_in(path: PathBuf, folder: Option<tempfile::TempDir>) -> Result<Self, RunError> {
        // SAFETY: the caller's promise.
        let library = unsafe { libloading::Library::new(&path) }
            .map_err(|error| RunError::Load { path: path.clone(), message: error.to_string() })?;
        let file = std::fs::read(&path).unwrap_or_default();
        Ok(Library { loaded: Arc::new(Loaded { library, file, _folder: folder.filter(|_| !cfg!(unix)) }) })
    }

    /// Bytes of machine code of one function, where the object's format tells (ELF).
    pub fn code_size(&self, symbol: &str) -> Option<u64> {
        code_size(&self.loaded.file, symbol, None)
    }

    /// The function `symbol` with these 1 to 8 arguments.
    ///
    /// # Errors
    /// [`RunError::SymbolMissing`]; [`RunError::Arity`].
    ///
    /// # Safety
    /// The symbol must be a function `void symbol(P *, …)` with one pointer for each argument. Whatever the arrays hold,
    /// and where two of them are the same one, it must read and write nothing but as many bytes behind each pointer as
    /// its argument states (write none where the argument is an input) and memory of its own, and return.
    ///
    /// ```compile_fail,E0133
    /// # use evariste_run::{Argument, Library};
    /// fn any(library: &Library) {
    ///     let _ = library.function("exit", &[Argument::input(8)]);
    /// }
    /// ```
    pub unsafe fn function(&self, symbol: &str, arguments: &[Argument]) -> Result<NativeFunction, RunError> {
        let call_loop = call_loop(symbol, arguments.len())?;
        // SAFETY: the symbol is a function by the caller's promise, used by loops of its declared arity alone, and
        // `NativeFunction` keeps the library.
        let function = unsafe { self.loaded.library.get::<RawFunction>(symbol) }
            .map(|found| *found)
            .map_err(|_| RunError::SymbolMissing { symbol: symbol.to_string() })?;
        Ok(NativeFunction {
            symbol: symbol.to_string(),
            arguments: arguments.to_vec(),
            entry: Entry::Address(function, call_loop),
            home: Home::Library(self.clone(), None),
        })
    }
}

/// What a function is in Rust: it gets a copy of each argument, and what it leaves in those that it writes is copied
/// back.
pub type Closure = Arc<dyn Fn(&mut [Buffer]) + Send + Sync>;

/// How a function is called.
#[derive(Clone)]
pub(crate) enum Entry {
    /// At an address, by a loop of its arity.
    Address(RawFunction, CallLoop),
    /// As a closure.
    Closure(Closure),
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Entry::Address(..)) { "Address" } else { "Closure" })
    }
}

/// Where a function's code is, for as long as the function lives.
#[derive(Clone, Debug)]
enum Home {
    /// This program.
    Here,
    /// A shared object that a compiler wrote, and how names of the functions in it begin that belong to this one alone;
    /// `None`: all that are not exported do.
    Library(Library, Option<String>),
    /// Pages of this process.
    Pages(evariste_jit::Function),
}

/// A function `void f(P *, …)`, compiled or assembled, with the lengths of the arrays behind its pointers.
#[derive(Clone, Debug)]
pub struct NativeFunction {
    symbol: String,
    arguments: Vec<Argument>,
    pub(crate) entry: Entry,
    home: Home,
}

impl NativeFunction {
    /// The function's name in its library.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// The arguments, in order.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// A function of machine code made in this process.
    ///
    /// # Errors
    /// [`RunError::Arity`].
    pub fn from_machine_code(function: evariste_jit::Function) -> Result<Self, RunError> {
        let call_loop = call_loop(function.name(), function.params().len())?;
        let arguments = function.params().iter().map(Argument::from).collect();
        Ok(NativeFunction {
            symbol: function.name().to_string(),
            arguments,
            entry: Entry::Address(function.raw(), call_loop),
            home: Home::Pages(function),
        })
    }

    /// A function in Rust, with at least one argument: what code of no processor is measured by.
    ///
    /// # Errors
    /// [`RunError::Arity`].
    pub fn from_closure(symbol: &str, arguments: &[Argument], closure: Closure) -> Result<Self, RunError> {
        call_loop(symbol, arguments.len())?;
        Ok(NativeFunction {
            symbol: symbol.to_string(),
            arguments: arguments.to_vec(),
            entry: Entry::Closure(closure),
            home: Home::Here,
        })
    }

    /// Calls the function `passes` times on each row of a table of pointers.
    ///
    /// # Safety
    /// Whole rows of as many pointers as arguments, each to at least the bytes that its argument states, used by nobody
    /// else meanwhile; the [stack](NativeFunction::reserve_stack) is there.
    pub(crate) unsafe fn call_rows(&self, table: &[*mut u8], passes: usize) {
        match &self.entry {
            // SAFETY: the caller's promise; the loop was chosen for as many pointers.
            Entry::Address(function, call_loop) => unsafe { call_loop(*function, table, passes) },
            Entry::Closure(closure) => {
                for row in (0..passes).flat_map(|_| table.chunks_exact(self.arguments.len())) {
                    // SAFETY: the caller promises so many bytes behind each pointer.
                    let bytes = |i: usize| unsafe { std::slice::from_raw_parts(row[i], self.arguments[i].bytes) };
                    let mut buffers: Vec<Buffer> = (0..row.len()).map(|i| Buffer::from_bytes(bytes(i))).collect();
                    closure(&mut buffers);
                    for ((pointer, argument), buffer) in row.iter().zip(&self.arguments).zip(&buffers) {
                        let count = buffer.len().min(argument.bytes);
                        if argument.role != Role::Input {
                            // SAFETY: as many bytes as the caller promises; a buffer is memory of its own.
                            unsafe { std::ptr::copy_nonoverlapping(buffer.bytes().as_ptr(), *pointer, count) };
                        }
                    }
                }
            }
        }
    }

    /// Where its code begins; `None` of a closure. Valid while the function lives.
    pub fn address(&self) -> Option<*const ()> {
        match &self.entry {
            Entry::Address(function, _) => Some(*function as *const ()),
            Entry::Closure(_) => None,
        }
    }

    /// The machine code of our own that it is, if it is that.
    pub fn machine_code(&self) -> Option<&evariste_jit::Function> {
        match &self.home {
            Home::Library(..) | Home::Here => None,
            Home::Pages(function) => Some(function),
        }
    }

    /// Sees to the stack that machine code of our own needs.
    #[inline]
    pub(crate) fn reserve_stack(&self) {
        if let Home::Pages(function) = &self.home {
            function.reserve_stack();
        }
    }

    /// The function, to which functions of its library belong whose names begin so.
    pub(crate) fn with_own(mut self, beginning: Option<String>) -> NativeFunction {
        if let Home::Library(_, own) = &mut self.home {
            *own = beginning;
        }
        self
    }

    /// Bytes of machine code of the function, where they are known (compiled functions: where the object's format
    /// tells).
    pub fn code_size(&self) -> Option<u64> {
        match &self.home {
            Home::Library(library, own) => code_size(&library.loaded.file, &self.symbol, own.as_deref()),
            Home::Here => None,
            Home::Pages(function) => Some(function.code_len() as u64),
        }
    }

    /// Calls the function once, one buffer an argument, each exactly as long as declared.
    ///
    /// # Errors
    /// [`RunError::ArgumentCount`]: not one buffer an argument. [`RunError::BufferLength`]: one has another length.
    pub fn call(&self, buffers: &mut [Buffer]) -> Result<(), RunError> {
        if buffers.len() != self.arguments.len() {
            return Err(self.wrong_count(buffers.len()));
        }
        for (index, (argument, buffer)) in self.arguments.iter().zip(buffers.iter()).enumerate() {
            if buffer.len() != argument.bytes {
                return Err(self.wrong_length(index, buffer.len()));
            }
        }
        let places: Vec<usize> = (0..buffers.len()).collect();
        self.call_at(buffers, &places)
    }

    /// Calls the function once with argument `i` in buffer `places[i]`: the same place twice aliases two arguments
    /// exactly. Each buffer must be at least as long as declared.
    ///
    /// # Errors
    /// [`RunError::ArgumentCount`]: not one place an argument. [`RunError::BufferLength`]: a buffer is too short, or there
    /// is none at a place.
    pub fn call_at(&self, buffers: &mut [Buffer], places: &[usize]) -> Result<(), RunError> {
        if places.len() != self.arguments.len() {
            return Err(self.wrong_count(places.len()));
        }
        let lengths: Vec<usize> = buffers.iter().map(Buffer::len).collect();
        for (index, (argument, &place)) in self.arguments.iter().zip(places).enumerate() {
            let given = lengths.get(place).copied().unwrap_or(0);
            if given < argument.bytes || place >= lengths.len() {
                return Err(self.wrong_length(index, given));
            }
        }
        let pointers: Vec<*mut u8> = buffers.iter_mut().map(Buffer::pointer).collect();
        let row: Vec<*mut u8> = places.iter().map(|&place| pointers[place]).collect();
        self.reserve_stack();
        // SAFETY: one row of as many pointers as the loop's arity, each to at least the bytes that the function was
        // declared to touch, exclusively borrowed here. That it touches no others is the promise of whoever loaded it
        // from a library, and shown by the checker of what is machine code of our own.
        unsafe { self.call_rows(&row, 1) };
        Ok(())
    }

    fn wrong_count(&self, given: usize) -> RunError {
        RunError::ArgumentCount { symbol: self.symbol.clone(), expected: self.arguments.len(), given }
    }

    pub(crate) fn wrong_length(&self, argument: usize, given: usize) -> RunError {
        RunError::BufferLength {
            symbol: self.symbol.clone(),
            argument,
            expected: self.arguments[argument].bytes,
            given,
        }
    }
}
