//! Which layout and which plans to use: the remembered winners, or, when nothing is remembered, the least estimate.

use std::sync::Arc;

use evariste_algorithms::field_set::is_canonical;
use evariste_algorithms::integer::UNROLLED_BITS;
use evariste_algorithms::recipe::{Need, Pick};
use evariste_algorithms::registry::structure;
use evariste_algorithms::{Layout, Operation, Plan, plans, plans_vartime};
use evariste_backend::{Entry, Packaged, packaged, packaged_of};
use evariste_descriptions::{Field, OddModuli};
use evariste_ir::{Kernel, Machine};
use evariste_proof::{Callees, Outcome, Proved, prove_with};

use crate::arrays::Lanes;
use crate::cache;
use crate::candidates::{apart_layouts, field_layouts, judge_with, layouts_on, verdict};
use crate::error::TuneError;
use crate::estimate::{Runs, by_estimate, least_estimate};
use crate::given::{Given, Wanted};
use crate::mix::mix;
use crate::ranking::{Code, Goal, Ranking};
use crate::schedules::FoundSchedule;

/// A layout to work in, and how it was chosen.
#[derive(Clone)]
pub struct Chosen {
    /// The field.
    pub field: Field,
    /// The layout.
    pub layout: Layout,
    /// The remembered ranking that named it.
    pub ranking: Option<Ranking>,
    /// Plans that were named by hand, by operation.
    pub pinned: Vec<(Operation, Plan)>,
    /// What was named by hand of the code that packages have [apart](Chosen::beside), by operation; `None`: no such code.
    pub pinned_apart: Vec<(Operation, Option<Plan>)>,
    /// Only winners of this kind of code count; `None`: of any.
    pub code: Option<Code>,
    /// What runs the code has these operations only: estimates are of kernels rewritten for it, and plans that won as
    /// other code do not count.
    pub machine: Option<Machine>,
    /// Which time decides among plans and schedules.
    pub goal: Goal,
    /// Where the schedules of machine code come from.
    pub schedules: Source,
    /// How a plan is chosen where none is remembered.
    pub otherwise: Otherwise,
    /// Which products in lanes functions on arrays have.
    pub lanes: Lanes,
    /// What `tune --lanes` remembers of the field on this machine.
    pub lane_ranking: Option<Ranking>,
    /// What was proved of the operations of this layout: a plan that calls one of them, or a callee of theirs, has not
    /// to prove it again.
    pub known: Arc<Callees>,
}

/// How a plan is chosen where none is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// By the estimate of its time: all plans are written.
    Estimate,
    /// The first that is proved, in the registry's order, so that none is written in vain: what is simple stands first, of
    /// multiples of points what is fast.
    First,
}

/// What is asked of a layout that is not named.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wish {
    /// The best remembered layout is that of this kind of code; `None`: of any.
    pub code: Option<Code>,
    /// Only layouts whose elements are canonical; asked in vain where there are halved ones, whose digits have room above.
    pub canonical: bool,
    /// Only layouts of words of at most so many bits, those that are named too.
    pub word: Option<u32>,
    /// Only layouts that hold one element, where there are any: what is bit-sliced holds many.
    pub single: bool,
    /// What runs the code has these operations only ([`Chosen::machine`]): whatever was measured, the layout is that of the
    /// least estimate, and those that multiply by halves are among them.
    pub machine: Option<Machine>,
}

/// How a plan was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was named.
    Named,
    /// It was measured to be the fastest.
    Measured,
    /// Nothing is remembered: of those that are proved it has the least estimate, which is for machine code of one
    /// element what the model of a core says, where carries are written out what its operations cost, else the machine
    /// table's bound or a quarter of its operations, whichever is more.
    Estimated,
    /// Nothing is remembered: the first of the registry that is proved.
    First,
    /// It calls the kernels of other operations, those chosen here.
    Made,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Named => "named",
            Reason::Measured => "remembered winner",
            Reason::Estimated => "least estimate; not measured here",
            Reason::First => "first plan; not measured here",
            Reason::Made => "made of the operations chosen here",
        })
    }
}

/// Where the schedules of machine code come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// Those that won in the ranking; without one, the heuristic's.
    Ranking,
    /// The heuristic's.
    Heuristic,
    /// Those of a file that count, each for its kernel; the heuristic's for all others.
    Given(Given),
}

impl Chosen {
    pub(crate) fn new(field: &Field, layout: Layout, ranking: Option<Ranking>) -> Chosen {
        Chosen {
            field: field.clone(),
            layout,
            ranking,
            pinned: Vec::new(),
            pinned_apart: Vec::new(),
            code: None,
            machine: None,
            goal: Goal::Throughput,
            schedules: Source::Ranking,
            otherwise: Otherwise::Estimate,
            lanes: Lanes::Best,
            lane_ranking: None,
            known: Arc::default(),
        }
    }
}

/// A layout and its first plans for one operation, whatever their time: for a few results, at once. What is remembered
/// is used where it has the operation.
///
/// # Errors
/// A layout that does not exist; an operation that no layout has.
pub fn choose_first(
    field: &Field,
    words: &[u32],
    wanted: Option<&str>,
    ranking: Option<Ranking>,
    operation: &Operation,
) -> Result<Chosen, TuneError> {
    let has = |layout: &Layout| !plans(field, layout, operation).is_empty();
    if wanted.is_some() || ranking.is_some() {
        let chosen = choose(field, words, wanted, ranking)?;
        if wanted.is_some() || has(&chosen.layout) {
            return Ok(Chosen { otherwise: Otherwise::First, ..chosen });
        }
    }
    let layouts = field_layouts(field, words);
    let first = layouts.iter().find(|l| has(l));
    // Elements as they are, before those in Montgomery form in words of the same size.
    let plain = first
        .filter(|l| l.montgomery.is_some())
        .and_then(|first| layouts.iter().find(|l| l.word == first.word && l.montgomery.is_none() && has(l)));
    match plain.or(first) {
        Some(layout) => Ok(Chosen { otherwise: Otherwise::First, ..Chosen::new(field, layout.clone(), None) }),
        None => {
            Err(TuneError::NoCandidate { field: field.called(), operation: operation.name(), detail: longer(field) })
        }
    }
}

/// Chooses a layout: `wanted` by name, else the best remembered one, else the one with the least estimate on the field's
/// mix. `words` are the word sizes considered.
///
/// # Errors
/// [`TuneError::Operand`]: the field has no layout of the name that is wanted, or none at all.
pub fn choose(
    field: &Field,
    words: &[u32],
    wanted: Option<&str>,
    ranking: Option<Ranking>,
) -> Result<Chosen, TuneError> {
    choose_for(field, words, wanted, ranking, Wish::default())
}

/// As [`choose`], where a layout that is not named has to be what is wished.
///
/// # Errors
/// As [`choose`], of the layouts that are wished for.
pub fn choose_for(
    field: &Field,
    words: &[u32],
    wanted: Option<&str>,
    ranking: Option<Ranking>,
    wish: Wish,
) -> Result<Chosen, TuneError> {
    let all = layouts_on(field, words, wish.machine);
    let canonical = wish.canonical && all.len() == field_layouts(field, words).len();
    let apart = apart_layouts(field, words, wish.code);
    let layouts: Vec<Layout> = all
        .into_iter()
        .chain(apart.iter().cloned())
        .filter(|l| wish.word.is_none_or(|word| l.word <= word))
        .filter(|l| wanted.is_some() || !canonical || is_canonical(field, l))
        .collect();
    // Bit-sliced layouts hold many elements: their estimate is never the least where words hold one.
    let whole = layouts.iter().any(|l| l.word > 1);
    let named = |name: &str| layouts.iter().find(|l| l.name == name).cloned();
    if let Some(name) = wanted {
        let all: Vec<&str> = layouts.iter().map(|l| l.name.as_str()).collect();
        let layout = named(name).ok_or_else(|| {
            let narrow = wish.word.map_or_else(String::new, |word| format!(" in words of at most {word} bits"));
            let help = if all.is_empty() { "none".into() } else { all.join(", ") };
            TuneError::Operand(format!("no layout `{name}` for {}{narrow}\nhelp: it has {help}", field.called()))
        })?;
        return Ok(Chosen { machine: wish.machine, ..Chosen::new(field, layout, ranking) });
    }
    let weights: Vec<(String, u32)> = mix(field).iter().map(|(op, n)| (op.name(), *n)).collect();
    if let Some(layout) = ranking.as_ref().filter(|_| wish.machine.is_none()).and_then(|r| {
        let all = r.layouts_for(&weights, wish.code).into_iter().filter_map(|l| named(&l.layout));
        all.into_iter().find(|layout| layout.word > 1 || !wish.single || !whole)
    }) {
        return Ok(Chosen::new(field, layout, ranking));
    }
    let mut best: Option<(f64, Layout)> = None;
    // (What is for code apart is no layout for most processors: it is measured, or named.)
    let usual = layouts.into_iter().filter(|l| apart.iter().all(|other| other.name != l.name));
    for layout in usual.filter(|l| l.word > 1 || !whole) {
        let bounds = mix(field)
            .into_iter()
            .filter(|(_, n)| *n > 0)
            .map(|(op, n)| Some(n as f64 * least_estimate(field, &layout, &op, (wish.code, wish.machine))?.0));
        if let Some(total) = bounds.sum::<Option<f64>>()
            && best.as_ref().is_none_or(|(b, _)| total < *b)
        {
            best = Some((total, layout));
        }
    }
    match best {
        Some((_, layout)) => Ok(Chosen { machine: wish.machine, ..Chosen::new(field, layout, None) }),
        None => Err(TuneError::NoCandidate {
            field: field.called(),
            operation: mix(field)[0].0.name(),
            detail: longer(field),
        }),
    }
}

/// What would work where moduli supplied at run time are too long.
fn longer(field: &Field) -> String {
    if field.get::<OddModuli>().is_none_or(|_| field.bits() as usize <= UNROLLED_BITS) {
        return String::new();
    }
    format!(
        ": kernels for moduli supplied at run time are written out, for up to {UNROLLED_BITS} bits\nhelp: name the modulus; one that is known is multiplied by in loops, up to 4096 bits"
    )
}

impl Chosen {
    /// The plan for an operation: the one named by hand, the remembered winner, else the least estimate.
    pub fn plan(&self, operation: &Operation) -> Option<Plan> {
        let least = || least_estimate(&self.field, &self.layout, operation, self.runs());
        self.remembered(operation).or_else(|| Some(least()?.1))
    }

    pub(crate) fn runs(&self) -> Runs {
        (self.code, self.machine)
    }

    /// How the plan of an operation is chosen.
    pub fn reason(&self, operation: &Operation) -> Reason {
        let calls = |p: &Plan| !p.needs().is_empty();
        if self.pinned.iter().any(|(op, _)| op == operation) {
            return Reason::Named;
        }
        match self.remembered(operation) {
            Some(plan) if calls(&plan) && plan.needs().iter().all(|n| matches!(n.pick, Pick::First)) => Reason::Made,
            Some(_) => Reason::Measured,
            None if plans(&self.field, &self.layout, operation).iter().all(calls) => Reason::Made,
            None if self.otherwise == Otherwise::First => Reason::First,
            None => Reason::Estimated,
        }
    }

    /// Uses the plan of that name (see [`Chosen::plan_named`]) for an operation, whatever is remembered.
    ///
    /// # Errors
    /// As [`Chosen::plan_named`].
    pub fn pin(&mut self, operation: &Operation, algorithm: &str) -> Result<(), TuneError> {
        let plan = self.plan_named(operation, algorithm)?;
        self.pinned.retain(|(op, _)| op != operation);
        self.pinned.push((operation.clone(), plan));
        Ok(())
    }

    /// The plan named by hand, else the remembered winner.
    fn remembered(&self, operation: &Operation) -> Option<Plan> {
        if let Some((_, plan)) = self.pinned.iter().find(|(op, _)| op == operation) {
            return Some(plan.clone());
        }
        let ranking = self.ranking.as_ref().filter(|_| self.machine.is_none())?;
        let fastest = |code| ranking.fastest(&self.layout.name, &operation.name(), code, self.goal);
        // Of a layout for code apart nothing else is known.
        let row = fastest(self.code).or_else(|| fastest(Some(self.code?.apart()?)))?;
        plans(&self.field, &self.layout, operation).into_iter().find(|p| p.name() == row.plan)
    }

    /// The plan of that algorithm (`montgomery-fips`, or its full name with the layout).
    ///
    /// # Errors
    /// [`TuneError::NoCandidate`]: the layout has no such plan. It lists those that there are.
    pub fn plan_named(&self, operation: &Operation, algorithm: &str) -> Result<Plan, TuneError> {
        let all = plans(&self.field, &self.layout, operation);
        let names: Vec<String> = all.iter().map(|p| p.algorithm.clone()).collect();
        let asked = all
            .into_iter()
            .chain(plans_vartime(&self.field, &self.layout, operation))
            .find(|p| p.algorithm == algorithm || p.name() == algorithm);
        asked.ok_or_else(|| TuneError::NoCandidate {
            field: self.field.called(),
            operation: operation.name(),
            detail: format!(
                ": no plan `{algorithm}` in layout {}\nhelp: it has {}",
                self.layout.name,
                if names.is_empty() { "none".into() } else { names.join(", ") }
            ),
        })
    }

    /// The back end whose machine code a package has.
    pub fn packaged(&self) -> (&'static Entry, &'static Packaged) {
        packaged_of(self.code)
    }

    /// The schedule to write machine code of a plan (full name) and its kernel with: the given one, or the one that won
    /// in the ranking; `None`: the heuristic's.
    ///
    /// # Errors
    /// A remembered text that is no schedule.
    pub fn schedule(
        &self,
        operation: &Operation,
        plan: &str,
        kernel: &Kernel,
    ) -> Result<Option<FoundSchedule>, TuneError> {
        let (field, operation) = (self.field.name(), operation.name());
        let ranking = match (&self.schedules, &self.ranking) {
            (Source::Given(_), _) => return Ok(self.given(&operation, plan, kernel).and_then(Result::ok)),
            // What was measured is code of this machine.
            (Source::Ranking, Some(ranking)) if self.packaged().0.name == packaged().0.name => ranking,
            _ => return Ok(None),
        };
        let found = ranking.schedule(&operation, plan, self.goal).map_err(|why| {
            TuneError::MachineCode(format!("the remembered schedule of {plan}: {why}\nhelp: tune again"))
        })?;
        Ok(found.map(|(row, schedule)| {
            let goal = row.searched.unwrap_or(self.goal);
            FoundSchedule {
                field,
                operation,
                plan: plan.to_string(),
                goal,
                // What packages are made for.
                sets: self.packaged().1.sets.to_string(),
                fingerprint: kernel.fingerprint(),
                cycles: row.cycles(goal).unwrap_or_default(),
                heuristic_cycles: row.heuristic_cycles.unwrap_or_default(),
                core: ranking.core_name().to_string(),
                schedule,
            }
        }))
    }

    /// The schedule of a kernel in the file that was given, or of which cores and goals the lines are that do not count.
    pub(crate) fn given(
        &self,
        operation: &str,
        plan: &str,
        kernel: &Kernel,
    ) -> Option<Result<FoundSchedule, Vec<String>>> {
        let Source::Given(given) = &self.schedules else { return None };
        let (field, sets) = (&self.field.name(), self.packaged().1.sets);
        Some(given.pick(&Wanted { field, operation, plan, kernel, sets, goal: self.goal }))
    }

    /// The proved kernel of a plan, made of the kernels that are chosen for the operations that it calls; `None` where
    /// one of them does not allow its output at the place of an operand.
    fn of_chosen_parts<T>(&self, plan: &Plan, accept: Accept<T>) -> Result<Option<Proved>, TuneError> {
        let part = |need: &Need| Ok(Arc::new(self.called(need, accept)?.statement().clone()));
        let parts: Vec<Arc<Kernel>> = plan.needs().iter().map(part).collect::<Result<_, TuneError>>()?;
        if parts.iter().any(|kernel| !kernel.disjoint.is_empty()) {
            return Ok(None);
        }
        let kernel = plan.write_with(&parts).map_err(|why| TuneError::Unproved(why.to_string()))?;
        match prove_with(&kernel, &self.known) {
            Outcome::Proved(proved) => Ok(Some(proved)),
            other => Err(TuneError::Unproved(format!("{} is not proved: {}", plan.operation.name(), verdict(&other)))),
        }
    }

    /// The proved kernel that is chosen for what a plan calls.
    pub(crate) fn called<T>(&self, need: &Need, accept: Accept<T>) -> Result<Proved, TuneError> {
        Ok(self.below(need).as_ref().unwrap_or(self).accepted_plan(&need.operation, accept)?.proved)
    }

    /// The same layout of the structure whose operation is needed, with what is remembered there; `None` where it is this
    /// one.
    pub(crate) fn below(&self, need: &Need) -> Option<Chosen> {
        let below = structure(&self.field, need);
        if below == self.field {
            return None;
        }
        let ranking = cache::recall(&below.text()).ok().flatten();
        let own = Chosen::new(&below, self.layout.clone(), ranking);
        Some(Chosen { code: self.code, machine: self.machine, goal: self.goal, otherwise: self.otherwise, ..own })
    }

    /// The proved kernel of an operation by the chosen plan.
    ///
    /// # Errors
    /// As [`Chosen::proved_plan`].
    pub fn proved(&self, operation: &Operation) -> Result<Proved, TuneError> {
        Ok(self.proved_plan(operation)?.1)
    }

    /// The name of the chosen plan and its proved kernel. Where nothing is remembered, the first plan by estimate that is
    /// proved. What calls other operations calls the kernels chosen for these, unless it was remembered with parts of
    /// its own preference.
    ///
    /// # Errors
    /// [`TuneError::Unproved`] of the plan that was named or remembered, or of the first one tried where none is proved;
    /// [`TuneError::NoCandidate`] where there is none.
    pub fn proved_plan(&self, operation: &Operation) -> Result<(String, Proved), TuneError> {
        let found = self.accepted_plan(operation, &|_| Ok(()))?;
        Ok((found.plan, found.proved))
    }

    /// As [`Chosen::proved_plan`], the first plan that `accept` takes too, and what it made of it; with what was passed
    /// over. A plan that was named by hand is taken or refused, and no other is tried.
    ///
    /// # Errors
    /// As [`Chosen::proved_plan`]; what `accept` said of the first plan that it refused, where it takes none.
    pub fn accepted_plan<T>(&self, operation: &Operation, accept: Accept<T>) -> Result<Accepted<T>, TuneError> {
        let mut passed_over: Option<PassedOver> = None;
        let mut failure: Option<TuneError> = None;
        let mut take = |plan: &Plan, proved: Proved| match accept(&proved) {
            Ok(made) => Ok(Accepted { plan: plan.name(), proved, made, instead_of: passed_over.take() }),
            Err(why) => {
                passed_over.get_or_insert_with(|| PassedOver { plan: plan.name(), proved, why: why.to_string() });
                Err(why)
            }
        };
        let calls = |p: &Plan| !p.needs().is_empty();
        let remembered = self.remembered(operation);
        let composite = match &remembered {
            Some(plan) => Some(plan.clone()).filter(|p| p.needs().iter().all(|n| matches!(n.pick, Pick::First))),
            None => Some(plans(&self.field, &self.layout, operation))
                .filter(|all| all.iter().all(calls))
                .and_then(|all| all.into_iter().next()),
        };
        if let Some(plan) = composite.filter(calls)
            && let Some(proved) = self.of_chosen_parts(&plan, accept)?
        {
            match take(&plan, proved) {
                Err(why) => failure = Some(why),
                taken => return taken,
            }
        }
        if let Some(plan) = remembered {
            match take(&plan, prove_plan_with(&plan, &self.known)?) {
                Err(why) if self.pinned.iter().all(|(op, _)| op != operation) => failure = failure.or(Some(why)),
                taken => return taken,
            }
        }
        let in_order: Vec<Plan> = match self.otherwise {
            Otherwise::Estimate => by_estimate(&self.field, &self.layout, operation, self.runs())
                .into_iter()
                .map(|(_, plan)| plan)
                .collect(),
            Otherwise::First => plans(&self.field, &self.layout, operation),
        };
        for plan in in_order {
            match prove_plan_with(&plan, &self.known).and_then(|proved| take(&plan, proved)) {
                Err(error) => failure = failure.or(Some(error)),
                taken => return taken,
            }
        }
        Err(failure.unwrap_or_else(|| TuneError::NoCandidate {
            field: self.field.called(),
            operation: operation.name(),
            detail: format!(" in layout {}", self.layout.name),
        }))
    }
}

/// What decides whether a proved kernel can be used, and makes something of it.
pub type Accept<'a, T> = &'a dyn Fn(&Proved) -> Result<T, TuneError>;

/// A plan that was proved and accepted.
pub struct Accepted<T> {
    /// Its full name.
    pub plan: String,
    /// Its kernel.
    pub proved: Proved,
    /// What was made of it.
    pub made: T,
    /// The first that was proved and not accepted.
    pub instead_of: Option<PassedOver>,
}

/// A proved plan that could not be used.
pub struct PassedOver {
    /// Its full name.
    pub plan: String,
    /// Its kernel.
    pub proved: Proved,
    /// Why not.
    pub why: String,
}

/// Writes and proves a plan; anything but a proof is an error.
///
/// # Errors
/// [`TuneError::NoCandidate`]: the plan does not apply. [`TuneError::Unproved`]: it is refuted, or not decided.
pub fn prove_plan(plan: &Plan) -> Result<Proved, TuneError> {
    prove_plan_with(plan, &Callees::default())
}

/// As [`prove_plan`]; what is known is not proved again.
pub(crate) fn prove_plan_with(plan: &Plan, known: &Callees) -> Result<Proved, TuneError> {
    let operation = plan.operation.name();
    let judged = judge_with(plan, known).ok_or_else(|| TuneError::NoCandidate {
        field: plan.field.called(),
        operation: operation.clone(),
        detail: format!(" by {}", plan.name()),
    })?;
    judged.outcome.map_err(|why| {
        TuneError::Unproved(format!("{operation} by {} is not proved, so it cannot be used: {why}", plan.name()))
    })
}

/// The kernel of a plan as written, before any proof (to look at).
///
/// # Errors
/// [`TuneError::NoCandidate`]: the plan does not apply; with the reason.
pub fn write_plan(plan: &Plan) -> Result<Kernel, TuneError> {
    plan.write().map_err(|why| TuneError::NoCandidate {
        field: plan.field.called(),
        operation: plan.operation.name(),
        detail: format!(" by {}: {why}", plan.name()),
    })
}
