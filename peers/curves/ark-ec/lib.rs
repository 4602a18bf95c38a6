//! ark-ec over ark-ff with its assembly: the towers of BLS12-381 and BN254, multiples of points in their groups, and
//! pairings. Multiples take other times for other scalars.

use ark_ec::pairing::Pairing;
use ark_ff::{BigInt, Field, PrimeField};

include!("../functions.rs");

/// Elements of the fields from their words in Montgomery form, and back; multiples and pairings of one setting.
macro_rules! setting {
    ($name:ident, $crate_name:ident, $engine:ident, $n:literal, $g1:ident, $g2:ident, $pairing:ident) => {
        mod $name {
            use super::*;
            use ark_ec::short_weierstrass::{Affine, Projective};
            use $crate_name::{Fq, Fq2, Fr, G1Projective, G2Projective, g1, g2, $engine};

            fn element(words: &[u64]) -> Fq {
                let mut own = [0; $n];
                own.copy_from_slice(words);
                Fq::new_unchecked(BigInt(own))
            }

            fn pair(words: &[u64]) -> Fq2 {
                Fq2::new(element(&words[..$n]), element(&words[$n..2 * $n]))
            }

            fn put(words: &mut [u64], all: &[Fq]) {
                words.chunks_mut($n).zip(all).for_each(|(to, x)| to.copy_from_slice(&x.0.0));
            }

            fn scalar(k: &[u64; 4]) -> Fr {
                Fr::from_bigint(BigInt(*k)).unwrap_or_default()
            }

            export! {
                $g1(o: [u64; 3 * $n], k: [u64; 4], p: [u64; 3 * $n]) {
                    let p: G1Projective =
                        Projective::new_unchecked(element(&p[..$n]), element(&p[$n..2 * $n]), element(&p[2 * $n..]));
                    let q = p * scalar(k);
                    put(o, &[q.x, q.y, q.z]);
                }
                $g2(o: [u64; 6 * $n], k: [u64; 4], p: [u64; 6 * $n]) {
                    let p: G2Projective =
                        Projective::new_unchecked(pair(&p[..2 * $n]), pair(&p[2 * $n..4 * $n]), pair(&p[4 * $n..]));
                    let q = p * scalar(k);
                    put(o, &[q.x.c0, q.x.c1, q.y.c0, q.y.c1, q.z.c0, q.z.c1]);
                }
                $pairing(o: [u64; 12 * $n], p: [u64; 2 * $n], q: [u64; 4 * $n]) {
                    let p: Affine<g1::Config> = Affine::new_unchecked(element(&p[..$n]), element(&p[$n..]));
                    let q: Affine<g2::Config> = Affine::new_unchecked(pair(&q[..2 * $n]), pair(&q[2 * $n..]));
                    let e = $engine::pairing(p, q).0;
                    let all = [e.c0.c0, e.c0.c1, e.c0.c2, e.c1.c0, e.c1.c1, e.c1.c2];
                    let all: Vec<Fq> = all.iter().flat_map(|x| [x.c0, x.c1]).collect();
                    put(o, &all);
                }
            }
        }
    };
}

/// The product and the square of a floor of a tower, whose elements are so many words: coordinate after coordinate.
macro_rules! floor {
    ($element:ty, $n:literal, $mul:ident, $sqr:ident) => {
        const _: () = assert!(size_of::<$element>() == 8 * $n && align_of::<$element>() == 8);

        export! {
            $mul(o: [u64; $n], a: [u64; $n], b: [u64; $n]) {
                // SAFETY: an element is as many words, each of which may be any; the check of all functions tells
                // whether coordinates lie in order.
                unsafe { *o.as_mut_ptr().cast::<$element>() = *a.as_ptr().cast::<$element>() * *b.as_ptr().cast::<$element>() };
            }
            $sqr(o: [u64; $n], a: [u64; $n]) {
                // SAFETY: as above.
                unsafe { *o.as_mut_ptr().cast::<$element>() = (*a.as_ptr().cast::<$element>()).square() };
            }
        }
    };
}

floor!(ark_bls12_381::Fq2, 12, peer_bls12_381_fp2_mul_montgomery, peer_bls12_381_fp2_sqr_montgomery);
floor!(ark_bls12_381::Fq6, 36, peer_bls12_381_fp6_mul_montgomery, peer_bls12_381_fp6_sqr_montgomery);
floor!(ark_bls12_381::Fq12, 72, peer_bls12_381_fp12_mul_montgomery, peer_bls12_381_fp12_sqr_montgomery);
floor!(ark_bn254::Fq2, 8, peer_bn254_fp2_mul_montgomery, peer_bn254_fp2_sqr_montgomery);
floor!(ark_bn254::Fq6, 24, peer_bn254_fp6_mul_montgomery, peer_bn254_fp6_sqr_montgomery);
floor!(ark_bn254::Fq12, 48, peer_bn254_fp12_mul_montgomery, peer_bn254_fp12_sqr_montgomery);

setting!(
    bls12_381,
    ark_bls12_381,
    Bls12_381,
    6,
    peer_bls12_381_g1_scalar_mul_vartime,
    peer_bls12_381_g2_scalar_mul_vartime,
    peer_bls12_381_pairing
);
setting!(
    bn254,
    ark_bn254,
    Bn254,
    4,
    peer_bn254_g1_scalar_mul_vartime,
    peer_bn254_g2_scalar_mul_vartime,
    peer_bn254_pairing
);
