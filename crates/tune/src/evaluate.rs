//! One operation on given numbers: by the reference, and by a proved kernel, compiled where there is a compiler and interpreted elsewhere.

use evariste_algorithms::reduction::given;
use evariste_algorithms::{Layout, Operation};
use evariste_ir::interpret::Interpreter;
use evariste_ir::{Claim, Kernel};
use evariste_proof::Proved;
use evariste_run::Compiler;
use evariste_spec::{Field, OddModuli};
use evariste_target::x86_64::Genes;
use num_bigint::{BigInt, BigUint, Sign};

use crate::encode::{Arrays, decode, named};
use crate::error::TuneError;
use crate::measure;
use crate::operands::arrays;

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

/// Names and meaning of an operation's operands, for help and errors; a modulus that is given comes last.
pub fn operand_names(field: &Field, operation: &Operation) -> &'static [&'static str] {
    match (field, operation) {
        (Field::Odd(_), Operation::Mul) => return &["a", "b", "modulus"],
        (Field::Odd(_), Operation::Square) => return &["a", "modulus"],
        (Field::Odd(_), _) => return &[],
        _ => {}
    }
    match operation {
        Operation::Mul | Operation::Add | Operation::Sub => &["a", "b"],
        Operation::Affine { .. } => &["a", "x", "b"],
        Operation::Square | Operation::Opp | Operation::Inverse | Operation::Power(_) | Operation::Canonical => &["a"],
        _ => &[],
    }
}

/// The exact answer.
pub fn reference(field: &Field, operation: &Operation, x: &[BigUint]) -> Result<BigUint, TuneError> {
    let names = operand_names(field, operation);
    if names.is_empty() {
        return Err(TuneError::Operand(format!("`{}` is not an operation on numbers\nhelp: mul, square, add, sub, opp, inv, pow_HEX, affine are", operation.name())));
    }
    if x.len() != names.len() {
        return Err(TuneError::Operand(format!("`{}` takes {} operand{} ({}), {} given", operation.name(), names.len(), if names.len() == 1 { "" } else { "s" }, names.join(", "), x.len())));
    }
    let missing = || TuneError::NoCandidate { field: field.text(), operation: operation.name(), detail: String::new() };
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
        Field::Odd(o) => {
            let (modulus, factors) = x.split_last().ok_or_else(missing)?;
            given_modulus(o, modulus)?;
            o.mul(&factors[0], &factors[factors.len() - 1], modulus)
        }
        Field::Binary(f) => match operation {
            Operation::Mul => f.multiply(&x[0], &x[1]),
            Operation::Square => f.square(&x[0]),
            Operation::Add => &x[0] ^ &x[1],
            Operation::Inverse => f.inverse(&x[0]).unwrap_or_default(),
            Operation::Trace => u32::from(f.trace(&x[0])).into(),
            Operation::HalfTrace => f.half_trace(&x[0]).ok_or_else(missing)?,
            Operation::SolveQuadratic => {
                let images = f.quadratic();
                (0..f.degree).filter(|i| x[0].bit(u64::from(*i))).fold(Default::default(), |sum, i| sum ^ &images[i as usize])
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
    let why = if modulus.bit(0) { format!("has {} bits, more than {}", modulus.bits(), moduli.bits) } else { "is even: Montgomery needs an odd modulus".into() };
    Err(TuneError::Operand(format!("the modulus {modulus:#x} {why}\nhelp: write an odd number of at most {} bits", moduli.bits)))
}

/// Runs a proved kernel on element arrays and gives all parameters that it writes: as machine code of our own where that can be made and run, else
/// compiled, else interpreted. `genes` is the schedule of the machine code, where one was found; that it does not fit is an error.
pub fn call(proved: &Proved, genes: Option<&Genes>, inputs: &Arrays, compiler: Option<&Compiler>) -> Result<(Arrays, Runner), TuneError> {
    if let Ok(features) = measure::machine_code() {
        match measure::assemble(proved, features, genes) {
            Ok(function) => return Ok((measure::call(proved.kernel(), &function, inputs)?, Runner::Assembled)),
            Err(e) if genes.is_some() => return Err(TuneError::MachineCode(format!("the remembered schedule cannot be used: {e}\nhelp: tune again"))),
            Err(_) => {}
        }
    }
    match compiler {
        Some(compiler) => Ok((measure::call(proved.kernel(), &measure::compile(proved, compiler)?, inputs)?, Runner::Compiled)),
        None => Ok((interpret(proved.kernel(), inputs)?, Runner::Interpreted)),
    }
}

/// Runs a kernel in the interpreter, every range checked, and gives all parameters that it writes.
pub fn interpret(kernel: &Kernel, inputs: &Arrays) -> Result<Arrays, TuneError> {
    let outputs = Interpreter::checking_ranges(kernel).run_one(&named(kernel, inputs)).map_err(|e| TuneError::Unproved(format!("the interpreter stopped: {e}")))?;
    Ok(outputs.into_iter().filter_map(|(name, v)| Some((kernel.find(&name)?, v))).collect())
}

/// The operation on plain numbers by a proved kernel of a layout: into the layout's form, through the kernel, and back.
pub fn by_kernel(field: &Field, layout: &Layout, proved: &Proved, genes: Option<&Genes>, x: &[BigUint], compiler: Option<&Compiler>) -> Result<(BigUint, Runner), TuneError> {
    let kernel: &Kernel = proved.kernel();
    if let Field::Odd(_) = field {
        return by_given_modulus(layout, proved, genes, x, compiler);
    }
    let numbers: Vec<BigInt> = x.iter().map(|v| into_layout(field, layout, v)).collect();
    let inputs = arrays(kernel, &kernel.contract.inputs, &numbers).ok_or_else(|| {
        let bounds: Vec<String> = kernel.contract.inputs.iter().map(|o| format!("{} ≤ {:#x}", o.name, o.bound)).collect();
        TuneError::Operand(format!("an operand is out of range\nhelp: {}", bounds.join(", ")))
    })?;
    let (outputs, runner) = call(proved, genes, &inputs, compiler)?;
    let claim: &Claim = &kernel.contract.claims[0];
    Ok((out_of_layout(field, layout, &decode(claim.output(), &outputs)), runner))
}

/// The same by a kernel that takes the modulus, the last of the numbers: what else it takes is computed here.
fn by_given_modulus(layout: &Layout, proved: &Proved, genes: Option<&Genes>, x: &[BigUint], compiler: Option<&Compiler>) -> Result<(BigUint, Runner), TuneError> {
    let kernel: &Kernel = proved.kernel();
    let no = |why: &str| TuneError::Operand(format!("{why}\nhelp: numbers and an odd modulus, in this order"));
    let (modulus, factors) = x.split_last().ok_or_else(|| no("there is no modulus"))?;
    let p = BigInt::from(modulus.clone());
    let r = layout.factor() % &p;
    let mut numbers: Vec<BigInt> = factors.iter().map(|v| BigInt::from(v.clone()) * &r % &p).collect();
    numbers.extend([p.clone(), given::inverse(&p, layout.radix.unwrap_or(layout.word))]);
    let inputs = arrays(kernel, &kernel.contract.inputs, &numbers).ok_or_else(|| no("an operand is out of range"))?;
    let (outputs, runner) = call(proved, genes, &inputs, compiler)?;
    let out = decode(kernel.contract.claims[0].output(), &outputs);
    let inverse = if p == BigInt::from(1) { BigInt::ZERO } else { r.modinv(&p).ok_or_else(|| no("the modulus is even"))? };
    Ok(((out * inverse % &p).to_biguint().unwrap_or_default(), runner))
}

/// `x·R mod p` in Montgomery layouts; else the number itself.
fn into_layout(field: &Field, layout: &Layout, x: &BigUint) -> BigInt {
    match (field, layout.montgomery) {
        (Field::Modular(m), Some(r)) => BigInt::from((x << r) % &m.value),
        _ => BigInt::from(x.clone()),
    }
}

/// The canonical plain value of what a layout holds.
fn out_of_layout(field: &Field, layout: &Layout, x: &BigInt) -> BigUint {
    let x = if x.sign() == Sign::Minus { BigUint::default() } else { x.magnitude().clone() };
    match (field, layout.montgomery) {
        (Field::Modular(m), Some(r)) => {
            let inverse = m.inverse(&((BigUint::from(1u32) << r) % &m.value)).unwrap_or_default();
            x % &m.value * inverse % &m.value
        }
        (Field::Modular(m), None) => x % &m.value,
        _ => x,
    }
}
