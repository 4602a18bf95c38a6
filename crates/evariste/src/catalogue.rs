//! What there is to choose from: targets and operations, in words.

use evariste_codegen::x86_64::Width;
use evariste_codegen::x86_64::vector::{ALL, Vector, row};
use evariste_codegen::{Slots, x86_64};

/// A machine that bounds are known for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it stands for.
    pub description: &'static str,
    /// Slots a cycle, by name.
    pub per_cycle: Vec<(&'static str, f64)>,
    /// The table of vector instructions; none for scalar machines.
    pub vectors: Vec<VectorRow>,
}

/// What a vector instruction costs, registers as operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VectorRow {
    /// Its name.
    pub name: String,
    /// Numbers of the ports that take it; none: it is done by renaming, or by the ports of loads.
    pub ports: Vec<u32>,
    /// Cycles until the result.
    pub latency: u8,
    /// Slots of the rename stage.
    pub slots: u8,
}

/// Every machine with a table.
///
/// ```
/// assert_eq!(evariste::targets()[0].name, "x86-64");
/// ```
pub fn targets() -> Vec<Target> {
    let Slots { multiplier, carry, arithmetic, load, store } = x86_64::PER_CYCLE;
    vec![Target {
        name: "x86-64",
        description: "scalar x86-64: the most that any current core offers, so that bounds are lower bounds everywhere",
        per_cycle: vec![
            ("word products", multiplier),
            ("additions in carry chains", carry),
            ("arithmetic", arithmetic),
            ("loads", load),
            ("stores", store),
            ("instructions", x86_64::INSTRUCTIONS),
        ],
        vectors: Vec::new(),
    }]
    .into_iter()
    .chain([
        vectors(
            "avx-512",
            "vectors of 512 bits on x86-64, eight lanes of 64 bits: ports of Golden Cove, where two take 512 bits",
            Width::Z,
            "products of 52 bits",
            Vector::MaddLow,
        ),
        vectors(
            "avx2",
            "vectors of 256 bits on x86-64, four lanes of 64 bits: ports of Golden Cove",
            Width::Y,
            "products of 32 bits",
            Vector::MulHalf,
        ),
    ])
    .collect()
}

/// The table of vectors of a width; ports of loads and stores are not in it.
fn vectors(
    name: &'static str,
    description: &'static str,
    width: Width,
    products: &'static str,
    product: Vector,
) -> Target {
    let ports = |op| f64::from(row(op, width).ports.count_ones());
    let vectors = ALL.iter().filter_map(|op| {
        let (bits, row) = (*op.element_bits(width).first()?, row(*op, width));
        Some(VectorRow {
            name: op.name(bits, width),
            ports: (0..16).filter(|i| row.ports >> i & 1 == 1).collect(),
            latency: row.latency,
            slots: row.slots,
        })
    });
    let shared = ports(Vector::Add);
    Target {
        name,
        description,
        per_cycle: vec![
            ("additions and logic", shared),
            ("shifts", ports(Vector::Shr(1))),
            (products, ports(product)),
            ("of all these together", shared),
        ],
        vectors: vectors.collect(),
    }
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
