//! A hash of messages of bytes in C, beside its kernels: the running sum takes a message in parts of any length. What does
//! not fit is a status, and then nothing was written.

use super::super::words::RunningWords;
use super::codes;
use crate::package::Content;

/// Has a package these functions?
pub fn is_in(content: &Content) -> bool {
    RunningWords::of(content).is_some()
}

/// A text in which LINKAGE, OWN (that of what users do not call), PREFIX, the types of words and what a hash function fills
/// stand for what they are.
fn filled(content: &Content, words: &RunningWords, text: &str) -> String {
    let text = codes::filled(text).replace("LINKAGE", content.linkage()).replace("OWN", content.own_linkage());
    let size = |bits: u32| (bits / 8).to_string();
    let text = text.replace("HOLDSIZE", &size(words.piece.bits)).replace("OUTSIZE", &size(words.out.bits));
    let text = [("PIECETYPE", words.piece), ("SUMTYPE", words.sum), ("OUTTYPE", words.out)]
        .iter()
        .fold(text, |text, (name, held)| text.replace(name, &format!("uint{}_t", held.bits)));
    words.filled(&text).replace("UPPER", &content.prefix.to_ascii_uppercase()).replace("PREFIX", content.prefix)
}

/// A text for each kernel that absorbs, in which ENDING and WRAPS stand for what they are.
fn each(words: &RunningWords, text: &str) -> String {
    let one = |(_, ending, wraps): (&str, &str, bool)| {
        text.replace("ENDING", ending).replace("WRAPS", if wraps { "1" } else { "0" })
    };
    words.absorbing().into_iter().map(one).collect()
}

const INIT: &str =
    "LINKAGEEVARISTE_CODE PREFIX_initENDING(PREFIX_message *state, const uint8_t *key, size_t key_bytes);\n";
const REST: &str = "LINKAGEEVARISTE_CODE PREFIX_update(PREFIX_message *state, const uint8_t *bytes, size_t count);
LINKAGEEVARISTE_CODE PREFIX_final(PREFIX_message *state, uint8_t out[HASHBYTES]);
";

/// For the header.
pub fn declarations(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    filled(content, &words, &(DECLARATIONS.to_owned() + &each(&words, INIT) + REST))
}

const DECLARATIONS: &str = "
/* What functions on messages give: 0 where they did what they say, else what did not fit, and then nothing was written. */
#define UPPER_DONE 0
#define UPPER_BAD_LENGTH 1    /* a key, or at its end a message, that is not in whole words of BYTES bytes */
#define UPPER_BAD_OVERLAP 2   /* a state that shares bytes with what is read or written */
#define UPPER_KEY_TOO_SHORT 3 /* more bytes of a message than the key has */
#define UPPER_FINISHED 4      /* a message that already has its hash: begin another */
CODETYPE

/* A message that is being hashed: the running sum, its key (which is not copied), and the bytes that wait for a whole piece. */
typedef struct {
  SUMTYPE sum[SUMLEN];
  const uint8_t *key;
  size_t key_bytes, bytes;
  uint8_t left[PIECEBYTES];
  int wraps, finished;
} PREFIX_message;

/* PREFIX_init: begins a message by a key that is as long or longer, which must stay where it is until the hash is there; to
 *   be hashed as PREFIX_hash does (PREFIX_init_wrapping, where it is: with sums that wrap).
 * PREFIX_update: the next bytes of the message, in parts of any length.
 * PREFIX_final: its hash, the highest byte first. The running sum is then wiped, and the message takes nothing more.
 * Each BYTES bytes of a key or a message are a word, the highest byte first. Time depends on lengths alone.
 */
";

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let call = |name: &str| format!("PREFIX_{name}(next, key, message, state->sum);");
    let calls: Vec<String> = words.absorbing().iter().map(|(name, ..)| call(name)).collect();
    let absorb = match &calls[..] {
        [defined, wrapping] => format!("if (state->wraps) {wrapping}\n  else {defined}"),
        only => only.concat(),
    };
    filled(content, &words, &(PIECES.replace("ABSORBPIECE", &absorb) + &each(&words, BEGIN) + UPDATE))
}

const PIECES: &str = "
SHAREFUNCTION

/* Bytes of up to 32 words as the elements of all, zeros behind them. */
OWNvoid PREFIX_piece(PIECETYPE *words, const uint8_t *bytes, size_t count) {
  unsigned i, k;
  for (i = 0; i < 32 * EACH; i++) {
    PIECETYPE word = 0;
    if (i / EACH * BYTES < count) {
      const uint8_t *at = bytes + i / EACH * BYTES + (EACH - 1 - i % EACH) * HOLDSIZE;
      for (k = 0; k < HOLDSIZE; k++) word = (PIECETYPE)((uint64_t)word << 8 | at[k]);
    }
    words[i] = word;
  }
}

/* The running sum takes `count` bytes that begin at byte `at` of the message. */
OWNvoid PREFIX_absorb_piece(PREFIX_message *state, const uint8_t *bytes, size_t at, size_t count) {
  PIECETYPE key[32 * EACH], message[32 * EACH];
  SUMTYPE next[SUMLEN];
  unsigned i;
  PREFIX_piece(key, state->key + at, count);
  PREFIX_piece(message, bytes, count);
  ABSORBPIECE
  for (i = 0; i < SUMLEN; i++) state->sum[i] = next[i];
}

";

const BEGIN: &str = "LINKAGEint PREFIX_initENDING(PREFIX_message *state, const uint8_t *key, size_t key_bytes) {
  unsigned i;
  if (key_bytes % BYTES != 0) return UPPER_BAD_LENGTH;
  if (PREFIX_share(state, sizeof *state, key, key_bytes)) return UPPER_BAD_OVERLAP;
  for (i = 0; i < SUMLEN; i++) state->sum[i] = 0;
  for (i = 0; i < PIECEBYTES; i++) state->left[i] = 0;
  state->key = key;
  state->key_bytes = key_bytes;
  state->bytes = 0;
  state->wraps = WRAPS;
  state->finished = 0;
  return UPPER_DONE;
}

";

const UPDATE: &str = "LINKAGEint PREFIX_update(PREFIX_message *state, const uint8_t *bytes, size_t count) {
  size_t kept, k;
  if (state->finished) return UPPER_FINISHED;
  if (PREFIX_share(state, sizeof *state, bytes, count)) return UPPER_BAD_OVERLAP;
  if (count > state->key_bytes - state->bytes) return UPPER_KEY_TOO_SHORT;
  while (count > 0) {
    kept = state->bytes % PIECEBYTES;
    if (kept == 0 && count >= PIECEBYTES) {
      k = PIECEBYTES;
      PREFIX_absorb_piece(state, bytes, state->bytes, PIECEBYTES);
    } else {
      for (k = 0; k < count && kept + k < PIECEBYTES; k++) state->left[kept + k] = bytes[k];
      if (kept + k == PIECEBYTES) PREFIX_absorb_piece(state, state->left, state->bytes - kept, PIECEBYTES);
    }
    state->bytes += k;
    bytes += k;
    count -= k;
  }
  return UPPER_DONE;
}

LINKAGEint PREFIX_final(PREFIX_message *state, uint8_t out[HASHBYTES]) {
  OUTTYPE hash[OUTLEN];
  size_t kept = state->bytes % PIECEBYTES;
  unsigned i;
  if (state->finished) return UPPER_FINISHED;
  if (PREFIX_share(state, sizeof *state, out, HASHBYTES)) return UPPER_BAD_OVERLAP;
  if (kept % BYTES != 0) return UPPER_BAD_LENGTH;
  if (kept != 0) PREFIX_absorb_piece(state, state->left, state->bytes - kept, kept);
  PREFIX_finish(hash, state->sum);
  for (i = 0; i < HASHBYTES; i++) {
    out[HASHBYTES - 1 - i] = (uint8_t)(hash[i / OUTSIZE] >> 8 * (i % OUTSIZE));
  }
  for (i = 0; i < SUMLEN; i++) state->sum[i] = 0;
  for (i = 0; i < PIECEBYTES; i++) state->left[i] = 0;
  state->finished = 1;
  return UPPER_DONE;
}
";

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let text = README.replace("SIGNATURES", &(each(&words, INIT) + REST));
    filled(content, &words, &text)
}

const README: &str = "
## Messages of bytes

```c
SIGNATURES```

A message is given in parts of any length, 32 words and more at a time where they are whole; each BYTES bytes are a word, the highest byte first. Key and message are in whole words, the key at least as long as the message, and it must
stay where it is until the hash is there. The functions give `UPPER_DONE` (0), or without having written anything `UPPER_BAD_LENGTH`, `UPPER_BAD_OVERLAP`, `UPPER_KEY_TOO_SHORT`, or `UPPER_FINISHED` for a message that already has its hash;
a message whose last word is not whole can be given its last bytes after `PREFIX_final` refused. They are tested against the reference, not proved. A hash alone is no tag: combine it with a pad that is used once.
";

/// For the test: its function.
pub fn test(content: &Content) -> String {
    let Some(words) = RunningWords::of(content) else { return String::new() };
    let calls = each(&words, "    test_message(row, PREFIX_initENDING, messages[row].hashes[WRAPS]);\n");
    let refusals = each(&words, "  test_message_refusals(PREFIX_initENDING);\n");
    let text = answers(&words) + &TEST.replace("CALLS\n", &calls).replace("REFUSALS\n", &refusals);
    filled(content, &words, &text)
}

/// The tables of known answers, in which HASHBYTES stands for what it is.
pub(crate) fn answers(words: &RunningWords) -> String {
    let (mut tables, mut rows) = (String::new(), String::new());
    for (i, answer) in words.hash.answers.iter().enumerate() {
        let mut table = |name: &str, bytes: &[u8]| {
            if bytes.is_empty() {
                return "(const uint8_t *)\"\"".to_owned();
            }
            tables += &format!("static const uint8_t message_{name}{i}[] = {{{}}};\n", RunningWords::list(bytes));
            format!("message_{name}{i}")
        };
        let [key, message] = [table("key", &answer.key), table("text", &answer.message)];
        let hashes = answer.hashes.each_ref().map(|hash| format!("{{{}}}", RunningWords::list(hash))).join(", ");
        rows += &format!("  {{{key}, {}, {message}, {}, {{{hashes}}}}},\n", answer.key.len(), answer.message.len());
    }
    format!(
        "\n{tables}\nstatic const struct {{\n  const uint8_t *key;\n  size_t key_bytes;\n  const uint8_t *text;\n  size_t bytes;\n  uint8_t hashes[2][HASHBYTES];\n}} messages[] = {{\n{rows}}};\n"
    )
}

/// For the test's main function.
pub fn test_line(content: &Content) -> &'static str {
    if is_in(content) { "  test_messages();\n" } else { "" }
}

const TEST: &str = "
EXPECTCODE

typedef int message_init(PREFIX_message *state, const uint8_t *key, size_t key_bytes);

/* In parts of every length, all but the last as long, and in two parts at every byte. */
static void test_message(unsigned row, message_init *init, const uint8_t *wanted) {
  const uint8_t *key = messages[row].key, *text = messages[row].text;
  size_t key_bytes = messages[row].key_bytes, bytes = messages[row].bytes, part, at;
  PREFIX_message state;
  uint8_t out[HASHBYTES];
  for (part = 1; part <= bytes + 1; part++) {
    memset(&state, 0xa5, sizeof state), memset(out, 0xa5, sizeof out);
    expect_code(\"init\", row, init(&state, key, key_bytes), UPPER_DONE);
    for (at = 0; at < bytes; at += part) {
      expect_code(\"update\", row, PREFIX_update(&state, text + at, part < bytes - at ? part : bytes - at), UPPER_DONE);
    }
    expect_code(\"final\", row, PREFIX_final(&state, out), UPPER_DONE);
    expect(\"a message in parts\", row, out, wanted, sizeof out);
  }
  for (part = 0; part <= bytes; part++) {
    memset(out, 0xa5, sizeof out);
    expect_code(\"init\", row, init(&state, key, key_bytes), UPPER_DONE);
    expect_code(\"update\", row, PREFIX_update(&state, text, part), UPPER_DONE);
    /* What is refused on the way changes nothing. */
    expect_code(\"update: the key\", row, PREFIX_update(&state, text, key_bytes - part + 1), UPPER_KEY_TOO_SHORT);
    if (part % BYTES != 0) expect_code(\"final: half a word\", row, PREFIX_final(&state, out), UPPER_BAD_LENGTH);
    expect_code(\"final: in place\", row, PREFIX_final(&state, (uint8_t *)&state), UPPER_BAD_OVERLAP);
    expect_code(\"update\", row, PREFIX_update(&state, text + part, bytes - part), UPPER_DONE);
    expect_code(\"final\", row, PREFIX_final(&state, out), UPPER_DONE);
    expect(\"a message in two parts\", row, out, wanted, sizeof out);
    expect_code(\"final: again\", row, PREFIX_final(&state, out), UPPER_FINISHED);
    expect_code(\"update: after its end\", row, PREFIX_update(&state, text, 0), UPPER_FINISHED);
    expect(\"a message that is finished\", row, out, wanted, sizeof out);
  }
}

static void test_message_refusals(message_init *init) {
  static const uint8_t key[2 * BYTES];
  PREFIX_message state, before;
  uint8_t out[HASHBYTES], kept[HASHBYTES];
  unsigned i;
  memset(out, 0xa5, sizeof out), memset(kept, 0xa5, sizeof kept);
  memset(&state, 0x5a, sizeof state);
  memcpy(&before, &state, sizeof state);
  for (i = 1; i < BYTES; i++) expect_code(\"init: a key\", i, init(&state, key, BYTES + i), UPPER_BAD_LENGTH);
  expect_code(\"init: in place\", 0, init(&state, (const uint8_t *)&state, BYTES), UPPER_BAD_OVERLAP);
  expect(\"init: what is refused\", 0, &state, &before, sizeof state);
  expect_code(\"init\", 0, init(&state, key, 2 * BYTES), UPPER_DONE);
  expect_code(\"update\", 0, PREFIX_update(&state, key, BYTES), UPPER_DONE);
  memcpy(&before, &state, sizeof state);
  expect_code(\"update: the key\", 0, PREFIX_update(&state, key, BYTES + 1), UPPER_KEY_TOO_SHORT);
  expect_code(\"update: in place\", 0, PREFIX_update(&state, (const uint8_t *)&state, 1), UPPER_BAD_OVERLAP);
  expect(\"update: what is refused\", 0, &state, &before, sizeof state);
  expect(\"final: what is refused\", 0, out, kept, sizeof out);
}

static void test_messages(void) {
  unsigned row;
  for (row = 0; row < sizeof messages / sizeof *messages; row++) {
CALLS
  }
REFUSALS
}
";

/// For `ct.c`: a message and a key that are undefined, and the line that calls them.
pub fn ct(content: &Content) -> (String, String) {
    let Some(words) = RunningWords::of(content) else { return Default::default() };
    let lines = each(&words, "  ct_messageENDING();\n");
    (filled(content, &words, &each(&words, CT)), lines)
}

const CT: &str = "
static void ct_messageENDING(void) {
  static PREFIX_message state;
  static uint8_t key[PIECEBYTES + BYTES], text[PIECEBYTES + BYTES], out[HASHBYTES];
  unsigned long before = VALGRIND_COUNT_ERRORS;
  int code;
  (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
  (void)VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
  code = PREFIX_initENDING(&state, key, sizeof key);
  if (code == UPPER_DONE) code = PREFIX_update(&state, text, BYTES + 1);
  if (code == UPPER_DONE) code = PREFIX_update(&state, text + BYTES + 1, PIECEBYTES - 1);
  if (code == UPPER_DONE) code = PREFIX_final(&state, out);
  judge(\"PREFIX_initENDING, PREFIX_update, PREFIX_final\", VALGRIND_COUNT_ERRORS - before, code == UPPER_DONE && is_secret(out, sizeof out));
}
";
