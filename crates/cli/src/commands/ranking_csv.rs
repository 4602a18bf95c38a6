//! A ranking as comma-separated values: a line a candidate.

use evariste::{Field, Ranking};

/// A header, then the candidates in the order of the ranking; what was not measured is empty.
pub fn csv(field: &Field, rankings: &[&Ranking]) -> String {
    let mut text = "field,layout,operation,plan,code,searched,proved,throughput_cycles,throughput_ns,throughput_spread_percent,\
                    latency_cycles,latency_ns,latency_spread_percent,bound_cycles,percent_of_bound,multiplications,additions,\
                    moves,code_bytes,target\n"
        .to_string();
    let number = |x: Option<f64>| x.map_or_else(String::new, |x| x.to_string());
    for ranking in rankings {
        for c in &ranking.candidates {
            let cells = [
                field.name(),
                c.layout.clone(),
                c.operation.clone(),
                c.plan.clone(),
                c.code.map_or_else(String::new, |code| code.to_string()),
                c.searched.map_or_else(String::new, |goal| goal.to_string()),
                c.proved.to_string(),
                number(c.throughput_cycles),
                number(c.throughput_ns),
                number(c.throughput_spread),
                number(c.latency_cycles),
                number(c.latency_ns),
                number(c.latency_spread),
                number(c.bound()),
                number(c.percent_of_bound),
                c.multiplications.to_string(),
                c.additions.to_string(),
                c.moves.to_string(),
                c.code_bytes.map_or_else(String::new, |bytes| bytes.to_string()),
                ranking.target.clone(),
            ];
            text += &cells.map(|cell| quoted(&cell)).join(",");
            text.push('\n');
        }
    }
    text
}

/// A cell, in quotes where it needs them (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.into() }
}
