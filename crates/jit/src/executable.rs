//! Code in executable memory. Never writable and executable at once.

use std::sync::Arc;

use evariste_codegen::isa::FeatureSet;
use memmap2::{Mmap, MmapMut};

use crate::code::{Code, Encode, constant_time};
use crate::error::JitError;

/// A function whose parameters are forgotten. It must be called as what it is: with as many pointers as its program has
/// parameters.
pub type RawFunction = unsafe extern "C" fn();

/// Can machine code of these instructions be called from this process at all?
pub fn is_native<I: Encode>() -> bool {
    (I::PROCESSOR.native)()
}

/// What this machine offers; `None` where programs of these instructions cannot be called.
pub fn features<I: Encode>() -> Option<I::Features> {
    if is_native::<I>() { I::Features::of_this_machine() } else { None }
}

/// What machine code made here may use, where this process may run any.
///
/// # Errors
/// [`JitError::AnotherProcessor`]; [`JitError::NoExecutableMemory`] when the system refuses.
pub fn available<I: Encode>() -> Result<I::Features, JitError> {
    let features = features::<I>().ok_or(JitError::AnotherProcessor(I::NAME))?;
    MmapMut::map_anon(1).and_then(MmapMut::make_exec).map_err(JitError::NoExecutableMemory)?;
    Ok(features)
}

/// Bytes that can be executed and no longer be written. The memory is given back when the last clone is gone.
#[derive(Clone, Debug)]
pub struct Executable {
    map: Arc<Mmap>,
    entry: usize,
    code_len: usize,
}

impl Executable {
    /// Copies the code into fresh pages and makes them executable, if every instruction is one whose time does not
    /// depend on data ([`constant_time`]).
    ///
    /// # Errors
    /// [`JitError::NotConstantTime`]; [`JitError::AnotherProcessor`]; [`JitError::NoExecutableMemory`] when the system
    /// refuses (hardened kernels, sandboxes).
    ///
    /// # Safety
    /// The code must be what `encode` wrote of a program that keeps to its arrays, constants and stack: what the checker
    /// shows. Whoever calls it gives it these arrays.
    ///
    /// ```compile_fail,E0133
    /// fn anybody_s(code: &evariste_jit::Code) {
    ///     let _ = evariste_jit::Executable::new(code);
    /// }
    /// ```
    pub unsafe fn new(code: &Code) -> Result<Executable, JitError> {
        if !(code.processor.native)() {
            return Err(JitError::AnotherProcessor(code.processor.name));
        }
        constant_time(code)?;
        let mut pages = MmapMut::map_anon(code.bytes.len().max(1)).map_err(JitError::NoExecutableMemory)?;
        pages[..code.bytes.len()].copy_from_slice(&code.bytes);
        let map = pages.make_exec().map_err(JitError::NoExecutableMemory)?;
        Ok(Executable { map: Arc::new(map), entry: code.entry.min(code.code_len), code_len: code.code_len })
    }

    /// Bytes of instructions.
    pub fn code_len(&self) -> usize {
        self.code_len
    }

    /// The entry as a function. Valid as long as a clone of this value lives.
    pub fn raw(&self) -> RawFunction {
        let entry = self.map[self.entry..].as_ptr();
        // SAFETY: function pointers and data pointers have one size on processors that are [native](is_native), and the pointer is not null. Making the
        // value is harmless; calling it is `unsafe` and has its reason there.
        unsafe { std::mem::transmute::<*const u8, RawFunction>(entry) }
    }
}
