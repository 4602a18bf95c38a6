//! A ranking, sorted for drawing: layouts, in each the operations, in each the plans with the code that was made of
//! them.

use evariste_tune::ranking::Winner;
use evariste_tune::{Candidate, Ranking};

/// The algorithm of a plan: its name without the layout.
pub fn algorithm(plan: &str) -> &str {
    plan.split('/').next().unwrap_or(plan)
}

/// A plan with the code that was made of it: machine code above compiled C.
pub struct Plan<'a> {
    /// At least one; all of one plan and operation.
    pub candidates: Vec<&'a Candidate>,
}

impl<'a> Plan<'a> {
    /// The row that counts are taken from: they are of the kernel, so all candidates have the same.
    pub fn kernel(&self) -> &'a Candidate {
        self.candidates[0]
    }
}

/// The plans of one operation in one layout: they have equal contracts.
pub struct Group<'a> {
    /// The operation's name.
    pub operation: &'a str,
    /// What is promised; empty where nothing was proved.
    pub contract: &'a str,
    /// Proved plans, the fastest first (by bound where nothing was measured).
    pub plans: Vec<Plan<'a>>,
}

impl Group<'_> {
    /// Was any of its candidates measured?
    pub fn measured(&self) -> bool {
        self.plans.iter().flat_map(|p| &p.candidates).any(|c| c.throughput_cycles.is_some())
    }
}

/// A layout and its operations.
pub struct Layout<'a> {
    /// Its name.
    pub name: &'a str,
    /// What its elements are; empty where the ranking does not say.
    pub description: &'a str,
    /// Measured nanoseconds of the mix.
    pub mix_ns: Option<f64>,
    /// Operations in the order of the mix.
    pub groups: Vec<Group<'a>>,
    /// Winners by throughput, latency and size.
    pub winners: [&'a [Winner]; 3],
}

/// Layouts of a ranking: ranked ones first, then those of which nothing was measured.
pub fn layouts(ranking: &Ranking) -> Vec<Layout<'_>> {
    let ranked = ranking.layouts.iter().map(|l| Layout {
        name: &l.layout,
        description: &l.description,
        mix_ns: l.mix_ns,
        groups: groups(ranking, &l.layout),
        winners: [&l.throughput, &l.latency, &l.size],
    });
    let mut layouts: Vec<Layout> = ranked.collect();
    for c in &ranking.candidates {
        if layouts.iter().all(|l| l.name != c.layout) {
            layouts.push(Layout {
                name: &c.layout,
                description: "",
                mix_ns: None,
                groups: groups(ranking, &c.layout),
                winners: [&[], &[], &[]],
            });
        }
    }
    layouts
}

fn groups<'a>(ranking: &'a Ranking, layout: &str) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    for c in ranking.candidates.iter().filter(|c| c.layout == layout) {
        let at = groups.iter().position(|g| g.operation == c.operation).unwrap_or_else(|| {
            groups.push(Group { operation: &c.operation, contract: "", plans: Vec::new() });
            groups.len() - 1
        });
        if !c.proved {
            continue;
        }
        let group = &mut groups[at];
        if group.contract.is_empty() {
            group.contract = &c.contract;
        }
        match group.plans.iter_mut().find(|p| p.kernel().plan == c.plan) {
            Some(plan) => plan.candidates.push(c),
            None => group.plans.push(Plan { candidates: vec![c] }),
        }
    }
    for group in &mut groups {
        for plan in &mut group.plans {
            plan.candidates.sort_by_key(|c| std::cmp::Reverse(c.code));
        }
        let fastest = |p: &Plan| p.candidates.iter().filter_map(|c| c.throughput_cycles).fold(f64::INFINITY, f64::min);
        group.plans.sort_by(|a, b| {
            fastest(a).total_cmp(&fastest(b)).then(a.kernel().bound_cycles.total_cmp(&b.kernel().bound_cycles))
        });
    }
    groups
}

/// The operations of a ranking in order of appearance.
pub fn operations(ranking: &Ranking) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for c in &ranking.candidates {
        if !names.contains(&c.operation.as_str()) {
            names.push(&c.operation);
        }
    }
    names
}

/// What was not measured, by reason: each with the candidates.
pub fn unmeasured(ranking: &Ranking) -> Vec<(&str, Vec<&Candidate>)> {
    let mut reasons: Vec<(&str, Vec<&Candidate>)> = Vec::new();
    for c in ranking.candidates.iter().filter(|c| c.throughput_cycles.is_none()) {
        let note = c.note.as_deref().and_then(|n| n.lines().next()).filter(|n| !n.trim().is_empty());
        let reason = note.unwrap_or(if c.proved {
            "there was nothing to make code with, or it was not timed"
        } else {
            "not proved"
        });
        match reasons.iter_mut().find(|(r, _)| *r == reason) {
            Some((_, list)) => list.push(c),
            None => reasons.push((reason, vec![c])),
        }
    }
    reasons
}
