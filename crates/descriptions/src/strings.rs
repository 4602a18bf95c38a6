//! Strings of bits, written in hexadecimal: keys, blocks, messages.
//!
//! Strings of one length are numbers, their first bit the highest. Where lengths differ a string is the number whose
//! highest bit, an extra 1, says where it begins: `00` is 0x100.

use std::ops::Range;

use num_bigint::BigUint;
use num_traits::One;

use crate::lexer::quoted;
use crate::lists::trimmed;
use crate::{Diagnostic, Structure};

/// Which lengths there are, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// This one.
    One(u32),
    /// All up to this one.
    UpTo(u32),
    /// These.
    These(&'static [u32]),
    /// All multiples of this one, none included.
    Multiples(u32),
}

/// What is written as a string of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strings {
    /// What it is, with its article: `a key`.
    pub what: &'static str,
    /// Its lengths.
    pub lengths: Lengths,
}

/// The number of a string of so many bits.
pub(crate) fn marked(value: &BigUint, bits: u64) -> BigUint {
    (BigUint::one() << bits) | value
}

/// The string that a number is: its value, and how many bits it has.
pub(crate) fn unmarked(number: &BigUint) -> (BigUint, u64) {
    let bits = number.bits().saturating_sub(1);
    let mut value = number.clone();
    value.set_bit(bits, false);
    (value, bits)
}

/// The number of a string of bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> BigUint {
    marked(&BigUint::from_bytes_be(bytes), 8 * bytes.len() as u64)
}

/// The words of a string, `bits` bits each.
pub(crate) fn words(string: &BigUint, bits: u32) -> Vec<BigUint> {
    let (value, length) = unmarked(string);
    let bits = u64::from(bits);
    let mask = (BigUint::one() << bits) - 1u32;
    (1..=length / bits).map(|i| (&value >> (length - i * bits)) & &mask).collect()
}

impl Strings {
    /// Strings of one length.
    pub const fn one(what: &'static str, bits: u32) -> Strings {
        Strings { what, lengths: Lengths::One(bits) }
    }

    fn lengths(&self) -> String {
        match self.lengths {
            Lengths::One(bits) => format!("{bits} bits, which are {} hexadecimal digits", bits.div_ceil(4)),
            Lengths::UpTo(bits) => format!("0 to {bits} bits"),
            Lengths::These(all) => {
                let names: Vec<String> = all.iter().map(u32::to_string).collect();
                format!("{} bits", names.join(", "))
            }
            Lengths::Multiples(bits) => format!("a multiple of {bits} bits"),
        }
    }

    fn takes(&self, bits: u64) -> bool {
        match self.lengths {
            Lengths::One(one) => bits == u64::from(one),
            Lengths::UpTo(most) => bits <= u64::from(most),
            Lengths::These(all) => all.iter().any(|length| u64::from(*length) == bits),
            Lengths::Multiples(of) => bits.is_multiple_of(u64::from(of)),
        }
    }

    /// The digits, and how many bits of them count: all, or as many as stand after `/`.
    fn parsed(&self, text: &str, within: Range<usize>) -> Result<(BigUint, u64), Diagnostic> {
        let within = trimmed(text, within);
        let error = |span: Range<usize>, message: String| {
            Err(Diagnostic::new(text, span, message).with_help(format!("write hexadecimal digits: {}", self.lengths())))
        };
        let mut at = within.clone();
        let counted = text[at.clone()].find('/');
        let digits_end = counted.map_or(at.end, |slash| at.start + slash);
        if text[at.start..digits_end].get(..2).is_some_and(|head| head.eq_ignore_ascii_case("0x")) {
            at.start += 2;
        }
        let digits = &text[at.start..digits_end];
        if let Some((place, wrong)) = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
            let span = at.start + place..at.start + place + wrong.len_utf8();
            return error(span.clone(), format!("{} is no hexadecimal digit", quoted(&text[span])));
        }
        let value = BigUint::parse_bytes(digits.as_bytes(), 16).unwrap_or_default();
        let all = 4 * digits.len() as u64;
        let Some(slash) = counted else { return Ok((value, all)) };
        let span = at.start.min(within.start) + slash + 1..within.end;
        let bits = text[span.clone()].trim().parse::<u64>().ok().filter(|bits| bits.div_ceil(4) == digits.len() as u64);
        match (self.lengths, bits) {
            (Lengths::UpTo(_), Some(bits)) if (&value % (1u32 << (all - bits))) == BigUint::ZERO => {
                Ok((value >> (all - bits), bits))
            }
            _ => {
                let message = format!("{} is no length in bits of this string", quoted(&text[span.clone()]));
                let help = "a key that ends within a digit has its length after it, and zeros below its last bit: e/3";
                Err(Diagnostic::new(text, span, message).with_help(help))
            }
        }
    }

    fn string(&self, text: &str, within: Range<usize>) -> Result<BigUint, Diagnostic> {
        let (value, bits) = self.parsed(text, within.clone())?;
        if !self.takes(bits) {
            let message = format!("{} of {bits} bits is not possible", self.what);
            return Err(Diagnostic::new(text, trimmed(text, within), message).with_help(format!(
                "{} has {}",
                self.what,
                self.lengths()
            )));
        }
        Ok(if matches!(self.lengths, Lengths::One(_)) { value } else { marked(&value, bits) })
    }
}

impl Structure for Strings {
    fn name(&self) -> String {
        self.what.to_owned()
    }

    fn text(&self) -> String {
        self.name()
    }

    fn description(&self) -> String {
        format!("{}: {}", self.what, self.lengths())
    }

    fn bits(&self) -> u32 {
        match self.lengths {
            Lengths::One(bits) => bits,
            Lengths::UpTo(bits) => bits + 1,
            Lengths::These(all) => all.iter().max().map_or(0, |bits| bits + 1),
            Lengths::Multiples(_) => u32::MAX,
        }
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        Some(self.string(text, within))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        let (value, bits) = match self.lengths {
            Lengths::One(bits) => (a.clone(), u64::from(bits)),
            _ => unmarked(a),
        };
        let digits = bits.div_ceil(4) as usize;
        // A string that ends within a digit is filled with zeros.
        let filled = value << (4 * digits as u64 - bits);
        // (Widths of formats end at 65535.)
        let text = if digits == 0 { String::new() } else { filled.to_str_radix(16) };
        let text = "0".repeat(digits.saturating_sub(text.len())) + &text;
        Some(if bits.is_multiple_of(4) || matches!(self.lengths, Lengths::One(_)) {
            text
        } else {
            format!("{text}/{bits}")
        })
    }
}

/// How many of something, within a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// What is counted: `bytes of keystream`.
    pub what: &'static str,
    /// The most that there may be, and why.
    pub most: (u64, &'static str),
    /// What it has to be a multiple of.
    pub multiple: u64,
    /// The most that are given at once.
    pub at_once: u64,
}

impl Counts {
    fn count(&self, text: &str, within: Range<usize>) -> Result<BigUint, Diagnostic> {
        let within = trimmed(text, within);
        let value = crate::lists::integer(text, within.clone())?;
        let error = |message: String, help: String| Err(Diagnostic::new(text, within.clone(), message).with_help(help));
        let Some(count) = value.to_biguint() else {
            return error(format!("{value} {} cannot be", self.what), "write a natural number".into());
        };
        let (most, why) = self.most;
        if count > BigUint::from(most) {
            return error(format!("{count} {} are too many: {why}", self.what), format!("write at most {most}"));
        }
        if &count % self.multiple != BigUint::ZERO {
            return error(
                format!("{count} {} are no whole words", self.what),
                format!("write a multiple of {}", self.multiple),
            );
        }
        if count > BigUint::from(self.at_once) {
            let message = format!("{count} {} are more than the reference gives at once", self.what);
            return error(message, format!("write at most {}", self.at_once));
        }
        Ok(count)
    }
}

impl Structure for Counts {
    fn name(&self) -> String {
        self.what.to_owned()
    }

    fn text(&self) -> String {
        self.name()
    }

    fn description(&self) -> String {
        format!("a number of {}, at most {}: {}", self.what, self.most.0, self.most.1)
    }

    fn bits(&self) -> u32 {
        64
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        Some(self.count(text, within))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        Some(a.to_string())
    }
}
