//! Tests of formulas: the text form, the check, counts, towers, toy fields, mutants.

mod checks;
mod complete;
mod counts;
mod floors;
mod meanings;
mod mutants;
mod reordered;
mod toys;
