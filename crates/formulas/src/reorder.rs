//! A formula whose elements come in another order.

use std::sync::Arc;

use crate::check::Checked;
use crate::formula::{Formula, Value};

/// The same formula with the elements of all groups of so many in this order: element i is what was element `order[i]`.
/// Its definition speaks of names and stays as it is.
///
/// # Panics
/// Where `order` is no permutation.
pub fn reordered(formula: &Checked, order: &[usize]) -> Checked {
    let old: &Arc<Formula> = formula.formula();
    let mut new = Formula::clone(old);
    // What input i was.
    let mut sources: Vec<usize> = Vec::with_capacity(old.input_count());
    for group in &mut new.inputs {
        let first = sources.len();
        if group.elements.len() == order.len() {
            group.elements = order.iter().map(|i| group.elements[*i].clone()).collect();
            sources.extend(order.iter().map(|i| first + i));
        } else {
            sources.extend(first..first + group.elements.len());
        }
    }
    let mut places = vec![0; sources.len()];
    sources.iter().enumerate().for_each(|(to, from)| places[*from] = to as u32);
    let moved = |v: Value| places.get(v.0 as usize).map_or(v, |to| Value(*to));
    new.steps.iter_mut().for_each(|step| *step = step.on(moved));
    for group in &mut new.outputs {
        group.elements.iter_mut().for_each(|output| output.value = moved(output.value));
        if group.elements.len() == order.len() {
            group.elements = order.iter().map(|i| group.elements[*i].clone()).collect();
        }
    }
    Checked::composed(new)
}
