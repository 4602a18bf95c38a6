//! The forms of the checker, run on every operand at toy widths: whatever rules were applied, every form, every bound
//! and every equation that was learned must be true for all inputs.

use evariste_codegen::check::terms::{Atom, Flag, Lin, Terms, Word};
use evariste_testing::Random;

/// Deterministic random numbers.
/// A word or flag with its value at every input.
#[derive(Clone)]
struct Known<T> {
    symbol: T,
    values: Vec<i128>,
}

fn known<T>(symbol: T, values: Vec<i128>) -> Known<T> {
    Known { symbol, values }
}

fn map2(x: &[i128], y: &[i128], f: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect()
}

/// The product of two polynomials over GF(2).
fn carryless(x: i128, y: i128) -> i128 {
    (0..64).filter(|i| y >> i & 1 == 1).fold(0, |sum, i| sum ^ x << i)
}

/// Values of every atom at every input, from what atoms are: nothing of the rules is used.
fn atoms(t: &Terms, inputs: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let n = t.n();
    let mut all: Vec<Vec<i128>> = Vec::new();
    for a in 0..t.size().1 {
        let values = |l: Lin| evaluate(t, l, &all, inputs[0].len());
        let word = |x: Word| values(x.0).into_iter().map(|v| v.rem_euclid(n)).collect::<Vec<_>>();
        let made = match t.atom(a as u32) {
            Atom::Unknown(i) => inputs[i as usize].clone(),
            Atom::Over(l) => values(l).into_iter().map(|v| v.div_euclid(n)).collect(),
            Atom::MulLo(x, y) => map2(&word(x), &word(y), |x, y| x * y % n),
            Atom::MulHi(x, y) => map2(&word(x), &word(y), |x, y| x * y / n),
            Atom::PartLo(k, x, y) => map2(&word(x), &word(y), |x, y| x * y & ((1 << k) - 1)),
            Atom::PartHi(k, x, y) => map2(&word(x), &word(y), |x, y| x * y >> k),
            Atom::ClmulLo(x, y) => map2(&word(x), &word(y), |x, y| carryless(x, y) % n),
            Atom::ClmulHi(x, y) => map2(&word(x), &word(y), |x, y| carryless(x, y) / n),
            Atom::And(x, y) => map2(&word(x), &word(y), |x, y| x & y),
            Atom::Xor(x, y) => map2(&word(x), &word(y), |x, y| x ^ y),
            Atom::Float(..) | Atom::RijndaelMul(..) | Atom::BitMatrix(..) | Atom::LookUp(..) => {
                unreachable!("no doubles, no bytes and no tables among words of a few bits")
            }
            Atom::Times(f, b) => map2(&values(f.0), &all[b as usize], |f, b| f * b),
            Atom::TimesLong(f, l) => map2(&values(f.0), &values(l), |f, b| f * b),
            Atom::Result(..) => unreachable!("no calls here"),
        };
        all.push(made);
    }
    all
}

fn evaluate(t: &Terms, l: Lin, atoms: &[Vec<i128>], lanes: usize) -> Vec<i128> {
    let form = t.form(l);
    (0..lanes)
        .map(|i| form.constant + form.parts.iter().map(|(a, k)| k * atoms[*a as usize][i]).sum::<i128>())
        .collect()
}

struct Toy {
    t: Terms,
    inputs: Vec<Vec<i128>>,
    words: Vec<Known<Word>>,
    flags: Vec<Known<Flag>>,
}

impl Toy {
    /// Words and a flag that run through all their values.
    fn new(w: u32, words: usize) -> Toy {
        let mut t = Terms::new(w);
        let lanes = 2usize << (w as usize * words);
        let mut toy_words = Vec::new();
        let mut inputs = Vec::new();
        for k in 0..words {
            let values: Vec<i128> = (0..lanes).map(|i| (i >> (w as usize * k)) as i128 & (t.n() - 1)).collect();
            let unknown = t.unknown(0, t.n() - 1);
            toy_words.push(known(t.word(unknown), values.clone()));
            inputs.push(values);
        }
        let values: Vec<i128> = (0..lanes).map(|i| (i >> (w as usize * words)) as i128).collect();
        let unknown = t.unknown(0, 1);
        let flag = known(t.flag(unknown), values.clone());
        inputs.push(values);
        let zero = t.constant(0);
        Toy { t, inputs, words: toy_words, flags: vec![flag, known(Flag(zero), vec![0; lanes])] }
    }

    fn check(&self, what: &str) {
        let atoms = atoms(&self.t, &self.inputs);
        let lanes = self.inputs[0].len();
        let n = self.t.n();
        for (a, values) in atoms.iter().enumerate() {
            if let Some(l) = self.t.definition(a as u32) {
                assert_eq!(
                    &evaluate(&self.t, l, &atoms, lanes),
                    values,
                    "{what}: the definition of {:?}",
                    self.t.atom(a as u32)
                );
            }
            if let Some((lo, hi)) = self.t.atom_bounds(a as u32) {
                assert!(
                    values.iter().all(|v| lo <= *v && *v <= hi),
                    "{what}: bounds {lo}..={hi} of {:?}",
                    self.t.atom(a as u32)
                );
            }
        }
        for w in &self.words {
            let got: Vec<i128> =
                evaluate(&self.t, w.symbol.0, &atoms, lanes).into_iter().map(|v| v.rem_euclid(n)).collect();
            assert_eq!(got, w.values, "{what}: a word");
        }
        for f in &self.flags {
            assert_eq!(evaluate(&self.t, f.symbol.0, &atoms, lanes), f.values, "{what}: a flag");
        }
    }

    /// A random word, reduced to n bits where that is wanted.
    fn word(&mut self, random: &mut Random, n: u32) -> Known<Word> {
        let x = self.words[random.index(self.words.len())].clone();
        if n == self.t.width() {
            x
        } else {
            known(self.t.low(x.symbol, n), x.values.iter().map(|v| v & ((1 << n) - 1)).collect())
        }
    }

    /// One random operation; its name.
    fn step(&mut self, random: &mut Random) -> &'static str {
        let w = self.t.width();
        let n = w - if random.index(4) == 0 { random.index(w as usize - 1) as u32 } else { 0 };
        let top = (1i128 << n) - 1;
        let (x, y, c, d) = (self.word(random, n), self.word(random, n), self.word(random, n), self.word(random, n));
        let (a, b) = (self.word(random, w), self.word(random, w));
        let f = self.flags[random.index(self.flags.len())].clone();
        let g = self.flags[random.index(self.flags.len())].clone();
        let k = random.index(n as usize) as u32;
        let t = &mut self.t;
        let big = t.n();
        let (words, flags) = (&mut self.words, &mut self.flags);
        let total = |combine: &dyn Fn(usize) -> i128| -> Vec<i128> { (0..x.values.len()).map(combine).collect() };
        let of = |x: &Known<Word>, f: &dyn Fn(i128) -> i128| -> Vec<i128> { x.values.iter().map(|v| f(*v)).collect() };
        match random.index(22) {
            0 | 1 => {
                let (s, o) = t.add_carry(x.symbol, y.symbol, f.symbol, n);
                let total = total(&|i| x.values[i] + y.values[i] + f.values[i]);
                words.push(known(s, total.iter().map(|s| s & top).collect()));
                flags.push(known(o, total.iter().map(|s| s >> n).collect()));
                "add_carry"
            }
            2 | 3 => {
                let (s, o) = t.sub_borrow(x.symbol, y.symbol, f.symbol, n);
                let total = total(&|i| x.values[i] - y.values[i] - f.values[i]);
                words.push(known(s, total.iter().map(|s| s & top).collect()));
                flags.push(known(o, total.iter().map(|s| i128::from(*s < 0)).collect()));
                "sub_borrow"
            }
            4 if random.index(2) == 0 => {
                let (lo, hi) = t.clmul(x.symbol, y.symbol);
                words.push(known(lo, map2(&x.values, &y.values, |x, y| carryless(x, y) % big)));
                words.push(known(hi, map2(&x.values, &y.values, |x, y| carryless(x, y) / big)));
                "clmul"
            }
            4 => {
                t.split_products = random.index(2) == 0;
                let (lo, hi) = t.mul(a.symbol, b.symbol);
                words.push(known(lo, map2(&a.values, &b.values, |x, y| x * y % big)));
                words.push(known(hi, map2(&a.values, &b.values, |x, y| x * y / big)));
                "mul"
            }
            5 if random.index(2) == 0 => {
                t.whole_products = random.index(2) == 0;
                let (lo, hi) = t.halves(x.symbol, y.symbol, n);
                words.push(known(lo, map2(&x.values, &y.values, |x, y| x * y & top)));
                words.push(known(hi, map2(&x.values, &y.values, |x, y| x * y >> n)));
                "halves"
            }
            5 => {
                t.split_products = random.index(2) == 0;
                let (lo, hi) = t.mul_add_add(x.symbol, y.symbol, c.symbol, d.symbol, n);
                let total = total(&|i| x.values[i] * y.values[i] + c.values[i] + d.values[i]);
                words.push(known(lo, total.iter().map(|s| s & top).collect()));
                words.push(known(hi, total.iter().map(|s| s >> n).collect()));
                "mul_add_add"
            }
            6 => {
                words.push(known(t.low(a.symbol, k), of(&a, &|x| x & ((1 << k) - 1))));
                "low"
            }
            7 => {
                words.push(known(t.shift_right(a.symbol, k), of(&a, &|x| x >> k)));
                "shift_right"
            }
            8 => {
                flags.push(known(t.bit(a.symbol, k), of(&a, &|x| x >> k & 1)));
                "bit"
            }
            9 => {
                words.push(known(t.shift_left(x.symbol, k, n), of(&x, &|x| x << k & top)));
                "shift_left"
            }
            10 => {
                words.push(known(
                    t.shift_right_signed(x.symbol, k, n),
                    of(&x, &|x| (x - ((x >> (n - 1)) << n)) >> k & top),
                ));
                "shift_right_signed"
            }
            11 => {
                words.push(known(t.rotate(x.symbol, k, n), of(&x, &|x| (x << k | x >> (n - k)) & top)));
                "rotate"
            }
            12 if k > 0 => {
                words.push(known(
                    t.funnel(x.symbol, y.symbol, k, n),
                    map2(&x.values, &y.values, |hi, lo| (hi << n | lo) >> k & top),
                ));
                "funnel"
            }
            13 => {
                words.push(known(t.not(x.symbol, n), of(&x, &|x| top - x)));
                "not"
            }
            14 if random.index(2) == 0 => {
                words.push(known(t.and_not(x.symbol, y.symbol, n), map2(&x.values, &y.values, |x, y| x & !y)));
                "and_not"
            }
            14 => {
                words.push(known(t.and(a.symbol, b.symbol), map2(&a.values, &b.values, |x, y| x & y)));
                "and"
            }
            15 => {
                words.push(known(t.or(a.symbol, b.symbol), map2(&a.values, &b.values, |x, y| x | y)));
                "or"
            }
            16 => {
                words.push(known(t.xor(a.symbol, b.symbol), map2(&a.values, &b.values, |x, y| x ^ y)));
                "xor"
            }
            17 => {
                flags.push(known(t.nonzero(a.symbol), of(&a, &|x| i128::from(x != 0))));
                "nonzero"
            }
            18 => {
                words.push(known(
                    t.select(f.symbol, a.symbol, b.symbol),
                    total(&|i| if f.values[i] == 1 { a.values[i] } else { b.values[i] }),
                ));
                "select"
            }
            19 => {
                flags.push(known(t.flag_and(f.symbol, g.symbol), map2(&f.values, &g.values, |x, y| x & y)));
                flags.push(known(t.flag_or(f.symbol, g.symbol), map2(&f.values, &g.values, |x, y| x | y)));
                flags.push(known(t.flag_xor(f.symbol, g.symbol), map2(&f.values, &g.values, |x, y| x ^ y)));
                flags.push(known(t.complement(f.symbol), f.values.iter().map(|x| 1 - x).collect()));
                "flags"
            }
            20 => {
                words.push(known(t.mask_word(f.symbol, n), f.values.iter().map(|x| x * top).collect()));
                words.push(known(t.flag_word(g.symbol), g.values));
                "mask_word"
            }
            _ => {
                let value = random.index(big as usize) as i128;
                words.push(known(t.word_constant(value as u64), vec![value; a.values.len()]));
                "constant"
            }
        }
    }
}

#[test]
fn every_rule_holds_on_every_operand() {
    let mut random = Random(1);
    // With `EVARISTE_FULL=1` three times as many.
    for round in 0..if evariste_testing::full() { 6000 } else { 2000 } {
        let (w, words) = [(2, 3), (3, 2), (3, 3), (4, 2)][round % 4];
        let mut toy = Toy::new(w, words);
        let mut names = Vec::new();
        for _ in 0..10 + round % 7 {
            names.push(toy.step(&mut random));
        }
        assert_eq!(toy.t.poisoned, None, "{names:?}");
        toy.check(&format!("{round} {names:?}"));
        // The same after every atom was made again.
        let new = toy.t.rebuild();
        toy.check(&format!("{round} {names:?}, rebuilt"));
        let atoms = atoms(&toy.t, &toy.inputs);
        for (a, l) in new.iter().enumerate() {
            assert_eq!(
                evaluate(&toy.t, *l, &atoms, toy.inputs[0].len()),
                atoms[a],
                "{round} {names:?}: {:?} made again",
                toy.t.atom(a as u32)
            );
        }
    }
}

/// A word of which nothing is known.
fn fresh(t: &mut Terms) -> Word {
    let l = t.unknown(0, i128::from(u64::MAX));
    t.word(l)
}

/// What the checker must recognise: two ways to the same value give the same form.
#[test]
fn equal_values_are_recognised() {
    let t = &mut Terms::new(64);
    let (x, y, z, c) = (fresh(t), fresh(t), fresh(t), fresh(t));
    let zero = t.word_constant(0);
    let one = t.word_constant(1);
    let none = t.bit(zero, 0);
    let f = t.bit(c, 0);
    // x + carry = adc x, 0
    let carry = t.flag_word(f);
    assert_eq!(t.add_carry(x, carry, none, 64), t.add_carry(x, zero, f, 64));
    // sbb x, x is the mask; and with it is a selection.
    let (mask, borrow) = t.sub_borrow(x, x, f, 64);
    assert_eq!((mask, borrow), (t.mask_word(f, 64), f));
    assert_eq!(t.and(y, mask), t.select(f, y, zero));
    // (y and m) or (z and not m): y where the flag is set; the complement selects the other way.
    let not = t.not(mask, 64);
    let (p, q) = (t.and(y, mask), t.and(z, not));
    let other = t.complement(f);
    let picked = t.select(f, y, z);
    assert_eq!(t.add(p, q, 64), picked);
    assert_eq!(t.select(other, z, y), picked);
    // neg sets the carry where x is not 0; cmp x, 1 where it is 0.
    let (negative, negated) = t.sub_borrow(zero, x, none, 64);
    assert_eq!(negated, t.nonzero(x));
    assert_eq!(t.nonzero(negative), t.nonzero(x));
    let below = t.sub_borrow(x, one, none, 64).1;
    assert_eq!(t.complement(below), negated);
    // Of words below p, x − y + p where that borrows is the lesser of x − y and x − y + p.
    let p = t.word_constant((1 << 31) - 1);
    let [u, v] = [0; 2].map(|_| {
        let l = t.unknown(0, (1 << 31) - 2);
        t.word(l)
    });
    let (difference, borrow) = t.sub_borrow(u, v, none, 32);
    let (raised, carry) = t.add_carry(difference, p, none, 32);
    assert_eq!(carry, borrow);
    let below = t.sub_borrow(raised, difference, none, 32).1;
    let zero_or_p = t.select(borrow, p, zero);
    let sum = t.add(difference, zero_or_p, 32);
    assert_eq!(t.select(below, raised, difference), sum);
    // x − y = x + not y + 1, with the carry the complement of the borrow.
    let (difference, borrow) = t.sub_borrow(x, y, none, 64);
    let y_not = t.not(y, 64);
    let yes = t.complement(none);
    let (sum, carry) = t.add_carry(x, y_not, yes, 64);
    assert_eq!((sum, t.complement(carry)), (difference, borrow));
    // x = y by subtraction, by exclusive or.
    let bits = t.xor(x, y);
    assert_eq!(t.nonzero(bits), t.nonzero(difference));
    // Double shifts, by both instructions and by shifts and or.
    let (up, down) = (t.shift_left(x, 13, 64), t.shift_right(y, 51));
    let both = t.funnel(x, y, 51, 64);
    assert_eq!(t.or(up, down), both);
    assert_eq!(t.add(up, down, 64), both);
    // Low bits by a mask or by two shifts.
    let m = t.word_constant((1 << 51) - 1);
    let up = t.shift_left(x, 13, 64);
    let low = t.shift_right(up, 13);
    assert_eq!(t.and(x, m), low);
    assert_eq!(t.low(x, 51), low);
    // A digit of 52 bits across two words, cut and put together, or the low bits of a funnel shift.
    let (above, below) = (t.low(x, 40), t.shift_right(y, 52));
    let above = t.shift_left(above, 12, 64);
    let digit = t.add(above, below, 64);
    let unmasked = t.funnel(x, y, 52, 64);
    assert_eq!(t.low(unmasked, 52), digit);
    assert_ne!(t.low(unmasked, 53), digit);
    // A word of two digits, of which the lower one has bits above: masked and shifted, or moved to the upper end of its
    // word.
    let (digit, upper) = (t.low(x, 52), t.shift_left(y, 40, 64));
    let digit = t.shift_right(digit, 12);
    let word = t.add(upper, digit, 64);
    let moved = t.shift_left(x, 12, 64);
    assert_eq!(t.funnel(y, moved, 24, 64), word);
    assert_eq!(t.poisoned, None);
    // And what differs is not recognised.
    assert_ne!(t.add(x, y, 64), t.add(x, z, 64));
    assert_ne!(t.mul(x, y).1, t.mul(x, z).1);
    assert_ne!(t.nonzero(x), t.nonzero(y));
}

/// The order of additions with carries does not matter.
#[test]
fn sums_in_any_order_are_recognised() {
    let t = &mut Terms::new(64);
    let (x, y, z, c) = (fresh(t), fresh(t), fresh(t), fresh(t));
    let zero = t.word_constant(0);
    let none = t.bit(zero, 0);
    // x·y + z + c.
    let (lo, hi) = t.mul_add_add(x, y, z, c, 64);
    let (l, h) = t.mul(y, x);
    let (s, carry) = t.add_carry(c, z, none, 64);
    let (s, carry2) = t.add_carry(l, s, none, 64);
    let (h, _) = t.add_carry(h, zero, carry2, 64);
    let (h, top) = t.add_carry(h, zero, carry, 64);
    assert_eq!((s, h), (lo, hi));
    let top = t.refresh(top);
    assert_eq!(t.as_constant(top.0), Some(0), "x·y + z + c is below 2^128");
    // A product by a constant, by shifts and additions.
    let nineteen = t.word_constant(19);
    let (lo, hi) = t.mul(nineteen, x);
    let up = t.shift_left(x, 4, 64);
    let high = t.shift_right(x, 60);
    let (twice, c2) = t.add_carry(x, x, none, 64);
    let (thrice, c3) = t.add_carry(twice, x, none, 64);
    let h = t.add_carry(zero, zero, c2, 64).0;
    let h = t.add_carry(h, zero, c3, 64).0;
    let (all, c4) = t.add_carry(up, thrice, none, 64);
    assert_eq!(all, lo);
    assert_eq!(t.add_carry(high, h, c4, 64).0, hi);
    assert_eq!(t.poisoned, None);
}
