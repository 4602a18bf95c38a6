//! The function of a round of DFC.
//!
//! * **computes** `CP(((a·x + b) mod 2^64 + 13) mod 2^64)`.
//! * **needs** a, x and b of 64 bits.
//! * **gives** 64 bits.
//! * **cost** the affine map and the permutation ([`confusion`](super::confusion)).
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2.2.
//!
//! Each way to compute the affine map makes a plan.

use std::sync::{Arc, LazyLock};

use evariste_ir::{ArrayKind, Builder, Contract, Kernel};

use super::confusion::{Entry, Permutation};
use super::setting::{affine_map, cipher, halves, local, step, words};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Of, Parts, Pick, Recipe, Setting};
use crate::signature::NotApplicable;

/// Entries of the table by choices.
pub const ROUND_CHOICES: Round = Round { name: "choices", entry: Entry::Choices };
/// By masks.
pub const ROUND_MASKS: Round = Round { name: "masks", entry: Entry::Masks };
/// Entries by look-ups in constant time.
pub const ROUND_LOOK_UP: Round = Round { name: "look-up", entry: Entry::LookUp };
/// Entries at their addresses.
pub const ROUND_VARTIME: Round = Round { name: "direct", entry: Entry::Direct };

static AFFINE: LazyLock<[Need; 1]> =
    LazyLock::new(|| [Need { operation: affine_map(), pick: Pick::Each, of: Of::Ground }]);

/// A way to find entries of the table, joined with each affine map.
pub struct Round {
    name: &'static str,
    entry: Entry,
}

impl Recipe for Round {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Whole
    }

    fn is_vartime(&self) -> bool {
        self.entry == Entry::Direct
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        (*s.operation == Operation::ROUND && cipher(s.field).is_ok()).then_some(&*AFFINE)
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        round(&kernel_name(s.operation, algorithm), s.layout.word, parts.kernel(0)?, self.entry)
    }
}

/// The kernel of a round.
pub(super) fn round(name: &str, word: u32, affine: Arc<Kernel>, entry: Entry) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, 1);
    let (arrays, inputs): (Vec<_>, Vec<_>) =
        ["a", "x", "b"].map(|name| halves(&mut b, name, ArrayKind::Input, 1)).into_iter().unzip();
    let affine = Callee::new(&mut b, affine, "affine");
    let permutation = Permutation::new(&mut b, entry);
    let value = local(&mut b, "y", 1);
    affine.call(&mut b, value, &arrays);
    let y: Vec<_> = (0..words(&b)).map(|i| b.load(value, i)).collect();
    let permuted = permutation.apply(&mut b, &y);
    b.store_all(out, &permuted);
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims: step(output, "dfc_round") }))
}
