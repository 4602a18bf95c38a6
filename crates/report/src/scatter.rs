//! Latency against throughput: a point a candidate.

use evariste_tune::{Candidate, Ranking};
use maud::{Markup, html};

use crate::bars::{code_class, code_text};
use crate::numbers::{figure, plural};
use crate::svg::{Scale, WIDTH, at, drawing, line, spread_wide, text, tick_text};

const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 44.0;

/// The candidates of an operation that have both numbers, those of the best layout last so that they lie on top.
pub fn points<'a>(ranking: &'a Ranking, operation: &str) -> Vec<(f64, f64, &'a Candidate)> {
    let best = ranking.best_layout().map(|l| l.layout.as_str());
    let rows = ranking.candidates.iter().filter(|c| c.operation == operation);
    let mut points: Vec<_> = rows.filter_map(|c| Some((c.throughput_cycles?, c.latency_cycles?, c))).collect();
    points.sort_by_key(|(_, _, c)| Some(c.layout.as_str()) == best);
    points
}

/// The drawing.
pub fn scatter(ranking: &Ranking, operation: &str, id: &str, title: &str) -> Markup {
    let points = points(ranking, operation);
    let best = ranking.best_layout();
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p.0, p.1)).unzip();
    // Both or none, so that a constant ratio is a straight line.
    let log = spread_wide(&xs) || spread_wide(&ys);
    let (x, y) = (Scale::around(&xs, log, LEFT, RIGHT), Scale::around(&ys, log, BOTTOM, TOP));
    let wins = |c: &Candidate| {
        best.is_some_and(|l| {
            l.layout == c.layout
                && l.throughput.iter().any(|w| {
                    w.operation == c.operation && w.plan == c.plan && Some(w.code) == c.code && w.searched == c.searched
                })
        })
    };
    let kind = |scale: &Scale| if scale.is_log() { ", logarithmic" } else { "" };
    let middle = (TOP + BOTTOM) / 2.0;
    let parts = html! {
        @for v in x.ticks() {
            (line("grid", (x.at(v), TOP), (x.at(v), BOTTOM)))
            (text("tick", "middle", x.at(v), BOTTOM + 15.0, &tick_text(v)))
        }
        @for v in y.ticks() {
            (line("grid", (LEFT, y.at(v)), (RIGHT, y.at(v))))
            (text("tick", "end", LEFT - 6.0, y.at(v) + 4.0, &tick_text(v)))
        }
        (text("unit", "middle", (LEFT + RIGHT) / 2.0, BOTTOM + 34.0, &format!("throughput: cycles per element{}", kind(&x))))
        text class="unit" text-anchor="middle" x="0" y="0" transform=(format!("translate(11 {}) rotate(-90)", at(middle))) { "latency: cycles" (kind(&y)) }
        @for (cycles, latency, c) in &points {
            @let (px, py) = (x.at(*cycles), y.at(*latency));
            @let other = best.is_some_and(|l| l.layout != c.layout);
            g class={ "point " (code_class(c.code)) @if other { " hollow" } } {
                title { (c.plan) " (" (code_text(c.code)) "): throughput " (figure(*cycles)) ", latency " (figure(*latency)) " cycles" }
                @if code_class(c.code) == "compiled" {
                    rect x=(at(px - 4.0)) y=(at(py - 4.0)) width="8" height="8" {}
                } @else {
                    circle cx=(at(px)) cy=(at(py)) r="4.5" {}
                }
                @if wins(c) { circle class="ring" cx=(at(px)) cy=(at(py)) r="8.5" {} }
            }
        }
    };
    let winner = points.iter().find(|(_, _, c)| wins(c));
    let winner = winner.map_or_else(String::new, |(t, l, c)| {
        format!(
            " The winner by throughput, {} as {}: throughput {}, latency {} cycles.",
            c.plan,
            code_text(c.code),
            figure(*t),
            figure(*l)
        )
    });
    drawing(id, title, &format!("{} measured.{winner}", plural(points.len(), "candidate")), HEIGHT, parts)
}
