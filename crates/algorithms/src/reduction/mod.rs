//! Modular reduction: of full products, and interleaved with the product. One algorithm a file; [`kernels`] writes
//! kernels of them.

use crate::recipe::recipes;

pub mod carry_pass;
pub mod conditional_subtraction;
pub mod kernels;
pub mod montgomery;
pub mod run_time_modulus;
pub mod signed_row;

pub use kernels::{integrated_product, reduced_product, reduction_kernel};

recipes! {
    montgomery_cios::INTEGRATED;
    montgomery_cios_chains::INTEGRATED;
    montgomery_cios_merge::INTEGRATED;
    montgomery_cios_mixed::INTEGRATED;
    montgomery_cios_two_pass::INTEGRATED;
    montgomery_cios_no_carry::INTEGRATED;
    montgomery_cios_even_odd::INTEGRATED;
    montgomery_of_multiple::MERGE, TWO_PASS, CHAINS, REDUCTION;
    montgomery_fios::INTEGRATED;
    montgomery_fips::INTEGRATED;
    montgomery_cihs::INTEGRATED;
    fold_unsaturated::EARLY, LATE;
    fold_karatsuba::INTEGRATED;
    fold_golden::INTEGRATED;
    fold_early::INTEGRATED, CEILING;
    fold::REDUCTION;
    fold_merge::REDUCTION;
    fold_ceiling::REDUCTION;
    fold_half::REDUCTION;
    fold_doubled::INTEGRATED;
    complement::REDUCTION;
    solinas::REDUCTION;
    barrett::REDUCTION;
    short_products::COMBA, SCANNING, TRUNCATION;
    montgomery_sos::REDUCTION;
    montgomery_sos_chains::REDUCTION;
    montgomery_sos_merge::REDUCTION;
    montgomery_sos_even_odd::REDUCTION;
    montgomery_difference::REDUCTION;
    montgomery_cios_rolled::ROLLED;
}
