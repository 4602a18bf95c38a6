//! Writes kernels: every algorithm of the literature that applies, one a file.
//!
//! * [`layout`]: how a field's elements lie in words ([`Layout`]: digits, radix, Montgomery factor, resting bound);
//!   [`kinds`]: which layouts a field has, by its kind.
//! * [`form`]: the number that holds an element there ([`Form`]).
//! * [`operation`]: what is computed ([`Operation`]).
//! * [`signature`]: parameters and contract of a kernel, written from the field and the layout alone; an algorithm only
//!   fills in the body.
//! * [`recipe`]: what an algorithm is.
//! * [`registry`]: the folders' lists, one line a file; [`registry::plans`] lists the plans that apply.
//! * [`field_set`]: what a package of one layout contains.
//! * [`lanes`]: digits of 52 bits in words of 64 (or any such pair) for vector units whose multiply-add takes the low
//!   bits of its operands.
//! * `integer/` products, `reduction/` modular reductions and integrated products, `prime/` what else a field needs,
//!   `binary/` one-bit words, `cipher/` ciphers, `hash/` universal hash functions.

pub mod binary;
pub mod butterfly;
pub mod cipher;
pub mod curve;
pub mod field_set;
pub mod floats;
pub mod form;
pub mod hash;
pub mod integer;
pub mod kinds;
pub mod lanes;
pub mod layout;
pub mod layouts;
pub mod lowering;
pub mod operation;
pub mod pairing;
pub mod prime;
pub mod recipe;
pub mod reduction;
pub mod registry;
pub mod signature;
pub mod tower;
pub mod words;

pub use butterfly::Butterfly;
pub use form::Form;
pub use kinds::{Mix, halved_layouts, lane_layouts, layouts};
pub use layout::{Bounds, Layout};
pub use operation::Operation;
pub use registry::{Plan, plan_named, plans, plans_vartime};
pub use signature::NotApplicable;
