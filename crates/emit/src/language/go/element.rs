//! The type of an element, with the methods of gnark-crypto's where the package has the operations.

use super::super::words::{Method, Shape};
use super::names::exported;
use super::notation::literal;
use crate::package::Content;

/// `element.go` behind its head; empty where operations share no type.
pub fn definition(content: &Content) -> String {
    let Some(shape) = Shape::of(content) else { return String::new() };
    let ty = format!("[{}]uint{}", shape.len, shape.bits);
    let montgomery = if shape.is_montgomery() { ", in Montgomery form" } else { "" };
    let mut body = format!(
        "
// Element is an element: its words in the layout{montgomery}, within the bounds that the functions take.
type Element {ty}

// Set makes z x, and gives z.
func (z *Element) Set(x *Element) *Element {{
	*z = *x
	return z
}}

// SetZero makes z 0.
func (z *Element) SetZero() *Element {{
	*z = Element{{}}
	return z
}}
"
    );
    if let Some(one) = shape.one() {
        let words: Vec<String> = one.iter().map(literal).collect();
        body += &format!(
            "
// One is the element 1.
func One() Element {{
	return Element{{{}}}
}}

// SetOne makes z 1.
func (z *Element) SetOne() *Element {{
	*z = One()
	return z
}}
",
            words.join(", ")
        );
    }
    shape.methods().for_each(|m| body += &method(&ty, m));
    if shape.method("add").is_some() {
        body += "
// Double makes z x + x.
func (z *Element) Double(x *Element) *Element {
	return z.Add(x, x)
}
";
    }
    body += &selection(&shape);
    body += &equality(&shape, &ty);
    let numbers = conversions(&shape, &ty);
    let imports = if numbers.is_empty() { "" } else { "\nimport (\n\t\"errors\"\n\t\"math/big\"\n)\n" };
    imports.to_string() + &body + &numbers + &vector(&shape)
}

fn method_name(m: &Method) -> &'static str {
    match m.name {
        "mul" => "Mul",
        "square" => "Square",
        "add" => "Add",
        "sub" => "Sub",
        "neg" => "Neg",
        "invert" => "Inverse",
        "frobenius" => "Frobenius",
        _ => "Conjugate",
    }
}

fn method(ty: &str, m: &Method) -> String {
    let (names, more) = if m.operands == 2 { ("x, y", format!(", (*{ty})(y)")) } else { ("x", String::new()) };
    let name = method_name(m);
    format!(
        "
// {name}: {} It gives z.
func (z *Element) {name}({names} *Element) *Element {{
	{}((*{ty})(z), (*{ty})(x){more})
	return z
}}
",
        m.what,
        exported(m.operation)
    )
}

/// A choice in constant time.
fn selection(shape: &Shape) -> String {
    format!(
        "
// Select makes z x where c is 0, else y; in constant time.
func (z *Element) Select(c int, x, y *Element) *Element {{
	chosen := uint64(int64(c))
	mask := -((chosen | -chosen) >> 63)
	for i := range z {{
		z[i] = x[i] ^ uint{0}(mask)&(x[i]^y[i])
	}}
	return z
}}
",
        shape.bits
    )
}

fn equality(shape: &Shape, ty: &str) -> String {
    let Some(by) = shape.canonical_by() else { return String::new() };
    let form = by.map_or(String::new(), |kernel| {
        let name = exported(kernel);
        format!("\t{name}((*{ty})(&a), (*{ty})(&a))\n\t{name}((*{ty})(&b), (*{ty})(&b))\n")
    });
    format!(
        "
// Equal tells whether the values are equal; all words are looked at.
func (z *Element) Equal(x *Element) bool {{
	a, b := *z, *x
{form}	all := uint{}(0)
	for i := range a {{
		all |= a[i] ^ b[i]
	}}
	return all == 0
}}

// IsZero tells whether z is 0; all words are looked at.
func (z *Element) IsZero() bool {{
	return z.Equal(&Element{{}})
}}
",
        shape.bits
    )
}

/// Bytes and big integers.
fn conversions(shape: &Shape, ty: &str) -> String {
    let (Some(count), Some(numbers)) = (shape.bytes(), shape.numbers) else { return String::new() };
    let (into, out_of) = match shape.is_montgomery() {
        true => (
            format!("\tToMontgomery((*{ty})(z), (*{ty})(z))\n"),
            format!("\tFromMontgomery((*{ty})(&a), (*{ty})(&a))\n"),
        ),
        false => (String::new(), String::new()),
    };
    let exponents = if shape.method("mul").is_some() && shape.method("square").is_some() {
        "
// Exp makes z x^k for k >= 0, in a time that tells of k.
func (z *Element) Exp(x *Element, k *big.Int) *Element {
	power, base := One(), *x
	for i := k.BitLen() - 1; i >= 0; i-- {
		power.Square(&power)
		if k.Bit(i) == 1 {
			power.Mul(&power, &base)
		}
	}
	*z = power
	return z
}

// Legendre gives 1 for a square, -1 for others, 0 for 0, where the modulus is prime; in variable time.
func (z *Element) Legendre() int {
	var x big.Int
	z.BigInt(&x)
	return big.Jacobi(&x, modulus)
}

// Sqrt makes z a square root of x, where the modulus is prime; nil where x is no square; in variable time.
func (z *Element) Sqrt(x *Element) *Element {
	var value big.Int
	if value.ModSqrt(x.BigInt(&value), modulus) == nil {
		return nil
	}
	return z.SetBigInt(&value)
}
"
    } else {
        ""
    };
    format!(
        "
// Bytes is the number of bytes of an element.
const Bytes = {count}

var modulus, _ = new(big.Int).SetString(\"{:x}\", 16)

// Modulus is the modulus.
func Modulus() *big.Int {{
	return new(big.Int).Set(modulus)
}}

// SetBytesCanonical makes z the element of {count} bytes, highest first; an error, and z as it was, for another length or
// a number that is not below the modulus.
func (z *Element) SetBytesCanonical(e []byte) error {{
	if len(e) != Bytes {{
		return errors.New(\"{1}: an element has {count} bytes\")
	}}
	if new(big.Int).SetBytes(e).Cmp(modulus) >= 0 {{
		return errors.New(\"{1}: the number is not below the modulus\")
	}}
	var bytes [Bytes]uint8
	for i := range bytes {{
		bytes[i] = e[Bytes-1-i]
	}}
	FromBytesUnchecked((*{ty})(z), &bytes)
{into}	return nil
}}

// SetBytes makes z the number of any bytes, highest first, modulo the modulus.
func (z *Element) SetBytes(e []byte) *Element {{
	return z.SetBigInt(new(big.Int).SetBytes(e))
}}

// SetUint64 makes z x.
func (z *Element) SetUint64(x uint64) *Element {{
	return z.SetBigInt(new(big.Int).SetUint64(x))
}}

// SetBigInt makes z x modulo the modulus.
func (z *Element) SetBigInt(x *big.Int) *Element {{
	var e [Bytes]byte
	new(big.Int).Mod(x, modulus).FillBytes(e[:])
	if err := z.SetBytesCanonical(e[:]); err != nil {{
		panic(err)
	}}
	return z
}}

// Bytes gives the bytes of the canonical value, highest first.
func (z *Element) Bytes() (e [Bytes]byte) {{
	a := *z
{out_of}	var bytes [Bytes]uint8
	ToBytes(&bytes, (*{ty})(&a))
	for i := range bytes {{
		e[i] = bytes[Bytes-1-i]
	}}
	return e
}}

// BigInt makes x the canonical value, and gives x.
func (z *Element) BigInt(x *big.Int) *big.Int {{
	e := z.Bytes()
	return x.SetBytes(e[:])
}}

// String gives the canonical value in decimal.
func (z *Element) String() string {{
	return z.BigInt(new(big.Int)).String()
}}
{exponents}",
        numbers.modulus,
        shape.prefix()
    )
}

/// Vectors of elements.
fn vector(shape: &Shape) -> String {
    let has = |name: &str| shape.method(name).is_some();
    if !(has("mul") && has("add") && has("sub")) {
        return String::new();
    }
    let each = |name: &str, what: &str| {
        format!(
            "
// {name}: element by element {what}; all three have one length.
func (z Vector) {name}(x, y Vector) {{
	for i := range z {{
		z[i].{name}(&x[i], &y[i])
	}}
}}
"
        )
    };
    format!(
        "
// Vector is a vector of elements.
type Vector []Element
{}{}{}
// ScalarMul makes z x times y.
func (z Vector) ScalarMul(x Vector, y *Element) {{
	for i := range z {{
		z[i].Mul(&x[i], y)
	}}
}}

// InnerProduct gives the sum of the products.
func (z Vector) InnerProduct(x Vector) (sum Element) {{
	for i := range z {{
		var product Element
		sum.Add(&sum, product.Mul(&z[i], &x[i]))
	}}
	return sum
}}

// Sum gives the sum of all.
func (z Vector) Sum() (sum Element) {{
	for i := range z {{
		sum.Add(&sum, &z[i])
	}}
	return sum
}}
",
        each("Add", "x + y"),
        each("Sub", "x - y"),
        each("Mul", "x y")
    )
}

/// What the readme says of it.
pub fn readme(content: &Content) -> String {
    let Some(shape) = Shape::of(content) else { return String::new() };
    let names: Vec<String> = shape.methods().map(|m| format!("`{}`", method_name(m))).collect();
    let mut out = format!(
        "\n## `Element`\n\nPointer receivers in the shape of gnark-crypto's: {}, `Double`, `Set`, `SetZero`, `Select`",
        names.join(", ")
    );
    if shape.bytes().is_some() {
        out += ", `SetOne`, `Equal`, `IsZero`, `SetBytes`, `SetBytesCanonical`, `Bytes`, `SetUint64`, `SetBigInt`, `BigInt`, `Exp`, `Sqrt`, `Legendre`; `Vector`";
    }
    out + ". It is made of the functions above; its own steps are tested, not proved.\n"
}
