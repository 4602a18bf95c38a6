//! A kernel in the operations that a machine or a language has, with the same parameters and the same contract.
//!
//! Nothing rests on this rewriting: its result is proved like any other kernel. Words stay words; what is split are double
//! words that the machine cannot hold (into pairs of words), products whose high half it cannot give (into four products
//! of half words), and carries and comparisons that it does not have.
//!
//! Products, carries and borrows by halves are kernels of their own, which the rewritten kernel calls: each is proved once,
//! and for its callers it is the equation that the operation was.

mod called;
mod carries;
mod halves;
mod pairs;
mod products;

use std::collections::HashMap;
use std::sync::Arc;

use crate::build::Builder;
use crate::interval::Interval;
use crate::kernel::{Array, ArrayKind, Carried, Index, Kernel, Loop, Stmt, View};
use crate::op::Op;
use crate::types::{Type, Value};

use halves::{Halves, Moved};

/// How a machine multiplies two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Products {
    /// It has integers of two words.
    Wide,
    /// It gives both words of a product and of a product with two addends, and has no integers of two words.
    High,
    /// It gives the low word only.
    Low,
}

/// What a machine or a language has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Bits of its words: kernels of wider words are refused.
    pub word: u32,
    /// How it multiplies words of that size; narrower words have room for their products.
    pub products: Products,
    /// Can it add with carry and subtract with borrow, both in and out?
    pub flags: bool,
    /// Can it compare unsigned words?
    pub unsigned: bool,
    /// What a carry costs it.
    pub carries: Carries,
}

/// What a carry from one sum to another costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carries {
    /// Nothing, or one operation: a flag.
    Flag,
    /// Several operations: sums of products are kept in halves that need none, where there is room.
    Written,
    /// Nothing within a chain, of which products can be links; several operations elsewhere.
    Chained,
}

impl Machine {
    /// Words of 64 bits in C without integers of 128 bits.
    pub const C64: Machine =
        Machine { word: 64, products: Products::Low, flags: false, unsigned: true, carries: Carries::Flag };
    /// Words of 32 bits in C with integers of 64 bits.
    pub const C32_WIDE: Machine =
        Machine { word: 32, products: Products::Wide, flags: true, unsigned: true, carries: Carries::Flag };
    /// Words of 32 bits in C without integers of 64 bits.
    pub const C32: Machine =
        Machine { word: 32, products: Products::Low, flags: false, unsigned: true, carries: Carries::Flag };
    /// Words of 64 bits in Java: the high half of a product of signed words, signed comparisons.
    pub const JAVA: Machine =
        Machine { word: 64, products: Products::High, flags: false, unsigned: false, carries: Carries::Written };
}

/// Why a kernel cannot be rewritten for a machine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("kernel `{kernel}`: {what} is not available on a machine with {word}-bit words\nhelp: {help}")]
pub struct Illegal {
    /// The kernel.
    pub kernel: String,
    /// What cannot be had.
    pub what: String,
    /// The machine's word.
    pub word: u32,
    /// What to do instead.
    pub help: &'static str,
}

/// The kernel in the operations of a machine, its callees too. Parameters, names and contract are the same.
pub fn legalise(kernel: &Kernel, machine: &Machine) -> Result<Kernel, Illegal> {
    legalise_with(kernel, machine, &mut HashMap::new())
}

type Known = HashMap<*const Kernel, Arc<Kernel>>;

fn legalise_with(kernel: &Kernel, machine: &Machine, known: &mut Known) -> Result<Kernel, Illegal> {
    let kernel = &*kernel.written_out();
    let mut b = Builder::new(kernel.name.clone(), kernel.word);
    let mut rewriter = Rewriter {
        kernel,
        machine,
        values: HashMap::new(),
        tops: HashMap::new(),
        callees: Vec::new(),
        passed: Vec::new(),
        cut: halves::cut_of(kernel, machine.word)
            .filter(|_| machine.carries == Carries::Written && machine.products == Products::High),
        moved: Moved::default(),
        halves: HashMap::new(),
    };
    for (a, info) in kernel.arrays.iter().enumerate() {
        rewriter.fits_word(info.ty, "an array")?;
        b.array(info.name.clone(), info.ty, info.len, info.kind.clone(), info.ranges.clone());
        debug_assert_eq!(b.kernel().arrays.len(), a + 1);
    }
    rewriter.split_locals(&mut b)?;
    for (written, other) in &kernel.disjoint {
        b.must_be_disjoint(*written, *other);
    }
    for callee in &kernel.callees {
        let legal = match known.get(&Arc::as_ptr(callee)) {
            Some(legal) => legal.clone(),
            None => Arc::new(legalise_with(callee, machine, known)?),
        };
        known.insert(Arc::as_ptr(callee), legal.clone());
        let number = b.callee(legal);
        rewriter.callees.push(number);
    }
    rewriter.block(&mut b, &kernel.body)?;
    let mut legal = b.finish(kernel.contract.clone());
    legal.vartime |= kernel.vartime;
    Ok(legal)
}

/// A value of the original: itself, or a pair of words.
#[derive(Clone, Copy, Debug)]
enum Image {
    /// One value of the same type.
    One(Value),
    /// `low + 2^n·high`; the high word has the sign.
    Two(Value, Value),
}

struct Rewriter<'a> {
    kernel: &'a Kernel,
    machine: &'a Machine,
    values: HashMap<Value, Image>,
    /// The arrays of high words of local arrays of double words.
    tops: HashMap<Array, Array>,
    callees: Vec<u32>,
    /// The kernels of words that are called so far.
    passed: Vec<called::Passed>,
    /// How many bits the lower halves of sums of products have, where these are kept in halves.
    cut: Option<u32>,
    moved: Moved,
    /// Double words in halves.
    halves: HashMap<Value, Halves>,
}

impl Rewriter<'_> {
    fn illegal(&self, what: impl Into<String>, help: &'static str) -> Illegal {
        Illegal { kernel: self.kernel.name.clone(), what: what.into(), word: self.machine.word, help }
    }

    /// Must the type be split into two words?
    fn is_split(&self, ty: Type) -> bool {
        match ty {
            Type::Wide(n) if self.machine.products == Products::Wide => u32::from(n) > 2 * self.machine.word,
            Type::Wide(n) => u32::from(n) > self.machine.word,
            _ => false,
        }
    }

    /// The word of half a split type.
    fn half(ty: Type) -> Type {
        Type::Word((ty.bits() / 2) as u8)
    }

    fn fits_word(&self, ty: Type, what: &str) -> Result<(), Illegal> {
        let bits = match ty {
            Type::Word(n) => u32::from(n),
            Type::Wide(n) if self.is_split(ty) => u32::from(n) / 2,
            _ => 0,
        };
        if bits <= self.machine.word {
            return Ok(());
        }
        Err(self.illegal(format!("{what} of words of {bits} bits"), "take a layout with narrower words"))
    }

    /// Local arrays of double words become two arrays; parameters cannot.
    fn split_locals(&mut self, b: &mut Builder) -> Result<(), Illegal> {
        let kernel = self.kernel;
        for (i, info) in kernel.arrays.iter().enumerate() {
            if !self.is_split(info.ty) {
                continue;
            }
            if info.kind != ArrayKind::Local {
                return Err(self.illegal(format!("`{}`, of double words,", info.name), "take a layout of single words"));
            }
            let half = Self::half(info.ty);
            let tops = info.ranges.iter().map(|r| r.shr(half.bits())).collect();
            b.retype(Array(i as u32), half, vec![half.full()]);
            let top = b.array(format!("{}_top", info.name), half, info.len, ArrayKind::Local, tops);
            self.tops.insert(Array(i as u32), top);
        }
        Ok(())
    }

    fn image(&self, b: &mut Builder, v: Value) -> Image {
        if let Some(halves) = self.halves.get(&v) {
            let (low, high) = halves.put_together(b);
            return Image::Two(low, high);
        }
        self.values.get(&v).copied().unwrap_or(Image::One(v))
    }

    /// A value that is not split.
    fn one(&self, v: Value) -> Value {
        match self.values.get(&v) {
            Some(Image::One(v) | Image::Two(v, _)) => *v,
            None => v,
        }
    }

    fn ty(&self, v: Value) -> Type {
        self.kernel.value(v).ty
    }

    fn block(&mut self, b: &mut Builder, body: &[Stmt]) -> Result<(), Illegal> {
        for stmt in body {
            match stmt {
                Stmt::Op { op, args, results } => self.op(b, op, args, results)?,
                Stmt::Load { result, array, index } => {
                    let low = b.load(*array, index.clone());
                    let image = match self.tops.get(array) {
                        Some(top) => Image::Two(low, b.load(*top, index.clone())),
                        None => Image::One(low),
                    };
                    self.give(b, *result, image);
                }
                Stmt::Store { array, index, value } => match (self.image(b, *value), self.tops.get(array)) {
                    (Image::Two(low, high), Some(top)) => {
                        b.store(*array, index.clone(), low);
                        b.store(*top, index.clone(), high);
                    }
                    (image, _) => {
                        let (Image::One(v) | Image::Two(v, _)) = image;
                        b.store(*array, index.clone(), v);
                    }
                },
                Stmt::Loop(l) => self.repeat(b, l)?,
                Stmt::Call { callee, args } => self.call(b, *callee, args)?,
            }
        }
        Ok(())
    }

    fn call(&mut self, b: &mut Builder, callee: u32, args: &[View]) -> Result<(), Illegal> {
        if args.iter().any(|view| self.tops.contains_key(&view.array)) {
            return Err(self.illegal("a call with an array of double words", "take a plan of single words"));
        }
        b.call(self.callees[callee as usize], args.to_vec());
        Ok(())
    }

    /// Counters keep their numbers: both kernels number them in order of appearance.
    fn repeat(&mut self, b: &mut Builder, l: &Loop) -> Result<(), Illegal> {
        let mut init = Vec::new();
        for Carried { init: from, inner, .. } in &l.carried {
            let range = &self.kernel.value(*inner).range;
            match self.image(b, *from) {
                Image::One(v) => init.push((v, range.clone())),
                Image::Two(low, high) => {
                    let word = Self::half(self.ty(*inner));
                    init.extend([(low, word.full()), (high, range.shr(word.bits()))]);
                }
            }
        }
        let mut done = Ok(());
        let moved = self.moved.clone();
        let results = b.repeat(l.count, &init, |b, counter, inner| {
            debug_assert_eq!(counter, l.counter, "counters are numbered in order of appearance");
            let split: Vec<bool> = l.carried.iter().map(|c| self.is_split(self.ty(c.inner))).collect();
            let mut at = inner.iter();
            let mut take = || at.next().copied().unwrap_or(inner[0]);
            for (c, split) in l.carried.iter().zip(&split) {
                let image = if *split { Image::Two(take(), take()) } else { Image::One(take()) };
                self.values.insert(c.inner, image);
            }
            done = self.block(b, &l.body);
            let nexts = l.carried.iter().flat_map(|c| match self.image(b, c.next) {
                Image::One(v) => vec![v],
                Image::Two(low, high) => vec![low, high],
            });
            nexts.collect()
        });
        self.moved = moved;
        done?;
        let mut at = results.into_iter();
        for c in &l.carried {
            let image = match (self.is_split(self.ty(c.inner)), at.next(), at.as_slice().first()) {
                (true, Some(low), Some(high)) => {
                    let high = *high;
                    at.next();
                    Image::Two(low, high)
                }
                (_, Some(v), _) => Image::One(v),
                _ => continue,
            };
            self.values.insert(c.result, image);
        }
        Ok(())
    }

    /// Names the image of a value, and keeps what the kernel's writer declared of it.
    fn give(&mut self, b: &mut Builder, v: Value, image: Image) {
        if let Image::One(new) = image
            && b.ty(new) == self.ty(v)
            && b.constant_of(new).is_none()
        {
            b.declare(new, &self.kernel.value(v).range);
        }
        self.values.insert(v, image);
    }

    fn op(&mut self, b: &mut Builder, op: &Op, args: &[Value], results: &[Value]) -> Result<(), Illegal> {
        for v in args.iter().chain(results) {
            self.fits_word(self.ty(*v), "values")?;
        }
        if args.iter().chain(results).any(|v| self.is_split(self.ty(*v))) {
            return self.wide_operation(b, op, args, results);
        }
        let a: Vec<Value> = args.iter().map(|v| self.one(*v)).collect();
        let images = self.narrow_operation(b, op, &a, results)?;
        for (v, image) in results.iter().zip(images) {
            self.give(b, *v, Image::One(image));
        }
        Ok(())
    }

    /// Products, carries and comparisons of words; all else stays.
    fn narrow_operation(
        &mut self,
        b: &mut Builder,
        op: &Op,
        a: &[Value],
        results: &[Value],
    ) -> Result<Vec<Value>, Illegal> {
        let types: Vec<Type> = results.iter().map(|v| self.ty(*v)).collect();
        let fills =
            a.first().is_some_and(|v| matches!(b.ty(*v), Type::Word(n) if 2 * u32::from(n) > self.machine.word));
        let by_halves = fills && self.machine.products == Products::Low;
        let no_wide = fills && self.machine.products != Products::Wide;
        Ok(match op {
            Op::Const(c) => vec![b.constant(types[0], c.clone())],
            Op::MulWide if by_halves => pair(self.product(b, a[0], a[1], &[])?),
            Op::MulAddAdd if by_halves => pair(self.product(b, a[0], a[1], &a[2..])?),
            Op::MaddLo(k) | Op::MaddHi(k) if no_wide && 2 * k > self.machine.word => {
                vec![self.part_product(b, *k, a, matches!(op, Op::MaddHi(_)))?]
            }
            Op::Clmul if no_wide => {
                return Err(self.illegal("a carry-less product", "take a plan without carry-less products"));
            }
            Op::AddCarry if !self.machine.flags && is_word(b, a[0]) => pair(self.add_carry(b, a[0], a[1], a[2])),
            Op::SubBorrow if !self.machine.flags && is_word(b, a[0]) => pair(self.sub_borrow(b, a[0], a[1], a[2])),
            Op::Less if !self.machine.unsigned && is_word(b, a[0]) => vec![self.less(b, a[0], a[1])],
            _ => b.op(op.clone(), a, &types),
        })
    }
}

fn is_word(b: &Builder, v: Value) -> bool {
    matches!(b.ty(v), Type::Word(_))
}

fn pair((x, y): (Value, Value)) -> Vec<Value> {
    vec![x, y]
}

/// The public amount of a shift that is the same in every iteration.
fn constant(index: &Index) -> Option<u32> {
    index.constant().and_then(|k| u32::try_from(k).ok())
}

/// Is every value of the interval at least 0?
fn is_unsigned(range: &Interval) -> bool {
    range.lo.sign() != num_bigint::Sign::Minus
}
