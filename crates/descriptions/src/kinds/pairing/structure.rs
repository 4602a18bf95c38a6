//! Pairings as a kind of structure: names, lines of explanation. Elements are values, those of the target.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};

use super::Pairing;
use crate::{Diagnostic, Part, Structure};

impl Structure for Pairing {
    fn name(&self) -> String {
        format!("pairing-{}", self.named.name)
    }

    fn text(&self) -> String {
        format!("pairing:{}", self.named.name)
    }

    fn title(&self) -> String {
        let [first, second] = self.named.groups;
        format!("{} ({first} x {second} -> {})", self.text(), self.named.target)
    }

    fn description(&self) -> String {
        let [first, second] = self.named.groups;
        let exponent = format!("(p^{} - 1)/r", self.target.degree());
        let multiple = if self.multiple == BigUint::from(1u32) {
            String::new()
        } else {
            format!(
                "\npairing_multiple: its power {:#x}, which the usual fast final exponentiation gives",
                self.multiple
            )
        };
        format!(
            "{}\n{}\ngroups: the multiples of the base points of curve:{first} and curve:{second}, of prime order r = {:#x}\n\
             values: elements of {}\npairing: the exact exponent {exponent}{multiple}\nsource: {}",
            self.title(),
            self.named.what,
            self.order,
            self.named.target,
            self.named.source
        )
    }

    fn package_title(&self) -> String {
        format!("The pairing of {}", self.named.name)
    }

    fn bits(&self) -> u32 {
        self.target.bits()
    }

    /// Values are powers of one of them.
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        self.target.element(integer)
    }

    fn coordinates(&self) -> u32 {
        self.target.coordinates()
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        self.target.read(text, within)
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.target.written(a)
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::First => Some(&self.first),
            Part::Second => Some(&self.second),
            Part::Target => Some(&self.target),
            _ => None,
        }
    }

    fn one(&self) -> BigUint {
        self.target.one()
    }
}
