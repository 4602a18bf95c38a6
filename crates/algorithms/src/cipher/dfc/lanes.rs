//! DFC in lanes: rounds whose affine map is by a constant, so that a key is prepared once for all blocks that a lane takes.
//!
//! * **computes** the network of [`super::network`] on one block or on sixteen by the same round keys, forward or backward.
//! * **needs** round keys and blocks in words of 64 bits; digits for the constants of affine maps.
//! * **gives** blocks.
//! * **cost** of a round 26 operations a block, and 16 a key: its digits, and a multiple of its first half.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998); the map as in [`crate::lanes::affine`].
//!
//! Blocks go through the rounds a few at a time: a round waits for one product after the other, and what is in flight has
//! to fit the registers.

use std::sync::{Arc, LazyLock};

use evariste_descriptions::{Field, dfc};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, View};

use super::confusion::{Entry, Permutation};
use super::setting::{HALF, cipher, ground, halves, local, step};
use crate::lanes::affine::{below_twice, digits, shifted, shifted_fact};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::{NotApplicable, input};

/// Blocks that are in a round at once.
const SIDE_BY_SIDE: u32 = 4;

/// The network of an operation, and how its rounds find entries of the table.
pub struct Blocks {
    name: &'static str,
    entry: Entry,
    operation: Operation,
    count: u32,
    backward: bool,
}

macro_rules! blocks {
    ($($constant:ident: $name:literal by $entry:ident, $operation:ident of $count:expr, $backward:literal;)+) => {
        $(const $constant: Blocks = Blocks {
            name: $name,
            entry: Entry::$entry,
            operation: Operation::$operation,
            count: $count,
            backward: $backward,
        };)+

        /// All of them.
        pub const LANES: &[&dyn Recipe] = &[$(&$constant),+];
    };
}

blocks! {
    ENCRYPT_QUARTERS: "rounds-quarters" by Quarters, ENCRYPT_BLOCK of 1, false;
    DECRYPT_QUARTERS: "rounds-quarters" by Quarters, DECRYPT_BLOCK of 1, true;
    ENCRYPT_ALL_QUARTERS: "rounds-quarters" by Quarters, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_QUARTERS: "rounds-quarters" by Quarters, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_MASKS: "rounds-masks" by Masks, ENCRYPT_BLOCK of 1, false;
    DECRYPT_MASKS: "rounds-masks" by Masks, DECRYPT_BLOCK of 1, true;
    ENCRYPT_ALL_MASKS: "rounds-masks" by Masks, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_MASKS: "rounds-masks" by Masks, DECRYPT_BLOCKS of dfc::BLOCKS, true;
}

/// The affine map by a constant.
fn by_constant() -> Operation {
    Operation::AFFINE_CONSTANT.with(HALF)
}

static AFFINE: LazyLock<[Need; 1]> = LazyLock::new(|| [Need::ground(by_constant())]);

/// The layouts in lanes in which there is that map.
pub fn lane_layouts(field: &Field, word: u32, radix: u32) -> Vec<Layout> {
    let Some(ground) = ground(field).filter(|_| word == HALF) else { return Vec::new() };
    let mut all = crate::lane_layouts(&ground, word, radix);
    all.retain(|layout| !crate::plans(&ground, layout, &by_constant()).is_empty());
    all
}

impl Recipe for Blocks {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let applies = *s.operation == self.operation && cipher(s.field).is_ok() && s.layout.constants;
        applies.then_some(&*AFFINE)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let ground = ground(s.field).ok_or_else(|| NotApplicable("not DFC".into()))?;
        let round = Arc::new(round(&ground, s.layout, parts.kernel(0)?, self.entry)?);
        let prepare = [digits(&ground, s.layout, "digits")?, shifted(&ground, s.layout, "shifted")?].map(Arc::new);
        let rounds = cipher(s.field)?.rounds;
        let network = Network { rounds, layout: s.layout, backward: self.backward };
        Ok(network.kernel(&kernel_name(s.operation, algorithm), self.count, round, prepare))
    }
}

/// A round by a key in digits.
fn round(ground: &Field, layout: &Layout, affine: Arc<Kernel>, entry: Entry) -> Result<Kernel, NotApplicable> {
    let p = prime(modulus(ground)?);
    let mut b = Builder::new("round", layout.word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, 1);
    let word = Bounds { digit_max: vec![pow2(HALF) - 1], bound: pow2(HALF) - 1, low: None };
    let x = input(&mut b, "x", &[0], &word);
    let loose = below_twice(&p, layout);
    let keys = [("a", &layout.resting), ("shifted", &loose), ("b", &layout.resting)]
        .map(|(name, bounds)| input(&mut b, name, &layout.weights, bounds));
    let affine = Callee::new(&mut b, affine, "affine");
    let permutation = Permutation::new(&mut b, entry);
    let value = local(&mut b, "y", 1);
    affine.call(&mut b, value, &[x.array, keys[0].array, keys[1].array, keys[2].array]);
    let y = b.load(value, 0u32);
    let permuted = permutation.apply(&mut b, &[y]);
    b.store_all(out, &permuted);
    let facts = vec![shifted_fact(&p, layout.word)];
    let inputs = std::iter::once(x).chain(keys).map(|i| i.operand).collect();
    Ok(b.finish(Contract { facts, inputs, claims: step(output, "dfc_round") }))
}

/// How blocks go through the rounds.
struct Network<'a> {
    rounds: u32,
    /// That of constants.
    layout: &'a Layout,
    backward: bool,
}

impl Network<'_> {
    /// The kernel on so many blocks.
    fn kernel(&self, name: &str, count: u32, round: Arc<Kernel>, [digits, shifted]: [Arc<Kernel>; 2]) -> Kernel {
        let mut b = Builder::new(name, HALF);
        let (out, output) = halves(&mut b, "out", ArrayKind::Output, 2 * count);
        let (round_keys, of_keys) = halves(&mut b, "round_keys", ArrayKind::Input, 2 * self.rounds);
        let name = if count == 1 { "block" } else { "blocks" };
        let (blocks, of_blocks) = halves(&mut b, name, ArrayKind::Input, 2 * count);
        let round = Callee::new(&mut b, round, "round");
        let [digits, shifted] =
            [(digits, "digits"), (shifted, "shifted")].map(|(kernel, name)| Callee::new(&mut b, kernel, name));
        // Of each round the digits of a, of its multiple, of b.
        let n = self.layout.digits() as u32;
        let keys = b.local("keys", 3 * n * self.rounds, Interval::bits(self.layout.radix.unwrap_or(HALF)));
        for i in 0..self.rounds {
            for (callee, half, at) in [(&digits, 2 * i, 0), (&shifted, 2 * i, n), (&digits, 2 * i + 1, 2 * n)] {
                callee.call_views(&mut b, View::from(keys, 3 * n * i + at), &[View::from(round_keys, half)]);
            }
        }
        let (state, value) = (local(&mut b, "R", 2 * SIDE_BY_SIDE.min(count)), local(&mut b, "f", 1));
        for first in (0..count).step_by(SIDE_BY_SIDE as usize) {
            let some = SIDE_BY_SIDE.min(count - first);
            self.some(&mut b, &round, [keys, state, value], [blocks, out], [first, some]);
        }
        let inputs = vec![of_keys, of_blocks];
        b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_network") })
    }

    /// All rounds of so many blocks. A block's halves are written over by turns.
    fn some(
        &self,
        b: &mut Builder,
        round: &Callee,
        [keys, state, value]: [Array; 3],
        [blocks, out]: [Array; 2],
        [first, some]: [u32; 2],
    ) {
        for i in 0..2 * some {
            let word = b.load(blocks, 2 * first + i);
            b.store(state, i, word);
        }
        let n = self.layout.digits() as u32;
        for i in 0..self.rounds {
            let key = 3 * n * if self.backward { self.rounds - 1 - i } else { i };
            for block in 0..some {
                let (last, from) = (2 * block + i % 2, 2 * block + (i + 1) % 2);
                let [a, shifted, addend] = [0, n, 2 * n].map(|at| View::from(keys, key + at));
                round.call_views(b, View::whole(value), &[View::from(state, from), a, shifted, addend]);
                let (f, before) = (b.load(value, 0u32), b.load(state, last));
                let sum = b.xor(f, before);
                b.store(state, last, sum);
            }
        }
        // The last half is where the one before the last was, by turns.
        let left = (self.rounds + 1) % 2;
        for block in 0..some {
            for (half, at) in [left, 1 - left].into_iter().enumerate() {
                let word = b.load(state, 2 * block + at);
                b.store(out, 2 * (first + block) + half as u32, word);
            }
        }
    }
}
