//! OpenCL's functions, of the library that the system has.

use std::ffi::{c_char, c_int, c_uint, c_ulong, c_void};

/// Platforms, devices, contexts, queues, programs, kernels, memory: all are pointers to what only the driver knows.
pub type Handle = *mut c_void;

/// What a function says: 0 is success.
pub type Status = c_int;

/// All devices.
pub const ALL_DEVICES: c_ulong = 0xffff_ffff;
/// The name of a device.
pub const DEVICE_NAME: c_uint = 0x102b;
/// The OpenCL that it has.
pub const DEVICE_VERSION: c_uint = 0x102f;
/// Is its lowest byte first?
pub const DEVICE_LITTLE: c_uint = 0x1026;
/// The longest array that it holds.
pub const DEVICE_LONGEST: c_uint = 0x1010;
/// What its compiler said.
pub const BUILD_LOG: c_uint = 0x1183;
/// Memory that kernels read and write.
pub const READ_WRITE: c_ulong = 1;
/// Wait until it is done.
pub const BLOCKING: c_uint = 1;

/// Names, where the system's library may be called.
#[cfg(windows)]
const LIBRARIES: [&str; 1] = ["OpenCL.dll"];
#[cfg(target_os = "macos")]
const LIBRARIES: [&str; 1] = ["/System/Library/Frameworks/OpenCL.framework/OpenCL"];
#[cfg(not(any(windows, target_os = "macos")))]
const LIBRARIES: [&str; 2] = ["libOpenCL.so.1", "libOpenCL.so"];

macro_rules! functions {
    ($($name:ident: $symbol:literal ($($parameter:ty),*) -> $result:ty;)+) => {
        /// The functions, and the library that they are of.
        pub struct Api {
            $(pub $name: unsafe extern "system" fn($($parameter),*) -> $result,)+
            _library: libloading::Library,
        }

        impl Api {
            /// The functions of the system's library.
            pub fn load() -> Result<Api, String> {
                let mut why = String::new();
                for name in LIBRARIES {
                    // SAFETY: the OpenCL loader of the system, or none; what it does when it is loaded is to look for drivers.
                    match unsafe { libloading::Library::new(name) } {
                        Ok(library) => return Api::of(library),
                        Err(error) => why = error.to_string(),
                    }
                }
                Err(why)
            }

            fn of(library: libloading::Library) -> Result<Api, String> {
                $(
                    // SAFETY: the type is that of the specification of OpenCL 1.2.
                    let $name = *unsafe {
                        library.get::<unsafe extern "system" fn($($parameter),*) -> $result>($symbol)
                    }.map_err(|error| error.to_string())?;
                )+
                Ok(Api { $($name,)+ _library: library })
            }
        }
    };
}

type Notify = Option<unsafe extern "system" fn(*const c_char, *const c_void, usize, *mut c_void)>;
type Built = Option<unsafe extern "system" fn(Handle, *mut c_void)>;

functions! {
    platforms: b"clGetPlatformIDs\0" (c_uint, *mut Handle, *mut c_uint) -> Status;
    devices: b"clGetDeviceIDs\0" (Handle, c_ulong, c_uint, *mut Handle, *mut c_uint) -> Status;
    device_info: b"clGetDeviceInfo\0" (Handle, c_uint, usize, *mut c_void, *mut usize) -> Status;
    context: b"clCreateContext\0" (*const isize, c_uint, *const Handle, Notify, *mut c_void, *mut Status) -> Handle;
    queue: b"clCreateCommandQueue\0" (Handle, Handle, c_ulong, *mut Status) -> Handle;
    program: b"clCreateProgramWithSource\0" (Handle, c_uint, *const *const c_char, *const usize, *mut Status) -> Handle;
    build: b"clBuildProgram\0" (Handle, c_uint, *const Handle, *const c_char, Built, *mut c_void) -> Status;
    build_info: b"clGetProgramBuildInfo\0" (Handle, Handle, c_uint, usize, *mut c_void, *mut usize) -> Status;
    kernel: b"clCreateKernel\0" (Handle, *const c_char, *mut Status) -> Handle;
    argument: b"clSetKernelArg\0" (Handle, c_uint, usize, *const c_void) -> Status;
    buffer: b"clCreateBuffer\0" (Handle, c_ulong, usize, *mut c_void, *mut Status) -> Handle;
    write: b"clEnqueueWriteBuffer\0" (Handle, Handle, c_uint, usize, usize, *const c_void, c_uint, *const Handle, *mut Handle) -> Status;
    read: b"clEnqueueReadBuffer\0" (Handle, Handle, c_uint, usize, usize, *mut c_void, c_uint, *const Handle, *mut Handle) -> Status;
    run: b"clEnqueueNDRangeKernel\0" (Handle, Handle, c_uint, *const usize, *const usize, *const usize, c_uint, *const Handle, *mut Handle) -> Status;
    finish: b"clFinish\0" (Handle) -> Status;
    release_buffer: b"clReleaseMemObject\0" (Handle) -> Status;
    release_kernel: b"clReleaseKernel\0" (Handle) -> Status;
    release_program: b"clReleaseProgram\0" (Handle) -> Status;
    release_queue: b"clReleaseCommandQueue\0" (Handle) -> Status;
    release_context: b"clReleaseContext\0" (Handle) -> Status;
}
