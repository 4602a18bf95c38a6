//! What runs next: the longest that waits, as far as is known, and that may run beside what runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What may not run beside what. No test needs the machine for itself: none asserts a time, and what is timed waits for
/// the machine's lock of timings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    /// Beside anything.
    Any,
    /// Beside nothing that builds: it would wait for cargo's lock on the build folder.
    Builds,
}

/// Seconds that the longest take on two cores, for the first run of a build folder, which remembers none.
const FIRST_RUN: &[(&str, f64)] = &[("cargo clippy", 60.0)];

/// What waits, the longest last.
pub struct Queue<J> {
    waiting: Vec<(J, Company)>,
    running: Vec<Company>,
}

impl<J> Queue<J> {
    /// Jobs with their company and the seconds that they are thought to take.
    pub fn new(jobs: Vec<(J, Company, f64)>) -> Queue<J> {
        let mut jobs = jobs;
        jobs.sort_by(|a, b| a.2.total_cmp(&b.2));
        Queue { waiting: jobs.into_iter().map(|(job, company, _)| (job, company)).collect(), running: Vec::new() }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Starts the longest job that may run now.
    pub fn start(&mut self) -> Option<(J, Company)> {
        let may = |company: Company| match company {
            Company::Any => true,
            Company::Builds => !self.running.contains(&Company::Builds),
        };
        let at = self.waiting.iter().rposition(|(_, company)| may(*company))?;
        let (job, company) = self.waiting.remove(at);
        self.running.push(company);
        Some((job, company))
    }

    /// A job with this company has ended.
    pub fn end(&mut self, company: Company) {
        if let Some(at) = self.running.iter().position(|running| *running == company) {
            self.running.remove(at);
        }
    }
}

/// Durations of runs before, kept in the build folder.
pub struct Memory {
    file: PathBuf,
    seconds: HashMap<String, f64>,
}

impl Memory {
    /// Reads them; a file that is missing or odd remembers nothing.
    pub fn read(file: &Path) -> Memory {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let line = |line: &str| {
            let (seconds, name) = line.split_once(' ')?;
            Some((name.to_string(), seconds.parse().ok().filter(|s: &f64| s.is_finite())?))
        };
        let mut seconds: HashMap<String, f64> =
            FIRST_RUN.iter().map(|(name, seconds)| (name.to_string(), *seconds)).collect();
        seconds.extend(text.lines().filter_map(line));
        Memory { file: file.to_path_buf(), seconds }
    }

    /// Seconds that something takes; what is not known is thought to take a few.
    pub fn seconds(&self, name: &str) -> f64 {
        self.seconds.get(name).copied().unwrap_or(5.0)
    }

    /// Takes a duration in.
    pub fn remember(&mut self, name: &str, taken: Duration) {
        self.seconds.insert(name.to_string(), taken.as_secs_f64());
    }

    /// Writes them. A folder that cannot be written costs the next run its order, and nothing else.
    pub fn write(&self) {
        let mut lines: Vec<String> = self.seconds.iter().map(|(name, s)| format!("{s:.2} {name}\n")).collect();
        lines.sort();
        let _ = std::fs::write(&self.file, lines.concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(jobs: &[(&'static str, Company, f64)]) -> Queue<&'static str> {
        Queue::new(jobs.to_vec())
    }

    #[test]
    fn the_longest_starts_first() {
        let mut queue = queue(&[("short", Company::Any, 1.0), ("long", Company::Any, 9.0), ("mid", Company::Any, 5.0)]);
        let order: Vec<&str> = std::iter::from_fn(|| queue.start().map(|(job, _)| job)).collect();
        assert_eq!(order, ["long", "mid", "short"]);
    }

    #[test]
    fn one_build_at_a_time() {
        let mut queue =
            queue(&[("lint", Company::Builds, 9.0), ("docs", Company::Builds, 8.0), ("test", Company::Any, 1.0)]);
        assert_eq!(queue.start().unwrap().0, "lint");
        assert_eq!(queue.start().unwrap().0, "test");
        assert!(queue.start().is_none() && !queue.is_empty());
        queue.end(Company::Any);
        assert!(queue.start().is_none());
        queue.end(Company::Builds);
        assert_eq!(queue.start().unwrap().0, "docs");
    }

    #[test]
    fn durations_are_remembered() {
        let file = std::env::temp_dir().join(format!("evariste-durations-{}", std::process::id()));
        std::fs::write(&file, "2.50 a b\nodd\nNaN c\n").unwrap();
        let mut memory = Memory::read(&file);
        assert_eq!((memory.seconds("a b"), memory.seconds("c")), (2.5, 5.0));
        memory.remember("c", Duration::from_millis(1500));
        memory.write();
        assert_eq!(Memory::read(&file).seconds("c"), 1.5);
        std::fs::remove_file(&file).unwrap();
    }
}
