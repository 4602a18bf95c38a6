//! What a search decides about a graph, as a list of small integers that can be stored and applied again.

use std::fmt;
use std::str::FromStr;

use crate::graph::{Chains, Graph};

/// Flag of a chain: set, its carries prefer the processor's second flag, where it has two, else the first.
pub const IN_OVERFLOW: u8 = 1;
/// Style of a chain: set, its sums in the first flag leave the second as it is, where there are such instructions.
pub const KEEPS_OVERFLOW: u8 = 2;

/// An order of a graph's nodes, a flag and a style for each chain, and which operand of a product goes to the register
/// where the processor wants one (of a product with a power of two, and of a shift through two words, whether shifts of
/// single words give it).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The nodes in the order of the code.
    pub order: Vec<u32>,
    /// For each chain [`IN_OVERFLOW`] and [`KEEPS_OVERFLOW`].
    pub chains: Vec<u8>,
    /// For each node 1 when its operands change roles, or shifts of single words take its place.
    pub swaps: Vec<u8>,
}

impl Schedule {
    /// The given order, everything in the first flag, nothing swapped.
    pub fn of_order(graph: &Graph, order: Vec<u32>) -> Schedule {
        Schedule { order, chains: vec![0; Chains::of(graph).nodes.len()], swaps: vec![0; graph.nodes.len()] }
    }

    /// Does the schedule belong to the graph: as many entries as it has, in an order that respects it?
    pub fn fits(&self, graph: &Graph) -> bool {
        self.swaps.len() == graph.nodes.len()
            && self.chains.len() == Chains::of(graph).nodes.len()
            && graph.is_order(&self.order)
    }

    /// That of the [graph of so many elements](Graph::repeated): each in this order, after the one before it.
    pub fn repeated(&self, times: u32) -> Schedule {
        let nodes = self.order.len() as u32;
        Schedule {
            order: (0..times).flat_map(|element| self.order.iter().map(move |n| n + element * nodes)).collect(),
            chains: self.chains.repeat(times as usize),
            swaps: self.swaps.repeat(times as usize),
        }
    }
}

/// Three lists of numbers, separated by semicolons; the order as differences to the natural one, so that most of them
/// are small.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |numbers: &mut dyn Iterator<Item = i64>| numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let order = list(&mut self.order.iter().enumerate().map(|(i, n)| i64::from(*n) - i as i64));
        let chains = list(&mut self.chains.iter().map(|c| i64::from(*c)));
        let swapped = list(&mut self.swaps.iter().enumerate().filter(|(_, s)| **s == 1).map(|(i, _)| i as i64));
        write!(f, "{order}; {chains}; {swapped}")
    }
}

/// A text that is no schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotASchedule;

impl fmt::Display for NotASchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is not a schedule, which is three lists of numbers separated by semicolons")
    }
}

impl FromStr for Schedule {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Schedule, NotASchedule> {
        let lists: Vec<Vec<i64>> = text
            .split(';')
            .map(|list| list.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| NotASchedule))
            .collect::<Result<_, NotASchedule>>()?;
        let [order, chains, swapped] = <[Vec<i64>; 3]>::try_from(lists).map_err(|_| NotASchedule)?;
        let order: Vec<u32> = order
            .iter()
            .enumerate()
            .map(|(i, d)| u32::try_from(d.checked_add(i as i64).ok_or(NotASchedule)?).map_err(|_| NotASchedule))
            .collect::<Result<_, _>>()?;
        let chains = chains.iter().map(|c| u8::try_from(*c).map_err(|_| NotASchedule)).collect::<Result<_, _>>()?;
        let mut swaps = vec![0; order.len()];
        for i in swapped {
            *usize::try_from(i).ok().and_then(|i| swaps.get_mut(i)).ok_or(NotASchedule)? = 1;
        }
        Ok(Schedule { order, chains, swaps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let schedule = Schedule { order: vec![1, 0, 2, 5, 4, 3], chains: vec![0, 3], swaps: vec![0, 0, 1, 0, 1, 0] };
        assert_eq!(schedule.to_string(), "1 -1 0 2 0 -2; 0 3; 2 4");
        assert_eq!(schedule.to_string().parse(), Ok(schedule));
        for bad in ["", "0; 0", "-1; ; ", "0; ; 1", "a; ; ", "0; 256; ", "9223372036854775807 9223372036854775807; ;"] {
            assert_eq!(bad.parse::<Schedule>(), Err(NotASchedule), "{bad}");
        }
    }
}
