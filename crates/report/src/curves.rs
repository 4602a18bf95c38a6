//! Panels of reproductions: lines through points, or bars of classes one after the other.

use evariste_reproduce::{Drawing, Origin, Panel, Series};
use maud::{Markup, html};

use crate::numbers::{plural, significant};
use crate::svg::{AXIS, Scale, at, bar, fitted, line, sized_drawing, spread_wide, text, tick_text, value_axis};

/// Width of these drawings: a page's column.
const WIDE: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDE - 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = HEIGHT - 44.0;
/// Colours that the style has.
const COLOURS: usize = 8;
/// Dashes that the style has for what was measured or counted, and for what was published or is a bound.
const DASHES: [usize; 4] = [0, 1, 2, 4];
const DASHES_GIVEN: usize = 3;

/// Colour and dashes of every series of a figure, by name: the same in all its panels. What is named as another one with
/// an ending (`aesmpo-unrolled` beside `aesmpo`) has its colour and other dashes.
pub struct Styles<'a> {
    all: Vec<(&'a str, usize, usize)>,
}

impl<'a> Styles<'a> {
    /// The styles of these panels.
    pub fn of(panels: &'a [Panel]) -> Styles<'a> {
        let mut styles = Styles { all: Vec::new() };
        for series in panels.iter().flat_map(|panel| &panel.series) {
            if styles.all.iter().all(|(name, ..)| *name != series.name) {
                let (colour, dashes) = styles.free(series);
                styles.all.push((&series.name, colour, dashes));
            }
        }
        styles
    }

    /// A colour and dashes that no series has; when all are taken, those of the first ones again.
    fn free(&self, series: &Series) -> (usize, usize) {
        let is_part = |name: &str| series.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
        let family = self.all.iter().find(|(name, ..)| is_part(name)).map(|(_, colour, _)| *colour);
        let heads = self.all.iter().map(|(_, colour, _)| colour + 1).max().unwrap_or(0);
        let wanted: &[usize] = match series.origin {
            Origin::Published | Origin::Bound => &[DASHES_GIVEN],
            _ => &DASHES,
        };
        let taken = |colour: usize, dashes: usize| self.all.iter().any(|(_, c, d)| (*c, *d) == (colour, dashes));
        let first = if heads < COLOURS { vec![heads] } else { Vec::new() };
        let colours = family.into_iter().chain(first).chain(0..COLOURS);
        let mut pairs = colours.flat_map(|colour| wanted.iter().map(move |dashes| (colour, *dashes)));
        pairs.find(|(colour, dashes)| !taken(*colour, *dashes)).unwrap_or((self.all.len() % COLOURS, wanted[0]))
    }

    /// The classes of a series.
    fn class(&self, series: &Series) -> String {
        let style = self.all.iter().find(|(name, ..)| *name == series.name);
        let (_, colour, dashes) = style.copied().unwrap_or(("", 0, 0));
        format!("c{colour} d{dashes}")
    }
}

/// The drawing of a panel.
pub fn panel(panel: &Panel, styles: &Styles, id: &str) -> Markup {
    match panel.drawing {
        Drawing::Lines => lines(panel, styles, id),
        Drawing::Bars => bars(panel, styles, id),
    }
}

/// Names beside their colours, and what kind of numbers they are.
pub fn legend(panel: &Panel, styles: &Styles) -> Markup {
    html! {
        p class="legend" {
            @for series in panel.series.iter().filter(|s| !s.points.is_empty()) {
                span class="key" {
                    svg class="sample" viewBox="0 0 24 10" width="24" height="10" aria-hidden="true" {
                        @if panel.drawing == Drawing::Lines { (line(&format!("curve {}", styles.class(series)), (1.0, 5.0), (23.0, 5.0))) }
                        @else { rect class={ "part " (styles.class(series)) } x="1" y="0" width="22" height="10" {} }
                    }
                    " " (series.name) " (" (series.origin.name()) ")"
                }
            }
        }
    }
}

fn lines(panel: &Panel, styles: &Styles, id: &str) -> Markup {
    let all = || panel.series.iter().flat_map(|s| &s.points);
    let (xs, ys): (Vec<f64>, Vec<f64>) = all().map(|p| (p.x, p.y)).unzip();
    // Both or none, so that a power is a straight line.
    let log = spread_wide(&xs) || spread_wide(&ys);
    let (x, y) = (Scale::around(&xs, log, LEFT, RIGHT), Scale::around(&ys, log, BOTTOM, TOP));
    let kind = |scale: &Scale| if scale.is_log() { ", logarithmic" } else { "" };
    let parts = html! {
        @for v in x.ticks() {
            (line("grid", (x.at(v), TOP), (x.at(v), BOTTOM)))
            (text("tick", "middle", x.at(v), BOTTOM + 15.0, &tick_text(v)))
        }
        @for v in y.ticks() {
            (line("grid", (LEFT, y.at(v)), (RIGHT, y.at(v))))
            (text("tick", "end", LEFT - 6.0, y.at(v) + 4.0, &tick_text(v)))
        }
        (text("unit", "middle", (LEFT + RIGHT) / 2.0, BOTTOM + 34.0, &format!("{}{}", panel.x.text(), kind(&x))))
        text class="unit" text-anchor="middle" x="0" y="0" transform=(format!("translate(11 {}) rotate(-90)", at((TOP + BOTTOM) / 2.0))) { (panel.y.text()) (kind(&y)) }
        @for series in panel.series.iter().filter(|s| !s.points.is_empty()) {
            @let path: Vec<String> = series.points.iter().map(|p| format!("{},{}", at(x.at(p.x)), at(y.at(p.y)))).collect();
            polyline class={ "curve " (styles.class(series)) } points=(path.join(" ")) { title { (series.name) } }
            @for p in series.points.iter().filter(|_| !matches!(series.origin, Origin::Published | Origin::Bound)) {
                circle class={ "dot " (styles.class(series)) } cx=(at(x.at(p.x))) cy=(at(y.at(p.y))) r="2.6" {
                    title { (series.name) ", " (p.label) ": " (panel.x.name) " " (significant(p.x)) ", " (panel.y.name) " " (significant(p.y)) " " (panel.y.unit) }
                }
            }
        }
    };
    let drawn = panel.series.iter().filter(|s| !s.points.is_empty()).count();
    let description = format!(
        "{} over {}: {}, {}. All numbers are in the table below.",
        panel.y.text(),
        panel.x.text(),
        plural(drawn, "curve"),
        plural(xs.len(), "point")
    );
    sized_drawing(id, &panel.title, &description, (WIDE, HEIGHT), parts)
}

fn bars(panel: &Panel, styles: &Styles, id: &str) -> Markup {
    const ROW: f64 = 20.0;
    const NAMES: f64 = 190.0;
    let rows = panel.places();
    let total = |x: f64| panel.series.iter().filter_map(|s| s.at(x)).sum::<f64>();
    let most = rows.iter().map(|(x, _)| total(*x)).fold(0.0, f64::max);
    let scale = Scale::from_zero(most, NAMES, WIDE - 64.0);
    let bottom = ROW * rows.len() as f64;
    let parts = html! {
        (value_axis(&scale, 0.0, bottom, &panel.y.text()))
        @for (row, (x, label)) in rows.iter().enumerate() {
            @let top = ROW * row as f64;
            (text("name", "end", NAMES - 8.0, top + 13.0, &fitted(label, NAMES)))
            @for (i, series) in panel.series.iter().enumerate() {
                @let before: f64 = panel.series[..i].iter().filter_map(|s| s.at(*x)).sum();
                @if let Some(n) = series.at(*x).filter(|n| *n > 0.0) {
                    (bar(&format!("part {}", styles.class(series)), (scale.at(before), top + 3.0), (scale.at(before + n) - scale.at(before), ROW - 6.0), &format!("{label}: {n} {}", series.name)))
                }
            }
            (text("value", "end", WIDE, top + 13.0, &format!("{}", total(*x))))
        }
    };
    sized_drawing(
        id,
        &panel.title,
        &format!(
            "{} of {}, by class. All numbers are in the table below.",
            panel.y.text(),
            plural(rows.len(), "multiplier")
        ),
        (WIDE, bottom + AXIS),
        parts,
    )
}
