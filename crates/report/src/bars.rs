//! Drawings of bars: one row a plan, the rows of neighbouring drawings at equal heights, so that they can be read
//! across.

use evariste_tune::Candidate;
use evariste_tune::ranking::Code;
use maud::{Markup, html};

use crate::numbers::{bound, count, figure, plural};
use crate::rows::{Group, Layout, Plan, algorithm};
use crate::svg::{AXIS, Scale, WIDTH, bar, drawing, fitted, line, text, value_axis};

/// Plans of a group that are drawn; all are in the table.
pub const DRAWN: usize = 12;

/// A plan's name above its bars, each bar, the gap below.
const NAME: f64 = 16.0;
const BAR: f64 = 13.0;
const GAP: f64 = 8.0;
/// Where bars begin beside the kind of code, and where they end beside the numbers.
const CODE_END: f64 = 46.0;
const VALUE_START: f64 = 284.0;

/// The class that colours a kind of code.
pub fn code_class(code: Option<Code>) -> &'static str {
    match code {
        Some(code) if code.entry().kind.is_machine_code() => "machine",
        Some(_) => "compiled",
        None => "none",
    }
}

/// The kind of code in words.
pub fn code_text(code: Option<Code>) -> String {
    code.map_or_else(|| "none".into(), |c| c.to_string())
}

/// Each plan's top, and the bottom of all.
fn places<'a, 'b>(plans: &'b [Plan<'a>]) -> (Vec<(f64, &'b Plan<'a>)>, f64) {
    let mut y = 0.0;
    let mut rows = Vec::new();
    for plan in plans {
        rows.push((y, plan));
        y += NAME + BAR * plan.candidates.len() as f64 + GAP;
    }
    (rows, y)
}

fn drawn<'a, 'b>(group: &'b Group<'a>) -> &'b [Plan<'a>] {
    &group.plans[..group.plans.len().min(DRAWN)]
}

fn name(plan: &Plan, y: f64) -> Markup {
    html! { g { title { (plan.kernel().plan) } (text("name", "start", 0.0, y + 12.0, &fitted(algorithm(&plan.kernel().plan), WIDTH))) } }
}

/// Rows of one bar a candidate: `value` is what the bar shows, `mark` a tick across it, `words` the number beside it,
/// `hover` its title.
struct CandidateBars<'f> {
    value: &'f dyn Fn(&Candidate) -> Option<f64>,
    mark: &'f dyn Fn(&Candidate) -> Option<f64>,
    words: &'f dyn Fn(&Candidate) -> String,
    hover: &'f dyn Fn(&Candidate) -> String,
    unit: &'f str,
}

impl CandidateBars<'_> {
    fn draw(&self, group: &Group, id: &str, title: &str, description: &str) -> Markup {
        let (rows, bottom) = places(drawn(group));
        let all = || drawn(group).iter().flat_map(|p| p.candidates.iter().copied());
        let most = all().flat_map(|c| [(self.value)(c), (self.mark)(c)]).flatten().fold(0.0, f64::max);
        let scale = Scale::from_zero(most, CODE_END, VALUE_START - 8.0);
        let parts = html! {
            (value_axis(&scale, 0.0, bottom, self.unit))
            @for (y, plan) in rows {
                (name(plan, y))
                @for (i, c) in plan.candidates.iter().enumerate() {
                    @let top = y + NAME + BAR * i as f64;
                    (text("code", "end", CODE_END - 5.0, top + 9.5, &code_text(c.code)))
                    @if let Some(x) = (self.value)(c) {
                        (bar(code_class(c.code), (CODE_END, top), (scale.at(x) - CODE_END, BAR - 2.0), &(self.hover)(c)))
                    }
                    @if let Some(x) = (self.mark)(c) {
                        g { title { (format!("{}: bound {} cycles", c.plan, figure(x))) } (tick(scale.at(x), top)) }
                    }
                    (text("value", "end", WIDTH, top + 9.5, &(self.words)(c)))
                }
            }
        };
        drawing(id, title, description, bottom + AXIS, parts)
    }
}

/// The line of a bound across a bar, in the colour of texts on that of the ground, so that it is seen on any bar.
fn tick(x: f64, top: f64) -> Markup {
    let (from, to) = ((x, top - 1.0), (x, top + BAR - 1.0));
    html! { (line("halo", from, to)) (line("bound", from, to)) }
}

/// Throughput of each candidate against its bound.
pub fn throughput(group: &Group, id: &str, title: &str) -> Markup {
    let words = |c: &Candidate| match (c.throughput_cycles, c.percent_of_bound) {
        (Some(x), Some(p)) => format!("{} · {p:.0} %", figure(x)),
        (Some(x), None) => figure(x),
        _ => "not measured".into(),
    };
    let hover = |c: &Candidate| {
        let cycles = c.throughput_cycles.map_or_else(String::new, figure);
        format!("{} ({}): {cycles} cycles measured, {}", c.plan, code_text(c.code), bound(c, ""))
    };
    let bars = CandidateBars {
        value: &|c| c.throughput_cycles,
        mark: &Candidate::bound,
        words: &words,
        hover: &hover,
        unit: "cycles per element, independent operations",
    };
    bars.draw(group, id, title, &fastest(group))
}

/// What the drawing of throughput shows, in a sentence.
fn fastest(group: &Group) -> String {
    let all = group.plans.iter().flat_map(|p| &p.candidates);
    let best = all.filter_map(|c| Some((c.throughput_cycles?, c))).min_by(|a, b| a.0.total_cmp(&b.0));
    let plans = plural(drawn(group).len(), "plan");
    match best {
        Some((cycles, c)) => format!(
            "{plans} drawn, the fastest first. The fastest is {} as {}: {} cycles measured, {}.",
            c.plan,
            code_text(c.code),
            figure(cycles),
            bound(c, " cycles")
        ),
        None => format!("{plans} drawn by bound; nothing was measured."),
    }
}

/// Bytes of machine code of each candidate.
pub fn bytes(group: &Group, id: &str, title: &str) -> Markup {
    let hover =
        |c: &Candidate| format!("{} ({}): {} bytes of machine code", c.plan, code_text(c.code), count(c.code_bytes));
    let bars = CandidateBars {
        value: &|c| c.code_bytes.map(|b| b as f64),
        mark: &|_| None,
        words: &|c| c.code_bytes.map_or_else(|| "no code".into(), |b| b.to_string()),
        hover: &hover,
        unit: "bytes of machine code",
    };
    let all = || group.plans.iter().flat_map(|p| &p.candidates).filter_map(|c| c.code_bytes);
    let range = all()
        .min()
        .zip(all().max())
        .map_or_else(|| "No code was made.".into(), |(a, b)| format!("From {a} to {b} bytes."));
    bars.draw(group, id, title, &range)
}

/// Products, additions and moves of each plan, one after the other.
pub fn operation_mix(group: &Group, id: &str, title: &str) -> Markup {
    let (rows, bottom) = places(drawn(group));
    let counts = |c: &Candidate| [("products", c.multiplications), ("additions", c.additions), ("moves", c.moves)];
    let most = drawn(group).iter().map(|p| counts(p.kernel()).iter().map(|(_, n)| *n as f64).sum()).fold(0.0, f64::max);
    // The numbers stand to the right of the bars, as wide as they are.
    let numbers = |c: &Candidate| counts(c).map(|(_, n)| n.to_string()).join(" · ");
    let longest = drawn(group).iter().map(|p| numbers(p.kernel()).chars().count()).max().unwrap_or(0);
    let scale = Scale::from_zero(most, 8.0, WIDTH - 6.2 * longest as f64 - 10.0);
    let parts = html! {
        (value_axis(&scale, 0.0, bottom, "word operations of one element operation"))
        @for (y, plan) in rows {
            (name(plan, y))
            @let row = plan.kernel();
            @let top = y + NAME;
            @let height = BAR * plan.candidates.len() as f64 - 2.0;
            @for (i, (what, n)) in counts(row).into_iter().enumerate() {
                @let before: u64 = counts(row)[..i].iter().map(|(_, n)| n).sum();
                @if n > 0 {
                    (bar(what, (scale.at(before as f64), top), (scale.at((before + n) as f64) - scale.at(before as f64), height), &format!("{}: {n} {what}", row.plan)))
                }
            }
            (text("value", "end", WIDTH, top + height / 2.0 + 4.0, &numbers(row)))
        }
    };
    let description = match group.plans.first() {
        Some(first) => {
            format!("Products, additions and moves, counted. {}: {}.", first.kernel().plan, numbers(first.kernel()))
        }
        None => "No plan was proved.".into(),
    };
    drawing(id, title, &description, bottom + AXIS, parts)
}

/// Time of the mix in each layout that was measured whole.
pub fn layouts(list: &[Layout], id: &str, title: &str) -> Markup {
    let rows: Vec<(&Layout, f64)> = list.iter().filter_map(|l| Some((l, l.mix_ns?))).collect();
    let most = rows.iter().map(|(_, ns)| *ns).fold(0.0, f64::max);
    let scale = Scale::from_zero(most, 8.0, VALUE_START + 16.0);
    let height = NAME + BAR + GAP;
    let bottom = height * rows.len() as f64;
    let parts = html! {
        (value_axis(&scale, 0.0, bottom, "nanoseconds for the mix"))
        @for (i, (layout, ns)) in rows.iter().enumerate() {
            @let y = height * i as f64;
            (text("name", "start", 0.0, y + 12.0, &fitted(layout.name, WIDTH)))
            (bar(if i == 0 { "best" } else { "other" }, (8.0, y + NAME), (scale.at(*ns) - 8.0, BAR - 2.0), &format!("{}: {}; {} ns", layout.name, layout.description, figure(*ns))))
            (text("value", "end", WIDTH, y + NAME + 9.5, &figure(*ns)))
        }
    };
    let description = rows.first().map_or_else(String::new, |(l, ns)| {
        format!("{} is the fastest of {}: {} ns for the mix.", l.name, plural(rows.len(), "layout"), figure(*ns))
    });
    drawing(id, title, &description, bottom + AXIS, parts)
}
