//! A block cipher on buffers of bytes in Java, beside its kernels: a key of bytes, every block by itself (ECB), and the
//! encrypted counter added to a text (CTR, as in NIST SP 800-38A with all 128 bits counted). What does not fit is an
//! exception, and then nothing was written.

use super::super::words::CipherWords;
use super::names::class_name;
use crate::package::Content;

/// A text in which CLASS, PREFIX, PADDING and what a cipher fills stand for what they are; nothing without a block cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    // Bytes are signed.
    let bytes = words.cipher.padding.iter().map(|byte| (*byte as i8).to_string()).collect::<Vec<_>>();
    let text = text.replace("PADDING", &bytes.join(", ")).replace("CLASS", &class_name(content.prefix));
    words.filled(&text).replace("PREFIX", content.prefix)
}

/// The methods.
pub fn definitions(content: &Content) -> String {
    filled(content, include_str!("blocks.java.txt"))
}

/// For the test: its methods, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = CipherWords::of(content) else { return Default::default() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("        {{{}}},\n", all.join(", ")));
    let table = format!(
        "\n    /** Keys, texts, counters; the whole blocks in ECB, the text in CTR, the next counter. */\n    private static final String[][] BUFFERS = {{\n{rows}    }};\n"
    );
    (table + &filled(content, include_str!("blocks_test.java.txt")), "        test_buffers();\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        "
## Buffers of bytes

```java
static void PREFIX_set_key(long[] round_keys, byte[] key)
static void PREFIX_ecb_encrypt(byte[] out, int outFrom, byte[] in, int inFrom, int bytes, long[] round_keys)
static void PREFIX_ecb_decrypt(byte[] out, int outFrom, byte[] in, int inFrom, int bytes, long[] round_keys)
static void PREFIX_ctr(byte[] out, int outFrom, byte[] in, int inFrom, int bytes, long[] round_keys, byte[] counter)
```

`PREFIX_set_key` takes a key of 0 to 32 bytes and writes KEYS words. ECB takes whole blocks of 16 bytes, CTR any length. A result may lie on its text; parts of one array that share bytes otherwise are refused. The counter is a number of 128 bits, its highest byte first; afterwards it is that of the next block. What does not fit is an `IllegalArgumentException` or `IndexOutOfBoundsException`, and then nothing was written. They are tested against the reference, not proved.
",
    )
}
