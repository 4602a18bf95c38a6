//! Elements: doubles the base point of the curve P-256, `y² = x³ − 3x + b`.
//! `cargo run --release -p evariste --example elements`.

use evariste::{Element, Error, Field};

/// The base point, from SEC 2, section 2.4.2.
const BASE: [&str; 2] = [
    "0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
    "0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
];
/// The curve's `b`, from the same page.
const B: &str = "0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b";

/// `2·(x, y)`: the tangent in the point meets the curve in one more, which is mirrored. Fails where `y` is 0.
fn double(x: &Element, y: &Element) -> Result<[Element; 2], Error> {
    let three = x.field().element("3")?;
    let slope = &(&three * &(&x.square()? - &x.field().one())) * &(y + y).inverse()?;
    let double_x = &slope.square()? - &(x + x);
    let double_y = &(&slope * &(x - &double_x)) - y;
    Ok([double_x, double_y])
}

/// Is `(x, y)` on the curve?
fn is_on_curve(x: &Element, y: &Element) -> Result<bool, Error> {
    let field = x.field();
    let right = &(&(&x.square()? - &field.element("3")?) * x) + &field.element(B)?;
    Ok(y.square()? == right)
}

/// Doubles the base point and says where it comes to lie.
pub fn main() -> Result<(), Error> {
    let field = Field::parse("p256")?;
    let [x, y] = [field.element(BASE[0])?, field.element(BASE[1])?];
    let [double_x, double_y] = double(&x, &y)?;
    assert!(is_on_curve(&x, &y)? && is_on_curve(&double_x, &double_y)?);
    println!("2·G = (0x{:x}, 0x{:x})", double_x.value(), double_y.value());
    Ok(())
}
