//! False proofs of kernels written by hand that earlier versions gave, one test each: the kernel is refuted, refused or
//! unknown now, and a right kernel of the same shape is still proved where there is one.

use evariste_ir::{Kernel, inadmissible, refute, verify};
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;

fn parse(text: &str) -> Kernel {
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn input(named: &[(&str, &[i64])]) -> Vec<(String, Vec<BigInt>)> {
    named.iter().map(|(name, x)| (name.to_string(), x.iter().map(|x| BigInt::from(*x)).collect())).collect()
}

/// The kernel is well formed, goes wrong on that admissible input, and is not proved.
fn wrong(text: &str, named: &[(&str, &[i64])]) {
    let kernel = parse(text);
    assert_eq!(verify(&kernel), Ok(()));
    let named = input(named);
    let borrowed: Vec<(&str, Vec<BigInt>)> = named.iter().map(|(n, x)| (n.as_str(), x.clone())).collect();
    assert_eq!(inadmissible(&kernel, &borrowed), None);
    assert!(refute(&kernel, &borrowed).is_some(), "{kernel} is right");
    assert!(!matches!(prove(&kernel), Outcome::Proved(_)), "a false proof of\n{kernel}");
}

/// The verifier refuses the kernel with this text, and so does `prove`.
fn refused(text: &str, why: &str) {
    let kernel = parse(text);
    let defects = verify(&kernel).expect_err("the verifier accepts it");
    assert!(defects.iter().any(|d| d.to_string().contains(why)), "{defects:?}");
    assert!(matches!(prove(&kernel), Outcome::Unknown(_)));
}

fn proved(text: &str) {
    let outcome = prove(&parse(text));
    assert!(matches!(outcome, Outcome::Proved(_)), "{outcome:?}");
}

fn unknown(text: &str, why: &str) {
    match prove(&parse(text)) {
        Outcome::Unknown(o) => assert!(format!("{} {}", o.what, o.detail).contains(why), "{o:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn and_not_of_two_constants_is_a_constant() {
    let text = |first: &str| {
        format!(
            "kernel k: word 8 {{
    output out: 1 x w8
    input a: 1 x w8 <2^1

    given a <= 1 = a[0] * 2^0 max 1
    gives out <= 1 = out[0] * 2^0 max 1: linear ((0))

    %0: w8 = a[0]
    %1: w8 [1] = const(1)
    %2: w8 <2^1 = and_not {first}, %1
    %3: w8 <2^1 = xor %2, {first}
    %4: w8 = xor %3, %0
    out[0] = %4
}}
"
        )
    };
    wrong(&text("%1"), &[("a", &[0])]);
    // Of a linear value the constant leaves some bits: a and not 1 is 0 here.
    let right = text("%0").replace("%4: w8 = xor %3, %0", "%4: w8 = and %3, %1");
    proved(&right);
}

#[test]
fn entries_of_a_table_are_of_their_kind_one_by_one() {
    // a ^ (t[a mod 4] & (a >> 2)) with t = (0, 1, 1, 0): on basis vectors the product is 0.
    wrong(
        "kernel k: word 8 {
    output out: 1 x w8
    input a: 1 x w8
    local t: 4 x w8 <2^1

    given a <= 255 = a[0] * 2^0 max 255
    gives out <= 255 = out[0] * 2^0 max 255: linear ((0), (1), (2), (3), (4), (5), (6), (7))

    %0: w8 [0] = const(0)
    %1: w8 [1] = const(1)
    t[0] = %0
    t[1] = %1
    t[2] = %1
    t[3] = %0
    %2: w8 = a[0]
    %3: w8 <2^2 = low_bits(2) %2
    %4: w8 <2^1 = lookup(t) %3
    %5: w8 <2^6 = shr(2) %2
    %6: w8 <2^1 = and %4, %5
    %7: w8 = xor %2, %6
    out[0] = %7
}
",
        &[("a", &[5])],
    );
}

#[test]
fn a_widened_constant_is_extended_by_zeros() {
    let text = |constant: &str| {
        format!(
            "kernel k: word 16 {{
    output out: 1 x w16 <2^1
    input a: 1 x w16
    input b: 1 x w16

    given a <= 65535 = a[0] * 2^0 max 65535
    given b <= 65535 = b[0] * 2^0 max 65535
    gives out <= 1 = out[0] * 2^0 max 1: equal a b

    %0: w16 = a[0]
    %1: w16 = b[0]
    %2: m16 = equal %0, %1
    %3: m16 = not %2
    %4: w16 = mask_to_word %3
    %5: w8 [-1] = const(-1)
    %6: w16 = widen %5
    %7: w16 = and %4, %6
    %8: w16 = const({constant})
    %9: w16 = and %7, %8
    %10: w16 = const(0)
    %11: m16 = equal %9, %10
    %12: flag = mask_to_flag %11
    %13: w16 <2^1 = flag_to_word %12
    out[0] = %13
}}
"
        )
    };
    wrong(&text("256"), &[("a", &[1]), ("b", &[2])]);
    proved(&text("128"));
}

#[test]
fn two_digits_have_two_weights() {
    let text = |digits: &str, max: u32| {
        format!(
            "kernel @0 mul: word 8 {{
    output z: 1 x w8
    input x: 1 x w8
    input y: 1 x w8

    given x <= 6 = x[0] * 2^0 max 6
    given y <= 6 = y[0] * 2^0 max 6
    gives z <= 36 = z[0] * 2^0 max 36: value 1 it = x*y mod 7

    %0: w8 = x[0]
    %1: w8 = y[0]
    %2: w8 = mul %0, %1
    z[0] = %2
}}
kernel sq: word 8 {{
    output out: 1 x w8
    input a: 2 x w8 <2^3
    callees @0

    given a <= 6 = {digits} max {max}
    gives out <= 36 = out[0] * 2^0 max 36: power a ^ 2 factor 1 mod 7

    call 0 mul(out, a[0..], a[0..])
}}
"
        )
    };
    refused(&text("a[0..2] * 2^0 step 0", 3), "weights of a do not ascend");
    refused(&text("a[0] * 2^0 max 3 + a[0] * 2^1", 3), "two digits of a");
    proved(&text("a[0] * 2^0", 6));
}

#[test]
fn digits_have_no_sign() {
    refused(
        "kernel k: word 8 {
    output out: 1 x w8
    input a: 2 x w8 [-1, 0]

    given a <= 0 = a[0] * 2^0 max 0 + a[1] * 2^5 max 0
    gives out <= 6 = out[0] * 2^0 max 6: value 1 it = a + 5

    %0: w8 [-1, 0] = a[0]
    %1: w8 [-1, 0] = a[1]
    %2: w8 [5] = const(5)
    %3: w8 [4, 5] = add %2, %0
    %4: w8 [4, 6] = sub %3, %1
    out[0] = %4
}
",
        "a digit of a may be negative",
    );
}

#[test]
fn digits_are_integers() {
    refused(
        "kernel k: word 8 {
    output out: 1 x m8
    input a: 1 x m8

    given a <= 255 = a[0] * 2^0 max 255
    gives out <= 255 = out[0] * 2^0 max 255: value 1 it = a

    %0: m8 = a[0]
    out[0] = %0
}
",
        "which holds no integers",
    );
}

/// The double-length product of two words, its high word a ghost, and a caller that does this after the call.
fn ghost_caller(after: &str) -> String {
    format!(
        "kernel @0 mul: word 8 {{
    output z: 1 x w8
    ghost g: 1 x w8
    input x: 1 x w8
    input y: 1 x w8

    given x <= 255 = x[0] * 2^0 max 255
    given y <= 255 = y[0] * 2^0 max 255
    gives z <= 65535 = z[0] * 2^0 max 255 + g[0] * 2^8 max 255: value 1 it = x*y

    %0: w8 = x[0]
    %1: w8 = y[0]
    %2: w8, %3: w8 = mul_wide %0, %1
    z[0] = %2
    g[0] = %3
}}
kernel full: word 8 {{
    output out: 2 x w8
    input a: 1 x w8
    input b: 1 x w8
    local t: 1 x w8
    local h: 4 x w8
    callees @0

    given a <= 255 = a[0] * 2^0 max 255
    given b <= 255 = b[0] * 2^0 max 255
    gives out <= 65535 = out[0..2] * 2^0 step 8 max 255: step nothing

{after}
}}
"
    )
}

#[test]
fn a_callees_ghost_is_not_read() {
    let why = "holds a ghost of a callee";
    // By a load; by a look-up; by another call; where something was stored before the call.
    refused(
        &ghost_caller(
            "    call 0 mul(t, h[1..], a, b)
    %0: w8 = t[0]
    %1: w8 = h[1]
    out[0] = %0
    out[1] = %1",
        ),
        why,
    );
    refused(
        &ghost_caller(
            "    %0: w8 = a[0]
    h[0] = %0
    h[1] = %0
    h[2] = %0
    h[3] = %0
    call 0 mul(t, h[3..], a, b)
    %1: w8 <2^2 = low_bits(2) %0
    %2: w8 = lookup(h) %1
    out[0] = %2
    out[1] = %2",
        ),
        why,
    );
    refused(
        &ghost_caller(
            "    call 0 mul(t, h, a, b)
    call 0 mul(out[0..], h[1..], h[0..], b)
    call 0 mul(out[1..], h[1..], a, b)",
        ),
        why,
    );
    // Stored again before it is read: what the callee left is gone.
    proved(&ghost_caller(
        "    call 0 mul(t, h[1..], a, b)
    %0: w8 = t[0]
    h[1] = %0
    %1: w8 = h[1]
    out[0] = %0
    out[1] = %1",
    ));
}

#[test]
fn masks_are_all_zeros_or_all_ones() {
    refused(
        "kernel k: word 8 {
    output out: 1 x w8 [3, 4]
    input a: 1 x w8
    table m: 1 x m8 [5] = (5)

    given a <= 255 = a[0] * 2^0 max 255
    gives out <= 4 = out[0] * 2^0 max 4: step nothing

    %0: m8 [5] = m[0]
    %1: w8 [3] = const(3)
    %2: w8 [4] = const(4)
    %3: w8 [3, 4] = select %0, %1, %2
    out[0] = %3
}
",
        "the table m has the entry 5",
    );
}

#[test]
fn flags_are_zero_or_one() {
    refused(
        "kernel k: word 8 {
    output out: 1 x w8
    input a: 1 x w8

    %0: w8 = a[0]
    %1: flag [-1] = const(-1)
    %2: w8, %3: flag = add_carry %0, %0, %1
    out[0] = %2
}
",
        "the range of %1 does not fit its type",
    );
}

#[test]
fn tables_of_indices_have_no_negative_entry() {
    let text = |entries: &str, range: &str, index: &str| {
        format!(
            "kernel k: word 8 {{
    output out: 2 x w8
    input a: 4 x w8
    table p: 2 x w8 {range} = {entries}

    for i0 in 0..2 {{
        %0: w8 = a[{index}]
        out[i0] = %0
    }}
}}
"
        )
    };
    refused(&text("(-1, 1)", "[-1, 1]", "p[i0] + 1"), "negative entry -1");
    refused(&text("(-1, 1)", "[-1, 1]", "p[p[i0] + 1]"), "negative entry -1");
    proved(&text("(0, 2)", "[0, 2]", "p[i0] + 1"));
}

#[test]
fn kernels_of_bits_hold_bits_and_call_such_kernels() {
    let text = |inner: u32, outer: u32, ty: &str| {
        format!(
            "kernel @0 inner: word {inner} {{
    output r: 1 x {ty}
    input x: 1 x {ty}

    %0: {ty} = x[0]
    %1: {ty} = not %0
    r[0] = %1
}}
kernel k: word {outer} {{
    output out: 1 x {ty}
    input a: 1 x {ty}
    callees @0

    call 0 inner(out, a)
}}
"
        )
    };
    refused(&text(2, 1, "w1"), "calls inner with words of 2");
    refused(&text(1, 2, "w1"), "calls inner with words of 1");
    refused(&text(1, 1, "w8"), "more than unsigned bits");
    proved(&text(1, 1, "w1"));
    proved(&text(8, 16, "w1"));
}

#[test]
fn a_contract_that_contradicts_itself_proves_nothing() {
    let text = |facts: &str, a: &str, p: &str, bound: u32| {
        format!(
            "kernel k: word 8 {{
    output out: 1 x w8
    input p: 1 x w8 {p}
    input a: 1 x w8 {a}

    given p <= 255 = p[0] * 2^0 max 255
    given a <= 255 = a[0] * 2^0 max 255
{facts}
    gives out <= {bound} = out[0] * 2^0 max 255: value 1 it = a

    %0: w8 = a[0]
    out[0] = %0
}}
"
        )
    };
    let why = "an admissible input of k";
    unknown(&text("    where a = 1 mod 3\n    where a = 2 mod 3", "<2^8", "<2^8", 255), why);
    unknown(&text("    where a < 1 * p", "<2^8", "[0]", 255), why);
    // A digit that its own range keeps above its maximum.
    unknown(
        &text("", "[7, 9]", "<2^8", 255).replace("a <= 255 = a[0] * 2^0 max 255", "a <= 5 = a[0] * 2^0 max 5"),
        why,
    );
    // The same without a contradiction.
    proved(&text("    where a = 1 mod 3", "<2^8", "<2^8", 255));
    proved(&text("    where a < 1 * p", "<2^8", "[1]", 255));
    proved(&text("", "[7, 9]", "<2^8", 255));
}

/// `s + a·b`, where s is in that range.
fn added_product(acc: &str, bound: &str, claim: &str) -> String {
    format!(
        "kernel k: word 8 {{
    output out: 1 x w8
    input s: 1 x w8 {acc}
    input a: 1 x w8
    input b: 1 x w8

    given a <= 15 = a[0] * 2^0 max 15
    given b <= 15 = b[0] * 2^0 max 15
    gives out <= {bound} = out[0] * 2^0 max {bound}: {claim}

    %0: w8 {acc} = s[0]
    %1: w8 = a[0]
    %2: w8 = b[0]
    %3: w8 = madd_lo(8) %0, %1, %2
    out[0] = %3
}}
"
    )
}

/// `−1 + a·b`, which is signed, and the 1 again.
fn signed_sum() -> String {
    let signed = added_product("[-1]", "225", "value 1 it = a*b").replace("max 15", "max 7").replace("<= 15", "<= 7");
    signed
        .replace("%3: w8 = madd_lo(8) %0, %1, %2", "%3: w8 [-1, 48] = madd_lo(6) %0, %1, %2")
        .replace("out[0] = %3", "%4: w8 [1] = const(1)\n    %5: w8 = add %3, %4\n    out[0] = %5")
}

/// Kernels with signed values, for another judge.
pub fn signed_kernels() -> Vec<(&'static str, Kernel)> {
    let wrong = signed_sum().replace("value 1 it = a*b", "value 1 it = a*b + 1");
    [("signed", signed_sum()), ("signed and wrong", wrong)].map(|(name, text)| (name, parse(&text))).into()
}

/// The accumulator of `madd` is the number that its interval says: for interval, proof and interpreter alike.
#[test]
fn the_accumulator_of_madd_has_the_sign_of_its_interval() {
    // −1 + a·b leaves the type where a·b is 0.
    wrong(&added_product("[-1]", "255", "step nothing"), &[("s", &[-1]), ("a", &[0]), ("b", &[5])]);
    // 255 + a·b does where it is not.
    wrong(&added_product("[255]", "255", "step nothing"), &[("s", &[255]), ("a", &[1]), ("b", &[5])]);
    proved(&added_product("[3]", "228", "value 1 it = a*b + 3"));
    // With a signed result −1 + a·b is exact, and so is what adds the 1 again.
    proved(&signed_sum());
}
