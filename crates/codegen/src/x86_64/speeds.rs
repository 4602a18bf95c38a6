//! What a core's table says of x86-64, to be shown.

use evariste_cores::Core;

use super::Width;
use crate::costs::{Speeds, VectorRow};

/// Of scalar code.
pub fn scalar(core: &Core) -> Speeds {
    let names = [
        ("word products", "mulx"),
        ("additions in carry chains", "adc"),
        ("additions", "add"),
        ("shifts", "shr"),
        ("loads", "load"),
        ("stores", "store"),
    ];
    Speeds {
        description: format!("scalar x86-64 on {}", core.name),
        per_cycle: per_cycle(core, &names),
        vectors: Vec::new(),
    }
}

/// Of vectors of 512 bits.
pub fn avx_512(core: &Core) -> Speeds {
    let names = [
        ("additions", "vpaddq.zmm"),
        ("shifts", "vpsrlq.zmm"),
        ("products of 52 bits", "vpmadd52luq.zmm"),
        ("products of 32 bits", "vpmuludq.zmm"),
    ];
    vectors(format!("vectors of 512 bits on {}, eight lanes of 64 bits", core.name), core, Width::Z, &names)
}

/// Of vectors of 256 bits.
pub fn avx2(core: &Core) -> Speeds {
    let names = [("additions", "vpaddq.ymm"), ("shifts", "vpsrlq.ymm"), ("products of 32 bits", "vpmuludq.ymm")];
    vectors(format!("vectors of 256 bits on {}, four lanes of 64 bits", core.name), core, Width::Y, &names)
}

fn vectors(description: String, core: &Core, width: Width, names: &[(&'static str, &str)]) -> Speeds {
    let suffix = format!(".{}", width.prefix());
    let of_width = core.costs.iter().filter_map(|(name, cost)| Some((name.strip_suffix(&suffix)?, cost)));
    let row = |(name, cost): (&str, &evariste_cores::Cost)| VectorRow {
        name: name.to_string(),
        cycles: cost.cycles,
        latency: cost.latency,
        uses: cost.uses.iter().map(|(resource, units)| (resource.clone(), *units)).collect(),
    };
    Speeds { description, per_cycle: per_cycle(core, names), vectors: of_width.map(row).collect() }
}

/// Copies a cycle of those instructions that the table has.
fn per_cycle(core: &Core, names: &[(&'static str, &str)]) -> Vec<(&'static str, f64)> {
    let cycles = |name| core.cost(name).map(|cost| cost.cycles).filter(|cycles| *cycles > 0.0);
    names.iter().filter_map(|(what, name)| Some((*what, 1.0 / cycles(name)?))).collect()
}
