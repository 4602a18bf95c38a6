//! Enumerates, proves, compiles, measures, ranks and remembers.
//!
//! [`tune`] is the whole way for one field: every plan of every layout is written and proved, the proved ones are
//! compiled in parallel and timed side by side, and ranked within their layout; the schedules of the best can be
//! improved by a [`search`] within a [`budget`], and what it finds is kept in [`schedules`]; layouts are compared on a stated operation mix
//! ([`mix`]). [`cores`] finds the table of the core that bounds are computed from. [`cache`] remembers rankings per machine and compiler, as names that are proved again when used.
//! [`package`] chooses what an emitted package contains, [`evaluate`] computes with it.

mod apart;
pub mod arrays;
mod block_cipher;
pub mod budget;
mod buffers;
pub mod cache;
pub mod candidates;
mod chained;
pub mod choose;
pub mod contract_line;
pub mod cores;
pub mod date;
pub mod element_code;
pub mod encode;
pub mod error;
mod estimate;
pub mod evaluate;
mod expected;
pub mod given;
pub mod grounds;
pub mod here;
mod improve;
pub mod known_answers;
pub mod leakage;
pub mod machine_code;
pub mod measure;
pub mod mix;
mod narrow;
pub mod operands;
mod options;
pub mod package;
pub mod ranking;
mod rows;
mod running_hash;
pub mod schedules;
pub mod search;
mod shapes;
pub mod stopped;
mod stored;
pub mod stream_cipher;
mod timed;
mod tuning;
mod vectors;
mod with_callees;
mod written_out;

pub use error::TuneError;
pub use expected::{Expected, expected};
pub use options::{Options, Progress, Stage};
pub use ranking::{Candidate, Goal, LayoutRanking, Ranking, Searched, WithoutVectors};
pub use rows::candidate;
pub use schedules::{FoundSchedule, Schedules};
pub use tuning::{layout_line, tune};
