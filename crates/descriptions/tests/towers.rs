//! Towers: what their texts mean, exact arithmetic by two ways, irreducibility over every small field, every error.

use evariste_descriptions::kinds::KINDS;
use evariste_descriptions::{Field, Structure, Tower, named_towers};
use evariste_testing::Random;
use expect_test::{Expect, expect};
use num_bigint::BigUint;
use num_traits::{One, Zero};

fn field(text: &str) -> Field {
    Field::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn tower(text: &str) -> Tower {
    field(text).get::<Tower>().unwrap_or_else(|| panic!("{text} is no tower")).clone()
}

/// The element that a text means.
fn element(tower: &Tower, text: &str) -> BigUint {
    tower.read(text, 0..text.len()).expect("lists").unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The arithmetic a second time.
fn again(field: &Field) -> Box<dyn Structure> {
    let kind = KINDS.iter().find(|kind| kind.what.starts_with("towers")).expect("a kind");
    (kind.again.expect("a second time"))(field)
}

/// Elements with coordinates 0, 1, p − 1 and any, all of one sort and mixed.
fn samples(tower: &Tower, count: usize, random: &mut Random) -> Vec<BigUint> {
    let (p, degree) = (&tower.base.value, tower.degree());
    let any = |random: &mut Random| (0..17u64).fold(BigUint::zero(), |x, _| (x << 64) + random.word()) % p;
    let mut all: Vec<Vec<BigUint>> = [BigUint::zero(), BigUint::one(), p - 1u32].map(|c| vec![c; degree]).to_vec();
    all.extend((0..degree).map(|i| (0..degree).map(|j| u32::from(i == j).into()).collect()));
    all.extend((0..count).map(|_| {
        let coordinate = |random: &mut Random| match random.index(4) {
            0 => BigUint::from(random.index(3)),
            1 => p - 1u32 - BigUint::from(random.index(2)),
            _ => any(random),
        };
        (0..degree).map(|_| coordinate(random)).collect()
    }));
    all.iter().map(|coordinates| tower.packed(coordinates)).collect()
}

#[test]
fn names_stand_for_their_floors() {
    for named in named_towers() {
        let by_name = tower(named.name);
        assert_eq!(by_name.floors, named.floors, "{}", named.name);
        // The text is checked for irreducible polynomials; the name is not.
        let by_text = tower(&format!("{}{}", named.base, named.floors));
        assert_eq!(by_text, by_name);
        assert_eq!(by_text.text(), named.name);
        assert_eq!(tower(&named.name.to_uppercase().replace('-', "_")), by_name);
    }
}

#[test]
fn texts_parse_back() {
    for (given, text) in [
        ("2^61-1[u]/(u^2+1)", "mersenne61[u]/(u^2+1)"),
        ("mersenne61 [u] / ( 1 + u*u ) [v] / (v^3 - 2 - u)", "mersenne61[u]/(u^2+1)[v]/(v^3-(2+u))"),
        ("bls12-381-fp2[v]/(v^3-(1+u))", "bls12-381-fp6"),
        ("bls12-381-fp[i]/(i^2+1)", "bls12-381-fp[i]/(i^2+1)"),
        ("bls12-381-fp2[v]/(v^3-1-u)[w]/(w^2-v)", "bls12-381-fp12"),
        ("101[w]/(w^2-w+1)", "101[w]/(w^2-w+1)"),
        ("bn254-fp[z]/(z^4+z^3+z^2+z+1)", "bn254-fp[z]/(z^4+z^3+z^2+z+1)"),
        ("7[a1]/((a1-1)^2-3)", "7[a1]/(a1^2-2*a1-2)"),
        ("(2^16+1)[u]/(u^2+3)", "2^16 + 1[u]/(u^2+3)"),
        ("7[u]/(u^2+1)[v]/(v^2-(3u+2)v+u)", "7[u]/(u^2+1)[v]/(v^2-(2+3*u)*v+u)"),
    ] {
        let tower = tower(given);
        assert_eq!(tower.text(), text);
        assert_eq!(self::tower(&tower.text()), tower, "{text}");
    }
}

#[test]
fn elements_are_read_and_written() {
    let tower = tower("bls12-381-fp6");
    let a = element(&tower, "[[1, 0x2], [3, 4], [5, -1]]");
    assert_eq!(a, element(&tower, " [1,2,3,4,5,-1]"));
    assert_eq!(a, element(&tower, "1, 2, 3, 4, 5, -1"));
    assert_eq!(element(&tower, "[7, [0, 1], 2^9]"), element(&tower, "[7, 0, 0, 1, 0x200, 0]"));
    assert_eq!(element(&tower, "5"), BigUint::from(5u32));
    let text = tower.written(&a).expect("lists");
    assert!(text.starts_with("[[0x1, 0x2], [0x3, 0x4], [0x5, 0x1a0111ea"), "{text}");
    assert_eq!(element(&tower, &text), a);
    assert_eq!(tower.unpacked(&a)[..2], [1u32.into(), 2u32.into()]);
}

/// Products and all else by two ways that share nothing, and the laws of a field.
#[test]
fn two_ways_agree() {
    let mut random = Random(11);
    let texts =
        ["2^61-1[u]/(u^2+1)[v]/(v^3-(2+u))", "101[w]/(w^2-w+1)", "7[u]/(u^2+1)[v]/(v^2-(3u+2)v+u)", "3[a]/(a^2+1)"];
    for text in named_towers().iter().map(|named| named.name).chain(texts) {
        let field = field(text);
        let (tower, again) = (tower(text), again(&field));
        let samples = samples(&tower, 12, &mut random);
        for (i, a) in samples.iter().enumerate() {
            let b = &samples[(i * 7 + 3) % samples.len()];
            for (one, two) in [
                (tower.multiply(a, b), again.multiply(a, b)),
                (Structure::add(&tower, a, b), again.add(a, b)),
                (tower.subtract(a, b), again.subtract(a, b)),
                (tower.inverse(a), again.inverse(a)),
            ] {
                assert_eq!(one, two, "{text}: {a:#x}, {b:#x}");
            }
            let inverse = tower.inverse(a);
            assert_eq!(inverse.is_none(), a.is_zero(), "{text}: {a:#x}");
            if let Some(inverse) = inverse {
                assert_eq!(tower.multiply(a, &inverse), Some(BigUint::one()));
            }
            assert_eq!(Some(tower.frobenius(a)), tower.power(a, &tower.base.value), "{text}: {a:#x}");
            if let Some(conjugate) = tower.conjugate(a) {
                // The automorphism of order 2: the p-th power, half the degree times.
                let image = (0..tower.degree() / 2).fold(a.clone(), |image, _| tower.frobenius(&image));
                assert_eq!(conjugate, image, "{text}: {a:#x}");
            }
        }
    }
}

/// The product of two polynomials over the integers modulo p, lowest coefficients first.
fn product(a: &[u32], b: &[u32], p: u32) -> Vec<u32> {
    let mut product = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] = (product[i + j] + x * y) % p;
        }
    }
    product
}

/// Every monic polynomial of a degree over the integers modulo p.
fn monic(degree: usize, p: u32) -> Vec<Vec<u32>> {
    let all = p.pow(degree as u32);
    (0..all).map(|n| (0..degree as u32).map(|i| n / p.pow(i) % p).chain([1]).collect()).collect()
}

fn written(f: &[u32], variable: &str) -> String {
    let terms: Vec<String> = f.iter().enumerate().map(|(i, c)| format!("{c}*{variable}^{i}")).collect();
    terms.join("+")
}

/// Every monic polynomial of degree 2 to 5 over small fields: refused exactly when it is a product, and then the factor
/// that the error names is one.
#[test]
fn irreducibility_is_decided_over_every_small_field() {
    let mut refused = 0;
    for (p, degrees) in [(3u32, 2..=5usize), (5, 2..=4), (7, 2..=3), (11, 2..=2)] {
        for degree in degrees {
            let reducible: std::collections::HashSet<Vec<u32>> = (1..=degree / 2)
                .flat_map(|low| monic(low, p).into_iter().map(move |a| (low, a)))
                .flat_map(|(low, a)| monic(degree - low, p).into_iter().map(move |b| product(&a, &b, p)))
                .collect();
            for f in monic(degree, p) {
                let text = format!("{p}[v]/({})", written(&f, "v"));
                match Field::parse(&text) {
                    Ok(_) => assert!(!reducible.contains(&f), "{text} is reducible"),
                    Err(error) => {
                        assert!(reducible.contains(&f), "{text}\n{error}");
                        let factor = error.message.split("it has the factor ").nth(1).expect("a factor");
                        // The factor divides: modulo the polynomial its multiples are not everything.
                        let divides = monic_of(factor, p).is_some_and(|g| is_multiple(&f, &g, p));
                        assert!(divides, "{text}: {factor}");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

/// The coefficients of a polynomial as errors write it: `v^2-2*v+1`.
fn monic_of(text: &str, p: u32) -> Option<Vec<u32>> {
    let mut f = vec![0; 8];
    for term in text.replace('-', "+-").split('+').filter(|term| !term.is_empty()) {
        let (sign, term) = term.strip_prefix('-').map_or((1, term), |term| (p - 1, term));
        let (number, power) = match term.split_once("v") {
            None => (term.parse().ok()?, 0),
            Some((number, power)) => {
                let number = number.trim_end_matches('*');
                let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
                (number, if power.is_empty() { 1 } else { power.strip_prefix('^')?.parse().ok()? })
            }
        };
        f[power] = sign * number % p;
    }
    f.truncate(f.iter().rposition(|c| *c != 0)? + 1);
    Some(f)
}

/// Is f a multiple of the monic g, which is no constant and of lower degree?
fn is_multiple(f: &[u32], g: &[u32], p: u32) -> bool {
    let mut rest = f.to_vec();
    while rest.len() >= g.len() {
        let top = rest.pop().unwrap_or(0);
        let shift = rest.len() + 1 - g.len();
        for (i, c) in g[..g.len() - 1].iter().enumerate() {
            rest[shift + i] = (rest[shift + i] + (p - top) * c) % p;
        }
    }
    (2..f.len()).contains(&g.len()) && rest.iter().all(|c| *c == 0)
}

/// Over fields that are towers themselves: binomials by the criterion of powers. `v^n − c` is irreducible over q
/// elements exactly when no prime divides n without dividing the order of c but not `(q − 1)/order`, and 4 does not
/// divide n unless it divides q − 1.
#[test]
fn binomials_over_towers_follow_the_criterion_of_powers() {
    let mut counted = [0; 2];
    for (base, n) in
        [("7[u]/(u^2+1)", 2u32), ("7[u]/(u^2+1)", 3), ("5[u]/(u^2+2)", 3), ("3[u]/(u^2+1)", 4), ("11[u]/(u^2+1)", 5)]
    {
        let tower = tower(base);
        let q = tower.order();
        let elements = (0..u64::try_from(&q).expect("small")).map(|n| {
            let p = u64::try_from(&tower.base.value).expect("small");
            [n % p, n / p]
        });
        for [a, b] in elements.filter(|c| *c != [0, 0]) {
            let c = tower.packed(&[a.into(), b.into()]);
            let primes = [2u32, 3, 5].into_iter().filter(|l| n % l == 0);
            let no_root = primes.into_iter().all(|l| {
                let divides = (&q - 1u32) % l == BigUint::zero();
                divides && tower.power(&c, &((&q - 1u32) / l)) != Some(BigUint::one())
            });
            let irreducible = no_root && (n % 4 != 0 || &q % 4u32 == BigUint::one());
            let text = format!("{base}[v]/(v^{n}-({a}+{b}*u))");
            assert_eq!(Field::parse(&text).is_ok(), irreducible, "{text}");
            counted[usize::from(irreducible)] += 1;
        }
    }
    assert!(counted.iter().all(|n| *n > 20), "{counted:?}");
}

/// Errors of several texts, one after the other.
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
fn reducible_polynomials() {
    check(
        &[
            "bls12-377-fp[u]/(u^2+1)",
            "bls12-381-fp2[v]/(v^3-8)",
            "bls12-381-fp[u]/(u^2+1)[v]/(v^3-(1+u))[w]/(w^2-v^2)",
            "7[w]/(w^2-2w+1)",
            "7[z]/(z^4+z^2+1)",
        ],
        expect![[r#"
            u^2+1 is reducible over bls12-377-fp: it has the factor u+0x4630059e5fd9200575d0e552278a89da1f40fdf62334cd620d1860769e389d7db2d8ea700d82721691ea130ec6e39e
              | bls12-377-fp[u]/(u^2+1)
              |                  ^^^^^
            help: did you mean u^2+5?

            v^3-8 is reducible over bls12-381-fp[u]/(u^2+1): it has the factor v+0xbe32ce5fbeed9ca374d38c0ed41eefd5bb675277cdf12d11bc2fb026c41400045c03fffffffdfffe
              | bls12-381-fp2[v]/(v^3-8)
              |                   ^^^^^
            help: did you mean v^3+2?

            w^2-v^2 is reducible over bls12-381-fp[u]/(u^2+1)[v]/(v^3-(1+u)): it has the factor w+v
              | bls12-381-fp[u]/(u^2+1)[v]/(v^3-(1+u))[w]/(w^2-v^2)
              |                                            ^^^^^^^
            help: did you mean w^2-v?

            w^2-2w+1 is reducible over 7: it has the factor w-1
              | 7[w]/(w^2-2w+1)
              |       ^^^^^^^^
            help: did you mean w^2+1?

            z^4+z^2+1 is reducible over 7: it has the factor z-3
              | 7[z]/(z^4+z^2+1)
              |       ^^^^^^^^^
            help: write an irreducible polynomial

        "#]],
    );
}

#[test]
fn polynomials_that_are_none() {
    check(
        &[
            "p256[u]/(u^2+v)",
            "p256[u]/(2u^2+1)",
            "p256[u]/(u+1)",
            "p256[u]/(5)",
            "p256[u]/()",
            "p256[u]/(u^2+)",
            "p256[u]/(u^2+1))",
            "p256[u]/((u^2+1)",
            "p256[u]/(u^99+1)",
            "p256[u]/(u^u+1)",
            "p256[u]/(u^2.5)",
            "p256[u]/(u^25-2)",
            "bls12-381-fp12[z]/(z^3-w)",
        ],
        expect![[r#"
            there is no variable “v” here
              | p256[u]/(u^2+v)
              |              ^
            help: the variables are u

            the polynomial is not monic: u^2 has a factor
              | p256[u]/(2u^2+1)
              |          ^^^^^^
            help: divide it by the coefficient of its highest power

            the polynomial has the degree 1 in u
              | p256[u]/(u+1)
              |          ^^^
            help: write one of degree 2 or more, as in u^2+1

            the polynomial has the degree 0 in u
              | p256[u]/(5)
              |          ^
            help: write one of degree 2 or more, as in u^2+1

            a number or a variable is missing here
              | p256[u]/()
              |          ^
            help: write it as in x^3 - 3*x + 7

            a number or a variable is missing here
              | p256[u]/(u^2+)
              |              ^
            help: write it as in x^3 - 3*x + 7

            the [ of a floor is missing here
              | p256[u]/(u^2+1))
              |                ^
            help: write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)

            this ( is not closed
              | p256[u]/((u^2+1)
              |         ^
            help: write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)

            this exponent is too large
              | p256[u]/(u^99+1)
              |            ^^
            help: exponents are at most 64

            an exponent is a number
              | p256[u]/(u^u+1)
              |            ^
            help: write it as in x^3

            the character “.” is not understood
              | p256[u]/(u^2.5)
              |             ^
            help: a polynomial has numbers, variables, + - * ^ and parentheses

            the polynomial has the degree 25
              | p256[u]/(u^25-2)
              |          ^^^^^^
            help: towers have degrees up to 24

            the tower would have the degree 36
              | bls12-381-fp12[z]/(z^3-w)
              |                    ^^^^^
            help: towers have degrees up to 24

        "#]],
    );
}

/// The largest tower of the longest prime.
#[test]
fn the_largest_towers_are_read() {
    let error = Field::parse("2^1024-105[w]/(w^24-4)").expect_err("it is reducible");
    assert!(error.message.contains("it has the factor w^"), "{error}");
}

#[test]
fn floors_that_are_none() {
    check(
        &[
            "p256[u]",
            "p256[u]/",
            "p256[u]u^2+1",
            "p256[]/(u^2+1)",
            "p256[2]/(u^2+1)",
            "bls12-381-fp2[u]/(u^2+1)",
            "p256[u]/(u^2-u+1) and more",
            "1000[u]/(u^2+1)",
            "GF(2^163)[u]/(u^2+u+1)",
            "int256[u]/(u^2+1)",
            "p257[u]/(u^2+1)",
            "2^2203-1[u]/(u^2+1)",
        ],
        expect![[r#"
            the / before a polynomial is missing here
              | p256[u]
              |        ^
            help: write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)

            the ( before a polynomial is missing here
              | p256[u]/
              |         ^
            help: write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)

            the / before a polynomial is missing here
              | p256[u]u^2+1
              |        ^
            help: write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)

            “” is no variable
              | p256[]/(u^2+1)
              |      ^
            help: write a letter, or a letter and digits: [u]

            “2” is no variable
              | p256[2]/(u^2+1)
              |      ^
            help: write a letter, or a letter and digits: [u]

            the variable u stands for a root below already
              | bls12-381-fp2[u]/(u^2+1)
              |               ^
            help: write another letter

            u^2-u+1 is reducible over p256: it has the factor u-0x4d6ea8928adb86cf62388a8e0ef623312e68c59bdef3e53fd964598eb819accf
              | p256[u]/(u^2-u+1) and more
              |          ^^^^^^^
            help: did you mean u^2+1?

            a tower stands on a field, and 2^10 - 24 is not prime
              | 1000[u]/(u^2+1)
              | ^^^^
            help: write a prime, a named one (bls12-381-fp) or a named tower (bls12-381-fp2) before the first [

            “[u]/(u^2+u+1)” follows the field
              | GF(2^163)[u]/(u^2+u+1)
              |          ^^^^^^^^^^^^^
            help: write GF(2^163):gnb4 or GF(2^163):gnb16 or GF(2^163) for polynomials

            a tower stands on a prime field, and int256 is none
              | int256[u]/(u^2+1)
              | ^^^^^^
            help: write a prime, a named one (bls12-381-fp) or a named tower (bls12-381-fp2) before the first [

            there is no field called “p257”
              | p257[u]/(u^2+1)
              | ^^^^
            help: did you mean p256?

            towers stand on primes of at most 1024 bits, not 2203
              | 2^2203-1[u]/(u^2+1)
              | ^^^^^^^^
            help: write a prime, a named one (bls12-381-fp) or a named tower (bls12-381-fp2) before the first [

        "#]],
    );
}

#[test]
fn elements_that_are_none() {
    let tower = tower("bls12-381-fp6");
    let mut all = String::new();
    for text in [
        "[1, 2]",
        "[1, 2, 3, 4]",
        "[[1, 2, 3], 4, 5]",
        "[1, [2, [3, 4]], 5]",
        "[1, 2, 3",
        "1, 2]",
        "[1,, 3]",
        "[1, 2, u]",
        "[1, 2, 2^381]",
        "-2^382",
        "",
    ] {
        match tower.read(text, 0..text.len()).expect("lists") {
            Ok(element) => panic!("{text} was understood as {element:#x}"),
            Err(error) => all.push_str(&format!("{error}\n\n")),
        }
    }
    expect![[r#"
        a list of 2 stands here in an element of bls12-381-fp6
          | [1, 2]
          | ^^^^^^
        help: write a list of 3, or one of 6 numbers: [1, 0x2, …]

        a list of 4 stands here in an element of bls12-381-fp6
          | [1, 2, 3, 4]
          | ^^^^^^^^^^^^
        help: write a list of 3, or one of 6 numbers: [1, 0x2, …]

        a list of 3 stands here in an element of bls12-381-fp6
          | [[1, 2, 3], 4, 5]
          |  ^^^^^^^^^
        help: write a list of 2: [1, 0x2, …]

        a number should stand here, not a list
          | [1, [2, [3, 4]], 5]
          |         ^^^^^^
        help: a coordinate is a number of bls12-381-fp

        this [ is not closed
          | [1, 2, 3
          | ^
        help: write a ] behind it

        this ] has no [ before it
          | 1, 2]
          |     ^
        help: drop it

        a coordinate is missing here
          | [1,, 3]
          |    ^
        help: write a number such as 0 or 0x1f between commas

        the word “u” cannot be part of an expression
          | [1, 2, u]
          |        ^
        help: an expression has numbers, + - * ^ and parentheses; a name stands alone

        a number of 382 bits is no element of bls12-381-fp: it is too large
          | [1, 2, 2^381]
          |        ^^^^^
        help: write a number below the modulus, which has 381 bits

        minus a number of 383 bits is no element of bls12-381-fp: it is too large
          | -2^382
          | ^^^^^^
        help: write a number below the modulus, which has 381 bits

        a number is missing here
          | 
          | ^
        help: write a number such as 0 or 0x1f

    "#]]
    .assert_eq(&all);
}
