//! fiat-crypto's C, compiled by the same compiler with the same flags as ours.

use std::path::Path;

use anyhow::{Context, Result, bail};
use evariste_algorithms::{Layout, Operation, plans};
use evariste_backend::c::{self, FLAGS};
use evariste_descriptions::Field;
use evariste_run::{Argument, Buffer, Compiler, NativeFunction, Stop, Timing, TimingOptions, Workload, time_paired};
use evariste_tune::candidates::{field_layouts, judge_all};
use evariste_tune::measure::{make_all, workload};

use crate::comparison::{Row, row};

/// A file of fiat-crypto: field, file, function prefix, are the functions called carry_mul, word size, words.
const FILES: &[(&str, &str, &str, bool, u32, usize)] = &[
    ("25519", "curve25519_64.c", "fiat_25519", true, 64, 5),
    ("p224", "p224_64.c", "fiat_p224", false, 64, 4),
    ("p256", "p256_64.c", "fiat_p256", false, 64, 4),
    ("p384", "p384_64.c", "fiat_p384", false, 64, 6),
    ("p521", "p521_64.c", "fiat_p521", true, 64, 9),
    ("secp256k1", "secp256k1_montgomery_64.c", "fiat_secp256k1_montgomery", false, 64, 4),
    ("448", "p448_solinas_64.c", "fiat_p448", true, 64, 8),
    ("sm2", "sm2_64.c", "fiat_sm2", false, 64, 4),
    ("25519", "curve25519_32.c", "fiat_25519", true, 32, 10),
    ("p256", "p256_32.c", "fiat_p256", false, 32, 8),
    ("p384", "p384_32.c", "fiat_p384", false, 32, 12),
    ("secp256k1", "secp256k1_montgomery_32.c", "fiat_secp256k1_montgomery", false, 32, 8),
];

/// All files of the folder that are there, products and squares.
pub fn compare(folder: &Path, compiler: &Compiler, only: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &(field, file, prefix, carry, word, words) in FILES {
        let path = folder.join(file);
        let id = format!("{field}{}", if word == 32 { "/w32" } else { "" });
        if !id.contains(only) || !path.exists() {
            continue;
        }
        eprintln!("{id}: {file}");
        let text = std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        for operation in [Operation::MUL, Operation::SQUARE] {
            let theirs = function(&text, prefix, carry, word, words, &operation, compiler)?;
            rows.extend(against(
                field,
                &format!("{id}.{}", operation.name()),
                word,
                &operation,
                &theirs,
                words,
                compiler,
            )?);
        }
    }
    if rows.is_empty() {
        bail!("no file of fiat-crypto's folder fiat-c/src in {}", folder.display());
    }
    Ok(rows)
}

/// The peer's function behind a pointer.
fn function(
    text: &str,
    prefix: &str,
    carry: bool,
    word: u32,
    words: usize,
    operation: &Operation,
    compiler: &Compiler,
) -> Result<NativeFunction> {
    let (name, operands) = if *operation == Operation::MUL { ("mul", "a, b") } else { ("square", "a") };
    let carry = if carry { "carry_" } else { "" };
    let second = if *operation == Operation::MUL { format!(", const uint{word}_t *b") } else { String::new() };
    let wrapper = format!(
        "\nvoid peer(uint{word}_t *o, const uint{word}_t *a{second}) {{ {prefix}_{carry}{name}(o, {operands}); }}\n"
    );
    let bytes = words * word as usize / 8;
    let mut arguments = vec![Argument::output(bytes), Argument::input(bytes)];
    if *operation == Operation::MUL {
        arguments.push(Argument::input(bytes));
    }
    // SAFETY: fiat-crypto's text has no constructors, and the wrapper takes these arrays.
    Ok(unsafe { compiler.load(&format!("{text}{wrapper}"), FLAGS)?.function("peer", &arguments) }?)
}

/// The peer's operands: digits of random canonical values of its own layout, as one of ours of the same number of words
/// has them.
fn operands(
    theirs: &NativeFunction,
    words: usize,
    names: &[(String, Layout)],
    workloads: &[Workload],
) -> Vec<Vec<Buffer>> {
    let like = names
        .iter()
        .position(|(_, l)| l.digits() == words && (l.montgomery.is_some() || !l.saturated()))
        .or_else(|| names.iter().position(|(_, l)| l.digits() == words));
    if let Some(i) = like {
        return workloads[i].operands.clone();
    }
    let byte = |i: usize| if i % 4 == 3 { 0 } else { (i as u8).wrapping_mul(37) };
    let of = |argument: &Argument| Buffer::from_bytes(&(0..argument.bytes).map(byte).collect::<Vec<u8>>());
    vec![theirs.arguments()[1..].iter().map(of).collect()]
}

/// Ours in every layout of that word size beside the peer's function.
fn against(
    field: &str,
    id: &str,
    word: u32,
    operation: &Operation,
    theirs: &NativeFunction,
    words: usize,
    compiler: &Compiler,
) -> Result<Vec<Row>> {
    let field = Field::parse(field).map_err(|e| anyhow::anyhow!("{e}"))?;
    let layouts = field_layouts(&field, &[word]);
    let all: Vec<_> = layouts.iter().flat_map(|l| plans(&field, l, operation)).collect();
    let judged: Vec<_> = judge_all(&all, |_| false, &Stop::default(), || ())
        .into_iter()
        .filter_map(|j| Some((j.plan, j.outcome.ok()?)))
        .collect();
    let kernels: Vec<_> = judged.iter().map(|(_, p)| p).collect();
    let compiled = make_all(&kernels, &*c::by(compiler.clone()), &Stop::default(), || ());
    let mut names = Vec::new();
    let mut workloads = Vec::new();
    for ((plan, proved), compiled) in judged.iter().zip(&compiled) {
        if let Ok(c) = compiled {
            names.push((plan.name(), plan.layout.clone()));
            workloads.push(workload(proved, c));
        }
    }
    let operands = operands(theirs, words, &names, &workloads);
    workloads.push(Workload { function: theirs.clone(), operands, chain: 0 });
    let timings = time_paired(&workloads, &TimingOptions { budget_ns: 1.5e8, ..TimingOptions::default() })?;
    let Some((peer, ours)) = timings.split_last() else { return Ok(vec![]) };
    let mut rows = Vec::new();
    for mode in ["throughput", "latency"] {
        let figure = |t: &Timing| if mode == "latency" { t.latency.clone() } else { Some(t.throughput.clone()) };
        let Some(peer) = figure(peer) else { continue };
        let best = |accept: &dyn Fn(usize) -> bool| {
            let rows = ours.iter().enumerate().filter(|(i, _)| accept(*i)).filter_map(|(i, t)| Some((i, figure(t)?)));
            rows.min_by(|a, b| a.1.ns.total_cmp(&b.1.ns))
        };
        // The peer's contract: canonical Montgomery form for its word-by-word code, loose to tight digits for its
        // unsaturated code.
        let unsaturated = id.contains("25519") || id.contains("p521") || id.contains("448");
        let equal = |i: usize| {
            let layout = &names[i].1;
            if unsaturated {
                !layout.saturated()
            } else {
                layout.montgomery.is_some() && !layout.name.ends_with("lazy")
            }
        };
        for (contract, found) in [("equal", best(&equal)), ("best", best(&|_| true))] {
            if let Some((i, figure)) = found {
                rows.push(row(id, mode, contract, &names[i].0, ("fiat-crypto (C)", "checkout"), &figure, &peer));
            }
        }
    }
    Ok(rows)
}
