//! Stack for machine code, which has no probes of its own: it may go below a thread's guard page in one step, to memory
//! that is somebody else's. What it may need is touched before, page after page, so that a thread that has less stops at
//! the guard page, as in any function of Rust.

use std::hint::black_box;
use std::mem::MaybeUninit;

/// Bytes between two places that are touched: less than a page, the least that lies below a stack as its guard.
const STEP: usize = 2048;

/// Makes sure that so many bytes below are the thread's.
#[inline]
pub(crate) fn reserve(bytes: u32) {
    if !is_there(bytes) {
        touch(bytes as usize);
    }
}

/// Is there that much below any function's frame, or the guard page?
#[inline]
pub(crate) fn is_there(bytes: u32) -> bool {
    bytes as usize <= STEP
}

/// Each frame is as long as a step, and the address that its call leaves on the stack touches it.
#[inline(never)]
fn touch(bytes: usize) {
    let mut frame = MaybeUninit::<[u8; STEP]>::uninit();
    black_box(frame.as_mut_ptr());
    if bytes > STEP {
        touch(bytes - STEP);
    }
    // The frame is used after the call, so that none takes the place of another.
    black_box(frame.as_mut_ptr());
}
