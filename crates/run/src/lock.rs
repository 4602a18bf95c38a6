//! One timing at a time on this machine: two processes that time at once would measure each other.

use std::fs::{File, OpenOptions};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::error::RunError;
use crate::stop::Stop;

/// How often a wait for the lock looks whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The right to time, held until dropped. Other threads and processes of this machine wait for it.
#[derive(Debug)]
pub struct TimingLock {
    /// The system releases the lock when the file is closed.
    _file: File,
}

impl TimingLock {
    /// Waits for the lock, a file `evariste-timing.lock` in the system's folder for temporary files.
    ///
    /// # Errors
    /// [`RunError::Io`]: the file can neither be made nor opened, or the system has no locks for it.
    pub fn acquire() -> Result<Self, RunError> {
        let path = std::env::temp_dir().join("evariste-timing.lock");
        // A file that another user made can be locked through a read-only handle.
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .or_else(|error| File::open(&path).map_err(|_| error))
            .map_err(|error| RunError::io(format!("open the timing lock {}", path.display()), error))?;
        file.lock().map_err(|error| RunError::io(format!("lock {}", path.display()), error))?;
        Ok(TimingLock { _file: file })
    }

    /// As [`TimingLock::acquire`], unless somebody asks to stop meanwhile.
    ///
    /// # Errors
    /// As [`TimingLock::acquire`]; [`RunError::Stopped`].
    pub fn acquire_until(stop: &Stop) -> Result<Self, RunError> {
        // A thread waits in line for the lock; one that is no longer wanted is released as soon as it is got.
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let _ = send.send(Self::acquire());
        });
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(lock) => return lock,
                Err(RecvTimeoutError::Timeout) if stop.is_asked() => return Err(RunError::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Self::acquire(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn who_is_asked_to_stop_waits_no_longer() {
        let _held = TimingLock::acquire().expect("the lock");
        let stop = Stop::default();
        let waiting = std::thread::spawn({
            let stop = stop.clone();
            move || TimingLock::acquire_until(&stop)
        });
        stop.ask();
        assert!(matches!(waiting.join().expect("no panic"), Err(RunError::Stopped)));
    }

    #[test]
    fn only_one_thread_holds_the_lock() {
        let held = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let _lock = TimingLock::acquire().unwrap();
                        assert!(!held.swap(true, Ordering::SeqCst), "two holders");
                        std::thread::yield_now();
                        held.store(false, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
