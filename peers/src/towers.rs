//! Products and squares in towers of extensions beside those of other libraries, one core, paired in one run: one
//! element as `prime` has it, and arrays of elements in the order of lanes, each time divided by the elements.

use anyhow::{Context, Result, bail, ensure};
use evariste_algorithms::operation::Holds;
use evariste_array::{Operand, StructuredArray};
use evariste_descriptions::Tower;
use evariste_run::{Compiler, Timing, TimingOptions, Workload};
use evariste_tune::operands::Stream;
use num_bigint::{BigInt, BigUint};

use crate::contest::{self, Table, measured};
use crate::curves::Row;
use crate::curves::many::{SETS, engine, repeated};
use crate::curves::ours::Own;
use crate::prime::kernels::{Kernel, towers};
use crate::prime::peer::OF_TOWERS;
use crate::prime::row::Passes;
use crate::prime::{Contest as OfOne, Options, backends, loaded};

/// Coordinates of an operand: three arrays of as many elements as that lie in the second cache.
const COORDINATES: usize = 1536;

/// Measures. Progress goes to the error stream.
pub fn compare(options: &Options, compiler: Option<&Compiler>) -> Result<Table<Row>> {
    let (kernels, backends, mut missing) = (towers(&options.only)?, backends(compiler)?, Vec::new());
    if kernels.is_empty() {
        let all = towers("")?;
        bail!("no kernel of that name: there are {}", all.iter().map(Kernel::id).collect::<Vec<_>>().join(", "));
    }
    let peers = loaded(&OF_TOWERS, options, &mut missing)?;
    let mut contests = Vec::new();
    for kernel in kernels {
        let Some(mut one) = OfOne::new(kernel, &peers, &backends, &mut missing)? else { continue };
        let many = arrays(&one.kernel, &mut missing);
        one.timings.extend(many.iter().map(|_| Vec::new()));
        contests.push(Contest { one, many });
    }
    measured(contests, missing, options.quick)
}

/// One kernel: the functions of one element, and ours of many.
struct Contest<'a> {
    /// Its timings have those of `many` at their end.
    one: OfOne<'a>,
    many: Vec<Own>,
}

impl contest::Contest for Contest<'_> {
    type Row = Row;

    const PASS: TimingOptions = <OfOne as contest::Contest>::PASS;

    fn workloads(&self) -> Vec<Workload> {
        let mut all = self.one.workloads();
        all.extend(self.many.iter().map(|own| own.workload.clone()));
        all
    }

    fn timings(&mut self) -> &mut [Vec<Timing>] {
        &mut self.one.timings
    }

    /// Those of one element, then our arrays beside each peer's best for one.
    fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.one.rows().into_iter().map(|pair| Row { elements: "one", pair }).collect();
        let Some((_, function)) = self.one.theirs.first() else { return rows };
        let times = &self.one.timings[self.one.timings.len() - self.many.len()..];
        for (own, times) in self.many.iter().zip(times) {
            let Some(ours) = Passes::of(times, "throughput", own.count as f64) else { continue };
            let beside = |id| self.one.beside(&own.plan, &ours, function.form, "throughput", id);
            let pairs = self.one.peers(function.form).into_iter().filter_map(beside);
            rows.extend(pairs.map(|pair| Row { elements: own.elements, pair }));
        }
        rows
    }
}

/// Ours on arrays, by all instruction sets and by those of AVX2; a line where one has no code.
fn arrays(kernel: &Kernel, missing: &mut Vec<String>) -> Vec<Own> {
    let mut all = Vec::new();
    for (elements, sets) in SETS {
        match array(kernel, elements, sets) {
            Ok(own) => all.push(own),
            Err(error) => missing.push(format!("{} of {elements}: {error:#}", kernel.id())),
        }
    }
    all
}

/// An array of operands, all of whose results are compared with the reference's before it is timed.
fn array(kernel: &Kernel, elements: &'static str, sets: Option<&str>) -> Result<Own> {
    let (field, operation) = (&kernel.field, kernel.operation.clone());
    let count = COORDINATES / field.get::<Tower>().context("a tower")?.degree();
    let engine = engine(field, sets, count)?;
    let (mut stream, below) = (Stream::new(1), BigInt::from(field.order() - 1u8));
    let mut numbers = || (0..count).map(|_| stream.number(&below).magnitude().clone()).collect::<Vec<BigUint>>();
    let inputs: Vec<Vec<BigUint>> = operation.row().inputs.iter().map(|_| numbers()).collect();
    let operands =
        inputs.iter().map(|input| Ok(engine.from_numbers(Holds::Element, input)?)).collect::<Result<Vec<_>>>()?;
    let given = engine.to_numbers(Holds::Element, &engine.compute(&operation, &each(&operands))?)?;
    for (i, given) in given.iter().enumerate() {
        let numbers: Vec<BigUint> = inputs.iter().map(|input| input[i].clone()).collect();
        ensure!(operation.meaning(&**field, &numbers).as_ref() == Some(given), "element {i} is wrong");
    }
    let plan = format!("{}: {}", operation.name(), engine.describe(&operation)?);
    Ok(Own { elements, plan, count, workload: repeated(move || engine.compute(&operation, &each(&operands)))? })
}

/// As operands of an operation.
fn each(arrays: &[StructuredArray]) -> Vec<Operand<'_>> {
    arrays.iter().map(Operand::from).collect()
}
