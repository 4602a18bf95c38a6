//! One line an algorithm. A plan is a layout, an operation and an algorithm by name; writing it gives a kernel.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::{Builder, Kernel, Number, Value};

use crate::binary::words::{self, CarrylessProduct, CarrylessReduction};
use crate::frame::NotApplicable;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::{binary, integer, lanes, prime, reduction};

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

/// A reduction of a double-length number to one that is congruent (times 1/R for Montgomery), not yet settled to the
/// resting bound.
pub struct Reduction {
    /// Standard name.
    pub name: &'static str,
    /// Does it apply to this modulus in this layout?
    pub applies: fn(&Modulus, &Layout) -> bool,
    /// Reduces.
    pub reduce: fn(&mut Builder, &Modulus, &Layout, Number) -> Number,
}

/// A product with the reduction interleaved; the result is not yet settled to the resting bound.
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

/// Product schedules.
pub const PRODUCTS: &[Product] = &[
    integer::operand_scanning::PRODUCT,
    integer::operand_scanning_chains::PRODUCT,
    integer::operand_scanning_merge::PRODUCT,
    integer::operand_scanning_two_pass::PRODUCT,
    integer::operand_scanning_mixed::PRODUCT,
    integer::comba::PRODUCT,
    integer::comba_delayed::PRODUCT,
    integer::comba_delayed_3::PRODUCT,
    integer::comba_columns::PRODUCT,
    integer::karatsuba::PRODUCT,
    integer::float_products::SHORT,
    integer::float_products::SHORT_FMA,
    integer::float_products::UNEQUAL,
    integer::float_products::LONG,
];

/// Reductions of a full product.
pub const REDUCTIONS: &[Reduction] = &[
    reduction::fold::REDUCTION,
    reduction::fold_merge::REDUCTION,
    reduction::fold_half::REDUCTION,
    reduction::complement::REDUCTION,
    reduction::solinas::REDUCTION,
    reduction::barrett::REDUCTION,
    reduction::montgomery_sos::REDUCTION,
    reduction::montgomery_sos_chains::REDUCTION,
    reduction::montgomery_sos_merge::REDUCTION,
    reduction::montgomery_difference::REDUCTION,
];

/// Interleaved products.
pub const INTEGRATED: &[Integrated] = &[
    reduction::montgomery_cios::INTEGRATED,
    reduction::montgomery_cios_chains::INTEGRATED,
    reduction::montgomery_cios_merge::INTEGRATED,
    reduction::montgomery_cios_mixed::INTEGRATED,
    reduction::montgomery_cios_no_carry::INTEGRATED,
    reduction::montgomery_fios::INTEGRATED,
    reduction::montgomery_fips::INTEGRATED,
    reduction::montgomery_cihs::INTEGRATED,
    reduction::fold_unsaturated::EARLY,
    reduction::fold_unsaturated::LATE,
    reduction::fold_karatsuba::INTEGRATED,
    reduction::fold_golden::INTEGRATED,
];

/// Whole kernels, by folder.
pub const WHOLE: &[&[Whole]] = &[
    prime::WHOLE,
    prime::affine::WHOLE,
    binary::WHOLE,
    integer::operand_scanning_rolled::WHOLE,
    reduction::montgomery_cios_rolled::WHOLE,
];

/// How a plan's kernel is written.
#[derive(Clone, Copy)]
enum Recipe {
    Plain(&'static Product),
    Reduced(&'static Product, &'static Reduction),
    Integrated(&'static Integrated),
    Carryless(&'static CarrylessProduct, &'static CarrylessReduction),
    Whole(&'static Whole),
    /// By a modulus that is given: the algorithm by its name.
    Given,
}

/// A candidate: a field's operation in a layout by a named algorithm.
#[derive(Clone)]
pub struct Plan {
    /// The field.
    pub field: Field,
    /// The layout.
    pub layout: Layout,
    /// The operation.
    pub operation: Operation,
    /// The algorithm: `montgomery-fips`, `comba+solinas`, …
    pub algorithm: String,
    recipe: Recipe,
}

impl Plan {
    /// The plan's full name: algorithm and layout, `montgomery-fips/montgomery-4x64`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.algorithm, self.layout.name)
    }

    /// Writes the kernel.
    pub fn write(&self) -> Result<Kernel, NotApplicable> {
        let name = format!("{}_{}", self.operation.name(), self.algorithm.replace(['-', '+'], "_"));
        match self.recipe {
            Recipe::Whole(w) => (w.write)(&self.field, &self.layout, &self.operation),
            Recipe::Given => reduction::given::write(&self.layout, &self.operation, &self.algorithm),
            Recipe::Plain(p) => integer::plain_product(&name, p, &self.layout, self.operation == Operation::Square),
            Recipe::Reduced(p, r) => reduction::reduced_product(
                &name,
                p,
                r,
                modulus(&self.field)?,
                &self.layout,
                self.operation == Operation::Square,
            ),
            Recipe::Carryless(p, r) => words::kernel(&name, p, r, &self.field, &self.layout, &self.operation),
            Recipe::Integrated(i) => reduction::integrated_product(
                &name,
                i,
                modulus(&self.field)?,
                &self.layout,
                self.operation == Operation::Square,
            ),
        }
    }
}

fn modulus(field: &Field) -> Result<&Modulus, NotApplicable> {
    match field {
        Field::Modular(m) => Ok(m),
        _ => Err(NotApplicable("this needs a modulus".into())),
    }
}

/// All plans that apply to an operation in a layout.
pub fn plans(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let plan = |algorithm: String, recipe| Plan {
        field: field.clone(),
        layout: layout.clone(),
        operation: operation.clone(),
        algorithm,
        recipe,
    };
    let mut all = Vec::new();
    if let Field::Odd(_) = field {
        all.extend(reduction::given::algorithms(layout, operation).into_iter().map(|name| plan(name, Recipe::Given)));
        // These look at digits alone.
        let beside = [&prime::selectznz::SELECT, &prime::equal::XOR_OR, &prime::is_zero::OR];
        all.extend(
            beside
                .into_iter()
                .filter(|w| (w.applies)(field, layout, operation))
                .map(|w| plan(w.name.into(), Recipe::Whole(w))),
        );
        return all;
    }
    if layout.radix.is_some() {
        if let (Operation::Mul | Operation::Square, Field::Modular(m)) = (operation, field) {
            all.extend(
                lanes::INTEGRATED
                    .iter()
                    .filter(|i| (i.applies)(m, layout))
                    .map(|i| plan(i.name.into(), Recipe::Integrated(i))),
            );
        }
        all.extend(
            lanes::WHOLE
                .iter()
                .flat_map(|w| w.iter())
                .filter(|w| (w.applies)(field, layout, operation))
                .map(|w| plan(w.name.into(), Recipe::Whole(w))),
        );
        return all;
    }
    if matches!(operation, Operation::Mul | Operation::Square) {
        let n = layout.digits();
        match field {
            Field::Integers(_) => {
                all.extend(
                    PRODUCTS
                        .iter()
                        .filter(|p| (p.applies)(layout.word, n))
                        .map(|p| plan(p.name.into(), Recipe::Plain(p))),
                );
            }
            Field::Modular(m) => {
                all.extend(
                    INTEGRATED
                        .iter()
                        .filter(|i| (i.applies)(m, layout))
                        .map(|i| plan(i.name.into(), Recipe::Integrated(i))),
                );
                for r in REDUCTIONS.iter().filter(|r| layout.saturated() && (r.applies)(m, layout)) {
                    all.extend(
                        PRODUCTS
                            .iter()
                            .filter(|p| (p.applies)(layout.word, n))
                            .map(|p| plan(format!("{}+{}", p.name, r.name), Recipe::Reduced(p, r))),
                    );
                }
            }
            Field::Binary(f) => {
                let pairs = words::pairs(binary::PRODUCTS, f, field, layout, operation);
                all.extend(pairs.map(|(p, r)| plan(format!("{}+{}", p.name, r.name), Recipe::Carryless(p, r))));
            }
            Field::Odd(_) => {}
        }
    }
    all.extend(
        WHOLE
            .iter()
            .flat_map(|w| w.iter())
            .filter(|w| (w.applies)(field, layout, operation))
            .map(|w| plan(w.name.into(), Recipe::Whole(w))),
    );
    all
}

/// Plans whose kernels read memory at addresses that depend on operands, so that their time may tell of them. They are
/// no candidates: whoever wants one names it.
pub fn plans_vartime(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let Field::Binary(f) = field else { return Vec::new() };
    let plan = |(p, r): (&'static CarrylessProduct, &'static CarrylessReduction)| {
        let algorithm = format!("{}+{}_vartime", p.name, r.name);
        Plan {
            field: field.clone(),
            layout: layout.clone(),
            operation: operation.clone(),
            algorithm,
            recipe: Recipe::Carryless(p, r),
        }
    };
    words::pairs(binary::PRODUCTS_VARTIME, f, field, layout, operation).map(plan).collect()
}

/// The plan of that algorithm, if it applies.
pub fn plan_named(field: &Field, layout: &Layout, operation: &Operation, algorithm: &str) -> Option<Plan> {
    plans(field, layout, operation)
        .into_iter()
        .chain(plans_vartime(field, layout, operation))
        .find(|p| p.algorithm == algorithm)
}
