//! Proofs of kernels against their contracts
