//! The type of an element, with operators, where the package's operations share one.

use num_bigint::BigInt;
use num_traits::One;

use super::super::words::{Method, Shape};
use super::machine::fastest;
use super::notation::{Rust, words};
use crate::package::Content;

/// The type and all that it implements.
pub fn definition(content: &Content) -> String {
    let Some(shape) = Shape::of(content) else { return String::new() };
    let ty = format!("[u{}; {}]", shape.bits, shape.len);
    let montgomery = if shape.is_montgomery() { ", in Montgomery form" } else { "" };
    let mut out = format!(
        "
/// An element: its words in the layout{montgomery}, within the bounds that the functions take.
#[derive(Clone, Copy)]
pub struct Element({ty});

impl Element {{
    /// 0.
    pub const ZERO: Element = Element([0; {}]);
",
        shape.len
    );
    if let Some(one) = shape.one() {
        out += &format!("    /// 1.\n    pub const ONE: Element = Element({});\n", words(&one));
    }
    out += &format!(
        "
    /// The element of these words, as they are.
    pub const fn from_limbs(limbs: {ty}) -> Element {{
        Element(limbs)
    }}

    /// Its words.
    pub const fn to_limbs(&self) -> {ty} {{
        self.0
    }}
"
    );
    shape.methods().for_each(|m| out += &method(&shape, m));
    if shape.method("add").is_some() {
        out += "
    /// The sum with itself.
    pub const fn double(&self) -> Element {
        self.add(self)
    }
";
    }
    out += &bytes(&shape);
    out += &equality(&shape);
    out += "}\n";
    out += &operators(content, &shape);
    out += &conversions(&shape);
    inlined(&out)
}

/// Every function but formatting may be inlined into other crates: a call would pass elements through memory.
fn inlined(text: &str) -> String {
    let is_function =
        |line: &str| ["    pub const fn ", "    const fn ", "    fn "].iter().any(|f| line.starts_with(f));
    let line = |line: &str| match is_function(line) && !line.contains(" fmt(") {
        true => format!("    #[inline]\n{line}"),
        false => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

fn method(shape: &Shape, m: &Method) -> String {
    let (more, given) = if m.operands == 2 { (", other: &Element", ", &other.0") } else { ("", "") };
    format!(
        "
    /// {}
    pub const fn {}(&self{more}) -> Element {{
        Element({}_{}(&self.0{given}))
    }}
",
        m.what,
        m.name,
        shape.prefix(),
        m.operation
    )
}

/// Reading and writing bytes.
fn bytes(shape: &Shape) -> String {
    let (Some(count), Some(numbers)) = (shape.bytes(), shape.numbers) else { return String::new() };
    let prefix = shape.prefix();
    let plain = format!("{prefix}_from_bytes_unchecked(bytes)");
    let (into, out_of) = match shape.is_montgomery() {
        true => (format!("{prefix}_to_montgomery(&{plain})"), format!("{prefix}_from_montgomery(&self.0)")),
        false => (plain, "self.0".into()),
    };
    let array = format!("[u8; {count}]");
    let (below, refuses) = below(&numbers.modulus, count);
    let refused = "`None` where they are not below the modulus.";
    let unchecked = format!(
        "
    /// The element of the number of these bytes, which is below the modulus.
    const fn from_le_bytes_unchecked(bytes: &{array}) -> Element {{
        Element({into})
    }}
"
    );
    [
        below,
        unchecked,
        item(
            &format!("The element of these bytes, lowest first; {refused}"),
            &format!("from_le_bytes(bytes: &{array}) -> Option<Element>"),
            &format!("{refuses}        Some(Element::from_le_bytes_unchecked(bytes))\n"),
        ),
        item(
            &format!("The element of these bytes, highest first; {refused}"),
            &format!("from_be_bytes(bytes: &{array}) -> Option<Element>"),
            "        Element::from_le_bytes(&reversed(bytes))\n",
        ),
        item(
            "The bytes of its canonical value, lowest first.",
            &format!("to_le_bytes(&self) -> {array}"),
            &format!("        {prefix}_to_bytes(&{out_of})\n"),
        ),
        item(
            "The bytes of its canonical value, highest first.",
            &format!("to_be_bytes(&self) -> {array}"),
            "        reversed(&self.to_le_bytes())\n",
        ),
    ]
    .concat()
}

/// The question whether bytes are below the modulus, and what asks it; nothing where all are.
fn below(modulus: &BigInt, count: usize) -> (String, &'static str) {
    let bytes: Vec<String> = (0..count).map(|i| ((modulus >> (8 * i)) % BigInt::from(256)).to_string()).collect();
    let text = format!(
        "
    /// Is the number of these bytes below the modulus, 1 or 0? By the borrow of a subtraction: all bytes are looked at.
    const fn below(bytes: &[u8; {count}]) -> u32 {{
        const MODULUS: [u8; {count}] = [{}];
        let (mut borrow, mut i) = (0, 0);
        while i < {count} {{
            borrow = (bytes[i] as u32).wrapping_sub(MODULUS[i] as u32).wrapping_sub(borrow) >> 31;
            i += 1;
        }}
        borrow
    }}
",
        bytes.join(", ")
    );
    if *modulus >= BigInt::one() << (8 * count) {
        return (String::new(), "");
    }
    // Which numbers are refused is public.
    (text, "        if Element::below(bytes) == 0 {\n            return None;\n        }\n")
}

/// A method.
fn item(what: &str, signature: &str, body: &str) -> String {
    format!("\n    /// {what}\n    pub const fn {signature} {{\n{body}    }}\n")
}

fn equality(shape: &Shape) -> String {
    let Some(by) = shape.canonical_by() else { return String::new() };
    let form = by.map_or("self.0".to_string(), |kernel| format!("{}_{kernel}(&self.0)", shape.prefix()));
    format!(
        "
    /// Are the values equal? All words are looked at.
    pub const fn equals(&self, other: &Element) -> bool {{
        let (a, b) = (self.canonical_limbs(), other.canonical_limbs());
        let (mut all, mut i) = (0, 0);
        while i < {} {{
            all |= a[i] ^ b[i];
            i += 1;
        }}
        all == 0
    }}

    /// Is it 0? All words are looked at.
    pub const fn is_zero(&self) -> bool {{
        self.equals(&Element::ZERO)
    }}

    /// The words that only this value has.
    const fn canonical_limbs(&self) -> [u{}; {}] {{
        {form}
    }}
",
        shape.len, shape.bits, shape.len
    )
}

/// What an operator computes, on values and on what it changes.
fn computed(content: &Content, name: &str) -> (String, String) {
    let call = |left: &str| match content.has_machine_code(name) {
        false => format!("Element::{name}({left}, &other)"),
        true => format!("Element({}(&self.0, &other.0))", fastest(content, name)),
    };
    (call("&self"), call("self"))
}

/// Operators, by value and by reference, on what is assigned too.
fn operators(content: &Content, shape: &Shape) -> String {
    let mut out = String::new();
    for (of, name) in [("Add", "add"), ("Sub", "sub"), ("Mul", "mul")] {
        if shape.method(name).is_none() {
            continue;
        }
        let (new, assigned) = computed(content, name);
        for (lifetimes, left, right) in [
            ("", "Element", "Element"),
            ("<'a>", "Element", "&'a Element"),
            ("<'a>", "&'a Element", "Element"),
            ("<'a, 'b>", "&'a Element", "&'b Element"),
        ] {
            out += &format!(
                "
impl{lifetimes} core::ops::{of}<{right}> for {left} {{
    type Output = Element;

    fn {name}(self, other: {right}) -> Element {{
        {new}
    }}
}}
"
            );
        }
        for (lifetimes, right) in [("", "Element"), ("<'a>", "&'a Element")] {
            out += &format!(
                "
impl{lifetimes} core::ops::{of}Assign<{right}> for Element {{
    fn {name}_assign(&mut self, other: {right}) {{
        *self = {assigned};
    }}
}}
"
            );
        }
    }
    if shape.method("neg").is_some() {
        for (lifetimes, of) in [("", "Element"), ("<'a>", "&'a Element")] {
            out += &format!(
                "
impl{lifetimes} core::ops::Neg for {of} {{
    type Output = Element;

    fn neg(self) -> Element {{
        Element::neg(&self)
    }}
}}
"
            );
        }
    }
    out + &folds(shape)
}

/// Sums and products of many.
fn folds(shape: &Shape) -> String {
    let mut out = String::new();
    let has_one = shape.one().is_some();
    for (of, name, (method, sign), start, there) in
        [("Sum", "sum", ("add", "+"), "ZERO", true), ("Product", "product", ("mul", "*"), "ONE", has_one)]
    {
        if !there || shape.method(method).is_none() {
            continue;
        }
        for (lifetimes, item) in [("", "Element"), ("<'a>", "&'a Element")] {
            out += &format!(
                "
impl{lifetimes} core::iter::{of}<{item}> for Element {{
    fn {name}<I: Iterator<Item = {item}>>(all: I) -> Element {{
        all.fold(Element::{start}, |x, y| x {sign} y)
    }}
}}
"
            );
        }
    }
    out
}

/// What a number or a text has to do with an element.
fn conversions(shape: &Shape) -> String {
    let mut out = "
/// 0.
impl Default for Element {
    fn default() -> Element {
        Element::ZERO
    }
}
"
    .to_string();
    if shape.canonical_by().is_some() {
        out += "
impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        self.equals(other)
    }
}

impl Eq for Element {}

/// Equal values have equal hashes, whatever their words.
impl core::hash::Hash for Element {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.canonical_limbs().hash(state);
    }
}
";
    }
    let (Some(count), Some(numbers)) = (shape.bytes(), shape.numbers) else { return out };
    let reduced = if numbers.modulus.bits() <= 64 && numbers.modulus < BigInt::one() << 64 {
        format!(" % {}", Rust::number(&numbers.modulus))
    } else {
        String::new()
    };
    let taken = count.min(8);
    out += &format!(
        "
/// Bytes in the other order.
const fn reversed(bytes: &[u8; {count}]) -> [u8; {count}] {{
    let mut out = [0; {count}];
    let mut i = 0;
    while i < {count} {{
        out[i] = bytes[{count} - 1 - i];
        i += 1;
    }}
    out
}}

impl From<u64> for Element {{
    fn from(x: u64) -> Element {{
        let mut bytes = [0; {count}];
        bytes[..{taken}].copy_from_slice(&(x{reduced}).to_le_bytes()[..{taken}]);
        Element::from_le_bytes_unchecked(&bytes)
    }}
}}

impl core::fmt::LowerHex for Element {{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{
        if f.alternate() {{
            f.write_str(\"0x\")?;
        }}
        self.to_be_bytes().iter().try_for_each(|byte| write!(f, \"{{byte:02x}}\"))
    }}
}}

impl core::fmt::Debug for Element {{
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{
        write!(f, \"{{self:#x}}\")
    }}
}}
"
    );
    out
}

/// What the readme says of it.
pub fn readme(content: &Content) -> String {
    let Some(shape) = Shape::of(content) else { return String::new() };
    let names: Vec<String> = shape.methods().map(|m| format!("`{}`", m.name)).collect();
    let mut out = format!(
        "\n## `Element`\n\nAn array of words as a `Copy` type with operators by value and by reference, `Sum`, `Product`, `Default`, `from_limbs`, `to_limbs`, and {}",
        names.join(", ")
    );
    if shape.bytes().is_some() {
        out += "; `from_le_bytes`, `from_be_bytes` (which refuse what is not below the modulus), `to_le_bytes`, `to_be_bytes`, `From<u64>`, `LowerHex`, `Hash`";
    }
    out += ". It is made of the functions above; its own steps are tested, not proved.\n";
    if shape.bytes().is_some() && shape.method("mul").is_some() && shape.canonical_by().is_some() {
        let name = super::crate_files::crate_name(content);
        out += &format!(
            "\n```rust\nuse {name}::Element;\n\nassert_eq!(Element::from(3) * Element::from(5), Element::from(15));\n```\n"
        );
    }
    out
}
