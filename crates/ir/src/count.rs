//! Operation counts of a kernel by class: loops multiplied, calls included.

use std::collections::HashMap;
use std::ops::{AddAssign, Mul};
use std::sync::Arc;

use crate::kernel::{Kernel, Stmt, Type};
use crate::op::{Counted, Op};
use crate::statements::with_times;

/// How many operations of each class one run of a kernel performs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Products of two words, however many words of the product are used (`mul`, `mul_wide`, `mul_full`, `mul_add_add`,
    /// `madd_*`, `clmul`, floats).
    pub multiplications: u64,
    /// Word additions and subtractions with or without carry; the two of `mul_add_add` and the one of `madd_*`
    /// included.
    pub additions: u64,
    /// Additions and subtractions of double words.
    pub wide_additions: u64,
    /// Bitwise operations (and, or, xor, not, masks of low bits) and comparisons.
    pub logic: u64,
    /// Shifts and rotations.
    pub shifts: u64,
    /// Selects.
    pub selects: u64,
    /// Copies that change the type only: widening, narrowing, splits, joins, flags and masks as words.
    pub moves: u64,
    /// Constants.
    pub constants: u64,
    /// Secret look-ups.
    pub lookups: u64,
    /// Elements read from arrays.
    pub loads: u64,
    /// Elements written to arrays.
    pub stores: u64,
    /// Calls.
    pub calls: u64,
}

impl Counts {
    /// All that computes: no copies, loads, stores, constants, calls.
    pub fn operations(&self) -> u64 {
        [self.multiplications, self.additions, self.wide_additions, self.logic, self.shifts, self.selects]
            .iter()
            .fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// All that computes, with loads and stores.
    pub fn steps(&self) -> u64 {
        self.operations().saturating_add(self.loads).saturating_add(self.stores)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, o: Counts) {
        self.multiplications = self.multiplications.saturating_add(o.multiplications);
        self.additions = self.additions.saturating_add(o.additions);
        self.wide_additions = self.wide_additions.saturating_add(o.wide_additions);
        self.logic = self.logic.saturating_add(o.logic);
        self.shifts = self.shifts.saturating_add(o.shifts);
        self.selects = self.selects.saturating_add(o.selects);
        self.moves = self.moves.saturating_add(o.moves);
        self.constants = self.constants.saturating_add(o.constants);
        self.lookups = self.lookups.saturating_add(o.lookups);
        self.loads = self.loads.saturating_add(o.loads);
        self.stores = self.stores.saturating_add(o.stores);
        self.calls = self.calls.saturating_add(o.calls);
    }
}

impl Mul<u64> for Counts {
    type Output = Counts;

    fn mul(self, k: u64) -> Counts {
        Counts {
            multiplications: self.multiplications.saturating_mul(k),
            additions: self.additions.saturating_mul(k),
            wide_additions: self.wide_additions.saturating_mul(k),
            logic: self.logic.saturating_mul(k),
            shifts: self.shifts.saturating_mul(k),
            selects: self.selects.saturating_mul(k),
            moves: self.moves.saturating_mul(k),
            constants: self.constants.saturating_mul(k),
            lookups: self.lookups.saturating_mul(k),
            loads: self.loads.saturating_mul(k),
            stores: self.stores.saturating_mul(k),
            calls: self.calls.saturating_mul(k),
        }
    }
}

/// The counts of one run (saturating).
pub fn count(kernel: &Kernel) -> Counts {
    count_with(kernel, &mut HashMap::new())
}

fn count_with(kernel: &Kernel, known: &mut HashMap<*const Kernel, Counts>) -> Counts {
    for callee in &kernel.callees {
        if !known.contains_key(&Arc::as_ptr(callee)) {
            let counts = count_with(callee, known);
            known.insert(Arc::as_ptr(callee), counts);
        }
    }
    let kernel = &*kernel.written_out();
    block(kernel, &kernel.body, known)
}

fn block(kernel: &Kernel, body: &[Stmt], known: &HashMap<*const Kernel, Counts>) -> Counts {
    let mut sum = Counts::default();
    for (stmt, times) in with_times(body) {
        let mut one = Counts::default();
        match stmt {
            Stmt::Op { op, args, .. } => one = operation(op, args.first().map(|v| kernel.value(*v).ty)),
            Stmt::Load { .. } => one.loads = 1,
            Stmt::Store { .. } => one.stores = 1,
            Stmt::Loop(_) => {}
            Stmt::Call { callee, .. } => {
                one = known.get(&Arc::as_ptr(&kernel.callees[*callee as usize])).copied().unwrap_or_default();
                one += Counts { calls: 1, ..Counts::default() };
            }
        }
        sum += one * times;
    }
    sum
}

/// How often one run performs operations that `wanted` says yes to (saturating).
pub fn count_operations(kernel: &Kernel, wanted: &dyn Fn(&Op) -> bool) -> u64 {
    fn all(kernel: &Kernel, wanted: &dyn Fn(&Op) -> bool, known: &mut HashMap<*const Kernel, u64>) -> u64 {
        for callee in &kernel.callees {
            if !known.contains_key(&Arc::as_ptr(callee)) {
                let n = all(callee, wanted, known);
                known.insert(Arc::as_ptr(callee), n);
            }
        }
        let kernel = &*kernel.written_out();
        let of = |stmt: &Stmt| match stmt {
            Stmt::Op { op, .. } => u64::from(wanted(op)),
            Stmt::Load { .. } | Stmt::Store { .. } | Stmt::Loop(_) => 0,
            Stmt::Call { callee, .. } => {
                known.get(&Arc::as_ptr(&kernel.callees[*callee as usize])).copied().unwrap_or_default()
            }
        };
        with_times(&kernel.body).map(|(stmt, times)| of(stmt).saturating_mul(times)).fold(0, u64::saturating_add)
    }
    all(kernel, wanted, &mut HashMap::new())
}

fn operation(op: &Op, operand: Option<Type>) -> Counts {
    let wide = matches!(operand, Some(Type::Wide(_)));
    let none = Counts::default();
    match op.row().counts {
        Counted::Constant => Counts { constants: 1, ..none },
        Counted::Addition if wide => Counts { wide_additions: 1, ..none },
        Counted::Addition => Counts { additions: 1, ..none },
        Counted::Product(additions) => Counts { multiplications: 1, additions, ..none },
        Counted::Logic => Counts { logic: 1, ..none },
        Counted::Shift => Counts { shifts: 1, ..none },
        Counted::Select => Counts { selects: 1, ..none },
        Counted::Move => Counts { moves: 1, ..none },
        Counted::LookUp => Counts { lookups: 1, ..none },
    }
}
