//! Mixes of instructions, and who says how many cycles one takes: the core at hand, or in tests a core that is reckoned.

/// Some copies of one or two specimens, and one of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    /// One or two specimens, of which there are equally many.
    pub base: Vec<usize>,
    /// Copies of each of them.
    pub times: usize,
    /// One copy of this beside them.
    pub other: Option<usize>,
}

impl Mix {
    /// One of a kind.
    pub fn alone(i: usize) -> Mix {
        Mix { base: vec![i], times: 1, other: None }
    }

    /// One each of two.
    pub fn pair(i: usize, j: usize) -> Mix {
        Mix { base: vec![i, j], times: 1, other: None }
    }

    /// One more beside many.
    pub fn beside(base: Vec<usize>, times: usize, other: usize) -> Mix {
        Mix { base, times, other: Some(other) }
    }
}

/// How much time a mix is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// The usual orders, a few passes.
    Quick,
    /// More orders and more passes: for what nothing explains yet.
    Thorough,
}

/// Who runs mixes.
pub trait Observer {
    /// Why nothing was seen.
    type Error;

    /// Cycles of each mix, of many copies of it: the least that any order of its instructions took in any pass.
    ///
    /// # Errors
    /// Whatever keeps the observer from running them.
    fn cycles(&mut self, mixes: &[Mix], care: Care) -> Result<Vec<f64>, Self::Error>;
}
