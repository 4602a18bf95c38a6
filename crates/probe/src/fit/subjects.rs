//! What resources are to explain.

/// What is to be explained.
#[derive(Clone, PartialEq, Debug)]
pub struct Subjects {
    /// Instructions beside a copy of each specimen that take a slot of the front end and nothing else.
    pub idle: Vec<f64>,
    /// The specimen that takes such a slot and nothing else.
    pub slot: Option<usize>,
    /// The set of each specimen: no code has two of different sets. What is of none meets all.
    pub sets: Vec<Option<u32>>,
}

impl Subjects {
    /// May code have both?
    pub fn meet(&self, i: usize, j: usize) -> bool {
        self.sets[i].is_none() || self.sets[j].is_none() || self.sets[i] == self.sets[j]
    }
}
