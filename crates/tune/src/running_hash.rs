//! What a package has of a hash function with a running sum: its sizes, and known answers by the reference.

use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Mmh, SquareHash};
use evariste_emit::{HashAnswer, RunningHash};
use num_bigint::BigUint;

use crate::error::TuneError;
use crate::known_answers::{KnownAnswer, bytes};
use crate::operands::Stream;

/// Words of a message: none, a few, and those around one and two pieces. The last ones are longer than two.
const WORDS: [usize; 8] = [0, 1, 2, 5, 31, 32, 33, 65];

/// The hash function that a field is, with what is known of it beside other answers; `None`: another kind of field.
pub fn running_hash(field: &Field, known: &[KnownAnswer]) -> Result<Option<RunningHash>, TuneError> {
    let mmh = field.get::<Mmh>().map(|hash| (hash.word, hash.word, Operation::HASH_WRAPPING));
    let square = || field.get::<SquareHash>().map(|hash| (hash.word, hash.result, Operation::WRAPPING));
    let Some((word, result, wrapping)) = mmh.or_else(square) else { return Ok(None) };
    let size = word as usize / 8;
    let mut random = Stream::new(16);
    let mut answers = Vec::new();
    let mut add = |key: Vec<u8>, message: Vec<u8>| -> Result<(), TuneError> {
        let operands = [&key[..message.len()], &message].map(|s| BigUint::from_bytes_be(&[&[1], s].concat()));
        let hash = |operation: &Operation| -> Result<Vec<u8>, TuneError> {
            let value = operation.meaning(&**field, &operands);
            let value = value.ok_or_else(|| TuneError::Operand("a hash function has no reference".into()))?;
            let (digits, length) = (value.to_bytes_be(), result.div_ceil(8) as usize);
            let digits = if value.bits() == 0 { Vec::new() } else { digits };
            Ok([vec![0; length - digits.len()], digits].concat())
        };
        let hashes = [hash(&Operation::HASH)?, hash(&wrapping)?];
        answers.push(HashAnswer { key, message, hashes });
        Ok(())
    };
    for words in WORDS {
        let ends = words % 2 == 1;
        // Long runs of equal bits, and in every second message nothing else at first.
        let mut string = |n: usize| -> Vec<u8> {
            let byte =
                |at: usize, w: u64| if ends && at < n / 2 || w.is_multiple_of(3) { 0xff } else { (w >> 8) as u8 };
            (0..n).map(|at| byte(at, random.word())).collect()
        };
        // A key may be longer than its message.
        let message = string(words * size);
        add(string((words + words % 3) * size), message)?;
    }
    let hashed = |answer: &&KnownAnswer| [&Operation::HASH, &wrapping].contains(&&answer.operation);
    for answer in known.iter().filter(hashed) {
        if let (Some(key), Some(message)) = (bytes(&answer.operands[0]), bytes(&answer.operands[1])) {
            add(key, message)?;
        }
    }
    Ok(Some(RunningHash { word, result, answers }))
}
