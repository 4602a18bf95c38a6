//! What languages share that hold each value of up to 64 bits in one unsigned word (of two words, where they have such
//! integers, in a double one), the bits above its type being 0: Rust, Java, Go. A language is a [`Notation`]: its signs,
//! its literals and how it writes each kind of line. Walking bodies, naming types, known answers and readmes are here.

mod answers;
mod body;
mod chain;
mod cipher;
mod expression;
mod helpers;
mod notation;
mod readme;
mod running;
mod shape;
mod stream;
#[cfg(test)]
mod tests;

pub use answers::{LANES, chained, pack, placements, rows};
pub use body::{Held, Printer, Role, is_supported};
pub use chain::{Chain, Link};
pub use cipher::CipherWords;
pub use expression::bare;
pub use helpers::helpers;
pub use notation::{Notation, Pair, Passed};
pub use readme::{Page, facts, readme};
pub use running::RunningWords;
pub use shape::{Method, Shape};
pub use stream::StreamWords;
