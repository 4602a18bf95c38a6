//! The table of verdicts, and its place in a document.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Verdict;

/// One algorithm.
#[derive(Clone, Default, Debug)]
pub struct Row {
    /// Kernels without fault.
    pub kernels: usize,
    /// Those of them that are proved.
    pub kernels_proved: usize,
    /// Those that are right on every input, but not proved.
    pub unproved: Vec<String>,
    /// Mutants judged.
    pub mutants: usize,
    /// Proved mutants (each right on every input).
    pub proved: usize,
    /// Refuted mutants.
    pub refuted: usize,
    /// Mutants that the structural verifier refuses.
    pub malformed: usize,
    /// Neither, though right on every input.
    pub unknown_right: usize,
    /// Neither, and wrong for some input that the search for counterexamples missed.
    pub unknown_wrong: usize,
}

impl Row {
    /// Counts a mutant.
    pub fn count(&mut self, verdict: &Verdict) {
        self.mutants += 1;
        match verdict {
            Verdict::Proved => self.proved += 1,
            Verdict::Refuted => self.refuted += 1,
            Verdict::Malformed => self.malformed += 1,
            Verdict::Unknown { right: true } => self.unknown_right += 1,
            Verdict::Unknown { right: false } => self.unknown_wrong += 1,
            Verdict::Contradiction(_) => {}
        }
    }

    /// Adds the counts of another row.
    pub fn add(&mut self, other: Row) {
        self.kernels += other.kernels;
        self.kernels_proved += other.kernels_proved;
        self.unproved.extend(other.unproved);
        self.mutants += other.mutants;
        self.proved += other.proved;
        self.refuted += other.refuted;
        self.malformed += other.malformed;
        self.unknown_right += other.unknown_right;
        self.unknown_wrong += other.unknown_wrong;
    }
}

/// The table as Markdown, with a line of sums.
pub fn markdown(rows: &BTreeMap<String, Row>) -> String {
    let mut text = String::from(
        "| algorithm | kernels | proved | mutants | malformed | proved | refuted | unknown, right | unknown, wrong |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut total = Row::default();
    let mut line = |name: &str, r: &Row| {
        let counts = [
            r.kernels,
            r.kernels_proved,
            r.mutants,
            r.malformed,
            r.proved,
            r.refuted,
            r.unknown_right,
            r.unknown_wrong,
        ];
        writeln!(text, "| {name} | {} |", counts.map(|c| c.to_string()).join(" | ")).expect("a string grows");
    };
    for (name, row) in rows {
        line(name, row);
        total.add(row.clone());
    }
    line("all", &total);
    text
}

/// What stands between two lines of a document: `<!-- name -->` and `<!-- end name -->`.
fn place(document: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end {name} -->"));
    let start = document.find(&open)? + open.len();
    Some(start..start + document[start..].find(&close)?)
}

/// Compares a text with what the document holds at that place; with `BLESS=1` the document is changed instead.
pub fn check(path: &std::path::Path, name: &str, text: &str) -> Result<(), String> {
    let document = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let place = place(&document, name).ok_or_else(|| format!("{} has no place for {name}", path.display()))?;
    if &document[place.clone()] == text {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        let mut changed = document;
        changed.replace_range(place, text);
        return std::fs::write(path, changed).map_err(|e| format!("{}: {e}", path.display()));
    }
    let kept: Vec<&str> = document[place].lines().collect();
    let lines: Vec<&str> = text.lines().collect();
    let gone = kept.iter().filter(|l| !lines.contains(l)).map(|l| format!("- {l}"));
    let new = lines.iter().filter(|l| !kept.contains(l)).map(|l| format!("+ {l}"));
    let difference: Vec<String> = gone.chain(new).collect();
    Err(format!("the table {name} has changed (BLESS=1 keeps the new one):\n{}", difference.join("\n")))
}
