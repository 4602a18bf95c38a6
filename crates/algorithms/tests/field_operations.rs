//! What a field needs beside products, at 32 and 64 bits against big integers: every operation of every layout of every
//! named field and of moduli chosen for their shape, every plan, edge-biased operands, the output at the place of each
//! operand (by default of one operand, by turns; with `EVARISTE_FULL=1` of each).

use crate::common;

use crate::common::{Random, aliases, edges, run, share, unsigned};
use evariste_algorithms::operation::{Holds, Slot};
use evariste_algorithms::prime::representation::canonical_bounds;
use evariste_algorithms::{Layout, Operation, field_set, lane_layouts, layouts, plans};
use evariste_descriptions::{Field, Modulus, Structure};
use evariste_ir::range::pow2;
use evariste_testing::{full, turn};
use num_bigint::{BigInt, BigUint};

/// Moduli whose shape is easy to get wrong: top bit set, top digit 1, all low digits ones, dense, tiny, far from a
/// multiple of the word.
const SHAPES: &[&str] = &[
    "2^64 - 59",
    "2^63 - 25",
    "2^65 - 49",
    "2^127 - 1",
    "2^128 - 159",
    "2^129 - 25",
    "2^130 - 5",
    "2^192 - 237",
    "2^256 - 189",
    "2^257 - 93",
    "2^190 - 2^63 - 1",
    "0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0ab",
    "0x1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffab",
    "0x800000000000000000000000000000000000000000000001",
    "7",
    "251",
    "65537",
    "2^31 - 1",
    "2^32 - 5",
];

/// Residues in big integers, to which rows say what they mean: this arithmetic shares nothing with the project.
#[derive(Debug)]
struct Residues(BigUint);

impl Structure for Residues {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn text(&self) -> String {
        self.name()
    }

    fn description(&self) -> String {
        self.name()
    }

    fn bits(&self) -> u32 {
        self.0.bits() as u32
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a * b % &self.0)
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some((a + b) % &self.0)
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some((&self.0 - a % &self.0) % &self.0)
    }

    fn canonical(&self, a: &BigUint) -> Option<BigUint> {
        Some(a % &self.0)
    }
}

/// What the row means in [`Residues`], of operations on numbers.
fn meant(m: &Modulus, layout: &Layout, op: &Operation, x: &[BigInt]) -> Option<BigInt> {
    let p = BigInt::from(m.value.clone());
    let r = layout.factor() % &p;
    let back = BigInt::from(m.inverse(&unsigned(&r))?);
    let operand = |(slot, x): (&Slot, &BigInt)| match slot.holds {
        Holds::Element => Some(unsigned(&(x * &back % &p))),
        holds => holds.is_number().then(|| unsigned(x)),
    };
    let operands: Vec<BigUint> = op.row().inputs.iter().zip(x).map(operand).collect::<Option<_>>()?;
    let value = BigInt::from(op.meaning(&Residues(m.value.clone()), &operands)?);
    match op.row().outputs[0].holds {
        Holds::Element => Some(value * r % p),
        holds => holds.is_number().then_some(value),
    }
}

fn check(m: &Modulus, layout: &Layout, op: &Operation, lane: &common::Lane) -> Result<(), String> {
    let p = BigInt::from(m.value.clone());
    let (x, out) = (&lane.inputs, &lane.output);
    let r = layout.factor();
    let congruent = |a: BigInt, b: BigInt| {
        if ((&a - &b) % &p).sign() == num_bigint::Sign::NoSign {
            Ok(())
        } else {
            Err(format!("{a:#x} and {b:#x} differ modulo p"))
        }
    };
    let equals = |a: &BigInt, b: BigInt| if *a == b { Ok(()) } else { Err(format!("{a:#x}, not {b:#x}")) };
    match op.row().name {
        "selectznz" => {
            let chosen = if x[0] == BigInt::from(0) { 1 } else { 2 };
            // Unmasked digits too.
            if lane.output_digits == lane.input_digits[chosen] { Ok(()) } else { Err("not the chosen digits".into()) }
        }
        "to_montgomery" | "from_words" => congruent(out.clone(), &x[0] * &r),
        "from_montgomery" | "to_words" => {
            congruent(out * &r, x[0].clone()).and_then(|()| if out < &p { Ok(()) } else { Err("not below p".into()) })
        }
        "canonical" => {
            let bounds = canonical_bounds(m, layout);
            if lane.output_digits.iter().zip(&bounds.digit_max).any(|(d, max)| d > max) {
                return Err("a digit is not below its radix".into());
            }
            equals(out, &x[0] % &p)
        }
        "to_bytes" | "to_bytes_be" | "from_bytes" | "from_bytes_be" => equals(out, &x[0] % &p),
        "mul_words" => equals(out, &x[0] * &x[1] % &p),
        "mul_montgomery_words" => {
            let words = pow2(m.bits.div_ceil(layout.word) * layout.word);
            congruent(out * words, &x[0] * &x[1])
                .and_then(|()| if out < &p { Ok(()) } else { Err("not below p".into()) })
        }
        "exceeds" => equals(&(out >> (m.bits.div_ceil(layout.word) * layout.word)), BigInt::from(u8::from(x[0] >= p))),
        "dot_N" => equals(out, x[1..].chunks(2).map(|x| &x[0] * &x[1]).sum::<BigInt>() + &x[0]),
        "sum_N" => equals(out, x.iter().sum()),
        "inv" => match m.inverse(&unsigned(&x[0])) {
            // The inverse of x·R is x⁻¹·R.
            Some(inverse) => congruent(out.clone(), BigInt::from(inverse) * &r * &r),
            None => congruent(out.clone(), BigInt::from(0)),
        },
        "is_square" => equals(out, BigInt::from(u8::from(is_square(m, &plain(m, &r, &x[0]))))),
        // The flag is looked at in `roots`.
        "sqrt" if is_square(m, &plain(m, &r, &x[0])) => congruent(out * out, &x[0] * &r),
        "sqrt" => equals(out, BigInt::from(0)),
        "pow_HEX" => {
            let e = op.number_of(&Operation::POWER).expect("a member");
            congruent(out.clone(), BigInt::from(m.pow(&plain(m, &r, &x[0]), e)) * &r)
        }
        _ => match (meant(m, layout, op, x), op.row().outputs[0].holds) {
            (Some(meant), Holds::Element) => congruent(out.clone(), meant),
            (Some(meant), _) => equals(out, meant),
            (None, _) => Err("its row has no meaning in numbers: say here what it computes".into()),
        },
    }
}

/// The residue that a number of a layout of this factor holds.
fn plain(m: &Modulus, r: &BigInt, held: &BigInt) -> BigUint {
    let p = BigInt::from(m.value.clone());
    unsigned(&(held * BigInt::from(m.inverse(&unsigned(&(r % &p))).unwrap_or_default()) % p))
}

/// Euler's criterion in big integers.
fn is_square(m: &Modulus, x: &BigUint) -> bool {
    x.modpow(&(&m.value >> 1u32), &m.value) != &m.value - 1u32
}

fn check_field(text: &str, word: u32) -> usize {
    check_operations(text, word, true)
}

fn check_field_without_powers(text: &str, word: u32) -> usize {
    check_operations(text, word, false)
}

/// Operations that are long powers.
const LONG: &[Operation] = &[Operation::INVERSE, Operation::POWER, Operation::SQRT, Operation::IS_SQUARE];

fn check_operations(text: &str, word: u32, powers: bool) -> usize {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let Some(m) = field.get::<Modulus>() else { return 0 };
    let edges = edges(&BigInt::from(m.value.clone()), word);
    let mut kernels = 0;
    // Lanes with the share of the word that digits have in radix 2^52.
    let lanes = lane_layouts(&field, word, word * 13 / 16).into_iter().filter(|l| !l.constants);
    for layout in layouts(&field, word).into_iter().chain(lanes) {
        let mut operations = field_set::operations(&field, &layout);
        assert!(operations.contains(&Operation::SUB), "{text} {}: no subtraction", layout.name);
        let serial = if layout.radix.is_some() { Operation::TO_WORDS } else { Operation::TO_BYTES_BE };
        assert!(operations.contains(&serial), "{text} {}: no bytes", layout.name);
        operations
            .retain(|op| !op.is_any(&[Operation::MUL, Operation::SQUARE, Operation::AFFINE, Operation::AFFINE_MOD]));
        if layout.montgomery.is_some() {
            assert!(
                operations.contains(&Operation::TO_MONTGOMERY) && operations.contains(&Operation::FROM_MONTGOMERY),
                "{text} {}: no conversions",
                layout.name
            );
        }
        operations.retain(|op| powers || !op.is_any(&[Operation::INVERSE, Operation::SQRT, Operation::IS_SQUARE]));
        if operations.contains(&Operation::INVERSE) {
            operations.extend([1u32, 2, 3, 65537, 0xfeed].map(|e| Operation::POWER.with(e)));
        }
        for op in operations {
            let plans = plans(&field, &layout, &op);
            assert!(!plans.is_empty(), "{text} {} {}: no plan", layout.name, op.name());
            for plan in plans {
                let at = format!("{text} {} {} {word}", op.name(), plan.name());
                let kernel = plan.write().unwrap_or_else(|e| panic!("{at}: {e}"));
                if let Err(defects) = evariste_ir::verify(&kernel) {
                    panic!("{at}: {}", defects[0]);
                }
                kernels += 1;
                let seed = 0xe7a2 + kernels as u64;
                let mut r = Random(seed);
                let lanes =
                    share(if op.is_any(&[Operation::DOT, Operation::SUM]) || op.is_any(LONG) { 24 } else { 300 });
                let mut over = aliases(&kernel);
                if !full() && !over.is_empty() {
                    over = vec![over.swap_remove(turn(kernels, over.len()))];
                }
                for alias in std::iter::once(None).chain(over.into_iter().map(Some)) {
                    for lane in
                        run(&kernel, &mut r, lanes, &edges, alias).unwrap_or_else(|e| panic!("{at} (seed {seed}): {e}"))
                    {
                        // With an output over an operand the operands as given still decide.
                        check(m, &layout, &op, &lane)
                            .unwrap_or_else(|e| panic!("{at} (seed {seed}): {e}; operands {:x?}", lane.inputs));
                    }
                }
            }
        }
    }
    kernels
}

#[test]
fn named_fields_at_64_bits() {
    let kernels: usize = evariste_descriptions::named().iter().map(|n| check_field(n.name, 64)).sum();
    println!("{kernels} kernels");
    assert!(kernels > 500);
}

#[test]
fn named_fields_at_32_bits() {
    let kernels: usize = evariste_descriptions::named().iter().map(|n| check_field(n.name, 32)).sum();
    println!("{kernels} kernels");
    assert!(kernels > 500);
}

#[test]
fn shapes_at_64_bits() {
    let kernels: usize = SHAPES.iter().map(|t| check_field(t, 64)).sum();
    println!("{kernels} kernels");
    assert!(kernels > 300);
}

#[test]
fn shapes_at_32_16_and_8_bits() {
    let kernels: usize = SHAPES.iter().flat_map(|t| [32, 16, 8].map(|w| check_field(t, w))).sum();
    println!("{kernels} kernels");
    assert!(kernels > 900);
}

#[test]
fn long_moduli() {
    // The first is dense; 2^1279 − 1 and 2^2048 − 1942289 are prime. Inverses of these take too long here.
    let dense = format!("0x{}1", "b7e151628aed2a6abf7158809cf4f3c75e7f27".repeat(8));
    let kernels: usize =
        [dense.as_str(), "2^1279 - 1", "2^2048 - 1942289"].iter().map(|t| check_field_without_powers(t, 64)).sum();
    println!("{kernels} kernels");
    assert!(kernels > 30);
}

#[test]
fn rings_have_no_inverse() {
    let field = Field::parse("2^64 - 57").expect("an odd number");
    let Some(m) = field.get::<Modulus>() else { panic!("a modulus") };
    assert!(!m.prime);
    for layout in layouts(&field, 64) {
        let operations = field_set::operations(&field, &layout);
        assert!(!operations.contains(&Operation::INVERSE) && operations.contains(&Operation::ADD));
    }
}
