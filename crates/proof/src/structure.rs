//! The structural check that comes before a proof.

use evariste_ir::{Claim, Kernel, Operand};

/// Is the kernel well formed?
pub(crate) fn check(kernel: &Kernel) -> Result<(), String> {
    for operand in kernel.contract.inputs.iter().chain(kernel.contract.claims.iter().map(Claim::output)) {
        digits_exist(kernel, operand)?;
    }
    Ok(())
}

fn digits_exist(kernel: &Kernel, operand: &Operand) -> Result<(), String> {
    for d in &operand.digits {
        let known = kernel.arrays.get(d.array.0 as usize).is_some_and(|a| d.index < a.len && a.is_param());
        if !known {
            return Err(format!("{} has a digit in no parameter", operand.name));
        }
    }
    Ok(())
}
