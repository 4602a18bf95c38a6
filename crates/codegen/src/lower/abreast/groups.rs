//! Which calls go side by side: those of one callee that do not wait for each other, four at most.
//!
//! Short callees go first: what they give lets long ones begin, of which as many as can be then begin together.

use super::WORDS;
use super::calls::{Call, Source};

/// The calls of each group, in an order in which every group comes after those that it waits for; `sizes`: nodes of each
/// callee.
pub(super) fn groups(calls: &[Call], sizes: &[usize]) -> Vec<Vec<u32>> {
    let mut done = vec![false; calls.len()];
    let mut groups = Vec::new();
    let is_there = |done: &[bool], source: &Source| match source {
        Source::Result { call, .. } => done[*call as usize],
        Source::Input { .. } | Source::Constant(_) => true,
    };
    while let Some(group) = {
        let ready = |at: &usize| !done[*at] && calls[*at].inputs.iter().all(|source| is_there(&done, source));
        let ready: Vec<usize> = (0..calls.len()).filter(ready).collect();
        let callee = ready.iter().map(|at| calls[*at].callee).min_by_key(|callee| (sizes[*callee], *callee));
        callee.map(|callee| {
            let same = ready.into_iter().filter(|at| calls[*at].callee == callee);
            same.take(WORDS).map(|at| at as u32).collect::<Vec<u32>>()
        })
    } {
        group.iter().for_each(|call| done[*call as usize] = true);
        groups.push(group);
    }
    groups
}
