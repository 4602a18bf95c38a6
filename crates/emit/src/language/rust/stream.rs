//! The stream cipher WG on bytes in Rust, beside its kernels: a key and an initial value are loaded, and the keystream is
//! added to a text in its place, in parts of any length. What does not fit is an error, and then nothing was written.

use super::super::words::StreamWords;
use super::machine::fastest;
use crate::package::Content;

/// A text in which PREFIX, the kernels and what a cipher fills stand for what they are; nothing without a stream cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = StreamWords::of(content) else { return String::new() };
    let text = text
        .replace("INITIALSTEPS", &fastest(content, "initial_steps"))
        .replace("STREAM64", &fastest(content, "stream_64"))
        .replace("WORDTYPE", &format!("u{}", words.bits));
    words.filled(&text).replace("PREFIX", content.prefix)
}

/// The type and its functions.
pub fn definitions(content: &Content) -> String {
    filled(content, FUNCTIONS)
}

const FUNCTIONS: &str = "
/// What functions on bytes refuse; nothing was written then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamError {
    /// A key that has not 10, 12, 14 or 16 bytes.
    KeyLength,
    /// An initial value that is not as long as the key, and has not 4 or 8 bytes.
    IvLength,
    /// More than 2^45 bits by one key and initial value.
    TooLong,
}

impl core::fmt::Display for StreamError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            StreamError::KeyLength => \"a key has not 10, 12, 14 or 16 bytes\",
            StreamError::IvLength => \"an initial value is not as long as the key, and has not 4 or 8 bytes\",
            StreamError::TooLong => \"more than 2^45 bits by one key and initial value: take another initial value\",
        })
    }
}

impl core::error::Error for StreamError {}

/// A keystream. Never use a key twice with one initial value.
#[derive(Clone)]
pub struct Stream {
    state: [WORDTYPE; 11],
    /// The bytes of the last 64 bits, of which these many are not used yet.
    last: [u8; 8],
    kept: usize,
    given: u64,
}

impl Stream {
    /// Where bytes of a key and of an initial value as long go: three to a stage.
    const PLACES: [[usize; 16]; 2] = [[KEYPLACES], [IVPLACES]];
    /// Bytes by one key and initial value.
    const MOST: u64 = 1 << 42;

    /// Loads a key of 10, 12, 14 or 16 bytes and an initial value as long, or of 4 or 8, and takes the 44 steps of
    /// initialisation.
    ///
    /// # Errors
    /// [`StreamError::KeyLength`], [`StreamError::IvLength`].
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Stream, StreamError> {
        if !matches!(key.len(), 10 | 12 | 14 | 16) {
            return Err(StreamError::KeyLength);
        }
        let mut slots = [0; 33];
        match iv.len() {
            n if n == key.len() => {
                for i in 0..n {
                    slots[Stream::PLACES[0][i]] = key[i];
                    slots[Stream::PLACES[1][i]] = iv[i];
                }
            }
            4 | 8 => {
                for (i, byte) in key.iter().enumerate() {
                    slots[3 * (i / 2) + i % 2] = *byte;
                }
                for (i, byte) in key[..6].iter().enumerate() {
                    slots[3 * (8 + i / 2) + i % 2] = if i / 2 == 1 { !*byte } else { *byte };
                }
                for (i, byte) in iv.iter().enumerate() {
                    slots[3 * i + 2] = *byte;
                }
            }
            _ => return Err(StreamError::IvLength),
        }
        let mut loaded = [0; 11];
        for (i, stage) in loaded.iter_mut().enumerate() {
            for (k, byte) in slots[3 * i..3 * i + 3].iter().enumerate() {
                // The highest bit of a stage's first byte is its first coordinate, which is the lowest bit of a word.
                *stage |= (byte.reverse_bits() as WORDTYPE) << (8 * k);
            }
        }
        Ok(Stream { state: INITIALSTEPS(&loaded), last: [0; 8], kept: 0, given: 0 })
    }

    /// Adds (exclusive or) to each byte of a text the next one of the keystream, so that the same call decrypts. A text may
    /// be given in parts of any length.
    ///
    /// # Errors
    /// [`StreamError::TooLong`]: the keystream has not so many bytes left.
    pub fn apply(&mut self, text: &mut [u8]) -> Result<(), StreamError> {
        if text.len() as u64 > Stream::MOST - self.given {
            return Err(StreamError::TooLong);
        }
        self.given += text.len() as u64;
        for byte in text {
            if self.kept == 0 {
                let (state, bits) = STREAM64(&self.state);
                self.state = state;
                for (to, word) in self.last.chunks_exact_mut(WORDBYTES).zip(bits) {
                    to.copy_from_slice(&word.to_be_bytes());
                }
                self.kept = 8;
            }
            *byte ^= self.last[8 - self.kept];
            self.kept -= 1;
        }
        Ok(())
    }

    /// How many bytes it still gives.
    pub const fn left(&self) -> u64 {
        Stream::MOST - self.given
    }

    /// Counts so many bytes as given, never fewer than were: for tests of the end.
    #[doc(hidden)]
    pub fn count_as_given(&mut self, given: u64) {
        self.given = self.given.max(given);
    }
}
";

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        "
## Texts of bytes

```rust
let mut stream = Stream::new(&key, &iv)?; // 10, 12, 14 or 16 bytes; an initial value as long, or of 4 or 8
stream.apply(&mut text)?;                 // in parts of any length; the same call decrypts
```

`Stream::new` and `Stream::apply` give a `StreamError`, without having written anything, for other lengths and where one key and initial value would give more than 2^45 bits. They are tested against the reference, not proved.
",
    )
}

/// For the test: its functions, and their call; nothing without a stream cipher.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(words) = StreamWords::of(content) else { return Default::default() };
    let list = StreamWords::list;
    let row = |a: &crate::package::StreamAnswer| {
        format!("    (&[{}], &[{}], &[{}]),\n", list(&a.key), list(&a.iv), list(&a.stream))
    };
    let rows: String = words.cipher.answers.iter().map(row).collect();
    let table = format!("\nstatic STREAMS: [(&[u8], &[u8], &[u8]); {}] = [\n{rows}];\n", words.cipher.answers.len());
    (table + TEST, "    streams(&mut counts);\n")
}

const TEST: &str = "
fn streams(counts: &mut Counts) {
    for (row, (key, iv, bytes)) in STREAMS.iter().enumerate() {
        for part in 1..=bytes.len() {
            let (Ok(mut stream), mut text) = (Stream::new(key, iv), vec![0; bytes.len()]) else {
                counts.expect(\"start\", row, false);
                continue;
            };
            let applied = text.chunks_mut(part).all(|part| stream.apply(part).is_ok());
            counts.expect(\"apply in parts\", row, applied && text == *bytes);
        }
        let Ok(mut stream) = Stream::new(key, iv) else { continue };
        let mut text = bytes.to_vec();
        counts.expect(\"apply back\", row, stream.apply(&mut text).is_ok() && text.iter().all(|byte| *byte == 0));
        // 2^45 bits, and no more.
        stream.count_as_given((1 << 42) - 3);
        text = vec![0x5a; 4];
        counts.expect(\"too long\", row, stream.apply(&mut text) == Err(StreamError::TooLong) && text == [0x5a; 4]);
        counts.expect(\"the last bytes\", row, stream.apply(&mut text[..3]).is_ok() && stream.left() == 0);
        counts.expect(\"one more\", row, stream.apply(&mut text[..1]) == Err(StreamError::TooLong));
        for n in (0..20).filter(|n| ![10, 12, 14, 16].contains(n)) {
            counts.expect(\"a key\", n, Stream::new(&[0; 20][..n], iv).err() == Some(StreamError::KeyLength));
        }
        for n in (0..20).filter(|n| ![4, 8, key.len()].contains(n)) {
            counts.expect(\"an initial value\", n, Stream::new(key, &[0; 20][..n]).err() == Some(StreamError::IvLength));
        }
    }
}
";
