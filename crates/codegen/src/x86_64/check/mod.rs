//! The checker: does a program do what its kernel says?
//!
//! Both are run on the same symbolic inputs, once for each way in which their arrays may be the same memory: the kernel
//! by [`kernel`], the program by [`machine`], both on the forms of [`terms`] with the operations of [`words`]. At the
//! end every element of every array must hold the same form. On the way the machine refuses what a function must not
//! do: lose a saved register, touch other memory, use what is undefined, branch or address on data. So a checked
//! program is right for every input that the kernel's contract admits, and its instructions and addresses are the same
//! for all inputs.
//!
//! The checker knows nothing of how programs are made. What it does not recognise it refuses; it is not complete, and
//! need not be.

pub mod carryless;
pub mod kernel;
pub mod machine;
pub mod memory;
mod mixer;
pub mod operation;
mod rebuild;
pub mod terms;
pub mod words;

use std::fmt;

use evariste_ir::{Array, ArrayKind, Kernel, Type};

use self::machine::Fault;
use self::memory::{Arrays, Unknowns, is_sliced};
use self::terms::{Lin, Terms, Word};
use super::program::{Inst, Lanes, Opcode, Program};
use super::vector::Vector;

/// A program that does what its kernel says. Made by [`check`] only.
#[derive(Clone, Debug)]
pub struct Checked {
    program: Program,
    report: Report,
}

impl Checked {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How the check went.
    pub fn report(&self) -> Report {
        self.report
    }
}

impl std::ops::Deref for Checked {
    type Target = Program;

    fn deref(&self) -> &Program {
        &self.program
    }
}

/// How a check went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Patterns of aliasing that were run.
    pub patterns: usize,
    /// Instructions that were run in all.
    pub instructions: u64,
    /// Atoms made.
    pub atoms: usize,
    /// Forms made.
    pub forms: usize,
}

/// Why a program is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum CheckError {
    /// The parameters are not those of the kernel.
    Parameters(String),
    /// The kernel does what the checker cannot follow.
    Kernel(String),
    /// Too many ways in which arrays may be the same.
    Patterns(usize),
    /// An instruction is refused.
    Instruction { at: usize, inst: Option<Inst>, fault: Fault, pattern: String },
    /// An element does not hold what the kernel says, or the checker does not recognise it.
    Differs { parameter: String, element: usize, pattern: String },
    /// The forms could not be kept.
    Forms(&'static str),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let aliasing = |pattern: &String| if pattern.is_empty() { String::new() } else { format!(" (with {pattern})") };
        match self {
            CheckError::Parameters(what) => write!(f, "the program's parameters are not the kernel's: {what}"),
            CheckError::Kernel(what) => write!(f, "the checker cannot follow the kernel: {what}"),
            CheckError::Patterns(n) => write!(f, "{n} patterns of aliasing; the checker runs {MOST_PATTERNS} at most"),
            CheckError::Instruction { at, inst, fault, pattern } => {
                write!(f, "instruction {at} ({inst:?}) is refused: {fault:?}{}", aliasing(pattern))
            }
            CheckError::Differs { parameter, element, pattern } => {
                write!(f, "{parameter}[{element}] is not shown to be what the kernel computes{}", aliasing(pattern))
            }
            CheckError::Forms(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for CheckError {}

const MOST_PATTERNS: usize = 256;

/// A program that runs more instructions for each statement of its kernel and each instruction of its code than this
/// runs in circles.
const INSTRUCTIONS_A_STATEMENT: u64 = 64;

/// Compares a program with the kernel that it was made from.
///
/// The kernel must be one whose intervals and exact operations are proved (`proof::Proved`): the check uses them.
///
/// # Errors
/// Why the program is refused. A right program that the checker does not recognise is refused too.
pub fn check(kernel: &Kernel, program: &Program) -> Result<Checked, CheckError> {
    let params = parameters(kernel, program)?;
    let mut report = Report::default();
    // What is known of forms holds for all values of the unknowns, whatever array they lie in: one table serves all
    // patterns, and most forms of a pattern are in it from the first one.
    let mut terms = Terms::new(64);
    terms.split_products = program.code.iter().any(|inst| matches!(inst.op, Opcode::Vector(Vector::MulHalf, ..)));
    terms.whole_products = program.code.iter().any(|inst| matches!(inst.op, Opcode::Vector(..)));
    let mut unknowns = Unknowns::default();
    for class in patterns(&params, program)? {
        report.instructions += run_pattern(&mut terms, &mut unknowns, kernel, program, &class)?;
        report.patterns += 1;
    }
    (report.forms, report.atoms) = terms.size();
    Ok(Checked { program: program.clone(), report })
}

/// Runs both under one pattern of aliasing and compares what they store; gives the number of instructions.
fn run_pattern(
    terms: &mut Terms,
    unknowns: &mut Unknowns,
    kernel: &Kernel,
    program: &Program,
    class: &[usize],
) -> Result<u64, CheckError> {
    // What the machine follows of a group: one element, or two that share 64 bits; the same of a pair of them.
    let units = if program.lanes == Lanes::ONE { 1 } else { program.units_followed() };
    let followed = units
        * program
            .elements_followed()
            .ok_or_else(|| CheckError::Parameters("vectors of elements of neither 64 nor 32 bits".into()))?;
    // What a program stores in a group depends on that group alone, or the machine faults: so one group's unknowns
    // serve all, and the kernel is run once.
    let mut wanted = Arrays::new(terms, unknowns, kernel, class, followed);
    let mut got = wanted.repeated(program.lanes.groups);
    let mut statements = 0;
    for element in 0..followed {
        statements += kernel::run(terms, kernel, &mut wanted, element).map_err(CheckError::Kernel)?;
    }
    let wanted = wanted.repeated(program.lanes.groups);
    let statements = program.code.len() as u64 + statements * u64::from(program.lanes.groups);
    let steps = machine::run(terms, program, &mut got, INSTRUCTIONS_A_STATEMENT * statements);
    let steps = steps.map_err(|(at, fault)| CheckError::Instruction {
        at,
        inst: program.code.get(at).copied(),
        fault,
        pattern: describe(program, class),
    })?;
    let mut pairs = Vec::new();
    for (c, (wanted, got)) in wanted.elements.iter().zip(&got.elements).enumerate() {
        for (i, (x, y)) in wanted.iter().zip(got).enumerate() {
            match (x, y) {
                (Some(x), Some(y)) if x == y => {}
                (Some(x), Some(y)) => pairs.push((c, i, *x, *y)),
                (None, None) => {}
                _ => return Err(differs(program, class, c, i)),
            }
        }
    }
    // Equations that were learned late may make old forms equal.
    for _ in 0..2 {
        if pairs.is_empty() {
            break;
        }
        let new = terms.rebuild();
        pairs.retain_mut(|(_, _, x, y)| {
            (*x, *y) = (renewed(terms, &new, *x), renewed(terms, &new, *y));
            x != y
        });
    }
    if let Some(why) = terms.poisoned {
        return Err(CheckError::Forms(why));
    }
    match pairs.first() {
        Some((c, i, ..)) => Err(differs(program, class, *c, *i)),
        None => Ok(steps),
    }
}

/// The word with each atom replaced by what it is now.
fn renewed(terms: &mut Terms, new: &[Lin], x: Word) -> Word {
    let form = terms.form(x.0).clone();
    let parts: Vec<(Lin, i128)> = form.parts.iter().map(|(a, k)| (new[*a as usize], *k)).collect();
    let sum = terms.sum(&parts, form.constant);
    terms.word(sum)
}

fn differs(program: &Program, class: &[usize], c: usize, element: usize) -> CheckError {
    CheckError::Differs { parameter: program.params[c].name.clone(), element, pattern: describe(program, class) }
}

/// Which parameters are the same, in words.
fn describe(program: &Program, class: &[usize]) -> String {
    let same = class.iter().enumerate().filter(|(p, c)| p != *c);
    same.map(|(p, c)| format!("{} = {}", program.params[*c].name, program.params[p].name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Compares the parameters; gives the kernel's.
fn parameters(kernel: &Kernel, program: &Program) -> Result<Vec<Array>, CheckError> {
    let wrong = |what: String| CheckError::Parameters(what);
    let params: Vec<Array> = kernel.params().collect();
    if program.lanes.count == 1 && program.lanes.groups != 1 {
        // Only loads and stores of whole vectors are known to be of one group.
        return Err(wrong(format!("{} groups of one element", program.lanes.groups)));
    }
    if params.len() != program.params.len() {
        return Err(wrong(format!("{} instead of {}", program.params.len(), params.len())));
    }
    for (a, p) in params.iter().zip(&program.params) {
        let info = kernel.array(*a);
        let written = match info.kind {
            ArrayKind::Input => false,
            ArrayKind::Output | ArrayKind::InOut => true,
            _ => return Err(CheckError::Kernel(format!("{} is a ghost", info.name))),
        };
        let Type::Word(bits) = info.ty else { return Err(CheckError::Kernel(format!("{} has no words", info.name))) };
        let bits = if is_sliced(kernel) { 64 } else { u32::from(bits) };
        let fits = matches!(p.element_bytes, 1 | 2 | 4 | 8)
            && bits <= 8 * p.element_bytes
            && (!is_sliced(kernel) || p.element_bytes == 8);
        let len = info.len.checked_mul(program.lanes.count).and_then(|n| n.checked_mul(program.lanes.groups));
        if Some(p.len) != len
            || program.lanes.elements() == 0
            || p.written != written
            || p.read != (info.kind != ArrayKind::Output)
            || !fits
        {
            return Err(wrong(format!("{} is described as {p:?}", info.name)));
        }
    }
    // What a caller of the program may do, it may do with the kernel.
    for (i, a) in params.iter().enumerate() {
        for (j, b) in params.iter().enumerate().skip(i + 1) {
            let (x, y) = (kernel.array(*a), kernel.array(*b));
            let apart = x.ty != y.ty
                || x.len != y.len
                || kernel.disjoint.iter().any(|pair| *pair == (*a, *b) || *pair == (*b, *a));
            if may_be_same(program, i, j) && apart {
                return Err(wrong(format!(
                    "{} and {} must not be the same, and the program does not say so",
                    x.name, y.name
                )));
            }
        }
    }
    Ok(params)
}

/// May the two parameters, i < j, be the same array?
fn may_be_same(program: &Program, i: usize, j: usize) -> bool {
    let (p, q) = (&program.params[i], &program.params[j]);
    p.written != q.written
        && p.len == q.len
        && p.element_bytes == q.element_bytes
        && !program.disjoint.contains(&(i as u32, j as u32))
}

/// Every way in which arrays that are only read lie over arrays that are written: parameter → class (the written
/// parameter, or itself). That two arrays that are only read may be the same needs no run: the forms hold for all
/// values.
fn patterns(params: &[Array], program: &Program) -> Result<Vec<Vec<usize>>, CheckError> {
    let mut all: Vec<Vec<usize>> = vec![(0..params.len()).collect()];
    for (p, info) in program.params.iter().enumerate() {
        if info.written {
            continue;
        }
        let over: Vec<usize> = (0..params.len())
            .filter(|q| program.params[*q].written && may_be_same(program, p.min(*q), p.max(*q)))
            .collect();
        if all.len() * (over.len() + 1) > MOST_PATTERNS {
            return Err(CheckError::Patterns(all.len() * (over.len() + 1)));
        }
        let mut more = Vec::new();
        for pattern in &all {
            for q in &over {
                let mut next = pattern.clone();
                next[p] = *q;
                more.push(next);
            }
        }
        all.extend(more);
    }
    Ok(all)
}
