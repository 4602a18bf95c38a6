//! What there is to choose from: targets and operations, in words.

use evariste_backend::{BACKENDS, VectorRow};

/// A machine that bounds are known for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name: that of the back end.
    pub name: &'static str,
    /// What it stands for.
    pub description: &'static str,
    /// Slots a cycle, by name.
    pub per_cycle: Vec<(&'static str, f64)>,
    /// The table of vector instructions; none for scalar machines.
    pub vectors: Vec<VectorRow>,
}

/// Every machine with a table.
///
/// ```
/// assert_eq!(evariste::targets()[0].name, "x86-64");
/// ```
pub fn targets() -> Vec<Target> {
    let target = |entry: &evariste_backend::Entry| {
        let speeds = (entry.machine?.speeds)();
        Some(Target {
            name: entry.name,
            description: speeds.description,
            per_cycle: speeds.per_cycle,
            vectors: speeds.vectors,
        })
    };
    BACKENDS.iter().filter_map(|entry| target(entry)).collect()
}

/// What `tune` may be told to make: the names of the back ends for one element.
pub fn codes() -> Vec<&'static str> {
    BACKENDS.iter().filter(|entry| !entry.kind.has_lanes()).map(|entry| entry.name).collect()
}

/// Every operation: its name, its operands, and what it computes. Which of them a field has depends on the layout.
///
/// ```
/// assert!(evariste::operations().iter().any(|(name, operands, _)| *name == "affine" && operands.len() == 3));
/// ```
pub fn operations() -> Vec<(&'static str, &'static [&'static str], &'static str)> {
    vec![
        ("mul", &["a", "b"], "a·b"),
        ("square", &["a"], "a²"),
        ("add", &["a", "b"], "a + b"),
        ("sub", &["a", "b"], "a − b"),
        ("opp", &["a"], "−a"),
        ("selectznz", &["flag", "a", "b"], "b when the flag is 1, else a; in constant time"),
        ("to_montgomery", &["a"], "into Montgomery form: a·R"),
        ("from_montgomery", &["a"], "out of Montgomery form: a/R"),
        ("canonical", &["a"], "the value below p"),
        ("to_bytes", &["a"], "bytes of the canonical value, lowest first"),
        ("to_bytes_be", &["a"], "bytes of the canonical value, highest first"),
        ("from_bytes", &["bytes"], "from bytes of a canonical value, lowest first"),
        ("from_bytes_be", &["bytes"], "from bytes of a canonical value, highest first"),
        ("is_zero", &["a"], "1 when a is zero, else 0"),
        ("equal", &["a", "b"], "1 when a equals b, else 0"),
        ("inv", &["a"], "1/a by a fixed power (0 for 0); prime moduli"),
        ("pow_HEX", &["a"], "a^e for the public exponent e in hexadecimal"),
        ("affine", &["a", "x", "b"], "a·x + b"),
        ("affine_mod_2_K", &["a", "x", "b"], "a·x + b modulo p, and then modulo 2^K"),
    ]
}
