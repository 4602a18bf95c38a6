//! Values that are linear in one operand: for each bit the coordinates that it is the sum of.

use super::{add_to, added};

/// For each bit of a value the coordinates that it is the sum of, ascending.
#[derive(Default)]
pub(super) struct Lists {
    /// Where each list ends.
    pub ends: Vec<u32>,
    /// One list behind the other.
    pub all: Vec<u32>,
    /// The bits that are not always 0.
    pub possible: u128,
}

impl Lists {
    pub fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.all.extend(list);
        self.end();
    }

    /// Ends the list that was written last.
    fn end(&mut self) {
        let start = self.ends.last().map_or(0, |end| *end as usize);
        self.possible |= u128::from(self.all.len() > start) << self.ends.len();
        self.ends.push(self.all.len() as u32);
    }

    /// The sum of lists.
    pub fn push_sum<'a>(&mut self, mut lists: impl Iterator<Item = &'a [u32]>) {
        match (lists.next(), lists.next(), lists.next()) {
            (Some(one), None, _) => self.all.extend_from_slice(one),
            (Some(one), Some(other), None) => add_to(&mut self.all, one, other),
            (Some(one), Some(other), Some(third)) => {
                let all = lists.fold(added(&added(one, other), third), |all, list| added(&all, list));
                self.all.extend(all);
            }
            (None, ..) => {}
        }
        self.end();
    }

    pub fn get(&self, bit: usize) -> &[u32] {
        let start = if bit == 0 { 0 } else { self.ends[bit - 1] };
        &self.all[start as usize..self.ends[bit] as usize]
    }
}

/// The places of the bits that are 1.
pub(super) fn ones(bits: u128) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|rest| *rest != 0)
        .map(|rest| rest.trailing_zeros() as usize)
}
