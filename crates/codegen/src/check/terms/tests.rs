//! The room that forms have.

use super::*;

/// A sum that grows by an unknown a step, as an endless loop makes it.
fn growing(room: usize, steps: usize) -> Terms {
    let mut terms = Terms::new(64);
    terms.forms = Forms::new(room);
    let mut sum = terms.constant(0);
    for _ in 0..steps {
        let next = terms.unknown(0, 9);
        sum = terms.sum(&[(sum, 1), (next, 1)], 0);
    }
    terms
}

#[test]
fn forms_that_outgrow_their_room_poison_the_table() {
    assert_eq!(growing(1000, 30).poisoned, None);
    let full = growing(1000, 100);
    assert_eq!(full.poisoned, Some("the forms are too long"));
    let parts: usize = (0..full.forms.count()).map(|l| full.form(Lin(l as u32)).parts.len()).sum();
    assert!(parts <= 1000, "{parts} parts");
}
