//! What an emitted package contains: the operations of the chosen layout, each by its chosen plan, with vectors.

use evariste_algorithms::{Layout, Operation, field_set, kinds, plans};
use evariste_backend::c;
use evariste_descriptions::{Field, Modulus};
use evariste_emit::{
    Elements, File, Language, MachineCode, PackageSpec, Status, Units, Vector, difference, has_messages, has_streams,
    language,
};
use evariste_ir::{Carries, Kernel, Machine, legalise};
use evariste_proof::{Callees, Outcome, Proved, prove_with};
use num_bigint::BigUint;
use rayon::prelude::*;

use crate::apart::{Beside, NO_PLAN};
use crate::arrays::{self, LaneProduct, Lanes};
use crate::block_cipher::block_cipher;
use crate::candidates::field_layouts;
use crate::choose::{Accepted, Chosen, PassedOver, Source};
use crate::contract_line::contract_line;
use crate::cores::slug;
use crate::error::TuneError;
use crate::known_answers::{self, KnownAnswer};
use crate::machine_code::{DIGITS_OF_VECTORS, for_package, made, schedule_line, stays_in_c};
use crate::ranking::{Code, Ranking};
use crate::running_hash::running_hash;
use crate::schedules::{FoundSchedule, Schedules};
use crate::stream_cipher::stream_cipher;
use crate::vectors;

/// What to put into a package.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Language, `c`, `asm` or another of the table.
    pub language: String,
    /// Start of every name; the field's identifier when empty.
    pub prefix: String,
    /// Operations by name; all when empty.
    pub operations: Vec<String>,
    /// Its source alone, as one module of a program, where the language has that ([`Language::module`]): no test, no readme.
    pub module: bool,
    /// Faces of the language by name ([`Language::faces`]).
    pub faces: Vec<String>,
    /// A generator of the units of a prime field, for faces that name one; the least when it is `None`.
    pub generator: Option<BigUint>,
    /// Answers that others know, for the package's test.
    pub known: Vec<KnownAnswer>,
    /// The command line, for the header, without plans and schedules: they are added, so that it gives the same package
    /// on every machine.
    pub command_line: String,
}

/// The operations of a request, in the order of the field's set.
///
/// # Errors
/// [`TuneError::NoCandidate`]: the layout offers no operation of that name. It lists those that there are.
pub fn operations(chosen: &Chosen, names: &[String]) -> Result<Vec<Operation>, TuneError> {
    let all = field_set::operations(&chosen.field, &chosen.layout);
    if names.is_empty() {
        return Ok(all);
    }
    let mut wanted = Vec::new();
    for name in names {
        let has: Vec<String> = all.iter().map(Operation::name).collect();
        let operation = all
            .iter()
            .find(|op| op.name() == *name)
            .cloned()
            .or_else(|| Operation::parse(name).filter(|op| op.is(&Operation::POWER)));
        let has_powers = !plans(&chosen.field, &chosen.layout, &Operation::POWER.with(2u32)).is_empty();
        let operation = operation.ok_or_else(|| {
            TuneError::Operand(format!(
                "no operation `{name}` for {} in layout {}\nhelp: it has {}{}",
                chosen.field.called(),
                chosen.layout.name,
                has.join(", "),
                if has_powers { ", and pow_HEX" } else { "" }
            ))
        })?;
        if !wanted.contains(&operation) {
            wanted.push(operation);
        }
    }
    Ok(wanted)
}

/// One operation of a package.
struct Made {
    name: String,
    /// As it is called in the package.
    printed: String,
    plan: String,
    proved: Proved,
    /// In place of which plan, where the language cannot print the one that was chosen.
    instead_of: Option<PassedOver>,
    vectors: Vec<Vector>,
    /// Machine code, or why there is none, where the language prints any.
    code: Option<Result<MachineCode, String>>,
    /// What stands beside that.
    apart: CodeApart,
    /// The schedule of the machine code, where a search found it.
    schedule: Option<FoundSchedule>,
    /// Those of its routines.
    routines: Vec<FoundSchedule>,
}

/// The machine code of an operation for processors that have more than most.
enum CodeApart {
    /// The plan and the code.
    By(String, MachineCode),
    /// There is to be none.
    Declined,
    /// There is none: where a plan gains, why.
    Nothing(Option<String>),
}

/// The end of the name of a kernel that says in an array whether it has results: the function without it gives a status.
pub const FLAGGED: &str = "_flagged";

/// The array of the kernel whose word a function above it gives as its status. Of some fields an operation has none:
/// every element of a binary field has a root.
fn status_of(operation: &Operation, kernel: &Kernel, language: &Language) -> Option<&'static str> {
    let gives_statuses = language.machine.is_none() || language.is_c;
    operation.valid().filter(|flag| gives_statuses && kernel.find(flag).is_some())
}

/// The end of a function's name: code whose time may tell of its operands says so, and the kernels that take bytes for
/// granted, above which a function looks at them.
fn printed(chosen: &Chosen, operation: &Operation, proved: &Proved, language: &Language) -> String {
    let unchecked = operation.takes_bytes() && elements(chosen).is_some();
    if status_of(operation, proved.kernel(), language).is_some() {
        return format!("{}{FLAGGED}", operation.name());
    }
    let end = if proved.kernel().vartime { "_vartime" } else { "" };
    operation.name() + if unchecked { "_unchecked" } else { end }
}

/// The elements as faces need them: with a generator of the units.
fn elements_for(chosen: &Chosen, request: &Request, language: &Language) -> Result<Option<Elements>, TuneError> {
    request.faces.iter().try_for_each(|name| language.face(name).map(drop))?;
    let (elements, modulus) = (elements(chosen), chosen.field.get::<Modulus>());
    let (Some(mut elements), Some(modulus), false) = (elements.clone(), modulus, request.faces.is_empty()) else {
        return Ok(elements);
    };
    if modulus.prime {
        let units = modulus.units(request.generator.as_ref()).map_err(TuneError::Operand)?;
        let (generator, root) = (units.generator.into(), units.root.into());
        elements.units = Some(Units { generator, twos: units.twos, root, complete: units.complete });
    }
    Ok(Some(elements))
}

/// The elements of a field of numbers in words.
fn elements(chosen: &Chosen) -> Option<Elements> {
    let (m, layout) = (chosen.field.get::<Modulus>()?, &chosen.layout);
    let kind = |l: &Layout| (l.montgomery.is_some(), field_set::is_canonical(&chosen.field, l));
    let mut of_32_bits = field_layouts(&chosen.field, &[32]);
    of_32_bits.sort_by_key(|l| kind(l) != kind(layout));
    let narrow = of_32_bits.into_iter().next().filter(|_| layout.word == 64).map(|l| l.name);
    matches!(layout.word, 32 | 64).then(|| Elements {
        modulus: m.value.clone().into(),
        factor: layout.factor(),
        word: layout.word,
        weights: layout.weights.clone(),
        digit_max: layout.resting.digit_max.clone(),
        bound: layout.resting.bound.clone(),
        canonical: field_set::is_canonical(&chosen.field, layout),
        narrow,
        units: None,
    })
}

/// The kernel of an operation as a language takes it: by the chosen plan, or by the next that it takes.
///
/// # Errors
/// As [`Chosen::accepted_plan`].
pub fn accepted(chosen: &Chosen, operation: &Operation, language: &Language) -> Result<Accepted<Proved>, TuneError> {
    chosen.accepted_plan(operation, &|proved| {
        language.takes(proved.kernel())?;
        match &language.machine {
            Some(machine) => on(machine, proved, &chosen.known),
            None => Ok(proved.clone()),
        }
    })
}

/// An operation of a package.
fn make(chosen: &Chosen, operation: &Operation, language: &Language, known: &[KnownAnswer]) -> Result<Made, TuneError> {
    let accepted = accepted(chosen, operation, language)?;
    let (plan, proved, instead_of) = (accepted.plan, accepted.made, accepted.instead_of);
    let printed = printed(chosen, operation, &proved, language);
    let samples = kinds::samples(&chosen.field, &chosen.layout, operation);
    let mut vectors = vectors::of_samples(operation, &proved, &samples)?;
    vectors.extend(known_answers::vectors(chosen, operation, &proved, known)?);
    vectors.iter_mut().for_each(|v| v.operation = printed.clone());
    let (mut schedule, mut routines) = (None, Vec::new());
    let stays = stays_in_c(operation, proved.kernel());
    let apart = match language.machine_code && stays.is_none() {
        true => apart(chosen, operation, &plan, &proved, &vectors)?,
        false => CodeApart::Nothing(None),
    };
    let in_vectors = chosen.layout.radix.is_some() && matches!(apart, CodeApart::By(..));
    let code = match stays {
        _ if !language.machine_code => None,
        Some(why) => Some(Err(why.to_string())),
        None if in_vectors => Some(Err(DIGITS_OF_VECTORS.to_string())),
        None => {
            schedule = chosen.schedule(operation, &plan, proved.kernel())?;
            routines = if schedule.is_none() { chosen.routines(proved.kernel()) } else { Vec::new() };
            match for_package(chosen.packaged().1, &printed, &plan, &proved, schedule.as_ref(), &routines) {
                Err(e) if schedule.is_some() => {
                    return Err(TuneError::MachineCode(format!(
                        "the schedule of {plan} cannot be used: {e}\nhelp: tune again, or add --schedules heuristic"
                    )));
                }
                made => Some(made.map_err(|e| e.to_string())),
            }
        }
    };
    Ok(Made { name: operation.name(), printed, plan, proved, instead_of, vectors, code, apart, schedule, routines })
}

/// The code apart of an operation by a kernel that agrees with its own: parameters and contract are compared, and so is
/// what both give for each known answer.
fn apart(
    chosen: &Chosen,
    operation: &Operation,
    plan: &str,
    own: &Proved,
    answers: &[Vector],
) -> Result<CodeApart, TuneError> {
    let (Some(code), beside) = (chosen.apart(), chosen.beside(operation, plan, own)?) else {
        return Ok(CodeApart::Nothing(None));
    };
    let (name, proved) = match beside {
        Beside::By(name, proved) => (name, proved),
        Beside::Declined => return Ok(CodeApart::Declined),
        Beside::Nothing => return Ok(CodeApart::Nothing(None)),
    };
    let refused = |why: &str| Ok(CodeApart::Nothing(Some(format!("{name} is no such code: {why}"))));
    if let Some(what) = difference(own, &proved) {
        return refused(&format!("its kernel is one {what} of the C"));
    }
    if proved.kernel() != own.kernel() && !vectors::gives(&proved, answers)? {
        return refused("it gives other digits of the same results");
    }
    let (printed, routines) = (answers.first().map_or("", |v| &v.operation), chosen.routines(proved.kernel()));
    match made(code.make, printed, &name, &proved, None, &routines) {
        // Short kernels have no calls side by side.
        Ok(made) if made.program.is_apart() => Ok(CodeApart::By(name, made)),
        Ok(_) => Ok(CodeApart::Nothing(None)),
        Err(why) => refused(&why.to_string()),
    }
}

/// The functions with a status above kernels.
fn statuses(operations: &[Operation], made: &[Made], language: &Language) -> Vec<Status> {
    let status = |(operation, made): (&Operation, &Made)| {
        let flag = status_of(operation, made.proved.kernel(), language)?;
        Some(Status { function: operation.name(), kernel: made.printed.clone(), flag: flag.to_string() })
    };
    operations.iter().zip(made).filter_map(status).collect()
}

/// What was taken in place of what, why, and what that changes for callers.
fn instead(made: &Made) -> Option<String> {
    let other = made.instead_of.as_ref()?;
    let (was, is) = (contract_line(other.proved.statement()), contract_line(made.proved.statement()));
    let change = if was == is { "with the same contract".into() } else { format!("whose contract is {was}") };
    let why = other.why.lines().next().unwrap_or_default();
    Some(format!(
        "`{}` is {}, since the language does not take the first choice, {}, {change}: {why}",
        made.printed, made.plan, other.plan
    ))
}

/// A package, and what its user should be told.
#[derive(Clone, Debug)]
pub struct Package {
    /// The files.
    pub files: Vec<File>,
    /// Plans that stand in for those that were chosen, lines that the package has too; and which schedules were not used.
    pub notes: Vec<String>,
}

/// Proves all kernels of a request on all cores and prints the package; `done` is called after each kernel.
///
/// # Errors
/// A language or an operation that is not there; a prefix that is no identifier; a kernel that is not proved.
pub fn package(chosen: &Chosen, request: &Request, done: impl Fn(usize, usize) + Sync) -> Result<Package, TuneError> {
    let language = language(&request.language)?;
    let elements = elements_for(chosen, request, language)?;
    // The plans that are fastest as what is printed.
    let code = Code::from(if language.machine_code { chosen.packaged().0 } else { &c::C });
    let chosen = &Chosen { code: Some(code), ..chosen.clone() };
    let operations = operations(chosen, &request.operations)?;
    let count = std::sync::atomic::AtomicUsize::new(0);
    let make = |operation| {
        let made = make(chosen, operation, language, &request.known);
        done(1 + count.fetch_add(1, std::sync::atomic::Ordering::Relaxed), operations.len());
        made
    };
    let made: Vec<Made> = operations.par_iter().map(make).collect::<Result<_, TuneError>>()?;
    let passed_over: Vec<String> = made.iter().filter_map(instead).collect();
    let prefix = if request.prefix.is_empty() { chosen.field.identifier() } else { request.prefix.clone() };
    let schedules = searched(&made);
    // The file of the searched schedules, where there are any.
    let schedule_file = (!schedules.all.is_empty()).then(|| format!("{prefix}_schedules.txt"));
    let in_lanes = in_lanes(chosen, language, &made)?;
    let mut command_line = request.command_line.clone() + &plan_options(chosen, &operations, &made)?;
    command_line += &in_lanes.as_deref().map(arrays::options).unwrap_or_default();
    if language.machine_code {
        command_line += &schedule_options(schedule_file.as_deref(), &schedules);
    }
    let mut notes = origin_notes(chosen, code);
    notes.extend(made.iter().map(|made| kernel_note(chosen, made)));
    notes.extend(in_lanes.as_deref().map(arrays::note));
    notes.extend(passed_over.iter().cloned());
    let reads = |file| format!("The searched schedules are in `{file}`, from which the command above reads them.");
    notes.extend(schedule_file.as_ref().map(reads));
    let spec = PackageSpec {
        prefix,
        title: chosen.field.package_title(),
        description: description(chosen),
        command_line,
        kernels: made.iter().map(|made| (made.printed.clone(), &made.proved)).collect(),
        machine_code: made.iter().flat_map(machine_code).collect(),
        statuses: statuses(&operations, &made, language),
        elements,
        faces: request.faces.clone(),
        cipher: block_cipher(&chosen.field)?,
        stream: stream_cipher(&chosen.field, &request.known),
        running_hash: running_hash(&chosen.field, &request.known)?,
        arrays: in_lanes.as_ref().map(|all| {
            all.iter()
                .map(|one| evariste_emit::LaneProduct { level: one.level, kernel: &one.proved, squares: one.squares })
                .collect()
        }),
        vectors: made.iter().flat_map(|made| made.vectors.clone()).collect(),
        notes,
    };
    tested(&chosen.field, &operations, &spec, &request.known)?;
    let mut files = files(language, request.module, &spec)?;
    files.extend(schedule_file.map(|path| File { path, text: schedules.to_string() }));
    let schedule_notes = made.iter().flat_map(|made| unused_schedules(chosen, made));
    Ok(Package { files, notes: passed_over.into_iter().chain(schedule_notes).collect() })
}

/// The machine code of an operation, for processors that have more first.
fn machine_code(made: &Made) -> Vec<MachineCode> {
    let apart = match &made.apart {
        CodeApart::By(_, code) => Some(code),
        CodeApart::Declined | CodeApart::Nothing(_) => None,
    };
    apart.into_iter().chain(made.code.iter().flatten()).cloned().collect()
}

/// The searched schedules of operations and of their routines, each once.
fn searched(made: &[Made]) -> Schedules {
    let mut all: Vec<FoundSchedule> = Vec::new();
    for found in made.iter().flat_map(|made| made.schedule.iter().chain(&made.routines)) {
        if !all.contains(found) {
            all.push(found.clone());
        }
    }
    Schedules { all }
}

/// Nothing, where each known answer is of a function of the package.
fn tested(field: &Field, operations: &[Operation], spec: &PackageSpec, known: &[KnownAnswer]) -> Result<(), TuneError> {
    let is_tested = |answer: &KnownAnswer| {
        let on_bytes = match answer.operation {
            _ if !answer.operation.is_of_strings() => false,
            ref operation if *operation == Operation::KEYSTREAM => has_streams(spec),
            _ => has_messages(spec),
        };
        on_bytes || operations.contains(&answer.operation)
    };
    let Some(other) = known.iter().find(|answer| !is_tested(answer)) else { return Ok(()) };
    let names: Vec<String> = operations.iter().map(Operation::name).collect();
    Err(TuneError::Operand(format!(
        "an answer of `{}` is known, and this package of {} has no function of it\nhelp: it has {}; leave --ops out for all that the layout offers",
        other.operation.name(),
        field.called(),
        names.join(", ")
    )))
}

/// The options that take the same schedules again, on any machine: the file of the package, whose lines are of one core.
fn schedule_options(file: Option<&str>, schedules: &Schedules) -> String {
    match (file, schedules.all.first()) {
        (Some(file), Some(first)) => format!(" --schedules {file} --searched-on {}", slug(&first.core)),
        _ => " --schedules heuristic".into(),
    }
}

/// What is said of the lines of a file of schedules that belong to a kernel and were not found on the core in use.
fn unused_schedules(chosen: &Chosen, made: &Made) -> Option<String> {
    let Source::Given(given) = &chosen.schedules else { return None };
    made.code.as_ref()?.as_ref().ok()?;
    let others = chosen.given(&made.name, &made.plan, made.proved.kernel())?.err().filter(|all| !all.is_empty())?;
    let (core, goal, named) = (&given.core, chosen.goal, if given.named { ", as asked" } else { "" });
    Some(format!(
        "{} by {} has the heuristic's order: schedules searched on {} are passed over, and there is none searched on {core} for {goal}{named}; \
         `evariste tune {} --save FILE` measures them here, and --searched-on takes those of another core unmeasured",
        made.printed,
        made.plan,
        others.join(", on "),
        chosen.field.name(),
    ))
}

/// What a package is of: the field and the layout.
fn description(chosen: &Chosen) -> String {
    let (layout, line) = (&chosen.layout.name, crate::tuning::layout_line(&chosen.layout));
    format!("{}\n\nLayout {layout}: {line}", chosen.field.description())
}

/// The files of a package, or its one module.
fn files(language: &Language, one: bool, spec: &PackageSpec) -> Result<Vec<File>, TuneError> {
    match (one, language.module) {
        (false, _) => Ok((language.package)(spec)?),
        (true, Some(module)) => Ok(vec![module(spec)?]),
        (true, None) => {
            let why = format!("{} has no packages of one module\nhelp: take a whole package of files", language.name);
            Err(TuneError::Operand(why))
        }
    }
}

/// The products in lanes of functions on arrays; `None`: there are no such functions.
fn in_lanes(chosen: &Chosen, language: &Language, made: &[Made]) -> Result<Option<Vec<LaneProduct>>, TuneError> {
    let product = made.iter().find(|made| made.printed == Operation::MUL.name());
    let product = product.filter(|_| language.has_arrays && elements(chosen).is_some());
    let square = made.iter().find(|made| made.printed == Operation::SQUARE.name());
    match (product, &chosen.lanes) {
        (Some(mul), _) => arrays::products(chosen, &mul.proved, square.map(|made| &made.proved)).map(Some),
        (None, Lanes::Given(given)) if !given.is_empty() => {
            let help = "name mul among the operations of a field of numbers, in C";
            Err(TuneError::Operand(format!("there are no products of arrays\nhelp: {help}")))
        }
        (None, _) => Ok(None),
    }
}

/// What a package says of its plans as a whole: where they were measured, and whether elements have one form.
fn origin_notes(chosen: &Chosen, code: Code) -> Vec<String> {
    let mut notes = Vec::new();
    // Nothing here tells a plan that was named from one that is remembered: the command names them all, and must give
    // this package again.
    let is_measured =
        |r: &&Ranking| r.candidates.iter().any(|c| c.layout == chosen.layout.name && c.code == Some(code));
    if let Some(r) = chosen.ranking.as_ref().filter(is_measured) {
        notes.push(format!("Plans of this layout were measured on: {}.", r.target));
    }
    if !field_set::is_canonical(&chosen.field, &chosen.layout) {
        let others = match chosen.machine.is_some_and(|machine| machine.carries == Carries::Written) {
            true => "`--layout` takes one in which each has one, slower here: each carry is several operations.",
            false => "Without `--layout` and `--redundant` a package has a layout in which each has one.",
        };
        notes.push(format!("Elements are not canonical in this layout: a value has several forms. {others}"));
    }
    notes
}

/// The line of a kernel: plan, contract, and how its machine code is ordered.
fn kernel_note(chosen: &Chosen, made: &Made) -> String {
    let Made { printed: name, plan, proved, code, apart, schedule, routines, .. } = made;
    let title = chosen.apart().map_or("", |apart| apart.code);
    let beside = match apart {
        CodeApart::By(_, code) => format!("; as {title} code: {}", code.plan),
        CodeApart::Nothing(Some(why)) => format!("; no {title} code: {why}"),
        CodeApart::Declined | CodeApart::Nothing(None) => String::new(),
    };
    let how = match (code, apart) {
        (Some(Err(why)), CodeApart::By(..)) => format!("; no other machine code: {why}"),
        (Some(Err(why)), _) => format!("; in C only: {why}"),
        (Some(Ok(_)), _) => format!("; machine code: {}", schedule_line(schedule.as_ref(), routines)),
        (None, _) => String::new(),
    };
    let how = how + &beside;
    format!("`{name}`: {plan} ({}){how}", contract_line(proved.statement()))
}

/// The options that name the plans, so that the command gives the same package whatever is remembered. Said only where
/// there is a choice; inverses and powers follow from the product and the square.
fn plan_options(chosen: &Chosen, operations: &[Operation], made: &[Made]) -> Result<String, TuneError> {
    let made_of_products = operations.iter().any(|op| op.is_any(&[Operation::INVERSE, Operation::POWER]));
    let mut options = String::new();
    for operation in field_set::operations(&chosen.field, &chosen.layout) {
        let used = match made.iter().find(|made| made.name == operation.name()) {
            Some(made) if operation != Operation::INVERSE => Some(made.plan.clone()),
            None if made_of_products && operation.is_any(&[Operation::MUL, Operation::SQUARE]) => {
                Some(chosen.proved_plan(&operation)?.0)
            }
            _ => None,
        };
        let has_choice = plans(&chosen.field, &chosen.layout, &operation).len() > 1;
        let algorithm = |plan: &str| plan.split('/').next().unwrap_or_default().to_string();
        if let Some(plan) = used.filter(|_| has_choice) {
            options += &format!(" --plan {}={}", operation.name(), algorithm(&plan));
        }
        let beside = made.iter().find(|made| made.name == operation.name()).map(|made| &made.apart);
        let of_layout = |plan: &str| plan.split_once('/').is_some_and(|(_, layout)| layout == chosen.layout.name);
        let named = match beside {
            Some(CodeApart::By(plan, _)) if of_layout(plan) && !has_choice => continue,
            Some(CodeApart::By(plan, _)) if of_layout(plan) => algorithm(plan),
            Some(CodeApart::By(plan, _)) => plan.clone(),
            Some(CodeApart::Declined) => NO_PLAN.to_string(),
            _ => continue,
        };
        if let Some(apart) = chosen.apart() {
            options += &format!(" --plan {}@{}={named}", operation.name(), apart.code);
        }
    }
    Ok(options)
}

/// A kernel in the operations of a machine, proved again where it is not known.
fn on(machine: &Machine, proved: &Proved, known: &Callees) -> Result<Proved, TuneError> {
    let legal = legalise(proved.statement(), machine).map_err(|e| TuneError::Unproved(e.to_string()))?;
    match prove_with(&legal, known) {
        Outcome::Proved(proved) => Ok(proved),
        Outcome::Refuted(c) => {
            Err(TuneError::Unproved(format!("{} as rewritten is wrong: {}", legal.name, c.violation)))
        }
        Outcome::Unknown(o) => Err(TuneError::Unproved(format!(
            "{} as rewritten for words of {} bits is not proved: {}: {}\nhelp: name another plan, with --plan",
            legal.name, machine.word, o.what, o.detail
        ))),
    }
}
