//! The examples end well: what they assert holds, and their calls are the library's.

#[path = "../examples/arrays.rs"]
mod arrays;
#[path = "../examples/elements.rs"]
mod elements;
#[path = "../examples/package.rs"]
#[expect(dead_code, reason = "`main` writes into a folder that stays")]
mod package;
#[path = "../examples/ranking.rs"]
mod ranking;

#[test]
fn elements_are_computed() {
    elements::main().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn arrays_are_computed() {
    arrays::main().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_package_is_written() {
    let out = tempfile::tempdir().expect("a folder");
    let folder = package::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    let source = std::fs::read_to_string(folder.join("fe.c")).expect("the source");
    assert!(source.contains("fe_inv("), "{source}");
    // What it writes again is what is there.
    package::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(std::fs::read_to_string(folder.join("fe.c")).expect("the source"), source);
}

#[test]
fn a_ranking_is_measured() {
    if evariste::Options::new().is_err() {
        evariste_testing::lacks_tool("a ranking", "a C compiler");
        return;
    }
    ranking::main().unwrap_or_else(|e| panic!("{e}"));
    let field = evariste::Field::parse("mersenne61").expect("a field");
    let ranking = ranking::rank(&field).unwrap_or_else(|e| panic!("{e}"));
    assert!(ranking.winner.is_some() && ranking.candidates.iter().all(|row| row.layout == "1x61"));
}
