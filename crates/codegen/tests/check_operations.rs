//! What the checker takes an operation of the kernel language for, beside the interpreter: every operation, on every
//! type that it takes at small widths and at the widths around whole limbs, on all operands where there are few and on
//! edges and random ones elsewhere. The kernel runs on forms once; what its outputs and all facts that were learned on
//! the way are worth is computed from what atoms are.

use evariste_testing::Random;
use std::collections::{BTreeMap, HashSet};

use evariste_codegen::check::kernel::{self, Atoms};
use evariste_codegen::check::memory::Arrays;
use evariste_codegen::check::routines::Routines;
use evariste_codegen::check::terms::{Atom, Lin, Terms, Word};
use evariste_codegen::check::words::FloatOp;
use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Index, Interpreter, Interval, Kernel, Op, Type, Value, verify};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// A kernel of one operation, with an input array of one word for each word that its operands are made of.
pub struct Case {
    pub b: Builder,
    inputs: Vec<(String, Interval)>,
}

impl Case {
    pub fn new(word: u32) -> Case {
        Case { b: Builder::new("k", word), inputs: Vec::new() }
    }

    pub fn word(&mut self, n: u32, range: Interval) -> Value {
        let name = format!("x{}", self.inputs.len());
        let array = self.b.array(&name, Type::Word(n as u8), 1, ArrayKind::Input, vec![range.clone()]);
        self.inputs.push((name, range));
        self.b.load(array, 0u32)
    }

    /// An operand of that type: of words every value that `signed` says, a double word of two of them.
    fn operand(&mut self, ty: Type, signed: bool) -> Value {
        let full = |n: u32| if signed { Interval::new(-pow2(n - 1), pow2(n - 1) - 1) } else { Interval::bits(n) };
        match ty {
            Type::Word(n) => self.word(n.into(), full(n.into())),
            Type::Wide(n) => {
                let half = Type::Word(n / 2);
                let parts = [self.operand(half, false), self.operand(half, false)];
                self.b.op(Op::Join, &parts, &[ty])[0]
            }
            Type::Float(_) => {
                let bits = self.operand(Type::Word(64), false);
                self.b.op(Op::BitsToFloat, &[bits], &[ty])[0]
            }
            Type::Flag | Type::Mask(_) => {
                // Where words have one bit, that bit; elsewhere is a word of two bits zero?
                let sliced = self.b.word() == 1;
                let word = Type::Word(if sliced { 1 } else { 2 });
                let x = self.operand(word, false);
                let zero = self.b.constant(word, 0);
                let equal = self.b.op(Op::Equal, &[x, zero], &[Type::Mask(word.bits() as u8)])[0];
                let flag = self.b.op(Op::MaskToFlag, &[equal], &[Type::Flag])[0];
                if ty == Type::Flag { flag } else { self.b.op(Op::FlagToMask, &[flag], &[ty])[0] }
            }
        }
    }

    /// Stores a value of any type to outputs of words.
    pub fn show(&mut self, v: Value) {
        let ty = self.b.ty(v);
        match ty {
            Type::Word(n) => {
                let range = self.b.range(v).clone();
                let name = format!("z{}", self.b.kernel().arrays.len());
                let array = self.b.array(name, Type::Word(n), 1, ArrayKind::Output, vec![range]);
                self.b.store(array, 0u32, v);
            }
            Type::Wide(n) => {
                let half = Type::Word(n / 2);
                let mut shown = vec![v];
                if n > 64 {
                    // A limb that is not there counts as 0 in a split, and is missed in a sum.
                    let other = self.operand(ty, false);
                    shown.push(self.b.op(Op::WrappingAdd, &[v, other], &[ty])[0]);
                }
                for v in shown {
                    let parts = self.b.op(Op::Split, &[v], &[half, half]);
                    parts.into_iter().for_each(|part| self.show(part));
                }
            }
            Type::Float(_) => {
                let bits = self.b.op(Op::FloatToBits, &[v], &[Type::Word(64)])[0];
                self.show(bits);
            }
            Type::Flag => {
                let to = Type::Word(self.b.word() as u8);
                let word = self.b.op(Op::FlagToWord, &[v], &[to])[0];
                self.show(word);
            }
            Type::Mask(n) if n <= 64 => {
                let word = self.b.op(Op::MaskToWord, &[v], &[Type::Word(n)])[0];
                self.show(word);
            }
            Type::Mask(_) => {
                let flag = self.b.op(Op::MaskToFlag, &[v], &[Type::Flag])[0];
                self.show(flag);
            }
        }
    }
}

/// The words of inputs to try: all where there are few, else edges and random ones.
fn assignments(inputs: &[(String, Interval)], random: &mut Random) -> Vec<Vec<BigInt>> {
    let size = |i: &Interval| &i.hi - &i.lo + 1;
    let all: BigInt = inputs.iter().map(|(_, i)| size(i)).product();
    if let Some(all) = all.to_u64().filter(|all| *all <= 256) {
        return (0..all)
            .map(|k| {
                let mut k = BigInt::from(k);
                let mut values = Vec::new();
                for (_, i) in inputs {
                    let (rest, low) = k.div_rem(&size(i));
                    values.push(&i.lo + low);
                    k = rest;
                }
                values
            })
            .collect();
    }
    (0..96)
        .map(|_| {
            let value = |(_, i): &(String, Interval)| {
                let any = BigInt::from(random.word());
                let half = (&i.lo + &i.hi).div_floor(&BigInt::from(2));
                let edges = [i.lo.clone(), i.hi.clone(), &i.lo + 1, &i.hi - 1, half.clone(), half + 1];
                let edge = edges[(random.word() % 6) as usize].clone();
                let of = if random.word().is_multiple_of(2) { edge } else { &i.lo + any.mod_floor(&size(i)) };
                of.clamp(i.lo.clone(), i.hi.clone())
            };
            inputs.iter().map(value).collect()
        })
        .collect()
}

fn carryless(x: u64, y: u64) -> u128 {
    (0..64).filter(|i| y >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(x) << i)
}

fn rijndael(x: u64, y: u64) -> u64 {
    let mut z = carryless(x, y) as u64;
    for bit in (8..15).rev() {
        if z >> bit & 1 == 1 {
            z ^= 0x11b << (bit - 8);
        }
    }
    z
}

fn float(op: FloatOp, x: u64, y: u64, z: u64) -> u64 {
    let [x, y, z] = [x, y, z].map(f64::from_bits);
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Fma => x.mul_add(y, z),
    }
    .to_bits()
}

/// What every atom is worth, from what atoms are: nothing of the checker's rules is used.
struct Values<'t> {
    t: &'t Terms,
    atoms: Vec<BigInt>,
}

impl Values<'_> {
    fn new<'t>(t: &'t Terms, unknowns: &[BigInt]) -> Values<'t> {
        let mut v = Values { t, atoms: Vec::new() };
        let n: BigInt = t.n().into();
        for a in 0..t.size().1 {
            let product = |x: Word, y: Word| BigInt::from(v.word(x)) * v.word(y);
            let made: BigInt = match t.atom(a as u32) {
                Atom::Unknown(i) => unknowns[i as usize].clone(),
                Atom::Over(l) => v.form(l).div_floor(&n),
                Atom::MulLo(x, y) => product(x, y).mod_floor(&n),
                Atom::MulHi(x, y) => product(x, y).div_floor(&n),
                Atom::PartLo(k, x, y) => product(x, y).mod_floor(&pow2(k.into())),
                Atom::PartHi(k, x, y) => product(x, y).div_floor(&pow2(k.into())),
                Atom::ClmulLo(x, y) => (carryless(v.word(x), v.word(y)) as u64).into(),
                Atom::ClmulHi(x, y) => ((carryless(v.word(x), v.word(y)) >> 64) as u64).into(),
                Atom::RijndaelMul(x, y) => rijndael(v.word(x), v.word(y)).into(),
                Atom::BitMatrix(images, x) => {
                    let x = v.word(x);
                    let image = |j: u32| if x >> j & 1 == 1 { images >> (8 * j) & 255 } else { 0 };
                    (0..8).fold(0, |sum, j| sum ^ image(j)).into()
                }
                Atom::LookUp(table, x) => t.table(table)[v.word(x) as usize].into(),
                Atom::And(x, y) => (v.word(x) & v.word(y)).into(),
                Atom::Xor(x, y) => (v.word(x) ^ v.word(y)).into(),
                Atom::Float(op, x, y, z) => float(op, v.word(x), v.word(y), v.word(z)).into(),
                Atom::Times(f, b) => v.form(f.0) * &v.atoms[b as usize],
                Atom::TimesLong(f, l) => v.form(f.0) * v.form(l),
                Atom::Result(..) => unreachable!("no calls here"),
            };
            v.atoms.push(made);
        }
        v
    }

    fn form(&self, l: Lin) -> BigInt {
        let form = self.t.form(l);
        form.parts.iter().fold(BigInt::from(form.constant), |sum, (a, k)| sum + &self.atoms[*a as usize] * *k)
    }

    fn word(&self, x: Word) -> u64 {
        self.form(x.0).mod_floor(&self.t.n().into()).to_u64().expect("below 2^64")
    }

    /// Are definitions and bounds of atoms true?
    fn facts_hold(&self) -> Result<(), String> {
        for (a, value) in self.atoms.iter().enumerate() {
            let a = a as u32;
            if let Some(l) = self.t.definition(a).filter(|l| self.form(*l) != *value) {
                return Err(format!("{:?} is {value}, and defined as {}", self.t.atom(a), self.form(l)));
            }
            if let Some((lo, hi)) = self.t.atom_bounds(a)
                && !(BigInt::from(lo) <= *value && *value <= BigInt::from(hi))
            {
                return Err(format!("{:?} is {value}, and bounded by {lo} and {hi}", self.t.atom(a)));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
pub struct Tally {
    pub kernels: usize,
    pub compared: usize,
    /// Inputs where an exact operation leaves its type, and of these the ones where something that was learned is false.
    pub beyond: [usize; 2],
    /// Kernels may be refused since a coefficient grew too long.
    pub may_refuse: bool,
    /// Kernels that the checker does not follow, by operation.
    pub unknown: BTreeMap<&'static str, usize>,
    pub followed: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Runs a kernel through both; panics where they differ.
    pub fn compare(&mut self, name: &'static str, case: Case, random: &mut Random) {
        let Case { b, inputs } = case;
        let kernel = b.finish(Contract::default());
        if let Err(defects) = verify(&kernel) {
            panic!("{name}: {defects:?}\n{kernel}");
        }
        self.kernels += 1;
        for (split, whole) in [(false, false), (false, true), (true, true)] {
            let mut t = Terms::new(64);
            (t.split_products, t.whole_products, t.whole_look_ups) = (split, whole, whole);
            let params: Vec<Array> = kernel.params().collect();
            let element = |t: &mut Terms, a: &Array| {
                let info = kernel.array(*a);
                let range = &info.ranges[0];
                let top = if kernel.word == 1 { t.n() - 1 } else { (1i128 << info.ty.bits()) - 1 };
                let bounds = (range.lo.to_u64(), range.hi.to_u64());
                let (lo, hi) = match bounds {
                    (Some(lo), Some(hi)) if kernel.word != 1 => (i128::from(lo), i128::from(hi)),
                    _ => (0, top),
                };
                let unknown = t.unknown(lo, hi);
                Some(t.word(unknown)).filter(|_| info.kind == ArrayKind::Input)
            };
            let elements = params.iter().map(|a| vec![element(&mut t, a)]).collect();
            let mut memory = Arrays { class: (0..params.len()).collect(), elements };
            let entered = Atoms { routines: &Routines::default(), kernels: HashSet::new() };
            if let Err(why) = kernel::run(&mut t, &kernel, &mut memory, 0, &entered) {
                assert!(why.contains("does not follow") || why.contains("parameter of"), "{name}: {why}\n{kernel}");
                *self.unknown.entry(name).or_default() += 1;
                return;
            }
            if self.may_refuse && t.poisoned.is_some() {
                *self.unknown.entry(name).or_default() += 1;
                return;
            }
            assert_eq!(t.poisoned, None, "{name}\n{kernel}");
            for values in assignments(&inputs, random) {
                self.compare_one(name, &kernel, &t, &memory, &inputs, &values, random);
            }
        }
        *self.followed.entry(name).or_default() += 1;
    }

    #[allow(clippy::too_many_arguments)]
    fn compare_one(
        &mut self,
        name: &str,
        kernel: &Kernel,
        t: &Terms,
        memory: &Arrays,
        inputs: &[(String, Interval)],
        values: &[BigInt],
        random: &mut Random,
    ) {
        let given: Vec<(&str, Vec<BigInt>)> =
            inputs.iter().zip(values).map(|((name, _), v)| (name.as_str(), vec![v.clone()])).collect();
        // Sliced words: this lane among others.
        let (sliced, lane) = (kernel.word == 1, random.word() % 64);
        let mut pattern = |v: &BigInt, ty: Type| {
            let others = random.word();
            match sliced {
                false => v.mod_floor(&pow2(ty.bits())),
                true if v.is_zero() => BigInt::from(others & !(1 << lane)),
                true => BigInt::from(others | 1 << lane),
            }
        };
        let params: Vec<Array> = kernel.params().collect();
        let mut unknowns = Vec::new();
        for a in &params {
            let info = kernel.array(*a);
            let value = given.iter().find(|(name, _)| *name == info.name).map_or(BigInt::zero(), |(_, v)| v[0].clone());
            unknowns.push(pattern(&value, info.ty));
        }
        let worth = Values::new(t, &unknowns);
        // An exact operation that leaves its type: no input of a proved kernel.
        let Ok(wanted) = Interpreter::new(kernel).run_one(&given) else {
            self.beyond[0] += 1;
            self.beyond[1] += usize::from(worth.facts_hold().is_err());
            return;
        };
        let at = || format!("{name} at {values:?}\n{kernel}");
        worth.facts_hold().unwrap_or_else(|e| panic!("{e}, by {}", at()));
        for (p, a) in params.iter().enumerate() {
            let info = kernel.array(*a);
            let Some((_, wanted)) = wanted.iter().find(|(name, _)| *name == info.name) else { continue };
            let Some(word) = memory.elements[p][0] else { panic!("{} is not written: {}", info.name, at()) };
            let (got, wanted) = (worth.word(word), wanted[0].mod_floor(&pow2(info.ty.bits())).to_u64());
            let got = if sliced { got >> lane & 1 } else { got };
            assert_eq!(Some(got), wanted, "{} of {}", info.name, at());
            self.compared += 1;
        }
    }
}

/// Types that an operation may take: words around the ends of bytes and limbs, double words, flags, masks.
const WORDS: [u8; 8] = [1, 2, 3, 8, 31, 32, 63, 64];
const WIDES: [u8; 6] = [2, 4, 16, 64, 126, 128];

fn integers() -> impl Iterator<Item = Type> {
    WORDS.into_iter().map(Type::Word).chain(WIDES.into_iter().map(Type::Wide))
}

fn words() -> impl Iterator<Item = Type> {
    WORDS.into_iter().map(Type::Word)
}

fn masks() -> impl Iterator<Item = Type> {
    [1, 2, 8, 64, 128].into_iter().map(Type::Mask)
}

/// One kernel: operands of these types, results of those.
fn one(tally: &mut Tally, word: u32, op: Op, operands: &[Type], results: &[Type], signed: bool, random: &mut Random) {
    if word == 1 && signed {
        // A word of one bit is never signed.
        return;
    }
    let name = op.name();
    let mut case = Case::new(word);
    let args: Vec<Value> = operands.iter().map(|ty| case.operand(*ty, signed)).collect();
    for v in case.b.op(op, &args, results) {
        case.show(v);
    }
    tally.compare(name, case, random);
}

/// Amounts of shifts: the ends, the middle, around a limb.
fn amounts(n: u32, most: u32) -> Vec<u32> {
    let mut all: Vec<u32> =
        [0, 1, n / 2, n.saturating_sub(1), 63, 64, 65, n].into_iter().filter(|k| *k <= most).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn every_operation(tally: &mut Tally, word: u32, random: &mut Random) {
    use Op::*;
    let sliced = word == 1;
    let fits = |ty: &Type| !sliced || matches!(ty, Type::Word(1) | Type::Flag | Type::Mask(1));
    let integers: Vec<Type> = integers().filter(fits).collect();
    let words: Vec<Type> = words().filter(fits).collect();
    let masks: Vec<Type> = masks().filter(fits).collect();
    let bits: Vec<Type> = integers.iter().copied().chain([Type::Flag]).chain(masks.clone()).collect();
    for t in &integers {
        let n = t.bits();
        for signed in [false, true] {
            for op in [Add, Sub, Mul, WrappingAdd, WrappingSub, WrappingMul] {
                one(tally, word, op, &[*t, *t], &[*t], signed, random);
            }
            for k in amounts(n, n - 1) {
                let k = Index::at(k.into());
                for op in [Shl(k.clone()), WrappingShl(k.clone()), Shr(k.clone()), Sar(k.clone()), Rotate(k)] {
                    one(tally, word, op, &[*t], &[*t], signed, random);
                }
            }
            for k in amounts(n, n) {
                one(tally, word, LowBits(k), &[*t], &[*t], signed, random);
            }
            let mask = Type::Mask(n as u8);
            one(tally, word, Equal, &[*t, *t], &[mask], signed, random);
            one(tally, word, Less, &[*t, *t], &[mask], signed, random);
            one(tally, word, AddCarry, &[*t, *t, Type::Flag], &[*t, Type::Flag], signed, random);
            one(tally, word, SubBorrow, &[*t, *t, Type::Flag], &[*t, Type::Flag], signed, random);
            for r in integers.iter().filter(|r| r.bits() >= n) {
                one(tally, word, Widen, &[*t], &[*r], signed, random);
            }
            for r in integers.iter().filter(|r| r.bits() <= n) {
                one(tally, word, Narrow, &[*t], &[*r], signed, random);
            }
        }
        one(tally, word, FlagToWord, &[Type::Flag], &[*t], false, random);
        for part in words.iter().filter(|part| n.is_multiple_of(part.bits()) && n / part.bits() <= 16) {
            let parts = vec![*part; (n / part.bits()) as usize];
            one(tally, word, Split, &[*t], &parts, false, random);
            one(tally, word, Join, &parts, &[*t], false, random);
        }
    }
    for t in &words {
        let n = t.bits();
        one(tally, word, MulWide, &[*t, *t], &[*t, *t], false, random);
        one(tally, word, MulAddAdd, &[*t; 4], &[*t, *t], false, random);
        if !sliced {
            let wide = Type::Wide(2 * n as u8);
            one(tally, word, MulFull, &[*t, *t], &[wide], false, random);
            one(tally, word, Clmul, &[*t, *t], &[wide], false, random);
        }
        for k in amounts(n, n) {
            one(tally, word, FunnelShift(Index::at(k.into())), &[*t, *t], &[*t], false, random);
            if k > 0 {
                for signed in [false, true] {
                    one(tally, word, MaddLo(k), &[*t; 3], &[*t], signed, random);
                    one(tally, word, MaddHi(k), &[*t; 3], &[*t], signed, random);
                }
            }
        }
    }
    for t in &masks {
        one(tally, word, FlagToMask, &[Type::Flag], &[*t], false, random);
        one(tally, word, MaskToFlag, &[*t], &[Type::Flag], false, random);
        if t.bits() <= 64 {
            one(tally, word, MaskToWord, &[*t], &[Type::Word(t.bits() as u8)], false, random);
        }
        for r in &bits {
            one(tally, word, Select, &[*t, *r, *r], &[*r], false, random);
        }
    }
    for t in &bits {
        for op in [And, Or, Xor, AndNot] {
            one(tally, word, op, &[*t, *t], &[*t], false, random);
        }
        one(tally, word, Not, &[*t], &[*t], false, random);
    }
    for t in integers.iter().copied().chain([Type::Flag]).chain(masks.clone()) {
        let top = pow2(t.bits()) - BigInt::one();
        let constants = if matches!(t, Type::Mask(_)) {
            vec![BigInt::zero(), top]
        } else {
            vec![BigInt::zero(), BigInt::one(), top]
        };
        for c in constants {
            one(tally, word, Const(c), &[], &[t], false, random);
        }
    }
    if sliced {
        return;
    }
    let (byte, double) = (Type::Word(8), Type::Float(53));
    one(tally, word, RijndaelMul, &[byte, byte], &[byte], false, random);
    one(tally, word, BitMatrix(0x0123_4567_89ab_cdef), &[byte], &[byte], false, random);
    for op in [FloatAdd, FloatSub, FloatMul] {
        one(tally, word, op, &[double, double], &[double], false, random);
    }
    one(tally, word, FloatFma, &[double; 3], &[double], false, random);
    one(tally, word, BitsToFloat, &[Type::Word(64)], &[double], false, random);
    one(tally, word, FloatToBits, &[double], &[Type::Word(64)], false, random);
    for t in words.iter().filter(|t| t.bits() >= 3) {
        // Of every index below the length.
        let mut case = Case::new(word);
        let index = case.word(t.bits(), Interval::up_to(BigInt::from(4)));
        let entries = [3, 0, 250, 1, 7].map(BigInt::from).to_vec();
        let table = case.b.array("t", byte, 5, ArrayKind::Table(entries), vec![Interval::bits(8)]);
        let found = case.b.op(Lookup { table, vartime: false }, &[index], &[byte])[0];
        case.show(found);
        tally.compare("lookup", case, random);
    }
    // As lanes have it: words in a table of fewer bits.
    let mut case = Case::new(word);
    let index = case.word(64, Interval::up_to(BigInt::from(6)));
    let entries = [0, 3, 65535, 1, 7, 0, 513].map(BigInt::from).to_vec();
    let table = case.b.array("t", Type::Word(64), 7, ArrayKind::Table(entries), vec![Interval::bits(16)]);
    let found = case.b.op(Lookup { table, vartime: false }, &[index], &[Type::Word(64)])[0];
    case.show(found);
    tally.compare("lookup", case, random);
}

/// Operations that the checker follows on some types at least.
const FOLLOWED: usize = 44;

#[test]
fn every_operation_means_what_the_interpreter_computes() {
    let mut random = Random(1);
    let mut tally = Tally::default();
    every_operation(&mut tally, 8, &mut random);
    println!("{} kernels, {} values compared; followed {:?}", tally.kernels, tally.compared, tally.followed);
    println!("not followed {:?}", tally.unknown);
    assert!(tally.followed.len() >= FOLLOWED, "{} operations are followed", tally.followed.len());
    assert!(tally.compared > 20_000 && tally.unknown.values().sum::<usize>() * 4 < tally.kernels);
}

#[test]
fn every_operation_on_sliced_bits() {
    let mut random = Random(2);
    let mut tally = Tally::default();
    every_operation(&mut tally, 1, &mut random);
    println!("{} kernels, {} values compared; followed {:?}", tally.kernels, tally.compared, tally.followed);
    println!("not followed {:?}", tally.unknown);
    assert!(tally.followed.len() >= 16 && tally.compared > 50);
}
