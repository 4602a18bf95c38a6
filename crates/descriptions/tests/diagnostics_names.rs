//! Every error message about names, plain integers and binary fields, as text. Bless with `UPDATE_EXPECT=1`.

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
fn names_nearly_right() {
    check(
        &["p257", "p-257", "secp256k2", "curve25518", "bls12-381", "bn254", "goldilock", "babybaer", "mersenne", "SM3"],
        expect![[r#"
            there is no field called “p257”
              | p257
              | ^^^^
            help: did you mean p256?

            there is no field called “p-257”
              | p-257
              | ^^^^^
            help: did you mean p256?

            there is no field called “secp256k2”
              | secp256k2
              | ^^^^^^^^^
            help: did you mean secp256k1?

            there is no field called “curve25518”
              | curve25518
              | ^^^^^^^^^^
            help: did you mean 25519?

            there is no field called “bls12-381”
              | bls12-381
              | ^^^^^^^^^
            help: did you mean bls12-381-fp or bls12-381-fr?

            there is no field called “bn254”
              | bn254
              | ^^^^^
            help: did you mean bn254-fp or bn254-fr?

            there is no field called “goldilock”
              | goldilock
              | ^^^^^^^^^
            help: did you mean goldilocks?

            there is no field called “babybaer”
              | babybaer
              | ^^^^^^^^
            help: did you mean babybear?

            there is no field called “mersenne”
              | mersenne
              | ^^^^^^^^
            help: did you mean mersenne31 or mersenne61?

            there is no field called “SM3”
              | SM3
              | ^^^
            help: did you mean sm2?

        "#]],
    );
}

#[test]
fn unknown_names() {
    check(
        &["frobnicate", "_", "an extremely long name that nobody has ever given to any field at all"],
        expect![[r#"
        there is no field called “frobnicate”
          | frobnicate
          | ^^^^^^^^^^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2
        help: evariste list fields shows every name

        there is no field called “_”
          | _
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2
        help: evariste list fields shows every name

        there is no field called “an extremely long name that nobody has e…”
          | an extremely long name that nobody has ever given to any field at all
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        help: write an expression (2^255 - 19), a name (p256), int256, GF(2^163) or GF(2^131):onb2
        help: evariste list fields shows every name

    "#]],
    );
}

#[test]
fn other_spellings_of_integers() {
    check(
        &["uint256", "u64", "i128", "int 256"],
        expect![[r#"
        there is no field called “uint256”
          | uint256
          | ^^^^^^^
        help: write int256 for plain integers of 256 bits

        there is no field called “u64”
          | u64
          | ^^^
        help: write int64 for plain integers of 64 bits

        there is no field called “i128”
          | i128
          | ^^^^
        help: write int128 for plain integers of 128 bits

        there is no field called “int 256”
          | int 256
          | ^^^^^^^
        help: write int256 for plain integers of 256 bits

    "#]],
    );
}

#[test]
fn binary_fields_without_basis() {
    check(
        &["GF(2^163):onb2", "GF(2^8):onb2", "GF(2^4):onb2", "GF(2^571):onb2", "GF(2^7):onb2", "GF(2^600):onb2"],
        expect![[r#"
            there is no normal basis of type 2 for the degree 163: 2*163 + 1 = 327 is not prime: 3 divides it
              | GF(2^163):onb2
              |    ^^^^^
            help: types 4 and 16 exist: GF(2^163):gnb4
            help: the nearest with type 2: GF(2^158):onb2 and GF(2^173):onb2

            there is no normal basis of type 2 for the degree 8: 2*8 + 1 = 17 is prime, but the powers of 2 are too few modulo it
              | GF(2^8):onb2
              |    ^^^
            help: no Gaussian normal basis exists for 8: 8 divides it
            help: the nearest with type 2: GF(2^6):onb2 and GF(2^9):onb2

            there is no normal basis of type 2 for the degree 4: 2*4 + 1 = 9 is not prime: 3 divides it
              | GF(2^4):onb2
              |    ^^^
            help: types 1, 3, 7, 9, 13 and 15 exist: GF(2^4):gnb1
            help: the nearest with type 2: GF(2^3):onb2 and GF(2^5):onb2

            there is no normal basis of type 2 for the degree 571: 2*571 + 1 = 1143 is not prime: 3 divides it
              | GF(2^571):onb2
              |    ^^^^^
            help: types 10 and 16 exist: GF(2^571):gnb10
            help: the nearest with type 2: GF(2^561):onb2 and GF(2^575):onb2

            there is no normal basis of type 2 for the degree 7: 2*7 + 1 = 15 is not prime: 3 divides it
              | GF(2^7):onb2
              |    ^^^
            help: types 4, 6, 10, 16 and 18 exist: GF(2^7):gnb4
            help: the nearest with type 2: GF(2^6):onb2 and GF(2^9):onb2

            there is no normal basis of type 2 for the degree 600: 2*600 + 1 = 1201 is prime, but the powers of 2 are too few modulo it
              | GF(2^600):onb2
              |    ^^^^^
            help: no Gaussian normal basis exists for 600: 8 divides it
            help: the nearest with type 2: GF(2^593):onb2 and GF(2^606):onb2

        "#]],
    );
}

#[test]
fn binary_fields_of_another_form() {
    check(
        &[
            "GF(2^131):",
            "GF(2^163):poly",
            "GF(2^131):poly",
            "GF(2^131) onb2",
            "GF(2^131",
            "GF(3^5):onb2",
            "GF(p256)",
            "GF(65537)",
            "GF()",
            "GF(2^):onb2",
            "GF(2^m):onb2",
            "GF(2^1):onb2",
            "GF(2^99999999999999):onb2",
            "GF 2^131",
            "GF(2^163):gnb",
            "GF(2^163):gnb0",
            "GF(2^163):gnb6",
            "GF(2^163):onb1",
            "GF(2)",
            "GF(2)[y]/(y^8+y+1)",
            "GF(2)[x]",
            "GF(2)[x]/(x^8+x^4+x^3+x+1",
            "GF(2)[x]/()",
            "GF(2)[x]/(x^8+x^4+x^2+x+1)",
            "GF(2)[x]/(x^8+x^4+x^3+x)",
            "GF(2)[x]/(x^8+x^4+x^4+1)",
            "GF(2)[x]/(x^8+2x+1)",
            "GF(2)[x]/(x^8++1)",
            "GF(2)[x]/(x^2000+x+1)",
            "GF(2)[x]/(x+1)",
            "GF(2)[x]/(0x11g)",
        ],
        expect![[r#"
            the basis is missing after the colon
              | GF(2^131):
              |           ^
            help: write GF(2^131):onb2 or GF(2^131):gnb6 or GF(2^131):gnb8 or GF(2^131) for polynomials

            the basis “poly” is not known
              | GF(2^163):poly
              |           ^^^^
            help: write GF(2^163):gnb4 or GF(2^163):gnb16 or GF(2^163) for polynomials

            the basis “poly” is not known
              | GF(2^131):poly
              |           ^^^^
            help: write GF(2^131):onb2 or GF(2^131):gnb6 or GF(2^131):gnb8 or GF(2^131) for polynomials

            “onb2” follows the field
              | GF(2^131) onb2
              |           ^^^^
            help: write GF(2^131):onb2 or GF(2^131):gnb6 or GF(2^131):gnb8 or GF(2^131) for polynomials

            this ( is never closed
              | GF(2^131
              |   ^
            help: write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)

            the characteristic “3” is not supported: only 2 is
              | GF(3^5):onb2
              |    ^
            help: write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)

            a binary field is written with its degree, GF(2^m)
              | GF(p256)
              |    ^^^^
            help: write p256 alone for the integers modulo it

            a binary field is written with its degree, GF(2^m)
              | GF(65537)
              |    ^^^^^
            help: write 65537 alone for the integers modulo it

            a binary field is written with its degree, GF(2^m)
              | GF()
              |    ^
            help: write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)

            the degree is missing
              | GF(2^):onb2
              |      ^
            help: write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)

            the degree “m” is not a number
              | GF(2^m):onb2
              |      ^
            help: write GF(2^163), GF(2^131):onb2, GF(2^163):gnb4 or GF(2)[x]/(x^163+x^7+x^6+x^3+1)

            the degree 1 is not supported
              | GF(2^1):onb2
              |      ^
            help: write a degree of 2 to 1024

            the degree 99999999999999 is not supported
              | GF(2^99999999999999):onb2
              |      ^^^^^^^^^^^^^^
            help: write a degree of 2 to 1024

            the word “GF” cannot be part of an expression
              | GF 2^131
              | ^^
            help: write GF(2^131):onb2 for a binary field

            the basis “gnb” is not known
              | GF(2^163):gnb
              |           ^^^
            help: write GF(2^163):gnb4 or GF(2^163):gnb16 or GF(2^163) for polynomials

            the basis “gnb0” is not known
              | GF(2^163):gnb0
              |           ^^^^
            help: write GF(2^163):gnb4 or GF(2^163):gnb16 or GF(2^163) for polynomials

            there is no normal basis of type 6 for the degree 163: 6*163 + 1 = 979 is not prime: 11 divides it
              | GF(2^163):gnb6
              |    ^^^^^
            help: types 4 and 16 exist: GF(2^163):gnb4
            help: the nearest with type 6: GF(2^161):gnb6 and GF(2^165):gnb6

            there is no normal basis of type 1 for the degree 163: 1*163 + 1 = 164 is not prime: 2 divides it
              | GF(2^163):onb1
              |    ^^^^^
            help: types 4 and 16 exist: GF(2^163):gnb4
            help: the nearest with type 1: GF(2^162):onb1 and GF(2^172):onb1

            [x] is missing after GF(2)
              | GF(2)
              |      ^
            help: write GF(2)[x]/(x^163+x^7+x^6+x^3+1), or GF(2^163) for the usual polynomial

            [x] is missing after GF(2)
              | GF(2)[y]/(y^8+y+1)
              |       ^^^^^^^^^^^^
            help: write GF(2)[x]/(x^163+x^7+x^6+x^3+1), or GF(2^163) for the usual polynomial

            /(polynomial) is missing after GF(2)
              | GF(2)[x]
              |         ^
            help: write GF(2)[x]/(x^163+x^7+x^6+x^3+1), or GF(2^163) for the usual polynomial

            this ( is never closed
              | GF(2)[x]/(x^8+x^4+x^3+x+1
              |          ^
            help: write GF(2)[x]/(x^163+x^7+x^6+x^3+1), or GF(2^163) for the usual polynomial

            a term is missing
              | GF(2)[x]/()
              |           ^
            help: write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b

            reducible: x^4+x^3+1 divides the polynomial
              | GF(2)[x]/(x^8+x^4+x^2+x+1)
              |           ^^^^^^^^^^^^^^^
            help: irreducible of degree 8: GF(2)[x]/(x^8+x^4+x^3+x+1)

            reducible: x divides the polynomial
              | GF(2)[x]/(x^8+x^4+x^3+x)
              |           ^^^^^^^^^^^^^
            help: irreducible of degree 8: GF(2)[x]/(x^8+x^4+x^3+x+1)

            “x^4” occurs twice
              | GF(2)[x]/(x^8+x^4+x^4+1)
              |                   ^^^
            help: write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b

            “2x” is not a power of x
              | GF(2)[x]/(x^8+2x+1)
              |               ^^
            help: write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b

            a term is missing
              | GF(2)[x]/(x^8++1)
              |               ^
            help: write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b

            the degree 2000 is not supported
              | GF(2)[x]/(x^2000+x+1)
              |           ^^^^^^
            help: write a polynomial of degree 2 to 1024

            the degree 1 is not supported
              | GF(2)[x]/(x+1)
              |           ^^^
            help: write a polynomial of degree 2 to 1024

            “0x11g” is not a hexadecimal number
              | GF(2)[x]/(0x11g)
              |           ^^^^^
            help: write a sum of 1, x and powers x^k, or the coefficients as a number: 0x11b

        "#]],
    );
}
