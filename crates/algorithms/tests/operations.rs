//! The table of operations in the documentation is that of the rows.

use std::fmt::Write;

use evariste_algorithms::operation::OPERATIONS;
use expect_test::expect_file;

#[test]
fn the_documentation_lists_every_operation() {
    let mut page = String::from(
        "# Operations\n\nEvery operation, from its row in `crates/algorithms/src/operation` (`cargo xtask bless algorithms` writes this page). \
         Which of them a field has depends on its kind and layout: `evariste list operations p256`.\n\n\
         | name | operands | of | what |\n| --- | --- | --- | --- |\n",
    );
    for operation in OPERATIONS {
        let row = operation.row();
        let operands: Vec<&str> = row.inputs.iter().map(|slot| slot.name).collect();
        writeln!(page, "| `{}` | {} | {} | {} |", row.name, operands.join(", "), row.kind.what(), row.what)
            .expect("a string");
    }
    expect_file!["../../../docs/reference/operations.md"].assert_eq(&page);
}
