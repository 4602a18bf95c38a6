//! Atoms (unknowns) and monomials: short lists of atoms, newest first.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// An unknown non-negative integer; numbered in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Atom(pub u32);

/// Greatest degree of a monomial. A product above it is refused and the question that needed it stays open.
pub const MAX_DEGREE: usize = 7;

/// A product of atoms, newest first; the empty product is 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mono {
    len: u8,
    atoms: [Atom; MAX_DEGREE],
}

impl Hash for Mono {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut pair = self.len as u64;
        for (i, a) in self.atoms().iter().enumerate() {
            pair = (pair << 32) | a.0 as u64;
            if i % 2 == 1 {
                state.write_u64(pair);
                pair = 0;
            }
        }
        state.write_u64(pair);
    }
}

impl PartialOrd for Mono {
    fn partial_cmp(&self, other: &Mono) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mono {
    fn cmp(&self, other: &Mono) -> Ordering {
        self.atoms().cmp(other.atoms())
    }
}

impl Mono {
    /// The empty product.
    pub const ONE: Mono = Mono { len: 0, atoms: [Atom(0); MAX_DEGREE] };

    /// A single atom.
    pub fn atom(a: Atom) -> Mono {
        let mut m = Mono::ONE;
        m.atoms[0] = a;
        m.len = 1;
        m
    }

    /// The atoms, newest first.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms[..self.len as usize]
    }

    /// Number of factors.
    pub fn degree(&self) -> usize {
        self.len as usize
    }

    /// The newest atom.
    pub fn newest(&self) -> Option<Atom> {
        self.atoms().first().copied()
    }

    /// Is `a` a factor?
    pub fn contains(&self, a: Atom) -> bool {
        self.atoms().contains(&a)
    }

    /// The monomial with one factor `a` removed; itself when `a` is no factor.
    pub fn without(&self, a: Atom) -> Mono {
        let mut m = Mono::ONE;
        let mut removed = false;
        for x in self.atoms() {
            if *x == a && !removed {
                removed = true;
                continue;
            }
            m.atoms[m.len as usize] = *x;
            m.len += 1;
        }
        m
    }

    /// The product, where an atom that is a flag is its own square; `None` above the greatest degree.
    pub fn times(&self, other: &Mono, is_flag: impl Fn(Atom) -> bool) -> Option<Mono> {
        if other.len == 0 {
            return Some(*self);
        }
        if self.len == 0 {
            return Some(*other);
        }
        let (a, b) = (self.atoms(), other.atoms());
        let (mut i, mut j) = (0, 0);
        let mut m = Mono::ONE;
        while i < a.len() || j < b.len() {
            let next = if j == b.len() || (i < a.len() && a[i] >= b[j]) {
                i += 1;
                a[i - 1]
            } else {
                j += 1;
                b[j - 1]
            };
            if m.len > 0 && m.atoms[m.len as usize - 1] == next && is_flag(next) {
                continue;
            }
            if m.len as usize == MAX_DEGREE {
                return None;
            }
            m.atoms[m.len as usize] = next;
            m.len += 1;
        }
        Some(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_sorted_and_flags_idempotent() {
        let flag = |a: Atom| a.0 == 5;
        let m = Mono::atom(Atom(5)).times(&Mono::atom(Atom(9)), flag).unwrap();
        assert_eq!(m.atoms(), [Atom(9), Atom(5)]);
        let square = m.times(&m, flag).unwrap();
        assert_eq!(square.atoms(), [Atom(9), Atom(9), Atom(5)]);
        assert_eq!(square.without(Atom(9)), m);
        let mut high = m;
        for _ in 0..5 {
            high = high.times(&Mono::atom(Atom(9)), flag).unwrap();
        }
        assert!(high.times(&Mono::atom(Atom(1)), flag).is_none());
    }
}
