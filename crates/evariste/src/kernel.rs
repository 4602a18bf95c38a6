//! Kernels to look at and to run.

use std::fmt;
use std::sync::Arc;

use evariste_algorithms::{Form, Layout, Operation};
use evariste_backend::{limits, machine_bound};
use evariste_cores::Core;
use evariste_ir::count::{Counts, count};
use evariste_ir::{Claim, Interpreter, Interval};
use evariste_tune::contract_line::contract_line;
use evariste_tune::encode::{decode, named};
use evariste_tune::operands::arrays;
use num_bigint::{BigInt, BigUint};

use crate::element::Element;
use crate::error::Error;
use crate::field::Field;

/// A kernel of a field's operation: words in, words out, for one element at a time, with no branch and no index that
/// depends on data.
///
/// ```
/// use evariste::{Field, Op};
///
/// let field = Field::parse("2^61 - 1")?;
/// let kernel = field.plans(Op::MUL)[0].kernel().clone();
/// assert!(kernel.contract().contains("a·b"));
/// assert!(kernel.counts().multiplications >= 1);
///
/// // The interpreter runs it, on elements in and out of the layout's form, …
/// let (a, b) = (field.element("2^60")?, field.element("6")?);
/// assert_eq!(kernel.run(&[&a, &b])?, a.mul(&b)?);
/// # Ok::<(), evariste::Error>(())
/// ```
#[derive(Clone)]
pub struct Kernel {
    field: Field,
    layout: Layout,
    operation: Operation,
    data: Arc<evariste_ir::Kernel>,
}

impl Kernel {
    pub(crate) fn new(field: Field, layout: Layout, operation: Operation, data: Arc<evariste_ir::Kernel>) -> Kernel {
        Kernel { field, layout, operation, data }
    }

    /// The field.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The layout of its operands.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What it computes.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The kernel as data: arrays, values, statements, contract.
    pub fn data(&self) -> &evariste_ir::Kernel {
        &self.data
    }

    /// What it needs and what it gives, in one line: `a, b < p → out < p, 2^256·out ≡ a·b`.
    pub fn contract(&self) -> String {
        contract_line(&self.data)
    }

    /// Operations by class, loops multiplied and calls included.
    pub fn counts(&self) -> Counts {
        count(&self.data)
    }

    /// The least cycles that it can take on a core as scalar code; per element.
    pub fn bound(&self, core: &Core) -> f64 {
        machine_bound(&self.data, core) / self.lanes()
    }

    /// Cycles by each resource of the core, named; [`Kernel::bound`] is the greatest.
    pub fn limits(&self, core: &Core) -> Vec<(String, f64)> {
        limits(&self.data, core).into_iter().map(|(name, cycles)| (name, cycles / self.lanes())).collect()
    }

    /// Elements that a machine word of 64 bits holds: one-bit words are bit-sliced.
    fn lanes(&self) -> f64 {
        if self.data.word == 1 { 64.0 } else { 1.0 }
    }

    /// The interval of each value as its writer declared it, by value number; a proof computes them again.
    pub fn ranges(&self) -> Vec<Interval> {
        self.data.values.iter().map(|v| v.range.clone()).collect()
    }

    /// Runs it in the interpreter on elements: into the layout's form, through the kernel, and back.
    ///
    /// # Errors
    /// Too few or too many operands, elements of another field, operations whose operands or results are not elements,
    /// elements that the kernel's bounds do not admit, and (for kernels that are wrong) whatever rule the kernel
    /// breaks.
    pub fn run(&self, operands: &[&Element]) -> Result<Element, Error> {
        if let Some(other) = operands.iter().find(|e| *e.field() != self.field) {
            return Err(Error::MixedFields { left: self.field.called(), right: other.field().called() });
        }
        let form = Form::new(self.field.spec(), &self.layout);
        let numbers: Vec<BigUint> = operands.iter().map(|e| form.held(e.value())).collect();
        match self.run_numbers(&numbers)?.first() {
            Some(result) => self.field.element_from(form.element(result)),
            None => Err(Error::NotApplicable { plan: self.data.name.clone(), why: "it returns no number".into() }),
        }
    }

    /// Runs it in the interpreter on numbers as the contract names them (in Montgomery layouts, a number is the residue
    /// times 2^r), and gives the numbers that the contract promises.
    ///
    /// # Errors
    /// As [`Kernel::run`].
    ///
    /// ```
    /// use evariste::{BigUint, Field, Op};
    /// let field = Field::parse("2^16 + 1")?;
    /// let plan = field.plan(&Op::MUL, "montgomery-cios/montgomery-1x64")?;
    /// // R = 2^64 ≡ 1 modulo 2^16 + 1: the Montgomery form of a number is the number itself.
    /// let product = plan.kernel().run_numbers(&[BigUint::from(300u32), BigUint::from(500u32)])?;
    /// assert_eq!(product, [BigUint::from(150_000u32 % 65537)]);
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn run_numbers(&self, numbers: &[BigUint]) -> Result<Vec<BigUint>, Error> {
        let taken = evariste_tune::operands::numbers(&self.data);
        if numbers.len() != taken.len() {
            let expected = taken.iter().map(|o| o.name.clone()).collect();
            return Err(Error::OperandCount { operation: self.operation.name(), expected, given: numbers.len() });
        }
        let values: Vec<BigInt> = numbers.iter().map(|n| BigInt::from(n.clone())).collect();
        let Some(inputs) = arrays(&self.data, &taken, &values) else {
            let bad = taken.iter().zip(&values).find(|(o, v)| **v > o.bound);
            let what = bad.map_or("an operand".to_string(), |(o, _)| format!("operand `{}`", o.name));
            return Err(Error::OutOfRange {
                what,
                why: format!("{} needs {}", self.data.name, self.contract()),
                help: "reduce the operand first".into(),
            });
        };
        let outputs = Interpreter::checking_ranges(&self.data)
            .run_one(&named(&self.data, &inputs))
            .map_err(|e| Error::Interpreter(e.to_string()))?;
        let outputs =
            outputs.into_iter().filter_map(|(name, elements)| Some((self.data.find(&name)?, elements))).collect();
        // Promised numbers are not negative.
        Ok(self
            .data
            .contract
            .claims
            .iter()
            .map(|c: &Claim| decode(c.output(), &outputs).to_biguint().unwrap_or_default())
            .collect())
    }
}

/// The kernel's text form, which parses back to the identical kernel.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.data)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} in layout {}", self.data.name, self.field, self.layout.name)
    }
}
