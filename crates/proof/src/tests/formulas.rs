//! Formulas in whole numbers at toy sizes: every input, every single fault, and what is proved while a rule is broken.

use std::sync::Arc;

use evariste_algorithms::signature::ValueClaim;
use evariste_ir::mutate::mutants;
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Fact, Kernel, Operand, Polynomial, View};

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::kernels::formulas::{Calls, Terms, ladder};
use crate::toys::exhaust;
use crate::{Outcome, prove};

/// Wrong, seen to be wrong, and believed only while the rule is broken.
fn rests_on(rule: Rule, kernel: &Kernel, what: &str) {
    assert!(matches!(prove(kernel), Outcome::Refuted(_)), "{what} is not refuted");
    assert!(breaking(&[rule, Rule::Nets], || is_proved(kernel)), "{what} while {rule:?} is broken");
}

/// `x² + 3xy − y` modulo 13, in one digit or two of `word` bits.
fn quadratic(word: u32, modulus: u32, steps: &str) -> Kernel {
    let field = Calls::of("13", word);
    let [x, y] = [0, 1].map(Terms::variable);
    let right = x.clone() * x.clone() + x * y.clone() * 3;
    let factor = field.layout.factor();
    let Terms(linear) = y * -1;
    let linear = linear.0.into_iter().map(|(c, f)| (c * &factor, f));
    let polynomial = Polynomial(right.0.0.into_iter().chain(linear).collect());
    let claim = ValueClaim { modulus: Some(modulus.into()), ..field.claim(polynomial, 2) };
    field.kernel("quadratic", vec![("z", claim)], &["x", "y"], steps)
}

const QUADRATIC: &str = "s = x + y; s = s + y; s = s + y; s = x * s; z = s - y";

#[test]
fn formulas_of_toy_fields() {
    for word in [2, 3, 4, 5] {
        let right = quadratic(word, 13, QUADRATIC);
        if let Outcome::Unknown(open) = prove(&right) {
            panic!("words of {word}: {} ({})", open.what, open.detail);
        }
        assert!(is_proved(&right) && exhaust(&right).is_none(), "words of {word}");
        let mut proved = 0;
        for mutant in mutants(&right) {
            if is_proved(&mutant.kernel) {
                assert_eq!(exhaust(&mutant.kernel), None, "words of {word}: {}", mutant.fault);
                proved += 1;
            }
        }
        println!("words of {word}: {proved} mutants are right");
    }
    for fault in ["s = x + y; s = s + y; s = x * s; z = s - y", "s = x + y; s = s + y; s = s + y; s = x * s; z = y - s"]
    {
        assert!(matches!(prove(&quadratic(4, 13, fault)), Outcome::Refuted(_)), "{fault}");
    }
    rests_on(Rule::CallModulus, &quadratic(4, 11, QUADRATIC), "another modulus");
}

/// `out = x·y + y`, where digit 1 of the product is replaced by that of x in between.
#[test]
fn a_number_is_all_its_digits() {
    let field = Calls::of("13", 2);
    let [x, y] = [0, 1].map(Terms::variable);
    let factor = field.layout.factor();
    let Terms(linear) = x.clone() + y.clone();
    let linear = linear.0.into_iter().map(|(c, f)| (c * &factor, f));
    let claim = field.claim(Polynomial((x * y).0.0.into_iter().chain(linear).collect()), 2);
    let mixed = evariste_algorithms::signature::calls(
        "mixed",
        &field.layout,
        vec![("z", claim)],
        &["x", "y"],
        |b, out, arrays| {
            let mut registers = field.registers(b, &[("x", arrays[0]), ("y", arrays[1])]);
            registers.run(b, "t = x * y");
            let t = registers.array(b, "t");
            let digit = b.load(arrays[0], 1u32);
            b.store(t, 1u32, digit);
            registers.run(b, "t = t + y");
            registers.copy(b, "t", out[0]);
            Ok(())
        },
    );
    let mixed = mixed.expect("a kernel");
    assert!(!is_proved(&mixed) && exhaust(&mixed).is_some());
    // Its digits are owed a bound, too.
    assert!(!breaking(&[Rule::Obligation, Rule::Nets], || is_proved(&mixed)));
    assert!(breaking(&[Rule::WholeNumber, Rule::Obligation, Rule::Nets], || is_proved(&mixed)));
}

#[test]
fn recurrences_of_toy_fields() {
    let field = Calls::of("13", 4);
    for steps in [1, 2, 3, 5] {
        let right = ladder(&field, steps, "");
        assert!(is_proved(&right) && exhaust(&right).is_none(), "{steps} steps");
    }
    let right = ladder(&field, 3, "");
    let mut proved = 0;
    for mutant in mutants(&right) {
        if is_proved(&mutant.kernel) {
            assert_eq!(exhaust(&mutant.kernel), None, "{}", mutant.fault);
            proved += 1;
        }
    }
    println!("ladder: {proved} mutants are right");
    rests_on(Rule::Start, &ladder(&field, 3, "start"), "another start");
    rests_on(Rule::Step, &ladder(&field, 3, "a sign"), "another step");
    rests_on(Rule::StepBit, &ladder(&field, 4, "bits out of order"), "other bits");
    for fault in ["no way back", "bits upward", "another number"] {
        assert!(matches!(prove(&ladder(&field, 3, fault)), Outcome::Refuted(_)), "{fault}");
    }
}

/// A callee that asks for `a ≡ 2b (mod 3)`, called with `a` itself or with the sum `b + b`.
fn with_fact(sum: bool) -> Kernel {
    let max = |n: u32| [n.into()];
    let number = |name: &str, array, n: u32| Operand::new(name, array, &[0], &max(n), n.into());
    let claim = |output| Claim::Value {
        output,
        factor: 1.into(),
        polynomial: Polynomial::default().plus(2, &[0]),
        modulus: Some(num_bigint::BigInt::from(3).into()),
    };
    let mut b = Builder::new("asking", 4);
    let out = b.output("out", 1, &max(6));
    let (y, x) = (b.input("b", 1, &max(3)), b.input("a", 1, &max(6)));
    let v = b.load(x, 0u32);
    b.store(out, 0u32, v);
    let fact = Fact { number: 1, times: None, polynomial: Polynomial::default().plus(2, &[0]), modulus: 3.into() };
    let inputs = vec![number("b", y, 3), number("a", x, 6)];
    let asking = b.finish(Contract { inputs, facts: vec![fact], claims: vec![claim(number("out", out, 6))] });

    let mut b = Builder::new("caller", 4);
    let out = b.output("out", 1, &max(6));
    let (y, x) = (b.input("b", 1, &max(3)), b.input("a", 1, &max(6)));
    let ty = b.word_type();
    let t = b.array("t", ty, 1, ArrayKind::Local, vec![evariste_ir::Interval::up_to(6)]);
    let v = b.load(y, 0u32);
    let twice = b.add(v, v);
    let other = b.load(x, 0u32);
    b.store(t, 0u32, if sum { twice } else { other });
    let callee = b.callee(Arc::new(asking));
    b.call(callee, vec![View::whole(out), View::whole(y), View::whole(t)]);
    let inputs = vec![number("b", y, 3), number("a", x, 6)];
    b.finish(Contract { inputs, facts: Vec::new(), claims: vec![claim(number("out", out, 6))] })
}

#[test]
fn what_callees_ask_for_is_shown() {
    let right = with_fact(true);
    assert!(is_proved(&right) && exhaust(&right).is_none());
    rests_on(Rule::CalleeFact, &with_fact(false), "a fact that does not hold");
}
