//! Kernels with their contracts as SMT-LIB over bit vectors, written from the language's documentation (`evariste_ir`'s
//! `Op`, `Contract`, `Claim`) and from nothing in the prover: values are patterns of their type's bits, exact operations
//! are computed with more bits than they can need, and calls run the callee's body.

mod contract;
mod operation;
pub mod solver;

use std::fmt::Write;

use evariste_ir::range::pow2;
use evariste_ir::unroll::{Event, trace};
use evariste_ir::{Array, ArrayKind, Interval, Kernel, Type};
use num_bigint::BigInt;
use num_integer::Integer;

/// Steps after which a kernel is too long for a solver.
const LONGEST: u64 = 4000;

/// A constant of `bits` bits, modulo 2^bits.
pub fn constant(x: &BigInt, bits: u32) -> String {
    format!("(_ bv{} {bits})", x.mod_floor(&pow2(bits)))
}

/// A term with more bits above it: zeros, or copies of its sign.
pub fn extended(term: &str, more: u32, signed: bool) -> String {
    match (more, signed) {
        (0, _) => term.to_string(),
        (_, true) => format!("((_ sign_extend {more}) {term})"),
        (_, false) => format!("((_ zero_extend {more}) {term})"),
    }
}

pub fn all(parts: &[String]) -> String {
    match parts {
        [] => "true".to_string(),
        [one] => one.clone(),
        _ => format!("(and {})", parts.join(" ")),
    }
}

/// The names of the elements of a kernel's arrays.
type Cells = Vec<Vec<Option<String>>>;

/// A script in the making.
#[derive(Default)]
pub struct Script {
    text: String,
    names: u32,
    /// What exact operations and look-ups owe, as terms.
    owed: Vec<String>,
}

impl Script {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A name for a term of that many bits.
    fn define(&mut self, bits: u32, term: &str) -> String {
        let name = self.fresh();
        let _ = writeln!(self.text, "(define-fun {name} () (_ BitVec {bits}) {term})");
        name
    }

    fn unknown(&mut self, bits: u32) -> String {
        let name = self.fresh();
        let _ = writeln!(self.text, "(declare-const {name} (_ BitVec {bits}))");
        name
    }

    /// Runs a kernel on these contents of its arrays. `None`: it has something that is not printed.
    fn run(&mut self, kernel: &Kernel, mut cells: Cells) -> Option<Cells> {
        for (info, cells) in kernel.arrays.iter().zip(&mut cells) {
            if let ArrayKind::Table(entries) = &info.kind {
                *cells = entries.iter().map(|e| Some(constant(e, info.ty.bits()))).collect();
            }
        }
        let mut values: Vec<Option<String>> = vec![None; kernel.values.len()];
        let mut fine = true;
        let result =
            trace(kernel, LONGEST, |_, event| fine &= self.event(kernel, &mut cells, &mut values, event).is_some());
        (result.is_ok() && fine).then_some(cells)
    }

    fn event(&mut self, kernel: &Kernel, cells: &mut Cells, values: &mut [Option<String>], event: Event) -> Option<()> {
        let cell = |array: Array, i: i64| (array.0 as usize, i as usize);
        match event {
            Event::Load { result, array, index } => {
                let (a, i) = cell(array, index?);
                values[result.0 as usize] = cells[a][i].clone();
            }
            Event::Store { array, index, value } => {
                let (a, i) = cell(array, index?);
                cells[a][i] = values[value.0 as usize].clone();
            }
            Event::Begin(l) => {
                for c in &l.carried {
                    values[c.inner.0 as usize] = values[c.init.0 as usize].clone();
                }
            }
            // All are read before any is written.
            Event::Again(l) | Event::End(l) => {
                let next: Vec<_> = l.carried.iter().map(|c| values[c.next.0 as usize].clone()).collect();
                for (c, x) in l.carried.iter().zip(next) {
                    values[c.inner.0 as usize] = x.clone();
                    values[c.result.0 as usize] = x;
                }
            }
            Event::Op { op, args, results, amount } => {
                let terms: Vec<String> = args.iter().map(|v| values[v.0 as usize].clone()).collect::<Option<_>>()?;
                let operands = args.iter().zip(terms).map(|(v, term)| operation::Operand::new(kernel, *v, term));
                let operands: Vec<operation::Operand> = operands.collect();
                let terms = self.operation(kernel, op, &operands, results, amount, cells)?;
                for (v, term) in results.iter().zip(terms) {
                    let named = self.define(kernel.value(*v).ty.bits(), &term);
                    values[v.0 as usize] = Some(named);
                }
            }
            Event::Call { callee, views } => {
                let callee = kernel.callees[callee as usize].clone();
                let mut inner: Cells = callee.arrays.iter().map(|a| vec![None; a.len as usize]).collect();
                for (p, (array, elements)) in callee.params().zip(&views) {
                    for (j, i) in elements.iter().enumerate() {
                        inner[p.0 as usize][j] = cells[array.0 as usize][(*i)? as usize].clone();
                    }
                }
                let after = self.run(&callee, inner)?;
                let written = |a: &Array| callee.array(*a).kind != ArrayKind::Input;
                for (p, (array, elements)) in callee.params().zip(&views).filter(|(p, _)| written(p)) {
                    for (j, i) in elements.iter().enumerate() {
                        cells[array.0 as usize][(*i)? as usize] = after[p.0 as usize][j].clone();
                    }
                }
            }
        }
        Some(())
    }

    /// `lo ≤ term ≤ hi`, the term read with a sign where the interval reaches below 0.
    fn within(term: &str, bits: u32, range: &Interval) -> String {
        let compare = if range.lo < 0.into() { "bvsle" } else { "bvule" };
        let (lo, hi) = (constant(&range.lo, bits), constant(&range.hi, bits));
        format!("(and ({compare} {lo} {term}) ({compare} {term} {hi}))")
    }
}

/// A script that is satisfiable exactly when some admissible input breaks a promise or makes an exact operation leave
/// its type. `None`: the kernel or its contract has something that is not printed (floats, long kernels).
pub fn counterexample(kernel: &Kernel) -> Option<String> {
    let mut script = Script::default();
    let mut cells: Cells = kernel.arrays.iter().map(|a| vec![None; a.len as usize]).collect();
    let mut admissible = Vec::new();
    for a in kernel.params() {
        let info = kernel.array(a);
        if !matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
            continue;
        }
        for i in 0..info.len {
            let name = script.unknown(info.ty.bits());
            admissible.push(Script::within(&name, info.ty.bits(), info.range(i)));
            if let Type::Mask(n) = info.ty {
                let (zeros, ones) = (constant(&0.into(), n.into()), constant(&(-1).into(), n.into()));
                admissible.push(format!("(or (= {name} {zeros}) (= {name} {ones}))"));
            }
            cells[a.0 as usize][i as usize] = Some(name);
        }
    }
    let before = cells.clone();
    let after = script.run(kernel, cells)?;
    let mut promises = std::mem::take(&mut script.owed);
    let (asked, promised) = script.contract(kernel, &before, &after)?;
    admissible.extend(asked);
    promises.extend(promised);
    let (asked, kept) = (all(&admissible), all(&promises));
    Some(format!("(set-logic QF_BV)\n{}(assert {asked})\n(assert (not {kept}))\n(check-sat)\n", script.text))
}
