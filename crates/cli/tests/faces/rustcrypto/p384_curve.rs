//! P-384, by NIST SP 800-186.

const MODULUS: &str =
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff";
const ORDER: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973";

mod field {
    field! {
        FieldElement, FieldParams, U384, super::MODULUS, 19, words: [6, 7],
        ours: ours_p384::rustcrypto, theirs: p384_64,
        types: [fiat_p384_montgomery_domain_field_element, fiat_p384_non_montgomery_domain_field_element],
        functions: [fiat_p384_mul, fiat_p384_square, fiat_p384_add, fiat_p384_sub, fiat_p384_opp, fiat_p384_from_montgomery, fiat_p384_to_montgomery, fiat_p384_nonzero, fiat_p384_selectznz, fiat_p384_to_bytes, fiat_p384_from_bytes, fiat_p384_set_one, fiat_p384_msat, fiat_p384_divstep, fiat_p384_divstep_precomp]
    }
}

mod scalar {
    field! {
        Scalar, ScalarParams, U384, super::ORDER, 2, words: [6, 7],
        ours: ours_p384_scalar::rustcrypto, theirs: p384_scalar_64,
        types: [fiat_p384_scalar_montgomery_domain_field_element, fiat_p384_scalar_non_montgomery_domain_field_element],
        functions: [fiat_p384_scalar_mul, fiat_p384_scalar_square, fiat_p384_scalar_add, fiat_p384_scalar_sub, fiat_p384_scalar_opp, fiat_p384_scalar_from_montgomery, fiat_p384_scalar_to_montgomery, fiat_p384_scalar_nonzero, fiat_p384_scalar_selectznz, fiat_p384_scalar_to_bytes, fiat_p384_scalar_from_bytes, fiat_p384_scalar_set_one, fiat_p384_scalar_msat, fiat_p384_scalar_divstep, fiat_p384_scalar_divstep_precomp]
    }
}

use field::FieldElement;
use scalar::Scalar;

curve! {
    P384, U384, U48, order: ORDER, fields: [FieldElement, Scalar],
    equation_b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
    generator: [
        "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
        "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"
    ],
    vectors: p384
}
