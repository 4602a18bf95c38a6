//! What a package has of a stream cipher on bytes: where bytes of a key go, and known answers by the reference.

use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Wg, wg};
use evariste_emit::{StreamAnswer, StreamCipher};

use crate::known_answers::{KnownAnswer, bytes};

/// Bytes of an answer, unless a longer one is known: some calls of the kernel, and a rest.
const BYTES: usize = 21;

/// Is a field a stream cipher?
pub fn is_stream_cipher(field: &Field) -> bool {
    field.get::<Wg>().is_some()
}

/// The stream cipher that a field is, with what is known of it beside other answers; `None`: another kind of field.
pub fn stream_cipher(field: &Field, known: &[KnownAnswer]) -> Option<StreamCipher> {
    is_stream_cipher(field).then_some(())?;
    let known = known.iter().filter(|answer| answer.operation == Operation::KEYSTREAM);
    let known: Vec<[Vec<u8>; 3]> = known
        .filter_map(|answer| Some([bytes(&answer.operands[0])?, bytes(&answer.operands[1])?, bytes(&answer.result)?]))
        .collect();
    // All are as long as the longest: what follows a shorter one is the reference's.
    let most = known.iter().map(|[.., stream]| stream.len()).fold(BYTES, usize::max);
    let mut answers = Vec::new();
    let mut add = |key: Vec<u8>, iv: Vec<u8>| {
        let stream = wg::keystream(wg::initialise(&wg::load(&key, &iv)), most);
        answers.push(StreamAnswer { key, iv, stream });
    };
    for key_bytes in [10u8, 12, 14, 16] {
        for iv_bytes in [key_bytes, 4, 8] {
            let key: Vec<u8> = (0..key_bytes).map(|j| (5 * key_bytes).wrapping_add(0x53u8.wrapping_mul(j))).collect();
            let iv: Vec<u8> = (0..iv_bytes).map(|j| (13 + key_bytes).wrapping_add(0x67u8.wrapping_mul(j))).collect();
            add(key, iv);
        }
    }
    known.into_iter().for_each(|[key, iv, _]| add(key, iv));
    Some(StreamCipher { places: wg::places(), answers })
}
