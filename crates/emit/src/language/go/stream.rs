//! The stream cipher WG on bytes in Go, beside its kernels: a key and an initial value are loaded, and the keystream is added
//! to a text in parts of any length. What does not fit is an error, and then nothing was written.

use super::super::words::StreamWords;
use crate::package::Content;

/// A text in which WORDTYPE and what a cipher fills stand for what they are.
fn filled(words: &StreamWords, text: &str) -> String {
    words.filled(&text.replace("WORDTYPE", &format!("uint{}", words.bits)))
}

/// The type and its functions, behind the head of their file; nothing without a stream cipher.
pub fn definitions(content: &Content) -> Option<String> {
    StreamWords::of(content).map(|words| filled(&words, include_str!("stream.go.txt")))
}

/// For the test: its functions, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = StreamWords::of(content) else { return Default::default() };
    let rows = words.rows(&|bytes| format!("[]byte{{{}}}", StreamWords::list(bytes)), &|[key, iv, stream]| {
        format!("\t{{{key}, {iv}, {stream}}},\n")
    });
    let table = format!("\nvar answers_streams = []struct{{ key, iv, stream []byte }}{{\n{rows}}}\n");
    (table + &filled(&words, include_str!("stream_test.go.txt")), "\ttest_streams(t)\n")
}

/// For the readme.
pub fn readme(content: &Content) -> &'static str {
    if StreamWords::of(content).is_none() {
        return "";
    }
    "
## Texts of bytes

```go
s, err := NewStream(key, iv) // 10, 12, 14 or 16 bytes; an initial value as long, or of 4 or 8
err = s.Xor(out, in)         // in parts of any length; the same call decrypts
```

`out` has the length of `in` and may be `in`; buffers that share bytes otherwise are refused. So are other lengths, and more than 2^45 bits by one key and initial value: `ErrKeyLength`, `ErrIvLength`, `ErrOutLength`, `ErrOverlap`, `ErrTooLong`, and nothing was written. Overlap is seen by addresses, with the package `unsafe`. They are tested against the reference, not proved.
"
}
