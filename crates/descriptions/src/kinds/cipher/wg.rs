//! The stream cipher WG of the second round of eSTREAM, as its designers' source computes it.
//!
//! Source: Nawaz, Gong, "The WG Stream Cipher" (eSTREAM report 2005/033), and the source that was submitted, which takes the
//! constant of the feedback and the exponents of Q as they are here: other descriptions disagree with it.

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use std::ops::Range;

use super::wg_field::{self, DEGREE, feedback, multiply, transformation};
use crate::strings::{Counts, Lengths, Strings, of_bytes, unmarked, words};
use crate::{Diagnostic, Part, Structure};

/// Stages of the register.
pub const STAGES: usize = 11;
/// The constant of the feedback.
pub const GAMMA: u32 = 0x7f3f_c9b0;
/// Steps of the initialisation.
pub const INITIAL_STEPS: u32 = 44;
/// Bytes of keystream for one key and initial value: 2^45 bits.
pub const MOST_BYTES: u64 = 1 << 42;

/// The stages `S1` … `S11`.
pub type State = [u32; STAGES];

/// Bytes of key and initial value that a stage takes where both are as long: the key's (`true`) or the other's.
const EQUAL: [[Option<(bool, usize)>; 3]; STAGES] = {
    const fn k(i: usize) -> Option<(bool, usize)> {
        Some((true, i))
    }
    const fn v(i: usize) -> Option<(bool, usize)> {
        Some((false, i))
    }
    [
        [k(0), k(1), v(0)],
        [k(2), v(1), v(2)],
        [k(3), k(4), v(3)],
        [k(5), v(4), v(5)],
        [k(6), k(7), v(6)],
        [k(8), v(7), v(8)],
        [k(9), k(10), v(9)],
        [k(11), v(10), v(11)],
        [k(12), k(13), v(12)],
        [k(14), v(13), v(14)],
        [k(15), v(15), None],
    ]
};

/// WG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wg {
    key: Strings,
    vector: Strings,
    count: Counts,
    element: Strings,
    state: Strings,
    stream: Strings,
}

impl Wg {
    pub(super) const NEW: Wg = Wg {
        key: Strings { what: "a key", lengths: Lengths::These(&[80, 96, 112, 128]) },
        vector: Strings { what: "an initial value", lengths: Lengths::These(&[32, 64, 80, 96, 112, 128]) },
        count: Counts {
            what: "bytes of keystream",
            most: (MOST_BYTES, "a key with an initial value gives at most 2^45 bits"),
            multiple: 1,
            at_once: 1 << 20,
        },
        element: Strings::one("an element", 32),
        state: Strings::one("a state", 32 * STAGES as u32),
        stream: Strings { what: "a keystream", lengths: Lengths::Multiples(8) },
    };
}

/// The stages that a key and an initial value of possible lengths are loaded to.
pub fn load(key: &[u8], vector: &[u8]) -> State {
    let mut state = [0; STAGES];
    if vector.len() == key.len() {
        for (stage, slots) in state.iter_mut().zip(EQUAL) {
            for (slot, from) in slots.into_iter().enumerate() {
                let byte = from.and_then(|(of_key, i)| if of_key { key.get(i) } else { vector.get(i) });
                *stage |= u32::from(byte.copied().unwrap_or(0)) << (24 - 8 * slot);
            }
        }
        return state;
    }
    let two = |a: u8, b: u8| u32::from(a) << 24 | u32::from(b) << 16;
    for (stage, pair) in state.iter_mut().zip(key.chunks_exact(2)) {
        *stage = two(pair[0], pair[1]);
    }
    state[8] = two(key[0], key[1]);
    state[9] = two(!key[2], !key[3]);
    state[10] = two(key[4], key[5]);
    for (stage, byte) in state.iter_mut().zip(vector) {
        *stage |= u32::from(*byte) << 8;
    }
    state
}

/// Where the bytes of a key and of an initial value as long are loaded, three to a stage: place `3·(i − 1) + k` is slot k of
/// stage i.
pub fn places() -> [[u8; 16]; 2] {
    let mut places = [[0; 16]; 2];
    for (place, from) in (0..).zip(EQUAL.iter().flatten()) {
        if let Some((of_key, i)) = from {
            places[usize::from(!*of_key)][*i] = place;
        }
    }
    places
}

/// `gamma·S11 + S10 + S8 + S5 + S2 + S1`.
pub fn linear(s: &State) -> u32 {
    multiply(GAMMA, s[10]) ^ s[9] ^ s[7] ^ s[4] ^ s[1] ^ s[0]
}

/// Every stage takes what the one before it had, the first this value.
fn shifted(state: &State, new: u32) -> State {
    std::array::from_fn(|i| if i == 0 { new } else { state[i - 1] })
}

/// A step of the keystream: the state after it, and its bit.
pub fn step(state: &State) -> (State, bool) {
    let next = shifted(state, linear(state));
    (next, transformation(next[10]))
}

/// The state from which the keystream begins.
pub fn initialise(loaded: &State) -> State {
    (0..INITIAL_STEPS).fold(*loaded, |state, _| shifted(&state, linear(&state) ^ feedback(state[10])))
}

/// The coefficients of `x^n` modulo the polynomial of the feedback, `x^11 + x^10 + x^9 + x^6 + x^3 + x + gamma`, the
/// highest one first: those by which [`jump`] goes n steps.
pub fn far(steps: u64) -> State {
    // x^10 at place 0.
    let mut one = [0; STAGES];
    one[STAGES - 1] = wg_field::ONE;
    let up = |f: &State| -> State {
        let top = f[0];
        let below = |i: usize| f.get(i + 1).copied().unwrap_or(0);
        std::array::from_fn(|i| match STAGES - 1 - i {
            0 => multiply(GAMMA, top),
            10 | 9 | 6 | 3 | 1 => below(i) ^ top,
            _ => below(i),
        })
    };
    let times = |f: &State, g: &State| {
        g.iter().fold([0; STAGES], |sum, c| {
            let moved = up(&sum);
            std::array::from_fn(|i| moved[i] ^ multiply(*c, f[i]))
        })
    };
    (0..u64::BITS - steps.leading_zeros()).rev().fold(one, |power, bit| {
        let square = times(&power, &power);
        if steps >> bit & 1 == 1 { up(&square) } else { square }
    })
}

/// The stages after as many linear steps as the coefficients are [`far`].
pub fn jump(state: &State, far: &State) -> State {
    // The sequence from S11 on: eleven elements and the next ten.
    let mut all: Vec<u32> = state.iter().rev().copied().collect();
    let mut now = *state;
    for _ in 1..STAGES {
        now = shifted(&now, linear(&now));
        all.push(now[0]);
    }
    let element = |k: usize| far.iter().rev().zip(&all[k..]).fold(0, |sum, (c, b)| sum ^ multiply(*c, *b));
    std::array::from_fn(|i| element(STAGES - 1 - i))
}

/// So many bytes of keystream, each bit of which is the highest that is left.
pub fn keystream(mut state: State, bytes: usize) -> Vec<u8> {
    let byte = |_| {
        (0..8).fold(0, |byte: u8, _| {
            let (next, bit) = step(&state);
            state = next;
            byte << 1 | u8::from(bit)
        })
    };
    (0..bytes).map(byte).collect()
}

impl Wg {
    /// Bytes of a string.
    fn bytes(string: &BigUint) -> Vec<u8> {
        words(string, 8).iter().map(|byte| byte.to_u8().unwrap_or_default()).collect()
    }

    /// The loaded stages.
    pub fn loaded(&self, key: &BigUint, vector: &BigUint) -> State {
        load(&Wg::bytes(key), &Wg::bytes(vector))
    }

    /// Stages as a number, `S1` on top.
    pub fn packed(&self, state: &State) -> BigUint {
        state.iter().fold(BigUint::ZERO, |all, stage| (all << 32u32) + *stage)
    }

    /// The stages of such a number.
    pub fn unpacked(&self, state: &BigUint) -> State {
        std::array::from_fn(|i| {
            let stage = (state >> (32 * (STAGES - 1 - i))) & BigUint::from(wg_field::ONE);
            stage.to_u32().unwrap_or_default()
        })
    }

    /// So many bytes of keystream, as a string.
    pub fn stream(&self, key: &BigUint, vector: &BigUint, bytes: &BigUint) -> Option<BigUint> {
        let bytes = bytes.to_usize()?;
        Some(of_bytes(&keystream(initialise(&self.loaded(key, vector)), bytes)))
    }

    /// The word of an element.
    pub fn word(&self, element: &BigUint) -> Option<u32> {
        Some(element.to_u32()? << 3)
    }

    /// The element of a word.
    pub fn of_word(&self, word: u32) -> BigUint {
        (word >> 3).into()
    }
}

impl Structure for Wg {
    fn name(&self) -> String {
        "cipher-wg".to_owned()
    }

    fn text(&self) -> String {
        "cipher:wg".to_owned()
    }

    fn description(&self) -> String {
        "cipher:wg: the stream cipher WG of the second round of eSTREAM\n\
         keys: 80, 96, 112 or 128 bits; initial values: as long as the key, or 32 or 64 bits; at most 2^45 bits of keystream\n\
         elements: GF(2^29) in its optimal normal basis of type 2, in the upper 29 bits of 32, the first coordinate on top\n\
         source: Nawaz, Gong: The WG Stream Cipher, eSTREAM report 2005/033, and the designers' source"
            .to_owned()
    }

    fn package_title(&self) -> String {
        "The stream cipher WG".to_owned()
    }

    fn bits(&self) -> u32 {
        DEGREE
    }

    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        integer.to_biguint().filter(|element| element.bits() <= u64::from(DEGREE))
    }

    fn read(&self, text: &str, within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        let word = match self.element.read(text, within.clone())? {
            Ok(word) => word.to_u32().unwrap_or_default(),
            Err(error) => return Some(Err(error)),
        };
        if word & 7 != 0 {
            let error = Diagnostic::new(text, within, "the lowest three bits of an element's word are 0")
                .with_help("an element is in the upper 29 bits: write 80000000 for the first of the basis");
            return Some(Err(error));
        }
        Some(Ok(self.of_word(word)))
    }

    fn written(&self, a: &BigUint) -> Option<String> {
        self.element.written(&self.word(a)?.into())
    }

    fn part(&self, part: Part) -> Option<&dyn Structure> {
        match part {
            Part::Key => Some(&self.key),
            Part::InitialValue => Some(&self.vector),
            Part::Count => Some(&self.count),
            Part::State => Some(&self.state),
            Part::Message => Some(&self.stream),
            _ => None,
        }
    }

    /// Key and initial value are as long, or the value has 32 or 64 bits.
    fn complaint(&self, operation: &str, operands: &[BigUint]) -> Option<String> {
        let ([key, vector], true) = (operands.get(..2)?, matches!(operation, "keystream" | "load" | "initialise"))
        else {
            return None;
        };
        let [key, vector] = [key, vector].map(|string| unmarked(string).1);
        (key != vector && vector != 32 && vector != 64).then(|| {
            format!(
                "an initial value of {vector} bits does not go with a key of {key}\n\
                 help: write one of {key} bits, or of 32 or 64"
            )
        })
    }

    fn one(&self) -> BigUint {
        self.of_word(wg_field::ONE)
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(a ^ b)
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(a.clone())
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.of_word(multiply(self.word(a)?, self.word(b)?)))
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.of_word(wg_field::inverse(self.word(a)?)))
    }
}
