//! One operation on given numbers: by the reference, and by a proved kernel, compiled where there is a compiler and
//! interpreted elsewhere.

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::reduction::run_time_modulus;
use evariste_algorithms::{Form, Layout, Operation};
use evariste_backend::{Choice, Made, c};
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::{Field, Modulus};
use evariste_ir::count::count;
use evariste_ir::interpret::{Interpreter, Outputs};
use evariste_ir::{Claim, Kernel, Operand};
use evariste_proof::Proved;
use evariste_run::Compiler;
use num_bigint::{BigInt, BigUint};

use crate::encode::{Arrays, decode, named};
use crate::error::TuneError;
use crate::here;
use crate::measure;
use crate::operands::{arrays, numbers};

/// How a kernel was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// Assembled by ourselves and called.
    Assembled,
    /// Compiled by the C compiler and called.
    Compiled,
    /// Interpreted: there is no machine code of it and no C compiler.
    Interpreted,
}

/// Names of an operation's operands, for help and errors; what is supplied at run time comes last. None for what is no
/// operation on numbers: bytes, words.
pub fn operand_names(field: &Field, operation: &Operation) -> Vec<&'static str> {
    let own = operation.operands();
    let supplied = if own.is_empty() { &[][..] } else { field.supplied() };
    own.into_iter().chain(supplied.iter().copied()).collect()
}

/// The exact answer. A form is another way to write the same number, so into and out of it nothing changes.
///
/// # Errors
/// [`TuneError::Operand`]: not as many operands as the operation takes, a flag that is neither 0 nor 1, or a modulus that
/// is none. [`TuneError::NoCandidate`]: the field does not have the operation, or not of these operands.
pub fn reference(field: &Field, operation: &Operation, x: &[BigUint]) -> Result<BigUint, TuneError> {
    let names = operand_names(field, operation);
    if names.is_empty() {
        return Err(TuneError::Operand(format!("`{}` is not an operation on numbers", operation.name())));
    }
    if x.len() != names.len() {
        return Err(TuneError::Operand(format!(
            "`{}` takes {} operand{} ({}), and got {}",
            operation.name(),
            names.len(),
            if names.len() == 1 { "" } else { "s" },
            names.join(", "),
            x.len()
        )));
    }
    let (own, supplied) = x.split_at(names.len() - field.supplied().len());
    for (slot, flag) in operation.row().inputs.iter().zip(own).filter(|(slot, _)| slot.holds == Holds::Flag) {
        if *flag > BigUint::from(1u32) {
            return Err(TuneError::Operand(format!("the {} is {flag}\nhelp: write 0 or 1", slot.name)));
        }
    }
    if let Some(complaint) = field.complaint(&operation.name(), own) {
        return Err(TuneError::Operand(complaint));
    }
    let answer = if supplied.is_empty() {
        operation.meaning(&**field, own)
    } else {
        let structure = field.with_supplied(supplied).map_err(TuneError::Operand)?;
        let element = |x: &BigUint| structure.canonical(x).unwrap_or_else(|| x.clone());
        let slots = operation.row().inputs.iter().zip(own);
        let own: Vec<BigUint> =
            slots.map(|(slot, x)| if slot.holds == Holds::Element { element(x) } else { x.clone() }).collect();
        operation.meaning(&*structure, &own)
    };
    let missing =
        || TuneError::NoCandidate { field: field.called(), operation: operation.name(), detail: String::new() };
    answer.ok_or_else(missing)
}

/// A proved kernel, ready to be called: as machine code of our own where that can be made and run, else compiled, else
/// interpreted.
pub struct Callable {
    proved: Proved,
    code: Option<Made>,
    runner: Runner,
}

/// Steps up to which a kernel is made code of for a few results: its check takes some tens of microseconds a step, and
/// more where it is long, since what it compares grows; the interpreter takes about a tenth of a microsecond.
const MADE_FOR_A_FEW: u64 = 1_500;
/// Steps up to which a longer one is interpreted for a few results. Beyond them are powers, whose thousands of products
/// are one routine, which is checked once.
const INTERPRETED_FOR_A_FEW: u64 = 2_000_000;
/// Values up to which code is made of a kernel for a few results, and up to which it is compiled.
const LONGEST_FOR_A_FEW: [usize; 2] = [6_000, 1_000];

/// The values of a kernel and of all that it calls, as written.
fn written(kernel: &Kernel) -> usize {
    fn add<'k>(kernel: &'k Kernel, known: &mut Vec<&'k Kernel>) -> usize {
        if known.iter().any(|other| std::ptr::eq(*other, kernel)) {
            return 0;
        }
        known.push(kernel);
        kernel.values.len() + kernel.callees.iter().map(|callee| add(callee, known)).sum::<usize>()
    }
    add(kernel, &mut Vec::new())
}

impl Callable {
    /// For a few results at once: what takes longer to make code of, with its check, than to interpret is interpreted.
    ///
    /// # Errors
    /// As [`Callable::new`].
    pub fn for_a_few(
        proved: Proved,
        schedule: Option<&Schedule>,
        compiler: Option<&Compiler>,
    ) -> Result<Callable, TuneError> {
        let (values, steps) = (written(proved.kernel()), count(proved.kernel()).steps());
        let [made, compiled] = LONGEST_FOR_A_FEW;
        if (MADE_FOR_A_FEW..INTERPRETED_FOR_A_FEW).contains(&steps) || values > made {
            return Ok(Callable::interpreted(proved));
        }
        Callable::new(proved, schedule, compiler.filter(|_| values <= compiled))
    }

    /// Interpreted, whatever else could be.
    pub fn interpreted(proved: Proved) -> Callable {
        Callable { proved, code: None, runner: Runner::Interpreted }
    }

    /// Makes the code. `schedule` is the schedule of the machine code, where one was found.
    ///
    /// # Errors
    /// A schedule that does not fit; C that does not compile.
    pub fn new(
        proved: Proved,
        schedule: Option<&Schedule>,
        compiler: Option<&Compiler>,
    ) -> Result<Callable, TuneError> {
        if let Some(backend) = here::scalar(None) {
            match backend.make(&proved, &Choice { schedule, ..Choice::default() }) {
                Ok(code) => return Ok(Callable { proved, code: Some(code), runner: Runner::Assembled }),
                Err(e) if schedule.is_some() => {
                    return Err(TuneError::MachineCode(format!(
                        "the remembered schedule cannot be used: {e}\nhelp: tune again"
                    )));
                }
                Err(_) => {}
            }
        }
        let code = compiler.map(|compiler| c::compile(&proved, compiler)).transpose()?;
        let runner = if code.is_some() { Runner::Compiled } else { Runner::Interpreted };
        Ok(Callable { proved, code, runner })
    }

    /// How it runs.
    pub fn runner(&self) -> Runner {
        self.runner
    }

    /// Runs it on element arrays and gives all parameters that it writes.
    ///
    /// # Errors
    /// As [`interpret`], or as [`measure::call`].
    pub fn call(&self, inputs: &Arrays) -> Result<Arrays, TuneError> {
        match &self.code {
            Some(code) => measure::call(self.proved.kernel(), code, inputs),
            None => interpret(self.proved.kernel(), inputs),
        }
    }
}

/// Runs a kernel in the interpreter, every range checked, and gives all parameters that it writes.
///
/// # Errors
/// [`TuneError::Unproved`]: a value left its range, or the inputs are none of the kernel's.
pub fn interpret(kernel: &Kernel, inputs: &Arrays) -> Result<Arrays, TuneError> {
    Ok(interpret_each(kernel, std::slice::from_ref(inputs))?.remove(0))
}

/// Runs a kernel in the interpreter on each of these arrays, and gives for each all parameters that it writes.
///
/// # Errors
/// As [`interpret`].
pub fn interpret_each(kernel: &Kernel, inputs: &[Arrays]) -> Result<Vec<Arrays>, TuneError> {
    let inputs: Vec<_> = inputs.iter().map(|inputs| named(kernel, inputs)).collect();
    let outputs = Interpreter::checking_ranges(kernel)
        .run_each(&inputs)
        .map_err(|e| TuneError::Unproved(format!("the interpreter stopped: {e}")))?;
    let arrays =
        |outputs: Outputs| outputs.into_iter().filter_map(|(name, v)| Some((kernel.find(&name)?, v))).collect();
    Ok(outputs.into_iter().map(arrays).collect())
}

/// An operation on plain numbers by a proved kernel of a layout: into the layout's form, through the kernel, and back.
pub struct Evaluator {
    field: Field,
    operation: Operation,
    layout: Layout,
    operands: Vec<Operand>,
    callable: Callable,
}

impl Evaluator {
    /// An operation by its kernel in a layout.
    pub fn new(field: &Field, operation: &Operation, layout: &Layout, callable: Callable) -> Evaluator {
        let operands = numbers(callable.proved.kernel());
        Evaluator { field: field.clone(), operation: operation.clone(), layout: layout.clone(), operands, callable }
    }

    /// How the kernel runs.
    pub fn runner(&self) -> Runner {
        self.callable.runner()
    }

    /// The proved kernel.
    pub fn proved(&self) -> &Proved {
        &self.callable.proved
    }

    /// The result for these numbers, named by [`operand_names`].
    ///
    /// # Errors
    /// Too few or too many numbers, and numbers that the kernel's contract does not admit.
    pub fn evaluate(&self, x: &[BigUint]) -> Result<BigUint, TuneError> {
        self.result(x, &self.outputs(x)?)
    }

    /// What the kernel gives for these numbers, a number for each claim of its contract.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn outputs(&self, x: &[BigUint]) -> Result<Vec<BigUint>, TuneError> {
        Ok(self.numbers(x, &self.callable.call(&self.inputs(x)?)?))
    }

    /// A number for each claim of the kernel's contract, of what it wrote for these numbers.
    pub(crate) fn numbers(&self, x: &[BigUint], written: &Arrays) -> Vec<BigUint> {
        let form = self.form(x);
        let plain = self.holds() == Holds::Flag || self.operation == Operation::FROM_MONTGOMERY;
        let number = |claim: &Claim| {
            let out = decode(claim.output(), written);
            let out = out.to_biguint().unwrap_or_default();
            if plain { out } else { form.element(&out) }
        };
        self.proved().kernel().contract.claims.iter().map(number).collect()
    }

    /// The operation's first result for these numbers, of what the kernel gave.
    ///
    /// # Errors
    /// No result of the operation.
    pub fn result(&self, x: &[BigUint], outputs: &[BigUint]) -> Result<BigUint, TuneError> {
        let result = kinds::result(&self.field, self.holds(), outputs).ok_or_else(|| {
            TuneError::Unproved(format!(
                "`{}` gave what is no element of {}",
                self.operation.name(),
                self.field.called()
            ))
        })?;
        let asked = self.operation.row().asked;
        Ok(asked.map_or(result.clone(), |asked| asked(x, result)))
    }

    /// What the first result is.
    fn holds(&self) -> Holds {
        self.operation.row().outputs.first().map_or(Holds::Element, |slot| slot.holds)
    }

    /// The modulus, which may be supplied with the operands.
    fn modulus(&self, x: &[BigUint]) -> Option<BigUint> {
        let ground = kinds::ground(&self.field);
        let supplied = if self.field.supplied().is_empty() { None } else { x.last() };
        ground.get::<Modulus>().map(|m| &m.value).or(supplied).cloned()
    }

    /// How numbers are held.
    fn form(&self, x: &[BigUint]) -> Form {
        let modulus = self.modulus(x).filter(|_| !self.operation.is_of_strings());
        Form::modulo(modulus.as_ref(), &self.layout)
    }

    /// The arrays that the kernel reads for these numbers.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn inputs(&self, x: &[BigUint]) -> Result<Arrays, TuneError> {
        let (given, _) = x.split_at(x.len().saturating_sub(self.field.supplied().len()));
        let (modulus, form) = (self.modulus(x), self.form(x));
        let slots = self.operation.row().inputs.iter().map(|slot| slot.holds);
        let slots = slots.chain(std::iter::repeat(Holds::Element));
        let into = self.operation == Operation::TO_MONTGOMERY;
        let given: Vec<BigUint> = slots
            .zip(given)
            .flat_map(|(holds, x)| match kinds::given(&self.field, holds, x) {
                Given::Elements(all) if !into => all.iter().map(|x| form.held(x)).collect(),
                Given::Elements(all) => all,
                Given::Number(x) => vec![x],
            })
            .collect();
        let mut rest = given.iter();
        let radix = self.layout.radix.unwrap_or(self.layout.word);
        let mut value = |name: &str| match name {
            "modulus" => modulus.clone().map(Into::into),
            "inverse" => modulus.as_ref().map(|p| run_time_modulus::inverse(&p.clone().into(), radix)),
            // The factor, held as an element.
            "square" => modulus.as_ref().map(|_| form.held(self.layout.factor().magnitude()).into()),
            _ => rest.next().cloned().map(Into::into),
        };
        let values: Option<Vec<BigInt>> = self.operands.iter().map(|o| value(&o.name)).collect();
        let values = values.filter(|_| rest.next().is_none()).ok_or_else(|| {
            let names: Vec<&str> = self.operands.iter().map(|o| o.name.as_str()).collect();
            TuneError::Operand(format!(
                "{} numbers were given, the kernel of `{}` takes {}",
                given.len(),
                self.operation.name(),
                names.join(", ")
            ))
        })?;
        arrays(self.proved().kernel(), &self.operands, &values).ok_or_else(|| {
            let bounds: Vec<String> = self.operands.iter().map(|o| format!("{} ≤ {:#x}", o.name, o.bound)).collect();
            TuneError::Operand(format!("an operand is out of range\nhelp: {}", bounds.join(", ")))
        })
    }
}
