//! Kernels of several elements: each element is what the kernel of one makes of it, and callers guarantee of each what they
//! guarantee of one.

use std::sync::Arc;

use evariste_ir::interpret::Interpreter;
use evariste_ir::{
    Array, Below, Builder, Claim, Contract, Digit, Fact, Kernel, Operand, Polynomial, inadmissible, times, verify,
};
use num_bigint::BigInt;

/// Words of the toy.
const BITS: u32 = 2;

fn operand(name: &str, array: Array, len: u32, bound: u32) -> Operand {
    let digit = |index| Digit { array, index, weight: BITS * index, max: 3.into(), bits: None };
    Operand { name: name.into(), digits: (0..len).map(digit).collect(), bound: bound.into(), below: None }
}

/// `p = a·b` in two words, for a and b of one word, and a ghost that holds a. Of the inputs a is below b, and b is odd.
fn toy(disjoint: bool) -> Kernel {
    let mut b = Builder::new("toy", BITS);
    let p = b.output("p", 2, &[3.into()]);
    let inputs = ["a", "b"].map(|name| b.input(name, 1, &[3.into()]));
    let ghost = b.ghost("g", 1);
    if disjoint {
        b.must_be_disjoint(p, inputs[0]);
    }
    let [x, y] = inputs.map(|array| b.load(array, 0u32));
    let (low, high) = b.mul_wide(x, y);
    b.store_all(p, &[low, high]);
    b.store(ghost, 0u32, x);
    let below = Some(Below { multiple: 1, number: 1 });
    let contract = Contract {
        inputs: vec![Operand { below, ..operand("a", inputs[0], 1, 3) }, operand("b", inputs[1], 1, 3)],
        facts: vec![Fact { number: 1, times: None, polynomial: Polynomial::constant(1), modulus: 2.into() }],
        claims: vec![Claim::Step { output: operand("p", p, 2, 9), name: "product".into() }],
    };
    b.finish(contract)
}

/// What the kernel makes of such elements, array after array.
fn run(kernel: &Kernel, given: &[Vec<u32>]) -> Vec<Vec<u128>> {
    let interpreter = Interpreter::new(kernel);
    let mut batch = interpreter.batch(1);
    for (array, elements) in kernel.params().zip(given) {
        for (i, x) in elements.iter().enumerate() {
            batch.set(array, i as u32, 0, u128::from(*x));
        }
    }
    interpreter.run(&mut batch);
    let read = |a: Array| (0..kernel.array(a).len).map(|i| batch.get(a, i, 0)).collect();
    kernel.params().map(read).collect()
}

#[test]
fn each_element_is_what_one_is_on_all_inputs() {
    let one = toy(false);
    for count in [1, 2, 3] {
        let several = times(Arc::new(one.clone()), count);
        verify(&several).unwrap_or_else(|defects| panic!("{defects:?}"));
        assert_eq!(several.params().count(), one.params().count());
        for all in 0..16u32.pow(count) {
            let element = |i: u32| (all >> (4 * i) & 3, all >> (4 * i + 2) & 3);
            let of = |f: fn((u32, u32)) -> u32| (0..count).map(|i| f(element(i))).collect::<Vec<_>>();
            let got = run(&several, &[vec![], of(|x| x.0), of(|x| x.1)]);
            let alone: Vec<_> =
                (0..count).map(|i| run(&one, &[vec![], vec![element(i).0], vec![element(i).1]])).collect();
            for (p, array) in got.iter().enumerate() {
                assert_eq!(*array, alone.iter().flat_map(|one| one[p].clone()).collect::<Vec<_>>(), "{count}: {all}");
            }
        }
    }
}

/// Admissible are exactly the inputs of which each element is.
#[test]
fn callers_guarantee_of_each_what_they_guarantee_of_one() {
    let one = toy(false);
    let several = times(Arc::new(one.clone()), 2);
    let admissible = |kernel: &Kernel, pairs: &[u32]| {
        let of = |first: usize| pairs.iter().skip(first).step_by(2).map(|x| BigInt::from(*x)).collect();
        inadmissible(kernel, &[("a", of(0)), ("b", of(1))]).is_none()
    };
    let mut both = 0;
    for all in 0..256u32 {
        let numbers = [0, 2, 4, 6].map(|at| all >> at & 3);
        let each = numbers.chunks(2).all(|pair| admissible(&one, pair));
        assert_eq!(admissible(&several, &numbers), each, "{numbers:?}");
        both += u32::from(each);
    }
    // a < b for an odd b: four pairs.
    assert_eq!(both, 16);
}

#[test]
fn arrays_are_as_disjoint_as_those_of_one() {
    for disjoint in [false, true] {
        let mut one = toy(disjoint);
        // (Of different lengths arrays are apart anyway.)
        one.arrays[1].len = 2;
        let several = times(Arc::new(one.clone()), 2);
        for (x, y) in [(Array(0), Array(1)), (Array(0), Array(2))] {
            assert_eq!(several.may_alias(x, y), one.may_alias(x, y), "{disjoint}");
        }
    }
}
