//! One line an algorithm. A plan is a layout, an operation and an algorithm by name; writing it gives a kernel.

use std::sync::Arc;

use evariste_descriptions::{Field, Integers, Modulus, OddModuli};
use evariste_ir::Kernel;
use evariste_ir::count::count;

use crate::binary::words;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{
    CarrylessProduct, CarrylessReduction, Composite, Integrated, Need, Pick, Product, Reduction, Whole,
};
use crate::reduction::run_time_modulus;
use crate::signature::NotApplicable;
use crate::{binary, integer, kinds, lanes, prime, reduction};

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
    /// Whole products, of integers also as `mul`.
    Product(&'static Product),
    Reduction(&'static Reduction),
    CarrylessProduct(&'static CarrylessProduct),
    CarrylessReduction(&'static CarrylessReduction),
    /// A whole product and its reduction, the parts of the plan.
    ThenReduction,
    Integrated(&'static Integrated),
    Whole(&'static Whole),
    Composite(&'static Composite),
    /// By a modulus supplied at run time: the algorithm by its name.
    RunTimeModulus,
}

/// A candidate: a field's operation in a layout by a named algorithm. It is a tree: what it is made of are plans too.
#[derive(Clone)]
pub struct Plan {
    /// The field.
    pub field: Field,
    /// The layout.
    pub layout: Layout,
    /// The operation.
    pub operation: Operation,
    /// The algorithm: `montgomery-fips`, or the names of the parts, `comba+solinas`, …
    pub algorithm: String,
    /// What it is made of: a whole product and its reduction. What a composite calls is chosen later
    /// ([`Plan::needs`]).
    pub parts: Vec<Plan>,
    recipe: Recipe,
}

impl Plan {
    fn new(field: &Field, layout: &Layout, operation: &Operation, algorithm: &str, recipe: Recipe) -> Plan {
        Plan {
            field: field.clone(),
            layout: layout.clone(),
            operation: operation.clone(),
            algorithm: algorithm.into(),
            parts: Vec::new(),
            recipe,
        }
    }

    /// A whole product and its reduction as one plan.
    fn joined(operation: &Operation, product: &Plan, reduction: &Plan) -> Plan {
        Plan {
            operation: operation.clone(),
            algorithm: format!("{}+{}", product.algorithm, reduction.algorithm),
            parts: vec![product.clone(), reduction.clone()],
            recipe: Recipe::ThenReduction,
            ..product.clone()
        }
    }

    /// The plan's full name: algorithm and layout, `montgomery-fips/montgomery-4x64`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.algorithm, self.layout.name)
    }

    /// The algorithm that a plan begins with: of a product with a reduction the product, else its own.
    pub fn first(&self) -> &str {
        self.parts.first().map_or(&self.algorithm, |part| &part.algorithm)
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
        let name = kernel_name(op, &self.algorithm);
        let square = op.is_any(&[Operation::SQUARE, Operation::SQUARE_WIDE]);
        match self.recipe {
            Recipe::Whole(w) => (w.write)(field, layout, op),
            Recipe::Composite(c) => (c.write)(field, layout, op, parts),
            Recipe::RunTimeModulus => run_time_modulus::write(layout, op, &self.algorithm, None),
            Recipe::Product(p) => {
                // Reductions call whole products by these names.
                let kind = if square { "square" } else { "multiply" };
                let called = format!("{kind}_{}", self.algorithm.replace('-', "_"));
                let alone = op.is_any(&[Operation::MUL, Operation::SQUARE]);
                integer::plain_product(if alone { &name } else { &called }, p, layout, square)
            }
            Recipe::Reduction(r) => reduction::reduction_kernel(&name, r, modulus(field)?, layout),
            Recipe::CarrylessProduct(p) => words::product_kernel(&name, p, field, layout, op),
            Recipe::CarrylessReduction(r) => words::reduction_kernel(&name, r, field, layout),
            Recipe::Integrated(i) => reduction::integrated_product(&name, i, modulus(field)?, layout, square),
            Recipe::ThenReduction => self.write_joined(&name, square),
        }
    }

    /// A whole product, and its reduction in the same kernel.
    fn write_joined(&self, name: &str, square: bool) -> Result<Kernel, NotApplicable> {
        let (field, layout, op) = (&self.field, &self.layout, &self.operation);
        let [product, reduction] = &self.parts[..] else { return Err(NotApplicable("made of two parts".into())) };
        match (product.recipe, reduction.recipe) {
            (Recipe::CarrylessProduct(p), Recipe::CarrylessReduction(r)) => {
                words::kernel(name, p, r, field, layout, op)
            }
            (_, Recipe::Reduction(r)) => {
                let product = Arc::new(product.write()?);
                reduction::reduced_product(name, product, r, modulus(field)?, layout, square)
            }
            (_, Recipe::RunTimeModulus) => {
                run_time_modulus::write(layout, op, &self.algorithm, Some(Arc::new(product.write()?)))
            }
            _ => Err(NotApplicable("this product does not join this reduction".into())),
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
    let of = |names: &&[&str]| all.iter().filter(|p| names.contains(&p.first())).cloned().collect();
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
    let plan = |name: &str, recipe| Plan::new(field, layout, operation, name, recipe);
    let mut all = parts(field, layout, operation);
    all.extend(products(field, layout, operation));
    let whole = |lines: &mut dyn Iterator<Item = &'static Whole>| -> Vec<Plan> {
        let lines = lines.filter(|w| (w.applies)(field, layout, operation));
        lines.map(|w| plan(w.name, Recipe::Whole(w))).collect()
    };
    let kind = kinds::kind(field);
    let lists = if layout.radix.is_some() { lanes::WHOLE } else { WHOLE };
    let lists = lists.iter().filter(|_| kind.is_some_and(|kind| kind.listed)).copied();
    let own = kind.map_or(&[][..], |kind| kind.own);
    all.extend(whole(&mut lists.chain([own]).flatten()));
    let complete = |c: &&Composite| {
        (c.applies)(field, layout, operation) && c.needs.iter().all(|n| !serving(field, layout, n).is_empty())
    };
    all.extend(COMPOSITE.iter().filter(complete).map(|c| plan(c.name, Recipe::Composite(c))));
    all
}

/// Plans of what products are made of: whole products, and their reductions.
fn parts(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let plan = |name: &str, recipe| Plan::new(field, layout, operation, name, recipe);
    if layout.radix.is_some() {
        return Vec::new();
    }
    let (modulus, run_time) = (field.get::<Modulus>(), field.get::<OddModuli>());
    let mut all = Vec::new();
    if operation.is_any(&[Operation::MUL_WIDE, Operation::SQUARE_WIDE]) {
        let numbers = modulus.is_some() || run_time.is_some() || field.get::<Integers>().is_some();
        if numbers && layout.saturated() {
            all.extend(schedules(layout).map(|p| plan(p.name, Recipe::Product(p))));
        }
        let carryless = binary::PRODUCTS.iter().filter(|p| words::multiplies(p, field, layout, operation));
        all.extend(carryless.map(|p| plan(p.name, Recipe::CarrylessProduct(p))));
    } else if *operation == Operation::REDUCE {
        if let Some(m) = modulus.filter(|_| layout.saturated()) {
            let lines = REDUCTIONS.iter().filter(|r| (r.applies)(m, layout));
            all.extend(lines.map(|r| plan(r.name, Recipe::Reduction(r))));
        }
        if run_time.is_some() {
            let names = run_time_modulus::algorithms(layout, operation);
            all.extend(names.into_iter().map(|name| plan(name, Recipe::RunTimeModulus)));
        }
        let carryless = binary::REDUCTIONS.iter().filter(|r| words::reduces(r, field, layout, operation));
        all.extend(carryless.map(|r| plan(r.name, Recipe::CarrylessReduction(r))));
    }
    all
}

fn schedules(layout: &Layout) -> impl Iterator<Item = &'static Product> {
    PRODUCTS.iter().filter(|p| (p.applies)(layout.word, layout.digits()))
}

/// The plans of products and squares: with the reduction interleaved, or whole products each with every reduction; and
/// of all that takes a modulus at run time.
fn products(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let plan = |name: &str, recipe| Plan::new(field, layout, operation, name, recipe);
    let mut all = Vec::new();
    if field.get::<OddModuli>().is_some() && *operation != Operation::REDUCE {
        let names = run_time_modulus::algorithms(layout, operation);
        all.extend(names.into_iter().map(|name| plan(name, Recipe::RunTimeModulus)));
    }
    let wide = if *operation == Operation::MUL {
        Operation::MUL_WIDE
    } else if *operation == Operation::SQUARE {
        Operation::SQUARE_WIDE
    } else {
        return all;
    };
    if let Some(m) = field.get::<Modulus>() {
        let lines = if layout.radix.is_some() { lanes::INTEGRATED } else { INTEGRATED };
        all.extend(lines.iter().filter(|i| (i.applies)(m, layout)).map(|i| plan(i.name, Recipe::Integrated(i))));
    }
    if field.get::<Integers>().is_some() && layout.radix.is_none() {
        all.extend(schedules(layout).map(|p| plan(p.name, Recipe::Product(p))));
    }
    all.extend(joined(&parts(field, layout, &wide), field, layout, operation));
    all
}

/// These whole products, each with every reduction.
fn joined(products: &[Plan], field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let reductions = parts(field, layout, &Operation::REDUCE);
    reductions.iter().flat_map(|r| products.iter().map(move |p| Plan::joined(operation, p, r))).collect()
}

/// Plans whose kernels read memory at addresses that depend on operands, so that their time may tell of them. They are
/// no candidates: whoever wants one names it.
pub fn plans_vartime(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let wide = if *operation == Operation::SQUARE { Operation::SQUARE_WIDE } else { Operation::MUL_WIDE };
    if !operation.is_any(&[Operation::MUL, Operation::SQUARE]) {
        return Vec::new();
    }
    let lines = binary::PRODUCTS_VARTIME.iter().filter(|p| words::multiplies(p, field, layout, &wide));
    let products: Vec<Plan> =
        lines.map(|p| Plan::new(field, layout, &wide, p.name, Recipe::CarrylessProduct(p))).collect();
    let mut all = joined(&products, field, layout, operation);
    all.iter_mut().for_each(|plan| plan.algorithm += "_vartime");
    all
}

/// The plan of that algorithm, if it applies.
pub fn plan_named(field: &Field, layout: &Layout, operation: &Operation, algorithm: &str) -> Option<Plan> {
    plans(field, layout, operation)
        .into_iter()
        .chain(plans_vartime(field, layout, operation))
        .find(|p| p.algorithm == algorithm)
}
