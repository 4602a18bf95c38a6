//! The integers modulo an odd number supplied at run time.

use evariste_descriptions::OddModuli;

use super::kind::{Kind, curve_mix, element, first};
use crate::lanes;
use crate::layouts::run_time_layouts;
use crate::prime::{self, representation};
use crate::reduction::run_time_modulus;

pub(super) const KIND: Kind = Kind {
    describes: |f| f.get::<OddModuli>().is_some(),
    layouts: |f, word| run_time_layouts(f.bits(), word),
    lane_layouts: |f, word, radix| lanes::layouts::run_time_layouts(f.bits(), word, radix),
    words: &[],
    // These look at digits alone.
    listed: false,
    own: &[run_time_modulus::RECIPES, &[&prime::selectznz::SELECT, &prime::equal::XOR_OR, &prime::is_zero::OR]],
    ground: |_| None,
    given: element,
    result: first,
    samples: |_, _, _| Vec::new(),
    exact: |_| Vec::new(),
    is_canonical: representation::is_canonical,
    mix: |_| curve_mix(),
};
