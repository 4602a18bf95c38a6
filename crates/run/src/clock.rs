//! Ticks, nanoseconds and core cycles; and the core that the measuring thread stays on.
//!
//! Ticks are those of the processor where it has a counter, and nanoseconds elsewhere; they run at a constant rate.
//! Core cycles do not: the clock depends on the code that runs, so that it is measured beside the code, by a chain of
//! dependent additions that takes one cycle (or a known number) a step on every core that we know.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::processor::{dependent_additions, ticks as read_counter};

pub use crate::processor::CHAIN_CYCLES;

/// The tick counter, after everything before it and before everything after it.
#[inline]
pub fn ticks() -> u64 {
    read_counter()
}

/// Ticks of so many chains of additions one after the other, [`CHAIN_CYCLES`] cycles each, and of reading the counter.
pub fn chain_ticks(chains: u64) -> u64 {
    let start = ticks();
    // One waits for the other, or they would overlap.
    let sum = (0..chains).fold(3, |sum, _| dependent_additions(sum));
    std::hint::black_box(sum);
    ticks().wrapping_sub(start)
}

/// Ticks a nanosecond, measured once against the system's clock over 20 ms.
pub fn tick_ghz() -> f64 {
    static RATE: OnceLock<f64> = OnceLock::new();
    *RATE.get_or_init(|| {
        let (start, start_ticks) = (Instant::now(), ticks());
        while start.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        let (nanoseconds, end_ticks) = (start.elapsed().as_nanos() as f64, ticks());
        end_ticks.wrapping_sub(start_ticks) as f64 / nanoseconds
    })
}

/// Ticks that reading the counter twice takes by itself: the least of many.
pub(crate) fn tick_overhead() -> u64 {
    (0..1000)
        .map(|_| {
            let start = ticks();
            ticks().wrapping_sub(start)
        })
        .min()
        .unwrap_or(0)
}

/// The calling thread pinned to one core; the former set of cores comes back when this is dropped.
pub struct Pinned {
    #[cfg(target_os = "linux")]
    former: Option<libc::cpu_set_t>,
    core: Option<usize>,
}

impl Pinned {
    /// Pins the calling thread to the last core that it may run on (the first one serves most interrupts). Where the
    /// system does not pin, nothing happens and [`Pinned::core`] is `None`.
    #[cfg(target_os = "linux")]
    pub fn to_one_core() -> Self {
        // SAFETY: an all-zero `cpu_set_t` is a valid empty set; the calls get its address and size, and 0 means this
        // thread.
        unsafe {
            let size = std::mem::size_of::<libc::cpu_set_t>();
            let mut former: libc::cpu_set_t = std::mem::zeroed();
            if libc::sched_getaffinity(0, size, &mut former) != 0 {
                return Pinned { former: None, core: None };
            }
            let last = (0..libc::CPU_SETSIZE as usize).rev().find(|&core| libc::CPU_ISSET(core, &former));
            let mut only: libc::cpu_set_t = std::mem::zeroed();
            let core = last.filter(|&core| {
                libc::CPU_SET(core, &mut only);
                libc::sched_setaffinity(0, size, &only) == 0
            });
            Pinned { former: core.map(|_| former), core }
        }
    }

    /// Does nothing on this system; [`Pinned::core`] is `None`.
    #[cfg(not(target_os = "linux"))]
    pub fn to_one_core() -> Self {
        Pinned { core: None }
    }

    /// The core, `None` when the thread could not be pinned.
    pub fn core(&self) -> Option<usize> {
        self.core
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(former) = &self.former {
            // SAFETY: `former` is a set that the system gave for this thread. A failure leaves the thread pinned, which
            // is harmless.
            unsafe { libc::sched_setaffinity(0, std::mem::size_of::<libc::cpu_set_t>(), former) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_go_forward() {
        let rate = tick_ghz();
        assert!(rate.is_finite() && rate > 0.0);
        let start = ticks();
        std::hint::black_box(dependent_additions(3));
        assert!(ticks() > start);
        assert!(tick_overhead() < 100_000);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pinning_ends_with_the_guard() {
        let cores = || {
            // SAFETY: as in `to_one_core`.
            unsafe {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                assert_eq!(libc::sched_getaffinity(0, std::mem::size_of::<libc::cpu_set_t>(), &mut set), 0);
                libc::CPU_COUNT(&set)
            }
        };
        let before = cores();
        let pinned = Pinned::to_one_core();
        if pinned.core().is_some() {
            assert_eq!(cores(), 1);
        }
        drop(pinned);
        assert_eq!(cores(), before);
    }
}
