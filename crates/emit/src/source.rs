//! Source text of functions, and how to call them.

pub use evariste_ir::{Parameter, Role};

/// One function, `void symbol(…)`, all of whose parameters are pointers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The name that a linker sees.
    pub symbol: String,
    /// Parameters in calling order.
    pub parameters: Vec<Parameter>,
}

/// A translation unit that needs no other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Its functions, in the order of the kernels.
    pub functions: Vec<Function>,
}
