//! Arrays: which of many `x` belong to points of secp256k1, `y² = x³ + 7`?
//! `cargo run --release -p evariste --example arrays`.

use std::error::Error;

use evariste::array::{Array, Canonical};
use evariste::{BigUint, Field};

/// Tries `x` = 1 to 2000, all at once, on all cores.
pub fn main() -> Result<(), Box<dyn Error>> {
    let field = Field::parse("secp256k1")?;
    let engine = field.arrays(0)?;

    let numbers: Vec<BigUint> = (1..=2000u32).map(BigUint::from).collect();
    let sevens = engine.from_integers(&vec![BigUint::from(7u32); numbers.len()])?;
    let x = engine.from_integers(&numbers)?;
    let right = engine.mul_add(&engine.square(&x)?, &x, &sevens)?;

    // p = 3 modulo 4: where there is a root of x³ + 7, its power by (p + 1)/4 is one.
    let root = engine.power(&right, &((field.order() + 1u32) / 4u32))?;
    let [square, right]: [Array<Canonical>; 2] = [engine.canonical(&engine.square(&root)?)?, engine.canonical(&right)?];
    let has_point = engine.equal(&square, &right)?;

    // Elements say the same, one by one: a square has the power 1 by (p − 1)/2.
    let half = (field.order() - 1u32) / 2u32;
    for (number, expected) in numbers.iter().zip(has_point.to_flags()).step_by(400) {
        let x = field.element_from(number.clone())?;
        let right = &(&x.square()? * &x) + &field.element("7")?;
        assert_eq!(right.pow(&half)? == field.one(), expected);
    }
    println!("{} of {} belong to points", has_point.count(), numbers.len());
    Ok(())
}
