//! All atoms once more, with what was learned since they were made. **Trusted.**

use super::calls::Call;
use super::terms::{Atom, Flag, Lin, Terms, Word};

impl Terms {
    /// Every atom made again, with what is known by now: atom ↦ form. Atoms are made of older ones, so one pass in
    /// their order is enough.
    pub fn rebuild(&mut self) -> Vec<Lin> {
        let mut new: Vec<Lin> = Vec::new();
        for a in 0..self.size().1 {
            let made = self.renewed_atom(a as u32, &new);
            new.push(made);
        }
        new
    }

    /// A form of the atoms that were made again.
    fn renewed_form(&mut self, l: Lin, new: &[Lin]) -> Lin {
        let form = self.form(l);
        let (constant, parts) = (form.constant, form.parts.iter().map(|(a, k)| (new[*a as usize], *k)));
        self.sum(&parts.collect::<Vec<_>>(), constant)
    }

    /// The word with each atom replaced by what it is now.
    pub fn renewed(&mut self, x: Word, new: &[Lin]) -> Word {
        let l = self.renewed_form(x.0, new);
        self.word(l)
    }

    /// An atom made again; `new`: those before it.
    fn renewed_atom(&mut self, a: u32, new: &[Lin]) -> Lin {
        let atom = self.atom(a);
        match atom {
            Atom::Unknown(_) => self.atom_form(a),
            Atom::Over(l) => {
                let l = self.renewed_form(l, new);
                self.over(l)
            }
            Atom::MulLo(x, y) | Atom::MulHi(x, y) => {
                let (x, y) = (self.renewed(x, new), self.renewed(y, new));
                let (lo, hi) = self.mul(x, y);
                self.int(if matches!(atom, Atom::MulLo(..)) { lo } else { hi })
            }
            Atom::PartLo(k, x, y) | Atom::PartHi(k, x, y) => {
                let (x, y) = (self.renewed(x, new), self.renewed(y, new));
                let (lo, hi) = self.halves(x, y, u32::from(k));
                self.int(if matches!(atom, Atom::PartLo(..)) { lo } else { hi })
            }
            Atom::ClmulLo(x, y) | Atom::ClmulHi(x, y) => {
                let (x, y) = (self.renewed(x, new), self.renewed(y, new));
                let (lo, hi) = self.clmul(x, y);
                self.int(if matches!(atom, Atom::ClmulLo(..)) { lo } else { hi })
            }
            Atom::RijndaelMul(x, y) => {
                let (x, y) = (self.renewed(x, new), self.renewed(y, new));
                let z = self.rijndael_mul(x, y);
                self.int(z)
            }
            Atom::BitMatrix(_, x) | Atom::LookUp(_, x) => {
                let x = self.renewed(x, new);
                let z = self.by_constants(atom, x);
                self.int(z)
            }
            Atom::And(x, y) | Atom::Xor(x, y) => {
                let (x, y) = (self.renewed(x, new), self.renewed(y, new));
                let z = if matches!(atom, Atom::And(..)) { self.and(x, y) } else { self.xor(x, y) };
                self.int(z)
            }
            Atom::Float(op, x, y, z) => {
                let [x, y, z] = [x, y, z].map(|x| self.renewed(x, new));
                let made = self.float(op, x, y, z);
                self.int(made)
            }
            Atom::Result(call, i) => {
                let (bounds, call) = (self.atom_bounds(a), self.calls[call as usize].clone());
                let inputs = call.inputs.iter().map(|x| self.renewed(*x, new)).collect();
                let call = self.call(Call { inputs, ..call });
                self.result(call, i, bounds)
            }
            Atom::Times(f, b) => {
                let f = self.renewed_flag(f, new);
                self.times(f, new[b as usize])
            }
            Atom::TimesLong(f, l) => {
                let f = self.renewed_flag(f, new);
                let l = self.renewed_form(l, new);
                self.times(f, l)
            }
        }
    }

    /// The same map or table at another word.
    fn by_constants(&mut self, atom: Atom, x: Word) -> Word {
        match atom {
            Atom::BitMatrix(images, _) => self.bit_matrix(images, x),
            Atom::LookUp(table, _) => {
                let entries = self.table(table).to_vec();
                self.look_up(&entries, x)
            }
            _ => x,
        }
    }

    fn renewed_flag(&mut self, f: Flag, new: &[Lin]) -> Flag {
        let l = self.renewed_form(f.0, new);
        self.flag(l)
    }
}
