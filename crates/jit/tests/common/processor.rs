//! The processor at hand with all its registers set and read back around a few instructions.

use std::arch::naked_asm;
use std::sync::Mutex;

use evariste_codegen::x86_64::Features;
use evariste_jit::RawFunction;

/// Every register that a program uses.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct State {
    pub general: [u64; 16],
    pub flags: u64,
    padding: [u64; 7],
    pub masks: [u64; 8],
    pub vectors: [[u8; 64]; 32],
}

impl State {
    pub fn new(general: [u64; 16], flags: u64, masks: [u64; 8], vectors: [[u8; 64]; 32]) -> State {
        State { general, flags, padding: [0; 7], masks, vectors }
    }
}

/// The status flags.
pub const STATUS: u64 = 0x8d5;

/// Bits of rflags that a program finds set: interrupts and a bit that is always 1.
const ALWAYS: u64 = 0x202;

/// Where [`State`], the code, the caller's stack and `rdi` are while the code runs: no register is left for them.
static mut PLACES: [u64; 4] = [0; 4];

/// One run at a time.
static RUNNING: Mutex<()> = Mutex::new(());

/// `[state] → registers; call code; registers → [state]`, with the vector registers in between that a level has.
macro_rules! enter {
    ($name:ident, $load:literal, $store:literal) => {
        /// # Safety
        /// As [`run`], on a processor with these registers.
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(state: *mut State, code: RawFunction) {
            naked_asm!(
                "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15",
                "mov [rip + {places}], rdi",
                "mov [rip + {places} + 8], rsi",
                "mov [rip + {places} + 16], rsp",
                $load,
                "push qword ptr [rdi + 128]", "popfq",
                "mov rsp, [rdi + 32]",
                "mov rax, [rdi]", "mov rcx, [rdi + 8]", "mov rdx, [rdi + 16]", "mov rbx, [rdi + 24]",
                "mov rbp, [rdi + 40]", "mov rsi, [rdi + 48]", "mov r8, [rdi + 64]", "mov r9, [rdi + 72]",
                "mov r10, [rdi + 80]", "mov r11, [rdi + 88]", "mov r12, [rdi + 96]", "mov r13, [rdi + 104]",
                "mov r14, [rdi + 112]", "mov r15, [rdi + 120]", "mov rdi, [rdi + 56]",
                "call [rip + {places} + 8]",
                "mov [rip + {places} + 24], rdi",
                "mov rdi, [rip + {places}]",
                "mov [rdi], rax", "mov [rdi + 8], rcx", "mov [rdi + 16], rdx", "mov [rdi + 24], rbx",
                "mov [rdi + 32], rsp", "mov [rdi + 40], rbp", "mov [rdi + 48], rsi", "mov [rdi + 64], r8",
                "mov [rdi + 72], r9", "mov [rdi + 80], r10", "mov [rdi + 88], r11", "mov [rdi + 96], r12",
                "mov [rdi + 104], r13", "mov [rdi + 112], r14", "mov [rdi + 120], r15",
                "mov rax, [rip + {places} + 24]", "mov [rdi + 56], rax",
                "mov rsp, [rip + {places} + 16]",
                "pushfq", "pop qword ptr [rdi + 128]",
                $store,
                "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
                "cld", "ret",
                places = sym PLACES,
            )
        }
    };
}

enter!(scalar, "", "");
enter!(
    avx2,
    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\nvmovdqu ymm\\i, [rdi + 256 + 64*\\i]\n.endr",
    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\nvmovdqu [rdi + 256 + 64*\\i], ymm\\i\n.endr\nvzeroupper"
);
enter!(
    avx512,
    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\
     vmovdqu64 zmm\\i, [rdi + 256 + 64*\\i]\n.endr\n\
     .irp i,0,1,2,3,4,5,6,7\nkmovq k\\i, [rdi + 192 + 8*\\i]\n.endr",
    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\
     vmovdqu64 [rdi + 256 + 64*\\i], zmm\\i\n.endr\n\
     .irp i,0,1,2,3,4,5,6,7\nkmovq [rdi + 192 + 8*\\i], k\\i\n.endr\nvzeroupper"
);

/// What of the vector and mask registers [`run`] sets and reads: the number and bytes of vectors, the number of masks.
pub fn reach(here: Features) -> (usize, usize, usize) {
    match here {
        Features { avx512: true, .. } => (32, 64, 8),
        Features { avx2: true, .. } => (16, 32, 0),
        _ => (0, 0, 0),
    }
}

/// Runs the code from these registers on, until it returns.
///
/// # Safety
/// The code must return to where `rsp` says, with `rsp` 8 above, and touch no memory but what the caller of this owns.
/// `rsp` points into memory with room for the return address and for what the system puts below it.
pub unsafe fn run(state: &mut State, code: RawFunction, here: Features) {
    let _alone = RUNNING.lock().unwrap_or_else(|e| e.into_inner());
    state.flags = state.flags & STATUS | ALWAYS;
    let enter = match reach(here).0 {
        32 => avx512,
        16 => avx2,
        _ => scalar,
    };
    // SAFETY: the processor has these registers; the rest is the caller's promise.
    unsafe { enter(state, code) };
}
