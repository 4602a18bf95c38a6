//! DFC and DFCv2 as kernels: rounds, networks, key schedules, blocks by a key.

mod confusion;
mod lanes;
mod network;
mod round;
mod samples;
mod schedule;
mod setting;

pub use self::lanes::{LANES, lane_layouts};
pub use self::network::{DECRYPT, ENCRYPT, NETWORKS};
pub use self::round::{ROUND_CHOICES, ROUND_LOOK_UP, ROUND_MASKS, ROUND_VARTIME};
pub use self::samples::{given, samples};
pub use self::setting::{ground, layouts};
use crate::recipe::Recipe;

/// Rounds, and blocks by a key.
pub const RECIPES: &[&dyn Recipe] = &[&ROUND_CHOICES, &ROUND_MASKS, &ROUND_LOOK_UP, &ROUND_VARTIME, &ENCRYPT, &DECRYPT];
