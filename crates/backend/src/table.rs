//! What is asked of the table of back ends as a whole.

use std::sync::Arc;

use evariste_cores::Core;
use evariste_ir::Kernel;

use crate::BACKENDS;
use crate::backend::{Backend, Entry, Kind, Measuring, Packaged};
use crate::code::Code;
use crate::made::bit_lanes;

/// The line of a name.
pub fn named(name: &str) -> Option<&'static Entry> {
    BACKENDS.iter().copied().find(|entry| entry.name == name)
}

/// The back ends of that kind that this machine has, with those of its instruction sets that a text names (`None`:
/// all).
pub fn found(kind: impl Fn(Kind) -> bool, sets: Option<&str>) -> Vec<Arc<dyn Backend>> {
    BACKENDS.iter().filter(|entry| kind(entry.kind)).filter_map(|entry| (entry.find)(sets).ok()).collect()
}

/// Everything that this machine has for one element: machine code of our own first, then the C compiler.
pub fn usual() -> Vec<Arc<dyn Backend>> {
    let mut all = found(|kind| kind == Kind::Scalar, None);
    all.extend(found(|kind| kind == Kind::Compiled, None));
    all
}

/// Everything that this machine has for many elements at once, the widest first.
pub fn vectors() -> Vec<Arc<dyn Backend>> {
    found(Kind::has_lanes, None)
}

/// The processor whose instructions bounds are reckoned in: this one, where they are known, else the first.
pub fn machine() -> &'static Entry {
    let tables = || BACKENDS.iter().copied().filter(|entry| entry.machine.is_some_and(|m| m.limits.is_some()));
    tables().find(|entry| entry.is_native()).or_else(|| tables().next()).unwrap_or(BACKENDS[0])
}

/// The environment variable that names instruction sets to do without, separated by commas.
pub const WITHOUT: &str = "EVARISTE_WITHOUT";

/// What is wrong with [`WITHOUT`], with help: a name that means nothing would leave everything as it is.
pub fn misnamed() -> Option<String> {
    let names = std::env::var(WITHOUT).ok()?;
    let why = machine().machine.and_then(|machine| (machine.misnamed)(&names))?;
    Some(format!("{WITHOUT}: {why}"))
}

/// How the core at hand is measured; `None` where no line knows its instructions.
pub fn measuring() -> Option<Measuring> {
    BACKENDS.iter().filter(|entry| entry.is_native()).find_map(|entry| entry.machine?.probe)
}

/// The first back end for many elements, on a processor with all that it can use: what plans for arrays are weighed by
/// where nothing was measured, on every machine alike.
pub fn widest_model() -> Option<Arc<dyn Backend>> {
    BACKENDS.iter().filter(|entry| entry.kind.has_lanes()).find_map(|entry| Some((entry.machine?.model)()))
}

/// Cycles of one call of a kernel as scalar code, by each resource of a core: in the instructions that its table has.
pub fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)> {
    let own = named(&core.architecture).and_then(|entry| entry.machine?.limits);
    let limits = own.or_else(|| machine().machine.and_then(|m| m.limits));
    limits.map_or_else(Vec::new, |limits| limits(kernel, core))
}

/// The least cycles of one call of a kernel as scalar code on a core, when many independent ones are in flight.
pub fn machine_bound(kernel: &Kernel, core: &Core) -> f64 {
    limits(kernel, core).into_iter().map(|(_, cycles)| cycles).fold(0.0, f64::max)
}

/// The least cycles of an element on a core: by the back end itself, or as scalar code. 0 where there is no code.
pub fn bound(backend: &dyn Backend, kernel: &Kernel, core: &Core) -> f64 {
    backend.bound(kernel, core).unwrap_or_else(|| machine_bound(kernel, core)) / f64::from(bit_lanes(kernel))
}

/// The back end whose assembly packages contain: that code, where it is assembly, else [`packaged`].
pub fn packaged_of(code: Option<Code>) -> (&'static Entry, &'static Packaged) {
    code.and_then(|code| Some((code.entry(), code.entry().package?))).unwrap_or_else(packaged)
}

/// The back end whose assembly packages contain: that of this machine, where it has one, else the first.
pub fn packaged() -> (&'static Entry, &'static Packaged) {
    let all = || BACKENDS.iter().copied().filter_map(|entry| Some((entry, entry.package?)));
    let found = all().find(|(entry, _)| entry.is_native()).or_else(|| all().next());
    found.unwrap_or_else(|| unreachable!("a test finds a back end with assembly"))
}
