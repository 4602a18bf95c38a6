//! Callees whose contract speaks of numbers that are known at run time: what they ask for, and what they promise.

use std::sync::Arc;

use evariste_algorithms::layouts::run_time_layouts;
use evariste_algorithms::{Operation, plans};
use evariste_descriptions::{Field, OddModuli};
use evariste_ir::{Array, Below, Builder, Claim, Contract, Fact, Kernel, Modulo, Operand, Polynomial, View};
use num_bigint::BigInt;

use super::{holds, is_proved};
use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;

/// Wrong, not proved, and believed only while the rule is broken.
fn rests_on(rule: Rule, what: &str, kernel: &Kernel) {
    assert_eq!(evariste_ir::verify(kernel), Ok(()), "{what}");
    assert!(exhaust(kernel).is_some(), "{what} is right");
    assert!(!is_proved(kernel) && !breaking(&[Rule::Nets], || is_proved(kernel)), "{what} is proved");
    assert!(breaking(&[rule, Rule::Nets], || is_proved(kernel)), "{what} while {rule:?} is broken");
}

fn number(name: &str, array: Array, max: u32) -> Operand {
    Operand::new(name, array, &[0], &[max.into()], max.into())
}

fn times(multiple: u32) -> Option<Below> {
    Some(Below { multiple, number: 0 })
}

/// `out ≡ x (mod p)` and below a multiple of p.
fn congruent(output: Operand, multiple: u32) -> Claim {
    let modulus = Some(Modulo::Input(0));
    Claim::Value { output: output.below(times(multiple)), factor: 1.into(), polynomial: Polynomial::input(1), modulus }
}

/// Hands x on, below a multiple of p as the result is; or calls such a kernel and promises a fixed bound alone.
fn passes(given: Option<u32>, promised: u32, callee: Option<Kernel>) -> Kernel {
    let mut b = Builder::new("passes", 4);
    let out = b.output("out", 1, &[7.into()]);
    let (p, x) = (b.input("p", 1, &[7.into()]), b.input("x", 1, &[7.into()]));
    let output = number("out", out, 7);
    let claim = match callee {
        Some(callee) => {
            let callee = b.callee(Arc::new(callee));
            b.call(callee, vec![View::whole(out), View::whole(p), View::whole(x)]);
            Claim::Step { output, name: "bounded".into() }
        }
        None => {
            let v = b.load(x, 0u32);
            b.store(out, 0u32, v);
            congruent(output, promised)
        }
    };
    let inputs = vec![number("p", p, 7), number("x", x, 7).below(given.and_then(times))];
    b.finish(Contract { inputs, facts: Vec::new(), claims: vec![claim] })
}

#[test]
fn bounds_by_numbers_of_the_caller() {
    let callee = |multiple| Some(passes(Some(multiple), multiple, None));
    for (given, asked) in [(1, 1), (2, 2), (1, 2)] {
        holds("what the callee asks for", &passes(Some(given), asked, callee(asked)));
    }
    // Not below p at all, or below 2p alone. What is promised here holds of any x: that the callee may not be called
    // with it is all that is wrong.
    for given in [None, Some(2)] {
        let wrong = passes(given, 1, callee(1));
        assert!(!is_proved(&wrong) && !breaking(&[Rule::Nets], || is_proved(&wrong)), "{given:?}");
        assert!(breaking(&[Rule::CalleeBelow, Rule::Nets], || is_proved(&wrong)), "{given:?} while broken");
    }
}

/// What a callee gives below 2p, promised below a multiple of p.
fn bounded(promised: u32) -> Kernel {
    let most = BigInt::from(13);
    let arrays = |b: &mut Builder| {
        let most = [most.clone()];
        [b.output("out", 1, &most), b.input("p", 1, &[7.into()]), b.input("x", 1, &most)]
    };
    let contract = |[out, p, x]: [Array; 3], claim: fn(Operand, u32) -> Claim, multiple| Contract {
        inputs: vec![number("p", p, 7), number("x", x, 13).below(times(2))],
        facts: Vec::new(),
        claims: vec![claim(number("out", out, 13), multiple)],
    };
    let mut b = Builder::new("given", 4);
    let own = arrays(&mut b);
    let v = b.load(own[2], 0u32);
    b.store(own[0], 0u32, v);
    let given = b.finish(contract(own, congruent, 2));
    let mut b = Builder::new("bounded", 4);
    let own = arrays(&mut b);
    let callee = b.callee(Arc::new(given));
    b.call(callee, own.map(View::whole).to_vec());
    // Modulo 1 the value says nothing: the bound is the claim.
    let value = |output: Operand, multiple| {
        let (output, modulus) = (output.below(times(multiple)), Some(BigInt::from(1).into()));
        Claim::Value { output, factor: 1.into(), polynomial: Polynomial::default(), modulus }
    };
    b.finish(contract(own, value, promised))
}

#[test]
fn results_below_multiples_of_the_callers_numbers() {
    holds("as promised", &bounded(2));
    rests_on(Rule::PromisedBelow, "half of what was promised", &bounded(1));
}

/// `a` twice b modulo a number or times b one less than 0, as a callee asks for it and its caller is given it.
fn with_fact(product: bool, asked: u32, given: u32) -> Kernel {
    let fact = |modulus: u32| Fact {
        number: 1,
        times: product.then_some(0),
        polynomial: if product { Polynomial::constant(-1) } else { Polynomial::default().plus(2, &[0]) },
        modulus: modulus.into(),
    };
    let contract = |out, b, a, modulus| Contract {
        inputs: vec![number("b", b, 7), number("a", a, 15)],
        facts: vec![fact(modulus)],
        claims: vec![Claim::Value {
            output: number("out", out, 15),
            factor: 1.into(),
            polynomial: Polynomial::input(1),
            modulus: None,
        }],
    };
    let arrays = |b: &mut Builder| {
        [b.output("out", 1, &[15.into()]), b.input("b", 1, &[7.into()]), b.input("a", 1, &[15.into()])]
    };
    let mut b = Builder::new("asking", 4);
    let [out, y, x] = arrays(&mut b);
    let v = b.load(x, 0u32);
    b.store(out, 0u32, v);
    let asking = b.finish(contract(out, y, x, asked));
    let mut b = Builder::new("caller", 4);
    let [out, y, x] = arrays(&mut b);
    let callee = b.callee(Arc::new(asking));
    b.call(callee, vec![View::whole(out), View::whole(y), View::whole(x)]);
    b.finish(contract(out, y, x, given))
}

#[test]
fn facts_of_the_caller_serve_modulo_divisors() {
    for (product, more, less) in [(false, 9, 3), (true, 8, 4)] {
        holds("a fact modulo a multiple", &with_fact(product, less, more));
        holds("the same fact", &with_fact(product, more, more));
        // The callee's promise is kept on any input: that its facts are not shown is all that is wrong.
        let wrong = with_fact(product, more, less);
        assert!(!is_proved(&wrong), "a fact modulo a divisor");
        assert!(breaking(&[Rule::FactModulus], || is_proved(&wrong)), "a fact modulo a divisor while broken");
    }
}

/// A sum by a run-time modulus, which is a constant here, of numbers up to `most`, promised modulo another number.
fn sum(constant: u32, most: u32, promised: u32) -> Kernel {
    let field = Field::new(OddModuli::new(64).expect("a length"));
    let plan = &plans(&field, &run_time_layouts(3, 4)[0], &Operation::ADD)[0];
    let add = plan.write().unwrap_or_else(|e| panic!("{e}"));
    let Some(Claim::Value { output, modulus: Some(Modulo::Input(p)), .. }) = add.contract.claims.first() else {
        panic!("a sum by a run-time modulus");
    };
    let (output, p) = (output.clone(), add.contract.inputs[*p as usize].digits[0].array);
    let mut b = Builder::new("sum", 4);
    let out = b.output("out", 1, &[15.into()]);
    let [x, y] = ["x", "y"].map(|n| b.input(n, 1, &[most.into()]));
    let modulus = b.local("m", 1, evariste_ir::Interval::bits(3));
    let c = b.word_constant(constant);
    b.store(modulus, 0u32, c);
    let mut operands = [x, y].into_iter();
    let views = add.params().map(|a| match a {
        a if a == output.digits[0].array => out,
        a if a == p => modulus,
        _ => operands.next().expect("two operands"),
    });
    let views = views.map(View::whole).collect();
    let callee = b.callee(Arc::new(add));
    b.call(callee, views);
    let output = Operand { name: "out".into(), below: None, ..number("out", out, 7) };
    let polynomial = Polynomial::input(0).plus(1, &[1]);
    let modulus = Some(BigInt::from(promised).into());
    let claims = vec![Claim::Value { output, factor: 1.into(), polynomial, modulus }];
    b.finish(Contract { facts: Vec::new(), inputs: vec![number("x", x, most), number("y", y, most)], claims })
}

#[test]
fn a_constant_for_a_run_time_modulus() {
    holds("modulo 5", &sum(5, 4, 5));
    rests_on(Rule::CallModulus, "modulo 7", &sum(5, 4, 7));
    rests_on(Rule::CallModulus, "modulo a multiple", &sum(5, 4, 15));
    assert!(!is_proved(&sum(5, 7, 5)), "operands that are not below 5");
}
