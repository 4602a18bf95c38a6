//! A ranking as text: layouts, in each the operations, in each the candidates, fastest first, each beside its bound.

use std::collections::HashSet;

use evariste::{Candidate, Field, Goal, Ranking, Winner};

use crate::numbers::{figure, measured};
use crate::tables::{indented, table};

/// Candidates of an operation that are shown without `--all`.
const SHOWN: usize = 4;

const HEADINGS: [&str; 13] = [
    "operation",
    "algorithm",
    "code",
    ">cycles",
    ">ns",
    ">bound",
    ">% of bound",
    ">latency",
    ">products",
    ">additions",
    ">moves",
    ">bytes",
    "best",
];

/// The whole report.
pub fn ranking_text(field: &Field, ranking: &Ranking, all: bool) -> String {
    let mut text = format!("{}; layouts are compared on {}\n", field_title(field), ranking.mix);
    let measured = ranking.candidates.iter().any(|c| c.throughput_cycles.is_some());
    let mut hidden = 0;
    for layout in &ranking.layouts {
        let score = layout.mix_ns.map_or(String::new(), |ns| format!("; {} ns for the mix", figure(ns)));
        text += &format!("\n{}: {}{score}\n", layout.layout, layout.description);
        let rows: Vec<&Candidate> = ranking.candidates.iter().filter(|c| c.layout == layout.layout).collect();
        let mut lines = Vec::new();
        let mut operations: Vec<&str> = Vec::new();
        for row in &rows {
            if !operations.contains(&row.operation.as_str()) {
                operations.push(&row.operation);
            }
        }
        for operation in operations {
            let group: Vec<&&Candidate> = rows.iter().filter(|c| c.operation == operation).collect();
            let winner = |list: &[Winner], row: &Candidate| {
                list.iter().any(|w| {
                    w.operation == operation
                        && w.plan == row.plan
                        && row.code == Some(w.code)
                        && row.searched == w.searched
                })
            };
            if let Some(proved) = group.iter().find(|c| c.proved) {
                text += &format!("  {operation}: {}\n", proved.contract);
            }
            let mut first = true;
            for (place, row) in group.iter().enumerate() {
                let best: Vec<&str> =
                    [("throughput", &layout.throughput), ("latency", &layout.latency), ("size", &layout.size)]
                        .into_iter()
                        .filter(|(_, list)| winner(list, row))
                        .map(|(name, _)| name)
                        .collect();
                if !all && place >= SHOWN && best.is_empty() {
                    hidden += 1;
                    continue;
                }
                lines.push(line(row, if first { operation } else { "" }, &best));
                first = false;
            }
        }
        text += &indented(&table(&HEADINGS, lines));
    }
    if hidden > 0 {
        text += &format!("{hidden} slower candidates are not shown (--all shows them)\n");
    }
    text += &notes(ranking, all);
    text += &searches(ranking);
    text += "\ncycles, ns: measured, per element, of independent operations (throughput); latency: measured cycles from operands to result;\n\
             bound: least cycles by the machine table; products, additions, moves: counted; bytes: of machine code\n";
    if measured {
        text += &summary(ranking);
    }
    text + &format!("machine      {}\n", ranking.target)
}

fn field_title(field: &Field) -> String {
    let (name, text) = (field.name(), field.text());
    if name == text || text.replace(' ', "") == name { text } else { format!("{text} ({name})") }
}

fn line(row: &Candidate, operation: &str, best: &[&str]) -> Vec<String> {
    let algorithm = row.plan.split('/').next().unwrap_or(&row.plan);
    vec![
        operation.to_string(),
        if row.proved { algorithm.to_string() } else { format!("{algorithm} (not proved)") },
        row.code.map_or_else(
            || "-".into(),
            |c| if row.searched.is_some() { format!("{c}, searched") } else { c.to_string() },
        ),
        measured(row.throughput_cycles),
        measured(row.throughput_ns),
        if row.proved { figure(row.bound_cycles) } else { "-".into() },
        row.percent_of_bound.map_or_else(|| "-".into(), |p| format!("{p:.0}%")),
        measured(row.latency_cycles),
        row.multiplications.to_string(),
        row.additions.to_string(),
        row.moves.to_string(),
        row.code_bytes.map_or_else(|| "-".into(), |b| b.to_string()),
        best.join(", "),
    ]
}

/// How many were proved, and what became of the others.
fn notes(ranking: &Ranking, all: bool) -> String {
    let kernels = |accept: &dyn Fn(&Candidate) -> bool| {
        ranking.candidates.iter().filter(|c| accept(c)).map(|c| (&c.plan, &c.operation)).collect::<HashSet<_>>().len()
    };
    let mut text = format!("{} of {} candidates proved", kernels(&|c| c.proved), kernels(&|_| true));
    let unmeasured: Vec<&Candidate> = ranking.candidates.iter().filter(|c| c.note.is_some()).collect();
    if unmeasured.is_empty() {
        return text + "\n";
    }
    text += &format!("; {} not measured:\n", unmeasured.len());
    let shown = if all { unmeasured.len() } else { SHOWN };
    for row in unmeasured.iter().take(shown) {
        let note = row.note.as_deref().unwrap_or("");
        text += &format!("  {} by {}: {}\n", row.operation, row.plan, note.lines().next().unwrap_or(""));
    }
    if unmeasured.len() > shown {
        text += &format!("  and {} more (--all)\n", unmeasured.len() - shown);
    }
    text
}

/// What each search for a schedule found.
fn searches(ranking: &Ranking) -> String {
    let mut text = String::new();
    for s in &ranking.searches {
        let row = ranking
            .candidates
            .iter()
            .find(|c| c.operation == s.operation && c.plan == s.plan && c.searched == Some(s.goal));
        let cycles = |c: &Candidate| if s.goal == Goal::Throughput { c.throughput_cycles } else { c.latency_cycles };
        let result = match row {
            Some(c) => format!("{} cycles (heuristic {})", measured(cycles(c)), measured(c.heuristic_cycles)),
            None => "nothing better than the heuristic".into(),
        };
        let rate = s.measured as f64 / s.seconds.max(1e-9);
        text += &format!(
            "searched {} of {} by {}: {result}; {:.0} s, {rate:.0} candidates a second\n",
            s.goal, s.operation, s.plan, s.seconds
        );
    }
    text
}

/// The winners.
fn summary(ranking: &Ranking) -> String {
    let mut text = String::from("\n");
    let Some(best) = ranking.best_layout() else { return text };
    let score = best.mix_ns.map_or(String::new(), |ns| format!(": {} ns for {}", figure(ns), ranking.mix));
    text += &format!("best layout  {}{score}\n", best.layout);
    // Latency is not measured of lanes.
    for (name, list) in [("throughput", &best.throughput), ("latency", &best.latency), ("size", &best.size)]
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
    {
        let winners: Vec<String> = list
            .iter()
            .map(|w| format!("{} {} ({})", w.operation, w.plan.split('/').next().unwrap_or(&w.plan), w.code))
            .collect();
        text += &format!("  {name:<11}{}\n", winners.join(", "));
    }
    if let Some(c) = best.throughput.first().and_then(|winner| ranking.candidate(winner)) {
        let code = c.code.map_or_else(String::new, |code| format!(" ({code})"));
        text += &format!(
            "winner       {}{code}: {} cycles, {} ns, bound {}\n",
            c.plan,
            measured(c.throughput_cycles),
            measured(c.throughput_ns),
            figure(c.bound_cycles)
        );
    }
    text
}
