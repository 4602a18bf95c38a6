//! Every defect that the structural verifier knows, provoked by a small kernel; and kernels that are right at the edge.

use std::sync::Arc;

use evariste_ir::{Claim, Kernel, verify};
use expect_test::expect;

/// The defects of a kernel whose body and declarations are given.
fn defects(text: &str) -> String {
    let kernel = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    match verify(&kernel) {
        Ok(()) => "none\n".to_string(),
        Err(all) => all.iter().map(|d| format!("{d}\n")).collect(),
    }
}

/// A kernel `k` with an output `r`, an input `a` and more.
fn with(declarations: &str, body: &str) -> String {
    format!(
        "kernel k: word 8 {{\n output r: 2 x w8\n input a: 2 x w8\n table t: 3 x w8 [0, 2] = (0, 1, 2)\n{declarations}\n{body}\n}}"
    )
}

const COPY: &str = "%0: w8 = a[0] %1: w8 = a[1] r[0] = %0 r[1] = %1";
const CALLEE: &str = "kernel @0 f: word 8 { output out: 1 x w8 input v: 1 x w8 %0: w8 = v[0] out[0] = %0 }\n";

fn report(kernels: &[String]) -> String {
    kernels.iter().map(|k| defects(k)).collect()
}

#[test]
fn fine_kernels_have_no_defects() {
    let all = [
        with("", COPY),
        // In place: each element is read before it is written.
        with("", "for i0 in 0..2 { %0: w8 = a[i0] r[i0] = %0 }"),
        with("disjoint r a", "%0: w8 = a[0] r[0] = %0 %1: w8 = a[1] %2: w8 = a[0] r[1] = %2"),
        with("local l: 2 x w8", "%0: w8 = a[0] l[0] = %0 %1: w8 = l[0] r[0] = %1 r[1] = %1"),
        with("ghost g: 1 x w8", &format!("{COPY} g[0] = %0")),
        with("", &format!("{COPY} %2: w8 <2^4 = shr(4) %0 %3: w8 = funnel_shift(8) %0, %1")),
        format!("{CALLEE}{}", with("callees @0", "for i0 in 0..2 { call 0 f(r[i0..], a[i0..]) }")),
        with("", "%0: w8 = a[0] %1: w8 = a[1] for i0 in 0..4 { %2: w8 = t[i0*5 - 3 mod] r[t[i0 mod] + i0 mod] = %2 }"),
    ];
    assert_eq!(report(&all), "none\n".repeat(all.len()));
}

#[test]
fn declarations() {
    let all = [
        "kernel k: word 65 {}".to_string(),
        "kernel k: word 8 vartime {}".to_string(),
        with("input b: 1 x w65", COPY),
        with("input b: 1 x d7", COPY),
        with("input b: 1 x f30", COPY),
        with("input b: 1 x m129", COPY),
        with("input b: 0 x w8", COPY),
        with("input b: 1 x w8 [-1, 200]", COPY),
        with("table u: 2 x w8 = (1)", COPY),
        with("table u: 1 x w8 <2^1 = (2)", COPY),
        with("disjoint a r", COPY),
        with("", &COPY.replace("%0: w8", "%0: w8 [-1, 128]")),
    ];
    expect![[r#"
        k: words of 65 bits: 1 to 64 are possible
        k: it uses a leaky look-up: the name must end in _vartime
        k: b: there is no type w65
        k: a range of b does not fit its type
        k: b: there is no type d7
        k: a range of b does not fit its type
        k: b: there is no type f30
        k: a range of b does not fit its type
        k: b: there is no type m129
        k: a range of b does not fit its type
        k: b has 0 elements: 1 to 1048576 are possible
        k: a range of b does not fit its type
        k: the table u has 1 entries for 2 elements
        k: an entry of the table u lies outside of its range
        k: a disjoint pair is not a written parameter and another one
        k: the range of %0 does not fit its type
    "#]]
    .assert_eq(&report(&all));
    let mut kernel = Kernel::parse(&with("", COPY)).unwrap();
    kernel.name = "2k".into();
    kernel.arrays[0].name = "a b".into();
    kernel.arrays[2].name = "a".into();
    kernel.arrays[1].ranges = vec![];
    let all: Vec<String> = verify(&kernel).unwrap_err().iter().map(|d| d.to_string()).collect();
    expect![[r#"
        2k: the name "2k" is not an identifier
        2k: the array name "a b" is not an identifier
        2k: a has 0 ranges for 2 elements
        2k: two arrays are called a"#]]
    .assert_eq(&all.join("\n"));
}

#[test]
fn values() {
    let all = [
        with("", &format!("{COPY} r[0] = %7")),
        with("", "r[0] = %0 %0: w8 = a[0] %1: w8 = a[1] r[1] = %1"),
        with("", &format!("{COPY} for i0 in 0..2 {{ %2: w8 = not %0 }} r[0] = %2")),
        with("", &format!("{COPY} for i0 in 0..0 {{ }}")),
        with("", &format!("{COPY} for i1 in 0..2 {{ }}")),
        with("", &format!("{COPY} %3: w8 <2^7 = for i0 in 0..2 carry %2: w8 = %0 {{ yield %2 }}")),
        with("", &format!("{COPY} %3: flag = for i0 in 0..2 carry %2: flag = %0 {{ yield %2 }}")),
    ];
    expect![[r#"
        k, statement 4: %7 does not exist
        k, statement 0: %0 is used before its definition
        k, statement 5: %2 is used outside of the loop that defines it
        k, statement 4: the loop never runs
        k, statement 4: the loop's counter is i1, the next free one is i0
        k, statement 4: the invariants of %2 and %3 differ
        k, statement 4: the types of the carried value %2 differ
    "#]]
    .assert_eq(&report(&all));
    let mut kernel = Kernel::parse(&with("", COPY)).unwrap();
    kernel.values.push(kernel.values[0].clone());
    kernel.body.push(kernel.body[0].clone());
    let all: Vec<String> = verify(&kernel).unwrap_err().iter().map(|d| d.to_string()).collect();
    expect![[r#"
        k, statement 4: %0 is defined twice
        k: %2 is never defined"#]]
    .assert_eq(&all.join("\n"));
}

#[test]
fn operations() {
    // `%0, %1` words, `%2` a double word, `%3` a flag, `%4` a mask, `%5` a float.
    let before =
        format!("{COPY} %2: d16 = mul_full %0, %1 %3: flag = const(1) %4: m8 = flag_to_mask %3 %5: f53 = const(3)");
    let all: Vec<String> = [
        "%6: w8 = const(256)",
        "%6: m8 = const(1)",
        "%6: w8 = add %0",
        "%6: w8, %7: w8 = add %0, %1",
        "%6: w8 = mul_wide %0, %1",
        "%6: w8 = add %0, %2",
        "%6: flag = add %3, %3",
        "%6: d16 = low_bits(17) %2",
        "%6: d16, %7: d16 = mul_wide %2, %2",
        "%6: w8 = madd_lo(9) %0, %0, %0",
        "%6: w8 = mul_full %0, %1",
        "%6: w8, %7: flag = add_carry %0, %1, %0",
        "%6: w8 = flag_to_word %4",
        "%6: m8 = flag_to_mask %4",
        "%6: w9 = mask_to_word %4",
        "%6: flag = mask_to_flag %3",
        "%6: m9 = equal %0, %1",
        "%6: w8 = select %0, %0, %1",
        "%6: w8 = select %4, %0, %2",
        "%6: f53 = and %5, %5",
        "%6: w7 = widen %0",
        "%6: d16 = narrow %0",
        "%6: w4, %7: w5 = split %0",
        "%6: d16 = join %0, %0, %0",
        "%6: f24 = bits_to_float %0",
        "%6: w8 = float_to_bits %5",
        "%6: w8 = float_add %0, %0",
        "%6: w8 = lookup(t) %3",
        "%6: w8 = lookup(a) %0",
        "%6: w9 = lookup(t) %0",
        "%6: w8 = lookup_vartime(t) %0",
        "%6: w8 = shr(1 mod) %0",
        "%6: w8 = shr(8) %0",
        "%6: w8 = shl(-1) %0",
        "%6: w8 = funnel_shift(9) %0, %1",
    ]
    .iter()
    .map(|op| with("", &format!("{before} {op}")))
    .collect();
    expect![[r#"
        k, statement 8: const: 256 does not fit the type
        k, statement 8: const: 1 does not fit the type
        k, statement 8: add: it has 1 operands instead of 2
        k, statement 8: add: it has 2 results instead of 1
        k, statement 8: mul_wide: it has 1 results instead of 2
        k, statement 8: add: operands and results must have one type
        k, statement 8: add: the operands must be integers
        k, statement 8: low_bits: 17 bits of a type of 16
        k, statement 8: mul_wide: the operands must be words
        k, statement 8: madd_lo: multiplicands of 9 bits in words of 8
        k, statement 8: mul_full: the result must be the double word
        k, statement 8: add_carry: the carry must be a flag
        k, statement 8: flag_to_word: it turns a flag into an integer
        k, statement 8: flag_to_mask: it turns a flag into a mask
        k, statement 8: mask_to_word: it turns a mask into a word of the same size
        k, statement 8: mask_to_flag: it turns a mask into a flag
        k, statement 8: equal: the result must be a mask of the operands' size
        k, statement 8: select: the first operand must be a mask
        k, statement 8: select: operands and results must have one type
        k, statement 8: and: the operands must be integers, flags or masks
        k, statement 8: widen: it turns an integer into a wider one
        k, statement 8: narrow: it turns an integer into a narrower one
        k, statement 8: split: the parts must be words of one size that make up the operand
        k, statement 8: join: the parts must be words of one size that make up the result
        k, statement 8: bits_to_float: it turns a word into a float of the same size
        k, statement 8: float_to_bits: it turns a float into a word of the same size
        k, statement 8: float_add: the operands must be floats
        k, statement 8: lookup: the index must be an integer
        k, statement 8: a look-up in a, which is no table and no local array
        k, statement 8: the entries of t are not of the result's type
        k, statement 8: a leaky look-up in a kernel that is not marked vartime
        k, statement 8: a shift amount has no array to be reduced by
        k, statement 8: shr: an amount of 8 where 0 to 7 are possible
        k, statement 8: shl: an amount of -1 where 0 to 7 are possible
        k, statement 8: funnel_shift: an amount of 9 where 0 to 8 are possible
    "#]]
    .assert_eq(&report(&all));
}

#[test]
fn memory() {
    let all = [
        with("", &format!("{COPY} %2: w8 = a[2]")),
        with("", &format!("{COPY} for i0 in 0..3 {{ %2: w8 = a[i0] }}")),
        with("", &format!("{COPY} for i0 in 0..3 {{ %2: w8 = a[i0 + t[i0] - 1] }}")),
        with("", &format!("{COPY} %2: w8 = a[t[3]]")),
        with("", &format!("{COPY} %2: w8 = a[i0]")),
        with("", &format!("{COPY} %2: w8 = a[r[0]]")),
        with("", &format!("{COPY} a[0] = %0")),
        with("", &format!("{COPY} t[0] = %0")),
        with("output s: 1 x flag", &format!("{COPY} s[0] = %0")),
        with("", "%0: w9 = a[0] r[0] = %0 r[1] = %0"),
        with("", "%0: w8 = a[0] r[0] = %0"),
        with("", "%0: w8 = r[0] r[0] = %0 r[1] = %0"),
        with("local l: 2 x w8", "%0: w8 = a[0] l[0] = %0 %1: w8 = l[1] r[0] = %1 r[1] = %1"),
        with("local l: 2 x w8", "%0: w8 = a[0] l[0] = %0 %1: w8 = lookup(l) %0 r[0] = %1 r[1] = %1"),
        with("ghost g: 1 x w8", COPY),
        with("ghost g: 1 x w8", &format!("{COPY} g[0] = %0 %2: w8 = g[0]")),
        with("", "%0: w8 = a[0] r[0] = %0 r[1] = %0 %1: w8 = a[1]"),
        with("inout b: 2 x w8", &format!("{COPY} b[1] = %0 %2: w8 = a[1]")),
        with("", &format!("{COPY} for i0 in 0..8000 {{ for i1 in 0..8000 {{ %2: w8 = not %0 %3: w8 = not %1 }} }}")),
    ];
    expect![[r#"
        k, statement 4: the index 2 is outside of a, which has 2 elements
        k, statement 4.0: the index 2 is outside of a, which has 2 elements
        k: a[0] is read after r[0] is written, and r may be a: say that they are disjoint, or read first
        k, statement 4.0: the index -1 is outside of a, which has 2 elements
        k, statement 4.0: the index 3 is outside of a, which has 2 elements
        k: a[1] is read after r[1] is written, and r may be a: say that they are disjoint, or read first
        k, statement 4: an index of a uses a table outside of its entries
        k, statement 4: counter i0 is used outside of its loop
        k, statement 4: an index uses an array that is no table
        k, statement 4: a is written, but it is an input
        k, statement 4: t is written, but it is a table
        k, statement 4: the elements of s are not of the type of %0
        k, statement 0: the elements of a are not of the result's type
        k, statement 1: the elements of r are not of the type of %0
        k, statement 2: the elements of r are not of the type of %0
        k: r[1] is never written
        k, statement 0: r[0] is read before it is written
        k, statement 2: l[1] is read before it is written
        k, statement 2: l[1] is read before it is written
        k: g[0] is never written
        k, statement 5: the ghost g is read
        k: a[1] is read after r[1] is written, and r may be a: say that they are disjoint, or read first
        k: a[1] is read after r[1] is written, and r may be a: say that they are disjoint, or read first
        k: a[1] is read after b[1] is written, and b may be a: say that they are disjoint, or read first
        k: the unrolled kernel has more than 16777216 steps
    "#]]
    .assert_eq(&report(&all));
}

#[test]
fn calls() {
    let call =
        |declarations: &str, body: &str| format!("{CALLEE}{}", with(&format!("{declarations} callees @0"), body));
    let swap = "kernel @0 f: word 8 { output out: 2 x w8 input v: 2 x w8 DISJOINT %0: w8 = v[0] %1: w8 = v[1] out[0] = %1 out[1] = %0 }\n";
    let swapped = |disjoint: &str, declarations: &str, body: &str| {
        format!("{}{}", swap.replace("DISJOINT", disjoint), with(&format!("{declarations} callees @0"), body))
    };
    let all = [
        call("", "call 0 f(r)"),
        call("input b: 1 x w9", &format!("{COPY} call 0 f(r, b)")),
        call("", &format!("{COPY} call 0 f(a, r)")),
        call("ghost g: 2 x w8", &format!("{COPY} g[1] = %0 call 0 f(g, a)")),
        call("ghost g: 1 x w8", &format!("{COPY} g[0] = %0 call 0 f(r, g)")),
        call("", &format!("{COPY} call 0 f(r[2..], a)")),
        call("", &format!("{COPY} call 0 f(r, a[0.. by a])")),
        call("", "call 0 f(r, a)"),
        call("", "call 0 f(r[1..], r) call 0 f(r, a)"),
        // Exactly the same view is fine for a callee that reads first, a part of it is not.
        swapped("", "", "call 0 f(r, a)"),
        swapped("", "local l: 3 x w8", &format!("{COPY} l[0] = %0 l[1] = %0 l[2] = %0 call 0 f(l, l)")),
        swapped("", "local l: 3 x w8", &format!("{COPY} l[0] = %0 l[1] = %0 l[2] = %0 call 0 f(l[1..], l)")),
        swapped("disjoint out v", "local l: 3 x w8", &format!("{COPY} l[0] = %0 l[1] = %0 l[2] = %0 call 0 f(l, l)")),
        // The caller's output may be its input: views of both count as overlapping.
        swapped("disjoint out v", "", "call 0 f(r, a)"),
        swapped("disjoint out v", "disjoint r a", "call 0 f(r, a)"),
        swapped("", "", "call 0 f(r, a[1 mod ..])"),
        swapped("", "local l: 1 x w8", &format!("{COPY} l[0] = %0 call 0 f(l[0 mod ..], r)")),
        format!("kernel @0 f: word 8 {{ output out: 1 x w8 }}\n{}", with("callees @0", COPY)),
        format!("kernel @0 f_vartime: word 8 vartime {{ }}\n{}", with("callees @0", COPY)),
    ];
    expect![[r#"
        k, statement 0: f has 2 parameters, not 1
        k, statement 4: b and the parameter v of f have different types
        k, statement 4: a cannot be the parameter out of f: wrong kind
        k, statement 5: g cannot be the parameter out of f: wrong kind
        k, statement 5: g cannot be the parameter v of f: wrong kind
        k, statement 4: the index 2 is outside of r, which has 2 elements
        k, statement 4: the order of a view uses an array that is no table
        k: r[1] is never written
        k, statement 0: r[0] is read before it is written
        none
        none
        k, statement 7: the views of out and v may overlap in a way that f does not allow
        k, statement 7: the views of out and v may overlap in a way that f does not allow
        k, statement 0: the views of out and v may overlap in a way that f does not allow
        none
        k, statement 0: the views of out and v may overlap in a way that f does not allow
        k, statement 5: the view of out, which f writes, shows an element twice
        f: out[0] is never written
        k: it calls a variable-time kernel and is not marked vartime
    "#]]
    .assert_eq(&report(&all));
    let mut kernel = Kernel::parse(&call("", "call 0 f(r, a) call 0 f(r[1..], a[1..])")).unwrap();
    assert_eq!(verify(&kernel), Ok(()));
    kernel.callees.clear();
    let all: Vec<String> = verify(&kernel).unwrap_err().iter().map(|d| d.to_string()).collect();
    expect![[r#"
        k, statement 0: callee 0 does not exist
        k, statement 1: callee 0 does not exist"#]]
    .assert_eq(&all.join("\n"));
}

#[test]
fn contracts() {
    let given = "given x <= 255 = a[0] * 2^0 max 255";
    let all: Vec<String> = [
        "given x <= -1 = a[0] * 2^0 max 255",
        "given x <= 255 = nothing",
        "given x <= 255 = a[0] * 2^0 max -1",
        "given x <= 255 = a[2] * 2^0 max 255",
        "given x <= 255 = r[0] * 2^0 max 255",
        "given x <= 255 = a[1] * 2^8 max 255 + a[0] * 2^0 max 255",
        "gives y <= 255 = a[0] * 2^0 max 255: step s",
        "gives y <= 255 = r[0] * 2^0 max 255: value 1 it = #1",
        "gives y <= 255 = r[0] * 2^0 max 255: value 1 it = x mod 0",
        "gives y <= 255 = r[0..2] * 2^0 step 8 max 255: zero x",
        "gives y <= 1 = r[0] * 2^0 max 1: equal x #1",
        "gives y <= 255 = r[0] * 2^0 max 255: power #1 ^ 3 factor 1 mod 5",
        "gives y <= 255 = r[0] * 2^0 max 255: power x ^ 3 factor 1 mod -5",
        "gives y <= 1 = r[0] * 2^0 max 1: bilinear ((0))",
        "gives y <= 255 = r[0] * 2^0 max 255: linear ((0))",
    ]
    .iter()
    .map(|claim| with(&if claim.starts_with("given") { claim.to_string() } else { format!("{given} {claim}") }, COPY))
    .collect();
    let bit = |claims: &str| with(&format!("given x <= 1 = a[0] * 2^0 max 1 {claims}"), COPY);
    let bits = [
        bit("gives y <= 1 = r[0] * 2^0 max 1: linear ((0), (0))"),
        bit("gives y <= 1 = r[0] * 2^0 max 1: linear ((1))"),
        bit("given z <= 1 = a[1] * 2^0 max 1 gives y <= 3 = r[0..2] * 2^0 step 1 max 1: rotating ((0))"),
    ];
    expect![[r#"
        k: the bound of x is negative
        k: x has no digits
        k: the maximum of a digit of x is negative
        k: a digit of x is no element of an input
        k: a digit of x is no element of an input
        k: the weights of x do not ascend: every digit needs a weight of its own
        k: a digit of y is no element of an output
        k: the promise about y: there is no input number 1
        k: the promise about y: the modulus is not positive
        k: the promise about y: a truth value has one digit
        k: the promise about y: there is no input number 1
        k: the promise about y: there is no input number 1
        k: the promise about y: the modulus is not positive
        k: the promise about y: the map has 2 inputs, the contract 1
        k: the promise about y: the map has 1 images instead of 8
        k: the promise about y: the map has 2 images instead of 1
        k: the promise about y: an image has a coordinate beyond the output
        k: the promise about y: a rotating map has as many coordinates on each side
    "#]]
    .assert_eq(&(report(&all) + &report(&bits)));
}

#[test]
fn recurrences() {
    let given = "given x <= 255 = a[0] * 2^0 max 255 given z <= 255 = a[1] * 2^0 max 255";
    let iterate = |text: &str| with(&format!("{given} gives y <= 255 = r[0] * 2^0 max 255: iterate {text}"), COPY);
    // Inputs #0 and #1, two components #2 and #3, one bit #4.
    let right = "1 of 3 steps mod 5 from (x, 1) bits (z 2 -1) by (#2*#3, x + #3*#4)";
    assert_eq!(defects(&iterate(right)), "none\n");
    let all: Vec<String> = [
        // The state.
        right.replacen('1', "2", 1),
        right.replace("(x, 1)", "(x)"),
        right.replace("(x, 1)", "(x, 1, 1)"),
        "0 of 3 steps mod 5 from () bits () by ()".to_string(),
        // Steps and modulus.
        right.replace("of 3", "of 0"),
        right.replace("mod 5", "mod 0"),
        right.replace("mod 5", "mod -5"),
        // Bits: of no input; below bit 0 in the last step; above any weight in the first or in the last one.
        right.replace("z 2 -1", "#2 2 -1"),
        right.replace("z 2 -1", "z 1 -1"),
        right.replace("z 2 -1", "z 2000000 1"),
        right.replace("z 2 -1", "z 2 1000000"),
        // A start speaks of inputs alone, a step of what there is.
        right.replace("(x, 1)", "(x, #2)"),
        right.replace("#3*#4", "#3*#5"),
    ]
    .iter()
    .map(|text| iterate(text))
    .collect();
    let state = "k: the promise about y: the state has";
    let expected = [
        format!("{state} 2 components, 2 of them start"),
        format!("{state} 2 components, 1 of them start"),
        format!("{state} 2 components, 3 of them start"),
        format!("{state} 0 components, 0 of them start"),
    ];
    let steps = "k: the promise about y: a recurrence has steps and a positive modulus".to_string();
    let bits = "k: the promise about y: a step's bit is none of an input number".to_string();
    let factors = "k: the promise about y: the factors of a monomial do not exist or are not sorted".to_string();
    let found: Vec<String> = report(&all).lines().map(str::to_string).collect();
    let expected = [&expected[..], &vec![steps; 3], &vec![bits; 4], &vec![factors.clone(); 2]].concat();
    assert_eq!(found, expected);
    // Factors out of order are no text.
    for start in [true, false] {
        let mut kernel = Kernel::parse(&iterate(right)).unwrap_or_else(|e| panic!("{e}"));
        let Claim::Iterate { recurrence, .. } = &mut kernel.contract.claims[0] else { panic!("a recurrence") };
        let r = Arc::make_mut(recurrence);
        let list = if start { &mut r.start } else { &mut r.step };
        list[0].0.push((1.into(), vec![1, 0]));
        let defects: Vec<String> = verify(&kernel).unwrap_err().iter().map(|d| d.to_string()).collect();
        assert_eq!(defects, std::slice::from_ref(&factors));
    }
}
