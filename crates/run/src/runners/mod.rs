//! Other processors: a C program is compiled for one, run by an emulator or a simulator, and what a call takes is counted
//! there. A runner is a line of [`RUNNERS`].
//!
//! Emulators (QEMU) count instructions, simulators (simavr, mGBA) cycles; no number of either is a time, and none is
//! compared with the other. A count is that of one call on given operands, with the instructions that call and return;
//! the call's answer is compared with the known one, so that what was counted is right.

mod bench;
mod calls;
mod table;

pub use bench::{Bench, Ran};
pub use calls::{Call, CallArgument};
pub use table::RUNNERS;

use crate::error::RunError;

/// A processor that is not this one, with what compiles for it and what runs it.
#[derive(Debug)]
pub struct Runner {
    /// The name that users give: `armv7`.
    pub name: &'static str,
    /// The processor, in a few words.
    pub about: &'static str,
    /// The compiler, with its first arguments.
    pub compiler: &'static str,
    /// Flags that choose the processor.
    pub flags: &'static [&'static str],
    /// Has its C integers of 128 bits?
    pub wide: bool,
    /// What runs its programs.
    pub by: By,
    /// Debian's packages of all that.
    pub packages: &'static str,
    /// What a reader of its numbers must know.
    pub remark: Option<&'static str>,
}

/// What runs programs.
#[derive(Debug)]
pub enum By {
    /// An emulator of processes, with its arguments.
    Qemu(&'static str, &'static [&'static str]),
    /// A simulator of AVR.
    Simavr,
    /// A simulator of a machine with an ARM7TDMI.
    Mgba,
}

/// What a number of a runner is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// Instructions that were executed.
    Instructions,
    /// Cycles, by a simulator.
    Cycles,
}

impl Counted {
    /// In words: every number stands beside them.
    pub fn name(self) -> &'static str {
        match self {
            Counted::Instructions => "instructions counted",
            Counted::Cycles => "cycles simulated",
        }
    }
}

impl Runner {
    /// The runner of that name.
    ///
    /// # Errors
    /// [`RunError::NoRunner`] with the names that there are.
    pub fn named(name: &str) -> Result<&'static Runner, RunError> {
        let known = || RUNNERS.iter().map(|r| r.name).collect::<Vec<_>>().join(", ");
        RUNNERS
            .iter()
            .find(|r| r.name == name)
            .ok_or_else(|| RunError::NoRunner { given: name.to_string(), known: known() })
    }

    /// What its numbers are.
    pub fn counts(&self) -> Counted {
        match self.by {
            By::Qemu(..) => Counted::Instructions,
            By::Simavr | By::Mgba => Counted::Cycles,
        }
    }

    /// The program that runs others, by name.
    pub fn run_by(&self) -> &'static str {
        match self.by {
            By::Qemu(program, _) => program,
            By::Simavr => "simavr",
            By::Mgba => "mGBA",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (i, runner) in RUNNERS.iter().enumerate() {
            assert!(RUNNERS[..i].iter().all(|other| other.name != runner.name), "{}", runner.name);
            assert_eq!(Runner::named(runner.name).map(|r| r.about).ok(), Some(runner.about));
        }
        let refused = Runner::named("abacus").unwrap_err().to_string();
        assert!(refused.starts_with("there is no runner `abacus`\nhelp: there are x86-32, "), "{refused}");
    }
}
