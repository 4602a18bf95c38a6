//! Texts as they are, and errors.

use expect_test::expect_file;

use super::super::package::of_content;
use super::super::source;
use super::{kernels, random, with_content};
use crate::error::EmitError;

/// One source file and its header, whole. `UPDATE_EXPECT=1` writes them anew.
#[test]
fn a_source_file_and_its_header() {
    let kernels = [("mul", kernels::operand_scanning(64, 2)), kernels::numbers(64).remove(4)];
    let vectors: Vec<_> = kernels.iter().flat_map(|(name, kernel)| random::vectors(name, kernel, 2, 1)).collect();
    let files = with_content(&kernels, &vectors, of_content).expect("the kernels can be printed");
    let again = with_content(&kernels, &vectors, of_content).expect("the kernels can be printed");
    assert_eq!(files, again, "the same kernels give the same bytes");
    let text = |name: &str| files.iter().find(|f| f.path == name).map_or("", |f| f.text.as_str());
    expect_file!["snapshots/toy.c.txt"].assert_eq(text("toy.c"));
    expect_file!["snapshots/toy.h.txt"].assert_eq(text("toy.h"));
    assert!(text("toy.c").is_ascii());
}

fn refusal(names: &[&str], prefix: &str) -> String {
    let kernel = kernels::operand_scanning(64, 2);
    let named: Vec<_> = names.iter().map(|n| (n.to_string(), &kernel)).collect();
    source(&named, prefix, "").map(|_| String::new()).unwrap_or_else(|e| e.to_string())
}

#[test]
fn names_are_checked() {
    assert_eq!(
        refusal(&["mul"], "2^255-19"),
        "`2^255-19` cannot be the prefix: it must start with a letter and hold only letters, digits and underscores\nhelp: try `f2_255_19`"
    );
    assert!(refusal(&["a b"], "x").starts_with("`a b` cannot be the name of an operation"));
    assert!(refusal(&["mul", "mul"], "x").starts_with("two kernels would both become the function `x_mul`"));
    // Bit-sliced functions come with two that slice.
    let sliced = kernels::bits().remove(0).1;
    let named = [("unslice".to_string(), &sliced)];
    assert!(
        source(&named, "x", "")
            .is_err_and(|e| e.to_string().starts_with("two kernels would both become the function `x_unslice`"))
    );
    assert_eq!(refusal(&["mul"], "x"), "");
}

#[test]
fn vectors_are_checked() {
    let kernels = [("mul", kernels::operand_scanning(64, 2))];
    let refused = |vectors: &[crate::Vector]| with_content(&kernels, vectors, of_content).map(|_| ()).unwrap_err();
    assert!(matches!(refused(&[]), EmitError::NoVectors { .. }));
    let good = random::vectors("mul", &kernels[0].1, 1, 3);
    let mut short = good.clone();
    short[0].inputs[1].pop();
    assert_eq!(refused(&short).to_string(), "vector 0 of operation `mul` does not fit: `b` has 2 digits, 1 were given");
    let mut few = good.clone();
    few[0].outputs.clear();
    assert_eq!(
        refused(&few).to_string(),
        "vector 0 of operation `mul` does not fit: 1 outputs are needed, 0 were given"
    );
    let mut wide = good;
    wide[0].inputs[0][0] = evariste_ir::range::pow2(64);
    assert_eq!(
        refused(&wide).to_string(),
        "vector 0 of operation `mul` does not fit: a digit of `a` does not fit 64 bits"
    );
    assert!(matches!(with_content(&[], &[], of_content), Err(EmitError::NoKernels)));
}

#[test]
fn parameters_are_described_in_calling_order() {
    let kernel = kernels::bits().remove(0).1;
    let described = crate::parameters(&kernel);
    let told: Vec<(&str, usize)> = described.iter().map(|p| (p.name.as_str(), p.bytes())).collect();
    assert_eq!(told, [("out", 88), ("a", 88), ("b", 88)]);
    let kernel = kernels::numbers(13).remove(5).1;
    let told: Vec<usize> = crate::parameters(&kernel).iter().map(|p| p.bytes()).collect();
    assert_eq!(told, [8, 2, 8], "ghosts are no parameters");
}
