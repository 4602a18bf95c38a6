//! Ours with packing: products of arrays of canonical numbers in ordinary words, by an engine on one thread. The code
//! of an engine is made in the first call.

use std::sync::OnceLock;

use evariste_array::{Engine, Options};
use evariste_descriptions::Field;

/// Elements of an array.
const ELEMENTS: usize = 128;

/// The engine of a field: with what it takes by itself on every machine of this kind.
fn engine<'a>(cell: &'a OnceLock<Option<Engine>>, field: &str) -> Option<&'a Engine> {
    let made = cell.get_or_init(|| {
        Engine::with(&Field::parse(field).ok()?, Options { threads: 1, forget: true, ..Options::default() }).ok()
    });
    made.as_ref()
}

macro_rules! product {
    ($name:ident, $field:literal, $words:literal, $mul:ident) => {
        /// A result that is wrong in all places where there is no result: the comparison checks it.
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name(
            o: &mut [u64; $words * ELEMENTS],
            a: &[u64; $words * ELEMENTS],
            b: &[u64; $words * ELEMENTS],
        ) {
            static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
            let done = engine(&ENGINE, $field).is_some_and(|engine| engine.$mul(o, a, b).is_ok());
            if !done {
                o.fill(u64::MAX);
            }
        }
    };
}

product!(peer_bls12_381_fr_mul_words, "bls12-381-fr", 4, mul_words_into);
product!(peer_bls12_381_fr_mul_montgomery_words, "bls12-381-fr", 4, mul_montgomery_words_into);
product!(peer_bls12_381_fp_mul_words, "bls12-381-fp", 6, mul_words_into);
product!(peer_bls12_381_fp_mul_montgomery_words, "bls12-381-fp", 6, mul_montgomery_words_into);
product!(peer_p256_mul_montgomery_words, "p256", 4, mul_montgomery_words_into);
product!(peer_25519_mul_words, "25519", 4, mul_words_into);
product!(peer_secp256k1_mul_words, "secp256k1", 4, mul_words_into);
