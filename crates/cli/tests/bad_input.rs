//! What people get wrong: a clear error, an exit code, nothing lost, no panic.

use crate::common;

use crate::common::Place;
use expect_test::{Expect, expect};

/// The error of a run that ends with this code, with nothing on standard output.
#[track_caller]
fn refused(arguments: &[&str], code: i32, expected: Expect) {
    let place = Place::new();
    let run = place.run(arguments).ended(code);
    assert_eq!(run.out, "");
    expected.assert_eq(&run.err);
    // The same as JSON, on standard output.
    let json = place.run(&[arguments, &["--json"]].concat()).ended(code);
    assert_eq!(json.err, "");
    let error = &json.json()["error"];
    assert_eq!(error["kind"], if code == 2 { "usage" } else { "failure" });
    let message = error["message"].as_str().expect("a message");
    assert!(!message.is_empty() && run.err.contains(message.lines().next().expect("a line")), "{message}\n{}", run.err);
    assert!(error["help"].is_array());
    common::documented(&json.json());
}

#[test]
fn descriptions() {
    refused(
        &["tune", ""],
        2,
        expect![[r#"
        error: the description is empty
          | 
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2
    "#]],
    );
    refused(
        &["explain", "2^"],
        2,
        expect![[r#"
        error: a number is missing after “^”
          | 2^
          |   ^
        help: write a number or a group in parentheses, as in 2^255 - 19
    "#]],
    );
    refused(
        &["tune", "p257"],
        2,
        expect![[r#"
        error: there is no field called “p257”
          | p257
          | ^^^^
        help: did you mean p256?
    "#]],
    );
    refused(
        &["emit", "2^255 - 2^256", "-o", "out"],
        2,
        expect![[r#"
        error: negative: the modulus would be minus a number of 256 bits
          | 2^255 - 2^256
          | ^^^^^^^^^^^^^
        help: write a modulus of at least 3
    "#]],
    );
    refused(
        &["eval", "2^5000 - 3", "mul", "1", "2"],
        2,
        expect![[r#"
            error: too large: the modulus has 5000 bits
              | 2^5000 - 3
              | ^^^^^^^^^^
            help: write a modulus whose elements have 2 to 4096 bits
        "#]],
    );
    refused(
        &["list", "layouts", "GF(2^128):onb2"],
        2,
        expect![[r#"
        error: there is no normal basis of type 2 for the degree 128: 2*128 + 1 = 257 is prime, but the powers of 2 are too few modulo it
          | GF(2^128):onb2
          |    ^^^^^
        help: no Gaussian normal basis exists for 128: 8 divides it
        help: the nearest with type 2: GF(2^119):onb2 and GF(2^131):onb2
    "#]],
    );
}

#[test]
fn a_span_points_at_the_fault() {
    let error = Place::new().run(&["explain", "2^255 - 1x9", "--json"]).ended(2).json();
    let (text, span) = (error["error"]["text"].as_str().expect("text"), &error["error"]["span"]);
    let (start, end) = (span[0].as_u64().expect("start") as usize, span[1].as_u64().expect("end") as usize);
    assert_eq!(text, "2^255 - 1x9");
    assert!(text[start..end].contains('x'), "{span}");
}

#[test]
fn operations_and_operands() {
    refused(
        &["eval", "p256", "multiply", "3", "5"],
        2,
        expect![[r#"
            error: there is no operation on numbers `multiply`
            help: did you mean mul? p256 has mul (a, b), square (a), add (a, b), sub (a, b), opp (a), selectznz (flag, a, b), is_zero (a), equal (a, b), inv (a), sqrt (a), is_square (a), affine (a, x, b), to_montgomery (a), from_montgomery (a)
        "#]],
    );
    refused(
        &["eval", "p256", "mul", "3"],
        2,
        expect![[r#"
        error: `mul` takes 2 operands (a, b), and got 1
    "#]],
    );
    refused(
        &["eval", "p256", "square", "3", "4"],
        2,
        expect![[r#"
        error: `square` takes 1 operand (a), and got 2
    "#]],
    );
    refused(
        &["eval", "p256", "mul", "3", "five"],
        2,
        expect![[r#"
        error: the word “five” cannot be part of an expression
          | five
          | ^^^^
        help: an expression has numbers, + - * ^ and parentheses; a name stands alone
    "#]],
    );
    refused(
        &["eval", "p256", "mul", "3", ""],
        2,
        expect![[r#"
        error: the number is empty
          | 
          | ^
        help: write a number such as 5, 0x1f or 2^255 - 20
    "#]],
    );
    refused(
        &["eval", "p256", "to_bytes", "3"],
        2,
        expect![[r#"
            error: there is no operation on numbers `to_bytes`
            help: p256 has mul (a, b), square (a), add (a, b), sub (a, b), opp (a), selectznz (flag, a, b), is_zero (a), equal (a, b), inv (a), sqrt (a), is_square (a), affine (a, x, b), to_montgomery (a), from_montgomery (a)
        "#]],
    );
    refused(
        &["eval", "int32", "mul", "2^32", "1"],
        2,
        expect![[r#"
        error: 4294967296 is out of range: int32 has elements of 32 bits
        help: write a number of 0 to 2^32 - 1
    "#]],
    );
    refused(
        &["eval", "int32", "mul", "-1", "1"],
        2,
        expect![[r#"
        error: -1 is out of range: it is negative
        help: write a number of 0 to 2^32 - 1
    "#]],
    );
    refused(
        &["eval", "int32", "inv", "1"],
        2,
        expect![[r#"
        error: there is no operation on numbers `inv`
        help: int32 has mul (a, b), square (a), selectznz (flag, a, b)
    "#]],
    );
    refused(
        &["eval", "GF(2^5):onb2", "mul", "32", "1"],
        2,
        expect![[r#"
        error: 32 is out of range: GF(2^5):onb2 has elements of 5 bits
        help: write a number of 0 to 2^5 - 1
    "#]],
    );
}

#[test]
fn layouts_and_plans() {
    refused(
        &["eval", "2^61-1", "mul", "3", "5", "--layout", "5x51"],
        2,
        expect![[r#"
            error: there is no layout `5x51`
            help: mersenne61 has 1x64, 1x64-redundant, montgomery-1x64, montgomery-1x64-lazy, 1x61, 2x32, 2x32-redundant, montgomery-2x32, montgomery-2x32-lazy, 3x21-w32
        "#]],
    );
    refused(
        &["show", "plans", "int64", "--plan", "barrett"],
        2,
        expect![[r#"
        error: no plan for mul in int64 has that name
        help: leave out --plan and --layout to see all
    "#]],
    );
    refused(
        &["emit", "int64", "--plan", "mul", "-o", "out"],
        2,
        expect![[r#"
        error: `mul` is not OPERATION=NAME
        help: write --plan mul=ALGORITHM; `evariste show plans int64` lists them
    "#]],
    );
    refused(
        &["emit", "int64", "--ops", ",", "-o", "out"],
        2,
        expect![[r#"
        error: --ops names no operation
        help: write names with commas, such as --ops mul,square; without --ops all are emitted
    "#]],
    );
    refused(
        &["emit", "int64", "--ops", "add", "-o", "out"],
        2,
        expect![[r#"
        error: no operation `add` for int64 in layout 1x64
        help: it has mul, square, selectznz
    "#]],
    );
    let languages: Vec<&str> = evariste::LANGUAGES.iter().map(|l| l.name).collect();
    let run = Place::new().run(&["emit", "int64", "--lang", "cobol", "-o", "out"]).ended(2);
    assert_eq!(run.err, format!("error: no language `cobol`\nhelp: the languages are {}\n", languages.join(", ")));
    refused(
        &["emit", "int64", "--prefix", "64bit!", "-o", "out"],
        2,
        expect![[r#"
        error: `64bit!` cannot be the prefix: it must start with a letter and hold only letters, digits and underscores
        help: try `f64bit`
    "#]],
    );
}

#[test]
fn a_plan_that_does_not_exist_is_answered_with_those_that_do() {
    let run = Place::new().run(&["show", "kernel", "2^61-1", "--layout", "1x61", "--plan", "schoolbook"]).ended(2);
    assert!(
        run.err.starts_with(
            "error: no algorithm for `mul` in `mersenne61`: no plan `schoolbook` in layout 1x61\nhelp: it has fold, "
        ),
        "{}",
        run.err
    );
}

#[test]
fn arguments() {
    refused(
        &["tune", "p256", "--word", "16"],
        2,
        expect![[r#"
        error: invalid value '16' for '--word <64|32>'
          [possible values: 64, 32]

        For more information, try '--help'.
    "#]],
    );
    refused(
        &["factor", "91"],
        2,
        expect![[r#"
        error: unrecognized subcommand 'factor'

          tip: a similar subcommand exists: 'doctor'

        Usage: evariste [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]],
    );
    refused(
        &["emit", "p256"],
        2,
        expect![[r#"
        error: the following required arguments were not provided:
          --output <DIR>

        Usage: evariste emit --output <DIR> <FIELD>

        For more information, try '--help'.
    "#]],
    );
    refused(
        &["show", "gold", "p256"],
        2,
        expect![[r#"
            error: invalid value 'gold' for '<WHAT>'
              [possible values: plans, kernel, ranges, proof, c, program, asm, estimates, schedule, contract]

            For more information, try '--help'.
        "#]],
    );
    refused(
        &["tune", "p256", "--only", "schoolbook"],
        2,
        expect![[r#"
            error: no plan of p256 contains schoolbook
            help: `evariste show plans 'p256'` lists them
        "#]],
    );
}

#[test]
fn nothing_at_all_is_answered_with_help() {
    let run = Place::new().run(&[]).ended(2);
    assert!(run.err.starts_with("error: a command is missing\n"), "{}", run.err);
    assert!(run.err.contains("tune") && run.err.contains("Examples:"));
}

#[test]
fn long_and_strange_texts() {
    let long = "9".repeat(20_000);
    let deep = "(".repeat(5_000);
    for field in
        [long.as_str(), deep.as_str(), "2^2^2^2^2^2", "💥", "\u{0}".trim_end_matches('\u{0}'), "-", "GF(", "0x", "1"]
    {
        for arguments in [vec!["explain", field], vec!["eval", "p256", "mul", "1", field]] {
            let run = Place::new().run(&arguments);
            let number = field == "1" && arguments[0] == "eval";
            assert_eq!(run.code, Some(if number { 0 } else { 2 }), "{run:#?}");
            assert!(number || run.err.starts_with("error: ") && run.err.len() < 1200, "{}", run.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let output = place
        .command(&["explain"])
        .arg(std::ffi::OsStr::from_bytes(b"p\xff256"))
        .arg("--json")
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

/// A reader that goes away is no error.
#[test]
fn a_closed_pipe() {
    let place = Place::new();
    let mut child = place
        .command(&["explain", "p256"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn vectors_of_arrays() {
    refused(
        &["emit", "p256", "--lanes", "neon", "--ops", "mul", "-o", "out"],
        2,
        expect![[r#"
        error: no vectors `neon` for arrays
        help: C has avx2 and avx-512
    "#]],
    );
    refused(
        &["emit", "p256", "--lanes", "avx2=fold", "--ops", "mul", "-o", "out"],
        2,
        expect![[r#"
        error: no products of arrays on avx2: no plan `fold`
        help: there are montgomery-madd/montgomery-9x29-clean
    "#]],
    );
    refused(
        &["emit", "p256", "--lanes", "none", "--lanes", "avx2", "-o", "out"],
        2,
        expect![[r#"
        error: --lanes none beside other vectors
        help: name vectors, or none
    "#]],
    );
    refused(
        &["emit", "p256", "--lanes", "avx2", "--ops", "add", "-o", "out"],
        2,
        expect![[r#"
        error: there are no products of arrays
        help: name mul among the operations of a field of numbers, in C
    "#]],
    );
    refused(
        &["emit", "p256", "--lang", "c89", "--lanes", "avx2", "-o", "out"],
        2,
        expect![[r#"
        error: --lanes with --lang c89
        help: functions on arrays are in packages of --lang c and --lang asm
    "#]],
    );
}
