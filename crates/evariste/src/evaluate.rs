//! One operation on given numbers, by the reference and by a proved kernel: trust in ten seconds.

use evariste_algorithms::Operation;
use evariste_algorithms::kinds::exact;
use evariste_algorithms::operation::OPERATIONS;
use evariste_codegen::schedule::Schedule;
use evariste_proof::Proved;
use evariste_run::Compiler;
use evariste_tune::TuneError;
use evariste_tune::choose::{Chosen, prove_plan};
use evariste_tune::evaluate::{Callable, Evaluator as KernelEvaluator, Runner, operand_names};
use num_bigint::BigUint;

use crate::error::Error;
use crate::field::Field;

/// The answer, twice.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The operands, reduced modulo p where there is a modulus.
    pub operands: Vec<(&'static str, BigUint)>,
    /// The exact answer, by big integers.
    pub reference: BigUint,
    /// The answer of the kernel.
    pub kernel: BigUint,
    /// The plan of the kernel: algorithm and layout.
    pub plan: String,
    /// What the kernel promises, in one line.
    pub contract: String,
    /// How the kernel was run.
    pub runner: Runner,
    pub(crate) agree: bool,
}

impl Evaluation {
    /// Do both say the same, as far as it counts? (A Miller function counts up to what the last exponentiation makes 1.)
    pub fn agrees(&self) -> bool {
        self.agree
    }
}

/// An operation that is ready to be evaluated, by the reference and by a proved kernel: see [`Field::evaluator`].
pub struct Evaluator {
    field: Field,
    operation: Operation,
    pub(crate) plan: String,
    pub(crate) contract: String,
    pub(crate) kernel: KernelEvaluator,
}

impl Evaluator {
    /// Both answers for these numbers.
    ///
    /// # Errors
    /// The wrong number of operands, or an operand outside of the kernel's bounds.
    pub fn evaluate(&self, numbers: &[BigUint]) -> Result<Evaluation, Error> {
        let reference = self.field.reference(&self.operation, numbers)?;
        let names = operand_names(self.field.spec(), &self.operation);
        let kernel = self.kernel.evaluate(numbers)?;
        Ok(Evaluation {
            agree: self.operation.same(&**self.field.spec(), [&reference, &kernel]),
            operands: names.iter().copied().zip(numbers.iter().cloned()).collect(),
            reference,
            kernel,
            plan: self.plan.clone(),
            contract: self.contract.clone(),
            runner: self.kernel.runner(),
        })
    }
}

impl Field {
    /// The operation of that name (`mul`, `affine_mod_2_64`, `pow_10001`, …), whatever the layout.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names that this field has.
    ///
    /// ```
    /// use evariste::{Field, Op};
    /// let field = Field::parse("p256")?;
    /// assert_eq!(field.operation("mul")?, Op::MUL);
    /// assert!(field.operation("multiply").unwrap_err().to_string().contains("mul, square"));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn operation(&self, name: &str) -> Result<Operation, Error> {
        let layouts = self.layouts();
        let mut known: Vec<Operation> = Vec::new();
        for operation in layouts.iter().flat_map(|layout| self.operations(layout)) {
            if !known.contains(&operation) {
                known.push(operation);
            }
        }
        let names: Vec<String> = known.iter().map(Operation::name).collect();
        if let Some(operation) = known.into_iter().find(|op| op.name() == name) {
            return Ok(operation);
        }
        let free = Operation::parse(name)
            .filter(|op| op.is_any(&[Operation::POWER, Operation::AFFINE, Operation::AFFINE_MOD]));
        let planned = |op: &Operation| {
            layouts.iter().any(|layout| !evariste_algorithms::plans(self.spec(), layout, op).is_empty())
        };
        match free.filter(planned) {
            Some(operation) => Ok(operation),
            None => Err(Error::Unknown {
                kind: "operation",
                given: name.into(),
                help: meant(name, &names) + &format!("{self} has {}", names.join(", ")),
            }),
        }
    }

    /// Evaluates an operation on numbers by the reference and by the kernel of the chosen layout: by `plan` where it is
    /// named (algorithm, or full name), else by the chosen one. Without a compiler the kernel is interpreted, and so
    /// are long ones, of which code takes longer to make.
    ///
    /// # Errors
    /// The wrong number of operands, an operand outside of the kernel's bounds, a plan that does not exist or is not
    /// proved.
    ///
    /// ```
    /// use evariste::{Field, Op};
    ///
    /// let field = Field::parse("p256")?;
    /// let numbers = [field.element("3")?.value().clone(), field.element("-5")?.value().clone()];
    /// let answer = field.evaluate(&field.choose(None, None)?, &Op::MUL, None, &numbers, None)?;
    /// assert!(answer.agrees());
    /// assert_eq!(field.element_from(answer.kernel)?, field.element("-15")?);
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn evaluate(
        &self,
        chosen: &Chosen,
        operation: &Operation,
        plan: Option<&str>,
        numbers: &[BigUint],
        compiler: Option<&Compiler>,
    ) -> Result<Evaluation, Error> {
        // What is wrong with the numbers is said before anything is proved.
        self.reference(operation, numbers)?;
        self.evaluator_of(chosen, operation, plan, &|proved, schedule| Callable::for_a_few(proved, schedule, compiler))?
            .evaluate(numbers)
    }

    /// As [`Field::evaluate`], for many numbers: the kernel is proved and its code made once.
    ///
    /// # Errors
    /// A plan that does not exist or is not proved, and operations that are none on numbers.
    ///
    /// ```
    /// use evariste::{Field, Op};
    ///
    /// let field = Field::parse("GF(2^163)")?;
    /// let sum = field.evaluator(&field.choose(None, None)?, &Op::ADD, None, None)?;
    /// let numbers = [0x10000u32, 3].map(evariste::BigUint::from);
    /// assert_eq!(sum.evaluate(&numbers)?.kernel, evariste::BigUint::from(0x10003u32));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn evaluator(
        &self,
        chosen: &Chosen,
        operation: &Operation,
        plan: Option<&str>,
        compiler: Option<&Compiler>,
    ) -> Result<Evaluator, Error> {
        self.evaluator_of(chosen, operation, plan, &|proved, schedule| Callable::new(proved, schedule, compiler))
    }

    pub(crate) fn evaluator_of(
        &self,
        chosen: &Chosen,
        operation: &Operation,
        plan: Option<&str>,
        callable: &dyn Fn(Proved, Option<&Schedule>) -> Result<Callable, TuneError>,
    ) -> Result<Evaluator, Error> {
        let (plan, proved) = match plan {
            Some(name) => {
                let plan = chosen.plan_named(operation, name)?;
                (plan.name(), prove_plan(&plan)?)
            }
            None => chosen.proved_plan(operation)?,
        };
        let schedule = chosen.schedule(operation, &plan, proved.kernel())?.map(|s| s.schedule);
        let contract = evariste_tune::contract_line::contract_line(proved.statement());
        let callable = callable(proved, schedule.as_ref())?;
        let kernel = KernelEvaluator::new(self.spec(), operation, &chosen.layout, callable);
        Ok(Evaluator { field: self.clone(), operation: operation.clone(), plan, contract, kernel })
    }

    /// The operation of that name, if [`Field::evaluate`] knows it.
    ///
    /// # Errors
    /// Names of other operations, of none, and of those that no layout of the field has: the error lists what can be
    /// evaluated.
    ///
    /// ```
    /// let error = evariste::Field::parse("odd64")?.evaluable_named("to_bytes").unwrap_err();
    /// assert!(error.to_string().contains("mul (a, b, modulus)"));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn evaluable_named(&self, name: &str) -> Result<Operation, Error> {
        let parsed = Operation::parse(name);
        let all = self.evaluable();
        // Powers and the like are named with a number.
        let known = |op: &Operation| {
            all.iter().any(|(known, _)| known == op || known.is(op) && known.row().family.is_some())
                || op.row().family.is_some()
                    && exact(self.spec()).is_empty()
                    && !operand_names(self.spec(), op).is_empty()
        };
        // `mul` of a scalar and a point.
        let other = || exact(self.spec()).into_iter().find(|op| op.row().synonyms.contains(&name));
        parsed.filter(known).or_else(other).ok_or_else(|| {
            let list: Vec<String> =
                all.iter().map(|(op, names)| format!("{} ({})", op.name(), names.join(", "))).collect();
            let names: Vec<String> = all.iter().map(|(op, _)| op.name()).collect();
            Error::Unknown {
                kind: "operation on numbers",
                given: name.into(),
                help: meant(name, &names) + &format!("{} has {}", self.called(), list.join(", ")),
            }
        })
    }

    /// The operations that [`Field::evaluate`] knows, with the names of their operands; operations on bytes are not
    /// among them.
    pub fn evaluable(&self) -> Vec<(Operation, Vec<&'static str>)> {
        let mut all: Vec<(Operation, Vec<&'static str>)> = Vec::new();
        for operation in self.layouts().iter().flat_map(|layout| self.operations(layout)) {
            let names = operand_names(self.spec(), &operation);
            if !names.is_empty() && all.iter().all(|(op, _)| *op != operation) {
                all.push((operation, names));
            }
        }
        for operation in exact(self.spec()) {
            if all.iter().all(|(op, _)| *op != operation) {
                let names = operand_names(self.spec(), &operation);
                all.push((operation, names));
            }
        }
        all
    }
}

/// `did you mean inv? `, where the name is another word for an operation that there is, or nearly its name.
fn meant(given: &str, known: &[String]) -> String {
    let given = given.to_lowercase().replace('-', "_");
    let named = OPERATIONS.iter().filter(|op| op.row().synonyms.contains(&given.as_str()));
    // A family by one of its members.
    let member = |op: &Operation| if op.row().family.is_some() { op.with(0x1_0001u32) } else { op.clone() };
    let mut synonyms = named.map(|op| (op.row().family.is_some(), member(op).name()));
    let synonym = synonyms.find(|(family, name)| *family || known.contains(name)).map(|(_, name)| name);
    // One letter too many, too few, or wrong.
    let near = || known.iter().find(|name| nearly(name, &given)).cloned();
    synonym.or_else(near).map_or_else(String::new, |name| format!("did you mean {name}? "))
}

/// Do two words differ by at most one letter?
fn nearly(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[same..], &b[same..]);
    let without_first = |x: &[char]| x.get(1..).map_or_else(Vec::new, <[char]>::to_vec);
    a.len().abs_diff(b.len()) <= 1
        && a.len().max(b.len()) > 2
        && match rest_a.len().cmp(&rest_b.len()) {
            std::cmp::Ordering::Less => rest_a == without_first(rest_b).as_slice(),
            std::cmp::Ordering::Greater => without_first(rest_a).as_slice() == rest_b,
            std::cmp::Ordering::Equal => without_first(rest_a) == without_first(rest_b),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_understood_as_questions() {
        let known: Vec<String> = ["mul", "square", "add", "sub", "inv"].map(String::from).to_vec();
        for (given, name) in [
            ("inverse", "inv"),
            ("multiply", "mul"),
            ("MUL", "mul"),
            ("sqr", "square"),
            ("squar", "square"),
            ("subb", "sub"),
            ("aad", "add"),
            ("power", "pow_10001"),
        ] {
            assert_eq!(meant(given, &known), format!("did you mean {name}? "), "{given}");
        }
        for given in ["neg", "is_zero", "frobenius", "", "x", "mm"] {
            assert_eq!(meant(given, &known), "", "{given}");
        }
    }
}
