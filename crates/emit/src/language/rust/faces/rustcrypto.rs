//! The functions that RustCrypto's `primefield` takes from fiat-crypto, by the same names.

use num_bigint::BigInt;

use super::super::super::row::Face;
use super::face::RustFace;
use super::field::Field;

/// Its row.
pub const RUSTCRYPTO: RustFace = RustFace {
    face: Face {
        name: "rustcrypto",
        about: "`fiat_PREFIX_mul`, … as fiat-crypto has them, which `primefield::fiat_monty_field_arithmetic!` takes",
    },
    stands_in: None,
    dependencies: &[],
    text,
};

/// The module.
fn text(field: &Field) -> Result<String, String> {
    if !field.is_montgomery() {
        let n = field.words();
        return Err(format!(
            "it is of elements in Montgomery form, one number below the modulus in {n} words of 64 bits\nhelp: add --layout montgomery-{n}x64"
        ));
    }
    if !field.shape.takes_word("selectznz") {
        return Err("the package has no selectznz\nhelp: add it to --ops".into());
    }
    let n = field.words();
    // As many steps as primefield takes, after Bernstein and Yang, "Fast constant-time gcd computation and modular
    // inversion" (2019), theorem 11.2; each step left a factor of 2.
    let steps = (49 * field.modulus.bits() + 57) / 17;
    let half: BigInt = (field.modulus + 1) >> 1;
    Ok(field.fill(
        include_str!("rustcrypto.txt"),
        &[
            ("N", n.to_string()),
            ("SAT", (n + 1).to_string()),
            ("MSAT", field.plain(field.modulus, n + 1)),
            ("PRECOMP", field.element(&half.modpow(&steps.into(), field.modulus))),
            ("ONE", field.element(&1.into())),
            ("STEPS", steps.to_string()),
        ],
    ))
}
