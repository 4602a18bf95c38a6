//! The tests of the table of back ends.

mod how_to;
mod interpreter;
mod table;
mod takes;
