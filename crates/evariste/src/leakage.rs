//! The functions of a package on fixed and on random operands: a record of how far their times differ.

use std::path::Path;

use evariste_algorithms::Operation;
use evariste_descriptions::Modulus;
use evariste_run::leakage::{Leakage, LeakageOptions};
use evariste_run::{Argument, Compiler, Library, Machine};
use evariste_tune::leakage::of_function;

use crate::check::{PackageCheck, root_power, sources};
use crate::error::Error;
use crate::field::Field;

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
/// operands; `done` is called after each.
///
/// # Errors
/// It does not compile or cannot be loaded.
///
/// # Safety
/// The package's code runs in this process: its functions must be as they were emitted, for the field and the layout
/// that its check names. A check that passes does not show that.
#[allow(unsafe_code)]
pub unsafe fn time_package(
    folder: &Path,
    check: &PackageCheck,
    compiler: &Compiler,
    options: &LeakageOptions,
    mut done: impl FnMut(usize, usize),
) -> Result<TimingRecord, Error> {
    // Other languages hold words in other types than these calls hand over.
    if !evariste_emit::language(&check.language).is_ok_and(|language| language.machine.is_none()) {
        let why =
            format!("functions of `{}` cannot be timed here\nhelp: emit the package with --lang c", check.language);
        return Err(Error::NotAPackage { path: folder.display().to_string(), why });
    }
    let build = tempfile::Builder::new()
        .prefix("evariste-check-")
        .tempdir()
        .map_err(|e| Error::io("make a temporary folder", e))?;
    let mut arguments: Vec<std::ffi::OsString> =
        FLAGS.iter().chain(&["-shared", "-fPIC", "-o", "package.so"]).map(Into::into).collect();
    arguments.extend(sources(folder, &[&format!("{}.c", check.prefix)], &check.prefix)?);
    compiler.run(&arguments, build.path())?;
    // SAFETY: the caller's promise: emitted code has no constructors.
    let library = unsafe { Library::open(&build.path().join("package.so")) }?;
    let layout = check.field.layout(&check.layout)?;
    let mut functions = Vec::new();
    let operations: Vec<Operation> =
        check.operations.iter().filter_map(|(name, _)| check.field.operation(name).ok()).collect();
    for operation in &operations {
        let Some(plan) = check.field.plans_in(std::slice::from_ref(&layout), operation).into_iter().next() else {
            continue;
        };
        let symbol = format!("{}_{}", check.prefix, printed(&check.field, operation));
        let kernel = plan.kernel().data();
        let arguments: Vec<Argument> = evariste_emit::parameters(kernel).iter().map(Argument::from).collect();
        // SAFETY: the caller's promise: the function of that operation and layout takes these parameters.
        let function = unsafe { library.function(&symbol, &arguments) }?;
        functions.push((operation.name(), of_function(kernel, &function, options)?));
        done(functions.len(), operations.len());
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
fn printed(field: &Field, operation: &Operation) -> String {
    if operation.takes_bytes() && field.spec().get::<Modulus>().is_some() {
        format!("{}_unchecked", operation.name())
    } else if root_power(field).as_ref() == Some(operation) {
        "sqrt_power".to_string()
    } else {
        operation.name()
    }
}
