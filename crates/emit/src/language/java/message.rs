//! A hash of messages of bytes in Java, beside its kernels: the running sum takes a message in parts of any length. What does
//! not fit is an exception, and then nothing was changed.

use super::super::words::RunningWords;
use super::names::class_name;
use super::notation::element_type;
use crate::package::Content;

/// A text in which CLASS, PREFIX, types and what a hash function fills stand for what they are.
fn filled(content: &Content, words: &RunningWords, text: &str) -> String {
    let text = [("PIECE", words.piece), ("SUM", words.sum), ("OUT", words.out)].iter().fold(
        text.to_owned(),
        |text, (name, held)| {
            text.replace(&format!("{name}TYPE"), element_type(held.bits))
                .replace(&format!("{name}SIZE"), &(held.bits / 8).to_string())
        },
    );
    let narrowed = if element_type(words.piece.bits) == "long" { "word" } else { "(byte) word" };
    words
        .filled(&text)
        .replace("NARROWED", narrowed)
        .replace("CLASS", &class_name(content.prefix))
        .replace("PREFIX", content.prefix)
}

/// The name of what begins a message.
fn begin(wraps: bool) -> &'static str {
    if wraps { "beginWrapping" } else { "begin" }
}

/// The class of a message; nothing without such a hash function.
pub fn definitions(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = |(_, _, wraps): (&str, &str, bool)| {
        format!(
            "        /** Begins a message by a key that is as long or longer, which is not copied{}. */\n        public static Message {}(byte[] key) {{\n            return new Message(key, {wraps});\n        }}\n\n",
            if wraps { "; its sums wrap" } else { "" },
            begin(wraps)
        )
    };
    let init: String = words.absorbing().into_iter().map(init).collect();
    let call = |name: &str| format!("PREFIX_{name}(next, keys, message, sum);");
    let calls: Vec<String> = words.absorbing().iter().map(|(name, ..)| call(name)).collect();
    let absorb = match &calls[..] {
        [defined, wrapping] => format!("if (wraps) {wrapping}\n            else {defined}"),
        only => only.concat(),
    };
    let text = include_str!("message.java.txt").replace("INIT", &init).replace("ABSORBPIECE", &absorb);
    filled(content, &words, &text)
}

/// For the test: its methods, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = RunningWords::of(content) else { return Default::default() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("        {{{}}},\n", all.join(", ")));
    let table = format!(
        "\n    /** Keys, messages, their hashes as defined and with sums that wrap. */\n    private static final String[][] MESSAGES = {{\n{rows}    }};\n"
    );
    let kind = |(_, _, wraps): (&str, &str, bool)| {
        format!(
            "            test_message(row, CLASS.Message::{}, hex(MESSAGES[row][{}]));\n",
            begin(wraps),
            2 + u8::from(wraps)
        )
    };
    let kinds: String = words.absorbing().into_iter().map(kind).collect();
    let text = include_str!("message_test.java.txt").replace("KINDS", &kinds);
    (table + &filled(content, &words, &text), "        test_messages();\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = words.either(&|wraps| format!("CLASS.Message message = CLASS.Message.{}(key);\n", begin(wraps)));
    filled(content, &words, &README.replace("INIT\n", &init))
}

const README: &str = "
## Messages of bytes

```java
INIT
message.update(bytes, from, count); // in parts of any length
byte[] hash = message.finish();
```

Each BYTES bytes are a word, the highest byte first. Key and message are in whole words, the key at least as long as the message; it is not copied. Lengths that do not fit are an `IllegalArgumentException` or `IndexOutOfBoundsException`, a message whose last word is not whole or that already has its hash an `IllegalStateException`, and then nothing was changed. They are tested against the reference, not proved. A hash alone is no tag: combine it with a pad that is used once.
";
