//! Ours for many elements: arrays in the order of lanes, on one thread, with the plans that they take by themselves.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_array::{Operand, Options, Scalars, Structured, StructuredArray};
use evariste_descriptions::{Curve, Field, Part};
use evariste_run::{Argument, NativeFunction, Workload};
use num_bigint::BigUint;

use super::ours::Own;
use super::subject::{CASES, Form, Task};

/// Elements of an array: of points, and of pairs.
const ELEMENTS: usize = 64;
const PAIRS: usize = 8;

/// Instruction sets: all, and those of processors with AVX2 and carry-less products of single words.
pub(crate) const SETS: [(&str, Option<&str>); 2] =
    [("many", None), ("many, AVX2", Some("bmi2+adx+avx2+fma+pclmulqdq"))];

/// Arrays of so many elements on one thread, by these instruction sets.
pub(crate) fn engine(field: &Field, sets: Option<&str>, elements: usize) -> Result<Structured> {
    let features = sets.map(str::to_owned);
    let options = Options { threads: 1, features, elements, forget: true, measured: true, ..Options::default() };
    Ok(Structured::with(field, options)?)
}

/// An operation on arrays that are ready.
struct Array {
    engine: Structured,
    operation: Operation,
    scalars: Option<Scalars>,
    operands: Vec<StructuredArray>,
    /// Are the results wanted in affine coordinates?
    affine: bool,
    /// How many elements.
    len: usize,
}

/// Ours on arrays, by all instruction sets and by those of AVX2; a line where one has no code.
pub fn arrays(task: &Task, missing: &mut Vec<String>) -> Result<Vec<Own>> {
    let mut all = Vec::new();
    for (elements, sets) in SETS {
        if task.many().is_empty() {
            continue;
        }
        let made = Array::new(task, sets).and_then(|array| array.own(task, elements));
        match made {
            Ok(own) => all.push(own),
            Err(error) => missing.push(format!("{} of {elements}: {error:#}", task.subject.id)),
        }
    }
    Ok(all)
}

/// What computes something again and again of operands of its own.
pub(crate) fn repeated<T>(run: impl Fn() -> T + Send + Sync + 'static) -> Result<Workload> {
    let run = move |_: &mut [evariste_run::Buffer]| drop(std::hint::black_box(run()));
    let function = NativeFunction::from_closure("arrays", &[Argument::output(8)], Arc::new(run))?;
    Ok(Workload { function, operands: vec![vec![]], chain: 0 })
}

impl Array {
    /// The last of the operations that arrays have.
    fn new(task: &Task, sets: Option<&str>) -> Result<Array> {
        let len = if task.subject.form == Form::Pairing { PAIRS } else { ELEMENTS };
        let engine = engine(&task.field, sets, len)?;
        let has = |operation: &&Operation| engine.operations().any(|own| own == *operation);
        let wanted = task.many();
        let operation = wanted.iter().rev().find(has).context("arrays have no such operation")?.clone();
        let cases: Vec<_> = (0..len).map(|i| &task.cases[i % CASES]).collect();
        let first: Vec<BigUint> = cases.iter().map(|case| case.first.clone()).collect();
        let mut second: Vec<BigUint> = cases.iter().map(|case| case.second.clone()).collect();
        let abscissae = operation == Operation::LADDER;
        if let Some(curve) = task.field.get::<Curve>().filter(|_| abscissae) {
            second = second.iter().filter_map(|p| Some(curve.unpacked(p)?.0)).collect();
        }
        let mut scalars = None;
        let mut operands = Vec::new();
        for (slot, numbers) in operation.row().inputs.iter().zip([&first, &second]) {
            match slot.holds {
                Holds::Part(Part::Scalars) => scalars = Some(engine.scalars(numbers)),
                holds => operands.push(engine.from_numbers(holds, numbers)?),
            }
        }
        let affine = matches!(task.subject.form, Form::Secret | Form::Key) && !abscissae;
        Ok(Array { engine, operation, scalars, operands, affine, len })
    }

    fn run(&self) -> Result<StructuredArray> {
        let scalars = self.scalars.iter().map(Operand::from);
        let operands: Vec<Operand> = scalars.chain(self.operands.iter().map(Operand::from)).collect();
        let out = self.engine.compute(&self.operation, &operands)?;
        Ok(if self.affine { self.engine.affine(&out)? } else { out })
    }

    /// Compares all results with the reference's, and makes something that can be timed.
    fn own(self, task: &Task, elements: &'static str) -> Result<Own> {
        let out = self.run()?;
        let first = |point: &BigUint| Some(task.field.get::<Curve>()?.unpacked(point)?.0);
        for (i, number) in self.numbers(&out)?.iter().enumerate() {
            let case = &task.cases[i % CASES];
            let wanted = task.wanted(case)?;
            let wanted = match task.subject.form {
                Form::Secret | Form::Key => first(&wanted).context("no neutral element")?,
                _ => wanted,
            };
            ensure!(*number == wanted, "element {i} is wrong");
        }
        let what = if self.affine { ", affine" } else { "" };
        let plan = format!("{}: {}{what}", self.operation.name(), self.engine.describe(&self.operation)?);
        let count = self.len;
        Ok(Own { elements, plan, count, workload: repeated(move || self.run())? })
    }

    /// The results: points, or the first of affine coordinates.
    fn numbers(&self, out: &StructuredArray) -> Result<Vec<BigUint>> {
        if self.affine {
            return Ok(self.engine.ground().to_integers(&self.engine.coordinate(out, 0)?)?);
        }
        let holds = self.operation.row().outputs.first().context("a result")?.holds;
        Ok(self.engine.to_numbers(holds, out)?)
    }
}
