//! `a·x + b` modulo p, optionally truncated: that modulo `2^j`.
//!
//! * **computes** the product by operand scanning (b may start its accumulator) or in floating point, then a reduction
//!   of the field: fold, solinas, barrett, complement, or a Montgomery or unsaturated product to which b is added.
//!   Truncated modulo `2^k` for `p = 2^k + c`: the complement's words below `2^k`, its last carry forgotten.
//! * **needs** operands of the layout; truncated at k for `2^k + c`: any k-bit a, x, b (DFC, MMH).
//! * **gives** a resting element; truncated: the low bits of the canonical value.
//! * **cost** that of the product and the reduction, n additions for b (none where b starts the accumulator).
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998); Halevi, Krawczyk, "MMH" (1997). What they do with
//!   `if`, a borrow mask does.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Kernel, Number, Operand, Polynomial, Value};
use num_bigint::BigInt;

use super::representation::{kernel_name, modulus};
use crate::integer::{float_products, operand_scanning};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::recipe::{Integrated, Product, Reduction, Whole};
use crate::reduction::carry_pass::{carry_pass, sum};
use crate::reduction::complement::{Variant, above_power, reduce};
use crate::reduction::conditional_subtraction::normalise;
use crate::reduction::{self, fold_unsaturated, montgomery_cios};
use crate::signature::{self, NotApplicable, ValueClaim};
use crate::words::{add_row, low_bits, words_for};

/// Registry line.
pub const COMPLEMENT_MUL: Whole = Whole {
    name: "complement-mul",
    applies: complement_reduces,
    write: |f, l, op| complement_affine(f, l, op, "complement-mul", Variant { shifts: false, table: false }, true),
};

/// Registry line.
pub const COMPLEMENT_MUL_TABLE: Whole = complement("complement-mul-table", |f, l, op| {
    complement_affine(f, l, op, "complement-mul-table", Variant { shifts: false, table: true }, true)
});

/// Registry line.
pub const COMPLEMENT_SHIFT: Whole = complement("complement-shift", |f, l, op| {
    complement_affine(f, l, op, "complement-shift", Variant { shifts: true, table: false }, true)
});

/// Registry line.
pub const COMPLEMENT_SHIFT_TABLE: Whole = complement("complement-shift-table", |f, l, op| {
    complement_affine(f, l, op, "complement-shift-table", Variant { shifts: true, table: true }, true)
});

/// Registry line.
pub const COMPLEMENT_MUL_B_AFTER: Whole = complement("complement-mul-b-after", |f, l, op| {
    complement_affine(f, l, op, "complement-mul-b-after", Variant { shifts: false, table: false }, false)
});

/// Registry line.
pub const COMPLEMENT_MUL_TABLE_B_AFTER: Whole = complement("complement-mul-table-b-after", |f, l, op| {
    complement_affine(f, l, op, "complement-mul-table-b-after", Variant { shifts: false, table: true }, false)
});

/// Registry line.
pub const COMPLEMENT_SHIFT_B_AFTER: Whole = complement("complement-shift-b-after", |f, l, op| {
    complement_affine(f, l, op, "complement-shift-b-after", Variant { shifts: true, table: false }, false)
});

/// Registry line.
pub const COMPLEMENT_SHIFT_TABLE_B_AFTER: Whole = complement("complement-shift-table-b-after", |f, l, op| {
    complement_affine(f, l, op, "complement-shift-table-b-after", Variant { shifts: true, table: true }, false)
});

/// Registry line.
pub const COMPLEMENT_MUL_FLOAT_24: Whole = Whole {
    name: "complement-mul-float-24",
    applies: float_applies,
    write: |f, l, op| {
        float_affine(
            f,
            l,
            op,
            "complement-mul-float-24",
            Variant { shifts: false, table: false },
            &float_products::SHORT,
        )
    },
};

/// Registry line.
pub const COMPLEMENT_MUL_FLOAT_24_FMA: Whole = Whole {
    name: "complement-mul-float-24-fma",
    applies: float_applies,
    write: |f, l, op| {
        float_affine(
            f,
            l,
            op,
            "complement-mul-float-24-fma",
            Variant { shifts: false, table: false },
            &float_products::SHORT_FMA,
        )
    },
};

/// Registry line.
pub const COMPLEMENT_SHIFT_FLOAT_24_FMA: Whole = Whole {
    name: "complement-shift-float-24-fma",
    applies: float_applies,
    write: |f, l, op| {
        float_affine(
            f,
            l,
            op,
            "complement-shift-float-24-fma",
            Variant { shifts: true, table: false },
            &float_products::SHORT_FMA,
        )
    },
};

/// Registry line.
pub const COMPLEMENT_SHIFT_FLOAT_16X32_FMA: Whole = Whole {
    name: "complement-shift-float-16x32-fma",
    applies: float_applies,
    write: |f, l, op| {
        float_affine(
            f,
            l,
            op,
            "complement-shift-float-16x32-fma",
            Variant { shifts: true, table: false },
            &float_products::UNEQUAL,
        )
    },
};

/// Registry line.
pub const COMPLEMENT_SHIFT_FLOAT_52_FMA: Whole = Whole {
    name: "complement-shift-float-52-fma",
    applies: float_applies,
    write: |f, l, op| {
        float_affine(
            f,
            l,
            op,
            "complement-shift-float-52-fma",
            Variant { shifts: true, table: false },
            &float_products::LONG,
        )
    },
};

/// Registry line.
pub const FOLD: Whole = Whole {
    name: "fold",
    applies: |f, l, op| reduces(f, l, op, &reduction::fold::REDUCTION),
    write: |f, l, op| reduced(f, l, op, &reduction::fold::REDUCTION),
};

/// Registry line.
pub const SOLINAS: Whole = Whole {
    name: "solinas",
    applies: |f, l, op| reduces(f, l, op, &reduction::solinas::REDUCTION),
    write: |f, l, op| reduced(f, l, op, &reduction::solinas::REDUCTION),
};

/// Registry line.
pub const BARRETT: Whole = Whole {
    name: "barrett",
    applies: |f, l, op| reduces(f, l, op, &reduction::barrett::REDUCTION),
    write: |f, l, op| reduced(f, l, op, &reduction::barrett::REDUCTION),
};

/// Registry line.
pub const TRUNCATION: Whole = Whole {
    name: "truncation",
    applies: |f, l, op| reduces(f, l, op, &reduction::short_products::TRUNCATION),
    write: |f, l, op| reduced(f, l, op, &reduction::short_products::TRUNCATION),
};

/// Registry line.
pub const FOLD_UNSATURATED: Whole = Whole {
    name: "fold-unsaturated",
    applies: |f, l, op| integrates(f, l, op, &fold_unsaturated::EARLY),
    write: |f, l, op| integrated(f, l, op, &fold_unsaturated::EARLY),
};

/// Registry line.
pub const FOLD_LATE: Whole = Whole {
    name: "fold-late",
    applies: |f, l, op| integrates(f, l, op, &fold_unsaturated::LATE),
    write: |f, l, op| integrated(f, l, op, &fold_unsaturated::LATE),
};

/// Registry line.
pub const MONTGOMERY_CIOS: Whole = Whole {
    name: "montgomery-cios",
    applies: |f, l, op| integrates(f, l, op, &montgomery_cios::INTEGRATED),
    write: |f, l, op| integrated(f, l, op, &montgomery_cios::INTEGRATED),
};

/// A line for `2^k + c`.
const fn complement(
    name: &'static str,
    write: fn(&Field, &Layout, &Operation) -> Result<Kernel, NotApplicable>,
) -> Whole {
    Whole { name, applies: complement_applies, write }
}

/// Where the value is cut, if this is an affine map.
pub(super) fn cut(operation: &Operation) -> Option<Option<u32>> {
    if *operation == Operation::AFFINE {
        Some(None)
    } else {
        operation.small_number_of(&Operation::AFFINE_MOD).map(Some)
    }
}

/// Truncation asks for the canonical value, which only canonical layouts without Montgomery factor give.
fn cut_allowed(m: &Modulus, layout: &Layout, cut: Option<u32>) -> bool {
    cut.is_none_or(|j| {
        j > 0
            && j <= m.bits
            && layout.montgomery.is_none()
            && layout.saturated()
            && layout.resting.bound < BigInt::from(m.value.clone())
    })
}

/// `2^k + c` cut at k: the words of k bits.
pub(super) fn complement_applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    let (Ok(m), Some(Some(j))) = (modulus(field), cut(operation)) else { return false };
    complement_reduces(field, layout, operation) && above_power(m).is_some_and(|(k, _)| k == j)
}

/// `2^k + c`, cut anywhere or not at all.
fn complement_reduces(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    let (Ok(m), Some(cut)) = (modulus(field), cut(operation)) else { return false };
    (reduction::complement::REDUCTION.applies)(m, layout) && cut_allowed(m, layout, cut)
}

fn reduces(field: &Field, layout: &Layout, operation: &Operation, reduction: &Reduction) -> bool {
    let (Ok(m), Some(cut)) = (modulus(field), cut(operation)) else { return false };
    layout.saturated() && (reduction.applies)(m, layout) && cut_allowed(m, layout, cut)
}

fn integrates(field: &Field, layout: &Layout, operation: &Operation, integrated: &Integrated) -> bool {
    let (Ok(m), Some(None)) = (modulus(field), cut(operation)) else { return false };
    (integrated.applies)(m, layout)
}

/// The bounds of a, x and b: k-bit words where the value is cut at the k of `2^k + c`, else those of the layout.
fn operands(m: &Modulus, layout: &Layout, cut: Option<u32>) -> (Vec<u32>, Bounds) {
    match (above_power(m), cut) {
        (Some((k, _)), Some(j)) if k == j => {
            let bound = pow2(k) - 1;
            let weights: Vec<u32> = (0..words_for(&bound, layout.word) as u32).map(|i| i * layout.word).collect();
            let digit_max = weights.iter().map(|w| std::cmp::min(pow2(layout.word) - 1, &bound >> *w)).collect();
            (weights, Bounds { digit_max, bound, low: None })
        }
        _ => (layout.weights.clone(), layout.loose.clone()),
    }
}

/// The signature: inputs a, x, b; `factor·out ≡ a·x + factor·b`, cut at `2^j` with the rest in ghost words.
pub(super) fn kernel(
    name: &str,
    m: &Modulus,
    layout: &Layout,
    cut: Option<u32>,
    body: impl FnOnce(&mut Builder, &Number, &Number, &Number) -> Number,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let p = BigInt::from(m.value.clone());
    let (weights, bounds) = operands(m, layout, cut);
    let (out_weights, out_bounds) = match cut {
        None => (layout.weights.clone(), layout.resting.clone()),
        Some(j) => {
            let weights: Vec<u32> = (0..j.div_ceil(layout.word)).map(|i| i * layout.word).collect();
            let digit_max = weights.iter().map(|w| pow2((j - w).min(layout.word)) - 1).collect();
            (weights, Bounds { digit_max, bound: &p - 1, low: None })
        }
    };
    let (out, mut operand) = signature::output(&mut b, "out", &out_weights, &out_bounds);
    let inputs: Vec<_> = ["a", "x", "b"].iter().map(|name| signature::input(&mut b, name, &weights, &bounds)).collect();
    let numbers: Vec<Number> = inputs.iter().map(|i| i.load(&mut b)).collect();
    let result = body(&mut b, &numbers[0], &numbers[1], &numbers[2]);
    let operand = match cut {
        None => signature::store_result(&mut b, out, operand, &result)?,
        Some(j) => {
            if result.bound >= p {
                return Err(NotApplicable("the value before truncation is not known to be canonical".into()));
            }
            let low = low_bits(&mut b, &result.digits, j);
            b.store_all(out, &low);
            // What is above bit j: the upper part of the word that j cuts, then whole words.
            let cut = (j / layout.word) as usize;
            let mut rest = Vec::new();
            if j % layout.word != 0 && cut < result.len() {
                let upper = b.shr(result.digits[cut], j % layout.word);
                rest.push((upper, j));
            }
            rest.extend(
                (j.div_ceil(layout.word) as usize..result.len()).map(|i| (result.digits[i], result.weights[i])),
            );
            if !rest.is_empty() {
                let ghost = b.ghost("ghost", rest.len() as u32);
                for (i, (value, weight)) in rest.into_iter().enumerate() {
                    b.store(ghost, i, value);
                    operand = operand.with_digit(ghost, i as u32, weight, pow2(layout.word) - 1);
                }
            }
            operand
        }
    };
    let polynomial = Polynomial::default().plus(1, &[0, 1]).plus(layout.factor(), &[2]);
    let claim: Claim = ValueClaim { factor: layout.factor(), polynomial, modulus: Some(p) }.on(operand);
    let inputs: Vec<Operand> = inputs.into_iter().map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] }))
}

/// The signature of so many maps by one a and b: inputs a, the x and b, whole words; each value cut at a word, of which the
/// rest is a ghost. The body gives each value in two words.
pub(super) fn of_several(
    name: &str,
    m: &Modulus,
    word: u32,
    count: u32,
    body: impl FnOnce(&mut Builder, Value, Value, &[Value]) -> Vec<Number>,
) -> Kernel {
    let mut b = Builder::new(name, word);
    let (p, full): (BigInt, BigInt) = (m.value.clone().into(), pow2(word) - 1);
    let words = |count: u32| vec![full.clone(); count as usize];
    let out = b.output("out", count, &words(count));
    let [a, x, addend] = [("a", 1), ("x", count), ("b", 1)].map(|(name, n)| b.input(name, n, &words(n)));
    let ghost = b.ghost("ghost", count);
    let digit = |name: String, array: Array, i: u32, bound: &BigInt| {
        Operand { name, digits: Vec::new(), bound: bound.clone(), below: None }.with_digit(array, i, 0, full.clone())
    };
    let of_x = (0..count).map(|i| digit(format!("x{i}"), x, i, &full));
    let inputs: Vec<Operand> =
        [digit("a".into(), a, 0, &full), digit("b".into(), addend, 0, &full)].into_iter().chain(of_x).collect();
    let [a, addend] = [a, addend].map(|array| b.load(array, 0u32));
    let x = b.load_all(x);
    let values = body(&mut b, a, addend, &x);
    let claims = (0..).zip(values).map(|(i, value)| {
        b.store(out, i, value.digits[0]);
        b.store(ghost, i, value.digits[1]);
        let output = digit(format!("out{i}"), out, i, &(&p - 1)).with_digit(ghost, i, word, 1.into());
        ValueClaim::plain(Polynomial::input(1).plus(1, &[0, 2 + i]), Some(p.clone())).on(output)
    });
    let claims = claims.collect();
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// The words of `a·x + b`.
fn product_plus(b: &mut Builder, a: &Number, x: &Number, addend: Option<&Number>) -> Number {
    let word = b.word();
    let zero = b.word_constant(0);
    let n = a.len();
    let mut bound = &a.bound * &x.bound;
    let mut t = vec![zero; 2 * n];
    if let Some(addend) = addend {
        bound += &addend.bound;
        t[..n].copy_from_slice(&addend.digits);
        // Row i is a·x[i] on top of words i … i + n − 1; its carry is word i + n.
        for (i, xi) in x.digits.iter().enumerate() {
            let mut carry = zero;
            for (j, aj) in a.digits.iter().enumerate() {
                (t[i + j], carry) = b.mul_add_add(*aj, *xi, t[i + j], carry);
            }
            t[i + n] = carry;
        }
    } else {
        t = operand_scanning::multiply(b, &a.digits, &x.digits);
    }
    Number::new(t, word, bound)
}

/// `2^k + c` by the complement; b starts the product's accumulator, or is added after the first step.
fn complement_affine(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
    b_first: bool,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    kernel(&kernel_name(operation, name), m, layout, cut(operation).flatten(), |b, a, x, addend| {
        let t = product_plus(b, a, x, b_first.then_some(addend));
        reduce(b, m, t, (!b_first).then(|| addend.clone()), variant)
    })
}

/// `2^k + c` cut at k, for operands of one word whose product can be made of floats.
fn float_applies(field: &Field, layout: &Layout, operation: &Operation) -> bool {
    let Ok(m) = modulus(field) else { return false };
    complement_applies(field, layout, operation)
        && operands(m, layout, cut(operation).flatten()).0.len() == 1
        && (float_products::SHORT.applies)(layout.word, 1)
}

/// `2^k + c` by the complement, the product in floating point; b is added after the first step.
fn float_affine(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    name: &str,
    variant: Variant,
    product: &Product,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    kernel(&kernel_name(operation, name), m, layout, cut(operation).flatten(), |b, a, x, addend| {
        let t = Number::new((product.multiply)(b, &a.digits, &x.digits), layout.word, &a.bound * &x.bound);
        reduce(b, m, t, Some(addend.clone()), variant)
    })
}

/// Product, sum, then a reduction of the field.
fn reduced(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    reduction: &Reduction,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(operation, reduction.name);
    kernel(&name, m, layout, cut(operation).flatten(), |b, a, x, addend| {
        let t = product_plus(b, a, x, Some(addend));
        let t = (reduction.reduce)(b, m, layout, t);
        normalise(b, m, t, &layout.resting.bound)
    })
}

/// A product with integrated reduction, then the sum: `a·x/R + b` in Montgomery form, digit by digit in unsaturated
/// layouts.
fn integrated(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    integrated: &Integrated,
) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(operation, integrated.name);
    kernel(&name, m, layout, None, |b, a, x, addend| {
        let mut t = (integrated.multiply)(b, m, layout, a, x);
        if layout.montgomery.is_none() {
            let digits = t.digits.iter().zip(&addend.digits).map(|(t, a)| sum(b, *t, *a)).collect();
            let digits = Number::from_ranges(b, digits, layout.weights.clone());
            return carry_pass(b, m, layout, digits);
        }
        t.bound += &addend.bound;
        let words = words_for(&t.bound, layout.word).max(layout.digits());
        let zero = b.word_constant(0);
        t.digits.resize(words, zero);
        add_row(b, &mut t.digits, &addend.digits, 0, words);
        let t = Number::new(t.digits, layout.word, t.bound);
        normalise(b, m, t, &layout.resting.bound)
    })
}
