//! Inputs near the edges, and the interpreter's answers for them.

use evariste_ir::interpret::Outputs;
use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Interpreter, Interval, Kernel};
use num_bigint::{BigInt, Sign};

use crate::package::Vector;

use crate::manifest::params;

/// Splitmix: small, stable.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer of an interval: an end, near an end, few bits, or anything.
    pub fn within(&mut self, range: &Interval) -> BigInt {
        let span: BigInt = &range.hi - &range.lo + 1u32;
        let bytes: Vec<u8> = (0..span.bits().div_ceil(8)).map(|_| self.next() as u8).collect();
        let any = BigInt::from_bytes_le(Sign::Plus, &bytes) % &span;
        let offset = match self.next() % 8 {
            0 => BigInt::ZERO,
            1 => &span - 1,
            2 => BigInt::from(self.next() % 4) % &span,
            3 => (&span - 1 - self.next() % 4) % &span + &span,
            4 => (pow2((self.next() % span.bits().max(1)) as u32) - self.next() % 2) % &span,
            _ => any,
        };
        &range.lo + (offset % &span + &span) % &span
    }
}

/// Inputs that the contract admits.
pub fn inputs(kernel: &Kernel, random: &mut Random) -> Vec<(Array, Vec<BigInt>)> {
    let one = |array: Array, random: &mut Random| {
        let info = kernel.array(array);
        let number = kernel.contract.inputs.iter().find(|o| o.digits.first().is_some_and(|d| d.array == array));
        let digits = match number {
            Some(number) => {
                // Greedy digits of a number within its bound, from the top.
                let mut rest = random.within(&Interval::up_to(number.bound.clone()));
                let mut digits = vec![BigInt::ZERO; info.len as usize];
                for d in number.digits.iter().rev() {
                    let digit = std::cmp::min(&rest >> d.weight, d.most());
                    rest -= &digit << d.weight;
                    digits[d.index as usize] = d.element(&digit, &random.within(&Interval::up_to(d.max.clone())));
                }
                digits
            }
            None => (0..info.len).map(|i| random.within(info.range(i))).collect(),
        };
        (array, digits)
    };
    params(kernel, false).into_iter().map(|a| one(a, random)).collect()
}

/// `count` vectors for an operation, answered by the interpreter, which checks every interval on the way.
pub fn vectors(operation: &str, kernel: &Kernel, count: usize, seed: u64) -> Vec<Vector> {
    let mut random = Random(seed);
    let inputs: Vec<_> = (0..count).map(|_| inputs(kernel, &mut random)).collect();
    let named = |inputs: &Vec<(Array, Vec<BigInt>)>| -> Vec<(&str, Vec<BigInt>)> {
        inputs.iter().map(|(a, digits)| (kernel.array(*a).name.as_str(), digits.clone())).collect()
    };
    let named: Vec<_> = inputs.iter().map(named).collect();
    let outputs = match Interpreter::checking_ranges(kernel).run_each(&named) {
        Ok(outputs) => outputs,
        Err(error) => panic!("{}: {error} for {named:?}", kernel.name),
    };
    let seen = |name: &str| kernel.find(name).is_some_and(|a| kernel.array(a).kind != ArrayKind::Ghost);
    let one = |(inputs, outputs): (Vec<(Array, Vec<BigInt>)>, Outputs)| Vector {
        operation: operation.to_string(),
        inputs: inputs.into_iter().map(|(_, digits)| digits).collect(),
        outputs: outputs.into_iter().filter(|(name, _)| seen(name)).map(|(_, digits)| digits).collect(),
    };
    inputs.into_iter().zip(outputs).map(one).collect()
}
