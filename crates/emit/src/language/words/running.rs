//! A hash function with a running sum, where a package has its kernels: what functions on messages are made of.

use evariste_ir::{ArrayKind, Kernel};

use crate::package::{Content, RunningHash};
use crate::unit::{Model, container};

/// The kernel that absorbs a piece, and what the names of functions for it end in: as defined, and wrapping.
const ABSORB: [(&str, &str); 2] = [("absorb", ""), ("absorb_wrapping", "_wrapping")];

/// An array of numbers: how many elements, and the bits of what holds one.
#[derive(Clone, Copy)]
pub struct Held {
    /// Elements.
    pub len: u32,
    /// Bits.
    pub bits: u32,
}

/// A hash function in words.
pub struct RunningWords<'a> {
    /// Sizes, and known answers.
    pub hash: &'a RunningHash,
    /// The 32 words of a piece.
    pub piece: Held,
    /// The running sum.
    pub sum: Held,
    /// The hash.
    pub out: Held,
    /// Is there the hash as it is defined, and the one that wraps?
    pub has: [bool; 2],
}

impl<'a> RunningWords<'a> {
    /// That of a package, where it has `finish` and a kernel that absorbs.
    pub fn of(content: &Content<'a>) -> Option<RunningWords<'a>> {
        let hash = content.running_hash?;
        let kernel = |name: &str| content.kernels.iter().find(|(n, _)| n == name).map(|(_, k)| *k);
        let has = ABSORB.map(|(name, _)| kernel(name).is_some());
        let absorb = ABSORB.iter().find_map(|(name, _)| kernel(name))?;
        let finish = kernel("finish").filter(|k| Model::of(k) != Model::Lanes)?;
        let held = |kernel: &Kernel, name: &str| {
            let info = kernel.array(kernel.find(name).filter(|a| kernel.array(*a).kind != ArrayKind::Ghost)?);
            Some(Held { len: info.len, bits: container(info.ty.bits()) })
        };
        Some(RunningWords {
            hash,
            piece: held(absorb, "message")?,
            sum: held(absorb, "state")?,
            out: held(finish, "out")?,
            has,
        })
    }

    /// The kernels that absorb, those that there are: name, ending of functions, and whether they wrap.
    pub fn absorbing(&self) -> Vec<(&'static str, &'static str, bool)> {
        let all = ABSORB.into_iter().zip(self.has).zip([false, true]);
        all.filter(|((_, has), _)| *has).map(|(((name, ending), _), wrapping)| (name, ending, wrapping)).collect()
    }

    /// A line for each hash that there is, of which users write one.
    pub fn either(&self, line: &dyn Fn(bool) -> String) -> String {
        self.absorbing().iter().map(|(.., wraps)| line(*wraps)).collect::<Vec<_>>().join("// or: ")
    }

    /// A text in which BYTES (of a word), PIECEBYTES, EACH (elements of a word), HASHBYTES, SUMLEN and OUTLEN stand for what
    /// they are.
    pub fn filled(&self, text: &str) -> String {
        let bytes = self.hash.word / 8;
        text.replace("PIECEBYTES", &(32 * bytes).to_string())
            .replace("HASHBYTES", &self.hash.result.div_ceil(8).to_string())
            .replace("BYTES", &bytes.to_string())
            .replace("EACH", &(self.piece.len / 32).to_string())
            .replace("SUMLEN", &self.sum.len.to_string())
            .replace("OUTLEN", &self.out.len.to_string())
    }

    /// The known answers: of each its key, its message and both hashes, as that writes bytes; then what each row is.
    pub fn rows(&self, bytes: &dyn Fn(&[u8]) -> String, row: &dyn Fn([String; 4]) -> String) -> String {
        let one = |a: &crate::package::HashAnswer| {
            row([&a.key, &a.message, &a.hashes[0], &a.hashes[1]].map(|all| bytes(all)))
        };
        self.hash.answers.iter().map(one).collect()
    }

    /// Bytes, one after the other, with commas.
    pub fn list(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ")
    }
}
