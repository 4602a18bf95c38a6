//! Products of plain integers: schedules over saturated words, one a file; [`whole_products`] writes kernels of them.

use crate::recipe::recipes;

pub mod row_forms;
pub mod rows;
pub mod whole_products;

pub use whole_products::{UNROLLED_BITS, plain_product, unrolled, wide_bounds, wide_weights};

recipes! {
    operand_scanning::PRODUCT;
    operand_scanning_chains::PRODUCT;
    operand_scanning_merge::PRODUCT;
    operand_scanning_two_pass::PRODUCT;
    operand_scanning_mixed::PRODUCT;
    operand_scanning_blocks::PRODUCT;
    operand_scanning_even_odd::PRODUCT;
    comba::PRODUCT;
    comba_delayed::PRODUCT;
    comba_delayed_3::PRODUCT;
    comba_columns::PRODUCT;
    karatsuba::COMBA, TWO_PASS;
    float_products::SHORT, SHORT_FMA, UNEQUAL, LONG;
    operand_scanning_rolled::ROLLED;
}
