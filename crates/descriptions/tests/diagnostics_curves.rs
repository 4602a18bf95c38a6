//! Every error message about curves and points, as text. Bless with `UPDATE_EXPECT=1`.

use evariste_descriptions::{Field, Part, Structure};
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

/// The same of the elements of a structure.
fn check_elements(structure: &dyn Structure, texts: &[&str], expected: Expect) {
    let mut all = String::new();
    for text in texts {
        match structure.read(text, 0..text.len()).expect("elements have texts of their own") {
            Ok(element) => panic!("{text} was understood as {element:#x}"),
            Err(error) => all.push_str(&format!("{error}\n\n")),
        }
    }
    expected.assert_eq(&all);
}

#[test]
fn names_that_are_none() {
    check(
        &["curve:p257", "curve:", "curve:bls12-381", "curve:sect571", "curve:frobnicate"],
        expect![[r#"
        there is no curve called “p257”
          | curve:p257
          |       ^^^^
        help: did you mean curve:p256?

        the curve is missing
          | curve:
          |       ^
        help: write a name (curve:p256), or an equation and its field: curve:y^2=x^3-3x+7@p256

        there is no curve called “bls12-381”
          | curve:bls12-381
          |       ^^^^^^^^^
        help: did you mean curve:bls12-381-g1 or curve:bls12-381-g2?

        there is no curve called “sect571”
          | curve:sect571
          |       ^^^^^^^
        help: did you mean curve:sect571k1 or curve:sect571r1?

        there is no curve called “frobnicate”
          | curve:frobnicate
          |       ^^^^^^^^^^
        help: write a name (curve:p256), or an equation and its field: curve:y^2=x^3-3x+7@p256
        help: evariste list fields shows every name

    "#]],
    );
}

#[test]
fn equations_that_are_none() {
    check(
        &[
            "curve:y^2=x^3-3x+7",
            "curve:y^2@p256",
            "curve:y^2=x^3+z@p256",
            "curve:y^2=x^5+1@p256",
            "curve:y^2=2x^3+1@p256",
            "curve:y^2=@p256",
            "curve:y^2=x^3+x^2+7@GF(2^163)",
            "curve:y^2+xy=x^3+x^2+7@p256",
            "curve:y^2+xy=x^3+x^2+2^200@GF(2^163)",
        ],
        expect![[r#"
            the field of the curve is missing
              | curve:y^2=x^3-3x+7
              |                   ^
            help: write @ and a field after the equation: curve:y^2=x^3-3x+7@p256

            an equation has a =
              | curve:y^2@p256
              |       ^^^
            help: write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b

            there is no variable “z” here
              | curve:y^2=x^3+z@p256
              |               ^
            help: the variables are x, y

            this is none of the forms of curves
              | curve:y^2=x^5+1@p256
              |       ^^^^^^^^^
            help: write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b

            this is none of the forms of curves
              | curve:y^2=2x^3+1@p256
              |       ^^^^^^^^^^
            help: write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b

            a number or a variable is missing here
              | curve:y^2=@p256
              |           ^
            help: write it as in x^3 - 3*x + 7

            this is none of the forms of curves
              | curve:y^2=x^3+x^2+7@GF(2^163)
              |       ^^^^^^^^^^^^^
            help: write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b

            this is none of the forms of curves
              | curve:y^2+xy=x^3+x^2+7@p256
              |       ^^^^^^^^^^^^^^^^
            help: write y^2=x^3+a*x+b, B*y^2=x^3+A*x^2+x, a*x^2+y^2=1+d*x^2*y^2, or over a binary field y^2+x*y=x^3+a*x^2+b

            a coefficient has more than 163 bits
              | curve:y^2+xy=x^3+x^2+2^200@GF(2^163)
              |              ^^^^^^^^^^^^^
            help: bit i of a number is the coefficient of x^i

        "#]],
    );
}

#[test]
fn curves_that_are_none() {
    check(
        &[
            "curve:y^2=x^3-3x+2@p256",
            "curve:y^2=x^3+2x^2+x@25519",
            "curve:3x^2+y^2=1+3x^2y^2@25519",
            "curve:x^2+y^2=1+4x^2y^2@25519",
            "curve:y^2+xy=x^3+x^2@GF(2^163)",
            "curve:y^2=x^3+7@1000",
            "curve:y^2=x^3+7@int256",
            "curve:y^2=x^3+7@curve:p256",
            "curve:y^2=x^3+7@p257",
            "curve:y^2=x^3+7@2^2203-1",
            "curve:y^2=x^3+7@101[x]/(x^2-2)",
            "curve:y^2=x^3+7@bls12-377-fp[u]/(u^2+1)",
        ],
        expect![[r#"
            this is no curve: it is singular: 4*a^3 + 27*b^2 is 0
              | curve:y^2=x^3-3x+2@p256
              |       ^^^^^^^^^^^^
            help: write other coefficients

            this is no curve: it is singular: A^2 is 4, or B is 0
              | curve:y^2=x^3+2x^2+x@25519
              |       ^^^^^^^^^^^^^^
            help: write other coefficients

            this is no curve: it is singular: a and d are different and not 0
              | curve:3x^2+y^2=1+3x^2y^2@25519
              |       ^^^^^^^^^^^^^^^^^^
            help: write other coefficients

            this is no curve: its sums have exceptions: a is to be a square and d none
              | curve:x^2+y^2=1+4x^2y^2@25519
              |       ^^^^^^^^^^^^^^^^^
            help: write other coefficients

            this is no curve: it is singular: b is 0
              | curve:y^2+xy=x^3+x^2@GF(2^163)
              |       ^^^^^^^^^^^^^^
            help: write other coefficients

            a curve stands on a field, and 2^10 - 24 is none
              | curve:y^2=x^3+7@1000
              |                 ^^^^
            help: write a prime field (p256), a tower (bls12-381-fp2) or a binary field (GF(2^163))

            a curve stands on a field, and int256 is none
              | curve:y^2=x^3+7@int256
              |                 ^^^^^^
            help: write a prime field (p256), a tower (bls12-381-fp2) or a binary field (GF(2^163))

            a curve stands on a field, not on a curve
              | curve:y^2=x^3+7@curve:p256
              |                 ^^^^^^^^^^
            help: write a name (curve:p256), or an equation and its field: curve:y^2=x^3-3x+7@p256

            there is no field called “p257”
              | curve:y^2=x^3+7@p257
              |                 ^^^^
            help: did you mean p256?

            curves stand on fields of at most 1024 bits, not 2203
              | curve:y^2=x^3+7@2^2203-1
              |                 ^^^^^^^^
            help: write a prime field (p256), a tower (bls12-381-fp2) or a binary field (GF(2^163))

            the variables x and y are those of the curve, not of its field
              | curve:y^2=x^3+7@101[x]/(x^2-2)
              |                 ^^^^^^^^^^^^^^
            help: write a prime field (p256), a tower (bls12-381-fp2) or a binary field (GF(2^163))

            u^2+1 is reducible over bls12-377-fp: it has the factor u+0x4630059e5fd9200575d0e552278a89da1f40fdf62334cd620d1860769e389d7db2d8ea700d82721691ea130ec6e39e
              | curve:y^2=x^3+7@bls12-377-fp[u]/(u^2+1)
              |                                  ^^^^^
            help: did you mean u^2+5?

        "#]],
    );
}

#[test]
fn base_points_that_are_none() {
    check(
        &[
            "curve:y^2=x^3+2x+3@97,base=[3,7]",
            "curve:y^2=x^3+2x+3@97,base=3",
            "curve:y^2=x^3+2x+3@97,base=[3,100]",
            "curve:y^2=x^3+2x+3@97,base=[3,6],order=6",
            "curve:y^2=x^3+2x+3@97,base=[3,6],order=7",
            "curve:y^2=x^3+2x+3@97,base=[3,6],order=-5",
            "curve:y^2=x^3+2x+3@97,order=5",
            "curve:y^2=x^3+2x+3@97,base=[3,6],cofactor=20",
            "curve:y^2=x^3+2x+3@97,base=[3,6],order=5,cofactor=2",
        ],
        expect![[r#"
            the base point is not on the curve
              | curve:y^2=x^3+2x+3@97,base=[3,7]
              |                            ^^^^^
            help: correct its coordinates or the equation

            a base point has two coordinates
              | curve:y^2=x^3+2x+3@97,base=3
              |                            ^
            help: write it as [x, y]

            100 is no element of 97: it is too large
              | curve:y^2=x^3+2x+3@97,base=[3,100]
              |                               ^^^
            help: write a number below the modulus, which has 7 bits

            the order is not prime
              | curve:y^2=x^3+2x+3@97,base=[3,6],order=6
              |                                        ^
            help: write the prime order of the base point

            the order times the base point is not the neutral element
              | curve:y^2=x^3+2x+3@97,base=[3,6],order=7
              |                                        ^
            help: correct the order or the base point

            this is to be a number above 0
              | curve:y^2=x^3+2x+3@97,base=[3,6],order=-5
              |                                        ^^
            help: write it as 7 or 0x1f

            the order is that of a base point, which is missing
              | curve:y^2=x^3+2x+3@97,order=5
              |                             ^
            help: write base=[X,Y] too

            the cofactor is that of an order, which is missing
              | curve:y^2=x^3+2x+3@97,base=[3,6],cofactor=20
              |                                           ^^
            help: write order=N too

            no curve over 97 has so many points as the order times the cofactor
              | curve:y^2=x^3+2x+3@97,base=[3,6],order=5,cofactor=2
              |                                                   ^
            help: the number of points is about that of the elements of the field (Hasse)

        "#]],
    );
}

#[test]
fn points_that_are_none() {
    check_elements(
        &*Field::parse("curve:p256").expect("a curve"),
        &["[1, 2]", "7", "[1, 2, 3]", "[-1, 2^256]", "[1, 2", "[x, y]", "origin", ""],
        expect![[r#"
            the point is not on curve:p256
              | [1, 2]
              | ^^^^^^
            help: its coordinates do not fulfil y^2=x^3-3*x+0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b

            a point of curve:p256 has two coordinates, not one number
              | 7
              | ^
            help: write it as [x, y], or infinity

            a point of curve:p256 has two coordinates, not 3 numbers
              | [1, 2, 3]
              | ^^^^^^^^^
            help: write it as [x, y], or infinity

            a number of 257 bits is no element of p256: it is too large
              | [-1, 2^256]
              |      ^^^^^
            help: write a number below the modulus, which has 256 bits

            this [ is not closed
              | [1, 2
              | ^
            help: write a ] behind it

            the word “x” cannot be part of an expression
              | [x, y]
              |  ^
            help: an expression has numbers, + - * ^ and parentheses; a name stands alone

            a point of curve:p256 has two coordinates, not one number
              | origin
              | ^^^^^^
            help: write it as [x, y], or infinity

            a point of curve:p256 has two coordinates, not one number
              | 
              | ^
            help: write it as [x, y], or infinity

        "#]],
    );
    check_elements(
        &*Field::parse("curve:bls12-381-g2").expect("a curve"),
        &["[1, 2]", "[[1, 2], [3, 4]]", "[[1, 2, 3], [3, 4]]", "[1, 2, 3, 4]", "[1, 2, 3]"],
        expect![[r#"
            the point is not on curve:bls12-381-g2
              | [1, 2]
              | ^^^^^^
            help: its coordinates do not fulfil y^2=x^3+(4+4*u)

            the point is not on curve:bls12-381-g2
              | [[1, 2], [3, 4]]
              | ^^^^^^^^^^^^^^^^
            help: its coordinates do not fulfil y^2=x^3+(4+4*u)

            a list of 3 stands here in an element of bls12-381-fp2
              | [[1, 2, 3], [3, 4]]
              |  ^^^^^^^^^
            help: write a list of 2: [1, 0x2, …]

            the point is not on curve:bls12-381-g2
              | [1, 2, 3, 4]
              | ^^^^^^^^^^^^
            help: its coordinates do not fulfil y^2=x^3+(4+4*u)

            a point of curve:bls12-381-g2 has two coordinates, not 3 numbers
              | [1, 2, 3]
              | ^^^^^^^^^
            help: write it as [x, y], or infinity

        "#]],
    );
    check_elements(
        &*Field::parse("curve:sect163k1").expect("a curve"),
        &["[1, 2]", "[-1, 2]", "[2^163, 1]"],
        expect![[r#"
            the point is not on curve:sect163k1
              | [1, 2]
              | ^^^^^^
            help: its coordinates do not fulfil y^2+x*y=x^3+x^2+1

            -1 is no element of GF(2)[x]/(x^163+x^7+x^6+x^3+1): it is negative
              | [-1, 2]
              |  ^^
            help: write a number below 2^163

            a number of 164 bits is no element of GF(2)[x]/(x^163+x^7+x^6+x^3+1): it is too large
              | [2^163, 1]
              |  ^^^^^
            help: write a number below 2^163

        "#]],
    );
}

#[test]
fn scalars_and_first_coordinates_that_are_none() {
    let curve = Field::parse("curve:25519").expect("a curve");
    check_elements(
        curve.part(Part::Scalars).expect("scalars"),
        &["2^4096", "k", ""],
        expect![[r#"
        a scalar of 4097 bits is too long
          | 2^4096
          | ^^^^^^
        help: write at most 4096 bits

        the word “k” cannot be part of an expression
          | k
          | ^
        help: an expression has numbers, + - * ^ and parentheses; a name stands alone

        a number is missing here
          | 
          | ^
        help: write a number such as 0 or 0x1f

    "#]],
    );
    check_elements(
        curve.part(Part::Abscissae).expect("a ladder"),
        &["2^256", "-1", "[1, 2]"],
        expect![[r#"
        a first coordinate has at most 32 bytes and is not negative
          | 2^256
          | ^^^^^
        help: write a number such as 9 or 0x1f

        a first coordinate has at most 32 bytes and is not negative
          | -1
          | ^^
        help: write a number such as 9 or 0x1f

        the character “[” is not understood
          | [1, 2]
          | ^
        help: an expression has numbers, + - * ^ and parentheses

    "#]],
    );
    let other = Field::parse("curve:y^2=x^3+2x+3@97").expect("a curve");
    check_elements(
        other.part(Part::Scalars).expect("scalars"),
        &["-1"],
        expect![[r#"
        a negative scalar means one modulo the order, which is not known
          | -1
          | ^^
        help: write a natural number, or describe the curve with its order

    "#]],
    );
}
