//! Kernels written by hand that try to get a false proof through a call: what is true of a callee alone, of a moment
//! that has passed, or of digits that are not those of the number.

use evariste_ir::{Interpreter, Kernel, inadmissible, refute, verify};
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;

fn parse(text: &str) -> Kernel {
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn named<'a>(input: &[(&'a str, &[i64])]) -> Vec<(&'a str, Vec<BigInt>)> {
    input.iter().map(|(name, x)| (*name, x.iter().map(|x| BigInt::from(*x)).collect())).collect()
}

/// Well formed, and wrong on that admissible input.
fn wrong(text: &str, input: &[(&str, &[i64])]) {
    let kernel = parse(text);
    assert_eq!(verify(&kernel), Ok(()));
    assert_eq!(inadmissible(&kernel, &named(input)), None);
    assert!(refute(&kernel, &named(input)).is_some(), "{kernel} is right");
    assert!(!matches!(prove(&kernel), Outcome::Proved(_)), "a false proof of\n{kernel}");
}

/// Well formed, and no wrong result is known: what it hands to a callee is not what that asks for.
fn unproved(text: &str) {
    let kernel = parse(text);
    assert_eq!(verify(&kernel), Ok(()));
    let outcome = prove(&kernel);
    assert!(matches!(outcome, Outcome::Unknown(_) | Outcome::Refuted(_)), "{outcome:?}");
}

fn refused(text: &str, why: &str) {
    let defects = verify(&parse(text)).expect_err("the verifier accepts it");
    assert!(defects.iter().any(|d| d.to_string().contains(why)), "{defects:?}");
    assert!(matches!(prove(&parse(text)), Outcome::Unknown(_)));
}

fn proved(text: &str) {
    let outcome = prove(&parse(text));
    assert!(matches!(outcome, Outcome::Proved(_)), "{outcome:?}");
}

/// A callee that hands `a` on under these promises and claims `a + 1`, and its caller.
fn contradictory(callee: &str, caller: &str) -> String {
    format!(
        "kernel @0 more: word 8 {{
    output z: 1 x w8
    input a: 1 x w8

{callee}
    gives z <= 255 = z[0] * 2^0 max 255: value 1 it = a + 1

    %0: w8 = a[0]
    z[0] = %0
}}
kernel caller: word 8 {{
    output out: 1 x w8
    input x: 1 x w8
    callees @0

{caller}
    gives out <= 255 = out[0] * 2^0 max 255: value 1 it = x + 1

    call 0 more(out, x)
}}
"
    )
}

#[test]
fn a_callee_that_contradicts_itself_cannot_be_called() {
    let any = "    given a <= 255 = a[0] * 2^0 max 255\n";
    let facts = "    where a = 1 mod 3\n    where a = 2 mod 3\n";
    let caller = "    given x <= 254 = x[0] * 2^0 max 254";
    unproved(&contradictory(&format!("{any}{facts}"), caller));
    // A caller who is given the same has no admissible input.
    let both = (any.to_string() + facts).replace(" a ", " x ").replace("a[0]", "x[0]");
    unproved(&contradictory(&format!("{any}{facts}"), &both));
    // Digits that cannot be: bound 0 and at least 1 by the range.
    let text = contradictory("    given a <= 0 = a[0] * 2^0 max 255\n", caller);
    unproved(&text.replacen("input a: 1 x w8", "input a: 1 x w8 [1, 255]", 1));
}

/// One more, in place.
const INCREMENT: &str = "kernel @0 increment: word 8 {
    inout x: 1 x w8 <2^4

    given x <= 8 = x[0] * 2^0 max 8
    gives z <= 9 = x[0] * 2^0 max 9: value 1 it = x + 1

    %0: w8 <2^4 = x[0]
    %1: w8 [1] = const(1)
    %2: w8 [0, 9] = add %0, %1
    x[0] = %2
}
";

/// Two in-outs, the second added to the first.
const ACCUMULATE: &str = "kernel @0 accumulate: word 8 {
    inout x: 1 x w8 <2^3
    inout y: 1 x w8 <2^3

    given x <= 3 = x[0] * 2^0 max 3
    given y <= 3 = y[0] * 2^0 max 3
    gives z <= 6 = x[0] * 2^0 max 6: value 1 it = x + y
    gives t <= 0 = y[0] * 2^0 max 0: value 1 it = 0

    %0: w8 [0, 3] = x[0]
    %1: w8 [0, 3] = y[0]
    %2: w8 [0, 6] = add %0, %1
    x[0] = %2
    %3: w8 [0] = const(0)
    y[0] = %3
}
";

/// Two increments in place.
fn twice(claim: &str, bound: u32) -> String {
    format!(
        "{INCREMENT}kernel twice: word 8 {{
    inout x: 1 x w8 <2^4
    callees @0

    given x <= 7 = x[0] * 2^0 max 7
    gives z <= {bound} = x[0] * 2^0 max 15: {claim}

    call 0 increment(x)
    call 0 increment(x)
}}
"
    )
}

#[test]
fn an_array_in_place_is_what_it_was_before_the_call() {
    proved(&twice("value 1 it = x + 2", 9));
    wrong(&twice("value 1 it = x + 1", 9), &[("x", &[0])]);
    wrong(&twice("value 1 it = x + 1 mod 5", 9), &[("x", &[0])]);
    wrong(&twice("value 1 it = x + 2", 8), &[("x", &[7])]);
    // The callee's bound holds of what the first call gets, and not of what the second one does.
    unproved(&twice("value 1 it = x + 2", 15).replace("x <= 7 = x[0] * 2^0 max 7", "x <= 8 = x[0] * 2^0 max 8"));
}

/// A call with two arrays in place.
fn accumulated(locals: &str, call: &str) -> String {
    format!(
        "{ACCUMULATE}kernel caller: word 8 {{
    inout a: 2 x w8 <2^3
{locals}    callees @0

    given a <= 3 = a[0] * 2^0 max 3
    given b <= 3 = a[1] * 2^0 max 3
    gives z <= 6 = a[0] * 2^0 max 6: value 1 it = a + b

    call 0 accumulate({call})
}}
"
    )
}

#[test]
fn an_array_is_not_passed_twice_in_place() {
    proved(&accumulated("", "a[0..], a[1..]"));
    refused(&accumulated("", "a[0..], a[0..]"), "may overlap");
    refused(&accumulated("", "a[1..], a[3 mod..]"), "may overlap");
}

/// A callee that is given `x ≡ 1 (mod 3)` and leaves the number after it in x; then something else.
fn after_next(second: &str) -> String {
    format!(
        "kernel @0 next: word 8 {{
    inout x: 1 x w8 <2^4

    given x <= 14 = x[0] * 2^0 max 14
    where x = 1 mod 3
    gives z <= 15 = x[0] * 2^0 max 15: value 1 it = 2 mod 3

    %0: w8 [0, 14] = x[0]
    %1: w8 [1] = const(1)
    %2: w8 <2^4 = add %0, %1
    x[0] = %2
}}
kernel caller: word 8 {{
    inout x: 1 x w8 <2^4
    callees @0

    given x <= 12 = x[0] * 2^0 max 12
    where x = 1 mod 3
    gives z <= 15 = x[0] * 2^0 max 15: value 1 it = 2 mod 3

    call 0 next(x)
{second}
}}
"
    )
}

#[test]
fn what_a_fact_says_of_an_input_is_not_said_of_what_lies_there_later() {
    proved(&after_next(""));
    unproved(&after_next("    call 0 next(x)"));
}

/// A callee that asks for x below p gets a copy of p, with which something is done before.
fn below_a_copy(between: &str) -> String {
    format!(
        "kernel @0 one: word 8 {{
    inout p: 1 x w8 <2^3

    given p <= 7 = p[0] * 2^0 max 7
    gives q <= 1 = p[0] * 2^0 max 1: value 1 it = 1

    %0: w8 [1] = const(1)
    p[0] = %0
}}
kernel @1 pass: word 8 {{
    output z: 1 x w8 <2^3
    input p: 1 x w8 <2^3
    input x: 1 x w8 <2^3

    given p <= 7 = p[0] * 2^0 max 7
    given x <= 7 = x[0] * 2^0 max 7
    where x < 1 * p
    gives z <= 7 = z[0] * 2^0 max 7 < 1 * p: value 1 it = x mod p

    %0: w8 <2^3 = x[0]
    z[0] = %0
}}
kernel caller: word 8 {{
    output out: 1 x w8 <2^3
    input p: 1 x w8 <2^3
    input x: 1 x w8 <2^3
    local q: 1 x w8 <2^3
    callees @0 @1

    given p <= 7 = p[0] * 2^0 max 7
    given x <= 7 = x[0] * 2^0 max 7
    where x < 1 * p
    gives out <= 7 = out[0] * 2^0 max 7: step passed

    %0: w8 <2^3 = p[0]
    q[0] = %0
{between}    call 1 pass(out, q, x)
}}
"
    )
}

#[test]
fn a_bound_by_a_number_is_by_what_it_is_then() {
    // The copy is replaced by 1 before x, which is below p, is handed on as below the copy.
    let (right, late) = (below_a_copy(""), below_a_copy("    call 0 one(q)\n"));
    proved(&right);
    unproved(&late);
}

/// A sum modulo 251 of numbers of two digits of four bits, called twice, with these statements between.
fn between(claim: &str, statements: &str, y: &str) -> String {
    format!(
        "kernel @0 sum: word 4 {{
    output z: 2 x w4
    input a: 2 x w4
    input b: 2 x w4

    given a <= 255 = a[0..2] * 2^0 step 4 max 15
    given b <= 255 = b[0..2] * 2^0 step 4 max 15
    gives z <= 255 = z[0..2] * 2^0 step 4 max 15: value 1 it = a + b mod 1

    %0: w4 = a[0]
    %1: w4 = b[1]
    z[0] = %0
    z[1] = %1
}}
kernel @1 copy: word 4 {{
    output z: 2 x w4
    input a: 2 x w4

    given a <= 255 = a[0..2] * 2^0 step 4 max 15
    gives z <= 255 = z[0..2] * 2^0 step 4 max 15: value 1 it = a

    %0: w4 = a[0]
    %1: w4 = a[1]
    z[0] = %0
    z[1] = %1
}}
kernel caller: word 4 {{
    output out: 2 x w4
    input x: 2 x w4
    input y: 2 x w4
    local s: 2 x w4
    local t: 2 x w4
    callees @0 @1

    given x <= 255 = x[0..2] * 2^0 step 4 max 15
    given y <= {y} = y[0..2] * 2^0 step 4 max 15
    gives out <= 255 = out[0..2] * 2^0 step 4 max 15: {claim}

    call 1 copy(s, x)
    call 1 copy(t, y)
{statements}
}}
"
    )
}

#[test]
fn digits_are_of_the_number_that_they_came_from() {
    let join =
        |low: &str, high: &str| format!("    %0: w4 = {low}\n    %1: w4 = {high}\n    out[0] = %0\n    out[1] = %1");
    let same = "value 1 it = x";
    proved(&between(same, &join("s[0]", "s[1]"), "255"));
    let input: &[(&str, &[i64])] = &[("x", &[1, 2]), ("y", &[1, 7])];
    // Exchanged, of another number, one twice, an upper digit that may be more than 0 left out.
    wrong(&between(same, &join("s[1]", "s[0]"), "255"), input);
    wrong(&between(same, &join("s[0]", "t[1]"), "255"), input);
    wrong(&between(same, &join("s[0]", "s[0]"), "255"), input);
    wrong(&between("value 1 it = y", &join("t[0]", "s[1]"), "255"), input);
    wrong(&between("value 1 it = y mod 251", &join("t[0]", "s[1]"), "16"), &[("x", &[1, 2]), ("y", &[0, 1])]);
    // Moved up by a digit it is another number.
    wrong(
        &between(
            "value 1 it = y mod 251",
            "    %0: w4 [0] = const(0)\n    %1: w4 = t[0]\n    out[0] = %0\n    out[1] = %1",
            "15",
        ),
        &[("x", &[0, 0]), ("y", &[3, 0])],
    );
    proved(&between(
        "value 1 it = 16*y",
        "    %0: w4 [0] = const(0)\n    %1: w4 = t[0]\n    out[0] = %0\n    out[1] = %1",
        "15",
    ));
    // A callee that promises modulo 1 alone has promised nothing.
    wrong(
        &between("value 1 it = x + y mod 251", "    call 0 sum(out, s, t)", "255"),
        &[("x", &[0, 1]), ("y", &[1, 0])],
    );
}

/// The lower digit of a product in two of four bits.
fn low_digit(low: &str, claim: &str, bound: u32) -> String {
    format!(
        "kernel @0 product: word 8 {{
    output l: 1 x w8 <2^{low}
    output h: 1 x w8 <2^4
    input x: 1 x w8 <2^4
    input y: 1 x w8 <2^4

    given x <= 15 = x[0] * 2^0 max 15
    given y <= 15 = y[0] * 2^0 max 15
    gives z <= 255 = l[0] * 2^0 max 15 + h[0] * 2^4 max 15: value 1 it = x*y

    %0: w8 <2^4 = x[0]
    %1: w8 <2^4 = y[0]
    %2: w8 [0, 225] = mul %0, %1
    %3: w8 <2^4 = low_bits(4) %2
    %4: w8 <2^4 = shr(4) %2
    l[0] = %3
    h[0] = %4
}}
kernel caller: word 8 {{
    output out: 1 x w8
    input x: 1 x w8 <2^4
    input y: 1 x w8 <2^4
    local h: 1 x w8 <2^4
    local l: 1 x w8 <2^{low}
    callees @0

    given x <= 15 = x[0] * 2^0 max 15
    given y <= 15 = y[0] * 2^0 max 15
    gives out <= {bound} = out[0] * 2^0 max 255: {claim}

    call 0 product(l, h, x, y)
    %0: w8 = l[0]
    out[0] = %0
}}
"
    )
}

#[test]
fn remainders_of_promises() {
    // low + 16 high = x·y: what is true of both digits together is said of one.
    proved(&low_digit("4", "value 1 it = x*y mod 16", 15));
    wrong(&low_digit("4", "value 1 it = x*y mod 32", 15), &[("x", &[4]), ("y", &[4])]);
    wrong(&low_digit("4", "value 1 it = x*y", 15), &[("x", &[4]), ("y", &[4])]);
    wrong(&low_digit("4", "value 1 it = x*y mod 16", 14), &[("x", &[15]), ("y", &[1])]);
}

/// A loop of `x = 15 − x`, and a recurrence.
fn looped(trips: u32, count: u32, step: &str) -> String {
    format!(
        "kernel @0 negate: word 8 {{
    inout x: 1 x w8 <2^4

    given x <= 15 = x[0] * 2^0 max 15
    gives z <= 15 = x[0] * 2^0 max 15: value 1 it = 15 - x

    %0: w8 <2^4 = x[0]
    %1: w8 [15] = const(15)
    %2: w8 <2^4 = sub %1, %0
    x[0] = %2
}}
kernel looped: word 8 {{
    inout x: 1 x w8 <2^4
    callees @0

    given x <= 15 = x[0] * 2^0 max 15
    gives z <= 15 = x[0] * 2^0 max 15: iterate 0 of {count} steps mod 251 from (x) bits () by ({step})

    for i0 in 0..{trips} {{
        call 0 negate(x)
    }}
}}
"
    )
}

#[test]
fn loops_run_and_recurrences_have_steps() {
    for trips in [1, 3] {
        proved(&looped(trips, trips, "15 - #1"));
        wrong(&looped(trips, trips + 1, "15 - #1"), &[("x", &[0])]);
        wrong(&looped(trips, trips, "16 - #1"), &[("x", &[0])]);
        wrong(&looped(trips, trips, "16 - x"), &[("x", &[0])]);
    }
    refused(&looped(0, 3, "15 - #1"), "never runs");
    refused(&looped(3, 0, "15 - #1"), "steps");
}

/// Kernels of every shape here, right and wrong, for another judge.
pub fn kernels() -> Vec<(&'static str, Kernel)> {
    let all = [
        (
            "in place",
            vec![twice("value 1 it = x + 2", 9), twice("value 1 it = x + 1 mod 5", 9), twice("value 1 it = x + 2", 8)],
        ),
        ("two in place", vec![accumulated("", "a[0..], a[1..]"), accumulated("", "a[1..], a[0..]")]),
        ("a fact", vec![after_next("")]),
        ("a bound by a number", vec![below_a_copy("")]),
        (
            "a remainder",
            vec![low_digit("4", "value 1 it = x*y mod 16", 15), low_digit("4", "value 1 it = x*y mod 32", 15)],
        ),
        (
            "an even modulus",
            vec![low_digit("4", "value 3 it = 3*x*y mod 12", 15), low_digit("4", "value 3 it = 3*x*y mod 48", 15)],
        ),
        ("a recurrence", vec![looped(3, 3, "15 - #1"), looped(3, 4, "15 - #1"), looped(2, 2, "16 - #1")]),
    ];
    all.into_iter().flat_map(|(name, texts)| texts.into_iter().map(move |t| (name, parse(&t)))).collect()
}

#[test]
fn interpreters_agree_on_what_was_proved() {
    // What the nets rest on: the callee is run, not its contract.
    let kernel = parse(&between("value 1 it = x", "    call 1 copy(out, s)", "255"));
    let out = Interpreter::new(&kernel).run_one(&named(&[("x", &[3, 4]), ("y", &[5, 6])])).expect("it runs");
    assert!(out.iter().any(|(name, digits)| name == "out" && *digits == [3.into(), 4.into()]), "{out:?}");
}
