//! Tests of formulas: the text form, the check, counts, towers, toy fields, mutants.

mod checks;
mod counts;
mod floors;
