//! What stops the emulator: each is something that no correct function does.

/// Why execution stopped.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The bytes are no instruction.
    #[error("the bytes {bytes} are no instruction: {reason}")]
    #[allow(missing_docs)]
    Undecodable { bytes: String, reason: String },
    /// An instruction, or a form of one, that the emulator does not know.
    #[error("the emulator does not know `{0}`")]
    Unknown(String),
    /// A jump to where no instruction begins.
    #[error("control reached {0:#x}, where no instruction begins")]
    NoInstruction(u64),
    /// An access outside of all regions.
    #[error("{bytes} bytes at {address:#x} lie in no region")]
    #[allow(missing_docs)]
    Outside { address: u64, bytes: usize },
    /// A write to what may only be read.
    #[error("a write to {0}, which may only be read")]
    ReadOnly(String),
    /// A read of bytes that nobody wrote.
    #[error("a read of bytes of {0} that nobody wrote")]
    Unwritten(String),
    /// An access to the stack below the red zone, where a signal handler may write.
    #[error("an access at {address:#x}, more than 128 bytes below rsp = {rsp:#x}")]
    #[allow(missing_docs)]
    BelowRedZone { address: u64, rsp: u64 },
    /// A read of a flag that holds nothing defined.
    #[error("a read of the {0} flag, which is undefined")]
    UndefinedFlag(&'static str),
    /// A function that does not return.
    #[error("no return after {0} instructions")]
    Endless(u64),
    /// A register that must come back unchanged.
    #[error("register {register} held {before:#x} and holds {after:#x} on return")]
    #[allow(missing_docs)]
    Lost { register: usize, before: u64, after: u64 },
    /// A fault with the place where it happened.
    #[error("at offset {offset:#x}, `{instruction}`: {fault}")]
    #[allow(missing_docs)]
    At { offset: u64, instruction: String, fault: Box<Fault> },
}

impl Fault {
    /// The fault without the place where it happened.
    pub fn cause(&self) -> &Fault {
        match self {
            Fault::At { fault, .. } => fault.cause(),
            other => other,
        }
    }
}
