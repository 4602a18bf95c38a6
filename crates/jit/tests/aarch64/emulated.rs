//! Programs of AArch64 under qemu beside the interpreter: random kernels, straight and rolled, and candidates of named
//! fields.

use evariste_algorithms::field_set::operations;
use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::aarch64::{Features, Inst, Program, compile_kernel, compile_within};
use evariste_codegen::check::check_kernel;
use evariste_codegen::outline::Limits;
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_jit::{Code, constant_time, encode};
use evariste_proof::{Outcome, prove};
use evariste_testing::qemu::{Job, Runner};
use evariste_testing::{full, sample};

use crate::common::{Rng, Vectors};
use crate::kernels::{random, rolled};

/// Programs of one run of the emulator.
const BATCH: usize = 200;

/// A program with its inputs and what the interpreter makes of them.
pub struct Prepared {
    name: String,
    program: Program,
    code: Code,
    vectors: Vectors,
}

impl Prepared {
    /// Encoded, and on the list of instructions whose time does not depend on data.
    pub fn new(name: String, kernel: &Kernel, program: Program, rng: &mut Rng, count: usize) -> Prepared {
        let code = encode(&program).unwrap_or_else(|e| panic!("{name}: {e}"));
        constant_time(&code).unwrap_or_else(|e| panic!("{name}: {e}"));
        let vectors = Vectors::new(kernel, &program, rng, count);
        Prepared { name, program, code, vectors }
    }
}

/// Runs all of them; gives the number of calls, and what was wrong.
pub fn run(runner: &Runner, all: &[Prepared]) -> (usize, Vec<String>) {
    let (mut calls, mut wrong) = (0, Vec::new());
    for batch in all.chunks(BATCH) {
        let of = |one: &Prepared| one.vectors.calls();
        let jobs: Vec<(usize, usize, Job<'_>)> = batch
            .iter()
            .enumerate()
            .flat_map(|(at, one)| of(one).into_iter().enumerate().map(move |(call, pair)| (at, call, one, pair)))
            .map(|(at, call, one, (arrays, shared))| {
                (at, call, Job { code: &one.code, params: &one.program.params, arrays, shared })
            })
            .collect();
        calls += jobs.len();
        let only: Vec<Job<'_>> = jobs.iter().map(|(_, _, job)| job.clone()).collect();
        for ((at, call, _), after) in jobs.iter().zip(runner.run(&only)) {
            let one = &batch[*at];
            let written: Vec<bool> = one.program.params.iter().map(|p| p.role.is_written()).collect();
            let judged = after.and_then(|arrays| one.vectors.is_right(*call, &arrays, &written));
            wrong.extend(judged.err().map(|e| format!("{}: {e}\n{}", one.name, one.program)));
        }
    }
    (calls, wrong)
}

/// Of random kernels and their programs: that the checker recognises nearly all, and that all are right.
fn run_all(runner: &Runner, kernels: usize, mut next: impl FnMut(usize) -> (String, Kernel, Program), rng: &mut Rng) {
    let (mut refused, mut all) = (Vec::new(), Vec::new());
    for round in 0..kernels {
        let (name, kernel, program) = next(round);
        // What the checker does not recognise runs too: only the emulator is harmed.
        refused.extend(check_kernel(&kernel, &program).err().map(|e| format!("{name}: {e}\n{kernel}\n{program}")));
        all.push(Prepared::new(name, &kernel, program, rng, 6));
    }
    let (calls, wrong) = run(runner, &all);
    println!("{kernels} programs, {calls} calls; the checker did not recognise {}", refused.len());
    assert!(wrong.is_empty(), "{} wrong; the first: {}", wrong.len(), wrong[0]);
    assert!(refused.len() * 200 <= kernels * 3, "{} refused; the first: {}", refused.len(), refused[0]);
}

fn kernels() -> usize {
    if full() { 5_000 } else { 600 }
}

#[test]
fn random_kernels() {
    let Some(runner) = Runner::new("random kernels on AArch64") else { return };
    let mut rng = Rng(0x3c6e_f372_fe94_f82b);
    let next = |round: usize| {
        let name = format!("seed {:#x}", rng.0);
        let size = 1 + rng.below(if round.is_multiple_of(10) { 120 } else { 30 }) as usize;
        let kernel = random::kernel(&mut rng, size);
        let program = compile_kernel(&kernel, Features, None).unwrap_or_else(|e| panic!("{name}: {e}\n{kernel}"));
        (name, kernel, program)
    };
    run_all(&runner, kernels(), next, &mut Rng(1));
}

#[test]
fn random_kernels_with_loops_and_calls() {
    let Some(runner) = Runner::new("random rolled kernels on AArch64") else { return };
    let mut rng = Rng(0xa54f_f53a_5f1d_36f1);
    let (mut loops, mut calls) = (0, 0);
    let next = |_: usize| {
        let name = format!("seed {:#x}", rng.0);
        let kernel = rolled::kernel(&mut rng);
        let segment = [0, 4, 12, 40][rng.below(4) as usize];
        let limits = Limits { straight: 0, segment, inline: [0, 0, 20][rng.below(3) as usize], data: 0 };
        let program =
            compile_within(&kernel, Features, None, &limits).unwrap_or_else(|e| panic!("{name}: {e}\n{kernel}"));
        let has = |is: fn(&Inst) -> bool| usize::from(program.code.iter().any(is));
        loops += has(|inst| matches!(inst, Inst::JumpUnlessZero { .. }));
        calls += has(|inst| matches!(inst, Inst::Call(_)));
        (name, kernel, program)
    };
    run_all(&runner, kernels(), next, &mut Rng(2));
    assert!(loops * 2 > kernels() && calls * 20 > kernels(), "{loops} with loops and {calls} with calls");
}

const FIELDS: [&str; 12] = [
    "2^255-19",
    "p256",
    "secp256k1",
    "bn254-fp",
    "bls12-381-fr",
    "bls12-381-fp",
    "p384",
    "p521",
    "dfc",
    "goldilocks",
    "babybear",
    "mersenne61",
];

#[test]
fn candidates_of_named_fields() {
    let Some(runner) = Runner::new("named fields on AArch64") else { return };
    let mut rng = Rng(0x9b05_688c_2b3e_6c1f);
    let mut all = Vec::new();
    for text in FIELDS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for layout in layouts(&field, 64) {
            for operation in operations(&field, &layout).into_iter().filter(|o| full() || *o != Operation::INVERSE) {
                all.extend(plans(&field, &layout, &operation).into_iter().map(|plan| (text, plan)));
            }
        }
    }
    let known = all.len();
    let chosen = sample("candidates on AArch64", all, 100, |(text, plan)| (*text, plan.operation.name()));
    let (mut prepared, mut floats, mut without) = (Vec::new(), 0, Vec::new());
    for (text, plan) in &chosen {
        let Ok(Outcome::Proved(proved)) = plan.write().map(|kernel| prove(&kernel)) else { continue };
        let (kernel, name) = (proved.kernel(), format!("{text} {} {}", plan.operation.name(), plan.name()));
        match compile_kernel(kernel, Features, None) {
            Ok(program) => prepared.push(Prepared::new(name, kernel, program, &mut rng, 8)),
            // This processor's code computes on integers alone.
            Err(_) if kernel.uses_floats() => floats += 1,
            Err(e) => without.push(format!("{name}: {e}")),
        }
    }
    let (calls, wrong) = run(&runner, &prepared);
    println!("{} of {known} candidates, {calls} calls; {floats} with floats", prepared.len());
    assert!(wrong.is_empty(), "{} wrong; the first: {}", wrong.len(), wrong[0]);
    assert!(without.is_empty(), "{without:#?}");
}
