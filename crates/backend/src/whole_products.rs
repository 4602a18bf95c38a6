//! The layouts for lanes without products of more than 32 bits: which radix, and how many digits, is a search.

use evariste_algorithms::{Layout, Operation, Plan, lane_layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::Kernel;

/// Bits of the words of these lanes.
const WORD: u32 = 64;

/// Of each form (Montgomery's, plain digits of one radix, of mixed ones, and those that are multiplied as doubles) the layout of the fewest cycles for two products and a sum, which `cycles`
/// reckons for a kernel.
pub(crate) fn layouts(
    field: &Field,
    radices: impl Iterator<Item = u32>,
    cycles: impl Fn(&Kernel) -> Option<f64>,
) -> Vec<Layout> {
    let all = radices.flat_map(|radix| lane_layouts(field, WORD, radix));
    let (montgomery, plain): (Vec<Layout>, Vec<Layout>) = all.partition(|layout| layout.montgomery.is_some());
    let (plain, mixed): (Vec<Layout>, Vec<Layout>) = plain.into_iter().partition(Layout::is_even);
    let (doubles, plain) = plain.into_iter().partition(|layout| layout.radix.is_some_and(|k| 2 * k > WORD));
    [montgomery, plain, mixed, doubles].into_iter().filter_map(|all| cheapest(field, all, &cycles)).collect()
}

/// One digit more than the fewest is looked at: digits are short enough then for columns that carry less.
fn cheapest(field: &Field, all: Vec<Layout>, cycles: &impl Fn(&Kernel) -> Option<f64>) -> Option<Layout> {
    let fewest = all.iter().map(Layout::digits).min()?;
    let least = |layout: &Layout, operation: &Operation| {
        let of_plan = |plan: Plan| cycles(&plan.write().ok()?);
        plans(field, layout, operation).into_iter().filter_map(of_plan).min_by(f64::total_cmp)
    };
    let price = |layout: &Layout| Some(2.0 * least(layout, &Operation::MUL)? + least(layout, &Operation::ADD)?);
    let near = all.into_iter().filter(|layout| layout.digits() <= fewest + 1);
    near.filter_map(|layout| Some((price(&layout)?, layout))).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, l)| l)
}
