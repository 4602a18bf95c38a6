//! Callees that were proved for another kernel.

use std::sync::Arc;

use evariste_ir::{Builder, Claim, Contract, Kernel, Operand, Polynomial, View};

use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;
use crate::{Callees, Outcome, prove_with};

/// `out = a`, or what is not; by a kernel of one name and length.
fn copy(right: bool, called: Option<Kernel>) -> Kernel {
    let mut b = Builder::new(if called.is_some() { "caller" } else { "copy" }, 4);
    let out = b.output("out", 1, &[15.into()]);
    let a = b.input("a", 1, &[15.into()]);
    let second = b.input("b", 1, &[15.into()]);
    match called {
        Some(kernel) => {
            let callee = b.callee(Arc::new(kernel));
            b.call(callee, vec![View::whole(out), View::whole(a), View::whole(second)]);
        }
        None => {
            let x = b.load(if right { a } else { second }, 0u32);
            b.store(out, 0u32, x);
        }
    }
    let number = |name: &str, array| Operand::new(name, array, &[0], &[15.into()], 15.into());
    let claim =
        Claim::Value { output: number("out", out), factor: 1.into(), polynomial: Polynomial::input(0), modulus: None };
    b.finish(Contract { inputs: vec![number("a", a), number("b", second)], facts: Vec::new(), claims: vec![claim] })
}

#[test]
fn what_is_known_of_a_callee_serves_for_an_equal_one_only() {
    let (right, wrong) = (copy(true, Some(copy(true, None))), copy(true, Some(copy(false, None))));
    assert_eq!((exhaust(&right), exhaust(&wrong).is_some()), (None, true));
    let is_proved = |kernel: &Kernel, known: &Callees| matches!(prove_with(kernel, known), Outcome::Proved(_));
    let known = Callees::default();
    // Known twice over, and the same verdict and kernel as without.
    for _ in 0..2 {
        let (Outcome::Proved(with), Outcome::Proved(without)) =
            (prove_with(&right, &known), prove_with(&right, &Callees::default()))
        else {
            panic!("a copy is not proved");
        };
        assert_eq!(with.kernel(), without.kernel());
    }
    assert!(!is_proved(&wrong, &known) && !breaking(&[Rule::Nets], || is_proved(&wrong, &known)));
    assert!(breaking(&[Rule::KnownCallee, Rule::Nets], || is_proved(&wrong, &known)));
    // A wrong one is not known afterwards.
    assert!(!is_proved(&wrong, &known) && is_proved(&right, &known));
}

#[test]
fn what_was_proved_alone_is_not_proved_again_as_a_callee() {
    let (part, whole) = (copy(true, None), copy(true, Some(copy(true, None))));
    let known = Callees::default();
    let proofs = |kernel: &Kernel| {
        assert!(matches!(prove_with(kernel, &known), Outcome::Proved(_)));
        known.count()
    };
    // One more each time but the last, when all is known: the callee of the second is the first.
    assert_eq!([&part, &whole, &whole].map(proofs), [1, 2, 2]);
    // What is not proved is not known.
    let wrong = copy(false, None);
    assert!(!matches!(prove_with(&wrong, &known), Outcome::Proved(_)) && known.count() == 2);
}
