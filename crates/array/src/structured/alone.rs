//! Long operations element by element, by scalar code in whole words: vectors of few words have no products as long as a
//! scalar multiplier's, and lose to it where nearly all that is computed are products.
//!
//! Elements lie in the order of lanes as always. A group's coordinates become canonical words, then elements of the scalar
//! code's layout; results go the same way back. That is little beside a multiple of a point or a pairing.

use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Layout, Operation, kinds, plans};
use evariste_backend::{Backend, bound};
use evariste_cores::reference;
use evariste_descriptions::{Field, Part};
use evariste_proof::Proved;
use evariste_tune::choose::{Chosen, Reason, Wish, choose_for};

use crate::choose;
use crate::code::{Code, In, Role};
use crate::engine::Kernels;

/// Bits of a word.
const WORD: u32 = 64;

/// The scalar code of an operation, with the ways into its layout and back.
pub(super) struct Alone {
    /// The plan.
    pub plan: String,
    /// The least cycles of an element, by the table of the core that packages are made for.
    pub cycles: f64,
    code: Code,
    /// From canonical words to elements at rest, and back, one after the other.
    enter: Vec<Code>,
    leave: Vec<Code>,
    /// Digits of a coordinate.
    digits: usize,
    /// Which operands are scalars?
    scalars: Vec<bool>,
}

impl Alone {
    /// Of what this machine remembers of scalar code, else of the plan of the least cycles.
    pub fn new(field: &Field, kernels: &Kernels, operation: &Operation) -> Result<Alone, String> {
        let (chosen, backend) = choose::scalar(field, kernels.sets.as_deref(), kernels.forgets)?;
        let wish = Wish { code: chosen.code, ..Wish::default() };
        let (plan, proved) = least(&chosen, operation, &*backend)?;
        let ground = kinds::ground(field);
        let own = Some(backend.clone());
        let made = |(plan, proved): &(String, Proved)| Code::new(proved, &own, plan, None);
        // Forms that the layout does not have need no way.
        let ways = |all: &[Operation]| {
            let has = |operation: &&Operation| !plans(&ground, &chosen.layout, operation).is_empty();
            let way = |operation| made(&way(&ground, &chosen.layout, operation, wish, &*backend)?);
            all.iter().filter(has).map(way).collect::<Result<Vec<Code>, String>>()
        };
        let scalars = operation.row().inputs.iter().map(|slot| slot.holds == Holds::Part(Part::Scalars)).collect();
        Ok(Alone {
            cycles: bound(&*backend, proved.kernel(), reference()),
            enter: ways(&[Operation::TO_MONTGOMERY])?,
            leave: ways(&[Operation::FROM_MONTGOMERY, Operation::CANONICAL])?,
            code: made(&(plan.clone(), proved))?,
            digits: chosen.layout.digits(),
            plan,
            scalars,
        })
    }

    /// Computes the groups of `out`, which are in the order of lanes as the operands are.
    pub fn run(&self, lanes: &Lanes, out: &mut [u64], inputs: &[In]) -> Result<(), String> {
        let result = self.code.parameters.iter().find(|p| p.role == Role::Output(0)).ok_or("no result")?;
        let count = result.digits / self.digits;
        let groups = out.len() / (lanes.group() * count).max(1);
        let elements = groups * lanes.kernels.row();
        let mut operands: Vec<Vec<u64>> = vec![Vec::new(); inputs.len()];
        for parameter in &self.code.parameters {
            if let Role::Input(i) = parameter.role {
                operands[i] = self.operand(lanes, inputs[i], parameter.digits, groups, self.scalars[i])?;
            }
        }
        let mut results = vec![0; elements * result.digits];
        let operands: Vec<In> = operands.iter().map(|words| In::Words(words)).collect();
        self.code.run(&mut results, &operands)?;
        let words = through(&self.leave, results)?;
        let mut rows = vec![0; words.len()];
        for_each_word(elements, count * lanes.words, lanes.kernels.row(), |row, element| rows[row] = words[element]);
        lanes.from_words.run(out, &[In::Words(&rows)])
    }

    /// An operand of so many groups, element after element, in the layout of the code.
    fn operand(
        &self,
        lanes: &Lanes,
        given: In,
        digits: usize,
        groups: usize,
        scalar: bool,
    ) -> Result<Vec<u64>, String> {
        let row = lanes.kernels.row();
        let (count, each) = if scalar { (1, digits) } else { (digits / self.digits, lanes.words) };
        let group = if scalar { digits * row } else { count * lanes.group() };
        let repeated;
        let given = match given {
            In::Words(words) => words,
            In::Constant(block) => {
                repeated = block[..group].repeat(groups);
                &repeated
            }
            In::Out(_) => return Err("a result is no operand here".into()),
        };
        let canonical;
        let rows = if scalar {
            given
        } else {
            let mut words = vec![0; groups * row * count * each];
            lanes.to_words.run(&mut words, &[In::Words(given)])?;
            canonical = words;
            &canonical
        };
        let elements = groups * row;
        let mut words = vec![0; elements * count * each];
        for_each_word(elements, count * each, row, |row, element| words[element] = rows[row]);
        if scalar { Ok(words) } else { through(&self.enter, words) }
    }
}

/// Elements after some ways, one after the other.
fn through(ways: &[Code], elements: Vec<u64>) -> Result<Vec<u64>, String> {
    ways.iter().try_fold(elements, |from, way| {
        let mut to = vec![0; from.len()];
        way.run(&mut to, &[In::Words(&from)])?;
        Ok(to)
    })
}

/// The order of lanes, and the ways between elements of the prime field there and canonical words.
pub(super) struct Lanes<'a> {
    kernels: &'a Kernels,
    from_words: &'a Code,
    to_words: &'a Code,
    /// Canonical words of an element of the prime field.
    words: usize,
}

impl<'a> Lanes<'a> {
    pub fn new(kernels: &'a Kernels) -> Result<Lanes<'a>, String> {
        let code = |operation| kernels.code(&operation).map_err(|e| e.to_string());
        let (from_words, to_words) = (code(Operation::FROM_WORDS)?, code(Operation::TO_WORDS)?);
        Ok(Lanes { kernels, from_words, to_words, words: kernels.bits.div_ceil(WORD as usize) })
    }

    /// Words of a group of elements of the prime field.
    fn group(&self) -> usize {
        self.kernels.group()
    }
}

/// Calls `with(place in the order of lanes, place element by element)` for each of so many words of each element.
fn for_each_word(elements: usize, each: usize, row: usize, mut with: impl FnMut(usize, usize)) {
    for element in 0..elements {
        for i in 0..each {
            with((element / row * each + i) * row + element % row, element * each + i);
        }
    }
}

/// The plan of the least cycles, where none was measured.
fn least(chosen: &Chosen, operation: &Operation, backend: &dyn Backend) -> Result<(String, Proved), String> {
    if chosen.reason(operation) == Reason::Measured {
        return chosen.proved_plan(operation).map_err(|e| e.to_string());
    }
    let mut best: Option<(f64, (String, Proved))> = None;
    let mut failure = None;
    for plan in plans(&chosen.field, &chosen.layout, operation) {
        let mut own = chosen.clone();
        let proved = own.pin(operation, &plan.name()).and_then(|_| own.proved_plan(operation));
        match proved {
            Ok(found) => {
                let cycles = bound(backend, found.1.kernel(), reference());
                if best.as_ref().is_none_or(|(least, _)| cycles < *least) {
                    best = Some((cycles, found));
                }
            }
            Err(why) => failure = failure.or(Some(why.to_string())),
        }
    }
    best.map(|(_, found)| found).ok_or_else(|| failure.unwrap_or_else(|| "no plan in words".into()))
}

/// A way into a layout, or out of it.
fn way(
    ground: &Field,
    layout: &Layout,
    operation: &Operation,
    wish: Wish,
    backend: &dyn Backend,
) -> Result<(String, Proved), String> {
    let chosen = choose_for(ground, &[WORD], Some(&layout.name), None, wish).map_err(|e| e.to_string())?;
    least(&Chosen { code: wish.code, ..chosen }, operation, backend)
}
