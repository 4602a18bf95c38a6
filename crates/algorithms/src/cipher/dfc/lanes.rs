//! DFC in lanes: rounds of several blocks by one key, whose affine map prepares the key once for all of them.
//!
//! * **computes** the network of [`super::network`] on one block or on sixteen by the same round keys, forward or backward.
//! * **needs** round keys and blocks in words of 64 bits; digits for the constants of affine maps, or multiply-adds.
//! * **gives** blocks.
//! * **cost** of a round by digits 25 operations a block by quarters, about 48 by eighths, and 16 a key: its digits, and a
//!   multiple of its first half. By words 22 operations a block, and 11 a key.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998); the map as in [`crate::lanes::affine`], or of words as in
//!   [`crate::prime::affine_halves`].

use std::sync::{Arc, LazyLock};

use evariste_descriptions::{Field, dfc};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Value, View};

use super::confusion::{Entry, Permutation};
use super::network;
use super::setting::{HALF, cipher, ground, halves, local, step};
use crate::lanes::affine::{below_twice, digits, is_whole, shifted, shifted_fact};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::affine_halves;
use crate::prime::power::Callee;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::{NotApplicable, input};

/// What the affine map takes of a round key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Its digits and those of a multiple, which are prepared for all blocks of a lane.
    Digits,
    /// Its words; what they are prepared to is computed for the blocks that are side by side.
    Words,
}

impl Keys {
    /// How many blocks a call of a round takes.
    fn together(self) -> u32 {
        match self {
            Keys::Digits => network::SIDE_BY_SIDE,
            Keys::Words => 2 * network::SIDE_BY_SIDE,
        }
    }
}

/// The network of an operation, what its affine maps take, and how its rounds find entries of the table.
pub struct Blocks {
    name: &'static str,
    keys: Keys,
    entry: Entry,
    operation: Operation,
    count: u32,
    backward: bool,
}

macro_rules! blocks {
    ($($constant:ident: $name:literal of $keys:ident by $entry:ident, $operation:ident of $count:expr, $backward:literal;)+) => {
        $(const $constant: Blocks = Blocks {
            name: $name,
            keys: Keys::$keys,
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
    ENCRYPT_QUARTERS: "rounds-quarters" of Digits by Quarters, ENCRYPT_BLOCK of 1, false;
    DECRYPT_QUARTERS: "rounds-quarters" of Digits by Quarters, DECRYPT_BLOCK of 1, true;
    ENCRYPT_ALL_QUARTERS: "rounds-quarters" of Digits by Quarters, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_QUARTERS: "rounds-quarters" of Digits by Quarters, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_ALL_EIGHTHS: "rounds-eighths" of Digits by Eighths, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_EIGHTHS: "rounds-eighths" of Digits by Eighths, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_ALL_HALVES: "rounds-halves" of Digits by Halves, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_HALVES: "rounds-halves" of Digits by Halves, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_ALL_WORDS_HALVES: "rounds-words-halves" of Words by Halves, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_WORDS_HALVES: "rounds-words-halves" of Words by Halves, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_WORDS: "rounds-words-quarters" of Words by JoinedQuarters, ENCRYPT_BLOCK of 1, false;
    DECRYPT_WORDS: "rounds-words-quarters" of Words by JoinedQuarters, DECRYPT_BLOCK of 1, true;
    ENCRYPT_ALL_WORDS: "rounds-words-quarters" of Words by JoinedQuarters, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_WORDS: "rounds-words-quarters" of Words by JoinedQuarters, DECRYPT_BLOCKS of dfc::BLOCKS, true;
    ENCRYPT_MASKS: "rounds-masks" of Digits by Masks, ENCRYPT_BLOCK of 1, false;
    DECRYPT_MASKS: "rounds-masks" of Digits by Masks, DECRYPT_BLOCK of 1, true;
    ENCRYPT_ALL_MASKS: "rounds-masks" of Digits by Masks, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_MASKS: "rounds-masks" of Digits by Masks, DECRYPT_BLOCKS of dfc::BLOCKS, true;
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
        if *s.operation != self.operation || cipher(s.field).is_err() || !s.layout.constants {
            return None;
        }
        match self.keys {
            Keys::Digits => Some(&*AFFINE),
            Keys::Words => (!is_whole(s.layout)).then_some(&[]),
        }
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let ground = ground(s.field).ok_or_else(|| NotApplicable("not DFC".into()))?;
        let (rounds, together) = (cipher(s.field)?.rounds, self.keys.together().min(self.count));
        let blocks = network::Blocks { rounds, count: self.count, together, backward: self.backward };
        let name = kernel_name(s.operation, algorithm);
        match self.keys {
            Keys::Digits => {
                let round = round_of_digits(&ground, s.layout, parts.kernel(0)?, self.entry, together)?;
                let prepare = [digits(&ground, s.layout, "digits")?, shifted(&ground, s.layout, "shifted")?];
                Ok(of_digits(&name, s.layout, &blocks, Arc::new(round), prepare.map(Arc::new)))
            }
            Keys::Words => Ok(of_words(&name, &blocks, Arc::new(round_of_words(&ground, self.entry, together)?))),
        }
    }
}

/// A round of so many blocks by a key in digits. What they compute stands side by side, since a call by itself would wait for
/// one product after the other.
fn round_of_digits(
    ground: &Field,
    layout: &Layout,
    affine: Arc<Kernel>,
    entry: Entry,
    count: u32,
) -> Result<Kernel, NotApplicable> {
    let p = prime(modulus(ground)?);
    let mut b = Builder::new("round", layout.word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, count);
    let (x, halves_of_blocks) = halves(&mut b, "x", ArrayKind::Input, count);
    let loose = below_twice(&p, layout);
    let keys = [("a", &layout.resting), ("shifted", &loose), ("b", &layout.resting)]
        .map(|(name, bounds)| input(&mut b, name, &layout.weights, bounds));
    let affine = Callee::new(&mut b, affine, "affine");
    let value = local(&mut b, "y", 1);
    let map = |i: u32| {
        let [a, shifted, addend] = keys.each_ref().map(|key| View::whole(key.array));
        affine.call_views(&mut b, View::whole(value), &[View::from(x, i), a, shifted, addend]);
        b.load(value, 0u32)
    };
    let y: Vec<_> = (0..count).map(map).collect();
    permuted(&mut b, entry, out, &y);
    let facts = vec![shifted_fact(&p, layout.word, 1)];
    let inputs = std::iter::once(halves_of_blocks).chain(keys.map(|key| key.operand)).collect();
    Ok(b.finish(Contract { facts, inputs, claims: step(output, "dfc_round") }))
}

/// A round of so many blocks by a key in words.
fn round_of_words(ground: &Field, entry: Entry, count: u32) -> Result<Kernel, NotApplicable> {
    let affine = Arc::new(affine_halves::of_words("affine", ground, HALF, count)?);
    let mut b = Builder::new("round", HALF);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, count);
    let [(x, of_x), (a, of_a), (addend, of_addend)] =
        [("x", count), ("a", 1), ("b", 1)].map(|(name, count)| halves(&mut b, name, ArrayKind::Input, count));
    let affine = Callee::new(&mut b, affine, "affine");
    let values = local(&mut b, "y", count);
    affine.call(&mut b, values, &[a, x, addend]);
    let y: Vec<_> = (0..count).map(|i| b.load(values, i)).collect();
    permuted(&mut b, entry, out, &y);
    let inputs = vec![of_x, of_a, of_addend];
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_round") }))
}

/// The permutation of each value.
fn permuted(b: &mut Builder, entry: Entry, out: Array, y: &[Value]) {
    let permutation = Permutation::new(b, entry);
    for (i, y) in y.chunks(entry.blocks() as usize).enumerate() {
        for (j, z) in permutation.apply_all(b, y).into_iter().enumerate() {
            b.store(out, i as u32 * entry.blocks() + j as u32, z);
        }
    }
}

/// The kernel on blocks, with the words of keys as they are.
fn of_words(name: &str, blocks: &network::Blocks, round: Arc<Kernel>) -> Kernel {
    let mut b = Builder::new(name, HALF);
    let ([out, round_keys, all], output, inputs) = network::parameters(&mut b, blocks.rounds, blocks.count);
    let round = Callee::new(&mut b, round, "round");
    let call = |b: &mut Builder, key: u32, [value, half]: [View; 2]| {
        round.call_views(b, value, &[half, View::from(round_keys, 2 * key), View::from(round_keys, 2 * key + 1)]);
    };
    blocks.write(&mut b, [all, out], &call);
    b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_network") })
}

/// The kernel on blocks, with digits of constants in that layout.
fn of_digits(
    name: &str,
    layout: &Layout,
    blocks: &network::Blocks,
    round: Arc<Kernel>,
    [digits, shifted]: [Arc<Kernel>; 2],
) -> Kernel {
    let mut b = Builder::new(name, HALF);
    let rounds = blocks.rounds;
    let ([out, round_keys, all], output, inputs) = network::parameters(&mut b, rounds, blocks.count);
    let round = Callee::new(&mut b, round, "round");
    let [digits, shifted] =
        [(digits, "digits"), (shifted, "shifted")].map(|(kernel, name)| Callee::new(&mut b, kernel, name));
    // Of each round the digits of a, of its multiple, of b.
    let n = layout.digits() as u32;
    let keys = b.local("keys", 3 * n * rounds, Interval::bits(layout.radix.unwrap_or(HALF)));
    for i in 0..rounds {
        for (callee, half, at) in [(&digits, 2 * i, 0), (&shifted, 2 * i, n), (&digits, 2 * i + 1, 2 * n)] {
            callee.call_views(&mut b, View::from(keys, 3 * n * i + at), &[View::from(round_keys, half)]);
        }
    }
    let call = |b: &mut Builder, key: u32, [value, half]: [View; 2]| {
        let [a, shifted, addend] = [0, n, 2 * n].map(|at| View::from(keys, 3 * n * key + at));
        round.call_views(b, value, &[half, a, shifted, addend]);
    };
    blocks.write(&mut b, [all, out], &call);
    b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_network") })
}
