//! What every operation means, in numbers: its operands, and whether a result is right. Of operations on numbers the row
//! says it, and the arithmetic is that of [`super::kinds`], which shares nothing with the project; what has bytes, or is
//! known by a property of its result, says it here.

use evariste::{BigUint, Op};
use evariste_algorithms::operation::{Holds, Slot};

use super::kinds::{Exact, Kind, inverse};

/// What an operand or a result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An element, in the form of the layout.
    Element,
    /// A canonical number in the digits of the layout, not in its Montgomery form.
    Plain,
    /// A canonical element, in the form of the layout.
    Canonical,
    /// 0 or 1.
    Flag,
    /// A number of at most that many bits.
    Low(u32),
    /// The bytes of a canonical number.
    Bytes { big_endian: bool },
}

/// An operation on elements of which each is a few digits (scalar code, C, assembly).
pub struct Meaning {
    pub operands: Vec<Role>,
    pub result: Role,
    /// Is that the result? `p` is the modulus.
    pub right: Box<dyn Fn(&Kind, &[BigUint], &BigUint, &BigUint) -> bool>,
}

/// An operation that only arrays have: [`super::arrays`] runs it.
pub struct OfArrays;

/// The meaning of an operation.
pub fn meaning(op: &Op) -> Result<Meaning, OfArrays> {
    use Role::{Bytes, Canonical, Element, Flag, Low, Plain};
    let is = |operands: &[Role], result: Role, value: fn(&Kind, &[BigUint], &BigUint) -> BigUint| {
        Ok(Meaning {
            operands: operands.to_vec(),
            result,
            right: Box::new(move |kind, x, out, p| value(kind, x, p) == *out),
        })
    };
    let number = |family: &Op| op.number_of(family).cloned().unwrap_or_else(|| panic!("{op:?} is a family"));
    match op.row().name {
        "to_montgomery" => is(&[Plain], Element, |_, x, _| x[0].clone()),
        "from_montgomery" => is(&[Element], Plain, |_, x, _| x[0].clone()),
        "canonical" => is(&[Element], Canonical, |_, x, _| x[0].clone()),
        // Bytes are those of the number itself: Montgomery forms are left first.
        name @ ("to_bytes" | "to_bytes_be") => {
            is(&[Plain], Bytes { big_endian: name.ends_with("_be") }, |_, x, _| x[0].clone())
        }
        name @ ("from_bytes" | "from_bytes_be") => {
            is(&[Bytes { big_endian: name.ends_with("_be") }], Plain, |_, x, _| x[0].clone())
        }
        "is_zero" => is(&[Canonical], Flag, |_, x, _| u32::from(x[0] == BigUint::ZERO).into()),
        "equal" => is(&[Canonical, Canonical], Flag, |_, x, _| u32::from(x[0] == x[1]).into()),
        "inv" => Ok(Meaning {
            operands: vec![Element],
            result: Element,
            right: Box::new(|k, x, out, p| k.is_inverse(&x[0], out, p)),
        }),
        "pow_HEX" => Ok(Meaning {
            operands: vec![Element],
            result: Element,
            right: {
                let e = number(&Op::POWER);
                Box::new(move |k, x, out, p| k.pow(&x[0], &e, p) == *out)
            },
        }),
        "sqrt" => Ok(Meaning {
            operands: vec![Element],
            result: Element,
            right: Box::new(|k, x, out, p| {
                let is = k.is_binary() || is_square(&x[0], p);
                if is { k.mul(out, out, p) == x[0] } else { *out == BigUint::ZERO }
            }),
        }),
        "is_square" => is(&[Element], Flag, |_, x, p| u32::from(is_square(&x[0], p)).into()),
        "trace" => is(&[Element], Flag, |k, x, _| {
            let sum = k.sum_of_powers(&x[0], 1, k.limit().bits() as u32 - 1);
            u32::from(sum == k.one()).into()
        }),
        "half_trace" => {
            is(&[Element], Element, |k, x, _| k.sum_of_powers(&x[0], 2, (k.limit().bits() as u32 - 1).div_ceil(2)))
        }
        "solve_quadratic" => Ok(Meaning {
            operands: vec![Element],
            result: Element,
            right: Box::new(|k, x, z, p| {
                let solvable = k.sum_of_powers(&x[0], 1, k.limit().bits() as u32 - 1) == BigUint::ZERO;
                !solvable || k.mul(z, z, p) ^ z == x[0]
            }),
        }),
        "affine_mod_2_K" => {
            let bits = u32::try_from(number(&Op::AFFINE_MOD)).unwrap_or_else(|e| panic!("{op:?}: {e}"));
            Ok(Meaning {
                operands: vec![Low(bits); 3],
                result: Low(bits),
                right: Box::new(move |k, x, out, p| {
                    *out == k.add(&k.mul(&x[0], &x[1], p), &x[2], p) % (BigUint::from(1u32) << bits)
                }),
            })
        }
        "from_words"
        | "to_words"
        | "mul_words"
        | "mul_montgomery_words"
        | "exceeds"
        | "mul_add"
        | "dot_N"
        | "sum_N"
        | "affine_constant_mod_2_K"
        | "affine_each_N" => Err(OfArrays),
        _ => Ok(derived(op)),
    }
}

/// Is it a square modulo an odd prime? By Euler's criterion.
fn is_square(x: &BigUint, p: &BigUint) -> bool {
    x.modpow(&(p >> 1u32), p) != p - 1u32
}

/// The meaning of an operation on numbers: its row's, in the arithmetic of these tests.
fn derived(op: &Op) -> Meaning {
    let role = |slot: &Slot| match slot.holds {
        Holds::Element => Role::Element,
        Holds::Flag => Role::Flag,
        _ => panic!("{op:?} takes or gives what is no number: say here what it means"),
    };
    let own = op.clone();
    Meaning {
        operands: op.row().inputs.iter().map(role).collect(),
        result: role(&op.row().outputs[0]),
        right: Box::new(move |kind, x, out, p| {
            let exact = Exact { kind: kind.clone(), p: p.clone() };
            own.meaning(&exact, x).as_ref() == Some(out)
        }),
    }
}

/// Operands of an operation: every combination of the main edges as far as they go, then random ones with long runs of
/// equal bits. Moduli supplied at run time change with each set.
pub fn operand_sets(kind: &Kind, operands: &[Role], count: usize, seed: u64) -> Vec<(Vec<BigUint>, BigUint)> {
    let mut state = seed;
    let mut word = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut random = move |limit: &BigUint| {
        let runs = word() % 2 == 0;
        let bytes: Vec<u8> = (0..limit.bits().div_ceil(64) + 1)
            .flat_map(|_| {
                let w = word();
                if !runs {
                    w
                } else if w & 1 == 0 {
                    w >> (w >> 58)
                } else {
                    !(w >> (w >> 58))
                }
                .to_le_bytes()
            })
            .collect();
        BigUint::from_bytes_le(&bytes) % limit
    };
    let edges = |limit: &BigUint| {
        let one = BigUint::from(1u32);
        let mut all = vec![
            BigUint::ZERO,
            one.clone(),
            limit - &one,
            limit >> 1u32,
            &one << ((limit.bits() - 1) / 64 * 64),
            (&one << ((limit.bits() - 1) / 64 * 64)) - &one,
            BigUint::from(2u32),
            BigUint::from(0x10000u32),
        ];
        all.retain(|x| x < limit);
        all
    };
    let given = |i: usize, random: &mut dyn FnMut(&BigUint) -> BigUint| match kind {
        Kind::Given(bits) => {
            let most = BigUint::from(1u32) << *bits;
            let mut p = match i % 4 {
                0 => &most - 1u32,
                1 => &most >> 1u32,
                2 => BigUint::from(3u32),
                _ => random(&most),
            };
            p.set_bit(0, true);
            p.max(BigUint::from(3u32))
        }
        Kind::Modulus(p) => p.clone(),
        _ => BigUint::ZERO,
    };
    let set = |i: usize| {
        let p = given(i, &mut random);
        let limit = if matches!(kind, Kind::Given(_)) { p.clone() } else { kind.limit() };
        let mut rest = i;
        let mut operand = |role: &Role| {
            let limit = match role {
                Role::Flag => BigUint::from(2u32),
                Role::Low(bits) => BigUint::from(1u32) << *bits,
                _ => limit.clone(),
            };
            let choices = edges(&limit);
            let edge = choices[rest % choices.len()].clone();
            rest /= choices.len();
            if i < count.div_ceil(2) { edge } else { random(&limit) }
        };
        (operands.iter().map(&mut operand).collect(), p)
    };
    (0..count).map(set).collect()
}

/// `−1/p` modulo 2^k: the constant of Montgomery's reduction.
pub fn montgomery_constant(p: &BigUint, k: u32) -> BigUint {
    let power = BigUint::from(1u32) << k;
    let one = inverse(&(p % &power), &power).expect("an odd number");
    &power - one
}
