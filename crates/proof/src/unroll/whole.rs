//! Loops as a whole: one iteration that stands for all.

use evariste_ir::statements::all;
use evariste_ir::{Array, ArrayKind, Index, Kernel, Loop, Stmt};

use super::{Arrays, Domain, Failure, Frame};

/// What a domain needs to take loops as a whole: the body runs once, on what any iteration may find.
pub trait Wholes<V> {
    /// Is a loop of so many trips taken as a whole, here?
    fn takes(&self, trips: u32) -> bool;

    /// The body begins.
    fn begin(&mut self);

    /// A value that nothing is known of.
    fn opaque(&mut self) -> V;

    /// What an element of an array that the body writes holds when an iteration begins.
    fn head(&mut self, array: Array, index: u32) -> V;

    /// Element `base + stride · i`, in iteration i, of an array that the body does not write.
    fn element(&mut self, array: Array, base: i64, stride: i64) -> V;

    /// The body has run: the arrays before the loop, and after the iteration.
    fn end(&mut self, before: Arrays<V>, after: &Arrays<V>);

    /// What an element of an array that the body writes holds after the last iteration.
    fn tail(&mut self, array: Array, index: u32) -> V;

    /// What a carried value is when an iteration begins, given what it is before the loop; in the order of values.
    fn carried(&mut self, init: &V) -> V {
        let _ = init;
        self.opaque()
    }

    /// What the carried value of that place is after the last iteration, given what it is after one.
    fn carried_on(&mut self, place: usize, next: &V) -> V {
        let _ = (place, next);
        self.opaque()
    }
}

/// A loop that is taken as a whole: its counter, and which arrays its body writes.
pub(super) struct Whole {
    counter: u32,
    written: Vec<bool>,
}

/// Marks the arrays that statements write.
fn written(kernel: &Kernel, body: &[Stmt], marks: &mut [bool]) {
    for stmt in all(body) {
        match stmt {
            Stmt::Store { array, .. } => marks[array.0 as usize] = true,
            Stmt::Call { callee, args } => {
                let Some(callee) = kernel.callees.get(*callee as usize) else { continue };
                let given = callee.params().zip(args).filter(|(p, _)| callee.array(*p).kind != ArrayKind::Input);
                given.for_each(|(_, view)| marks[view.array.0 as usize] = true);
            }
            Stmt::Op { .. } | Stmt::Load { .. } | Stmt::Loop(_) => {}
        }
    }
}

impl<'k, D: Domain> Frame<'k, D> {
    /// How far an index moves in each iteration of the loop that is taken as a whole, if it does; 0 where that is not
    /// the same in each.
    pub(super) fn follows(&self, index: &Index) -> Option<i64> {
        let whole = self.whole.as_ref()?;
        let stride = index.terms.iter().filter(|(c, _)| c.0 == whole.counter).map(|(_, k)| k).sum::<i64>();
        match &index.table {
            Some((_, inner)) if self.follows(inner).is_some() => Some(0),
            _ if stride != 0 && index.modulo => Some(0),
            _ => Some(stride).filter(|k| *k != 0),
        }
    }

    /// The place of an element, or where it follows the counter of a loop that is taken as a whole, its value.
    pub(super) fn place(&self, domain: &mut D, array: Array, index: &Index) -> Result<Result<usize, D::V>, Failure> {
        let Some(stride) = self.follows(index) else { return self.cell(array, index).map(Ok) };
        let (Some(whole), Some(wholes)) = (&self.whole, domain.wholes()) else { return Err("no such loop".into()) };
        if stride == 0 || whole.written[array.0 as usize] {
            return Ok(Err(wholes.opaque()));
        }
        let terms = index.terms.iter().filter(|(c, _)| c.0 != whole.counter).cloned().collect();
        let base = self.index(&Index { terms, ..index.clone() }, None)?;
        Ok(Err(wholes.element(array, base, stride)))
    }

    /// Runs the body once, for any iteration: what it writes it may have written before.
    pub(super) fn take_whole(&mut self, domain: &mut D, l: &'k Loop, steps: &mut u64) -> Result<(), Failure> {
        let no_domain = || "no domain of whole loops".to_string();
        let mut marks = vec![false; self.kernel.arrays.len()];
        written(self.kernel, &l.body, &mut marks);
        let before = self.arrays.clone();
        let wholes = domain.wholes().ok_or_else(no_domain)?;
        wholes.begin();
        for (a, cells) in self.arrays.iter_mut().enumerate().filter(|(a, _)| marks[*a]) {
            for (i, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| cell.is_some()) {
                *cell = Some(wholes.head(Array(a as u32), i as u32));
            }
        }
        for c in &l.carried {
            let init = self.get(c.init)?;
            let x = domain.wholes().ok_or_else(no_domain)?.carried(&init);
            self.set(domain, c.inner, x);
        }
        self.whole = Some(Whole { counter: l.counter.0, written: marks.clone() });
        let ran = self.block(domain, &l.body, steps);
        self.whole = None;
        ran?;
        let wholes = domain.wholes().ok_or_else(no_domain)?;
        wholes.end(before, &self.arrays);
        for (a, cells) in self.arrays.iter_mut().enumerate().filter(|(a, _)| marks[*a]) {
            for (i, cell) in cells.iter_mut().enumerate().filter(|(_, cell)| cell.is_some()) {
                *cell = Some(wholes.tail(Array(a as u32), i as u32));
            }
        }
        for (place, c) in l.carried.iter().enumerate() {
            let next = self.get(c.next)?;
            let x = domain.wholes().ok_or_else(no_domain)?.carried_on(place, &next);
            self.set(domain, c.result, x);
        }
        Ok(())
    }
}
