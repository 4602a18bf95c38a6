//! A layout that vectors take has code: of each operation of the usual mix, some plan whose kernel is proved and whose
//! program the checker accepts, on every kind of processor, whatever this one is.

use std::sync::Arc;

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_backend::Backend;
use evariste_backend::x86_64::models;
use evariste_codegen::x86_64::Features;
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_proof::{Proved, prove};

/// Instruction sets of processors that there are: Zen 4 and Ice Lake, Skylake-X, Zen 3, Haswell, every x86-64.
const SETS: [&str; 5] = [
    "bmi2+adx+avx2+fma+avx512+ifma+vbmi2+gfni+vpclmulqdq",
    "bmi2+adx+avx2+fma+avx512",
    "bmi2+adx+avx2+fma+vpclmulqdq",
    "bmi2+avx2+fma",
    "baseline",
];

/// Fields of elements of one to three digits, so that every plan is soon proved.
const FIELDS: [&str; 6] = ["babybear", "mersenne31", "1000003", "2^64 - 2^32 + 1", "2^61 - 1", "GF(2^8)"];
const MOST_DIGITS: usize = 3;

/// Of elements and operations that every layout of a field has.
const MIX: [Operation; 3] = [Operation::MUL, Operation::SQUARE, Operation::ADD];

/// The proved kernels of an operation, which all back ends are asked about.
fn kernels(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Proved> {
    let written = plans(field, layout, operation).into_iter().filter_map(|plan| plan.write().ok());
    let mut known: Vec<Kernel> = Vec::new();
    written
        .filter(|kernel| {
            !known.contains(kernel) && {
                known.push(kernel.clone());
                true
            }
        })
        .filter_map(|kernel| prove(&kernel).proved())
        .collect()
}

/// All layouts that anybody has for the field, each once.
fn all_layouts(field: &Field, all: &[Arc<dyn Backend>]) -> Vec<Layout> {
    let own = all.iter().flat_map(|backend| backend.layouts(field));
    let mut known: Vec<Layout> = Vec::new();
    for layout in [64, 32, 1].into_iter().flat_map(|word| layouts(field, word)).chain(own) {
        if known.iter().all(|other| other.name != layout.name) {
            known.push(layout);
        }
    }
    known
}

#[test]
fn a_layout_that_is_taken_has_code() {
    let machines: Vec<Vec<Arc<dyn Backend>>> = SETS.iter().map(|sets| models(Features::AVX512.only(sets))).collect();
    let all: Vec<Arc<dyn Backend>> = machines.concat();
    let (mut wrong, mut taken) = (Vec::new(), 0);
    for text in FIELDS {
        let field = Field::parse(text).expect("a field");
        for layout in all_layouts(&field, &all).iter().filter(|layout| layout.digits() <= MOST_DIGITS) {
            for operation in &MIX {
                let takers: Vec<_> = all.iter().filter(|backend| backend.takes(&field, layout, false)).collect();
                if takers.is_empty() {
                    continue;
                }
                let kernels = kernels(&field, layout, operation);
                for backend in takers.into_iter().filter(|_| !kernels.is_empty()) {
                    taken += 1;
                    if !kernels.iter().any(|proved| backend.has_code(proved)) {
                        wrong.push(format!("{text} {} {}: {}", layout.name, operation.name(), backend.setting()));
                    }
                }
            }
        }
    }
    println!("{taken} operations");
    assert!(taken > 50 && wrong.is_empty(), "no code of:\n{}", wrong.join("\n"));
}

/// Hash functions: every way to reduce but by tables has code in every layout that vectors take, those too whose exact
/// shifts show that nothing is above a word.
#[test]
fn hash_functions_have_code_in_lanes() {
    let (mut wrong, mut taken) = (Vec::new(), 0);
    for text in ["mac:mmh32", "mac:square-hash-32", "mac:tmmh16"] {
        let field = Field::parse(text).expect("a field");
        for backend in SETS[..4].iter().flat_map(|sets| models(Features::AVX512.only(sets))) {
            for layout in [64, 32].into_iter().flat_map(|word| layouts(&field, word)) {
                for operation in [
                    Operation::HASH,
                    Operation::HASH_WRAPPING,
                    Operation::HASH_SIGNED,
                    Operation::WRAPPING,
                    Operation::TAG_WORD,
                ] {
                    if !backend.takes(&field, &layout, false) {
                        continue;
                    }
                    for plan in
                        plans(&field, &layout, &operation).iter().filter(|plan| !plan.algorithm.ends_with("table"))
                    {
                        let kernel = plan.write().expect("a kernel");
                        let proved = prove(&kernel).proved().expect("a proof");
                        taken += 1;
                        // A signed sum in two digits, reduced by products: the checker does not show it.
                        let unknown = operation == Operation::HASH_SIGNED && plan.name() == "complement-mul/2x32";
                        if backend.has_code(&proved) == unknown {
                            wrong.push(format!("{text} {} {}: {}", plan.name(), operation.name(), backend.setting()));
                        }
                    }
                }
            }
        }
    }
    println!("{taken} kernels");
    assert!(taken > 40 && wrong.is_empty(), "no code of, or code of what had none:\n{}", wrong.join("\n"));
}
