//! What the tables of x86-64 say, to be shown.

use super::vector::{ALL, Vector, row};
use super::{INSTRUCTIONS, PER_CYCLE, Width};
use crate::Slots;
use crate::costs::{Speeds, VectorRow};

/// Of scalar code.
pub fn scalar() -> Speeds {
    let Slots { multiplier, carry, arithmetic, load, store } = PER_CYCLE;
    Speeds {
        description: "scalar x86-64: the most that any current core offers, so that bounds are lower bounds everywhere",
        per_cycle: vec![
            ("word products", multiplier),
            ("additions in carry chains", carry),
            ("arithmetic", arithmetic),
            ("loads", load),
            ("stores", store),
            ("instructions", INSTRUCTIONS),
        ],
        vectors: Vec::new(),
    }
}

/// Of vectors of 512 bits.
pub fn avx_512() -> Speeds {
    vectors(
        "vectors of 512 bits on x86-64, eight lanes of 64 bits: ports of Golden Cove, where two take 512 bits",
        Width::Z,
        "products of 52 bits",
        Vector::MaddLow,
    )
}

/// Of vectors of 256 bits.
pub fn avx2() -> Speeds {
    vectors(
        "vectors of 256 bits on x86-64, four lanes of 64 bits: ports of Golden Cove",
        Width::Y,
        "products of 32 bits",
        Vector::MulHalf,
    )
}

/// The table of vectors of a width; ports of loads and stores are not in it.
fn vectors(description: &'static str, width: Width, products: &'static str, product: Vector) -> Speeds {
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
    Speeds {
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
