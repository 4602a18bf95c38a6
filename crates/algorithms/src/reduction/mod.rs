//! Modular reduction: of full products, and interleaved with the product. One algorithm a file; [`kernels`] writes
//! kernels of them.

pub mod barrett;
pub mod carry_pass;
pub mod complement;
pub mod conditional_subtraction;
pub mod fold;
pub mod fold_golden;
pub mod fold_half;
pub mod fold_karatsuba;
pub mod fold_merge;
pub mod fold_unsaturated;
pub mod kernels;
pub mod montgomery;
pub mod montgomery_cihs;
pub mod montgomery_cios;
pub mod montgomery_cios_chains;
pub mod montgomery_cios_merge;
pub mod montgomery_cios_mixed;
pub mod montgomery_cios_no_carry;
pub mod montgomery_cios_rolled;
pub mod montgomery_difference;
pub mod montgomery_fios;
pub mod montgomery_fips;
pub mod montgomery_sos;
pub mod montgomery_sos_chains;
pub mod montgomery_sos_merge;
pub mod run_time_modulus;
pub mod signed_row;
pub mod solinas;

pub use kernels::{integrated_product, reduced_product, reduction_kernel};
