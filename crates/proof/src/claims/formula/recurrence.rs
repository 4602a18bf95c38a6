//! Recurrences by one step: the loop's body runs once, on unknowns in the place of what it finds. Where the loop starts
//! as the recurrence does, and one step of the loop is one of the recurrence, they agree after as many steps.

use evariste_ir::{Array, ArrayKind, BitOf, Kernel, Operand, Recurrence};

use super::numbers::{Cell, Numbers, Reading};
use super::open;
use super::ring::{Polynomial, Ring, Unknown};
use crate::broken_rules::{Rule, broken};
use crate::outcome::Obligation;
use crate::unroll::{Arrays, run};

/// Most ways in which numbers of the loop are tried as components of the state.
const MOST_WAYS: usize = 10_000;

/// A loop that was taken as a whole.
pub(super) struct Summary {
    /// The arrays before it.
    pub before: Arrays<Cell>,
    /// The arrays after an iteration, where elements that the loop writes began as [`Cell::Head`].
    pub after: Arrays<Cell>,
}

/// A number that the loop keeps: elements with their weights and the bits that count.
type Place = Vec<((Array, u32), u32, Option<u32>)>;

/// The place whose digits a reading gives as they were when an iteration began (`tail`: after the loop).
fn place(reading: &Reading, summary: usize, tail: bool) -> Option<Place> {
    let element = |cell: &Cell| match cell {
        Cell::Head { summary: s, array, index } if !tail && *s == summary => Some((*array, *index)),
        Cell::Tail { summary: s, array, index } if tail && *s == summary => Some((*array, *index)),
        _ => None,
    };
    reading.iter().map(|(cell, weight, bits)| Some((element(cell)?, *weight, *bits))).collect()
}

/// What a place reads, by what its elements hold.
fn reading(place: &Place, holds: impl Fn(Array, u32) -> Option<Cell>) -> Option<Reading> {
    place.iter().map(|((array, index), weight, bits)| Some((holds(*array, *index)?, *weight, *bits))).collect()
}

/// A number that the loop keeps, in its own terms.
struct Kept {
    /// What it is when an iteration begins.
    head: Unknown,
    /// What it is before the loop.
    init: Polynomial,
    /// What it is after an iteration.
    next: Polynomial,
}

/// The numbers that one number of the loop depends on, itself first.
fn kept(numbers: &mut Numbers, summary: usize, first: Place) -> Option<Vec<Kept>> {
    let mut places = vec![first];
    let mut all: Vec<Kept> = Vec::new();
    while let Some(place_of) = places.get(all.len()).cloned() {
        let head = reading(&place_of, |array, index| Some(Cell::Head { summary, array, index }))?;
        let in_arrays = |arrays: &Arrays<Cell>| {
            reading(&place_of, |array, index| arrays.get(array.0 as usize)?.get(index as usize)?.clone())
        };
        let (before, after) =
            (in_arrays(&numbers.summaries[summary].before)?, in_arrays(&numbers.summaries[summary].after)?);
        let head = numbers.number(&head).as_unknown(&numbers.ring)?;
        let (init, next) = (numbers.number(&before), numbers.number(&after));
        for unknown in next.unknowns() {
            let other = numbers.read_as.get(&unknown).and_then(|reading| place(reading, summary, false));
            if let Some(other) = other.filter(|other| !places.contains(other)) {
                places.push(other);
            }
        }
        all.push(Kept { head, init, next });
    }
    Some(all)
}

/// The unknown that a step's bit is: the element of an input array that holds it.
fn bit(numbers: &mut Numbers, kernel: &Kernel, summary: usize, bit: &BitOf, steps: u32) -> Option<Unknown> {
    let operand = kernel.contract.inputs.get(bit.number as usize)?;
    // Digits that do not reach into one another are the number's bits.
    let apart = operand.digits.windows(2).all(|d| d[0].max.bits() <= u64::from(d[1].weight - d[0].weight));
    if !apart || operand.digits.iter().any(|d| d.bits.is_some()) {
        return None;
    }
    let digit = |step: u32| {
        let weight = bit.place(step)?;
        let d = operand.digits.iter().find(|d| d.weight == weight && d.max.bits() <= 1)?;
        (kernel.array(d.array).kind == ArrayKind::Input).then_some((d.array, i64::from(d.index)))
    };
    let (array, base) = digit(0)?;
    let stride = if steps > 1 { digit(1)?.1 - base } else { i64::from(bit.stride) };
    let follows = |step: u32| digit(step) == Some((array, base + stride * i64::from(step)));
    let all = (0..steps).all(follows) || broken(Rule::StepBit);
    let element = Cell::Element { summary, array, base, stride };
    let number = all.then(|| numbers.number(&vec![(element, 0, None)]).as_unknown(&numbers.ring))??;
    Some(numbers.scalar(number))
}

/// Shows that the output is that component of the state after the last step.
pub(crate) fn check(
    kernel: &Kernel,
    output: &Operand,
    recurrence: &Recurrence,
    component: u32,
) -> Result<(), Obligation> {
    let open = |detail: &str| open(output, detail);
    let ring = Ring::new(&recurrence.ring).map_err(|why| open(&why))?;
    let mut numbers = Numbers::new(ring, Some(recurrence.count));
    let arrays = numbers.enter(kernel);
    let (arrays, _) = run(&mut numbers, kernel, arrays).map_err(|why| open(&why))?;
    let tail = Numbers::reading(output, &arrays).ok_or_else(|| open("a digit is never written"))?;
    let found = (0..numbers.summaries.len()).find_map(|summary| Some((summary, place(&tail, summary, true)?)));
    let (summary, first) = found.ok_or_else(|| open("the output is no number that a loop of so many steps keeps"))?;
    let kept = kept(&mut numbers, summary, first).ok_or_else(|| open("a number of the loop is not defined"))?;
    let bits: Option<Vec<Unknown>> =
        recurrence.bits.iter().map(|b| bit(&mut numbers, kernel, summary, b, recurrence.count)).collect();
    let bits = bits.ok_or_else(|| open("a step's bit is no element of an input array"))?;
    let mut agreement = Agreement { numbers: &numbers, recurrence, kept: &kept, bits: &bits, left: MOST_WAYS };
    let mut as_kept = vec![None; recurrence.step.len()];
    as_kept[component as usize] = Some(0);
    if agreement.holds(&mut as_kept) { Ok(()) } else { Err(open("the loop starts elsewhere or does another step")) }
}

/// The question whether a recurrence is what a loop does.
struct Agreement<'a> {
    numbers: &'a Numbers,
    recurrence: &'a Recurrence,
    kept: &'a [Kept],
    bits: &'a [Unknown],
    left: usize,
}

impl Agreement<'_> {
    /// With some components found among the loop's numbers: do these agree, with the components that they depend on
    /// somewhere among them?
    fn holds(&mut self, as_kept: &mut Vec<Option<usize>>) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let inputs = self.numbers.inputs.len();
        let components = self.recurrence.step.len();
        let needed = (0..components).filter(|c| as_kept[*c].is_some()).flat_map(|c| &self.recurrence.step[c].0);
        let missing = needed
            .flat_map(|(_, factors)| factors)
            .filter_map(|f| (*f as usize).checked_sub(inputs))
            .find(|c| *c < components && as_kept[*c].is_none());
        let Some(missing) = missing else { return self.agrees(as_kept) };
        for k in 0..self.kept.len() {
            if !self.starts(missing, k) {
                continue;
            }
            as_kept[missing] = Some(k);
            if self.holds(as_kept) {
                return true;
            }
            as_kept[missing] = None;
        }
        false
    }

    /// Does a component start as a number of the loop does?
    fn starts(&self, component: usize, k: usize) -> bool {
        let start = self.numbers.evaluate(&self.recurrence.start[component], &self.numbers.inputs());
        broken(Rule::Start) || start.is_some_and(|start| start == self.kept[k].init)
    }

    /// Do all components that are found start and go on as their numbers do?
    fn agrees(&self, as_kept: &[Option<usize>]) -> bool {
        // Components that nothing depends on are of no matter.
        let state = as_kept.iter().map(|k| k.map_or_else(Polynomial::default, |k| self.numbers.of(self.kept[k].head)));
        let inputs = self.numbers.inputs();
        let of: Vec<Polynomial> =
            inputs.into_iter().chain(state).chain(self.bits.iter().map(|b| self.numbers.of(*b))).collect();
        as_kept.iter().enumerate().all(|(c, k)| {
            let Some(k) = *k else { return true };
            let step = || self.numbers.evaluate(&self.recurrence.step[c], &of);
            self.starts(c, k) && (broken(Rule::Step) || step().is_some_and(|step| step == self.kept[k].next))
        })
    }
}
