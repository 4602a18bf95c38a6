//! What tuning finds out: one row a candidate, one summary a layout, the winners. This is also the JSON of
//! `evariste tune`, documented in docs/json.md and kept stable.

pub use evariste_backend::Code;
use evariste_backend::Kind;
use evariste_codegen::schedule::NotASchedule;
use evariste_codegen::schedule::Schedule;
use evariste_descriptions::Field;
use evariste_run::indistinguishable;
use serde::{Deserialize, Serialize};

use crate::stopped::Stopped;

/// What a schedule was searched for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// The time of each of many independent operations.
    Throughput,
    /// The time from operand to result.
    Latency,
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Goal::Throughput => "throughput",
            Goal::Latency => "latency",
        })
    }
}

/// A winner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Winner {
    /// The operation's name.
    pub operation: String,
    /// Full plan name.
    pub plan: String,
    /// What its code is.
    pub code: Code,
    /// What its schedule was searched for; `None`: the heuristic's, or compiled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub searched: Option<Goal>,
}

/// One candidate: a plan and the code that was made of it, its proof, its counts and what was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// Full plan name: algorithm and layout.
    pub plan: String,
    /// Other plans (full names) that write the same kernel: this is their row too.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub also: Vec<String>,
    /// What the code is; `None` where none was made.
    pub code: Option<Code>,
    /// What the schedule of the machine code was searched for; `None` where it is the heuristic's. A plan has a row for
    /// each.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub searched: Option<Goal>,
    /// The schedule that was found, as text ([`Schedule`]): the program is made
    /// from it and checked again whenever it is used. Files and JSON name it `genes`.
    #[serde(rename = "genes", skip_serializing_if = "Option::is_none", default)]
    pub schedule: Option<String>,
    /// Code on vectors: how its groups of lanes are interleaved and repeated
    /// ([`Backend::shapes`](evariste_backend::Backend::shapes)).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shape: Option<String>,
    /// What identifies the kernel that a searched schedule belongs to, in hexadecimal
    /// ([`Kernel::fingerprint`](evariste_ir::Kernel::fingerprint)).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fingerprint: Option<String>,
    /// Measured beside a searched schedule, for its goal: cycles of the heuristic's schedule of the same plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub heuristic_cycles: Option<f64>,
    /// The operation's name.
    pub operation: String,
    /// The layout's name; only candidates of one layout have equal contracts.
    pub layout: String,
    /// Was it proved? Only proved kernels are compiled and measured.
    pub proved: bool,
    /// What is promised, in one line.
    pub contract: String,
    /// Why there is no measurement, when there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Word products of one operation (counted).
    pub multiplications: u64,
    /// Word additions and subtractions, with and without carry (counted).
    pub additions: u64,
    /// Copies, loads and stores (counted).
    pub moves: u64,
    /// Milliseconds to write and prove the kernel.
    pub proof_ms: f64,
    /// Lower bound in cycles from the machine table, per element; 0, in JSON `null`, where the table says nothing of it
    /// ([`Candidate::bound`]).
    #[serde(serialize_with = "known", deserialize_with = "known_or_none")]
    pub bound_cycles: f64,
    /// Measured: cycles from operand to result.
    pub latency_cycles: Option<f64>,
    /// Measured: the same in nanoseconds.
    pub latency_ns: Option<f64>,
    /// Measured: cycles per element, independent operations.
    pub throughput_cycles: Option<f64>,
    /// Measured: nanoseconds per element, independent operations.
    pub throughput_ns: Option<f64>,
    /// Measured: how far the rounds of the latency lie apart, half of what their middle half spans, in percent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub latency_spread: Option<f64>,
    /// Measured: the same of the throughput.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub throughput_spread: Option<f64>,
    /// `100 · bound / throughput`, both in cycles; `None` where code beats the bound by more than its spread, which is
    /// then none of that code (a compiler's vectors, loads within other instructions).
    pub percent_of_bound: Option<f64>,
    /// Bytes of machine code of the function.
    pub code_bytes: Option<u64>,
    /// Measured briefly only, since it was far behind the best of its layout, operation and code.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub brief: bool,
}

/// Cycles, or nothing for none.
fn known<S: serde::Serializer>(cycles: &f64, to: S) -> Result<S::Ok, S::Error> {
    Some(*cycles).filter(|cycles| *cycles != 0.0).serialize(to)
}

/// The reverse of [`known`].
fn known_or_none<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(0.0))
}

impl Candidate {
    /// The lower bound in cycles, where the machine's table has one.
    pub fn bound(&self) -> Option<f64> {
        Some(self.bound_cycles).filter(|cycles| *cycles > 0.0)
    }

    /// Is its code machine code whose schedules are searched?
    pub fn takes_schedules(&self) -> bool {
        self.code.is_some_and(|code| code.entry().kind == Kind::Scalar)
    }

    /// Measured nanoseconds: of each of many independent operations, or from operand to result.
    pub fn time(&self, goal: Goal) -> Option<f64> {
        match goal {
            Goal::Throughput => self.throughput_ns,
            Goal::Latency => self.latency_ns,
        }
    }

    /// The spread of that time, in percent; 0 where none was kept.
    pub fn spread(&self, goal: Goal) -> f64 {
        let spread = match goal {
            Goal::Throughput => self.throughput_spread,
            Goal::Latency => self.latency_spread,
        };
        spread.unwrap_or(0.0)
    }

    /// Are the times of both too near to tell which is less?
    pub fn indistinguishable(&self, other: &Candidate, goal: Goal) -> bool {
        let times = self.time(goal).zip(other.time(goal));
        times.is_some_and(|(a, b)| indistinguishable(a, self.spread(goal), b, other.spread(goal)))
    }

    /// Is it the row of that winner?
    pub fn is(&self, winner: &Winner) -> bool {
        self.plan == winner.plan
            && self.operation == winner.operation
            && self.code == Some(winner.code)
            && self.searched == winner.searched
    }

    /// Measured cycles: of each of many independent operations, or from operand to result.
    pub fn cycles(&self, goal: Goal) -> Option<f64> {
        match goal {
            Goal::Throughput => self.throughput_cycles,
            Goal::Latency => self.latency_cycles,
        }
    }
}

/// The best candidate of each operation of one layout, by three measures, and the layout's score on the mix.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LayoutRanking {
    /// The layout.
    pub layout: String,
    /// What its elements are, in one line.
    pub description: String,
    /// Nanoseconds of the mix by the throughput winners; `None` when an operation of the mix has no measured candidate.
    pub mix_ns: Option<f64>,
    /// Winners by throughput, an operation each.
    pub throughput: Vec<Winner>,
    /// Winners by latency.
    pub latency: Vec<Winner>,
    /// Winners by code size.
    pub size: Vec<Winner>,
}

/// The result of tuning a field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ranking {
    /// Format of this record.
    pub version: u32,
    /// The field's description, as it parses back.
    pub field: String,
    /// System, processor and compiler, with its flags.
    pub target: String,
    /// Whose costs the bounds are reckoned by; of older records: the widest core's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// [Which table](crate::cores::mark) that is: lanes are ordered by it again where the ranking is used.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub table: String,
    /// The operation mix on which layouts are compared.
    pub mix: String,
    /// All candidates: by layout, then by operation, fastest first.
    pub candidates: Vec<Candidate>,
    /// Layouts, the best on the mix first.
    pub layouts: Vec<LayoutRanking>,
    /// The winning plan of the mix's first operation in the best layout.
    pub winner: Option<String>,
    /// What its code is.
    pub winner_code: Option<Code>,
    /// Why the numbers should not be relied on: other programs, a clock that changed. None: the machine was quiet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub noise: Vec<String>,
    /// The day on which it was measured, in UTC: `2026-11-22`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// The program that measured it: `evariste 0.1.0`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub program: Option<String>,
    /// What was measured before somebody asked to stop. None: everything.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stopped: Option<Stopped>,
    /// The searches for schedules that were made.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub searches: Vec<Searched>,
    /// Where vectors were asked for, the plans that have no code on any, by the reason.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub without_vectors: Vec<WithoutVectors>,
}

/// Plans that vectors have no code of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WithoutVectors {
    /// How many.
    pub plans: usize,
    /// Why.
    pub why: String,
}

/// A search for a schedule, and how it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// The operation's name.
    pub operation: String,
    /// Full plan name.
    pub plan: String,
    /// What it looked for.
    pub goal: Goal,
    /// Seconds that it took.
    pub seconds: f64,
    /// Of these, seconds in which it waited for the machine to be quiet.
    pub waited: f64,
    /// Candidates that were timed.
    pub measured: u64,
    /// Candidates that were refused before: no code keeps their flags.
    pub infeasible: u64,
    /// Candidates that became the best so far.
    pub taken: u64,
    /// Did it find a schedule that was measured to be faster than the heuristic's? If not, the heuristic's stays.
    pub better: bool,
}

/// Version of [`Ranking`] that this program writes and reads.
pub const VERSION: u32 = 2;

impl Ranking {
    /// What the field is called (`Field::called`).
    pub fn called(&self) -> String {
        Field::parse(&self.field).map_or_else(|_| self.field.clone(), |field| field.called())
    }

    /// The field's name, with what it stands for: `p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)`.
    pub fn title(&self) -> String {
        Field::parse(&self.field).map_or_else(|_| self.field.clone(), |field| field.title())
    }

    /// The name of the core whose costs were in use, under which its schedules are kept; of older records: the
    /// processor's.
    pub fn core_name(&self) -> &str {
        // System; processor; …
        let processor = || self.target.split("; ").nth(1).unwrap_or_default();
        self.core.split(',').next().filter(|name| !name.is_empty()).unwrap_or_else(processor)
    }

    /// When and by what it was measured, as far as it says so: `2026-11-22, by evariste 0.1.0`.
    pub fn origin(&self) -> Option<String> {
        let program = self.program.iter().map(|program| format!("by {program}"));
        let parts: Vec<String> = self.date.iter().cloned().chain(program).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The row of a winner.
    pub fn candidate(&self, winner: &Winner) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.is(winner))
    }

    /// The fastest measured candidate for an operation in a layout, of one kind of code or of any.
    pub fn fastest(&self, layout: &str, operation: &str, code: Option<Code>, goal: Goal) -> Option<&Candidate> {
        let rows = self
            .candidates
            .iter()
            .filter(|c| c.layout == layout && c.operation == operation && (code.is_none() || c.code == code));
        rows.filter_map(|c| Some((c.time(goal)?, c))).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
    }

    /// The row of the schedule with which machine code of a plan was fastest, and the schedule; `None` where that is
    /// the heuristic's, or nothing is known.
    ///
    /// # Errors
    /// A text that is no schedule.
    pub fn schedule(
        &self,
        operation: &str,
        plan: &str,
        goal: Goal,
    ) -> Result<Option<(&Candidate, Schedule)>, NotASchedule> {
        let rows = self.candidates.iter().filter(|c| c.operation == operation && c.plan == plan && c.takes_schedules());
        let fastest = rows.filter_map(|c| Some((c.time(goal)?, c))).min_by(|a, b| a.0.total_cmp(&b.0));
        fastest.and_then(|(_, c)| Some((c, c.schedule.as_ref()?))).map(|(c, text)| Ok((c, text.parse()?))).transpose()
    }

    /// The layouts, best first, for one kind of code, with what packages have [apart](crate::choose::Chosen::apart) beside it, or for any, by the mix (operation, weight): what is best as
    /// machine code need not be what is best as C. Layouts in which the mix was not measured as such code come last, in
    /// the order of the ranking.
    pub fn layouts_for(&self, mix: &[(String, u32)], code: Option<Code>) -> Vec<&LayoutRanking> {
        let score = |l: &LayoutRanking| -> Option<f64> {
            let of_code = |op: &str, code| self.fastest(&l.layout, op, code, Goal::Throughput)?.throughput_ns;
            let time = |(op, n): &(String, u32)| {
                let apart = code.and_then(Code::apart).and_then(|apart| of_code(op, Some(apart)));
                Some(f64::from(*n) * of_code(op, code).into_iter().chain(apart).reduce(f64::min)?)
            };
            mix.iter().filter(|(_, n)| *n > 0).map(time).sum()
        };
        let mut scored: Vec<(f64, &LayoutRanking)> =
            self.layouts.iter().map(|l| (score(l).unwrap_or(f64::INFINITY), l)).collect();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0));
        scored.into_iter().map(|(_, l)| l).collect()
    }

    /// The best layout on the mix.
    pub fn best_layout(&self) -> Option<&LayoutRanking> {
        self.layouts.first()
    }
}

/// Sorts candidates, picks the winners of each layout and orders the layouts by the mix; `mix` lists (operation,
/// weight), the first one names the winner. Layouts in which the mix was not measured whole come after the others, by
/// their time of that operation. Rows that cannot be told apart are in the order of their throughput: of those that may
/// be the best, the first one is crowned.
pub fn rank(ranking: &mut Ranking, order: &[(String, String)], mix: &[(String, u32)]) {
    let place = |layout: &str| order.iter().position(|(name, _)| name == layout).unwrap_or(usize::MAX);
    let kind = |operation: &str| mix.iter().position(|(name, _)| name == operation).unwrap_or(usize::MAX);
    let time = |c: &Candidate| c.throughput_ns.unwrap_or(f64::INFINITY);
    ranking.candidates.sort_by(|a, b| {
        (place(&a.layout), kind(&a.operation))
            .cmp(&(place(&b.layout), kind(&b.operation)))
            .then(time(a).total_cmp(&time(b)))
            .then(a.plan.cmp(&b.plan))
            .then(a.code.cmp(&b.code))
            .then(a.searched.cmp(&b.searched))
    });
    type Same<'a> = &'a dyn Fn(&Candidate, &Candidate) -> bool;
    let best = |layout: &str, operation: &str, measure: &dyn Fn(&Candidate) -> Option<f64>, same: Same| {
        let rows = || {
            let rows = ranking.candidates.iter().filter(|c| c.layout == layout && c.operation == operation);
            rows.filter_map(|c| Some((measure(c)?, c)))
        };
        let (_, least) = rows().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (value, c) = rows().find(|(_, c)| same(c, least))?;
        Some((
            value,
            Winner { operation: c.operation.clone(), plan: c.plan.clone(), code: c.code?, searched: c.searched },
        ))
    };
    let by = |goal: Goal| move |a: &Candidate, b: &Candidate| a.indistinguishable(b, goal);
    let leading = mix.first().map(|(op, _)| op.as_str()).unwrap_or("mul");
    let mut layouts = Vec::new();
    for (layout, description) in order {
        let winners = |measure: &dyn Fn(&Candidate) -> Option<f64>, same: Same| -> Vec<Winner> {
            mix.iter().filter_map(|(op, _)| Some(best(layout, op, measure, same)?.1)).collect()
        };
        let mix_ns = mix
            .iter()
            .filter(|(_, n)| *n > 0)
            .map(|(op, n)| Some(*n as f64 * best(layout, op, &|c| c.throughput_ns, &by(Goal::Throughput))?.0))
            .sum();
        layouts.push(LayoutRanking {
            layout: layout.clone(),
            description: description.clone(),
            mix_ns,
            throughput: winners(&|c| c.throughput_ns, &by(Goal::Throughput)),
            latency: winners(&|c| c.latency_ns, &by(Goal::Latency)),
            size: winners(&|c| c.code_bytes.map(|b| b as f64), &|a, b| a.code_bytes == b.code_bytes),
        });
    }
    layouts.retain(|l| !l.throughput.is_empty());
    let alone = |l: &LayoutRanking| {
        let time = best(&l.layout, leading, &|c| c.throughput_ns, &by(Goal::Throughput));
        time.map_or(f64::INFINITY, |(ns, _)| ns)
    };
    layouts.sort_by(|a, b| {
        let whole = a.mix_ns.unwrap_or(f64::INFINITY).total_cmp(&b.mix_ns.unwrap_or(f64::INFINITY));
        whole.then(alone(a).total_cmp(&alone(b)))
    });
    let winner = layouts.first().and_then(|l| l.throughput.iter().find(|w| w.operation == leading));
    (ranking.winner, ranking.winner_code) = (winner.map(|w| w.plan.clone()), winner.map(|w| w.code));
    ranking.layouts = layouts;
}
