//! A block cipher on buffers of bytes in Go, beside its kernels: a key of bytes, every block by itself (ECB), and the
//! encrypted counter added to a text (CTR, as in NIST SP 800-38A with all 128 bits counted). What does not fit is an error,
//! and then nothing was written.

use super::super::words::CipherWords;
use crate::package::Content;

/// A text in which PADDING, WORDTYPE, KEYWORDS and what a cipher fills stand for what they are.
fn filled(words: &CipherWords, text: &str) -> String {
    let text = text
        .replace("PADDING", &CipherWords::list(&words.cipher.padding))
        .replace("WORDTYPE", &format!("uint{}", words.bits))
        .replace("KEYWORDS", &(4 * words.each).to_string());
    words.filled(&text)
}

/// The functions, behind the head of their file; nothing without a block cipher.
pub fn definitions(content: &Content) -> Option<String> {
    CipherWords::of(content).map(|words| filled(&words, include_str!("blocks.go.txt")))
}

/// For the test: its functions, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = CipherWords::of(content) else { return Default::default() };
    let rows =
        words.rows(&|bytes| format!("{{{}}}", CipherWords::list(bytes)), &|[key, text, counter, ecb, ctr, next]| {
            format!("\t{{[]byte{key}, []byte{text}, [16]byte{counter}, []byte{ecb}, []byte{ctr}, [16]byte{next}}},\n")
        });
    let table = format!(
        "\nvar answers_buffers = []struct {{\n\tkey, text []byte\n\tcounter   [16]byte\n\tecb, ctr  []byte\n\tnext      [16]byte\n}}{{\n{rows}}}\n"
    );
    (table + &filled(&words, include_str!("blocks_test.go.txt")), "\ttest_buffers(t)\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    filled(
        &words,
        "
## Buffers of bytes

```go
func SetKey(round_keys *[KEYS]WORDTYPE, key []byte) error
func EcbEncrypt(out, in []byte, round_keys *[KEYS]WORDTYPE) error
func EcbDecrypt(out, in []byte, round_keys *[KEYS]WORDTYPE) error
func Ctr(out, in []byte, round_keys *[KEYS]WORDTYPE, counter *[16]byte) error
```

`SetKey` takes a key of 0 to 32 bytes. ECB takes whole blocks of 16 bytes, CTR any length. `out` has the length of `in` and may be `in`; buffers that share bytes otherwise are refused. The counter is a number of 128 bits, its highest byte first; afterwards it is that of the next block. What does not fit is an error (`ErrKeyLength`, `ErrTextLength`, `ErrOutLength`, `ErrOverlap`), and then nothing was written. Overlap is seen by addresses, with the package `unsafe`. They are tested against the reference, not proved.
",
    )
}
