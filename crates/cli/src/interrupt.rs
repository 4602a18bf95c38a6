//! Ctrl-C: the first one asks work to stop, the second one ends the program at once.

use evariste::Stop;
use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// The exit code of a program that Ctrl-C ended, as shells give it.
pub const INTERRUPTED: u8 = 130;

/// The request that a first Ctrl-C makes. Where signals cannot be caught, Ctrl-C ends the program as ever.
pub fn stop_on_interrupt() -> Stop {
    let stop = Stop::default();
    // In this order: the second signal finds the flag that the first one has set.
    let _ = register_conditional_shutdown(SIGINT, INTERRUPTED.into(), stop.flag());
    let _ = register(SIGINT, stop.flag());
    stop
}
