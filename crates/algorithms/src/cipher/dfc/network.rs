//! The Feistel network of DFC, and the cipher by a key.
//!
//! * **computes** `R[i+1] = RF(k_i; R[i]) ^ R[i−1]` for all rounds, and `R[r+1] | R[r]` of it; backward with the keys from
//!   the last on; by a key with the keys that its schedule gives.
//! * **needs** a block of two halves, the first one first; keys of all rounds, or a padded key of 256 bits.
//! * **gives** a block.
//! * **cost** a round for each key.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2.1.

use std::sync::{Arc, LazyLock};

use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, View};

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
        ENCRYPT_CHOICES ENCRYPT_BLOCK, DECRYPT_CHOICES DECRYPT_BLOCK, SCHEDULE_CHOICES EXPAND_KEY;
    "rounds-masks" by Masks:
        ENCRYPT_MASKS ENCRYPT_BLOCK, DECRYPT_MASKS DECRYPT_BLOCK, SCHEDULE_MASKS EXPAND_KEY;
    "rounds-direct" by Direct:
        ENCRYPT_VARTIME ENCRYPT_BLOCK, DECRYPT_VARTIME DECRYPT_BLOCK, SCHEDULE_VARTIME EXPAND_KEY;
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
        whole(&name, word, cipher.rounds, round, self.operation == Operation::DECRYPT_BLOCK)
    }
}

/// The kernel of a network of so many rounds.
pub(super) fn whole(
    name: &str,
    word: u32,
    rounds: u32,
    round: Arc<Kernel>,
    backward: bool,
) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, 2);
    let (keys, of_keys) = halves(&mut b, "round_keys", ArrayKind::Input, 2 * rounds);
    let (block, of_block) = halves(&mut b, "block", ArrayKind::Input, 2);
    let round = Callee::new(&mut b, round, "round");
    network(&mut b, &round, rounds, [keys, block, out], backward);
    let inputs = vec![of_keys, of_block];
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_network") }))
}

/// The rounds of `[keys, block, out]`. The halves are an array: every second one is written over the one before the last.
fn network(b: &mut Builder, round: &Callee, rounds: u32, [keys, block, out]: [Array; 3], backward: bool) {
    let n = words(b);
    let (state, value) = (local(b, "R", 2), local(b, "f", 1));
    for i in 0..2 * n {
        let word = b.load(block, i);
        b.store(state, i, word);
    }
    for i in 0..rounds {
        let key = if backward { rounds - 1 - i } else { i };
        let [last, from] = [i % 2 * n, (i + 1) % 2 * n];
        let operands = [View::from(keys, 2 * key * n), View::from(state, from), View::from(keys, (2 * key + 1) * n)];
        round.call_views(b, View::whole(value), &operands);
        for j in 0..n {
            let (f, before) = (b.load(value, j), b.load(state, last + j));
            let sum = b.xor(f, before);
            b.store(state, last + j, sum);
        }
    }
    // The last half is where the one before the last was, by turns.
    let first = (rounds + 1) % 2 * n;
    for j in 0..n {
        let (left, right) = (b.load(state, first + j), b.load(state, n - first + j));
        b.store(out, j, left);
        b.store(out, n + j, right);
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
