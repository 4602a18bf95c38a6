//! The tests of the table of back ends.

mod table;
