//! The border to Python: computations run without the interpreter's lock, panics and errors become exceptions with our
//! text, and Ctrl-C is looked at between blocks.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use evariste::Error;
use evariste::array::ArrayError;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// An error of the library as the exception that Python's users expect of it.
pub fn exception(error: &Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Array(error) => array_exception(error),
        Error::Io { source, .. } if source.kind() == std::io::ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
        Error::MixedFields { .. } => PyTypeError::new_err(text),
        error if error.is_usage() => PyValueError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    }
}

/// An error of arrays as an exception.
pub fn array_exception(error: &ArrayError) -> PyErr {
    let text = error.to_string();
    match error {
        ArrayError::Foreign { .. } => PyTypeError::new_err(text),
        ArrayError::Kernel { .. } | ArrayError::Threads { .. } => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Runs a computation without the interpreter's lock. A panic in it is an error of ours, and stays on this side.
pub fn free<T: Send>(py: Python, job: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    match py.detach(|| catch_unwind(AssertUnwindSafe(job))) {
        Ok(result) => result.map_err(|error| exception(&error)),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            Err(PyRuntimeError::new_err(format!("an error inside evariste: {said}\nhelp: please report it")))
        }
    }
}

/// Runs a computation block by block of so many items; between blocks signals are looked at.
pub fn in_blocks(
    py: Python,
    len: usize,
    block: usize,
    mut job: impl FnMut(Range<usize>) -> Result<(), ArrayError> + Send,
) -> PyResult<()> {
    for start in (0..len).step_by(block.max(1)) {
        let range = start..(start + block.max(1)).min(len);
        let more = range.end < len;
        free(py, || Ok(job(range)?))?;
        if more {
            py.check_signals()?;
        }
    }
    Ok(())
}

/// How long a block takes that is not made longer.
const ENOUGH: Duration = Duration::from_millis(40);

/// Runs a computation of items that may take long each: in blocks of a multiple of `least`, which grow until they take
/// some time.
pub fn in_growing_blocks(
    py: Python,
    len: usize,
    least: usize,
    mut job: impl FnMut(Range<usize>) -> Result<(), ArrayError> + Send,
) -> PyResult<()> {
    let (mut start, mut block) = (0, least.max(1));
    while start < len {
        let (range, begin) = (start..start.saturating_add(block).min(len), Instant::now());
        start = range.end;
        free(py, || Ok(job(range)?))?;
        if start < len {
            py.check_signals()?;
        }
        if begin.elapsed() < ENOUGH {
            block = block.saturating_mul(2);
        }
    }
    Ok(())
}
