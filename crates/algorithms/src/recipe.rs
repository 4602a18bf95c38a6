//! What an algorithm is: a [`Recipe`]. The kinds of algorithms are types here, each of which is one; an algorithm's file
//! declares constants of them. It knows nothing of the lists, and asks for what it calls by [`Recipe::needs`].

use std::sync::Arc;

use evariste_descriptions::{BinaryField, Field, Modulus, Part};
use evariste_ir::{Builder, Kernel, Number, Value};

use crate::layout::Layout;
use crate::operation::Operation;
use crate::signature::NotApplicable;

/// What is to be written: an operation of a field in a layout.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The field.
    pub field: &'a Field,
    /// The layout.
    pub layout: &'a Layout,
    /// The operation.
    pub operation: &'a Operation,
}

/// A way to write kernels.
pub trait Recipe: Sync {
    /// Standard name, lower case with hyphens.
    fn name(&self) -> &'static str;

    /// What it is to a kernel.
    fn kind(&self) -> Kind;

    /// Do its kernels read memory at addresses that depend on operands? Then they are no candidates.
    fn is_vartime(&self) -> bool {
        false
    }

    /// The operations that it makes this one of, if it makes it, provided that there are kernels of them. No operation
    /// needs itself.
    fn needs(&self, s: Setting) -> Option<&'static [Need]>;

    /// Writes the kernel of a plan with that algorithm's name (its own, behind those of its parts) from parts for its
    /// needs, in their order.
    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable>;

    /// What the kernel does and why, where that is not plain; `None` where it is.
    fn explanation(&self, _: Setting) -> Option<String> {
        None
    }

    /// The steps of a product of polynomials, for who writes them within its own kernel.
    fn carryless_product(&self) -> Option<&CarrylessProduct> {
        None
    }
}

/// What serves the needs of a recipe.
pub trait Parts {
    /// The kernel of need i.
    fn kernel(&self, i: usize) -> Result<Arc<Kernel>, NotApplicable>;

    /// The kernel of need i as its plan writes it in another layout of as many digits: where operands are larger.
    fn kernel_in(&self, i: usize, layout: &Layout) -> Result<Arc<Kernel>, NotApplicable>;

    /// The recipe of need i, where each of its plans makes a plan ([`Pick::Each`]).
    fn recipe(&self, i: usize) -> Option<&'static dyn Recipe>;
}

/// For what needs nothing.
impl Parts for () {
    fn kernel(&self, _: usize) -> Result<Arc<Kernel>, NotApplicable> {
        Err(NotApplicable("a part is missing".into()))
    }

    fn kernel_in(&self, i: usize, _: &Layout) -> Result<Arc<Kernel>, NotApplicable> {
        self.kernel(i)
    }

    fn recipe(&self, _: usize) -> Option<&'static dyn Recipe> {
        None
    }
}

/// What an algorithm is to a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A schedule of the product of two numbers; joined with a reduction, `comba+solinas`.
    Product,
    /// A reduction of a full product.
    Reduction,
    /// A product with the reduction interleaved.
    Interleaved,
    /// A product of polynomials over GF(2) in whole words; joined with a reduction, `clmul-karatsuba+fold`.
    CarrylessProduct,
    /// A reduction of such a product.
    CarrylessReduction,
    /// Calls of other kernels of the layout.
    Composite,
    /// A whole kernel of one operation.
    Whole,
}

/// Declares the files of a folder that hold recipes, and lists these in the order in which plans have them: a line is a
/// file with the names of its recipes.
macro_rules! recipes {
    ($($file:ident::$first:ident $(, $more:ident)*;)+) => {
        $(pub mod $file;)+

        /// The recipes of this folder.
        pub const RECIPES: &[&dyn $crate::recipe::Recipe] = &[$(&$file::$first $(, &$file::$more)*),+];
    };
}

pub(crate) use recipes;

/// A schedule of the product of two numbers of equally many words (saturated digits).
pub struct Product {
    /// Standard name, lower case with hyphens.
    pub name: &'static str,
    /// Does it apply to operands of `n` words of `w` bits?
    pub applies: fn(w: u32, n: usize) -> bool,
    /// The `2n` words of `a·b`.
    pub multiply: fn(&mut Builder, &[Value], &[Value]) -> Vec<Value>,
    /// The `2n` words of `a²`.
    pub square: fn(&mut Builder, &[Value]) -> Vec<Value>,
}

/// A reduction of a double-length number to one that is congruent (times 1/R for Montgomery), not yet normalised to the
/// resting bound.
pub struct Reduction {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this modulus in this layout?
    pub applies: fn(&Modulus, &Layout) -> bool,
    /// Reduces.
    pub reduce: fn(&mut Builder, &Modulus, &Layout, Number) -> Number,
}

/// A product with the reduction interleaved; the result is not yet normalised to the resting bound.
pub struct Integrated {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this modulus in this layout?
    pub applies: fn(&Modulus, &Layout) -> bool,
    /// Product of two numbers.
    pub multiply: fn(&mut Builder, &Modulus, &Layout, &Number, &Number) -> Number,
    /// Square; `None`: multiply the number by itself.
    pub square: Option<fn(&mut Builder, &Modulus, &Layout, &Number) -> Number>,
}

/// Any other way to write a kernel for an operation: what a field needs beside products, rolled kernels, one-bit
/// kernels.
pub struct Whole {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply?
    pub applies: fn(&Field, &Layout, &Operation) -> bool,
    /// Writes the kernel.
    pub write: fn(&Field, &Layout, &Operation) -> Result<Kernel, NotApplicable>,
}

impl Recipe for Whole {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Whole
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        (self.applies)(s.field, s.layout, s.operation).then_some(&[])
    }

    fn write(&self, s: Setting, _: &str, _: &dyn Parts) -> Result<Kernel, NotApplicable> {
        (self.write)(s.field, s.layout, s.operation)
    }
}

/// An algorithm made of calls of other kernels of the same layout: inverses, powers, a product and a sum.
pub struct Composite {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply, provided that there are kernels of all its needs?
    pub applies: fn(&Field, &Layout, &Operation) -> bool,
    /// What it calls. No operation needs itself.
    pub needs: &'static [Need],
    /// Writes the kernel from those of the needs, in their order.
    pub write: fn(&Field, &Layout, &Operation, &[Arc<Kernel>]) -> Result<Kernel, NotApplicable>,
}

impl Recipe for Composite {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        (self.applies)(s.field, s.layout, s.operation).then_some(self.needs)
    }

    fn write(&self, s: Setting, _: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let kernels: Result<Vec<_>, _> = (0..self.needs.len()).map(|i| parts.kernel(i)).collect();
        (self.write)(s.field, s.layout, s.operation, &kernels?)
    }
}

/// What a reduction makes a product of.
pub const MUL_WIDE: &[Need] = &[Need::new(Operation::MUL_WIDE, Pick::Each)];

/// What a reduction makes a square of.
pub const SQUARE_WIDE: &[Need] = &[Need::new(Operation::SQUARE_WIDE, Pick::Each)];

impl Setting<'_> {
    /// What a reduction needs here: nothing for itself, a whole product, a whole square.
    pub fn reduced(&self) -> Option<&'static [Need]> {
        match self.operation {
            op if *op == Operation::REDUCE => Some(&[]),
            op if *op == Operation::MUL => Some(MUL_WIDE),
            op if *op == Operation::SQUARE => Some(SQUARE_WIDE),
            _ => None,
        }
    }

    /// Is it a square, whole or not?
    pub fn squares(&self) -> bool {
        self.operation.is_any(&[Operation::SQUARE, Operation::SQUARE_WIDE])
    }
}

/// An operation whose kernel a recipe calls. Outputs may lie where operands do.
pub struct Need {
    /// The operation.
    pub operation: Operation,
    /// Which plan serves when nobody has chosen one.
    pub pick: Pick,
    /// The structure whose operation it is.
    pub of: Of,
}

/// Whose operation a recipe calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Of {
    /// That of the structure itself.
    Itself,
    /// That of the field that it stands on: the prime field below a tower or a curve.
    Ground,
    /// That of a group of a pairing: [`Part::First`] or [`Part::Second`].
    Group(Part),
}

impl Need {
    /// An operation of the structure itself.
    pub const fn new(operation: Operation, pick: Pick) -> Need {
        Need { operation, pick, of: Of::Itself }
    }

    /// An operation of the field that the structure stands on.
    pub const fn ground(operation: Operation) -> Need {
        Need { operation, pick: Pick::First, of: Of::Ground }
    }
}

/// Which plan serves a [`Need`] when nobody has chosen one.
pub enum Pick {
    /// The first of the registry.
    First,
    /// Of all plans the one of fewest operations.
    Fewest,
    /// None alone: each of its plans makes a plan of the recipe, and is part of it.
    Each,
    /// Of the plans of the first group that has any the one of fewest operations. Groups name algorithms, or of
    /// products with a reduction the product alone.
    Preferred(&'static [&'static [&'static str]]),
}

/// A way to multiply two polynomials of n words, or to square one.
pub struct CarrylessProduct {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to n words of w bits?
    pub applies: fn(w: u32, n: usize) -> bool,
    /// The 2n words of `a·b`.
    pub multiply: Option<fn(&mut Builder, &[Value], &[Value]) -> Vec<Value>>,
    /// The 2n words of `a²`.
    pub square: Option<fn(&mut Builder, &[Value]) -> Vec<Value>>,
}

/// A way to reduce 2n words to n.
pub struct CarrylessReduction {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this polynomial in words of w bits?
    pub applies: fn(f: &BinaryField, w: u32) -> bool,
    /// Reduces a polynomial of degree at most 2m − 2.
    pub reduce: fn(&mut Builder, &BinaryField, &[Value]) -> Vec<Value>,
}
