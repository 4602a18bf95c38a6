//! What functions on bytes have in common: their codes, and what tells whether buffers overlap.

/// A text in which `CODETYPE`, `SHAREFUNCTION` and `EXPECTCODE` (of tests) stand for what they are.
pub fn filled(text: &str) -> String {
    text.replace("CODETYPE\n", TYPE).replace("SHAREFUNCTION\n", SHARE).replace("EXPECTCODE\n", EXPECT)
}

const TYPE: &str = "#if defined(__GNUC__)
#define EVARISTE_CODE __attribute__((warn_unused_result)) int
#else
#define EVARISTE_CODE int
#endif
";

const SHARE: &str = "/* Do buffers of so many bytes share any? */
OWNint PREFIX_share(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  return a_bytes != 0 && b_bytes != 0 && (x - y < b_bytes || y - x < a_bytes);
}
";

const EXPECT: &str = "static void expect_code(const char *what, unsigned row, int got, int wanted) {
  expect(what, row, &got, &wanted, sizeof got);
}
";
