//! What runs on many lanes at once: cells of lanes ([`lane`]), and vectors of them with an operation's operands and
//! results ([`vectors`]). The rows of operations say here what they do to a vector; the interpreter walks kernels.

pub(crate) mod lane;
pub(crate) mod sign;
pub(crate) mod vectors;
