//! The threads that all fields share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use evariste::Error;
use evariste::array::{Engine, Structured};

/// How many; 0: as many as the machine has.
static WANTED: AtomicUsize = AtomicUsize::new(0);
/// Grows when the number of threads changes.
static GENERATION: AtomicUsize = AtomicUsize::new(1);
/// Grows in the child of a fork, where the parent's threads do not run.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// An engine whose threads the others share, and the generation that it is of.
static FIRST: Mutex<Option<(Stamp, Engine)>> = Mutex::new(None);

/// When threads were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    generation: usize,
    forks: usize,
}

impl Stamp {
    /// Before any.
    const NEVER: Stamp = Stamp { generation: 0, forks: 0 };

    /// That of now.
    pub fn now() -> Stamp {
        Stamp { generation: GENERATION.load(Ordering::SeqCst), forks: FORKS.load(Ordering::SeqCst) }
    }

    /// Are threads of that time gone?
    pub fn is_of_another_process(self) -> bool {
        self.forks != FORKS.load(Ordering::SeqCst)
    }
}

/// From now on computations run on so many threads.
pub fn set(threads: usize) {
    WANTED.store(threads, Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::SeqCst);
}

/// How many threads were asked for.
pub fn wanted() -> usize {
    WANTED.load(Ordering::SeqCst)
}

/// In the child of a fork.
pub fn forked() {
    FORKS.fetch_add(1, Ordering::SeqCst);
}

/// This engine on the threads of all.
pub fn on_shared(engine: &Engine) -> Result<Engine, Error> {
    let now = Stamp::now();
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    match first.as_ref().filter(|(stamp, _)| *stamp == now) {
        Some((_, first)) => Ok(engine.on_threads_of(first)),
        None => {
            let made = engine.with_threads(wanted())?;
            if let Some((stamp, old)) = first.replace((now, made.clone()))
                && stamp.is_of_another_process()
            {
                // Its threads do not run here: nobody can be told to stop.
                std::mem::forget(old);
            }
            Ok(made)
        }
    }
}

/// An engine that can change threads.
pub trait Threaded: Clone {
    /// This engine on the threads of all.
    fn on_shared(&self) -> Result<Self, Error>;
}

impl Threaded for Engine {
    fn on_shared(&self) -> Result<Engine, Error> {
        on_shared(self)
    }
}

impl Threaded for Structured {
    fn on_shared(&self) -> Result<Structured, Error> {
        Ok(self.on_threads_of(&on_shared(self.ground())?))
    }
}

/// An engine on the threads that are set now.
pub struct Current<E> {
    slot: Mutex<Option<(Stamp, E)>>,
}

impl<E: Threaded> Current<E> {
    /// One that is made when it is first asked for.
    pub fn later() -> Current<E> {
        Current { slot: Mutex::new(None) }
    }

    /// One that is made.
    pub fn of(engine: E) -> Current<E> {
        Current { slot: Mutex::new(Some((Stamp::NEVER, engine))) }
    }

    /// The engine.
    pub fn get(&self, make: impl FnOnce() -> Result<E, Error>) -> Result<E, Error> {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Stamp::now();
        if let Some((_, engine)) = slot.as_ref().filter(|(stamp, _)| *stamp == now) {
            return Ok(engine.clone());
        }
        let engine = slot.as_ref().map_or_else(make, |(_, engine)| Ok(engine.clone()))?;
        let shared = engine.on_shared()?;
        if let Some((stamp, old)) = slot.replace((now, shared.clone()))
            && stamp.is_of_another_process()
        {
            // Threads of another process cannot be told to stop.
            std::mem::forget((old, engine));
        }
        Ok(shared)
    }
}
