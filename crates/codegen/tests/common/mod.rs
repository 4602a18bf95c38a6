//! A small processor for the tests: registers, carry and overflow flag, memory; and the comparison of a program with
//! its interpreted kernel.
#![allow(dead_code)]

pub mod random;
pub mod rolled;

use std::collections::HashMap;

use evariste_codegen::x86_64::{Address, Base, Condition, Gpr, Inst, Opcode, Operand, Program};
use evariste_ir::{ArrayKind, Interpreter, Kernel};
pub use evariste_testing::Random as Rng;

/// The processor. Flags that an instruction leaves undefined are `None`, and reading them is an error; so is reading
/// memory that nobody wrote.
pub struct Machine<'p> {
    program: &'p Program,
    pub registers: [u64; 16],
    carry: Option<bool>,
    overflow: Option<bool>,
    /// Set by comparisons only.
    zero: Option<bool>,
    /// Bytes by address.
    pub memory: HashMap<u64, u8>,
}

const STACK: u64 = 0x7fff_0000;
const CONSTANTS: u64 = 0x1000_0000;
const CODE: u64 = 0x4000_0000;
const RETURN: u64 = 0xdead_beef_cafe_f00d;

/// Width in bits to a mask.
fn ones(bits: u8) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl<'p> Machine<'p> {
    /// Runs the program on arrays at these addresses, with these contents; checks what a function must leave alone.
    /// Gives the memory.
    pub fn call(program: &'p Program, addresses: &[u64], memory: HashMap<u64, u8>) -> Result<HashMap<u64, u8>, String> {
        let mut m = Machine {
            program,
            registers: std::array::from_fn(|i| 0x1111_1111_1111_1111u64.wrapping_mul(i as u64 + 1) ^ 0xabcdef),
            carry: None,
            overflow: None,
            zero: None,
            memory,
        };
        for (i, c) in program.constants.iter().enumerate() {
            m.write(CONSTANTS + 8 * i as u64, 64, *c);
        }
        m.registers[Gpr::Rsp as usize] = STACK;
        m.write(STACK, 64, RETURN);
        for (i, a) in addresses.iter().enumerate() {
            match Gpr::PARAMETERS.get(i) {
                Some(r) => m.registers[*r as usize] = *a,
                None => m.write(STACK + 8 + 8 * (i as u64 - 6), 64, *a),
            }
        }
        let before = m.registers;
        let label = |inst: &Inst| match (inst.op, inst.operands[0]) {
            (Opcode::Label, Some(Operand::Label(l))) => Some(l),
            _ => None,
        };
        let labels: HashMap<u32, usize> =
            program.code.iter().enumerate().filter_map(|(i, inst)| Some((label(inst)?, i))).collect();
        let (mut i, mut steps) = (0, 0);
        while let Some(inst) = program.code.get(i) {
            steps += 1;
            if steps > 1 << 24 {
                return Err("it never ends".into());
            }
            if let (false, Some(Operand::Label(l))) = (inst.op == Opcode::Label, inst.operands[0]) {
                if inst.op == Opcode::Call {
                    m.registers[Gpr::Rsp as usize] -= 8;
                    m.write(m.registers[Gpr::Rsp as usize], 64, CODE + i as u64 + 1);
                }
                let goes = match inst.op {
                    Opcode::JumpIf(c) => m.condition(c)?,
                    _ => true,
                };
                i = if goes { *labels.get(&l).ok_or("no such label")? } else { i + 1 };
                continue;
            }
            if inst.op == Opcode::Return && m.registers[Gpr::Rsp as usize] != STACK {
                let to = m.read(m.registers[Gpr::Rsp as usize], 64)?;
                m.registers[Gpr::Rsp as usize] += 8;
                i = to.wrapping_sub(CODE) as usize;
                continue;
            }
            if inst.op == Opcode::Return {
                for r in Gpr::SAVED.into_iter().chain([Gpr::Rsp]) {
                    if m.registers[r as usize] != before[r as usize] {
                        return Err(format!("{r} is not restored"));
                    }
                }
                if m.read(STACK, 64)? != RETURN {
                    return Err("the return address is overwritten".into());
                }
                return Ok(m.memory);
            }
            m.step(inst).map_err(|e| format!("{i}: {inst}: {e}"))?;
            i += 1;
        }
        Err("no return".into())
    }

    fn read(&self, at: u64, bits: u8) -> Result<u64, String> {
        (0..u64::from(bits) / 8).try_fold(0, |x, i| {
            self.memory
                .get(&(at + i))
                .map(|b| x | u64::from(*b) << (8 * i))
                .ok_or(format!("reads {at:#x}, which nobody wrote"))
        })
    }

    fn write(&mut self, at: u64, bits: u8, x: u64) {
        for i in 0..u64::from(bits) / 8 {
            self.memory.insert(at + i, (x >> (8 * i)) as u8);
        }
    }

    fn address(&self, a: &Address) -> u64 {
        let base = match a.base {
            Base::Register(r) => self.registers[r as usize],
            Base::Constants => CONSTANTS,
        };
        let index = a.index.map_or(0, |(r, scale)| self.registers[r as usize].wrapping_mul(u64::from(scale)));
        base.wrapping_add(index).wrapping_add(a.displacement as i64 as u64)
    }

    fn get(&self, inst: &Inst, i: usize) -> Result<u64, String> {
        match inst.operands[i] {
            Some(Operand::Register(r)) => Ok(self.registers[r as usize] & ones(inst.bits)),
            Some(Operand::Memory(a)) => self.read(self.address(&a), inst.bits),
            Some(Operand::Immediate(c)) => Ok(c as u64 & ones(inst.bits)),
            _ => Err("no operand".into()),
        }
    }

    fn set(&mut self, inst: &Inst, i: usize, x: u64) -> Result<(), String> {
        match inst.operands[i] {
            Some(Operand::Register(r)) => {
                let old = self.registers[r as usize];
                self.registers[r as usize] = match inst.bits {
                    64 => x,
                    32 => x & ones(32),
                    bits => old & !ones(bits) | x & ones(bits),
                };
                Ok(())
            }
            Some(Operand::Memory(a)) => {
                let at = self.address(&a);
                self.write(at, inst.bits, x);
                Ok(())
            }
            _ => Err("no destination".into()),
        }
    }

    fn flag(flag: Option<bool>) -> Result<u64, String> {
        flag.map(u64::from).ok_or("reads an undefined flag".into())
    }

    fn condition(&self, c: Condition) -> Result<bool, String> {
        Ok(match c {
            Condition::Carry => Self::flag(self.carry)? == 1,
            Condition::NotCarry => Self::flag(self.carry)? == 0,
            Condition::Overflow => Self::flag(self.overflow)? == 1,
            Condition::NotOverflow => Self::flag(self.overflow)? == 0,
            Condition::Zero => Self::flag(self.zero)? == 1,
            Condition::NotZero => Self::flag(self.zero)? == 0,
        })
    }

    fn step(&mut self, inst: &Inst) -> Result<(), String> {
        use Opcode::*;
        // The overflow of sums is not modelled: reading it is an error. Nor is the zero flag of anything but
        // comparisons.
        let unknown = None;
        if !matches!(inst.op, Mov | MovZeroExtend | Lea | Mulx | Not | Set(_) | Cmov(_) | Label) {
            self.zero = None;
        }
        match inst.op {
            Mov => {
                let x = self.get(inst, 1)?;
                self.set(inst, 0, x)?;
            }
            MovZeroExtend => {
                let x = self.get(inst, 1)?;
                self.set(&Inst { bits: 64, ..*inst }, 0, x)?;
            }
            Lea => {
                let Some(Operand::Memory(a)) = inst.operands[1] else { return Err("no address".into()) };
                self.set(inst, 0, self.address(&a))?;
            }
            Add | Adc | Adcx | Adox => {
                let carry = match inst.op {
                    Add => 0,
                    Adox => Self::flag(self.overflow)?,
                    _ => Self::flag(self.carry)?,
                };
                if matches!(inst.op, Adcx | Adox)
                    && !matches!(
                        (inst.operands[0], inst.operands[1]),
                        (Some(Operand::Register(_)), Some(Operand::Register(_) | Operand::Memory(_)))
                    )
                {
                    return Err("no such form".into());
                }
                let sum = u128::from(self.get(inst, 0)?) + u128::from(self.get(inst, 1)?) + u128::from(carry);
                self.set(inst, 0, sum as u64)?;
                match inst.op {
                    Adox => self.overflow = Some(sum >> 64 != 0),
                    Adcx => self.carry = Some(sum >> 64 != 0),
                    _ => (self.carry, self.overflow) = (Some(sum >> 64 != 0), unknown),
                }
            }
            Sub | Sbb | Cmp | Neg => {
                let (x, y) =
                    if inst.op == Neg { (0, self.get(inst, 0)?) } else { (self.get(inst, 0)?, self.get(inst, 1)?) };
                let borrow = if inst.op == Sbb { Self::flag(self.carry)? } else { 0 };
                let d = i128::from(x) - i128::from(y) - i128::from(borrow);
                if inst.op != Cmp {
                    self.set(inst, 0, d as u64)?;
                }
                (self.carry, self.overflow) = (Some(d < 0), unknown);
                self.zero = (inst.op == Cmp).then_some(d == 0);
            }
            And | Or | Xor | Test => {
                let (x, y) = (self.get(inst, 0)?, self.get(inst, 1)?);
                let r = match inst.op {
                    And => x & y,
                    Or => x | y,
                    _ => x ^ y,
                };
                if inst.op != Test {
                    self.set(inst, 0, r)?;
                }
                (self.carry, self.overflow) = (Some(false), Some(false));
            }
            Andn => {
                let r = !self.get(inst, 1)? & self.get(inst, 2)?;
                self.set(inst, 0, r)?;
                (self.carry, self.overflow) = (Some(false), Some(false));
            }
            Not => {
                let x = self.get(inst, 0)?;
                self.set(inst, 0, !x)?;
            }
            BitTest => {
                let (x, k) = (self.get(inst, 0)?, self.get(inst, 1)?);
                (self.carry, self.overflow) = (Some(x >> (k % 64) & 1 == 1), None);
            }
            Imul => {
                let (x, y) = if inst.operands[2].is_some() {
                    (self.get(inst, 1)?, self.get(inst, 2)?)
                } else {
                    (self.get(inst, 0)?, self.get(inst, 1)?)
                };
                self.set(inst, 0, x.wrapping_mul(y))?;
                (self.carry, self.overflow) = (None, None);
            }
            Mul => {
                let p = u128::from(self.registers[Gpr::Rax as usize]) * u128::from(self.get(inst, 0)?);
                self.registers[Gpr::Rax as usize] = p as u64;
                self.registers[Gpr::Rdx as usize] = (p >> 64) as u64;
                (self.carry, self.overflow) = (None, None);
            }
            Mulx => {
                if matches!(inst.operands[2], Some(Operand::Immediate(_))) {
                    return Err("no such form".into());
                }
                let p = u128::from(self.registers[Gpr::Rdx as usize]) * u128::from(self.get(inst, 2)?);
                self.set(inst, 1, p as u64)?;
                self.set(inst, 0, (p >> 64) as u64)?;
            }
            Shl | Shr | Sar | Rol | Rorx | Shlx | Shrx => {
                let flagless = matches!(inst.op, Rorx | Shlx | Shrx);
                let (x, k) = if flagless {
                    (self.get(inst, 1)?, self.get(inst, 2)?)
                } else {
                    (self.get(inst, 0)?, self.get(inst, 1)?)
                };
                let k = k as u32 % 64;
                let r = match inst.op {
                    Shl | Shlx => x << k,
                    Shr | Shrx => x >> k,
                    Sar => (x as i64 >> k) as u64,
                    Rol => x.rotate_left(k),
                    _ => x.rotate_right(k),
                };
                self.set(inst, 0, r)?;
                if !flagless {
                    (self.carry, self.overflow) = (None, None);
                }
            }
            Shld | Shrd => {
                let (x, y, k) = (self.get(inst, 0)?, self.get(inst, 1)?, self.get(inst, 2)? as u32);
                let r = if inst.op == Shld { x << k | y >> (64 - k) } else { x >> k | y << (64 - k) };
                self.set(inst, 0, r)?;
                (self.carry, self.overflow) = (None, None);
            }
            Set(c) => {
                let x = u64::from(self.condition(c)?);
                self.set(inst, 0, x)?;
            }
            Cmov(c) => {
                if matches!(inst.operands[1], Some(Operand::Immediate(_))) {
                    return Err("no such form".into());
                }
                let x = self.get(inst, 1)?;
                if self.condition(c)? {
                    self.set(inst, 0, x)?;
                }
            }
            ClearCarry => self.carry = Some(false),
            SetCarry => self.carry = Some(true),
            Label => {}
            _ => return Err("not modelled".into()),
        }
        if let (Some(Operand::Memory(_)), Some(Operand::Memory(_))) = (inst.operands[0], inst.operands[1]) {
            return Err("two memory operands".into());
        }
        let long = |o: &Option<Operand>| matches!(o, Some(Operand::Immediate(c)) if i32::try_from(*c).is_err());
        if inst.operands.iter().any(long)
            && !(inst.op == Opcode::Mov && matches!(inst.operands[0], Some(Operand::Register(_))))
        {
            return Err("an immediate of more than 32 bits".into());
        }
        Ok(())
    }
}

/// Runs program and kernel on `vectors` inputs, with every allowed way in which one written parameter is the same array
/// as another one, in turn; the inputs are words within the arrays' ranges. Contracts do not matter: kernel and program
/// must agree where the interpreter finds no fault.
pub fn compare(kernel: &Kernel, program: &Program, rng: &mut Rng, vectors: usize) -> Result<usize, String> {
    let interpreter = Interpreter::new(kernel);
    let params: Vec<_> = kernel.params().collect();
    let visible: Vec<_> = params.iter().copied().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost).collect();
    let sliced = interpreter.lane_bits() == 1;
    let lanes = if sliced { 64 } else { 1 };
    // Nobody, or (written, other) at the same address.
    let mut aliases = vec![None];
    for (i, a) in program.params.iter().enumerate() {
        for (j, b) in program.params.iter().enumerate() {
            let pair = (i.min(j) as u32, i.max(j) as u32);
            if i != j && a.role.is_written() && !b.role.is_written() && !program.disjoint.contains(&pair) {
                aliases.push(Some((i, j)));
            }
        }
    }
    let mut compared = 0;
    for vector in 0..vectors {
        let alias = aliases[vector % aliases.len()];
        let mut batch = interpreter.batch(lanes);
        let mut addresses: Vec<u64> = (0..visible.len()).map(|i| 0x20_0000 + 0x1_0000 * i as u64).collect();
        if let Some((written, other)) = alias {
            addresses[written] = addresses[other];
        }
        let mut memory = HashMap::new();
        for (k, a) in visible.iter().enumerate() {
            let info = kernel.array(*a);
            let p = &program.params[k];
            let reads = matches!(info.kind, ArrayKind::Input | ArrayKind::InOut);
            for i in 0..info.len {
                if !reads {
                    continue;
                }
                let mut word = 0u64;
                for lane in 0..lanes {
                    let bits = info.ty.bits();
                    let mut x = rng.edge_word();
                    if bits < 64 {
                        x &= (1 << bits) - 1;
                    }
                    let range = info.range(i);
                    if num_bigint::BigInt::from(x) > range.hi {
                        let most: u64 = u64::try_from(&range.hi).unwrap_or(u64::MAX);
                        x = if most == u64::MAX { x } else { x % (most + 1) };
                    }
                    batch.set(*a, i, lane, u128::from(x));
                    word = if sliced { word | x << lane } else { x };
                }
                for byte in 0..p.element_bytes {
                    memory.insert(addresses[k] + u64::from(i * p.element_bytes + byte), (word >> (8 * byte)) as u8);
                }
            }
        }
        if let Some((written, other)) = alias {
            // An in-out array that is also an input has one content.
            let (w, o) = (visible[written], visible[other]);
            if kernel.array(w).kind == ArrayKind::InOut {
                for i in 0..kernel.array(w).len {
                    for lane in 0..lanes {
                        let x = batch.get(o, i, lane);
                        batch.set(w, i, lane, x);
                    }
                }
            }
        }
        if !interpreter.run(&mut batch).is_clean() {
            continue;
        }
        let before = memory.clone();
        let after = Machine::call(program, &addresses, memory)?;
        for (k, a) in visible.iter().enumerate() {
            let info = kernel.array(*a);
            let p = &program.params[k];
            for i in 0..info.len {
                let at = addresses[k] + u64::from(i * p.element_bytes);
                let read = |m: &HashMap<u64, u8>| {
                    (0..p.element_bytes)
                        .try_fold(0u64, |x, b| m.get(&(at + u64::from(b))).map(|y| x | u64::from(*y) << (8 * b)))
                };
                if info.kind == ArrayKind::Input {
                    let overwritten = alias.is_some_and(|(_, other)| other == k);
                    if !overwritten && read(&before) != read(&after) {
                        return Err(format!("{}[{i}] changed", info.name));
                    }
                    continue;
                }
                let want = (0..lanes).fold(0u64, |x, lane| {
                    if sliced { x | (batch.get(*a, i, lane) as u64) << lane } else { batch.get(*a, i, lane) as u64 }
                });
                let got = read(&after).ok_or(format!("{}[{i}] is not written", info.name))?;
                if got != want {
                    return Err(format!(
                        "{}[{i}] is {got:#x}, not {want:#x} (vector {vector}, alias {alias:?})",
                        info.name
                    ));
                }
            }
        }
        compared += 1;
    }
    Ok(compared)
}
