//! Wycheproof's signatures of Ed25519 and Ed448, verified by machine code of our own: points from their bytes, `k·P + l·G`,
//! and the bytes of the sum. The hash is another crate's, and numbers below the order are read here.

use evariste::builder::Curve;
use evariste::{BigUint, Field, Op};
use num_bigint::BigInt;
use sha2::Digest;
use sha3::digest::{ExtendableOutput, Update};
use wycheproof::{TestResult, eddsa};

use crate::wycheproof_cases::{Function, bytes_of, elements};

/// What verifies signatures.
struct Verifier {
    from: Function,
    opposite: Function,
    multiples: Function,
    to: Function,
    order: BigUint,
    hash: fn(&[&[u8]]) -> Vec<u8>,
}

fn sha512(parts: &[&[u8]]) -> Vec<u8> {
    parts.iter().fold(sha2::Sha512::new(), |hash, part| hash.chain_update(part)).finalize().to_vec()
}

/// SHAKE256 behind the prefix of Ed448 without a context.
fn shake256(parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = sha3::Shake256::default();
    hash.update(b"SigEd448\0\0");
    parts.iter().for_each(|part| hash.update(part));
    let mut out = vec![0; 114];
    hash.finalize_xof_into(&mut out);
    out
}

impl Verifier {
    fn new(curve: &str, hash: fn(&[&[u8]]) -> Vec<u8>) -> Verifier {
        let order = Field::parse(&format!("curve:{curve}")).unwrap().spec().get::<Curve>().unwrap().order.clone();
        let of = |operation: &Op| Function::new(curve, operation);
        let [from, opposite, multiples, to] =
            [Op::FROM_COMPRESSED, Op::OPP, Op::DOUBLE_SCALAR_MUL, Op::TO_COMPRESSED].map(|op| of(&op));
        Verifier { from, opposite, multiples, to, order: order.expect("an order"), hash }
    }

    /// The words of a scalar.
    fn words(&self, number: &BigUint) -> Vec<BigInt> {
        let words = number.to_u64_digits();
        (0..self.multiples.length("k")).map(|i| words.get(i).copied().unwrap_or_default().into()).collect()
    }

    /// RFC 8032, sections 5.1.7 and 5.2.7, without the cofactor: `S·B − h·A` has the bytes R.
    fn verifies(&self, key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let length = self.from.length("p");
        if signature.len() != 2 * length || key.len() != length {
            return false;
        }
        let (r, s) = signature.split_at(length);
        let s = BigUint::from_bytes_le(s);
        let [a, valid] = self.from.call(&[("p", elements(key))], ["out", "valid"]);
        if s >= self.order || valid != [BigInt::from(1)] {
            return false;
        }
        let h = BigUint::from_bytes_le(&(self.hash)(&[r, key, message])) % &self.order;
        let [minus_a] = self.opposite.call(&[("P", a)], ["out"]);
        let [sum] = self.multiples.call(&[("k", self.words(&h)), ("p", minus_a), ("l", self.words(&s))], ["out"]);
        let [bytes, valid] = self.to.call(&[("a", sum)], ["out", "valid"]);
        assert_eq!(valid, [BigInt::from(1)], "every point has bytes");
        bytes == elements(r)
    }
}

fn wycheproof_files() -> [(eddsa::TestName, &'static str, fn(&[&[u8]]) -> Vec<u8>, [usize; 2]); 2] {
    [(eddsa::TestName::Ed25519, "ed25519", sha512, [151, 88]), (eddsa::TestName::Ed448, "ed448", shake256, [87, 17])]
}

#[test]
fn signatures_of_edwards_curves() {
    for (name, curve, hash, wanted) in wycheproof_files() {
        let verifier = Verifier::new(curve, hash);
        let (mut cases, mut valid) = (0, 0);
        for group in eddsa::TestSet::load(name).expect("a set of cases").test_groups {
            for case in &group.tests {
                let verified = verifier.verifies(&group.key.pk, &case.msg, &case.sig);
                assert_eq!(verified, case.result == TestResult::Valid, "{name:?} {} ({:?})", case.tc_id, case.flags);
                (cases, valid) = (cases + 1, valid + usize::from(verified));
            }
        }
        assert_eq!([cases, valid], wanted, "{name:?}");
    }
}

/// The public key that belongs to the lower half of a private key's hash: clamped, it is multiplied with the base point
/// (RFC 8032, sections 5.1.5 and 5.2.5).
fn key_of(multiples: &Function, to: &Function, half: &[u8]) -> Vec<u8> {
    let mut k = half.to_vec();
    if k.len() == 32 {
        (k[0], k[31]) = (k[0] & 0xf8, k[31] & 0x7f | 0x40);
    } else {
        (k[0], k[55], k[56]) = (k[0] & 0xfc, k[55] | 0x80, 0);
    }
    let words = BigUint::from_bytes_le(&k).to_u64_digits();
    let words = (0..multiples.length("k")).map(|i| words.get(i).copied().unwrap_or_default().into()).collect();
    let [point] = multiples.call(&[("k", words)], ["out"]);
    let [bytes, valid] = to.call(&[("a", point)], ["out", "valid"]);
    assert_eq!(valid, [BigInt::from(1)], "every point has bytes");
    bytes.iter().map(|byte| u8::try_from(byte).expect("a byte")).collect()
}

/// Keys by tables of the base point: those of RFC 8032, sections 7.1 and 7.4.
#[test]
fn public_keys_of_edwards_curves() {
    let functions = |curve| [Op::MUL_BASE, Op::TO_COMPRESSED].map(|op| Function::new(curve, &op));
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/curves.json")).expect("JSON");
    let all = vectors["curves"].as_array().expect("curves").iter();
    let all: Vec<_> = all.flat_map(|curve| curve["rfc8032"].as_array().map_or(&[][..], Vec::as_slice)).collect();
    assert_eq!(all.len(), 3);
    let [multiples, to] = functions("ed25519");
    for vector in all {
        let [private, public] =
            ["secret", "public"].map(|key| bytes_of(vector[key].as_str().expect("hexadecimal digits")));
        assert_eq!(key_of(&multiples, &to, &sha512(&[&private])[..32]), public);
    }
    let private = "6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b";
    let public = "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180";
    let mut hash = sha3::Shake256::default();
    hash.update(&bytes_of(private));
    let mut half = vec![0; 57];
    hash.finalize_xof_into(&mut half);
    let [multiples, to] = functions("ed448");
    assert_eq!(key_of(&multiples, &to, &half), bytes_of(public));
}

/// Bytes that stand for no point, and second forms of points, are refused: RFC 8032, section 5.1.3.
#[test]
fn encodings_that_are_none() {
    let from = Function::new("ed25519", &Op::FROM_COMPRESSED);
    let valid = |text: &str| {
        let [valid] = from.call(&[("p", elements(&bytes_of(text)))], ["valid"]);
        valid == [BigInt::from(1)]
    };
    let bytes = |first: &str, middle: &str, last: &str| first.to_owned() + &middle.repeat(30) + last;
    // y = 1 and y = −1: x is 0, which has no odd form.
    assert!(valid(&bytes("01", "00", "00")) && !valid(&bytes("01", "00", "80")));
    assert!(valid(&bytes("ec", "ff", "7f")) && !valid(&bytes("ec", "ff", "ff")));
    // p + 1, p and 2^255 − 1.
    assert!(!valid(&bytes("ee", "ff", "7f")) && !valid(&bytes("ed", "ff", "7f")) && !valid(&bytes("ff", "ff", "7f")));
    // y = 2: no x.
    assert!(valid(&bytes("00", "00", "00")) && !valid(&bytes("02", "00", "00")));
}
