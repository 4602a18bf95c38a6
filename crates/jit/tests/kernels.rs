//! Random kernels, those of the tests of `codegen`.

use crate::common::Rng;

#[path = "../../codegen/tests/common/random.rs"]
pub mod random;
#[path = "../../codegen/tests/common/rolled.rs"]
pub mod rolled;
