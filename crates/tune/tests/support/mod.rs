//! Shared by the tests: proved kernels of a field, run on many operands by the interpreter and by compiled C.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use evariste_algorithms::{Layout, Operation, Plan};
use evariste_backend::Made;
use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Arrangement, Array, Interpreter, Kernel};
use evariste_proof::{Proved, prove};
use evariste_run::Compiler;
pub use evariste_testing::full;
use evariste_testing::{reduction_of, sample};
use evariste_tune::candidates::{all_plans, field_layouts, verdict};
use evariste_tune::encode::{Arrays, bits, decode};
use evariste_tune::measure;
use num_bigint::{BigInt, BigUint, Sign};
use rayon::prelude::*;

/// Kernels in one C file, at most.
const GROUP: usize = 12;

/// A proved candidate.
#[derive(Clone)]
pub struct Case {
    pub plan: Plan,
    pub proved: Proved,
    /// Milliseconds to write and prove it.
    pub ms: f64,
}

impl Case {
    pub fn kernel(&self) -> &Kernel {
        self.proved.kernel()
    }

    /// Field, operation, algorithm and layout.
    pub fn title(&self) -> String {
        format!("{} {} {}", self.plan.field.name(), self.plan.operation.name(), self.plan.name())
    }
}

/// A description that must be right.
pub fn field(text: &str) -> Field {
    Field::parse(text).unwrap_or_else(|d| panic!("{text}: {d:?}"))
}

/// Writes and proves plans on all cores: the proved ones, and what became of the others. Plans whose bounds do not meet
/// their layout are left out.
pub fn prove_plans(plans: &[Plan]) -> (Vec<Case>, Vec<String>) {
    let judged: Vec<Result<Case, String>> = plans.par_iter().filter_map(prove_plan).collect();
    let (mut cases, mut failures) = (Vec::new(), Vec::new());
    for j in judged {
        match j {
            Ok(case) => cases.push(case),
            Err(why) => failures.push(why),
        }
    }
    (cases, failures)
}

fn prove_plan(plan: &Plan) -> Option<Result<Case, String>> {
    let start = Instant::now();
    let outcome = prove(&plan.write().ok()?);
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let why = verdict(&outcome);
    Some(match outcome.proved() {
        Some(proved) => Ok(Case { plan: plan.clone(), proved, ms }),
        None => Err(format!("{} {} {}: {why}", plan.field.name(), plan.operation.name(), plan.name())),
    })
}

/// The proved kernels of these operations in every layout of the field.
pub fn cases(field: &Field, words: &[u32], operations: &[Operation]) -> Vec<Case> {
    prove_plans(&all_plans(field, &field_layouts(field, words), operations)).0
}

/// As [`cases`], but by default with one product before each reduction, another one each day: the reduction's proof
/// knows only the product's contract. Written and proved once in this process.
pub fn sampled_cases(field: &Field, words: &[u32], operations: &[Operation]) -> Vec<Case> {
    static PROVED: Mutex<BTreeMap<(String, u32, String), Vec<Case>>> = Mutex::new(BTreeMap::new());
    let lock = || PROVED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let of = |word: u32, operation: &Operation| {
        let key = (field.text(), word, operation.name());
        let known = lock().get(&key).cloned();
        // Two tests that want the same at the same moment both write it: none waits while it holds a thread of rayon's.
        known.unwrap_or_else(|| {
            let plans = all_plans(field, &field_layouts(field, &[word]), std::slice::from_ref(operation));
            let stratum = |plan: &Plan| (plan.layout.name.clone(), reduction_of(&plan.algorithm).to_string());
            let what = format!("{} {word} {}", field.text(), operation.name());
            let cases = prove_plans(&sample(&what, plans, usize::MAX, stratum)).0;
            lock().insert(key, cases.clone());
            cases
        })
    };
    words.iter().flat_map(|word| operations.iter().flat_map(|operation| of(*word, operation))).collect()
}

/// gcc and clang; a line for the one that is missing.
pub fn compilers(what: &str) -> Vec<Compiler> {
    let mut found = Vec::new();
    for name in ["gcc", "clang"] {
        match Compiler::named(name) {
            Ok(c) => found.push(c),
            Err(_) => evariste_testing::lacks_tool(&format!("{what} in C by {name}"), name),
        }
    }
    found
}

/// Sets of compiler flags: one by default; with `EVARISTE_FULL=1` the usual levels, and one with every proved bound
/// checked at run time.
pub fn flag_sets() -> Vec<&'static [&'static str]> {
    let mut sets: Vec<&'static [&'static str]> = vec![&["-O1"]];
    if full() {
        sets.extend::<[&'static [&'static str]; 4]>([&["-O0"], &["-O2"], &["-O3"], &["-O1", "-DEVARISTE_VERIFY"]]);
    }
    sets
}

/// Those of [`flag_sets`] by which long kernels are compiled within seconds.
pub fn light_sets() -> Vec<&'static [&'static str]> {
    flag_sets().into_iter().filter(|flags| !matches!(flags[0], "-O2" | "-O3")).collect()
}

/// Indices in groups whose kernels have different names, so that each group can be one C file.
fn groups(cases: &[&Case]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let fits =
            |g: &&mut Vec<usize>| g.len() < GROUP && g.iter().all(|j| cases[*j].kernel().name != case.kernel().name);
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// Compiles the cases on all cores and runs `check` on each; gives all complaints.
pub fn check_compiled(
    cases: &[&Case],
    compiler: &Compiler,
    flags: &[&str],
    check: impl Fn(&Case, &Made) -> Vec<String> + Sync,
) -> Vec<String> {
    let each = |group: &Vec<usize>| {
        let kernels: Vec<&Proved> = group.iter().map(|i| &cases[*i].proved).collect();
        let functions =
            compiler.functions(&kernels, flags).unwrap_or_else(|e| panic!("{}: {e}", cases[group[0]].title()));
        let mut complaints = Vec::new();
        for (i, function) in group.iter().zip(functions) {
            let lanes = if cases[*i].kernel().word == 1 { 64 } else { 1 };
            let compiled = Made { function, code_bytes: None, lanes, order: Arrangement::single(64), shape: None };
            complaints.extend(
                check(cases[*i], &compiled).into_iter().map(|c| format!("{} {}: {c}", compiler.name, flags.join(" "))),
            );
        }
        complaints
    };
    groups(cases).par_iter().flat_map(each).collect()
}

/// The arrays for these operand values, which must be within the contract: each digit, from the top, takes as much as
/// it may hold.
pub fn encoded(kernel: &Kernel, values: &[BigInt]) -> Arrays {
    let mut all = Arrays::new();
    for (operand, value) in kernel.contract.inputs.iter().zip(values) {
        let mut digits: Vec<_> = operand.digits.iter().collect();
        digits.sort_by_key(|d| std::cmp::Reverse(d.weight));
        let mut rest = value.clone();
        for d in digits {
            let digit = std::cmp::min(&rest >> d.weight, d.most());
            rest -= &digit << d.weight;
            let at = all.iter().position(|(a, _)| *a == d.array).unwrap_or_else(|| {
                all.push((d.array, vec![BigInt::ZERO; kernel.array(d.array).len as usize]));
                all.len() - 1
            });
            all[at].1[d.index as usize] = digit;
        }
        assert!(
            rest == BigInt::ZERO && *value <= operand.bound,
            "{}: {} = {value:x} is not within the contract",
            kernel.name,
            operand.name
        );
    }
    all
}

/// The output number for each set of operand values, all lanes at once, every range checked.
pub fn interpret(interpreter: &Interpreter, sets: &[Vec<BigInt>]) -> Result<Vec<BigInt>, String> {
    let kernel = interpreter.kernel();
    let mut batch = interpreter.batch(sets.len());
    for (lane, values) in sets.iter().enumerate() {
        for (array, elements) in encoded(kernel, values) {
            for (i, e) in elements.iter().enumerate() {
                batch.set(array, i as u32, lane, bits(e) as u128);
            }
        }
    }
    let report = interpreter.run(&mut batch);
    if let Some(v) = report.violations.first() {
        return Err(format!("the interpreter stopped: {v} at {:x?}", sets[v.lane]));
    }
    let outputs: Vec<Array> = kernel.params().collect();
    let result = |lane| {
        let arrays: Arrays = outputs.iter().map(|a| (*a, interpreter.values(&batch, *a, lane))).collect();
        decode(kernel.contract.claims[0].output(), &arrays)
    };
    Ok((0..sets.len()).map(result).collect())
}

/// The output number of one call of a compiled kernel.
pub fn run_compiled(kernel: &Kernel, compiled: &Made, values: &[BigInt]) -> BigInt {
    let outputs =
        measure::call(kernel, compiled, &encoded(kernel, values)).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    decode(kernel.contract.claims[0].output(), &outputs)
}

/// Plain numbers into and out of a layout.
pub struct Form {
    p: BigUint,
    factor: BigUint,
    inverse: BigUint,
}

impl Form {
    /// `None` for structures without a modulus.
    pub fn new(field: &Field, layout: &Layout) -> Option<Form> {
        let m = field.get::<Modulus>()?;
        let factor = (BigUint::from(1u32) << layout.montgomery.unwrap_or(0)) % &m.value;
        let inverse = m.inverse(&factor)?;
        Some(Form { p: m.value.clone(), factor, inverse })
    }

    /// `x·R mod p`.
    pub fn into_layout(&self, x: &BigUint) -> BigInt {
        (x * &self.factor % &self.p).into()
    }

    /// `x/R mod p`.
    pub fn plain(&self, x: &BigInt) -> BigUint {
        assert!(x.sign() != Sign::Minus);
        x.magnitude() * &self.inverse % &self.p
    }
}

/// Panics with all complaints (the first forty in full).
pub fn none(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} complaints\n{}",
        complaints.len(),
        complaints[..complaints.len().min(40)].join("\n")
    );
}
