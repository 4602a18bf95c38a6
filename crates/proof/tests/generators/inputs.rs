//! All inputs of a kernel, one a lane, and everything that can be asked of a verdict with them.

use evariste_ir::interpret::decode;
use evariste_ir::{
    Array, ArrayKind, Batch, ClaimChecker, Contract, Interpreter, Kernel, Operand, Report, Type, verify,
};
use evariste_proof::{Outcome, Proved, prove};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::tally::Tally;

/// Most inputs that a kernel has.
pub const MOST: usize = 1 << 12;

fn inputs(kernel: &Kernel) -> impl Iterator<Item = Array> + '_ {
    kernel.params().filter(|a| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut))
}

fn pattern(x: &BigInt, ty: Type) -> u128 {
    let modulus = evariste_ir::range::pow2(ty.bits());
    (((x % &modulus) + &modulus) % modulus).to_u128().expect("below 2^128")
}

/// The kernel on every input that its arrays' ranges allow.
pub struct Runs {
    kernel: Kernel,
    batch: Batch,
    report: Report,
    pub lanes: usize,
    /// Does the contract admit the input?
    pub admissible: Vec<bool>,
    /// The values of the input elements by lane, in order of arrays and elements.
    pub given: Vec<Vec<BigInt>>,
    /// The input elements in that order.
    elements: Vec<(Array, u32)>,
    violation: Option<usize>,
}

impl Runs {
    /// `None`: more inputs than [`MOST`].
    pub fn new(kernel: &Kernel) -> Option<Runs> {
        Runs::with(kernel, &Interpreter::new(kernel), None)
    }

    /// With an output in the place of an input.
    fn with(kernel: &Kernel, interpreter: &Interpreter, alias: Option<(Array, Array)>) -> Option<Runs> {
        let mut lanes = 1usize;
        let mut cells = Vec::new();
        for a in inputs(kernel) {
            let info = kernel.array(a);
            for i in 0..info.len {
                let range = info.range(i).clone();
                let size = (&range.hi - &range.lo + 1u32).to_usize()?;
                cells.push((a, i, info.ty, range.lo, size, lanes));
                lanes = lanes.checked_mul(size).filter(|n| *n <= MOST)?;
            }
        }
        let mut batch = interpreter.batch(lanes);
        if let Some((output, input)) = alias {
            batch.alias(output, input);
        }
        let mut given = vec![Vec::with_capacity(cells.len()); lanes];
        let elements = cells.iter().map(|(a, i, ..)| (*a, *i)).collect();
        for (a, i, ty, lo, size, stride) in cells {
            for (lane, given) in given.iter_mut().enumerate() {
                let x: BigInt = &lo + (lane / stride % size);
                batch.set(a, i, lane, pattern(&x, ty));
                given.push(x);
            }
        }
        let mut checker = ClaimChecker::new(kernel);
        checker.capture(&batch);
        let report = interpreter.run(&mut batch);
        let violation = checker.check(&batch, &report, lanes);
        let admissible = (0..lanes).map(|lane| checker.is_admissible(lane)).collect();
        Some(Runs { kernel: kernel.clone(), batch, report, lanes, admissible, given, elements, violation })
    }

    pub fn get(&self, array: Array, i: u32, lane: usize) -> BigInt {
        let info = self.kernel.array(array);
        decode(self.batch.get(array, i, lane), info.ty, info.range(i))
    }

    /// The bits of an element.
    pub fn bits(&self, array: Array, i: u32, lane: usize) -> u128 {
        self.batch.get(array, i, lane)
    }

    /// An output number of the contract, read in a lane.
    pub fn number(&self, operand: &Operand, lane: usize) -> BigInt {
        let value = |d: &evariste_ir::Digit| d.value(&self.get(d.array, d.index, lane)) << d.weight;
        operand.digits.iter().map(value).sum()
    }

    /// The input numbers of the contract in a lane, as they were before the kernel ran.
    pub fn numbers(&self, contract: &Contract, lane: usize) -> Vec<BigInt> {
        let before = |d: &evariste_ir::Digit| {
            let at = self.elements.iter().position(|e| *e == (d.array, d.index)).expect("an input element");
            d.value(&self.given[lane][at]) << d.weight
        };
        contract.inputs.iter().map(|o| o.digits.iter().map(before).sum()).collect()
    }

    /// Does no exact operation leave its type on any input?
    pub fn is_clean(&self) -> bool {
        self.report.is_clean()
    }

    /// Do all admissible inputs keep all promises?
    pub fn holds(&self) -> bool {
        self.violation.is_none()
    }
}

/// Proves the kernel and judges the verdict by all inputs. Panics where it is wrong. Gives whether it was proved.
pub fn judge(kernel: &Kernel, tally: &mut Tally) -> bool {
    if verify(kernel).is_err() {
        // What is malformed is never proved.
        assert!(!matches!(prove(kernel), Outcome::Proved(_)), "a malformed kernel is proved\n{kernel}");
        tally.malformed += 1;
        return false;
    }
    let Some(runs) = Runs::new(kernel) else {
        tally.too_many += 1;
        return false;
    };
    let admissible = runs.admissible.contains(&true);
    tally.held += u64::from(runs.holds() && admissible);
    tally.broken += u64::from(!runs.holds());
    match prove(kernel) {
        Outcome::Proved(proved) => {
            assert!(
                runs.holds(),
                "{tally}: proved, but wrong for {:?}\n{kernel}",
                runs.violation.map(|l| &runs.given[l])
            );
            assert!(admissible, "{tally}: proved, but no input is admissible\n{kernel}");
            as_proved(&proved, &runs);
            aliases(kernel, &runs);
            tally.proved += 1;
            true
        }
        Outcome::Refuted(found) => {
            let inputs: Vec<(&str, Vec<BigInt>)> = found.inputs.iter().map(|(n, x)| (n.as_str(), x.clone())).collect();
            assert!(
                !runs.holds() && evariste_ir::refute(kernel, &inputs).is_some(),
                "{tally}: refuted, but right\n{kernel}"
            );
            tally.refuted += 1;
            false
        }
        Outcome::Unknown(open) => {
            assert!(!open.what.contains("a net tripped"), "{tally}: {open:?}\n{kernel}");
            tally.unknown += 1;
            false
        }
    }
}

/// What leaves is well formed, keeps its proved intervals, and gives the same outputs.
fn as_proved(proved: &Proved, runs: &Runs) {
    let (statement, leaving) = (proved.statement(), proved.kernel());
    assert_eq!(verify(leaving), Ok(()), "{leaving}");
    let checking = Interpreter::checking_ranges(leaving);
    let after = Runs::with(leaving, &checking, None).expect("as many inputs as before");
    assert!(after.holds(), "what leaves goes wrong\n{statement}\n{leaving}");
    let is_written = |a: &Array| matches!(statement.array(*a).kind, ArrayKind::Output | ArrayKind::InOut);
    for a in statement.params().filter(is_written) {
        let b = leaving.find(&statement.array(a).name).expect("the output is still there");
        for lane in (0..runs.lanes).filter(|lane| runs.admissible[*lane]) {
            let same = (0..statement.array(a).len).all(|i| runs.bits(a, i, lane) == after.bits(b, i, lane));
            assert!(same, "pruning changes an output\n{statement}\n{leaving}");
        }
    }
}

/// Where the verifier lets an output be an input, the results are the same.
fn aliases(kernel: &Kernel, runs: &Runs) {
    let outputs: Vec<Array> = kernel.params().filter(|a| kernel.array(*a).kind == ArrayKind::Output).collect();
    let interpreter = Interpreter::new(kernel);
    for (output, input) in outputs.iter().flat_map(|o| inputs(kernel).map(|i| (*o, i))) {
        let (o, i) = (kernel.array(output), kernel.array(input));
        if !kernel.may_alias(output, input) {
            continue;
        }
        let shared = Runs::with(kernel, &interpreter, Some((output, input))).expect("as many inputs as before");
        for lane in (0..runs.lanes).filter(|lane| runs.admissible[*lane]) {
            let same = (0..o.len).all(|j| runs.bits(output, j, lane) == shared.bits(output, j, lane));
            assert!(same, "{} over {} changes the result\n{kernel}", o.name, i.name);
        }
    }
}
