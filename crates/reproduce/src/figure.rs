//! What a reproduction gives: plain data, which a table, a file of comma-separated values, JSON and a drawing show.

use serde::Serialize;

/// Where the numbers of a series come from. Kinds are never mixed in a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Taken on this machine, now.
    Measured,
    /// Counted in the proved or verified kernel, in its code, or while it ran.
    Counted,
    /// Cycles by a simulator of another processor.
    Simulated,
    /// No code of this kernel can be faster, by a machine's table; or a formula that the paper states as a bound.
    Bound,
    /// A number of the paper.
    Published,
}

impl Origin {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Measured => "measured",
            Origin::Counted => "counted",
            Origin::Simulated => "simulated",
            Origin::Bound => "bound",
            Origin::Published => "published",
        }
    }
}

/// What an axis shows.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Axis {
    /// `degree m`.
    pub name: String,
    /// `ns`, `bytes`, `gates`; empty for a number without.
    pub unit: String,
}

impl Axis {
    /// An axis.
    pub fn new(name: &str, unit: &str) -> Axis {
        Axis { name: name.into(), unit: unit.into() }
    }

    /// Both, as a drawing writes them.
    pub fn text(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.unit) }
    }
}

/// A point.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// What the point is about, where x does not say it: `m = 29`, a multiplier.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Place on the first axis; on panels of bars the number of the bar.
    pub x: f64,
    /// The value.
    pub y: f64,
}

/// Points of one thing, by x.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Series {
    /// What it is: a multiplier, a class of instructions.
    pub name: String,
    /// What its numbers are.
    pub origin: Origin,
    /// The points.
    pub points: Vec<Point>,
}

impl Series {
    /// The value at this x.
    pub fn at(&self, x: f64) -> Option<f64> {
        self.points.iter().find(|p| p.x == x).map(|p| p.y)
    }
}

/// How a panel is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Drawing {
    /// A line a series, through its points.
    Lines,
    /// A bar an x, its series one after the other.
    Bars,
}

/// One drawing of a figure.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Panel {
    /// What is shown: `C, 64 lanes`.
    pub title: String,
    /// How.
    pub drawing: Drawing,
    /// The first axis.
    pub x: Axis,
    /// The second axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
}

/// A number of the paper, with what this run gives for it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// What it is about.
    pub what: String,
    /// As the paper has it.
    pub published: String,
    /// As this run has it.
    pub ours: String,
}

/// A published figure, made anew.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// The reproduction's name.
    pub name: String,
    /// The paper: authors, title, year.
    pub paper: String,
    /// Which of its figures or tables.
    pub figure: String,
    /// What is shown.
    pub title: String,
    /// Machine, compiler and how it was measured; `None` where nothing was.
    pub machine: Option<String>,
    /// The drawings.
    pub panels: Vec<Panel>,
    /// Numbers of the paper beside ours.
    pub comparisons: Vec<Comparison>,
    /// What has changed since the paper: two lines.
    pub changed: [String; 2],
    /// What is missing and why.
    pub notes: Vec<String>,
}

impl Figure {
    /// Every point as comma-separated values: a header, then a line a point.
    pub fn csv(&self) -> String {
        let mut text = "panel,series,kind,label,x,x_axis,y,y_axis\n".to_string();
        for panel in &self.panels {
            for series in &panel.series {
                for p in &series.points {
                    let cells = [
                        &panel.title,
                        &series.name,
                        series.origin.name(),
                        &p.label,
                        &p.x.to_string(),
                        &panel.x.text(),
                        &p.y.to_string(),
                        &panel.y.text(),
                    ];
                    text += &cells.map(quoted).join(",");
                    text.push('\n');
                }
            }
        }
        text
    }
}

impl Panel {
    /// Bars of machines: those of a paper, then what was measured here.
    pub(crate) fn of_machines(
        title: &str,
        (what, unit): (&str, &str),
        published: Vec<(String, f64)>,
        measured: Vec<(String, f64)>,
    ) -> Panel {
        let bars = |origin: Origin, from: usize, all: Vec<(String, f64)>| Series {
            name: origin.name().into(),
            origin,
            points: all
                .into_iter()
                .enumerate()
                .map(|(i, (label, y))| Point { label, x: (from + i) as f64, y })
                .collect(),
        };
        let from = published.len();
        Panel {
            title: title.into(),
            drawing: Drawing::Bars,
            x: Axis::new("machine", ""),
            y: Axis::new(what, unit),
            series: vec![bars(Origin::Published, 0, published), bars(Origin::Measured, from, measured)],
        }
    }

    /// All x with the label of a point there, in ascending order.
    pub fn places(&self) -> Vec<(f64, &str)> {
        let mut all: Vec<(f64, &str)> =
            self.series.iter().flat_map(|s| s.points.iter().map(|p| (p.x, p.label.as_str()))).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by(|b, a| a.0 == b.0 && a.1 == b.1);
        all
    }
}

/// A cell: in quotes where a comma or a quote asks for them (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.into() }
}
