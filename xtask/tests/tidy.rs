//! The rules of the repository hold in this tree.

use std::path::Path;

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let violations = xtask::tidy::check(root).unwrap();
    let text: String = violations.iter().map(|violation| format!("{violation}\n")).collect();
    assert!(violations.is_empty(), "{} violations:\n{text}", violations.len());
}
