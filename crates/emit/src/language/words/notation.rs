//! How a language writes what the printer asks for.

use num_bigint::BigInt;

use super::body::Held;
use super::chain::Chain;
use crate::unit::{Argument, Arithmetic, Helper, Place};

/// An argument of a call, and the array that it is of.
#[derive(Clone, Debug)]
pub struct Passed<'a> {
    /// What is passed.
    pub argument: &'a Argument,
    /// The array.
    pub held: Held,
}

/// A helper with two results.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The helper.
    pub helper: Helper,
    /// What it is given.
    pub arguments: &'a [String],
    /// Is the highest bit of the first two 0?
    pub signless: [bool; 2],
    /// The name of the first result; `None` where nobody reads it.
    pub first: Option<&'a str>,
    /// That of the second.
    pub second: Option<&'a str>,
}

/// A language's signs, literals and lines.
pub trait Notation {
    /// A number that is below 2^bits, as an operand.
    fn literal(&self, x: &BigInt, bits: u32) -> String;

    /// A sum, difference or product that wraps at a word, or at a double one, and whether that binds like a name.
    fn arithmetic(&self, op: Arithmetic, double: bool, left: &str, right: &str) -> (String, bool);

    /// The sign of the complement.
    fn not(&self) -> &'static str;

    /// The sign of the shift to the right that brings in zeros.
    fn right(&self) -> &'static str;

    /// A public number, as an operand of a shift or an argument.
    fn place(&self, at: &Place) -> String;

    /// An element of an array as a word.
    fn element(&self, array: &str, held: &Held, at: &str) -> String;

    /// The index in an array at a public place.
    fn index(&self, array: &str, held: &Held, at: &Place) -> String;

    /// A whole array, as the helper takes it that reads all of it.
    fn whole(&self, array: &str, held: &Held) -> String;

    /// The index of an element at a secret place.
    fn secret_index(&self, array: &str, held: &Held, at: &str) -> String;

    /// A word as a double word.
    fn widened(&self, x: String) -> String;

    /// The low word of a double one.
    fn narrowed(&self, x: String) -> String;

    /// A shift by an amount that may reach the type's bits.
    fn far_shift(&self, shifted: &str, amount: &str, bits: u32) -> String;

    /// The call of a helper with one result.
    fn helper(&self, helper: Helper, arguments: &[String]) -> String {
        format!("{}({})", helper.name(), arguments.join(", "))
    }

    /// A table: what stands before the function, and in it.
    fn table(&self, name: &str, held: &Held, entries: &[String]) -> (String, Vec<String>);

    /// A local array.
    fn array(&self, name: &str, held: &Held) -> String;

    /// A new name for a value; `changes`: it gets others later.
    fn define(&self, name: &str, double: bool, changes: bool, value: &str) -> String;

    /// A new value for a name.
    fn assign(&self, name: &str, value: &str) -> String;

    /// Two results of a helper.
    fn pair(&self, pair: Pair) -> Vec<String>;

    /// Are carry chains written as such ([`Notation::chain`])?
    fn has_chains(&self) -> bool {
        false
    }

    /// A carry chain.
    fn chain(&self, _chain: &Chain<String>) -> Vec<String> {
        Vec::new()
    }

    /// What stands for a value that nobody reads.
    fn unread(&self, name: &str) -> Option<String>;

    /// An element of an array is written.
    fn store(&self, array: &str, held: &Held, at: &str, value: &str) -> String;

    /// The lines that open and close a loop.
    fn repeat(&self, counter: &str, count: u32) -> (Vec<String>, Vec<String>);

    /// A call.
    fn call(&self, function: &str, arguments: &[Passed]) -> Vec<String>;

    /// A call outside loops, where a name may get another meaning.
    fn call_once(&self, function: &str, arguments: &[Passed]) -> Vec<String> {
        self.call(function, arguments)
    }

    /// Two calls, each on what the last one gave, where a language has a better form for two than for one.
    fn call_twice(&self, _function: &str, _arguments: &[Passed]) -> Option<Vec<String>> {
        None
    }

    /// What hides a mask that chooses between elements of arrays, lest a compiler choose between their addresses.
    fn barrier(&self, _mask: &str) -> Option<String> {
        None
    }

    /// What a level of blocks is indented by.
    fn indent(&self) -> &'static str;
}
