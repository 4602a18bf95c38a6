//! Rankings of which a part is missing, because somebody asked to stop.

use serde::{Deserialize, Serialize};

use crate::ranking::{Goal, Ranking, Winner};

/// How far measuring came.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stopped {
    /// Rows that were measured, some in fewer rounds than usual.
    pub measured: usize,
    /// Rows that there were to measure.
    pub of: usize,
    /// The operations all of whose rows were measured in all rounds.
    pub whole: Vec<String>,
}

impl Stopped {
    /// How far it came with groups of rows that are timed side by side: of each its operation, its number of rows, and
    /// whether all of them were measured in all rounds; `None`: not begun. Gives `None` where everything is measured.
    pub(crate) fn of(groups: &[(String, usize, Option<bool>)]) -> Option<Stopped> {
        let is_whole = |(_, _, state): &(String, usize, Option<bool>)| *state == Some(true);
        let mut whole: Vec<String> = Vec::new();
        for (operation, ..) in groups {
            if !whole.contains(operation) && groups.iter().filter(|g| g.0 == *operation).all(is_whole) {
                whole.push(operation.clone());
            }
        }
        let stopped = Stopped {
            measured: groups.iter().filter(|(_, _, state)| state.is_some()).map(|(_, rows, _)| rows).sum(),
            of: groups.iter().map(|(_, rows, _)| rows).sum(),
            whole,
        };
        (!groups.iter().all(is_whole)).then_some(stopped)
    }
}

impl Ranking {
    /// The ranking without operations of which a part was not measured: what may be remembered. `None` where no
    /// operation is whole.
    ///
    /// Layouts are then in the order of the mix's first operation that is left.
    pub fn whole(&self) -> Option<Ranking> {
        let Some(stopped) = &self.stopped else { return Some(self.clone()) };
        let leading = stopped.whole.first()?;
        let mut ranking = self.clone();
        ranking.candidates.retain(|c| stopped.whole.contains(&c.operation));
        for layout in &mut ranking.layouts {
            layout.mix_ns = None;
            for winners in [&mut layout.throughput, &mut layout.latency, &mut layout.size] {
                winners.retain(|w: &Winner| stopped.whole.contains(&w.operation));
            }
        }
        ranking.layouts.retain(|l| !l.throughput.is_empty());
        let time = |layout: &str| {
            let fastest = self.fastest(layout, leading, None, Goal::Throughput);
            fastest.and_then(|c| c.throughput_ns).unwrap_or(f64::INFINITY)
        };
        ranking.layouts.sort_by(|a, b| time(&a.layout).total_cmp(&time(&b.layout)));
        let winner =
            ranking.layouts.first().and_then(|l| l.throughput.iter().find(|w| w.operation == *leading)).cloned();
        (ranking.winner, ranking.winner_code) = (winner.as_ref().map(|w| w.plan.clone()), winner.map(|w| w.code));
        ranking.winner.is_some().then_some(ranking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(operation: &str, rows: usize, state: Option<bool>) -> (String, usize, Option<bool>) {
        (operation.to_string(), rows, state)
    }

    #[test]
    fn an_operation_is_whole_when_all_its_groups_are() {
        let done = [group("mul", 3, Some(true)), group("mul", 2, Some(true)), group("add", 4, Some(true))];
        assert_eq!(Stopped::of(&done), None);
        let half = [group("mul", 3, Some(true)), group("mul", 2, Some(true)), group("add", 4, Some(false))];
        assert_eq!(Stopped::of(&half), Some(Stopped { measured: 9, of: 9, whole: vec!["mul".into()] }));
        let less = [group("mul", 3, Some(true)), group("mul", 2, None), group("add", 4, None)];
        assert_eq!(Stopped::of(&less), Some(Stopped { measured: 3, of: 9, whole: vec![] }));
    }

    #[test]
    fn what_is_remembered_of_a_stopped_run_is_whole() {
        let field = evariste_descriptions::Field::parse("babybear").expect("a field");
        let layout = &evariste_algorithms::layouts(&field, 64)[0];
        let rows = |operation: &evariste_algorithms::Operation, ns: f64| {
            let plan = evariste_algorithms::plans(&field, layout, operation).remove(0);
            let mut row =
                crate::candidate(&crate::candidates::judge(&plan).expect("a plan"), evariste_cores::reference());
            (row.throughput_ns, row.code) = (Some(ns), crate::ranking::Code::named("c"));
            row
        };
        use evariste_algorithms::Operation;
        let stopped = Some(Stopped { measured: 2, of: 4, whole: vec!["mul".into()] });
        let mut ranking = Ranking {
            version: crate::ranking::VERSION,
            field: field.text(),
            target: String::new(),
            core: String::new(),
            table: String::new(),
            mix: "8 mul + 6 add".into(),
            candidates: vec![rows(&Operation::MUL, 2.0), rows(&Operation::ADD, 1.0)],
            layouts: Vec::new(),
            winner: None,
            winner_code: None,
            noise: Vec::new(),
            date: None,
            program: None,
            stopped,
            searches: Vec::new(),
            without_vectors: Vec::new(),
        };
        let mix = [("mul".to_string(), 8), ("add".to_string(), 6)];
        crate::ranking::rank(&mut ranking, &[(layout.name.clone(), String::new())], &mix);
        assert!(ranking.layouts[0].mix_ns.is_some(), "as far as it was measured");
        let whole = ranking.whole().expect("mul is whole");
        assert!(whole.candidates.iter().all(|c| c.operation == "mul"), "{whole:?}");
        assert_eq!((whole.layouts[0].mix_ns, whole.layouts[0].throughput.len()), (None, 1));
        assert_eq!(whole.winner, ranking.winner);
        // Nothing of a part is a winner, and a part of everything is nothing.
        if let Some(stopped) = &mut ranking.stopped {
            stopped.whole = vec!["add".into()];
        }
        assert_eq!(ranking.whole().and_then(|r| r.winner), Some(whole_name(&ranking, "add")));
        ranking.stopped = Some(Stopped { measured: 2, of: 4, whole: Vec::new() });
        assert_eq!(ranking.whole(), None);
    }

    fn whole_name(ranking: &Ranking, operation: &str) -> String {
        ranking.candidates.iter().find(|c| c.operation == operation).expect("a row").plan.clone()
    }
}
