//! The data of a kernel: arrays, values, statements. Plain data; [`crate::build`] makes it, `verify` checks it.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::contract::{Contract, Operand};
use crate::interval::Interval;
use crate::op::Op;
pub use crate::types::{Array, Counter, Index, Type, Value};

/// Type and proved interval of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueInfo {
    /// The type.
    pub ty: Type,
    /// What the builder knows: the value lies in this interval. `proof` computes it again and trusts nothing.
    pub range: Interval,
}

/// Where an array lives and who may touch it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArrayKind {
    /// Read only parameter.
    Input,
    /// Write-first parameter.
    Output,
    /// Parameter that is read and written.
    InOut,
    /// Written for the contract only (digits that are computed but not returned); removed after the proof.
    Ghost,
    /// Scratch of the kernel; undefined before its first store.
    Local,
    /// A public constant table.
    Table(Vec<BigInt>),
}

/// An array of words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayInfo {
    /// Name, unique in the kernel; an identifier in every language (ASCII letters, digits, underscore).
    pub name: String,
    /// Element type.
    pub ty: Type,
    /// Number of elements.
    pub len: u32,
    /// Kind.
    pub kind: ArrayKind,
    /// Interval of each element: one entry for all, or one per element. For inputs it is what the caller guarantees,
    /// for locals and outputs an invariant that every store keeps.
    pub ranges: Vec<Interval>,
}

/// What a kernel does with an array that its caller gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Written, not read before.
    Output,
    /// Read, not written.
    Input,
    /// Read and written.
    InOut,
}

impl Role {
    /// Is the array written?
    pub fn is_written(self) -> bool {
        self != Role::Input
    }

    /// Is the array read before it is written?
    pub fn is_read(self) -> bool {
        self != Role::Output
    }
}

/// One parameter of code that computes a kernel: a pointer to an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Bytes of an element in memory: 1, 2, 4, 8, and in C also 16.
    pub element_bytes: u32,
    /// Number of elements: those of the kernel's array, in machine code for each lane of each group.
    pub len: u32,
    /// What happens to them.
    pub role: Role,
}

impl Parameter {
    /// Bytes of the whole array.
    pub fn bytes(&self) -> usize {
        self.element_bytes as usize * self.len as usize
    }
}

impl ArrayInfo {
    /// What the kernel does with it, of a parameter that a caller sees.
    pub fn role(&self) -> Option<Role> {
        match self.kind {
            ArrayKind::Input => Some(Role::Input),
            ArrayKind::Output => Some(Role::Output),
            ArrayKind::InOut => Some(Role::InOut),
            ArrayKind::Ghost | ArrayKind::Local | ArrayKind::Table(_) => None,
        }
    }

    /// The interval of element `i`.
    pub fn range(&self, i: u32) -> &Interval {
        if self.ranges.len() == 1 { &self.ranges[0] } else { &self.ranges[i as usize] }
    }

    /// Is it a parameter of the kernel (also a ghost)?
    pub fn is_param(&self) -> bool {
        !matches!(self.kind, ArrayKind::Local | ArrayKind::Table(_))
    }

    /// Is it a parameter that the kernel writes (also a ghost)?
    pub fn is_written(&self) -> bool {
        self.is_param() && self.kind != ArrayKind::Input
    }
}

/// How an array of the caller is shown to a callee: element `j` of the callee's parameter is element
/// `start + j` (or `start + order[j]`) of `array`, modulo its length when `start.modulo` is set (a rotated view).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The caller's array.
    pub array: Array,
    /// First element; may depend on loop counters.
    pub start: Index,
    /// A constant table that permutes the elements.
    pub order: Option<Array>,
}

impl View {
    /// The whole array from its first element.
    pub fn whole(array: Array) -> View {
        View { array, start: Index::at(0), order: None }
    }

    /// The elements from `start` on.
    pub fn from(array: Array, start: impl Into<Index>) -> View {
        View { array, start: start.into(), order: None }
    }
}

/// A value carried from one iteration to the next. The interval of `inner` (equal to that of `result`) is the loop's
/// invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The value on entry.
    pub init: Value,
    /// The name inside the body.
    pub inner: Value,
    /// What the body yields.
    pub next: Value,
    /// The value after the last iteration.
    pub result: Value,
}

/// `for counter in 0..count carry (…) { body }`; the trip count is constant and at least 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The counter, visible in the body's indices only.
    pub counter: Counter,
    /// Trip count.
    pub count: u32,
    /// Carried values.
    pub carried: Vec<Carried>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// One statement. Each variant's text names its fields.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `results = op(args)`.
    Op { op: Op, args: Vec<Value>, results: Vec<Value> },
    /// `result = array[index]`.
    Load { result: Value, array: Array, index: Index },
    /// `array[index] = value`.
    Store { array: Array, index: Index, value: Value },
    /// A loop.
    Loop(Loop),
    /// A call of `callees[callee]`; one view for each of its parameters, in order (ghosts included).
    Call { callee: u32, args: Vec<View> },
}

/// A kernel: concrete, for one word size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Name, an identifier.
    pub name: String,
    /// The word size `w` in bits that the kernel is about (limbs of its numbers are words of that size).
    pub word: u32,
    /// All arrays; parameters in the order of the calling convention (outputs first, then inputs), then locals and
    /// tables.
    pub arrays: Vec<ArrayInfo>,
    /// Pairs (written parameter, other parameter) that must not overlap. Every other pair is exact-or-disjoint: the
    /// same address, or no overlap at all. Pairs of different type or length are always disjoint.
    pub disjoint: Vec<(Array, Array)>,
    /// Kernels that are called.
    pub callees: Vec<Arc<Kernel>>,
    /// Types and intervals of all values.
    pub values: Vec<ValueInfo>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// What the kernel promises.
    pub contract: Contract,
    /// Was a leaky look-up used (the name then ends in `_vartime`)?
    pub vartime: bool,
}

/// FNV-1a, 64 bits, of a text: stable across versions and platforms.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl Kernel {
    /// What identifies a kernel among those that a name has meant: the [fingerprint] of its text form.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.to_string())
    }

    /// A callee of the kernel, by its number there, a callee of that one, and so on; `None`: there is none.
    pub fn at(&self, path: &[u32]) -> Option<&Kernel> {
        path.iter().try_fold(self, |kernel, i| kernel.callees.get(*i as usize).map(|callee| &**callee))
    }

    /// Does it compute with floats, itself or in what it calls?
    pub fn uses_floats(&self) -> bool {
        self.values.iter().any(|v| matches!(v.ty, Type::Float(_))) || self.callees.iter().any(|k| k.uses_floats())
    }

    /// The parameters in order of the calling convention.
    pub fn params(&self) -> impl Iterator<Item = Array> + '_ {
        (0..self.arrays.len() as u32).map(Array).filter(|a| self.array(*a).is_param())
    }

    /// The parameters that a caller sees: all but ghosts.
    pub fn visible(&self) -> impl Iterator<Item = Array> + '_ {
        self.params().filter(|a| self.array(*a).role().is_some())
    }

    /// Do the two parameters never overlap: because the kernel says so, or because type or length differ?
    pub fn are_disjoint(&self, a: Array, b: Array) -> bool {
        let (x, y) = (self.array(a), self.array(b));
        x.ty != y.ty || x.len != y.len || self.disjoint.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
    }

    /// May the two different parameters be the same array? Exactly one of them is then written.
    pub fn may_alias(&self, a: Array, b: Array) -> bool {
        let (x, y) = (self.array(a), self.array(b));
        x.is_param() && y.is_param() && x.is_written() != y.is_written() && !self.are_disjoint(a, b)
    }

    /// An array's description.
    pub fn array(&self, a: Array) -> &ArrayInfo {
        &self.arrays[a.0 as usize]
    }

    /// A value's description.
    pub fn value(&self, v: Value) -> &ValueInfo {
        &self.values[v.0 as usize]
    }

    /// An operand as callers see it: one that joins the coordinates of several parameters (`a_b`) as a number for each.
    pub fn seen(&self, operand: &Operand) -> Vec<Operand> {
        let mut parts: Vec<Operand> = Vec::new();
        for digit in &operand.digits {
            let name = &self.array(digit.array).name;
            if parts.last().is_none_or(|part| part.digits[0].array != digit.array) {
                parts.push(Operand { name: name.clone(), digits: vec![], bound: 0.into(), below: None });
            }
            if let Some(part) = parts.last_mut() {
                part.bound += digit.most() << (digit.weight - part.digits.first().map_or(digit.weight, |d| d.weight));
                part.digits.push(digit.clone());
            }
        }
        let starts: Vec<u32> = parts.iter().map(|part| part.digits[0].weight).collect();
        let whole: BigInt = parts.iter().zip(&starts).map(|(part, start)| &part.bound << *start).sum();
        let ghost = parts.iter().any(|part| self.array(part.digits[0].array).kind == ArrayKind::Ghost);
        let again = (1..parts.len()).any(|i| parts[..i].iter().any(|p| p.digits[0].array == parts[i].digits[0].array));
        if parts.len() < 2 || ghost || again || operand.below.is_some() || whole != operand.bound {
            return vec![operand.clone()];
        }
        for (part, start) in parts.iter_mut().zip(starts) {
            part.digits.iter_mut().for_each(|d| d.weight -= start);
        }
        parts
    }

    /// The array of that name.
    pub fn find(&self, name: &str) -> Option<Array> {
        self.arrays.iter().position(|a| a.name == name).map(|i| Array(i as u32))
    }
}
