//! The arrays that kernel and program share, element by element. **Trusted.**

use evariste_ir::{ArrayKind, Kernel, Type};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::terms::{Terms, Word};

/// The parameters' arrays under one pattern of aliasing: parameters of one class are the same memory.
#[derive(Clone)]
pub struct Arrays {
    /// Parameter → class.
    pub class: Vec<usize>,
    /// Class → elements; `None`: undefined until it is written.
    pub elements: Vec<Vec<Option<Word>>>,
    /// Class → was the element written?
    pub written: Vec<Vec<bool>>,
}

impl Arrays {
    /// Every element that the contract lets the kernel read is an unknown within its range. A class of several parameters has one set of unknowns,
    /// within the ranges of each. Groups of elements lie one after the other.
    pub fn new(terms: &mut Terms, kernel: &Kernel, class: &[usize], groups: u32) -> Arrays {
        let params: Vec<_> = kernel.params().collect();
        let mut arrays = Arrays { class: class.to_vec(), elements: vec![Vec::new(); params.len()], written: vec![Vec::new(); params.len()] };
        for (p, a) in params.iter().enumerate() {
            let info = kernel.array(*a);
            let elements = &mut arrays.elements[class[p]];
            let len = info.len as usize * groups as usize;
            elements.resize(len, None);
            arrays.written[class[p]].resize(len, false);
            if !matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
                continue;
            }
            for (i, element) in elements.iter_mut().enumerate() {
                let (lo, hi) = unsigned_bounds(terms, kernel, info.ty, info.range(i as u32 % info.len.max(1)));
                match element {
                    Some(word) => terms.bound_word(*word, lo, hi),
                    None => {
                        let unknown = terms.unknown(lo, hi);
                        *element = Some(terms.word(unknown));
                    }
                }
            }
        }
        arrays
    }
}

/// Is the kernel bit-sliced: words of one bit, 64 lanes in a machine word?
pub fn is_sliced(kernel: &Kernel) -> bool {
    kernel.word == 1
}

/// Bounds of a value's pattern: its interval, where that is not negative and the type is a word of several bits.
fn unsigned_bounds(terms: &Terms, kernel: &Kernel, ty: Type, range: &evariste_ir::Interval) -> (i128, i128) {
    let top = if is_sliced(kernel) { terms.n() - 1 } else { (1i128 << ty.bits().min(64)) - 1 };
    bounds_of(range).filter(|_| !is_sliced(kernel)).map_or((0, top), |(lo, hi)| (lo.min(top), hi.min(top)))
}

/// An interval of numbers that are not negative and fit 64 bits.
pub fn bounds_of(range: &evariste_ir::Interval) -> Option<(i128, i128)> {
    if range.lo.is_negative() {
        return None;
    }
    let cut = |x: &BigInt| x.to_u64().map(i128::from);
    Some((cut(&range.lo)?, cut(&range.hi)?))
}
