//! Hashes of 32 words.
//!
//! * **computes** `(S mod p) mod 2^l`, S a sum of [`sums`](super::sums), p the least prime above `2^n`.
//! * **needs** 32 words of a key and of a message; of some an addend of n bits.
//! * **gives** l bits. What of the residue is above them is a ghost, so that the contract says `out ≡ S` modulo p, where S is
//!   a polynomial in the words; sums that wrap are none, and their kernels promise ranges.
//! * **cost** that of the sum, and a reduction by the complement of the quotient ([`complement`](crate::reduction::complement)).
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997); Etzel, Patel, Ramzan, "Square Hash" (CRYPTO 1999).

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Number, Operand, Polynomial, Type};

use super::given::{Shape, WORDS, Words, ground, shape};
use super::sums::{Terms, total, wrapping_total};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{Recipe, Whole};
use crate::reduction::complement::{Variant, reduce};
use crate::signature::{NotApplicable, ValueClaim};
use crate::words::low_bits;

macro_rules! recipes {
    ($($constant:ident: $name:literal shifts $shifts:literal table $table:literal;)+) => {
        $(
            const $constant: Whole = Whole {
                name: $name,
                applies,
                write: |f, l, op| write(f, l, op, $name, Variant { shifts: $shifts, table: $table }),
            };
        )+

        /// Every way to reduce.
        pub const RECIPES: &[&dyn Recipe] = &[$(&$constant),+];
    };
}

recipes! {
    MUL: "complement-mul" shifts false table false;
    MUL_TABLE: "complement-mul-table" shifts false table true;
    SHIFT: "complement-shift" shifts true table false;
    SHIFT_TABLE: "complement-shift-table" shifts true table true;
}

/// What an operation sums, whether it wraps, and whether it has an addend.
fn sums(operation: &Operation, squares: bool) -> Option<(Terms, bool, bool)> {
    Some(match operation {
        op if *op == Operation::HASH => (if squares { Terms::Squares } else { Terms::Products }, false, false),
        op if *op == Operation::HASH_WRAPPING && !squares => (Terms::Products, true, false),
        op if *op == Operation::WRAPPING && squares => (Terms::WrappedSquares, false, false),
        op if *op == Operation::HASH_PLUS && squares => (Terms::Squares, false, true),
        op if *op == Operation::WRAPPING_PLUS && squares => (Terms::WrappedSquares, false, true),
        _ => return None,
    })
}

fn is_square(field: &Field) -> bool {
    field.get::<evariste_descriptions::SquareHash>().is_some()
}

fn applies(field: &Field, _: &Layout, operation: &Operation) -> bool {
    shape(&**field).is_some() && sums(operation, is_square(field)).is_some()
}

fn write(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
) -> Result<Kernel, NotApplicable> {
    let missing = || NotApplicable("not a hash function of words".into());
    let (Some(shape), Some(ground)) = (shape(&**field), ground(field)) else { return Err(missing()) };
    let m = ground.get::<Modulus>().ok_or_else(missing)?;
    let (terms, wrapping, addend) = sums(operation, is_square(field)).ok_or_else(missing)?;
    let mut b = Builder::new(kernel_name(operation, name), layout.word);
    let out = Words::new(&mut b, "out", ArrayKind::Output, shape.result, 1);
    let [key, message] = ["key", "message"].map(|name| Words::new(&mut b, name, ArrayKind::Input, shape.word, WORDS));
    let plus = addend.then(|| Words::new(&mut b, "b", ArrayKind::Input, shape.word, 1));
    let start = plus.as_ref().map(|plus| plus.load(&mut b, 0));
    let all = if wrapping {
        wrapping_total(&mut b, shape.word, &key, &message)
    } else {
        total(&mut b, terms, &key, &message, start)
    };
    let residue = reduce(&mut b, m, all, None, variant);
    if residue.bound >= m.value.clone().into() {
        return Err(NotApplicable("the residue is not known to be canonical".into()));
    }
    let is_polynomial = !wrapping && terms != Terms::WrappedSquares;
    let output = store(&mut b, &out, residue, shape, is_polynomial);
    let claim = if is_polynomial {
        ValueClaim::plain(polynomial(terms, addend), Some(m.value.clone().into())).on(output)
    } else {
        Claim::Step { output, name: if terms == Terms::Products { "mmh" } else { "square_hash" }.into() }
    };
    let inputs = [key.operands, message.operands].concat().into_iter().chain(plus.into_iter().flat_map(|p| p.operands));
    Ok(b.finish(Contract { facts: Vec::new(), inputs: inputs.collect(), claims: vec![claim] }))
}

/// The sum in the words of key and message, and the addend after them.
fn polynomial(terms: Terms, addend: bool) -> Polynomial {
    let mut all = Polynomial::default();
    for i in 0..WORDS {
        let (k, m) = (i, WORDS + i);
        all = if terms == Terms::Products {
            all.plus(1, &[k, m])
        } else {
            all.plus(1, &[k, k]).plus(2, &[k, m]).plus(1, &[m, m])
        };
    }
    if addend { all.plus(1, &[2 * WORDS]) } else { all }
}

/// Stores the lowest bits of a residue, and what is above them to a ghost, where the whole is promised.
fn store(b: &mut Builder, out: &Words, residue: Number, shape: Shape, whole: bool) -> Operand {
    let (word, result) = (b.word(), shape.result);
    let low = low_bits(b, &residue.digits, result);
    out.store(b, &low);
    if !whole {
        let bound = residue.bound.min(pow2(result) - 1);
        return Operand { bound, ..out.operands[0].clone() };
    }
    let mut rest = Vec::new();
    let cut = (result / word) as usize;
    if !result.is_multiple_of(word)
        && let Some(digit) = residue.digits.get(cut)
    {
        rest.push((b.shr(*digit, result % word), result));
    }
    let above = result.div_ceil(word) as usize..residue.len();
    rest.extend(above.map(|i| (residue.digits[i], residue.weights[i])));
    let mut operand = Operand { bound: residue.bound.clone(), ..out.operands[0].clone() };
    if !rest.is_empty() {
        let ty: Type = b.word_type();
        let ghost = b.array("ghost", ty, rest.len() as u32, ArrayKind::Ghost, vec![Interval::bits(word)]);
        for (i, (value, weight)) in (0..).zip(rest) {
            b.store(ghost, i, value);
            operand = operand.with_digit(ghost, i, weight, pow2(word) - 1);
        }
    }
    operand
}
