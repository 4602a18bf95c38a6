//! Outputs of maps of bits that are bounded by the map alone: the rule that lets a proof leave out the bound.

use std::sync::Arc;

use evariste_ir::{Below, BitMap, Builder, Claim, Contract, Kernel, Operand};

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;

/// Two bits through a matrix, whose columns are given as numbers, under this bound of the result.
fn kernel(columns: [u32; 2], bound: u32, below: Option<Below>) -> Kernel {
    let mut b = Builder::new("map", 1);
    let ones = [1.into(), 1.into()];
    let (out, a) = (b.output("out", 2, &ones), b.input("a", 2, &ones));
    let x = b.load_all(a);
    let image = |column: u32| (0..2).filter(|i| column >> i & 1 == 1).collect::<Vec<u32>>();
    let images: Vec<Vec<u32>> = columns.map(image).into();
    let zero = b.word_constant(0);
    let rows: Vec<_> = (0..2u32)
        .map(|row| {
            let parts = (0..2).filter(|i| images[*i].contains(&row));
            parts.fold(zero, |sum, i| b.xor(sum, x[i]))
        })
        .collect();
    b.store_all(out, &rows);
    let operand = |name: &str, array, bound: u32| Operand::new(name, array, &[0, 1], &ones, bound.into());
    let output = Operand { below, ..operand("out", out, bound) };
    let claims = vec![Claim::Bits { output, map: BitMap::Linear(Arc::new(images)) }];
    b.finish(Contract { inputs: vec![operand("a", a, 3)], claims, ..Contract::default() })
}

#[test]
fn a_map_bounds_its_output_by_whole_bits_only() {
    let (mut proved, mut refused, mut believed) = (0, 0, 0);
    let bounds = [None, Some(Below { multiple: 1, number: 0 }), Some(Below { multiple: 2, number: 0 })];
    for (columns, below) in (0..16).flat_map(|k| bounds.map(|below| ([k % 4, k / 4], below))) {
        for bound in 0..=4 {
            let kernel = kernel(columns, bound, below);
            if evariste_ir::verify(&kernel).is_err() {
                continue;
            }
            let right = exhaust(&kernel).is_none();
            if is_proved(&kernel) {
                assert!(right, "{kernel}");
                proved += 1;
            } else {
                refused += 1;
            }
            believed += usize::from(!right && breaking(&[Rule::BitBound, Rule::Nets], || is_proved(&kernel)));
        }
    }
    println!("{proved} proved and right, {refused} refused; {believed} wrong ones proved while the rule is broken");
    assert!(proved >= 32 && refused >= 32 && believed >= 32, "{proved} {refused} {believed}");
}
