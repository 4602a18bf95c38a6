//! What is told in full: every candidate with all its numbers, what was not measured and why, and the command that does
//! it again.

use evariste_tune::{Candidate, Ranking};
use maud::{Markup, html};

use crate::bars::code_text;
use crate::numbers::{count, figure, measured, percent, plural};
use crate::rows::{Layout, unmeasured};

/// Every candidate, a table for each layout.
pub fn complete(ranking: &Ranking, layouts: &[Layout]) -> Markup {
    html! {
        details {
            summary { "Complete table: " (plural(ranking.candidates.len(), "candidate")) }
            @for layout in layouts { (table(ranking, layout)) }
        }
    }
}

fn table(ranking: &Ranking, layout: &Layout) -> Markup {
    let rows: Vec<&Candidate> = ranking.candidates.iter().filter(|c| c.layout == layout.name).collect();
    html! {
        h4 { (layout.name) @if !layout.description.is_empty() { ": " (layout.description) } }
        ul class="contracts" { @for group in layout.groups.iter().filter(|g| !g.contract.is_empty()) { li { b { (group.operation) } " " (group.contract) } } }
        div class="scroll" tabindex="0" role="group" aria-label={ "Candidates of layout " (layout.name) } {
            table class="complete" {
                thead {
                    tr {
                        th scope="col" rowspan="2" { "operation" } th scope="col" rowspan="2" { "plan" } th scope="col" rowspan="2" { "code" }
                        th scope="colgroup" colspan="4" { "measured" } th scope="colgroup" { "bound" } th scope="col" rowspan="2" class="n" { "of bound" }
                        th scope="colgroup" colspan="3" { "counted" } th scope="col" rowspan="2" class="n" { "bytes" } th scope="col" rowspan="2" class="n" { "proof ms" } th scope="col" rowspan="2" { "best by" }
                    }
                    tr {
                        @for heading in ["cycles", "ns", "latency cycles", "latency ns", "cycles", "products", "additions", "moves"] { th scope="col" class="n" { (heading) } }
                    }
                }
                tbody { @for c in rows { (row(c, layout)) } }
            }
        }
    }
}

fn row(c: &Candidate, layout: &Layout) -> Markup {
    let wins = |i: usize| {
        layout.winners[i].iter().any(|w| {
            w.operation == c.operation && w.plan == c.plan && c.code == Some(w.code) && w.searched == c.searched
        })
    };
    let best: Vec<&str> = ["throughput", "latency", "size"]
        .into_iter()
        .enumerate()
        .filter(|(i, _)| wins(*i))
        .map(|(_, name)| name)
        .collect();
    // What was not proved has neither a bound nor counts.
    let counted = |n: u64| count(c.proved.then_some(n));
    html! {
        tr class=[(!best.is_empty()).then_some("best")] {
            td { (c.operation) } th scope="row" { (c.plan) @if !c.proved { " (not proved)" } } td { (code_text(c.code)) }
            td class="n" { (measured(c.throughput_cycles)) } td class="n" { (measured(c.throughput_ns)) } td class="n" { (measured(c.latency_cycles)) } td class="n" { (measured(c.latency_ns)) }
            td class="n" { (measured(c.bound().filter(|_| c.proved))) } td class="n" { (percent(c.percent_of_bound)) }
            td class="n" { (counted(c.multiplications)) } td class="n" { (counted(c.additions)) } td class="n" { (counted(c.moves)) }
            td class="n" { (count(c.code_bytes)) } td class="n" { (figure(c.proof_ms)) } td { (best.join(", ")) }
        }
    }
}

/// Candidates without a measurement, by reason.
pub fn not_measured(ranking: &Ranking) -> Markup {
    let reasons = unmeasured(ranking);
    let all: usize = reasons.iter().map(|(_, list)| list.len()).sum();
    html! {
        h3 { "Not measured" }
        @if reasons.is_empty() {
            p { "Every candidate was measured." }
        } @else {
            p { (all) " of " (plural(ranking.candidates.len(), "candidate")) ":" }
            @for (reason, list) in reasons {
                details {
                    summary { (reason) " (" (list.len()) ")" }
                    ul class="plans" { @for c in list { li { (c.operation) " by " (c.plan) @if c.code.is_some() { " as " (code_text(c.code)) } } } }
                }
            }
        }
    }
}

/// The command that measures this field again.
pub fn again(ranking: &Ranking) -> Markup {
    let field = quoted(&ranking.called());
    html! {
        h3 { "How to do it again" }
        pre { code { "evariste tune " (field) " --html report.html" } }
        p class="note" { "Measures anew and writes such a page; " code { "evariste report " (field) " -o report.html" } " writes it from what is remembered. The numbers are of this machine and compiler: " (ranking.target) "." }
    }
}

/// A word of a shell's command line: in single quotes where it has anything special.
pub fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_+.^/:".contains(c));
    if plain { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_for_a_shell() {
        assert_eq!(super::quoted("p256"), "p256");
        assert_eq!(super::quoted("2^255 - 19"), "'2^255 - 19'");
        assert_eq!(super::quoted("a'b"), "'a'\\''b'");
    }
}
