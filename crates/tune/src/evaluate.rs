//! One operation on given numbers: by the reference, and by a proved kernel, compiled where there is a compiler and
//! interpreted elsewhere.

use evariste_algorithms::reduction::run_time_modulus;
use evariste_algorithms::{Layout, Operation};
use evariste_codegen::x86_64::Genes;
use evariste_descriptions::{Field, OddModuli};
use evariste_ir::interpret::Interpreter;
use evariste_ir::{Claim, Kernel, Operand};
use evariste_proof::Proved;
use evariste_run::Compiler;
use num_bigint::{BigInt, BigUint};

use crate::encode::{Arrays, decode, named};
use crate::error::TuneError;
use crate::measure::{self, Compiled};
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

/// Names and meaning of an operation's operands, for help and errors; a modulus supplied at run time comes last. None for what
/// is no operation on numbers: bytes, words.
pub fn operand_names(field: &Field, operation: &Operation) -> &'static [&'static str] {
    let given = matches!(field, Field::Odd(_));
    match operation {
        Operation::Mul | Operation::Add | Operation::Sub | Operation::Equal if given => &["a", "b", "modulus"],
        Operation::Mul | Operation::Add | Operation::Sub | Operation::Equal => &["a", "b"],
        Operation::Selectznz if given => &["flag", "a", "b", "modulus"],
        Operation::Selectznz => &["flag", "a", "b"],
        Operation::Square
        | Operation::Opp
        | Operation::Canonical
        | Operation::IsZero
        | Operation::ToMontgomery
        | Operation::FromMontgomery
            if given =>
        {
            &["a", "modulus"]
        }
        Operation::Square
        | Operation::Opp
        | Operation::Canonical
        | Operation::IsZero
        | Operation::ToMontgomery
        | Operation::FromMontgomery => &["a"],
        Operation::Inverse
        | Operation::Power(_)
        | Operation::Trace
        | Operation::HalfTrace
        | Operation::SolveQuadratic => &["a"],
        Operation::Affine { .. } => &["a", "x", "b"],
        _ => &[],
    }
}

/// The exact answer. A form is another way to write the same number, so into and out of it nothing changes.
pub fn reference(field: &Field, operation: &Operation, x: &[BigUint]) -> Result<BigUint, TuneError> {
    let names = operand_names(field, operation);
    if names.is_empty() {
        return Err(TuneError::Operand(format!("`{}` is not an operation on numbers", operation.name())));
    }
    if x.len() != names.len() {
        return Err(TuneError::Operand(format!(
            "`{}` takes {} operand{} ({}), {} given",
            operation.name(),
            names.len(),
            if names.len() == 1 { "" } else { "s" },
            names.join(", "),
            x.len()
        )));
    }
    let missing =
        || TuneError::NoCandidate { field: field.called(), operation: operation.name(), detail: String::new() };
    let x: Vec<BigUint> = match field {
        Field::Odd(moduli) => {
            let (modulus, numbers) = x.split_last().ok_or_else(missing)?;
            given_modulus(moduli, modulus)?;
            numbers.iter().map(|x| x % modulus).chain([modulus.clone()]).collect()
        }
        _ => x.to_vec(),
    };
    match operation {
        Operation::Equal => return Ok(u32::from(x[0] == x[1]).into()),
        Operation::IsZero => return Ok(u32::from(x[0] == BigUint::ZERO).into()),
        Operation::Selectznz if x[0] <= BigUint::from(1u32) => {
            return Ok(if x[0] == BigUint::ZERO { x[1].clone() } else { x[2].clone() });
        }
        Operation::Selectznz => return Err(TuneError::Operand(format!("the flag is {}\nhelp: write 0 or 1", x[0]))),
        Operation::ToMontgomery | Operation::FromMontgomery => return Ok(x[0].clone()),
        _ => {}
    }
    Ok(match field {
        Field::Modular(m) => match operation {
            Operation::Mul => m.mul(&x[0], &x[1]),
            Operation::Square => m.square(&x[0]),
            Operation::Add => m.add(&x[0], &x[1]),
            Operation::Sub => m.sub(&x[0], &x[1]),
            Operation::Opp => m.neg(&x[0]),
            Operation::Canonical => m.reduce(&x[0]),
            Operation::Power(e) => m.pow(&x[0], e),
            Operation::Inverse => m.inverse(&x[0]).unwrap_or_default(),
            Operation::Affine { low_bits: None } => m.affine(&x[0], &x[1], &x[2]),
            Operation::Affine { low_bits: Some(k) } => m.affine_mod_power(&x[0], &x[1], &x[2], *k),
            _ => return Err(missing()),
        },
        Field::Integers(z) => match operation {
            Operation::Mul => z.mul(&x[0], &x[1]),
            Operation::Square => z.square(&x[0]),
            _ => return Err(missing()),
        },
        Field::Odd(_) => {
            let p = x.last().ok_or_else(missing)?;
            match operation {
                Operation::Mul => &x[0] * &x[1] % p,
                Operation::Square => &x[0] * &x[0] % p,
                Operation::Add => (&x[0] + &x[1]) % p,
                Operation::Sub => (&x[0] + p - &x[1]) % p,
                Operation::Opp => (p - &x[0]) % p,
                Operation::Canonical => x[0].clone(),
                _ => return Err(missing()),
            }
        }
        Field::Binary(f) => match operation {
            Operation::Mul => f.multiply(&x[0], &x[1]),
            Operation::Square => f.square(&x[0]),
            Operation::Add | Operation::Sub => &x[0] ^ &x[1],
            Operation::Inverse => f.inverse(&x[0]).unwrap_or_default(),
            Operation::Trace => u32::from(f.trace(&x[0])).into(),
            Operation::HalfTrace => f.half_trace(&x[0]).ok_or_else(missing)?,
            Operation::SolveQuadratic => {
                let images = f.quadratic();
                (0..f.degree)
                    .filter(|i| x[0].bit(u64::from(*i)))
                    .fold(Default::default(), |sum, i| sum ^ &images[i as usize])
            }
            _ => return Err(missing()),
        },
    })
}

/// Refuses what is no modulus of these.
fn given_modulus(moduli: &OddModuli, modulus: &BigUint) -> Result<(), TuneError> {
    if moduli.contains(modulus) {
        return Ok(());
    }
    let why = if modulus.bit(0) {
        format!("has {} bits, more than {}", modulus.bits(), moduli.bits)
    } else {
        "is even: Montgomery needs an odd modulus".into()
    };
    Err(TuneError::Operand(format!(
        "the modulus {modulus:#x} {why}\nhelp: write an odd number of at most {} bits",
        moduli.bits
    )))
}

/// A proved kernel, ready to be called: as machine code of our own where that can be made and run, else compiled, else
/// interpreted.
pub struct Callable {
    proved: Proved,
    code: Option<Compiled>,
    runner: Runner,
}

impl Callable {
    /// Makes the code. `genes` is the schedule of the machine code, where one was found.
    ///
    /// # Errors
    /// A schedule that does not fit; C that does not compile.
    pub fn new(proved: Proved, genes: Option<&Genes>, compiler: Option<&Compiler>) -> Result<Callable, TuneError> {
        if let Ok(features) = measure::machine_code() {
            match measure::assemble(&proved, features, genes) {
                Ok(code) => return Ok(Callable { proved, code: Some(code), runner: Runner::Assembled }),
                Err(e) if genes.is_some() => {
                    return Err(TuneError::MachineCode(format!(
                        "the remembered schedule cannot be used: {e}\nhelp: tune again"
                    )));
                }
                Err(_) => {}
            }
        }
        let code = compiler.map(|compiler| measure::compile(&proved, compiler)).transpose()?;
        let runner = if code.is_some() { Runner::Compiled } else { Runner::Interpreted };
        Ok(Callable { proved, code, runner })
    }

    /// How it runs.
    pub fn runner(&self) -> Runner {
        self.runner
    }

    /// Runs it on element arrays and gives all parameters that it writes.
    pub fn call(&self, inputs: &Arrays) -> Result<Arrays, TuneError> {
        match &self.code {
            Some(code) => measure::call(self.proved.kernel(), code, inputs),
            None => interpret(self.proved.kernel(), inputs),
        }
    }
}

/// Runs a kernel in the interpreter, every range checked, and gives all parameters that it writes.
pub fn interpret(kernel: &Kernel, inputs: &Arrays) -> Result<Arrays, TuneError> {
    let outputs = Interpreter::checking_ranges(kernel)
        .run_one(&named(kernel, inputs))
        .map_err(|e| TuneError::Unproved(format!("the interpreter stopped: {e}")))?;
    Ok(outputs.into_iter().filter_map(|(name, v)| Some((kernel.find(&name)?, v))).collect())
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
    /// Makes the kernel's code: see [`Callable::new`].
    ///
    /// # Errors
    /// As [`Callable::new`].
    pub fn new(
        field: &Field,
        operation: &Operation,
        layout: &Layout,
        proved: Proved,
        genes: Option<&Genes>,
        compiler: Option<&Compiler>,
    ) -> Result<Evaluator, TuneError> {
        let operands = numbers(proved.kernel());
        let callable = Callable::new(proved, genes, compiler)?;
        Ok(Evaluator { field: field.clone(), operation: operation.clone(), layout: layout.clone(), operands, callable })
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
        let (form, given) = match (&self.field, x.split_last()) {
            (Field::Odd(_), Some((p, given))) => (Form::of(&self.field, &self.layout, Some(p)), given),
            _ => (Form::of(&self.field, &self.layout, None), x),
        };
        let mut rest = given.iter();
        let mut value = |name: &str| match name {
            "modulus" => form.modulus.clone(),
            "inverse" => form
                .modulus
                .as_ref()
                .map(|p| run_time_modulus::inverse(p, self.layout.radix.unwrap_or(self.layout.word))),
            "square" => form.modulus.as_ref().map(|p| &form.factor * &form.factor % p),
            "cond" => rest.next().cloned().map(Into::into),
            _ if self.operation == Operation::ToMontgomery => rest.next().cloned().map(Into::into),
            _ => rest.next().map(|x| form.element(x)),
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
        let kernel = self.proved().kernel();
        let inputs = arrays(kernel, &self.operands, &values).ok_or_else(|| {
            let bounds: Vec<String> = self.operands.iter().map(|o| format!("{} ≤ {:#x}", o.name, o.bound)).collect();
            TuneError::Operand(format!("an operand is out of range\nhelp: {}", bounds.join(", ")))
        })?;
        let outputs = self.callable.call(&inputs)?;
        let claim: &Claim = &kernel.contract.claims[0];
        let out = decode(claim.output(), &outputs);
        let plain = matches!(claim, Claim::Equal { .. }) || self.operation == Operation::FromMontgomery;
        Ok(if plain { out.to_biguint().unwrap_or_default() } else { form.number(&out) })
    }
}

/// How a layout holds numbers: `x·factor mod modulus`, or x itself where there is no modulus.
struct Form {
    factor: BigInt,
    modulus: Option<BigInt>,
}

impl Form {
    fn of(field: &Field, layout: &Layout, given: Option<&BigUint>) -> Form {
        let modulus = match field {
            Field::Modular(m) => Some(&m.value),
            _ => given,
        };
        Form { factor: layout.factor(), modulus: modulus.map(|p| BigInt::from(p.clone())) }
    }

    fn element(&self, x: &BigUint) -> BigInt {
        let x = BigInt::from(x.clone());
        match &self.modulus {
            Some(p) => x * &self.factor % p,
            None => x,
        }
    }

    /// The canonical plain value.
    fn number(&self, x: &BigInt) -> BigUint {
        let x = match &self.modulus {
            // (Modulo 1 everything is 0, and nothing has an inverse.)
            Some(p) => x * (&self.factor % p).modinv(p).unwrap_or_default() % p,
            None => x.clone(),
        };
        x.to_biguint().unwrap_or_default()
    }
}
