//! Very long kernels as several functions: compilers need time that grows with the square of a function's length (gcc
//! 12 needs more than five minutes for an unrolled product in GF(2^131)), so that the statements are cut into parts
//! which pass each other their values in a struct.

use std::collections::BTreeSet;
use std::ops::Range;

use evariste_ir::statements::all;
use evariste_ir::{Array, Index, Op, Stmt, Value};

use crate::error::EmitError;

use super::build::Writer;
use super::data::{Body, Part};
use super::prepare::Prepared;

/// From which length on functions are cut, in statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lengths {
    /// Kernels up to this length stay whole.
    pub whole: usize,
    /// Statements of a part at most.
    pub most: usize,
}

impl Lengths {
    /// What suits C compilers.
    pub const USUAL: Lengths = Lengths { whole: 6000, most: 1200 };
    /// No function is cut.
    pub const WHOLE: Lengths = Lengths { whole: usize::MAX, most: usize::MAX };
}

/// Ranges of top-level statements for one function each; a single one when the kernel is short.
pub(super) fn parts(prepared: &Prepared, longest: Lengths) -> Vec<Range<usize>> {
    let body = &prepared.kernel.body;
    let lengths: Vec<usize> = body.iter().map(|stmt| if prepared.is_live(stmt) { length(stmt) } else { 0 }).collect();
    let whole: usize = lengths.iter().sum();
    let mut all = Vec::new();
    let (mut start, mut filled) = (0, 0);
    for (i, length) in lengths.iter().enumerate() {
        if whole > longest.whole && filled > 0 && filled + length > longest.most {
            all.push(start..i);
            (start, filled) = (i, 0);
        }
        filled += length;
    }
    all.push(start..body.len());
    all
}

/// Statements that are no loop.
fn length(stmt: &Stmt) -> usize {
    all(std::slice::from_ref(stmt)).filter(|stmt| !matches!(stmt, Stmt::Loop(_))).count()
}

/// What statements touch.
#[derive(Default)]
struct Touched {
    used: BTreeSet<Value>,
    defined: BTreeSet<Value>,
    arrays: BTreeSet<Array>,
}

impl Touched {
    fn block(&mut self, prepared: &Prepared, body: &[Stmt]) {
        // What is needed lies in loops that are.
        for stmt in all(body).filter(|stmt| prepared.is_live(stmt)) {
            self.arrays.extend(stmt.indices().into_iter().flat_map(Index::tables));
            match stmt {
                Stmt::Op { op, args, results } => {
                    self.used.extend(args);
                    self.defined.extend(results);
                    if let Op::Lookup { table, .. } = op {
                        self.arrays.insert(*table);
                    }
                }
                Stmt::Load { result, array, .. } => {
                    self.defined.insert(*result);
                    self.arrays.insert(*array);
                }
                Stmt::Store { array, value, .. } => {
                    self.used.insert(*value);
                    self.arrays.insert(*array);
                }
                Stmt::Loop(l) => {
                    self.used.extend(l.carried.iter().flat_map(|c| [c.init, c.next]));
                    self.defined.extend(l.carried.iter().map(|c| c.result));
                }
                Stmt::Call { args, .. } => {
                    for view in args {
                        self.arrays.insert(view.array);
                        self.arrays.extend(view.order);
                    }
                }
            }
        }
    }
}

impl Writer<'_> {
    /// Writes the parts.
    pub(super) fn in_parts(&mut self, symbol: &str, parts: &[Range<usize>]) -> Result<Body, EmitError> {
        let prepared = self.prepared;
        let touched: Vec<Touched> = parts
            .iter()
            .map(|part| {
                let mut touched = Touched::default();
                touched.block(prepared, &prepared.kernel.body[part.clone()]);
                touched
            })
            .collect();
        let passes = |v: &&Value| self.prepared.live[v.0 as usize] && !self.prepared.constants.contains_key(v);
        // Values that a later part uses, by the part that defines them.
        let handed: Vec<Vec<Value>> = touched
            .iter()
            .enumerate()
            .map(|(i, t)| {
                t.defined
                    .iter()
                    .filter(passes)
                    .filter(|v| touched[i + 1..].iter().any(|later| later.used.contains(v)))
                    .copied()
                    .collect()
            })
            .collect();
        let mut all = Vec::new();
        for (i, range) in parts.iter().enumerate() {
            self.arrays(&|a| touched[i].arrays.contains(&a), true);
            let tables = std::mem::take(&mut self.out);
            let taken = handed[..i].iter().flatten().filter(|v| touched[i].used.contains(v));
            let takes = taken.map(|v| self.variable(*v)).collect();
            self.block(&prepared.kernel.body[range.clone()])?;
            all.push(Part {
                name: format!("part_{}_of_{symbol}", i + 1),
                tables,
                takes,
                body: std::mem::take(&mut self.out),
                gives: handed[i].iter().map(|v| self.variable(*v)).collect(),
                arrays: self.passed(&touched[i].arrays),
            });
        }
        self.arrays(&|_| true, false);
        Ok(Body::Parts { arrays: std::mem::take(&mut self.out), parts: all })
    }
}
