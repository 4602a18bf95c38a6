//! The kinds of descriptions.

use crate::kind::Kind;
use crate::{binary, integers, modulus, odd_moduli};

/// Every kind, one line each. The first that takes a text describes it; moduli take what is left.
pub const KINDS: &[Kind] = &[integers::KIND, odd_moduli::KIND, binary::description::KIND, modulus::description::KIND];
