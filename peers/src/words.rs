//! Arrays of numbers in ordinary words beside loops of other libraries' scalar functions, with all that it takes: ours
//! bring them to lanes and back or compute them as they lie. Peers test no number; ours do by default, and are timed both
//! with these tests and without (`Engine::trusting`). Products of two and of three factors and
//! sums of three terms, from one element to ten million, on one thread.
//!
//! Ours and the peers' loops take turns on the same arrays, round after round; a time is that of the best round, divided
//! by the elements; a row has the quickest peer whose words hold the same as ours, and one more the quickest of those that
//! leave numbers that are not reduced. Peers call once an element and operation; what they compute of the first two of three operands stays
//! in the first cache until the third one's turn comes.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::time::Instant;

use anyhow::{Result, anyhow, bail, ensure};
use evariste_algorithms::Operation;
use evariste_array::{ArrayError, Engine, Options as EngineOptions};
use evariste_descriptions::Field;
use evariste_run::TimingLock;
use num_bigint::BigUint;
use serde::Serialize;

use crate::contest::{Table, noted};
use crate::prime::form::Form;
use crate::prime::kernels::Kernel;
use crate::prime::peer::{Loaded, Loop, PEERS};
use crate::prime::{Options, loaded};

/// The fields, by the names of the language.
const NAMES: [&str; 10] =
    ["bls12-381-fr", "bls12-381-fp", "bn254-fp", "bn254-fr", "25519", "p256", "p384", "p521", "secp256k1", "448"];

/// Elements of an array; a quick comparison leaves the last one out.
const LENGTHS: [usize; 7] = [1, 8, 64, 512, 4096, 1_000_000, 10_000_000];

/// Elements of a round, at least.
const ROUND: usize = 20_000;

/// Elements that a peer computes of two operands before it goes on to the third.
const BLOCK: usize = 64;

/// Words of the longest field's elements.
const MOST_WORDS: usize = 9;

/// Elements that are compared with big integers.
const CHECKED: usize = 300;

/// What is computed of whole arrays.
struct Step {
    name: &'static str,
    operation: Operation,
    operands: usize,
    lengths: usize,
}

/// All steps. Arrays of three operands and ten million elements take more memory than they tell.
const STEPS: [Step; 3] = [
    Step { name: "mul", operation: Operation::MUL, operands: 2, lengths: LENGTHS.len() },
    Step { name: "mul of three", operation: Operation::MUL, operands: 3, lengths: LENGTHS.len() - 1 },
    Step { name: "add of three", operation: Operation::ADD, operands: 3, lengths: LENGTHS.len() - 1 },
];

/// One length, ours beside the quickest peer of a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// `25519.mul`, `25519.mul of three`.
    pub kernel: String,
    /// `canonical` or `montgomery-canonical`: what the words hold, and what both sides give.
    pub contract: &'static str,
    /// Elements of an array.
    pub elements: usize,
    /// The peer.
    pub peer: &'static str,
    /// Its version.
    pub peer_version: String,
    /// What its words hold: where this is not `contract`, it leaves numbers that ours bring below the modulus.
    pub peer_contract: &'static str,
    /// Nanoseconds an element, ours without tests.
    pub ours_ns: f64,
    /// Nanoseconds an element of the quickest peer.
    pub peer_ns: f64,
    /// `peer_ns / ours_ns`.
    pub ratio: f64,
    /// Nanoseconds an element, ours with a test of every number.
    pub tested_ns: f64,
    /// `peer_ns / tested_ns`.
    pub tested_ratio: f64,
    /// How ours compute it.
    pub ours: String,
}

/// Measures. Progress goes to the error stream.
pub fn compare(options: &Options) -> Result<Table<Row>> {
    let mut missing = Vec::new();
    let peers = loaded(&PEERS, options, &mut missing)?;
    let _alone = TimingLock::acquire()?;
    let mut rows = Vec::new();
    for name in NAMES {
        let field = Field::parse(name).map_err(|e| anyhow!("{e}"))?;
        for form in [Form::Canonical, Form::Montgomery] {
            for step in STEPS {
                let kernel = Kernel { name, field: field.clone(), operation: step.operation.clone() };
                let id = format!("{name}.{}", step.name);
                if !id.contains(&options.only) {
                    continue;
                }
                let theirs = loops(&kernel, form, &peers, &mut missing);
                if !theirs.is_empty() {
                    eprintln!("{id}, {}: {} peers", form.contract(), theirs.len());
                    let contest = Contest { id, kernel, form, step, theirs };
                    rows.extend(noted(contest.rows(options.quick), &mut missing).unwrap_or_default());
                }
            }
        }
    }
    if rows.is_empty() {
        bail!(
            "no kernel of that name that a peer has: there are {}",
            NAMES.map(|name| format!("{name}.mul")).join(", ")
        );
    }
    Ok(Table { rows, missing })
}

/// The peers' functions on whole words of a form. Words that hold any number of a class are as good as canonical ones.
fn loops<'a>(kernel: &Kernel, form: Form, peers: &'a [Loaded], missing: &mut Vec<String>) -> Vec<Theirs<'a>> {
    let forms: &[Form] = if form == Form::Canonical { &[Form::Canonical, Form::Radix(64)] } else { &[form] };
    let mut all = Vec::new();
    for (peer, form) in peers.iter().flat_map(|peer| forms.iter().map(move |form| (peer, form))) {
        match peer.looped(kernel, *form) {
            Ok(found) => all.extend(found.map(|function| Theirs { peer, form: *form, function })),
            Err(error) => missing.push(format!("{error:#}")),
        }
    }
    all
}

/// Nanoseconds of so many calls of ours on whole arrays, in a loop of the caller, as those of peers are.
type Ours = fn(&Engine, &mut [u64], &[&[u64]], usize) -> Result<f64, ArrayError>;

/// The loop about a call.
#[inline(always)]
fn timed<E>(times: usize, mut call: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let clock = Instant::now();
    for _ in 0..times {
        call()?;
    }
    Ok(clock.elapsed().as_nanos() as f64)
}

/// A peer's function on words of a form.
struct Theirs<'a> {
    peer: &'a Loaded,
    form: Form,
    function: Loop,
}

/// One step of one field and form.
struct Contest<'a> {
    id: String,
    kernel: Kernel,
    form: Form,
    step: Step,
    theirs: Vec<Theirs<'a>>,
}

impl Contest<'_> {
    fn rows(&self, quick: bool) -> Result<Vec<Row>> {
        let options = EngineOptions { threads: 1, forget: true, ..EngineOptions::default() };
        let tested = Engine::with(&self.kernel.field, options)?;
        let engines = [tested.trusting(), tested];
        let most = if quick { LENGTHS.len() - 1 } else { LENGTHS.len() };
        let mut rows = Vec::new();
        for len in &LENGTHS[..self.step.lengths.min(most)] {
            rows.extend(self.rows_of(&engines, *len)?);
        }
        Ok(rows)
    }

    /// Both sides on arrays of so many elements: a row for each contract that a peer has.
    fn rows_of(&self, engines: &[Engine; 2], len: usize) -> Result<Vec<Row>> {
        let n = self.form.words(&self.kernel.field);
        let arrays: Vec<Vec<u64>> = (0..self.step.operands as u64).map(|seed| self.numbers(seed, len)).collect();
        let operands: Vec<&[u64]> = arrays.iter().map(Vec::as_slice).collect();
        let (mut out, mut theirs, compute) = (vec![0; n * len], vec![0; n * len], self.ours());
        for engine in engines {
            out.fill(0);
            compute(engine, &mut out, &operands, 1)?;
            self.check(&out, &operands)?;
        }
        let (repeat, rounds) = ((ROUND / len).max(1), if len > ROUND { 8 } else { 40 });
        let all = (len * repeat) as f64;
        let (mut ours, mut least) = ([f64::INFINITY; 2], vec![f64::INFINITY; self.theirs.len()]);
        for _ in 0..rounds {
            for (engine, least) in engines.iter().zip(&mut ours) {
                *least = least.min(compute(engine, &mut out, &operands, repeat)? / all);
            }
            let room = &mut [0; BLOCK * MOST_WORDS];
            for (Theirs { function, .. }, least) in self.theirs.iter().zip(&mut least) {
                let by_peer = || Ok::<_, Infallible>(by_peer(function, n, &mut theirs, &operands, room));
                *least = least.min(timed(repeat, by_peer)? / all);
            }
        }
        let how = self.how(&engines[0])?;
        let contracts: BTreeSet<&str> = self.theirs.iter().map(|theirs| theirs.form.contract()).collect();
        let quickest = |contract: &str| {
            let of = self.theirs.iter().zip(&least).filter(|(theirs, _)| theirs.form.contract() == contract);
            of.min_by(|a, b| a.1.total_cmp(b.1))
        };
        let row = |(Theirs { peer, form, .. }, least): (&Theirs, &f64)| Row {
            kernel: self.id.clone(),
            contract: self.form.contract(),
            elements: len,
            peer: peer.id,
            peer_version: peer.version.clone(),
            peer_contract: form.contract(),
            ours_ns: ours[0],
            peer_ns: *least,
            ratio: least / ours[0],
            tested_ns: ours[1],
            tested_ratio: least / ours[1],
            ours: how.clone(),
        };
        Ok(contracts.into_iter().filter_map(quickest).map(row).collect())
    }

    /// What computes whole arrays.
    fn ours(&self) -> Ours {
        match (self.step.operation == Operation::ADD, self.form == Form::Montgomery, self.step.operands) {
            (true, ..) => |engine, out, all, times| timed(times, || engine.add_all_words_into(out, all)),
            (_, false, 2) => |engine, out, all, times| {
                let (a, b) = (all[0], all[1]);
                timed(times, || engine.mul_words_into(out, a, b))
            },
            (_, true, 2) => |engine, out, all, times| {
                let (a, b) = (all[0], all[1]);
                timed(times, || engine.mul_montgomery_words_into(out, a, b))
            },
            (_, false, _) => |engine, out, all, times| timed(times, || engine.mul_all_words_into(out, all)),
            (_, true, _) => |engine, out, all, times| timed(times, || engine.mul_all_montgomery_words_into(out, all)),
        }
    }

    fn how(&self, engine: &Engine) -> Result<String> {
        if self.step.operation == Operation::ADD {
            return Ok("one by one".into());
        }
        Ok(engine.products_of_factors(self.form == Form::Montgomery, self.step.operands)?.to_string())
    }

    /// Numbers below the modulus, zero and the greatest first.
    fn numbers(&self, seed: u64, len: usize) -> Vec<u64> {
        let n = self.form.words(&self.kernel.field);
        let greatest = (self.kernel.field.order() - 1u8).to_u64_digits();
        let top = greatest.get(n - 1).copied().unwrap_or(0).max(1);
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x243f_6a88_85a3_08d3;
        let mut word = |k: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let mixed = state ^ state >> 33;
            if k % n == n - 1 { mixed % top } else { mixed }
        };
        let mut all: Vec<u64> = (0..n * len).map(&mut word).collect();
        let places = all.chunks_exact_mut(n).skip(seed as usize % 2);
        for (place, edge) in places.zip([&greatest[..], &[0][..]]) {
            place.fill(0);
            place[..edge.len()].copy_from_slice(edge);
        }
        all
    }

    /// Compares results with those of big integers, some from everywhere.
    fn check(&self, out: &[u64], operands: &[&[u64]]) -> Result<()> {
        let (n, p) = (self.form.words(&self.kernel.field), self.kernel.field.order());
        let len = out.len() / n;
        let factor = BigUint::from(1u8) << self.form.factor(self.kernel.field.bits());
        for i in (0..len).step_by((len / CHECKED).max(1)).chain([len - 1]) {
            let number = |words: &[u64]| self.form.decode(&words[i * n..(i + 1) * n]);
            let given = number(out);
            let all = operands.iter().map(|words| number(words));
            let right = if self.step.operation == Operation::ADD {
                given == all.sum::<BigUint>() % &p
            } else {
                &given * factor.pow(operands.len() as u32 - 1) % &p == all.product::<BigUint>() % &p
            };
            ensure!(right && given < p, "{}: element {i} of {len} is wrong: {given:#x}", self.id);
        }
        Ok(())
    }
}

/// The same by a peer, of two or three operands.
fn by_peer(function: &Loop, n: usize, out: &mut [u64], operands: &[&[u64]], room: &mut [u64; BLOCK * MOST_WORDS]) {
    match operands {
        [a, b] => function.run(out, a, b),
        [a, b, c] => {
            for (at, out) in out.chunks_mut(BLOCK * n).enumerate() {
                let range = at * BLOCK * n..at * BLOCK * n + out.len();
                let between = &mut room[..out.len()];
                function.run(between, &a[range.clone()], &b[range.clone()]);
                function.run(out, between, &c[range]);
            }
        }
        _ => {}
    }
}

/// The rows as a table.
pub fn print(table: &Table<Row>) {
    println!(
        "an element; ratio = quickest peer / ours, each in its best round, packing included; tested: ours with a test of every number\n"
    );
    println!(
        "{:<26} {:<20} {:>9} {:>8} {:>8} {:>6} {:>9} {:>6}  {:<16} {:<20} ours",
        "kernel", "contract", "elements", "ours ns", "peer ns", "ratio", "tested ns", "ratio", "peer", "its contract"
    );
    for r in &table.rows {
        println!(
            "{:<26} {:<20} {:>9} {:>8.2} {:>8.2} {:>6.2} {:>9.2} {:>6.2}  {:<16} {:<20} {}",
            r.kernel,
            r.contract,
            r.elements,
            r.ours_ns,
            r.peer_ns,
            r.ratio,
            r.tested_ns,
            r.tested_ratio,
            r.peer,
            r.peer_contract,
            r.ours
        );
    }
    for line in &table.missing {
        println!("{line}");
    }
}
