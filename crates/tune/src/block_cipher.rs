//! What a package has of a block cipher on buffers: what follows a key, and known answers by the reference.

use evariste_algorithms::Operation;
use evariste_descriptions::{Dfc, Field};
use evariste_emit::{BlockCipher, BufferAnswer};
use num_bigint::BigUint;
use num_traits::One;

use crate::error::TuneError;

/// Bytes of a block.
const BLOCK: usize = 16;

/// The block cipher that a field is; `None`: another kind of field.
pub fn block_cipher(field: &Field) -> Result<Option<BlockCipher>, TuneError> {
    let Some(cipher) = field.get::<Dfc>() else { return Ok(None) };
    // What follows a key of no bits.
    let padding = cipher.padded(&BigUint::one()).iter().flat_map(|word| word.to_be_bytes()).collect();
    let counting = |from: u8, n: usize| (0..n).map(|i| from.wrapping_add(i as u8)).collect::<Vec<u8>>();
    let ends = |low: u64| (u128::MAX - u128::from(low)).to_be_bytes();
    let mut answers = Vec::new();
    for (key, text, counter) in [
        // NIST's table begins with the first block of these, by a key of zeros.
        (vec![0; 16], counting(0, 64), [0; BLOCK]),
        (counting(7, 32), counting(200, 79), ends(1)),
        (counting(100, 24), counting(3, 33), (u128::from(u64::MAX)).to_be_bytes()),
        (counting(50, 1), counting(90, 16), (1u128 << 127).to_be_bytes()),
        (Vec::new(), counting(1, 1), ends(0)),
        (counting(9, 31), Vec::new(), [0x5a; BLOCK]),
    ] {
        let marked = BigUint::from_bytes_be(&[&[1], &key[..]].concat());
        answers.push(answer(field, &marked, key, text, counter)?);
    }
    Ok(Some(BlockCipher { padding, answers }))
}

/// One block by the reference.
fn encrypted(field: &Field, key: &BigUint, block: u128) -> Result<[u8; BLOCK], TuneError> {
    let result = Operation::ENCRYPT.meaning(&**field, &[key.clone(), block.into()]);
    let result = result.and_then(|block| u128::try_from(block).ok());
    Ok(result.ok_or_else(|| TuneError::Operand("a cipher has no reference".into()))?.to_be_bytes())
}

fn answer(
    field: &Field,
    marked: &BigUint,
    key: Vec<u8>,
    text: Vec<u8>,
    counter: [u8; BLOCK],
) -> Result<BufferAnswer, TuneError> {
    let (mut ecb, mut ctr, mut next) = (Vec::new(), Vec::new(), u128::from_be_bytes(counter));
    for part in text.chunks(BLOCK) {
        if let Ok(block) = part.try_into() {
            ecb.extend(encrypted(field, marked, u128::from_be_bytes(block))?);
        }
        let stream = encrypted(field, marked, next)?;
        ctr.extend(part.iter().zip(stream).map(|(byte, stream)| byte ^ stream));
        next = next.wrapping_add(1);
    }
    Ok(BufferAnswer { key, text, counter, ecb, ctr, next: next.to_be_bytes() })
}
