//! Programs in OpenCL C on the devices that the system has: GPUs, or the processor itself. The library is loaded when it is
//! first asked for; where there is none, there are no devices.
//!
//! Only texts that [`evariste_emit`] printed from proved kernels are built, so that a thread stays inside its own element's
//! words, and the arrays of a call are as long as the kernel's parameters say: these ways in are safe.

mod api;

use std::ffi::{CString, c_void};
use std::fmt;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, OnceLock, PoisonError};

use evariste_emit::{DeviceSource, Function, Role};

use self::api::{Api, Handle, Status};
use crate::error::RunError;

/// A device.
#[derive(Clone)]
pub struct Device {
    handle: Handle,
    /// Its name, as the driver says it.
    pub name: String,
    /// The OpenCL that it has.
    pub version: String,
    longest: u64,
}

// SAFETY: a handle is a number to the driver, whose functions may be called by any thread.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.version)
    }
}

/// The library, or why there is none.
fn library() -> Result<&'static Api, RunError> {
    static LIBRARY: OnceLock<Result<Api, String>> = OnceLock::new();
    LIBRARY.get_or_init(Api::load).as_ref().map_err(|why| RunError::NoOpenCl { why: why.clone() })
}

/// The devices of all drivers, whose order of bytes is this processor's. They are looked for once: loaders look for drivers
/// when they are first called, and tell other threads meanwhile that there are none.
///
/// # Errors
/// [`RunError::NoOpenCl`]: no library, or no device.
pub fn devices() -> Result<&'static [Device], RunError> {
    static DEVICES: OnceLock<Vec<Device>> = OnceLock::new();
    let api = library()?;
    match &DEVICES.get_or_init(|| found(api))[..] {
        [] => Err(RunError::NoOpenCl { why: "no driver offers a device".into() }),
        all => Ok(all),
    }
}

fn found(api: &Api) -> Vec<Device> {
    let listed = |list: &dyn Fn(u32, *mut Handle, *mut u32) -> Status| {
        let mut count = 0;
        if list(0, null_mut(), &mut count) != 0 {
            return Vec::new();
        }
        let mut all = vec![null_mut(); count as usize];
        if count > 0 && list(count, all.as_mut_ptr(), null_mut()) != 0 { Vec::new() } else { all }
    };
    // SAFETY: the list holds as many handles as are asked for.
    let platforms = listed(&|n, all, count| unsafe { (api.platforms)(n, all, count) });
    let devices = platforms.into_iter().flat_map(|platform| {
        // SAFETY: as above, and the platform is one of the library's.
        listed(&|n, all, count| unsafe { (api.devices)(platform, api::ALL_DEVICES, n, all, count) })
    });
    devices.filter_map(|handle| Device::of(api, handle)).collect()
}

impl Device {
    /// What the driver says of it; `None` where bytes have another order.
    fn of(api: &Api, handle: Handle) -> Option<Device> {
        let said = |what: u32| {
            let mut size = 0;
            // SAFETY: the device is one of the library's, and only the size is asked for.
            let status = unsafe { (api.device_info)(handle, what, 0, null_mut(), &mut size) };
            let mut bytes = vec![0u8; size];
            // SAFETY: there is room for as many bytes.
            let read = unsafe { (api.device_info)(handle, what, size, bytes.as_mut_ptr().cast(), null_mut()) };
            (status == 0 && read == 0).then_some(bytes)
        };
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_string();
        let little = said(api::DEVICE_LITTLE)?.iter().any(|byte| *byte != 0);
        let longest = u64::from_ne_bytes(said(api::DEVICE_LONGEST)?.try_into().ok()?);
        let (name, version) = (text(said(api::DEVICE_NAME)?), text(said(api::DEVICE_VERSION)?));
        (little == cfg!(target_endian = "little")).then_some(Device { handle, name, version, longest })
    }
}

/// What a call has for a parameter.
pub enum Words<'a> {
    /// What it reads, element after element.
    Read(&'a [u64]),
    /// What it writes.
    Written(&'a mut [u64]),
}

/// A program that a device's driver has built.
pub struct Program {
    api: &'static Api,
    device: Device,
    context: Handle,
    queue: Handle,
    program: Handle,
    kernels: Vec<Handle>,
    functions: Vec<Function>,
    /// The arguments of a kernel are its own state: one call at a time.
    calling: Mutex<()>,
}

// SAFETY: the driver's functions may be called by any thread, but for those that set arguments, which the lock guards.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kernels on {:?}", self.kernels.len(), self.device)
    }
}

impl Program {
    /// Builds a program for a device.
    ///
    /// # Errors
    /// [`RunError::OpenCl`]: what the driver refused, with what its compiler said.
    pub fn build(source: &DeviceSource, device: &Device) -> Result<Program, RunError> {
        let api = library()?;
        let mut all = Program {
            api,
            device: device.clone(),
            context: null_mut(),
            queue: null_mut(),
            program: null_mut(),
            kernels: Vec::new(),
            functions: source.functions().to_vec(),
            calling: Mutex::new(()),
        };
        let mut status = 0;
        // SAFETY: one device of the library's, and no properties.
        all.context = unsafe { (api.context)(null(), 1, &device.handle, None, null_mut(), &mut status) };
        all.done("a context", status)?;
        // SAFETY: the device is one of the context's.
        all.queue = unsafe { (api.queue)(all.context, device.handle, 0, &mut status) };
        all.done("a queue", status)?;
        let (text, length) = (source.text().as_ptr().cast(), source.text().len());
        // SAFETY: one text of that length.
        all.program = unsafe { (api.program)(all.context, 1, &text, &length, &mut status) };
        all.done("a program", status)?;
        // SAFETY: the options are a text with an end, and nobody is told.
        status = unsafe { (api.build)(all.program, 1, &device.handle, c"-cl-std=CL1.2".as_ptr(), None, null_mut()) };
        if status != 0 {
            return Err(RunError::OpenCl { doing: "build a program".into(), status, said: all.log() });
        }
        for function in source.functions() {
            let name = CString::new(function.symbol.as_str()).unwrap_or_default();
            // SAFETY: the name is a text with an end.
            let kernel = unsafe { (api.kernel)(all.program, name.as_ptr(), &mut status) };
            all.done("a kernel", status)?;
            all.kernels.push(kernel);
        }
        Ok(all)
    }

    /// What the compiler said.
    fn log(&self) -> String {
        let mut size = 0;
        let mut bytes = Vec::new();
        // SAFETY: the size is asked for first, and then there is room for as many bytes.
        unsafe {
            let of = (self.program, self.device.handle, api::BUILD_LOG);
            (self.api.build_info)(of.0, of.1, of.2, 0, null_mut(), &mut size);
            bytes.resize(size, 0u8);
            (self.api.build_info)(of.0, of.1, of.2, size, bytes.as_mut_ptr().cast(), null_mut());
        }
        String::from_utf8_lossy(&bytes).trim_end_matches('\0').trim().to_string()
    }

    fn done(&self, what: &str, status: Status) -> Result<(), RunError> {
        let doing = || format!("make {what} on {}", self.device.name);
        if status == 0 { Ok(()) } else { Err(RunError::OpenCl { doing: doing(), status, said: String::new() }) }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The most elements that a call of a kernel takes, as far as its arrays go.
    pub fn most_elements(&self, kernel: usize) -> usize {
        let bytes = self.functions[kernel].parameters.iter().map(|p| p.bytes()).max().unwrap_or(1).max(1);
        usize::try_from(self.device.longest / bytes as u64).unwrap_or(usize::MAX)
    }

    /// Are the arrays those of the kernel on so many elements?
    fn fits(&self, kernel: usize, elements: usize, arrays: &[Words]) -> Result<(), RunError> {
        let wrong = |said: String| RunError::OpenCl { doing: format!("run kernel {kernel}"), status: 0, said };
        let function = self.functions.get(kernel).ok_or_else(|| wrong("there is no such kernel".into()))?;
        if function.parameters.len() != arrays.len() {
            return Err(wrong(format!("{} arrays for {} parameters", arrays.len(), function.parameters.len())));
        }
        for (parameter, array) in function.parameters.iter().zip(arrays) {
            let (words, read) = match array {
                Words::Read(words) => (words.len(), true),
                Words::Written(words) => (words.len(), false),
            };
            if 8 * words != parameter.bytes() * elements || read != (parameter.role == Role::Input) {
                return Err(wrong(format!("`{}` takes another array for {elements} elements", parameter.name)));
            }
        }
        Ok(())
    }

    /// Sets an argument of a kernel.
    ///
    /// # Safety
    /// The kernel's parameter has that type: a `ulong`, or memory, which is given by its handle.
    unsafe fn argument<T>(&self, kernel: usize, at: usize, value: &T) -> Result<(), RunError> {
        let place: *const T = value;
        let (kernel, at, place) = (self.kernels[kernel], at as u32, place.cast::<c_void>());
        // SAFETY: the caller's promise; the driver copies as many bytes.
        let status = unsafe { (self.api.argument)(kernel, at, size_of::<T>(), place) };
        self.done("an argument", status)
    }

    /// Runs a kernel on so many elements, and waits for it: copies what is read to the device, and what is written back.
    ///
    /// # Errors
    /// [`RunError::OpenCl`]: arrays that are not those of the kernel on so many elements, or what the driver says.
    pub fn run(&self, kernel: usize, elements: usize, arrays: &mut [Words]) -> Result<(), RunError> {
        self.fits(kernel, elements, arrays)?;
        if elements == 0 {
            return Ok(());
        }
        let _one = self.calling.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffers = Buffers { api: self.api, handles: Vec::new() };
        for (at, array) in arrays.iter().enumerate() {
            let bytes = match array {
                Words::Read(words) => size_of_val(*words),
                Words::Written(words) => size_of_val(&**words),
            };
            let mut status = 0;
            // SAFETY: memory of the driver's own.
            let buffer = unsafe { (self.api.buffer)(self.context, api::READ_WRITE, bytes, null_mut(), &mut status) };
            self.done("an array", status)?;
            buffers.handles.push(buffer);
            if let Words::Read(words) = array {
                let from = words.as_ptr().cast();
                // SAFETY: as many bytes as both have, and the call waits.
                let status = unsafe {
                    (self.api.write)(self.queue, buffer, api::BLOCKING, 0, bytes, from, 0, null(), null_mut())
                };
                self.done("a copy", status)?;
            }
            // SAFETY: the parameters are memory, as many as arrays.
            unsafe { self.argument(kernel, at, &buffer)? };
        }
        // SAFETY: behind them comes a `ulong`.
        unsafe { self.argument(kernel, arrays.len(), &(elements as u64))? };
        // SAFETY: each of the kernel's threads reads and writes the words of its own element, of which every array has as
        // many as threads; it waits for nothing.
        let status = unsafe {
            let (queue, kernel) = (self.queue, self.kernels[kernel]);
            (self.api.run)(queue, kernel, 1, null(), &elements, null(), 0, null(), null_mut())
        };
        self.done("a run", status)?;
        for (array, buffer) in arrays.iter_mut().zip(&buffers.handles) {
            if let Words::Written(words) = array {
                let (to, bytes, queue) = (words.as_mut_ptr().cast(), size_of_val(&**words), self.queue);
                let read = self.api.read;
                // SAFETY: as many bytes as both have; the call waits for the kernel and for the copy.
                let status = unsafe { read(queue, *buffer, api::BLOCKING, 0, bytes, to, 0, null(), null_mut()) };
                self.done("a copy", status)?;
            }
        }
        Ok(())
    }
}

/// Memory of a call, given back whatever happens.
struct Buffers {
    api: &'static Api,
    handles: Vec<Handle>,
}

impl Drop for Buffers {
    fn drop(&mut self) {
        for handle in &self.handles {
            // SAFETY: it was made, and nobody uses it any more: copies have waited, and what failed is released by the
            // driver when it is done with it.
            unsafe { (self.api.release_buffer)(*handle) };
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: each was made once, or is null and is left; the queue is done with all.
        unsafe {
            if !self.queue.is_null() {
                (self.api.finish)(self.queue);
            }
            for kernel in &self.kernels {
                (self.api.release_kernel)(*kernel);
            }
            for (release, handle) in [
                (self.api.release_program, self.program),
                (self.api.release_queue, self.queue),
                (self.api.release_context, self.context),
            ] {
                if !handle.is_null() {
                    release(handle);
                }
            }
        }
    }
}
