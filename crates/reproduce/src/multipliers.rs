//! Which fields and multipliers the figures of normal bases are about, and what their kernels perform.

use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_descriptions::{BinaryField, Field, has_gaussian_basis};
use evariste_ir::count::{count, count_operations};
use evariste_ir::{Kernel, Op};

/// The odd degrees up to `most` that have a Gaussian normal basis of this type, from 3.
pub fn odd_degrees(basis_type: u32, most: u32) -> Vec<u32> {
    (3..=most).step_by(2).filter(|m| has_gaussian_basis(*m, basis_type)).collect()
}

/// The field in its Gaussian normal basis of this type; type 0 stands for the polynomial basis.
pub fn field(degree: u32, basis_type: u32) -> Option<Field> {
    let field = if basis_type == 0 { BinaryField::standard(degree) } else { BinaryField::normal(degree, basis_type) };
    field.map(Field::new)
}

/// Multipliers of a field that are bit-sliced: over one-bit words.
pub fn multipliers(field: &Field) -> Vec<Plan> {
    layouts(field, 1).iter().filter(|l| l.word == 1).flat_map(|l| plans(field, l, &Operation::MUL)).collect()
}

/// All multipliers: the bit-sliced ones, then those of single elements in 64-bit words.
pub fn all_multipliers(field: &Field) -> Vec<Plan> {
    let words = layouts(field, 64).into_iter().filter(|l| l.word == 64);
    multipliers(field).into_iter().chain(words.flat_map(|l| plans(field, &l, &Operation::MUL))).collect()
}

/// A multiplier's kernel and name; `None` where it turns out not to apply.
pub fn written(plan: &Plan) -> Option<(String, Kernel)> {
    Some((plan.algorithm.clone(), plan.write().ok()?))
}

/// What one run of a kernel performs, by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operations {
    /// Exclusive ors.
    pub xor: u64,
    /// Ands.
    pub and: u64,
    /// Elements read.
    pub loads: u64,
    /// Elements written.
    pub stores: u64,
    /// All else.
    pub other: u64,
}

/// What one run of a kernel performs.
pub fn operations(kernel: &Kernel) -> Operations {
    let (all, xor, and) =
        (count(kernel), count_operations(kernel, &|op| *op == Op::Xor), count_operations(kernel, &|op| *op == Op::And));
    let every = count_operations(kernel, &|_| true);
    Operations { xor, and, loads: all.loads, stores: all.stores, other: every - xor - and + all.calls }
}

impl Operations {
    /// Gates: ands and exclusive ors.
    pub fn gates(&self) -> u64 {
        self.and + self.xor
    }
}
