//! Kernels that no field writes: words of several sizes in one call tree, tables of masks, indices below 0.

use evariste_ir::Kernel;
use num_bigint::BigInt;

use super::super::package::of_content;
use super::compile::check;
use super::with_content;
use crate::Vector;
use crate::folder::write_package;

fn kernel(text: &str) -> Kernel {
    Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn vector(operation: &str, inputs: &[&[i64]], outputs: &[&[i64]]) -> Vector {
    let arrays = |all: &[&[i64]]| all.iter().map(|a| a.iter().map(|x| BigInt::from(*x)).collect()).collect();
    Vector { operation: operation.to_string(), inputs: arrays(inputs), outputs: arrays(outputs) }
}

fn check_these(kernels: &[(&str, Kernel)], vectors: &[Vector]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("toy");
    let files = with_content(kernels, vectors, of_content).expect("the kernels can be printed");
    write_package(&folder, "toy", &files, false).expect("the folder is ours");
    check(&folder, &[&["-O0"], &["-O2"], &["-O3", "-DEVARISTE_PORTABLE"]]);
}

/// A callee and its caller share arrays, so that both are bit-sliced or none is; the same callee may be called by both
/// kinds.
#[test]
fn one_bit_kernels_that_call_others_and_are_called() {
    let not = "kernel @0 not: word NUMBER {
    output r: 1 x w1
    input x: 1 x w1

    %0: w1 = x[0]
    %1: w1 = not %0
    r[0] = %1
}
kernel twice: word CALLER {
    output out: 1 x w1
    output flag: 1 x wCALLER
    input a: 1 x w1
    local t: 1 x w1
    callees @0

    call 0 not(t, a)
    call 0 not(out, t)
    %0: w1 = t[0]
    %1: wCALLER = widen %0
    flag[0] = %1
}
";
    let of = |number: &str, caller: &str| kernel(&not.replace("NUMBER", number).replace("CALLER", caller));
    let plain = |caller: &str| {
        let text = not.replace("NUMBER", "1").replace("CALLER", caller);
        kernel(&text.lines().filter(|l| !l.contains("flag") && !l.contains("widen")).collect::<Vec<_>>().join("\n"))
    };
    let kernels = [
        ("words", of("1", "8")),
        ("larger", of("2", "8")),
        ("slices", plain("1")),
        ("mixed", {
            let mut mixed = plain("1");
            mixed.callees = of("2", "8").callees;
            mixed
        }),
    ];
    let mut vectors = Vec::new();
    for x in [0, 1] {
        vectors.extend(["words", "larger"].map(|name| vector(name, &[&[x]], &[&[x], &[1 - x]])));
        vectors.extend(["slices", "mixed"].map(|name| vector(name, &[&[x]], &[&[x]])));
    }
    check_these(&kernels, &vectors);
}

#[test]
fn indices_below_zero_and_tables_of_masks() {
    let index = kernel(
        "kernel index: word 8 {
    output out: 2 x w8
    output far: 2 x w8
    input a: 4 x w8
    table p: 2 x w8 [-1, 1] = (-1, 1)
    table q: 2 x w16 [-200, 2] = (-200, 2)

    for i0 in 0..2 {
        %0: w8 = a[p[i0] + 1]
        out[i0] = %0
        %1: w8 = a[q[i0] + 1 mod]
        far[i0] = %1
    }
}
",
    );
    let mask = kernel(
        "kernel mask: word 8 {
    output out: 2 x w8
    table m: 2 x m8 = (0, 255)

    %2: w8 = const(3)
    %3: w8 = const(4)
    for i0 in 0..2 {
        %0: m8 = m[i0]
        %1: w8 = select %0, %2, %3
        out[i0] = %1
    }
}
",
    );
    check_these(
        &[("index", index), ("mask", mask)],
        &[vector("index", &[&[10, 20, 30, 40]], &[&[10, 30], &[20, 40]]), vector("mask", &[], &[&[4, 3]])],
    );
}

#[test]
fn an_entry_that_is_no_mask_is_refused() {
    let text = "kernel k: word 8 {\n    output out: 1 x w8\n    table m: 1 x m8 = (5)\n\n    %0: m8 = m[0]\n    %1: w8 = mask_to_word %0\n    out[0] = %1\n}\n";
    let odd = kernel(text);
    let refused = super::super::source(&[("k".to_string(), &odd)], "toy", "").map(|_| ()).map_err(|e| e.to_string());
    let wanted = "kernel `k`: the entry 5 of `m`, a table of masks or flags, cannot be printed in C\nhelp: entries of such tables are 0 or all ones";
    assert_eq!(refused, Err(wanted.to_string()));
}
