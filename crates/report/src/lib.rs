//! Rankings, and reproductions of published figures, as one self-contained HTML page: nothing is loaded from elsewhere,
//! the drawings are SVG inside the page, the colours follow the reader's preference for dark or light.
//!
//! [`report`] makes the page of rankings, [`reproduction`] that of a figure, [`write()`] puts a page into a file, whole
//! or not at all. Everything on a page comes from a [`Ranking`] or a [`Figure`](evariste_reproduce::Figure); nothing is
//! measured or computed here beyond sums, shares and places on a drawing. Not for the terminal: the command has its own
//! tables.
//!
//! ```
//! let page = evariste_report::report(&[]);
//! assert!(page.starts_with("<!DOCTYPE html>") && page.contains("No rankings"));
//! ```
//!
//! [`Ranking`]: evariste_tune::Ranking

mod bars;
mod curves;
mod field;
mod file;
mod numbers;
mod page;
mod reproduction;
mod rows;
mod scatter;
mod svg;
mod table;

pub use file::{check, write};
pub use numbers::{figure, significant};
pub use page::report;
pub use reproduction::reproduction;
pub use table::quoted;
