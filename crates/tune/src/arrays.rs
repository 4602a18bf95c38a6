//! The products in lanes that functions on arrays call in emitted C: for each kind of vectors that C has names for, a
//! plan where that is faster than products one by one.
//!
//! Elements of a package rest in words: products of words ([`Operation::MUL_WORDS`],
//! [`Operation::MUL_MONTGOMERY_WORDS`]) cut them into digits of a layout for lanes and put the result together again, in
//! one proved kernel. Elements of one word have their own product too, as any lane computes it.
//!
//! What `tune --lanes` remembers of a layout's product scales the estimate of all plans of that layout. Without it, a
//! level is taken where the estimates say so on every core of the tables that ship, but for those on which a wider one
//! runs. Squares go the same way where that is faster than squares one by one, by estimates alone: the command of a package
//! says nothing of it, and gives the same package everywhere.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan, plans};
use evariste_backend::{Backend, Entry, Kind, machine_bound, named, packaged};
use evariste_cores::{Core, reference, shipped};
use evariste_emit::{has_lanes, lane_levels};
use evariste_ir::Kernel;
use evariste_ir::range::pow2;
use evariste_proof::{Outcome, Proved, prove};

use crate::candidates::verdict;
use crate::choose::Chosen;
use crate::error::TuneError;
use crate::ranking::Goal;

/// Which products in lanes a package has.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Lanes {
    /// Those that are faster than products one by one.
    #[default]
    Best,
    /// Those of these levels, each by that plan or by the best one.
    Given(Vec<(String, Option<String>)>),
}

/// A product in lanes.
#[derive(Clone, Debug)]
pub struct LaneProduct {
    /// The vectors, by their name of back ends and of languages.
    pub level: &'static str,
    /// The plan's name.
    pub plan: String,
    /// Its kernel.
    pub proved: Proved,
    /// Is it the way to squares too?
    pub squares: bool,
}

/// Bits of a lane in emitted C.
const LANE: u32 = 64;

/// What compilers make of the bound of a kernel in lanes, and cycles to bring a word of an element into a lane or back.
const COMPILED: f64 = 1.5;
const MOVE: f64 = 0.5;

/// What they make of our own order of a product of one element, and cycles of a call.
const COMPILED_ONE: f64 = 1.25;
const CALL: f64 = 3.0;

/// The products in lanes of a package whose product is `one`, and whose square is the other where it has one.
///
/// # Errors
/// [`TuneError::Operand`]: a level or a plan that is not there was given, or one without a proved kernel or without a form
/// in C.
pub fn products(chosen: &Chosen, one: &Proved, square: Option<&Proved>) -> Result<Vec<LaneProduct>, TuneError> {
    let mut all = match &chosen.lanes {
        Lanes::Best => best(chosen, one),
        Lanes::Given(given) => named_levels(chosen, one, given)?,
    };
    if let Some(square) = square {
        for product in &mut all {
            product.squares = Level::new(chosen, square, product.level)
                .is_some_and(|level| level.is_estimated_faster(product.proved.kernel(), &[]));
        }
    }
    Ok(all)
}

/// Those that are faster than products one by one, the least level first.
fn best(chosen: &Chosen, one: &Proved) -> Vec<LaneProduct> {
    let mut levels: Vec<Level> = lane_levels().filter_map(|level| Level::new(chosen, one, level)).collect();
    let mut found: Vec<LaneProduct> = Vec::new();
    let mut wider: Vec<Arc<dyn Backend>> = Vec::new();
    while let Some(level) = levels.pop() {
        if let Some(product) = level.best(Some(&wider)) {
            found.insert(0, product);
            wider.push(level.model.clone());
        }
    }
    found
}

/// Those of the levels that were given, by that plan or the best.
fn named_levels(
    chosen: &Chosen,
    one: &Proved,
    given: &[(String, Option<String>)],
) -> Result<Vec<LaneProduct>, TuneError> {
    let known: Vec<&str> = lane_levels().collect();
    if let Some((other, _)) = given.iter().find(|(level, _)| !known.contains(&level.as_str())) {
        let help = format!("C has {}", known.join(" and "));
        return Err(TuneError::Operand(format!("no vectors `{other}` for arrays\nhelp: {help}")));
    }
    let asked =
        known.into_iter().filter_map(|level| given.iter().find(|(name, _)| name == level).map(|(_, p)| (level, p)));
    let found = asked.map(|(level, plan)| {
        let no = |why: String| TuneError::Operand(format!("no products of arrays on {level}: {why}"));
        let at = Level::new(chosen, one, level).ok_or_else(|| no("nothing is known of them".into()))?;
        match plan {
            None => at.best(None).ok_or_else(|| no("no plan has a form there".into())),
            Some(name) => at.named(name).map_err(no),
        }
    });
    found.collect()
}

/// The vectors of a level, and what is to be computed in their lanes.
struct Level<'a> {
    chosen: &'a Chosen,
    one: &'a Proved,
    name: &'static str,
    entry: &'static Entry,
    model: Arc<dyn Backend>,
    lanes: f64,
}

impl<'a> Level<'a> {
    fn new(chosen: &'a Chosen, one: &'a Proved, name: &'static str) -> Option<Level<'a>> {
        let entry = named(name)?;
        let Kind::Lanes { bits } = entry.kind else { return None };
        let model = (entry.machine?.model)();
        Some(Level { chosen, one, name, entry, model, lanes: f64::from(bits / LANE) })
    }

    /// Plans of kernels that take and give what the product of the package does.
    fn plans(&self) -> Vec<Plan> {
        let (field, own) = (&self.chosen.field, &self.chosen.layout);
        let mut all = Vec::new();
        if own.digits() == 1 {
            all.extend(plans(field, own, &Operation::MUL));
        }
        if own.word == LANE && own.saturated() {
            let form = if own.factor() == pow2(0) { Operation::MUL_WORDS } else { Operation::MUL_MONTGOMERY_WORDS };
            let layouts = self.model.layouts(field).into_iter().filter(|layout| self.model.takes(field, layout, false));
            all.extend(layouts.flat_map(|layout| plans(field, &layout, &form)));
        }
        all
    }

    /// The first plan, by measurements and estimates, that is proved and has a form; beside wider vectors that a package
    /// has: only where it is faster than products one by one.
    fn best(&self, wider: Option<&[Arc<dyn Backend>]>) -> Option<LaneProduct> {
        let timed = |plan: Plan| {
            let kernel = self.written(&plan)?;
            Some((self.measured(&plan, &kernel), self.cycles(&*self.model, &kernel)?, plan, kernel))
        };
        let mut all: Vec<_> = self.plans().into_iter().filter_map(timed).collect();
        // What was measured comes first.
        let key = |time: &Option<f64>| time.unwrap_or(f64::INFINITY);
        all.sort_by(|a, b| key(&a.0).total_cmp(&key(&b.0)).then(a.1.total_cmp(&b.1)));
        let made = all.into_iter().find_map(|(time, _, plan, kernel)| Some((time, self.made(&plan, &kernel).ok()?)));
        let (time, product) = made?;
        wider.is_none_or(|wider| self.is_faster(time, product.proved.kernel(), wider)).then_some(product)
    }

    fn named(&self, name: &str) -> Result<LaneProduct, String> {
        let all = self.plans();
        let Some(plan) = all.iter().find(|plan| plan.name() == name) else {
            let has_form = |plan: &&Plan| plan.write().is_ok_and(|kernel| self.made(plan, &kernel).is_ok());
            let names: Vec<String> = all.iter().filter(has_form).map(Plan::name).collect();
            return Err(format!("no plan `{name}`\nhelp: there are {}", names.join(", ")));
        };
        self.made(plan, &plan.write().map_err(|e| e.to_string())?)
    }

    /// The kernel of a plan; of elements of 32 bits as the proof knows it, without which they have no estimate.
    fn written(&self, plan: &Plan) -> Option<Kernel> {
        let kernel = plan.write().ok()?;
        if kernel.word == LANE { Some(kernel) } else { Some(prove(&kernel).proved()?.kernel().clone()) }
    }

    fn made(&self, plan: &Plan, kernel: &Kernel) -> Result<LaneProduct, String> {
        let proved = match prove(kernel) {
            Outcome::Proved(proved) => proved,
            other => return Err(format!("{} is not proved: {}", plan.name(), verdict(&other))),
        };
        has_lanes(self.name, &proved, self.one).map_err(|e| e.to_string())?;
        Ok(LaneProduct { level: self.name, plan: plan.name(), proved, squares: false })
    }

    /// The least cycles of an element; `None`: it has no form there.
    fn cycles(&self, model: &dyn Backend, kernel: &Kernel) -> Option<f64> {
        let cycles = model.estimate(kernel).ok()?.cycles / self.lanes;
        (cycles > 0.0).then_some(cycles)
    }

    /// Nanoseconds of an element by what is remembered of the product of its layout on these vectors.
    fn measured(&self, plan: &Plan, kernel: &Kernel) -> Option<f64> {
        let (ranking, field) = (self.chosen.lane_ranking.as_ref()?, &self.chosen.field);
        let row =
            ranking.fastest(&plan.layout.name, &Operation::MUL.name(), Some(self.entry.into()), Goal::Throughput)?;
        let product = plans(field, &plan.layout, &Operation::MUL).into_iter().find(|p| p.name() == row.plan)?;
        let product = self.written(&product)?;
        Some(row.throughput_ns? * self.cycles(&*self.model, kernel)? / self.cycles(&*self.model, &product)?)
    }

    /// Is it faster than products one by one? By what was measured of both, else by estimates.
    fn is_faster(&self, measured: Option<f64>, kernel: &Kernel, wider: &[Arc<dyn Backend>]) -> bool {
        let Chosen { ranking, layout, code, .. } = self.chosen;
        let row =
            ranking.as_ref().and_then(|r| r.fastest(&layout.name, &Operation::MUL.name(), *code, Goal::Throughput));
        let (Some(lanes), Some(one)) = (measured, row.and_then(|row| row.throughput_ns)) else {
            return self.is_estimated_faster(kernel, wider);
        };
        let per_cycle = lanes / self.cycles(&*self.model, kernel).unwrap_or(f64::INFINITY);
        lanes * COMPILED + self.moves() * per_cycle < one
    }

    /// By estimates, on every core that has such vectors and runs no wider ones of the package.
    fn is_estimated_faster(&self, kernel: &Kernel, wider: &[Arc<dyn Backend>]) -> bool {
        let on = |core: &Arc<Core>| {
            let lanes = self.cycles(&*self.model.on(core)?, kernel)?;
            Some(lanes * COMPILED + self.moves() < self.one_by_one(core))
        };
        let runs_wider = |core: &Arc<Core>| {
            wider.iter().any(|model| model.on(core).is_some_and(|model| self.cycles(&*model, kernel).is_some()))
        };
        let weighed: Vec<bool> = shipped().iter().filter(|core| !runs_wider(core)).filter_map(on).collect();
        !weighed.is_empty() && weighed.into_iter().all(|faster| faster) && on(reference()).is_some()
    }

    /// Cycles to bring an element's operands into lanes and its result back.
    fn moves(&self) -> f64 {
        let one = self.one.kernel();
        MOVE * f64::from(one.visible().map(|a| one.array(a).len).sum::<u32>())
    }

    /// Cycles of a call for one element on a core.
    fn one_by_one(&self, core: &Arc<Core>) -> f64 {
        let modelled = || (packaged().0.machine?.model)().on(core)?.modelled(self.one.kernel());
        modelled().unwrap_or_else(|| machine_bound(self.one.kernel(), core)) * COMPILED_ONE + CALL
    }
}

/// The options that name these products, so that the command gives the same package whatever is remembered.
pub fn options(products: &[LaneProduct]) -> String {
    if products.is_empty() {
        return " --lanes none".to_string();
    }
    products.iter().map(|one| format!(" --lanes {}={}", one.level, one.plan)).collect()
}

/// The line of a package's notes.
pub fn note(products: &[LaneProduct]) -> String {
    let all: Vec<String> = products.iter().map(|one| format!("{}: {}", one.level, one.plan)).collect();
    let squares: Vec<&str> = products.iter().filter(|one| one.squares).map(|one| one.level).collect();
    let by = if squares.is_empty() { "by `square` alone".into() } else { squares.join("; ") };
    match all.as_slice() {
        [] => "`mul_array`: by `mul` alone".to_string(),
        all => format!("`mul_array`: {}; `square_array`, where there is `square`: {by}", all.join("; ")),
    }
}
