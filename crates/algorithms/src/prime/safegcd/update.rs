//! What a batch of division steps does to f and g, and to the numbers that follow them modulo p.
//!
//! * **computes** `(u·f + v·g)/2^s` and `(q·f + r·g)/2^s` from the low words of f and g; `(u·d + v·e)/2^w` and
//!   `(q·d + r·e)/2^w` modulo p.
//! * **needs** a matrix whose entries are raised by `2^s`, s at most w − 4; p odd. What is divided by `2^s` is a multiple
//!   of it: its s low bits are kept for the contract.
//! * **gives** as many low words as are known after the division (they lose one a batch), or in long inverses up to a
//!   sixteenth more of them, which may be anything; elements below p, or below 2p where the words have room.
//! * **cost** 4n products a batch for each of the two; one Montgomery row for d and one for e.
//! * **source** Bernstein and Yang (2019), sections 9 and 10; Wuille's notes on safegcd in libsecp256k1.

use std::sync::Arc;

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Claim, Contract, Kernel, Number, Operand, Polynomial, Value};
use num_bigint::BigInt;
use num_traits::One;

use super::steps::input_matrix;
use crate::layout::{Bounds, Layout};
use crate::prime::representation::prime;
use crate::reduction::conditional_subtraction::normalise;
use crate::reduction::montgomery::Clearing;
use crate::signature::{Input, NotApplicable, input, output};
use crate::words::{constant_digits, shift_left, sub_row};

/// What is called between batches of steps, and at the end.
pub struct Kernels {
    /// How many words or digits of f and g are kept where so many are known.
    pub kept: Box<dyn Fn(usize) -> usize>,
    /// f and g, in so many words or digits, after the steps of a matrix, in so many.
    pub division: Box<dyn Fn(usize, usize) -> Kernel>,
    /// d and e after the steps of a matrix.
    pub followers: Arc<Kernel>,
    /// What makes d ready for the next one, where that takes a kernel of its own.
    pub before: Option<Arc<Kernel>>,
    /// d with the sign of f.
    pub with_sign: Arc<Kernel>,
    /// What makes that canonical.
    pub after: Option<Arc<Kernel>>,
}

/// The kernels of an inverse that starts with so many words.
pub fn kernels(m: &Modulus, layout: &Layout, steps: u32, start: usize) -> Result<Kernels, NotApplicable> {
    let word = layout.word;
    Ok(Kernels {
        kept: Box::new(move |known| words_kept(known, start)),
        division: Box::new(move |words, kept| division(word, steps, words, kept)),
        followers: Arc::new(followers(m, layout, steps)?),
        before: None,
        with_sign: Arc::new(with_sign(m, layout)?),
        after: None,
    })
}

/// Words of f and g that are known after a division of so many words.
pub fn words_after(words: usize) -> usize {
    (words - 1).max(1)
}

/// Words up to which each division is of exactly the words that are known.
const EXACT_UP_TO: usize = 48;
/// Numbers of words that longer inverses divide by: each of them is a kernel to make, to prove and to compile.
const LENGTHS: usize = 16;

/// Words that f and g are kept in where so many of them are known, for an inverse that starts with `start` words.
pub fn words_kept(known: usize, start: usize) -> usize {
    let grain = if start <= EXACT_UP_TO { 1 } else { start.div_ceil(LENGTHS) };
    known.next_multiple_of(grain).min(start)
}

/// f and g, `words` low words of them, after the steps of a matrix, in `after` words. At most one fewer of them is
/// known than before; beyond is 0.
pub fn division(word: u32, steps: u32, words: usize, after: usize) -> Kernel {
    let name = if after == words_after(words) { String::new() } else { format!("_to_{after}") };
    let mut b = Builder::new(format!("divide_{steps}_{words}{name}"), word);
    let full: BigInt = pow2(word) - 1;
    let weights: Vec<u32> = (0..words as u32).map(|i| i * word).collect();
    let bounds = Bounds { digit_max: vec![full.clone(); words], bound: pow2(word * words as u32) - 1, low: None };
    let kept = after.min(words_after(words));
    let outputs = ["f_after", "g_after"].map(|name| b.output(name, after as u32, std::slice::from_ref(&full)));
    let (matrix, mut inputs) = input_matrix(&mut b, "matrix", steps);
    let numbers = ["f", "g"].map(|name| input(&mut b, name, &weights, &bounds));
    let entries = b.load_all(matrix);
    let [f, g] = numbers.each_ref().map(|x| x.load(&mut b).digits);
    let sum = low_sum(&mut b, &f[..kept], &g[..kept]);
    let ghost = b.ghost("low", 2);
    let modulus = if words == 1 { pow2(word) } else { pow2(steps + word * kept as u32) };
    let mut claims = Vec::new();
    for (row, out) in outputs.into_iter().enumerate() {
        let total = low_row(&mut b, entries[2 * row], &f, None);
        let total = low_row(&mut b, entries[2 * row + 1], &g, Some(&total));
        let low = b.low_bits(total[0], steps);
        b.store(ghost, row as u32, low);
        let mut borrow = b.no_flag();
        for i in 0..kept {
            let quotient = match total.get(i + 1) {
                Some(above) => b.funnel_shift(*above, total[i], steps),
                None => b.shr(total[i], steps),
            };
            let (digit, next) = b.sub_borrow(quotient, sum[i], borrow);
            b.store(out, i as u32, digit);
            borrow = next;
        }
        let zero = b.word_constant(0);
        (kept..after).for_each(|i| b.store(out, i as u32, zero));
        claims.push(division_claim(row, steps, (out, ghost), (after, word), &full, &modulus));
    }
    inputs.extend(numbers.into_iter().map(|x| x.operand));
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// `low + 2^s·out ≡ (u − 2^s)·f + (v − 2^s)·g`, of `after` digits `radix` bits apart.
pub(super) fn division_claim(
    row: usize,
    steps: u32,
    (out, ghost): (evariste_ir::Array, evariste_ir::Array),
    (after, radix): (usize, u32),
    most: &BigInt,
    modulus: &BigInt,
) -> Claim {
    let place = row as u32;
    let name = ["f_after", "g_after"][row];
    let low: BigInt = pow2(steps) - 1;
    let bound = pow2(steps + radix * after as u32) - 1;
    let mut output = Operand::new(name, ghost, &[0], std::slice::from_ref(&low), bound);
    output.digits[0].index = place;
    for i in 0..after as u32 {
        output = output.with_digit(out, i, steps + i * radix, most.clone());
    }
    let modulus = Some(modulus.clone().into());
    Claim::Value { output, factor: BigInt::one(), polynomial: row_of(2 * place, steps, 4), modulus }
}

/// `(u − 2^s)·x + (v − 2^s)·y` for entries from `first` on and numbers from `x` on.
pub(super) fn row_of(first: u32, steps: u32, x: u32) -> Polynomial {
    let raised = -pow2(steps);
    Polynomial::default()
        .plus(1, &[first, x])
        .plus(1, &[first + 1, x + 1])
        .plus(raised.clone(), &[x])
        .plus(raised, &[x + 1])
}

/// The low words of a sum.
fn low_sum(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    crate::prime::sub::sum_without_carry(b, x, y)
}

/// The low words of `entry·x + t`.
fn low_row(b: &mut Builder, entry: Value, x: &[Value], t: Option<&[Value]>) -> Vec<Value> {
    let zero = b.word_constant(0);
    let mut carry = zero;
    let mut words = Vec::with_capacity(x.len());
    for (i, x_i) in x.iter().enumerate() {
        let t_i = t.map_or(zero, |t| t[i]);
        if i + 1 < x.len() {
            let (low, high) = b.mul_add_add(entry, *x_i, t_i, carry);
            words.push(low);
            carry = high;
        } else {
            let product = b.wrapping_mul(entry, *x_i);
            let sum = b.wrapping_add(product, t_i);
            words.push(b.wrapping_add(sum, carry));
        }
    }
    words
}

/// How d and e rest between batches: below p, or below 2p where that fits.
pub fn between(m: &Modulus, layout: &Layout) -> Layout {
    let (p, bits) = (prime(m), layout.word * layout.digits() as u32);
    let multiple = if &p * 2 <= pow2(bits) { p * 2 } else { p };
    Layout::saturated_with("between", layout.word, layout.digits(), multiple - 1, Some(bits))
}

/// d and e after the steps of a matrix, divided by `2^w`.
pub fn followers(m: &Modulus, layout: &Layout, steps: u32) -> Result<Kernel, NotApplicable> {
    let (word, n) = (layout.word, layout.digits());
    let layout = between(m, layout);
    let mut b = Builder::new(format!("follow_{steps}"), word);
    let outputs = ["d_after", "e_after"].map(|name| output(&mut b, name, &layout.weights, &layout.resting));
    let (matrix, mut inputs) = input_matrix(&mut b, "matrix", steps);
    let numbers = ["d", "e"].map(|name| input(&mut b, name, &layout.weights, &layout.resting));
    let entries = b.load_all(matrix);
    let [d, e] = numbers.each_ref().map(|x: &Input| x.load(&mut b).digits);
    // 2·(the multiple of p that bounds them) − d − e, which is not negative: what raising the entries added.
    let twice = (&layout.resting.bound + 1) * 2;
    let mut raised = constant_digits(&mut b, &twice, n + 1);
    sub_row(&mut b, &mut raised, &d, 0);
    sub_row(&mut b, &mut raised, &e, 0);
    let raised = shift_left(&mut b, &raised, steps, n + 1);
    let clearing = Clearing::new(&mut b, m, n);
    let most = (&layout.resting.bound << (steps + 2)) + (&twice << steps);
    let bound: BigInt = (most + (pow2(word) - 1) * prime(m)) >> word;
    let (mut claims, mut above) = (Vec::new(), None);
    for (row, (out, operand)) in outputs.into_iter().enumerate() {
        let total = exact_row(&mut b, entries[2 * row], &d, &raised);
        let total = exact_row(&mut b, entries[2 * row + 1], &e, &total);
        let (mut digits, carry) = clearing.row(&mut b, &total[..n]);
        let none = b.no_flag();
        let (last, carried) = b.add_carry(total[n], carry, none);
        digits.push(last);
        digits.push(b.flag_to_word(carried, b.word_type()));
        let t = Number::new(digits, word, bound.clone()).trimmed();
        let t = normalise(&mut b, m, t, &layout.resting.bound);
        b.store_all(out, &t.digits[..n]);
        let operand = match t.digits.get(n) {
            None => operand,
            Some(top) => {
                let ghost = *above.get_or_insert_with(|| b.ghost("above", 2));
                b.store(ghost, row as u32, *top);
                operand.with_digit(ghost, row as u32, word * n as u32, pow2(word) - 1)
            }
        };
        let (factor, polynomial) = (pow2(word), row_of(2 * row as u32, steps, 4));
        claims.push(Claim::Value { output: operand, factor, polynomial, modulus: Some(prime(m).into()) });
    }
    inputs.extend(numbers.into_iter().map(|x| x.operand));
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// `entry·x + t` where t has one word more, which takes every carry.
fn exact_row(b: &mut Builder, entry: Value, x: &[Value], t: &[Value]) -> Vec<Value> {
    let mut carry = b.word_constant(0);
    let mut words = Vec::with_capacity(t.len());
    for (x, t) in x.iter().zip(t) {
        let (low, high) = b.mul_add_add(entry, *x, *t, carry);
        words.push(low);
        carry = high;
    }
    words.push(b.add(t[x.len()], carry));
    words
}

/// The second lowest bit of a word: the sign of f at the end, which is 1 or −1.
pub fn sign(word: u32) -> Kernel {
    let mut b = Builder::new("sign", word);
    let full: BigInt = pow2(word) - 1;
    let out = b.output("sign", 1, &[BigInt::one()]);
    let x = b.input("f", 1, std::slice::from_ref(&full));
    let ghost = b.ghost("rest", 2);
    let f = b.load(x, 0u32);
    let low = b.low_bits(f, 1);
    b.store(ghost, 0u32, low);
    let above = b.shr(f, 1u32);
    let bit = b.low_bits(above, 1);
    b.store(out, 0u32, bit);
    let above = b.shr(above, 1u32);
    b.store(ghost, 1u32, above);
    let output = Operand::new("sign", ghost, &[0], &[BigInt::one()], full.clone())
        .with_digit(out, 0, 1, BigInt::one())
        .with_digit(ghost, 1, 2, &full >> 2);
    let inputs = vec![Operand::new("f", x, &[0], std::slice::from_ref(&full), full.clone())];
    let claim = Claim::Value { output, factor: BigInt::one(), polynomial: Polynomial::input(0), modulus: None };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// d, or −d where the sign is 1, below p.
pub fn with_sign(m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let (word, n, p) = (layout.word, layout.digits(), prime(m));
    let canonical = Layout::saturated_with("canonical", word, n, &p - 1, None);
    let mut b = Builder::new("with_sign", word);
    let (out, operand) = output(&mut b, "out", &canonical.weights, &canonical.resting);
    let sign = crate::signature::input_flag(&mut b, "sign");
    let d = input(&mut b, "d", &layout.weights, &between(m, layout).resting);
    let (flag, x) = (b.load(sign.array, 0u32), d.load(&mut b));
    let x = normalise(&mut b, m, x, &canonical.resting.bound);
    let mut negative = constant_digits(&mut b, &p, n);
    sub_row(&mut b, &mut negative, &x.digits, 0);
    let zero = b.word_constant(0);
    let mask = b.less(zero, flag);
    let digits = x.digits.iter().zip(&negative).map(|(x, y)| b.select(mask, *y, *x)).collect();
    let chosen = normalise(&mut b, m, Number::new(digits, word, p.clone()), &canonical.resting.bound);
    let operand = crate::signature::store_result(&mut b, out, operand, &chosen)?;
    let polynomial = Polynomial::input(1).plus(-2, &[0, 1]);
    let claim = Claim::Value { output: operand, factor: BigInt::one(), polynomial, modulus: Some(p.into()) };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![sign.operand, d.operand], claims: vec![claim] }))
}
