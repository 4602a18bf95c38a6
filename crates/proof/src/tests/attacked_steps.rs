//! Kernels that try to get a false proof of division steps: words of another size, digits that are read as whole words, a
//! base that is the modulus, a number that is read as one of its bits. The nets are off: the proof itself refuses.

use std::sync::Arc;

use evariste_algorithms::layouts;
use evariste_algorithms::prime::safegcd::{self, Size, batches, steps};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayInfo, ArrayKind, Below, Builder, Claim, Contract, Interval, Kernel, Op, Operand, Polynomial, Stmt,
    Type, Value, ValueInfo, View, refute, verify,
};
use num_bigint::BigInt;

use crate::broken_rules::{Rule, breaking};
use crate::{Outcome, prove};

const W: u32 = 10;

/// Proved, before it is run on samples.
pub(super) fn is_shown(kernel: &Kernel) -> bool {
    assert_eq!(verify(kernel), Ok(()));
    breaking(&[Rule::Nets], || matches!(prove(kernel), Outcome::Proved(_)))
}

/// Not proved, but for this rule.
pub(super) fn is_refused(kernel: &Kernel, rule: Rule) {
    assert!(!is_shown(kernel), "a false proof");
    let believed = breaking(&[rule, Rule::Nets], || matches!(prove(kernel), Outcome::Proved(_)));
    assert!(believed, "it is refused for another reason than {rule:?}");
}

pub(super) fn is_wrong(kernel: &Kernel, input: &[(&str, &[i64])]) -> bool {
    let named = input.iter().map(|(name, x)| (*name, x.iter().map(|x| BigInt::from(*x)).collect()));
    refute(kernel, &named.collect::<Vec<(&str, Vec<BigInt>)>>()).is_some()
}

/// The first entry of two steps, by a call, in a kernel whose words have so many bits.
fn called(word: u32, callee: u32) -> Kernel {
    let packed = steps::packed(callee, 2);
    let mut kernel = packed.clone();
    (kernel.name, kernel.word) = ("called".into(), word);
    kernel.callees = vec![Arc::new(packed)];
    kernel.values.clear();
    kernel.arrays.truncate(5);
    kernel.body = vec![Stmt::Call { callee: 0, args: (0..5).map(|i| View::whole(Array(i))).collect() }];
    kernel.contract.claims.truncate(2);
    kernel.contract.claims.remove(0);
    let most: BigInt = pow2(word) - 1;
    for operand in &mut kernel.contract.inputs {
        operand.bound = most.clone();
        operand.digits[0].max = most.clone();
        kernel.arrays[operand.digits[0].array.0 as usize].ranges = vec![Interval { lo: 0.into(), hi: most.clone() }];
    }
    kernel
}

#[test]
fn zeta_is_a_word_of_the_kernel_that_it_is_handed_to() {
    assert!(is_shown(&called(W, W)));
    // −1 in ten bits is 1023 in twelve.
    let wrong = called(W, W + 2);
    assert!(is_wrong(&wrong, &[("zeta", &[1023]), ("f", &[1]), ("g", &[1])]));
    is_refused(&wrong, Rule::DivisionWord);
}

/// As `called`, of a number f in digits of so many bits, of which the lowest is handed on.
fn called_with_digits(bits: u32) -> Kernel {
    let mut kernel = called(W, W);
    let (count, most): (u32, BigInt) = (W / bits, pow2(bits) - 1);
    let places: Vec<u32> = (0..count).map(|i| i * bits).collect();
    let array = kernel.contract.inputs[1].digits[0].array;
    kernel.arrays[array.0 as usize].len = count;
    kernel.arrays[array.0 as usize].ranges = vec![Interval { lo: 0.into(), hi: most.clone() }];
    kernel.contract.inputs[1] = Operand::new("f", array, &places, &[most], pow2(W) - 1);
    kernel
}

#[test]
fn a_digit_says_no_more_bits_than_there_are_below_the_next() {
    let few = called_with_digits(1);
    assert!(is_wrong(&few, &[("zeta", &[1023]), ("f", &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), ("g", &[1])]));
    is_refused(&few, Rule::DivisionDigits);
    assert!(is_shown(&called_with_digits(5)) && is_shown(&called_with_digits(2)));
}

/// As `called`, of a number f in digits of two bits, of which the lowest is handed on.
fn called_with_digits_at(places: &[u32]) -> Kernel {
    let mut kernel = called(W, W);
    let array = kernel.contract.inputs[1].digits[0].array;
    kernel.arrays[array.0 as usize].len = places.len() as u32;
    kernel.arrays[array.0 as usize].ranges = vec![Interval { lo: 0.into(), hi: 3.into() }];
    kernel.contract.inputs[1] = Operand::new("f", array, places, &[3.into()], pow2(W) - 1);
    kernel
}

#[test]
fn a_digit_says_no_more_bits_than_there_are_below_the_least_of_the_others() {
    assert!(is_shown(&called_with_digits_at(&[0, 2, 8])));
    let wrong = called_with_digits_at(&[0, 1, 8]);
    assert!(is_wrong(&wrong, &[("zeta", &[1023]), ("f", &[1, 1, 0]), ("g", &[1])]));
    is_refused(&wrong, Rule::DivisionLeast);
}

/// Two steps whose first entry is claimed of another number than the element.
fn claimed(change: impl Fn(&mut Operand)) -> Kernel {
    let mut kernel = steps::packed(W, 2);
    let Claim::Divsteps { output, .. } = &mut kernel.contract.claims[1] else { panic!("an entry") };
    change(output);
    kernel
}

#[test]
fn a_part_is_an_element_as_a_whole() {
    assert!(is_shown(&claimed(|_| ())));
    let twice = claimed(|u| (u.digits[0].weight, u.bound) = (1, 16.into()));
    let low = claimed(|u| u.digits[0].bits = Some(3));
    let below = claimed(|u| u.below = Some(Below { multiple: 1, number: 1 }));
    for wrong in [twice, low, below] {
        assert!(is_wrong(&wrong, &[("zeta", &[0]), ("f", &[1]), ("g", &[0])]));
        is_refused(&wrong, Rule::DivisionOutput);
    }
}

/// Steps where ζ is added to, or less by, what the flag 0 is not.
fn with_opposite(change: Op) -> Kernel {
    let mut kernel = steps::packed(W, 2);
    let [Stmt::Loop(l)] = &mut kernel.body.iter_mut().filter(|s| matches!(s, Stmt::Loop(_))).collect::<Vec<_>>()[..]
    else {
        panic!("a loop")
    };
    let one = l.body.iter().find_map(|s| match s {
        Stmt::Op { op: Op::Const(c), results, .. } if *c == 1.into() => Some(results[0]),
        _ => None,
    });
    let values = kernel.values.len() as u32;
    let [constant, opposite, word] = [0, 1, 2].map(|i| Value(values + i));
    let sum = l.body.iter_mut().find_map(|s| match s {
        Stmt::Op { op, args, .. } if *op == Op::WrappingSub && args.get(1).copied() == one => Some((op, args)),
        _ => None,
    });
    let (op, args) = sum.unwrap();
    (*op, args[1]) = (change, word);
    let (bit, whole) = (Type::Flag, Type::Word(W as u8));
    for (ty, op, args, result) in [
        (bit, Op::Const(0.into()), vec![], constant),
        (bit, Op::Not, vec![constant], opposite),
        (whole, Op::FlagToWord, vec![opposite], word),
    ] {
        kernel.values.push(ValueInfo { ty, range: ty.full() });
        kernel.body.insert((result.0 - values) as usize, Stmt::Op { op, args, results: vec![result] });
    }
    kernel
}

#[test]
fn the_opposite_of_a_flag_is_a_flag() {
    assert!(is_shown(&with_opposite(Op::WrappingSub)));
    // 1 is added where it should be taken away.
    let wrong = with_opposite(Op::WrappingAdd);
    assert!(is_wrong(&wrong, &[("zeta", &[0]), ("f", &[1]), ("g", &[0])]));
    is_refused(&wrong, Rule::DivisionFlag);
}

/// The inverse modulo 251.
fn inverse() -> Kernel {
    inverse_modulo("251", "1x10")
}

fn inverse_modulo(prime: &str, layout: &str) -> Kernel {
    let field = Field::parse(prime).unwrap();
    let m = field.get::<Modulus>().unwrap();
    let layout = layouts(&field, W).into_iter().find(|l| l.name == layout).unwrap();
    let batches = batches(m, &layout);
    safegcd::inverse("inv", m, &layout, Size { batches, words: batches }).unwrap()
}

#[test]
fn where_the_base_is_the_modulus_steps_do_not_leave_zero() {
    let mut kernel = inverse();
    assert!(is_shown(&kernel));
    kernel.contract.inputs[0].bound = 251.into();
    kernel.contract.inputs[0].digits[0].max = 251.into();
    let array = kernel.contract.inputs[0].digits[0].array;
    kernel.arrays[array.0 as usize].ranges = vec![Interval { lo: 0.into(), hi: 251.into() }];
    assert!(is_wrong(&kernel, &[("a", &[251])]));
    is_refused(&kernel, Rule::DivisionBase);
}

/// What is congruent modulo 251 to a number up to 251: the number, or one below 251.
fn congruent(reduced: bool) -> Kernel {
    let mut b = Builder::new("congruent", W);
    let most: BigInt = if reduced { 250 } else { 251 }.into();
    let out = b.output("out", 1, std::slice::from_ref(&most));
    let a = b.input("a", 1, &[251.into()]);
    let x = b.load(a, 0u32);
    let (prime, none) = (b.word_constant(251), b.no_flag());
    let (less, borrow) = b.sub_borrow(x, prime, none);
    let mask = b.flag_to_mask(borrow);
    let chosen = if reduced { b.select(mask, x, less) } else { x };
    b.store(out, 0u32, chosen);
    let output = Operand::new("out", out, &[0], std::slice::from_ref(&most), most.clone());
    let inputs = vec![Operand::new("a", a, &[0], &[251.into()], 251.into())];
    let modulus = Some(BigInt::from(251).into());
    let claim = Claim::Value { output, factor: 1.into(), polynomial: Polynomial::input(0), modulus };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// The inverse of a number up to 251, by what is congruent to it.
fn inverse_of_congruent(reduced: bool) -> Kernel {
    let mut kernel = inverse();
    let digit = &mut kernel.contract.inputs[0].digits[0];
    digit.max = 251.into();
    let a = digit.array;
    kernel.contract.inputs[0].bound = 251.into();
    kernel.arrays[a.0 as usize].ranges = vec![Interval { lo: 0.into(), hi: 251.into() }];
    let (copy, most) = (Array(kernel.arrays.len() as u32), if reduced { 250 } else { 251 });
    let ranges = vec![Interval { lo: 0.into(), hi: most.into() }];
    let ty = Type::Word(W as u8);
    kernel.arrays.push(ArrayInfo { name: "copy".into(), ty, len: 1, kind: ArrayKind::Local, ranges });
    for stmt in &mut kernel.body {
        if let Stmt::Load { array, result, .. } = stmt
            && *array == a
        {
            *array = copy;
            kernel.values[result.0 as usize].range.hi = most.into();
        }
    }
    let callee = kernel.callees.len() as u32;
    kernel.callees.push(Arc::new(congruent(reduced)));
    kernel.body.insert(0, Stmt::Call { callee, args: vec![View::whole(copy), View::whole(a)] });
    kernel
}

#[test]
fn what_is_congruent_to_the_base_is_the_base_where_it_is_below_the_modulus() {
    assert!(is_shown(&inverse_of_congruent(true)));
    let wrong = inverse_of_congruent(false);
    assert!(is_wrong(&wrong, &[("a", &[251])]));
    is_refused(&wrong, Rule::DivisionCongruent);
}

#[test]
fn a_digit_of_the_base_that_was_replaced_by_zero_is_not_known() {
    let mut kernel = inverse_modulo("8191", "2x10");
    assert!(is_shown(&kernel));
    let array = kernel.arrays.iter().position(|a| a.name == "g0").unwrap() as u32;
    let stores = kernel.body.iter_mut().filter_map(|s| match s {
        Stmt::Store { array: Array(a), value, .. } if *a == array => Some(value),
        _ => None,
    });
    let stores: Vec<&mut Value> = stores.collect();
    let zero = *stores[2];
    *stores.into_iter().nth(1).unwrap() = zero;
    assert!((1..8).any(|above| is_wrong(&kernel, &[("a", &[3, above])])));
    is_refused(&kernel, Rule::DivisionDigits);
}

/// A word as two bits and the rest.
fn split() -> Kernel {
    let mut b = Builder::new("split", W);
    let full: BigInt = pow2(W) - 1;
    let most = [1.into(), 1.into(), &full >> 2];
    let out = b.output("out", 3, &most);
    let x = b.input("f", 1, std::slice::from_ref(&full));
    let f = b.load(x, 0u32);
    let (low, above) = (b.low_bits(f, 1), b.shr(f, 1u32));
    let (bit, rest) = (b.low_bits(above, 1), b.shr(above, 1u32));
    b.store_all(out, &[low, bit, rest]);
    let output = Operand::new("out", out, &[0, 1, 2], &most, full.clone());
    let inputs = vec![Operand::new("f", x, &[0], std::slice::from_ref(&full), full.clone())];
    let claim = Claim::Value { output, factor: 1.into(), polynomial: Polynomial::input(0), modulus: None };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// `(1 − 2·x)·d` modulo 251 in two words, x the word's second bit or the word itself.
fn signed(whole: bool) -> Kernel {
    let mut b = Builder::new("signed", W);
    let full: BigInt = pow2(W) - 1;
    let out = b.output("out", 2, std::slice::from_ref(&full));
    let most = [1.into(), 1.into(), &full >> 2];
    let split = b.input("split", 3, &most);
    let d = b.input("d", 1, &[501.into()]);
    let (digits, y) = (b.load_all(split), b.load(d, 0u32));
    let (second, rest) = (b.shl(digits[1], 1u32), b.shl(digits[2], 2u32));
    let sum = b.add(digits[0], second);
    let sum = b.add(sum, rest);
    let (low, high) = b.mul_wide(if whole { sum } else { digits[1] }, y);
    // 251·2^11 is more than any word times d.
    let (none, zero, unit) = (b.no_flag(), b.word_constant(0), b.word_constant(251 * 2));
    let (low, borrow) = b.sub_borrow(zero, low, none);
    let (high, _) = b.sub_borrow(unit, high, borrow);
    let (low, carry) = b.add_carry(low, low, none);
    let (high, _) = b.add_carry(high, high, carry);
    let (low, carry) = b.add_carry(low, y, none);
    let (high, _) = b.add_carry(high, zero, carry);
    b.store_all(out, &[low, high]);
    let output = Operand::new("out", out, &[0, W], std::slice::from_ref(&full), pow2(2 * W) - 1);
    let number = if whole {
        Operand::new("split", split, &[0, 1, 2], &most, full)
    } else {
        let mut bit = Operand::new("split", split, &[0], &[1.into()], 1.into());
        bit.digits[0].index = 1;
        bit
    };
    let inputs = vec![number, Operand::new("d", d, &[0], &[501.into()], 501.into())];
    let polynomial = Polynomial::input(1).plus(-2, &[0, 1]);
    let claim = Claim::Value { output, factor: 1.into(), polynomial, modulus: Some(BigInt::from(251).into()) };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// An inverse whose sign is what is made of f in three digits.
fn with_sign(whole: bool) -> Kernel {
    let mut kernel = inverse();
    let full = kernel.arrays[0].ty.full();
    for (name, new) in [("sign", split()), ("with_sign", signed(whole))] {
        let place = kernel.callees.iter().position(|k| k.name == name).unwrap();
        kernel.callees[place] = Arc::new(new);
    }
    let sign = kernel.arrays.iter().position(|a| a.name == "sign").unwrap();
    for (array, len) in [(sign, 3), (0, 2)] {
        (kernel.arrays[array].len, kernel.arrays[array].ranges) = (len, vec![full.clone()]);
    }
    let calls = kernel.body.len();
    let Stmt::Call { args, .. } = &mut kernel.body[calls - 2] else { panic!("a call") };
    args.truncate(2);
    let Claim::Power { output, .. } = &mut kernel.contract.claims[0] else { panic!("a power") };
    *output = Operand::new("out", Array(0), &[0, W], std::slice::from_ref(&full.hi), pow2(2 * W) - 1);
    kernel
}

#[test]
fn a_number_is_not_one_of_its_bits() {
    assert!(is_shown(&with_sign(false)));
    let wrong = with_sign(true);
    assert!((0..251).any(|a| is_wrong(&wrong, &[("a", &[a])])));
    is_refused(&wrong, Rule::DivisionBit);
}
