//! The configuration of ark-ff's prime fields.

use num_bigint::BigInt;
use num_traits::One;

use super::super::super::row::Face;
use super::face::{Dependency, RustFace};
use super::field::Field;

/// Its row.
pub const ARK: RustFace = RustFace {
    face: Face {
        name: "ark",
        about: "`MontConfig` of ark-ff 0.6, or `FpConfig` where the layout is another, and `Fp`, the field made of it",
    },
    stands_in: None,
    dependencies: &[Dependency { name: "ark-ff", how: "version = \"0.6\", default-features = false" }],
    text,
};

/// The module: of the layout that ark-ff has itself, its words are taken as they are; of others each number is.
fn text(field: &Field) -> Result<String, String> {
    let n = field.words();
    let shared = [("N", n.to_string()), ("MODULUS_WORDS", field.plain(field.modulus, n))];
    if field.is_montgomery() {
        return Ok(field.fill(include_str!("ark_montgomery.txt"), &shared));
    }
    let whole = field.is_whole();
    let bytes = field.bytes;
    let (into, out_of) = match whole {
        true => ("Element(words)".to_string(), "element.0".to_string()),
        false => (field.fill(INTO, &shared), field.fill(OUT_OF, &shared)),
    };
    let plain = |x: &BigInt| field.plain(&(((x % field.modulus) + field.modulus) % field.modulus), n);
    let trace: BigInt = (field.modulus - 1) >> field.units.twos;
    let more = [
        ("INTO", into),
        ("OUT_OF", out_of),
        ("SPARE", (8 * n - bytes).to_string()),
        ("NEG_ONE", plain(&-BigInt::one())),
        ("PLAIN_GENERATOR", plain(&field.units.generator)),
        ("PLAIN_ROOT", plain(&field.units.root)),
        ("TRACE_MINUS_ONE_DIV_TWO", field.plain(&((trace - 1) >> 1), n)),
    ];
    Ok(field.fill(include_str!("ark_plain.txt"), &[&shared[..], &more].concat()))
}

const INTO: &str = "let mut bytes = [0; 8 * @N@];
    let mut i = 0;
    while i < 8 * @N@ {
        bytes[i] = (words[i / 8] >> (8 * (i % 8))) as u8;
        i += 1;
    }
    let (low, _) = bytes.split_at(@BYTES@);
    match low.first_chunk() {
        Some(low) => Element::from_le_bytes_unchecked(low),
        None => panic!(),
    }";

const OUT_OF: &str = "let bytes = element.to_le_bytes();
    let mut words = [0; @N@];
    let mut i = 0;
    while i < @BYTES@ {
        words[i / 8] |= (bytes[i] as u64) << (8 * (i % 8));
        i += 1;
    }
    words";
