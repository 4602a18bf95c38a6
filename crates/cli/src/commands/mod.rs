//! The subcommands, one a file: each turns its arguments into an [`crate::answer::Answer`].

pub mod check;
pub mod completions;
pub mod doctor;
pub mod emit;
pub mod eval;
pub mod explain;
pub mod list;
pub mod man;
pub mod probe;
mod ranking_csv;
pub mod rankings;
pub mod report;
pub mod reproduce;
pub mod show;
pub mod tune;
mod tune_text;
