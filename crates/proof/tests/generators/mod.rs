//! Generators that aim at each rule of the proofs: random kernels, small enough to run on every input, under random
//! contracts of each kind. What is proved must be true, what leaves must compute the same, and so must an output in the
//! place of an input where the verifier allows it. Verdicts are counted, so that a generator that proves nothing fails.
//!
//! Ten thousand kernels by default, a million with `EVARISTE_FULL=1`, any number with `EVARISTE_KERNELS`.

mod bit_formulas;
mod bits;
mod floats;
mod formulas;
mod inputs;
mod kernel;
mod powers;
mod random;
mod tally;
mod views;

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayKind, Below, BitMap, Claim, Contract, Digit, Fact, Interval, Kernel, Modulo, Op, Operand, Polynomial,
    Type,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use evariste_testing::Random;
use inputs::{Runs, judge};
use kernel::{Shape, kernel};
use random::{Draws, Flavour, Writer};
use tally::{Tally, budget, seeds};

/// Runs a generator with its share (in percent) of all kernels, half of them from each seed.
fn tried(name: &'static str, share: u64, make: impl Fn(&mut Random, &mut Tally)) -> Tally {
    let mut sum = Tally { name, ..Tally::default() };
    for seed in seeds() {
        sum.seed = seed;
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ share);
        (0..budget() * share / 200).for_each(|_| make(&mut random, &mut sum));
    }
    println!("{sum}");
    sum
}

impl Tally {
    /// At least that many per mille of the claims that hold were proved, and some of the false ones refuted.
    fn proves(&self, per_mille: u64) {
        assert!(self.proved * 1000 >= self.held * per_mille && self.proved > 0, "{self}");
        assert!(self.broken == 0 || self.refuted > 0, "{self}");
    }
}

/// Judges a kernel under a contract. Of the claims that are seen to be false one in `n` is kept: each costs a search for
/// a counterexample.
fn consider(random: &mut Random, tally: &mut Tally, kernel: Kernel, n: u64) {
    let false_claim = Runs::new(&kernel).is_some_and(|runs| !runs.holds());
    if !false_claim || random.one_in(n) {
        judge(&kernel, tally);
    }
}

/// Words and inputs: every value of short words, a few values anywhere in long ones, now and then with a sign.
fn shape(random: &mut Random, flavour: Flavour, arrays: u64, steps: u64) -> Shape {
    let word = if random.one_in(4) { 4 + random.below(61) as u8 } else { random.one_of(&[1, 2, 2, 3, 3]) };
    let mut left = if word <= 2 { 8 } else { 9 };
    let inputs = (0..arrays).map(|_| {
        let len = if word <= 2 { 1 + random.below(2) } else { 1 };
        (0..len).map(|_| element(random, word, &mut left)).collect()
    });
    let inputs = inputs.collect();
    let steps = 1 + random.below(steps);
    Shape { word, flavour, inputs, outputs: 1 + random.below(2) as u32, ghost: random.one_in(4), steps }
}

/// The interval of an input element with at most 2^left values.
fn element(random: &mut Random, word: u8, left: &mut u32) -> Interval {
    let n = u32::from(word);
    let bits = if n <= 4 { n } else { random.below(4) as u32 }.min(*left);
    *left -= bits;
    let size: BigInt = pow2(bits) - 1;
    let most: BigInt = pow2(n) - 1 - &size;
    let lo = random.edge(n).min(most);
    if random.one_in(24) && n > 1 {
        let lo = BigInt::from(-1).max(-pow2(n - 1));
        return Interval { hi: (&lo + size).min(pow2(n - 1) - 1), lo };
    }
    Interval { hi: &lo + size, lo }
}

/// The elements of an array as a number: digits of a word each, or overlapping; unmasked; now and then malformed.
fn number(random: &mut Random, kernel: &Kernel, name: &str, array: Array) -> Operand {
    let info = kernel.array(array);
    let word = info.ty.bits();
    let step = match random.below(12) {
        0 => 0,
        1 | 2 => 1 + random.below(word.into()) as u32,
        3 => word + 2,
        _ => word,
    };
    let unmasked = random.one_in(10).then(|| 1 + random.below(word.into()) as u32);
    let digits: Vec<Digit> = (0..info.len)
        .map(|i| {
            let max = info.range(i).hi.clone().max(0.into());
            Digit { array, index: i, weight: i * step, max, bits: unmasked }
        })
        .collect();
    let most: BigInt = digits.iter().map(|d| d.most() << d.weight).sum();
    let bound = if random.one_in(6) && most > 0.into() { random.edge(most.bits() as u32).min(most) } else { most };
    Operand { name: name.into(), digits, bound, below: None }
}

fn output(kernel: &Kernel, bound: Option<BigInt>) -> Operand {
    let out = kernel.find("out").expect("an output");
    let elements = |a: Array| (0..kernel.array(a).len).map(move |i| (a, i));
    let all = elements(out).chain(kernel.find("g").into_iter().flat_map(elements));
    let top: BigInt = pow2(kernel.word) - 1;
    let digits: Vec<Digit> = all
        .zip(0..)
        .map(|((array, index), i)| Digit { array, index, weight: i * kernel.word, max: top.clone(), bits: None })
        .collect();
    let most: BigInt = digits.iter().map(|d| &d.max << d.weight).sum();
    Operand { name: "z".into(), digits, bound: bound.unwrap_or(most), below: None }
}

fn numbers(random: &mut Random, kernel: &Kernel) -> Vec<Operand> {
    ["a", "b", "c"]
        .iter()
        .zip(["x", "y", "s"])
        .filter_map(|(array, name)| Some(number(random, kernel, name, kernel.find(array)?)))
        .collect()
}

/// The greatest value of the output, on inputs that the contract admits.
fn greatest(runs: &Runs, output: &Operand) -> Option<BigInt> {
    (0..runs.lanes).filter(|lane| runs.admissible[*lane]).map(|lane| runs.number(output, lane)).max()
}

/// The polynomial `d + a x + b y + c x y` that has the output's values at four inputs near the least ones.
fn through_corners(runs: &Runs, contract: &Contract, output: &Operand) -> Option<Polynomial> {
    let mut known = std::collections::BTreeMap::new();
    for lane in (0..runs.lanes).filter(|lane| runs.admissible[*lane]) {
        known.entry(runs.numbers(contract, lane)).or_insert_with(|| runs.number(output, lane));
    }
    let least = known.keys().next()?.clone();
    let at = |x: u32, y: u32| {
        let mut numbers = least.clone();
        numbers.iter_mut().zip([x, y]).for_each(|(n, more)| *n += more);
        known.get(&numbers)
    };
    let origin = at(0, 0)?;
    let slope = |x, y| at(x, y).map_or(BigInt::ZERO, |f| f - origin);
    let (a, b) = (slope(1, 0), if least.len() > 1 { slope(0, 1) } else { 0.into() });
    let c = if least.len() > 1 { at(1, 1).map_or(BigInt::ZERO, |f| f - origin - &a - &b) } else { 0.into() };
    // In x − x0 and y − y0.
    let (x0, y0) = (least[0].clone(), least.get(1).cloned().unwrap_or_default());
    let constant = origin - &a * &x0 - &b * &y0 + &c * &x0 * &y0;
    let mut p = Polynomial::constant(constant).plus(&a - &c * &y0, &[0]);
    if least.len() > 1 {
        p = p.plus(&b - &c * &x0, &[1]).plus(c, &[0, 1]);
    }
    Some(p)
}

#[test]
fn bounds() {
    let tally = tried("bounds", 20, |random, tally| {
        let shape = shape(random, Flavour::Arithmetic, 2, 12);
        let mut k = kernel(random, &shape);
        k.contract.inputs = numbers(random, &k);
        let Some(runs) = Runs::new(&k).filter(|_| evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let z = output(&k, None);
        let Some(most) = greatest(&runs, &z) else { return };
        // The greatest value is a bound, one less is none.
        let bound = if random.one_in(4) { &most - 1u32 } else { most };
        if bound < 0.into() {
            return;
        }
        k.contract.claims = vec![Claim::Step { output: Operand { bound, ..z }, name: "nothing".into() }];
        judge(&k, tally);
    });
    tally.proves(300);
}

#[test]
fn congruences() {
    let tally = tried("congruences", 20, |random, tally| {
        let shape = shape(random, Flavour::Arithmetic, 2, 7);
        let mut k = kernel(random, &shape);
        k.contract.inputs = numbers(random, &k);
        let Some(runs) = Runs::new(&k).filter(|r| r.is_clean() && evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let z = output(&k, None);
        let Some(polynomial) = through_corners(&runs, &k.contract, &z) else { return };
        for modulus in [None, Some(3), Some(5), Some(7), Some(15), Some(17), Some(33), Some(63)] {
            // Canonical where all values are.
            let canonical = modulus.filter(|m| greatest(&runs, &z).is_some_and(|most| most < (*m).into()));
            let bound = canonical.map_or(z.bound.clone(), |m| BigInt::from(m - 1));
            let claim = Claim::Value {
                output: Operand { bound, ..z.clone() },
                factor: 1.into(),
                polynomial: polynomial.clone(),
                modulus: modulus.map(|m: u32| Modulo::Constant(m.into())),
            };
            k.contract.claims = vec![claim];
            consider(random, tally, k.clone(), 6);
        }
    });
    tally.proves(500);
}

/// Values modulo powers of two and other even numbers, with factors that are units and factors that are none: claims of
/// the output, and of a multiple of it.
#[test]
fn even_moduli() {
    let tally = tried("even moduli", 12, |random, tally| {
        let shape = shape(random, Flavour::Arithmetic, 2, 7);
        let mut k = kernel(random, &shape);
        k.contract.inputs = numbers(random, &k);
        let Some(runs) = Runs::new(&k).filter(|r| r.is_clean() && evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let z = output(&k, None);
        let Some(polynomial) = through_corners(&runs, &k.contract, &z) else { return };
        for modulus in [2u32, 4, 8, 64, 6, 12, 20, 48, 1 << 12] {
            let canonical = greatest(&runs, &z).is_some_and(|most| most < modulus.into());
            let bound = if canonical { BigInt::from(modulus - 1) } else { z.bound.clone() };
            let factor = random.one_of(&[1i64, 1, 2, 3, 6]);
            let terms = polynomial.0.iter().map(|(c, factors)| (c * factor, factors.clone())).collect();
            let (output, modulus) = (Operand { bound, ..z.clone() }, Some(Modulo::Constant(modulus.into())));
            let claim = Claim::Value { output, factor: factor.into(), polynomial: Polynomial(terms), modulus };
            k.contract.claims = vec![claim];
            consider(random, tally, k.clone(), 6);
        }
    });
    tally.proves(500);
}

/// Exact sums of elements, claimed equal to linear polynomials in numbers whose digits have other weights: true modulo
/// some numbers that are not large.
#[test]
fn exact_sums() {
    let tally = tried("exact sums", 15, |random, tally| {
        let word = random.one_of(&[6, 7, 8, 9, 16]);
        let mut w = Writer::new(random, "sums", word, Flavour::Arithmetic);
        let ty = w.word();
        let out = w.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
        let mut ranges = Vec::new();
        for _ in 0..2 {
            let lo = if w.random.one_in(4) { -1 - w.random.below(2) as i64 } else { w.random.below(2) as i64 };
            ranges.push(Interval::new(lo, lo + 1 + w.random.below(2) as i64));
        }
        let a = w.array("a", ty, 2, ArrayKind::Input, ranges);
        let signed = Interval { lo: -pow2(u32::from(word) - 1), hi: pow2(u32::from(word) - 1) - 1 };
        let constant = w.random.below(9) as i64;
        let mut sum = w.apply(Op::Const(constant.into()), &[], &[ty]);
        w.kernel.values[sum.0 as usize].range = signed.clone();
        let mut factors = [0i64; 2];
        for _ in 0..1 + w.random.below(3) {
            let i = w.random.below(2) as usize;
            let x = w.load(a, i);
            let (op, sign) = if w.random.one_in(2) { (Op::Add, 1) } else { (Op::Sub, -1) };
            factors[i] += sign;
            sum = w.apply(op, &[sum, x], &[ty]);
            w.kernel.values[sum.0 as usize].range = signed.clone();
        }
        w.store(out, 0u32, sum);
        let mut k = w.finish();
        let mut x = number(random, &k, "x", a);
        if random.one_in(2) {
            let weight = 1 + random.below(7) as u32;
            x.digits.iter_mut().for_each(|d| (d.weight, d.bits) = (d.index * weight, None));
            x.bound = x.digits.iter().map(|d| d.most() << d.weight).sum();
        }
        let top: BigInt = pow2(word.into()) - 1;
        let z = Operand::new("z", out, &[0], std::slice::from_ref(&top), top.clone());
        // The factor of the lowest digit for all.
        let polynomial = Polynomial::constant(constant).plus(factors[0], &[0]);
        k.contract.inputs = vec![x];
        let least = greatest(&Runs::new(&k).expect("few inputs"), &z).filter(|_| random.one_in(2));
        let bound = least.filter(|b| *b >= 0.into()).unwrap_or(z.bound.clone());
        for modulus in [None, Some(3), Some(7)] {
            let modulus = modulus.map(|m: u32| Modulo::Constant(m.into()));
            let output = Operand { bound: bound.clone(), ..z.clone() };
            k.contract.claims =
                vec![Claim::Value { output, factor: 1.into(), polynomial: polynomial.clone(), modulus }];
            judge(&k, tally);
        }
    });
    tally.proves(300);
}

/// What was an input number's congruence modulo another one, and bounds by it: additions, differences and selections
/// below a modulus supplied at run time.
#[test]
fn run_time_moduli() {
    let tally = tried("run-time moduli", 8, |random, tally| {
        let word = 3;
        let full = vec![Interval::bits(word.into())];
        let inputs = if random.one_in(2) { vec![full.clone(); 3] } else { vec![full.clone(); 2] };
        let steps = random.below(3);
        let shape = Shape { word, flavour: Flavour::Arithmetic, inputs, outputs: 1, ghost: false, steps };
        let mut k = corrected(random, &shape);
        let mut contract = Contract { inputs: numbers(random, &k), ..Contract::default() };
        for o in &mut contract.inputs {
            *o = Operand::new(&o.name, o.digits[0].array, &[0], &[7.into()], 7.into());
        }
        // a is p; the others are below multiples of it.
        let multiples = [1, 1, 2].map(|m| Below { multiple: m, number: 0 });
        contract.inputs.iter_mut().skip(1).for_each(|o| o.below = Some(random.one_of(&multiples)));
        if random.one_in(3) {
            let (number, times) = (1, Some(0));
            let fact = Fact { number, times, polynomial: Polynomial::constant(-1), modulus: pow2(3) };
            contract.inputs[1].below = None;
            contract.facts.push(fact);
        }
        k.contract = contract;
        let three = k.contract.inputs.len() == 3;
        let candidates = [
            Polynomial::input(1),
            Polynomial::default().plus(-1, &[1]),
            if three { Polynomial::input(1).plus(1, &[2]) } else { Polynomial::input(1).plus(1, &[0]) },
            if three { Polynomial::input(1).plus(-1, &[2]) } else { Polynomial::default() },
        ];
        for polynomial in candidates {
            let z = output(&k, None).below(random.one_in(2).then(|| random.one_of(&multiples)));
            let modulus = Some(Modulo::Input(0));
            k.contract.claims = vec![Claim::Value { output: z, factor: 1.into(), polynomial, modulus }];
            consider(random, tally, k.clone(), 6);
        }
    });
    tally.proves(200);
}

/// `a ± b` corrected by p where a borrow says so, with some random steps between.
fn corrected(random: &mut Random, shape: &Shape) -> Kernel {
    let mut w = Writer::new(random, "corrected", shape.word, Flavour::Arithmetic);
    let (ty, flag) = (w.word(), Type::Flag);
    let out = w.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
    let names = ["a", "b", "c"].iter().zip(&shape.inputs);
    let arrays: Vec<Array> = names.map(|(n, r)| w.array(n, ty, 1, ArrayKind::Input, r.clone())).collect();
    let values: Vec<_> = arrays.iter().map(|a| w.load(*a, 0u32)).collect();
    let (p, x) = (values[0], values[1]);
    let y = values.get(2).copied().unwrap_or(x);
    (0..shape.steps).for_each(|_| w.step());
    let none = w.apply(Op::Const(0.into()), &[], &[flag]);
    let wide = |w: &mut Writer, x| {
        let v = w.apply(Op::Widen, &[x], &[Type::Wide(2 * shape.word)]);
        w.kernel.values[v.0 as usize].range = Type::Wide(2 * shape.word).full();
        v
    };
    let plain = |w: &mut Writer, op, args: &[_], types: &[Type]| {
        let v = w.apply(op, args, types);
        (0..types.len()).for_each(|i| w.kernel.values[v.0 as usize + i].range = types[i].full());
        v
    };
    let result = if w.random.one_in(2) {
        let (p, x, y) = (wide(&mut w, p), wide(&mut w, x), wide(&mut w, y));
        let t = Type::Wide(2 * shape.word);
        let s = plain(&mut w, Op::Add, &[x, y], &[t]);
        let d = plain(&mut w, Op::SubBorrow, &[s, p, none], &[t, flag]);
        let m = w.apply(Op::FlagToMask, &[evariste_ir::Value(d.0 + 1)], &[Type::Mask(2 * shape.word)]);
        let chosen = plain(&mut w, Op::Select, &[m, s, d], &[t]);
        plain(&mut w, Op::Narrow, &[chosen], &[ty])
    } else {
        let d = plain(&mut w, Op::SubBorrow, &[x, y, none], &[ty, flag]);
        let m = w.apply(Op::FlagToMask, &[evariste_ir::Value(d.0 + 1)], &[Type::Mask(shape.word)]);
        let zero = w.apply(Op::Const(0.into()), &[], &[ty]);
        let more = plain(&mut w, Op::Select, &[m, p, zero], &[ty]);
        plain(&mut w, Op::WrappingAdd, &[d, more], &[ty])
    };
    let result = if w.random.one_in(6) { w.unsigned() } else { result };
    w.store(out, 0u32, result);
    w.finish()
}

/// The map whose images are what the kernel does with basis vectors, where inputs and output are rows of bits.
fn images(runs: &Runs, contract: &Contract, z: &Operand) -> BitMap {
    let bits = |x: BigInt| (0..x.bits() as u32).filter(|i| x.bit(u64::from(*i))).collect::<Vec<u32>>();
    let at: std::collections::HashMap<Vec<BigInt>, BigInt> =
        (0..runs.lanes).map(|lane| (runs.numbers(contract, lane), runs.number(z, lane))).collect();
    let sizes: Vec<u64> = contract.inputs.iter().map(|o| o.bound.bits()).collect();
    let basis = |i: u64| BigInt::from(1) << i;
    if let [size] = sizes[..] {
        BitMap::Linear(Arc::new((0..size).map(|i| bits(at[&vec![basis(i)]].clone())).collect()))
    } else {
        let pair = |i: u64| bits(at[&vec![basis(i / sizes[1]), basis(i % sizes[1])]].clone());
        BitMap::Bilinear(Arc::new((0..sizes[0] * sizes[1]).map(pair).collect()))
    }
}

/// The elements of an array as a row of bits.
fn whole(name: &str, kernel: &Kernel, array: Array) -> Operand {
    let info = kernel.array(array);
    let maxima: Vec<BigInt> = (0..info.len).map(|i| info.range(i).hi.clone()).collect();
    let weights: Vec<u32> = (0..info.len).map(|i| i * info.ty.bits()).collect();
    let bound = maxima.iter().zip(&weights).map(|(m, w)| m << *w).sum();
    Operand::new(name, array, &weights, &maxima, bound)
}

#[test]
fn linear_and_bilinear_maps() {
    let tally = tried("maps of bits", 20, |random, tally| {
        let operands = 1 + random.below(2);
        let word = if random.one_in(12) { 8 } else { random.one_of(&[1, 2, 3, 4]) };
        let elements = if word <= 2 { 2 } else { 1 };
        let inputs = vec![vec![Interval::bits(word.into()); elements]; operands as usize];
        let steps = 1 + random.below(9);
        let shape = Shape { word, flavour: Flavour::Bits, inputs, outputs: elements as u32, ghost: false, steps };
        let mut k = kernel(random, &shape);
        if word == 8 && operands == 2 {
            // All of the first operand, sixteen values of the second: numbers of so many bits.
            k.arrays.iter_mut().filter(|a| a.name == "b").for_each(|a| a.ranges = vec![Interval::bits(4)]);
        }
        let contract = Contract {
            inputs: ["a", "b"].iter().filter_map(|n| Some(whole(n, &k, k.find(n)?))).collect(),
            ..Contract::default()
        };
        let z = whole("z", &k, k.find("out").expect("an output"));
        let Some(runs) = Runs::new(&k).filter(|_| evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let map = images(&runs, &contract, &z);
        k.contract = Contract { claims: vec![Claim::Bits { output: z, map }], ..contract };
        consider(random, tally, k, 1);
    });
    tally.proves(300);
}

#[test]
fn tests_for_zero_and_equality() {
    let tally = tried("zero and equality", 20, |random, tally| {
        let word = random.one_of(&[1, 2, 2, 3, 4, 4]);
        let mut w = Writer::new(random, "equal", word, Flavour::Comparison);
        let ty = w.word();
        let out = w.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
        let len = if word <= 2 { 1 + w.random.below(2) as u32 } else { 1 };
        let arrays = ["a", "b"].map(|n| w.array(n, ty, len, ArrayKind::Input, vec![ty.full()]));
        let right = w.random.one_in(2);
        let mut masks = Vec::new();
        for i in 0..len {
            let (x, y) = (w.load(arrays[0], i), w.load(arrays[1], i));
            if w.random.one_in(2) {
                let y = if right { y } else { w.apply(Op::Const(0.into()), &[], &[ty]) };
                masks.push(w.apply(Op::Equal, &[x, y], &[Type::Mask(word)]));
            }
        }
        if let [first, second] = masks[..] {
            w.apply(Op::And, &[first, second], &[Type::Mask(word)]);
        }
        (0..w.random.below(6)).for_each(|_| w.step());
        let value = match w.random.below(4) {
            0 => w.unsigned(),
            1 => {
                let m = w.recent(Type::Mask(word));
                let m = w.apply(Op::MaskToFlag, &[m], &[Type::Flag]);
                w.apply(Op::FlagToWord, &[m], &[ty])
            }
            2 => {
                let f = w.value(Type::Flag);
                w.apply(Op::FlagToWord, &[f], &[ty])
            }
            _ => {
                let (m, one) = (w.recent(Type::Mask(word)), w.apply(Op::Const(1.into()), &[], &[ty]));
                let bits = w.apply(Op::MaskToWord, &[m], &[ty]);
                w.apply(Op::And, &[bits, one], &[ty])
            }
        };
        w.kernel.values[value.0 as usize].range = ty.full();
        w.store(out, 0u32, value);
        let mut k = w.finish();
        let whole = |name: &str, array| {
            let top: BigInt = pow2(word.into()) - 1;
            let weights: Vec<u32> = (0..len).map(|i| i * u32::from(word)).collect();
            Operand::new(name, array, &weights, &vec![top; len as usize], pow2(len * u32::from(word)) - 1)
        };
        k.contract.inputs = vec![whole("x", arrays[0]), whole("y", arrays[1])];
        let z = Operand::new("z", out, &[0], &[1.into()], 1.into());
        k.contract.claims = vec![Claim::Equal { output: z, left: 0, right: right.then_some(1) }];
        consider(random, tally, k, 1);
    });
    tally.proves(500);
}

/// Facts about input numbers that the claim needs: congruences with small coefficients, found by trying all of them.
#[test]
fn facts() {
    let tally = tried("facts", 5, |random, tally| {
        let word = 3;
        let inputs = vec![vec![Interval::bits(3)]; 2];
        let steps = 1 + random.below(4);
        let shape = Shape { word, flavour: Flavour::Arithmetic, inputs, outputs: 1, ghost: random.one_in(2), steps };
        let mut k = kernel(random, &shape);
        k.contract.inputs =
            ["a", "b"].map(|n| Operand::new(n, k.find(n).expect("an input"), &[0], &[7.into()], 7.into())).into();
        let m = random.one_of(&[3u32, 5, 7]);
        let polynomial = Polynomial::constant(random.below(3)).plus(1 + random.below(3), &[0]);
        k.contract.facts = vec![Fact { number: 1, times: None, polynomial, modulus: m.into() }];
        if random.one_in(10) {
            // Another fact, which mostly contradicts the first.
            let polynomial = Polynomial::constant(random.below(3)).plus(1, &[0]);
            k.contract.facts.push(Fact { number: 1, times: None, polynomial, modulus: m.into() });
        }
        let Some(runs) = Runs::new(&k).filter(|r| r.is_clean() && evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let z = output(&k, None);
        let rows: Vec<[u64; 2]> = (0..runs.lanes)
            .filter(|lane| runs.admissible[*lane])
            .map(|lane| {
                let x = runs.numbers(&k.contract, lane)[0].to_u64().expect("small");
                [x, runs.number(&z, lane).to_u64().expect("small")]
            })
            .collect();
        // Of the first number alone: the fact says what the second is.
        let n = u64::from(m);
        let all = (0..n * n).map(|i| (i / n, i % n));
        let fits = all.into_iter().find(|(d, a)| rows.iter().all(|[x, z]| (d + a * x) % n == z % n));
        let Some((d, a)) = fits.or_else(|| random.one_in(8).then_some((1, 1))) else { return };
        k.contract.claims = vec![Claim::Value {
            output: z,
            factor: 1.into(),
            polynomial: Polynomial::constant(d).plus(a, &[0]),
            modulus: Some(BigInt::from(m).into()),
        }];
        judge(&k, tally);
    });
    tally.proves(200);
}
