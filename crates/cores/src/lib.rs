//! What instructions cost, core by core. A table is data: measured by the probe on the machine at hand, or shipped for a
//! core that was measured elsewhere. It decides speed only, never meaning.
//!
//! The model: a core has resources that each do one unit of work a cycle; an instruction asks a number of units of each;
//! code takes at least as long as its busiest resource. (For sets of ports it is exact: each union of port sets is a
//! resource, and an operation asks one over the number of its ports of every union that holds them all.)

mod fingerprint;
mod shipped;
mod table;
mod text;

pub use fingerprint::{FITS, Fingerprint};
pub use shipped::{reference, reference_of, shipped};
pub use table::{Core, Cost, Load};
pub use text::{CoreError, LONGEST, LONGEST_NAME, is_plain};
