//! A block cipher on buffers of bytes in C, beside its kernels: a key of bytes, every block by itself (ECB), and the
//! encrypted counter added to a text (CTR, as in NIST SP 800-38A with all 128 bits counted). What does not fit is a status,
//! and then nothing was written.

use crate::package::Content;

use super::super::words::CipherWords;
use super::codes;

/// Has a package these functions?
pub fn is_in(content: &Content) -> bool {
    CipherWords::of(content).is_some()
}

/// A text in which LINKAGE, OWN (that of what users do not call), PREFIX, PADDING, WORD, EACH and KEYS stand for what they
/// are; nothing without a block cipher.
fn filled(content: &Content, text: &str) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    codes::filled(text)
        .replace("LINKAGE", content.linkage())
        .replace("OWN", content.own_linkage())
        .replace("PADDING", &CipherWords::list(&words.cipher.padding))
        .replace("WORDBYTES", &(words.bits / 8).to_string())
        .replace("WORD", &format!("uint{}_t", words.bits))
        .replace("EACH", &words.each.to_string())
        .replace("KEYS", &words.keys.to_string())
        .replace("UPPER", &content.prefix.to_ascii_uppercase())
        .replace("PREFIX", content.prefix)
}

const SIGNATURES: &str = "LINKAGEEVARISTE_CODE PREFIX_set_key(WORD round_keys[KEYS], const uint8_t *key, size_t bytes);
LINKAGEEVARISTE_CODE PREFIX_ecb_encrypt(uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS]);
LINKAGEEVARISTE_CODE PREFIX_ecb_decrypt(uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS]);
LINKAGEEVARISTE_CODE PREFIX_ctr(uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS], uint8_t counter[16]);
";

/// For the header.
pub fn declarations(content: &Content) -> String {
    filled(
        content,
        &format!(
            "
/* What functions on buffers give: 0 where they did what they say, else what did not fit, and then nothing was written. */
#define UPPER_DONE 0
#define UPPER_BAD_LENGTH 1  /* a key of more than 32 bytes; in ECB a text that is not in whole blocks of 16 bytes */
#define UPPER_BAD_OVERLAP 2 /* buffers that share bytes and are not the same one */
CODETYPE

/* PREFIX_set_key: the round keys of a key of 0 to 32 bytes.
 * PREFIX_ecb_encrypt, PREFIX_ecb_decrypt: every block of 16 bytes by itself; equal blocks stay equal.
 * PREFIX_ctr: adds (exclusive or) to byte i of `in` byte i of the encrypted counters, so that the same call decrypts. The
 *   first block is encrypted from `counter` as given, a number with its highest byte first, and each next one from the one
 *   before plus 1 modulo 2^128. Afterwards `counter` is that of the next block: a text may be given in parts, all but the
 *   last in whole blocks. Never use a counter twice with one key.
 * `out` may be `in`; other buffers that share bytes are refused. Time depends on lengths alone.
 */
{SIGNATURES}"
        ),
    )
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let ecb = ["encrypt", "decrypt"].map(|direction| ECB.replace("DIRECTION", direction)).concat();
    filled(content, &[BYTES_AND_KEYS, &ecb, CTR].concat())
}

const BYTES_AND_KEYS: &str = "
/* Bytes, the highest first, as words: of each 8 bytes the lowest word first. */
OWNvoid PREFIX_words_of_bytes(WORD *words, const uint8_t *bytes, unsigned count) {
  unsigned i, k;
  for (i = 0; i < count; i++) {
    const uint8_t *at = bytes + 8 * (i / EACH) + (EACH - 1 - i % EACH) * WORDBYTES;
    WORD word = 0;
    for (k = 0; k < WORDBYTES; k++) word = (WORD)(word << 8 | at[k]);
    words[i] = word;
  }
}

OWNvoid PREFIX_bytes_of_words(uint8_t *bytes, const WORD *words, unsigned count) {
  unsigned i, k;
  for (i = 0; i < count; i++) {
    uint8_t *at = bytes + 8 * (i / EACH) + (EACH - 1 - i % EACH) * WORDBYTES;
    for (k = 0; k < WORDBYTES; k++) at[k] = (uint8_t)(words[i] >> (8 * (WORDBYTES - 1 - k)));
  }
}

SHAREFUNCTION

LINKAGEint PREFIX_set_key(WORD round_keys[KEYS], const uint8_t *key, size_t bytes) {
  static const uint8_t padding[32] = {PADDING};
  uint8_t padded[32];
  WORD words[4 * EACH];
  size_t i;
  if (bytes > 32) return UPPER_BAD_LENGTH;
  if (PREFIX_share(round_keys, KEYS * sizeof(WORD), key, bytes)) return UPPER_BAD_OVERLAP;
  for (i = 0; i < 32; i++) padded[i] = i < bytes ? key[i] : padding[i - bytes];
  PREFIX_words_of_bytes(words, padded, 4 * EACH);
  PREFIX_expand_key(round_keys, words);
  return UPPER_DONE;
}

OWNint PREFIX_unfit(const uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS]) {
  if (out != in && PREFIX_share(out, bytes, in, bytes)) return UPPER_BAD_OVERLAP;
  return PREFIX_share(out, bytes, round_keys, KEYS * sizeof(WORD)) ? UPPER_BAD_OVERLAP : UPPER_DONE;
}

";

/// Of one direction: `encrypt` or `decrypt`.
const ECB: &str =
    "LINKAGEint PREFIX_ecb_DIRECTION(uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS]) {
  WORD block[2 * EACH], DIRECTIONed[2 * EACH];
  size_t i;
  int unfit = PREFIX_unfit(out, in, bytes, round_keys);
  if (bytes % 16 != 0) return UPPER_BAD_LENGTH;
  if (unfit) return unfit;
  for (i = 0; i < bytes; i += 16) {
    PREFIX_words_of_bytes(block, in + i, 2 * EACH);
    PREFIX_DIRECTION_block(DIRECTIONed, round_keys, block);
    PREFIX_bytes_of_words(out + i, DIRECTIONed, 2 * EACH);
  }
  return UPPER_DONE;
}

";

const CTR: &str = "LINKAGEint PREFIX_ctr(uint8_t *out, const uint8_t *in, size_t bytes, const WORD round_keys[KEYS], uint8_t counter[16]) {
  WORD block[2 * EACH], encrypted[2 * EACH];
  uint8_t stream[16];
  unsigned k, carry;
  size_t i;
  int unfit = PREFIX_unfit(out, in, bytes, round_keys);
  if (unfit) return unfit;
  if (PREFIX_share(counter, 16, out, bytes) || PREFIX_share(counter, 16, in, bytes)) return UPPER_BAD_OVERLAP;
  if (PREFIX_share(counter, 16, round_keys, KEYS * sizeof(WORD))) return UPPER_BAD_OVERLAP;
  for (i = 0; i < bytes; i += 16) {
    PREFIX_words_of_bytes(block, counter, 2 * EACH);
    PREFIX_encrypt_block(encrypted, round_keys, block);
    PREFIX_bytes_of_words(stream, encrypted, 2 * EACH);
    for (k = 0; k < 16 && k < bytes - i; k++) out[i + k] = (uint8_t)(in[i + k] ^ stream[k]);
    for (k = 16, carry = 1; k-- > 0; carry >>= 8) {
      carry += counter[k];
      counter[k] = (uint8_t)carry;
    }
  }
  return UPPER_DONE;
}
";

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        &format!(
            "
## Buffers of bytes

```c
{SIGNATURES}```

`PREFIX_set_key` takes a key of 0 to 32 bytes. ECB takes whole blocks of 16 bytes, CTR any length. The counter is a number of 128 bits, its highest byte first: the first block is encrypted from it as given, the next from it plus 1
modulo 2^128, and afterwards it is that of the next block. `out` may be `in`. The functions give `UPPER_DONE` (0), or without having written anything `UPPER_BAD_LENGTH` or `UPPER_BAD_OVERLAP`. They are tested against the
reference, not proved.
"
        ),
    )
}

/// The tables of a test: for each answer its key, text, counters and results.
pub(crate) fn answers(words: &CipherWords) -> String {
    let mut tables = String::new();
    let mut rows = String::new();
    for (i, answer) in words.cipher.answers.iter().enumerate() {
        let mut pointer = |name: &str, bytes: &[u8]| {
            // C has no empty array.
            let all = if bytes.is_empty() { "0".into() } else { CipherWords::list(bytes) };
            tables += &format!("static const uint8_t buffer_{name}_{i}[] = {{{all}}};\n");
            format!("buffer_{name}_{i}")
        };
        let [key, text] = [pointer("key", &answer.key), pointer("text", &answer.text)];
        let [ecb, ctr] = [pointer("ecb", &answer.ecb), pointer("ctr", &answer.ctr)];
        rows += &format!(
            "  {{{key}, {}, {text}, {}, {ecb}, {}, {ctr}, {{{}}}, {{{}}}}},\n",
            answer.key.len(),
            answer.text.len(),
            answer.ecb.len(),
            CipherWords::list(&answer.counter),
            CipherWords::list(&answer.next)
        );
    }
    format!(
        "\n{tables}\nstatic const struct {{\n  const uint8_t *key;\n  size_t key_bytes;\n  const uint8_t *text;\n  size_t bytes;\n  const uint8_t *ecb;\n  size_t ecb_bytes;\n  const uint8_t *ctr;\n  uint8_t counter[16], next[16];\n}} buffers[] = {{\n{rows}}};\n"
    )
}

/// For the test: its function.
pub fn test(content: &Content) -> String {
    let Some(words) = CipherWords::of(content) else { return String::new() };
    let most = words.cipher.answers.iter().map(|answer| answer.text.len()).max().unwrap_or(0).max(64);
    answers(&words) + &filled(content, TEST).replace("MOST", &(most + 16).to_string())
}

const TEST: &str = "
EXPECTCODE

/* What does not fit is refused, and nothing is written. */
static void test_refusals(void) {
  static WORD round_keys[KEYS], keys_before[KEYS];
  static uint8_t buffer[80], before[80], counter[16], counter_before[16], key[33];
  unsigned i;
  expect_code(\"set_key\", 0, PREFIX_set_key(round_keys, key, 32), UPPER_DONE);
  memcpy(keys_before, round_keys, sizeof keys_before);
  expect_code(\"set_key: 33 bytes\", 0, PREFIX_set_key(round_keys, key, 33), UPPER_BAD_LENGTH);
  expect_code(\"set_key: in place\", 0, PREFIX_set_key(round_keys, (const uint8_t *)round_keys, 16), UPPER_BAD_OVERLAP);
  for (i = 0; i < 80; i++) before[i] = buffer[i] = (uint8_t)(37 * i + 1);
  for (i = 1; i < 16; i++) {
    expect_code(\"ecb_encrypt: length\", i, PREFIX_ecb_encrypt(buffer, buffer, 16 + i, round_keys), UPPER_BAD_LENGTH);
    expect_code(\"ecb_decrypt: length\", i, PREFIX_ecb_decrypt(buffer, buffer, 16 + i, round_keys), UPPER_BAD_LENGTH);
  }
  for (i = 1; i < 32; i++) {
    expect_code(\"ecb_encrypt: overlap\", i, PREFIX_ecb_encrypt(buffer + i, buffer, 32, round_keys), UPPER_BAD_OVERLAP);
    expect_code(\"ecb_encrypt: overlap\", i, PREFIX_ecb_encrypt(buffer, buffer + i, 32, round_keys), UPPER_BAD_OVERLAP);
    expect_code(\"ecb_decrypt: overlap\", i, PREFIX_ecb_decrypt(buffer + i, buffer, 32, round_keys), UPPER_BAD_OVERLAP);
    expect_code(\"ecb_decrypt: overlap\", i, PREFIX_ecb_decrypt(buffer, buffer + i, 32, round_keys), UPPER_BAD_OVERLAP);
    expect_code(\"ctr: overlap\", i, PREFIX_ctr(buffer + i, buffer, 32, round_keys, counter), UPPER_BAD_OVERLAP);
    expect_code(\"ctr: overlap\", i, PREFIX_ctr(buffer, buffer + i, 32, round_keys, counter), UPPER_BAD_OVERLAP);
  }
  expect_code(\"ctr: counter in the text\", 0, PREFIX_ctr(buffer, buffer, 32, round_keys, buffer + 31), UPPER_BAD_OVERLAP);
  expect_code(\"ctr: counter in the text\", 1, PREFIX_ctr(buffer, buffer + 32, 17, round_keys, buffer + 40), UPPER_BAD_OVERLAP);
  expect_code(\"ecb_encrypt: keys\", 0, PREFIX_ecb_encrypt((uint8_t *)round_keys, buffer, 16, round_keys), UPPER_BAD_OVERLAP);
  expect(\"refused: text\", 0, buffer, before, sizeof buffer);
  expect(\"refused: counter\", 0, counter, counter_before, sizeof counter);
  expect(\"refused: round keys\", 0, round_keys, keys_before, sizeof round_keys);
  /* Side by side they share nothing. */
  expect_code(\"ecb_encrypt: beside\", 0, PREFIX_ecb_encrypt(buffer + 32, buffer, 32, round_keys), UPPER_DONE);
  expect_code(\"ecb_decrypt: beside\", 0, PREFIX_ecb_decrypt(buffer, buffer + 32, 32, round_keys), UPPER_DONE);
  expect(\"ecb: there and back\", 0, buffer, before, 32);
}

static void test_buffers(void) {
  WORD round_keys[KEYS];
  uint8_t out[MOST], wanted[MOST], counter[16];
  unsigned row;
  for (row = 0; row < sizeof buffers / sizeof *buffers; row++) {
    size_t bytes = buffers[row].bytes, whole = buffers[row].ecb_bytes, part;
    expect_code(\"set_key\", row, PREFIX_set_key(round_keys, buffers[row].key, buffers[row].key_bytes), UPPER_DONE);
    memset(out, 0xa5, sizeof out), memset(wanted, 0xa5, sizeof wanted);
    memcpy(wanted, buffers[row].ecb, whole);
    expect_code(\"ecb_encrypt\", row, PREFIX_ecb_encrypt(out, buffers[row].text, whole, round_keys), UPPER_DONE);
    expect(\"ecb_encrypt\", row, out, wanted, sizeof out);
    memcpy(wanted, buffers[row].text, whole);
    expect_code(\"ecb_decrypt in place\", row, PREFIX_ecb_decrypt(out, out, whole, round_keys), UPPER_DONE);
    expect(\"ecb_decrypt in place\", row, out, wanted, sizeof out);
    memcpy(wanted, buffers[row].ecb, whole);
    expect_code(\"ecb_encrypt in place\", row, PREFIX_ecb_encrypt(out, out, whole, round_keys), UPPER_DONE);
    expect(\"ecb_encrypt in place\", row, out, wanted, sizeof out);
    memcpy(wanted, buffers[row].text, whole);
    expect_code(\"ecb_decrypt\", row, PREFIX_ecb_decrypt(out, buffers[row].ecb, whole, round_keys), UPPER_DONE);
    expect(\"ecb_decrypt\", row, out, wanted, sizeof out);
    /* CTR in two parts at every block, which are the whole at the first and the last. */
    for (part = 0; part <= whole; part += 16) {
      memset(out, 0xa5, sizeof out), memset(wanted, 0xa5, sizeof wanted);
      memcpy(wanted, buffers[row].ctr, bytes);
      memcpy(counter, buffers[row].counter, 16);
      expect_code(\"ctr\", row, PREFIX_ctr(out, buffers[row].text, part, round_keys, counter), UPPER_DONE);
      expect_code(\"ctr\", row, PREFIX_ctr(out + part, buffers[row].text + part, bytes - part, round_keys, counter), UPPER_DONE);
      expect(\"ctr\", row, out, wanted, sizeof out);
      expect(\"ctr: counter\", row, counter, buffers[row].next, 16);
    }
    memcpy(wanted, buffers[row].text, bytes);
    memcpy(counter, buffers[row].counter, 16);
    expect_code(\"ctr back, in place\", row, PREFIX_ctr(out, out, bytes, round_keys, counter), UPPER_DONE);
    expect(\"ctr back, in place\", row, out, wanted, sizeof out);
  }
  test_refusals();
}
";

/// For the test's main function.
pub fn test_line(content: &Content) -> &'static str {
    if is_in(content) { "  test_buffers();\n" } else { "" }
}

/// For `ct.c`: keys, texts and counters are secret, lengths are not.
pub fn ct(content: &Content) -> (String, String) {
    let names = ["set_key", "ecb_encrypt", "ecb_decrypt", "ctr"];
    let run = |name: &str| {
        let (out, inputs, call) = match name {
            "set_key" => ("keys", &["text"][..], "keys, text, 24"),
            "ctr" => ("out", &["text", "keys", "counter"][..], "out, text, 40, keys, counter"),
            _ => ("out", &["text", "keys"][..], "out, text, 32, keys"),
        };
        let mut text = format!("\nstatic void ct_{name}(void) {{\n  static WORD keys[KEYS];\n");
        text += "  static uint8_t out[40], text[40], counter[16];\n  unsigned long before = VALGRIND_COUNT_ERRORS;\n  int code;\n";
        for input in inputs {
            text += &format!("  (void)VALGRIND_MAKE_MEM_UNDEFINED({input}, sizeof {input});\n");
        }
        text += &format!("  code = PREFIX_{name}({call});\n  (void)out, (void)counter;\n");
        let arrived = format!("code == UPPER_DONE && is_secret({out}, sizeof {out})");
        text + &format!("  judge(\"PREFIX_{name}\", VALGRIND_COUNT_ERRORS - before, {arrived});\n}}\n")
    };
    let all: String = names.iter().map(|name| run(name)).collect();
    let lines: String = names.iter().map(|name| format!("  ct_{name}();\n")).collect();
    (filled(content, &all), if is_in(content) { lines } else { String::new() })
}
