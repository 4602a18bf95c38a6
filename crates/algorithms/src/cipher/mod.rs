//! Ciphers as kernels: DFC and DFCv2.
//!
//! What a cipher repeats is a kernel of its own, which the cipher calls. A contract says of them what proofs can say of
//! steps: ranges. That they compute the cipher is tested, by all vectors, in the interpreter and as machine code.

mod confusion;
mod network;
mod round;
mod samples;
mod schedule;
mod setting;

pub use self::network::{DECRYPT, DECRYPT_BLOCK, DECRYPT_BLOCK_VARTIME, ENCRYPT, ENCRYPT_BLOCK, ENCRYPT_BLOCK_VARTIME};
pub use self::round::{ROUND_LOOK_UP, ROUND_MASKS, ROUND_VARTIME};
pub use self::samples::{given, samples};
pub use self::schedule::EXPAND_KEY;
pub use self::setting::{ground, layouts};
use crate::recipe::Recipe;

/// Recipes of DFC.
pub const DFC: &[&dyn Recipe] = &[
    &ROUND_MASKS,
    &ROUND_LOOK_UP,
    &ROUND_VARTIME,
    &ENCRYPT_BLOCK,
    &DECRYPT_BLOCK,
    &ENCRYPT_BLOCK_VARTIME,
    &DECRYPT_BLOCK_VARTIME,
    &EXPAND_KEY,
    &ENCRYPT,
    &DECRYPT,
];
