//! Products of flags and forms: rule 5 of the [forms](super). **Trusted.**

use super::{Atom, AtomId, Flag, Lin, Linear, Terms};

/// Forms longer than this are not multiplied out by a flag.
const LONG: usize = 24;

impl Terms {
    /// `flag · form`.
    pub fn times(&mut self, flag: Flag, l: Lin) -> Lin {
        let f = self.form(flag.0);
        match (f.parts.last(), f.constant) {
            (None, 0) => return self.constant(0),
            (None, _) => return l,
            (Some((_, k)), _) if *k < 0 => {
                let other = self.complement(flag);
                let product = self.times(other, l);
                return self.sum(&[(l, 1), (product, -1)], 0);
            }
            _ => {}
        }
        if let Some((other, at0, at1)) = self.flag_cases(l) {
            if other == flag {
                return self.sum(&[(flag.0, at1)], 0);
            }
            let both = self.multiply_out(flag.min(other), flag.max(other).0);
            return match at1.checked_sub(at0) {
                Some(step) => self.sum(&[(flag.0, at0), (both, step)], 0),
                None => {
                    self.poison("a coefficient leaves 126 bits");
                    flag.0
                }
            };
        }
        self.multiply_out(flag, l)
    }

    fn multiply_out(&mut self, flag: Flag, l: Lin) -> Lin {
        let Linear { constant, parts } = self.form(l);
        let (sign, long) = (parts.last().map_or(1, |p| p.1.signum()), parts.len() > LONG);
        if !long && let Some(product) = self.multiplied_out(flag, l) {
            return product;
        }
        let positive = self.sum(&[(l, sign)], -sign * constant);
        let product = self.times_long(flag, positive);
        // (Of a long flag the constant stays within.)
        self.try_sum(&[(product, sign), (flag.0, constant)], 0).unwrap_or_else(|| self.times_long(flag, l))
    }

    fn times_long(&mut self, flag: Flag, l: Lin) -> Lin {
        let bounds = self.bounds(l).map(|(lo, hi)| (lo.min(0), hi.max(0)));
        self.make(Atom::TimesLong(flag, l), bounds)
    }

    /// `flag · form`, atom by atom; `None`: what these products were found to be has coefficients that are too long.
    fn multiplied_out(&mut self, flag: Flag, l: Lin) -> Option<Lin> {
        let (constant, parts) = (self.form(l).constant, self.form(l).parts.to_vec());
        let mut terms = vec![(flag.0, constant)];
        terms.extend(parts.into_iter().map(|(a, k)| (self.times_atom(flag, a), k)));
        self.try_sum(&terms, 0)
    }

    fn times_atom(&mut self, flag: Flag, a: AtomId) -> Lin {
        let f = self.form(flag.0);
        if let (c, &[(b, 1)]) = (f.constant, f.parts)
            && a == b
        {
            // f = c + b: f·b = f·f − c·f.
            return self.sum(&[(flag.0, 1 - c)], 0);
        }
        if let Atom::Times(other, inner) = self.atoms[a as usize] {
            if other == flag {
                return self.atom_form(a);
            }
            if flag < other {
                let product = self.times_atom(flag, inner);
                return self.times(other, product);
            }
        }
        let bounds = self.bounds[a as usize].map(|(lo, hi)| (lo.min(0), hi.max(0)));
        self.make(Atom::Times(flag, a), bounds)
    }
}
