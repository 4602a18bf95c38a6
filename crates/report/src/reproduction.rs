//! The page of a reproduction: what the paper has and what we have, drawings, what changed, all numbers.

use evariste_reproduce::{Figure, Panel};
use maud::{Markup, html};

use crate::curves;
use crate::numbers::{plural, significant};
use crate::page::whole;

/// One self-contained page about a published figure, made anew: its drawings, the paper's numbers beside ours, what
/// changed since, all numbers in tables, and what is missing and why.
///
/// A reproduced figure as a page; equal figures give equal pages.
pub fn reproduction(f: &Figure) -> String {
    let styles = curves::Styles::of(&f.panels);
    let page = whole(
        &format!("Évariste: {}", f.name),
        html! {
            header {
                h1 { (f.title) }
                p { (f.figure) " of " (f.paper) ", made anew." }
                @if let Some(machine) = &f.machine { p class="note" { (machine) } }
            }
            main {
                section {
                    h2 { "Since the paper" }
                    @for line in &f.changed { p { (line) } }
                    (comparisons(f))
                }
                @for (i, panel) in f.panels.iter().enumerate() { (section(panel, &styles, i)) }
                @if !f.notes.is_empty() {
                    section {
                        h2 { "Not here, and why" }
                        ul class="plans" { @for note in &f.notes { li { (note) } } }
                    }
                }
                section {
                    h2 { "How to do it again" }
                    pre { code { "evariste reproduce " (f.name) " --html " (f.name) ".html" } }
                }
            }
            footer { p { "Written by " code { "evariste reproduce" } ". This file needs nothing beside itself." } }
        },
    );
    page.into_string() + "\n"
}

fn comparisons(f: &Figure) -> Markup {
    html! {
        @if !f.comparisons.is_empty() {
            div class="scroll" tabindex="0" role="group" aria-label="Published and ours" {
                table {
                    thead { tr { th scope="col" { "what" } th scope="col" { "published" } th scope="col" { "here" } } }
                    tbody { @for c in &f.comparisons { tr { th scope="row" { (c.what) } td { (c.published) } td { (c.ours) } } } }
                }
            }
        }
    }
}

fn section(panel: &Panel, styles: &curves::Styles, number: usize) -> Markup {
    let places = panel.places();
    html! {
        section {
            h2 { (panel.title) }
            figure class="wide" { (curves::panel(panel, styles, &format!("p{number}"))) }
            (curves::legend(panel, styles))
            details {
                summary { "All numbers: " (plural(places.len(), "row")) }
                div class="scroll" tabindex="0" role="group" aria-label={ "Numbers of " (panel.title) } {
                    table class="complete" {
                        thead { tr { th scope="col" { (panel.x.text()) } th scope="col" { "" } @for s in &panel.series { th scope="col" class="n" { (s.name) " (" (s.origin.name()) ")" } } } }
                        tbody {
                            @for (x, label) in &places {
                                tr {
                                    th scope="row" { (significant(*x)) } td { (label) }
                                    @for s in &panel.series { td class="n" { (s.points.iter().find(|p| p.x == *x && p.label == *label).map_or_else(|| "–".into(), |p| significant(p.y))) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
