//! What a core's table says of AArch64, to be shown.

use evariste_cores::Core;

use super::cost;
use crate::costs::Speeds;

/// Of scalar code.
pub fn scalar(core: &Core) -> Speeds {
    let core = cost::of(core);
    let names = [
        ("low words of products", "mul"),
        ("high words of products", "umulh"),
        ("additions in carry chains", "adcs"),
        ("additions", "add"),
        ("shifts", "lsr"),
        ("loads", "load"),
        ("stores", "store"),
    ];
    let cycles = |name| core.cost(name).map(|cost| cost.cycles).filter(|cycles| *cycles > 0.0);
    Speeds {
        description: format!("scalar AArch64 on {}", core.name),
        per_cycle: names.iter().filter_map(|(what, name)| Some((*what, 1.0 / cycles(name)?))).collect(),
        vectors: Vec::new(),
    }
}
