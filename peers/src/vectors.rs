//! The vectors that all back ends share, for what peers compute: products modulo a prime.

use anyhow::{Context, Result};
use num_bigint::BigUint;
use serde_json::Value;

/// Products `[a, b, a·b mod p]` of this prime; none where the vectors do not have it.
pub fn products(prime: &BigUint) -> Result<Vec<[BigUint; 3]>> {
    let all: Value = serde_json::from_str(include_str!("../../vectors/prime-fields.json"))?;
    let fields = all["fields"].as_array().context("vectors without fields")?;
    let of = fields.iter().filter(|field| number(&field["modulus"]).as_ref() == Some(prime));
    let cases = of.filter_map(|field| field["mul_vectors"].as_array()).flatten();
    cases
        .map(|case| {
            let part = |i: usize| number(&case[i]).context("a product of the vectors is no triple of numbers");
            Ok([part(0)?, part(1)?, part(2)?])
        })
        .collect()
}

/// `"0x…"`.
fn number(text: &Value) -> Option<BigUint> {
    BigUint::parse_bytes(text.as_str()?.strip_prefix("0x")?.as_bytes(), 16)
}
