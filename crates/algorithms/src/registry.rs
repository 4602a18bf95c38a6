//! One line an algorithm. A plan is a layout, an operation and an algorithm by name; writing it gives a kernel.

use std::sync::Arc;

use evariste_descriptions::{BinaryField, Field, Integers, Modulus, OddModuli};
use evariste_ir::Kernel;
use evariste_ir::count::count;

use crate::binary::words;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{
    CarrylessProduct, CarrylessReduction, Composite, Integrated, Need, Pick, Product, Reduction, Whole,
};
use crate::signature::NotApplicable;
use crate::{binary, integer, lanes, prime, reduction};

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

/// Algorithms made of calls of others.
pub const COMPOSITE: &[Composite] = &[
    prime::to_montgomery::PRODUCT,
    prime::from_montgomery::PRODUCT,
    prime::inverse::ADDITION_CHAIN,
    prime::power::ADDITION_CHAIN,
    binary::itoh_tsujii::STRAIGHT,
    binary::itoh_tsujii::ROLLED,
    lanes::mul_add::PRODUCT_THEN_SUM,
];

/// What an algorithm is to a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// Every algorithm with its kind, those for lanes after the others of their kind.
pub fn algorithms() -> Vec<(&'static str, Kind)> {
    let mut all: Vec<(&'static str, Kind)> = Vec::new();
    all.extend(PRODUCTS.iter().map(|p| (p.name, Kind::Product)));
    all.extend(REDUCTIONS.iter().map(|r| (r.name, Kind::Reduction)));
    all.extend(INTEGRATED.iter().chain(lanes::INTEGRATED).map(|i| (i.name, Kind::Interleaved)));
    let carryless = binary::PRODUCTS.iter().chain(binary::PRODUCTS_VARTIME);
    all.extend(carryless.map(|p| (p.name, Kind::CarrylessProduct)));
    all.extend(binary::REDUCTIONS.iter().map(|r| (r.name, Kind::CarrylessReduction)));
    all.extend(COMPOSITE.iter().map(|c| (c.name, Kind::Composite)));
    all.extend(WHOLE.iter().chain(lanes::WHOLE).flat_map(|table| table.iter()).map(|w| (w.name, Kind::Whole)));
    // One name may stand for several operations.
    let mut once = Vec::new();
    all.retain(|entry| {
        !once.contains(entry) && {
            once.push(*entry);
            true
        }
    });
    all
}

/// How a plan's kernel is written.
#[derive(Clone, Copy)]
enum Recipe {
    Plain(&'static Product),
    Reduced(&'static Product, &'static Reduction),
    Integrated(&'static Integrated),
    Carryless(&'static CarrylessProduct, &'static CarrylessReduction),
    Whole(&'static Whole),
    Composite(&'static Composite),
    /// By a modulus supplied at run time: the algorithm by its name.
    RunTimeModulus,
}

/// A candidate: a field's operation in a layout by a named algorithm. It is a tree: what it calls are plans too.
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

    /// The operations whose kernels it calls, in the order that [`Plan::write_with`] takes them.
    pub fn needs(&self) -> &'static [Need] {
        if let Recipe::Composite(c) = self.recipe { c.needs } else { &[] }
    }

    /// Writes the kernel; what it calls is picked as its recipe says.
    pub fn write(&self) -> Result<Kernel, NotApplicable> {
        let parts: Result<Vec<_>, _> = self.needs().iter().map(|n| picked(&self.field, &self.layout, n)).collect();
        self.write_with(&parts?)
    }

    /// Writes the kernel from these kernels of the operations that it [needs](Plan::needs).
    pub fn write_with(&self, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
        let (field, layout, op) = (&self.field, &self.layout, &self.operation);
        let name = format!("{}_{}", op.name(), self.algorithm.replace(['-', '+'], "_"));
        let square = *op == Operation::SQUARE;
        match self.recipe {
            Recipe::Whole(w) => (w.write)(field, layout, op),
            Recipe::Composite(c) => (c.write)(field, layout, op, parts),
            Recipe::RunTimeModulus => reduction::run_time_modulus::write(layout, op, &self.algorithm, PRODUCTS),
            Recipe::Plain(p) => integer::plain_product(&name, p, layout, square),
            Recipe::Reduced(p, r) => reduction::reduced_product(&name, p, r, modulus(field)?, layout, square),
            Recipe::Carryless(p, r) => words::kernel(&name, p, r, field, layout, op),
            Recipe::Integrated(i) => reduction::integrated_product(&name, i, modulus(field)?, layout, square),
        }
    }
}

fn modulus(field: &Field) -> Result<&Modulus, NotApplicable> {
    field.get::<Modulus>().ok_or_else(|| NotApplicable("this needs a modulus".into()))
}

/// The plans that may serve a need: all of its operation, or of these the preferred ones.
pub fn serving(field: &Field, layout: &Layout, need: &Need) -> Vec<Plan> {
    let all = plans(field, layout, &need.operation);
    let Pick::Preferred(groups) = need.pick else { return all };
    let product = |p: &Plan| p.algorithm.split('+').next().unwrap_or_default().to_string();
    let of = |names: &&[&str]| all.iter().filter(|p| names.contains(&product(p).as_str())).cloned().collect();
    groups.iter().map(of).find(|plans: &Vec<Plan>| !plans.is_empty()).unwrap_or_default()
}

/// The kernel that serves a need when nobody has chosen one.
fn picked(field: &Field, layout: &Layout, need: &Need) -> Result<Arc<Kernel>, NotApplicable> {
    let plans = serving(field, layout, need);
    let mut kernels = plans.iter().filter_map(|p| p.write().ok()).filter(|k| k.disjoint.is_empty());
    let kernel = match need.pick {
        Pick::First => kernels.next(),
        Pick::Fewest | Pick::Preferred(_) => kernels.min_by_key(|k| count(k).steps()),
    };
    kernel.map(Arc::new).ok_or_else(|| NotApplicable(format!("no kernel of {} in this layout", need.operation.name())))
}

/// All plans that apply to an operation in a layout.
pub fn plans(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let whole = |lines: &mut dyn Iterator<Item = &'static Whole>| -> Vec<(String, Recipe)> {
        lines.filter(|w| (w.applies)(field, layout, operation)).map(|w| (w.name.into(), Recipe::Whole(w))).collect()
    };
    let mut all = products(field, layout, operation);
    all.extend(match layout.radix {
        // These look at digits alone.
        _ if field.get::<OddModuli>().is_some() => {
            whole(&mut [&prime::selectznz::SELECT, &prime::equal::XOR_OR, &prime::is_zero::OR].into_iter())
        }
        Some(_) => whole(&mut lanes::WHOLE.iter().flat_map(|w| w.iter())),
        None => whole(&mut WHOLE.iter().flat_map(|w| w.iter())),
    });
    let complete = |c: &&Composite| {
        (c.applies)(field, layout, operation) && c.needs.iter().all(|n| !serving(field, layout, n).is_empty())
    };
    all.extend(COMPOSITE.iter().filter(complete).map(|c| (c.name.into(), Recipe::Composite(c))));
    let plan = |(algorithm, recipe)| Plan {
        field: field.clone(),
        layout: layout.clone(),
        operation: operation.clone(),
        algorithm,
        recipe,
    };
    all.into_iter().map(plan).collect()
}

/// The recipes of products and squares, made of schedules and reductions, and of all that takes a modulus at run time.
fn products(field: &Field, layout: &Layout, operation: &Operation) -> Vec<(String, Recipe)> {
    if field.get::<OddModuli>().is_some() {
        let names = reduction::run_time_modulus::algorithms(layout, operation, PRODUCTS);
        return names.into_iter().map(|name| (name, Recipe::RunTimeModulus)).collect();
    }
    if !operation.is_any(&[Operation::MUL, Operation::SQUARE]) {
        return Vec::new();
    }
    let schedules = || PRODUCTS.iter().filter(|p| (p.applies)(layout.word, layout.digits()));
    let integrated = |m: &Modulus, lines: &'static [Integrated]| -> Vec<(String, Recipe)> {
        let lines = lines.iter().filter(|i| (i.applies)(m, layout));
        lines.map(|i| (i.name.into(), Recipe::Integrated(i))).collect()
    };
    match (field.get::<Modulus>(), layout.radix) {
        (Some(m), Some(_)) => integrated(m, lanes::INTEGRATED),
        (None, Some(_)) => Vec::new(),
        (None, None) if field.get::<Integers>().is_some() => {
            schedules().map(|p| (p.name.into(), Recipe::Plain(p))).collect()
        }
        (Some(m), None) => {
            let mut all = integrated(m, INTEGRATED);
            for r in REDUCTIONS.iter().filter(|r| layout.saturated() && (r.applies)(m, layout)) {
                all.extend(schedules().map(|p| (format!("{}+{}", p.name, r.name), Recipe::Reduced(p, r))));
            }
            all
        }
        (None, None) => carryless(field, layout, operation, binary::PRODUCTS, ""),
    }
}

/// Carry-less products of this list, each with every reduction that applies.
fn carryless(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    products: &'static [CarrylessProduct],
    suffix: &str,
) -> Vec<(String, Recipe)> {
    let Some(f) = field.get::<BinaryField>() else { return Vec::new() };
    words::pairs(products, binary::REDUCTIONS, f, field, layout, operation)
        .map(|(p, r)| (format!("{}+{}{suffix}", p.name, r.name), Recipe::Carryless(p, r)))
        .collect()
}

/// Plans whose kernels read memory at addresses that depend on operands, so that their time may tell of them. They are
/// no candidates: whoever wants one names it.
pub fn plans_vartime(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let plan = |(algorithm, recipe)| Plan {
        field: field.clone(),
        layout: layout.clone(),
        operation: operation.clone(),
        algorithm,
        recipe,
    };
    carryless(field, layout, operation, binary::PRODUCTS_VARTIME, "_vartime").into_iter().map(plan).collect()
}

/// The plan of that algorithm, if it applies.
pub fn plan_named(field: &Field, layout: &Layout, operation: &Operation, algorithm: &str) -> Option<Plan> {
    plans(field, layout, operation)
        .into_iter()
        .chain(plans_vartime(field, layout, operation))
        .find(|p| p.algorithm == algorithm)
}
