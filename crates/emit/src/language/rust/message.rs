//! A hash of messages of bytes in Rust, beside its kernels: the running sum takes a message in parts of any length. What does
//! not fit is an error, and then nothing was changed.

use super::super::words::RunningWords;
use super::machine::fastest;
use crate::package::Content;

/// A text in which the kernels and what a hash function fills stand for what they are.
fn filled(content: &Content, words: &RunningWords, text: &str) -> String {
    let text = text
        .replace("FINISHKERNEL", &fastest(content, "finish"))
        .replace("PIECETYPEBYTES", &(words.piece.bits / 8).to_string())
        .replace("OUTBYTES", &(words.out.bits / 8).to_string())
        .replace("PIECETYPE", &format!("u{}", words.piece.bits))
        .replace("SUMTYPE", &format!("u{}", words.sum.bits));
    words.filled(&text)
}

/// The name of what begins a message.
fn new(wraps: bool) -> &'static str {
    if wraps { "new_wrapping" } else { "new" }
}

/// The type and its functions; nothing without such a hash function.
pub fn definitions(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = |(name, _, wraps): (&str, &str, bool)| {
        format!(
            "    /// Begins a message by a key that is as long or longer{}.\n    ///\n    /// # Errors\n    /// [`MessageError::Length`].\n    pub fn {}(key: &'key [u8]) -> Result<Message<'key>, MessageError> {{\n        Message::begin(key, {})\n    }}\n\n",
            if wraps { ", to be hashed with sums that wrap" } else { "" },
            new(wraps),
            fastest(content, name)
        )
    };
    let init: String = words.absorbing().into_iter().map(init).collect();
    filled(content, &words, &include_str!("message.rs.txt").replace("INIT\n", &init))
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = words.either(&|wraps| format!("let mut message = Message::{}(&key)?;\n", new(wraps)));
    words.filled(&README.replace("INIT\n", &init))
}

const README: &str = "
## Messages of bytes

```rust
INIT
message.update(&bytes)?; // in parts of any length
let hash = message.finish()?;
```

Each BYTES bytes are a word, the highest byte first. Key and message are in whole words, the key at least as long as the message. `update` and `finish` give a `MessageError` for other lengths and for a message that already has its hash, and then nothing was changed. They are tested against the reference, not proved. A hash alone is no tag: combine it with a pad that is used once.
";

/// For the test: its functions, and their call; nothing without such a hash function.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = RunningWords::of(content) else { return Default::default() };
    let rows = words.rows(&|bytes| format!("&[{}]", RunningWords::list(bytes)), &|[key, text, defined, wrapping]| {
        format!("    ({key}, {text}, [{defined}, {wrapping}]),\n")
    });
    let table = format!(
        "\ntype Row = (&'static [u8], &'static [u8], [&'static [u8]; 2]);\nstatic MESSAGES: [Row; {}] = [\n{rows}];\n",
        words.hash.answers.len()
    );
    let kind = |(_, _, wraps): (&str, &str, bool)| {
        format!(
            "        message(counts, row, |key| Message::{}(key), key, text, hashes[{}]);\n",
            new(wraps),
            u8::from(wraps)
        )
    };
    let kinds: String = words.absorbing().into_iter().map(kind).collect();
    let text = include_str!("message_test.rs.txt").replace("KINDS", &kinds);
    (table + &filled(content, &words, &text), "    messages(&mut counts);\n")
}
