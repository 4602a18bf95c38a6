//! Slow tests take turns: a test that takes a while runs on one day in as many as bring its share of a day down to a few
//! seconds, and in a full run. `slow-tests.txt` lists them with their seconds; `cargo xtask test --every` writes it.
//!
//! The days of a test follow from its place in the list, so that each day has its part of the whole.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

/// How much of a day's run one test may take, in seconds.
const SHARE: f64 = 4.0;

/// The most days from one turn of a test to the next.
const LONGEST: u64 = 14;

/// The list, from the root.
const FILE: &str = "xtask/slow-tests.txt";

/// A test that is listed.
#[derive(Clone, PartialEq, Debug)]
struct Slow {
    /// `evariste-tune tests/all`, `pytest`.
    program: String,
    test: String,
    seconds: f64,
}

impl Slow {
    /// It runs on one day in so many.
    fn days(&self) -> u64 {
        ((self.seconds / SHARE).ceil() as u64).clamp(1, LONGEST)
    }
}

/// The slow tests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rota {
    slow: Vec<Slow>,
}

impl Rota {
    /// Reads the list.
    ///
    /// # Errors
    /// It is missing, or a line is not `SECONDS<tab>PROGRAM<tab>TEST`.
    pub fn read(root: &Path) -> anyhow::Result<Rota> {
        let file = root.join(FILE);
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Rota::parse(&text)
    }

    fn parse(text: &str) -> anyhow::Result<Rota> {
        let mut slow = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let (&[seconds, program, test], Some(Ok(number))) = (&fields[..], fields.first().map(|f| f.parse::<f64>()))
            else {
                bail!("{FILE}: `{line}` is not seconds, program and test with tabs between");
            };
            if !number.is_finite() || number < 0.0 {
                bail!("{FILE}: `{seconds}` is no number of seconds");
            }
            slow.push(Slow { program: program.to_string(), test: test.to_string(), seconds: number });
        }
        Ok(Rota { slow })
    }

    /// The tests of a program that wait for another day.
    pub fn waiting(&self, program: &str, day: u64) -> Vec<String> {
        let turn = |(at, slow): &(usize, &Slow)| day.wrapping_add(*at as u64).is_multiple_of(slow.days());
        let others = self.slow.iter().enumerate().filter(|one| !turn(one)).map(|(_, slow)| slow);
        others.filter(|slow| slow.program == program).map(|slow| slow.test.clone()).collect()
    }

    /// The list of what took longer than a day's share.
    pub fn of_durations<'a>(all: impl Iterator<Item = (&'a str, &'a str, Duration)>) -> Rota {
        let slow = |(program, test, taken): (&str, &str, Duration)| Slow {
            program: program.to_string(),
            test: test.to_string(),
            seconds: taken.as_secs_f64(),
        };
        let mut slow: Vec<Slow> = all.map(slow).filter(|slow| slow.days() > 1).collect();
        // By name, so that a list made anew differs from the old one in few lines, and days stay.
        slow.sort_by(|a, b| (&a.program, &a.test).cmp(&(&b.program, &b.test)));
        Rota { slow }
    }

    /// Writes the list, and says where it is.
    pub fn write(&self, root: &Path) -> anyhow::Result<PathBuf> {
        let file = root.join(FILE);
        std::fs::write(&file, self.text()).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    fn text(&self) -> String {
        let head = format!(
            "# Tests of more than {SHARE} seconds, beside others: each runs on one day in SECONDS / {SHARE}, {LONGEST} at most.\n\
             # Written by `cargo xtask test --every`.\n"
        );
        let line = |slow: &Slow| format!("{:.1}\t{}\t{}\n", slow.seconds, slow.program, slow.test);
        head + &self.slow.iter().map(line).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rota() -> Rota {
        let seconds = |s| Duration::from_millis((s * 1000.0) as u64);
        let all = [("b", "long", seconds(1000.0)), ("a", "quick", seconds(3.9)), ("a", "slow", seconds(9.0))];
        Rota::of_durations(all.into_iter())
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        assert_eq!(Rota::parse(&rota().text()).unwrap(), rota());
        for text in ["1.0 a b", "x\ta\tb", "inf\ta\tb", "-1\ta\tb", "1.0\ta"] {
            assert!(Rota::parse(text).unwrap_err().to_string().contains(text.split('\t').next().unwrap()), "{text}");
        }
    }

    #[test]
    fn every_slow_test_has_its_day_and_quick_ones_have_all() {
        let days = |program: &str| (0..LONGEST).filter(|day| rota().waiting(program, *day).is_empty()).count();
        // One in three; one in fourteen.
        assert_eq!((days("a"), days("b"), days("c")), (5, 1, LONGEST as usize));
        assert_eq!(rota().waiting("a", 1), ["slow"]);
    }
}
