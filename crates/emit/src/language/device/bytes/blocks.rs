//! A block cipher: a thread a block. A text in CTR is as parallel as one in ECB, since a thread reckons its own counter.

use super::super::super::c::blocks::answers;
use super::super::super::words::CipherWords;
use super::{Entry, Part};
use crate::package::Content;

/// That of a package; nothing without a block cipher in words.
pub fn part(content: &Content) -> Option<Part> {
    let words = CipherWords::of(content)?;
    let word = format!("uint{}_t", words.bits);
    let filled = |text: &str| {
        words.filled(&text.replace("PADDING", &CipherWords::list(&words.cipher.padding))).replace("WORD", "TYPEOFWORD")
    };
    let ecb: String =
        ["encrypt", "decrypt"].map(|direction| include_str!("ecb.txt").replace("DIRECTION", direction)).concat();
    let most = words.cipher.answers.iter().map(|answer| answer.text.len()).max().unwrap_or(0).max(64);
    let test = answers(&words)
        + &include_str!("blocks_test.txt")
            .replace("ANSWERS", &words.cipher.answers.len().to_string())
            .replace("MOST", &(most + 16).to_string());
    let texts = |name| Entry { name, arrays: vec!["uint8_t", "const uint8_t", "const TYPEOFWORD"], numbers: 2 };
    let mut ctr = texts("ctr");
    ctr.arrays.push("const uint8_t");
    Some(Part {
        types: vec![("TYPEOFWORD", word)],
        kernels: filled(&include_str!("blocks.txt").replace("ECB\n", &ecb)),
        host: filled(include_str!("blocks_host.txt")),
        test: filled(&test),
        codes: CODES,
        entries: vec![
            Entry { name: "set_key", arrays: vec!["TYPEOFWORD", "const uint8_t"], numbers: 1 },
            texts("ecb_encrypt"),
            texts("ecb_decrypt"),
            ctr,
        ],
        shared: String::new(),
        about: filled(ABOUT),
        signatures: filled(SIGNATURES),
        readme: filled(README),
    })
}

const CODES: &[(&str, u8, &str)] = &[
    (
        "BAD_LENGTH",
        1,
        "a key of more than 32 bytes; in ECB a text that is not in whole blocks of 16 bytes; more bytes than memory has",
    ),
    ("BAD_OVERLAP", 2, "buffers that share bytes and are not the same one"),
    ("BAD_COUNT", 5, "round keys that are neither one nor one for each text"),
];

const ABOUT: &str = "
/* PREFIX_set_key: the round keys of each of `count` keys of 0 to 32 bytes, one behind the other.
 * PREFIX_ecb_encrypt, PREFIX_ecb_decrypt: every block of 16 bytes by itself; equal blocks stay equal.
 * PREFIX_ctr: adds (exclusive or) to byte i of a text byte i of its encrypted counters, so that the same call decrypts. The
 *   first block of text t is encrypted from counter t as given, 16 bytes with the highest first, and each next one from the
 *   one before plus 1 modulo 2^128. Afterwards `counters` are those of the next blocks: texts may be given in parts, all but
 *   the last in whole blocks. Never use a counter twice with one key.
 * There are `texts` texts of `bytes` bytes, one behind the other, and `keys` round keys: one for all, or one for each text.
 * `out` may be `in`; other buffers that share bytes are refused. Time depends on lengths and numbers alone.
 */
";

const SIGNATURES: &str = "CODE PREFIX_set_key(ONWORD *round_keys, const uint8_t *keys, size_t key_bytes, size_t count);
CODE PREFIX_ecb_encrypt(ONuint8_t *out, const uint8_t *in, size_t bytes, size_t texts, const WORD *round_keys, size_t keys);
CODE PREFIX_ecb_decrypt(ONuint8_t *out, const uint8_t *in, size_t bytes, size_t texts, const WORD *round_keys, size_t keys);
CODE PREFIX_ctr(ONuint8_t *out, const uint8_t *in, size_t bytes, size_t texts, const WORD *round_keys, size_t keys, uint8_t *counters);
";

const README: &str = "A thread computes a block. There are `texts` texts of `bytes` bytes, one behind the other, and `keys` round keys of KEYS words: one for all texts, or one for each. Keys have 0 to 32 bytes. ECB takes whole blocks of 16 bytes, CTR any length. A counter is a number of 128 bits, its highest byte first: the first block of a text is encrypted from it as given, the next from it plus 1 modulo 2^128, and afterwards it is that of the next block. `out` may be `in`.";
