//! Hashes of messages that are longer than any kernel takes at once: by the kernels that take them piece by piece, as
//! packages do.

use evariste_algorithms::Operation;
use evariste_algorithms::hash::WORDS;
use evariste_descriptions::{Mmh, SquareHash};
use evariste_run::Compiler;
use evariste_tune::choose::Chosen;
use evariste_tune::evaluate::{Callable, operand_names};
use num_bigint::BigUint;

use crate::error::Error;
use crate::evaluate::Evaluation;
use crate::field::Field;

/// The pieces of a string of so many bits each, the last one shorter.
fn pieces(string: &BigUint, bits: u64) -> Vec<BigUint> {
    let length = string.bits().saturating_sub(1);
    let piece = |from: u64| {
        let own = bits.min(length - from);
        let digits = (string >> (length - from - own)) % (BigUint::from(1u32) << own);
        // A string begins behind a 1.
        digits + (BigUint::from(1u32) << own)
    };
    (0..length.div_ceil(bits)).map(|i| piece(i * bits)).collect()
}

impl Field {
    /// The operation that takes another piece of a message, where the kernels of this one take no message as long; `None`:
    /// they do, or there is no such operation (hashes of signed words, TMMH).
    ///
    /// ```
    /// use evariste::{BigUint, Field, Op};
    ///
    /// let field = Field::parse("mac:mmh32")?;
    /// let string = |words: u32| BigUint::from(1u32) << (32 * words);
    /// assert_eq!(field.in_pieces(&Op::HASH, &[string(32), string(32)]), None);
    /// assert_eq!(field.in_pieces(&Op::HASH, &[string(33), string(33)]), Some(Op::ABSORB));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn in_pieces(&self, operation: &Operation, numbers: &[BigUint]) -> Option<Operation> {
        let (exact, wrapping): (&[Operation], &[Operation]) = if self.spec().get::<Mmh>().is_some() {
            (&[Operation::HASH], &[Operation::HASH_WRAPPING])
        } else {
            (&[Operation::HASH, Operation::HASH_PLUS], &[Operation::WRAPPING, Operation::WRAPPING_PLUS])
        };
        self.word_of_hash().filter(|_| !self.kernels_take(numbers))?;
        let absorbs = |all: &[Operation], by: Operation| all.contains(operation).then_some(by);
        absorbs(exact, Operation::ABSORB).or_else(|| absorbs(wrapping, Operation::ABSORB_WRAPPING))
    }

    /// Bits of a word of a message.
    fn word_of_hash(&self) -> Option<u64> {
        let mmh = self.spec().get::<Mmh>().map(|hash| hash.word);
        mmh.or_else(|| self.spec().get::<SquareHash>().map(|hash| hash.word)).map(u64::from)
    }

    /// As [`Field::evaluate`], of a hash whose message is taken piece by piece ([`Field::in_pieces`]).
    ///
    /// # Errors
    /// As [`Field::evaluate`]; an operation that no other one does in pieces.
    pub fn evaluate_in_pieces(
        &self,
        chosen: &Chosen,
        operation: &Operation,
        numbers: &[BigUint],
        compiler: Option<&Compiler>,
    ) -> Result<Evaluation, Error> {
        let reference = self.reference(operation, numbers)?;
        let (Some(absorb), Some(word)) = (self.in_pieces(operation, numbers), self.word_of_hash()) else {
            return self.evaluate(chosen, operation, None, numbers, compiler);
        };
        let evaluator = |operation: &Operation| {
            self.evaluator_of(chosen, operation, None, &|proved, schedule| {
                Callable::for_a_few(proved, schedule, compiler)
            })
        };
        let (absorb, finish) = (evaluator(&absorb)?, evaluator(&Operation::FINISH)?);
        let [key, message] = [0, 1].map(|i| pieces(&numbers[i], u64::from(WORDS) * word));
        // A word that is added is where the sum begins.
        let mut sum = numbers.get(2).cloned().unwrap_or_default();
        for (key, message) in key.into_iter().zip(message) {
            sum = absorb.kernel.evaluate(&[key, message, sum])?;
        }
        let kernel = finish.kernel.evaluate(&[sum])?;
        Ok(Evaluation {
            agree: operation.same(&**self.spec(), [&reference, &kernel]),
            operands: operand_names(self.spec(), operation).into_iter().zip(numbers.iter().cloned()).collect(),
            reference,
            kernel,
            plan: format!("{} for each {WORDS} words, then {}", absorb.plan, finish.plan),
            contract: format!("{}; {}", absorb.contract, finish.contract),
            runner: absorb.kernel.runner(),
        })
    }
}
