//! Shared by the tests: random numbers, edge-biased operands, running a kernel on many of them.
#![allow(dead_code)]

use std::collections::HashMap;

use evariste_ir::statements::with_times;
use evariste_ir::{Array, Interpreter, Kernel, Op, Operand, Stmt};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

/// How many are tried of so many: a sixth, with `EVARISTE_FULL=1` all.
pub fn share(all: usize) -> usize {
    if evariste_testing::full() { all } else { all.div_ceil(6) }
}

pub use evariste_testing::Random;

/// Random numbers of any size.
pub trait Numbers {
    /// A number of that many bits.
    fn bits(&mut self, bits: u64) -> BigInt;

    /// A number of `0..=bound`: edges, long runs of ones and zeros, or uniform.
    fn biased(&mut self, bound: &BigInt, edges: &[BigInt]) -> BigInt;
}

impl Numbers for Random {
    fn bits(&mut self, bits: u64) -> BigInt {
        let words: Vec<u32> = (0..bits.div_ceil(32)).map(|_| self.word() as u32).collect();
        BigInt::from_slice(Sign::Plus, &words) % (BigInt::one() << bits)
    }

    fn biased(&mut self, bound: &BigInt, edges: &[BigInt]) -> BigInt {
        let bits = bound.bits().max(1);
        let x = match self.below(8) {
            0 => edges[self.below(edges.len() as u64) as usize].clone(),
            1 => bound - self.below(3),
            2 => BigInt::from(self.below(3)),
            // A run of ones, perhaps with its ends moved by one.
            3 | 4 => {
                let (i, j) = (self.below(bits + 1), self.below(bits + 1));
                let run = (BigInt::one() << i.max(j)) - (BigInt::one() << i.min(j));
                if self.below(2) == 0 { bound - run } else { run }
            }
            _ => self.bits(bits + 8),
        };
        let x = if x.sign() == Sign::Minus { BigInt::zero() } else { x };
        x % (bound + 1)
    }
}

/// The digits of a value at an operand's weights: by the digit's size where that works, else digits that are random up
/// to their maxima. `None` when the value cannot be written so.
pub fn digits_of(operand: &Operand, value: &BigInt) -> Option<Vec<BigInt>> {
    let mut rest = value.clone();
    let mut digits = vec![BigInt::zero(); operand.digits.len()];
    // From the top: as much as the digit takes.
    for (i, d) in operand.digits.iter().enumerate().rev() {
        let q = std::cmp::min(&rest >> d.weight, d.most());
        rest -= &q << d.weight;
        digits[i] = q;
    }
    rest.is_zero().then_some(digits)
}

/// Operands for one input number.
pub fn operand_values(r: &mut Random, operand: &Operand, edges: &[BigInt]) -> Vec<BigInt> {
    // Digits of unsaturated numbers: also each at or near its maximum, which no value decomposed from the top has.
    if r.below(3) == 0 {
        let digits: Vec<BigInt> =
            operand.digits.iter().map(|d| r.biased(&d.max, &[d.max.clone(), BigInt::one()])).collect();
        if value_of(operand, &digits) <= operand.bound {
            return digits;
        }
    }
    let value = r.biased(&operand.bound, edges);
    let digits = digits_of(operand, &value).unwrap_or_else(|| vec![BigInt::zero(); operand.digits.len()]);
    operand
        .digits
        .iter()
        .zip(&digits)
        .map(|(d, x)| d.element(x, &r.biased(&d.max, std::slice::from_ref(&d.max))))
        .collect()
}

/// `Σ digit·2^weight`.
pub fn value_of(operand: &Operand, digits: &[BigInt]) -> BigInt {
    operand.value(digits)
}

/// Edges of a modulus: around 0, p, 2p, powers of two, R mod p.
pub fn edges(p: &BigInt, word: u32) -> Vec<BigInt> {
    let mut all: Vec<BigInt> = Vec::new();
    let bits = p.bits() as u32;
    let r = BigInt::one() << (bits.div_ceil(word) * word);
    let mut centres = vec![BigInt::zero(), p.clone(), p * 2, p >> 1, &r % p, &r * &r % p];
    centres.extend((0..=bits.div_ceil(word)).map(|i| BigInt::one() << (i * word)));
    centres.extend([bits - 1, bits].map(|k| BigInt::one() << k));
    for c in centres {
        all.extend([-2, -1, 0, 1, 2].map(|d| &c + d));
    }
    all.retain(|x| x.sign() != Sign::Minus);
    all
}

/// Inputs and outputs of one lane: the value of each input number, and the output number with its digits.
pub struct Lane {
    pub inputs: Vec<BigInt>,
    pub input_digits: Vec<Vec<BigInt>>,
    pub output: BigInt,
    pub output_digits: Vec<BigInt>,
}

/// Runs a kernel with one claim on `lanes` operands each, checking every stated range; `alias` lets the output share an
/// input's storage.
pub fn run(
    kernel: &Kernel,
    r: &mut Random,
    lanes: usize,
    edges: &[BigInt],
    alias: Option<Array>,
) -> Result<Vec<Lane>, String> {
    let interpreter = Interpreter::checking_ranges(kernel);
    let mut batch = interpreter.batch(lanes);
    let output = kernel.contract.claims[0].output().clone();
    if let Some(input) = alias {
        batch.alias(kernel.find("out").unwrap_or(output.digits[0].array), input);
    }
    let mut given = Vec::new();
    for lane in 0..lanes {
        let digits: Vec<Vec<BigInt>> = kernel.contract.inputs.iter().map(|o| operand_values(r, o, edges)).collect();
        for (o, digits) in kernel.contract.inputs.iter().zip(&digits) {
            for (d, x) in o.digits.iter().zip(digits) {
                batch.set(d.array, d.index, lane, u128::try_from(x).map_err(|e| e.to_string())?);
            }
        }
        given.push(digits);
    }
    let report = interpreter.run(&mut batch);
    if let Some(v) = report.violations.first() {
        return Err(format!("{v}; operands {:?}", given[v.lane]));
    }
    let decode = |(lane, digits): (usize, Vec<Vec<BigInt>>)| {
        let inputs = kernel.contract.inputs.iter().zip(&digits).map(|(o, d)| value_of(o, d)).collect();
        let output_digits: Vec<BigInt> =
            output.digits.iter().map(|d| BigInt::from(batch.get(d.array, d.index, lane))).collect();
        let value = value_of(&output, &output_digits);
        if value > output.bound || output.digits.iter().zip(&output_digits).any(|(d, x)| x > &d.max) {
            return Err(format!(
                "the output {value:#x} with digits {output_digits:x?} is out of its bounds; operands {digits:x?}"
            ));
        }
        Ok(Lane { inputs, input_digits: digits, output: value, output_digits })
    };
    given.into_iter().enumerate().map(decode).collect()
}

/// Inputs that the output may overlap exactly: those of the same type and length, unless the kernel forbids it.
pub fn aliases(kernel: &Kernel) -> Vec<Array> {
    let Some(out) = kernel.find("out") else { return Vec::new() };
    kernel.params().filter(|a| kernel.may_alias(*a, out)).collect()
}

/// How often each operation is executed, by name; loads and stores too. Calls are not entered.
pub fn counts(kernel: &Kernel) -> HashMap<&'static str, u64> {
    let mut counts = HashMap::new();
    for (stmt, times) in with_times(&kernel.body) {
        let name = match stmt {
            Stmt::Op { op, .. } => op.name(),
            Stmt::Load { .. } => "load",
            Stmt::Store { .. } => "store",
            Stmt::Call { .. } => "call",
            Stmt::Loop(_) => "loop",
        };
        *counts.entry(name).or_default() += times;
    }
    counts
}

/// Is a certain operation there?
pub fn count(kernel: &Kernel, op: &Op) -> u64 {
    counts(kernel).get(op.name()).copied().unwrap_or(0)
}

/// As an unsigned integer.
pub fn unsigned(x: &BigInt) -> BigUint {
    x.magnitude().clone()
}
