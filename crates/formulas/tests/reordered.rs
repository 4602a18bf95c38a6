//! Formulas whose elements come in another order: they satisfy the same definition, at other places.

use evariste_formulas::{check, registry, reordered};

#[test]
fn every_formula_in_another_order_is_checked_again() {
    let mut moved = 0;
    for entry in registry().iter().flat_map(|family| family.formulas) {
        let formula = check(&entry.formula().unwrap()).unwrap();
        for order in [&[1, 0][..], &[2, 0, 1], &[0, 2, 4, 1, 3, 5]] {
            let other = reordered(&formula, order);
            let (old, new) = (formula.formula(), other.formula());
            let groups = old.inputs.iter().zip(&new.inputs).filter(|(group, _)| group.elements.len() == order.len());
            for (group, other) in groups {
                let expected: Vec<&String> = order.iter().map(|i| &group.elements[*i]).collect();
                assert_eq!(other.elements.iter().collect::<Vec<_>>(), expected, "{}", old.name);
                moved += 1;
            }
            check(new).unwrap_or_else(|e| panic!("{} in the order {order:?}: {e}", old.name));
        }
    }
    assert!(moved > 100, "{moved} groups moved");
}

#[test]
fn an_order_that_is_undone_gives_the_formula() {
    for entry in registry().iter().flat_map(|family| family.formulas) {
        let formula = check(&entry.formula().unwrap()).unwrap();
        let there = reordered(&formula, &[0, 2, 4, 1, 3, 5]);
        assert_eq!(reordered(&there, &[0, 3, 1, 4, 2, 5]).formula(), formula.formula());
    }
}
