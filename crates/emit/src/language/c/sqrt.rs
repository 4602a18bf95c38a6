//! Square roots in emitted C: one long power, which is a proved kernel, then the steps of Tonelli and Shanks, all of
//! them, whatever the operand is; and a look whether the square is the operand.
//!
//! The steps are those of RFC 9380, appendix I.4: with `p − 1 = q·2^s` there are none for s = 1 (p ≡ 3 mod 4), one
//! product for s = 2 (p ≡ 5 mod 8), and about `s²/2` squares in general. That their composition is a square root is
//! not proved; that what it gives is one, is tested at each call.

use num_bigint::BigInt;
use num_traits::One;

use crate::package::{Content, Elements, SquareRoot};

use super::ct_beside::{Made, element};
use super::elements::has;
use super::types::unsigned;

/// What is called, beside a test for equality.
const NEEDS: [&str; 4] = ["sqrt_power", "mul", "square", "selectznz"];

/// The constants, where the package has all that a square root calls.
fn root<'a>(content: &'a Content) -> Option<(&'a Elements, &'a SquareRoot)> {
    let elements = content.elements?;
    let root = elements.square_root.as_ref()?;
    let all = NEEDS.iter().all(|name| has(content, name)) && (has(content, "equal") || has(content, "canonical"));
    all.then_some((elements, root))
}

/// For the header and the readme.
pub fn declaration(content: &Content) -> String {
    let Some((_, root)) = root(content) else { return String::new() };
    let (prefix, linkage) = (content.prefix, content.linkage());
    format!(
        "\n/* {prefix}_sqrt: a square root of a, one of the two. Gives 1; where a is no square it gives 0, and out is 0. In constant time:\n *   one power, {} more squares and {} products, whatever a is.\n */\n{linkage}EVARISTE_STATUS {prefix}_sqrt({prefix}_element out, const {prefix}_element a);\n",
        1 + (root.twos - 1) * root.twos / 2,
        if root.twos < 2 { 1 } else { 2 * root.twos }
    )
}

/// What the file of functions includes for it.
pub fn includes(content: &Content) -> &'static str {
    if root(content).is_some() { "#include <string.h>\n\n" } else { "" }
}

/// For the file of functions.
pub fn definition(content: &Content) -> String {
    let Some((elements, root)) = root(content) else { return String::new() };
    let (prefix, ty, n) = (content.prefix, unsigned(elements.word), elements.weights.len());
    let times = |to: &str, a: &str, b: &str| format!("{prefix}_mul(t, {a}, {b}), memcpy({to}, t, sizeof t);");
    let square = |x: &str| format!("{prefix}_square(t, {x}), memcpy({x}, t, sizeof t);");
    let choose =
        |to: &str, other: &str| format!("{prefix}_selectznz(t, is_one, {other}, {to}), memcpy({to}, t, sizeof t);");
    let steps = if root.twos < 2 {
        String::new()
    } else {
        format!(
            "  {}\n  {}\n  for (i = {}; i >= 2; i--) {{\n    /* y = a^q times a power of c has order 2^(i - 1) at most; where it has just that, both get a factor. */\n    memcpy(b, y, sizeof b);\n    for (j = 2; j < i; j++) {}\n    {prefix}_equal(is_one, b, {prefix}_one);\n    {prefix}_mul(b, z, c);\n    {}\n    {}\n    {prefix}_mul(b, y, c);\n    {}\n  }}\n",
            times("y", "z", "w"),
            "memcpy(c, root_of_unity, sizeof c);",
            root.twos,
            format_args!("{{ {} }}", square("b")),
            choose("z", "b"),
            square("c"),
            choose("y", "b"),
        )
    };
    let (constants, variables) = if root.twos < 2 {
        (String::new(), format!("  {prefix}_element t, w, z;\n  {ty} same[1];\n"))
    } else {
        let c: BigInt = &root.root_of_unity * &elements.factor % &elements.modulus;
        (
            format!("  static const {ty} root_of_unity[{n}] = {};\n", elements.initialiser(&c)),
            format!("  {prefix}_element b, c, t, w, y, z;\n  {ty} is_one[1], same[1];\n  int i, j;\n"),
        )
    };
    let linkage = content.linkage();
    format!(
        "\n{linkage}int {prefix}_sqrt({prefix}_element out, const {prefix}_element a) {{\n{constants}{variables}  /* w = a^((q - 1)/2), z = a w, z w = a^q where p - 1 = q 2^{}. */\n  {prefix}_sqrt_power(w, a);\n  {prefix}_mul(z, a, w);\n{steps}  {prefix}_square(t, z);\n  {prefix}_equal(same, t, a);\n  {prefix}_selectznz(t, same, {prefix}_zero, z);\n  memcpy(out, t, sizeof t);\n  return (int)same[0];\n}}\n",
        root.twos
    )
}

/// For the test of constant time.
pub fn made(content: &Content) -> Option<Made> {
    root(content)?;
    Some(Made { status: true, ..Made::of_elements("sqrt", content, Some(element(content, "out")), &["a"]) })
}

/// For the test: squares of what the vectors of `square` and of the power hold, 0, 1, and each of these times an
/// element that is no square.
pub fn test(content: &Content) -> String {
    let Some((elements, root)) = root(content) else { return String::new() };
    let (prefix, ty, n) = (content.prefix, unsigned(elements.word), elements.weights.len());
    // A root of unity of the highest order of two is no square.
    let odd: BigInt = &root.root_of_unity * &elements.factor % &elements.modulus;
    let values: Vec<BigInt> =
        [0u32, 1, 2, 3, 5, 6, 7, 10].iter().map(|x| BigInt::from(*x) * &elements.factor % &elements.modulus).collect();
    let mut rows: Vec<String> = values.iter().map(|x| elements.initialiser(x)).collect();
    rows.push(elements.initialiser(&(&elements.modulus - BigInt::one())));
    rows.push(elements.initialiser(&(&elements.modulus >> 1)));
    format!(
        "  {{
    static const {ty} values[{0}][{n}] = {{{1}}}, no_square[{n}] = {2};
    {prefix}_element x, y, z;
    {ty} zero[1], same[1], yes = 1;
    unsigned i;
    for (i = 0; i < {0}; i++) {{
      {prefix}_square(x, values[i]);
      {prefix}_equal(zero, x, {prefix}_zero);
      wanted = 1;
      status = {prefix}_sqrt(y, x);
      expect(\"sqrt of a square\", i, &status, &wanted, sizeof status);
      {prefix}_square(z, y);
      {prefix}_equal(same, z, x);
      expect(\"sqrt\", i, same, &yes, sizeof yes);
      memcpy(y, x, sizeof y);
      status = {prefix}_sqrt(y, y);
      {prefix}_square(z, y);
      {prefix}_equal(same, z, x);
      expect(\"sqrt in place\", i, same, &yes, sizeof yes);
      {prefix}_mul(y, x, no_square);
      wanted = (int)zero[0];
      status = {prefix}_sqrt(z, y);
      expect(\"sqrt of no square\", i, &status, &wanted, sizeof status);
      {prefix}_equal(same, z, {prefix}_zero);
      expect(\"sqrt of no square: 0\", i, same, &yes, sizeof yes);
    }}
  }}
",
        rows.len(),
        rows.join(", "),
        elements.initialiser(&odd)
    )
}
