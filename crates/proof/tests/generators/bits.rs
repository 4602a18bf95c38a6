//! Matrices of bits as operations, and fixed powers of bits: chains of products under a map, with copies turned.

use std::sync::Arc;

use evariste_ir::{
    Array, ArrayKind, BitMap, Builder, Claim, Contract, Index, Interval, Kernel, Multiplication, Operand, Type, Value,
    View,
};
use evariste_testing::Random;
use num_bigint::BigUint;

use super::inputs::Runs;
use super::random::{Draws, Flavour, Writer};
use super::{consider, images, tried, whole};

/// Bytes through matrices and other steps that may be linear, with the images of the basis or others.
#[test]
fn matrices_of_bits() {
    let tally = tried("bit matrices", 3, |random, tally| {
        let mut w = Writer::new(random, "matrices", 8, Flavour::Bits);
        let ty = w.word();
        let out = w.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
        let a = w.array("a", ty, 1, ArrayKind::Input, vec![ty.full()]);
        w.load(a, 0u32);
        for _ in 0..1 + w.random.below(3) {
            w.bit_matrix();
            (0..w.random.below(2)).for_each(|_| w.step());
        }
        let x = w.unsigned();
        w.store(out, 0u32, x);
        let mut k = w.finish();
        let Some(runs) = Runs::new(&k).filter(|_| evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let contract = Contract { inputs: vec![whole("x", &k, a)], ..Contract::default() };
        let z = whole("z", &k, out);
        let BitMap::Linear(rows) = images(&runs, &contract, &z) else { unreachable!("one operand") };
        let mut rows = rows.to_vec();
        if random.one_in(6) {
            rows.rotate_left(1);
        }
        let claims = vec![Claim::Bits { output: z, map: BitMap::Linear(Arc::new(rows)) }];
        k.contract = Contract { claims, ..contract };
        consider(random, tally, k, 2);
    });
    tally.proves(700);
}

/// A map of m × m coordinates: of a normal basis, of polynomials modulo one (as such, or by all its images), or any that
/// is symmetric. Is a turn by one coordinate a squaring?
fn map(random: &mut Random, m: u32) -> (BitMap, bool) {
    let any = |random: &mut Random| (0..m).filter(|_| random.one_in(2)).collect::<Vec<u32>>();
    match random.below(4) {
        0 | 1 => {
            let rows = if m == 2 { vec![vec![1], vec![0, 1]] } else { vec![vec![1], vec![0, 2], vec![1, 2]] };
            (BitMap::RotatingBilinear(Arc::new(rows)), true)
        }
        2 => {
            // x^m is these powers.
            let top = any(random);
            let mut powers: Vec<Vec<u32>> = (0..m).map(|i| vec![i]).collect();
            while powers.len() < 2 * m as usize - 1 {
                let last = powers.last().expect("a power").clone();
                let mut next: Vec<u32> = last.iter().map(|c| c + 1).filter(|c| *c < m).collect();
                if last.contains(&(m - 1)) {
                    for c in &top {
                        match next.iter().position(|d| d == c) {
                            Some(at) => {
                                next.remove(at);
                            }
                            None => next.push(*c),
                        }
                    }
                }
                powers.push(next);
            }
            if random.one_in(2) {
                return (BitMap::Convolution(Arc::new(powers)), false);
            }
            let of = |i: u32, j: u32| powers[(i + j) as usize].clone();
            let pairs = (0..m * m).map(|at| of(at / m, at % m)).collect();
            (BitMap::Bilinear(Arc::new(pairs)), false)
        }
        _ => {
            let mut pairs: Vec<Vec<u32>> = (0..m * m).map(|_| any(random)).collect();
            for at in (0..m * m).filter(|at| at / m > at % m) {
                pairs[at as usize] = pairs[(at % m * m + at / m) as usize].clone();
            }
            (BitMap::Bilinear(Arc::new(pairs)), false)
        }
    }
}

fn bits(array: Array, name: &str, m: u32) -> Operand {
    Operand::new(name, array, &(0..m).collect::<Vec<_>>(), &[1.into()], (num_bigint::BigInt::from(1) << m) - 1)
}

/// The coordinates of the image of a pair.
fn image(map: &BitMap, m: u32, i: u32, j: u32) -> Vec<u32> {
    match map {
        BitMap::RotatingBilinear(rows) => rows[((j + m - i) % m) as usize].iter().map(|c| (c + i) % m).collect(),
        BitMap::Bilinear(pairs) => pairs[(i * m + j) as usize].clone(),
        BitMap::Convolution(powers) => powers[(i + j) as usize].clone(),
        _ => unreachable!("no such map is made"),
    }
}

/// The product under a map.
fn product(map: &BitMap, m: u32) -> Kernel {
    let mut b = Builder::new("mul", 1);
    let out = b.output("out", m, &[1.into()]);
    let inputs = ["a", "b"].map(|n| b.input(n, m, &[1.into()]));
    let [x, y] = inputs.map(|a| b.load_all(a));
    let zero = b.word_constant(0);
    let mut sums: Vec<Value> = vec![zero; m as usize];
    for (i, j) in (0..m * m).map(|at| (at / m, at % m)) {
        let term = b.and(x[i as usize], y[j as usize]);
        for c in image(map, m, i, j) {
            sums[c as usize] = b.xor(sums[c as usize], term);
        }
    }
    b.store_all(out, &sums);
    let claim = Claim::Bits { output: bits(out, "out", m), map: map.clone() };
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![bits(inputs[0], "a", m), bits(inputs[1], "b", m)],
        claims: vec![claim],
    })
}

/// Products and turned copies of powers, now and then through a view that is turned, with the exponent that the
/// generator counts or another.
fn power(random: &mut Random, m: u32) -> Kernel {
    let (map, turns) = map(random, m);
    let mut b = Builder::new("power", 1);
    let out = b.output("out", m, &[1.into()]);
    let a = b.input("a", m, &[1.into()]);
    let orders = [0, 1].map(|k| {
        let turned = ArrayKind::Table((0..m).map(|i| ((i + k) % m).into()).collect());
        b.array(format!("o{k}"), Type::Word(2), m, turned, vec![Interval::bits(2)])
    });
    let mul = b.callee(Arc::new(product(&map, m)));
    let mut known: Vec<(Array, u64)> = vec![(a, 1)];
    for i in 0..1 + random.below(4) {
        let t = b.local(format!("t{i}"), m, Interval::bits(1));
        let (p, q) = (random.one_of(&known), random.one_of(&known));
        if random.one_in(3) {
            let turn = random.below(m.into()) as u32;
            let x = b.load_all(p.0);
            let turned: Vec<Value> = (0..m).map(|i| x[((i + m - turn) % m) as usize]).collect();
            b.store_all(t, &turned);
            known.push((t, p.1 << if turns || random.one_in(8) { turn } else { 0 }));
        } else {
            let mut view = |array| {
                let order = random.one_in(2).then(|| orders[usize::from(random.one_in(10))]);
                View { array, start: Index::at(0), order }
            };
            let args = vec![View::whole(t), view(p.0), view(q.0)];
            b.call(mul, args);
            known.push((t, p.1 + q.1));
        }
    }
    let (from, counted) = random.one_of(&known[1..]);
    let x = b.load_all(from);
    b.store_all(out, &x);
    let exponent = BigUint::from(if random.one_in(6) { counted + 1 } else { counted });
    let claim =
        Claim::Power { output: bits(out, "out", m), base: 0, exponent, product: Multiplication::Bits(map.clone()) };
    b.finish(Contract { facts: Vec::new(), inputs: vec![bits(a, "a", m)], claims: vec![claim] })
}

#[test]
fn powers_of_bits() {
    let tally = tried("bit powers", 10, |random, tally| {
        let m = 2 + random.below(2) as u32;
        let kernel = power(random, m);
        consider(random, tally, kernel, 3);
    });
    // The others are under a map that is not associative.
    tally.proves(700);
}
