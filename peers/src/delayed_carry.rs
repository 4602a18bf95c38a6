//! Delayed-carry Comba beside Comba, 32-bit digits: the ratio that the literature puts at 1.5 to 2. Both are ours, both
//! are proved.

use anyhow::Result;
use evariste_algorithms::{Operation, plans};
use evariste_backend::c;
use evariste_descriptions::Field;
use evariste_run::{Compiler, Stop, TimingOptions, time_paired};
use evariste_tune::candidates::{field_layouts, judge_all};
use evariste_tune::measure::{make_all, workload};

use crate::comparison::{Row, row};

/// The operand sizes of the NIST primes.
const BITS: [u32; 5] = [192, 224, 256, 384, 521];

/// Products and squares.
pub fn compare(compiler: &Compiler, only: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for bits in BITS {
        for operation in [Operation::MUL, Operation::SQUARE] {
            let id = format!("int{bits}/w32.{}", operation.name());
            if !id.contains(only) {
                continue;
            }
            let field = Field::parse(&format!("int{bits}")).map_err(|e| anyhow::anyhow!("{e}"))?;
            let all: Vec<_> = field_layouts(&field, &[32]).iter().flat_map(|l| plans(&field, l, &operation)).collect();
            let judged: Vec<_> = judge_all(&all, |_| false, &Stop::default(), || ())
                .into_iter()
                .filter_map(|j| Some((j.plan, j.outcome.ok()?)))
                .collect();
            let kernels: Vec<_> = judged.iter().map(|(_, p)| p).collect();
            let compiled = make_all(&kernels, &*c::by(compiler.clone()), &Stop::default(), || ());
            let ready: Vec<_> = judged
                .iter()
                .zip(&compiled)
                .filter_map(|((plan, proved), c)| Some((plan.algorithm.clone(), workload(proved, c.as_ref().ok()?))))
                .collect();
            let workloads: Vec<_> = ready.iter().map(|(_, w)| w.clone()).collect();
            let timings = time_paired(&workloads, &TimingOptions::default())?;
            let Some(comba) = ready.iter().position(|(name, _)| name == "comba") else { continue };
            for ((name, _), timing) in ready.iter().zip(&timings).filter(|((name, _), _)| name != "comba") {
                rows.push(row(
                    &id,
                    "throughput",
                    "equal",
                    name,
                    ("comba", "ours"),
                    &timing.throughput,
                    &timings[comba].throughput,
                ));
            }
        }
    }
    Ok(rows)
}
