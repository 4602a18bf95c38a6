//! Towers, curves and pairings at the command line: answers by the reference, and what is said where there are no kernels.

use crate::common::{Place, documented};
use expect_test::{Expect, expect};

/// What has exact arithmetic and no kernels.
const WITHOUT: &str = "curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1)";

const BASE: &str = "[0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296, 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5]";

/// The answers of the reference; kernels that are not there are null.
#[test]
fn the_reference_answers() {
    let place = Place::new();
    let [x, y] = [BASE, BASE]
        .map(|base| base.trim_matches(['[', ']']).to_owned())
        .map(|base| base.split(", ").map(str::to_owned).collect::<Vec<_>>());
    let (x, y) = (x[0].clone(), y[1].clone());
    let cases: &[(&str, &str, &[&str], &str)] = &[
        ("curve:p256", "mul", &["1"], BASE),
        ("curve:p256", "mul", &["1", BASE], BASE),
        ("curve:p256", "mul", &["0x1", &x, &y], BASE),
        ("curve:p256", "mul_base", &["0"], "infinity"),
        ("curve:p256", "sub", &[&x, &y, &x, &y], "infinity"),
        ("curve:p256", "add", &["infinity", BASE], BASE),
        ("curve:p256", "neg", &["infinity"], "infinity"),
        ("curve:p256", "equal", &[BASE, "infinity"], "0"),
        ("curve:p256", "selectznz", &["1", "infinity", BASE], BASE),
        (
            "curve:secp256k1",
            "mul",
            &["2"],
            "[0xc6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5, 0x1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a]",
        ),
        ("curve:25519", "ladder", &["1", "9"], "0x9"),
        (
            "curve:25519",
            "x25519",
            &[
                "0xc49a44ba44226a50185afcc10a4c1462dd5e46824b15163b9d7c52f06be346a5",
                "0x4c1cabd0a603a9103b35b326ec2466727c5fb124a4c19435db3030586768dbe6",
            ],
            "0x5285a2775507b454f7711c4903cfec324f088df24dea948e90c6e99d3755dac3",
        ),
        ("curve:448", "ladder", &["8", "0"], "0x0"),
        ("curve:y^2=x^3+2x+3@97", "double", &["3", "6"], "[0x50, 0xa]"),
        (
            "bls12-381-fp2",
            "mul",
            &["[1, 2]", "[3, 4]"],
            "[0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaa6, 0xa]",
        ),
        ("101[w]/(w^2-w+1)", "pow_6", &["[0, 1]"], "[0x1, 0x0]"),
        ("101[w]/(w^2-w+1)", "frobenius", &["[0, 1]"], "[0x1, 0x64]"),
        ("101[w]/(w^2-w+1)", "conjugate", &["[5, 1]"], "[0x6, 0x64]"),
        ("101[w]/(w^2-w+1)", "inv", &["2"], "[0x33, 0x0]"),
        ("pairing:ss-b160", "pairing", &["infinity", "infinity"], "[[0x1, 0x0], [0x0, 0x0], [0x0, 0x0]]"),
    ];
    let mut kernels = 0;
    for (field, operation, operands, expected) in cases {
        let mut arguments = vec!["eval", field, operation];
        arguments.extend(*operands);
        arguments.push("--json");
        let json = place.run(&arguments).ended(0).json();
        assert_eq!(json["reference"].as_str(), Some(*expected), "{field} {operation} {operands:?}");
        if json["kernel"].is_null() {
            assert!(["agree", "plan"].iter().all(|name| json[*name].is_null()), "{json}");
        } else {
            assert!(json["kernel"] == json["reference"] && json["agree"] == true && json["plan"].is_string(), "{json}");
            kernels += 1;
        }
        documented(&json);
    }
    assert!(kernels > 9, "{kernels}: products of towers and points of curves over prime fields have kernels");
}

/// Text in, text out.
#[track_caller]
fn answered(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&Place::new().run(arguments).ok());
}

#[test]
fn answers_as_text() {
    answered(
        &["eval", "curve:y^2=x^3+2x+3@97,base=[3,6],order=5,cofactor=20", "mul", "3"],
        expect![[r#"
            scalar_mul in curve:y^2=x^3+2*x+3@97,base=[0x3,0x6],order=0x5,cofactor=0x14
              k = 0x3
              p = [0x3, 0x6]
            reference  [0x50, 0x57]
            kernel     [0x50, 0x57]
                       windows/1x64, interpreted, proved: k < 2^7, p0, p1, p2 ≤ 1.500·2^6 → out0 ≤ 1.500·2^6, one step of windows; out1 ≤ 1.500·2^6, one step of windows; out2 ≤ 1.500·2^6, one step of windows
                       (made of the operations chosen here)
        "#]],
    );
    answered(
        &["eval", "7[u]/(u^2+1)", "square", "[1, 2]"],
        expect![[r#"
            square in 7[u]/(u^2+1)
              a = [0x1, 0x2]
            reference  [0x4, 0x4]
            kernel     [0x4, 0x4]
                       quadratic-schoolbook-square/1x64, machine code, proved: a0, a1 < p → out0 < p, out0 ≡ a0·a0 − a1·a1; out1 < p, out1 ≡ 2^1·a0·a1
                       (made of the operations chosen here)
        "#]],
    );
    answered(
        &["explain", "curve:y^2=x^3+2x+3@97"],
        expect![[r#"
            curve:y^2=x^3+2*x+3@97
            a group: the points of the short Weierstrass curve y^2 = x^3 + a*x + b over 97
            elements: points, as [x, y]; infinity is the neutral element

            1x64: 1 saturated digit in 64-bit words, plain form
               operation   plans  bound  products  additions  moves  plan of least bound
               add             1  187.9       130        238    505  addition-by-cases
               opp             1   2.00         0          2     10  opposite
               selectznz       1   2.34         0          0     10  select-point
               double          1   82.7        55        118    211  complete-doubling
               scalar_mul      1   1669      1090       2165   4538  windows

            montgomery-1x64: 1 saturated digit in 64-bit words, Montgomery form, R = 2^64
               operation   plans  bound  products  additions  moves  plan of least bound
               add             1  105.7        78        160    351  addition-by-cases
               opp             1   2.00         0          2     10  opposite
               selectznz       1   2.34         0          0     10  select-point
               double          1   48.3        33         85    148  complete-doubling
               scalar_mul      1  983.3       654       1511   3264  windows

            montgomery-1x64-lazy: 1 saturated digit in 64-bit words, Montgomery form, R = 2^64
               operation  plans  bound  products  additions  moves  plan of least bound
               opp            1   2.00         0          2     10  opposite
               selectznz      1   2.34         0          0     10  select-point
               double         1   42.8        33         74    137  complete-doubling

            1x32: 1 saturated digit in 32-bit words, plain form
               operation   plans  bound  products  additions  moves  plan of least bound
               add             1  187.9       130        238    505  addition-by-cases
               opp             1   2.00         0          2     10  opposite
               selectznz       1   2.34         0          0     10  select-point
               double          1   82.7        55        118    211  complete-doubling
               scalar_mul      1   1669      1090       2165   4538  windows

            montgomery-1x32: 1 saturated digit in 32-bit words, Montgomery form, R = 2^32
               operation   plans  bound  products  additions  moves  plan of least bound
               add             1  105.7        78        160    351  addition-by-cases
               opp             1   2.00         0          2     10  opposite
               selectznz       1   2.34         0          0     10  select-point
               double          1   48.3        33         85    148  complete-doubling
               scalar_mul      1  983.3       654       1511   3264  windows

            montgomery-1x32-lazy: 1 saturated digit in 32-bit words, Montgomery form, R = 2^32
               operation  plans  bound  products  additions  moves  plan of least bound
               opp            1   2.00         0          2     10  opposite
               selectznz      1   2.34         0          0     10  select-point
               double         1   42.8        33         74    137  complete-doubling

            bound: least cycles per element as scalar x86-64 by the costs of Golden Cove, as EVARISTE_CORE asks (see `evariste list targets`); counts are those of the plan of least bound.
            Next: `evariste tune` measures, `evariste show plans` lists every plan.
        "#]],
    );
    let text = Place::new().run(&["list", "operations", "curve:sect233r1"]).ok();
    let line = " 4x64    scalar_mul mul_base ladder in_subgroup from_uncompressed to_uncompressed public_key ecdh\n";
    assert!(text.contains(line), "{text}");
}

/// What is wrong, and what would work.
#[track_caller]
fn refused(arguments: &[&str], expected: Expect) {
    let run = Place::new().run(arguments).ended(2);
    assert_eq!(run.out, "");
    expected.assert_eq(&run.err);
}

#[test]
fn wrong_operands() {
    refused(
        &["eval", "curve:p256", "double"],
        expect![[r#"
        error: `double` takes 1 operand (a), and got 0 texts
        help: a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates
    "#]],
    );
    refused(
        &["eval", "curve:p256", "mul"],
        expect![[r#"
        error: `scalar_mul` takes 2 operands (k, p), and got 0 texts
        help: a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates
    "#]],
    );
    refused(
        &["eval", "curve:p256", "mul", "1", "2"],
        expect![[r#"
            error: nothing follows `2`, the first half of p
            help: a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates
        "#]],
    );
    refused(
        &["eval", "curve:p256", "mul", "1", "2", "3"],
        expect![[r#"
        error: the point is not on curve:p256
          | 2, 3
          | ^^^^
        help: its coordinates do not fulfil y^2=x^3-3*x+0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b
    "#]],
    );
    refused(
        &["eval", "curve:p256", "add", "infinity", BASE, "7"],
        expect![[r#"
        error: `add` takes 2 operands (a, b), and got 3 texts
        help: a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates
    "#]],
    );
    refused(
        &["eval", "curve:p256", "ladder", "1", "2"],
        expect![[r#"
            error: there is no operation on numbers `ladder`
            help: curve:p256 has add (a, b), opp (a), selectznz (flag, a, b), double (a), scalar_mul (k, p), mul_base (k), double_scalar_mul (k, p, l), map_to_curve (u), sub (a, b), equal (a, b)
        "#]],
    );
    refused(
        &["eval", "curve:p256", "square", BASE],
        expect![[r#"
            error: there is no operation on numbers `square`
            help: curve:p256 has add (a, b), opp (a), selectznz (flag, a, b), double (a), scalar_mul (k, p), mul_base (k), double_scalar_mul (k, p, l), map_to_curve (u), sub (a, b), equal (a, b)
        "#]],
    );
    refused(
        &["eval", "7[u]/(u^2+1)", "mul", "[1, 2]"],
        expect![[r#"
        error: `mul` takes 2 operands (a, b), and got 1 text
        help: a point is [X, Y], or X and Y, or infinity; an element of a tower is a list of coordinates
    "#]],
    );
    refused(
        &["eval", "7[u]/(u^2+1)", "mul", "[1, 7]", "2"],
        expect![[r#"
        error: 7 is no element of 7: it is too large
          | [1, 7]
          |     ^
        help: write a number below the modulus, which has 3 bits
    "#]],
    );
    refused(
        &["eval", "7[u]/(u^2+1)", "affine_mod_2_3", "1", "2", "3"],
        expect![[r#"
            error: there is no operation on numbers `affine_mod_2_3`
            help: 7[u]/(u^2+1) has mul (a, b), square (a), add (a, b), sub (a, b), opp (a), inv (a), frobenius (a), conjugate (a), is_zero (a), equal (a, b), pow_HEX (a)
        "#]],
    );
    refused(
        &["eval", WITHOUT, "double", "infinity", "--layout", "1x64"],
        expect![[r#"
            error: curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1) has exact arithmetic, but no kernels yet: there is nothing to measure, to show or to emit
            help: `evariste eval "curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1)" OP …` answers by the reference; curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1) has add, sub, opp, double, equal, scalar_mul
        "#]],
    );
    refused(
        &["eval", "pairing:bls12-381", "pairing", "[0, 2]", "infinity"],
        expect![[r#"
        error: the point is on curve:bls12-381-g1, but no multiple of its base point
          | [0, 2]
          | ^^^^^^
        help: multiply it by the cofactor first
    "#]],
    );
}

#[test]
fn commands_that_need_kernels() {
    for arguments in [
        &["tune", WITHOUT][..],
        &["emit", WITHOUT, "-o", "out"],
        &["show", "plans", WITHOUT],
        &["list", "layouts", WITHOUT],
        &["rankings", WITHOUT],
    ] {
        let run = Place::new().run(arguments).ended(2);
        assert!(run.err.contains("has exact arithmetic, but no kernels yet"), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("help: `evariste eval"), "{arguments:?}: {}", run.err);
    }
    refused(
        &["tune", WITHOUT],
        expect![[r#"
            error: curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1) has exact arithmetic, but no kernels yet: there is nothing to measure, to show or to emit
            help: `evariste eval "curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1)" OP …` answers by the reference; curve:y^2=x^3+2*x+3@101[w]/(w^2-w+1) has add, sub, opp, double, equal, scalar_mul
        "#]],
    );
}

#[test]
fn lists() {
    let place = Place::new();
    let text = place.run(&["list", "fields"]).ok();
    assert!(
        ["bls12-381-fp12", "curve:sect571r1", "pairing:bn254", "ss-b160-fp"].iter().all(|name| text.contains(name)),
        "{text}"
    );
    let json = place.run(&["list", "fields", "--json"]).ended(0).json();
    documented(&json);
    for (key, count) in [("kinds", 9), ("towers", 12), ("curves", 68), ("pairings", 4), ("ciphers", 3), ("macs", 5)] {
        assert_eq!(json[key].as_array().map(Vec::len), Some(count), "{key}");
    }
    for command in [&["explain", WITHOUT][..], &["list", "operations", WITHOUT]] {
        let json = place.run(&[command, &["--json"]].concat()).ended(0).json();
        documented(&json);
        assert!(json["reference"].as_array().is_some_and(|list| list.len() > 5), "{json}");
    }
}
