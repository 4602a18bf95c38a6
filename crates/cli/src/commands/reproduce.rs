//! `evariste reproduce [NAME]`.

use evariste_report::significant;
use evariste_reproduce::{Drawing, Figure, Options, Panel, Progress, REPRODUCTIONS};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Reproduce;
use crate::commands::report::cannot_write;
use crate::failure::Failure;
use crate::progress::Bars;
use crate::session::Session;
use crate::tables::{fitted, table, wrapped};

/// A published figure, made anew; without a name, the list of them.
pub fn run(options: &Reproduce, session: &Session) -> Result<Answer, Failure> {
    let Some(name) = &options.name else { return Ok(list()) };
    let Some(reproduction) = evariste_reproduce::named(name) else {
        let names: Vec<&str> = REPRODUCTIONS.iter().map(|r| r.name).collect();
        return Err(Failure::usage(format!(
            "there is no reproduction called `{name}`\nhelp: there are {}",
            names.join(", ")
        )));
    };
    for file in options.csv.iter().chain(&options.html) {
        // Better now than after minutes.
        evariste_report::check(file).map_err(|error| cannot_write(file, &error))?;
    }
    let asked = Options { quick: options.quick, core: session.core()?.into() };
    let bars = Bars::new();
    let progress = |p: Progress| bars.set(p.stage, p.done, p.total);
    let made = reproduction.run(&asked, &progress)?;
    drop(bars);
    let mut answer = Answer::new(text(&made), serde_json::to_value(&made).unwrap_or(Value::Null));
    if options.quick {
        answer.text += "quick: few degrees, rough times\n";
    }
    answer.json["quick"] = options.quick.into();
    let pages = [
        ("csv", &options.csv, Figure::csv as fn(&Figure) -> String),
        ("html", &options.html, evariste_report::reproduction),
    ];
    for (what, file, render) in pages {
        let Some(file) = file else { continue };
        if let Err(error) = evariste_report::write(file, &render(&made)) {
            return Ok(answer.failed(cannot_write(file, &error)));
        }
        answer.text += &format!("{what:<4} {}\n", file.display());
        answer.json[what] = file.display().to_string().into();
    }
    Ok(answer)
}

fn list() -> Answer {
    let rows =
        REPRODUCTIONS.iter().map(|r| vec![r.name.to_string(), r.figure.to_string(), r.about.to_string()]).collect();
    let mut text = table(&["name", "figure", "what is shown"], rows);
    let mut papers: Vec<&str> = REPRODUCTIONS.iter().map(|r| r.paper).collect();
    papers.dedup();
    text += &papers.iter().map(|p| wrapped(&format!("of {p}\n"))).collect::<String>();
    let json: Vec<Value> = REPRODUCTIONS
        .iter()
        .map(|r| json!({ "name": r.name, "paper": r.paper, "figure": r.figure, "about": r.about }))
        .collect();
    Answer::new(text, json!({ "reproductions": json }))
}

/// The whole figure for the terminal.
fn text(f: &Figure) -> String {
    let mut text = wrapped(&format!("{}: {}\n{} of {}\n", f.name, f.title, f.figure, f.paper));
    if let Some(machine) = &f.machine {
        text += &wrapped(&format!("on {machine}\n"));
    }
    for p in &f.panels {
        text += &wrapped(&format!("\n{}: {}\n", p.title, p.y.text()));
        text += &panel(p);
    }
    if !f.comparisons.is_empty() {
        let rows = f.comparisons.iter().map(|c| vec![c.what.clone(), c.published.clone(), c.ours.clone()]).collect();
        text += &format!("\n{}", table(&["what", "published", "here"], rows));
    }
    text += &wrapped(&format!("\n{}\n{}\n", f.changed[0], f.changed[1]));
    for note in &f.notes {
        text += &wrapped(&format!("note: {note}\n"));
    }
    text
}

/// A panel's numbers: a row a place, a column a series.
fn panel(p: &Panel) -> String {
    let by_size = p.drawing == Drawing::Lines
        && p.series.iter().flat_map(|s| &s.points).any(|point| point.label != format!("m = {}", point.x));
    let series: Vec<_> = p.series.iter().filter(|s| !s.points.is_empty()).collect();
    if by_size {
        // Each series has places of its own.
        let rows: Vec<Vec<String>> = series
            .iter()
            .flat_map(|s| {
                s.points
                    .iter()
                    .map(|point| vec![s.name.clone(), point.label.clone(), significant(point.x), significant(point.y)])
            })
            .collect();
        return fitted(&["series", "of", &format!(">{}", p.x.text()), &format!(">{}", p.y.text())], &rows, &[]).0;
    }
    let headings: Vec<String> = series.iter().map(|s| format!(">{}", s.name)).collect();
    let headings: Vec<&str> = std::iter::once(p.x.name.as_str()).chain(headings.iter().map(String::as_str)).collect();
    let cell = |y: Option<f64>| y.map_or_else(|| "-".into(), significant);
    let rows: Vec<Vec<String>> = p
        .places()
        .into_iter()
        .map(|(x, label)| {
            let first = if p.drawing == Drawing::Bars { label.to_string() } else { x.to_string() };
            std::iter::once(first).chain(series.iter().map(|s| cell(s.at(x)))).collect()
        })
        .collect();
    fitted(&headings, &rows, &[]).0
}
