//! The kernel of a program on registers of four words: what each instruction computes, word by word, as the manual says, or
//! read wrongly.

use std::array::from_fn;
use std::sync::Arc;

use evariste_codegen::x86_64::{Address, Base, Gpr, Inst, Opcode, Operand, Vector};
use evariste_ir::{Array, Builder, Type, Value, View};

use super::{OF_TABLES, POINTERS, SLOTS, Source, sum_of_two};

type Four = [Value; 4];

/// A kernel in the making: what registers, stack and arrays hold.
pub struct Reading<'s> {
    pub b: Builder,
    pub source: &'s Source,
    pub tables: [Array; 2],
    pub memory: [Vec<Option<Value>>; 3],
    pub registers: [Option<Four>; 16],
    pub slots: [Option<Four>; SLOTS],
    pub counter: usize,
}

impl Reading<'_> {
    /// A word of an array.
    fn element(&self, a: Address) -> Option<(usize, usize)> {
        let array = POINTERS.iter().position(|p| a.base == Base::Register(*p))?;
        Some((array, a.displacement as usize / 8 + a.index.map_or(0, |_| self.counter)))
    }

    fn loaded(&mut self, a: Address) -> Option<Value> {
        if a.base == Base::Constants {
            return Some(self.b.word_constant(self.source.constants[a.displacement as usize / 8 - OF_TABLES]));
        }
        let (array, i) = self.element(a)?;
        *self.memory[array].get(i)?
    }

    fn four(&self, operand: Operand) -> Option<Four> {
        match operand {
            Operand::Vector(r) => self.registers[usize::from(r)],
            Operand::Memory(a) if a.base == Base::Register(Gpr::Rsp) => self.slots[a.displacement as usize / 32],
            _ => None,
        }
    }

    pub fn call(&mut self, to: usize, array: usize, from: usize, wrong: Option<usize>) -> Option<()> {
        let of = |i: usize| self.memory[array][i];
        let (x0, x1) = match wrong {
            None => (of(from)?, of(from + 1)?),
            Some(0) => (of(from + 1)?, of(from)?),
            Some(1) => (of(from)?, of(from)?),
            Some(_) => return None,
        };
        let callee = self.b.callee(Arc::new(sum_of_two()));
        let full = Type::Word(64).full();
        let n = self.b.kernel().arrays.len();
        let (x, y) = (self.b.local(format!("x{n}"), 2, full.clone()), self.b.local(format!("y{n}"), 1, full));
        self.b.store_all(x, &[x0, x1]);
        self.b.call(callee, vec![View::whole(y), View::whole(x)]);
        self.memory[0][to] = Some(self.b.load(y, 0u32));
        self.registers = [None; 16];
        Some(())
    }

    pub fn run(&mut self, inst: &Inst, wrong: Option<usize>) -> Option<()> {
        let Opcode::Vector(op, _) = inst.op else { return None };
        let operands: Vec<Operand> = inst.operands().collect();
        match (op, operands.as_slice()) {
            (Vector::ZeroUpper, _) if wrong.is_none() => self.registers = [None; 16],
            (Vector::MoveLowest, [Operand::Memory(a), from]) => {
                let word = match wrong {
                    None => 0,
                    Some(how) => *[1, 2, 3].get(how)?,
                };
                let (array, i) = self.element(*a)?;
                *self.memory[array].get_mut(i)? = Some(self.four(*from)?[word]);
            }
            (Vector::Move, [Operand::Memory(a), from]) => {
                let place = a.displacement as usize / 32;
                // Half of it stays, or it goes elsewhere.
                let (four, old) = (self.four(*from)?, self.slots[place]);
                match wrong {
                    None => self.slots[place] = Some(four),
                    Some(0) => self.slots[(place + 1) % SLOTS] = Some(four),
                    Some(1) => self.slots[place] = Some(old.map_or(four, |old| [four[0], four[1], old[2], old[3]])),
                    Some(_) => return None,
                }
            }
            (_, [Operand::Vector(d), rest @ ..]) => {
                let four = self.made(op, inst.bits, *d, rest, wrong)?;
                self.registers[usize::from(*d)] = Some(four);
            }
            _ => return None,
        }
        Some(())
    }

    /// The words that an instruction leaves in a register.
    fn made(&mut self, op: Vector, bits: u8, d: u8, from: &[Operand], wrong: Option<usize>) -> Option<Four> {
        let old = self.registers[usize::from(d)];
        if let (Vector::MoveLowest | Vector::Broadcast, [Operand::Memory(a)]) = (op, from) {
            let (x, zero) = (self.loaded(*a)?, self.b.word_constant(0));
            let alone = [x, zero, zero, zero];
            return Some(match (op, wrong) {
                (Vector::MoveLowest, None) | (Vector::Broadcast, Some(0)) => alone,
                (Vector::MoveLowest, Some(0)) | (Vector::Broadcast, None) => [x; 4],
                // It leaves what was above, or half of that.
                (Vector::MoveLowest, Some(1)) => old.map_or(alone, |old| [x, old[1], old[2], old[3]]),
                (Vector::MoveLowest, Some(2)) => old.map_or(alone, |old| [x, zero, old[2], old[3]]),
                (Vector::Broadcast, Some(1)) => [x, x, zero, zero],
                (_, Some(3)) if a.base != Base::Constants => {
                    let x = self.loaded(Address { displacement: a.displacement + 8, ..*a })?;
                    if op == Vector::Broadcast { [x; 4] } else { [x, zero, zero, zero] }
                }
                _ => return None,
            });
        }
        let x = self.four(from[0])?;
        let y = match from.get(1) {
            Some(Operand::Memory(Address { base: Base::Constants, .. })) | None => x,
            Some(operand) => self.four(*operand)?,
        };
        match (op, wrong) {
            (Vector::Move, None) => return Some(x),
            (Vector::Move, Some(0)) => return Some(old.map_or(x, |old| [x[0], x[1], old[2], old[3]])),
            (Vector::Move, Some(1)) => return Some([x[2], x[3], x[0], x[1]]),
            (Vector::Move, _) => return None,
            (Vector::PermuteWords(places), _) => return permuted(places, x, wrong),
            (Vector::BlendWords(words), _) => return blended(words, x, y, wrong),
            _ => {}
        }
        let table = match from.get(1) {
            Some(Operand::Memory(a)) if a.base == Base::Constants => Some(self.tables[a.displacement as usize / 32]),
            _ => None,
        };
        let mut words = Vec::new();
        for l in 0..4 {
            let (x, y, l) = match wrong {
                Some(0) => (x[l], y[(l + 1) % 4], l),
                Some(1) => (x[0], y[0], 0),
                Some(2) => (x[l & 2], y[l & 2], l & 2),
                _ => (x[l], y[l], l),
            };
            let old = old.map(|old| old[l]);
            words.push(self.word(op, bits, (old, x, y, table), wrong.filter(|how| *how > 2))?);
        }
        words.try_into().ok()
    }

    fn halves(&mut self, x: Value) -> [Value; 2] {
        let halves = self.b.split(x, 32);
        [halves[0], halves[1]]
    }

    /// One word of the result.
    fn word(
        &mut self,
        op: Vector,
        bits: u8,
        (old, x, y, table): (Option<Value>, Value, Value, Option<Array>),
        wrong: Option<usize>,
    ) -> Option<Value> {
        // Wrong: elements of the other size, or the operands exchanged.
        let other_size = matches!(op, Vector::Add | Vector::Sub | Vector::Greater | Vector::Shl(_) | Vector::Shr(_));
        let (bits, wrong) = match wrong {
            Some(3) if other_size => (96 - bits, None),
            other => (bits, other),
        };
        let exchanged = matches!(op, Vector::Sub | Vector::AndNot | Vector::Greater | Vector::BlendHalves(_));
        let (x, y, wrong) = if wrong == Some(4) && exchanged { (y, x, None) } else { (x, y, wrong) };
        match (op, wrong) {
            (Vector::MaddLow | Vector::MaddHigh, _) => return self.product_of_52((op, wrong), old?, x, y),
            (Vector::Shl(k) | Vector::Shr(k) | Vector::Sar(k), _) if k >= bits => return None,
            _ => {}
        }
        if bits == 64 && !matches!(op, Vector::MulHalf | Vector::LookUpHalves) {
            return self.element_of(op, 64, x, y, wrong);
        }
        let ([x0, x1], [y0, y1]) = (self.halves(x), self.halves(y));
        let both = match (op, wrong) {
            (Vector::CopyLow, None) | (Vector::CopyHigh, Some(3)) => [x0, x0],
            (Vector::CopyHigh, None) | (Vector::CopyLow, Some(3)) => [x1, x1],
            (Vector::CopyLow | Vector::CopyHigh, Some(4)) => [x1, x0],
            (Vector::BlendHalves(true), None) | (Vector::BlendHalves(false), Some(3)) => [x0, y1],
            (Vector::BlendHalves(false), None) | (Vector::BlendHalves(true), Some(3)) => [y0, x1],
            (Vector::MulHalf, Some(3)) => return Some(self.b.wrapping_mul(x, y)),
            (Vector::MulHalf, None | Some(4)) => {
                let [p, q] = if wrong.is_none() { [x0, y0] } else { [x1, y1] }.map(|z| self.b.widen(z, Type::Word(64)));
                return Some(self.b.mul(p, q));
            }
            (Vector::LookUpHalves, how) => {
                let table = match how {
                    Some(5) => self.tables[usize::from(Some(self.tables[0]) == table)],
                    _ => table?,
                };
                let found = [x0, x1].map(|half| {
                    let cut = if how == Some(3) { 2 } else { 3 };
                    let half = self.b.widen(half, Type::Word(64));
                    let half = if how == Some(6) { self.b.shr(half, 1u32) } else { half };
                    let index = self.b.low_bits(half, cut);
                    let found = self.b.lookup(table, index);
                    self.b.narrow(found, Type::Word(32))
                });
                match how {
                    None | Some(3 | 5 | 6) => found,
                    Some(4) => [found[1], found[0]],
                    Some(_) => return None,
                }
            }
            (_, Some(5)) => [self.element_of(op, 32, x0, y0, None)?, self.b.zero(Type::Word(32))],
            (_, Some(6)) => [self.element_of(op, 32, x0, y0, None)?, x1],
            _ => [self.element_of(op, 32, x0, y0, wrong)?, self.element_of(op, 32, x1, y1, wrong)?],
        };
        Some(self.b.join(&both, Type::Word(64)))
    }

    fn product_of_52(&mut self, how: (Vector, Option<usize>), old: Value, x: Value, y: Value) -> Option<Value> {
        let b = &mut self.b;
        let zero = b.word_constant(0);
        let (low, high) = (b.madd_lo(52, zero, x, y), b.madd_hi(52, zero, x, y));
        let (right, other) = if how.0 == Vector::MaddLow { (low, high) } else { (high, low) };
        Some(match how.1 {
            None => b.wrapping_add(old, right),
            Some(3) => b.wrapping_add(old, other),
            Some(4) => right,
            // The sum before is cut, the sum is, or one factor's bits above are what is multiplied.
            Some(5) => {
                let old = b.low_bits(old, 52);
                b.add(old, right)
            }
            Some(6) => {
                let sum = b.wrapping_add(old, right);
                b.low_bits(sum, 52)
            }
            Some(_) => return None,
        })
    }

    /// A result of elements of n bits.
    fn element_of(&mut self, op: Vector, n: u8, x: Value, y: Value, wrong: Option<usize>) -> Option<Value> {
        let (b, ty) = (&mut self.b, Type::Word(n));
        let [zero, ones, half] = [0, u64::MAX >> (64 - n), 1 << (n - 1)].map(|c: u64| b.constant(ty, c));
        Some(match (op, wrong) {
            (Vector::Add, None) => b.wrapping_add(x, y),
            (Vector::Sub, None) => b.wrapping_sub(x, y),
            (Vector::And, None) => b.and(x, y),
            (Vector::Or, None) => b.or(x, y),
            (Vector::Xor, None) => b.xor(x, y),
            (Vector::AndNot, None) => b.and_not(y, x),
            (Vector::MulLow, None) => b.wrapping_mul(x, y),
            (Vector::MulLow, Some(3)) => b.mul_wide(x, y).1,
            (Vector::Shl(k), None) | (Vector::Shr(k), Some(5)) => b.wrapping_shl(x, u32::from(k)),
            (Vector::Shr(k), None) | (Vector::Sar(k), Some(4)) | (Vector::Shl(k), Some(5)) => b.shr(x, u32::from(k)),
            (Vector::Sar(k), None) | (Vector::Shr(k), Some(4)) => b.sar(x, u32::from(k)),
            (Vector::Shl(k), Some(4)) => b.rotate(x, u32::from(k)),
            // The other one, or by the signed readings.
            (Vector::Lesser, None | Some(3 | 4)) => {
                let [p, q] = [x, y].map(|z| if wrong == Some(4) { b.wrapping_sub(z, half) } else { z });
                let less = b.less(q, p);
                if wrong == Some(3) { b.select(less, x, y) } else { b.select(less, y, x) }
            }
            // Of the signed readings; or of those without a sign, or at least.
            (Vector::Greater, None | Some(5 | 6)) => {
                let [p, q] = [x, y].map(|z| if wrong == Some(5) { z } else { b.wrapping_sub(z, half) });
                if wrong == Some(6) {
                    let less = b.less(p, q);
                    b.select(less, zero, ones)
                } else {
                    let less = b.less(q, p);
                    b.select(less, ones, zero)
                }
            }
            _ => return None,
        })
    }
}

/// Words of other places; or each goes to the place that is named, or they are named from the top.
fn permuted(places: u8, x: Four, wrong: Option<usize>) -> Option<Four> {
    let place = |l: usize| usize::from(places >> (2 * l) & 3);
    match wrong {
        None => Some(from_fn(|l| x[place(l)])),
        Some(0) => {
            let mut moved = x;
            (0..4).for_each(|l| moved[place(l)] = x[l]);
            Some(moved)
        }
        Some(1) => Some(from_fn(|l| x[place(3 - l)])),
        // Within each pair.
        Some(2) => Some(from_fn(|l| x[l & 2 | place(l) & 1])),
        Some(_) => None,
    }
}

/// Words of one or the other register.
fn blended(words: u8, x: Four, y: Four, wrong: Option<usize>) -> Option<Four> {
    let bit = |l: usize| words >> l & 1 == 1;
    let of = |l: usize, second: bool| if second { y[l] } else { x[l] };
    match wrong {
        None => Some(from_fn(|l| of(l, bit(l)))),
        Some(0) => Some(from_fn(|l| of(l, !bit(l)))),
        Some(1) => Some(from_fn(|l| of(l, bit(3 - l)))),
        Some(2) => Some(from_fn(|l| of(l, bit(l / 2)))),
        Some(_) => None,
    }
}
