//! What a kernel of a hash function begins with, and how what it sums ends.
//!
//! * **computes** `t mod p`, p the least prime above `2^n`.
//! * **needs** any bound of t that the reduction can bring below p.
//! * **gives** the canonical residue.
//! * **cost** that of the reduction ([`complement`](crate::reduction::complement)).
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997).

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Number};

use super::given::{Shape, ground, shape};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::reduction::complement::{Variant, reduce};
use crate::signature::NotApplicable;

/// A kernel that is being written.
pub(super) struct Setting {
    /// Its builder.
    pub b: Builder,
    /// The sizes of the hash function.
    pub shape: Shape,
    /// The prime.
    pub modulus: Modulus,
    variant: Variant,
}

impl Setting {
    /// The beginning of a kernel.
    pub(super) fn of(
        field: &Field,
        layout: &Layout,
        operation: &Operation,
        (name, variant): (&str, Variant),
    ) -> Result<Setting, NotApplicable> {
        let ground = ground(field);
        let (Some(shape), Some(modulus)) = (shape(&**field), ground.as_ref().and_then(|f| f.get::<Modulus>())) else {
            return Err(NotApplicable("not a hash function of words".into()));
        };
        let b = Builder::new(kernel_name(operation, name), layout.word);
        Ok(Setting { b, shape, modulus: modulus.clone(), variant })
    }

    /// The canonical residue.
    pub(super) fn residue(&mut self, all: Number) -> Result<Number, NotApplicable> {
        let residue = reduce(&mut self.b, &self.modulus, all, None, self.variant);
        if residue.bound >= self.modulus.value.clone().into() {
            return Err(NotApplicable("the residue is not known to be canonical".into()));
        }
        Ok(residue)
    }
}
