//! C in processes of its own: for this processor's other word size, whose code cannot be loaded here, and beside GMP,
//! which is a library of this machine and part of nothing that users build.

use std::collections::BTreeMap;

use evariste_algorithms::Plan;
use evariste_backend::c::FLAGS;
use evariste_emit::{File, c_source_apart, parameters};
use evariste_proof::Proved;
use evariste_run::{Argument, Buffer, Compiler, TimedProgram, tick_ghz};
use evariste_tune::TuneError;
use evariste_tune::operands::{arrays, operand_values};

use crate::Options;
use crate::processors::written;

/// A product or a square by a library: its name, and its C, where `N` stands for the number of limbs, `OUT` for the words
/// of the result.
pub struct Library {
    /// What it is called in figures.
    pub name: &'static str,
    /// Flag of the linker.
    pub flag: &'static str,
    /// The head of the text.
    pub opening: &'static str,
    /// The body of a function of `w *out, const w *a, const w *b`, or without `b`.
    pub body: &'static str,
}

/// Calls of a sample: reading the counter takes as long as a short call.
const CALLS: usize = 64;

/// What was timed: a kernel by its number, or the library on the operands of that kernel; nanoseconds of a call.
pub struct Times {
    /// Of each kernel.
    pub kernels: Vec<f64>,
    /// Of the library, by the number of the kernel; empty where it is not there.
    pub library: BTreeMap<usize, f64>,
}

/// Times the kernels and a library on the operands of those that `beside` names, all in turn, three times; medians.
///
/// # Errors
/// What does not compile without the library; a process that ends early.
pub fn timed(
    all: &[(Plan, Proved)],
    compiler: &Compiler,
    library: Option<(&Library, &[usize])>,
    options: &Options,
) -> Result<Times, TuneError> {
    let kernels: Vec<&Proved> = all.iter().map(|(_, proved)| proved).collect();
    let source = c_source_apart(&kernels, "evariste")?;
    let mut functions: Vec<(String, Vec<Argument>)> = source
        .functions
        .iter()
        .map(|f| (f.symbol.clone(), f.parameters.iter().map(Argument::from).collect()))
        .collect();
    let mut files = vec![File { path: "kernels.c".into(), text: source.text }];
    let mut flags = FLAGS.to_vec();
    let mut subjects: Vec<usize> = (0..all.len()).collect();
    if let Some((library, beside)) = library {
        files.push(File { path: "library.c".into(), text: text(library, beside, &kernels) });
        functions
            .extend(beside.iter().map(|at| (format!("library_{at}"), functions[*at].1.clone())).collect::<Vec<_>>());
        flags.push(library.flag);
        subjects.extend(beside);
    }
    let (folder, mut sources) = written(&files, "c")?;
    // Libraries come after what uses them.
    sources.extend(library.map(|(l, _)| l.flag.into()));
    let program = TimedProgram::build(compiler, &flags, sources, functions)?;
    drop(folder);
    let sets: Vec<Vec<Vec<Buffer>>> = kernels.iter().map(|proved| operands(proved)).collect();
    let samples = if options.quick { 1_000 } else { 20_000 };
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); subjects.len()];
    for _ in 0..3 {
        for (i, at) in subjects.iter().enumerate() {
            times[i].push(program.ticks(i, &sets[*at], CALLS, samples)? / tick_ghz());
        }
    }
    let median = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let mut times = times.into_iter().map(median);
    let own = times.by_ref().take(all.len()).collect();
    let beside = library.map_or(&[][..], |(_, beside)| beside);
    Ok(Times { kernels: own, library: beside.iter().copied().zip(times).collect() })
}

/// The library's functions, one for the operands of each of these kernels.
fn text(library: &Library, beside: &[usize], kernels: &[&Proved]) -> String {
    let mut text = format!("#include <stdint.h>\n#include <string.h>\n{}\n", library.opening);
    for at in beside {
        let all = parameters(kernels[*at].kernel());
        let word = format!("uint{}_t", 8 * all[0].element_bytes);
        let names: Vec<String> = ["a", "b"].iter().take(all.len() - 1).map(|n| format!("const {word} *{n}")).collect();
        let body = library.body.replace("N", &all[1].len.to_string()).replace("OUT", &all[0].len.to_string());
        let body = if all.len() > 2 { body } else { body.replace("mul_n(r, a, b,", "sqr(r, a,") };
        text += &format!("void library_{at}({word} *out, {}) {{\n  {body}\n}}\n", names.join(", "));
    }
    text
}

/// Random operands of a kernel, as its function takes them.
fn operands(proved: &Proved) -> Vec<Vec<Buffer>> {
    let kernel = proved.kernel();
    let read = |values: &Vec<num_bigint::BigInt>| -> Option<Vec<Buffer>> {
        let arrays = arrays(kernel, &kernel.contract.inputs, values)?;
        let buffer = |p: &evariste_emit::Parameter| {
            let (_, words) = arrays.iter().find(|(a, _)| kernel.array(*a).name == p.name)?;
            let size = p.element_bytes as usize;
            let bytes = words.iter().flat_map(|w| {
                let mut bytes = w.to_bytes_le().1;
                bytes.resize(size, 0);
                bytes
            });
            Some(Buffer::from_bytes(&bytes.collect::<Vec<u8>>()))
        };
        let all = parameters(kernel);
        all.iter().filter(|p| p.role != evariste_emit::Role::Output).map(buffer).collect()
    };
    operand_values(kernel, 64, 1).split_off(32).iter().filter_map(read).collect()
}
