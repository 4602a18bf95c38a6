//! The table of verdicts, and its place in the record.

use std::collections::BTreeMap;
use std::path::Path;

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

/// The counts of a row, in the order of [`HEADINGS`].
fn counts(r: &Row) -> [usize; 8] {
    [r.kernels, r.kernels_proved, r.mutants, r.malformed, r.proved, r.refuted, r.unknown_right, r.unknown_wrong]
}

/// The columns after the algorithm's name.
const HEADINGS: [&str; 8] = [
    "kernels",
    "kernels proved",
    "mutants",
    "malformed",
    "proved",
    "refuted",
    "unknown and right",
    "unknown and wrong",
];

fn total(rows: &BTreeMap<String, Row>) -> Row {
    let mut total = Row::default();
    rows.values().for_each(|row| total.add(row.clone()));
    total
}

/// The table as comma-separated values, with a line of sums.
pub fn csv(rows: &BTreeMap<String, Row>) -> String {
    let mut text = format!("algorithm,{}\n", HEADINGS.join(","));
    for (name, row) in rows.iter().map(|(name, row)| (name.as_str(), row)).chain([("all", &total(rows))]) {
        text += &format!("{name},{}\n", counts(row).map(|c| c.to_string()).join(","));
    }
    text
}

/// The sums in a sentence.
pub fn summary(rows: &BTreeMap<String, Row>) -> String {
    let [kernels, proved_kernels, mutants, malformed, proved, refuted, right, wrong] = counts(&total(rows));
    format!(
        "{mutants} mutants of {kernels} kernels ({proved_kernels} of these are proved): {malformed} malformed, {proved} proved, {refuted} refuted, {right} unknown and right, {wrong} unknown and wrong."
    )
}

/// What stands between two lines of a document: `<!-- name -->` and `<!-- end name -->`.
fn place(document: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- end {name} -->"));
    let start = document.find(&open)? + open.len();
    Some(start..start + document[start..].find(&close)?)
}

/// The folder of the record for what is made here today: `record/2026-11-22-amd-epyc`.
fn folder() -> String {
    let mut machine = String::new();
    for c in evariste_run::Machine::detect().cpu.to_lowercase().chars().take(40) {
        match c {
            c if c.is_ascii_alphanumeric() => machine.push(c),
            _ if machine.ends_with('-') => {}
            _ => machine.push('-'),
        }
    }
    format!("record/{}-{}", evariste_tune::date::today(), machine.trim_matches('-'))
}

/// Compares a table with the one in the record that the document of the repository names at that place, and its sums
/// with the document; with `BLESS=1` a new one is put into the record, and its sums and name into the document.
pub fn check(root: &Path, name: &str, rows: &BTreeMap<String, Row>) -> Result<(), String> {
    let document = root.join("SOUNDNESS.md");
    let said = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(&document).map_err(|e| said(&document, e))?;
    let place = place(&text, name).ok_or_else(|| format!("SOUNDNESS.md has no place for {name}"))?;
    let linked = |file: &str| format!("{} By algorithm: [{file}]({file}).\n", summary(rows));
    let file = text[place.clone()].split(['(', ')']).find(|part| part.starts_with("record/")).unwrap_or_default();
    let kept = std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let table = csv(rows);
    if kept == table && text[place.clone()] == linked(file) {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        let file = format!("{}/{}.csv", folder(), name.replace(' ', "-"));
        let path = root.join(&file);
        std::fs::create_dir_all(path.parent().unwrap_or(root)).map_err(|e| said(&path, e))?;
        std::fs::write(&path, &table).map_err(|e| said(&path, e))?;
        let mut changed = text;
        changed.replace_range(place, &linked(&file));
        return std::fs::write(&document, changed).map_err(|e| said(&document, e));
    }
    let (before, now): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), table.lines().collect());
    let gone = before.iter().filter(|l| !now.contains(l)).map(|l| format!("- {l}"));
    let new = now.iter().filter(|l| !before.contains(l)).map(|l| format!("+ {l}"));
    let difference: Vec<String> = gone.chain(new).collect();
    Err(format!("the table {name} has changed (BLESS=1 keeps the new one):\n{}", difference.join("\n")))
}

/// What the record holds is what the document sums up; the tables are not made again.
#[test]
fn the_record_adds_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("SOUNDNESS.md")).expect("SOUNDNESS.md");
    for name in ["mutants", "mutants for lanes"] {
        let said = &text[place(&text, name).expect(name)];
        let file = said.split(['(', ')']).find(|part| part.starts_with("record/")).expect("a file");
        let table = std::fs::read_to_string(root.join(file)).expect(file);
        let mut rows = BTreeMap::new();
        let mut sums = Vec::new();
        for line in table.lines().skip(1) {
            let (name, numbers) = line.split_once(',').expect("a row");
            let n: Vec<usize> = numbers.split(',').map(|n| n.parse().expect("a number")).collect();
            let [kernels, kernels_proved, mutants, malformed, proved, refuted, unknown_right, unknown_wrong] =
                n.clone().try_into().expect("eight numbers");
            assert_eq!(mutants, n[3..].iter().sum::<usize>(), "{line}");
            let unproved = Vec::new();
            let row = Row {
                kernels,
                kernels_proved,
                unproved,
                mutants,
                proved,
                refuted,
                malformed,
                unknown_right,
                unknown_wrong,
            };
            if name == "all" { sums.push(row) } else { drop(rows.insert(name.to_string(), row)) }
        }
        assert_eq!(csv(&rows), table, "the last line is the sum");
        assert_eq!(said, format!("{} By algorithm: [{file}]({file}).\n", summary(&rows)));
        assert_eq!(sums.len(), 1);
    }
}
