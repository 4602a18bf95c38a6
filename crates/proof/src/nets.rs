//! Nets under the proofs: what was proved runs on a few inputs before it leaves. They share nothing with the proof but
//! the interpreter, and take microseconds where proofs take milliseconds.
//!
//! * a *witness*: some input is admissible, so the contract does not contradict itself;
//! * the kernel that leaves, without ghosts and dead code, passes the structural verifier;
//! * the claim checker finds nothing, neither on the kernel that was proved nor on the one that leaves, whose proved
//!   intervals are checked as well;
//! * both give the same outputs;
//! * what is claimed to be linear or bilinear is so on random vectors.
//!
//! A missing witness is the contract's fault. Any other net that trips is a fault of this crate (or of the interpreter):
//! the kernel stays unproved, and the text says so.

use evariste_ir::{
    Array, ArrayKind, Batch, Claim, ClaimChecker, Coordinate, Interpreter, Kernel, Operand, Report, Ring, verify,
};

use crate::broken_rules::{Rule, broken};
use crate::inputs::{self, Elements};
use crate::outcome::Obligation;
use crate::search::samples::Random;

/// Inputs that a kernel runs on: where the contract is checked in machine words, and where it takes big integers.
const LANES: [usize; 2] = [16, 4];

/// Blocks of inputs among which a witness is looked for.
const BLOCKS: u64 = 64;

/// Times that linearity is sampled in each operand.
const SUMS: usize = 4;

fn tripped(kernel: &Kernel, detail: String) -> Obligation {
    Obligation {
        what: format!("{} is proved, but a net tripped", kernel.name),
        detail: format!("{detail}. This is a fault inside Évariste: please report it with the kernel's text"),
    }
}

/// Lets a proved kernel through, together with the one that leaves in its place.
pub(crate) fn pass(statement: &Kernel, leaving: &Kernel) -> Result<(), Obligation> {
    let interpreter = Interpreter::new(statement);
    let mut checker = affordable(statement);
    let mut batch = interpreter.batch(if checker.is_fast() { LANES[0] } else { LANES[1] });
    let tried = witness(statement, &mut batch, &mut checker)?;
    if broken(Rule::Nets) {
        return Ok(());
    }
    verify(leaving).map_err(|defects| {
        let first = defects.first().map_or_else(String::new, ToString::to_string);
        tripped(statement, format!("without its ghosts it is malformed: {first}"))
    })?;
    let report = interpreter.run(&mut batch);
    fine(statement, "the kernel", &mut checker, &batch, &report, &tried)?;
    same_without_ghosts(statement, leaving, &batch, &checker, &tried)?;
    for claim in &statement.contract.claims {
        if let Claim::Bits { output, .. } = claim {
            sums(statement, &interpreter, output)?;
        }
    }
    Ok(())
}

/// The claim checker; of long numbers without powers and maps of bits, whose evaluation takes longer than their proofs:
/// of these the bounds are left.
fn affordable(kernel: &Kernel) -> ClaimChecker {
    let whole = ClaimChecker::new(kernel);
    let is_long = |c: &Claim| match c {
        Claim::Power { .. } | Claim::Bits { .. } | Claim::Polynomial { .. } => true,
        Claim::Iterate { recurrence, .. } => matches!(recurrence.ring, Ring::Bits(_)),
        _ => false,
    };
    if whole.is_fast() || !kernel.contract.claims.iter().any(is_long) {
        return whole;
    }
    let mut cheap = kernel.clone();
    for claim in cheap.contract.claims.iter_mut().filter(|c| is_long(c)) {
        *claim = Claim::Step { output: claim.output().clone(), name: "bounds".to_string() };
    }
    ClaimChecker::new(&cheap)
}

/// Fills the batch with inputs of which at least one is admissible.
fn witness(kernel: &Kernel, batch: &mut Batch, checker: &mut ClaimChecker) -> Result<Vec<Elements>, Obligation> {
    for block in 0..BLOCKS {
        let mut random = Random(block);
        let lanes = batch.lanes();
        let mut tried: Vec<Elements> = (0..lanes).map(|lane| inputs::draw(kernel, &mut random, lane)).collect();
        if block == 0 {
            tried[0] = inputs::least(kernel);
        }
        for (lane, elements) in tried.iter().enumerate() {
            inputs::set(kernel, batch, lane, elements);
        }
        checker.capture(batch);
        if (0..lanes).any(|lane| checker.is_admissible(lane)) {
            return Ok(tried);
        }
    }
    Err(Obligation {
        what: format!("an admissible input of {}", kernel.name),
        detail: format!(
            "none of {} inputs satisfies the ranges, bounds and facts of the contract: if they contradict one another, \
             a proof says nothing",
            BLOCKS * batch.lanes() as u64
        ),
    })
}

/// The claim checker finds no admissible input that goes wrong. `kernel` is the one that the inputs were drawn for.
fn fine(
    kernel: &Kernel,
    what: &str,
    checker: &mut ClaimChecker,
    batch: &Batch,
    report: &Report,
    tried: &[Elements],
) -> Result<(), Obligation> {
    match checker.check(batch, report, tried.len()) {
        None => Ok(()),
        Some(lane) => {
            let fault = report.violations.iter().find(|v| v.lane == lane).map(|v| format!(" ({v})"));
            let fault = fault.unwrap_or_default();
            Err(tripped(kernel, format!("{what} goes wrong{fault} for {}", in_words(kernel, &tried[lane]))))
        }
    }
}

fn in_words(kernel: &Kernel, elements: &Elements) -> String {
    let of = |(a, cells): &(Array, Vec<num_bigint::BigInt>)| {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        format!("{} = ({})", kernel.array(*a).name, cells.join(", "))
    };
    elements.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The kernel that leaves keeps what is left of its contract and its proved intervals, and gives the same outputs.
fn same_without_ghosts(
    statement: &Kernel,
    leaving: &Kernel,
    proved: &Batch,
    admissible: &ClaimChecker,
    tried: &[Elements],
) -> Result<(), Obligation> {
    let lost = |name: &str| tripped(statement, format!("without its ghosts it has lost {name}"));
    let place = |a: Array| leaving.find(&statement.array(a).name).ok_or_else(|| lost(&statement.array(a).name));
    let interpreter = Interpreter::checking_ranges(leaving);
    let mut batch = interpreter.batch(tried.len());
    for (lane, elements) in tried.iter().enumerate() {
        let moved: Elements =
            elements.iter().map(|(a, cells)| Ok((place(*a)?, cells.clone()))).collect::<Result<_, _>>()?;
        inputs::set(leaving, &mut batch, lane, &moved);
    }
    let mut checker = affordable(leaving);
    checker.capture(&batch);
    let report = interpreter.run(&mut batch);
    fine(statement, "the kernel without its ghosts", &mut checker, &batch, &report, tried)?;
    for a in statement.params() {
        let info = statement.array(a);
        if !matches!(info.kind, ArrayKind::Output | ArrayKind::InOut) {
            continue;
        }
        let b = place(a)?;
        for lane in (0..tried.len()).filter(|lane| admissible.is_admissible(*lane)) {
            if let Some(i) = (0..info.len).find(|i| proved.get(a, *i, lane) != batch.get(b, *i, lane)) {
                let detail =
                    format!("without its ghosts {}[{i}] differs for {}", info.name, in_words(statement, &tried[lane]));
                return Err(tripped(statement, detail));
            }
        }
    }
    Ok(())
}

/// `f(0) = 0` and `f(x + y) = f(x) + f(y)` in each operand, the other one fixed.
pub(crate) fn sums(kernel: &Kernel, interpreter: &Interpreter, output: &Operand) -> Result<(), Obligation> {
    let contract = &kernel.contract;
    let operands: Option<Vec<Vec<Coordinate>>> = contract.inputs.iter().map(Operand::coordinates).collect();
    let Some(operands) = operands else { return Ok(()) };
    // Sums of admissible vectors are admissible where every vector is.
    let any = |o: &Operand, c: &Vec<Coordinate>| o.below.is_none() && o.bound.bits() >= c.len() as u64;
    let all = contract
        .inputs
        .iter()
        .zip(&operands)
        .all(|(o, c)| any(o, c) && o.bound.magnitude().count_ones() == o.bound.bits());
    if !all || !contract.facts.is_empty() {
        return Ok(());
    }
    let mut random = Random(2);
    let mut batch = interpreter.batch(4 * SUMS * operands.len());
    let rest = inputs::least(kernel);
    for block in 0..SUMS * operands.len() {
        let varied = block % operands.len();
        (4 * block..4 * block + 4).for_each(|lane| inputs::set(kernel, &mut batch, lane, &rest));
        for (v, coordinates) in operands.iter().enumerate() {
            let mut bits = || coordinates.iter().map(|_| random.word() & 1 == 1).collect::<Vec<bool>>();
            let (x, y) = (bits(), bits());
            for (i, c) in coordinates.iter().enumerate() {
                let four = if v == varied { [false, x[i], y[i], x[i] ^ y[i]] } else { [x[i]; 4] };
                for (lane, bit) in four.into_iter().enumerate() {
                    let lane = 4 * block + lane;
                    let old = batch.get(c.array, c.index, lane) & !(1 << c.bit);
                    batch.set(c.array, c.index, lane, old | u128::from(bit) << c.bit);
                }
            }
        }
    }
    let report = interpreter.run(&mut batch);
    for block in 0..SUMS * operands.len() {
        let linear = output.digits.iter().all(|d| {
            let [zero, x, y, sum] = [0, 1, 2, 3].map(|lane| batch.get(d.array, d.index, 4 * block + lane));
            zero == 0 && x ^ y == sum
        });
        if !linear || !report.is_clean() {
            let name = &contract.inputs[block % operands.len()].name;
            return Err(tripped(kernel, format!("{} is not linear in {name}", output.name)));
        }
    }
    Ok(())
}
