//! The bound of a kernel as scalar code, by a core's table.

use evariste_cores::Core;
use evariste_ir::Kernel;

use crate::slots::slots;

/// Instructions that multiply words.
const PRODUCTS: [&str; 3] = ["mulx", "mul", "imul"];
/// Additions that take a carry.
const CARRIES: [&str; 4] = ["adc", "sbb", "adcx", "adox"];
/// All other arithmetic; the cheapest counts.
const ARITHMETIC: [&str; 9] = ["add", "sub", "and", "or", "xor", "not", "lea", "shl", "shr"];
/// A load that is folded into the instruction that uses the word takes no slot of its own: it is reckoned where it keeps a
/// resource busy for that part of its own time or more.
const OWN: f64 = 0.5;

/// Cycles of one call of a kernel by each resource of a core, when many independent calls are in flight. Each operation
/// counts the least that any instruction for it asks of the resource.
pub fn limits(kernel: &Kernel, core: &Core) -> Vec<(String, f64)> {
    let s = slots(kernel);
    let mut load = core.least(&["load"]);
    let whole = core.cost("load").map_or(0.0, |cost| cost.cycles);
    load.retain(|_, units| *units >= OWN * whole);
    let sums = core.sums([
        (core.least(&PRODUCTS), s.multiplier),
        (core.least(&CARRIES), s.carry),
        (core.least(&ARITHMETIC), (s.arithmetic - s.carry).max(0.0)),
        (load, s.load),
        (core.least(&["store"]), s.store),
    ]);
    sums.into_iter().filter_map(|sum| Some((sum.resource?.to_string(), sum.cycles))).collect()
}
