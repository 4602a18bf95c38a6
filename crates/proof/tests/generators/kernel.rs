//! Whole random kernels, and kernels for them to call.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, Digit, Interval, Kernel, Op, Operand, Type, Value};
use evariste_testing::Random;
use num_bigint::BigInt;

use super::random::{Draws, Flavour, Writer};

/// What a random kernel looks like from outside.
pub struct Shape {
    pub word: u8,
    pub flavour: Flavour,
    /// The intervals of the elements of each input array.
    pub inputs: Vec<Vec<Interval>>,
    pub outputs: u32,
    /// A ghost element above the outputs.
    pub ghost: bool,
    pub steps: u64,
}

/// A kernel of that shape without a contract: inputs a, b, …, output `out`, ghost `g`.
pub fn kernel(random: &mut Random, shape: &Shape) -> Kernel {
    let calls = random.one_in(4);
    let inner = calls.then(|| Arc::new(callee(random, shape.word, shape.flavour)));
    let mut w = Writer::new(random, "random", shape.word, shape.flavour);
    w.kernel.callees.extend(inner);
    let word = w.word();
    let out = w.array("out", word, shape.outputs, ArrayKind::Output, vec![word.full()]);
    let ghost = shape.ghost.then(|| w.array("g", word, 1, ArrayKind::Ghost, vec![word.full()]));
    for (name, ranges) in ["a", "b", "c"].iter().zip(&shape.inputs) {
        let array = w.array(name, word, ranges.len() as u32, ArrayKind::Input, ranges.clone());
        (0..ranges.len()).for_each(|i| {
            w.load(array, i);
        });
    }
    (0..shape.steps).for_each(|_| w.step());
    for i in 0..shape.outputs {
        let x = w.unsigned();
        w.store(out, i, x);
    }
    if let Some(g) = ghost {
        let x = w.unsigned();
        w.store(g, 0u32, x);
    }
    w.finish()
}

/// A kernel to be called: the double-length product with a ghost for its upper word, or a few random steps.
fn callee(random: &mut Random, word: u8, flavour: Flavour) -> Kernel {
    let ty = Type::Word(word);
    let product = random.one_in(2) && flavour == Flavour::Arithmetic;
    let mut w = Writer::new(random, "inner", word, flavour);
    let z = w.array("z", ty, 1, ArrayKind::Output, vec![ty.full()]);
    let g = w.array("h", ty, 1, ArrayKind::Ghost, vec![ty.full()]);
    let x = w.array("x", ty, 2, ArrayKind::Input, vec![ty.full()]);
    let (p, q) = (w.load(x, 0u32), w.load(x, 1u32));
    if product {
        let low = w.apply(Op::MulWide, &[p, q], &[ty, ty]);
        // Read without a sign, whatever the results were declared as.
        w.kernel.values[low.0 as usize].range = ty.full();
        w.kernel.values[low.0 as usize + 1].range = ty.full();
        w.store(z, 0u32, low);
        w.store(g, 0u32, Value(low.0 + 1));
    } else {
        (0..3).for_each(|_| w.step());
        let (r, s) = (w.unsigned(), w.unsigned());
        w.store(z, 0u32, r);
        w.store(g, 0u32, s);
    }
    let mut kernel = w.finish();
    if product {
        let top: BigInt = pow2(word.into()) - 1;
        let digit = |array, index, weight| Digit { array, index, weight, max: top.clone(), bits: None };
        let number = |name: &str, digits, bound| Operand { name: name.into(), digits, bound, below: None };
        kernel.contract.inputs =
            vec![number("x", vec![digit(x, 0, 0)], top.clone()), number("y", vec![digit(x, 1, 0)], top.clone())];
        kernel.contract.claims = vec![evariste_ir::Claim::Value {
            output: number("z", vec![digit(z, 0, 0), digit(g, 0, word.into())], &top * &top),
            factor: 1.into(),
            polynomial: evariste_ir::Polynomial::default().plus(1, &[0, 1]),
            modulus: None,
        }];
    }
    kernel
}
