//! The checker: does a program do what its kernel says?
//!
//! Both are run on the same symbolic inputs: the kernel by [`kernel`], the program by [`machine`], both on the forms of
//! [`terms`] with the operations of [`words`]. At the end every element of every array must hold the same form. That
//! arrays may be the same memory needs no other run where the program reads what is there before it writes it
//! (`machine::order`), else one for each way in which they may be. [`routines`] are compared with the kernels that
//! they compute once, by themselves, and stand for them where they are called ([`calls`]). On the way the machine refuses what a function must not
//! do: lose a saved register, touch other memory, use what is undefined, branch or address on what does not derive from
//! constants alone. So a checked program is right for every input that the kernel's contract admits, and keeps to its
//! arrays, by the same instructions at the same addresses, for every input there is.
//!
//! The checker knows nothing of how programs are made. What it does not recognise it refuses; it is not complete, and
//! need not be.

pub mod calls;
pub mod carryless;
pub mod kernel;
pub mod machine;
pub mod memory;
mod mixer;
pub mod operation;
mod rebuild;
pub mod routines;
pub mod tables;
pub mod terms;
pub mod words;

use std::fmt;

use evariste_ir::{Array, Kernel, Type};
use evariste_proof::Proved;

use self::kernel::Atoms;
use self::machine::{Code, Fault, Meaning, Ran};
use self::memory::{Arrays, Unknowns};
use self::routines::{Routines, Shown, own};
use self::terms::Terms;
use crate::isa::Isa;
use crate::program::{Callee, Lanes, Program};

/// A program with the proved kernel that it computes. Made by [`check`] only.
#[derive(Clone, Debug)]
pub struct Checked<I: Isa> {
    program: Program<I>,
    proved: Proved,
    report: Report,
}

impl<I: Isa> Checked<I> {
    /// The kernel that it was checked against.
    pub fn proved(&self) -> &Proved {
        &self.proved
    }

    /// Is this the machine code of that kernel? The kernels are compared whole, with their rules of aliasing: two
    /// kernels of one name, or of the same parameters, are two.
    pub fn is_of(&self, kernel: &Kernel) -> bool {
        self.proved.kernel() == kernel
    }

    /// The program.
    pub fn program(&self) -> &Program<I> {
        &self.program
    }

    /// How the check went.
    pub fn report(&self) -> Report {
        self.report
    }
}

impl<I: Isa> std::ops::Deref for Checked<I> {
    type Target = Program<I>;

    fn deref(&self) -> &Program<I> {
        &self.program
    }
}

/// How a check went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Patterns of aliasing that were run, of the function and of each routine.
    pub patterns: usize,
    /// Routines that were compared with the kernels that they compute.
    pub routines: usize,
    /// Instructions that were run in all.
    pub instructions: u64,
    /// The most bytes of stack below the place where the function is entered, with those of its routines and the red
    /// zone.
    pub stack: u32,
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
    Instruction { at: usize, inst: String, fault: Fault, pattern: String },
    /// A routine of that kernel is refused.
    Routine { kernel: String, why: Box<CheckError> },
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
                write!(f, "instruction {at} ({inst}) is refused: {fault:?}{}", aliasing(pattern))
            }
            CheckError::Differs { parameter, element, pattern } => {
                write!(f, "{parameter}[{element}] is not shown to be what the kernel computes{}", aliasing(pattern))
            }
            CheckError::Routine { kernel, why } => write!(f, "in the routine of {kernel}: {why}"),
            CheckError::Forms(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for CheckError {}

const MOST_PATTERNS: usize = 256;

/// The longest array of a program: all of its elements are followed.
const MOST_ELEMENTS: u32 = 1 << 22;

/// A program that runs more instructions for each statement of its kernel and each instruction of its code than this
/// runs in circles.
const INSTRUCTIONS_A_STATEMENT: u64 = 64;

/// Compares a program with the kernel that it was made from. That the kernel's intervals and exact operations are
/// proved is used.
///
/// # Errors
/// Why the program is refused. A right program that the checker does not recognise is refused too.
pub fn check<I: Meaning>(proved: &Proved, program: &Program<I>) -> Result<Checked<I>, CheckError> {
    Checker::new(proved).check(program)
}

/// The verdict of [`check`] on a kernel that nobody proved, whose intervals are believed: tests only. Nothing becomes
/// [`Checked`] by it.
///
/// # Errors
/// As [`check`].
#[doc(hidden)]
pub fn check_kernel<I: Meaning>(kernel: &Kernel, program: &Program<I>) -> Result<Report, CheckError> {
    check_all(&mut Table::new(program, None), kernel, program)
}

/// Is a program on vectors one whose routines can be followed: of one group, lanes of 64 bits, none of which depends on
/// another, or pairs of them?
fn calls_in_lanes<I: Isa>(program: &Program<I>) -> bool {
    let params = program.callees.iter().flat_map(|callee| &callee.params).chain(&program.params);
    program.lanes.groups == 1
        && program.lanes.count.is_multiple_of(program.units_followed())
        && params.into_iter().all(|p| p.element_bytes == 8)
}

/// Compares the routines with their kernels, the last first, and then the program with its own.
fn check_all<I: Meaning>(table: &mut Table, kernel: &Kernel, program: &Program<I>) -> Result<Report, CheckError> {
    let kernel = &*kernel.all_written_out();
    if !program.callees.is_empty() && program.lanes != Lanes::ONE && !calls_in_lanes(program) {
        // (Of one element vectors are followed as other registers are, and calls keep none of them.)
        return Err(CheckError::Parameters(
            "routines in a program on vectors of several groups, or of other lanes".into(),
        ));
    }
    let mut routines = Routines::new(kernel, program).map_err(CheckError::Kernel)?;
    let mut report = Report::default();
    for callee in program.callees.iter().rev() {
        let Some(number) = routines.at(callee.label).map(|r| r.kernel) else { continue };
        let wanted = routines.kernel(number);
        let part = Program { params: callee.params.clone(), disjoint: callee.disjoint.clone(), ..program.clone() };
        let shown = Table::new(program, Some(callee.label))
            .check(wanted, &part, Some(callee), &routines, &mut report)
            .map_err(|why| CheckError::Routine { kernel: wanted.name.clone(), why: Box::new(why) })?;
        routines.show(Shown { callee: callee.clone(), lowest: shown.lowest, keeps: shown.keeps });
        report.routines += 1;
    }
    let ran = table.check(kernel, program, None, &routines, &mut report)?;
    report.stack = ran.stack::<I>();
    Ok(report)
}

/// Checks many programs of one kernel: what is known of forms is kept from one to the next, as long as that serves.
pub struct Checker {
    proved: Proved,
    /// The table, and how many forms it had after its first program.
    table: Option<(Table, usize)>,
    /// Has a table that was kept not recognised what a fresh one did?
    afresh: bool,
}

impl Checker {
    /// For programs of that kernel.
    pub fn new(proved: &Proved) -> Checker {
        Checker { proved: proved.clone(), table: None, afresh: false }
    }

    /// As [`check`].
    ///
    /// # Errors
    /// As [`check`].
    pub fn check<I: Meaning>(&mut self, program: &Program<I>) -> Result<Checked<I>, CheckError> {
        let kept = self.table.take().filter(|(table, first)| table.serves(program) && table.terms.size().0 < 2 * first);
        let shared = kept.is_some();
        if let Some((mut table, first)) = kept
            && let Ok(report) = check_all(&mut table, self.proved.kernel(), program)
        {
            self.table = Some((table, first));
            return Ok(self.accepted(program, report));
        }
        let mut table = Table::new(program, None);
        let report = check_all(&mut table, self.proved.kernel(), program)?;
        let forms = table.terms.size().0;
        // In a table that holds what other programs computed, forms may not meet that do in a fresh one. Where that
        // happens once it happens often.
        self.afresh |= shared;
        self.table = Some((table, forms)).filter(|_| !self.afresh);
        Ok(self.accepted(program, report))
    }

    fn accepted<I: Isa>(&self, program: &Program<I>, report: Report) -> Checked<I> {
        Checked { program: program.clone(), proved: self.proved.clone(), report }
    }
}
/// What is known of forms. It holds for all values of the unknowns, whatever array they lie in and whatever is computed
/// of them: one table serves all patterns of aliasing and all programs of a kernel, and most forms of a pattern or a
/// program are in it from the first one.
struct Table {
    terms: Terms,
    unknowns: Unknowns,
    /// What the kernel leaves in the arrays, by pattern, and how many statements it runs.
    wanted: Vec<(Vec<usize>, u32, Arrays, u64)>,
}

impl Table {
    /// For the function, or for the routine at a label.
    fn new<I: Isa>(program: &Program<I>, label: Option<u32>) -> Table {
        let mut terms = Terms::new(64);
        (terms.split_products, terms.whole_products, terms.whole_look_ups) = Table::reading(program, label);
        Table { terms, unknowns: Unknowns::default(), wanted: Vec::new() }
    }

    /// How products of words are read, as the code itself has them: by halves, and those of 52 bits whole; and whether
    /// look-ups are.
    fn reading<I: Isa>(program: &Program<I>, label: Option<u32>) -> (bool, bool, bool) {
        let on_vectors = || own(program, label).filter_map(I::on_vectors);
        (on_vectors().any(|on| on.multiplies_halves), on_vectors().next().is_some(), on_vectors().any(|on| on.looks_up))
    }

    fn serves<I: Isa>(&self, program: &Program<I>) -> bool {
        program.callees.is_empty()
            && self.terms.poisoned.is_none()
            && (self.terms.split_products, self.terms.whole_products, self.terms.whole_look_ups)
                == Table::reading(program, None)
    }

    /// Compares a function, or one routine of a program that has its parameters, with a kernel.
    fn check<I: Meaning>(
        &mut self,
        kernel: &Kernel,
        program: &Program<I>,
        routine: Option<&Callee>,
        routines: &Routines<'_>,
        report: &mut Report,
    ) -> Result<Ran, CheckError> {
        let params = parameters(kernel, program, routine.is_some())?;
        let code = || Code { program, routine: routine.map(|callee| callee.label), routines };
        let apart: Vec<usize> = (0..params.len()).collect();
        let mut ran = self.run_pattern(kernel, code(), &apart)?;
        (report.patterns, report.instructions) = (report.patterns + 1, report.instructions + ran.steps);
        if ran.late {
            for class in patterns(program)?.into_iter().filter(|class| *class != apart) {
                let other = self.run_pattern(kernel, code(), &class)?;
                ran.keeps.iter_mut().zip(&other.keeps).for_each(|(keeps, also)| *keeps &= *also);
                (report.patterns, report.instructions) = (report.patterns + 1, report.instructions + other.steps);
            }
        }
        let (forms, atoms) = self.terms.size();
        (report.forms, report.atoms) = (report.forms + forms, report.atoms + atoms);
        Ok(ran)
    }

    /// What so many elements of a group hold before and after the kernel ran on them; and how many statements that were.
    fn run_kernel(
        &mut self,
        kernel: &Kernel,
        class: &[usize],
        followed: u32,
        atoms: &Atoms<'_>,
    ) -> Result<(Arrays, Arrays, u64), CheckError> {
        let before = Arrays::new(&mut self.terms, &mut self.unknowns, kernel, class, followed);
        let known = self.wanted.iter().find(|(c, f, ..)| c == class && *f == followed);
        if let Some((_, _, after, statements)) = known {
            let (mut after, statements) = (after.clone(), *statements);
            for word in after.elements.iter_mut().flatten().flatten() {
                *word = self.terms.refresh_word(*word);
            }
            return Ok((before, after, statements));
        }
        let mut after = before.clone();
        let mut statements = 0;
        for element in 0..followed {
            statements +=
                kernel::run(&mut self.terms, kernel, &mut after, element, atoms).map_err(CheckError::Kernel)?;
        }
        self.wanted.push((class.to_vec(), followed, after.clone(), statements));
        Ok((before, after, statements))
    }

    /// Runs both under one pattern of aliasing and compares what they store.
    fn run_pattern<I: Meaning>(
        &mut self,
        kernel: &Kernel,
        code: Code<'_, I>,
        class: &[usize],
    ) -> Result<Ran, CheckError> {
        let program = code.program;
        let (followed, alike) = followed(program)?;
        // What a program on vectors stores in a group depends on that group alone, or the machine faults: so one group's
        // unknowns serve all, and the kernel is run once.
        let atoms = Atoms { routines: code.routines, kernels: code.routines.called(program, code.routine) };
        let (before, wanted, statements) = self.run_kernel(kernel, class, followed, &atoms)?;
        let (mut got, wanted) = (before.repeated(alike), wanted.repeated(alike));
        let terms = &mut self.terms;
        let statements =
            statements.saturating_mul(program.lanes.groups.into()).saturating_add(program.code.len() as u64);
        let most = statements.saturating_mul(INSTRUCTIONS_A_STATEMENT);
        let over = (0..program.params.len()).map(|p| written_over(program, p)).collect();
        let ran = machine::run(terms, code, &mut got, over, most).map_err(|(at, fault)| CheckError::Instruction {
            at,
            inst: format!("{:?}", program.code.get(at)),
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
                (*x, *y) = (terms.renewed(*x, &new), terms.renewed(*y, &new));
                x != y
            });
        }
        if let Some(why) = terms.poisoned {
            return Err(CheckError::Forms(why));
        }
        match pairs.first() {
            Some((c, i, ..)) => Err(differs(program, class, *c, *i)),
            None => Ok(ran),
        }
    }
}

/// What the machine follows of a group: one element, or two that share 64 bits; the same of a pair of them. Of groups of
/// one element it follows each, with unknowns of its own, as if they were one. With the number of groups that are alike.
fn followed<I: Isa>(program: &Program<I>) -> Result<(u32, u32), CheckError> {
    match program.lanes {
        Lanes { count: 1, groups } => Ok((groups, 1)),
        Lanes { groups, .. } => {
            let known = program.elements_followed().map(|elements| program.units_followed() * elements);
            let none = || CheckError::Parameters("vectors of elements of neither 64 nor 32 bits".into());
            Ok((known.ok_or_else(none)?, groups))
        }
    }
}

fn differs<I: Isa>(program: &Program<I>, class: &[usize], c: usize, element: usize) -> CheckError {
    CheckError::Differs { parameter: program.params[c].name.clone(), element, pattern: describe(program, class) }
}

/// Which parameters are the same, in words.
fn describe<I: Isa>(program: &Program<I>, class: &[usize]) -> String {
    let same = class.iter().enumerate().filter(|(p, c)| p != *c);
    same.map(|(p, c)| format!("{} = {}", program.params[*c].name, program.params[p].name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Compares the parameters; gives the kernel's.
fn parameters<I: Isa>(kernel: &Kernel, program: &Program<I>, routine: bool) -> Result<Vec<Array>, CheckError> {
    let wrong = |what: String| CheckError::Parameters(what);
    let params: Vec<Array> = kernel.params().collect();
    let sliced = memory::slicing(kernel).map_err(CheckError::Kernel)?;
    let elements = program.lanes.count.checked_mul(program.lanes.groups).filter(|n| *n > 0);
    if program.lanes.count == 1
        && program.lanes.groups != 1
        && (program.on_vectors().next().is_some() || !program.callees.is_empty())
    {
        // Elements one after the other are followed in general registers, and routines have one.
        return Err(wrong(format!("{} groups of one element, on vectors or with routines", program.lanes.groups)));
    }
    if params.len() != program.params.len() {
        return Err(wrong(format!("{} instead of {}", program.params.len(), params.len())));
    }
    for (a, p) in params.iter().zip(&program.params) {
        let info = kernel.array(*a);
        let Some(role) = info.role() else { return Err(CheckError::Kernel(format!("{} is a ghost", info.name))) };
        let Type::Word(bits) = info.ty else { return Err(CheckError::Kernel(format!("{} has no words", info.name))) };
        let bits = if sliced { 64 } else { u32::from(bits) };
        let fits = matches!(p.element_bytes, 1 | 2 | 4 | 8)
            && bits <= 8 * p.element_bytes
            && (!sliced || p.element_bytes == 8);
        if elements.and_then(|n| n.checked_mul(info.len)).filter(|n| *n <= MOST_ELEMENTS) != Some(p.len)
            || p.role != role
            || !fits
        {
            return Err(wrong(format!("{} is described as {p:?}", info.name)));
        }
    }
    // What a caller of the kernel may do, it may do with the program, and no more: headers and callers go by the
    // kernel's rule.
    for (i, a) in params.iter().enumerate() {
        for (j, b) in params.iter().enumerate().skip(i + 1) {
            let (x, y) = (kernel.array(*a), kernel.array(*b));
            let allowed = kernel.may_alias(*a, *b);
            // What calls a routine keeps to the routine's rule, which may allow less.
            let same = program.may_be_same(i, j);
            if same != allowed && (same || !routine) {
                let (kernel, program) = if allowed { ("may", "not") } else { ("must not", "so") };
                return Err(wrong(format!(
                    "{} and {} {kernel} be the same array of the kernel, and those of the program may {program}",
                    x.name, y.name
                )));
            }
        }
    }
    Ok(params)
}

/// The written parameters that one which is only read may be.
fn written_over<I: Isa>(program: &Program<I>, p: usize) -> Vec<usize> {
    let other = |q: &usize| program.params[*q].role.is_written() && program.may_be_same(p.min(*q), p.max(*q));
    (0..program.params.len()).filter(|_| !program.params[p].role.is_written()).filter(other).collect()
}

/// Every way in which arrays that are only read lie over arrays that are written: parameter → class (the written
/// parameter, or itself). That two arrays that are only read may be the same needs no run: the forms hold for all
/// values.
fn patterns<I: Isa>(program: &Program<I>) -> Result<Vec<Vec<usize>>, CheckError> {
    let mut all: Vec<Vec<usize>> = vec![(0..program.params.len()).collect()];
    for p in 0..program.params.len() {
        let over = written_over(program, p);
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
