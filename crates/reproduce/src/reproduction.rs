//! What a reproduction is: a line of [`REPRODUCTIONS`](crate::REPRODUCTIONS).

use std::sync::Arc;

use evariste_tune::TuneError;
use evariste_tune::cores::InUse;

use crate::figure::Figure;

/// How much is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// A few degrees and short timings: rough, in seconds.
    pub quick: bool,
    /// The table that bounds are reckoned by.
    pub core: Arc<InUse>,
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
    pub(crate) make: fn(&Options, Watch) -> Result<Figure, TuneError>,
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

/// The paper of the normal-basis figures.
pub(crate) const BRUMLEY_PAGE: &str = "Brumley and Page, \"Bit-sliced binary normal basis multiplication\" (2011)";

/// The paper of Montgomery's scans and of extensions.
pub(crate) const HAMBURG: &str = "Hamburg, \"Faster F_q arithmetic\" (2011)";
/// The paper of delayed carries.
pub(crate) const BRUMNIK: &str =
    "Brumnik et al., \"Techniques for performance improvement of integer multiplication\" (2014)";
/// The paper of DFC's multiplication.
pub(crate) const NOILHAN: &str = "Noilhan, \"Software optimization of decorrelation module\"";
