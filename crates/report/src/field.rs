//! A field's section: summary, drawings, and what [`crate::table`] tells.

use evariste_tune::{Candidate, Ranking};
use maud::{Markup, html};

use crate::bars;
use crate::bars::code_text;
use crate::numbers::{bound, count, figure, measured, percent, plural};
use crate::rows::{Group, Layout, algorithm, layouts, operations};
use crate::scatter;
use crate::table;

/// The row of the ranking's winner: by throughput, of the leading operation, in the best layout.
pub fn winner(ranking: &Ranking) -> Option<&Candidate> {
    let plan = ranking.winner.as_deref()?;
    let listed =
        ranking.best_layout()?.throughput.iter().find(|w| w.plan == plan && Some(w.code) == ranking.winner_code)?;
    ranking.candidate(listed)
}

/// The section of the field with this number on the page.
pub fn section(ranking: &Ranking, number: usize) -> Markup {
    let id = format!("f{number}");
    let layouts = layouts(ranking);
    html! {
        section class="field" id=(id) {
            h2 { (ranking.title()) }
            (summary(ranking, &layouts))
            @if ranking.candidates.is_empty() {
                p { "No algorithm was tried: there is nothing to draw." }
            } @else {
                (overview(ranking, &layouts, &id))
                @if let Some((first, others)) = layouts.split_first() {
                    h3 { "Layout " (first.name) @if others.is_empty() {} @else if first.mix_ns.is_some() { ", the best on the mix" } }
                    @if !first.description.is_empty() { p { (first.description) "." } }
                    (layout(first, &format!("{id}-l0")))
                    @for (i, other) in others.iter().enumerate() {
                        details {
                            summary { "Layout " (other.name) @if !other.description.is_empty() { ": " (other.description) } }
                            (layout(other, &format!("{id}-l{}", i + 1)))
                        }
                    }
                }
                (table::complete(ranking, &layouts))
                (table::not_measured(ranking))
            }
            (table::again(ranking))
        }
    }
}

fn summary(ranking: &Ranking, layouts: &[Layout]) -> Markup {
    let best = layouts.first().filter(|_| ranking.winner.is_some());
    let proved = ranking.candidates.iter().filter(|c| c.proved).count();
    let timed = ranking.candidates.iter().filter(|c| c.throughput_cycles.is_some()).count();
    html! {
        dl class="summary" {
            @match winner(ranking) {
                Some(c) => {
                    dt { "winner" }
                    dd { strong { (c.plan) } ", " (c.operation) " as " (code_text(c.code)) ": measured " strong { (measured(c.throughput_cycles)) " cycles" } ", " (measured(c.throughput_ns)) " ns (throughput), " (measured(c.latency_cycles)) " cycles (latency); " (bound(c, " cycles")) @if let Some(p) = c.percent_of_bound { ", " (percent(Some(p))) " of it reached" } "; " (count(c.code_bytes)) " bytes of code" }
                    dt { "contract" }
                    dd { (c.contract) }
                }
                None => { dt { "winner" } dd { "none: no candidate of the leading operation was measured" } }
            }
            @if let Some(best) = best {
                dt { "layout" }
                dd { (best.name) ": " (best.description) @if let Some(ns) = best.mix_ns { "; " (figure(ns)) " ns for the mix" } }
            }
            dt { "mix" }
            dd { (ranking.mix) ", on which layouts are compared" }
            dt { "rows" }
            dd { (plural(ranking.candidates.len(), "candidate")) " (plans by kinds of code): " (proved) " proved, " (timed) " measured" }
            dt { "machine" }
            dd { (ranking.target) }
            @if let Some(origin) = ranking.origin() { dt { "measured" } dd { (origin) } }
            @if let Some(stopped) = &ranking.stopped { dt { "partial" } dd { "stopped after " (stopped.measured) " of " (stopped.of) " rows" } }
        }
        @if let Some(best) = best { (winners(ranking, best)) }
    }
}

/// Winners of the best layout by the three measures.
fn winners(ranking: &Ranking, best: &Layout) -> Markup {
    let cell = |list: &[evariste_tune::ranking::Winner], operation: &str, words: &dyn Fn(&Candidate) -> String| {
        let row = list.iter().find(|w| w.operation == operation).and_then(|w| ranking.candidate(w));
        html! { td { @if let Some(c) = row { (algorithm(&c.plan)) " " span class="nowrap" { "(" (code_text(c.code)) ")," } " " span class="nowrap" { (words(c)) } } @else { "–" } } }
    };
    html! {
        div class="scroll" tabindex="0" role="group" aria-label="Winners of the best layout" {
            table {
                caption { "Winners in layout " (best.name) }
                thead { tr { th scope="col" { "operation" } th scope="col" { "throughput (measured)" } th scope="col" { "latency (measured)" } th scope="col" { "size (bytes of code)" } } }
                tbody {
                    @for group in &best.groups {
                        tr {
                            th scope="row" { (group.operation) }
                            (cell(best.winners[0], group.operation, &|c| format!("{} cycles", measured(c.throughput_cycles))))
                            (cell(best.winners[1], group.operation, &|c| format!("{} cycles", measured(c.latency_cycles))))
                            (cell(best.winners[2], group.operation, &|c| format!("{} bytes", count(c.code_bytes))))
                        }
                    }
                }
            }
        }
    }
}

/// Layouts against each other, and latency against throughput for each operation.
fn overview(ranking: &Ranking, layouts: &[Layout], id: &str) -> Markup {
    let scored = layouts.iter().filter(|l| l.mix_ns.is_some()).count();
    let plotted: Vec<&str> =
        operations(ranking).into_iter().filter(|op| !scatter::points(ranking, op).is_empty()).collect();
    if scored == 0 && plotted.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Overview" }
        @if !plotted.is_empty() {
            p class="note" { "Latency against throughput: circles are machine code, squares compiled C; filled is the best layout, hollow are other layouts, with other contracts; ringed is its winner by throughput. Names appear under the pointer." }
        }
        div class="figures" {
            @if scored > 1 {
                @let title = "Time of the mix in each layout";
                (figure_of(title, bars::layouts(layouts, &format!("{id}-mix"), title), html! { "Measured: " (ranking.mix) ", by the throughput winners of each layout." }))
            }
            @for operation in &plotted {
                @let title = format!("{operation}: latency against throughput");
                @let points = scatter::points(ranking, operation);
                @let missing = ranking.candidates.iter().filter(|c| c.operation == *operation && c.throughput_cycles.is_some()).count() - points.len();
                (figure_of(&title, scatter::scatter(ranking, operation, &format!("{id}-s-{operation}"), &title), html! {
                    "Measured: " (plural(points.len(), "candidate")) "."
                    @if missing > 0 { " " (plural(missing, "candidate")) " without a latency: not drawn." }
                }))
            }
        }
    }
}

/// The drawings of each operation of a layout.
fn layout(layout: &Layout, id: &str) -> Markup {
    html! {
        @for group in &layout.groups {
            h4 { (group.operation) @if !group.contract.is_empty() { span class="contract" { (group.contract) } } }
            @if group.plans.is_empty() {
                p { "No plan was proved." }
            } @else {
                (drawings(group, &format!("{id}-{}", group.operation)))
            }
        }
    }
}

fn drawings(group: &Group, id: &str) -> Markup {
    let hidden = group.plans.len().saturating_sub(bars::DRAWN);
    let timing = if group.measured() { "Throughput (measured) against bound" } else { "Bound (nothing was measured)" };
    let made = group.plans.iter().flat_map(|p| &p.candidates).any(|c| c.code_bytes.is_some());
    html! {
        div class="figures" {
            (figure_of(timing, bars::throughput(group, &format!("{id}-t"), &format!("{}: {timing}", group.operation)), html! {
                "Shorter is faster. The line across a bar is its bound; the per cent say how much of it was reached."
            }))
            (figure_of("Operation mix (counted)", bars::operation_mix(group, &format!("{id}-o"), &format!("{}: operation mix (counted)", group.operation)), html! {
                span class="key" { span class="swatch products" {} "products" } " "
                span class="key" { span class="swatch additions" {} "additions" } " "
                span class="key" { span class="swatch moves" {} "moves" }
            }))
            @if made {
                (figure_of("Code (bytes)", bars::bytes(group, &format!("{id}-b"), &format!("{}: code (bytes)", group.operation)), html! { "The size of each function in machine code." }))
            }
        }
        @if hidden > 0 { p class="note" { (plural(hidden, "slower plan")) " not drawn: see the complete table." } }
    }
}

/// A drawing between its title and its explanation.
fn figure_of(title: &str, drawing: Markup, explanation: Markup) -> Markup {
    html! { figure { p class="title" { (title) } (drawing) figcaption { (explanation) } } }
}
