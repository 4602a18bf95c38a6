//! A hash of messages of bytes in Go, beside its kernels: the running sum takes a message in parts of any length. What does not
//! fit is an error, and then nothing was changed.

use super::super::words::RunningWords;
use crate::package::Content;

/// A text in which types and what a hash function fills stand for what they are.
fn filled(words: &RunningWords, text: &str) -> String {
    let text = text
        .replace("OUTBYTES", &(words.out.bits / 8).to_string())
        .replace("ELEMENTBYTES", &(words.piece.bits / 8).to_string());
    let text = [("PIECETYPE", words.piece), ("SUMTYPE", words.sum), ("OUTTYPE", words.out)]
        .iter()
        .fold(text, |text, (name, held)| text.replace(name, &format!("uint{}", held.bits)));
    words.filled(&text)
}

/// The name of what begins a message.
fn new(wraps: bool) -> &'static str {
    if wraps { "NewMessageWrapping" } else { "NewMessage" }
}

/// The type and its functions, behind the head of their file; nothing without such a hash function.
pub fn definitions(content: &Content) -> Option<String> {
    let words = RunningWords::of(content)?;
    let init = |(_, _, wraps): (&str, &str, bool)| {
        format!(
            "// {0} begins a message by a key that is as long or longer, which is not copied{1}.\nfunc {0}(key []byte) (*Message, error) {{\n\treturn begin(key, {wraps})\n}}\n\n",
            new(wraps),
            if wraps { "; its sums wrap" } else { "" }
        )
    };
    let init: String = words.absorbing().into_iter().map(init).collect();
    let absorb = match words.has {
        [true, true] => {
            "\tif m.wraps {\n\t\tAbsorbWrapping(&next, &key, &message, &m.sum)\n\t} else {\n\t\tAbsorb(&next, &key, &message, &m.sum)\n\t}\n"
        }
        [true, false] => "\tAbsorb(&next, &key, &message, &m.sum)\n",
        _ => "\tAbsorbWrapping(&next, &key, &message, &m.sum)\n",
    };
    Some(filled(&words, &include_str!("message.go.txt").replace("INIT", &init).replace("ABSORBPIECE", absorb)))
}

/// For the test: its functions, and their call.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = RunningWords::of(content) else { return Default::default() };
    let rows =
        words.rows(&|bytes| format!("[]byte{{{}}}", RunningWords::list(bytes)), &|[key, text, defined, wrapping]| {
            format!("\t{{{key}, {text}, [2][]byte{{{defined}, {wrapping}}}}},\n")
        });
    let table =
        format!("\nvar answers_messages = []struct {{\n\tkey, text []byte\n\thashes    [2][]byte\n}}{{\n{rows}}}\n");
    let kind = |(_, _, wraps): (&str, &str, bool)| {
        format!("\t\ttest_message(t, row, {}, r.key, r.text, r.hashes[{}])\n", new(wraps), u8::from(wraps))
    };
    let kinds: String = words.absorbing().into_iter().map(kind).collect();
    let text = include_str!("message_test.go.txt").replace("KINDS", &kinds);
    (table + &filled(&words, &text), "\ttest_messages(t)\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let init = words.either(&|wraps| format!("m, err := {}(key)\n", new(wraps)));
    filled(&words, &README.replace("INIT\n", &init))
}

const README: &str = "
## Messages of bytes

```go
INIT
err = m.Update(bytes) // in parts of any length
hash, err := m.Final()
```

Each BYTES bytes are a word, the highest byte first. Key and message are in whole words, the key at least as long as the message; it is not copied. Other lengths and a message that already has its hash are `ErrLength`, `ErrKeyTooShort`, `ErrFinished`, and then nothing was changed. They are tested against the reference, not proved. A hash alone is no tag: combine it with a pad that is used once.
";
