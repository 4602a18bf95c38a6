//! Tests for zero and equality: a small domain of values that are zero exactly when certain digits agree.

use std::collections::BTreeSet;

use evariste_ir::{Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::equations::system::pow2;
use crate::outcome::Obligation;
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, pattern, run};

/// Positions of digits.
type Places = BTreeSet<usize>;

/// What a value says about the digits. "The places agree" means that the two numbers have equal digits there (or that
/// the one number has zeros).
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// A constant, as the pattern of its type: wider types extend it by zeros.
    Constant(BigInt),
    /// The digit of the left (false) or right (true) number at that place.
    Digit(bool, usize),
    /// Zero exactly when the places agree.
    ZeroIff(Places),
    /// `value` when "the places agree" is `truth`, else 0; `value` is not 0.
    Truth { places: Places, truth: bool, value: BigInt },
    /// Anything.
    Other,
}

use Meaning::*;

impl Meaning {
    /// The places that it is zero for.
    fn zero_iff(&self) -> Option<Places> {
        match self {
            Constant(c) if c.is_zero() => Some(Places::new()),
            ZeroIff(s) => Some(s.clone()),
            Truth { places, truth: false, .. } => Some(places.clone()),
            _ => None,
        }
    }
}

/// Is it zero exactly when two digits agree?
fn difference(a: &Meaning, b: &Meaning) -> Option<Places> {
    match (a, b) {
        (Digit(x, i), Digit(y, j)) if x != y && i == j => Some(Places::from([*i])),
        (x, Constant(c)) | (Constant(c), x) if c.is_zero() => x.zero_iff(),
        _ => None,
    }
}

/// What the bits that one of two values has set say.
fn either(a: &Meaning, b: &Meaning) -> Meaning {
    match (a, b) {
        (Constant(c), x) | (x, Constant(c)) if c.is_zero() => x.clone(),
        (Truth { places: p, truth: false, value: v }, Truth { places: q, truth: false, value: w }) if v == w => {
            Truth { places: p | q, truth: false, value: v.clone() }
        }
        _ => match (a.zero_iff(), b.zero_iff()) {
            (Some(p), Some(q)) => ZeroIff(&p | &q),
            _ => Other,
        },
    }
}

struct Comparison;

impl Domain for Comparison {
    type V = Meaning;

    fn apply(&mut self, o: &Applied, args: &[Meaning]) -> Result<Vec<Meaning>, Failure> {
        use Op::*;
        let ones = pow2(o.types[0].bits()) - BigInt::one();
        let other = || vec![Other; o.types.len()];
        let truth = |places: Option<Places>, truth: bool, value: BigInt| {
            places.map_or(Other, |places| Truth { places, truth, value })
        };
        let zero = |m: &Meaning| matches!(m, Constant(c) if c.is_zero());
        let one = |m: &Meaning| matches!(m, Constant(c) if c.is_one());
        let result = match (o.op, args) {
            (Const(c), _) => Constant(pattern(c, o.types[0])),
            (Xor | WrappingSub, [a, b]) => difference(a, b).map_or(Other, ZeroIff),
            (Or, [a, b]) => either(a, b),
            (And, [Truth { places: p, truth: true, value: v }, Truth { places: q, truth: true, value: w }])
                if v == w =>
            {
                truth(Some(p | q), true, v.clone())
            }
            (
                And,
                [Truth { places, truth: t, value }, Constant(c)] | [Constant(c), Truth { places, truth: t, value }],
            ) => {
                let value = value & c;
                if value.is_zero() { Constant(value) } else { truth(Some(places.clone()), *t, value) }
            }
            (Not, [Truth { places, truth: t, value }]) if *value == ones => truth(Some(places.clone()), !t, ones),
            (Equal, [a, b]) => truth(difference(a, b), true, ones),
            (Less, [a, b]) if zero(a) => truth(b.zero_iff(), false, ones),
            (Less, [a, b]) if one(b) => truth(a.zero_iff(), true, ones),
            // 0 − x borrows unless x is 0; x − 1 borrows when it is.
            (SubBorrow, [a, b, c]) if zero(a) && zero(c) => {
                return Ok(vec![Other, truth(b.zero_iff(), false, BigInt::one())]);
            }
            (SubBorrow, [a, b, c]) if one(b) && zero(c) => {
                return Ok(vec![Other, truth(a.zero_iff(), true, BigInt::one())]);
            }
            (Select, [Truth { places, truth: t, value }, Constant(x), Constant(y)])
                if *value == pow2(o.arg_types[0].bits()) - 1 =>
            {
                match (x.is_zero(), y.is_zero()) {
                    (false, true) => truth(Some(places.clone()), *t, x.clone()),
                    (true, false) => truth(Some(places.clone()), !t, y.clone()),
                    _ => Other,
                }
            }
            (FlagToWord | MaskToWord | Widen, [x]) => x.clone(),
            (FlagToMask, [Truth { places, truth: t, value }]) if value.is_one() => {
                truth(Some(places.clone()), *t, ones)
            }
            (MaskToFlag, [Truth { places, truth: t, value }]) if *value == pow2(o.arg_types[0].bits()) - 1 => {
                truth(Some(places.clone()), *t, BigInt::one())
            }
            (FlagToMask | MaskToFlag, [Constant(c)]) if c.is_zero() => Constant(c.clone()),
            _ => return Ok(other()),
        };
        Ok(vec![result])
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Meaning {
        Constant(pattern(c, ty))
    }
}

/// Shows that the output's only digit is 1 when the numbers agree digit by digit, else 0.
pub(crate) fn check(kernel: &Kernel, output: &Operand, left: u32, right: Option<u32>) -> Result<(), Obligation> {
    let open = |detail: String| Obligation { what: format!("comparison {}", output.name), detail };
    let input =
        |i: u32| kernel.contract.inputs.get(i as usize).ok_or_else(|| open("an input that does not exist".into()));
    let sides = [Some(left), right].into_iter().flatten().map(input).collect::<Result<Vec<_>, _>>()?;
    let n = sides[0].digits.len();
    let [digit] = output.digits.as_slice() else { return Err(open("the output is one digit".into())) };
    if sides.iter().any(|s| {
        s.is_unmasked()
            || s.digits.len() != n
            || s.digits.iter().zip(&sides[0].digits).any(|(d, e)| d.weight != e.weight)
    }) {
        return Err(open("the numbers have different digits".into()));
    }
    let mut arrays: Arrays<Meaning> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, evariste_ir::ArrayKind::Input | evariste_ir::ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(Other));
        }
    }
    for (side, operand) in sides.iter().enumerate() {
        for (i, d) in operand.digits.iter().enumerate() {
            let cell = &mut arrays[d.array.0 as usize][d.index as usize];
            if *cell != Some(Other) {
                return Err(open("an element belongs to two numbers".into()));
            }
            *cell = Some(if right.is_some() { Digit(side == 1, i) } else { ZeroIff(Places::from([i])) });
        }
    }
    let (arrays, _) = run(&mut Comparison, kernel, arrays).map_err(open)?;
    let expected = Truth { places: (0..n).collect(), truth: true, value: BigInt::one() };
    match &arrays[digit.array.0 as usize][digit.index as usize] {
        Some(m) if *m == expected => Ok(()),
        m => Err(open(format!("it is {m:?}"))),
    }
}
