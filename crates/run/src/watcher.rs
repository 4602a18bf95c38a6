//! What disturbs measurements from outside: time that a hypervisor gave to others, other programs that ran, and a clock
//! that changed between beginning and end.

use std::time::Instant;

use crate::clock::tick_ghz;
use crate::processor::{CHAIN_CYCLES, dependent_additions, ticks};

/// Percent of the time of all cores that may be stolen.
const STOLEN: f64 = 1.0;
/// Percent by which the clock may differ between beginning and end.
const DRIFT: f64 = 5.0;

/// The state of the machine at a beginning.
#[derive(Clone, Debug)]
pub struct Watcher {
    start: Instant,
    stolen: Option<Stolen>,
    clock_ghz: f64,
}

/// Ticks of the system's clock, of all cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stolen {
    ticks: u64,
    all: u64,
}

impl Watcher {
    /// Looks at the machine now.
    pub fn start() -> Watcher {
        Watcher { start: Instant::now(), stolen: stolen(), clock_ghz: clock_ghz() }
    }

    /// What was unusual since then, a sentence each.
    pub fn reasons(&self) -> Vec<String> {
        let stolen = self.stolen.zip(stolen()).and_then(|(before, after)| stolen_percent(before, after));
        disturbed(stolen, self.clock_ghz, clock_ghz(), self.start.elapsed().as_secs_f64())
    }
}

fn disturbed(stolen: Option<f64>, before_ghz: f64, after_ghz: f64, seconds: f64) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(percent) = stolen.filter(|percent| *percent > STOLEN) {
        reasons.push(format!("the hypervisor gave {percent:.0} % of {seconds:.0} s to other machines"));
    }
    let drift = 100.0 * (after_ghz / before_ghz - 1.0);
    if drift.abs() > DRIFT {
        reasons.push(format!("the clock went from {before_ghz:.2} to {after_ghz:.2} GHz"));
    }
    reasons
}

fn stolen_percent(before: Stolen, after: Stolen) -> Option<f64> {
    let (ticks, all) = (after.ticks.checked_sub(before.ticks)?, after.all.checked_sub(before.all)?);
    (all > 0).then(|| 100.0 * ticks as f64 / all as f64)
}

/// What the system says of all cores; `None` where it says nothing (Linux only).
fn stolen() -> Option<Stolen> {
    read(&std::fs::read_to_string("/proc/stat").ok()?)
}

/// The line `cpu user nice system idle iowait irq softirq steal …` of `/proc/stat`.
fn read(text: &str) -> Option<Stolen> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let numbers: Vec<u64> = line.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
    Some(Stolen { ticks: *numbers.get(7)?, all: numbers.iter().sum() })
}

/// The core's clock: the best of several chains of additions that wait for each other.
fn clock_ghz() -> f64 {
    let one = || {
        let start = ticks();
        std::hint::black_box(dependent_additions(std::hint::black_box(3)));
        ticks().wrapping_sub(start)
    };
    let least = (0..2000).map(|_| one()).min().unwrap_or(1).max(1);
    CHAIN_CYCLES / least as f64 * tick_ghz()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_s_line() {
        let text = "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3\n";
        assert_eq!(read(text), Some(Stolen { ticks: 80, all: 360 }));
        for bad in ["", "cpu 1 2 3\n", "cpu a\n", "cpu0 1 2 3 4 5 6 7 8\n"] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
        let (before, after) = (Stolen { ticks: 80, all: 360 }, Stolen { ticks: 90, all: 560 });
        assert_eq!(stolen_percent(before, after), Some(5.0));
        assert_eq!((stolen_percent(after, before), stolen_percent(before, before)), (None, None));
    }

    #[test]
    fn what_is_unusual_is_said() {
        assert_eq!(disturbed(Some(0.5), 3.0, 3.1, 2.0), Vec::<String>::new());
        assert_eq!(disturbed(Some(7.4), 3.0, 3.0, 2.0), ["the hypervisor gave 7 % of 2 s to other machines"]);
        assert_eq!(disturbed(None, 3.0, 2.5, 2.0), ["the clock went from 3.00 to 2.50 GHz"]);
    }

    #[test]
    fn this_machine_has_a_clock() {
        assert!(clock_ghz() > 0.1 && Watcher::start().reasons().len() <= 2);
    }
}
