//! The Feistel network of DFC, and the cipher by a key.
//!
//! * **computes** `R[i+1] = RF(k_i; R[i]) ^ R[i−1]` for all rounds, and `R[r+1] | R[r]` of it; backward with the keys from
//!   the last on; by a key with the keys that its schedule gives; of sixteen blocks by the same keys each by itself.
//! * **needs** blocks of two halves, the first one first; keys of all rounds, or a padded key of 256 bits.
//! * **gives** blocks.
//! * **cost** a round for each key and block.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2.1.
//!
//! Several blocks go through the rounds a few at a time: a round waits for one product after the other, and beside it a
//! processor computes the rounds of others.

use std::sync::{Arc, LazyLock};

use evariste_descriptions::dfc;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Counter, Index, Kernel, Operand, View};

use super::confusion::Entry;
use super::round::round;
use super::schedule::expand;
use super::setting::{affine_map, cipher, halves, local, step, words};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Kind, Need, Parts, Pick, Recipe, Setting};
use crate::signature::NotApplicable;

const FORWARD: &[Need] =
    &[Need::new(Operation::EXPAND_KEY, Pick::First), Need::new(Operation::ENCRYPT_BLOCK, Pick::First)];
const BACKWARD: &[Need] =
    &[Need::new(Operation::EXPAND_KEY, Pick::First), Need::new(Operation::DECRYPT_BLOCK, Pick::First)];

/// A block by a key.
pub const ENCRYPT: Composite = Composite {
    name: "schedule",
    applies: |f, _, op| *op == Operation::ENCRYPT && cipher(f).is_ok(),
    needs: FORWARD,
    write: |f, l, op, parts| by_key(&kernel_name(op, "schedule"), l.word, cipher(f)?.rounds, parts),
};

/// A block back by a key.
pub const DECRYPT: Composite = Composite {
    name: "schedule",
    applies: |f, _, op| *op == Operation::DECRYPT && cipher(f).is_ok(),
    needs: BACKWARD,
    write: |f, l, op, parts| by_key(&kernel_name(op, "schedule"), l.word, cipher(f)?.rounds, parts),
};

static AFFINE: LazyLock<[Need; 1]> = LazyLock::new(|| [Need::ground(affine_map())]);

/// A network, or the schedule that is made of networks, whose rounds find entries of the table in one way.
pub struct Network {
    name: &'static str,
    operation: Operation,
    entry: Entry,
}

macro_rules! networks {
    ($($name:literal by $entry:ident: $($constant:ident $operation:ident),+;)+) => {
        $($(
            #[doc = concat!("`", stringify!($operation), "` with entries of the table by ", stringify!($entry), ".")]
            pub const $constant: Network =
                Network { name: $name, operation: Operation::$operation, entry: Entry::$entry };
        )+)+

        /// All of them.
        pub const NETWORKS: &[&dyn Recipe] = &[$($(&$constant),+),+];
    };
}

networks! {
    "rounds-choices" by Choices:
        ENCRYPT_CHOICES ENCRYPT_BLOCK, DECRYPT_CHOICES DECRYPT_BLOCK, SCHEDULE_CHOICES EXPAND_KEY,
        ENCRYPT_ALL_CHOICES ENCRYPT_BLOCKS, DECRYPT_ALL_CHOICES DECRYPT_BLOCKS;
    "rounds-masks" by Masks:
        ENCRYPT_MASKS ENCRYPT_BLOCK, DECRYPT_MASKS DECRYPT_BLOCK, SCHEDULE_MASKS EXPAND_KEY;
    "rounds-direct" by Direct:
        ENCRYPT_VARTIME ENCRYPT_BLOCK, DECRYPT_VARTIME DECRYPT_BLOCK, SCHEDULE_VARTIME EXPAND_KEY,
        ENCRYPT_ALL_VARTIME ENCRYPT_BLOCKS, DECRYPT_ALL_VARTIME DECRYPT_BLOCKS;
}

impl Recipe for Network {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn is_vartime(&self) -> bool {
        self.entry == Entry::Direct
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        (*s.operation == self.operation && cipher(s.field).is_ok()).then_some(&*AFFINE)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let part = if self.is_vartime() { "round_vartime" } else { "round" };
        let round = Arc::new(round(part, s.layout.word, parts.kernel(0)?, self.entry)?);
        let (name, cipher, word) = (kernel_name(s.operation, algorithm), cipher(s.field)?, s.layout.word);
        if self.operation == Operation::EXPAND_KEY {
            return expand(&name, word, cipher, round);
        }
        let backward = self.operation.is_any(&[Operation::DECRYPT_BLOCK, Operation::DECRYPT_BLOCKS]);
        let many = self.operation.is_any(&[Operation::ENCRYPT_BLOCKS, Operation::DECRYPT_BLOCKS]);
        whole(&name, word, cipher.rounds, round, if many { dfc::BLOCKS } else { 1 }, backward)
    }
}

/// The kernel of a network of so many rounds, on so many blocks.
pub(super) fn whole(
    name: &str,
    word: u32,
    rounds: u32,
    round: Arc<Kernel>,
    count: u32,
    backward: bool,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, word);
    let n = words(&b);
    let ([out, keys, blocks], output, inputs) = parameters(&mut b, rounds, count);
    let round = Callee::new(&mut b, round, "round");
    let call = |b: &mut Builder, key: u32, [value, half]: [View; 2]| {
        round.call_views(b, value, &[View::from(keys, 2 * key * n), half, View::from(keys, (2 * key + 1) * n)]);
    };
    Blocks { rounds, count, together: 1, backward }.write(&mut b, [blocks, out], &call);
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_network") }))
}

/// The parameters of a network: what is made, the keys of its rounds and the blocks, and what the contract says of them.
pub(super) fn parameters(b: &mut Builder, rounds: u32, count: u32) -> ([Array; 3], Operand, Vec<Operand>) {
    let (out, output) = halves(b, "out", ArrayKind::Output, 2 * count);
    let (keys, of_keys) = halves(b, "round_keys", ArrayKind::Input, 2 * rounds);
    let name = if count == 1 { "block" } else { "blocks" };
    let (blocks, of_blocks) = halves(b, name, ArrayKind::Input, 2 * count);
    ([out, keys, blocks], output, vec![of_keys, of_blocks])
}

/// Blocks that are in a round at once.
pub(super) const SIDE_BY_SIDE: u32 = 8;

/// How blocks go through the rounds.
pub(super) struct Blocks {
    pub(super) rounds: u32,
    pub(super) count: u32,
    /// How many a call of a round takes.
    pub(super) together: u32,
    pub(super) backward: bool,
}

/// A call of a round: of which key, into which values of which halves, those of blocks one after the other.
type Round<'a> = &'a dyn Fn(&mut Builder, u32, [View; 2]);

impl Blocks {
    /// The rounds of `[blocks, out]`.
    pub(super) fn write(&self, b: &mut Builder, arrays: [Array; 2], round: Round<'_>) {
        let some = SIDE_BY_SIDE.max(self.together).min(self.count);
        let locals = [local(b, "R", 2 * some), local(b, "f", self.together)];
        b.repeat(self.count / some, &[], |b, i, _| {
            self.some(b, locals, arrays, i, some, round);
            Vec::new()
        });
    }

    /// All rounds of a group of so many blocks. First halves and second ones are an array each: by turns they are written over the ones
    /// before the last.
    fn some(
        &self,
        b: &mut Builder,
        [state, value]: [Array; 2],
        [blocks, out]: [Array; 2],
        group: Counter,
        some: u32,
        round: Round<'_>,
    ) {
        let n = words(b);
        let place = |i: u32| Index::at(i64::from(i)).plus(group, i64::from(2 * n * some));
        let at = |block: u32, half: u32| (half * some + block) * n;
        for (block, half) in (0..some).flat_map(|block| [(block, 0), (block, 1)]) {
            for j in 0..n {
                let word = b.load(blocks, place((2 * block + half) * n + j));
                b.store(state, at(block, half) + j, word);
            }
        }
        for i in 0..self.rounds {
            let key = if self.backward { self.rounds - 1 - i } else { i };
            let [last, from] = [i % 2, (i + 1) % 2];
            for first in (0..some).step_by(self.together as usize) {
                round(b, key, [View::whole(value), View::from(state, at(first, from))]);
                for j in 0..self.together * n {
                    let (f, before) = (b.load(value, j), b.load(state, at(first, last) + j));
                    let sum = b.xor(f, before);
                    b.store(state, at(first, last) + j, sum);
                }
            }
        }
        // The last half is where the one before the last was, by turns.
        let left = (self.rounds + 1) % 2;
        for block in 0..some {
            for (half, from) in [left, 1 - left].into_iter().enumerate() {
                for j in 0..n {
                    let word = b.load(state, at(block, from) + j);
                    b.store(out, place((2 * block + half as u32) * n + j), word);
                }
            }
        }
    }
}

/// The kernel by a padded key: its schedule, then the network.
fn by_key(name: &str, word: u32, rounds: u32, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let [schedule, network] = parts else { return Err(NotApplicable("a cipher has two parts".into())) };
    let mut b = Builder::new(name, word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, 2);
    let (key, of_key) = halves(&mut b, "key", ArrayKind::Input, 4);
    // (A package names vectors by function and parameter: `encrypt_block` is a function.)
    let (block, of_block) = halves(&mut b, "text", ArrayKind::Input, 2);
    let [schedule, network] =
        [(schedule, "schedule"), (network, "network")].map(|(part, name)| Callee::new(&mut b, part.clone(), name));
    let keys = local(&mut b, "round_keys", 2 * rounds);
    schedule.call(&mut b, keys, &[key]);
    network.call(&mut b, out, &[keys, block]);
    let inputs = vec![of_key, of_block];
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc") }))
}
