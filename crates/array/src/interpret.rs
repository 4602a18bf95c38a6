//! Kernels in the interpreter, group by group, where no machine code can be made: slowly, with the same digits.

use std::cell::Cell;

use evariste_ir::Interpreter;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::code::{Code, In, Outputs, Parameter, Role};

impl Code {
    /// Interprets the kernel on the elements of one group.
    pub(crate) fn interpret(
        &self,
        interpreter: &Interpreter,
        outs: &Outputs,
        inputs: &[In],
        at: usize,
    ) -> Result<(), String> {
        if self.bits == 1 {
            return self.interpret_bits(interpreter, outs, inputs, at);
        }
        (0..64 / self.bits).try_for_each(|part| self.interpret_part(interpreter, outs, inputs, at, part))
    }

    /// Interprets it on one element: that in the lowest part of the words of memory (0), in the next part, …
    fn interpret_part(
        &self,
        interpreter: &Interpreter,
        outs: &Outputs,
        inputs: &[In],
        at: usize,
        part: u32,
    ) -> Result<(), String> {
        let (shift, mask) = (part * self.bits, u64::MAX >> (64 - self.bits));
        let name = |parameter: &Parameter| interpreter.kernel().array(parameter.array).name.as_str();
        let given: Vec<(&str, Vec<BigInt>)> = given(&self.parameters, outs, inputs, at)
            .map(|(parameter, words)| (name(parameter), words.iter().map(|w| (w >> shift & mask).into()).collect()))
            .collect();
        let results = match interpreter.run_one(&given) {
            Ok(results) => results,
            // Proved kernels take every element: this is a part of a last word that holds none.
            Err(_) if part > 0 => return Ok(()),
            Err(e) => return Err(e.to_string()),
        };
        for (parameter, cells) in written(&self.parameters, outs, at) {
            let result = results.iter().find(|(of, _)| of == name(parameter));
            let (_, digits) = result.ok_or("a kernel without that output")?;
            for (cell, digit) in cells.iter().zip(digits) {
                let digit = digit.to_u64().ok_or("an output of more than 64 bits")?;
                cell.set(cell.get() & !(mask << shift) | digit << shift);
            }
        }
        Ok(())
    }

    /// Interprets it on 64 elements, with one bit of each in a word.
    fn interpret_bits(
        &self,
        interpreter: &Interpreter,
        outs: &Outputs,
        inputs: &[In],
        at: usize,
    ) -> Result<(), String> {
        let mut batch = interpreter.batch(64);
        for (parameter, words) in given(&self.parameters, outs, inputs, at) {
            for (digit, word) in words.iter().enumerate() {
                (0..64).for_each(|lane| batch.set(parameter.array, digit as u32, lane, u128::from(word >> lane & 1)));
            }
        }
        if !interpreter.run(&mut batch).is_clean() {
            return Err("the interpreter reports a fault".into());
        }
        for (parameter, cells) in written(&self.parameters, outs, at) {
            for (digit, cell) in cells.iter().enumerate() {
                let mut word = [0];
                batch.read_bits(parameter.array, digit as u32, &mut word);
                cell.set(word[0]);
            }
        }
        Ok(())
    }
}

/// The inputs with their words of that group; a constant is the same in every group.
fn given<'a>(
    parameters: &'a [Parameter],
    outs: &'a Outputs,
    inputs: &'a [In],
    at: usize,
) -> impl Iterator<Item = (&'a Parameter, Vec<u64>)> {
    parameters.iter().filter_map(move |parameter| {
        let Role::Input(i) = parameter.role else { return None };
        let (n, place) = (parameter.digits, at * parameter.digits..(at + 1) * parameter.digits);
        let words = match inputs[i] {
            In::Out(k) => outs[k][place].iter().map(Cell::get).collect(),
            In::Words(words) => words[place].to_vec(),
            In::Constant(words) => words[..n].to_vec(),
        };
        Some((parameter, words))
    })
}

/// The outputs with their cells of that group.
fn written<'a>(
    parameters: &'a [Parameter],
    outs: &'a Outputs,
    at: usize,
) -> impl Iterator<Item = (&'a Parameter, &'a [Cell<u64>])> {
    parameters.iter().filter_map(move |parameter| {
        let Role::Output(i) = parameter.role else { return None };
        Some((parameter, &outs[i][at * parameter.digits..(at + 1) * parameter.digits]))
    })
}
