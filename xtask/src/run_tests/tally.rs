//! Counting what test programs print when they are run with `--show-output`, and what the judges of the sources say.
//!
//! A test that cannot run here prints a line `SKIP: <what> (hardware: <feature>)` or `SKIP: <what> (tool: <name>)`, by
//! the functions of `evariste_testing`. It is counted as skipped, not as passed. A missing processor feature is never a
//! failure, and is counted by feature; whatever else is missing can be installed, and is a failure when `CI=true`.
//!
//! A test whose code of a feature level ran in the emulator, for want of such a processor, prints `EMULATED: <level>`: it
//! has passed, and the last line counts these levels.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::jobs::{End, Outcome};

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    ignored: usize,
    /// Tests that wait for their day.
    waiting: usize,
    /// Results that were printed: a program that died prints none.
    results: usize,
    /// What did not end as it should, beside failed tests.
    broken: Vec<String>,
    /// How long each test took, by program and name.
    durations: Vec<(String, String, Duration)>,
    /// The test whose output is being shown, in the program being shown.
    section: Option<String>,
    /// Failed tests of the program being shown.
    failures: BTreeSet<String>,
    /// Skips of the program being shown, by test; the empty name is for lines outside any test's output.
    skips: BTreeMap<String, BTreeSet<String>>,
    /// Skips of all programs before: the lines of each skipped test, and whether it was counted as passed.
    skipped: Vec<(BTreeSet<String>, bool)>,
    /// Feature levels that this processor has not.
    emulated: BTreeSet<String>,
}

/// The end of a test run.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// Tests that ran and passed.
    pub passed: usize,
    /// Tests that failed, programs that died, skips that count as failures.
    pub failed: usize,
    /// Tests that could not run here.
    pub skipped: usize,
    /// Feature levels whose code ran in the emulator alone.
    pub emulated: usize,
    /// Slow tests whose day is another.
    pub waiting: usize,
    /// One line for each thing to know.
    pub notes: Vec<String>,
}

impl Tally {
    /// Takes all that a job said.
    pub fn job(&mut self, outcome: &Outcome) {
        self.durations.extend(outcome.tests.iter().map(|(test, taken)| (outcome.name.clone(), test.clone(), *taken)));
        match &outcome.end {
            End::Verdict(true) => self.passed += 1,
            End::Verdict(false) => {
                self.failed += 1;
                self.broken.push(format!("{} failed: see above", outcome.name));
            }
            End::Lacks(tool) => {
                self.skipped.push((BTreeSet::from([format!("SKIP: {} (tool: {tool})", outcome.name)]), false));
            }
            End::Tests { success, status } => {
                let before = (self.results, self.failed);
                outcome.lines.iter().for_each(|line| self.output_line(line));
                // A program that dies prints no result; a doc test that does not build fails without one.
                if self.results == before.0 || (!success && self.failed == before.1) {
                    self.failed += 1;
                    self.broken.push(format!("{} ended without a result ({status})", outcome.name));
                }
                // Skips of a program that died have no result line after them.
                self.skipped.extend(std::mem::take(&mut self.skips).into_values().map(|lines| (lines, false)));
                self.failures.clear();
                self.section = None;
            }
        }
    }

    /// How long each test took, with its program; a judge is a program without tests, which is left out.
    pub fn durations(&self) -> impl Iterator<Item = (&str, &str, Duration)> {
        let all = self.durations.iter().map(|(program, test, taken)| (&**program, &**test, *taken));
        all.filter(|(_, test, _)| !test.is_empty())
    }

    /// The test programs could not be built.
    pub fn failed_build(&mut self) {
        self.failed += 1;
        self.broken.push("the test programs cannot be built: see above".to_string());
    }

    /// Takes a line of a test program's output.
    fn output_line(&mut self, line: &str) {
        let line = line.trim_end_matches('\r');
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.section = Some(name.to_string());
        } else if matches!(line, "successes:" | "failures:") {
            self.section = None;
        } else if line.starts_with("SKIP: ") {
            self.skips.entry(self.section.clone().unwrap_or_default()).or_default().insert(line.to_string());
        } else if let Some(level) = line.strip_prefix("EMULATED: ") {
            self.emulated.insert(level.to_string());
        } else if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            self.failures.insert(name.to_string());
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.result_line(counts);
        }
    }

    /// `ok. 3 passed; 0 failed; 0 ignored; …`: the end of a test program.
    fn result_line(&mut self, counts: &str) {
        let count = |what: &str| {
            let before = counts.split(&format!(" {what}")).next().unwrap_or("");
            before.rsplit(' ').next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0)
        };
        self.results += 1;
        self.passed += count("passed");
        self.failed += count("failed");
        self.ignored += count("ignored");
        self.waiting += count("filtered out");
        self.section = None;
        for (test, lines) in std::mem::take(&mut self.skips) {
            // A test that skips a part and fails in another has failed.
            if !self.failures.contains(&test) {
                self.skipped.push((lines, !test.is_empty()));
            }
        }
        self.failures.clear();
    }

    /// The counts, given whether this is a run that may not lack tools.
    pub fn summary(mut self, no_tool_may_lack: bool) -> Summary {
        let mut summary = Summary {
            passed: self.passed,
            failed: self.failed,
            skipped: self.ignored,
            emulated: self.emulated.len(),
            waiting: self.waiting,
            notes: self.slowest(),
        };
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        let mut features: BTreeMap<String, usize> = BTreeMap::new();
        for (skips, counted_as_passed) in self.skipped {
            summary.passed -= usize::from(counted_as_passed && summary.passed > 0);
            let lacks_tool = skips.iter().any(|line| missing_feature(line).is_none());
            let missing: BTreeSet<&str> = skips.iter().filter_map(|line| missing_feature(line)).collect();
            missing.into_iter().for_each(|feature| *features.entry(feature.to_string()).or_default() += 1);
            *(if no_tool_may_lack && lacks_tool { &mut summary.failed } else { &mut summary.skipped }) += 1;
            for line in skips {
                *lines.entry(line).or_default() += 1;
            }
        }
        summary
            .notes
            .extend(lines.into_iter().map(|(line, times)| if times > 1 { format!("{line} ×{times}") } else { line }));
        if self.ignored > 0 {
            summary.notes.push(format!("{} tests are marked as ignored", self.ignored));
        }
        if no_tool_may_lack && summary.failed > self.failed {
            summary.notes.push("CI=true: a test that a missing tool skips is a failure".to_string());
        }
        if !features.is_empty() {
            let counts: Vec<String> = features.iter().map(|(feature, tests)| format!("{feature} ({tests})")).collect();
            summary.notes.push(format!("skipped for want of processor features: {}", counts.join(", ")));
        }
        if !self.emulated.is_empty() {
            let levels: Vec<String> = self.emulated.into_iter().collect();
            summary.notes.push(format!("feature levels that this processor has not: {}", levels.join("; ")));
        }
        summary.notes.append(&mut self.broken);
        summary
    }

    /// The slowest tests, one a line.
    fn slowest(&mut self) -> Vec<String> {
        if self.durations.is_empty() {
            return Vec::new();
        }
        self.durations.sort_by(|a, b| b.2.cmp(&a.2).then((&a.0, &a.1).cmp(&(&b.0, &b.1))));
        let line = |(program, test, taken): &(String, String, Duration)| {
            format!("{:>7.1} {program} {test}", taken.as_secs_f64()).trim_end().to_string()
        };
        let title = "the slowest tests, in seconds by the clock, beside others:".to_string();
        [title].into_iter().chain(self.durations.iter().take(SLOWEST).map(line)).collect()
    }
}

/// The processor feature whose lack a line tells of.
fn missing_feature(line: &str) -> Option<&str> {
    let (_, why) = line.rsplit_once("(hardware: ")?;
    why.strip_suffix(')')
}

impl Summary {
    /// The notes, then the line of counts.
    pub fn text(&self) -> String {
        let mut text: String = self.notes.iter().map(|note| format!("{note}\n")).collect();
        text.push_str(&format!("{} passed, {} failed", self.passed, self.failed));
        if self.skipped > 0 {
            text.push_str(&format!(", {} skipped", self.skipped));
        }
        if self.emulated > 0 {
            text.push_str(&format!(", {} feature levels emulated", self.emulated));
        }
        if self.waiting > 0 {
            text.push_str(&format!(", {} on other days", self.waiting));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that printed this.
    fn outcome(output: &str, success: bool) -> Outcome {
        Outcome {
            name: "a tests/all".to_string(),
            lines: output.lines().map(str::to_string).collect(),
            end: End::Tests { success, status: "signal 11".to_string() },
            taken: Duration::ZERO,
            tests: Vec::new(),
        }
    }

    fn tally(output: &str) -> Tally {
        let mut tally = Tally::default();
        tally.job(&outcome(output, !output.contains("FAILED")));
        tally
    }

    const GOOD: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

    #[test]
    fn results_of_all_programs_are_added() {
        let text = format!("running 3 tests\n{GOOD}\n{GOOD}");
        assert_eq!(tally(&text).summary(true).text(), "6 passed, 0 failed");
    }

    #[test]
    fn a_skipped_test_is_not_a_passed_one() {
        let text = format!(
            "successes:\n\n---- one stdout ----\nSKIP: C (no gcc)\nSKIP: C (no clang)\n\n---- two stdout ----\nhello\n{GOOD}"
        );
        assert_eq!(
            tally(&text).summary(false).text(),
            "SKIP: C (no clang)\nSKIP: C (no gcc)\n2 passed, 0 failed, 1 skipped"
        );
        let strict = tally(&text).summary(true);
        assert_eq!((strict.passed, strict.failed, strict.skipped), (2, 1, 0));
        let hardware = text.replace("no gcc", "hardware: no avx2").replace("no clang", "hardware: no avx2");
        let summary = tally(&hardware).summary(true);
        assert_eq!((summary.failed, summary.skipped), (0, 1));
        assert_eq!(
            summary.notes.last().map(String::as_str),
            Some("skipped for want of processor features: no avx2 (1)")
        );
    }

    #[test]
    fn a_test_that_skips_and_fails_has_failed() {
        let text = "test one ... FAILED\nfailures:\n\n---- one stdout ----\nSKIP: C (no gcc)\n\nfailures:\n    one\n\n\
            test result: FAILED. 2 passed; 1 failed; 4 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let summary = tally(text).summary(false);
        assert_eq!((summary.passed, summary.failed, summary.skipped), (2, 1, 4));
    }

    #[test]
    fn levels_that_were_emulated_are_counted_once_and_passed() {
        let text = format!(
            "---- one stdout ----\nEMULATED: avx512\nEMULATED: avx2\n---- two stdout ----\nEMULATED: avx512\n{GOOD}"
        );
        let want =
            "feature levels that this processor has not: avx2; avx512\n3 passed, 0 failed, 2 feature levels emulated";
        assert_eq!(tally(&text).summary(true).text(), want);
    }

    #[test]
    fn dead_programs_and_failed_builds_are_failures() {
        for (output, success, failed) in
            [(GOOD, true, 0), (GOOD, false, 1), ("test one ... ok", false, 1), ("", true, 1)]
        {
            let mut tally = Tally::default();
            tally.job(&outcome(output, success));
            let summary = tally.summary(false);
            assert_eq!(summary.failed, failed, "{output} {success}");
            let said = summary.text().contains("a tests/all ended without a result (signal 11)");
            assert_eq!(said, failed > 0, "{output} {success}");
        }
        let mut tally = Tally::default();
        tally.failed_build();
        assert_eq!(tally.summary(false).text().lines().last(), Some("0 passed, 1 failed"));
    }

    #[test]
    fn judges_count_as_tests_and_a_missing_one_is_a_missing_tool() {
        let judged = |end: End, strict: bool| {
            let mut tally = Tally::default();
            tally.job(&Outcome { name: "cargo clippy".to_string(), end, ..outcome("", true) });
            tally.summary(strict).text()
        };
        assert_eq!(judged(End::Verdict(true), true), "1 passed, 0 failed");
        assert_eq!(judged(End::Verdict(false), false), "cargo clippy failed: see above\n0 passed, 1 failed");
        let missing = "SKIP: cargo clippy (tool: clippy)\n";
        assert_eq!(judged(End::Lacks("clippy".to_string()), false), format!("{missing}0 passed, 0 failed, 1 skipped"));
        assert!(judged(End::Lacks("clippy".to_string()), true).ends_with("0 passed, 1 failed"));
    }

    #[test]
    fn the_ten_slowest_are_named() {
        let tests = (1..=12).map(|s| (format!("test_{s}"), Duration::from_millis(s * 1500))).collect();
        let mut tally = Tally::default();
        tally.job(&Outcome { tests, ..outcome(GOOD, true) });
        let text = tally.summary(false).text();
        assert!(text.contains("\n   18.0 a tests/all test_12\n   16.5 a tests/all test_11\n"), "{text}");
        assert!(text.contains(" test_3\n3 passed, 0 failed") && !text.contains(" test_2\n"), "{text}");
    }
}
