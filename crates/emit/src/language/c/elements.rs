//! What a package of a field has beside its kernels: types, constants, and functions in C that are made of the others:
//! reading bytes with a status, square roots, tests for canonical form, and zero and equality where elements have several forms.
//!
//! None of this is proved; the package's test tries it at 0, 1, p − 1, p, p + 1 and at every form of 0 and 1.

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Claim, Kernel};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::package::{Content, Elements};

use super::ct_beside::{Made, Operand, element};
use super::function::signature;
use super::names;
use super::types::{literal, unsigned};

/// Ends of names of functions that read bytes, checked here, and of the kernels below them.
const READERS: [(&str, &str); 2] =
    [("from_bytes", "from_bytes_unchecked"), ("from_bytes_be", "from_bytes_be_unchecked")];

impl Elements {
    /// A number as the initialiser of an array.
    pub(super) fn initialiser(&self, x: &BigInt) -> String {
        let digits: Vec<String> = self.digits(x).iter().map(|d| literal(d, self.word)).collect();
        format!("{{{}}}", digits.join(", "))
    }

    fn bytes(&self) -> usize {
        (&self.modulus - BigInt::one()).bits().div_ceil(8) as usize
    }

    /// Is every number of so many bits below the modulus, a power of two that takes one bit more?
    fn is_filled(&self, bits: usize) -> bool {
        self.modulus >= pow2(bits as u32)
    }

    fn words_are_filled(&self) -> bool {
        self.is_filled(self.word as usize * self.weights.len())
    }

    /// Bytes of a number, lowest or highest first, as an initialiser.
    fn byte_initialiser(&self, x: &BigInt, big_endian: bool) -> String {
        let mut bytes: Vec<String> = (0..self.bytes()).map(|i| ((x >> (8 * i)) % pow2(8)).to_string()).collect();
        if big_endian {
            bytes.reverse();
        }
        format!("{{{}}}", bytes.join(", "))
    }

    fn one(&self) -> BigInt {
        &self.factor % &self.modulus
    }
}

/// The name of a parameter's type, where it is an element: `element`, or `plain` for one out of Montgomery form.
fn type_of(content: &Content, operation: &str, kernel: &Kernel, array: Array) -> Option<&'static str> {
    let elements = content.elements?;
    let operands = kernel.contract.inputs.iter().chain(kernel.contract.claims.iter().map(Claim::output));
    let mut of_array = operands.filter(|o| o.digits.first().is_some_and(|d| d.array == array));
    let operand = of_array.next()?;
    let seen = operand.digits.iter().filter(|d| kernel.array(d.array).kind != ArrayKind::Ghost);
    let is_element = seen.map(|d| d.weight).eq(elements.weights.iter().copied())
        && kernel.array(array).ty.bits() == elements.word
        && &operand.bound + 1u32 >= elements.modulus;
    let written = kernel.array(array).kind != ArrayKind::Input;
    let plain = !elements.factor.is_one()
        && match operation {
            "to_montgomery" => !written,
            "from_montgomery" => written,
            name => name.contains("_bytes"),
        };
    is_element.then_some(if plain { "plain" } else { "element" })
}

/// The signature of an operation as the header has it, with the names of types.
pub fn typed_signature(content: &Content, operation: &str, kernel: &Kernel) -> String {
    let symbol = format!("{}_{operation}", content.prefix);
    let types: Vec<(Array, Option<&str>)> =
        kernel.visible().map(|a| (a, type_of(content, operation, kernel, a))).collect();
    if types.iter().all(|(_, ty)| ty.is_none()) {
        return signature(kernel, &symbol, false);
    }
    let plain = signature(kernel, &symbol, false);
    let inside = plain.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let parameters = inside.split(", ").zip(types).map(|(text, (array, ty))| match ty {
        Some(ty) => {
            let info = kernel.array(array);
            let constant = if info.kind == ArrayKind::Input { "const " } else { "" };
            format!("{constant}{}_{ty} {}", content.prefix, names::array(&info.name))
        }
        None => text.to_string(),
    });
    format!("void {symbol}({})", parameters.collect::<Vec<_>>().join(", "))
}

/// Which form an operation on bytes takes or gives: what its contract, which knows numbers only, does not say.
pub fn form(content: &Content, operation: &str) -> Option<String> {
    let montgomery = !content.elements?.factor.is_one();
    let prefix = content.prefix;
    let reads = operation.starts_with("from_bytes");
    if !reads && !operation.starts_with("to_bytes") {
        return None;
    }
    Some(match (reads, montgomery) {
        (true, true) => format!("Form: out is plain, not in Montgomery form ({prefix}_to_montgomery next)."),
        (true, false) => "Form: out is an element at rest.".to_string(),
        (false, true) => format!("Form: a is plain, not in Montgomery form ({prefix}_from_montgomery first)."),
        (false, false) => "Form: a is any element at rest; the bytes are those of its canonical value.".to_string(),
    })
}

/// Names and numbers of the constants, with what they are.
fn constants(elements: &Elements) -> Vec<(&'static str, BigInt, &'static str)> {
    let mut all = vec![("zero", BigInt::zero(), "0"), ("one", elements.one(), "1")];
    // (A modulus of 2^64 has a word more.)
    if !elements.words_are_filled() {
        all.push(("modulus", elements.modulus.clone(), "the modulus, which is no element"));
    }
    if !elements.factor.is_one() {
        let r2 = &elements.factor * &elements.factor % &elements.modulus;
        all[1].2 = "1 in Montgomery form: R mod m";
        all.push(("r2", r2, "R^2 mod m: its product with a plain element is that element in Montgomery form"));
    }
    all
}

/// The readers that this package has: name, kernel, highest byte first?
fn readers<'a>(content: &'a Content) -> impl Iterator<Item = (&'static str, &'static str, bool)> + 'a {
    READERS
        .into_iter()
        .enumerate()
        .filter(|(_, (_, kernel))| content.has(kernel))
        .map(|(i, (name, k))| (name, k, i == 1))
}

/// For the header, before the functions: types and constants.
pub fn types(content: &Content) -> String {
    let Some(elements) = content.elements else { return String::new() };
    let (prefix, ty, n) = (content.prefix, unsigned(elements.word), elements.weights.len());
    let mut out = String::new();
    if elements.factor.is_one() {
        out += &format!("\n/* An element. */\ntypedef {ty} {prefix}_element[{n}];\n");
    } else {
        out += &format!(
            "\n/* An element in Montgomery form, and one out of it: what bytes hold. */\ntypedef {ty} {prefix}_element[{n}];\ntypedef {ty} {prefix}_plain[{n}];\n"
        );
    }
    for (name, x, what) in constants(elements) {
        out += &format!("\n/* {what}. */\n");
        out += &match content.header_only {
            true => format!("static const {ty} {prefix}_{name}[{n}] = {};\n", elements.initialiser(&x)),
            false => format!("extern const {ty} {prefix}_{name}[{n}];\n"),
        };
    }
    out
}

/// For the header, after the functions.
pub fn declarations(content: &Content) -> String {
    let Some(elements) = content.elements else { return String::new() };
    let (prefix, linkage) = (content.prefix, content.linkage());
    let plain = if elements.factor.is_one() { "element" } else { "plain" };
    let mut out = String::new();
    for (name, kernel, big_endian) in readers(content) {
        let order = if big_endian { "highest first" } else { "lowest first" };
        out += &format!(
            "\n/* {prefix}_{name}: the element of {} bytes, {order}. Gives 1; where the bytes are not below m it gives 0, and out is 0.\n *   {prefix}_{kernel} is for bytes that are known to be below m (fiat-crypto's shape).\n */\n{linkage}EVARISTE_STATUS {prefix}_{name}({prefix}_{plain} out, const uint8_t bytes[{}]);\n",
            elements.bytes(),
            elements.bytes()
        );
    }
    if elements.canonical || content.has("canonical") {
        let needs = if elements.canonical { "any words" } else { "an element at rest" };
        out += &format!(
            "\n/* {prefix}_is_canonical: 1 when a, {needs}, is the only form of its value below m, else 0. */\n{linkage}int {prefix}_is_canonical(const {prefix}_element a);\n"
        );
    }
    let ty = unsigned(elements.word);
    if content.through_canonical("is_zero") {
        out += &format!(
            "\n/* {prefix}_is_zero: out = 1 when a = 0 (mod m), else 0; by {prefix}_canonical. */\n{linkage}void {prefix}_is_zero({ty} out[1], const {prefix}_element a);\n"
        );
    }
    if content.through_canonical("equal") {
        out += &format!(
            "\n/* {prefix}_equal: out = 1 when a = b (mod m), else 0; by {prefix}_canonical. */\n{linkage}void {prefix}_equal({ty} out[1], const {prefix}_element a, const {prefix}_element b);\n"
        );
    }
    out
}

/// The functions that read bytes and give a status.
fn reading(content: &Content, elements: &Elements) -> String {
    let (prefix, linkage, mut out) = (content.prefix, content.linkage(), String::new());
    let plain = if elements.factor.is_one() { "element" } else { "plain" };
    for (name, kernel, big_endian) in readers(content) {
        let count = elements.bytes();
        let at = if big_endian { format!("{} - i", count - 1) } else { "i".to_string() };
        if elements.is_filled(8 * count) {
            out += &format!(
                "
{linkage}int {prefix}_{name}({prefix}_{plain} out, const uint8_t bytes[{count}]) {{
  /* All numbers of so many bytes are below m. */
  {prefix}_{kernel}(out, bytes);
  return 1;
}}
"
            );
            continue;
        }
        out += &format!(
            "
{linkage}int {prefix}_{name}({prefix}_{plain} out, const uint8_t bytes[{count}]) {{
  static const uint8_t modulus[{count}] = {};
  uint8_t kept[{count}];
  volatile uint32_t hidden;
  uint32_t below = 0, keep;
  int i;
  /* The borrow of bytes - m. */
  for (i = 0; i < {count}; i++) below = ((uint32_t)bytes[{at}] - modulus[{at}] - below) >> 31;
  /* A compiler that knows that it is 0 or 1 may branch on it; so it is not to know. */
  hidden = below;
  keep = 0u - hidden;
  for (i = 0; i < {count}; i++) kept[i] = (uint8_t)(bytes[i] & keep);
  {prefix}_{kernel}(out, kept);
  return (int)below;
}}
",
            elements.byte_initialiser(&elements.modulus, big_endian)
        );
    }
    out
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let Some(elements) = content.elements else { return String::new() };
    let (prefix, ty, n) = (content.prefix, unsigned(elements.word), elements.weights.len());
    let (linkage, mut out) = (content.linkage(), "\n".to_string());
    for (name, x, _) in constants(elements).into_iter().filter(|_| !content.header_only) {
        out += &format!("const {ty} {prefix}_{name}[{n}] = {};\n", elements.initialiser(&x));
    }
    out += &reading(content, elements);
    out += &canonicity(content, elements);
    if content.through_canonical("is_zero") {
        out += &format!(
            "
{linkage}void {prefix}_is_zero({ty} out[1], const {prefix}_element a) {{
  {prefix}_element form;
  {prefix}_canonical(form, a);
  out[0] = {prefix}_same_words(form, {prefix}_zero);
}}
"
        );
    }
    if content.through_canonical("equal") {
        out += &format!(
            "
{linkage}void {prefix}_equal({ty} out[1], const {prefix}_element a, const {prefix}_element b) {{
  {prefix}_element x, y;
  {prefix}_canonical(x, a);
  {prefix}_canonical(y, b);
  out[0] = {prefix}_same_words(x, y);
}}
"
        );
    }
    out
}

/// `is_canonical`, where the layout has a canonical form, and what it is made of.
fn canonicity(content: &Content, elements: &Elements) -> String {
    let (prefix, ty, n, top) = (content.prefix, unsigned(elements.word), elements.weights.len(), elements.word - 1);
    let (linkage, own) = (content.linkage(), content.own_linkage());
    if elements.canonical && elements.words_are_filled() {
        return format!(
            "
{linkage}int {prefix}_is_canonical(const {prefix}_element a) {{
  (void)a;
  return 1;
}}
"
        );
    }
    if elements.canonical {
        return format!(
            "
{linkage}int {prefix}_is_canonical(const {prefix}_element a) {{
  {ty} below = 0;
  int i;
  /* The borrow of a - m, by Warren, Hacker's Delight (2012), 2-13. */
  for (i = 0; i < {n}; i++) {{
    {ty} m = {prefix}_modulus[i], difference = a[i] - m - below;
    below = ((~a[i] & m) | ((~a[i] | m) & difference)) >> {top};
  }}
  return (int)below;
}}
"
        );
    }
    if content.has("canonical") {
        return format!(
            "
/* 1 where all words are equal, else 0. */
{own}{ty} {prefix}_same_words(const {ty} *a, const {ty} *b) {{
  {ty} all = 0;
  int i;
  for (i = 0; i < {n}; i++) all |= a[i] ^ b[i];
  return 1 ^ ((all | (0 - all)) >> {top});
}}

{linkage}int {prefix}_is_canonical(const {prefix}_element a) {{
  {prefix}_element form;
  {prefix}_canonical(form, a);
  return (int){prefix}_same_words(form, a);
}}
"
        );
    }
    String::new()
}

/// For the test of constant time: what is declared above.
pub fn made(content: &Content) -> Vec<Made> {
    let Some(elements) = content.elements else { return Vec::new() };
    let word = || Operand { ty: unsigned(elements.word).into(), name: "out", len: "1".into() };
    let bytes = || Operand { ty: "uint8_t".into(), name: "bytes", len: elements.bytes().to_string() };
    let reader = |name| Made { name, outputs: vec![element(content, "out")], inputs: vec![bytes()], status: true };
    let mut all: Vec<Made> = readers(content).map(|(name, ..)| reader(name)).collect();
    if elements.canonical || content.has("canonical") {
        all.push(Made::of_elements("is_canonical", content, None, &["a"]));
    }
    for (name, operands) in [("is_zero", &["a"][..]), ("equal", &["a", "b"])] {
        if content.through_canonical(name) {
            all.push(Made::of_elements(name, content, Some(word()), operands));
        }
    }
    all
}

/// For the readme: what there is beside the kernels, and a program of ten lines.
pub fn readme(content: &Content) -> String {
    let Some(elements) = content.elements else { return String::new() };
    let prefix = content.prefix;
    let names: Vec<String> = constants(elements).iter().map(|(name, ..)| format!("`{prefix}_{name}`")).collect();
    let mut out = format!("\n## Types and constants\n\n`{prefix}_element`");
    if !elements.factor.is_one() {
        out += &format!(" (in Montgomery form), `{prefix}_plain` (out of it: what bytes hold)");
    }
    out += &format!("; {}.\n", names.join(", "));
    let made = declarations(content);
    if !made.is_empty() {
        out += &format!(
            "\n## Made of these functions\n\nTested at 0, 1, p - 1, p, p + 1, at every form of 0 and 1; not proved.\n\n```c{made}```\n"
        );
    }
    out + &example(content).map(|text| format!("\n## Example\n\n```c\n{text}```\n")).unwrap_or_default()
}

/// A program that multiplies 3 by 5, where the package has what it needs.
fn example(content: &Content) -> Option<String> {
    let elements = content.elements?;
    let (prefix, count) = (content.prefix, elements.bytes());
    let has = |operation: &str| content.has(operation);
    if !has("from_bytes_unchecked") || !has("to_bytes") || !has("mul") || elements.modulus <= BigInt::from(15) {
        return None;
    }
    let (into, out_of) = match (elements.factor.is_one(), has("to_montgomery") && has("from_montgomery")) {
        (true, _) => (String::new(), String::new()),
        (false, true) => (
            format!("  {prefix}_to_montgomery(a, a);\n  {prefix}_to_montgomery(b, b);\n"),
            format!("  {prefix}_from_montgomery(a, a);\n"),
        ),
        (false, false) => return None,
    };
    Some(format!(
        "#include <stdio.h>
#include \"{prefix}.h\"

int main(void) {{
  const uint8_t three[{count}] = {{3}}, five[{count}] = {{5}};
  uint8_t bytes[{count}];
  {prefix}_element a, b;
  if (!{prefix}_from_bytes(a, three) || !{prefix}_from_bytes(b, five)) return 1;
{into}  {prefix}_mul(a, a, b);
{out_of}  {prefix}_to_bytes(bytes, a);
  printf(\"3 * 5 = %d\\n\", bytes[0]);
  return 0;
}}
"
    ))
}

/// For the test: its function.
pub fn test(content: &Content) -> String {
    let Some(elements) = content.elements else { return String::new() };
    let (prefix, p, n, ty) = (content.prefix, &elements.modulus, elements.weights.len(), unsigned(elements.word));
    let status = |what: &str, got: &str, wanted: u32| {
        format!(
            "    status = {got};\n    wanted = {wanted};\n    expect(\"{what}\", {wanted}, &status, &wanted, sizeof status);\n"
        )
    };
    let mut out = "\nstatic void test_elements(void) {\n  int status, wanted;\n".to_string();
    for (name, kernel, big_endian) in readers(content) {
        let all_ones: BigInt = pow2(8 * elements.bytes() as u32) - 1;
        let values = [BigInt::zero(), BigInt::one(), p - 1, p.clone(), p + 1, (p >> 1) + 1, all_ones.clone()];
        for x in values.iter().filter(|x| **x <= all_ones) {
            let below = x < p;
            out += &format!(
                "  {{\n    static const uint8_t bytes[{}] = {};\n    {prefix}_element got, expected;\n",
                elements.bytes(),
                elements.byte_initialiser(x, big_endian)
            );
            out += &status(name, &format!("{prefix}_{name}(got, bytes)"), u32::from(below));
            out += &if below {
                format!("    {prefix}_{kernel}(expected, bytes);\n")
            } else {
                format!("    memcpy(expected, {prefix}_zero, sizeof expected);\n")
            };
            out += &format!("    expect(\"{name}\", 2, got, expected, sizeof got);\n  }}\n");
        }
    }
    if elements.canonical || content.has("canonical") {
        let full: BigInt = pow2(elements.word * n as u32) - 1;
        let mut values: Vec<BigInt> = [0, 1].into_iter().flat_map(|x| elements.forms(x)).collect();
        values.push(p - 1);
        if elements.canonical {
            values.extend([p.clone(), p + 1, full.clone()].into_iter().filter(|x| *x <= full));
        }
        for x in values {
            out += &format!("  {{\n    static const {ty} a[{n}] = {};\n", elements.initialiser(&x));
            out += &status("is_canonical", &format!("{prefix}_is_canonical(a)"), u32::from(x < *p));
            out += "  }\n";
        }
    }
    out += &test_forms(content, elements);
    if content.has("mul") {
        out += &format!("  {{\n    {prefix}_element one;\n    {prefix}_mul(one, {prefix}_one, {prefix}_one);\n");
        if content.has("canonical") {
            out += &format!("    {prefix}_canonical(one, one);\n");
        }
        let r2 = if elements.factor.is_one() || content.has("canonical") {
            String::new()
        } else {
            format!(
                "    {{\n      static const {ty} plain[{n}] = {};\n      {prefix}_mul(one, {prefix}_r2, plain);\n      expect(\"r2\", 0, one, {prefix}_one, sizeof one);\n    }}\n",
                elements.initialiser(&BigInt::one())
            )
        };
        out += &format!("    expect(\"one\", 0, one, {prefix}_one, sizeof one);\n{r2}  }}\n");
    }
    out + "  (void)status, (void)wanted;\n}\n"
}

/// Every form of 0 and of 1 is compared with every other.
fn test_forms(content: &Content, elements: &Elements) -> String {
    let (prefix, ty, n) = (content.prefix, unsigned(elements.word), elements.weights.len());
    if !content.through_canonical("is_zero") && !content.through_canonical("equal") {
        return String::new();
    }
    let forms: Vec<(u32, BigInt)> =
        [0, 1].into_iter().flat_map(|x| elements.forms(x).into_iter().map(move |f| (x, f))).collect();
    let rows: Vec<String> = forms.iter().map(|(_, f)| elements.initialiser(f)).collect();
    let values: Vec<String> = forms.iter().map(|(x, _)| x.to_string()).collect();
    let mut body = String::new();
    if content.through_canonical("is_zero") {
        body += &format!(
            "      {prefix}_is_zero(got, forms[i]);\n      same = values[i] == 0;\n      expect(\"is_zero\", i, got, &same, sizeof same);\n"
        );
    }
    if content.through_canonical("equal") {
        body += &format!(
            "      for (j = 0; j < {0}; j++) {{\n        {prefix}_equal(got, forms[i], forms[j]);\n        same = values[i] == values[j];\n        expect(\"equal\", i, got, &same, sizeof same);\n      }}\n",
            forms.len()
        );
    }
    format!(
        "  {{\n    static const {ty} forms[{0}][{n}] = {{{1}}};\n    static const {ty} values[{0}] = {{{2}}};\n    {ty} got[1], same;\n    unsigned i, j;\n    (void)j;\n    for (i = 0; i < {0}; i++) {{\n{body}    }}\n  }}\n",
        forms.len(),
        rows.join(", "),
        values.join(", ")
    )
}
