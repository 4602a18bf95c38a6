//! The structural verifier. A kernel that passes has these invariants, which every later room relies on:
//!
//! * **Names**: kernel, arrays and operands are identifiers; arrays' names are unique. A kernel with a leaky look-up is
//!   marked `vartime` and its name ends in `_vartime`.
//! * **Types**: words of 1 to 64 bits, wides of an even 2 to 128, masks of 1 to 128, floats of 3 to 11, 24 or 53. Every
//!   operation's operands and results have the types of its table entry ([`Op`]); constants, table entries and ranges
//!   lie inside their types: a flag is 0 or 1, a mask all zeros or all ones.
//! * **Bits**: a kernel of one-bit words (`word 1`) holds unsigned single bits only, and calls such kernels only; no
//!   other kernel calls one. (Printers and targets run these kernels bit-sliced, callees included.)
//! * **SSA**: every value is defined once, before its uses and in an enclosing block; loops run at least once, number
//!   their counters in order of appearance, and carry values of one type.
//! * **Indices**: in bounds for all values of the counters, tables and modulo included; shift amounts below the
//!   operand's bits (at most the word for funnel shifts). A table that an index uses has no negative entry. The
//!   unrolled kernel has at most [`STEPS`] steps.
//! * **Arrays**: tables and inputs are only read, ghosts only written (also by callees), outputs and ghosts written
//!   whole. Outputs and locals are not read before they are written; what a callee left in a local as its ghost is not
//!   read at all, because pruning removes it.
//! * **Aliasing**: for an input X and a written parameter Y of the same type and length that are not `disjoint`, each
//!   element of X is read for the last time before the same element of Y is written (so Y may be X, exactly). Written
//!   parameters are disjoint among themselves.
//! * **Calls**: a view shows elements of the parameter's type, in bounds, of an array of a fitting kind. Views of a
//!   callee's parameters of which one is written show the same elements in the same order, or none in common; none in
//!   common where the callee says `disjoint`. The callees are verified too.
//! * **Contract**: its digits are unsigned integer elements of inputs and of written parameters, no element twice in a
//!   number, weights strictly ascending; its polynomials and maps speak of inputs and coordinates that exist.
//!
//! What needs arithmetic (exact results inside their types, ranges, promises) is `proof`'s.

mod contract;
mod memory;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use num_bigint::Sign;

use crate::kernel::{Array, ArrayKind, Index, Kernel, Loop, Stmt, Type, Value};
use crate::op::{self, Op};
use crate::range::Interval;

/// Greatest number of steps of an unrolled kernel (calls count their elements).
pub const STEPS: u64 = 1 << 24;

/// Greatest length of an array.
pub const MAX_LEN: u32 = 1 << 20;

/// Something that is wrong with a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// The kernel (the one verified or a callee).
    pub kernel: String,
    /// The statement: its index in the body, then in the loop's body, and so on; empty for the kernel as a whole.
    pub path: Vec<u32>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kernel)?;
        if !self.path.is_empty() {
            let path: Vec<String> = self.path.iter().map(u32::to_string).collect();
            write!(f, ", statement {}", path.join("."))?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Checks all invariants of this module's list.
///
/// # Errors
/// All defects of the first stage that finds any (references, then types and values, then the unrolled kernel and the
/// contract).
pub fn verify(kernel: &Kernel) -> Result<(), Vec<Defect>> {
    verify_with(kernel, &mut HashSet::new())
}

fn verify_with(kernel: &Kernel, known: &mut HashSet<*const Kernel>) -> Result<(), Vec<Defect>> {
    for callee in &kernel.callees {
        if !known.contains(&Arc::as_ptr(callee)) {
            verify_with(callee, known)?;
            known.insert(Arc::as_ptr(callee));
        }
    }
    let mut v = Verifier {
        kernel,
        path: Vec::new(),
        defects: Vec::new(),
        defined: vec![State::Never; kernel.values.len()],
        open: Vec::new(),
        counters: 0,
    };
    v.declarations();
    if v.defects.is_empty() {
        v.block(&kernel.body);
        v.all_defined();
    }
    if v.defects.is_empty() {
        contract::check(&mut v);
        memory::check(&mut v);
    }
    if v.defects.is_empty() { Ok(()) } else { Err(v.defects) }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Never,
    Visible,
    OutOfScope,
}

pub(crate) struct Verifier<'a> {
    pub kernel: &'a Kernel,
    path: Vec<u32>,
    defects: Vec<Defect>,
    defined: Vec<State>,
    /// Counters of the enclosing loops.
    open: Vec<u32>,
    counters: u32,
}

/// ASCII letters, digits and underscores, not starting with a digit, 1 to 200 of them.
pub fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= 200
        && bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn name(v: Value) -> String {
    format!("%{}", v.0)
}

impl<'a> Verifier<'a> {
    fn defect(&mut self, message: String) {
        self.defects.push(Defect { kernel: self.kernel.name.clone(), path: self.path.clone(), message });
    }

    /// A defect of the statement at `path`.
    fn defect_at(&mut self, path: &[u32], message: String) {
        self.defects.push(Defect { kernel: self.kernel.name.clone(), path: path.to_vec(), message });
    }

    /// A defect unless `fine`.
    fn require(&mut self, fine: bool, message: impl FnOnce() -> String) {
        if !fine {
            self.defect(message());
        }
    }

    fn declarations(&mut self) {
        let k = self.kernel;
        self.require(is_identifier(&k.name), || format!("the name {:?} is not an identifier", k.name));
        self.require((1..=64).contains(&k.word), || format!("words of {} bits: 1 to 64 are possible", k.word));
        self.require(!k.vartime || k.name.ends_with("_vartime"), || {
            "it uses a leaky look-up: the name must end in _vartime".to_string()
        });
        let leaky = k.callees.iter().any(|c| c.vartime);
        self.require(!leaky || k.vartime, || "it calls a variable-time kernel and is not marked vartime".to_string());
        let mut names = HashSet::new();
        for a in &k.arrays {
            self.require(is_identifier(&a.name), || format!("the array name {:?} is not an identifier", a.name));
            self.require(names.insert(&a.name), || format!("two arrays are called {}", a.name));
            self.require((1..=MAX_LEN).contains(&a.len), || {
                format!("{} has {} elements: 1 to {MAX_LEN} are possible", a.name, a.len)
            });
            self.require(op::is_valid(a.ty), || format!("{}: there is no type {}", a.name, a.ty));
            self.require(a.ranges.len() == 1 || a.ranges.len() == a.len as usize, || {
                format!("{} has {} ranges for {} elements", a.name, a.ranges.len(), a.len)
            });
            let fits = op::is_valid(a.ty) && a.ranges.iter().all(|r| r.lo <= r.hi && r.fits(a.ty));
            self.require(fits, || format!("a range of {} does not fit its type", a.name));
            if let ArrayKind::Table(entries) = &a.kind {
                self.require(entries.len() == a.len as usize, || {
                    format!("the table {} has {} entries for {} elements", a.name, entries.len(), a.len)
                });
                let inside = entries.iter().enumerate().all(|(i, e)| {
                    i >= a.len as usize
                        || a.ranges.len() == 1 && a.ranges[0].contains(e)
                        || a.ranges.get(i).is_some_and(|r| r.contains(e))
                });
                self.require(inside, || format!("an entry of the table {} lies outside of its range", a.name));
                if let Some(bad) = entries.iter().find(|e| inside && !op::constant_fits(e, a.ty)) {
                    self.defect(format!("the table {} has the entry {bad}, which is no {}", a.name, a.ty));
                }
            }
        }
        self.single_bits();
        for (i, v) in k.values.iter().enumerate() {
            let fits = op::is_valid(v.ty) && v.range.lo <= v.range.hi && v.range.fits(v.ty);
            self.require(fits, || format!("the range of %{i} does not fit its type"));
        }
        for (written, other) in &k.disjoint {
            let param = |a: &Array| k.arrays.get(a.0 as usize).filter(|a| a.is_param());
            let fine = written != other
                && param(other).is_some()
                && param(written).is_some_and(|a| a.kind != ArrayKind::Input);
            self.require(fine, || "a disjoint pair is not a written parameter and another one".to_string());
        }
    }

    /// Kernels of one-bit words hold nothing but unsigned bits, callees included. Tables of indices are no data.
    fn single_bits(&mut self) {
        let k = self.kernel;
        let is_bit = |ty: Type, range: &Interval| ty.bits() == 1 && range.lo.sign() != Sign::Minus;
        if k.word == 1 {
            for a in k.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))) {
                self.require(a.ranges.iter().all(|r| is_bit(a.ty, r)), || {
                    format!("{} holds more than unsigned bits in a kernel of one-bit words", a.name)
                });
            }
            if let Some(v) = k.values.iter().position(|v| !is_bit(v.ty, &v.range)) {
                self.defect(format!("%{v} is no unsigned bit in a kernel of one-bit words"));
            }
        }
        for c in k.callees.iter().filter(|c| (c.word == 1) != (k.word == 1)) {
            self.defect(format!(
                "it has words of {} bits and calls {} with words of {}: only kernels of one-bit words call one another",
                k.word, c.name, c.word
            ));
        }
    }

    // Values

    fn ty(&self, v: Value) -> Option<Type> {
        self.kernel.values.get(v.0 as usize).map(|v| v.ty)
    }

    fn used(&mut self, v: Value) {
        let why = match self.defined.get(v.0 as usize) {
            Some(State::Visible) => return,
            None => "does not exist",
            Some(State::Never) => "is used before its definition",
            Some(State::OutOfScope) => "is used outside of the loop that defines it",
        };
        self.defect(format!("{} {why}", name(v)));
    }

    fn defines(&mut self, v: Value) {
        match self.defined.get(v.0 as usize) {
            None => self.defect(format!("{} does not exist", name(v))),
            Some(State::Never) => self.defined[v.0 as usize] = State::Visible,
            Some(_) => self.defect(format!("{} is defined twice", name(v))),
        }
    }

    fn all_defined(&mut self) {
        for i in 0..self.defined.len() {
            self.require(self.defined[i] != State::Never, || format!("%{i} is never defined"));
        }
    }

    // Statements

    fn block(&mut self, body: &'a [Stmt]) {
        for (i, stmt) in body.iter().enumerate() {
            self.path.push(i as u32);
            match stmt {
                Stmt::Op { op, args, results } => self.operation(op, args, results),
                Stmt::Load { result, array, index } => {
                    if let Some(ty) = self.array_type(*array) {
                        self.index(index);
                        self.require(self.ty(*result).is_none_or(|t| t == ty), || {
                            format!("the elements of {} are not of the result's type", self.kernel.array(*array).name)
                        });
                        let ghost = self.kernel.array(*array).kind == ArrayKind::Ghost;
                        self.require(!ghost, || format!("the ghost {} is read", self.kernel.array(*array).name));
                    }
                    self.defines(*result);
                }
                Stmt::Store { array, index, value } => {
                    self.used(*value);
                    if let Some(ty) = self.array_type(*array) {
                        self.index(index);
                        let info = self.kernel.array(*array);
                        self.require(self.ty(*value).is_none_or(|t| t == ty), || {
                            format!("the elements of {} are not of the type of {}", info.name, name(*value))
                        });
                        self.require(!matches!(info.kind, ArrayKind::Input | ArrayKind::Table(_)), || {
                            format!(
                                "{} is written, but it is {}",
                                info.name,
                                if info.kind == ArrayKind::Input { "an input" } else { "a table" }
                            )
                        });
                    }
                }
                Stmt::Loop(l) => self.repeat(l),
                Stmt::Call { callee, args } => self.call(*callee, args),
            }
            self.path.pop();
        }
    }

    fn operation(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        for v in args {
            self.used(*v);
        }
        for v in results {
            self.defines(*v);
        }
        let types = |vs: &[Value]| vs.iter().map(|v| self.ty(*v)).collect::<Option<Vec<Type>>>();
        let (Some(a), Some(r)) = (types(args), types(results)) else { return };
        if let Err(message) = op::check_types(op, &a, &r) {
            return self.defect(format!("{}: {message}", op.name()));
        }
        if let Some(k) = op.amount() {
            self.require(!k.modulo, || "a shift amount has no array to be reduced by".to_string());
            self.index(k);
        }
        if let Op::Lookup { table, vartime } = op {
            let Some(info) = self.kernel.arrays.get(table.0 as usize) else {
                return self.defect("the look-up's table does not exist".to_string());
            };
            self.require(matches!(info.kind, ArrayKind::Table(_) | ArrayKind::Local), || {
                format!("a look-up in {}, which is no table and no local array", info.name)
            });
            self.require(info.ty == r[0], || format!("the entries of {} are not of the result's type", info.name));
            self.require(!vartime || self.kernel.vartime, || {
                "a leaky look-up in a kernel that is not marked vartime".to_string()
            });
        }
    }

    fn array_type(&mut self, array: Array) -> Option<Type> {
        let info = self.kernel.arrays.get(array.0 as usize);
        self.require(info.is_some(), || format!("array {} does not exist", array.0));
        info.map(|a| a.ty)
    }

    fn index(&mut self, index: &Index) {
        for (c, _) in &index.terms {
            let open = self.open.contains(&c.0);
            self.require(open, || format!("counter i{} is used outside of its loop", c.0));
        }
        if let Some((table, inner)) = &index.table {
            self.index_table(*table, "an index");
            self.index(inner);
        }
    }

    /// A table of indices: printers store its entries unsigned.
    fn index_table(&mut self, table: Array, user: &str) {
        let k = self.kernel;
        match k.arrays.get(table.0 as usize).map(|a| (&a.name, &a.kind)) {
            Some((name, ArrayKind::Table(entries))) => {
                if let Some(e) = entries.iter().find(|e| e.sign() == Sign::Minus) {
                    self.defect(format!("{user} uses the table {name}, which has the negative entry {e}"));
                }
            }
            _ => self.defect(format!("{user} uses an array that is no table")),
        }
    }

    fn repeat(&mut self, l: &'a Loop) {
        let next = self.counters;
        self.require(l.counter.0 == next, || {
            format!("the loop's counter is i{}, the next free one is i{next}", l.counter.0)
        });
        self.counters += 1;
        self.require(l.count >= 1, || "the loop never runs".to_string());
        for c in &l.carried {
            self.used(c.init);
        }
        let outer: Vec<bool> = self.defined.iter().map(|s| *s == State::Visible).collect();
        for c in &l.carried {
            self.defines(c.inner);
            let types = [c.init, c.inner, c.next, c.result].map(|v| self.ty(v));
            let same = types.iter().all(|t| *t == types[0]);
            self.require(same, || format!("the types of the carried value {} differ", name(c.inner)));
            let ranges = |v: Value| self.kernel.values.get(v.0 as usize).map(|v| v.range.clone());
            let equal: (Option<Interval>, Option<Interval>) = (ranges(c.inner), ranges(c.result));
            self.require(equal.0 == equal.1, || {
                format!("the invariants of {} and {} differ", name(c.inner), name(c.result))
            });
        }
        self.open.push(l.counter.0);
        self.block(&l.body);
        self.open.pop();
        for c in &l.carried {
            self.used(c.next);
        }
        for (state, outer) in self.defined.iter_mut().zip(outer) {
            if *state == State::Visible && !outer {
                *state = State::OutOfScope;
            }
        }
        for c in &l.carried {
            self.defines(c.result);
        }
    }

    fn call(&mut self, callee: u32, args: &'a [crate::kernel::View]) {
        let Some(k) = self.kernel.callees.get(callee as usize) else {
            return self.defect(format!("callee {callee} does not exist"));
        };
        let params: Vec<Array> = k.params().collect();
        self.require(params.len() == args.len(), || {
            format!("{} has {} parameters, not {}", k.name, params.len(), args.len())
        });
        for (param, view) in params.iter().zip(args) {
            let (param, Some(ty)) = (k.array(*param), self.array_type(view.array)) else { continue };
            let info = self.kernel.array(view.array);
            self.require(ty == param.ty, || {
                format!("{} and the parameter {} of {} have different types", info.name, param.name, k.name)
            });
            let fits = match param.kind {
                ArrayKind::Input => info.kind != ArrayKind::Ghost,
                ArrayKind::Ghost => matches!(info.kind, ArrayKind::Ghost | ArrayKind::Local),
                _ => matches!(info.kind, ArrayKind::Output | ArrayKind::InOut | ArrayKind::Local),
            };
            self.require(fits, || {
                format!("{} cannot be the parameter {} of {}: wrong kind", info.name, param.name, k.name)
            });
            self.index(&view.start);
            if let Some(t) = view.order {
                self.index_table(t, "the order of a view");
                let table = self.kernel.arrays.get(t.0 as usize);
                self.require(table.is_none_or(|a| a.len >= param.len), || {
                    format!("the order of a view has fewer than {} entries", param.len)
                });
            }
        }
    }
}
