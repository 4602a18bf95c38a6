//! Batches: the parameters of a kernel for many lanes, and the scratch space of a run.

use super::interpreter::{Interpreter, Param, Prepared};
use super::machine::{Machine, Source};
use super::program::Program;
use super::report::Report;
use crate::kernel::Array;
use crate::lanes::lane::Bits;
use crate::lanes::vectors::Cell;

enum Slots {
    Bits(Vec<Vec<Bits>>),
    U16(Vec<Vec<u16>>),
    U64(Vec<Vec<u64>>),
    U128(Vec<Vec<u128>>),
}

/// Lane vectors of every parameter element. Made by [`Interpreter::batch`] and run by the same interpreter.
pub struct Batch {
    lanes: usize,
    /// Parameters first, then the frames.
    slots: Slots,
    params: Vec<Option<Param>>,
    param_slots: u32,
}

macro_rules! with_slots {
    ($slots:expr, $s:ident => $body:expr) => {
        match $slots {
            Slots::Bits($s) => $body,
            Slots::U16($s) => $body,
            Slots::U64($s) => $body,
            Slots::U128($s) => $body,
        }
    };
}

fn vectors<L: Cell>(slots: u32, lanes: usize) -> Vec<Vec<L>> {
    vec![vec![L::default(); lanes.div_ceil(L::LANES)]; slots as usize]
}

fn get<L: Cell>(slots: &[Vec<L>], slot: usize, lane: usize) -> u128 {
    L::get(&slots[slot], lane)
}

fn set<L: Cell>(slots: &mut [Vec<L>], slot: usize, lane: usize, pattern: u128) {
    L::set(&mut slots[slot], lane, pattern);
}

fn read<L: Cell>(slots: &[Vec<L>], slot: usize, out: &mut [u64]) {
    L::read(&slots[slot], out);
}

fn read_bits<L: Cell>(slots: &[Vec<L>], slot: usize, out: &mut [u64]) {
    L::read_bits(&slots[slot], out);
}

fn write<L: Cell>(slots: &mut [Vec<L>], slot: usize, values: &[u64]) {
    L::write(&mut slots[slot], values);
}

fn fill<L: Cell>(slots: &mut [Vec<L>], slot: usize, from: usize, to: usize, value: u64) {
    L::fill(&mut slots[slot], from, to, value);
}

fn clear<L: Cell>(slots: &mut [Vec<L>]) {
    slots.iter_mut().for_each(|s| s.fill(L::default()));
}

fn run<L: Cell>(
    program: &Program<L>,
    slots: &mut [Vec<L>],
    lanes: usize,
    param_slots: u32,
    params: &[Option<Param>],
) -> Report {
    let params: Vec<Vec<Source<L>>> =
        params.iter().flatten().map(|p| (0..p.len).map(|i| Source::Slot(p.base + i)).collect()).collect();
    let mut report = Report::default();
    Machine::run(program, slots, lanes, param_slots, &params, &mut report);
    report
}

impl Batch {
    pub(super) fn new(interpreter: &Interpreter, lanes: usize, total: u32) -> Batch {
        let slots = match &interpreter.prepared {
            Prepared::Bits(_) => Slots::Bits(vectors(total, lanes)),
            Prepared::U16(_) => Slots::U16(vectors(total, lanes)),
            Prepared::U64(_) => Slots::U64(vectors(total, lanes)),
            Prepared::U128(_) => Slots::U128(vectors(total, lanes)),
        };
        Batch { lanes, slots, params: interpreter.params.clone(), param_slots: interpreter.param_slots }
    }

    /// Number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Lets a parameter share the storage of another one of the same length (an output that overwrites an input). What
    /// `output` held is lost.
    ///
    /// # Panics
    /// When one of them is no parameter or the lengths differ.
    pub fn alias(&mut self, output: Array, input: Array) {
        let (Some(o), Some(i)) = (self.params[output.0 as usize].clone(), self.params[input.0 as usize].clone()) else {
            panic!("only parameters can share storage");
        };
        assert_eq!(o.len, i.len, "parameters that share storage have the same length");
        self.params[output.0 as usize] = Some(i);
    }

    fn slot(&self, array: Array, element: u32) -> usize {
        match &self.params[array.0 as usize] {
            Some(p) if element < p.len => (p.base + element) as usize,
            _ => panic!("array {} has no parameter element {element}", array.0),
        }
    }

    /// The pattern of an element in a lane.
    pub fn get(&self, array: Array, element: u32, lane: usize) -> u128 {
        let slot = self.slot(array, element);
        with_slots!(&self.slots, s => get(s, slot, lane))
    }

    /// Sets the pattern of an element in a lane; bits above the element's type must be 0.
    pub fn set(&mut self, array: Array, element: u32, lane: usize, pattern: u128) {
        let slot = self.slot(array, element);
        with_slots!(&mut self.slots, s => set(s, slot, lane, pattern));
    }

    /// Copies an element of lanes 0, 1, … to `out` (the low 64 bits of patterns).
    pub fn read(&self, array: Array, element: u32, out: &mut [u64]) {
        let slot = self.slot(array, element);
        with_slots!(&self.slots, s => read(s, slot, out));
    }

    /// Packs the lowest bits of an element into `out`: lane `i` is bit `i mod 64` of word `i / 64`.
    pub fn read_bits(&self, array: Array, element: u32, out: &mut [u64]) {
        let slot = self.slot(array, element);
        with_slots!(&self.slots, s => read_bits(s, slot, out));
    }

    /// Sets an element of lanes 0, 1, … from `values`.
    pub fn write(&mut self, array: Array, element: u32, values: &[u64]) {
        let slot = self.slot(array, element);
        with_slots!(&mut self.slots, s => write(s, slot, values));
    }

    /// Sets an element of lanes `from..to` to one value.
    pub fn fill(&mut self, array: Array, element: u32, from: usize, to: usize, value: u64) {
        let slot = self.slot(array, element);
        let to = to.min(self.lanes);
        with_slots!(&mut self.slots, s => fill(s, slot, from.min(to), to, value));
    }

    /// Sets everything to 0 (elements, and what runs left in scratch).
    pub fn clear(&mut self) {
        with_slots!(&mut self.slots, s => clear(s));
    }

    pub(super) fn run(&mut self, prepared: &Prepared) -> Report {
        let (lanes, base, params) = (self.lanes, self.param_slots, &self.params);
        match (prepared, &mut self.slots) {
            (Prepared::Bits(p), Slots::Bits(s)) => run(p, s, lanes, base, params),
            (Prepared::U16(p), Slots::U16(s)) => run(p, s, lanes, base, params),
            (Prepared::U64(p), Slots::U64(s)) => run(p, s, lanes, base, params),
            (Prepared::U128(p), Slots::U128(s)) => run(p, s, lanes, base, params),
            _ => panic!("the batch belongs to another interpreter"),
        }
    }
}
