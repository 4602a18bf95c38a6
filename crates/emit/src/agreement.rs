//! When the code of one kernel may stand for another kernel: it takes what that one takes, and promises what it does.

use std::collections::HashSet;

use evariste_ir::{Array, Kernel};

/// What tells `other` from `kernel`, so that its code is no version of that kernel's function, in words to which `of` and
/// the kernel's name belong; `None`: everything that a caller sees is alike. Contracts are compared as they are, and so are
/// the intervals of all that is passed. Where a contract does not speak of all that is written, a kernel is like itself
/// alone.
///
/// Two steps of one name are held to be the same: no contract says what a step is, and known answers judge it.
pub(crate) fn difference(kernel: &Kernel, other: &Kernel) -> Option<&'static str> {
    let params = |k: &Kernel| k.params().map(|a| (a, k.array(a).clone())).collect::<Vec<_>>();
    let pairs = |k: &Kernel| -> Vec<(Array, Array)> {
        let all: Vec<Array> = k.visible().collect();
        all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b).collect()
    };
    if kernel == other {
        return None;
    }
    if kernel.word != other.word || params(kernel) != params(other) {
        return Some("whose parameters are not those");
    }
    if kernel.contract != other.contract {
        return Some("whose contract is not that");
    }
    if leaves_open(kernel) {
        return Some("whose contract leaves open a result");
    }
    if pairs(kernel).into_iter().any(|(a, b)| kernel.may_alias(a, b) && !other.may_alias(a, b)) {
        return Some("which takes fewer arrays twice than that");
    }
    (other.vartime && !kernel.vartime).then_some("whose time depends on data, unlike that")
}

/// Is there an element that a caller sees written, and of which nothing is promised?
fn leaves_open(kernel: &Kernel) -> bool {
    let digits = kernel.contract.claims.iter().flat_map(|claim| &claim.output().digits);
    let promised: HashSet<(Array, u32)> = digits.map(|digit| (digit.array, digit.index)).collect();
    let mut written = kernel.visible().filter(|a| kernel.array(*a).is_written());
    written.any(|a| (0..kernel.array(a).len).any(|i| !promised.contains(&(a, i))))
}

#[cfg(test)]
mod tests;
