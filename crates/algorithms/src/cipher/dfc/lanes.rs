//! DFC in lanes: rounds whose affine map is by a constant, so that a key is prepared once for all blocks that a lane takes.
//!
//! * **computes** the network of [`super::network`] on one block or on sixteen by the same round keys, forward or backward.
//! * **needs** round keys and blocks in words of 64 bits; digits for the constants of affine maps.
//! * **gives** blocks.
//! * **cost** of a round 26 operations a block by quarters, about 48 by eighths, and 16 a key: its digits, and a multiple of its
//!   first half.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998); the map as in [`crate::lanes::affine`].

use std::sync::{Arc, LazyLock};

use evariste_descriptions::{Field, dfc};
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, View};

use super::confusion::{Entry, Permutation};
use super::network;
use super::setting::{HALF, cipher, ground, halves, local, step};
use crate::lanes::affine::{below_twice, digits, shifted, shifted_fact};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::{kernel_name, modulus, prime};
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::{NotApplicable, input};

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
    ENCRYPT_ALL_EIGHTHS: "rounds-eighths" by Eighths, ENCRYPT_BLOCKS of dfc::BLOCKS, false;
    DECRYPT_ALL_EIGHTHS: "rounds-eighths" by Eighths, DECRYPT_BLOCKS of dfc::BLOCKS, true;
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
        let (rounds, together) = (cipher(s.field)?.rounds, network::SIDE_BY_SIDE.min(self.count));
        let round = Arc::new(round(&ground, s.layout, parts.kernel(0)?, self.entry, together)?);
        let prepare = [digits(&ground, s.layout, "digits")?, shifted(&ground, s.layout, "shifted")?].map(Arc::new);
        let blocks = network::Blocks { rounds, count: self.count, together, backward: self.backward };
        Ok(whole(&kernel_name(s.operation, algorithm), s.layout, &blocks, round, prepare))
    }
}

/// A round by a key in digits, of so many blocks: what they compute stands side by side, since a call by itself would wait for one
/// product after the other.
fn round(
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
    let permutation = Permutation::new(&mut b, entry);
    let value = local(&mut b, "y", 1);
    let map = |i: u32| {
        let [a, shifted, addend] = keys.each_ref().map(|key| View::whole(key.array));
        affine.call_views(&mut b, View::whole(value), &[View::from(x, i), a, shifted, addend]);
        b.load(value, 0u32)
    };
    let y: Vec<_> = (0..count).map(map).collect();
    for (i, y) in y.chunks(entry.blocks() as usize).enumerate() {
        for (j, z) in permutation.apply_all(&mut b, y).into_iter().enumerate() {
            b.store(out, i as u32 * entry.blocks() + j as u32, z);
        }
    }
    let facts = vec![shifted_fact(&p, layout.word, 1)];
    let inputs = std::iter::once(halves_of_blocks).chain(keys.map(|key| key.operand)).collect();
    Ok(b.finish(Contract { facts, inputs, claims: step(output, "dfc_round") }))
}

/// The kernel on blocks, with digits of constants in that layout.
fn whole(
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
