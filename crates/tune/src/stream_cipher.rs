//! What a package has of a stream cipher on bytes: where bytes of a key go, and known answers by the reference.

use evariste_descriptions::{Field, Wg, wg};
use evariste_emit::{StreamAnswer, StreamCipher};

/// Bytes of an answer: some calls of the kernel, and a rest.
const BYTES: usize = 21;

/// Is a field a stream cipher?
pub fn is_stream_cipher(field: &Field) -> bool {
    field.get::<Wg>().is_some()
}

/// The stream cipher that a field is; `None`: another kind of field.
pub fn stream_cipher(field: &Field) -> Option<StreamCipher> {
    is_stream_cipher(field).then_some(())?;
    let mut answers = Vec::new();
    for key_bytes in [10u8, 12, 14, 16] {
        for iv_bytes in [key_bytes, 4, 8] {
            let key: Vec<u8> = (0..key_bytes).map(|j| (5 * key_bytes).wrapping_add(0x53u8.wrapping_mul(j))).collect();
            let iv: Vec<u8> = (0..iv_bytes).map(|j| (13 + key_bytes).wrapping_add(0x67u8.wrapping_mul(j))).collect();
            let stream = wg::keystream(wg::initialise(&wg::load(&key, &iv)), BYTES);
            answers.push(StreamAnswer { key, iv, stream });
        }
    }
    Some(StreamCipher { places: wg::places(), answers })
}
