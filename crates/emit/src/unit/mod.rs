//! What every language prints: functions made of a few kinds of statements and expressions, over values that say what
//! they are (a word, a carry, a mask, one bit of many elements) and not how a language holds them.
//!
//! [`build`] makes a [`Unit`] of kernels. Each expression is one operation on names and constants, in the kernel's order:
//! what nobody reads is left out, constants stand where they are used, public indices are sums. What a language may lack
//! (both words of a product, a carry, a selection that no compiler turns into a branch) is a call of a [`Helper`]; the
//! unit lists the helpers that it calls, and a language has a body for each.

mod build;
mod call;
mod collect;
mod data;
mod helper;
mod lanes;
mod model;
mod names;
mod operations;
mod parts;
mod place;
mod prepare;
mod within;

pub use collect::{Beside, Named, build, check_prefix};
pub use data::{
    Argument, Arithmetic, Bitwise, Body, Elements, Entries, Expression, Function, Part, Reach, Statement, Unit,
    Variable,
};
pub use helper::Helper;
pub use model::{Model, container};
pub use names::Words;
pub use parts::Lengths;
pub use place::{Place, Term};
pub use prepare::parameters;
pub use within::fills;
