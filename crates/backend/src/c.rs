//! C by the machine's compilers.

use std::sync::Arc;

use evariste_algorithms::Layout;
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_ir::count::count_operations;
use evariste_proof::Proved;
use evariste_run::{Compiler, Family};

use crate::backend::{Backend, Choice, Entry, Estimate, Kind, Refusal};
use crate::made::Made;

/// Flags that kernels are compiled with, and that emitted packages name in their Makefile.
pub const FLAGS: &[&str] = &["-O2", "-march=native"];

/// The line of the table.
pub static C: Entry = Entry {
    name: "c",
    title: "C",
    kind: Kind::Compiled,
    find: |_| Ok(by(Compiler::find()?)),
    machine: None,
    package: None,
};

/// C by that compiler.
pub fn by(compiler: Compiler) -> Arc<dyn Backend> {
    Arc::new(ByCompiler(compiler))
}

/// One kernel as a function, by that compiler.
///
/// # Errors
/// C that cannot be printed or does not compile.
pub fn compile(proved: &Proved, compiler: &Compiler) -> Result<Made, Refusal> {
    let function = compiler.functions(&[proved], FLAGS)?.remove(0);
    Ok(Made::scalar(proved.kernel(), function))
}

#[derive(Debug)]
struct ByCompiler(Compiler);

impl Backend for ByCompiler {
    fn entry(&self) -> &'static Entry {
        &C
    }

    fn setting(&self) -> String {
        FLAGS.join(" ")
    }

    fn takes(&self, _: &Field, layout: &Layout, _: bool) -> bool {
        layout.radix.is_none()
    }

    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal> {
        let operations = count_operations(kernel, &|_| true) as usize;
        Ok(Estimate { operations, cycles: operations as f64, beside: None })
    }

    fn make(&self, proved: &Proved, _: &Choice) -> Result<Made, Refusal> {
        compile(proved, &self.0)
    }

    fn make_many(&self, kernels: &[&Proved]) -> Vec<Result<Made, Refusal>> {
        let alone = |all: &[&Proved]| all.iter().map(|proved| compile(proved, &self.0)).collect();
        // Kernels of one bit and kernels with floats are compiled with options of their own.
        let kind = |proved: &&Proved| (proved.kernel().word == 1, proved.kernel().uses_floats());
        let alike = kernels.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]));
        if kernels.len() < 2 || !alike || self.0.family == Family::Other {
            return alone(kernels);
        }
        match self.0.functions_apart(kernels, FLAGS) {
            Ok(functions) => kernels.iter().zip(functions).map(|(p, f)| Ok(Made::scalar(p.kernel(), f))).collect(),
            // One of them, or all: each says what is wrong with it.
            Err(_) => alone(kernels),
        }
    }

    fn compiler(&self) -> Option<&Compiler> {
        Some(&self.0)
    }
}
