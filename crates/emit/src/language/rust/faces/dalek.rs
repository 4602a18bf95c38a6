//! The functions that curve25519-dalek takes from fiat-crypto, in a crate of that name.

use num_bigint::BigInt;
use num_traits::One;

use super::super::super::row::Face;
use super::face::{RustFace, StandsIn};
use super::field::Field;

/// Its row.
pub const DALEK: RustFace = RustFace {
    face: Face {
        name: "dalek",
        about: "a crate in place of `fiat-crypto` 0.3 for curve25519-dalek 5 with `--cfg curve25519_dalek_backend=\"fiat\"`",
    },
    stands_in: Some(StandsIn { package: "fiat-crypto", version: "0.3.0", module: "curve25519_64" }),
    dependencies: &[],
    text,
};

/// The module.
fn text(field: &Field) -> Result<String, String> {
    let p: BigInt = (BigInt::one() << 255) - 19;
    let shape = &field.shape;
    let is_5x51 = shape.bits == 64 && shape.numbers.is_some_and(|numbers| numbers.weights == [0, 51, 102, 153, 204]);
    if *field.modulus != p || !is_5x51 {
        return Err(
            "it is of 2^255 - 19 in five digits of 51 bits\nhelp: write evariste emit 25519 --layout 5x51".into()
        );
    }
    if !shape.takes_word("selectznz") {
        return Err("the package has no selectznz\nhelp: add it to --ops".into());
    }
    // fiat-crypto's loose elements have digits up to 3·2^51: products take them as they are.
    let loose = BigInt::from(3) << 51;
    let products = ["mul", "square"].iter().all(|name| shape.takes_digits(name).is_some_and(|most| most >= loose));
    if !products {
        return Err("its products do not take digits up to 3·2^51\nhelp: leave --plan out".into());
    }
    let tight = shape.numbers.and_then(|numbers| numbers.digit_max.iter().min().cloned()).unwrap_or_default();
    // One pass of carries leaves digits below 2^51 and what is carried in: at most 3, times 19 in the lowest.
    if tight < (BigInt::one() << 51) + 3 * 19 {
        return Err("its elements at rest are below 2^51 + 57\nhelp: write --layout 5x51".into());
    }
    Ok(field.fill(include_str!("dalek.txt"), &[("TIGHT", format!("{tight:#x}")), ("LOOSE", format!("{loose:#x}"))]))
}
