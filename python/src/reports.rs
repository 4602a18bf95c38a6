//! Rankings and reproduced figures as JSON, which Python makes tables of. Ctrl-C stops what takes long.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use evariste::builder::{TimingOptions, cores, vectors};
use evariste::{Compiler, Error, Field, Machine, Memory, Options, Ranking, Stop};
use evariste_reproduce::{Options as Asked, REPRODUCTIONS};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::border::{exception, free};
use crate::field::Core;

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a job on a thread of its own, looks at signals meanwhile, and asks it to stop at one, or after so many seconds.
fn watched<T: Send + 'static>(
    py: Python,
    seconds: Option<f64>,
    stop: &Stop,
    job: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (sender, done) = channel();
    std::thread::spawn(move || {
        // Nobody waits any more: the result is for nobody.
        let _ = sender.send(std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)));
    });
    let (done, start) = (Mutex::new(done), Instant::now());
    let mut interrupted = None;
    loop {
        match free(py, || Ok(done.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK)))? {
            Ok(result) => {
                return match (interrupted, result) {
                    (Some(error), _) => Err(error),
                    (None, Ok(result)) => result.map_err(|error| exception(&error)),
                    (None, Err(_)) => Err(PyRuntimeError::new_err("an error inside evariste\nhelp: please report it")),
                };
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
        if interrupted.is_none()
            && let Err(error) = py.check_signals()
        {
            stop.ask();
            interrupted = Some(error);
        }
        if seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() > seconds) {
            stop.ask();
        }
    }
}

/// Proves, compiles, measures and ranks the candidates for arrays; gives JSON, and a sentence on where it is kept.
#[pyfunction]
pub fn tune(
    py: Python,
    core: &Core,
    seconds: Option<f64>,
    quick: bool,
    remember: bool,
    only: Vec<String>,
) -> PyResult<(String, String)> {
    let (field, stop) = (core.inner.field.clone(), Stop::default());
    let asked = stop.clone();
    watched(py, seconds, &stop, move || {
        let mut options = Options::new()?;
        options.backends.extend(vectors());
        options.core = cores::found(Memory::default_folder().as_deref())?.into();
        if quick {
            let short = TimingOptions { rounds: 5, samples_per_round: 10, warm_ns: 50_000.0, ..options.timing };
            options.timing = TimingOptions { budget_ns: 1e7, ..short };
        }
        let restricted = !only.is_empty();
        (options.stop, options.only) = (asked, only);
        let ranking = field.tune(&options, &|_| ())?;
        let kept = match (remember, restricted) {
            (false, _) => "not remembered".to_string(),
            (true, true) => "not remembered: only a part of the candidates was measured".to_string(),
            (true, false) => keep(&field, &ranking, options.compiler()),
        };
        let text = serde_json::to_string(&ranking).map_err(|e| Error::Interpreter(e.to_string()))?;
        Ok((text, kept))
    })
}

/// Keeps a ranking where the command keeps those of lanes; a sentence about that.
fn keep(field: &Field, ranking: &Ranking, compiler: Option<&Compiler>) -> String {
    let whole = match () {
        () if ranking.winner.is_none() => return "not remembered: there is no winner".into(),
        () if !ranking.noise.is_empty() => {
            return "not remembered: the machine was busy; measure again when it is quiet".into();
        }
        () if ranking.stopped.is_some() => return "not remembered: not all of it was measured".into(),
        () => ranking,
    };
    let Some(folder) = Memory::default_folder() else {
        return "not remembered: neither EVARISTE_CACHE, XDG_CACHE_HOME nor HOME is set".into();
    };
    match Memory::new(&folder, &Machine::detect(), compiler).of_lanes().keep(field, whole) {
        Ok(kept) => format!("remembered in {}", kept.path.display()),
        Err(error) => format!("not remembered: {error}"),
    }
}

/// The figures that can be made anew, as JSON.
#[pyfunction]
pub fn reproductions() -> String {
    let row = |r: &evariste_reproduce::Reproduction| serde_json::json!({ "name": r.name, "paper": r.paper, "figure": r.figure, "about": r.about });
    serde_json::Value::Array(REPRODUCTIONS.iter().map(row).collect()).to_string()
}

/// A figure, made anew, as JSON.
#[pyfunction]
pub fn reproduce(py: Python, name: &str, quick: bool) -> PyResult<String> {
    let Some(reproduction) = evariste_reproduce::named(name) else {
        let names: Vec<&str> = REPRODUCTIONS.iter().map(|r| r.name).collect();
        let text = format!("there is no reproduction called `{name}`\nhelp: there are {}", names.join(", "));
        return Err(PyValueError::new_err(text));
    };
    watched(py, None, &Stop::default(), move || {
        let core = cores::found(Memory::default_folder().as_deref())?.into();
        let figure = reproduction.run(&Asked { quick, core }, &|_| ())?;
        serde_json::to_string(&figure).map_err(|e| Error::Interpreter(e.to_string()))
    })
}
