//! The extension module of the Python package `evariste`: fields, elements in the order of lanes, conversions. What is an
//! array for Python (shapes, indices, NumPy's protocols) is written in Python on top of it.

mod border;
mod elements;
mod field;
mod held;
mod items;
mod random;
mod reports;
mod structure;
mod threads;

use pyo3::prelude::*;

/// From now on computations run on so many threads; 0: as many as the machine has.
#[pyfunction]
fn set_threads(threads: usize) {
    threads::set(threads);
}

/// The number of threads that was asked for; 0: as many as the machine has.
#[pyfunction]
fn threads_wanted() -> usize {
    threads::wanted()
}

/// Called in the child of a fork: the parent's threads do not run there.
#[pyfunction]
fn after_fork() {
    threads::forked();
}

/// The extension.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<field::Core>()?;
    module.add_class::<elements::Elements>()?;
    module.add_class::<structure::Structure>()?;
    module.add_class::<items::Items>()?;
    module.add_function(wrap_pyfunction!(structure::kind, module)?)?;
    module.add_function(wrap_pyfunction!(set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads_wanted, module)?)?;
    module.add_function(wrap_pyfunction!(after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(random::random_words, module)?)?;
    module.add_function(wrap_pyfunction!(reports::tune, module)?)?;
    module.add_function(wrap_pyfunction!(reports::reproductions, module)?)?;
    module.add_function(wrap_pyfunction!(reports::reproduce, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
