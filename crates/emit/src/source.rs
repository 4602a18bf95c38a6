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

/// A program in OpenCL C of kernels over arrays of elements, which was printed from proved kernels: each thread reads and
/// writes its own element. Nothing else makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceSource {
    pub(crate) text: String,
    pub(crate) functions: Vec<Function>,
}

impl DeviceSource {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its kernels, in the order in which they were given; the parameters are of one element, and behind them comes the
    /// number of elements.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }
}
