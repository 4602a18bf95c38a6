//! Floats: a few exact or rounded operations on small numbers.

use evariste_ir::float::Format;
use evariste_ir::{ArrayKind, Claim, Interval, Op, Operand, Type};
use num_bigint::BigInt;

use super::inputs::Runs;
use super::random::{Draws, Flavour, Writer};
use super::{consider, greatest, output, through_corners, tried};

/// Floats of few mantissa bits: numbers in, sums, products and fused products, patterns out.
#[test]
fn floats() {
    let tally = tried("floats", 5, |random, tally| {
        let mantissa = 4 + random.below(4) as u8;
        let format = Format::new(mantissa).expect("a format");
        let word = format.bits() as u8;
        let (ty, float) = (Type::Word(word), Type::Float(mantissa));
        let mut w = Writer::new(random, "float", word, Flavour::Arithmetic);
        let out = w.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
        let base = format.pattern_of_power(u32::from(mantissa) - 1);
        let plain = |w: &mut Writer, op, args: &[_]| {
            let v = w.apply(op, args, &[ty]);
            w.kernel.values[v.0 as usize].range = ty.full();
            v
        };
        let start = plain(&mut w, Op::Const(base.clone()), &[]);
        let magic = w.apply(Op::BitsToFloat, &[start], &[float]);
        let mut pool = vec![magic];
        for name in ["a", "b"] {
            let array = w.array(name, ty, 1, ArrayKind::Input, vec![Interval::bits(2 + u32::from(mantissa) / 5)]);
            let x = w.load(array, 0u32);
            let pattern = plain(&mut w, Op::Add, &[x, start]);
            let above = w.apply(Op::BitsToFloat, &[pattern], &[float]);
            pool.push(w.apply(Op::FloatSub, &[above, magic], &[float]));
        }
        for _ in 0..w.random.below(4) {
            let args = [(); 3].map(|()| w.random.one_of(&pool));
            let op = w.random.one_of(&[Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatFma]);
            let n = if op == Op::FloatFma { 3 } else { 2 };
            pool.push(w.apply(op, &args[..n], &[float]));
        }
        let last = *pool.last().expect("a float");
        let raised = w.apply(Op::FloatAdd, &[last, magic], &[float]);
        let pattern = plain(&mut w, Op::FloatToBits, &[raised]);
        let result = plain(&mut w, Op::Sub, &[pattern, start]);
        w.store(out, 0u32, result);
        let mut k = w.finish();
        let element = |name: &str| {
            let array = k.find(name).expect("an input");
            let max = k.array(array).range(0).hi.clone();
            Operand::new(name, array, &[0], std::slice::from_ref(&max), max.clone())
        };
        k.contract.inputs = vec![element("a"), element("b")];
        let Some(runs) = Runs::new(&k).filter(|_| evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let z = output(&k, None);
        let (Some(most), Some(polynomial)) = (greatest(&runs, &z), through_corners(&runs, &k.contract, &z)) else {
            return;
        };
        let claim = |bound: BigInt| Claim::Step { output: Operand { bound, ..z.clone() }, name: "nothing".into() };
        let value = Claim::Value { output: z.clone(), factor: 1.into(), polynomial: polynomial.clone(), modulus: None };
        for claim in [claim(most.clone()), claim((most - 1u32).max(0.into())), value] {
            k.contract.claims = vec![claim];
            consider(random, tally, k.clone(), 6);
        }
    });
    tally.proves(100);
}
