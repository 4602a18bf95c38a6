//! What descriptions mean: values, names, shapes, and that every presentation parses back.

use evariste_descriptions::{Field, Modulus, OddModuli, Shape, named};
use expect_test::expect;
use num_bigint::BigUint;
use num_traits::{Num, One};

/// The modulus of a text.
fn modulus(text: &str) -> Modulus {
    match Field::parse(text) {
        Ok(field) => field.get().cloned().unwrap_or_else(|| panic!("{text} is {}", field.text())),
        Err(error) => panic!("{error}"),
    }
}

fn number(text: &str) -> BigUint {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |hexadecimal| (hexadecimal, 16));
    BigUint::from_str_radix(digits, radix).unwrap()
}

#[test]
fn expressions_have_the_usual_values() {
    for (text, value) in [
        ("7", "7"),
        ("0x1F", "31"),
        ("0X1f", "31"),
        ("1_000_003", "1000003"),
        ("0x_ff_ff", "65535"),
        ("3*5", "15"),
        ("3 * 5 * 7", "105"),
        ("2^3^2 - 1", "511"),
        ("(2^3)^2 - 1", "63"),
        ("-1 + 2^5", "31"),
        ("20 - -3", "23"),
        ("20 + -3", "17"),
        ("-2^4 + 17 + 2*3", "7"),
        ("100 - 3 - 4 - 6", "87"),
        ("((((7))))", "7"),
        ("2^(2*3+1) - 1", "127"),
        ("1^99999999999999999999999 + 2", "3"),
        ("(-1)^99999999999999999999999 + 8", "7"),
        ("0^0 + 2", "3"),
        ("0^5 + 3", "3"),
        ("(0-1)^2 + 2", "3"),
        ("\t2^255\n-\r19 ", "57896044618658097711785492504343953926634992332820282019728792003956564819949"),
        ("00000000000000000000000000000000000000000007", "7"),
    ] {
        assert_eq!(modulus(text).value, number(value), "{text}");
    }
}

#[test]
fn the_limits_are_inside() {
    assert_eq!(modulus("3").bits, 2);
    assert_eq!(modulus("2^4096 - 1").bits, 4096);
    assert_eq!(modulus("2^4095 + 1").bits, 4096);
    assert_eq!(modulus(&(number("0x1") << 4095u32 | BigUint::one()).to_string()).bits, 4096);
    assert_eq!(Field::parse("int2").unwrap().bits(), 2);
    assert_eq!(Field::parse("INT4096").unwrap().bits(), 4096);
}

#[test]
fn names_agree_with_their_expressions() {
    for named in named() {
        let by_name = modulus(named.name);
        assert_eq!(by_name, modulus(named.expression), "{}", named.name);
        assert_eq!(by_name.name, Some(named.name));
        assert!(by_name.prime, "{}", named.name);
        for alias in named.aliases {
            assert_eq!(modulus(alias), by_name, "{alias}");
        }
        assert_eq!(modulus(&format!("  {} ", named.name.to_uppercase())), by_name);
        assert_eq!(modulus(&named.name.replace('-', "_")), by_name);
    }
    assert_eq!(named().len(), 30);
}

#[test]
fn no_name_is_given_twice() {
    let mut all: Vec<&str> =
        named().iter().flat_map(|named| named.aliases.iter().chain([&named.name])).copied().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn names_agree_with_the_vectors() {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/prime-fields.json")).unwrap();
    let pairs = [
        ("P-192", "p192"),
        ("P-224", "p224"),
        ("P-256", "p256"),
        ("P-384", "p384"),
        ("P-521", "p521"),
        ("secp256k1", "secp256k1"),
        ("Curve25519", "25519"),
        ("Curve448", "448"),
        ("DFC", "dfc"),
        ("MMH", "mmh"),
        ("Goldilocks64", "goldilocks"),
        ("BLS12-381", "bls12-381-fp"),
        ("BLS12-381 order", "bls12-381-fr"),
        ("BN254", "bn254-fp"),
        ("BN254 order", "bn254-fr"),
    ];
    let mut found = 0;
    for entry in vectors["fields"].as_array().unwrap() {
        let value = entry["modulus"].as_str().unwrap();
        if let Some((_, name)) = pairs.iter().find(|(theirs, _)| *theirs == entry["name"]) {
            assert_eq!(modulus(name).value, number(value), "{name}");
            found += 1;
        }
        let modulus = modulus(value);
        assert!(modulus.prime, "{value}");
        assert_eq!(u64::from(modulus.bits), entry["bits"].as_u64().unwrap());
    }
    assert_eq!(found, pairs.len());
}

#[test]
fn numbers_that_are_also_names() {
    assert_eq!(modulus("25519").bits, 255);
    assert_eq!(modulus("(25519)").value, number("25519"));
    assert_eq!(modulus("25_519").value, number("25519"));
    assert_eq!(modulus("(25519)").text, "(25519)");
    expect![[r#"
        25519: 2^255 - 19, base field of Curve25519 and Ed25519
        a field: the modulus is a prime of 255 bits (Baillie-PSW)
        form: 2^255 - 19 (pseudo-Mersenne, c of 5 bits)
        form: 2^255 - 2^4 - 2^2 + 1 (4 signed powers of two)
        source: RFC 7748
        note: 25519 is a name here; for the number 25519 write (25519)"#]]
    .assert_eq(&Field::parse("25519").unwrap().description());
}

#[test]
fn presentations_parse_back() {
    let mut texts: Vec<String> =
        ["int256", "GF(2^131):onb2", "gf ( 2 ^ 29 ) : ONB2", "2^4096 - 2^2000 + 1", "2^521 - 12345678901"]
            .map(str::to_owned)
            .to_vec();
    texts.extend(named().iter().map(|named| named.name.to_owned()));
    texts.extend(
        (3..3000u32)
            .step_by(2)
            .chain((1u32 << 29..=u32::MAX).step_by(77_777_777).take(50).map(|x| x | 1))
            .map(|x| format!("({x})")),
    );
    texts.push("0x8123456789abcdef8123456789abcdef8123456789abcdef8123456789abcdef".to_owned());
    for text in texts {
        let field = Field::parse(&text).unwrap();
        assert_eq!(Field::parse(&field.text()).unwrap(), field, "{text} as {}", field.text());
        let identifier = field.identifier();
        assert!(identifier.starts_with(|c: char| c.is_ascii_alphabetic()), "{identifier}");
        assert!(identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{identifier}");
    }
}

#[test]
fn presentations() {
    let mut all = String::new();
    for text in [
        "p256",
        "2^255-19",
        "bn254_fp",
        "2^127 - 1",
        "3*5",
        "101",
        "(25519)",
        "2^16+1",
        "1000003",
        "2^61 - 1",
        "2^160 - 22085",
        "2^256 - 189*2^64 - 1",
        "0x8123456789abcdef8123456789abcdef8123456789abcdef8123456789abcde1",
        "INT256",
        "gf(2^131):ONB2",
    ] {
        let field = Field::parse(text).unwrap();
        all.push_str(&format!("{text} | {} | {} | {}\n", field.name(), field.identifier(), field.text()));
    }
    expect![[r#"
        p256 | p256 | p256 | 2^256 - 2^224 + 2^192 + 2^96 - 1
        2^255-19 | 25519 | f25519 | 2^255 - 19
        bn254_fp | bn254-fp | bn254_fp | 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47
        2^127 - 1 | 2^127-1 | f2e127m1 | 2^127 - 1
        3*5 | 15 | f15 | 15
        101 | 101 | f101 | 101
        (25519) | 0x63af | f0x63af | (25519)
        2^16+1 | 2^16+1 | f2e16p1 | 2^16 + 1
        1000003 | 1000003 | f1000003 | 1000003
        2^61 - 1 | mersenne61 | mersenne61 | 2^61 - 1
        2^160 - 22085 | ss-b160-fp | ss_b160_fp | 2^160 - 22085
        2^256 - 189*2^64 - 1 | 2^256-2^72+2^70+2^66-2^64-1 | f2e256m2e72p2e70p2e66m2e64m1 | 2^256 - 2^72 + 2^70 + 2^66 - 2^64 - 1
        0x8123456789abcdef8123456789abcdef8123456789abcdef8123456789abcde1 | mod256-417c1dcb | mod256_417c1dcb | 0x8123456789abcdef8123456789abcdef8123456789abcdef8123456789abcde1
        INT256 | int256 | int256 | int256
        gf(2^131):ONB2 | gf2-131-onb2 | gf2_131_onb2 | GF(2^131):onb2
    "#]].assert_eq(&all);
}

#[test]
fn descriptions() {
    let mut all = String::new();
    for text in [
        "p256",
        "dfc",
        "3*5",
        "(2^89-1)*(2^107-1)",
        "bls12-381-fr",
        "goldilocks",
        "0xdeadbeef12345677",
        "int256",
        "GF(2^29):onb2",
    ] {
        all.push_str(&format!("{}\n\n", Field::parse(text).unwrap().description()));
    }
    expect![[r#"
        p256: 2^256 - 2^224 + 2^192 + 2^96 - 1, base field of NIST P-256
        a field: the modulus is a prime of 256 bits (Baillie-PSW)
        form: 2^256 - 2^224 + 2^192 + 2^96 - 1 (5 signed powers of two)
        form: -1 modulo 2^96 (Montgomery-friendly)
        source: FIPS 186-4 D.1.2, SP 800-186

        dfc: 2^64 + 13, modulus of the cipher DFC
        a field: the modulus is a prime of 65 bits (Baillie-PSW)
        form: 2^64 + 13 (just above a power of two, c of 4 bits)
        form: 2^64 + 2^4 - 2^2 + 1 (4 signed powers of two)
        source: DFC, candidate for AES, 1998

        15
        a ring, not a field: the modulus has 4 bits and is composite, 3 divides it; only units have an inverse
        form: 2^4 - 1 (pseudo-Mersenne, c of 1 bit)
        form: 2^4 - 1 (2 signed powers of two)

        2^196 - 2^107 - 2^89 + 1
        a ring, not a field: the modulus has 196 bits and is composite (Baillie-PSW); only units have an inverse
        form: 2^196 - 2^107 - 2^89 + 1 (4 signed powers of two)
        form: +1 modulo 2^89 (Montgomery-friendly)

        bls12-381-fr: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001, scalar field of the pairing-friendly curve BLS12-381
        a field: the modulus is a prime of 255 bits (Baillie-PSW)
        form: +1 modulo 2^32 (Montgomery-friendly)
        source: EIP-2537

        goldilocks: 2^64 - 2^32 + 1, two-adic field of 64 bits
        a field: the modulus is a prime of 64 bits (Baillie-PSW)
        form: 2^64 - 4294967295 (pseudo-Mersenne, c of 32 bits)
        form: 2^64 - 2^32 + 1 (3 signed powers of two)
        form: +1 modulo 2^32 (Montgomery-friendly)
        source: widely used in proof systems

        0xdeadbeef12345677
        a ring, not a field: the modulus has 64 bits and is composite, 7 divides it; only units have an inverse
        form: no special form

        int256: plain integers of 256 bits; a product has 512 bits and is not reduced

        GF(2^29):onb2: the binary field of degree 29 in its optimal normal basis of type 2
        basis: B_i = beta^(2^i), beta = z + 1/z, z of order 59 = 2*29 + 1
        multiplication matrix: 57 ones

    "#]].assert_eq(&all);
}

#[test]
fn shapes() {
    let c = |c: u32| BigUint::from(c);
    assert_eq!(modulus("dfc").shapes[0], Shape::AbovePower { k: 64, c: c(13) });
    assert_eq!(modulus("25519").shapes[0], Shape::PseudoMersenne { k: 255, c: c(19) });
    assert_eq!(modulus("secp256k1").shapes[0], Shape::PseudoMersenne { k: 256, c: (BigUint::one() << 32u32) + 977u32 });
    assert_eq!(
        modulus("p256").shapes,
        [
            Shape::SignedPowers(vec![(1, 256), (-1, 224), (1, 192), (1, 96), (-1, 0)]),
            Shape::MontgomeryFriendly { low_bits: 96, sign: -1 }
        ]
    );
    assert!(modulus("p224").shapes.contains(&Shape::MontgomeryFriendly { low_bits: 96, sign: 1 }));
    assert_eq!(modulus("bn254-fp").shapes, [Shape::Generic]);
    // Just inside and just outside c² < 2^k.
    assert_eq!(modulus("2^64 - (2^32 - 1)").shapes[0], Shape::PseudoMersenne { k: 64, c: c(u32::MAX) });
    assert!(!modulus("2^64 - (2^32 + 1)").shapes.iter().any(|shape| matches!(shape, Shape::PseudoMersenne { .. })));
}

/// Every shape of every small number is an identity, and `Generic` only stands alone.
#[test]
fn shapes_are_true() {
    for value in (3..1u64 << 12).chain((3..1 << 14).step_by(2)).chain(named_values()) {
        let p = BigUint::from(value);
        let shapes = Shape::recognise(&p);
        assert!(!shapes.is_empty());
        for shape in &shapes {
            match shape {
                Shape::PseudoMersenne { k, c } => {
                    assert_eq!(&p + c, BigUint::one() << *k);
                    assert!(c * c < BigUint::one() << *k && p.bits() == u64::from(*k));
                }
                Shape::AbovePower { k, c } => {
                    assert_eq!(p, (BigUint::one() << *k) + c);
                    assert!(c * c < BigUint::one() << *k);
                }
                Shape::SignedPowers(terms) => {
                    let sum: i128 = terms.iter().map(|&(sign, exponent)| i128::from(sign) << exponent).sum();
                    assert_eq!(sum, i128::from(value));
                    assert!(terms.len() <= 8 && terms.windows(2).all(|pair| pair[0].1 > pair[1].1 + 1));
                }
                Shape::MontgomeryFriendly { low_bits, sign } => {
                    assert!(*low_bits >= 32);
                    assert_eq!((i128::from(value) - i128::from(*sign)) % (1 << low_bits), 0);
                }
                Shape::Even { k, m } => assert_eq!((m << *k, m.bit(0), *k > 0), (p.clone(), true, true)),
                Shape::Generic => assert_eq!(shapes.len(), 1),
            }
        }
    }
}

/// Named moduli of at most 64 bits.
fn named_values() -> impl Iterator<Item = u64> {
    named().iter().filter_map(|named| u64::try_from(modulus(named.name).value).ok())
}

#[test]
fn moduli_supplied_at_run_time() {
    let field = Field::parse(" Odd256 ").unwrap();
    assert_eq!((field.name().as_str(), field.bits()), ("odd256", 256));
    assert_eq!(field.identifier(), "odd256");
    assert_eq!(Field::parse(&field.text()), Ok(field.clone()));
    let moduli = field.get::<OddModuli>().unwrap();
    let power = |k: u32| BigUint::one() << k;
    assert!(moduli.contains(&(power(256) - 1u32)) && moduli.contains(&BigUint::one()));
    assert!(!moduli.contains(&(power(256) + 1u32)) && !moduli.contains(&power(255)));
    let (a, b) = (number("123456789"), number("987654321"));
    assert_eq!(field.with_supplied(&[number("1000003")]).unwrap().multiply(&a, &b).unwrap(), &a * &b % 1_000_003u32);
    expect![[r#"
        odd256: integers modulo any odd number below 2^256, supplied at run time
        parameters: after the operands the modulus p, and for products inverse = -1/p modulo 2^k for digits of k bits
        elements: x*R mod p, below p or 2p; to Montgomery form by a product with R^2 mod p; no inversion, no bytes"#]]
    .assert_eq(&field.description());
    let error = Field::parse("odd1").unwrap_err();
    assert_eq!(error.message, "moduli supplied at run time have 2 to 4096 bits, not 1");
    assert_eq!(error.help, ["write odd2 to odd4096"]);
    assert!(Field::parse("odd99999999999").is_err());
    assert!(Field::parse("odd").is_err() && Field::parse("odd 256").is_err());
}
