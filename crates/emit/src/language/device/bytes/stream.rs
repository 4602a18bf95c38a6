//! The stream cipher WG: a thread a keystream.

use super::super::super::c::stream::answers;
use super::super::super::words::StreamWords;
use super::{Entry, Part};
use crate::package::Content;

/// That of a package; nothing without the stream cipher in words.
pub fn part(content: &Content) -> Option<Part> {
    let words = StreamWords::of(content)?;
    let answers_of = &words.cipher.answers;
    let most = answers_of.first().map_or(0, |a| a.stream.len());
    let test = answers(&words)
        + &include_str!("stream_test.txt")
            .replace("ANSWERS", &answers_of.len().to_string())
            .replace("MOST", &most.to_string());
    Some(Part {
        types: vec![("WORDTYPE", format!("uint{}_t", words.bits))],
        kernels: words.filled(include_str!("stream.txt")),
        host: include_str!("stream_host.txt").into(),
        test,
        codes: CODES,
        entries: vec![
            Entry { name: "start", arrays: vec!["PREFIX_stream", "const uint8_t", "const uint8_t"], numbers: 2 },
            Entry { name: "xor", arrays: vec!["PREFIX_stream", "uint8_t", "const uint8_t"], numbers: 1 },
        ],
        shared: SHARED.into(),
        about: ABOUT.into(),
        signatures: SIGNATURES.into(),
        readme: README.into(),
    })
}

const CODES: &[(&str, u8, &str)] = &[
    (
        "BAD_LENGTH",
        1,
        "keys that have not 10, 12, 14 or 16 bytes; initial values that are not as long, and have not 4 or 8; more bytes than memory has",
    ),
    ("BAD_OVERLAP", 2, "buffers that share bytes and are not the same one"),
    ("TOO_LONG", 3, "more than 2^45 bits by one key and initial value"),
];

const SHARED: &str = "
#ifndef UPPER_STREAM
#define UPPER_STREAM
/* A keystream: the register, the bytes of its last 64 bits that are not used yet, and how many bytes were given. */
typedef struct {
  WORDTYPE state[11];
  BYTE left[8];
  INT32 kept;
  WIDEST given;
} PREFIX_stream;
#endif
";

const ABOUT: &str = "
/* PREFIX_start: loads each of `count` keys and initial values and takes the 44 steps of initialisation.
 * PREFIX_xor: adds (exclusive or) to each byte of text k the next one of keystream k, so that the same call decrypts; texts
 *   may be given in parts of any length. `out` may be `in`; other buffers that share bytes are refused.
 * Texts of `bytes` bytes lie one behind the other; so do keys, and initial values. Never use a key twice with one initial
 * value. Time depends on lengths and numbers alone.
 */
";

const SIGNATURES: &str = "CODE PREFIX_start(ONPREFIX_stream *streams, const uint8_t *keys, size_t key_bytes, const uint8_t *ivs, size_t iv_bytes, size_t count);
CODE PREFIX_xor(ONPREFIX_stream *streams, uint8_t *out, const uint8_t *in, size_t bytes, size_t count);
";

const README: &str = "A thread computes a keystream. There are `count` keys of 10, 12, 14 or 16 bytes, one behind the other, and as many initial values, as long or of 4 or 8 bytes. `PREFIX_xor` takes texts in parts of any length, `bytes` bytes of each, one text behind the other; `out` may be `in`.";
