//! The stream cipher WG on bytes in C, beside its kernels: a key and an initial value are loaded, and the keystream is added
//! to a text in parts of any length. What does not fit is a status, and then nothing was written.

use super::super::words::StreamWords;
use super::codes;
use crate::package::{Content, StreamAnswer};

/// A text in which LINKAGE, OWN (that of what users do not call), PREFIX and what a cipher fills stand for what they are;
/// nothing without a stream cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = StreamWords::of(content) else { return String::new() };
    let text = codes::filled(text)
        .replace("LINKAGE", content.linkage())
        .replace("OWN", content.own_linkage())
        .replace("WORDTYPE", &format!("uint{}_t", words.bits));
    words.filled(&text).replace("UPPER", &content.prefix.to_ascii_uppercase()).replace("PREFIX", content.prefix)
}

/// Has a package these functions?
pub fn is_in(content: &Content) -> bool {
    StreamWords::of(content).is_some()
}

const SIGNATURES: &str =
    "LINKAGEEVARISTE_CODE PREFIX_start(PREFIX_stream *stream, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
LINKAGEEVARISTE_CODE PREFIX_xor(PREFIX_stream *stream, uint8_t *out, const uint8_t *in, size_t bytes);
";

/// For the header.
pub fn declarations(content: &Content) -> String {
    filled(
        content,
        &format!(
            "
/* What functions on bytes give: 0 where they did what they say, else what did not fit, and then nothing was written. */
#define UPPER_DONE 0
#define UPPER_BAD_LENGTH 1  /* a key that has not 10, 12, 14 or 16 bytes; an initial value that is not as long, and has not 4 or 8 */
#define UPPER_BAD_OVERLAP 2 /* buffers that share bytes and are not the same one */
#define UPPER_TOO_LONG 3    /* more than 2^45 bits by one key and initial value */
CODETYPE

/* A keystream: the register, the bytes of its last 64 bits that are not used yet, and how many bytes were given. */
typedef struct {{
  WORDTYPE state[11];
  uint8_t left[8];
  unsigned kept;
  uint64_t given;
}} PREFIX_stream;

/* PREFIX_start: loads a key and an initial value and takes the 44 steps of initialisation.
 * PREFIX_xor: adds (exclusive or) to each byte of `in` the next one of the keystream, so that the same call decrypts; a text
 *   may be given in parts of any length. `out` may be `in`; other buffers that share bytes are refused.
 * Never use a key twice with one initial value. Time depends on lengths alone.
 */
{SIGNATURES}"
        ),
    )
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    filled(content, FUNCTIONS)
}

const FUNCTIONS: &str = "
SHAREFUNCTION

/* Where bytes of a key and of an initial value as long go: three to a stage. */
static const uint8_t PREFIX_places[2][16] = {{KEYPLACES}, {IVPLACES}};

LINKAGEint PREFIX_start(PREFIX_stream *stream, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes) {
  uint8_t slots[33] = {0};
  WORDTYPE loaded[11];
  unsigned i, k;
  if (key_bytes < 10 || key_bytes > 16 || key_bytes % 2 != 0) return UPPER_BAD_LENGTH;
  if (iv_bytes != key_bytes && iv_bytes != 4 && iv_bytes != 8) return UPPER_BAD_LENGTH;
  if (PREFIX_share(stream, sizeof *stream, key, key_bytes)) return UPPER_BAD_OVERLAP;
  if (PREFIX_share(stream, sizeof *stream, iv, iv_bytes)) return UPPER_BAD_OVERLAP;
  if (iv_bytes == key_bytes) {
    for (i = 0; i < key_bytes; i++) slots[PREFIX_places[0][i]] = key[i], slots[PREFIX_places[1][i]] = iv[i];
  } else {
    for (i = 0; i < key_bytes; i++) slots[3 * (i / 2) + i % 2] = key[i];
    for (i = 0; i < 6; i++) slots[3 * (8 + i / 2) + i % 2] = (uint8_t)(i / 2 == 1 ? ~key[i] : key[i]);
    for (i = 0; i < iv_bytes; i++) slots[3 * i + 2] = iv[i];
  }
  /* The highest bit of a stage's first byte is its first coordinate, which is the lowest bit of a word. */
  for (i = 0; i < 11; i++) {
    loaded[i] = 0;
    for (k = 0; k < 24; k++) loaded[i] |= (WORDTYPE)(slots[3 * i + k / 8] >> (7 - k % 8) & 1) << k;
  }
  PREFIX_initial_steps(stream->state, loaded);
  for (i = 0; i < 8; i++) stream->left[i] = 0;
  stream->kept = 0;
  stream->given = 0;
  return UPPER_DONE;
}

LINKAGEint PREFIX_xor(PREFIX_stream *stream, uint8_t *out, const uint8_t *in, size_t bytes) {
  WORDTYPE next[11], bits[BITWORDS];
  size_t at;
  unsigned i;
  if (out != in && PREFIX_share(out, bytes, in, bytes)) return UPPER_BAD_OVERLAP;
  if (PREFIX_share(stream, sizeof *stream, out, bytes)) return UPPER_BAD_OVERLAP;
  if (PREFIX_share(stream, sizeof *stream, in, bytes)) return UPPER_BAD_OVERLAP;
  if (bytes > ((uint64_t)1 << 42) - stream->given) return UPPER_TOO_LONG;
  for (at = 0; at < bytes; at++) {
    if (stream->kept == 0) {
      PREFIX_stream_64(next, bits, stream->state);
      for (i = 0; i < 11; i++) stream->state[i] = next[i];
      for (i = 0; i < 8; i++) stream->left[i] = (uint8_t)(bits[i / WORDBYTES] >> 8 * (WORDBYTES - 1 - i % WORDBYTES));
      stream->kept = 8;
    }
    out[at] = in[at] ^ stream->left[8 - stream->kept--];
  }
  stream->given += bytes;
  return UPPER_DONE;
}
";

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        &format!(
            "
## Texts of bytes

```c
{SIGNATURES}```

A key has 10, 12, 14 or 16 bytes, an initial value as many, or 4, or 8. `PREFIX_xor` takes a text in parts of any length; `out` may be `in`. The functions give `UPPER_DONE` (0), or without having written anything `UPPER_BAD_LENGTH`, `UPPER_BAD_OVERLAP`, or `UPPER_TOO_LONG` where one key and initial value would give more than 2^45 bits. They are tested against the reference, not proved.
"
        ),
    )
}

/// For the test: its function.
pub fn test(content: &Content) -> String {
    let Some(words) = StreamWords::of(content) else { return String::new() };
    let most = words.cipher.answers.first().map_or(0, |a| a.stream.len());
    answers(&words) + &filled(content, TEST).replace("MOST", &most.to_string())
}

/// The table of known answers.
pub(crate) fn answers(words: &StreamWords) -> String {
    let list = StreamWords::list;
    let one = |a: &StreamAnswer| {
        let [key, iv, stream] = [list(&a.key), list(&a.iv), list(&a.stream)];
        format!("  {{{{{key}}}, {}, {{{iv}}}, {}, {{{stream}}}}},\n", a.key.len(), a.iv.len())
    };
    let rows: String = words.cipher.answers.iter().map(one).collect();
    let most = words.cipher.answers.first().map_or(0, |a| a.stream.len());
    format!(
        "\nstatic const struct {{\n  uint8_t key[16];\n  size_t key_bytes;\n  uint8_t iv[16];\n  size_t iv_bytes;\n  uint8_t stream[{most}];\n}} streams[] = {{\n{rows}}};\n"
    )
}

/// For the test: the call in its main function.
pub fn test_line(content: &Content) -> &'static str {
    if is_in(content) { "  test_streams();\n" } else { "" }
}

const TEST: &str = "
EXPECTCODE

static void test_streams(void) {
  static const uint8_t zeros[MOST];
  PREFIX_stream stream, before;
  uint8_t out[MOST + 8], wanted[MOST + 8];
  unsigned row, part, i;
  for (row = 0; row < sizeof streams / sizeof *streams; row++) {
    const uint8_t *key = streams[row].key, *iv = streams[row].iv;
    size_t key_bytes = streams[row].key_bytes, iv_bytes = streams[row].iv_bytes;
    /* In parts of every length, all but the last as long. */
    for (part = 1; part <= MOST; part++) {
      memset(out, 0xa5, sizeof out), memset(wanted, 0xa5, sizeof wanted);
      memcpy(wanted, streams[row].stream, MOST);
      expect_code(\"start\", row, PREFIX_start(&stream, key, key_bytes, iv, iv_bytes), UPPER_DONE);
      for (i = 0; i < MOST; i += part) {
        expect_code(\"xor\", row, PREFIX_xor(&stream, out + i, zeros + i, part < MOST - i ? part : MOST - i), UPPER_DONE);
      }
      expect(\"xor\", row, out, wanted, sizeof out);
    }
    /* Back, in place. */
    memset(wanted, 0, MOST);
    expect_code(\"start\", row, PREFIX_start(&stream, key, key_bytes, iv, iv_bytes), UPPER_DONE);
    expect_code(\"xor in place\", row, PREFIX_xor(&stream, out, out, MOST), UPPER_DONE);
    expect(\"xor in place\", row, out, wanted, sizeof out);
    /* What does not fit is refused, and nothing is written. */
    before = stream;
    memcpy(wanted, out, sizeof out);
    for (i = 0; i < 20; i++) {
      if (i < 10 || i > 16 || i % 2 != 0) expect_code(\"start: a key\", i, PREFIX_start(&stream, zeros, i, iv, i), UPPER_BAD_LENGTH);
      if (i != 4 && i != 8 && i != key_bytes) expect_code(\"start: an iv\", i, PREFIX_start(&stream, key, key_bytes, zeros, i), UPPER_BAD_LENGTH);
    }
    expect_code(\"start: in place\", row, PREFIX_start(&stream, (const uint8_t *)&stream, 16, iv, 8), UPPER_BAD_OVERLAP);
    for (i = 1; i < 16; i++) {
      expect_code(\"xor: overlap\", i, PREFIX_xor(&stream, out + i, out, 16), UPPER_BAD_OVERLAP);
      expect_code(\"xor: overlap\", i, PREFIX_xor(&stream, out, out + i, 16), UPPER_BAD_OVERLAP);
    }
    expect_code(\"xor: its own state\", row, PREFIX_xor(&stream, (uint8_t *)&stream, (const uint8_t *)&stream, 8), UPPER_BAD_OVERLAP);
    expect(\"refused: the stream\", row, stream.state, before.state, sizeof stream.state);
    expect(\"refused: the text\", row, out, wanted, sizeof out);
    /* 2^45 bits, and no more. */
    stream.given = ((uint64_t)1 << 42) - 3;
    expect_code(\"xor: too long\", row, PREFIX_xor(&stream, out, out, 4), UPPER_TOO_LONG);
    expect(\"too long: the text\", row, out, wanted, sizeof out);
    expect_code(\"xor: the last bytes\", row, PREFIX_xor(&stream, out, out, 3), UPPER_DONE);
    expect_code(\"xor: one more\", row, PREFIX_xor(&stream, out, out, 1), UPPER_TOO_LONG);
  }
}
";

/// For `ct.c`: the functions on a key, an initial value and a text that are undefined, and the lines that call them.
pub fn ct(content: &Content) -> (String, String) {
    let lines = if is_in(content) { "  ct_start();\n  ct_xor();\n" } else { "" };
    (filled(content, CT), lines.into())
}

const CT: &str = "
static void ct_start(void) {
  static PREFIX_stream stream;
  static uint8_t key[16], iv[8];
  unsigned long before = VALGRIND_COUNT_ERRORS;
  int code;
  (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
  (void)VALGRIND_MAKE_MEM_UNDEFINED(iv, sizeof iv);
  code = PREFIX_start(&stream, key, 16, iv, 8);
  judge(\"PREFIX_start\", VALGRIND_COUNT_ERRORS - before, code == UPPER_DONE && is_secret(stream.state, sizeof stream.state));
}

static void ct_xor(void) {
  static PREFIX_stream stream;
  static uint8_t out[20], text[20];
  unsigned long before = VALGRIND_COUNT_ERRORS;
  int code;
  (void)VALGRIND_MAKE_MEM_UNDEFINED(stream.state, sizeof stream.state);
  (void)VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
  code = PREFIX_xor(&stream, out, text, 20);
  judge(\"PREFIX_xor\", VALGRIND_COUNT_ERRORS - before, code == UPPER_DONE && is_secret(out, sizeof out));
}
";
