//! Straight-line code as steps for the [model of a core](crate::simulate).

use std::collections::HashMap;

use evariste_cores::Core;

use super::cost::{latency, name};
use super::instruction::{Address, Gpr, Inst};
use crate::simulate::{Place, Step, Steps, Window};

/// The place behind those of the registers.
const CARRY: Place = 33;
const MEMORY: Place = 34;

/// Instructions in flight where the table does not say: what small cores have.
const WINDOW: u32 = 128;

/// A core's window.
pub fn window(core: &Core) -> Window {
    let front = core.costs.values().map(|cost| cost.cycles).filter(|cycles| *cycles > 0.0).fold(1.0, f64::min);
    Window { instructions: core.window.unwrap_or(WINDOW) as usize, front, resources: core.resources.len() }
}

fn place(register: Gpr) -> Option<Place> {
    register.place().filter(|_| register != Gpr::SP).map(|place| place as Place)
}

/// The words of memory that it reads or writes.
fn words(inst: &Inst) -> (Vec<Address>, bool) {
    let pair = |a: Address| vec![a, Address { offset: a.offset + 8, ..a }];
    match *inst {
        Inst::Load { address, .. } => (vec![address], false),
        Inst::LoadPair { address, .. } => (pair(address), false),
        Inst::Store { address, .. } => (vec![address], true),
        Inst::StorePair { address, .. } => (pair(address), true),
        _ => (Vec::new(), false),
    }
}

/// The steps of code without branches.
pub fn steps(code: &[Inst], core: &Core) -> Steps {
    let mut rows: HashMap<&str, usize> = HashMap::new();
    let mut memory: HashMap<Address, Place> = HashMap::new();
    let mut all = Steps { steps: Vec::new(), costs: vec![Vec::new()], places: 0 };
    for inst in code {
        let Some(name) = name(inst) else { continue };
        let cost = *rows.entry(name).or_insert_with(|| {
            let uses = core.cost(name).into_iter().flat_map(|cost| &cost.uses).filter(|(_, units)| **units > 0.0);
            let number = |r: &String| core.resources.iter().position(|resource| resource == r);
            all.costs.push(uses.filter_map(|(r, units)| Some((number(r)?, *units))).collect());
            all.costs.len() - 1
        });
        let cycles = if name == "mov" { 0.0 } else { f64::from(latency(core, name)) };
        let mut reads: Vec<Place> = inst.reads().filter_map(place).collect();
        let mut writes: Vec<(Place, f64)> = inst.writes().filter_map(place).map(|p| (p, cycles)).collect();
        reads.extend(inst.takes_carry().then_some(CARRY));
        writes.extend(inst.sets_flags().then_some((CARRY, cycles)));
        let (words, written) = words(inst);
        for address in words {
            let next = MEMORY + memory.len() as Place;
            let word = *memory.entry(address).or_insert(next);
            if written {
                writes.push((word, 1.0));
            } else {
                reads.push(word);
            }
        }
        all.steps.push(Step { reads, writes, cost, begins: true });
    }
    all.places = MEMORY as usize + memory.len();
    all
}
