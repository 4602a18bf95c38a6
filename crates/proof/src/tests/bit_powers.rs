//! Fixed powers of bits: inverses in binary fields, faults in them, multiplications that powers make no sense of, and
//! what happens while a rule is broken.

use std::sync::Arc;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::{
    Array, BitMap, Builder, Claim, Contract, Interval, Kernel, Multiplication, Operand, Stmt, Value, View,
};
use num_bigint::{BigInt, BigUint};

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;
use crate::{Outcome, prove};

fn inverses(field: &str, word: u32) -> Vec<Kernel> {
    let field = Field::parse(field).expect("a field");
    let written = |l: &_| {
        plans(&field, l, &Operation::INVERSE).into_iter().map(|p| p.write().expect("applies")).collect::<Vec<_>>()
    };
    layouts(&field, word).iter().flat_map(written).collect()
}

#[test]
fn inverses_are_proved() {
    let mut proved = 0;
    let long: &[(&str, u32)] = if std::env::var_os("EVARISTE_FULL").is_some() {
        &[("GF(2^163):gnb4", 1), ("GF(2^163)", 1), ("GF(2^571)", 64), ("GF(2^233):onb2", 64)]
    } else {
        &[]
    };
    for (field, word) in [
        ("GF(2^2):onb1", 1),
        ("GF(2^5):onb2", 1),
        ("GF(2^7):gnb4", 1),
        ("GF(2^29):onb2", 8),
        ("GF(2^65):onb2", 1),
        ("GF(2^8)", 1),
        ("GF(2^8)", 3),
        ("GF(2^57)", 1),
        ("GF(2^163)", 64),
    ]
    .iter()
    .chain(long)
    {
        for kernel in inverses(field, *word) {
            let start = std::time::Instant::now();
            match prove(&kernel) {
                Outcome::Proved(_) => proved += 1,
                other => panic!("{field} in {word}: {}: {other:?}", kernel.name),
            }
            println!("{field} in {word}: {} {:.2} s", kernel.name, start.elapsed().as_secs_f64());
        }
    }
    assert!(proved >= 14, "{proved}");
}

/// Every statement that is a loop, in order.
fn loops(body: &mut [Stmt]) -> Vec<&mut evariste_ir::Loop> {
    body.iter_mut().filter_map(|s| if let Stmt::Loop(l) = s { Some(l) } else { None }).collect()
}

#[test]
fn faults_are_refused() {
    // A rotation that is one coordinate off, in each of the copies.
    let right = inverses("GF(2^7):gnb4", 1).remove(0);
    let mut tried = 0;
    for at in 0..loops(&mut right.clone().body).len() {
        for body in 0..2 {
            let mut wrong = right.clone();
            match &mut loops(&mut wrong.body)[at].body[body] {
                Stmt::Load { index, .. } | Stmt::Store { index, .. } => index.base += 1,
                _ => panic!("a copy"),
            }
            assert!(!is_proved(&wrong), "copy {at}, {body}");
            tried += 1;
        }
    }
    assert!(tried >= 8);
    for (field, word) in [("GF(2^7):gnb4", 1), ("GF(2^17)", 8)] {
        let right = inverses(field, word).remove(0);
        assert!(is_proved(&right));
        for step in [-1i32, 1] {
            let mut wrong = right.clone();
            if let Claim::Power { exponent, .. } = &mut wrong.contract.claims[0] {
                *exponent = (BigInt::from(exponent.clone()) + step).to_biguint().expect("positive");
            }
            assert!(!is_proved(&wrong), "{field}: another exponent");
        }
    }
    // A squaring too few, another field's product in place of this one's, a map for a product.
    let right = inverses("GF(2^17)", 8).remove(0);
    let count = loops(&mut right.clone().body).len();
    assert!(count > 0);
    for at in 0..count {
        let mut wrong = right.clone();
        loops(&mut wrong.body)[at].count -= 1;
        assert!(!is_proved(&wrong), "loop {at}");
    }
    let mul = right.callees.iter().position(|k| k.name.starts_with("mul")).expect("a product");
    let other = inverses("GF(2)[x]/(x^17+x^5+1)", 8).remove(0);
    let mut wrong = right.clone();
    wrong.callees[mul] = other.callees.iter().find(|k| k.name.starts_with("mul")).expect("a product").clone();
    assert!(!is_proved(&wrong), "another field");
    let square = right.callees.iter().position(|k| k.name.starts_with("square")).expect("a square");
    let mut wrong = right;
    wrong.callees[square] = other.callees.iter().find(|k| k.name.starts_with("square")).expect("a square").clone();
    assert!(!is_proved(&wrong), "another field's squares");
}

/// One-bit words of m coordinates.
fn bits(array: Array, name: &str, m: u32) -> Operand {
    Operand::new(name, array, &(0..m).collect::<Vec<_>>(), &[1.into()], (BigInt::from(1) << m) - 1)
}

/// The coordinates of the product of two basis elements.
fn image(map: &BitMap, m: usize, i: usize, j: usize) -> Vec<usize> {
    match map {
        BitMap::RotatingBilinear(rows) => rows[(j + m - i) % m].iter().map(|c| (*c as usize + i) % m).collect(),
        BitMap::Bilinear(all) => all[i * m + j].iter().map(|c| *c as usize).collect(),
        _ => panic!("no such map is tried"),
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
    for (i, j) in (0..m * m).map(|at| ((at / m) as usize, (at % m) as usize)) {
        let term = b.and(x[i], y[j]);
        image(map, m as usize, i, j).into_iter().for_each(|c| sums[c] = b.xor(sums[c], term));
    }
    b.store_all(out, &sums);
    let operands = vec![bits(inputs[0], "a", m), bits(inputs[1], "b", m)];
    b.finish(Contract {
        facts: Vec::new(),
        inputs: operands,
        claims: vec![Claim::Bits { output: bits(out, "out", m), map: map.clone() }],
    })
}

/// `((a·a)·a)·a`, or a rotated by one as a square, under the product of a map.
fn power(map: &BitMap, m: u32, turned: bool) -> Kernel {
    let mut b = Builder::new("power", 1);
    let out = b.output("out", m, &[1.into()]);
    let a = b.input("a", m, &[1.into()]);
    let exponent = if turned {
        let x = b.load_all(a);
        let turned: Vec<Value> = (0..m as usize).map(|i| x[(i + m as usize - 1) % m as usize]).collect();
        b.store_all(out, &turned);
        2u32
    } else {
        let t = b.local("t", m, Interval::bits(1));
        let mul = b.callee(Arc::new(product(map, m)));
        for (to, x) in [(t, a), (t, t), (out, t)] {
            b.call(mul, vec![View::whole(to), View::whole(x), View::whole(a)]);
        }
        4
    };
    let product = Multiplication::Bits(map.clone());
    let claim = Claim::Power { output: bits(out, "out", m), base: 0, exponent: BigUint::from(exponent), product };
    b.finish(Contract { facts: Vec::new(), inputs: vec![bits(a, "a", m)], claims: vec![claim] })
}

/// Maps that rotate on three coordinates, all that are commutative and some others: what is proved is right on every
/// element, and while a rule is broken something wrong is proved.
#[test]
fn rotating_maps_of_three_coordinates() {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let list = |bits: usize| (0..3).filter(|c| bits >> c & 1 == 1).collect::<Vec<u32>>();
    let (mut proved, mut believed) = ([0; 2], [0; 2]);
    for at in 0..512usize {
        let rows = vec![list(at & 7), list(at >> 3 & 7), list(at >> 6)];
        // B_0 B_2 = B_2 B_0, which is row 1 two further.
        let mut other: Vec<u32> = rows[1].iter().map(|c| (c + 2) % 3).collect();
        other.sort_unstable();
        if other != rows[2] && !full && at % 8 != 0 {
            continue;
        }
        for (turned, rule) in [(false, Rule::Associativity), (true, Rule::Turn)] {
            let kernel = power(&BitMap::RotatingBilinear(Arc::new(rows.clone())), 3, turned);
            let right = exhaust(&kernel).is_none();
            if is_proved(&kernel) {
                assert!(right, "proved, but wrong: {rows:?}");
                proved[usize::from(turned)] += 1;
            }
            let wrongly = breaking(&[rule, Rule::Nets], || is_proved(&kernel) && !right);
            believed[usize::from(turned)] += usize::from(wrongly);
        }
    }
    println!("proved {proved:?}, wrongly with a rule broken {believed:?}");
    assert!(proved[0] > 5 && proved[1] > 0 && believed.iter().all(|n| *n > 3), "{proved:?} {believed:?}");
}

/// All maps of two coordinates by their images: what is proved is commutative, associative and right, and what is both is
/// proved.
#[test]
fn tables_of_two_coordinates() {
    let list = |bits: usize| (0..2).filter(|c| bits >> c & 1 == 1).collect::<Vec<u32>>();
    let (mut proved, mut believed) = (0, 0);
    for at in 0..256usize {
        let image = |i: usize, j: usize| at >> (2 * (2 * i + j)) & 3;
        let times = |x: usize, y: usize| {
            (0..4).filter(|k| x >> (k / 2) & y >> (k % 2) & 1 == 1).fold(0, |sum, k| sum ^ image(k / 2, k % 2))
        };
        let triples = (0..64).map(|k| (k & 3, k >> 2 & 3, k >> 4));
        let lawful = triples
            .into_iter()
            .all(|(x, y, z)| times(x, y) == times(y, x) && times(times(x, y), z) == times(x, times(y, z)));
        let map = BitMap::Bilinear(Arc::new((0..4).map(|k| list(image(k / 2, k % 2))).collect()));
        let kernel = power(&map, 2, false);
        assert_eq!(is_proved(&kernel), lawful, "{map:?}");
        let right = exhaust(&kernel).is_none();
        assert!(right || !lawful, "proved, but wrong: {map:?}");
        proved += usize::from(lawful);
        believed += usize::from(!right && breaking(&[Rule::Associativity, Rule::Nets], || is_proved(&kernel)));
    }
    println!("{proved} proved, {believed} wrongly with a rule broken");
    assert!(proved > 10 && believed > 10, "{proved} {believed}");
}
