//! Progress on standard error, when work takes longer than a moment: a bar on a terminal, elsewhere a line now and then.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::warn;

/// Work that takes no longer shows nothing.
const MOMENT: Duration = Duration::from_millis(400);

/// How often a line is written where there is no terminal.
const EVERY: Duration = Duration::from_secs(5);

/// A bar for one stage after another.
pub struct Bars {
    start: Instant,
    terminal: bool,
    told: Mutex<Instant>,
    bar: Mutex<Option<(&'static str, ProgressBar)>>,
}

impl Bars {
    /// Nothing is shown yet.
    pub fn new() -> Bars {
        let start = Instant::now();
        Bars { start, terminal: stderr().is_terminal(), told: Mutex::new(start), bar: Mutex::new(None) }
    }

    /// `done` of `total` in the stage of that name.
    pub fn set(&self, stage: &'static str, done: usize, total: usize) {
        self.tell(stage, done, total, None);
    }

    /// `done` of `total` in the stage of that name; `best` is what a search has so far, in thousandths of what it began
    /// with.
    pub fn tell(&self, stage: &'static str, done: usize, total: usize, best: Option<u32>) {
        let best = best
            .map_or_else(String::new, |best| format!(", best {:.1} % of the heuristic's time", f64::from(best) / 10.0));
        if !self.terminal {
            if let Ok(mut told) = self.told.lock()
                && told.elapsed() >= EVERY
            {
                *told = Instant::now();
                warn(&format!("{stage} {done} of {total}, {} s{best}", self.start.elapsed().as_secs()));
            }
            return;
        }
        if self.start.elapsed() < MOMENT {
            return;
        }
        let Ok(mut current) = self.bar.lock() else { return };
        if current.as_ref().is_none_or(|(name, _)| *name != stage) {
            if let Some((_, old)) = current.take() {
                old.finish_and_clear();
            }
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg:>9} {bar:32} {pos}/{len} {elapsed}{prefix}") {
                bar.set_style(style);
            }
            bar.set_message(stage);
            *current = Some((stage, bar));
        }
        if let Some((_, bar)) = current.as_ref() {
            bar.set_length(total as u64);
            bar.set_prefix(best);
            // Threads may report out of order; a bar only grows.
            bar.set_position(bar.position().max(done as u64));
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        if let Ok(mut current) = self.bar.lock()
            && let Some((_, bar)) = current.take()
        {
            bar.finish_and_clear();
        }
    }
}

/// Work whose end nobody knows: the time that it has taken, until this is dropped.
pub struct Waiting {
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins now.
    pub fn for_work(what: &'static str) -> Waiting {
        let (over, is_over) = channel();
        Waiting { over: Some(over), thread: Some(std::thread::spawn(move || wait(what, &is_over))) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.over.take());
        self.thread.take().map(JoinHandle::join);
    }
}

fn wait(what: &'static str, is_over: &Receiver<()>) {
    let (start, terminal) = (Instant::now(), stderr().is_terminal());
    let goes_on = |time| is_over.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if terminal && goes_on(MOMENT) {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        while goes_on(EVERY) {}
        bar.finish_and_clear();
    }
    while !terminal && goes_on(EVERY) {
        warn(&format!("{what}, {} s", start.elapsed().as_secs()));
    }
}
