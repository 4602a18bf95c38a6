//! Into slices and back in C, beside bit-sliced functions: by exchanges of squares of as many bits as a word of slices
//! has (Warren, "Hacker's Delight" (2012), 7-3).

use crate::package::Content;
use crate::unit::Model;

use super::ct_beside::{Made, Operand};

/// Names behind the prefix.
pub const NAMES: [&str; 2] = ["slice", "unslice"];

/// Coordinates of the elements of bit-sliced functions, where there are such functions: the length of their longest
/// parameter.
fn coordinates(content: &Content) -> Option<u32> {
    let sliced = content.kernels.iter().filter(|(_, kernel)| Model::of(kernel) == Model::Lanes);
    sliced.flat_map(|(_, kernel)| kernel.visible().map(|a| kernel.array(a).len)).max()
}

/// A text in which LINKAGE, OWN (that of what users do not call), PREFIX, COORDINATES and WORDS stand for what they are; nothing without bit-sliced functions.
fn filled(content: &Content, text: &str) -> String {
    let Some(m) = coordinates(content) else { return String::new() };
    text.replace("LINKAGE", content.linkage())
        .replace("OWN", content.own_linkage())
        .replace("PREFIX", content.prefix)
        .replace("COORDINATES", &m.to_string())
        .replace("WORDS", &m.div_ceil(64).to_string())
}

/// For the header.
pub fn declarations(content: &Content) -> String {
    filled(
        content,
        "
/* PREFIX_slice: EVARISTE_LANES elements, one after the other, of COORDINATES coordinates in WORDS words each, lowest first, become COORDINATES words: bit l of word i is coordinate i of element l.
 * PREFIX_unslice: the way back; bits above the last coordinate come out as 0. Outputs must be disjoint from inputs.
 */
LINKAGEvoid PREFIX_slice(evariste_lanes slices[COORDINATES], const uint64_t elements[EVARISTE_LANES * WORDS]);
LINKAGEvoid PREFIX_unslice(uint64_t elements[EVARISTE_LANES * WORDS], const evariste_lanes slices[COORDINATES]);
",
    )
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    filled(
        content,
        "
/* Bit i of word j becomes bit j of word i. */
OWNvoid evariste_turn(evariste_part x[EVARISTE_PART_LANES]) {
  evariste_part mask = (evariste_part)~0ull;
  unsigned j, k;
  for (j = EVARISTE_PART_LANES / 2; j != 0; j /= 2) {
    mask = (evariste_part)(mask ^ (mask << j));
    for (k = 0; k < EVARISTE_PART_LANES; k = (k + j + 1) & ~j) {
      evariste_part t = (evariste_part)(((x[k] >> j) ^ x[k + j]) & mask);
      x[k] = (evariste_part)(x[k] ^ (t << j));
      x[k + j] = (evariste_part)(x[k + j] ^ t);
    }
  }
}

LINKAGEvoid PREFIX_slice(evariste_lanes slices[COORDINATES], const uint64_t elements[EVARISTE_LANES * WORDS]) {
  evariste_part x[EVARISTE_PART_LANES];
  unsigned h, i, l;
  for (h = 0; h < EVARISTE_PARTS; h++, elements += EVARISTE_PART_LANES * WORDS) {
    for (i = 0; i < COORDINATES; i += EVARISTE_PART_LANES) {
      for (l = 0; l < EVARISTE_PART_LANES; l++) x[l] = (evariste_part)(elements[l * WORDS + i / 64] >> (i % 64));
      evariste_turn(x);
      for (l = 0; l < EVARISTE_PART_LANES && i + l < COORDINATES; l++) EVARISTE_PART(slices[i + l], h) = x[l];
    }
  }
}

LINKAGEvoid PREFIX_unslice(uint64_t elements[EVARISTE_LANES * WORDS], const evariste_lanes slices[COORDINATES]) {
  evariste_part x[EVARISTE_PART_LANES];
  unsigned h, i, l;
  for (l = 0; l < EVARISTE_LANES * WORDS; l++) elements[l] = 0;
  for (h = 0; h < EVARISTE_PARTS; h++, elements += EVARISTE_PART_LANES * WORDS) {
    for (i = 0; i < COORDINATES; i += EVARISTE_PART_LANES) {
      for (l = 0; l < EVARISTE_PART_LANES; l++) x[l] = i + l < COORDINATES ? EVARISTE_PART(slices[i + l], h) : 0;
      evariste_turn(x);
      for (l = 0; l < EVARISTE_PART_LANES; l++) elements[l * WORDS + i / 64] |= (uint64_t)x[l] << (i % 64);
    }
  }
}
",
    )
}

/// For the test of constant time.
pub fn made(content: &Content) -> Vec<Made> {
    let Some(m) = coordinates(content) else { return Vec::new() };
    let slices = || Operand { ty: "evariste_lanes".into(), name: "slices", len: m.to_string() };
    let len = format!("EVARISTE_LANES * {}", m.div_ceil(64));
    let elements = || Operand { ty: "uint64_t".into(), name: "elements", len: len.clone() };
    vec![
        Made { name: NAMES[0], outputs: vec![slices()], inputs: vec![elements()], status: false },
        Made { name: NAMES[1], outputs: vec![elements()], inputs: vec![slices()], status: false },
    ]
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    filled(
        content,
        "
### `PREFIX_slice`, `PREFIX_unslice`

```c
LINKAGEvoid PREFIX_slice(evariste_lanes slices[COORDINATES], const uint64_t elements[EVARISTE_LANES * WORDS]);
LINKAGEvoid PREFIX_unslice(uint64_t elements[EVARISTE_LANES * WORDS], const evariste_lanes slices[COORDINATES]);
```

From elements of WORDS words each, one after the other, to the words of the other functions, and back. Tested, not proved.
",
    )
}

/// For the test: its function, which compares bit by bit.
pub fn test(content: &Content) -> String {
    filled(
        content,
        "
static void test_slice(void) {
  static uint64_t elements[EVARISTE_LANES * WORDS], back[EVARISTE_LANES * WORDS];
  static evariste_lanes slices[COORDINATES];
  uint64_t state = 0x9e3779b97f4a7c15ull;
  unsigned i, l;
  for (i = 0; i < EVARISTE_LANES * WORDS; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    elements[i] = i % WORDS == WORDS - 1 ? state >> (64 * WORDS - COORDINATES) : state;
  }
  PREFIX_slice(slices, elements);
  for (i = 0; i < COORDINATES; i++) {
    evariste_lanes slice = EVARISTE_ALL(0);
    for (l = 0; l < EVARISTE_LANES; l++) {
      evariste_part bit = (evariste_part)(elements[l * WORDS + i / 64] >> (i % 64) & 1);
      EVARISTE_PART(slice, l / EVARISTE_PART_LANES) |= (evariste_part)(bit << (l % EVARISTE_PART_LANES));
    }
    expect(\"slice\", i, &slices[i], &slice, sizeof slice);
  }
  memset(back, 0xa5, sizeof back);
  PREFIX_unslice(back, slices);
  expect(\"unslice\", 0, back, elements, sizeof back);
}
",
    )
}

/// For the benchmark: loops.
pub fn loops(content: &Content) -> String {
    filled(
        content,
        "
static uint64_t sliced_elements[EVARISTE_LANES * WORDS];
static evariste_lanes element_slices[COORDINATES];

static void throughput_slice(unsigned long n) {
  while (n--) PREFIX_slice(element_slices, sliced_elements);
}

static void throughput_unslice(unsigned long n) {
  while (n--) PREFIX_unslice(sliced_elements, element_slices);
}
",
    )
}

/// For the test's and the benchmark's main functions: a line for each of these names; nothing without bit-sliced
/// functions.
pub fn lines(content: &Content, names: &[&str], line: impl Fn(&str) -> String) -> String {
    if coordinates(content).is_some() { names.iter().map(|name| line(name)).collect() } else { String::new() }
}
