//! The builder: appends statements, keeps the interval of every value, and simplifies what is trivially constant
//! (`x + 0`, `x · 1`, a carry that cannot be, a product by a power of two), so that algorithms for sparse moduli need
//! no special cases.

mod floats;
mod operations;

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::contract::Contract;
use crate::kernel::{
    Array, ArrayInfo, ArrayKind, Carried, Counter, Index, Kernel, Loop, Stmt, Type, Value, ValueInfo, View,
};
use crate::op::Op;
use crate::range::{Interval, transfer};

/// No loop: the shift range of operations without a shift.
pub const ONCE: (u32, u32) = (0, 0);

/// The interval of a result in its type: an exact one that might leave it is clipped, and the proof owes the rest.
pub(crate) fn interval_in(range: Interval, ty: Type) -> Interval {
    if range.fits(ty) { range } else { range.meet(&ty.full()).unwrap_or_else(|| ty.full()) }
}

#[derive(Default)]
struct Block {
    stmts: Vec<Stmt>,
    constants: HashMap<(Type, BigInt), Value>,
}

/// Builds one kernel.
pub struct Builder {
    kernel: Kernel,
    blocks: Vec<Block>,
    trip_counts: Vec<u32>,
}

impl Builder {
    /// An empty kernel over words of `word` bits.
    pub fn new(name: impl Into<String>, word: u32) -> Builder {
        let kernel = Kernel {
            name: name.into(),
            word,
            arrays: Vec::new(),
            disjoint: Vec::new(),
            callees: Vec::new(),
            values: Vec::new(),
            body: Vec::new(),
            contract: Contract::default(),
            vartime: false,
        };
        Builder { kernel, blocks: vec![Block::default()], trip_counts: Vec::new() }
    }

    /// The word size in bits.
    pub fn word(&self) -> u32 {
        self.kernel.word
    }

    /// The word type.
    pub fn word_type(&self) -> Type {
        Type::Word(self.kernel.word as u8)
    }

    /// The double-word type.
    pub fn wide_type(&self) -> Type {
        Type::Wide(2 * self.kernel.word as u8)
    }

    /// The kernel so far: types and intervals can be looked up.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Ends the kernel.
    pub fn finish(mut self, contract: Contract) -> Kernel {
        debug_assert_eq!(self.blocks.len(), 1, "a loop body is open");
        self.kernel.body = self.blocks.pop().map(|b| b.stmts).unwrap_or_default();
        self.kernel.contract = contract;
        self.kernel
    }

    // Arrays

    /// Declares an array of any kind; `ranges` has one entry for all elements or one per element.
    pub fn array(
        &mut self,
        name: impl Into<String>,
        ty: Type,
        len: u32,
        kind: ArrayKind,
        ranges: Vec<Interval>,
    ) -> Array {
        debug_assert!(ranges.len() == 1 || ranges.len() == len as usize, "one range or one per element");
        self.kernel.arrays.push(ArrayInfo { name: name.into(), ty, len, kind, ranges });
        Array(self.kernel.arrays.len() as u32 - 1)
    }

    /// Gives an array another type and other intervals.
    pub(crate) fn retype(&mut self, array: Array, ty: Type, ranges: Vec<Interval>) {
        let info = &mut self.kernel.arrays[array.0 as usize];
        (info.ty, info.ranges) = (ty, ranges);
    }

    /// An input array of words whose elements are at most `maxima[i]` (one entry for all, or one per element).
    pub fn input(&mut self, name: impl Into<String>, len: u32, maxima: &[BigInt]) -> Array {
        let ty = self.word_type();
        self.array(name, ty, len, ArrayKind::Input, maxima.iter().map(|m| Interval::up_to(m.clone())).collect())
    }

    /// An output array of words whose elements will be at most `maxima[i]`.
    pub fn output(&mut self, name: impl Into<String>, len: u32, maxima: &[BigInt]) -> Array {
        let ty = self.word_type();
        self.array(name, ty, len, ArrayKind::Output, maxima.iter().map(|m| Interval::up_to(m.clone())).collect())
    }

    /// A ghost array: digits that the contract speaks of and the caller never sees.
    pub fn ghost(&mut self, name: impl Into<String>, len: u32) -> Array {
        let ty = self.word_type();
        self.array(name, ty, len, ArrayKind::Ghost, vec![ty.full()])
    }

    /// A local array of words, every element within `range` at all times.
    pub fn local(&mut self, name: impl Into<String>, len: u32, range: Interval) -> Array {
        let ty = self.word_type();
        self.array(name, ty, len, ArrayKind::Local, vec![range])
    }

    /// A local array with one interval for each element.
    pub(crate) fn local_of(&mut self, name: String, ty: Type, ranges: Vec<Interval>) -> Array {
        self.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
    }

    /// A public constant table of words.
    pub fn table(&mut self, name: impl Into<String>, entries: Vec<BigInt>) -> Array {
        let ty = self.word_type();
        let range =
            entries.iter().fold(Interval::point(entries[0].clone()), |r, e| r.hull(&Interval::point(e.clone())));
        self.array(name, ty, entries.len() as u32, ArrayKind::Table(entries), vec![range])
    }

    /// The two parameters must not overlap.
    pub fn must_be_disjoint(&mut self, written: Array, other: Array) {
        self.kernel.disjoint.push((written, other));
    }

    /// `array[index]`.
    pub fn load(&mut self, array: Array, index: impl Into<Index>) -> Value {
        let index = index.into();
        let info = &self.kernel.arrays[array.0 as usize];
        let (ty, len) = (info.ty, info.len);
        let range = match index.constant() {
            Some(i) if (0..len as i64).contains(&i) => info.range(i as u32).clone(),
            _ => info.ranges.iter().skip(1).fold(info.ranges[0].clone(), |r, x| r.hull(x)),
        };
        let result = self.value(ty, range);
        self.push(Stmt::Load { result, array, index });
        result
    }

    /// All elements of an array, in order.
    pub fn load_all(&mut self, array: Array) -> Vec<Value> {
        (0..self.kernel.array(array).len).map(|i| self.load(array, i)).collect()
    }

    /// `array[index] = value`.
    pub fn store(&mut self, array: Array, index: impl Into<Index>, value: Value) {
        self.push(Stmt::Store { array, index: index.into(), value });
    }

    /// Stores `values` from element 0 on.
    pub fn store_all(&mut self, array: Array, values: &[Value]) {
        for (i, v) in values.iter().enumerate() {
            self.store(array, i, *v);
        }
    }

    // What is known

    /// The interval of a value.
    pub fn range(&self, v: Value) -> &Interval {
        &self.kernel.value(v).range
    }

    /// The greatest value.
    pub fn max(&self, v: Value) -> &BigInt {
        &self.range(v).hi
    }

    /// The type of a value.
    pub fn ty(&self, v: Value) -> Type {
        self.kernel.value(v).ty
    }

    /// The value, when it is a known constant.
    pub fn constant_of(&self, v: Value) -> Option<&BigInt> {
        self.range(v).constant()
    }

    /// Is the value known to be zero?
    pub fn is_zero(&self, v: Value) -> bool {
        self.constant_of(v).is_some_and(Zero::is_zero)
    }

    /// Would `a + b` stay in the type?
    pub fn fits_add(&self, a: Value, b: Value) -> bool {
        self.range(a).add(self.range(b)).fits(self.ty(a))
    }

    /// Would `a · b` stay in the type?
    pub fn fits_mul(&self, a: Value, b: Value) -> bool {
        self.range(a).mul(self.range(b)).fits(self.ty(a))
    }

    /// Declares what its writer knows of a value beyond the intervals of its operands. The proof starts from those: it
    /// owes the sign, and finds again whatever else later obligations need.
    pub fn declare(&mut self, v: Value, known: &Interval) -> Value {
        let range = &mut self.kernel.values[v.0 as usize].range;
        if let Some(both) = range.meet(known) {
            *range = both;
        }
        v
    }

    // Statements

    fn value(&mut self, ty: Type, range: Interval) -> Value {
        self.kernel.values.push(ValueInfo { ty, range });
        Value(self.kernel.values.len() as u32 - 1)
    }

    fn push(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.stmts.push(stmt);
        }
    }

    /// The least and greatest value of a public index (before any modulo).
    fn index_range(&self, index: &Index) -> (i64, i64) {
        let (mut lo, mut hi) = (index.base, index.base);
        for (c, k) in &index.terms {
            let last = k * (self.trip_counts[c.0 as usize] as i64 - 1);
            lo += last.min(0);
            hi += last.max(0);
        }
        if let Some((table, _)) = &index.table {
            let range = &self.kernel.array(*table).ranges[0];
            lo += range.lo.to_i64().unwrap_or(0);
            hi += range.hi.to_i64().unwrap_or(0);
        }
        (lo, hi)
    }

    fn shift_range(&self, op: &Op) -> (u32, u32) {
        op.amount().map_or(ONCE, |k| {
            let (lo, hi) = self.index_range(k);
            (lo.max(0) as u32, hi.max(0) as u32)
        })
    }

    /// Appends any operation with the given result types, as it is (no simplification).
    pub fn op(&mut self, op: Op, args: &[Value], types: &[Type]) -> Vec<Value> {
        let operands: Vec<(Type, &Interval)> = args.iter().map(|v| (self.ty(*v), self.range(*v))).collect();
        let ranges = transfer(&op, &operands, types, self.shift_range(&op));
        let results = ranges
            .into_iter()
            .zip(types)
            .map(|(range, ty)| self.value(*ty, interval_in(range, *ty)))
            .collect::<Vec<_>>();
        if let Op::Lookup { vartime: true, .. } = op {
            self.kernel.vartime = true;
        }
        self.push(Stmt::Op { op, args: args.to_vec(), results: results.clone() });
        results
    }

    fn op1(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        self.op(op, args, &[ty])[0]
    }

    fn op2(&mut self, op: Op, args: &[Value], types: [Type; 2]) -> (Value, Value) {
        let r = self.op(op, args, &types);
        (r[0], r[1])
    }

    /// A constant of any type.
    pub fn constant(&mut self, ty: Type, c: impl Into<BigInt>) -> Value {
        let c = c.into();
        let key = (ty, c.clone());
        if let Some(v) = self.blocks.iter().rev().find_map(|b| b.constants.get(&key)) {
            return *v;
        }
        let v = self.op1(Op::Const(c), &[], ty);
        if let Some(block) = self.blocks.last_mut() {
            block.constants.insert(key, v);
        }
        v
    }

    /// A constant word.
    pub fn word_constant(&mut self, c: impl Into<BigInt>) -> Value {
        self.constant(self.word_type(), c)
    }

    /// The zero of a type.
    pub fn zero(&mut self, ty: Type) -> Value {
        self.constant(ty, 0)
    }

    /// A flag that is 0.
    pub fn no_flag(&mut self) -> Value {
        self.constant(Type::Flag, 0)
    }

    /// `for counter in 0..count`: `init` gives each carried value with the interval that is the loop's invariant;
    /// `body` returns the next values.
    pub fn repeat<F>(&mut self, count: u32, init: &[(Value, Interval)], body: F) -> Vec<Value>
    where
        F: FnOnce(&mut Builder, Counter, &[Value]) -> Vec<Value>,
    {
        let counter = Counter(self.trip_counts.len() as u32);
        self.trip_counts.push(count);
        let inner: Vec<Value> = init.iter().map(|(v, range)| self.value(self.ty(*v), range.clone())).collect();
        self.blocks.push(Block::default());
        let next = body(self, counter, &inner);
        debug_assert_eq!(next.len(), init.len(), "one next value for each carried one");
        let stmts = self.blocks.pop().map(|b| b.stmts).unwrap_or_default();
        let mut carried = Vec::new();
        let mut results = Vec::new();
        for (((init, range), inner), next) in init.iter().zip(inner).zip(next) {
            let result = self.value(self.ty(*init), range.clone());
            results.push(result);
            carried.push(Carried { init: *init, inner, next, result });
        }
        self.push(Stmt::Loop(Loop { counter, count, carried, body: stmts }));
        results
    }

    /// Registers a kernel to be called.
    pub fn callee(&mut self, kernel: Arc<Kernel>) -> u32 {
        if let Some(i) = self.kernel.callees.iter().position(|k| k == &kernel) {
            return i as u32;
        }
        self.kernel.vartime |= kernel.vartime;
        self.kernel.callees.push(kernel);
        self.kernel.callees.len() as u32 - 1
    }

    /// Calls a registered kernel with one view per parameter.
    pub fn call(&mut self, callee: u32, args: Vec<View>) {
        self.push(Stmt::Call { callee, args });
    }
}
