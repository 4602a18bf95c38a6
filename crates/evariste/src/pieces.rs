//! Hashes of messages that are longer than any kernel takes at once, and keystreams: by the kernels that go piece by piece,
//! as packages do.

use evariste_algorithms::Operation;
use evariste_algorithms::hash::WORDS;
use evariste_descriptions::{Mmh, SquareHash, Wg};
use evariste_run::Compiler;
use evariste_tune::choose::Chosen;
use evariste_tune::evaluate::{Callable, Runner, operand_names};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::error::Error;
use crate::evaluate::{Evaluation, Evaluator};
use crate::field::Field;

/// Calls of a kernel for which no code is made of a long one.
const FEW: u64 = 8;

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
    /// The operation that takes another piece of a message, where the kernels of this one take no message as long, or gives
    /// another piece of a keystream; `None`: one kernel does all, or there is no such operation (hashes of signed words,
    /// TMMH).
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
        if self.spec().get::<Wg>().is_some() {
            let by = [(Operation::KEYSTREAM, Operation::STREAM), (Operation::INITIALISE, Operation::INITIAL_STEPS)];
            return by.into_iter().find(|(whole, _)| whole == operation).map(|(_, piece)| piece);
        }
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

    /// As [`Field::evaluate`], of a hash whose message is taken piece by piece or a keystream ([`Field::in_pieces`]).
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
        let made = match self.in_pieces(operation, numbers) {
            None => return self.evaluate(chosen, operation, None, numbers, compiler),
            Some(steps) if steps == Operation::STREAM => self.keystream(chosen, numbers, compiler)?,
            Some(steps) if steps == Operation::INITIAL_STEPS => self.initialised(chosen, numbers, compiler)?,
            Some(absorb) => self.hash(chosen, &absorb, numbers, compiler)?,
        };
        Ok(Evaluation {
            agree: operation.same(&**self.spec(), [&reference, &made.kernel]),
            operands: operand_names(self.spec(), operation).into_iter().zip(numbers.iter().cloned()).collect(),
            reference,
            kernel: made.kernel,
            plan: made.plan,
            contract: made.contract,
            runner: made.runner,
        })
    }

    /// A hash: each piece of the message, then what ends it.
    fn hash(
        &self,
        chosen: &Chosen,
        absorb: &Operation,
        numbers: &[BigUint],
        compiler: Option<&Compiler>,
    ) -> Result<Made, Error> {
        let word = self.word_of_hash().unwrap_or_default();
        let (absorb, finish) =
            (self.for_a_few(chosen, absorb, compiler)?, self.for_a_few(chosen, &Operation::FINISH, compiler)?);
        let [key, message] = [0, 1].map(|i| pieces(&numbers[i], u64::from(WORDS) * word));
        // A word that is added is where the sum begins.
        let mut sum = numbers.get(2).cloned().unwrap_or_default();
        for (key, message) in key.into_iter().zip(message) {
            sum = absorb.kernel.evaluate(&[key, message, sum])?;
        }
        Ok(Made {
            kernel: finish.kernel.evaluate(&[sum])?,
            plan: format!("{} for each {WORDS} words, then {}", absorb.plan, finish.plan),
            contract: format!("{}; {}", absorb.contract, finish.contract),
            runner: absorb.kernel.runner(),
        })
    }

    /// The stages after initialisation, of which loading takes no kernel.
    fn initialised(&self, chosen: &Chosen, numbers: &[BigUint], compiler: Option<&Compiler>) -> Result<Made, Error> {
        let loaded = self.reference(&Operation::LOAD, &numbers[..2])?;
        let initial = self.for_a_few(chosen, &Operation::INITIAL_STEPS, compiler)?;
        Ok(Made {
            kernel: initial.kernel.evaluate(&[loaded])?,
            runner: initial.kernel.runner(),
            plan: initial.plan,
            contract: initial.contract,
        })
    }

    /// A keystream: the steps of the initialisation, then eight bytes at a time.
    fn keystream(&self, chosen: &Chosen, numbers: &[BigUint], compiler: Option<&Compiler>) -> Result<Made, Error> {
        let initial = self.initialised(chosen, numbers, compiler)?;
        let mut state = initial.kernel;
        let bytes = numbers[2].to_u64().unwrap_or(u64::MAX);
        let steps = if bytes > 8 * FEW {
            self.evaluator(chosen, &Operation::STREAM, None, compiler)?
        } else {
            self.for_a_few(chosen, &Operation::STREAM, compiler)?
        };
        // A string begins behind a 1.
        let mut string = BigUint::from(1u32);
        for _ in 0..bytes.div_ceil(8) {
            let outputs = steps.kernel.outputs(std::slice::from_ref(&state))?;
            // The stages, then the bits.
            string = (string << 64u32) + outputs.last().unwrap_or(&BigUint::ZERO);
            state = steps.kernel.result(std::slice::from_ref(&state), &outputs)?;
        }
        Ok(Made {
            kernel: string >> (8 * (bytes.div_ceil(8) * 8 - bytes)),
            plan: format!("{}, then {} for each 8 bytes", initial.plan, steps.plan),
            contract: format!("{}; {}", initial.contract, steps.contract),
            runner: steps.kernel.runner(),
        })
    }

    /// An operation that is evaluated a few times.
    fn for_a_few(
        &self,
        chosen: &Chosen,
        operation: &Operation,
        compiler: Option<&Compiler>,
    ) -> Result<Evaluator, Error> {
        self.evaluator_of(chosen, operation, None, &|proved, schedule| Callable::for_a_few(proved, schedule, compiler))
    }
}

/// What kernels made of all pieces.
struct Made {
    kernel: BigUint,
    plan: String,
    contract: String,
    runner: Runner,
}
