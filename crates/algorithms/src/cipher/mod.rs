//! Ciphers as kernels: the block ciphers DFC and DFCv2, the stream cipher WG.
//!
//! What a cipher repeats is a kernel of its own, which the cipher calls. A contract says of them what proofs can say of
//! steps: ranges. That they compute the cipher is tested, by all vectors, in the interpreter and as machine code.

pub mod dfc;
pub mod wg;
