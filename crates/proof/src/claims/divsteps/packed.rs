//! A loop of division steps on words that hold f, u and v at once.
//!
//! The words A and B begin as `f mod 2^k − 2^(2k+1)` and `g mod 2^k − 2^(3k+2)`, and every iteration must be a step on
//! (ζ, A, B): that is shown for each sign of ζ and each lowest bit of B, where every word is a sum of multiples of them.
//! Steps are linear, so after k of them A is `φ − u·2^(k+1) − v·2^(2k+2)` with `−2^k ≤ φ < 2^k`, and B likewise; nothing
//! overflows in words of 3k + 4 bits, since neither becomes larger than both were. A step makes of rows R and S either 2·R
//! and S or S ± R, or 2·S and S − R: so `|u| + |v| ≤ 2^k` after k steps, for every f, an even one too. The rows stay
//! independent, so a sum of them has two entries that are not 0, or one that is smaller; and they begin as 1, 0 and 0, 1.
//! So after k ≥ 1 steps no entry is `−2^k`, and `2^k + φ`, `2^k − u` and `2^k − v` are bits 0 to k, k + 1 to 2k + 1,
//! 2k + 2 to 3k + 2 of `A + 2^k + 2^(2k+1) + 2^(3k+2)`.

use std::collections::BTreeMap;

use evariste_ir::divsteps::Part;
use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::unroll::{Applied, Arrays, Domain, Failure, Wholes, empty, pattern, run};

/// What words are sums of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    /// An input word: ζ, f, g.
    Input(u32),
    /// The k low bits of f or g.
    Low(u32),
    /// ζ, A, B when an iteration begins.
    Head(u32),
    /// ζ, A, B after the loop.
    Tail(u32),
    /// The bits of A (row 0) or B that hold an entry: `2^k` less it.
    Entry(u8, u8),
}

/// A sum of multiples of atoms and a constant, modulo `2^w`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sum {
    terms: BTreeMap<Atom, BigInt>,
    constant: BigInt,
}

impl Sum {
    fn constant(c: BigInt) -> Sum {
        Sum { constant: c, ..Sum::default() }
    }

    fn atom(atom: Atom) -> Sum {
        Sum { terms: BTreeMap::from([(atom, BigInt::one())]), ..Sum::default() }
    }

    fn plus(&self, factor: i32, other: &Sum, word: u32) -> Sum {
        let m = pow2(word);
        let mut terms = self.terms.clone();
        for (atom, c) in &other.terms {
            let sum = (terms.remove(atom).unwrap_or_default() + c * factor).mod_floor(&m);
            if !sum.is_zero() {
                terms.insert(*atom, sum);
            }
        }
        Sum { terms, constant: (&self.constant + &other.constant * factor).mod_floor(&m) }
    }

    fn as_constant(&self) -> Option<&BigInt> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// A word, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Sum(Sum),
    /// Half of a sum, in two's complement.
    Half(Sum),
    /// A sum without its low bits.
    Down(Sum, u32),
    Unknown,
}

/// The steps of one kernel in one case.
struct Steps {
    word: u32,
    count: u32,
    /// Is ζ negative when an iteration begins?
    negative: bool,
    /// The lowest bit of B then.
    odd: bool,
    /// Which of ζ, A and B the carried values are, in their order.
    carried: Vec<Option<u32>>,
    /// ζ, A and B after an iteration.
    next: [Option<Word>; 3],
}

/// Is the output that part of the kernel's steps?
pub(super) fn shows(kernel: &Kernel, output: &Operand, part: Part, count: u32) -> Result<bool, String> {
    if 3 * count + 4 > kernel.word {
        return Err("words do not hold f and its row of the matrix".into());
    }
    let mut right = true;
    for (negative, odd) in [(false, false), (false, true), (true, false), (true, true)] {
        let none = || [None, None, None];
        let mut steps = Steps { word: kernel.word, count, negative, odd, carried: Vec::new(), next: none() };
        let (arrays, _) = run(&mut steps, kernel, entry(kernel)?)?;
        if !steps.is_a_step() {
            return Err("an iteration is no division step".into());
        }
        let digit = &output.digits[0];
        let found = arrays[digit.array.0 as usize][digit.index as usize].as_ref();
        let expected = match part {
            Part::Zeta => Sum::atom(Atom::Tail(0)),
            Part::Entry(row, column) => {
                Sum::constant(pow2(count + 1)).plus(-1, &Sum::atom(Atom::Entry(row, column)), kernel.word)
            }
        };
        right &= found == Some(&Word::Sum(expected));
    }
    Ok(right)
}

/// The arrays on entry.
fn entry(kernel: &Kernel) -> Result<Arrays<Word>, String> {
    let mut arrays: Arrays<Word> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(Word::Unknown));
        }
    }
    for (operand, i) in kernel.contract.inputs.iter().take(3).zip(0..) {
        let [digit] = &operand.digits[..] else { return Err("an input of several digits".into()) };
        let ty = kernel.array(digit.array).ty;
        if digit.weight != 0 || digit.bits.is_some() || ty != Type::Word(kernel.word as u8) {
            return Err("an input that is no word".into());
        }
        let cell = &mut arrays[digit.array.0 as usize][digit.index as usize];
        if !matches!(cell, Some(Word::Unknown)) {
            return Err("an input that is another one".into());
        }
        *cell = Some(Word::Sum(Sum::atom(Atom::Input(i))));
    }
    Ok(arrays)
}

impl Steps {
    /// What A (1) and B (2) begin as.
    fn start(&self, which: u32) -> Sum {
        let unit = pow2((which + 1) * (self.count + 1) - 1);
        Sum::atom(Atom::Low(which)).plus(-1, &Sum::constant(unit), self.word)
    }

    /// Was the iteration a step, in this case?
    fn is_a_step(&self) -> bool {
        let [zeta, a, b] = [0, 1, 2].map(|i| Sum::atom(Atom::Head(i)));
        let (w, one) = (self.word, Sum::constant(BigInt::one()));
        let (zeta, a, b) = if self.negative && self.odd {
            let two = Sum::constant(2.into());
            (Sum::default().plus(-1, &zeta, w).plus(-1, &two, w), b.clone(), b.plus(-1, &a, w))
        } else {
            (zeta.plus(-1, &one, w), a.clone(), b.plus(i32::from(self.odd), &a, w))
        };
        let step = [Word::Sum(zeta), Word::Sum(a), Word::Half(b)];
        broken(Rule::DivisionStep) || self.next.iter().zip(step).all(|(found, right)| *found == Some(right))
    }

    /// Both operands of a bitwise operation, bit by bit: where one is all zeros or all ones.
    fn bitwise(&self, op: &Op, x: &Sum, y: &Sum) -> Option<Sum> {
        let ones: BigInt = pow2(self.word) - 1;
        let flip = |x: &Sum| Sum::constant(ones.clone()).plus(-1, x, self.word);
        let (mask, other) = match (x.as_constant(), y.as_constant()) {
            (_, Some(c)) if c.is_zero() || *c == ones => (!c.is_zero(), x),
            (Some(c), _) if (c.is_zero() || *c == ones) && !matches!(op, Op::AndNot) => (!c.is_zero(), y),
            _ => return None,
        };
        Some(match (op, mask) {
            (Op::And, false) | (Op::AndNot, true) => Sum::default(),
            (Op::And, true) | (Op::AndNot | Op::Or | Op::Xor, false) => other.clone(),
            (Op::Or, true) => Sum::constant(ones.clone()),
            (Op::Xor, true) => flip(other),
            _ => return None,
        })
    }

    /// The low bits of a word.
    fn low(&self, x: &Word, bits: u32) -> Option<Sum> {
        match x {
            Word::Sum(x) => match x.as_constant() {
                Some(c) => Some(Sum::constant(c.mod_floor(&pow2(bits)))),
                None if *x == Sum::atom(Atom::Head(2)) && bits == 1 => Some(Sum::constant(u32::from(self.odd).into())),
                None => (1..3)
                    .find(|i| *x == Sum::atom(Atom::Input(*i)) && bits == self.count)
                    .map(|i| Sum::atom(Atom::Low(i))),
            },
            Word::Down(x, shift) if bits == self.count + 1 => self.entry(x, *shift),
            _ => None,
        }
    }

    /// The entry that a sum holds from a bit on.
    fn entry(&self, x: &Sum, shift: u32) -> Option<Sum> {
        let k = self.count;
        let raise = Sum::constant(pow2(k) + pow2(2 * k + 1) + pow2(3 * k + 2));
        let row = (0..2).find(|row| *x == Sum::atom(Atom::Tail(row + 1)).plus(1, &raise, self.word))?;
        let column = (0..2).find(|column| shift == (k + 1) * (column + 1))?;
        Some(Sum::atom(Atom::Entry(row as u8, column as u8)))
    }

    fn shifted(&self, x: &Sum, o: &Applied) -> Word {
        let (k, top) = (o.shift, o.shift + 1 == self.word);
        let arithmetic = matches!(o.op, Op::Sar(_));
        match x.as_constant() {
            Some(c) if !arithmetic => Word::Sum(Sum::constant(c >> k)),
            None if top && *x == Sum::atom(Atom::Head(0)) => {
                let ones: BigInt = if arithmetic { pow2(self.word) - 1 } else { BigInt::one() };
                Word::Sum(Sum::constant(if self.negative { ones } else { BigInt::zero() }))
            }
            None if arithmetic && k == 1 => Word::Half(x.clone()),
            None if !arithmetic => Word::Down(x.clone(), k),
            _ => Word::Unknown,
        }
    }

    /// The result of an operation on words, flags and masks.
    fn result(&self, o: &Applied, args: &[Word]) -> Option<Word> {
        let word = |t: &Type| t.bits() == self.word || matches!(t, Type::Flag);
        if !o.types.iter().chain(o.arg_types).all(word) {
            return None;
        }
        let sum = |i: usize| match args.get(i)? {
            Word::Sum(x) => Some(x),
            _ => None,
        };
        let constant = |i: usize| sum(i)?.as_constant();
        let truth = |x: bool| Sum::constant(if x { pattern(&-BigInt::one(), o.types[0]) } else { BigInt::zero() });
        Some(Word::Sum(match o.op {
            Op::Const(c) => Sum::constant(pattern(c, o.types[0])),
            Op::Add | Op::WrappingAdd => sum(0)?.plus(1, sum(1)?, self.word),
            Op::Sub | Op::WrappingSub => sum(0)?.plus(-1, sum(1)?, self.word),
            Op::And if constant(1).is_some_and(|c| (c + 1u32).magnitude().count_ones() == 1 && !c.is_zero()) => {
                let bits = constant(1)?.bits() as u32;
                if bits == self.word { sum(0)?.clone() } else { self.low(args.first()?, bits)? }
            }
            Op::And | Op::AndNot | Op::Or | Op::Xor => self.bitwise(o.op, sum(0)?, sum(1)?)?,
            Op::Not => {
                let ones = if broken(Rule::DivisionFlag) { pow2(self.word) - 1 } else { o.types[0].full().hi };
                Sum::constant(ones).plus(-1, sum(0)?, self.word)
            }
            Op::LowBits(k) => self.low(args.first()?, *k)?,
            Op::Sar(_) | Op::Shr(_) => return Some(self.shifted(sum(0)?, o)),
            Op::Select => return args.get(if constant(0)?.is_zero() { 2 } else { 1 }).cloned(),
            Op::Equal => truth(constant(0)? == constant(1)?),
            Op::Less => truth(constant(0)? < constant(1)?),
            Op::FlagToMask => truth(!constant(0)?.is_zero()),
            Op::FlagToWord | Op::MaskToWord => sum(0)?.clone(),
            Op::MaskToFlag => Sum::constant(u32::from(!constant(0)?.is_zero()).into()),
            _ => return None,
        }))
    }
}

impl Domain for Steps {
    type V = Word;

    fn apply(&mut self, o: &Applied, args: &[Word]) -> Result<Vec<Word>, Failure> {
        let result = if o.types.len() == 1 { self.result(o, args) } else { None };
        Ok(result.map_or_else(|| vec![Word::Unknown; o.types.len()], |x| vec![x]))
    }

    fn constant(&mut self, _: &BigInt, _: Type) -> Word {
        Word::Unknown
    }

    fn wholes(&mut self) -> Option<&mut dyn Wholes<Word>> {
        Some(self)
    }
}

impl Wholes<Word> for Steps {
    fn takes(&self, trips: u32) -> bool {
        trips == self.count && self.carried.is_empty()
    }

    fn begin(&mut self) {}

    fn opaque(&mut self) -> Word {
        Word::Unknown
    }

    fn head(&mut self, _: Array, _: u32) -> Word {
        Word::Unknown
    }

    fn element(&mut self, _: Array, _: i64, _: i64) -> Word {
        Word::Unknown
    }

    fn end(&mut self, _: Arrays<Word>, _: &Arrays<Word>) {}

    fn tail(&mut self, _: Array, _: u32) -> Word {
        Word::Unknown
    }

    fn carried(&mut self, init: &Word) -> Word {
        let starts = |i: u32| if i == 0 { Sum::atom(Atom::Input(0)) } else { self.start(i) };
        let which = (0..3).find(|i| *init == Word::Sum(starts(*i)) && !self.carried.contains(&Some(*i)));
        self.carried.push(which);
        which.map_or(Word::Unknown, |i| Word::Sum(Sum::atom(Atom::Head(i))))
    }

    fn carried_on(&mut self, place: usize, next: &Word) -> Word {
        let Some(Some(i)) = self.carried.get(place).copied() else { return Word::Unknown };
        self.next[i as usize] = Some(next.clone());
        Word::Sum(Sum::atom(Atom::Tail(i)))
    }
}
