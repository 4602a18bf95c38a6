//! The named moduli: values copied from the standards, never computed from memory at run time.

use crate::expression;
use num_bigint::BigUint;
use std::sync::OnceLock;

/// A modulus that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name, in lower case.
    pub name: &'static str,
    /// Other names that are understood; upper and lower case and `_` for `-` make no difference.
    pub aliases: &'static [&'static str],
    /// An expression with the same value.
    pub expression: &'static str,
    /// Where the value is defined.
    pub source: &'static str,
    /// What it is used for.
    pub what: &'static str,
    /// Is it used for the map `(a·x + b mod p) mod 2^k` and little else?
    pub affine_map: bool,
}

macro_rules! named {
    ($($name:literal $aliases:expr, $expression:literal, $source:literal, $what:literal $(, affine_map: $affine:literal)?;)*) => {
        &[$(Named {
            name: $name,
            aliases: &$aliases,
            expression: $expression,
            source: $source,
            what: $what,
            affine_map: false $(|| $affine)?,
        }),*]
    };
}

const NAMED: &[Named] = named! {
    "p192" ["p-192", "nist-p-192", "secp192r1", "prime192v1"],
        "2^192 - 2^64 - 1", "FIPS 186-2 appendix 6, SP 800-186", "base field of NIST P-192";
    "p224" ["p-224", "nist-p-224", "secp224r1"],
        "2^224 - 2^96 + 1", "FIPS 186-4 D.1.2, SP 800-186", "base field of NIST P-224";
    "p256" ["p-256", "nist-p-256", "secp256r1", "prime256v1"],
        "2^256 - 2^224 + 2^192 + 2^96 - 1", "FIPS 186-4 D.1.2, SP 800-186", "base field of NIST P-256";
    "p384" ["p-384", "nist-p-384", "secp384r1"],
        "2^384 - 2^128 - 2^96 + 2^32 - 1", "FIPS 186-4 D.1.2, SP 800-186", "base field of NIST P-384";
    "p521" ["p-521", "nist-p-521", "secp521r1"],
        "2^521 - 1", "FIPS 186-4 D.1.2, SP 800-186", "base field of NIST P-521";
    "secp256k1" ["k256"],
        "2^256 - 2^32 - 977", "SEC 2 v2", "base field of secp256k1";
    "p256-order" ["p256-n", "p256-fr", "secp256r1-order"],
        "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        "FIPS 186-4 D.1.2.3, SP 800-186", "scalar field of NIST P-256";
    "secp256k1-order" ["secp256k1-n", "secp256k1-fr", "k256-order"],
        "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        "SEC 2 v2, 2.4.1", "scalar field of secp256k1";
    "25519" ["curve25519", "ed25519", "x25519", "f25519"],
        "2^255 - 19", "RFC 7748", "base field of Curve25519 and Ed25519";
    "25519-order" ["ed25519-order", "curve25519-order", "ristretto255-order", "25519-fr"],
        "2^252 + 27742317777372353535851937790883648493", "RFC 8032, 5.1", "scalar field of Ed25519 and ristretto255";
    "448" ["curve448", "ed448", "x448", "f448", "ed448-goldilocks"],
        "2^448 - 2^224 - 1", "RFC 7748", "base field of Curve448 and Ed448";
    "bn254-fp" ["bn254-fq", "alt-bn128-fp", "alt-bn128-fq", "bn256-fp"],
        "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
        "EIP-196, EIP-197", "base field of the pairing-friendly curve BN254";
    "bn254-fr" ["alt-bn128-fr", "bn256-fr"],
        "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
        "EIP-196", "scalar field of the pairing-friendly curve BN254";
    "bls12-381-fp" ["bls12-381-fq", "bls381-fp"],
        "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
        "EIP-2537, CFRG pairing-friendly-curves draft", "base field of the pairing-friendly curve BLS12-381";
    "bls12-381-fr" ["bls381-fr"],
        "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
        "EIP-2537", "scalar field of the pairing-friendly curve BLS12-381";
    "bls12-377-fp" ["bls12-377-fq", "bls377-fp"],
        "0x1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        "Bowe et al., Zexe, 2018 (eprint 2018/962)", "base field of the pairing-friendly curve BLS12-377";
    "bls12-377-fr" ["bls377-fr"],
        "0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001",
        "Bowe et al., Zexe, 2018 (eprint 2018/962)", "scalar field of the pairing-friendly curve BLS12-377";
    "ss-b160-fp" ["ss-b160-fq"],
        "2^160 - 22085", "generated for tests; (p^2 - p + 1)/3 is prime",
        "base field of a supersingular curve over Fp2 of embedding degree 3";
    "ss-a512-fp" ["ss-a512-fq"],
        "0xa7a73868e95fba886edef8ce96e7217e364bb946f5ed839628d1f80010940622a7afdaf9b049744a459e54dab7ba5be92539e8ff9b4f30a3cf6230c28e284d97",
        "parameters of type A with 512 bits, as pairing libraries have them", "base field of a supersingular curve of embedding degree 2";
    "pallas" ["pallas-fp", "pallas-fq", "vesta-fr", "vesta-order"],
        "0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001",
        "Zcash protocol specification 5.4.9.6", "base field of Pallas, scalar field of Vesta";
    "vesta" ["vesta-fp", "vesta-fq", "pallas-fr", "pallas-order"],
        "0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001",
        "Zcash protocol specification 5.4.9.6", "base field of Vesta, scalar field of Pallas";
    "stark" ["stark252", "starknet", "starkware", "felt252", "stark-curve"],
        "2^251 + 17*2^192 + 1", "StarkEx documentation, STARK curve", "base field of the STARK curve, field of Cairo";
    "sm2" ["sm2p256v1", "sm2-p256"],
        "2^256 - 2^224 - 2^96 + 2^64 - 1", "GB/T 32918.5, ISO/IEC 14888-3", "base field of the curve of SM2";
    "goldilocks" ["goldilocks64", "goldilocks-64"],
        "2^64 - 2^32 + 1", "widely used in proof systems", "two-adic field of 64 bits";
    "babybear" ["baby-bear"],
        "2^31 - 2^27 + 1", "RISC Zero", "two-adic field of 31 bits";
    "koalabear" ["koala-bear"],
        "2^31 - 2^24 + 1", "Plonky3", "two-adic field of 31 bits";
    "mersenne31" ["m31", "mersenne-31"],
        "2^31 - 1", "Mersenne prime", "field of circle proof systems";
    "mersenne61" ["m61", "mersenne-61"],
        "2^61 - 1", "Mersenne prime", "field of polynomial hashes";
    "dfc" [],
        "2^64 + 13", "DFC, candidate for AES, 1998", "modulus of the cipher DFC", affine_map: true;
    "mmh" ["mmh-32", "mmh32"],
        "2^32 + 15", "Halevi and Krawczyk, MMH, 1997", "modulus of the hash MMH";
};

/// Every named modulus, in the order of the table.
pub fn named() -> &'static [Named] {
    NAMED
}

/// The entry called `text`, under its name or an alias.
pub(crate) fn by_name(text: &str) -> Option<&'static Named> {
    let wanted = normalised(text);
    NAMED.iter().find(|named| named.name == wanted || named.aliases.contains(&wanted.as_str()))
}

/// The entry whose modulus is `value`.
pub(crate) fn by_value(value: &BigUint) -> Option<&'static Named> {
    static VALUES: OnceLock<Vec<Option<BigUint>>> = OnceLock::new();
    let values = VALUES.get_or_init(|| {
        let of = |named: &Named| expression::evaluate(named.expression, 0..named.expression.len()).ok();
        NAMED.iter().map(|named| of(named).and_then(|value| value.to_biguint())).collect()
    });
    let position = values.iter().position(|known| known.as_ref() == Some(value))?;
    Some(&NAMED[position])
}

/// The names nearest to `text`, best first: near in spelling, or with `text` as their beginning.
pub(crate) fn suggestions(text: &str) -> Vec<&'static str> {
    nearest(text, NAMED.iter().map(|named| (named.name, named.aliases)))
}

/// The same among these names, each with other names for it.
pub(crate) fn nearest(
    text: &str,
    names: impl Iterator<Item = (&'static str, &'static [&'static str])>,
) -> Vec<&'static str> {
    let wanted = normalised(text);
    // Beyond this length nothing can be near, and the distance would take long.
    if wanted.is_empty() || wanted.len() > 32 {
        return Vec::new();
    }
    let allowed = if wanted.chars().count() <= 5 { 1 } else { 2 };
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for (name, aliases) in names {
        let best = std::iter::once(&name).chain(aliases).map(|known| {
            let begins = wanted.len() >= 3 && known.starts_with(&format!("{wanted}-"));
            if begins { 0 } else { edit_distance(&wanted, known) }
        });
        match best.min() {
            Some(distance) if distance <= allowed => found.push((distance, name)),
            _ => {}
        }
    }
    found.sort_by_key(|&(distance, _)| distance);
    // Worse spellings than the best one are noise.
    let best = found.first().map_or(0, |&(distance, _)| distance);
    found.into_iter().filter(|&(distance, _)| distance == best).map(|(_, name)| name).take(3).collect()
}

/// Lower case, with `-` for every `_` and blank.
pub(crate) fn normalised(text: &str) -> String {
    text.trim().to_lowercase().replace(['_', ' '], "-")
}

/// How many characters must be inserted, dropped or replaced.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // row[j] is the distance of the part of a read so far from the first j characters of b.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
