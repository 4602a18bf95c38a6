//! Instructions on general registers, flags and the stack.

mod arithmetic;
mod control;
mod logic;
mod moves;
mod multiply;
mod shifts;

use yaxpeax_x86::long_mode::Opcode;

use crate::machine::Operation;

/// What executes an instruction; `None` where it is not of this family.
pub(crate) fn operation(opcode: Opcode) -> Option<Operation> {
    [
        arithmetic::operation,
        logic::operation,
        multiply::operation,
        shifts::operation,
        moves::operation,
        control::operation,
    ]
    .into_iter()
    .find_map(|family| family(opcode))
}
