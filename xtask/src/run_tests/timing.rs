//! How long each test of a program took, from the moments at which the program said that it had ended.
//!
//! A test program starts its tests in the order in which it lists them, as many at a time as it has threads, and the
//! next one when one ends: with the order, the moments of the ends give the starts. A single thread is no special case.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// The clock of one program.
pub struct Clock {
    waiting: VecDeque<String>,
    started: HashMap<String, Duration>,
    ended: Vec<(String, Duration)>,
}

impl Clock {
    /// A program that lists these tests and runs so many at a time.
    pub fn new(tests: Vec<String>, threads: usize) -> Clock {
        let mut clock = Clock { waiting: tests.into(), started: HashMap::new(), ended: Vec::new() };
        (0..threads).for_each(|_| clock.start_next(Duration::ZERO));
        clock
    }

    fn start_next(&mut self, moment: Duration) {
        if let Some(test) = self.waiting.pop_front() {
            self.started.insert(test, moment);
        }
    }

    /// Takes a line of output, at this time since the program's start.
    pub fn line(&mut self, line: &str, moment: Duration) {
        let Some(test) = ended_test(line) else { return };
        if let Some(start) = self.started.remove(test) {
            self.ended.push((test.to_string(), moment - start));
            self.start_next(moment);
        }
    }

    /// The tests that ended, with their durations.
    pub fn durations(self) -> Vec<(String, Duration)> {
        self.ended
    }
}

/// The test in `test NAME ... ok` (or `FAILED`), which may be marked `NAME - should panic`.
fn ended_test(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    ["ok", "FAILED", "ignored"].iter().any(|word| result.starts_with(word)).then_some(name)
}

/// The tests in the output of `PROGRAM --list --format terse`.
pub fn listed_tests(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(lines: &[(&str, u64)], threads: usize) -> Vec<(String, u64)> {
        let mut clock = Clock::new(listed_tests("a: test\nb: test\nc: test\nbench: benchmark\n"), threads);
        lines.iter().for_each(|(line, at)| clock.line(line, Duration::from_secs(*at)));
        clock.durations().into_iter().map(|(test, taken)| (test, taken.as_secs())).collect()
    }

    #[test]
    fn a_test_starts_when_one_before_it_ends() {
        // a and b start at once; c when b ends.
        let lines = [("running 3 tests", 0), ("test b ... ok", 2), ("test a ... FAILED", 5), ("test c ... ok", 9)];
        let want = [("b", 2), ("a", 5), ("c", 7)].map(|(test, taken)| (test.to_string(), taken));
        assert_eq!(seconds(&lines, 2), want);
    }

    #[test]
    fn one_thread_runs_one_after_the_other() {
        let lines = [("test a - should panic ... ok", 1), ("test b ... ignored, slow", 1), ("test c ... ok", 4)];
        let want = [("a", 1), ("b", 0), ("c", 3)].map(|(test, taken)| (test.to_string(), taken));
        assert_eq!(seconds(&lines, 1), want);
    }

    #[test]
    fn what_tests_print_is_no_end() {
        assert_eq!(seconds(&[("test result: ok. 3 passed", 3), ("test x ... ok", 3), ("test a ... maybe", 3)], 2), []);
    }
}
