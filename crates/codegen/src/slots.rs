//! How many slots of each kind a kernel needs.

use std::collections::HashSet;

use evariste_ir::statements::with_times;
use evariste_ir::{ArrayKind, Kernel, Op, Stmt, Type, Value};

/// Slots of a scalar machine with words of 64 bits. Each operation counts the least that any instruction sequence
/// needs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Slots {
    /// Multiplier.
    pub multiplier: f64,
    /// Products among them of which both words are wanted, where these are two instructions.
    pub high: f64,
    /// Additions and subtractions that take part in a carry chain.
    pub carry: f64,
    /// All operations of the arithmetic units, carry chains included, products not.
    pub arithmetic: f64,
    /// Shifts among them, which some processors do in the instruction that takes the result.
    pub shift: f64,
    /// Loads from parameters and local arrays.
    pub load: f64,
    /// Stores.
    pub store: f64,
}

impl Slots {
    fn add(&mut self, other: Slots, times: f64) {
        self.multiplier += other.multiplier * times;
        self.high += other.high * times;
        self.carry += other.carry * times;
        self.arithmetic += other.arithmetic * times;
        self.shift += other.shift * times;
        self.load += other.load * times;
        self.store += other.store * times;
    }
}

/// The slots of a whole kernel, loops multiplied, calls included.
pub fn slots(kernel: &Kernel) -> Slots {
    let kernel = &*kernel.written_out();
    let mut sum = Slots::default();
    let wanted: HashSet<Value> = kernel.statements().flat_map(taken).collect();
    for (stmt, times) in with_times(&kernel.body) {
        let one = match stmt {
            Stmt::Op { op, args, results } => {
                let operands: Vec<Type> = args.iter().map(|v| kernel.value(*v).ty).collect();
                let constant = |i: usize| kernel.value(args[i]).range.constant().is_some();
                let result = results.first().map(|v| kernel.value(*v).ty).unwrap_or(Type::Flag);
                let slots = operation(op, &operands, result, &constant);
                // A low word that is known, or that nobody wants, is not computed.
                let is_computed = |v: &Value| wanted.contains(v) && kernel.value(*v).range.constant().is_none();
                let low = results.first().is_some_and(is_computed);
                Slots { high: if low { slots.high } else { 0.0 }, ..slots }
            }
            // Entries of constant tables can be immediates.
            Stmt::Load { array, .. } if matches!(kernel.array(*array).kind, ArrayKind::Table(_)) => continue,
            Stmt::Load { .. } => Slots { load: 1.0, ..Slots::default() },
            Stmt::Store { .. } => Slots { store: 1.0, ..Slots::default() },
            Stmt::Loop(_) => continue,
            Stmt::Call { callee, .. } => slots(&kernel.callees[*callee as usize]),
        };
        sum.add(one, times as f64);
    }
    sum
}

/// What a statement takes of others in its block.
fn taken(stmt: &Stmt) -> Vec<Value> {
    match stmt {
        Stmt::Op { args, .. } => args.clone(),
        Stmt::Store { value, .. } => vec![*value],
        Stmt::Load { .. } | Stmt::Loop(_) | Stmt::Call { .. } => Vec::new(),
    }
}

/// The least slots of one operation.
fn operation(op: &Op, args: &[Type], result: Type, constant: &dyn Fn(usize) -> bool) -> Slots {
    let bits = args.iter().map(|t| t.bits()).max().unwrap_or(0).max(result.bits());
    // A double word of 128 bits is two registers.
    let registers = (bits as f64 / 64.0).ceil();
    let plain = |n: f64| Slots { arithmetic: n, ..Slots::default() };
    let chain = |n: f64| Slots { arithmetic: n, carry: if n > 1.0 { n - 1.0 } else { 0.0 }, ..Slots::default() };
    let product = |n: f64| Slots { multiplier: n, ..Slots::default() };
    match op {
        Op::Const(_)
        | Op::Widen
        | Op::Narrow
        | Op::Split
        | Op::Join
        | Op::FlagToWord
        | Op::MaskToWord
        | Op::MaskToFlag
        | Op::BitsToFloat
        | Op::FloatToBits => Slots::default(),
        // Flags are consumed by what follows them.
        _ if result == Type::Flag && args.iter().all(|t| *t == Type::Flag) => Slots::default(),
        Op::MulWide if bits > 32 => Slots { high: 1.0, ..product(1.0) },
        Op::Mul | Op::WrappingMul | Op::MulWide | Op::MulFull | Op::Clmul | Op::RijndaelMul => product(1.0),
        Op::MulAddAdd => {
            let addends = [2, 3].into_iter().filter(|i| !constant(*i)).count() as f64;
            let high = if bits > 32 { 1.0 } else { 0.0 };
            Slots { multiplier: 1.0, high, arithmetic: addends, carry: (addends - 1.0).max(0.0), ..Slots::default() }
        }
        Op::MaddLo(_) | Op::MaddHi(_) => Slots { multiplier: 1.0, arithmetic: 1.0, ..Slots::default() },
        Op::AddCarry | Op::SubBorrow if constant(2) => plain(registers),
        Op::AddCarry | Op::SubBorrow => Slots { carry: registers, ..plain(registers) },
        Op::Add | Op::Sub | Op::WrappingAdd | Op::WrappingSub => chain(registers),
        Op::Shl(_) | Op::Shr(_) | Op::Sar(_) | Op::Rotate(_) => Slots { shift: registers, ..plain(registers) },
        _ => plain(registers),
    }
}
