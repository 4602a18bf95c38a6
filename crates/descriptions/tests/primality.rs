//! Baillie-PSW against trial division and against the numbers that fool other tests.

use evariste_descriptions::Field;
use evariste_descriptions::prime::{is_prime, is_strong_lucas_probable_prime, is_strong_probable_prime, small_factor};
use num_bigint::BigUint;
use num_traits::One;

fn by_trial_division(n: u32) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

#[test]
fn agrees_with_trial_division() {
    let (mut strong, mut lucas) = (Vec::new(), Vec::new());
    for n in 0..100_000u32 {
        let (prime, big) = (by_trial_division(n), BigUint::from(n));
        assert_eq!(is_prime(&big), prime, "{n}");
        // The two halves, without the trial division that decides numbers of this size.
        let halves = (is_strong_probable_prime(&big, 2), is_strong_lucas_probable_prime(&big));
        assert_eq!(halves.0 && halves.1, prime, "{n}");
        if !prime && halves.0 {
            strong.push(n);
        }
        if !prime && halves.1 {
            lucas.push(n);
        }
    }
    // OEIS A001262 and A217255, as far as they go below 10^5.
    assert_eq!(
        strong,
        [2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281, 74665, 80581, 85489, 88357, 90751]
    );
    assert_eq!(lucas, [5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439]);
}

#[test]
fn numbers_that_fool_other_tests() {
    // Carmichael numbers without a factor below 2^10, strong pseudoprimes to the first 2 … 13 prime
    // bases (OEIS A014233), strong pseudoprimes to base 2 that are squares of the Wieferich primes.
    for text in [
        "1373653",
        "25326001",
        "3215031751",
        "2152302898747",
        "3474749660383",
        "341550071728321",
        "3825123056546413051",
        "318665857834031151167461",
        "3317044064679887385961981",
        "1194649",
        "12327121",
        "9746347772161",
        "1590231231043178376951698401",
    ] {
        let n: BigUint = text.parse().unwrap();
        assert!(!is_prime(&n), "{text}");
        assert!(!(is_strong_probable_prime(&n, 2) && is_strong_lucas_probable_prime(&n)), "{text}");
    }
    // The Wieferich squares do pass the first half, so that the second half matters.
    assert!(is_strong_probable_prime(&BigUint::from(1_194_649u32), 2));
    assert!(is_strong_probable_prime(&"3317044064679887385961981".parse().unwrap(), 37));
}

#[test]
fn large_primes_and_their_products() {
    let mersenne = |k: u32| (BigUint::one() << k) - 1u32;
    for k in [61, 89, 107, 127, 521, 607, 1279] {
        assert!(is_prime(&mersenne(k)), "2^{k} - 1");
        assert!(!is_prime(&(mersenne(k) * mersenne(61))), "(2^{k} - 1)(2^61 - 1)");
    }
    for k in [67, 101, 257, 523] {
        assert!(!is_prime(&mersenne(k)), "2^{k} - 1");
    }
}

#[test]
fn a_composite_modulus_is_a_ring_and_says_so() {
    let description = |text: &str| Field::parse(text).unwrap().description();
    assert!(
        description("2^256 - 1").contains("a ring, not a field") && description("2^256 - 1").contains("3 divides it")
    );
    assert!(description("(2^61-1)*(2^89-1)").contains("composite (Baillie-PSW)"));
    assert!(description("2^89 - 1").contains("a field: the modulus is a prime of 89 bits"));
}

#[test]
fn small_factors() {
    for (n, factor) in [
        (15u32, Some(3)),
        (49, Some(7)),
        (7, None),
        (1021, None),
        (1021 * 1021, Some(1021)),
        (1031 * 1033, None),
        (1, None),
        (0, None),
    ] {
        assert_eq!(small_factor(&BigUint::from(n)), factor, "{n}");
    }
}

/// The largest prime of 4096 bits is accepted, and its neighbours, one of them without a small factor, as rings.
#[test]
fn the_largest_size() {
    let top = BigUint::one() << 4096u32;
    assert!(is_prime(&(&top - 2549u32)));
    assert!(!is_prime(&(&top - 2547u32)));
    let neighbour = (1..2549u32).map(|c| &top - c).find(|n| small_factor(n).is_none()).unwrap();
    assert!(!is_prime(&neighbour));
}
