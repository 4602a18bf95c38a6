//! The functions of a package on fixed and on random operands: a record of how far their times differ.

use std::path::Path;

use evariste_algorithms::Operation;
use evariste_descriptions::Modulus;
use evariste_run::leakage::{Leakage, LeakageOptions};
use evariste_run::{Argument, Compiler, Machine, TimedProgram};
use evariste_tune::leakage::of_function;
use evariste_tune::package::FLAGGED;

use crate::check::{PackageCheck, sources};
use crate::error::Error;
use crate::field::Field;
use crate::plan::Plan;

/// Flags that the functions are compiled with: those of a package's Makefile.
const FLAGS: [&str; 2] = ["-std=c99", "-O3"];

/// The test of all functions of a package.
#[derive(Clone, Debug)]
pub struct TimingRecord {
    /// The processor's name.
    pub processor: String,
    /// The compiler's version line.
    pub compiler: String,
    /// Its flags.
    pub flags: String,
    /// What the class of fixed operands holds.
    pub fixed: String,
    /// Functions with what was found.
    pub functions: Vec<(String, Leakage)>,
}

impl TimingRecord {
    /// The functions whose times differ beyond doubt (|t| above 10).
    pub fn different(&self) -> impl Iterator<Item = &(String, Leakage)> {
        self.functions.iter().filter(|(_, found)| found.t.abs() > evariste_run::leakage::DIFFERENT)
    }
}

/// Compiles the package in `folder`, which a check found right, and times each function on zeros and on random
/// operands; `done` is called after each. The package's code runs in processes of its own.
///
/// # Errors
/// It does not compile, or a function does not return.
pub fn time_package(
    folder: &Path,
    check: &PackageCheck,
    compiler: &Compiler,
    options: &LeakageOptions,
    mut done: impl FnMut(usize, usize),
) -> Result<TimingRecord, Error> {
    // Other languages hold words in other types than these calls hand over; functions of a header cannot be linked.
    if !evariste_emit::language(&check.language).is_ok_and(|l| l.is_c && l.machine.is_none() && l.extension != "h") {
        let why =
            format!("functions of `{}` cannot be timed here\nhelp: emit the package with --lang c", check.language);
        return Err(Error::NotAPackage { path: folder.display().to_string(), why });
    }
    let layout = check.field.layout(&check.layout)?;
    let operations = check.operations.iter().filter_map(|(name, _)| check.field.operation(name).ok());
    let timed: Vec<(Operation, Plan)> = operations
        .filter_map(|operation| {
            let plan = check.field.plans_in(std::slice::from_ref(&layout), &operation).into_iter().next()?;
            Some((operation, plan))
        })
        .collect();
    let function = |(operation, plan): &(Operation, Plan)| {
        let arguments = evariste_emit::parameters(plan.kernel().data()).iter().map(Argument::from).collect();
        (format!("{}_{}", check.prefix, printed(&check.field, operation, plan)), arguments)
    };
    let sources = sources(folder, &[], &check.prefix)?;
    let program = TimedProgram::build(compiler, &FLAGS, sources, timed.iter().map(function).collect())?;
    let mut functions = Vec::new();
    for (i, (operation, plan)) in timed.iter().enumerate() {
        functions.push((operation.name(), of_function(plan.kernel().data(), &program, i, options)?));
        done(functions.len(), timed.len());
    }
    Ok(TimingRecord {
        processor: Machine::detect().cpu,
        compiler: compiler.version.clone(),
        flags: FLAGS.join(" "),
        fixed: evariste_tune::leakage::FIXED.to_string(),
        functions,
    })
}

/// The end of the name of an operation's kernel in a package: above some kernels lies a function with a status.
fn printed(field: &Field, operation: &Operation, plan: &Plan) -> String {
    if operation.takes_bytes() && field.spec().get::<Modulus>().is_some() {
        format!("{}_unchecked", operation.name())
    } else if operation.valid().is_some_and(|flag| plan.kernel().data().find(flag).is_some()) {
        operation.name() + FLAGGED
    } else {
        operation.name()
    }
}
