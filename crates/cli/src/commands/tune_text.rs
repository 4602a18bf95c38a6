//! A ranking as text: layouts, in each the operations, in each the candidates, fastest first, each beside its bound.

use std::collections::HashSet;

use evariste::{Candidate, Field, Goal, LayoutRanking, Ranking};

use crate::numbers::{figure, measured};
use crate::tables::{fitted, left_out, wrapped};

/// Candidates of an operation that are shown without `--all`.
const SHOWN: usize = 4;

/// Columns that go where there is no room, in this order.
const DROPPED: [&str; 9] = ["moves", "additions", "products", "bytes", "ns", "latency", "% of bound", "bound", "±%"];

const HEADINGS: [&str; 14] = [
    "operation",
    "algorithm",
    "code",
    ">cycles",
    ">±%",
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

/// By which core's costs bounds are reckoned; nothing in records that do not say.
fn whose_costs(ranking: &Ranking) -> String {
    if ranking.core.is_empty() {
        return String::new();
    }
    wrapped(&format!("bounds by the costs of {}\n", ranking.core))
}

/// The whole report.
pub fn ranking_text(field: &Field, ranking: &Ranking, all: bool) -> String {
    let mut text = format!("{}; layouts are compared on {}\n", field.title(), ranking.mix);
    text += &whose_costs(ranking);
    let measured = ranking.candidates.iter().any(|c| c.throughput_cycles.is_some());
    let (mut hidden, mut gone) = (0, Vec::new());
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
            if let Some(proved) = group.iter().find(|c| c.proved) {
                text += &format!("  {operation}: {}\n", proved.contract);
            }
            let mut first = true;
            for (place, row) in group.iter().enumerate() {
                let best = crowns(ranking, layout, row);
                if !all && place >= SHOWN && best.iter().all(|crown| crown.starts_with('≈')) {
                    hidden += 1;
                    continue;
                }
                lines.push(line(row, if first { operation } else { "" }, &best));
                first = false;
            }
        }
        let (table, dropped) = fitted(&HEADINGS, &lines, &DROPPED);
        text += &table;
        gone.extend(dropped.into_iter().filter(|name| !gone.contains(name)).collect::<Vec<_>>());
    }
    text += &left_out(&gone);
    if hidden > 0 {
        text += &format!("{hidden} slower candidates are not shown (--all shows them)\n");
    }
    text += &notes(ranking, all);
    text += &without_vectors(ranking);
    text += &searches(ranking);
    text += "\ncycles, ns: measured, per element, of independent operations (throughput); latency: measured cycles from operands to result;\n\
             ±%: how far the rounds of the measurement lie apart; ≈: not told apart from the best; bound: least cycles by the machine table;\n\
             % of bound: - where code does with less than the table counts; products, additions, moves: counted; bytes: of machine code\n";
    text += &footer(ranking, measured);
    // Tables fit already.
    wrapped(&text)
}

/// What the whole ranking is: its winners, how far it came, where and when it was measured.
fn footer(ranking: &Ranking, measured: bool) -> String {
    let mut text = String::new();
    if measured {
        text += &summary(ranking);
    }
    if let Some(stopped) = &ranking.stopped {
        let whole = if stopped.whole.is_empty() { "no operation".to_string() } else { stopped.whole.join(", ") };
        text += &format!("partial      stopped after {} of {} rows; whole: {whole}\n", stopped.measured, stopped.of);
    }
    for reason in &ranking.noise {
        text += &format!("noisy        {reason}\n");
    }
    text += &format!("machine      {}\n", ranking.target);
    if let Some(origin) = ranking.origin().filter(|_| measured) {
        text += &format!("measured     {origin}\n");
    }
    text
}

/// What a row is the best by; with ≈ what it may be the best by, as far as the measurement can tell.
fn crowns(ranking: &Ranking, layout: &LayoutRanking, row: &Candidate) -> Vec<String> {
    let lists = [
        ("throughput", &layout.throughput, Some(Goal::Throughput)),
        ("latency", &layout.latency, Some(Goal::Latency)),
        ("size", &layout.size, None),
    ];
    let mut all = Vec::new();
    for (name, winners, goal) in lists {
        let Some(winner) = winners.iter().find(|w| w.operation == row.operation) else { continue };
        let near = || goal.zip(ranking.candidate(winner)).is_some_and(|(goal, best)| row.indistinguishable(best, goal));
        if row.is(winner) {
            all.push(name.to_string());
        } else if near() {
            all.push(format!("≈ {name}"));
        }
    }
    all
}

fn line(row: &Candidate, operation: &str, best: &[String]) -> Vec<String> {
    let algorithm = row.plan.split('/').next().unwrap_or(&row.plan);
    vec![
        operation.to_string(),
        if row.proved { algorithm.to_string() } else { format!("{algorithm} (not proved)") },
        row.code.map_or_else(
            || "-".into(),
            |c| if row.searched.is_some() { format!("{c}, searched") } else { c.to_string() },
        ),
        measured(row.throughput_cycles),
        row.throughput_spread.map_or_else(|| "-".into(), |spread| format!("{spread:.1}")),
        measured(row.throughput_ns),
        measured(row.bound().filter(|_| row.proved)),
        row.percent_of_bound.map_or_else(|| "-".into(), |p| format!("{p:.0}%")),
        measured(row.latency_cycles),
        row.multiplications.to_string(),
        row.additions.to_string(),
        row.moves.to_string(),
        row.code_bytes.map_or_else(|| "-".into(), |b| b.to_string()),
        best.join(", "),
    ]
}

/// How many plans are ranked as code of one element alone, and why.
fn without_vectors(ranking: &Ranking) -> String {
    let of = |n: usize| format!("{n} plan{}", if n == 1 { "" } else { "s" });
    let all: usize = ranking.without_vectors.iter().map(|w| w.plans).sum();
    match ranking.without_vectors.as_slice() {
        [] => String::new(),
        [one] => format!("{} without a form on vectors: {}\n", of(all), one.why),
        more => {
            let lines = more.iter().map(|w| format!("  {}: {}\n", of(w.plans), w.why));
            format!("{} without a form on vectors:\n{}", of(all), lines.collect::<String>())
        }
    }
}

/// How many were proved, and what became of the others.
fn notes(ranking: &Ranking, all: bool) -> String {
    let kernels = |accept: &dyn Fn(&Candidate) -> bool| {
        ranking.candidates.iter().filter(|c| accept(c)).map(|c| (&c.plan, &c.operation)).collect::<HashSet<_>>().len()
    };
    let mut text = format!("{} of {} candidates proved", kernels(&|c| c.proved), kernels(&|_| true));
    let also: HashSet<(&str, &String)> =
        ranking.candidates.iter().flat_map(|c| c.also.iter().map(|name| (c.operation.as_str(), name))).collect();
    if !also.is_empty() {
        text += &format!("; {} more plans write the same kernels", also.len());
    }
    let brief = ranking.candidates.iter().filter(|c| c.brief).count();
    if brief > 0 {
        text += &format!("; {brief} rows far behind measured briefly (tune --all measures all at length)");
    }
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
            "winner       {}{code}: {} cycles, {} ns, {}\n",
            c.plan,
            measured(c.throughput_cycles),
            measured(c.throughput_ns),
            c.bound().map_or_else(
                || "no bound: the costs in use say nothing of this code".into(),
                |b| format!("bound {}", figure(b))
            )
        );
    }
    text
}
