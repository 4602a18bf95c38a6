//! What test, benchmark and readme have of functions on arrays.

use super::arrays::Product;
use crate::language::c::vectors::{rows, table_name};
use crate::package::Content;

/// A text for a package that has them, in which ROWS, TABLE_A and TABLE_B stand for what `PREFIX_vectors.h` has of the product, and
/// LANES for the most that there are.
fn filled(content: &Content, text: &str) -> String {
    let Some(product) = Product::of(content) else { return String::new() };
    let text = only(text, product.square.is_some());
    let table = |i: usize| {
        let array = product.kernel.visible().nth(i);
        array.map_or_else(String::new, |a| table_name(content, "mul", product.kernel, a, false))
    };
    let lanes = product.levels.iter().map(|(level, _)| level.lanes()).max().unwrap_or(1);
    let text = text
        .replace("ROWS", &rows(content, "mul").to_string())
        .replace("TABLE_A", &table(1))
        .replace("TABLE_B", &table(2))
        .replace("LANES", &lanes.to_string())
        .replace("NAMES", &{
            let titles = product.levels.iter().map(|(level, _)| format!(", \"{}\"", level.suffix));
            format!("\"c\"{}", titles.collect::<String>())
        });
    product.filled(&text)
}

/// The text with the lines that begin with `|`, which are about squares, or without them.
fn only(text: &str, squares: bool) -> String {
    let kept = text.split_inclusive('\n').filter(|line| squares || !line.starts_with('|'));
    kept.map(|line| line.strip_prefix('|').unwrap_or(line)).collect()
}

/// The include of the header that declares what the package's programs call.
pub fn include(content: &Content) -> String {
    filled(content, "#include \"PREFIX_arrays.h\"\n")
}

/// For the test: arrays of few lengths and a longer one at every level, the result also in the place of an operand.
pub fn test(content: &Content) -> String {
    filled(
        content,
        "
#define MOST 100

/* Known operands, then products of them. */
static void array_operands(TYPE *a, TYPE *b) {
  unsigned i;
  for (i = 0; i < MOST; i++, a += WORDS, b += WORDS) {
    if (i < ROWS) {
      memcpy(a, TABLE_A[i], sizeof TABLE_A[i]);
      memcpy(b, TABLE_B[i], sizeof TABLE_B[i]);
    } else {
      PREFIX_mul(a, a - WORDS * ROWS, b - WORDS);
      PREFIX_mul(b, a - WORDS, b - WORDS * ROWS);
    }
  }
}

static void test_arrays(void) {
  static TYPE a[MOST * WORDS], b[MOST * WORDS], products[MOST * WORDS], out[MOST * WORDS + 1];
|  static TYPE squares[MOST * WORDS];
  int level, place;
  unsigned n, i;
  array_operands(a, b);
  for (i = 0; i < MOST; i++) PREFIX_mul(products + i * WORDS, a + i * WORDS, b + i * WORDS);
|  for (i = 0; i < MOST; i++) PREFIX_square(squares + i * WORDS, a + i * WORDS);
  for (level = 0; level <= PREFIX_array_level(); level++) {
    for (n = 0; n <= MOST; n = n == LANES + 1 ? MOST : n + 1) {
      for (place = 0; place < 3; place++) {
        TYPE beyond;
        memset(out, 0xa5, sizeof out);
        beyond = out[n * WORDS];
        if (place != 0) memcpy(out, place == 1 ? a : b, n * WORDS * sizeof *out);
        PREFIX_mul_array_at(level, out, place == 1 ? out : a, place == 2 ? out : b, n);
        expect(\"mul_array\", n, out, products, n * WORDS * sizeof *out);
        expect(\"mul_array: behind its end\", n, out + n * WORDS, &beyond, sizeof beyond);
|        if (place == 2) continue;
|        memset(out, 0xa5, sizeof out);
|        if (place == 1) memcpy(out, a, n * WORDS * sizeof *out);
|        PREFIX_square_array_at(level, out, place == 1 ? out : a, n);
|        expect(\"square_array\", n, out, squares, n * WORDS * sizeof *out);
|        expect(\"square_array: behind its end\", n, out + n * WORDS, &beyond, sizeof beyond);
      }
    }
  }
  memset(out, 0xa5, sizeof out);
  PREFIX_mul_array(out, a, b, MOST);
  expect(\"mul_array as users call it\", MOST, out, products, sizeof products);
|  memset(out, 0xa5, sizeof out);
|  PREFIX_square_array(out, a, MOST);
|  expect(\"square_array as users call it\", MOST, out, squares, sizeof squares);
}
",
    )
}

/// The line of the test's main function.
pub fn main_lines(content: &Content) -> String {
    filled(content, "  test_arrays();\n")
}

/// For the benchmark: the time of an element of an array, at every level and by a loop.
pub fn bench(content: &Content) -> String {
    filled(
        content,
        "
#define MANY 4096

static TYPE many_a[MANY * WORDS], many_b[MANY * WORDS], many_products[MANY * WORDS];
static int array_level;

static void array_loop(unsigned long n) {
  while (n-- > 0) {
    size_t i;
    for (i = 0; i < MANY; i++) PREFIX_mul(many_products + i * WORDS, many_a + i * WORDS, many_b + i * WORDS);
  }
}

static void array_whole(unsigned long n) {
  while (n-- > 0) PREFIX_mul_array_at(array_level, many_products, many_a, many_b, MANY);
}
|
|static void square_loop(unsigned long n) {
|  while (n-- > 0) {
|    size_t i;
|    for (i = 0; i < MANY; i++) PREFIX_square(many_products + i * WORDS, many_a + i * WORDS);
|  }
|}
|
|static void square_whole(unsigned long n) {
|  while (n-- > 0) PREFIX_square_array_at(array_level, many_products, many_a, MANY);
|}

static void bench_arrays(void) {
  static const char *const names[] = {NAMES};
  size_t i;
  for (i = 0; i < MANY; i++) {
    memcpy(many_a + i * WORDS, TABLE_A[i % ROWS], sizeof TABLE_A[0]);
    memcpy(many_b + i * WORDS, TABLE_B[(i / ROWS + i) % ROWS], sizeof TABLE_B[0]);
  }
  printf(\"\\nns per element of arrays of %d:\\n\", MANY);
  printf(\"%-24s %12.2f\\n\", \"loop over PREFIX_mul\", measure(array_loop) / MANY);
  for (array_level = 1; array_level <= PREFIX_array_level(); array_level++) {
    printf(\"%-24s %12.2f   %s\\n\", \"PREFIX_mul_array\", measure(array_whole) / MANY, names[array_level]);
  }
|  printf(\"%-24s %12.2f\\n\", \"loop over PREFIX_square\", measure(square_loop) / MANY);
|  for (array_level = 1; array_level <= PREFIX_array_level(); array_level++) {
|    printf(\"%-24s %12.2f   %s\\n\", \"PREFIX_square_array\", measure(square_whole) / MANY, names[array_level]);
|  }
}
",
    )
}

/// The line of the benchmark's main function.
pub fn bench_line(content: &Content) -> String {
    filled(content, "  bench_arrays();\n")
}

/// For the test of constant time: a function for every level that the processor runs, and its call.
pub fn ct(content: &Content) -> (String, String) {
    let text = filled(
        content,
        "
static void ct_arrays(void) {
  static TYPE out[(2 * LANES + 1) * WORDS], a[(2 * LANES + 1) * WORDS], b[(2 * LANES + 1) * WORDS];
  int level;
  /* As users call it, then at every level. */
  for (level = -1; level <= PREFIX_array_level(); level++) {
    unsigned long before = VALGRIND_COUNT_ERRORS;
    memset(out, 0, sizeof out);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(a, sizeof a);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(b, sizeof b);
    if (level < 0) {
      PREFIX_mul_array(out, a, b, 2 * LANES + 1);
    } else {
      PREFIX_mul_array_at(level, out, a, b, 2 * LANES + 1);
    }
    judge(\"PREFIX_mul_array\", VALGRIND_COUNT_ERRORS - before, is_secret(out, sizeof out));
|    before = VALGRIND_COUNT_ERRORS;
|    memset(out, 0, sizeof out);
|    if (level < 0) {
|      PREFIX_square_array(out, a, 2 * LANES + 1);
|    } else {
|      PREFIX_square_array_at(level, out, a, 2 * LANES + 1);
|    }
|    judge(\"PREFIX_square_array\", VALGRIND_COUNT_ERRORS - before, is_secret(out, sizeof out));
  }
}
",
    );
    (text, filled(content, "  ct_arrays();\n"))
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let Some(product) = Product::of(content) else { return String::new() };
    let names: Vec<String> = product
        .levels
        .iter()
        .map(|(level, kernel)| {
            format!("{} ({} elements at once, kernel `{}`)", level.title, level.lanes(), kernel.name)
        })
        .collect();
    let how = match names.as_slice() {
        [] => "It calls `PREFIX_mul` for each: no vectors were estimated to be faster.".to_string(),
        names => format!(
            "Where the processor has it, which is asked at each call: {}. Their arithmetic is kernels that were proved, printed with intrinsics; the\n\
             way between words and lanes is tested, not proved. The elements behind the last whole block, and everything on other processors, with other\n\
             compilers and with `-DEVARISTE_PORTABLE`, are products by `PREFIX_mul`.",
            names.join("; ")
        ),
    };
    let square = match (product.square, product.squares.as_slice()) {
        (None, _) => String::new(),
        (Some(_), []) => {
            "\n`PREFIX_square_array(out, a, n)` is `out[i] = a[i]^2`, by `PREFIX_square` for each.\n".to_string()
        }
        (Some(_), places) => {
            let titles: Vec<&str> = places.iter().map(|i| product.levels[*i].0.title).collect();
            format!(
                "\n`PREFIX_square_array(out, a, n)` is `out[i] = a[i]^2`, on {} the product of a block with itself, elsewhere by `PREFIX_square`; `out` may be `a`.\n",
                titles.join(" and ")
            )
        }
    };
    filled(
        content,
        &format!(
            "
### `PREFIX_mul_array`

```c
void PREFIX_mul_array(PARAMETERS);
```

`out[i] = a[i] b[i]`, n products as of `PREFIX_mul`, of elements one after the other, WORDS words each; `out` may be `a` or `b`. It is in a file of its
own, `PREFIX_arrays.c` (with `PREFIX_arrays.h`): who computes on no arrays needs neither. {how}
{square}"
        ),
    )
}
