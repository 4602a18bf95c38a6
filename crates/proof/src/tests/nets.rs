//! Nets under the proofs: a broken rule lets a false proof through, and a net catches it; and each net by itself.

use evariste_ir::{Kernel, prune};

use crate::broken_rules::{Rule, breaking};
use crate::nets::{pass, sums};
use crate::outcome::Obligation;
use crate::{Outcome, prove};

fn parse(text: &str) -> Kernel {
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn trips(result: Result<(), Obligation>, why: &str) {
    let open = result.expect_err("no net trips");
    assert!(open.what.contains("a net tripped") && open.detail.contains(why), "{open:?}");
}

/// `out = a + 1` with that promise about it.
fn increment(bound: u32, claim: &str) -> Kernel {
    parse(&format!(
        "kernel increment: word 8 {{
    output out: 1 x w8
    ghost g: 1 x w8
    input a: 1 x w8 <2^3

    given a <= 7 = a[0] * 2^0 max 7
    gives out <= {bound} = out[0] * 2^0 max 255: {claim}

    %0: w8 <2^3 = a[0]
    %1: w8 [1] = const(1)
    %2: w8 [1, 8] = add %0, %1
    out[0] = %2
    g[0] = %0
}}
"
    ))
}

#[test]
fn the_claim_checker_catches_a_false_proof() {
    let wrong = increment(7, "step nothing");
    let outcome = breaking(&[Rule::Obligation], || prove(&wrong));
    let Outcome::Unknown(open) = outcome else { panic!("{outcome:?}") };
    trips(Err(open), "goes wrong");
    assert!(matches!(breaking(&[Rule::Obligation, Rule::Nets], || prove(&wrong)), Outcome::Proved(_)));
}

#[test]
fn what_leaves_is_verified_and_runs_as_what_was_proved() {
    let right = increment(8, "value 1 it = a + 1");
    let leaving = prune(&right);
    assert_eq!(pass(&right, &leaving), Ok(()));
    // Its store is gone: as pruning did to kernels that read a ghost.
    let mut cut = leaving.clone();
    cut.body.pop();
    trips(pass(&right, &cut), "malformed: increment: out[0] is never written");
    // It computes something else.
    let text = leaving.to_string();
    let other = parse(&text.replace("a + 1", "a + 2").replace("const(1)", "const(2)").replace("[1]", "[2]"));
    let other = parse(&other.to_string().replace("[1, 8]", "[2, 9]").replace("<= 8", "<= 9"));
    trips(pass(&right, &other), "out[0] differs");
    // An interval that is too narrow.
    trips(pass(&right, &parse(&text.replace("[1, 8]", "[1, 7]"))), "leaves its stated range");
}

#[test]
fn linear_maps_are_sampled() {
    let text = |op: &str| {
        format!(
            "kernel map: word 8 {{
    output out: 1 x w8
    input a: 1 x w8
    input b: 1 x w8

    given a <= 255 = a[0] * 2^0 max 255
    given b <= 255 = b[0] * 2^0 max 255
    gives out <= 255 = out[0] * 2^0 max 255: step nothing

    %0: w8 = a[0]
    %1: w8 = b[0]
    %2: w8 = {op} %0, %1
    out[0] = %2
}}
"
        )
    };
    let sampled = |op: &str| {
        let kernel = parse(&text(op));
        sums(&kernel, &evariste_ir::Interpreter::new(&kernel), kernel.contract.claims[0].output())
    };
    assert_eq!(sampled("and"), Ok(()));
    for op in ["xor", "or", "wrapping_mul", "and_not"] {
        trips(sampled(op), "is not linear in");
    }
}
