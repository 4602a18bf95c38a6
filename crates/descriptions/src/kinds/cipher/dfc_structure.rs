//! DFC and DFCv2 as a kind of structure. Elements are blocks.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};

use super::dfc::Dfc;
use crate::{Diagnostic, Part, Structure};

impl Dfc {
    /// `dfc`, `dfcv2`, `dfcv2-r10-s4`.
    fn version(&self) -> String {
        match self.schedule {
            None => "dfc".to_owned(),
            Some(4) if self.rounds == 8 => "dfcv2".to_owned(),
            Some(s) => format!("dfcv2-r{}-s{s}", self.rounds),
        }
    }
}

impl Structure for Dfc {
    fn name(&self) -> String {
        format!("cipher-{}", self.version())
    }

    fn text(&self) -> String {
        format!("cipher:{}", self.version())
    }

    fn description(&self) -> String {
        let (what, source) = match self.schedule {
            None => (
                "the block cipher DFC".to_owned(),
                "Gilbert, Girault, Hoogvorst, Noilhan, Pornin, Poupard, Stern, Vaudenay: Decorrelated Fast Cipher, 1998",
            ),
            Some(s) => (
                format!("the block cipher DFCv2-128 with {s} rounds for each round key"),
                "Granboulan, Nguyen, Noilhan, Vaudenay: DFCv2, SAC 2000",
            ),
        };
        // The empty key is padding alone.
        let padding = self.padded(&BigUint::from(1u32)).iter().fold(BigUint::ZERO, |all, word| (all << 32u32) + *word);
        format!(
            "{}: {what}\nblocks: 128 bits, highest byte first; keys: 0 to 256 bits; {} rounds\n\
             a round: x to CP(((a*x + b) mod 2^64 + 13) mod 2^64), CP a permutation by a table of 64 words\n\
             a padded key: 256 bits, the key and behind it the first bits of 0x{padding:x}\nsource: {source}",
            self.text(),
            self.rounds
        )
    }

    fn package_title(&self) -> String {
        match self.schedule {
            None => "The block cipher DFC".to_owned(),
            Some(s) => format!("The block cipher DFCv2-128 of {} rounds, {s} for each round key", self.rounds),
        }
    }

    fn bits(&self) -> u32 {
        128
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        integer.to_biguint().filter(|block| block.bits() <= 128)
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        self.parts.block.read(text, within)
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.parts.block.written(a)
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::Key => Some(&self.parts.key),
            Part::Half => Some(&self.parts.half),
            Part::Blocks => Some(&self.parts.blocks),
            Part::RoundKeys => Some(&self.parts.round_keys),
            _ => None,
        }
    }
}
