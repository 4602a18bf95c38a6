//! Montgomery schedules: every pair of operands at toy word sizes, edge-biased operands at 32 and 64 bits with the
//! output over each operand, and multiplication counts against the formulas of the documentation.

use crate::exhaust;

use crate::common::{Numbers, Random, aliases, edges, run, share};
use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Op, Stmt};
use evariste_testing::turn;
use num_bigint::{BigInt, BigUint};

/// All Montgomery plans of a modulus.
fn montgomery_plans(field: &Field, word: u32) -> Vec<Plan> {
    let layouts = layouts(field, word).into_iter().filter(|l| l.montgomery.is_some());
    layouts
        .flat_map(|l| [Operation::MUL, Operation::SQUARE].into_iter().flat_map(move |op| plans(field, &l, &op)))
        .collect()
}

fn modulus(value: u64) -> Field {
    Field::new(Modulus::new(BigUint::from(value)).unwrap_or_else(|| panic!("{value} is no modulus")))
}

fn exhaust_moduli(word: u32, moduli: impl Iterator<Item = u64>) -> u128 {
    let mut tried = 0;
    for p in moduli {
        for plan in montgomery_plans(&modulus(p), word) {
            let kernel = plan.write().unwrap_or_else(|e| panic!("{p} {}: {e}", plan.name()));
            tried += exhaust::every_input(&kernel).unwrap_or_else(|e| panic!("{p} {}: {e}", plan.name()));
        }
    }
    println!("{tried} inputs at {word} bits");
    tried
}

// By default each of the three tests takes a few moduli, with `EVARISTE_FULL=1` all: `exhaustion` tries the same
// schedules at the same sizes, by their contracts.

#[test]
fn every_input_at_three_bits() {
    // Every modulus of one and two digits, or of one.
    let (below, least) = if evariste_testing::full() { (64, 500_000) } else { (8, 1_000) };
    assert!(exhaust_moduli(3, (3..below).step_by(2)) > least);
}

#[test]
fn every_input_of_three_digits() {
    // Dense, top digit 1, lowest digit all ones or 1, around 2^8 (two spare bits or not).
    let moduli = [65, 71, 73, 127, 129, 191, 249, 255, 257, 263, 383, 449, 455, 503, 505, 511];
    let (count, least) = if evariste_testing::full() { (moduli.len(), 5_000_000) } else { (1, 10_000) };
    assert!(exhaust_moduli(3, moduli.into_iter().take(count)) > least);
}

#[test]
fn every_input_at_four_and_five_bits() {
    let four = [3, 5, 9, 13, 15, 17, 31, 47, 63, 65, 127, 129, 143, 175, 191, 239, 241, 253, 255];
    let five = [3, 19, 31, 33, 63, 95, 255, 511, 961, 993, 1021, 1023];
    let (count, least) = if evariste_testing::full() { (four.len(), 1_000_000) } else { (3, 1_000) };
    assert!(exhaust_moduli(4, four.into_iter().take(count)) > least);
    assert!(exhaust_moduli(5, five.into_iter().take(count)) > least);
}

/// `2^r·out ≡ a·b`, and the bound is kept (checked by `run`).
fn check_field(field: &Field, word: u32, lanes: usize) -> usize {
    let Some(m) = field.get::<Modulus>() else { return 0 };
    let p = BigInt::from(m.value.clone());
    let edges = edges(&p, word);
    let mut kernels = 0;
    for plan in montgomery_plans(field, word) {
        let at = format!("{} {} {}", m.text, plan.name(), plan.operation.name());
        let kernel = plan.write().unwrap_or_else(|e| panic!("{at}: {e}"));
        kernels += 1;
        for alias in std::iter::once(None).chain(aliases(&kernel).into_iter().map(Some)) {
            let seed = u64::from(m.bits) + kernels as u64;
            for lane in run(&kernel, &mut Random(seed), lanes, &edges, alias)
                .unwrap_or_else(|e| panic!("{at}, seed {seed}: {e}"))
            {
                let product = &lane.inputs[0] * &lane.inputs[lane.inputs.len() - 1];
                assert_eq!(
                    (&lane.output * plan.layout.factor() - product) % &p,
                    BigInt::from(0),
                    "{at}, seed {seed}: operands {:x?}",
                    lane.inputs
                );
            }
        }
    }
    kernels
}

#[test]
fn named_fields() {
    let mut kernels = 0;
    for named in evariste_descriptions::named() {
        for word in [32, 64] {
            kernels += check_field(&Field::parse(named.name).unwrap_or_else(|e| panic!("{e:?}")), word, share(40));
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > 400);
}

/// One to 17 words, by default a third of these lengths a day: dense, top bit set and clear, two spare bits, top word 1, lowest word 1 or all ones, all ones.
#[test]
fn shapes_of_every_length() {
    let (mut kernels, todays) = (0, turn(0, 3));
    for word in [32u32, 64] {
        for (at, n) in [1u32, 2, 3, 4, 5, 8, 9, 12, 17].into_iter().enumerate() {
            if !evariste_testing::full() && at % 3 != todays {
                continue;
            }
            let k = n * word;
            let mut r = Random(u64::from(k));
            let one = BigInt::from(1);
            let dense = |r: &mut Random, bits: u32| (r.bits(u64::from(bits)) | &one) | (&one << (bits - 1));
            let mut moduli = vec![
                (&one << k) - 1,
                dense(&mut r, k),
                dense(&mut r, k - 1),
                dense(&mut r, k - 2),
                (&one << k) - (&one << (word - 1)) - 1,
            ];
            if n > 1 {
                let top = dense(&mut r, k - word + 1);
                moduli.extend([(&top >> word << word) + 1, (&top >> word << word) + (&one << word) - 1, top]);
            }
            for p in moduli {
                let m = Modulus::new(p.magnitude().clone()).unwrap_or_else(|| panic!("{p} is no modulus"));
                kernels += check_field(&Field::new(m), word, share(12));
            }
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > if evariste_testing::full() { 1000 } else { 300 });
}

/// 4096 bits in loops, 2048 and 1025 too.
#[test]
fn long_moduli() {
    for (text, word) in
        [("2^4095 + 2^2000 + 12345", 64), ("2^4096 - 2^96 + 1", 64), ("2^2048 - 2^31 - 1", 32), ("2^1089 - 12345", 64)]
    {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        assert!(check_field(&field, word, 3) > 0, "{text}");
    }
}

/// Words of p above the lowest that take a multiplication.
fn busy_words(p: &BigInt, word: u32, n: u32) -> u64 {
    let digit = |i: u32| (p >> (i * word)) & ((BigInt::from(1) << word) - 1);
    (1..n).map(digit).filter(|d| *d != BigInt::from(0)).count() as u64
}

/// Are its rows those for carry flags?
fn in_chains(algorithm: &str) -> bool {
    algorithm.ends_with("merge") || algorithm == "montgomery-cios-two-pass"
}

/// The formulas of the documentation: for moduli without a special form, and for sparse ones, whose rows take `signed`
/// multiplications in signed words and `plain` in plain words (FIPS and FIOS, which scan the words of p themselves).
#[test]
fn multiplication_counts() {
    for (text, word, signed, plain) in [
        ("bls12-381-fp", 64, None, None),
        ("bn254-fp", 32, None, None),
        ("bn254-fp", 64, None, None),
        ("0xd0e5a3b1c4f7968d2b1f0e3c5a79b8d6e4f2a1c3b5d7e9f80123456789abcdef", 64, None, None),
        ("p256", 64, Some(1), Some(1)),
        ("p521", 64, Some(0), Some(0)),
        ("p224", 64, Some(0), Some(3)),
        ("448", 64, Some(0), Some(4)),
        ("p384", 64, Some(2), None),
        ("secp256k1", 64, Some(2), None),
        // (2^63 is a factor like any other in the chain that makes q·N.)
        ("25519", 64, Some(3), None),
        ("sm2", 64, Some(2), Some(3)),
    ] {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{e:?}"));
        let Some(m) = field.get::<Modulus>() else { panic!("{text} is no modulus") };
        let n = u64::from(m.bits.div_ceil(word));
        // Without a special form: the quotient, and each word of p that is not 0.
        let dense = 2 + busy_words(&BigInt::from(m.value.clone()), word, n as u32);
        for plan in montgomery_plans(&field, word) {
            let counts = evariste_ir::count::count(&plan.write().unwrap_or_else(|e| panic!("{e}")));
            let square = plan.operation == Operation::SQUARE;
            let product = match plan.algorithm.as_str() {
                "montgomery-fips" if square => n * (n + 1) / 2,
                name if name.starts_with("karatsuba") && square => {
                    n.div_ceil(2) * (n.div_ceil(2) + 1) + (n / 2) * (n / 2 + 1) / 2
                }
                name if name.starts_with("karatsuba") => 2 * n.div_ceil(2).pow(2) + (n / 2).pow(2),
                name if square && name.contains('+') => n * (n + 1) / 2,
                _ => n * n,
            };
            let row = match plan.algorithm.as_str() {
                // Loops do not look at the words of p; friendly moduli have no quotient to compute.
                "montgomery-cios-rolled" => n - 1 + if plain.is_some() { 0 } else { 2 },
                "montgomery-fips" | "montgomery-fios" => plain.unwrap_or(dense),
                name if name.ends_with("cios-even-odd") || name.ends_with("sos-even-odd") => plain.unwrap_or(dense),
                // In rows for carry flags a power of two is a factor like any other.
                name if in_chains(name) && text == "p256" => 2,
                name if in_chains(name) && text == "p521" => 1,
                _ => signed.unwrap_or(dense),
            };
            // Rows of the multiple take no product for q: all but the last, or all but two where it is too great.
            let without = match plan.algorithm.contains("of-multiple") {
                true => n - 1 - u64::from(text == "bn254-fp" && word == 64 && plan.layout.name.ends_with("lazy")),
                false => 0,
            };
            let reduction = n * row - without;
            assert_eq!(counts.multiplications, product + reduction, "{text} {} {}", plan.operation.name(), plan.name());
        }
    }
}

/// Additions with a carry that comes in, and selects: what competes for two ports of an x86-64 core. 2n − 1 in each of
/// the 2n rows but the first, which has n − 1, then 2n − 1 for the final subtraction.
#[test]
fn rows_are_chains() {
    for (text, n) in [("bls12-381-fr", 4), ("bn254-fp", 4), ("bls12-381-fp", 6)] {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{e:?}"));
        for plan in montgomery_plans(&field, 64) {
            if !["montgomery-cios-merge", "montgomery-cios-mixed"].contains(&plan.algorithm.as_str()) {
                continue;
            }
            let kernel = evariste_ir::prune(&plan.write().unwrap_or_else(|e| panic!("{e}")));
            let linked = |s: &&Stmt| match s {
                Stmt::Op { op: Op::AddCarry | Op::SubBorrow, args, .. } => {
                    kernel.value(args[2]).range.constant().is_none()
                }
                Stmt::Op { op: Op::Select, .. } => true,
                _ => false,
            };
            let normalised = if plan.layout.name.ends_with("lazy") { 0 } else { 2 * n - 1 };
            let expected = n - 1 + (2 * n - 1) * (2 * n - 1) + normalised;
            assert_eq!(
                kernel.body.iter().filter(linked).count(),
                expected,
                "{text} {} {}",
                plan.operation.name(),
                plan.name()
            );
            // No flag leaves its chain but that of the final subtraction, for the selects.
            assert_eq!(evariste_ir::count::count(&kernel).moves, u64::from(normalised > 0), "{text} {}", plan.name());
        }
    }
}

/// Without final subtraction: no select in lazy layouts, one for each word (and the ghost above) in canonical ones.
#[test]
fn the_range_decides_the_final_subtraction() {
    let field = Field::parse("bls12-381-fp").unwrap_or_else(|e| panic!("{e:?}"));
    for plan in montgomery_plans(&field, 64) {
        let counts = evariste_ir::count::count(&plan.write().unwrap_or_else(|e| panic!("{e}")));
        let lazy = plan.layout.name.ends_with("lazy");
        assert_eq!(counts.selects, if lazy { 0 } else { 6 }, "{}", plan.name());
    }
    let dense: Layout = layouts(&Field::parse("p256").unwrap_or_else(|e| panic!("{e:?}")), 64).remove(0);
    assert_eq!(dense.montgomery, None);
}
