//! The page: head, how to read it, all fields at a glance, a section for each.

use evariste_tune::Ranking;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::bars::code_text;
use crate::field;
use crate::numbers::{count, measured, percent};

/// Colours are those of Okabe and Ito, which people with colour blindness tell apart; kinds of code differ in place or
/// shape beside.
const STYLE: &str = include_str!("style.css");

/// One self-contained page about rankings, in their order: for each field the winner, its candidates against their
/// bounds, latency against throughput, counted operations, bytes of code, the whole table, what was not measured and
/// why, and how to do it again.
///
/// Empty, unmeasured and partly measured rankings are shown as what they are. The same rankings give the same page.
pub fn report(rankings: &[Ranking]) -> String {
    let titles: Vec<String> = rankings.iter().map(Ranking::title).collect();
    let title = match titles.as_slice() {
        [] => "Évariste".to_string(),
        [one] => format!("Évariste: {one}"),
        many => format!("Évariste: {} fields", many.len()),
    };
    let body = html! {
        header {
            h1 { "Évariste: proved and measured" }
            p { "Every candidate is one algorithm in one layout, proved against its contract before any code was made of it. Candidates of one layout and operation have equal contracts; only those are ranked against each other." }
            (origins(rankings))
            (reading())
        }
        main {
            @if rankings.is_empty() { p { "No rankings: nothing was tuned yet." } }
            @if rankings.len() > 1 { (glance(rankings)) }
            @for (i, ranking) in rankings.iter().enumerate() { (field::section(ranking, i)) }
        }
        footer { p { "Written by " code { "evariste report" } " from remembered measurements, or by " code { "evariste tune --html" } ". This file needs nothing beside itself." } }
    };
    whole(&title, body).into_string() + "\n"
}

/// A page around its body: style and head, nothing from elsewhere.
pub fn whole(title: &str, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
}

/// On which machines, when and by what version the rankings were measured; each line once.
fn origins(rankings: &[Ranking]) -> Markup {
    let mut lines: Vec<String> = Vec::new();
    for ranking in rankings.iter().filter(|r| r.candidates.iter().any(|c| c.throughput_cycles.is_some())) {
        let line = format!("{}; {}", ranking.target, ranking.origin().unwrap_or_else(|| "no date".into()));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    html! { @for line in lines { p class="note" { "Measured on " (line) "." } } }
}

/// The kinds of numbers and the colours.
fn reading() -> Markup {
    html! {
        details class="reading" {
            summary { "How to read the numbers" }
            dl {
                dt { "measured" }
                dd { "Cycles and nanoseconds, taken on the machine that each section names, candidates in turn. Throughput: per element, of independent operations. Latency: from the operands to the result. Kernels of one-bit words compute 64 elements at once: their throughput and bound are per element, their latency is that of the 64. Cycles are core cycles; each number is a median." }
                dt { "bound" }
                dd { "The least cycles per element that the machine's table of scalar code allows for the operations of the kernel: multiplier, carry chains, other units. A candidate at 100 % has reached it." }
                dt { "counted" }
                dd { "Word products, additions (with subtractions, with and without carry) and moves (copies, loads, stores) of one element operation, in the proved kernel. The two kinds of code of a plan share them." }
                dt { "bytes" }
                dd { "The size of the function in machine code, ours or the compiler's." }
            }
        }
        p class="legend" {
            span class="key" { span class="swatch machine round" {} "machine code of our own" }
            span class="key" { span class="swatch compiled" {} "compiled C" }
            span class="key" { span class="swatch mark" {} "bound" }
        }
    }
}

/// All fields, a row each.
fn glance(rankings: &[Ranking]) -> Markup {
    html! {
        section {
            h2 { "Winners" }
            div class="scroll" tabindex="0" role="group" aria-label="Winners of all fields" {
                table {
                    thead {
                        tr { th rowspan="2" scope="col" { "field" } th rowspan="2" scope="col" { "winner" } th rowspan="2" scope="col" { "code" } th colspan="3" scope="colgroup" { "measured" } th scope="colgroup" { "bound" } th rowspan="2" scope="col" class="n" { "of bound" } th rowspan="2" scope="col" class="n" { "bytes" } }
                        tr { th class="n" scope="col" { "cycles" } th class="n" scope="col" { "ns" } th class="n" scope="col" { "latency" } th class="n" scope="col" { "cycles" } }
                    }
                    tbody {
                        @for (i, ranking) in rankings.iter().enumerate() {
                            tr {
                                th scope="row" { a href=(format!("#f{i}")) { (ranking.called()) } }
                                @match field::winner(ranking) {
                                    Some(c) => {
                                        td { (c.plan) } td class="nowrap" { (code_text(c.code)) } td class="n" { (measured(c.throughput_cycles)) } td class="n" { (measured(c.throughput_ns)) }
                                        td class="n" { (measured(c.latency_cycles)) } td class="n" { (measured(c.bound())) } td class="n" { (percent(c.percent_of_bound)) } td class="n" { (count(c.code_bytes)) }
                                    }
                                    None => { td colspan="8" { "not measured" } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
