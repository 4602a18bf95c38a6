//! Functions on bytes in C89: those of C ([`blocks`], [`stream`], [`running`]) in its types. Bytes are `unsigned char`, words
//! `unsigned long`, of which 32 bits count; how many bytes of a keystream were given, which may be 2^42, is two words.

use super::c::{blocks, running, stream};
use crate::package::Content;

/// What the types of C are here.
const TYPES: [(&str, &str); 5] = [
    ("uint64_t", "unsigned long"),
    ("uint32_t", "unsigned long"),
    ("uint16_t", "unsigned long"),
    ("uint8_t", "unsigned char"),
    ("uintptr_t", "size_t"),
];

/// What counts the bytes of a keystream: of C, and here.
const COUNTS: [(&str, &str); 4] = [
    ("  uint64_t given;\n", "  unsigned long given[2]; /* modulo 2^32, and above that */\n"),
    ("  stream->given = 0;\n", "  stream->given[0] = stream->given[1] = 0;\n"),
    (
        "  if (bytes > ((uint64_t)1 << 42) - stream->given) return",
        "  low = (stream->given[0] + (unsigned long)(bytes & 0xffffffffUL)) & 0xffffffffUL;\n  high = (unsigned long)bytes >> 16 >> 16;\n  if (high > 1024) return UPPER_TOO_LONG;\n  high += stream->given[1] + (low < stream->given[0]);\n  if (high > 1024 || (high == 1024 && low != 0)) return",
    ),
    ("  stream->given += bytes;\n", "  stream->given[0] = low;\n  stream->given[1] = high;\n"),
];

/// A text of C in the types of C89.
fn translated(content: &Content, text: &str) -> String {
    let upper = content.prefix.to_ascii_uppercase();
    let counted =
        COUNTS.iter().fold(text.to_owned(), |text, (c, here)| text.replace(c, &here.replace("UPPER", &upper)));
    // The only variables that the count needs more.
    let counted = counted.replace(
        "  size_t at;\n  unsigned i;\n  if (out != in",
        "  size_t at;\n  unsigned long low, high;\n  unsigned i;\n  if (out != in",
    );
    let counted = counted.replace(
        "stream.given = ((uint64_t)1 << 42) - 3;",
        "stream.given[0] = 0xfffffffdUL;\n    stream.given[1] = 1023;",
    );
    TYPES.iter().fold(counted, |text, (c, here)| text.replace(c, here))
}

/// Has a package these functions?
pub fn is_in(content: &Content) -> bool {
    blocks::is_in(content) || stream::is_in(content) || running::is_in(content)
}

/// For the header.
pub fn declarations(content: &Content) -> String {
    let all = [blocks::declarations, stream::declarations, running::declarations];
    translated(content, &all.map(|text| text(content)).concat())
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let all = [blocks::definitions, stream::definitions, running::definitions];
    translated(content, &all.map(|text| text(content)).concat())
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    translated(content, &[blocks::readme, stream::readme, running::readme].map(|text| text(content)).concat())
}

/// For `ct.c`: its functions, and the calls.
pub fn ct(content: &Content) -> (String, String) {
    let all = [blocks::ct, stream::ct, running::ct].map(|ct| ct(content));
    let [texts, calls] = [0, 1].map(|at| all.iter().map(|one| if at == 0 { &*one.0 } else { &*one.1 }).collect());
    let texts: String = texts;
    (translated(content, &texts), calls)
}

/// For the test: its functions, which compare bytes by one of their own, and the calls.
pub fn test(content: &Content) -> (String, String) {
    if !is_in(content) {
        return Default::default();
    }
    let all = [blocks::test, stream::test, running::test].map(|text| text(content)).concat();
    let lines = [blocks::test_line, stream::test_line, running::test_line].map(|line| line(content)).concat();
    (
        EXPECT.to_owned()
            + &translated(content, &all)
                .replace("expect(\"", "expect_bytes(\"")
                .replace("  expect(what", "  expect_bytes(what"),
        lines,
    )
}

const EXPECT: &str = "
static void expect_bytes(const char *what, unsigned row, const void *got, const void *wanted, size_t bytes) {
  expect(what, (int)row, memcmp(got, wanted, bytes) == 0);
}
";
