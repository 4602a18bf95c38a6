//! Powers of bits by maps of operands of other sizes: the same list of images is another map of two by eight bits than of
//! four by four.

use std::sync::Arc;

use evariste_ir::{Array, BitMap, Builder, Claim, Contract, Interval, Kernel, Multiplication, Operand, Value, View};

use super::attacked_steps::{is_refused, is_shown, is_wrong};
use crate::broken_rules::Rule;

/// One-bit words of m coordinates.
fn bits(array: Array, name: &str, m: u32, bound: u32) -> Operand {
    Operand::new(name, array, &(0..m).collect::<Vec<_>>(), &[1.into()], bound.into())
}

/// The product of numbers of so many bits, under this list of images.
fn product(images: &[Vec<u32>], sizes: [u32; 2]) -> Kernel {
    let mut b = Builder::new("mul", 1);
    let out = b.output("out", 4, &[1.into()]);
    let inputs = [("a", sizes[0]), ("b", sizes[1])].map(|(n, m)| b.input(n, m, &[1.into()]));
    let [x, y] = inputs.map(|a| b.load_all(a));
    let zero = b.word_constant(0);
    let mut sums: Vec<Value> = vec![zero; 4];
    for (k, image) in images.iter().enumerate() {
        let term = b.and(x[k / y.len()], y[k % y.len()]);
        image.iter().for_each(|c| sums[*c as usize] = b.xor(sums[*c as usize], term));
    }
    b.store_all(out, &sums);
    let inputs =
        vec![bits(inputs[0], "a", sizes[0], (1 << sizes[0]) - 1), bits(inputs[1], "b", sizes[1], (1 << sizes[1]) - 1)];
    let map = BitMap::Bilinear(Arc::new(images.to_vec()));
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![Claim::Bits { output: bits(out, "out", 4, 15), map }] })
}

/// Four bits, those above `bound` 0, as eight.
fn longer(bound: u32) -> Kernel {
    let mut b = Builder::new("longer", 1);
    let out = b.output("out", 8, &[1.into()]);
    let a = b.input("a", 4, &[1.into()]);
    let (mut x, zero) = (b.load_all(a), b.word_constant(0));
    x.resize(8, zero);
    b.store_all(out, &x);
    let map = BitMap::Linear(Arc::new((0..4).map(|i| vec![i]).collect()));
    let claim = Claim::Bits { output: bits(out, "out", 8, bound), map };
    b.finish(Contract { facts: Vec::new(), inputs: vec![bits(a, "a", 4, bound)], claims: vec![claim] })
}

/// The square of a number of two bits in GF(16), by products of numbers of these sizes.
fn square(sizes: [u32; 2]) -> Kernel {
    let powers: [&[u32]; 7] = [&[0], &[1], &[2], &[3], &[0, 1], &[1, 2], &[2, 3]];
    let images: Vec<Vec<u32>> = (0..16).map(|k| powers[k / 4 + k % 4].to_vec()).collect();
    let mut b = Builder::new("square", 1);
    let out = b.output("out", 4, &[1.into()]);
    let a = b.input("a", 4, &[1.into()]);
    let t = b.local("t", 8, Interval::bits(1));
    let (longer, mul) = (b.callee(Arc::new(longer(3))), b.callee(Arc::new(product(&images, sizes))));
    b.call(longer, vec![View::whole(t), View::whole(a)]);
    b.call(mul, vec![View::whole(out), View::whole(t), View::whole(t)]);
    let product = Multiplication::Bits(BitMap::Bilinear(Arc::new(images)));
    let claim = Claim::Power { output: bits(out, "out", 4, 15), base: 0, exponent: 2u32.into(), product };
    b.finish(Contract { facts: Vec::new(), inputs: vec![bits(a, "a", 4, 3)], claims: vec![claim] })
}

#[test]
fn a_list_of_images_is_a_map_of_operands_of_one_size() {
    assert!(is_shown(&square([4, 4])));
    let wrong = square([2, 8]);
    assert!(is_wrong(&wrong, &[("a", &[0, 1, 0, 0])]));
    is_refused(&wrong, Rule::MapSizes);
}
