//! P-256 and P-384 of primeorder on fields whose arithmetic is ours, with RustCrypto's own tests.
#![cfg(test)]
// A macro of primefield calls what crypto-bigint has renamed since.
#![allow(deprecated)]

/// A field of primefield on the functions of a crate, its tests, and a comparison of each function with fiat-crypto's.
macro_rules! field {
    (
        $name:ident, $params:ident, $uint:ident, $modulus:expr, $generator:literal, words: [$n:literal, $sat:literal],
        ours: $($ours:ident)::+, theirs: $($theirs:ident)::+,
        types: [$mont:ident, $plain:ident],
        functions: [$mul:ident, $square:ident, $add:ident, $sub:ident, $opp:ident, $from:ident, $to:ident,
            $nonzero:ident, $select:ident, $to_bytes:ident, $from_bytes:ident, $set_one:ident, $msat:ident,
            $divstep:ident, $precomp:ident]
    ) => {
        use elliptic_curve::bigint::$uint;
        use elliptic_curve::ff::PrimeField;
        use elliptic_curve::subtle::{Choice, ConstantTimeEq, CtOption};
        use $($ours)::+::*;

        primefield::monty_field_params! {
            name: $params,
            modulus: $modulus,
            uint: $uint,
            byte_order: primefield::ByteOrder::BigEndian,
            multiplicative_generator: $generator,
            doc: "A modulus."
        }

        primefield::monty_field_element! {
            name: $name,
            params: $params,
            uint: $uint,
            doc: "An element."
        }

        primefield::fiat_monty_field_arithmetic! {
            name: $name,
            params: $params,
            uint: $uint,
            non_mont: $plain,
            mont: $mont,
            from_mont: $from,
            to_mont: $to,
            add: $add,
            sub: $sub,
            mul: $mul,
            neg: $opp,
            square: $square,
            divstep_precomp: $precomp,
            divstep: $divstep,
            msat: $msat,
            selectnz: $select
        }

        mod tests {
            use super::*;

            primefield::test_primefield!($name, $uint);
            primefield::test_fiat_monty_field_arithmetic!(
                name: $name,
                params: $params,
                uint: $uint,
                non_mont: $plain,
                mont: $mont,
                to_mont: $to,
                msat: $msat
            );

            #[test]
            fn inverses() {
                for a in crate::Words(9).below($params::PARAMS.modulus().to_words()) {
                    let a = $name::from_uint(&$uint::from_words(a)).unwrap();
                    let inverse = a.invert();
                    assert_eq!(bool::from(inverse.is_some()), a != $name::ZERO);
                    assert!(a == $name::ZERO || inverse.unwrap() * a == $name::ONE);
                }
            }
        }

        mod functions {
            use $($ours)::+ as ours;
            use fiat_crypto::$($theirs)::+ as theirs;

            #[test]
            fn are_those_of_fiat_crypto() {
                let (mut first, mut second) = ([0; $sat], [0; $sat]);
                ours::$msat(&mut first);
                theirs::$msat(&mut second);
                assert_eq!(first, second);
                let modulus = first;
                let (mut x, mut y) = ([0; $n], [0; $n]);
                ours::$precomp(&mut x);
                theirs::$precomp(&mut y);
                assert_eq!(x, y);
                let (mut x, mut y) = (ours::$mont(x), theirs::$mont(y));
                ours::$set_one(&mut x);
                theirs::$set_one(&mut y);
                assert_eq!(x.0, y.0);
                let one = x.0;
                let all = crate::Words(7).below(*modulus.first_chunk::<$n>().unwrap());
                for a in &all {
                    ours::$square(&mut x, &ours::$mont(*a));
                    theirs::$square(&mut y, &theirs::$mont(*a));
                    assert_eq!(x.0, y.0);
                    ours::$opp(&mut x, &ours::$mont(*a));
                    theirs::$opp(&mut y, &theirs::$mont(*a));
                    assert_eq!(x.0, y.0);
                    ours::$to(&mut x, &ours::$plain(*a));
                    theirs::$to(&mut y, &theirs::$plain(*a));
                    assert_eq!(x.0, y.0);
                    let (mut p, mut q) = (ours::$plain([0; $n]), theirs::$plain([0; $n]));
                    ours::$from(&mut p, &ours::$mont(*a));
                    theirs::$from(&mut q, &theirs::$mont(*a));
                    assert_eq!(p.0, q.0);
                    let (mut any, mut other) = (0, 0);
                    ours::$nonzero(&mut any, a);
                    theirs::$nonzero(&mut other, a);
                    assert_eq!(any, other);
                    let (mut bytes, mut others) = ([0; 8 * $n], [0; 8 * $n]);
                    ours::$to_bytes(&mut bytes, a);
                    theirs::$to_bytes(&mut others, a);
                    assert_eq!(bytes, others);
                    ours::$from_bytes(&mut x.0, &bytes);
                    assert_eq!(x.0, *a);
                    for b in &all {
                        ours::$mul(&mut x, &ours::$mont(*a), &ours::$mont(*b));
                        theirs::$mul(&mut y, &theirs::$mont(*a), &theirs::$mont(*b));
                        assert_eq!(x.0, y.0);
                        ours::$add(&mut x, &ours::$mont(*a), &ours::$mont(*b));
                        theirs::$add(&mut y, &theirs::$mont(*a), &theirs::$mont(*b));
                        assert_eq!(x.0, y.0);
                        ours::$sub(&mut x, &ours::$mont(*a), &ours::$mont(*b));
                        theirs::$sub(&mut y, &theirs::$mont(*a), &theirs::$mont(*b));
                        assert_eq!(x.0, y.0);
                        for choice in [0, 1] {
                            ours::$select(&mut x.0, choice, a, b);
                            theirs::$select(&mut y.0, choice, a, b);
                            assert_eq!(x.0, y.0);
                        }
                    }
                    // Division steps, as an inverse takes them.
                    let (mut d, mut f, mut g, mut v, mut r) = (1, modulus, [0; $sat], [0; $n], one);
                    g[..$n].copy_from_slice(a);
                    for _ in 0..200 {
                        let (mut e, mut h, mut i, mut w, mut s) = (0, [0; $sat], [0; $sat], [0; $n], [0; $n]);
                        theirs::$divstep(&mut e, &mut h, &mut i, &mut w, &mut s, d, &f, &g, &v, &r);
                        let other = (e, h, i, w, s);
                        ours::$divstep(&mut e, &mut h, &mut i, &mut w, &mut s, d, &f, &g, &v, &r);
                        assert_eq!((e, h, i, w, s), other);
                        (d, f, g, v, r) = (e, h, i, w, s);
                    }
                }
            }
        }
    };
}

/// A curve with a = -3: its fields, its points and its tests.
macro_rules! curve {
    (
        $curve:ident, $uint:ident, $size:ident, order: $order:expr, fields: [$field:ident, $scalar:ident],
        equation_b: $b:expr, generator: [$x:expr, $y:expr], vectors: $vectors:ident
    ) => {
        use elliptic_curve::bigint::{ArrayEncoding, Limb, Odd, $uint};
        use elliptic_curve::consts::$size;
        use elliptic_curve::ff::PrimeField as _;
        use elliptic_curve::hazmat::FieldArithmetic;
        use elliptic_curve::ops::{BatchInvert, Reduce, ReduceNonZero};
        use elliptic_curve::scalar::{FromUintUnchecked, IsHigh};
        use elliptic_curve::subtle::{Choice, ConditionallySelectable, ConstantTimeGreater};
        use elliptic_curve::{Curve, CurveArithmetic, PrimeCurveArithmetic};
        use primeorder::{PrimeCurveParams, point_arithmetic, wnaf};

        #[derive(Copy, Clone, Debug, Default, Eq, PartialEq, PartialOrd, Ord)]
        pub struct $curve;

        pub type FieldBytes = elliptic_curve::FieldBytes<$curve>;
        pub type AffinePoint = primeorder::AffinePoint<$curve>;
        pub type ProjectivePoint = primeorder::ProjectivePoint<$curve>;

        impl Curve for $curve {
            type FieldBytesSize = $size;
            type Uint = $uint;
            const ORDER: Odd<$uint> = Odd::<$uint>::from_be_hex($order);
        }

        impl elliptic_curve::PrimeCurve for $curve {}

        impl elliptic_curve::point::PointCompression for $curve {
            const COMPRESS_POINTS: bool = false;
        }

        impl CurveArithmetic for $curve {
            type AffinePoint = AffinePoint;
            type ProjectivePoint = ProjectivePoint;
            type Scalar = $scalar;
        }

        impl FieldArithmetic for $curve {
            type FieldElement = $field;
        }

        impl PrimeCurveArithmetic for $curve {
            type CurveGroup = ProjectivePoint;
        }

        impl PrimeCurveParams for $curve {
            type PointArithmetic = point_arithmetic::EquationAIsMinusThree;
            type Backend = primeorder::mul_backend::VariableOnly;
            const EQUATION_A: $field = $field::from_u64(3).neg();
            const EQUATION_B: $field = $field::from_hex_vartime($b);
            const GENERATOR: ($field, $field) = ($field::from_hex_vartime($x), $field::from_hex_vartime($y));
        }

        impl BatchInvert for $field {}

        elliptic_curve::scalar_impls!($curve, $scalar);

        wnaf::impl_wnaf_size_for_scalar!($scalar);

        impl AsRef<$scalar> for $scalar {
            fn as_ref(&self) -> &$scalar {
                self
            }
        }

        impl FromUintUnchecked for $scalar {
            type Uint = $uint;

            fn from_uint_unchecked(uint: Self::Uint) -> Self {
                Self::from_uint_unchecked(uint)
            }
        }

        impl IsHigh for $scalar {
            fn is_high(&self) -> Choice {
                const HALF: $uint = $curve::ORDER.as_ref().shr_vartime(1);
                self.to_canonical().ct_gt(&HALF)
            }
        }

        impl Reduce<$uint> for $scalar {
            fn reduce(w: &$uint) -> Self {
                let (r, underflow) = w.borrowing_sub(&$curve::ORDER, Limb::ZERO);
                let underflow = Choice::from((underflow.0 >> (Limb::BITS - 1)) as u8);
                Self::from_uint_unchecked($uint::conditional_select(w, &r, !underflow))
            }
        }

        impl Reduce<FieldBytes> for $scalar {
            fn reduce(bytes: &FieldBytes) -> Self {
                Self::reduce(&$uint::from_be_byte_array(*bytes))
            }
        }

        impl ReduceNonZero<$uint> for $scalar {
            fn reduce_nonzero(w: &$uint) -> Self {
                const MOST: $uint = $curve::ORDER.as_ref().wrapping_sub(&$uint::ONE);
                let (r, underflow) = w.borrowing_sub(&MOST, Limb::ZERO);
                let underflow = Choice::from((underflow.0 >> (Limb::BITS - 1)) as u8);
                Self::from_uint_unchecked($uint::conditional_select(w, &r, !underflow).wrapping_add(&$uint::ONE))
            }
        }

        impl ReduceNonZero<FieldBytes> for $scalar {
            fn reduce_nonzero(bytes: &FieldBytes) -> Self {
                Self::reduce_nonzero(&$uint::from_be_byte_array(*bytes))
            }
        }

        mod points {
            use super::{AffinePoint, ProjectivePoint, $scalar};
            use elliptic_curve::ff::PrimeField;
            use elliptic_curve::sec1::{self, ToSec1Point};
            use primeorder::Double;
            use $vectors::test_vectors::group::{ADD_TEST_VECTORS, MUL_TEST_VECTORS};

            primeorder::test_projective_arithmetic!(
                AffinePoint,
                ProjectivePoint,
                $scalar,
                ADD_TEST_VECTORS,
                MUL_TEST_VECTORS
            );
        }
    };
}

/// Words by Vigna's splitmix64.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Numbers below a modulus, in words: 0, 1, m - 1, and others at random.
    fn below<const N: usize>(&mut self, m: [u64; N]) -> Vec<[u64; N]> {
        let (mut one, mut most) = ([0; N], m);
        one[0] = 1;
        most[0] -= 1;
        let mut all = vec![[0; N], one, most];
        while all.len() < 40 {
            let x = core::array::from_fn(|_| self.next());
            if x.iter().rev().lt(m.iter().rev()) {
                all.push(x);
            }
        }
        all
    }
}

mod p256_curve;
mod p384_curve;
