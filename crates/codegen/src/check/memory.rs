//! The arrays that kernel and program share, element by element. **Trusted.**

use evariste_ir::{Array, ArrayKind, Kernel, Type};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::mixer::Map;
use super::terms::{Terms, Word};

/// Elements of parameters that alone are what their array holds at the start: what they are in one pattern of aliasing
/// they are in all.
pub(super) type Unknowns = Map<(usize, usize), Word>;

/// The parameters' arrays under one pattern of aliasing: parameters of one class are the same memory.
#[derive(Clone)]
pub struct Arrays {
    /// Parameter → class.
    pub class: Vec<usize>,
    /// Class → elements; `None`: undefined until it is written.
    pub elements: Vec<Vec<Option<Word>>>,
}

impl Arrays {
    /// Every element that the contract lets the kernel read is an unknown within its range. A class of several
    /// parameters has one set of unknowns, within the ranges of each. Elements that are followed side by side lie one
    /// after the other.
    pub(super) fn new(
        terms: &mut Terms,
        unknowns: &mut Unknowns,
        kernel: &Kernel,
        class: &[usize],
        followed: u32,
    ) -> Arrays {
        let params: Vec<_> = kernel.params().collect();
        let mut arrays = Arrays { class: class.to_vec(), elements: vec![Vec::new(); params.len()] };
        for (p, a) in params.iter().enumerate() {
            let info = kernel.array(*a);
            let elements = &mut arrays.elements[class[p]];
            elements.resize(info.len as usize * followed as usize, None);
            let read = |a: &Array| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut);
            if !read(a) {
                continue;
            }
            let alone = params.iter().zip(class).filter(|(b, c)| read(b) && **c == class[p]).count() == 1;
            for (i, element) in elements.iter_mut().enumerate() {
                let (lo, hi) = unsigned_bounds(terms, kernel, info.ty, info.range(i as u32 % info.len.max(1)));
                match element {
                    Some(word) => terms.bound_word(*word, lo, hi),
                    None => {
                        let known = unknowns.get(&(p, i)).copied().filter(|_| alone);
                        let word = known.unwrap_or_else(|| {
                            let unknown = terms.unknown(lo, hi);
                            terms.word(unknown)
                        });
                        if alone {
                            unknowns.insert((p, i), word);
                        }
                        *element = Some(word);
                    }
                }
            }
        }
        arrays
    }

    /// So many groups of these elements, one after the other, all of them of the same unknowns: for a machine that lets
    /// no two groups meet.
    pub fn repeated(&self, groups: u32) -> Arrays {
        Arrays {
            class: self.class.clone(),
            elements: self.elements.iter().map(|elements| elements.repeat(groups as usize)).collect(),
        }
    }
}

/// Is the kernel bit-sliced: words of one bit, 64 lanes in a machine word?
pub fn is_sliced(kernel: &Kernel) -> bool {
    kernel.word == 1
}

/// Whether the kernel is bit-sliced, and all that it calls alike. A sliced word stands for 64 lanes, another for one: a
/// kernel of words of one bit has nothing but bits (tables that nothing but indices read aside), and calls and is called
/// by such kernels only.
///
/// # Errors
/// A kernel in which both meet.
pub(super) fn slicing(kernel: &Kernel) -> Result<bool, String> {
    let sliced = is_sliced(kernel);
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).map(|a| a.ty);
    let one_bit = |ty: &Type| matches!(ty, Type::Word(1) | Type::Flag | Type::Mask(1));
    let other = arrays.chain(kernel.values.iter().map(|v| v.ty)).find(|ty| sliced && !one_bit(ty));
    if let Some(ty) = other {
        return Err(format!(
            "{} has words of one bit, 64 in a machine word, and a value of type {ty} among them",
            kernel.name
        ));
    }
    for callee in &kernel.callees {
        if slicing(callee)? != sliced {
            return Err(format!(
                "{} calls {}, and only one of them has words of one bit, 64 in a machine word",
                kernel.name, callee.name
            ));
        }
    }
    Ok(sliced)
}

/// Bounds of a value's pattern: its interval, where that is not negative and the type is a word of several bits.
pub(super) fn unsigned_bounds(terms: &Terms, kernel: &Kernel, ty: Type, range: &evariste_ir::Interval) -> (i128, i128) {
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
