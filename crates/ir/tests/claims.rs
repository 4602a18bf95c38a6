//! Contracts on concrete values: right and wrong kernels of every kind of promise, on blocks of lanes and with big
//! integers, which must agree.

use evariste_ir::interpret::{Axis, ClaimChecker, Product, refute};
use evariste_ir::{Fact, Interpreter, Kernel, Polynomial};
use num_bigint::BigInt;

/// Runs all inputs (patterns of every input element); gives the number of admissible lanes and of lanes that fail,
/// after comparing the block checker with the big-integer one on each lane.
fn failures(text: &str, fast: bool) -> (usize, usize) {
    let kernel = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let interpreter = Interpreter::new(&kernel);
    let mut checker = ClaimChecker::new(&kernel);
    assert_eq!(checker.is_fast(), fast, "{text}");
    let inputs: Vec<_> = kernel.params().filter(|a| kernel.array(*a).kind == evariste_ir::ArrayKind::Input).collect();
    let axes = inputs.iter().flat_map(|a| {
        let info = kernel.array(*a);
        let top = (1u64 << info.ty.bits()) - 1;
        (0..info.len).map(move |i| Axis::element(*a, i, 0, top))
    });
    let product = Product(axes.collect());
    let (mut admissible, mut failing) = (0, 0);
    product.blocks(&interpreter, |batch, start, count| -> Option<()> {
        checker.capture(batch);
        let report = interpreter.run(batch);
        let mut first = None;
        for lane in 0..count {
            let values = product.combination(start + lane as u128);
            let mut at = 0;
            let named: Vec<(&str, Vec<BigInt>)> = inputs
                .iter()
                .map(|a| {
                    let info = kernel.array(*a);
                    at += info.len as usize;
                    let signed = |(i, p): (usize, &u64)| {
                        evariste_ir::interpret::decode(u128::from(*p), info.ty, info.range(i as u32))
                    };
                    (info.name.as_str(), values[at - info.len as usize..at].iter().enumerate().map(signed).collect())
                })
                .collect();
            let wrong = refute(&kernel, &named).is_some();
            assert_eq!(
                evariste_ir::inadmissible(&kernel, &named).is_none(),
                checker.is_admissible(lane),
                "{text} {named:?}"
            );
            admissible += checker.is_admissible(lane) as usize;
            failing += wrong as usize;
            if wrong {
                first.get_or_insert(lane);
            }
        }
        assert_eq!(checker.check(batch, &report, count), first, "{text}");
        None
    });
    (admissible, failing)
}

const ADD: &str = "kernel add: word 3 { output r: 2 x w3 input a: 1 x w3 input b: 1 x w3 <2^3
    given a <= LIMIT = a[0] * 2^0 max 7
    given b <= 6 = b[0] * 2^0 max 7
    gives r <= BOUND = r[0] * 2^0 max 7 + r[1] * 2^3 max MAX: value FACTOR it = POLY
    %0: w3 = a[0] %1: w3 = b[0] %2: flag [0] = const(0) %3: w3, %4: flag = add_carry %0, %1, %2 %5: w3 <2^1 = flag_to_word %4 r[0] = %3 r[1] = %5 }";

fn add(limit: &str, bound: &str, max: &str, factor: &str, polynomial: &str) -> (usize, usize) {
    failures(
        &ADD.replace("LIMIT", limit)
            .replace("BOUND", bound)
            .replace("MAX", max)
            .replace("FACTOR", factor)
            .replace("POLY", polynomial),
        true,
    )
}

#[test]
fn values_and_congruences() {
    assert_eq!(add("7", "14", "1", "1", "a + b"), (56, 0));
    assert_eq!(add("7", "12", "1", "1", "a + b"), (56, 1));
    assert_eq!(add("7", "14", "0", "1", "a + b").1, 21);
    assert_eq!(add("5", "14", "1", "1", "a + b + 1"), (42, 42));
    assert_eq!(add("7", "14", "1", "-3", "-3*a - 3*b"), (56, 0));
    for m in [1, 2, 3, 5, 6, 7, 8, 12] {
        assert_eq!(add("7", "14", "1", "1", &format!("a + b - {} mod {m}", 5 * m)), (56, 0));
        let wrong = add("7", "14", "1", "2", &format!("a + b mod {m}")).1;
        assert_eq!(wrong, (0..8).flat_map(|a| (0..7).map(move |b| a + b)).filter(|s| s % m != 0).count());
    }
    let products = add("7", "14", "1", "1", "a*a*b mod 5").1;
    assert_eq!(products, (0..8).flat_map(|a| (0..7).map(move |b| a * a * b - a - b)).filter(|d| d % 5 != 0).count());
}

#[test]
fn faults_fail_on_admissible_lanes_only() {
    let text = "kernel add: word 3 { output r: 1 x w3 input a: 1 x w3 [0, LIMIT] given a <= 7 = a[0] * 2^0 max 7
        gives r <= 7 = r[0] * 2^0 max 7: value 1 it = a + 3 %0: w3 [0, LIMIT] = a[0] %1: w3 [3] = const(3) %2: w3 = add %0, %1 r[0] = %2 }";
    assert_eq!(failures(&text.replace("LIMIT", "4"), true), (5, 0));
    assert_eq!(failures(&text.replace("LIMIT", "6"), true), (7, 2));
}

#[test]
fn equality_and_zero() {
    let text = "kernel eq: word 3 { output r: 1 x w3 input a: 2 x w3 input b: 2 x w3
        given a <= 63 = a[0..2] * 2^0 step 3 max 7 given b <= 63 = b[0..2] * 2^0 step 3 max 7
        gives r <= 1 = r[0] * 2^0 max 1: CLAIM
        %0: w3 = a[0] %1: w3 = a[1] %2: w3 = b[0] %3: w3 = b[1] %4: m3 = equal %0, %2 %5: m3 = equal %1, %3 %6: m3 = and %4, %5
        %7: flag = mask_to_flag %6 %8: w3 <2^1 = flag_to_word %7 r[0] = %8 }";
    assert_eq!(failures(&text.replace("CLAIM", "equal a b"), true), (4096, 0));
    // Equal to b, but zero was promised: all pairs but (0, 0) and different ones with a ≠ 0.
    assert_eq!(failures(&text.replace("CLAIM", "zero a"), true), (4096, 63 + 63));
}

#[test]
fn powers() {
    // r = a² mod 8 for a below 3: a² mod 5 for a ≤ 2.
    let text = "kernel square: word 3 { output r: 1 x w3 input a: 1 x w3 <2^2 given a <= 3 = a[0] * 2^0 max 3
        gives r <= 7 = r[0] * 2^0 max 7: power a ^ EXPONENT factor FACTOR mod 5 %0: w3 <2^2 = a[0] %1: w3 = wrapping_mul %0, %0 r[0] = %1 }";
    let power = |e: &str, f: &str| failures(&text.replace("EXPONENT", e).replace("FACTOR", f), true).1;
    // 3² = 9 leaves three bits: 1, not 4.
    assert_eq!(power("2", "1"), 1);
    assert_eq!(power("2", "3"), (0..4u32).filter(|a| (a * a % 8) * 3 % 5 != a * a % 5).count());
    assert_eq!(power("0", "4"), (0..4u32).filter(|a| (a * a % 8) % 5 != 4).count());
    assert_eq!(power("1", "4"), (0..4u32).filter(|a| (a * a % 8) % 5 != a % 5).count());
}

#[test]
fn bit_maps() {
    let text = "kernel product: word 1 { output r: 3 x w1 input a: 2 x w1 input b: 2 x w1
        given a <= 3 = a[0..2] * 2^0 step 1 max 1 given b <= 3 = b[0..2] * 2^0 step 1 max 1
        gives r <= 7 = r[0..3] * 2^0 step 1 max 1: bilinear (MAP)
        %0: w1 = a[0] %1: w1 = a[1] %2: w1 = b[0] %3: w1 = b[1] %4: w1 = and %0, %2 %5: w1 = and %0, %3 %6: w1 = and %1, %2 %7: w1 = xor %5, %6
        %8: w1 = and %1, %3 r[0] = %4 r[1] = %7 r[2] = %8 }";
    assert_eq!(failures(&text.replace("MAP", "(0), (1), (1), (2)"), true), (16, 0));
    assert_eq!(failures(&text.replace("MAP", "(0), (1), (1), (2, 0)"), true), (16, 4));
    assert_eq!(failures(&text.replace("MAP", "(0), (1), (), (2)"), true), (16, 4));
    let rotate = "kernel rotate: word 1 { output r: 2 x w1 input a: 2 x w1 input b: 2 x w1
        given a <= 3 = a[0..2] * 2^0 step 1 max 1 given b <= 3 = b[0..2] * 2^0 step 1 max 1
        gives r <= 3 = r[0..2] * 2^0 step 1 max 1: rotating ((1), MAP)
        %0: w1 = a[0] %1: w1 = a[1] %2: w1 = b[0] %3: w1 = b[1] %4: w1 = and %0, %2 %5: w1 = and %1, %3 r[0] = %5 r[1] = %4 }";
    assert_eq!(failures(&rotate.replace("MAP", "()"), true), (16, 0));
    // a0·b1 in coordinate 0, a1·b0 in 1.
    assert_eq!(failures(&rotate.replace("MAP", "(0)"), true), (16, 7));
    let linear = "kernel swap: word 1 { output r: 2 x w1 input a: 2 x w1 given a <= 3 = a[0..2] * 2^0 step 1 max 1
        gives r <= 3 = r[0..2] * 2^0 step 1 max 1: linear ((1), (0)) %0: w1 = a[0] %1: w1 = a[1] r[0] = %1 r[1] = %0 }";
    assert_eq!(failures(linear, true), (4, 0));
}

#[test]
fn large_and_signed_numbers_take_the_slow_way() {
    let text = "kernel negate: word 3 { output r: 1 x w3 [-4, 3] input a: 1 x w3 [-4, 3] given a <= 3 = a[0] * 2^0 max 3
        gives r <= 3 = r[0] * 2^0 max 3: value 1 it = -1*a %0: w3 [-4, 3] = a[0] %1: w3 [0] = const(0) %2: w3 [-4, 3] = sub %1, %0 r[0] = %2 }";
    // −(−4) = 4 does not fit.
    assert_eq!(failures(text, false), (8, 1));
    let text = "kernel copy: word 4 { output r: 1 x w4 input a: 1 x w4 given a <= 15 = a[0] * 2^80 max 15
        gives r <= (2^100-1) = r[0] * 2^80 max 15: value 1 it = a mod (2^100-15) %0: w4 = a[0] %1: w4 [1] = const(1) %2: w4 = OP %0, %1 r[0] = %2 }";
    assert_eq!(failures(&text.replace("15 = a", "(2^100-1) = a").replace("OP", "or"), false), (16, 8));
}

/// `r = a + b` over two unmasked digits of two bits in words of three: digits are cut, added, and the carry goes on
/// without being removed.
const UNMASKED: &str = "kernel add: word 3 { output r: 2 x w3 input a: 2 x w3 input b: 2 x w3
    given a <= 7 = a[0] low BITS * 2^0 max 7 + a[1] * 2^2 max 1
    given b <= 7 = b[0] low 2 * 2^0 max 7 + b[1] * 2^2 max 1
    gives r <= BOUND = r[0] low OUT * 2^0 max 7 + r[1] * 2^2 max 7: value 1 it = a + b
    %0: w3 = a[0] %1: w3 = b[0] %2: w3 <2^2 = low_bits(2) %0 %3: w3 <2^2 = low_bits(2) %1 %4: w3 [0, 6] = add %2, %3
    %5: w3 = a[1] %6: w3 = b[1] %7: w3 [0, 1] = shr(2) %4 %8: w3 = wrapping_add %5, %6 %9: w3 = wrapping_add %8, %7 r[0] = %4 r[1] = %9 }";

#[test]
fn unmasked_digits_count_by_their_low_bits() {
    let unmasked = |bits: &str, bound: &str, out: &str| {
        failures(&UNMASKED.replace("BITS", bits).replace("BOUND", bound).replace("OUT", out), true)
    };
    // Every element from 0 to 7 at the lowest digit, 0 or 1 above.
    assert_eq!(unmasked("2", "14", "2"), (256, 0));
    assert!(unmasked("2", "13", "2").1 > 0, "the bound is that of what counts");
    assert!(unmasked("2", "14", "3").1 > 0, "the carry is not removed");
    assert!(unmasked("1", "14", "2").1 > 0, "the digit counts two bits");
}

#[test]
fn unmasked_digits_print_and_read_back() {
    let text = UNMASKED.replace("BITS", "2").replace("BOUND", "14").replace("OUT", "2");
    let kernel = Kernel::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let printed = kernel.to_string();
    assert!(printed.contains("given a <= 7 = a[0] low 2 * 2^0 max 7 + a[1] * 2^2 max 1"), "{printed}");
    assert_eq!(Kernel::parse(&printed).unwrap_or_else(|e| panic!("{e}")), kernel);
    for bits in ["0", "4"] {
        assert!(
            Kernel::parse(&UNMASKED.replace("BITS", bits).replace("BOUND", "14").replace("OUT", "2"))
                .is_ok_and(|k| evariste_ir::verify(&k).is_err())
        );
    }
}

/// `r = ⌊(a + q·p)/8⌋` with `q = a·n mod 8`: one row of Montgomery in words of 3 bits, the modulus given.
const GIVEN: &str = "kernel given: word 3 { output r: 1 x w3 input a: 1 x w3 input p: 1 x w3 input n: 1 x w3
    given a <= 7 = a[0] * 2^0 max 7
    given p <= 7 = p[0] * 2^0 max 7
    given n <= 7 = n[0] * 2^0 max 7
    FACT
    gives r <= 7 = r[0] * 2^0 max 7: value 8 it = a mod MODULUS
    %0: w3 = a[0] %1: w3 = p[0] %2: w3 = n[0] %3: w3 = wrapping_mul %0, %2 %4: w3 = const(0) %5: w3, %6: w3 = mul_add_add %3, %1, %0, %4 r[0] = %6 }";

#[test]
fn a_modulus_and_its_inverse_may_be_inputs() {
    let given = |fact: &str, modulus: &str, fast: bool| {
        failures(&GIVEN.replace("FACT", fact).replace("MODULUS", modulus), fast)
    };
    // Four odd moduli, each with one n; for all of them every a is right.
    assert_eq!(given("where n * p = -1 mod 2^3", "p", true), (4 * 8, 0));
    // Modulo the constant it is right for p = 5 (and by chance elsewhere).
    assert!(given("where n * p = -1 mod 2^3", "5", true).1 > 0);
    // The other sign is another n; without the fact anything goes.
    assert!(given("where n * p = 1 mod 2^3", "p", true).1 > 0);
    let (admissible, failing) = given("", "p", true);
    assert_eq!(admissible, 8 * 8 * 8);
    assert!(failing > 0);
    // With a second fact that always holds.
    assert_eq!(given("where n * p = -1 mod 2^3 where n = a mod 1", "p", true), (4 * 8, 0));
}

#[test]
fn bounds_may_be_multiples_of_inputs() {
    // Below 8·p everything is allowed, p = 0 left out; below p only the residues: of n = 0 … 7 there are 4, of a for
    // each odd p as many as p.
    let given = |fact: &str, fast: bool| failures(&GIVEN.replace("FACT", fact).replace("MODULUS", "p"), fast);
    let fact = "where n * p = -1 mod 2^3";
    assert_eq!(given(&format!("where a < 8 * p {fact}"), true), (4 * 8, 0));
    assert_eq!(given(&format!("where a < 1 * p {fact}"), true), (1 + 3 + 5 + 7, 0));
    assert_eq!(given(&format!("where a < 2 * p {fact}"), true), (2 + 6 + 8 + 8, 0));
    // Of a below p, ⌊(a + q·p)/8⌋ is below p; of any a it is not always.
    let small = |fact: &str| {
        failures(
            &GIVEN.replace("FACT", fact).replace("max 7: value", "max 7 < 1 * p: value").replace("MODULUS", "p"),
            true,
        )
    };
    assert_eq!(small(&format!("where a < 1 * p {fact}")), (16, 0));
    assert!(small(fact).1 > 0);
    // The bounding number exists, has a bound that is fixed, and is multiplied by something.
    for wrong in ["where a < 1 * a", "where a < 0 * p", "where p < 1 * n where a < 1 * p"] {
        let kernel = Kernel::parse(&GIVEN.replace("FACT", wrong).replace("MODULUS", "p"))
            .unwrap_or_else(|e| panic!("{wrong}: {e}"));
        assert!(evariste_ir::verify(&kernel).is_err(), "{wrong}");
    }
}

#[test]
fn facts_that_ask_for_odd_numbers() {
    let odd = |polynomial: Polynomial, modulus: u32| {
        Fact { number: 1, times: Some(0), polynomial, modulus: modulus.into() }.asks_for_odd(0)
    };
    assert!(odd(Polynomial::constant(-1), 8) && odd(Polynomial::constant(5).plus(2, &[]), 2));
    // 1 + 1 and 0 are even, modulo 1 there is nothing to be odd, and 3 says nothing of the last bit.
    assert!(
        !odd(Polynomial::constant(1).plus(1, &[]), 8)
            && !odd(Polynomial::default(), 8)
            && !odd(Polynomial::constant(1), 1)
            && !odd(Polynomial::constant(1), 3)
    );
    assert!(!odd(Polynomial::constant(1).plus(2, &[0]), 8));
}

#[test]
fn a_modulus_of_zero_means_equality() {
    let text = "kernel zero: word 3 { output r: 1 x w3 input a: 1 x w3 input p: 1 x w3 <2^1
        given a <= 7 = a[0] * 2^0 max 7
        given p <= 1 = p[0] * 2^0 max 1
        gives r <= 7 = r[0] * 2^0 max 7: value 1 it = a mod p
        %0: w3 = a[0] %1: w3 = const(1) %2: w3 = xor %0, %1 r[0] = %2 }";
    // Modulo 1 everything is right, modulo 0 nothing.
    assert_eq!(failures(text, true), (16, 8));
}
