//! A hash of messages of bytes in JavaScript, by its functions on words: the running sum takes a message in parts of any length.
//! What does not fit is an error, and then nothing was changed.

use super::super::words::RunningWords;
use crate::package::Content;

/// The name of what begins a message.
fn begin(wraps: bool) -> &'static str {
    if wraps { "beginWrapping" } else { "begin" }
}

/// For the module: the functions that begin a message; nothing without such a hash function.
pub fn module(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else {
        return "\n/** Functions that begin a message, where there is a hash function with a running sum. */\nconst messages = () => null;\n".into();
    };
    let begin: Vec<String> =
        words.absorbing().iter().map(|(name, _, wraps)| format!("[\"{}\", \"{name}\"]", begin(*wraps))).collect();
    format!(
        "\n/** Sizes, and what begins a message, with the function that absorbs its pieces. */\nconst MESSAGES = {{ wordBytes: {}, hashBytes: {}, pieceBits: {}, sumBits: {}, sumLength: {}, outBits: {}, begin: [{}] }};\n",
        words.hash.word / 8,
        words.hash.result.div_ceil(8),
        words.piece.bits,
        words.sum.bits,
        words.sum.len,
        words.out.bits,
        begin.join(", ")
    ) + include_str!("message.mjs.txt")
}

/// For the test.
pub fn test(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("  [{}],\n", all.join(", ")));
    let kind = |(_, _, wraps): &(&str, &str, bool)| {
        format!("[\"{}\", {}, {}]", begin(*wraps), u8::from(*wraps), words.hash.word / 8)
    };
    let kinds: Vec<String> = words.absorbing().iter().map(kind).collect();
    format!(
        "\n// Keys, messages, their hashes as defined and with sums that wrap.\nconst MESSAGE_ANSWERS = [\n{rows}];\nconst BEGIN = [{}];\n",
        kinds.join(", ")
    ) + include_str!("message_test.mjs.txt")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = words.either(&|wraps| format!("const message = field.messages.{}(key);\n", begin(wraps)));
    words.filled(&README.replace("INIT\n", &init))
}

const README: &str = "
## Messages of bytes

```js
INIT
message.update(bytes); // in parts of any length
const hash = message.final();
```

All are `Uint8Array`s, and each BYTES bytes are a word, the highest byte first. Key and message are in whole words, the key at least as long as the message. Other lengths and a message that already has its hash are a `RangeError`, and then nothing was changed. They are tested against the reference, not proved. A hash alone is no tag: combine it with a pad that is used once.
";
