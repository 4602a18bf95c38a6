//! A block cipher on buffers of bytes in Rust, beside its kernels: a key of bytes, every block by itself (ECB), and the
//! encrypted counter added to a text (CTR, as in NIST SP 800-38A with all 128 bits counted). Buffers are changed in place,
//! so that nothing can overlap; what does not fit is an error, and then nothing was written.

use super::super::words::CipherWords;
use super::machine::fastest;
use crate::package::Content;

/// A text in which PREFIX, PADDING, WORD, ENCRYPT and DECRYPT, and what a cipher fills, stand for what they are; nothing
/// without a block cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    let text = text
        .replace("PADDING", &CipherWords::list(&words.cipher.padding))
        .replace("ENCRYPT", &fastest(content, "encrypt_block"))
        .replace("DECRYPT", &fastest(content, "decrypt_block"))
        .replace("WORDTYPE", &format!("u{}", words.bits));
    words.filled(&text).replace("PREFIX", content.prefix)
}

/// The functions.
pub fn definitions(content: &Content) -> String {
    let ecb = |direction: &str, block: &str| ECB.replace("DIRECTION", direction).replace("ONE", block);
    let all = [COMMON, &ecb("encrypt", "ENCRYPT"), &ecb("decrypt", "DECRYPT"), CTR].concat();
    filled(content, &all)
}

const COMMON: &str = "
/// What functions on buffers refuse; nothing was written then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BufferError {
    /// A key of more than 32 bytes.
    KeyLength,
    /// In ECB a text that is not in whole blocks of 16 bytes.
    TextLength,
}

impl core::fmt::Display for BufferError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            BufferError::KeyLength => \"a key has more than 32 bytes: give 0 to 32\",
            BufferError::TextLength => \"a text is not in whole blocks of 16 bytes: fill it up, or take CTR\",
        })
    }
}

impl core::error::Error for BufferError {}

/// Bytes, the highest first, as words: of each 8 bytes the lowest word first.
fn words_of_bytes<const N: usize>(bytes: &[u8]) -> [WORDTYPE; N] {
    let mut words = [0; N];
    for (i, word) in words.iter_mut().enumerate() {
        let from = 8 * (i / EACH) + (EACH - 1 - i % EACH) * WORDBYTES;
        for k in 0..WORDBYTES {
            *word = *word << 8 | bytes[from + k] as WORDTYPE;
        }
    }
    words
}

/// The way back.
fn bytes_of_words(words: &[WORDTYPE; BLOCK]) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (i, word) in words.iter().enumerate() {
        let from = 8 * (i / EACH) + (EACH - 1 - i % EACH) * WORDBYTES;
        bytes[from..from + WORDBYTES].copy_from_slice(&word.to_be_bytes());
    }
    bytes
}

/// The round keys of a key of 0 to 32 bytes.
///
/// # Errors
/// [`BufferError::KeyLength`]: the key is longer.
pub fn PREFIX_set_key(key: &[u8]) -> Result<[WORDTYPE; KEYS], BufferError> {
    const AFTER: [u8; 32] = [PADDING];
    if key.len() > 32 {
        return Err(BufferError::KeyLength);
    }
    let mut padded = [0; 32];
    padded[..key.len()].copy_from_slice(key);
    padded[key.len()..].copy_from_slice(&AFTER[..32 - key.len()]);
    Ok(PREFIX_expand_key(&words_of_bytes(&padded)))
}
";

const ECB: &str = "
/// Puts in the place of every block of 16 bytes what it is DIRECTIONed to, each by itself: equal blocks stay equal.
///
/// # Errors
/// [`BufferError::TextLength`]: there are not only whole blocks.
pub fn PREFIX_ecb_DIRECTION(text: &mut [u8], round_keys: &[WORDTYPE; KEYS]) -> Result<(), BufferError> {
    if text.len() % 16 != 0 {
        return Err(BufferError::TextLength);
    }
    for block in text.chunks_exact_mut(16) {
        block.copy_from_slice(&bytes_of_words(&ONE(round_keys, &words_of_bytes(block))));
    }
    Ok(())
}
";

const CTR: &str = "
/// Adds (exclusive or) to each byte of a text that of the encrypted counters, so that the same call decrypts. The first
/// block is encrypted from the counter as given, a number with its highest byte first, and each next one from the one before
/// plus 1 modulo 2^128. Afterwards the counter is that of the next block: a text may be given in parts, all but the last in
/// whole blocks. Never use a counter twice with one key.
pub fn PREFIX_ctr(text: &mut [u8], round_keys: &[WORDTYPE; KEYS], counter: &mut [u8; 16]) {
    for part in text.chunks_mut(16) {
        let stream = bytes_of_words(&ENCRYPT(round_keys, &words_of_bytes(&counter[..])));
        for (byte, stream) in part.iter_mut().zip(stream) {
            *byte ^= stream;
        }
        *counter = u128::from_be_bytes(*counter).wrapping_add(1).to_be_bytes();
    }
}
";

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        "
## Buffers of bytes

```rust
fn PREFIX_set_key(key: &[u8]) -> Result<[WORDTYPE; KEYS], BufferError>;
fn PREFIX_ecb_encrypt(text: &mut [u8], round_keys: &[WORDTYPE; KEYS]) -> Result<(), BufferError>;
fn PREFIX_ecb_decrypt(text: &mut [u8], round_keys: &[WORDTYPE; KEYS]) -> Result<(), BufferError>;
fn PREFIX_ctr(text: &mut [u8], round_keys: &[WORDTYPE; KEYS], counter: &mut [u8; 16]);
```

They change a text in its place. `PREFIX_set_key` takes a key of 0 to 32 bytes. ECB takes whole blocks of 16 bytes, CTR any length. The counter is a number of 128 bits, its highest byte first; afterwards it is that of the next block. What does not fit is refused before anything is written. They are tested against the reference, not proved.
",
    )
}

/// For the test: its functions, and their call; nothing without a block cipher.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = CipherWords::of(content) else { return Default::default() };
    let rows =
        words.rows(&|bytes| format!("&[{}]", CipherWords::list(bytes)), &|[key, text, counter, ecb, ctr, next]| {
            format!("    ({key}, {text}, {counter}, {ecb}, {ctr}, {next}),\n")
        });
    let table = format!(
        "\ntype Row = (&'static [u8], &'static [u8], &'static [u8; 16], &'static [u8], &'static [u8], &'static [u8; 16]);\n\nstatic BUFFERS: [Row; {}] = [\n{rows}];\n",
        words.cipher.answers.len()
    );
    (table + &filled(content, TEST), "    buffers(&mut counts);\n")
}

const TEST: &str = "
fn buffers(counts: &mut Counts) {
    for (row, (key, text, counter, ecb, ctr, next)) in BUFFERS.iter().enumerate() {
        let Ok(round_keys) = PREFIX_set_key(key) else {
            counts.expect(\"set_key\", row, false);
            continue;
        };
        let mut whole = text[..ecb.len()].to_vec();
        counts.expect(\"ecb_encrypt\", row, PREFIX_ecb_encrypt(&mut whole, &round_keys).is_ok() && whole == *ecb);
        counts.expect(
            \"ecb_decrypt\",
            row,
            PREFIX_ecb_decrypt(&mut whole, &round_keys).is_ok() && whole == text[..ecb.len()],
        );
        for part in (0..=ecb.len()).step_by(16) {
            let (mut all, mut now) = (text.to_vec(), **counter);
            PREFIX_ctr(&mut all[..part], &round_keys, &mut now);
            PREFIX_ctr(&mut all[part..], &round_keys, &mut now);
            counts.expect(\"ctr in two parts\", row, all == *ctr && now == **next);
            now = **counter;
            PREFIX_ctr(&mut all, &round_keys, &mut now);
            counts.expect(\"ctr back\", row, all == *text && now == **next);
        }
        for more in 1..16 {
            let mut all = vec![0x5a; 16 + more];
            let refused = Err(BufferError::TextLength);
            counts.expect(\"ecb_encrypt: a length\", row, PREFIX_ecb_encrypt(&mut all, &round_keys) == refused);
            counts.expect(\"ecb_decrypt: a length\", row, PREFIX_ecb_decrypt(&mut all, &round_keys) == refused);
            counts.expect(\"a text that is refused\", row, all.iter().all(|byte| *byte == 0x5a));
        }
    }
    counts.expect(\"set_key: 33 bytes\", 0, PREFIX_set_key(&[0; 33]) == Err(BufferError::KeyLength));
}
";
