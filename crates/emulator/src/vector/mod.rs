//! Instructions on vector and mask registers.

mod floats;
mod galois;
mod integer;
mod legacy;
mod masks;
mod moves;
mod operands;
mod permute;
mod products;

use yaxpeax_x86::long_mode::Opcode;

use crate::machine::Operation;

/// What executes an instruction; `None` where it is not of this family.
pub(crate) fn operation(opcode: Opcode) -> Option<Operation> {
    [
        moves::operation,
        integer::operation,
        legacy::operation,
        products::operation,
        permute::operation,
        masks::operation,
        floats::operation,
        galois::operation,
    ]
    .into_iter()
    .find_map(|family| family(opcode))
}
