//! The stream cipher WG on bytes in Java, beside its kernels: a key and an initial value are loaded, and the keystream is
//! added to a text in parts of any length. What does not fit is an exception, and then nothing was written.

use super::super::words::StreamWords;
use super::names::class_name;
use crate::package::Content;

/// A text in which CLASS, PREFIX and what a cipher fills stand for what they are; nothing without a stream cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = StreamWords::of(content) else { return String::new() };
    words.filled(&text.replace("CLASS", &class_name(content.prefix))).replace("PREFIX", content.prefix)
}

/// The class of a keystream.
pub fn definitions(content: &Content) -> String {
    filled(content, include_str!("stream.java.txt"))
}

/// For the test: its methods, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = StreamWords::of(content) else { return Default::default() };
    let hex = |bytes: &[u8]| format!("\"{}\"", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    let rows = words.rows(&hex, &|all| format!("        {{{}}},\n", all.join(", ")));
    let table = format!(
        "\n    /** Keys, initial values, the first bytes of their streams. */\n    private static final String[][] STREAMS = {{\n{rows}    }};\n"
    );
    (table + &filled(content, include_str!("stream_test.java.txt")), "        test_streams();\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        "
## Texts of bytes

```java
CLASS.Stream stream = new CLASS.Stream(key, iv); // 10, 12, 14 or 16 bytes; an initial value as long, or of 4 or 8
stream.apply(out, outFrom, in, inFrom, bytes);   // in parts of any length; the same call decrypts
```

A result may lie on its text; parts of one array that share bytes otherwise are refused. Other lengths are an `IllegalArgumentException` or `IndexOutOfBoundsException`, more than 2^45 bits by one key and initial value an `IllegalStateException`, and then nothing was written. They are tested against the reference, not proved.
",
    )
}
