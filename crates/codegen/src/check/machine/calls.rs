//! Calls of routines that were shown to compute a kernel. **Trusted.**
//!
//! The arguments must be what a routine's own check took for granted: each a pointer to as many elements of its size,
//! in an array of the caller or in the caller's own stack, and two of which one is written either the same array, where
//! the routine allows that, or without a common byte. Pointers are constants, so this holds for all
//! inputs or for none. Then what the routine does is: its outputs hold the results of the kernel's call on the same
//! inputs, the registers that it keeps are kept, and everything else that it may touch is undefined: the other
//! registers, all flags, the stack below the stack pointer.
//!
//! In a program on vectors an element of an argument is a vector, in an array of the caller or in the aligned part of
//! its stack. All lanes are alike to caller and routine, or all pairs of them, so what is followed stands for all of
//! them here too: of a pair the call is one of the kernel's for each of the two lanes.

use super::{Content, FRAME_ALIGNMENT, Fault, MOST_STACK, Machine, Meaning, Next};
use crate::check::calls::Call;
use crate::check::routines::Shown;
use crate::program::Parameter;

/// Memory that an argument shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Elements of a parameter of the caller, from the how many-th on.
    Array(usize, usize),
    /// The stack, from that byte on.
    Stack(i64),
    /// An aligned part of it, the how many-th and from that byte on.
    Frame(u64, i64),
}

impl<I: Meaning> Machine<'_, I> {
    /// A call of what is at a label, from that place.
    ///
    /// # Errors
    /// A routine that is not shown, arguments that do not fit, a label that is nowhere.
    pub fn call(&mut self, label: Option<u32>, at: usize) -> Result<Next, Fault> {
        let routines = self.routines;
        if let Some(routine) = label.and_then(|label| routines.at(label)) {
            let shown = routine.shown.as_ref();
            let shown = shown.ok_or(Fault::Call("the routine stands before its caller, or calls itself"))?;
            self.call_routine(routine.kernel, shown)?;
            return Ok(Next::Behind);
        }
        let behind = Content::Return(Some(at + 1));
        match I::CONVENTION.link {
            Some(link) => self.set_general(link, behind)?,
            None => self.push(behind)?,
        }
        Ok(Next::At(self.target(label.ok_or(Fault::Form)?)?))
    }

    /// A call of a routine, as its kernel's.
    fn call_routine(&mut self, kernel: u32, routine: &Shown) -> Result<(), Fault> {
        let convention = I::CONVENTION;
        // (Only what opens an aligned part makes the stack pointer point there: to where it begins.)
        let stack_pointer = self.registers[convention.stack_pointer];
        let top = match stack_pointer {
            Content::Frame(..) => self.under - FRAME_ALIGNMENT,
            _ => self.top()?,
        };
        let lowest = top - convention.pushed() + routine.lowest;
        if lowest < -MOST_STACK {
            return Err(Fault::Stack);
        }
        self.lowest = self.lowest.min(lowest);
        let params = &routine.callee.params;
        let shown = self.arguments(routine, stack_pointer, top)?;
        let arguments: Vec<(&Parameter, Shows)> = params.iter().zip(shown).collect();
        // Of the lanes that are followed all are read before any is written.
        let calls =
            (0..self.lanes).map(|lane| self.inputs(kernel, &arguments, lane)).collect::<Result<Vec<Call>, _>>()?;
        for (lane, call) in calls.iter().enumerate() {
            self.results(call, &arguments, lane)?;
        }
        self.after_call(stack_pointer, &routine.keeps);
        Ok(())
    }

    /// The call of one lane: what the parameters that are read hold there.
    fn inputs(&mut self, kernel: u32, arguments: &[(&Parameter, Shows)], lane: usize) -> Result<Call, Fault> {
        let mut call = Call { kernel, inputs: Vec::new() };
        for (param, at) in arguments.iter().filter(|(param, _)| param.role.is_read()) {
            for i in 0..self.words(param) {
                let x = match *at {
                    Shows::Array(p, first) => self.element_of(p, self.of_lane(p, lane) + first + i as usize)?,
                    Shows::Stack(first) => match self.load_slot(first + 8 * i64::from(i))? {
                        Content::Word(x, 64) => x,
                        Content::Known(x) => self.terms.word_constant(x),
                        _ => return Err(Fault::Undefined("stack slot")),
                    },
                    Shows::Frame(number, first) => {
                        I::frame_word(self, (number, first + i64::from(i) * self.stride()), lane)?
                    }
                };
                call.inputs.push(self.terms.refresh_word(x));
            }
        }
        Ok(call)
    }

    /// Writes what a call of the kernel's gives in one lane.
    fn results(&mut self, call: &Call, arguments: &[(&Parameter, Shows)], lane: usize) -> Result<(), Fault> {
        let written = arguments.iter().filter(|(param, _)| param.role.is_written());
        let count = written.clone().map(|(param, _)| self.words(param)).sum();
        let mut results =
            self.terms.results(call, count).ok_or(Fault::Call("the kernel makes no such call"))?.into_iter();
        for (param, at) in written {
            for (i, x) in (0..self.words(param)).zip(results.by_ref()) {
                match *at {
                    Shows::Array(p, first) => self.set_element(p, self.of_lane(p, lane) + first + i as usize, x),
                    Shows::Stack(first) => drop(self.stack.insert(first + 8 * i64::from(i), Content::Word(x, 64))),
                    Shows::Frame(number, first) => {
                        I::set_frame_word(self, (number, first + i64::from(i) * self.stride()), lane, x);
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the elements of a parameter begin of the how many-th lane that is followed: one lane's after the other's.
    fn of_lane(&self, param: usize, lane: usize) -> usize {
        lane * self.words(&self.program.params[param]) as usize
    }

    /// What the arguments show, each as its parameter asks for, and any two as the routine's aliasing rule does.
    fn arguments(&mut self, routine: &Shown, stack_pointer: Content, top: i64) -> Result<Vec<Shows>, Fault> {
        let (params, registers) = (&routine.callee.params, I::CONVENTION.parameters);
        // Arguments without a register lie above the stack pointer, and the routine relies on them. Under an aligned part,
        // which ends nobody knows where, only what was pushed before is sure to lie above it and the return address.
        let reserved = match stack_pointer {
            Content::Frame(..) => self.stack.keys().next().map_or(0, |lowest| *lowest),
            _ => top + 8 * params.len().saturating_sub(registers.len()) as i64,
        };
        let mut shown = Vec::with_capacity(params.len());
        for (p, param) in params.iter().enumerate() {
            let pointer = match registers.get(p) {
                Some(r) => self.registers[*r],
                None if matches!(stack_pointer, Content::Stack(_)) => {
                    self.load_slot(top + 8 * (p - registers.len()) as i64)?
                }
                None => return Err(Fault::Call("an argument without a register, under an aligned part of the stack")),
            };
            shown.push(self.argument(pointer, param, reserved)?);
        }
        for j in 1..params.len() {
            for i in 0..j {
                self.apart(routine, &shown, i, j)?;
            }
        }
        Ok(shown)
    }

    /// Bytes from one element of an argument to the next, in memory that a program on vectors has.
    fn stride(&self) -> i64 {
        8 * i64::from(self.program.lanes.count)
    }

    /// Elements of a parameter, each of as many bytes as there are lanes, or of one element its own.
    fn words(&self, param: &Parameter) -> u32 {
        param.len / self.program.lanes.elements().max(1)
    }

    /// What a call leaves undefined.
    fn after_call(&mut self, stack_pointer: Content, keeps: &[bool]) {
        for (register, keeps) in self.registers.iter_mut().zip(keeps) {
            if !keeps {
                *register = Content::Undefined;
            }
        }
        self.registers[I::CONVENTION.stack_pointer] = stack_pointer;
        I::after_call(&mut self.own);
        // An aligned part, and all that is left of the stack beside it, is above what was called.
        if let Content::Stack(top) = stack_pointer {
            self.stack = self.stack.split_off(&top);
        }
    }

    /// What an argument shows, if it is what the parameter asks for.
    fn argument(&self, pointer: Content, param: &Parameter, reserved: i64) -> Result<Shows, Fault> {
        let wrong = Fault::Call("an argument is not what the routine's parameter asks for");
        let on_vectors = self.program.lanes.count > 1;
        let size = if on_vectors { self.stride() } else { i64::from(param.element_bytes) };
        match pointer {
            Content::Array(p, at) => {
                let own = &self.program.params[p];
                let end = at + size * i64::from(self.words(param));
                let inside = at >= 0 && at % size == 0 && end <= size * i64::from(self.words(own));
                let fits =
                    own.element_bytes == param.element_bytes && (own.role.is_written() || !param.role.is_written());
                if inside && fits { Ok(Shows::Array(p, (at / size) as usize)) } else { Err(wrong) }
            }
            Content::Frame(number, at) if on_vectors => {
                let inside = at >= 0 && at % size == 0 && I::is_in_frame(self, (number, at), self.words(param));
                if inside && param.element_bytes == 8 { Ok(Shows::Frame(number, at)) } else { Err(wrong) }
            }
            Content::Stack(at) if !on_vectors => {
                let inside = at >= reserved && at % 8 == 0 && at + 8 * i64::from(param.len) <= 0;
                if inside && size == 8 { Ok(Shows::Stack(at)) } else { Err(wrong) }
            }
            _ => Err(Fault::Call("an argument is no pointer")),
        }
    }

    /// Two arguments, i < j, of which one is written are the same, where the routine allows it, or have no common byte;
    /// also where the caller's arrays may be the same.
    fn apart(&mut self, routine: &Shown, shown: &[Shows], i: usize, j: usize) -> Result<(), Fault> {
        let (p, q) = (&routine.callee.params[i], &routine.callee.params[j]);
        let (xs, ys, size) = (self.words(p), self.words(q), self.stride());
        if !p.role.is_written() && !q.role.is_written() {
            return Ok(());
        }
        let meet = |x: i64, xs: u32, y: i64, ys: u32| x < y + i64::from(ys) && y < x + i64::from(xs);
        let (same, perhaps) = match (shown[i], shown[j]) {
            (Shows::Array(a, x), Shows::Array(b, y)) if meet(x as i64, xs, y as i64, ys) => {
                let same = self.memory.class[a] == self.memory.class[b];
                (same, !same && self.order.may_be_same(a, b))
            }
            (Shows::Stack(x), Shows::Stack(y)) => (meet(x / 8, xs, y / 8, ys), false),
            (Shows::Frame(_, x), Shows::Frame(_, y)) => (meet(x / size, xs, y / size, ys), false),
            _ => (false, false),
        };
        if !same && !perhaps {
            return Ok(());
        }
        let exact = match (shown[i], shown[j]) {
            (Shows::Array(_, x), Shows::Array(_, y)) => x == y,
            (x, y) => x == y,
        };
        if exact && routine.callee.may_be_same(i, j) {
            return Ok(());
        }
        if perhaps {
            // Every way in which the caller's arrays may be the same is run by itself.
            self.order.late = true;
            return Ok(());
        }
        Err(Fault::Call("two arguments overlap as the routine does not allow"))
    }
}
