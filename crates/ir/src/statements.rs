//! All statements of a block, those of its loops too: what looks at statements one by one, in whatever block they are,
//! walks them here. What keeps something for each block (names, invariants, iterations) walks blocks itself.

use crate::kernel::{Array, Index, Kernel, Stmt};

/// Statements in the order of the text, a loop before its body, each with how often it runs (saturating).
pub struct Statements<'a> {
    /// The rest of each open block, and how often the block runs.
    open: Vec<(std::slice::Iter<'a, Stmt>, u64)>,
}

impl<'a> Iterator for Statements<'a> {
    type Item = (&'a Stmt, u64);

    fn next(&mut self) -> Option<(&'a Stmt, u64)> {
        loop {
            let (block, times) = self.open.last_mut()?;
            let times = *times;
            if let Some(stmt) = block.next() {
                if let Stmt::Loop(l) = stmt {
                    self.open.push((l.body.iter(), times.saturating_mul(l.count.into())));
                }
                return Some((stmt, times));
            }
            self.open.pop();
        }
    }
}

/// The statements of a block and of the loops in it, each with how often it runs when the block runs once.
pub fn with_times(body: &[Stmt]) -> Statements<'_> {
    Statements { open: vec![(body.iter(), 1)] }
}

/// The statements of a block and of the loops in it.
pub fn all(body: &[Stmt]) -> impl Iterator<Item = &Stmt> {
    with_times(body).map(|(stmt, _)| stmt)
}

/// Changes the statements of a block and of the loops in it, a loop before its body.
pub fn change_all(body: &mut [Stmt], change: &mut impl FnMut(&mut Stmt)) {
    for stmt in body {
        change(stmt);
        if let Stmt::Loop(l) = stmt {
            change_all(&mut l.body, change);
        }
    }
}

impl Kernel {
    /// All statements, those of loops too.
    pub fn statements(&self) -> impl Iterator<Item = &Stmt> {
        all(&self.body)
    }
}

impl Stmt {
    /// The public indices of the statement itself: of elements, of shifts, where views begin.
    pub fn indices(&self) -> Vec<&Index> {
        match self {
            Stmt::Op { op, .. } => op.amount().into_iter().collect(),
            Stmt::Load { index, .. } | Stmt::Store { index, .. } => vec![index],
            Stmt::Loop(_) => Vec::new(),
            Stmt::Call { args, .. } => args.iter().map(|view| &view.start).collect(),
        }
    }
}

impl Index {
    /// The tables that the index looks into.
    pub fn tables(&self) -> impl Iterator<Item = Array> + '_ {
        let levels = std::iter::successors(self.table.as_ref(), |(_, inner)| inner.table.as_ref());
        levels.map(|(table, _)| *table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "kernel k: word 8 {
    output out: 8 x w8
    input a: 8 x w8

    for i0 in 0..4 {
        %0: w8 = a[i0]
        for i1 in 0..2 {
            out[i0 + i1*4] = %0
        }
    }
    %1: w8 = a[0]
}
";

    #[test]
    fn statements_come_in_the_order_of_the_text() {
        let mut kernel = Kernel::parse(TEXT).unwrap_or_else(|e| panic!("{e}"));
        let name = |stmt: &Stmt| match stmt {
            Stmt::Op { .. } => "op",
            Stmt::Load { .. } => "load",
            Stmt::Store { .. } => "store",
            Stmt::Loop(_) => "loop",
            Stmt::Call { .. } => "call",
        };
        let seen: Vec<(&str, u64)> = with_times(&kernel.body).map(|(stmt, times)| (name(stmt), times)).collect();
        assert_eq!(seen, [("loop", 1), ("load", 4), ("loop", 4), ("store", 8), ("load", 1)]);
        assert!(kernel.statements().map(name).eq(seen.iter().map(|(name, _)| *name)));
        let mut changed = Vec::new();
        change_all(&mut kernel.body, &mut |stmt| changed.push(name(stmt)));
        assert!(changed.iter().eq(seen.iter().map(|(name, _)| name)));
    }
}
