//! The bound of a kernel as scalar code, by a core's table.

use evariste_cores::Core;
use evariste_ir::Kernel;

use super::cost;
use crate::slots::slots;

/// Additions that take a carry.
const CARRIES: [&str; 4] = ["adc", "sbc", "adcs", "sbcs"];
/// All other arithmetic; the cheapest counts. A shift may be a part of another instruction.
const ARITHMETIC: [&str; 11] =
    ["add", "sub", "adds", "subs", "and", "orr", "eor", "bic", "add shifted", "and shifted", "csel"];

/// Cycles of one call of a kernel by each resource of a core, when many independent calls are in flight. Each operation
/// counts the least that any instruction for it asks of the resource; of a product in two words each word is one, and a
/// shift none.
pub fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)> {
    let core = cost::of(core);
    let s = slots(kernel);
    // Two words by one instruction.
    let half = |name: &'static str| core.least(&[name]).into_iter().map(|(r, units)| (r, units / 2.0)).collect();
    let sums = core.sums([
        (core.least(&["mul", "umulh"]), s.multiplier),
        (core.least(&["umulh"]), s.high),
        (core.least(&CARRIES), s.carry),
        (core.least(&ARITHMETIC), (s.arithmetic - s.carry - s.shift).max(0.0)),
        (half("ldp"), s.load),
        (half("stp"), s.store),
    ]);
    sums.into_iter().filter_map(|sum| Some((sum.resource?.to_string(), sum.cycles))).collect()
}
