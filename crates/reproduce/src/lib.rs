//! Published figures and tables, made anew: from kernels that are written, proved, compiled and measured when asked.
//!
//! [`REPRODUCTIONS`] has one line a figure: its name, the paper, what is measured. [`Reproduction::run`] gives a
//! [`Figure`]: series of numbers of one kind each, the paper's numbers beside ours, what changed since. A figure is
//! plain data; the command and the page show it. Numbers of papers are stated as published and are never a result. Not
//! for choosing code: that is `tune`.

mod crossing;
pub mod figure;
mod measure;
mod multipliers;
mod nb_footprint;
mod nb_gates;
mod nb_mix;
mod nb_sweep;
mod slicing;

pub use figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
pub use multipliers::operations;

use evariste_tune::TuneError;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// A few degrees and short timings: rough, in seconds.
    pub quick: bool,
}

/// `done` of `total` steps of that kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// `counting`, `making`, `measuring`.
    pub stage: &'static str,
    /// How many are done.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// Whom progress is told.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);

/// A figure or table of a paper.
pub struct Reproduction {
    /// Its name: `nb-gates`.
    pub name: &'static str,
    /// Authors, title, year.
    pub paper: &'static str,
    /// Which figure or table.
    pub figure: &'static str,
    /// What is shown, in a line.
    pub about: &'static str,
    /// Makes it.
    make: fn(&Options, Watch) -> Result<Figure, TuneError>,
}

impl Reproduction {
    /// Makes the figure from fresh counts and measurements.
    ///
    /// # Errors
    /// When nothing can be timed. A kernel that cannot be made is a note of the figure.
    pub fn run(&self, options: &Options, watch: Watch) -> Result<Figure, TuneError> {
        (self.make)(options, watch)
    }
}

/// All, by paper.
pub const REPRODUCTIONS: &[Reproduction] =
    &[nb_gates::REPRODUCTION, nb_footprint::REPRODUCTION, nb_mix::REPRODUCTION, nb_sweep::REPRODUCTION];

/// The paper of the normal-basis figures.
const BRUMLEY_PAGE: &str = "Brumley and Page, \"Bit-sliced binary normal basis multiplication\" (2011)";

/// The reproduction of that name.
pub fn named(name: &str) -> Option<&'static Reproduction> {
    REPRODUCTIONS.iter().find(|r| r.name == name)
}
