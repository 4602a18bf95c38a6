//! Quotients by N: rules 1 to 4, 6 and 8 of the [forms](super). **Trusted.**

use super::{Atom, AtomId, Lin, Linear, Terms};

impl Terms {
    /// `⌊L / N⌋`.
    pub fn over(&mut self, l: Lin) -> Lin {
        let (then, over) = self.over_then[l.0 as usize];
        let now = self.facts;
        if then == now {
            return over;
        }
        let over = self.over_now(l);
        self.over_then[l.0 as usize] = (now, over);
        over
    }

    fn over_now(&mut self, l: Lin) -> Lin {
        let (reduced, rest) = self.reduce(l);
        let n = self.n();
        let floor = |x: i128| x.div_euclid(n);
        if let Some(c) = self.as_constant(reduced) {
            return self.sum(&[(rest, 1)], floor(c));
        }
        let bounds = self.bounds(reduced).map(|(lo, hi)| (floor(lo), floor(hi)));
        if let Some((lo, hi)) = bounds
            && lo == hi
        {
            return self.sum(&[(rest, 1)], lo);
        }
        if let Some(sign) = self.signs.get(&reduced).copied() {
            return self.sum(&[(rest, 1), (sign, 1)], 0);
        }
        if let Some((flag, at0, at1)) = self.flag_cases(reduced) {
            return self.sum(&[(rest, 1), (flag.0, floor(at1) - floor(at0))], floor(at0));
        }
        if self.is_flipped(reduced) {
            let flipped = self.sum(&[(reduced, -1)], -1);
            let (flipped, more) = self.reduce(flipped);
            let kept = self.over_kept(flipped);
            return self.sum(&[(rest, 1), (more, -1), (kept, -1)], -1);
        }
        let kept = self.over_kept(reduced);
        self.sum(&[(rest, 1), (kept, 1)], 0)
    }

    /// For a form between −2^n and 2^n − 1: `⌊2^s·L / N⌋` is its sign, −1 or 0, for every s up to w − n, and for
    /// greater ones where `−N ≤ 2^s·L < N`. Keeps the same form of it for those that a difference of n bits and its
    /// bits are read by.
    pub fn keep_sign(&mut self, l: Lin, n: u32) {
        let Some((lo, hi)) = self.bounds(l).filter(|(lo, hi)| n < self.w && *lo >= -(1 << n) && *hi < 1 << n) else {
            return;
        };
        let sign = match (lo < 0, hi < 0) {
            (false, _) => self.constant(0),
            (_, true) => self.constant(-1),
            _ => {
                // Where the greater part of L is a multiple of 2^n, that says it.
                let scaled = self.sum(&[(l, 1 << (self.w - n))], 0);
                let (reduced, rest) = self.reduce(scaled);
                let top = self.n();
                match (self.bounds(reduced), self.signs.get(&reduced).copied()) {
                    (Some((lo, hi)), _) if lo.div_euclid(top) == hi.div_euclid(top) => {
                        self.sum(&[(rest, 1)], lo.div_euclid(top))
                    }
                    // Or that of a difference which differs from this one by a multiple of 2^n: borrows of borrows.
                    (_, Some(known)) => self.sum(&[(rest, 1), (known, 1)], 0),
                    _ => self.over(l),
                }
            }
        };
        let top = self.n();
        for s in [0, 1, self.w - n, self.w - n + 1] {
            if -top <= lo << s && hi << s < top {
                let scaled = self.sum(&[(l, 1 << s)], 0);
                let (reduced, rest) = self.reduce(scaled);
                let over = self.sum(&[(sign, 1), (rest, -1)], 0);
                self.facts += u64::from(self.signs.insert(reduced, over) != Some(over));
            }
        }
    }

    /// `L = H + r` with H a multiple of 2^s and `0 ≤ r < 2^s`, for the greatest s for which the bounds of atoms say so:
    /// H, where r is not just 0.
    fn without_low(&mut self, reduced: Lin) -> Option<Lin> {
        let form = self.form(reduced);
        let mut powers: Vec<u32> =
            form.parts.iter().map(|p| p.1.trailing_zeros()).filter(|s| *s > 0 && *s <= self.w).collect();
        powers.sort_unstable();
        powers.dedup();
        for s in powers.into_iter().rev() {
            // Bounds of the constant and of the parts that are no multiples of 2^s.
            let small = |p: &&(AtomId, i128)| p.1.trailing_zeros() < s;
            let low = self.bounds_of(form.constant, form.parts.iter().filter(small));
            let Some((lo, hi)) = low.filter(|(lo, hi)| lo >> s == hi >> s) else { continue };
            if lo == hi && lo.trailing_zeros() >= s {
                // Nothing lies below.
                return None;
            }
            let parts: Vec<_> = form.parts.iter().filter(|p| !small(p)).copied().collect();
            return Some(self.intern(Linear { constant: lo >> s << s, parts: &parts }));
        }
        None
    }

    /// `⌊L / N⌋` of a reduced form of which no rule settles the value.
    fn over_kept(&mut self, reduced: Lin) -> Lin {
        if let Some(high) = self.without_low(reduced) {
            return self.over(high);
        }
        let form = self.form(reduced);
        if let (side @ (-1 | 1), &[(a, 1)]) = (form.constant, form.parts)
            && let Atom::Xor(p, q) = self.atoms[a as usize]
        {
            // −1 where p = q, else 0; or 1 where p = not q, else 0: which their difference says as well.
            let q = if side == 1 { self.not(q, self.w) } else { q };
            let difference = self.sub(p, q, self.w);
            let differ = self.nonzero(difference);
            return self.sum(&[(differ.0, -side)], side);
        }
        let n = self.n();
        let bounds = self.bounds(reduced).map(|(lo, hi)| (lo.div_euclid(n), hi.div_euclid(n)));
        self.make(Atom::Over(reduced), bounds)
    }

    /// Is the complement `−1 − L` the form that is kept? By the sign of the newest atom's coefficient; −N/2 has no
    /// opposite.
    pub fn is_flipped(&self, reduced: Lin) -> bool {
        self.form(reduced).parts.last().is_some_and(|p| p.1 < 0 && p.1 != -self.n() / 2)
    }
}
