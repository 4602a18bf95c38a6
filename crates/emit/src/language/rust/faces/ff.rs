//! The traits of ff.

use num_bigint::BigInt;
use num_traits::One;

use super::super::super::row::Face;
use super::face::{Dependency, RustFace};
use super::field::Field;

/// Its row.
pub const FF: RustFace = RustFace {
    face: Face {
        name: "ff",
        about: "`Field`, `PrimeField`, `PrimeFieldBits` and `FromUniformBytes` of ff 0.14, with subtle and zeroize",
    },
    stands_in: None,
    dependencies: &[
        Dependency { name: "ff", how: "version = \"0.14\", default-features = false, features = [\"bits\"]" },
        Dependency { name: "rand_core", how: "version = \"0.10\", default-features = false" },
        Dependency { name: "subtle", how: "version = \"2.6\", default-features = false" },
        Dependency { name: "zeroize", how: "version = \"1.9\", default-features = false" },
    ],
    text,
};

/// The module.
fn text(field: &Field) -> Result<String, String> {
    let bits = field.modulus.bits();
    let one = BigInt::one();
    // Enough bytes that what is left of them modulo p is all but uniform, and no fewer than hash functions give.
    let uniform = 64.max((bits + 128).div_ceil(8));
    let group = field.bytes - 1;
    let trace: BigInt = (field.modulus - 1) >> field.units.twos;
    let exponent: BigInt = (&trace - 1) >> 1;
    let delta = field.units.generator.modpow(&(&one << field.units.twos), field.modulus);
    let modulus: Vec<String> =
        (0..field.bytes).map(|i| ((field.modulus >> (8 * i)) % BigInt::from(256)).to_string()).collect();
    let root = match field.shape.gives_flag("sqrt_flagged") {
        true => field.fill(
            "let (root, is_square) = super::@PREFIX@_sqrt_flagged(&self.0);\n        CtOption::new(Element(root), Choice::from(is_square[0] as u8 & 1))",
            &[],
        ),
        false => format!("::ff::helpers::sqrt_tonelli_shanks(self, {})", field.plain(&exponent, field.words())),
    };
    let repr =
        if field.bytes <= 32 { format!("pub type Repr = [u8; {}];\n", field.bytes) } else { field.fill(REPR, &[]) };
    Ok(field.fill(
        include_str!("ff.txt"),
        &[
            ("REPR", repr),
            ("BITS", bits.to_string()),
            ("CAPACITY", (bits - 1).to_string()),
            ("UNIFORM", uniform.to_string()),
            ("GROUP", group.to_string()),
            ("SHIFT", field.element(&(&one << (8 * group)))),
            ("TWO_INV", field.element(&((field.modulus + 1) >> 1))),
            ("ROOT_INV", field.element(&field.inverse(&field.units.root))),
            ("DELTA", field.element(&delta)),
            ("MODULUS_BYTES", format!("[{}]", modulus.join(", "))),
            ("SQRT", root),
        ],
    ))
}

/// Bytes of which there is no `Default` in the standard library.
const REPR: &str = "#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repr(pub [u8; @BYTES@]);

impl Default for Repr {
    fn default() -> Repr {
        Repr([0; @BYTES@])
    }
}

impl AsRef<[u8]> for Repr {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for Repr {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl From<[u8; @BYTES@]> for Repr {
    fn from(bytes: [u8; @BYTES@]) -> Repr {
        Repr(bytes)
    }
}

impl From<Repr> for [u8; @BYTES@] {
    fn from(repr: Repr) -> [u8; @BYTES@] {
        repr.0
    }
}
";
