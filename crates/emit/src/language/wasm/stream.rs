//! The stream cipher WG on bytes in JavaScript, by the functions on bytes of the C that was compiled. What does not fit is an
//! error, and then nothing was written.

use super::super::words::StreamWords;
use crate::package::Content;

/// For the module: the function that begins a keystream; nothing without a stream cipher.
pub fn module(content: &Content) -> String {
    let Some(words) = StreamWords::of(content) else {
        return "\n/** Begins a keystream, where there is a stream cipher. */\nconst streams = () => null;\n".into();
    };
    format!("\n/** Bits of a word of the register. */\nconst STREAM_BITS = {};\n", words.bits)
        + &include_str!("stream.mjs.txt").replace("PREFIX", content.prefix)
}

/// For the test.
pub fn test(content: &Content) -> String {
    let Some(words) = StreamWords::of(content) else { return String::new() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("  [{}],\n", all.join(", ")));
    format!("\n// Keys, initial values, the first bytes of their streams.\nconst STREAMS = [\n{rows}];\n")
        + include_str!("stream_test.mjs.txt")
}

/// For the readme.
pub fn readme(content: &Content) -> &'static str {
    if StreamWords::of(content).is_none() {
        return "";
    }
    "
## Texts of bytes

```js
const stream = field.stream(key, iv); // 10, 12, 14 or 16 bytes; an initial value as long, or of 4 or 8
const out = stream.apply(text);       // in parts of any length; the same call decrypts
```

All are `Uint8Array`s. Other lengths and more than 2^45 bits by one key and initial value are a `RangeError`, and then nothing was written. They are tested against the reference, not proved.
"
}
