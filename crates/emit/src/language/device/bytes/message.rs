//! A hash of messages: a thread a message, of any number of whole words.

use super::super::super::c::running::answers;
use super::super::super::words::RunningWords;
use super::{Entry, Part};
use crate::package::Content;

/// That of a package; nothing without a hash function with a running sum in words.
pub fn part(content: &Content) -> Option<Part> {
    let words = RunningWords::of(content)?;
    let size = |bits: u32| (bits / 8).to_string();
    let filled = |text: &str| {
        let text = text.replace("HOLDSIZE", &size(words.piece.bits)).replace("OUTSIZE", &size(words.out.bits));
        words.filled(&text)
    };
    let each = |text: &str| -> String {
        let one = |(absorb, ending, wraps): (&str, &str, bool)| {
            text.replace("UPENDING", &ending.to_ascii_uppercase())
                .replace("ENDING", ending)
                .replace("WRAPS", if wraps { "1" } else { "0" })
                .replace("ABSORB", absorb)
        };
        words.absorbing().into_iter().map(one).collect()
    };
    let most = words.hash.answers.iter().map(|answer| answer.key.len()).max().unwrap_or(0).max(1);
    let calls = each("    test_message(row, PREFIX_hash_messagesENDING, messages[row].hashes[WRAPS]);\n");
    let refusals = each("  test_message_refusals(PREFIX_hash_messagesENDING);\n");
    let test = answers(&words)
        + &include_str!("message_test.txt")
            .replace("CALLS\n", &calls)
            .replace("REFUSALS\n", &refusals)
            .replace("MOST", &most.to_string());
    let entry = |(_, _, wraps)| Entry {
        name: if wraps { "hash_messages_wrapping" } else { "hash_messages" },
        arrays: vec!["uint8_t", "const uint8_t", "const uint8_t"],
        numbers: 3,
    };
    let kernels = include_str!("message.txt").replace("EACHABSORB\n", &each(include_str!("hash.txt")));
    let held = [("PIECETYPE", words.piece), ("SUMTYPE", words.sum), ("OUTTYPE", words.out)];
    Some(Part {
        types: held.map(|(name, held)| (name, format!("uint{}_t", held.bits))).to_vec(),
        kernels: filled(&kernels),
        host: filled(&each(include_str!("hash_host.txt"))),
        test: filled(&test),
        codes: CODES,
        entries: words.absorbing().into_iter().map(entry).collect(),
        shared: String::new(),
        about: filled(ABOUT),
        signatures: filled(&each(SIGNATURES)),
        readme: filled(README),
    })
}

const CODES: &[(&str, u8, &str)] = &[
    ("BAD_LENGTH", 1, "keys or messages that are not in whole words; more bytes than memory has"),
    ("BAD_OVERLAP", 2, "hashes that share bytes with messages or keys"),
    ("KEY_TOO_SHORT", 3, "more bytes of a message than a key has"),
    ("BAD_COUNT", 5, "keys that are neither one nor one for each message"),
];

const ABOUT: &str = "
/* PREFIX_hash_messages: the hash of each of `count` messages of `bytes` bytes, one behind the other, as PREFIX_hash has it; of
 *   HASHBYTES bytes each, the highest first (PREFIX_hash_messages_wrapping, where it is: with sums that wrap).
 * There are `keys` keys of `key_bytes` bytes: one for all messages, or one for each. A key is as long as a message or longer.
 * Each BYTES bytes of a key or a message are a word, the highest byte first. Time depends on lengths and numbers alone.
 */
";

const SIGNATURES: &str = "CODE PREFIX_hash_messagesENDING(ONuint8_t *out, const uint8_t *messages, size_t bytes, size_t count, const uint8_t *all_keys, size_t key_bytes, size_t keys);
";

const README: &str = "A thread hashes a message. There are `count` messages of `bytes` bytes, one behind the other, and `keys` keys of `key_bytes` bytes: one for all messages, or one for each. Each BYTES bytes are a word, the highest byte first; messages and keys are in whole words, a key at least as long as a message. A hash has HASHBYTES bytes. A hash alone is no tag: combine it with a pad that is used once.";
