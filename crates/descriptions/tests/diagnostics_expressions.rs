//! Every error message about expressions and sizes, as text. Bless with `UPDATE_EXPECT=1`.

use evariste_descriptions::Field;
use expect_test::{Expect, expect};

/// Compares the errors of several texts, one after the other, with the snapshot.
fn check(texts: &[&str], expected: Expect) {
    let mut all = String::new();
    for text in texts {
        match Field::parse(text) {
            Ok(field) => panic!("{text} was understood as {}", field.text()),
            Err(error) => all.push_str(&format!("{error}\n\n")),
        }
    }
    expected.assert_eq(&all);
}

#[test]
fn nothing_given() {
    check(
        &["", "   ", "\n"],
        expect![[r#"
        the description is empty
          | 
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2

        the description is empty
          |    
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2

        the description is empty
          |  
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2

    "#]],
    );
}

#[test]
fn incomplete_expressions() {
    check(
        &["2^", "2^255 -", "(2^255 - 19", "-", "2 ^ ^ 3", "()", "2^255 - 19)", "0x"],
        expect![[r#"
        a number is missing after “^”
          | 2^
          |   ^
        help: write a number or a group in parentheses, as in 2^255 - 19

        a number is missing after “-”
          | 2^255 -
          |        ^
        help: write a number or a group in parentheses, as in 2^255 - 19

        this ( is never closed
          | (2^255 - 19
          | ^
        help: write ) where the group ends

        a number is missing after “-”
          | -
          |  ^
        help: write a number or a group in parentheses, as in 2^255 - 19

        a number should stand here, not “^”
          | 2 ^ ^ 3
          |     ^
        help: write a number or a group in parentheses, as in 2^255 - 19

        a number should stand here, not “)”
          | ()
          |  ^
        help: write a number or a group in parentheses, as in 2^255 - 19

        this ) has no ( before it
          | 2^255 - 19)
          |           ^
        help: drop it

        0x without digits
          | 0x
          | ^^
        help: write the digits after it, as in 0x1f

    "#]],
    );
}

#[test]
fn trailing_text() {
    check(
        &["2^255 - 19 foo", "2^255 19", "2^255-19;", "p256 - 1", "3 (5)"],
        expect![[r#"
            the word “foo” cannot be part of an expression
              | 2^255 - 19 foo
              |            ^^^
            help: an expression has numbers, + - * ^ and parentheses; a name stands alone

            “19” follows a complete expression
              | 2^255 19
              |       ^^
            help: write an operator before it: + - * or ^

            the character “;” is not understood
              | 2^255-19;
              |         ^
            help: an expression has numbers, + - * ^ and parentheses

            the word “p256” cannot be part of an expression
              | p256 - 1
              | ^^^^
            help: a name stands alone; its value is (2^256 - 2^224 + 2^192 + 2^96 - 1)

            “(” follows a complete expression
              | 3 (5)
              |   ^
            help: write an operator before it: + - * or ^

        "#]],
    );
}

#[test]
fn wrong_characters() {
    check(
        &[
            "2^255 − 19",
            "2·3",
            "15/3",
            "1,000,003",
            "2^255 - 19\u{0}",
            "12ab",
            "12xy",
            "0x12zz",
            "2^k - 1",
            "é",
            "1e9+7",
        ],
        expect![[r#"
            the character “−” is not understood
              | 2^255 − 19
              |       ^
            help: write the minus sign as -

            the character “·” is not understood
              | 2·3
              |  ^
            help: write the product as *

            the character “/” is not understood
              | 15/3
              |   ^
            help: there is no division: write the value itself

            the character “,” is not understood
              | 1,000,003
              |  ^
            help: digits may be separated by _, as in 1_000_003

            the character “\u{0}” is not understood
              | 2^255 - 19 
              |           ^
            help: an expression has numbers, + - * ^ and parentheses

            “a” is not a decimal digit
              | 12ab
              |   ^
            help: write 0x12ab for a hexadecimal number

            “x” is not a decimal digit
              | 12xy
              |   ^
            help: a number has decimal digits, or 0x and hexadecimal digits; a name stands alone

            “z” is not a hexadecimal digit
              | 0x12zz
              |     ^
            help: a number has decimal digits, or 0x and hexadecimal digits; a name stands alone

            the word “k” cannot be part of an expression
              | 2^k - 1
              |   ^
            help: an expression has numbers, + - * ^ and parentheses; a name stands alone

            there is no field called “é”
              | é
              | ^
            help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2
            help: evariste list fields shows every name

            “e” is not a decimal digit
              | 1e9+7
              |  ^
            help: write 1*10^9

        "#]],
    );
}

#[test]
fn moduli_of_too_few_elements() {
    check(
        &["2", "2^1", "2^4097", "2^4096*3"],
        expect![[r#"
        too small: modulo 2 there are only two elements
          | 2
          | ^
        help: write a modulus of at least 3

        too small: modulo 2 there are only two elements
          | 2^1
          | ^^^
        help: write a modulus of at least 3

        too large: the modulus has 4098 bits
          | 2^4097
          | ^^^^^^
        help: write a modulus whose elements have 2 to 4096 bits

        too large: the modulus has 4098 bits
          | 2^4096*3
          | ^^^^^^^^
        help: write a modulus whose elements have 2 to 4096 bits

    "#]],
    );
}

#[test]
fn sizes() {
    check(
        &[
            "2^5000 - 1",
            "2^5000",
            "2^4096 + 1",
            "1",
            "0",
            "5 - 5",
            "2 - 2^200",
            "3 - 5",
            "int1",
            "int4097",
            "int0",
            "int99999999999999999999",
        ],
        expect![[r#"
            too large: the modulus has 5000 bits
              | 2^5000 - 1
              | ^^^^^^^^^^
            help: write a modulus whose elements have 2 to 4096 bits

            too large: the modulus has 5001 bits
              | 2^5000
              | ^^^^^^
            help: write a modulus whose elements have 2 to 4096 bits

            too large: the modulus has 4097 bits
              | 2^4096 + 1
              | ^^^^^^^^^^
            help: write a modulus whose elements have 2 to 4096 bits

            too small: modulo 1 there is only zero
              | 1
              | ^
            help: write a modulus of at least 3

            zero: the modulus would be 0
              | 0
              | ^
            help: write a modulus of at least 3

            zero: the modulus would be 0
              | 5 - 5
              | ^^^^^
            help: write a modulus of at least 3

            negative: the modulus would be minus a number of 200 bits
              | 2 - 2^200
              | ^^^^^^^^^
            help: write a modulus of at least 3

            negative: the modulus would be -2
              | 3 - 5
              | ^^^^^
            help: write a modulus of at least 3

            plain integers have 2 to 4096 bits, not 1
              | int1
              |    ^
            help: write int2 to int4096

            plain integers have 2 to 4096 bits, not 4097
              | int4097
              |    ^^^^
            help: write int2 to int4096

            plain integers have 2 to 4096 bits, not 0
              | int0
              |    ^
            help: write int2 to int4096

            plain integers have 2 to 4096 bits, not 99999999999999999999
              | int99999999999999999999
              |    ^^^^^^^^^^^^^^^^^^^^
            help: write int2 to int4096

        "#]],
    );
}

#[test]
fn bombs() {
    let nested = format!("{}3{}", "(".repeat(100), ")".repeat(100));
    let signs = format!("{}3", "-".repeat(2000));
    let digits = format!("{}1", "9".repeat(3000));
    let long = "1+".repeat(5000);
    check(
        &[
            "2^99999999999",
            "2^99999999999999999999999999",
            "9^9^9^9",
            "2^8000 * 2^8000",
            "(2^8000)^2",
            "7 + 2^(2^64)",
            "2^-3",
            "2^(3 - 2^200)",
            &nested,
            &signs,
            &digits,
            &long,
        ],
        expect![[r#"
            this value would have more than 8192 bits
              | 2^99999999999
              | ^^^^^^^^^^^^^
            help: a modulus has 2 to 4096 bits

            this value would have more than 8192 bits
              | 2^99999999999999999999999999
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            help: a modulus has 2 to 4096 bits

            this value would have more than 8192 bits
              | 9^9^9^9
              |   ^^^^^
            help: a modulus has 2 to 4096 bits

            this value would have more than 8192 bits
              | 2^8000 * 2^8000
              | ^^^^^^^^^^^^^^^
            help: a modulus has 2 to 4096 bits

            this value would have more than 8192 bits
              | (2^8000)^2
              | ^^^^^^^^^^
            help: a modulus has 2 to 4096 bits

            this value would have more than 8192 bits
              | 7 + 2^(2^64)
              |     ^^^^^^^^
            help: a modulus has 2 to 4096 bits

            the exponent is negative: -3
              | 2^-3
              |   ^^
            help: an exponent is a natural number

            the exponent is negative: minus a number of 200 bits
              | 2^(3 - 2^200)
              |   ^^^^^^^^^^^
            help: an exponent is a natural number

            more than 64 levels of nesting
              | …(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((3…
              |                                      ^
            help: write the value with fewer parentheses, signs or powers inside each other

            more than 64 levels of nesting
              | …------------------------------------------------------------------------…
              |                                      ^
            help: write the value with fewer parentheses, signs or powers inside each other

            a number of 3001 digits is too long
              | 999999999999999999999999999999999999999999999999999999999999999999999999…
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            help: a modulus has 2 to 4096 bits, at most 1234 decimal digits

            a description of 10000 bytes is too long
              | 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+…
              | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            help: write at most 8192 bytes

        "#]],
    );
}

#[test]
fn the_fault_is_shown_in_long_texts() {
    let text = format!("2^255 - {} $ 3", "1 + ".repeat(50) + "1");
    check(
        &[&text],
        expect![[r#"
        the character “$” is not understood
          | …+ 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 $ 3
          |                                      ^
        help: an expression has numbers, + - * ^ and parentheses

    "#]],
    );
}

#[test]
fn spans_point_into_the_text() {
    for (text, part) in [
        ("  p257 ", "p257"),
        ("2^255 - 19 foo", "foo"),
        ("2^255 − 19", "−"),
        ("GF(2^163):onb2", "2^163"),
        ("int1", "1"),
    ] {
        let error = Field::parse(text).unwrap_err();
        assert_eq!(&text[error.span.clone()], part, "{text}");
        assert_eq!(error.text, text);
    }
}

/// The power operator of other languages.
#[test]
fn two_stars() {
    for (text, right) in [("2**255 - 19", "2^255 - 19"), ("2 ** 61 - 1", "2 ^ 61 - 1")] {
        let error = evariste_descriptions::Field::parse(text).expect_err(text);
        assert_eq!(error.message, "** is not an operator here");
        assert_eq!(error.help, [format!("powers are written with ^: did you mean {right}?")]);
    }
}
