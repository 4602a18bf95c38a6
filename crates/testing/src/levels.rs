//! Kinds of processors, by their instruction sets. Code for each of them is made and tested on any machine: natively where
//! it can run, else in the emulator.

use evariste_codegen::x86_64::{Features, Width};

use crate::samples::{full, one_of_each};

/// A kind of processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Its name: what it has beyond the level before.
    pub name: &'static str,
    /// Its instruction sets.
    pub features: Features,
}

/// From every x86-64, whose vectors are those of SSE2, to Ice Lake and Zen 4.
pub const LEVELS: [Level; 8] = [
    Level { name: "x86-64", features: Features::BASELINE },
    Level { name: "BMI2", features: Features::BMI2 },
    Level { name: "ADX", features: Features::ADX },
    Level { name: "AVX2", features: Features::AVX2 },
    Level { name: "AVX2 with VPCLMULQDQ", features: Features { vpclmul: true, ..Features::AVX2 } },
    Level { name: "AVX-512 without IFMA", features: Features { avx512: true, ..Features::AVX2 } },
    Level { name: "AVX-512 with IFMA", features: Features { gfni: false, ..Features::AVX512 } },
    Level { name: "AVX-512 with GFNI", features: Features::AVX512 },
];

impl Level {
    /// The widths of vectors that it has code for, the widest first.
    pub fn widths(self) -> Vec<Width> {
        let Features { avx2, avx512, .. } = self.features;
        let all = [(Width::Z, avx512), (Width::Y, avx2), (Width::X, avx2), (Width::S, !avx2)];
        all.into_iter().filter_map(|(width, has)| has.then_some(width)).collect()
    }
}

/// The levels that a test tries: the highest that this processor has, and one more by turns; all in a full run. Those that
/// it has not, drawn or not, are said, and the last line of `cargo xtask test` counts them.
pub fn levels(what: &str) -> Vec<Level> {
    let here = Features::of_this_machine();
    let has = |level: &Level| here.is_some_and(|here| here.covers(level.features));
    LEVELS.iter().filter(|level| !has(level)).for_each(|level| println!("EMULATED: {}", level.name));
    let highest = LEVELS.iter().rposition(has).unwrap_or(LEVELS.len() - 1);
    if full() {
        return LEVELS.to_vec();
    }
    let others = LEVELS.into_iter().enumerate().filter(|(at, _)| *at != highest).map(|(_, level)| level).collect();
    let mut taken = one_of_each(what, others, |_| ());
    taken.push(LEVELS[highest]);
    println!("levels: {}", taken.iter().map(|level| level.name).collect::<Vec<_>>().join(", "));
    taken
}
