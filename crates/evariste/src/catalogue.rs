//! What there is to choose from: targets and operations, in words.

use evariste_algorithms::operation::{OPERATIONS, Row};
use evariste_backend::{BACKENDS, Code, Kind, VectorRow};
use evariste_cores::Core;

/// A machine that bounds are known for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name: that of the back end.
    pub name: &'static str,
    /// What it stands for.
    pub description: String,
    /// How many a cycle, by name.
    pub per_cycle: Vec<(&'static str, f64)>,
    /// The table of vector instructions; none for scalar machines.
    pub vectors: Vec<VectorRow>,
}

/// Every machine with a table, as a core's says.
///
/// ```
/// use evariste::builder::{cores::InUse, targets};
///
/// assert_eq!(targets(&InUse::reference().core)[0].name, "x86-64");
/// ```
pub fn targets(core: &Core) -> Vec<Target> {
    let target = |entry: &evariste_backend::Entry| {
        let speeds = (entry.machine?.speeds)(core);
        Some(Target {
            name: entry.name,
            description: speeds.description,
            per_cycle: speeds.per_cycle,
            vectors: speeds.vectors,
        })
    };
    BACKENDS.iter().filter_map(|entry| target(entry)).collect()
}

/// What `tune` may be told to make: the names of the back ends for one element; of machine code also with those of its
/// instruction sets that decide, `x86-64:baseline`.
pub fn codes() -> Vec<String> {
    // (What is made among other code is no back end by itself.)
    let is_made = |entry: &evariste_backend::Entry| entry.kind != Kind::Scalar || entry.machine.is_some();
    let one = BACKENDS.iter().filter(|entry| !entry.kind.has_lanes() && is_made(entry));
    let sets = |entry: &evariste_backend::Entry| entry.package.map_or(&[][..], |package| package.known_sets);
    one.flat_map(|entry| {
        let with_sets = sets(entry).iter().map(move |sets| format!("{}:{sets}", entry.name));
        [entry.name.to_string()].into_iter().chain(with_sets)
    })
    .collect()
}

/// Code that is made among other code, and ranked by itself: its name and that of the other.
pub fn codes_among_others() -> Vec<[&'static str; 2]> {
    let apart = |entry: &&'static evariste_backend::Entry| Some([Code::from(*entry).beside()?.code, entry.name]);
    BACKENDS.iter().filter_map(apart).collect()
}

/// An operation, whatever the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperationRow {
    /// Its name; of a family with a word for the number: `pow_HEX`.
    pub name: &'static str,
    /// What it works on: elements, forms of elements, words, arrays.
    pub kind: &'static str,
    /// Names of its operands.
    pub operands: Vec<&'static str>,
    /// What it computes.
    pub what: &'static str,
}

/// Every operation. Which of them a field has depends on the layout.
///
/// ```
/// assert!(evariste::builder::operations().iter().any(|op| op.name == "affine" && op.operands == ["a", "x", "b"]));
/// ```
pub fn operations() -> Vec<OperationRow> {
    let row = |row: &'static Row| OperationRow {
        name: row.name,
        kind: row.kind.what(),
        operands: row.inputs.iter().map(|slot| slot.name).collect(),
        what: row.what,
    };
    OPERATIONS.iter().map(|op| row(op.row())).collect()
}
