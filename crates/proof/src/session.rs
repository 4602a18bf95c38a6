//! One proof with its callees: the order of work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use evariste_ir::{ArrayKind, Interval, Kernel, Stmt};
use num_bigint::BigInt;
use num_traits::One;

use crate::broken_rules::{Rule, broken};
use crate::claims;
use crate::equations::{Atom, Poly};
use crate::outcome::{Obligation, Report};
use crate::search::Search;
use crate::translate::{self, Translation, translate};

/// Kernels that were proved, alone or as callees, for the proofs of many kernels: each is proved once, whoever calls it.
///
/// What is kept is the whole kernel, contract and callees included, and it answers for an equal one only: a proof
/// depends on nothing else.
#[derive(Default)]
pub struct Callees {
    proved: Mutex<HashMap<(String, usize), Vec<(Arc<Kernel>, Ranges)>>>,
}

impl Callees {
    /// What narrows the search down.
    fn place(kernel: &Kernel) -> (String, usize) {
        (kernel.name.clone(), kernel.values.len())
    }

    fn find(&self, kernel: &Kernel) -> Option<Ranges> {
        let proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        let of_place = proved.get(&Callees::place(kernel))?;
        of_place.iter().find(|(known, _)| broken(Rule::KnownCallee) || **known == *kernel).map(|(_, r)| r.clone())
    }

    pub(crate) fn keep(&self, kernel: &Arc<Kernel>, ranges: &Ranges) {
        let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        let of_place = proved.entry(Callees::place(kernel)).or_default();
        if of_place.iter().all(|(known, _)| **known != **kernel) {
            of_place.push((kernel.clone(), ranges.clone()));
        }
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).values().map(Vec::len).sum()
    }
}

/// One proof with those of its callees.
pub struct Session<'c> {
    callees: HashMap<*const Kernel, (Arc<Kernel>, Result<Ranges, String>)>,
    known: &'c Callees,
}

impl<'c> Session<'c> {
    pub(crate) fn new(known: &'c Callees) -> Self {
        Session { callees: HashMap::new(), known }
    }

    /// Proves a callee once.
    pub(crate) fn prove_callee(&mut self, callee: &Arc<Kernel>) -> Result<(), String> {
        let key = Arc::as_ptr(callee);
        if let Some((_, known)) = self.callees.get(&key) {
            return known.as_ref().map(|_| ()).map_err(Clone::clone);
        }
        let result = match self.known.find(callee) {
            Some(ranges) => {
                // What it calls was proved with it, and is known too.
                callee.written_out().callees.iter().try_for_each(|inner| self.prove_callee(inner)).map(|()| ranges)
            }
            None => match self.check(callee) {
                Ok(checked) => {
                    self.known.keep(callee, &checked.ranges);
                    Ok(checked.ranges)
                }
                Err(o) => Err(format!("{}: {} ({})", callee.name, o.what, o.detail)),
            },
        };
        // The kernel is kept alive, so that its address stays its own.
        let verdict = result.as_ref().map(|_| ()).map_err(Clone::clone);
        self.callees.insert(key, (callee.clone(), result));
        verdict
    }

    /// The kernel as it may leave: with the intervals that were proved, without ghosts and dead code.
    pub(crate) fn clean(&self, kernel: &Kernel, checked: &Checked) -> Kernel {
        evariste_ir::prune(&self.with_ranges(kernel, &checked.ranges, &mut HashMap::new()))
    }

    fn with_ranges(&self, kernel: &Kernel, ranges: &Ranges, done: &mut HashMap<*const Kernel, Arc<Kernel>>) -> Kernel {
        let mut out = kernel.clone();
        let mut carried = vec![false; kernel.values.len()];
        invariants(kernel, &mut carried);
        for ((info, range), carried) in out.values.iter_mut().zip(ranges).zip(carried) {
            // Carried values keep their invariant, which was shown as declared.
            if let Some(range) = range.as_ref().filter(|r| !carried && r.fits(info.ty)) {
                info.range = range.clone();
            }
        }
        for callee in &mut out.callees {
            let key = Arc::as_ptr(callee);
            if !done.contains_key(&key) {
                let new = match self.callees.get(&key) {
                    Some((_, Ok(ranges))) => Arc::new(self.with_ranges(callee, ranges, done)),
                    _ => callee.clone(),
                };
                done.insert(key, new);
            }
            *callee = done[&key].clone();
        }
        out
    }

    /// Proves every promise; what is learned about the values' intervals comes back.
    pub(crate) fn check(&mut self, kernel: &Kernel) -> Result<Checked, Obligation> {
        let start = Instant::now();
        let structure = |detail: String| Obligation { what: format!("structure of {}", kernel.name), detail };
        evariste_ir::verify(kernel).map_err(|d| structure(d.first().map_or_else(String::new, |d| d.to_string())))?;
        // What is defined by a body is proved by it; values keep their numbers.
        let kernel = &*kernel.written_out();
        let mut translation = translate(kernel, &mut |callee| self.prove_callee(callee)).map_err(structure)?;
        let obligations = std::mem::take(&mut translation.values.obligations);
        let muted = std::mem::take(&mut translation.values.muted);
        let mut search = Search::new(&translation.values.sys, &roots(&translation), &translation.values.masks, muted);
        search.low_words();
        for o in &obligations {
            discharge(&mut search, o)?;
        }
        let mut report = Report {
            operations: translation.steps,
            obligations: obligations.len() as u64,
            callees: self.callees.len() as u64,
            ..Report::default()
        };
        for (i, claim) in kernel.contract.claims.iter().enumerate() {
            claims::check(&translation, &mut search, i, claim, &mut report)?;
        }
        report.stats = search.stats;
        report.time = start.elapsed();
        let ranges = translation.ranges.into_iter().map(|r| r.map(|(lo, hi)| Interval { lo, hi })).collect();
        Ok(Checked { report, ranges })
    }
}

/// Marks the values that loops carry.
fn invariants(kernel: &Kernel, carried: &mut [bool]) {
    for stmt in kernel.statements() {
        if let Stmt::Loop(l) = stmt {
            for c in &l.carried {
                carried[c.inner.0 as usize] = true;
                carried[c.result.0 as usize] = true;
            }
        }
    }
}

/// Proved intervals by value; `None` where a value is never reached.
pub(crate) type Ranges = Vec<Option<Interval>>;

/// What a successful proof leaves behind.
pub(crate) struct Checked {
    /// The report.
    pub report: Report,
    /// Proved intervals of the SSA values.
    pub ranges: Ranges,
}

/// Shows one obligation.
fn discharge(search: &mut Search, o: &translate::Obligation) -> Result<(), Obligation> {
    let minus = -BigInt::one();
    if let Some(hi) = &o.hi {
        at_most(search, &o.poly, hi, o.limit, &o.what)?;
    }
    if let Some(lo) = &o.lo {
        at_most(search, &o.poly.scaled(&minus), &-lo, o.limit, &o.what)?;
    }
    Ok(())
}

/// Shows `poly ≤ max`.
pub(crate) fn at_most(
    search: &mut Search,
    poly: &Poly,
    max: &BigInt,
    limit: Atom,
    what: &str,
) -> Result<(), Obligation> {
    if broken(Rule::Obligation) {
        return Ok(());
    }
    let proved = search.at_most(poly, max, limit, &[]);
    if proved.is_some_and(|b| b.says(poly, max, limit)) {
        return Ok(());
    }
    Err(Obligation { what: what.to_string(), detail: "the bound is not shown".to_string() })
}

/// The atoms that outputs are made of.
fn roots(t: &Translation) -> Vec<Atom> {
    let written = t
        .kernel
        .arrays
        .iter()
        .zip(&t.arrays)
        .filter(|(info, _)| matches!(info.kind, ArrayKind::Output | ArrayKind::InOut | ArrayKind::Ghost));
    let counted = t.outputs.iter().flatten().flatten();
    written.flat_map(|(_, cells)| cells.iter().flatten()).chain(counted).filter_map(|x| x.atom).collect()
}
