//! Bilinear maps shown by the products of coordinates in each bit of the output, against the interpreter.

use std::sync::Arc;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::mutate::mutants;
use evariste_ir::{BitMap, Builder, Claim, Contract, Kernel, Operand};

use crate::broken_rules::{Rule, breaking};
use crate::claims::bits::{monomials::is_image, on_basis};
use crate::toys::exhaust;
use crate::{Outcome, prove};

/// What the two ways say of a kernel: of the products of coordinates (`None`: left to the interpreter), and of all
/// pairs of basis vectors.
fn verdicts(kernel: &Kernel) -> (Option<bool>, bool) {
    let [Claim::Bits { output, map }] = kernel.contract.claims.as_slice() else { panic!("one map of bits") };
    let vectors: Vec<_> = kernel.contract.inputs.iter().map(|o| o.coordinates().expect("a row of bits")).collect();
    let result = output.coordinates().expect("a row of bits");
    let on_basis = on_basis(kernel, output, &vectors, &result, map);
    (is_image(kernel, output, &vectors, map), on_basis.is_ok())
}

fn multipliers(field: &str, words: &[u32]) -> Vec<(String, Kernel)> {
    let field = Field::parse(field).expect("a field");
    let all = words.iter().flat_map(|word| layouts(&field, *word));
    let plans: Vec<_> = all.flat_map(|layout| plans(&field, &layout, &Operation::MUL)).collect();
    plans.iter().filter_map(|p| Some((p.algorithm.to_string(), p.write().ok()?))).collect()
}

const FIELDS: [&str; 6] = ["GF(2^2)", "GF(2^3)", "GF(2^4)", "GF(2^5)", "GF(2^3):gnb2", "GF(2^5):gnb2"];

#[test]
fn multipliers_are_shown_and_mutants_that_are_shown_are_right() {
    let (mut shown, mut refused, mut left) = (0, 0, 0);
    for field in FIELDS {
        for (name, kernel) in multipliers(field, &[1, 3, 8]) {
            let (found, on_basis) = verdicts(&kernel);
            assert!(on_basis && found != Some(false), "{name} of {field}: {found:?}");
            left += found.is_none() as u32;
            if found.is_none() {
                continue;
            }
            // Those with other bounds or ranges are other claims' business.
            let same =
                |k: &Kernel| k.contract == kernel.contract && k.values == kernel.values && k.arrays == kernel.arrays;
            for mutant in mutants(&kernel).into_iter().filter(|mutant| same(&mutant.kernel)) {
                let (found, on_basis) = verdicts(&mutant.kernel);
                match found {
                    Some(true) => {
                        shown += 1;
                        assert!(exhaust(&mutant.kernel).is_none(), "{name} of {field}: {}", mutant.fault);
                    }
                    Some(false) => {
                        refused += 1;
                        assert!(!on_basis, "{name} of {field}: {} is refused and right", mutant.fault);
                    }
                    None => left += 1,
                }
            }
        }
    }
    println!("{shown} are right, {refused} are wrong, {left} are left to the interpreter");
    assert!(shown > 10 && refused > 100);
}

/// Multipliers of real sizes, in words and bit by bit.
#[test]
fn large_multipliers_are_shown() {
    for field in ["GF(2^163)", "GF(2^163):gnb4", "GF(2^233):gnb2"] {
        let all = multipliers(field, &[64]);
        let shown = all.iter().filter(|(_, kernel)| {
            let [Claim::Bits { output, map }] = kernel.contract.claims.as_slice() else { return false };
            let inputs = kernel.contract.inputs.iter();
            let vectors: Vec<_> = inputs.map(|o| o.coordinates().expect("a row of bits")).collect();
            let found = is_image(kernel, output, &vectors, map);
            assert_ne!(found, Some(false));
            found == Some(true)
        });
        let shown = shown.count();
        println!("{field}: {shown} of {}", all.len());
        assert!(shown > 0, "{field}");
    }
}

/// The product of two bits, or with a fault their product added to itself.
fn product(fault: bool) -> Kernel {
    let mut b = Builder::new("product", 1);
    let one = [1.into()];
    let out = b.output("out", 1, &one);
    let (x, y) = (b.input("a", 1, &one), b.input("b", 1, &one));
    let (u, v) = (b.load(x, 0u32), b.load(y, 0u32));
    let mut p = b.and(u, v);
    if fault {
        p = b.xor(p, p);
    }
    b.store(out, 0u32, p);
    let operand = |name: &str, array| Operand::new(name, array, &[0], &one, 1.into());
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![operand("a", x), operand("b", y)],
        claims: vec![Claim::Bits { output: operand("out", out), map: BitMap::Bilinear(Arc::new(vec![vec![0]])) }],
    })
}

#[test]
fn what_reaches_a_bit_twice_cancels() {
    let is_proved = |kernel: &Kernel| matches!(prove(kernel), Outcome::Proved(_));
    let (right, wrong) = (product(false), product(true));
    assert!(is_proved(&right) && exhaust(&right).is_none());
    assert!(!is_proved(&wrong) && exhaust(&wrong).is_some());
    assert!(breaking(&[Rule::Cancelling, Rule::Nets], || is_proved(&wrong)));
}
