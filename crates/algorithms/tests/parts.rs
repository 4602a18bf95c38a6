//! The parts that algorithms are made of, on their own.

mod kinds {
    use evariste_algorithms::kinds::{KINDS, exact, layouts};
    use evariste_descriptions::Field;

    #[test]
    fn every_kind_that_can_be_described_has_layouts_or_exact_operations() {
        for described in evariste_descriptions::kinds::KINDS {
            let field = Field::parse(described.example).unwrap_or_else(|e| panic!("{}: {e}", described.example));
            let kinds = KINDS.iter().filter(|kind| (kind.describes)(&field)).count();
            assert_eq!(kinds, 1, "{}: kinds", described.example);
            assert!(!layouts(&field, 64).is_empty() || !exact(&field).is_empty(), "{}: layouts", described.example);
            assert_eq!(Field::parse(&field.text()).as_ref(), Ok(&field), "{}", described.example);
        }
    }
}

mod addition_chain {
    use evariste_algorithms::prime::addition_chain::{Chain, find};
    use num_bigint::BigUint;
    use num_traits::One;

    fn check(e: &BigUint) -> Chain {
        let chain = find(e);
        let values = chain.values();
        assert_eq!(values.last(), Some(e));
        assert!(chain.steps.iter().enumerate().all(|(at, (i, j))| *i <= at && *j <= at));
        chain
    }

    #[test]
    fn small_exponents_and_chains_of_known_fields() {
        for e in 1u32..3000 {
            let e = BigUint::from(e);
            let chain = check(&e);
            // Never longer than square and multiply.
            assert!((chain.steps.len() as u64) < e.bits() - 1 + e.count_ones(), "{e}");
        }
        // 2^255 − 21: the best known chain has 254 doublings and 11 additions. Lengths that the heuristics reach are
        // kept.
        let e = (BigUint::one() << 255) - 21u32;
        let chain = check(&e);
        assert!(chain.steps.len() <= 268, "{} steps", chain.steps.len());
        let p256: BigUint =
            "115792089210356248762697446949407573530086143415290314195533631308867097853949".parse().unwrap();
        let chain = check(&p256);
        assert!(chain.steps.len() <= 268, "{} steps", chain.steps.len());
        let secp256k1 = (BigUint::one() << 256) - (BigUint::one() << 32) - 979u32;
        let chain = check(&secp256k1);
        assert!(chain.steps.len() <= 270, "{} steps", chain.steps.len());
    }

    #[test]
    fn a_long_dense_exponent_takes_about_one_addition_in_six_bits() {
        let mut e = BigUint::from(3u32);
        for _ in 0..10 {
            e = &e * &e * 7u32 + 1u32;
        }
        let chain = check(&e);
        assert!(
            (chain.additions() as u64) < e.bits() / 5 + 20,
            "{} additions for {} bits",
            chain.additions(),
            e.bits()
        );
    }
}

mod operation {
    use evariste_algorithms::Operation;
    use evariste_algorithms::operation::OPERATIONS;

    #[test]
    fn rows_are_told_apart_and_read_as_they_are_written() {
        let members = OPERATIONS.iter().map(|op| if op.row().family.is_some() { op.with(26u32) } else { op.clone() });
        let all: Vec<Operation> = members.collect();
        for (i, op) in all.iter().enumerate() {
            assert_eq!(Operation::parse(&op.name()).as_ref(), Some(op));
            assert!(all[..i].iter().all(|other| other.name() != op.name()), "{op:?} stands twice");
            assert!(!op.row().what.is_empty() && !op.row().inputs.is_empty() && !op.row().outputs.is_empty(), "{op:?}");
        }
        assert_eq!(Operation::POWER.with(0x1fu32).name(), "pow_1f");
        for name in ["", "pow_", "pow_HEX", "pow_+1", "dot_x", "affine_mod_2_99999999999", "mul2"] {
            assert_eq!(Operation::parse(name), None, "{name}");
        }
    }
}

mod power {
    use evariste_algorithms::pairing::power::{digits, runs};
    use num_bigint::{BigInt, BigUint};
    use num_traits::{One, Zero};

    #[test]
    fn digits_are_those_of_the_exponent() {
        for exponent in (1u64..3000).chain([0xd201_0000_0001_0000, 0x4600_5555_5555_0001, u64::MAX]) {
            let exponent = BigUint::from(exponent);
            for w in 1..=5 {
                let value = digits(&exponent, w).iter().fold(BigInt::zero(), |sum, d| (sum + d.odd) << d.below);
                assert_eq!(value, exponent.clone().into());
            }
            let value = runs(&exponent).iter().fold(BigInt::one(), |sum, (n, digit)| (sum << *n) + digit);
            assert_eq!(value, exponent.into());
        }
    }
}

mod five_parts {
    use evariste_algorithms::binary::five_parts::{SETS, SUMS, blocks, combinations};

    #[test]
    fn every_half_of_a_product_has_its_sum() {
        let mut known: Vec<u32> = (0..10).map(|k| 1 << k).collect();
        for (x, y) in SUMS {
            assert!(known.contains(&x) && known.contains(&y));
            known.push(x ^ y);
        }
        for i in 0..13 {
            assert!([false, true].iter().all(|upper| known.contains(&blocks(i, *upper))));
        }
    }

    /// On values of the fifteen terms.
    #[test]
    fn products_add_up_to_the_coefficients() {
        for (k, products) in combinations().iter().enumerate() {
            for i in 0..5 {
                for j in i..5 {
                    let holds = |set: &u32| set >> i & 1 == 1 && set >> j & 1 == 1;
                    let count = SETS.iter().enumerate().filter(|(n, set)| products >> n & 1 == 1 && holds(set)).count();
                    assert_eq!(count % 2 == 1, i + j == k, "coefficient {k}, term {i}, {j}");
                }
            }
        }
    }
}

mod signed_row {
    use evariste_algorithms::reduction::signed_row::{SignedWords, price};
    use evariste_ir::range::pow2;
    use num_bigint::BigInt;
    use num_traits::Zero;

    fn words(p: &BigInt, word: u32) -> Option<SignedWords> {
        let n = p.bits().div_ceil(u64::from(word)) as usize;
        let s = SignedWords::new(p, word, n)?;
        let value: BigInt = s.words.iter().enumerate().map(|(i, d)| d << (i as u32 * word)).sum();
        assert_eq!(&value + if s.top { pow2(n as u32 * word) } else { BigInt::zero() }, *p);
        Some(s)
    }

    fn multiplications(p: BigInt, word: u32) -> usize {
        words(&p, word).map_or(99, |s| s.words.iter().filter(|w| price(w) == 4).count())
    }

    #[test]
    fn sparse_moduli_have_cheap_words() {
        let power = |k: u32| pow2(k);
        assert_eq!(multiplications(power(224) - power(96) + 1, 64), 0);
        assert_eq!(multiplications(power(448) - power(224) - 1, 64), 0);
        assert_eq!(multiplications(power(521) - 1, 64), 0);
        assert_eq!(multiplications(power(256) - power(224) + power(192) + power(96) - 1, 64), 1);
        // A second chain of six words costs more than a multiplication.
        assert_eq!(multiplications(power(384) - power(128) - power(96) + power(32) - 1, 64), 2);
        assert_eq!(multiplications(power(256) - power(32) - 977, 64), 1);
        assert_eq!(multiplications(power(255) - 19, 32), 1);
    }

    #[test]
    fn every_modulus_of_three_words_of_three_bits() {
        let signed = (65..512).step_by(2).filter_map(|p| words(&BigInt::from(p), 3)).count();
        assert!(signed > 20);
    }
}
