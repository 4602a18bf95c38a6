//! Instructions of a program by class: counted, not measured.

use super::Program;
use super::instruction::{Gpr, Inst};
use crate::assembly::Counts;

/// Counts a program.
pub fn count(program: &Program) -> Counts {
    let mut c = Counts::default();
    for inst in program.code.iter().filter(|inst| !matches!(inst, Inst::Label(_))) {
        c.instructions += 1;
        c.products += u32::from(matches!(inst, Inst::Product { .. } | Inst::ProductSum { .. }));
        c.carries += u32::from(matches!(inst, Inst::Sum { op, .. } if op.takes_carry()));
        c.moves += u32::from(inst.copied().is_some() || matches!(inst, Inst::Move { .. }));
        match inst {
            Inst::Load { .. } | Inst::LoadPair { .. } | Inst::Pop { .. } | Inst::Constant { .. } => c.loads += 1,
            Inst::Store { address, .. } => {
                c.stores += 1;
                c.spills += u32::from(address.base == Gpr::SP);
            }
            Inst::StorePair { address, .. } => {
                c.stores += 1;
                c.spills += if address.base == Gpr::SP { 2 } else { 0 };
            }
            Inst::Push { .. } => {
                c.stores += 1;
                c.spills += 2;
            }
            _ => {}
        }
    }
    c
}
