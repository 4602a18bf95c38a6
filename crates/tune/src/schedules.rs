//! Schedules that searches found, as text that can be kept and shared: one line each, in a file that ships with this
//! crate and in one of the user's cache folder.
//!
//! A line is never trusted: a schedule counts only for the very kernel that it was found for (by the fingerprint of its
//! text), its program is made and checked like any other, and wherever it is used it is measured beside the
//! heuristic's. The cycles in a line are information.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evariste_algorithms::Operation;
use evariste_backend::BACKENDS;
use evariste_codegen::FoundOrders;
use evariste_codegen::schedule::Schedule;
use evariste_ir::Kernel;

use crate::cores::slug;
use crate::error::TuneError;
use crate::ranking::{Goal, Ranking};

/// The schedules that ship with this crate.
const SHIPPED: &str = include_str!("schedules.txt");

/// Longest file that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// What a file begins with.
const HEADING: &str = "\
# Schedules of machine code that were measured to be faster than the heuristic's. Written by `evariste tune FIELD --search SECONDS`.
# field | operation | plan | goal | instruction sets | fingerprint of the kernel | cycles: of this schedule, of the heuristic's | core | order; chains; swaps
";

/// What tells such a file from any other.
const HEADING_START: &str = "# Schedules of machine code";

/// In place of an operation: the schedule of a routine of long kernels, of those that the field has and of any other that
/// calls the same kernel.
pub const ROUTINE: &str = "routine";

/// The name of a routine in place of a plan's: its own, and that of what it was found in.
pub fn in_routine(routine: &str, operation: &Operation, plan: &str) -> String {
    format!("{routine} of {} by {plan}", operation.name())
}

/// The operation and the plan in which a routine of that name was found.
pub fn found_in(routine: &str) -> Option<(Operation, &str)> {
    let (operation, plan) = routine.split_once(" of ")?.1.split_once(" by ")?;
    Some((Operation::parse(operation)?, plan))
}

/// A schedule of one kernel, and what was measured when it was found.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundSchedule {
    /// The field's short name.
    pub field: String,
    /// The operation's name, or [`ROUTINE`].
    pub operation: String,
    /// Full plan name: algorithm and layout. Of a routine [its name](in_routine).
    pub plan: String,
    /// What it was searched for.
    pub goal: Goal,
    /// The instruction sets that its code may use, as back ends name them.
    pub sets: String,
    /// [`Kernel::fingerprint`] of the proved kernel that it belongs to, which has neither ghosts nor dead code.
    pub fingerprint: u64,
    /// Measured, for the goal: cycles of this schedule.
    pub cycles: f64,
    /// Measured beside it: cycles of the heuristic's.
    pub heuristic_cycles: f64,
    /// The name of the core on which that was.
    pub core: String,
    /// The schedule.
    pub schedule: Schedule,
}

impl FoundSchedule {
    /// What a file holds one schedule of.
    fn key(&self) -> (&str, &str, &str, Goal, &str, &str) {
        (&self.field, &self.operation, &self.plan, self.goal, &self.sets, &self.core)
    }

    /// Reads a line of a file. An error says what is wrong with it.
    fn parse(line: &str) -> Result<FoundSchedule, String> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [field, operation, plan, goal, sets, fingerprint, cycles, core, schedule] =
            <[&str; 9]>::try_from(parts).map_err(|parts| format!("it has {} parts, not 9", parts.len()))?;
        if [field, operation, plan].iter().any(|name| name.is_empty()) {
            return Err("a name is missing".into());
        }
        let goal = [Goal::Throughput, Goal::Latency]
            .into_iter()
            .find(|g| g.to_string() == goal)
            .ok_or_else(|| format!("`{}` is not a goal (throughput or latency)", short(goal)))?;
        let known = |entry: &&evariste_backend::Entry| entry.package.is_some_and(|p| p.known_sets.contains(&sets));
        if !BACKENDS.iter().copied().any(|entry| known(&entry)) {
            return Err(format!("`{}` names no instruction sets", short(sets)));
        }
        let fingerprint = u64::from_str_radix(fingerprint, 16)
            .map_err(|_| format!("`{}` is not a fingerprint (hexadecimal)", short(fingerprint)))?;
        let time = |text: &str| text.trim().parse::<f64>().ok().filter(|t| t.is_finite() && *t >= 0.0);
        let times = cycles.split_once(',').and_then(|(own, heuristic)| Some((time(own)?, time(heuristic)?)));
        let (cycles, heuristic_cycles) = times.ok_or_else(|| format!("`{}` is not a pair of times", short(cycles)))?;
        let schedule: Schedule = schedule.parse().map_err(|e| format!("{e}"))?;
        let [field, operation, plan, sets, core] = [field, operation, plan, sets, core].map(str::to_string);
        Ok(FoundSchedule { field, operation, plan, goal, sets, fingerprint, cycles, heuristic_cycles, core, schedule })
    }
}

/// A name as a part of a line.
fn in_a_line(name: &str) -> String {
    name.replace(['|', '\n'], " ")
}

/// The start of a text, for messages.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl fmt::Display for FoundSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FoundSchedule { field, operation, plan, goal, sets, fingerprint, cycles, heuristic_cycles, core, schedule } =
            self;
        let core = in_a_line(core);
        write!(
            f,
            "{field} | {operation} | {plan} | {goal} | {sets} | {fingerprint:016x} | {cycles:.2}, {heuristic_cycles:.2} | {core} | {schedule}"
        )
    }
}

/// Schedules of many kernels. Two for the same kernel and goal may come from two files; which is better is measured.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Schedules {
    /// All of them, in the order in which they came.
    pub all: Vec<FoundSchedule>,
}

impl Schedules {
    /// Those that ship with this crate.
    pub fn shipped() -> Schedules {
        Schedules::parse(SHIPPED).0
    }

    /// Reads a text: empty lines and those that begin with `#` mean nothing. The second part has a sentence for each
    /// line that is ignored because it cannot be understood.
    pub fn parse(text: &str) -> (Schedules, Vec<String>) {
        let (mut schedules, mut ignored) = (Schedules::default(), Vec::new());
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            match FoundSchedule::parse(line) {
                Ok(schedule) => schedules.all.push(schedule),
                Err(why) => ignored.push(format!("line {} is ignored: {why}", i + 1)),
            }
        }
        (schedules, ignored)
    }

    /// The file of a cache folder.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("schedules.txt")
    }

    /// Reads a file, as [`Schedules::parse`]; one that does not exist is empty.
    ///
    /// # Errors
    /// [`TuneError::SchedulesUnreadable`], also for a text in which no line is a schedule: it is somebody else's file.
    pub fn load(path: &Path) -> Result<(Schedules, Vec<String>), TuneError> {
        let unreadable = |why: String| TuneError::SchedulesUnreadable { path: path.to_path_buf(), why };
        match std::fs::metadata(path) {
            Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                return Ok(Default::default());
            }
            Ok(m) if !m.is_file() => return Err(unreadable("it is not a plain file".into())),
            Ok(m) if m.len() > LONGEST => return Err(unreadable(format!("{} bytes is too long", m.len()))),
            _ => {}
        }
        let text = std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))?;
        let (schedules, ignored) = Schedules::parse(&text);
        if schedules.all.is_empty() && !ignored.is_empty() && !text.starts_with(HEADING_START) {
            return Err(unreadable(format!("it is not a file of schedules: {}", ignored[0])));
        }
        Ok((schedules, ignored))
    }

    /// Adds schedules to a file: each takes the place of the one for the same field, operation, plan, goal, instruction
    /// sets and core. The file is written whole, sorted, without the lines that cannot be understood, by one writer at
    /// a time. Gives the number of lines that changed.
    ///
    /// # Errors
    /// A file that cannot be read, or a folder that cannot be written.
    pub fn add_to(path: &Path, new: &[FoundSchedule]) -> Result<usize, TuneError> {
        let fail = |e: std::io::Error| TuneError::SchedulesWrite { path: path.to_path_buf(), why: e.to_string() };
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(fail)?;
        // What another program adds between reading and writing would be lost. Where folders cannot be locked, it is.
        let _lock = std::fs::File::open(folder).and_then(|folder| folder.lock().map(|()| folder)).ok();
        let (mut schedules, _) = Schedules::load(path)?;
        let before = schedules.all.clone();
        for found in new {
            let found = &FoundSchedule { core: in_a_line(&found.core), ..found.clone() };
            match schedules.all.iter_mut().find(|s| s.key() == found.key()) {
                // Measured again, it is the same schedule: the file stays as it is.
                Some(same) if same.schedule == found.schedule && same.fingerprint == found.fingerprint => {}
                Some(old) => *old = found.clone(),
                None => schedules.all.push(found.clone()),
            }
        }
        let changed = schedules.all.iter().filter(|s| !before.contains(s)).count();
        if changed > 0 {
            let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
            std::io::Write::write_all(&mut file, schedules.to_string().as_bytes()).map_err(fail)?;
            readable(&file).map_err(fail)?;
            file.persist(path).map_err(|e| fail(e.error))?;
        }
        Ok(changed)
    }

    /// These and those.
    pub fn with(mut self, more: Schedules) -> Schedules {
        self.all.extend(more.all);
        self
    }

    /// The schedules of a plan's kernel for these instruction sets, each once. What was found for
    /// another kernel of that name is not among them.
    pub fn of(&self, field: &str, operation: &str, plan: &str, kernel: &Kernel, sets: &str) -> Vec<&FoundSchedule> {
        let named: Vec<&FoundSchedule> = self
            .all
            .iter()
            .filter(|s| s.plan == plan && s.operation == operation && s.field == field && s.sets == sets)
            .collect();
        if named.is_empty() {
            return named;
        }
        let fingerprint = kernel.fingerprint();
        let mut fresh: Vec<&FoundSchedule> = Vec::new();
        for found in named.into_iter().filter(|s| s.fingerprint == fingerprint) {
            if !fresh.iter().any(|s| s.goal == found.goal && s.schedule == found.schedule) {
                fresh.push(found);
            }
        }
        fresh
    }

    /// Those of routines that were found on a core with these instruction sets.
    fn routines<'s>(&'s self, core: &str, sets: &str) -> impl Iterator<Item = &'s FoundSchedule> {
        let of_core = move |s: &&FoundSchedule| s.operation == ROUTINE && slug(&s.core) == slug(core) && s.sets == sets;
        self.all.iter().filter(of_core)
    }

    /// The same as orders, the last one of each kernel.
    pub fn of_routines(&self, core: &str, sets: &str) -> FoundOrders {
        self.routines(core, sets).map(|s| (s.fingerprint, s.schedule.clone())).collect()
    }

    /// The same of what a kernel calls, one of each kernel.
    pub fn called(&self, kernel: &Kernel, core: &str, sets: &str) -> Vec<FoundSchedule> {
        fn add(kernel: &Kernel, seen: &mut HashSet<*const Kernel>, called: &mut BTreeSet<u64>) {
            for callee in &kernel.callees {
                if seen.insert(Arc::as_ptr(callee)) {
                    called.insert(callee.fingerprint());
                    add(callee, seen, called);
                }
            }
        }
        let known: BTreeMap<u64, &FoundSchedule> = self.routines(core, sets).map(|s| (s.fingerprint, s)).collect();
        let mut called = BTreeSet::new();
        // The fingerprint is that of a text, which is written for it.
        if !known.is_empty() {
            add(kernel, &mut HashSet::new(), &mut called);
        }
        called.iter().filter_map(|fingerprint| known.get(fingerprint).map(|s| (*s).clone())).collect()
    }

    /// The searched schedules of a ranking that was measured with these instruction sets.
    pub fn of_ranking(field: &str, ranking: &Ranking, sets: &str) -> Schedules {
        let rows = ranking.candidates.iter().filter_map(|c| {
            let goal = c.searched?;
            Some(FoundSchedule {
                field: field.to_string(),
                operation: c.operation.clone(),
                plan: c.plan.clone(),
                goal,
                sets: sets.to_string(),
                fingerprint: u64::from_str_radix(c.fingerprint.as_ref()?, 16).ok()?,
                cycles: c.cycles(goal)?,
                heuristic_cycles: c.heuristic_cycles?,
                core: ranking.core_name().to_string(),
                schedule: c.schedule.as_ref()?.parse().ok()?,
            })
        });
        Schedules { all: rows.collect() }
    }
}

/// Temporary files are for their owner only; a file of schedules may be shared.
#[cfg(unix)]
fn readable(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// Nothing to do.
#[cfg(not(unix))]
fn readable(_: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// The text of a file: sorted, so that the same schedules give the same bytes. Of two for the same kernel, goal and core
/// the later one is written.
impl fmt::Display for Schedules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let latest: HashMap<_, &FoundSchedule> = self.all.iter().map(|s| (s.key(), s)).collect();
        let mut sorted: Vec<&FoundSchedule> = latest.into_values().collect();
        sorted.sort_by_key(|s| s.key());
        f.write_str(HEADING)?;
        sorted.iter().try_for_each(|s| writeln!(f, "{s}"))
    }
}
