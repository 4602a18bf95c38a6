//! Published figures and tables, made anew: from kernels that are written, proved, compiled and measured when asked.
//!
//! [`REPRODUCTIONS`] has one line a figure: its name, the paper, what is measured. [`Reproduction::run`] gives a
//! [`Figure`]: series of numbers of one kind each, the paper's numbers beside ours, what changed since. A figure is
//! plain data; the command and the page show it. Numbers of papers are stated as published and are never a result. Not
//! for choosing code: that is `tune`.

mod apart;
mod columns_at_once;
mod crossing;
mod delayed_carry;
mod dfc_cycles;
mod dfc_tables;
pub mod figure;
mod java;
mod mac_rates;
mod measure;
mod montgomery_scans;
mod multipliers;
mod nb_ecc;
mod nb_footprint;
mod nb_gates;
mod nb_mix;
mod nb_sweep;
pub mod own_bench;
mod plans;
mod processors;
mod reproduction;
mod slicing;
mod towers;
mod wg;
mod wg_streams;

pub use figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
pub use multipliers::operations;
pub use reproduction::{Options, Progress, Reproduction, Watch};

/// All, by paper.
pub const REPRODUCTIONS: &[Reproduction] = &[
    nb_gates::REPRODUCTION,
    nb_footprint::REPRODUCTION,
    nb_mix::REPRODUCTION,
    nb_sweep::REPRODUCTION,
    nb_ecc::REPRODUCTION,
    wg::REPRODUCTION,
    montgomery_scans::REPRODUCTION,
    towers::REPRODUCTION,
    delayed_carry::REPRODUCTION,
    dfc_cycles::REPRODUCTION,
    dfc_tables::REPRODUCTION,
    mac_rates::REPRODUCTION,
];

/// The reproduction of that name.
pub fn named(name: &str) -> Option<&'static Reproduction> {
    REPRODUCTIONS.iter().find(|r| r.name == name)
}
