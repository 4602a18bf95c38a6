//! The recipes, and the plans that they make. A plan is a layout, an operation and an algorithm by name; writing it gives
//! a kernel. A folder lists its recipes, one line a file.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_ir::count::count;

use crate::layout::Layout;
use crate::operation::{self, Operation};
pub use crate::recipe::Kind;
use crate::recipe::{Need, Of, Parts, Pick, Recipe, Setting};
use crate::signature::NotApplicable;
use crate::{binary, integer, kinds, lanes, pairing, prime, reduction};

/// Recipes in words, by folder.
pub const WORDS: &[&[&dyn Recipe]] =
    &[reduction::RECIPES, integer::RECIPES, prime::RECIPES, binary::RECIPES, operation::RECIPES];

/// Recipes in lanes.
pub const LANES: &[&[&dyn Recipe]] = &[
    lanes::RECIPES,
    &[&prime::selectznz::SELECT, &prime::to_bytes::SPLIT, &prime::from_bytes::JOIN, &prime::safegcd::SAFEGCD],
];

/// Every recipe of these lists.
fn all() -> impl Iterator<Item = &'static dyn Recipe> {
    WORDS.iter().chain(LANES).flat_map(|folder| folder.iter().copied())
}

/// The recipes that may serve a layout, in the order of plans. What calls kernels knows no digits: it serves words and
/// lanes.
fn recipes(field: &Field, layout: &Layout) -> impl Iterator<Item = &'static dyn Recipe> {
    let kind = kinds::kind(field);
    let listed = kind.is_some_and(|kind| kind.listed);
    let folders = if layout.radix.is_some() { LANES } else { WORDS };
    let own = kind.map_or(&[][..], |kind| kind.own).iter().flat_map(|list| list.iter().copied());
    let here = folders.iter().flat_map(|folder| folder.iter().copied()).filter(|r| r.kind() != Kind::Composite);
    let here = here.filter(move |r| listed || r.kind() != Kind::Whole);
    here.chain(own).chain(all().filter(|r| r.kind() == Kind::Composite))
}

/// Every algorithm with its kind.
pub fn algorithms() -> Vec<(&'static str, Kind)> {
    let vartime = binary::PRODUCTS_VARTIME.iter().map(|p| (p.name(), p.kind()));
    let mut all: Vec<(&'static str, Kind)> = all().map(|r| (r.name(), r.kind())).chain(vartime).collect();
    all.sort_by_key(|(_, kind)| *kind);
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
    recipe: &'static dyn Recipe,
}

impl Plan {
    /// That of a recipe, made of a plan where one is given: `comba+solinas`.
    fn new(s: Setting, recipe: &'static dyn Recipe, part: Option<Plan>) -> Plan {
        let own = recipe.name();
        Plan {
            field: s.field.clone(),
            layout: s.layout.clone(),
            operation: s.operation.clone(),
            algorithm: part.as_ref().map_or(own.into(), |part| format!("{}+{own}", part.algorithm)),
            parts: part.into_iter().collect(),
            recipe,
        }
    }

    fn setting(&self) -> Setting<'_> {
        Setting { field: &self.field, layout: &self.layout, operation: &self.operation }
    }

    /// The plan's full name: algorithm and layout, `montgomery-fips/montgomery-4x64`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.algorithm, self.layout.name)
    }

    /// What the kernel does and why, where that is not plain: where reductions fall in a formula.
    pub fn explanation(&self) -> Option<String> {
        self.recipe.explanation(self.setting())
    }

    /// The algorithm that a plan begins with: of a product with a reduction the product, else its own.
    pub fn first(&self) -> &str {
        self.parts.first().map_or(&self.algorithm, |part| &part.algorithm)
    }

    /// The operations whose kernels it calls, in the order that [`Plan::write_with`] takes them.
    pub fn needs(&self) -> &'static [Need] {
        if self.parts.is_empty() { self.recipe.needs(self.setting()).unwrap_or_default() } else { &[] }
    }

    /// Writes the kernel; what it calls is picked as its recipe says.
    pub fn write(&self) -> Result<Kernel, NotApplicable> {
        let parts: Result<Vec<_>, _> = self.needs().iter().map(|n| picked(&self.field, &self.layout, n)).collect();
        self.write_with(&parts?)
    }

    /// Writes the kernel from these kernels of the operations that it [needs](Plan::needs).
    pub fn write_with(&self, kernels: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
        self.recipe.write(self.setting(), &self.algorithm, &Served { plan: self, kernels })
    }
}

/// What a plan is made of: plans, or kernels that were chosen.
struct Served<'a> {
    plan: &'a Plan,
    kernels: &'a [Arc<Kernel>],
}

impl Parts for Served<'_> {
    fn kernel(&self, i: usize) -> Result<Arc<Kernel>, NotApplicable> {
        match (self.plan.parts.get(i), self.kernels.get(i)) {
            (Some(plan), _) => Ok(Arc::new(plan.write()?)),
            (None, Some(kernel)) => Ok(kernel.clone()),
            (None, None) => ().kernel(i),
        }
    }

    fn kernel_in(&self, i: usize, layout: &Layout) -> Result<Arc<Kernel>, NotApplicable> {
        let (kernel, plan) = (self.kernel(i)?, self.plan);
        let Some(need) = plan.needs().get(i) else { return Ok(kernel) };
        let own = serving(&plan.field, &plan.layout, need);
        let writes = |own: &&Plan| own.write().is_ok_and(|written| written == *kernel);
        let of = own.iter().find(writes).ok_or_else(|| NotApplicable(format!("no plan writes {}", kernel.name)))?;
        Ok(Arc::new(Plan { layout: layout.clone(), ..of.clone() }.write()?))
    }

    fn recipe(&self, i: usize) -> Option<&'static dyn Recipe> {
        self.plan.parts.get(i).map(|plan| plan.recipe)
    }
}

/// The structure whose operation a need of a field's plan is.
pub fn structure(field: &Field, need: &Need) -> Field {
    match need.of {
        Of::Itself => field.clone(),
        Of::Ground => kinds::ground(field),
        Of::Group(part) => pairing::group(field, part).unwrap_or_else(|| field.clone()),
    }
}

/// The plans that may serve a need: all of its operation, or of these the preferred ones.
pub fn serving(field: &Field, layout: &Layout, need: &Need) -> Vec<Plan> {
    let all = plans(&structure(field, need), layout, &need.operation);
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
        Pick::Fewest | Pick::Each | Pick::Preferred(_) => kernels.min_by_key(|k| count(k).steps()),
    };
    kernel.map(Arc::new).ok_or_else(|| NotApplicable(format!("no kernel of {} in this layout", need.operation.name())))
}

/// All plans that apply to an operation in a layout.
pub fn plans(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let s = Setting { field, layout, operation };
    recipes(field, layout).filter(|recipe| !recipe.is_vartime()).flat_map(|recipe| made(s, recipe)).collect()
}

/// The plans that a recipe makes.
fn made(s: Setting, recipe: &'static dyn Recipe) -> Vec<Plan> {
    let served = |need: &Need| !serving(s.field, s.layout, need).is_empty();
    match recipe.needs(s) {
        None => Vec::new(),
        Some([need @ Need { operation, pick: Pick::Each, .. }]) => {
            plans(&structure(s.field, need), s.layout, operation)
                .into_iter()
                .map(|part| Plan::new(s, recipe, Some(part)))
                .collect()
        }
        Some(needs) => needs.iter().all(served).then(|| Plan::new(s, recipe, None)).into_iter().collect(),
    }
}

/// Plans whose kernels read memory at addresses that depend on operands, so that their time may tell of them. They are
/// no candidates: whoever wants one names it.
pub fn plans_vartime(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Plan> {
    let s = Setting { field, layout, operation };
    let mut all = Vec::new();
    for recipe in recipes(field, layout) {
        if recipe.is_vartime() {
            all.extend(made(s, recipe));
            continue;
        }
        let Some([Need { operation, pick: Pick::Each, .. }]) = recipe.needs(s) else { continue };
        let wide = Setting { operation, ..s };
        let products = binary::PRODUCTS_VARTIME.iter().filter(|p| p.needs(wide).is_some());
        all.extend(products.map(|p| Plan::new(s, recipe, Some(Plan::new(wide, p, None)))));
    }
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
