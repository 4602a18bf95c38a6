//! Operation counts of a kernel by class: loops multiplied, calls included.

use std::ops::{AddAssign, Mul};

use crate::kernel::{Kernel, Stmt, Type};
use crate::op::Op;

/// How many operations of each class one run of a kernel performs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Products of two words, however many words of the product are used (`mul`, `mul_wide`, `mul_full`, `mul_add_add`, `madd_*`, `clmul`, floats).
    pub multiplications: u64,
    /// Word additions and subtractions with or without carry; the two of `mul_add_add` and the one of `madd_*` included.
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

impl AddAssign for Counts {
    fn add_assign(&mut self, o: Counts) {
        self.multiplications += o.multiplications;
        self.additions += o.additions;
        self.wide_additions += o.wide_additions;
        self.logic += o.logic;
        self.shifts += o.shifts;
        self.selects += o.selects;
        self.moves += o.moves;
        self.constants += o.constants;
        self.lookups += o.lookups;
        self.loads += o.loads;
        self.stores += o.stores;
        self.calls += o.calls;
    }
}

impl Mul<u64> for Counts {
    type Output = Counts;

    fn mul(self, k: u64) -> Counts {
        Counts {
            multiplications: self.multiplications * k,
            additions: self.additions * k,
            wide_additions: self.wide_additions * k,
            logic: self.logic * k,
            shifts: self.shifts * k,
            selects: self.selects * k,
            moves: self.moves * k,
            constants: self.constants * k,
            lookups: self.lookups * k,
            loads: self.loads * k,
            stores: self.stores * k,
            calls: self.calls * k,
        }
    }
}

/// The counts of one run.
pub fn count(kernel: &Kernel) -> Counts {
    block(kernel, &kernel.body)
}

fn block(kernel: &Kernel, stmts: &[Stmt]) -> Counts {
    let mut sum = Counts::default();
    for stmt in stmts {
        match stmt {
            Stmt::Op { op, args, .. } => sum += operation(op, args.first().map(|v| kernel.value(*v).ty)),
            Stmt::Load { .. } => sum.loads += 1,
            Stmt::Store { .. } => sum.stores += 1,
            Stmt::Loop(l) => sum += block(kernel, &l.body) * u64::from(l.count),
            Stmt::Call { callee, .. } => {
                sum.calls += 1;
                sum += count(&kernel.callees[*callee as usize]);
            }
        }
    }
    sum
}

fn operation(op: &Op, operand: Option<Type>) -> Counts {
    use Op::*;
    let wide = matches!(operand, Some(Type::Wide(_)));
    let mut c = Counts::default();
    match op {
        Const(_) => c.constants = 1,
        Add | Sub | WrappingAdd | WrappingSub | AddCarry | SubBorrow if wide => c.wide_additions = 1,
        Add | Sub | WrappingAdd | WrappingSub | AddCarry | SubBorrow | FloatAdd | FloatSub => c.additions = 1,
        Mul | WrappingMul | MulWide | MulFull | Clmul | FloatMul => c.multiplications = 1,
        MulAddAdd => (c.multiplications, c.additions) = (1, 2),
        MaddLo(_) | MaddHi(_) | FloatFma => (c.multiplications, c.additions) = (1, 1),
        And | Or | Xor | Not | AndNot | LowBits(_) | Equal | Less => c.logic = 1,
        Shl(_) | WrappingShl(_) | Shr(_) | Sar(_) | Rotate(_) | FunnelShift(_) => c.shifts = 1,
        Select => c.selects = 1,
        FlagToWord | FlagToMask | MaskToWord | MaskToFlag | Widen | Narrow | Split | Join | BitsToFloat | FloatToBits => c.moves = 1,
        Lookup { .. } => c.lookups = 1,
    }
    c
}
