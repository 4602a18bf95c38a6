//! Calls of C functions whose arguments are all pointers, one loop per arity.

use crate::error::RunError;

/// A function `void f(P *, …)` with its arity forgotten.
pub(crate) type RawFunction = unsafe extern "C" fn();

/// Calls a function `passes` times on each row of a table of arguments.
///
/// # Safety
/// The function must take as many pointers as the loop's arity, and the table must be a whole number of rows of
/// pointers, each valid for what the function reads and writes through it.
pub(crate) type CallLoop = unsafe fn(RawFunction, &[*mut u8], usize);

/// The most arguments a function may have.
pub(crate) const MOST_ARGUMENTS: usize = 16;

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
                    // SAFETY: the caller promises that each pointer of the table is valid for what the function does
                    // with it.
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
call_loop!(call_9, 9, 0 1 2 3 4 5 6 7 8);
call_loop!(call_10, 10, 0 1 2 3 4 5 6 7 8 9);
call_loop!(call_11, 11, 0 1 2 3 4 5 6 7 8 9 10);
call_loop!(call_12, 12, 0 1 2 3 4 5 6 7 8 9 10 11);
call_loop!(call_13, 13, 0 1 2 3 4 5 6 7 8 9 10 11 12);
call_loop!(call_14, 14, 0 1 2 3 4 5 6 7 8 9 10 11 12 13);
call_loop!(call_15, 15, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
call_loop!(call_16, 16, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// The loop for a function of `arity` arguments; an error names `symbol`.
pub(crate) fn call_loop(symbol: &str, arity: usize) -> Result<CallLoop, RunError> {
    const LOOPS: [CallLoop; MOST_ARGUMENTS] = [
        call_1, call_2, call_3, call_4, call_5, call_6, call_7, call_8, call_9, call_10, call_11, call_12, call_13,
        call_14, call_15, call_16,
    ];
    arity.checked_sub(1).and_then(|index| LOOPS.get(index).copied()).ok_or_else(|| RunError::Arity {
        symbol: symbol.to_string(),
        given: arity,
        most: MOST_ARGUMENTS,
    })
}

/// Calls a function `passes` times on each of `ROWS` rows of arrays that lie one behind the other from `base` on, each
/// in a slot of `SLOT` bytes: addresses are steps by constants, which the processor has long before it needs them.
/// (Pointers that are read from a table cost up to four cycles a call.)
///
/// # Safety
/// As [`CallLoop`], with the slots as the arrays.
pub(crate) type StepLoop = unsafe fn(RawFunction, *mut u8, usize);

macro_rules! step_loop {
    ($name:ident, $arity:literal, $($index:literal)+) => {
        unsafe fn $name<const SLOT: usize, const ROWS: usize>(function: RawFunction, base: *mut u8, passes: usize) {
            // SAFETY: both are pointers to C functions; the caller promises that this one takes `$arity` pointers.
            let function: unsafe extern "C" fn($(pointer!($index)),+) = unsafe { std::mem::transmute(function) };
            for _ in 0..passes {
                for row in 0..ROWS {
                    // SAFETY: the caller promises the slots, and that each may be used as the function does.
                    unsafe { function($(base.add((row * $arity + $index) * SLOT)),+) };
                }
            }
        }
    };
}

step_loop!(step_1, 1, 0);
step_loop!(step_2, 2, 0 1);
step_loop!(step_3, 3, 0 1 2);
step_loop!(step_4, 4, 0 1 2 3);

/// The loop for a function of `arity` arguments in slots of `slot` bytes, `rows` rows of them; `None` for others than 1
/// to 4 arguments, 64, 128, 192 or 256 bytes, 4 or 8 rows.
pub(crate) fn step_loop(arity: usize, slot: usize, rows: usize) -> Option<StepLoop> {
    fn of_slot<const SLOT: usize>(arity: usize, rows: usize) -> Option<StepLoop> {
        let loops: [[StepLoop; 2]; 4] = [
            [step_1::<SLOT, 4>, step_1::<SLOT, 8>],
            [step_2::<SLOT, 4>, step_2::<SLOT, 8>],
            [step_3::<SLOT, 4>, step_3::<SLOT, 8>],
            [step_4::<SLOT, 4>, step_4::<SLOT, 8>],
        ];
        Some(loops.get(arity.checked_sub(1)?)?[[4, 8].iter().position(|n| *n == rows)?])
    }
    match slot {
        64 => of_slot::<64>(arity, rows),
        128 => of_slot::<128>(arity, rows),
        192 => of_slot::<192>(arity, rows),
        256 => of_slot::<256>(arity, rows),
        _ => None,
    }
}
