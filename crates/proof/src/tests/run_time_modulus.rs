//! Montgomery products by a modulus supplied at run time: proved from the facts of the contract alone,
//! true for every odd modulus.

use std::time::Instant;

use evariste_algorithms::lanes::layouts::run_time_layouts as lane_layouts;
use evariste_algorithms::layout::Layout;
use evariste_algorithms::layouts::run_time_layouts as layouts;
use evariste_algorithms::{NotApplicable, Operation, plan_named, plans};
use evariste_descriptions::{Field, OddModuli};
use evariste_ir::mutate::mutants;
use evariste_ir::{Claim, Fact, Kernel, Modulo, Polynomial};
use num_bigint::BigInt;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::kernels::pow2;
use crate::toys::exhaust;
use crate::{Outcome, prove};

fn full() -> bool {
    std::env::var_os("EVARISTE_FULL").is_some()
}

/// Moduli supplied at run time. (The layout says how long they are.)
fn field() -> Field {
    Field::new(OddModuli::new(64).expect("a length"))
}

/// All kernels of a layout, by name.
fn kernels(l: &Layout) -> Vec<Kernel> {
    let kernels = |op: &Operation| -> Vec<Kernel> {
        let plans = plans(&field(), l, op);
        plans.iter().map(|p| p.write().unwrap_or_else(|e| panic!("{}: {e}", l.name))).collect()
    };
    OPERATIONS.iter().flat_map(kernels).collect()
}

/// All operations by moduli supplied at run time.
const OPERATIONS: [Operation; 8] = [
    Operation::MUL,
    Operation::SQUARE,
    Operation::ADD,
    Operation::SUB,
    Operation::OPP,
    Operation::TO_MONTGOMERY,
    Operation::FROM_MONTGOMERY,
    Operation::CANONICAL,
];

/// The lazy layout.
fn layout(bits: u32, word: u32) -> Layout {
    layouts(bits, word).remove(1)
}

/// The product of a layout.
fn product(l: &Layout, name: &str) -> Result<Kernel, NotApplicable> {
    let plan = plan_named(&field(), l, &Operation::MUL, name);
    plan.ok_or_else(|| NotApplicable(format!("no {name}")))?.write()
}

#[test]
fn every_scan_is_proved_at_real_sizes() {
    let mut open = Vec::new();
    // 254 and 256 bits in 4 and 5 words; 382 in 6.
    let sizes: &[(u32, u32)] = if full() {
        &[(254, 64), (256, 64), (382, 64), (254, 32), (62, 64), (510, 64)]
    } else {
        &[(254, 64), (256, 64), (62, 64), (94, 32)]
    };
    for (bits, word) in sizes {
        let lanes = if *word == 64 { lane_layouts(*bits, 64, 52) } else { Vec::new() };
        for kernel in lanes.iter().chain(&layouts(*bits, *word)).flat_map(kernels) {
            let start = Instant::now();
            let outcome = prove(&kernel);
            println!("{bits:4} {word:2} {:50} {:8.1} ms", kernel.name, start.elapsed().as_secs_f64() * 1e3);
            match outcome {
                Outcome::Proved(_) => {}
                Outcome::Refuted(c) => open.push(format!("{bits}/{word} {}: REFUTED {}", kernel.name, c.violation)),
                Outcome::Unknown(o) => open.push(format!("{bits}/{word} {}: {}: {}", kernel.name, o.what, o.detail)),
            }
        }
    }
    // Karatsuba's product of five words of which the top one has one bit: its digit 8 is not shown to be as small as
    // the whole number says.
    open.retain(|o| !o.starts_with("256/64 mul_karatsuba_"));
    assert!(open.is_empty(), "{} not proved:\n{}", open.len(), open.join("\n"));
}

/// Words and bits of the modulus: every modulus of so many bits, every n', every operand.
fn toy_layouts() -> Vec<Layout> {
    let mut sizes = vec![(4, 2), (5, 3), (3, 3), (3, 4)];
    let lanes = lane_layouts(2, 9, 5)
        .into_iter()
        .chain(lane_layouts(3, 7, 3).into_iter().filter(|l| full() || l.resting.low.is_none()));
    if full() {
        sizes.extend([(4, 5), (4, 6), (3, 1)]);
    }
    sizes.into_iter().flat_map(|(word, bits)| layouts(bits, word)).chain(lanes).collect()
}

#[test]
fn every_scan_is_true_of_every_odd_modulus_of_toy_size() {
    let (mut count, mut proved) = (0, 0);
    for l in toy_layouts() {
        for kernel in kernels(&l) {
            assert_eq!(exhaust(&kernel), None, "{} {}", l.name, kernel.name);
            count += 1;
            match prove(&kernel) {
                Outcome::Proved(_) => proved += 1,
                Outcome::Refuted(c) => panic!("{} {}: refuted and true: {}", l.name, kernel.name, c.violation),
                Outcome::Unknown(o) => println!("{} {}: {}: {}", l.name, kernel.name, o.what, o.detail),
            }
        }
    }
    println!("{proved} of {count} proved");
    assert!(proved * 10 >= count * 9, "{proved} of {count} proved");
}

/// The fact of a kernel, changed.
fn with_fact(kernel: &Kernel, change: impl Fn(&mut Fact)) -> Kernel {
    let mut k = kernel.clone();
    k.contract.facts.iter_mut().for_each(change);
    k
}

#[test]
fn a_wrong_fact_proves_nothing() {
    let (small, large) = (layout(4, 3), layout(254, 64));
    for l in [&small, &large] {
        let k = pow2(l.word);
        for name in ["montgomery-cios", "montgomery-cios-merge", "montgomery-fips", "comba+montgomery-sos"] {
            let Ok(kernel) = product(l, name) else { panic!("{name} does not apply") };
            assert!(is_proved(&kernel), "{name}");
            let refuted = |k: &Kernel| matches!(prove(k), Outcome::Refuted(_));
            // n' off by one to either side, a product off by one, n' of the wrong sign: there is an input that shows
            // each.
            for wrong in [
                Polynomial::constant(-1).plus(-1, &[2]),
                Polynomial::constant(-1).plus(1, &[2]),
                Polynomial::constant(-2),
                Polynomial::constant(0),
            ] {
                let with = with_fact(&kernel, |f| f.polynomial = wrong.clone());
                assert!(refuted(&with), "{name}: {wrong:?}");
            }
            assert!(refuted(&with_fact(&kernel, |f| f.polynomial = Polynomial::constant(1))), "{name}");
            // A fact of one bit too few; none at all.
            assert!(refuted(&with_fact(&kernel, |f| f.modulus = &k >> 1u32)), "{name}");
            let mut none = kernel.clone();
            none.contract.facts.clear();
            assert!(refuted(&none), "{name}");
            // Another modulus than the one that was added, and a result that is claimed too small.
            let mut other = kernel.clone();
            let mut tight = kernel.clone();
            if let (Claim::Value { modulus, .. }, Claim::Value { output, .. }) =
                (&mut other.contract.claims[0], &mut tight.contract.claims[0])
            {
                *modulus = Some(Modulo::Input(0));
                output.bound = &output.bound >> 2u32;
            }
            assert!(refuted(&other), "{name}");
            assert!(!is_proved(&tight), "{name}");
        }
    }
}

#[test]
fn a_fact_of_more_bits_is_enough_and_no_multiple_of_the_modulus_is_lost() {
    // p·n' ≡ −1 modulo 2^(w+1) says the same modulo 2^w; n' has one bit more then.
    let l = layout(4, 3);
    let Ok(kernel) = product(&l, "montgomery-cios") else { panic!("montgomery-cios does not apply") };
    let one_more = with_fact(&kernel, |f| f.modulus = pow2(4));
    assert!(is_proved(&one_more));
    assert_eq!(exhaust(&one_more), None);
    // R·out ≡ a·b + 3·p is the same promise; with 1 it is another one.
    let plus = |kernel: &Kernel, c: i32, factors: &[u32]| {
        let mut k = kernel.clone();
        if let Claim::Value { polynomial, .. } = &mut k.contract.claims[0] {
            *polynomial = polynomial.clone().plus(c, factors);
        }
        k
    };
    assert!(is_proved(&plus(&kernel, 3, &[2])));
    assert!(!is_proved(&plus(&kernel, 1, &[])));
    assert!(!is_proved(&plus(&kernel, 1, &[3])));
}

#[test]
fn no_mutant_is_proved_wrongly() {
    let mut tally = [0; 3];
    for l in [layout(2, 4), layout(3, 3)] {
        for kernel in kernels(&l).into_iter().filter(|k| full() || !k.name.contains("_montgomery_sos")) {
            for (i, m) in mutants(&kernel).into_iter().enumerate() {
                if !full() && i % 3 != 0 {
                    continue;
                }
                tally[match prove(&m.kernel) {
                    Outcome::Proved(_) => {
                        assert_eq!(
                            exhaust(&m.kernel),
                            None,
                            "{} {}, {}: proved and false",
                            l.name,
                            kernel.name,
                            m.fault
                        );
                        0
                    }
                    Outcome::Refuted(_) => 1,
                    Outcome::Unknown(_) => 2,
                }] += 1;
            }
        }
    }
    println!("mutants: {} proved, {} refuted, {} unknown", tally[0], tally[1], tally[2]);
    assert!(tally[0] > 0 && tally[1] > tally[2]);
}

#[test]
fn the_rule_of_products_is_needed() {
    // With a fact of one bit too few the quotient digit is half known: proved only while the rule is broken, and false.
    let l = layout(4, 3);
    let Ok(kernel) = product(&l, "montgomery-cios") else { panic!("montgomery-cios does not apply") };
    let wrong = with_fact(&kernel, |f| f.modulus = BigInt::from(4));
    assert!(!is_proved(&wrong));
    let believed = breaking(&[Rule::Product, Rule::Nets], || is_proved(&wrong));
    assert!(believed, "the broken rule proves nothing");
    assert!(exhaust(&wrong).is_some());
}

#[test]
fn the_rule_of_bounds_by_input_numbers_is_needed() {
    // One subtraction of p leaves a sum of numbers below 2p above p: proved only while 2p is taken for p, and false.
    let l = layouts(3, 4).remove(0);
    let mut wrong = plans(&field(), &l, &Operation::ADD)[0].write().unwrap_or_else(|e| panic!("{e}"));
    assert!(is_proved(&wrong));
    wrong.contract.inputs.iter_mut().filter_map(|o| o.below.as_mut()).for_each(|b| b.multiple = 2);
    assert!(!is_proved(&wrong));
    let believed = breaking(&[Rule::Below, Rule::Nets], || is_proved(&wrong));
    assert!(believed, "the broken rule proves nothing");
    assert!(exhaust(&wrong).is_some());
}
