//! Calls of C functions whose arguments are all pointers, one loop per arity.

use crate::error::RunError;

/// A function `void f(P *, …)` with its arity forgotten.
pub(crate) type RawFunction = unsafe extern "C" fn();

/// Calls a function `passes` times on each row of a table of arguments.
///
/// # Safety
/// The function must take as many pointers as the loop's arity, and the table must be a whole number of rows of pointers, each valid
/// for what the function reads and writes through it.
pub(crate) type CallLoop = unsafe fn(RawFunction, &[*mut u8], usize);

/// The most arguments a function may have.
pub(crate) const MOST_ARGUMENTS: usize = 8;

macro_rules! pointer {
    ($index:literal) => {
        *mut u8
    };
}

macro_rules! call_loop {
    ($name:ident, $arity:literal, $($index:literal)+) => {
        unsafe fn $name(function: RawFunction, table: &[*mut u8], passes: usize) {
            // SAFETY: both are pointers to C functions; the caller promises that this one takes `$arity` pointers.
            let function: unsafe extern "C" fn($(pointer!($index)),+) = unsafe { std::mem::transmute(function) };
            for _ in 0..passes {
                for row in table.as_chunks::<$arity>().0 {
                    // SAFETY: the caller promises that each pointer of the table is valid for what the function does with it.
                    unsafe { function($(row[$index]),+) };
                }
            }
        }
    };
}

call_loop!(call_1, 1, 0);
call_loop!(call_2, 2, 0 1);
call_loop!(call_3, 3, 0 1 2);
call_loop!(call_4, 4, 0 1 2 3);
call_loop!(call_5, 5, 0 1 2 3 4);
call_loop!(call_6, 6, 0 1 2 3 4 5);
call_loop!(call_7, 7, 0 1 2 3 4 5 6);
call_loop!(call_8, 8, 0 1 2 3 4 5 6 7);

/// The loop for a function of `arity` arguments; an error names `symbol`.
pub(crate) fn call_loop(symbol: &str, arity: usize) -> Result<CallLoop, RunError> {
    const LOOPS: [CallLoop; MOST_ARGUMENTS] = [call_1, call_2, call_3, call_4, call_5, call_6, call_7, call_8];
    arity
        .checked_sub(1)
        .and_then(|index| LOOPS.get(index).copied())
        .ok_or_else(|| RunError::Arity { symbol: symbol.to_string(), given: arity, most: MOST_ARGUMENTS })
}
