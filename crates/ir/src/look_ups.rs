//! Look-ups in variable time: what they read when the inputs are none that the contract admits.

use crate::kernel::{Kernel, Stmt, Type, Value};
use crate::op::Op;

impl Kernel {
    /// Does every look-up in variable time, those of callees too, stay inside its table whatever the arrays hold? The
    /// proof says so of admissible inputs only; here the index's type or the `low_bits` that made it must say it.
    pub fn vartime_look_ups_are_bounded(&self) -> bool {
        let bounded = !self.vartime || self.bounded();
        bounded && self.callees.iter().all(|callee| callee.vartime_look_ups_are_bounded())
    }

    fn bounded(&self) -> bool {
        // Of each value so far, how many of its bits may be set.
        let mut low = vec![u32::MAX; self.values.len()];
        let bits = |low: &[u32], v: Value| match self.value(v).ty {
            Type::Word(n) => low[v.0 as usize].min(n.into()),
            _ => u32::MAX,
        };
        self.statements().all(|stmt| match stmt {
            Stmt::Op { op: Op::LowBits(k), args, results } => {
                low[results[0].0 as usize] = bits(&low, args[0]).min(*k);
                true
            }
            Stmt::Op { op: Op::Lookup { table, vartime: true }, args, .. } => {
                1u64.checked_shl(bits(&low, args[0])).is_some_and(|n| n <= u64::from(self.array(*table).len))
            }
            _ => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Kernel;

    fn bounded(index: &str) -> bool {
        let text = format!(
            "kernel k_vartime: word 8 vartime {{
    output out: 1 x w8
    input a: 1 x w8 <8
    table t: 8 x w8 = (1, 2, 3, 4, 5, 6, 7, 8)

    %0: w8 <8 = a[0]
    {index}
    %2: w8 = lookup_vartime(t) %1
    out[0] = %2
}}
"
        );
        Kernel::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}")).vartime_look_ups_are_bounded()
    }

    #[test]
    fn an_interval_bounds_no_look_up() {
        assert!(bounded("%1: w8 <8 = low_bits(3) %0"));
        assert!(!bounded("%1: w8 <8 = shr(0) %0"));
        assert!(!bounded("%1: w8 <8 = low_bits(4) %0"));
    }
}
