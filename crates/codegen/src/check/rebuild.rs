//! All atoms once more, with what was learned since they were made. **Trusted.**

use super::calls::Call;
use super::terms::{Atom, Lin, Terms, Word};

impl Terms {
    /// Every atom made again, with what is known by now: atom ↦ form. Atoms are made of older ones, so one pass in
    /// their order is enough.
    pub fn rebuild(&mut self) -> Vec<Lin> {
        let mut new: Vec<Lin> = Vec::new();
        for a in 0..self.size().1 {
            let renewed = |terms: &mut Terms, l: Lin, new: &[Lin]| {
                let form = terms.form(l).clone();
                let parts: Vec<(Lin, i128)> = form.parts.iter().map(|(a, k)| (new[*a as usize], *k)).collect();
                terms.sum(&parts, form.constant)
            };
            let word = |terms: &mut Terms, x: Word, new: &[Lin]| {
                let l = renewed(terms, x.0, new);
                terms.word(l)
            };
            let atom = self.atom(a as u32);
            let made = match atom {
                Atom::Unknown(_) => self.atom_form(a as u32),
                Atom::Over(l) => {
                    let l = renewed(self, l, &new);
                    self.over(l)
                }
                Atom::MulLo(x, y) | Atom::MulHi(x, y) => {
                    let (x, y) = (word(self, x, &new), word(self, y, &new));
                    let (lo, hi) = self.mul(x, y);
                    self.int(if matches!(atom, Atom::MulLo(..)) { lo } else { hi })
                }
                Atom::PartLo(k, x, y) | Atom::PartHi(k, x, y) => {
                    let (x, y) = (word(self, x, &new), word(self, y, &new));
                    let (lo, hi) = self.halves(x, y, u32::from(k));
                    self.int(if matches!(atom, Atom::PartLo(..)) { lo } else { hi })
                }
                Atom::ClmulLo(x, y) | Atom::ClmulHi(x, y) => {
                    let (x, y) = (word(self, x, &new), word(self, y, &new));
                    let (lo, hi) = self.clmul(x, y);
                    self.int(if matches!(atom, Atom::ClmulLo(..)) { lo } else { hi })
                }
                Atom::RijndaelMul(x, y) => {
                    let (x, y) = (word(self, x, &new), word(self, y, &new));
                    let z = self.rijndael_mul(x, y);
                    self.int(z)
                }
                Atom::BitMatrix(images, x) => {
                    let x = word(self, x, &new);
                    let z = self.bit_matrix(images, x);
                    self.int(z)
                }
                Atom::And(x, y) | Atom::Xor(x, y) => {
                    let (x, y) = (word(self, x, &new), word(self, y, &new));
                    let z = if matches!(atom, Atom::And(..)) { self.and(x, y) } else { self.xor(x, y) };
                    self.int(z)
                }
                Atom::Float(op, x, y, z) => {
                    let [x, y, z] = [x, y, z].map(|x| word(self, x, &new));
                    let made = self.float(op, x, y, z);
                    self.int(made)
                }
                Atom::Result(call, i) => {
                    let (bounds, call) = (self.atom_bounds(a as u32), self.calls[call as usize].clone());
                    let inputs = call.inputs.iter().map(|x| word(self, *x, &new)).collect();
                    let call = self.call(Call { inputs, ..call });
                    self.result(call, i, bounds)
                }
                Atom::Times(f, b) => {
                    let f = renewed(self, f.0, &new);
                    let f = self.flag(f);
                    self.times(f, new[b as usize])
                }
                Atom::TimesLong(f, l) => {
                    let (f, l) = (renewed(self, f.0, &new), renewed(self, l, &new));
                    let f = self.flag(f);
                    self.times(f, l)
                }
            };
            new.push(made);
        }
        new
    }
}
