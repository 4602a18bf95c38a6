//! Random kernels for the generators: every integer operation, signed readings, constants at the edges, tables, locals
//! that are written and looked up, loops, calls through views. What comes out is well formed more often than not; the
//! verifier sorts out the rest.

use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayInfo, ArrayKind, Carried, Contract, Counter, Index, Interval, Kernel, Loop, Op, Stmt, Type, Value,
    ValueInfo, View,
};
use evariste_testing::Random;
use num_bigint::BigInt;

/// What the generators draw beside words.
pub trait Draws {
    fn one_in(&mut self, n: u64) -> bool;
    fn one_of<T: Clone>(&mut self, all: &[T]) -> T;
    /// An integer of `bits` bits, often an edge.
    fn edge(&mut self, bits: u32) -> BigInt;
}

impl Draws for Random {
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        self.pick(all).clone()
    }

    fn edge(&mut self, bits: u32) -> BigInt {
        match self.below(7) {
            0 => 0.into(),
            1 => 1.into(),
            2 => pow2(bits) - 1,
            3 => pow2(bits - 1),
            4 => pow2(self.below(bits.into()) as u32),
            _ => BigInt::from(u128::from(self.word()) << 64 | u128::from(self.word())) % pow2(bits),
        }
    }
}

/// What kernels are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    /// Integers: sums, products, carries, shifts, selections.
    Arithmetic,
    /// What may be linear over GF(2).
    Bits,
    /// What tests for zero and equality are made of.
    Comparison,
}

/// A kernel in the making.
pub struct Writer<'r> {
    pub random: &'r mut Random,
    pub kernel: Kernel,
    word: u8,
    flavour: Flavour,
    /// Are some values read with a sign?
    signed: bool,
    visible: Vec<(Value, Type)>,
    blocks: Vec<Vec<Stmt>>,
    counters: u32,
    /// The innermost open loop.
    open: Option<(Counter, u32)>,
}

fn signed(ty: Type) -> Interval {
    Interval { lo: -pow2(ty.bits() - 1), hi: pow2(ty.bits() - 1) - 1 }
}

impl<'r> Writer<'r> {
    pub fn new(random: &'r mut Random, name: &str, word: u8, flavour: Flavour) -> Writer<'r> {
        let signed = random.one_in(3) && word > 1;
        let kernel = Kernel {
            name: name.into(),
            word: word.into(),
            arrays: Vec::new(),
            disjoint: Vec::new(),
            callees: Vec::new(),
            values: Vec::new(),
            body: Vec::new(),
            contract: Contract::default(),
            vartime: false,
        };
        let blocks = vec![Vec::new()];
        Writer { random, kernel, word, flavour, signed, visible: Vec::new(), blocks, counters: 0, open: None }
    }

    pub fn word(&self) -> Type {
        Type::Word(self.word)
    }

    pub fn array(&mut self, name: &str, ty: Type, len: u32, kind: ArrayKind, ranges: Vec<Interval>) -> Array {
        self.kernel.arrays.push(ArrayInfo { name: name.into(), ty, len, kind, ranges });
        Array(self.kernel.arrays.len() as u32 - 1)
    }

    fn scratch(&mut self, len: u32, kind: ArrayKind, range: Interval) -> Array {
        let name = format!("t{}", self.kernel.arrays.len());
        self.array(&name, self.word(), len, kind, vec![range])
    }

    pub fn push(&mut self, statement: Stmt) {
        self.blocks.last_mut().expect("a block is open").push(statement);
    }

    fn define(&mut self, ty: Type, range: Interval) -> Value {
        self.kernel.values.push(ValueInfo { ty, range });
        let value = Value(self.kernel.values.len() as u32 - 1);
        self.visible.push((value, ty));
        value
    }

    fn range(&mut self, ty: Type) -> Interval {
        let integer = matches!(ty, Type::Word(n) | Type::Wide(n) if n > 1);
        if self.signed && integer && self.random.one_in(6) { signed(ty) } else { ty.full() }
    }

    pub fn apply(&mut self, op: Op, args: &[Value], results: &[Type]) -> Value {
        let ranges: Vec<Interval> = results.iter().map(|ty| self.range(*ty)).collect();
        let results: Vec<Value> = results.iter().zip(ranges).map(|(ty, range)| self.define(*ty, range)).collect();
        self.push(Stmt::Op { op, args: args.to_vec(), results: results.clone() });
        results[0]
    }

    pub fn load(&mut self, array: Array, index: impl Into<Index>) -> Value {
        let info = self.kernel.array(array);
        let (ty, first) = (info.ty, info.ranges[0].clone());
        let result = self.define(ty, if first.lo < 0.into() { signed(ty) } else { ty.full() });
        self.push(Stmt::Load { result, array, index: index.into() });
        result
    }

    pub fn store(&mut self, array: Array, index: impl Into<Index>, value: Value) {
        self.push(Stmt::Store { array, index: index.into(), value });
    }

    /// A value of that type: a recent one, any earlier one, or a constant.
    pub fn value(&mut self, ty: Type) -> Value {
        let all: Vec<Value> = self.visible.iter().filter(|(_, t)| *t == ty).map(|(v, _)| *v).collect();
        if all.is_empty() || self.random.one_in(12) {
            return self.constant(ty);
        }
        let near = all.len().min(4);
        if self.random.one_in(3) { self.random.one_of(&all) } else { self.random.one_of(&all[all.len() - near..]) }
    }

    /// The last value of that type, half of the time.
    pub fn recent(&mut self, ty: Type) -> Value {
        match self.visible.iter().rev().find(|(_, t)| *t == ty) {
            Some((v, _)) if self.random.one_in(2) => *v,
            _ => self.value(ty),
        }
    }

    pub fn constant(&mut self, ty: Type) -> Value {
        let range = self.range(ty);
        let constant = match ty {
            Type::Mask(n) if self.random.one_in(2) => pow2(n.into()) - 1,
            Type::Mask(_) => 0.into(),
            _ => {
                let x = self.random.edge(ty.bits());
                if x > range.hi { x - pow2(ty.bits()) } else { x }
            }
        };
        let result = self.define(ty, range);
        self.push(Stmt::Op { op: Op::Const(constant), args: Vec::new(), results: vec![result] });
        result
    }

    /// That constant as an unsigned word.
    fn exactly(&mut self, constant: BigInt) -> Value {
        let result = self.define(self.word(), self.word().full());
        self.push(Stmt::Op { op: Op::Const(constant), args: Vec::new(), results: vec![result] });
        result
    }

    /// An unsigned word.
    pub fn unsigned(&mut self) -> Value {
        let x = self.value(self.word());
        if self.kernel.value(x).range.lo >= 0.into() {
            return x;
        }
        let result = self.define(self.word(), self.word().full());
        self.push(Stmt::Op { op: Op::LowBits(self.word.into()), args: vec![x], results: vec![result] });
        result
    }

    fn amount(&mut self, below: u32) -> Index {
        match self.open {
            Some((counter, count)) if count <= below && self.random.one_in(3) => Index::counter(counter),
            _ => Index::at(self.random.below(below.into()) as i64),
        }
    }

    /// One more step.
    pub fn step(&mut self) {
        match (self.flavour, self.random.below(24)) {
            (_, 0) if self.open.is_none() => self.repeat(),
            (_, 1) if !self.kernel.callees.is_empty() => self.call(),
            (Flavour::Bits, 2..=4) | (Flavour::Arithmetic, 2) => self.look_up(),
            (Flavour::Bits, 5..=6) => self.constants(),
            (Flavour::Arithmetic, 3..=12) => self.carries(),
            (Flavour::Arithmetic, 13..=17) => self.moves(),
            (Flavour::Arithmetic, _) => {
                self.chooses();
            }
            (Flavour::Bits, 7..=11) => self.adds_bits(),
            (Flavour::Bits, 12..=18) => self.moves(),
            (Flavour::Bits, _) => self.multiplies_bits(),
            (Flavour::Comparison, 2..=8) => self.truths(),
            (Flavour::Comparison, _) => self.compares(),
        }
    }

    /// Exact, wrapping and carrying arithmetic.
    fn carries(&mut self) {
        let (word, flag) = (self.word(), Type::Flag);
        let wide = Type::Wide(2 * self.word);
        let t = if self.random.one_in(6) { wide } else { word };
        let (x, y) = (self.value(t), self.value(t));
        match self.random.below(14) {
            0..=2 => {
                let c = self.value(flag);
                self.apply(Op::AddCarry, &[x, y, c], &[t, flag])
            }
            3 | 4 => {
                let c = self.value(flag);
                self.apply(Op::SubBorrow, &[x, y, c], &[t, flag])
            }
            5 => {
                let op = self.random.one_of(&[Op::WrappingAdd, Op::WrappingSub, Op::WrappingMul]);
                self.apply(op, &[x, y], &[t])
            }
            6 | 7 => {
                let op = self.random.one_of(&[Op::Add, Op::Sub, Op::Mul]);
                self.apply(op, &[x, y], &[t])
            }
            8 => {
                let k = self.amount(t.bits());
                self.apply(Op::Shl(k), &[x], &[t])
            }
            9 => {
                let a = [(); 3].map(|()| self.value(word));
                let k = 1 + self.random.below(self.word.into()) as u32;
                let op = self.random.one_of(&[Op::MaddLo(k), Op::MaddHi(k)]);
                self.apply(op, &a, &[word])
            }
            10 => {
                let a = [(); 4].map(|()| self.value(word));
                self.apply(Op::MulAddAdd, &a, &[word, word])
            }
            11 => {
                let a = [(); 2].map(|()| self.value(word));
                self.apply(Op::MulFull, &a, &[wide])
            }
            _ => {
                let a = [(); 2].map(|()| self.value(word));
                self.apply(Op::MulWide, &a, &[word, word])
            }
        };
    }

    /// What moves bits.
    fn moves(&mut self) {
        let (word, wide) = (self.word(), Type::Wide(2 * self.word));
        let t = if self.random.one_in(6) { wide } else { word };
        let x = self.value(t);
        let n = t.bits();
        match self.random.below(12) {
            0..=4 => {
                let k = self.amount(n);
                let op = [Op::Shr, Op::Sar, Op::Rotate, Op::WrappingShl, Op::Shr][self.random.below(5) as usize](k);
                self.apply(op, &[x], &[t])
            }
            5 => {
                let a = [(); 2].map(|()| self.value(word));
                let k = Index::at(self.random.below(u64::from(self.word) + 1) as i64);
                self.apply(Op::FunnelShift(k), &a, &[word])
            }
            6 | 7 => {
                let k = self.random.below(u64::from(n) + 1) as u32;
                self.apply(Op::LowBits(k), &[x], &[t])
            }
            8 => {
                let x = self.value(word);
                self.apply(Op::Widen, &[x], &[wide])
            }
            9 => {
                // From a type of its own, whose constants may be negative.
                let narrow = Type::Word((self.word / 2).max(1));
                let x = self.value(narrow);
                self.apply(Op::Widen, &[x], &[word])
            }
            10 => {
                let x = self.value(wide);
                if self.random.one_in(2) {
                    self.apply(Op::Split, &[x], &[word, word])
                } else {
                    self.apply(Op::Narrow, &[x], &[word])
                }
            }
            _ => {
                let a = [(); 2].map(|()| self.value(word));
                self.apply(Op::Join, &a, &[wide])
            }
        };
    }

    /// Masks, selections, bits.
    fn chooses(&mut self) -> Value {
        let (word, flag, mask) = (self.word(), Type::Flag, Type::Mask(self.word));
        match self.random.below(12) {
            0 | 1 => {
                let f = self.value(flag);
                self.apply(Op::FlagToMask, &[f], &[mask])
            }
            2 => {
                let f = self.value(flag);
                self.apply(Op::FlagToWord, &[f], &[word])
            }
            3 => {
                let m = self.value(mask);
                self.apply(Op::MaskToWord, &[m], &[word])
            }
            4 => {
                let m = self.value(mask);
                self.apply(Op::MaskToFlag, &[m], &[flag])
            }
            5 => {
                let a = [(); 2].map(|()| self.value(word));
                let op = self.random.one_of(&[Op::Equal, Op::Less]);
                self.apply(op, &a, &[mask])
            }
            6..=8 => {
                let t = self.random.one_of(&[word, word, flag]);
                let (m, x, y) = (self.value(mask), self.value(t), self.value(t));
                self.apply(Op::Select, &[m, x, y], &[t])
            }
            _ => self.bitwise(),
        }
    }

    fn bitwise(&mut self) -> Value {
        let t = self.random.one_of(&[self.word(), self.word(), Type::Flag, Type::Mask(self.word)]);
        let (x, y) = (self.value(t), self.value(t));
        if self.random.one_in(5) {
            return self.apply(Op::Not, &[x], &[t]);
        }
        let op = self.random.one_of(&[Op::And, Op::Or, Op::Xor, Op::AndNot]);
        self.apply(op, &[x, y], &[t])
    }

    /// Sums over GF(2), and what only seems to be one.
    fn adds_bits(&mut self) {
        if self.word == 8 && self.random.one_in(6) {
            self.bit_matrix();
            return;
        }
        let t = self.random.one_of(&[self.word(), self.word(), self.word(), Type::Mask(self.word)]);
        let (x, y) = (self.value(t), self.value(t));
        let op = self.random.one_of(&[Op::Xor, Op::Xor, Op::Xor, Op::AndNot, Op::Or]);
        self.apply(op, &[x, y], &[t]);
    }

    /// A matrix times a byte: any matrix, or one of few bits.
    pub fn bit_matrix(&mut self) {
        let word = self.word();
        let x = self.value(word);
        let few = self.random.word() & self.random.word() & self.random.word();
        let images = if self.random.one_in(2) { few } else { self.random.word() };
        self.apply(Op::BitMatrix(images), &[x], &[word]);
    }

    /// A value plus an operation on constants plus one of them: what is added is 0 or not, by what the operation is.
    fn constants(&mut self) {
        let word = self.word();
        let (x, y) = (self.constant(word), self.constant(word));
        let op = self.random.one_of(&[Op::AndNot, Op::And, Op::Or, Op::Xor]);
        let z = match self.random.below(8) {
            0 => self.apply(Op::Not, &[x], &[word]),
            1 => self.widened(),
            2 => self.apply(Op::LowBits(1), &[x], &[word]),
            _ => self.apply(op, &[x, y], &[word]),
        };
        let sum = self.apply(Op::Xor, &[z, x], &[word]);
        let other = self.value(word);
        self.apply(Op::Xor, &[sum, other], &[word]);
    }

    /// A constant of a narrow type, often negative, as a word.
    fn widened(&mut self) -> Value {
        let narrow = Type::Word((self.word / 2).max(1));
        let range = if self.random.one_in(2) && self.word > 1 { signed(narrow) } else { narrow.full() };
        let x = if self.random.one_in(2) { pow2(narrow.bits()) - 1 } else { self.random.edge(narrow.bits()) };
        let x = if x > range.hi { x - pow2(narrow.bits()) } else { x };
        let constant = self.define(narrow, range);
        self.push(Stmt::Op { op: Op::Const(x), args: Vec::new(), results: vec![constant] });
        let word = self.word();
        self.apply(Op::Widen, &[constant], &[word])
    }

    /// A mask as a word, cut by constants, as a mask again.
    fn truths(&mut self) {
        let (word, mask) = (self.word(), Type::Mask(self.word));
        let mut m = self.recent(mask);
        if self.random.one_in(2) {
            m = self.apply(Op::Not, &[m], &[mask]);
        }
        let mut x = self.apply(Op::MaskToWord, &[m], &[word]);
        let cut = if self.random.one_in(2) { self.widened() } else { self.constant(word) };
        x = self.apply(Op::And, &[x, cut], &[word]);
        if self.random.one_in(2) {
            let bit = pow2(self.random.below(self.word.into()) as u32);
            let bit = self.exactly(bit);
            x = self.apply(Op::And, &[x, bit], &[word]);
        }
        let zero = self.apply(Op::Const(0.into()), &[], &[word]);
        let is_zero = self.apply(Op::Equal, &[x, zero], &[mask]);
        if self.random.one_in(2) {
            self.apply(Op::Not, &[is_zero], &[mask]);
        }
    }

    /// Products over GF(2).
    fn multiplies_bits(&mut self) {
        let (word, flag, mask) = (self.word(), Type::Flag, Type::Mask(self.word));
        let (x, y) = (self.value(word), self.value(word));
        match self.random.below(8) {
            0..=2 => self.apply(Op::And, &[x, y], &[word]),
            3 => self.apply(Op::Clmul, &[x, y], &[Type::Wide(2 * self.word)]),
            4 if self.word == 8 => self.apply(Op::RijndaelMul, &[x, y], &[word]),
            4 | 5 => {
                // The lowest bit as a mask, and a selection by it.
                let low = self.apply(Op::LowBits(1), &[x], &[word]);
                let zero = self.apply(Op::Const(0.into()), &[], &[word]);
                let m = self.apply(Op::Less, &[zero, low], &[mask]);
                self.apply(Op::Select, &[m, x, y], &[word])
            }
            6 => {
                let m = self.value(mask);
                let f = self.apply(Op::MaskToFlag, &[m], &[flag]);
                self.apply(Op::FlagToWord, &[f], &[word])
            }
            _ => {
                let m = self.value(mask);
                self.apply(Op::MaskToWord, &[m], &[word])
            }
        };
    }

    /// What tests for zero are made of, and what only looks like it.
    fn compares(&mut self) {
        let (word, flag, mask) = (self.word(), Type::Flag, Type::Mask(self.word));
        let (x, y) = (self.value(word), self.value(word));
        match self.random.below(16) {
            0..=3 => {
                let op = self.random.one_of(&[Op::Xor, Op::WrappingSub]);
                self.apply(op, &[x, y], &[word])
            }
            4 => self.apply(Op::Or, &[x, y], &[word]),
            5 => {
                let op = self.random.one_of(&[Op::Equal, Op::Equal, Op::Less]);
                self.apply(op, &[x, y], &[mask])
            }
            6 => {
                let zero = self.apply(Op::Const(0.into()), &[], &[word]);
                self.apply(Op::Equal, &[x, zero], &[mask])
            }
            7 => {
                let one = self.apply(Op::Const(1.into()), &[], &[word]);
                self.apply(Op::Less, &[x, one], &[mask])
            }
            8 => {
                let c = self.value(flag);
                self.apply(Op::SubBorrow, &[x, y, c], &[word, flag])
            }
            9 => self.widened(),
            10..=12 => self.bitwise(),
            _ => self.chooses(),
        };
    }

    /// A look-up in a table, or in a local made of constants and values.
    fn look_up(&mut self) {
        let bits = 1 + self.random.below(2) as u32;
        if bits > self.word.into() {
            return self.moves();
        }
        let (len, word) = (1u32 << bits, self.word());
        let table = if self.random.one_in(3) {
            let entries = (0..len).map(|_| self.random.edge(word.bits())).collect();
            self.scratch(len, ArrayKind::Table(entries), word.full())
        } else {
            let made = self.scratch(len, ArrayKind::Local, word.full());
            let entries = self.entries(len);
            entries.iter().enumerate().for_each(|(i, x)| self.store(made, i, *x));
            made
        };
        let x = self.value(word);
        let index = self.apply(Op::LowBits(bits), &[x], &[word]);
        self.apply(Op::Lookup { table, vartime: false }, &[index], &[word]);
    }

    /// Sums of the entries at powers of two, or anything.
    fn entries(&mut self, len: u32) -> Vec<Value> {
        let word = self.word();
        if self.random.one_in(4) {
            return (0..len).map(|_| self.unsigned()).collect();
        }
        let zero = self.apply(Op::Const(0.into()), &[], &[word]);
        let mut entries = vec![zero];
        while entries.len() < len as usize {
            // The entries so far, and each plus the next one, which may be the last one again.
            let last = entries[entries.len() / 2];
            let next = match self.random.below(6) {
                0..=2 if last != zero => last,
                0..=2 => self.constant(word),
                _ => self.unsigned(),
            };
            let more: Vec<Value> = entries
                .clone()
                .into_iter()
                .map(|e| if e == zero { next } else { self.apply(Op::Xor, &[e, next], &[word]) })
                .collect();
            entries.extend(more);
        }
        entries
    }

    /// A loop of one to three trips that carries up to two values.
    fn repeat(&mut self) {
        let counter = Counter(self.counters);
        self.counters += 1;
        let count = 1 + self.random.below(3) as u32;
        let kinds = [self.word(), self.word(), Type::Flag, Type::Mask(self.word)];
        let types: Vec<Type> = (0..self.random.below(3)).map(|_| self.random.one_of(&kinds)).collect();
        let init: Vec<Value> = types.iter().map(|ty| self.value(*ty)).collect();
        let outside = self.visible.len();
        self.open = Some((counter, count));
        let inner: Vec<Value> = types.iter().map(|ty| self.define(*ty, ty.full())).collect();
        self.blocks.push(Vec::new());
        (0..1 + self.random.below(4)).for_each(|_| self.step());
        let next: Vec<Value> = types.iter().map(|ty| self.value(*ty)).collect();
        let body = self.blocks.pop().expect("the loop's block");
        self.open = None;
        self.visible.truncate(outside);
        let result: Vec<Value> = types.iter().map(|ty| self.define(*ty, ty.full())).collect();
        let carried = (0..types.len())
            .map(|i| Carried { init: init[i], inner: inner[i], next: next[i], result: result[i] })
            .collect();
        self.push(Stmt::Loop(Loop { counter, count, carried, body }));
    }

    /// A call with locals that were just written, through plain and rotated views; ghosts go to locals that are then
    /// sometimes read.
    fn call(&mut self) {
        let callee = self.kernel.callees[0].clone();
        let mut views = Vec::new();
        let mut given = Vec::new();
        for p in callee.params() {
            let (len, kind) = (callee.array(p).len, callee.array(p).kind.clone());
            let array = self.scratch(len, ArrayKind::Local, self.word().full());
            if kind == ArrayKind::Input {
                for i in 0..len {
                    let x = self.unsigned();
                    self.store(array, i, x);
                }
            } else if kind != ArrayKind::Ghost || self.random.one_in(4) {
                given.push((array, len));
            }
            let start = Index::at(self.random.below(u64::from(len)) as i64).modulo();
            views.push(View { array, start, order: None });
        }
        self.push(Stmt::Call { callee: 0, args: views });
        for (array, len) in given {
            (0..len).for_each(|i| {
                self.load(array, i);
            });
        }
    }

    /// The kernel.
    pub fn finish(mut self) -> Kernel {
        self.kernel.body = self.blocks.pop().expect("the outermost block");
        self.kernel
    }
}
