//! A request to stop early, shared by whoever asks (a signal, another thread) and whoever works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks work to end at its next whole step. Clones are the same request.
///
/// ```
/// let stop = evariste_run::Stop::default();
/// assert!(!stop.is_asked());
/// stop.clone().ask();
/// assert!(stop.is_asked());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks. There is no way back.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has somebody asked?
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler that sets it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
