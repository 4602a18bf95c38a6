//! Straight-line code on general registers as steps for the [model of a core](crate::simulate).

use std::collections::HashMap;

use evariste_cores::Core;

use super::cost::{latency, names};
use super::instruction::{Address, Base, Condition, Gpr, Inst, Opcode, Operand};
use crate::simulate::{Place, Step, Steps, Window};

const RAX: Place = Gpr::Rax as Place;
const RDX: Place = Gpr::Rdx as Place;
/// Places behind those of the registers.
const CARRY: Place = 16;
const OVERFLOW: Place = 17;
const ZERO: Place = 18;
/// The word that an instruction loads, or is to store.
const LOADED: Place = 19;
const MEMORY: Place = 20;

/// Instructions in flight where the table does not say: what small cores have.
const WINDOW: u32 = 128;

/// A core's window.
pub fn window(core: &Core) -> Window {
    let front = core.costs.values().map(|cost| cost.cycles).filter(|cycles| *cycles > 0.0).fold(1.0, f64::min);
    Window { instructions: core.window.unwrap_or(WINDOW) as usize, front, resources: core.resources.len() }
}

/// The steps of code without branches.
pub fn steps(code: &[Inst], core: &Core) -> Steps {
    let mut writer = Writer { core, rows: HashMap::new(), memory: HashMap::new(), code: Steps::default() };
    writer.code.costs.push(Vec::new());
    code.iter().for_each(|inst| writer.instruction(inst));
    writer.code.places = MEMORY as usize + writer.memory.len();
    writer.code
}

struct Writer<'c> {
    core: &'c Core,
    rows: HashMap<String, usize>,
    /// Words of memory, by their address.
    memory: HashMap<Address, Place>,
    code: Steps,
}

/// Flags that an instruction reads and writes.
fn flags(op: Opcode) -> (&'static [Place], &'static [Place]) {
    let of = |condition| match condition {
        Condition::Carry | Condition::NotCarry => &[CARRY][..],
        Condition::Overflow | Condition::NotOverflow => &[OVERFLOW],
        Condition::Zero | Condition::NotZero => &[ZERO],
    };
    const ALL: &[Place] = &[CARRY, OVERFLOW, ZERO];
    match op {
        Opcode::Adc | Opcode::Sbb => (&[CARRY], ALL),
        Opcode::Adcx => (&[CARRY], &[CARRY]),
        Opcode::Adox => (&[OVERFLOW], &[OVERFLOW]),
        Opcode::Set(condition) | Opcode::Cmov(condition) | Opcode::JumpIf(condition) => (of(condition), &[]),
        Opcode::ClearCarry | Opcode::SetCarry | Opcode::BitTest => (&[], &[CARRY]),
        Opcode::Rol => (&[], &[CARRY, OVERFLOW]),
        Opcode::Add
        | Opcode::Sub
        | Opcode::Neg
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Andn
        | Opcode::Cmp
        | Opcode::Test
        | Opcode::Imul
        | Opcode::Mul
        | Opcode::Shl
        | Opcode::Shr
        | Opcode::Sar
        | Opcode::Shld
        | Opcode::Shrd => (&[], ALL),
        _ => (&[], &[]),
    }
}

/// What becomes of the first operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// It is read, and receives the result.
    Changed,
    /// It only receives the result.
    Written,
    /// It is only read.
    Read,
}

fn first(op: Opcode, operands: usize) -> First {
    match op {
        Opcode::Mov
        | Opcode::MovZeroExtend
        | Opcode::Lea
        | Opcode::Andn
        | Opcode::Mulx
        | Opcode::Rorx
        | Opcode::Shlx
        | Opcode::Shrx
        | Opcode::Set(_)
        | Opcode::Pop => First::Written,
        Opcode::Imul if operands == 3 => First::Written,
        Opcode::Cmp | Opcode::Test | Opcode::BitTest | Opcode::Mul | Opcode::Push => First::Read,
        _ => First::Changed,
    }
}

impl Writer<'_> {
    fn row(&mut self, name: Option<&str>) -> usize {
        let Some(name) = name else { return 0 };
        if let Some(row) = self.rows.get(name) {
            return *row;
        }
        let uses = self.core.cost(name).into_iter().flat_map(|cost| &cost.uses).filter(|(_, units)| **units > 0.0);
        let number = |r: &String| self.core.resources.iter().position(|resource| resource == r);
        self.code.costs.push(uses.filter_map(|(r, units)| Some((number(r)?, *units))).collect());
        self.rows.insert(name.to_string(), self.code.costs.len() - 1);
        self.code.costs.len() - 1
    }

    fn word(&mut self, address: Address) -> Place {
        let next = MEMORY + self.memory.len() as Place;
        *self.memory.entry(address).or_insert(next)
    }

    fn step(&mut self, cost: Option<&str>, reads: Vec<Place>, writes: Vec<(Place, f64)>, begins: bool) {
        let cost = self.row(cost);
        self.code.steps.push(Step { reads, writes, cost, begins });
    }

    fn instruction(&mut self, inst: &Inst) {
        let [own, _] = names(inst);
        let operands: Vec<Operand> = inst.operands().collect();
        let first = first(inst.op, operands.len());
        let is_copy = own.is_none();
        let idiom = matches!(inst.op, Opcode::Xor | Opcode::Sub) && operands.first() == operands.get(1);
        let (flags_read, flags_written) = flags(inst.op);
        let (mut reads, mut begins) = (flags_read.to_vec(), true);
        let mut target = None;
        for (i, operand) in operands.iter().enumerate() {
            // The low word of a long product is the second operand.
            let (read, written) = match i {
                0 => (first != First::Written && !idiom, first != First::Read),
                1 => (inst.op != Opcode::Mulx && !idiom, false),
                _ => (true, false),
            };
            match operand {
                Operand::Register(r) => {
                    reads.extend(read.then(|| Place::from(r.number())));
                    target = if written { Some(Target::Register(*r)) } else { target };
                }
                Operand::Memory(a) if inst.op == Opcode::Lea => reads.extend(parts(a)),
                Operand::Memory(a) => {
                    if read {
                        let word = self.word(*a);
                        let latency = f64::from(latency(self.core, "load"));
                        let from = parts(a).chain([word]).collect();
                        self.step(Some("load"), from, vec![(LOADED, latency)], begins);
                        (begins, reads) = (false, reads.into_iter().chain([LOADED]).collect());
                    }
                    target = if written { Some(Target::Memory(*a)) } else { target };
                }
                _ => {}
            }
        }
        let cycles = if is_copy || inst.op == Opcode::Mov || idiom {
            0.0
        } else {
            own.as_deref().map_or(1.0, |name| f64::from(latency(self.core, name)))
        };
        let mut writes: Vec<(Place, f64)> = flags_written.iter().map(|flag| (*flag, cycles.max(1.0))).collect();
        match (inst.op, operands.get(1)) {
            (Opcode::Mul, _) => writes.extend([(RAX, cycles), (RDX, cycles + 1.0)]),
            (Opcode::Mulx, Some(Operand::Register(low))) => writes.push((low.number().into(), cycles)),
            _ => {}
        }
        let later = if inst.op == Opcode::Mulx { 1.0 } else { 0.0 };
        match target {
            Some(Target::Register(r)) => writes.push((r.number().into(), cycles + later)),
            Some(Target::Memory(_)) => writes.push((LOADED, cycles)),
            None => {}
        }
        self.step(own.as_deref(), reads, writes, begins);
        if let Some(Target::Memory(a)) = target {
            let word = self.word(a);
            let reads = parts(&a).chain([LOADED]).collect();
            self.step(Some("store"), reads, vec![(word, 1.0)], false);
        }
    }
}

/// Where a result goes.
#[derive(Clone, Copy)]
enum Target {
    Register(Gpr),
    Memory(Address),
}

/// The registers of an address; the stack's is always there.
fn parts(address: &Address) -> impl Iterator<Item = Place> + use<> {
    let base = if let Base::Register(r) = address.base { Some(r) } else { None };
    let all = base.into_iter().chain(address.index.map(|(r, _)| r));
    all.filter(|r| *r != Gpr::Rsp).map(|r| Place::from(r.number()))
}

#[cfg(test)]
mod tests {
    use evariste_cores::reference;

    use super::*;
    use crate::simulate::{latency, throughput};

    fn r(r: Gpr) -> Operand {
        Operand::Register(r)
    }

    fn takes(code: &[Inst]) -> (f64, f64) {
        let (steps, window) = (steps(code, reference()), window(reference()));
        (latency(&steps, window).floor(), throughput(&steps, window))
    }

    #[test]
    fn flags_and_results_are_waited_for() {
        let (a, b, c, d) = (r(Gpr::Rax), r(Gpr::Rbx), r(Gpr::Rcx), r(Gpr::Rdx));
        // Both chains at once, or one after the other.
        let both = [(Opcode::Adcx, a, b), (Opcode::Adox, c, b)].repeat(8);
        let one = [(Opcode::Adc, a, b), (Opcode::Adc, c, b)].repeat(8);
        let code = |all: &[(Opcode, Operand, Operand)]| -> Vec<Inst> {
            all.iter().map(|(op, a, b)| Inst::new(*op, &[*a, *b])).collect()
        };
        let (both, one) = (takes(&code(&both)).0, takes(&code(&one)).0);
        assert!(both + 7.0 <= one && one >= 16.0, "{both} {one}");
        // Squares of squares: each waits for the high word, or for the low one.
        let square = |high| [Inst::new(Opcode::Mulx, &[if high { d } else { b }, if high { b } else { d }, d])];
        let (high, low) = (takes(&square(true).repeat(6)).0, takes(&square(false).repeat(6)).0);
        assert_eq!(high - low, 5.0);
        // A zero waits for nothing.
        let mut zeroed = code(&[(Opcode::Imul, a, a), (Opcode::Imul, a, a)]);
        zeroed.extend(code(&[(Opcode::Xor, a, a), (Opcode::Imul, a, a)]));
        assert!(takes(&zeroed).0 < takes(&code(&[(Opcode::Imul, a, a); 3])).0);
    }

    #[test]
    fn words_in_memory_are_waited_for() {
        let (slot, other) = (Operand::Memory(Address::at(Gpr::Rsp, 8)), Operand::Memory(Address::at(Gpr::Rsp, 16)));
        let (a, b) = (r(Gpr::Rax), r(Gpr::Rbx));
        let code = |from: Operand| {
            let pair = [Inst::new(Opcode::Mov, &[slot, a]), Inst::new(Opcode::Add, &[a, from])];
            pair.repeat(4)
        };
        assert!(takes(&code(slot)).0 > takes(&code(other)).0 + 8.0);
        assert!(takes(&code(slot)).0 > 4.0 * f64::from(super::latency(reference(), "load")));
        let _ = b;
    }
}
