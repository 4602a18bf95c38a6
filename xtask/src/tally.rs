//! Counting what `cargo test -- --show-output` prints.
//!
//! A test that cannot run here prints a line `SKIP: <what> (hardware: <feature>)` or `SKIP: <what> (tool: <name>)`, by
//! the functions of `evariste_testing`. It is counted as skipped, not as passed. A missing processor feature is never a
//! failure, and is counted by feature; whatever else is missing can be installed, and is a failure when `CI=true`.

use std::collections::{BTreeMap, BTreeSet};

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    ignored: usize,
    /// Test programs that cargo started, and results that they printed: a program that died prints none.
    started: usize,
    results: usize,
    /// The test whose output is being shown, in the program being shown.
    section: Option<String>,
    /// Failed tests of the program being shown.
    failures: BTreeSet<String>,
    /// Skips of the program being shown, by test; the empty name is for lines outside any test's output.
    skips: BTreeMap<String, BTreeSet<String>>,
    /// Skips of all programs before: the lines of each skipped test, and whether it was counted as passed.
    skipped: Vec<(BTreeSet<String>, bool)>,
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
    /// One line for each thing to know.
    pub notes: Vec<String>,
}

impl Tally {
    /// Takes a line of cargo's standard error.
    pub fn progress_line(&mut self, line: &str) {
        let line = line.trim_start();
        if line.starts_with("Running ") || line.starts_with("Doc-tests ") {
            self.started += 1;
        }
    }

    /// Takes a line of the test programs' standard output.
    pub fn output_line(&mut self, line: &str) {
        let line = line.trim_end_matches('\r');
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.section = Some(name.to_string());
        } else if matches!(line, "successes:" | "failures:") {
            self.section = None;
        } else if line.starts_with("SKIP: ") {
            self.skips.entry(self.section.clone().unwrap_or_default()).or_default().insert(line.to_string());
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
        self.section = None;
        for (test, lines) in std::mem::take(&mut self.skips) {
            // A test that skips a part and fails in another has failed.
            if !self.failures.contains(&test) {
                self.skipped.push((lines, !test.is_empty()));
            }
        }
        self.failures.clear();
    }

    /// The counts, given whether cargo ended well and whether this is a run that may not lack tools.
    pub fn summary(mut self, success: bool, no_tool_may_lack: bool) -> Summary {
        let died = self.started.saturating_sub(self.results);
        // Skips of a program that died have no result line after them.
        self.skipped.extend(std::mem::take(&mut self.skips).into_values().map(|lines| (lines, false)));
        let mut summary =
            Summary { passed: self.passed, failed: self.failed, skipped: self.ignored, notes: Vec::new() };
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
        if died > 0 {
            summary.failed += died;
            summary.notes.push(format!("{died} test programs ended without a result"));
        }
        if !success && summary.failed == 0 {
            summary.failed = 1;
            summary.notes.push("cargo test failed before any test did: see above".to_string());
        }
        summary
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
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(output: &str, programs: usize) -> Tally {
        let mut tally = Tally::default();
        (0..programs).for_each(|_| tally.progress_line("     Running unittests src/lib.rs (target/release/deps/a-1)"));
        output.lines().for_each(|line| tally.output_line(line));
        tally
    }

    const GOOD: &str = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

    #[test]
    fn results_of_all_programs_are_added() {
        let text = format!("running 3 tests\n{GOOD}\n{GOOD}");
        assert_eq!(tally(&text, 2).summary(true, true).text(), "6 passed, 0 failed");
    }

    #[test]
    fn a_skipped_test_is_not_a_passed_one() {
        let text = format!(
            "successes:\n\n---- one stdout ----\nSKIP: C (no gcc)\nSKIP: C (no clang)\n\n---- two stdout ----\nhello\n{GOOD}"
        );
        assert_eq!(
            tally(&text, 1).summary(true, false).text(),
            "SKIP: C (no clang)\nSKIP: C (no gcc)\n2 passed, 0 failed, 1 skipped"
        );
        let strict = tally(&text, 1).summary(true, true);
        assert_eq!((strict.passed, strict.failed, strict.skipped), (2, 1, 0));
        let hardware = text.replace("no gcc", "hardware: no avx2").replace("no clang", "hardware: no avx2");
        let summary = tally(&hardware, 1).summary(true, true);
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
        let summary = tally(text, 1).summary(false, false);
        assert_eq!((summary.passed, summary.failed, summary.skipped), (2, 1, 4));
    }

    #[test]
    fn dead_programs_and_failed_builds_are_failures() {
        assert_eq!(tally(GOOD, 2).summary(false, false).failed, 1);
        assert_eq!(tally("", 0).summary(false, false).text().lines().last(), Some("0 passed, 1 failed"));
    }
}
