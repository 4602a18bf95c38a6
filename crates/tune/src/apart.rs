//! Machine code that packages have beside that for most processors, for those with more instructions: of which operations,
//! and by which plans.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use evariste_algorithms::recipe::{Need, Pick};
use evariste_algorithms::registry::structure;
use evariste_algorithms::{Layout, Operation, Plan, plans};
use evariste_backend::{Apart, machine_bound};
use evariste_cores::reference;
use evariste_descriptions::Field;
use evariste_emit::difference;
use evariste_ir::Kernel;
use evariste_proof::{Proved, prove_with};

use crate::candidates::{apart_layouts, field_layouts};
use crate::choose::Chosen;
use crate::error::TuneError;
use crate::ranking::Ranking;

/// What stands for no plan where one may be named.
pub(crate) const NO_PLAN: &str = "none";

/// The code apart of an operation.
pub(crate) enum Beside {
    /// By that plan, whose kernel is proved.
    By(String, Proved),
    /// There might be some, and there is to be none: it was measured to be no faster, or that was asked for.
    Declined,
    /// No plan gains.
    Nothing,
}

/// Which operations may gain, whatever their parts are: known without a proof.
#[derive(Default)]
struct MayGain(RefCell<HashMap<(String, String), bool>>);

impl MayGain {
    fn operation(&self, apart: &Apart, field: &Field, layout: &Layout, operation: &Operation) -> bool {
        let key = (field.text(), operation.name());
        if let Some(known) = self.0.borrow().get(&key) {
            return *known;
        }
        // (What needs itself does not gain by that.)
        self.0.borrow_mut().insert(key.clone(), false);
        let gains = plans(field, layout, operation).iter().any(|plan| self.plan(apart, field, layout, plan));
        self.0.borrow_mut().insert(key, gains);
        gains
    }

    fn plan(&self, apart: &Apart, field: &Field, layout: &Layout, plan: &Plan) -> bool {
        let part = |need: &Need| self.operation(apart, &structure(field, need), layout, &need.operation);
        plan.needs().iter().any(part) || plan.write().is_ok_and(|kernel| (apart.gains)(&kernel))
    }
}

impl Chosen {
    /// The machine code that packages have beside that for most processors; `None`: of this processor there is none.
    pub fn apart(&self) -> Option<&'static Apart> {
        self.packaged().1.apart
    }

    /// Uses the plan of that name for the code apart of an operation, or none, where that is `none`.
    ///
    /// # Errors
    /// As [`Chosen::plan_named`]; code that packages do not have apart.
    pub fn pin_apart(&mut self, operation: &Operation, code: &str, algorithm: &str) -> Result<(), TuneError> {
        let known = self.apart().map(|apart| apart.code);
        if known != Some(code) {
            let help = known.map_or("leave it out".to_string(), |known| format!("write {}@{known}", operation.name()));
            return Err(TuneError::Operand(format!(
                "packages have no `{code}` code beside that for most processors\nhelp: {help}"
            )));
        }
        let elsewhere = || {
            let mut all = self.others(operation).into_iter().flat_map(|layout| plans(&self.field, &layout, operation));
            all.find(|plan| plan.name() == algorithm)
        };
        let plan = match algorithm {
            NO_PLAN => None,
            _ => Some(self.plan_named(operation, algorithm).or_else(|why| elsewhere().ok_or(why))?),
        };
        self.pinned_apart.retain(|(op, _)| op != operation);
        self.pinned_apart.push((operation.clone(), plan));
        Ok(())
    }

    /// The code apart of an operation whose own plan and kernel are those: by the plan that was named, else by the remembered
    /// winner of such code, unless most processors' code is as fast; where nothing is remembered by its own plan, if that
    /// gains, else by the first that does, has the same parameters and contract, and takes less by the reference core's
    /// table: of this layout, and of what is in bytes alone of any.
    ///
    /// # Errors
    /// Where a plan was named that does not gain, or is not proved.
    pub(crate) fn beside(&self, operation: &Operation, plan: &str, own: &Proved) -> Result<Beside, TuneError> {
        let here = self.beside_here(operation, plan, own)?;
        if !matches!(here, Beside::Nothing) {
            return Ok(here);
        }
        for layout in self.others(operation) {
            if let Beside::By(plan, proved) = self.at(layout).beside_here(operation, plan, own)? {
                return Ok(Beside::By(plan, proved));
            }
        }
        Ok(Beside::Nothing)
    }

    /// Other layouts whose plans may serve an operation: those of words as long, where no operand and no result is in one.
    fn others(&self, operation: &Operation) -> Vec<Layout> {
        if !operation.is_in_bytes() || self.apart().is_none() {
            return Vec::new();
        }
        let words = [self.layout.word];
        let mut all = field_layouts(&self.field, &words);
        all.extend(apart_layouts(&self.field, &words, self.code));
        all.retain(|layout| layout.word == self.layout.word && layout.name != self.layout.name);
        all
    }

    /// The same in another layout, where nothing is named.
    fn at(&self, layout: Layout) -> Chosen {
        Chosen { layout, pinned: Vec::new(), pinned_apart: Vec::new(), ..self.clone() }
    }

    /// As [`Chosen::beside`], by plans of this layout alone.
    fn beside_here(&self, operation: &Operation, plan: &str, own: &Proved) -> Result<Beside, TuneError> {
        let Some(apart) = self.apart().filter(|_| self.machine.is_none()) else { return Ok(Beside::Nothing) };
        match self.pinned_apart.iter().find(|(op, _)| op == operation) {
            Some((_, None)) => return Ok(Beside::Declined),
            Some((_, Some(named))) => {
                let here = named.layout.name == self.layout.name;
                let elsewhere = (!here).then(|| self.at(named.layout.clone()));
                let at = elsewhere.as_ref().unwrap_or(self);
                let proved = at.proved_apart(apart, named, &MayGain::default())?.ok_or_else(|| {
                    let code = apart.code;
                    TuneError::Unproved(format!("{} gains nothing as {code} code, or is not proved", named.name()))
                })?;
                return Ok(Beside::By(named.name(), proved));
            }
            None => {}
        }
        let all = plans(&self.field, &self.layout, operation);
        let may_gain = MayGain::default();
        if let Some(remembered) = self.ranking.as_ref().and_then(|ranking| self.measured_apart(ranking, operation)) {
            let Some(name) = remembered else { return Ok(Beside::Declined) };
            if let Some(winner) = all.iter().find(|p| p.name() == name)
                && let Some(proved) = self.proved_apart(apart, winner, &may_gain)?
                && difference(own, &proved).is_none()
            {
                return Ok(Beside::By(name, proved));
            }
        }
        if (apart.gains)(own.kernel()) {
            return Ok(Beside::By(plan.to_string(), own.clone()));
        }
        // Nobody measured that: it must take less than the other by the costs of a core.
        let usual = machine_bound(own.kernel(), reference());
        for each in all {
            if let Some(proved) = self.proved_apart(apart, &each, &may_gain)?
                && difference(own, &proved).is_none()
                && (apart.bound)(proved.kernel(), reference()).is_some_and(|bound| bound < usual)
            {
                return Ok(Beside::By(each.name(), proved));
            }
        }
        Ok(Beside::Nothing)
    }

    /// The plan that won as code apart; of `Some(None)` most processors' code is as fast. `None`: nothing is remembered.
    fn measured_apart(&self, ranking: &Ranking, operation: &Operation) -> Option<Option<String>> {
        let code = self.code?.apart()?;
        let fastest = |code| ranking.fastest(&self.layout.name, &operation.name(), Some(code), self.goal);
        let (row, usual) = (fastest(code)?, fastest(self.code?).and_then(|row| row.time(self.goal)));
        let faster = usual.is_none_or(|usual| row.time(self.goal).is_some_and(|own| own < usual));
        Some(faster.then(|| row.plan.clone()))
    }

    /// The proved kernel of a plan, made of parts that gain where there are any; `None`: it does not gain, or it is not
    /// proved.
    fn proved_apart(&self, apart: &Apart, plan: &Plan, may_gain: &MayGain) -> Result<Option<Proved>, TuneError> {
        if !may_gain.plan(apart, &self.field, &self.layout, plan) {
            return Ok(None);
        }
        let chosen = !plan.needs().is_empty() && plan.needs().iter().all(|need| matches!(need.pick, Pick::First));
        let made_of_parts = || -> Result<Option<Kernel>, TuneError> {
            let parts: Vec<Arc<Kernel>> =
                plan.needs().iter().map(|need| self.part_apart(need)).collect::<Result<_, _>>()?;
            let fits = parts.iter().all(|kernel| kernel.disjoint.is_empty());
            Ok(fits.then(|| plan.write_with(&parts).ok()).flatten())
        };
        let of_parts = if chosen { made_of_parts()? } else { None };
        let Some(kernel) = of_parts.or_else(|| plan.write().ok()).filter(|kernel| (apart.gains)(kernel)) else {
            return Ok(None);
        };
        Ok(prove_with(&kernel, &self.known).proved())
    }

    /// The kernel of what a plan calls: that of the code apart, where there is one.
    fn part_apart(&self, need: &Need) -> Result<Arc<Kernel>, TuneError> {
        let below = self.below(need);
        let at = below.as_ref().unwrap_or(self);
        let (plan, own) = at.proved_plan(&need.operation)?;
        let proved = match at.beside_here(&need.operation, &plan, &own)? {
            Beside::By(_, proved) => proved,
            Beside::Declined | Beside::Nothing => own,
        };
        Ok(Arc::new(proved.statement().clone()))
    }
}
