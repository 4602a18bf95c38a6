//! The seam, with a small instruction set of its own: a register holds the return address, there is no red zone, the
//! stack pointer moves by 16 bytes, two parameters have registers. The checker's shared part asks nothing else.

use std::fmt;

use evariste_codegen::check::machine::{Fault, Machine, Meaning, Next};
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::isa::{Convention, FeatureSet, Isa, OnVectors};
use evariste_codegen::program::{Lanes, Param, Program};
use evariste_ir::Kernel;

const KEPT: usize = 3;
const LINK: usize = 4;
const STACK: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Inst {
    Load { to: usize, base: usize, offset: i64 },
    Store { from: usize, base: usize, offset: i64 },
    Step { to: usize, from: usize, bytes: i64 },
    Label(u32),
    Call(u32),
    Return(usize),
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NoFeatures;

impl fmt::Display for NoFeatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any")
    }
}

impl FeatureSet for NoFeatures {
    fn of_this_machine() -> Option<NoFeatures> {
        None
    }

    fn covers(self, _: NoFeatures) -> bool {
        true
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Small;

impl Isa for Small {
    const NAME: &'static str = "small";
    const CONVENTION: Convention = Convention {
        registers: 6,
        stack_pointer: STACK,
        parameters: &[0, 1],
        saved: &[KEPT],
        link: Some(LINK),
        red_zone: 0,
        alignment: 16,
    };

    type Inst = Inst;
    type Features = NoFeatures;

    fn label(inst: &Inst) -> Option<u32> {
        if let Inst::Label(label) = inst { Some(*label) } else { None }
    }

    fn callee(inst: &Inst) -> Option<u32> {
        if let Inst::Call(label) = inst { Some(*label) } else { None }
    }

    fn on_vectors(_: &Inst) -> Option<OnVectors> {
        None
    }
}

impl Meaning for Small {
    type State = ();

    fn enter(_: &Program<Small>) {}

    fn after_call(_: &mut ()) {}

    fn stack_pointer_set(_: &mut ()) {}

    fn step(machine: &mut Machine<'_, Small>, inst: &Inst, at: usize) -> Result<Next, Fault> {
        match *inst {
            Inst::Load { to, base, offset } => {
                let pointer = Machine::<Small>::moved(machine.registers[base], offset)?;
                let content = machine.load_at(pointer, 8)?;
                machine.set_general(to, content)?;
            }
            Inst::Store { from, base, offset } => {
                let pointer = Machine::<Small>::moved(machine.registers[base], offset)?;
                machine.store_at(pointer, 8, machine.registers[from])?;
            }
            Inst::Step { to, from, bytes } => {
                let pointer = Machine::<Small>::moved(machine.registers[from], bytes)?;
                machine.set_general(to, pointer)?;
            }
            Inst::Label(_) => {}
            Inst::Call(label) => return machine.call(Some(label), at),
            Inst::Return(register) => return machine.returns(machine.registers[register]),
        }
        Ok(Next::Behind)
    }
}

fn kernel() -> Kernel {
    let text = "kernel k: word 64 {
    output out: 1 x w64
    input a: 4 x w64
    input b: 2 x w64

    given x <= (2^64-1) = a[3] * 2^0 max (2^64-1)
    gives out <= (2^64-1) = out[0] * 2^0 max (2^64-1): value 1 it = x

    %0: w64 = a[3]
    out[0] = %0
}
";
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn run(code: &[Inst]) -> Result<(), Fault> {
    let param = |name: &str, len, written| Param { name: name.into(), element_bytes: 8, len, written, read: !written };
    let program: Program<Small> = Program {
        name: "k".into(),
        features: NoFeatures,
        lanes: Lanes::ONE,
        params: vec![param("out", 1, true), param("a", 4, false), param("b", 2, false)],
        disjoint: vec![(0, 1), (0, 2), (1, 2)],
        constants: vec![],
        code: code.to_vec(),
        callees: vec![],
    };
    match check_kernel(&kernel(), &program) {
        Ok(_) => Ok(()),
        Err(CheckError::Instruction { fault, .. }) => Err(fault),
        Err(CheckError::Differs { .. }) => Err(Fault::Undefined("another value")),
        Err(other) => panic!("{other}"),
    }
}

fn load(to: usize, base: usize, offset: i64) -> Inst {
    Inst::Load { to, base, offset }
}

fn store(from: usize, base: usize, offset: i64) -> Inst {
    Inst::Store { from, base, offset }
}

fn stack(bytes: i64) -> Inst {
    Inst::Step { to: STACK, from: STACK, bytes }
}

const END: Inst = Inst::Return(LINK);

#[test]
fn a_function_of_another_processor_is_followed() {
    assert_eq!(run(&[load(2, 1, 24), store(2, 0, 0), END]), Ok(()));
    assert_eq!(run(&[load(2, 1, 16), store(2, 0, 0), END]), Err(Fault::Undefined("another value")));
    // The third parameter lies where the stack pointer points.
    assert_eq!(run(&[load(2, STACK, 0), load(2, 2, 8), load(2, 1, 24), store(2, 0, 0), END]), Ok(()));
    assert_eq!(run(&[load(2, STACK, 0), load(2, 2, 16), END]), Err(Fault::Access));
}

#[test]
fn the_return_address_is_in_its_register() {
    let saved = [stack(-16), store(LINK, STACK, 0), Inst::Call(0), load(LINK, STACK, 0), stack(16)];
    let rest = [store(2, 0, 0), END, Inst::Label(0), load(2, 1, 24), END];
    let whole: Vec<Inst> = saved.iter().chain(&rest).copied().collect();
    assert_eq!(run(&whole), Ok(()));
    // A call without saving it: the function returns behind its own call.
    let lost: Vec<Inst> = [Inst::Call(0)].iter().chain(&rest).copied().collect();
    assert_eq!(run(&lost), Err(Fault::Endless));
    assert_eq!(run(&[load(2, 1, 24), store(2, 0, 0), Inst::Return(2)]), Err(Fault::Convention));
}

#[test]
fn what_the_convention_says_is_asked_for() {
    let value = [load(2, 1, 24), store(2, 0, 0)];
    let with = |first: &[Inst], last: &[Inst]| run(&[first, &value, last, &[END]].concat());
    assert_eq!(with(&[load(KEPT, 1, 0)], &[]), Err(Fault::Convention));
    assert_eq!(
        with(&[stack(-16), store(KEPT, STACK, 0), load(KEPT, 1, 0)], &[load(KEPT, STACK, 0), stack(16)]),
        Ok(())
    );
    assert_eq!(with(&[stack(-16)], &[]), Err(Fault::Convention));
    assert_eq!(with(&[stack(-8)], &[stack(8)]), Err(Fault::Stack));
    assert_eq!(with(&[stack(16)], &[stack(-16)]), Err(Fault::Stack));
    // No red zone below the stack pointer, and the caller's memory above it.
    assert_eq!(with(&[store(LINK, STACK, -8)], &[]), Err(Fault::Stack));
    assert_eq!(with(&[store(LINK, STACK, 8)], &[]), Err(Fault::Stack));
}
