//! A block cipher on bytes in JavaScript, by the functions on buffers of the C that was compiled. What does not fit is an
//! error, and then nothing was written.

use super::super::words::CipherWords;
use crate::package::Content;

/// For the module: what the cipher is, and its functions; nothing without one.
pub fn module(content: &Content) -> String {
    let Some(words) = CipherWords::of(content) else {
        return "\n/** The block cipher whose functions on bytes there are. */\nconst CIPHER = null;\nconst buffers = () => null;\n".into();
    };
    format!(
        "\n/** The block cipher whose functions on bytes there are: bits of a word, words of round keys. */\nconst CIPHER = {{ bits: {}, keys: {} }};\n",
        words.bits, words.keys
    ) + &include_str!("blocks.mjs.txt").replace("PREFIX", content.prefix)
}

/// For the test.
pub fn test(content: &Content) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("  [{}],\n", all.join(", ")));
    format!(
        "\n// Keys, texts, counters; the whole blocks in ECB, the text in CTR, the next counter.\nconst BUFFERS = [\n{rows}];\n"
    ) + include_str!("blocks_test.mjs.txt")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    if CipherWords::of(content).is_none() {
        return String::new();
    }
    "
## Buffers of bytes

```js
const { setKey, ecbEncrypt, ecbDecrypt, ctr } = field.buffers;
const keys = setKey(key);           // a key of 0 to 32 bytes
const out = ecbEncrypt(text, keys); // whole blocks of 16 bytes; ecbDecrypt is the way back
const sum = ctr(text, keys, counter);
```

Texts, keys and counters are `Uint8Array`s; results are new ones. CTR takes any length, and the same call decrypts; the counter is a number of 128 bits, its highest byte first, and afterwards that of the next block. What does not fit is a `RangeError` or a `TypeError`, and then nothing was written. They are tested against the reference, not proved.
"
    .into()
}
