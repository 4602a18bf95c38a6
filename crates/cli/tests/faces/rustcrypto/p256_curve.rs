//! P-256, by NIST SP 800-186.

const MODULUS: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
const ORDER: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

mod field {
    field! {
        FieldElement, FieldParams, U256, super::MODULUS, 6, words: [4, 5],
        ours: ours_p256::rustcrypto, theirs: p256_64,
        types: [fiat_p256_montgomery_domain_field_element, fiat_p256_non_montgomery_domain_field_element],
        functions: [fiat_p256_mul, fiat_p256_square, fiat_p256_add, fiat_p256_sub, fiat_p256_opp, fiat_p256_from_montgomery, fiat_p256_to_montgomery, fiat_p256_nonzero, fiat_p256_selectznz, fiat_p256_to_bytes, fiat_p256_from_bytes, fiat_p256_set_one, fiat_p256_msat, fiat_p256_divstep, fiat_p256_divstep_precomp]
    }
}

mod scalar {
    field! {
        Scalar, ScalarParams, U256, super::ORDER, 7, words: [4, 5],
        ours: ours_p256_scalar::rustcrypto, theirs: p256_scalar_64,
        types: [fiat_p256_scalar_montgomery_domain_field_element, fiat_p256_scalar_non_montgomery_domain_field_element],
        functions: [fiat_p256_scalar_mul, fiat_p256_scalar_square, fiat_p256_scalar_add, fiat_p256_scalar_sub, fiat_p256_scalar_opp, fiat_p256_scalar_from_montgomery, fiat_p256_scalar_to_montgomery, fiat_p256_scalar_nonzero, fiat_p256_scalar_selectznz, fiat_p256_scalar_to_bytes, fiat_p256_scalar_from_bytes, fiat_p256_scalar_set_one, fiat_p256_scalar_msat, fiat_p256_scalar_divstep, fiat_p256_scalar_divstep_precomp]
    }
}

use field::FieldElement;
use scalar::Scalar;

curve! {
    P256, U256, U32, order: ORDER, fields: [FieldElement, Scalar],
    equation_b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
    generator: [
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    ],
    vectors: p256
}
