//! Every error message about names, plain integers and binary fields, as text. Bless with `UPDATE_EXPECT=1`.

use evariste_spec::Field;
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
        &[
            "p257",
            "p-257",
            "secp256k2",
            "curve25518",
            "bls12-381",
            "25518",
            "bn254",
            "goldilock",
            "babybaer",
            "mersenne",
            "SM3",
        ],
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

            even: Montgomery needs an odd modulus
              | 25518
              | ^^^^^
            help: write int15 for plain integers
            help: did you mean 25519?

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
        &[
            "frobnicate",
            "_",
            "an extremely long name that nobody has ever given to any field at all",
        ],
        expect![[r#"
        there is no field called “frobnicate”
          | frobnicate
          | ^^^^^^^^^^
        help: write an expression (2^255 - 19), a name (p256), int256 or GF(2^131):onb2
        help: evariste list fields shows every name

        there is no field called “_”
          | _
          | ^
        help: write an expression (2^255 - 19), a name (p256), int256 or GF(2^131):onb2
        help: evariste list fields shows every name

        there is no field called “an extremely long name that nobody has e…”
          | an extremely long name that nobody has ever given to any field at all
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        help: write an expression (2^255 - 19), a name (p256), int256 or GF(2^131):onb2
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
        &[
            "GF(2^163):onb2",
            "GF(2^8):onb2",
            "GF(2^4):onb2",
            "GF(2^571):onb2",
            "GF(2^7):onb2",
            "GF(2^600):onb2",
        ],
        expect![[r#"
        there is no normal basis of type 2 for the degree 163: 2*163 + 1 = 327 is not prime: 3 divides it
          | GF(2^163):onb2
          |    ^^^^^
        help: types 4 and 16 exist for 163, but are not available now
        help: the nearest with type 2: GF(2^158):onb2 and GF(2^173):onb2

        there is no normal basis of type 2 for the degree 8: 2*8 + 1 = 17 is prime, but the powers of 2 are too few modulo it
          | GF(2^8):onb2
          |    ^^^
        help: no Gaussian normal basis exists for 8: 8 divides it
        help: the nearest with type 2: GF(2^6):onb2 and GF(2^9):onb2

        there is no normal basis of type 2 for the degree 4: 2*4 + 1 = 9 is not prime: 3 divides it
          | GF(2^4):onb2
          |    ^^^
        help: types 1, 3, 7, 9, 13 and 15 exist for 4, but are not available now
        help: the nearest with type 2: GF(2^3):onb2 and GF(2^5):onb2

        there is no normal basis of type 2 for the degree 571: 2*571 + 1 = 1143 is not prime: 3 divides it
          | GF(2^571):onb2
          |    ^^^^^
        help: types 10 and 16 exist for 571, but are not available now
        help: the nearest with type 2: GF(2^561):onb2 and GF(2^575):onb2

        there is no normal basis of type 2 for the degree 7: 2*7 + 1 = 15 is not prime: 3 divides it
          | GF(2^7):onb2
          |    ^^^
        help: types 4, 6, 10, 16 and 18 exist for 7, but are not available now
        help: the nearest with type 2: GF(2^6):onb2 and GF(2^9):onb2

        there is no normal basis of type 2 for the degree 600: 2*600 + 1 = 1201 is prime, but the powers of 2 are too few modulo it
          | GF(2^600):onb2
          |    ^^^^^
        help: no Gaussian normal basis exists for 600: 8 divides it
        help: the nearest with type 2: GF(2^593):onb2

    "#]],
    );
}

#[test]
fn binary_fields_of_another_form() {
    check(
        &[
            "GF(2^131)",
            "GF(2^131):",
            "GF(2^163)",
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
        ],
        expect![[r#"
            the basis of the binary field is missing
              | GF(2^131)
              |          ^
            help: write GF(2^131):onb2: only the optimal normal basis of type 2 is available now

            the basis is missing after the colon
              | GF(2^131):
              |           ^
            help: write GF(2^131):onb2: only the optimal normal basis of type 2 is available now

            the basis of the binary field is missing
              | GF(2^163)
              |          ^
            help: only the optimal normal basis of type 2 is available now, and the degree 163 has none: the nearest are GF(2^158):onb2 and GF(2^173):onb2

            the basis “poly” is not known
              | GF(2^163):poly
              |           ^^^^
            help: only the optimal normal basis of type 2 is available now, and the degree 163 has none: the nearest are GF(2^158):onb2 and GF(2^173):onb2

            the basis “poly” is not known
              | GF(2^131):poly
              |           ^^^^
            help: write GF(2^131):onb2: only the optimal normal basis of type 2 is available now

            “onb2” follows the field
              | GF(2^131) onb2
              |           ^^^^
            help: write GF(2^131):onb2: only the optimal normal basis of type 2 is available now

            this ( is never closed
              | GF(2^131
              |   ^
            help: write GF(2^131):onb2

            the characteristic “3” is not supported: only 2 is
              | GF(3^5):onb2
              |    ^
            help: write GF(2^131):onb2

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
            help: write GF(2^131):onb2

            the degree is missing
              | GF(2^):onb2
              |      ^
            help: write GF(2^131):onb2

            the degree “m” is not a number
              | GF(2^m):onb2
              |      ^
            help: write GF(2^131):onb2

            the degree 1 is not supported
              | GF(2^1):onb2
              |      ^
            help: write a degree of 2 to 600

            the degree 99999999999999 is not supported
              | GF(2^99999999999999):onb2
              |      ^^^^^^^^^^^^^^
            help: write a degree of 2 to 600

            the word “GF” cannot be part of an expression
              | GF 2^131
              | ^^
            help: write GF(2^131):onb2 for a binary field

        "#]],
    );
}
