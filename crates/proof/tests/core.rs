//! The core on random small systems of equations: what it proves is compared with every solution.

use evariste_proof::equations::system::{Affine, Form, low};
use evariste_proof::equations::{Atom, FastSet, Poly, System};
use evariste_proof::search::Search;
use evariste_proof::search::samples::Random;
use evariste_proof::translate::Values;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Random sums, products, differences and selections over a few words of w bits.
fn random_system(r: &mut Random, w: u32) -> (Values, Vec<Atom>) {
    let mut v = Values::default();
    let weights: Vec<BigInt> = (0..2).map(|i| BigInt::one() << (w * i)).collect();
    let full: BigInt = (BigInt::one() << w) - 1;
    let most: BigInt = (BigInt::one() << (2 * w)) - 1;
    let bound = BigInt::one() + r.uniform(&(most - 1));
    let number = v.sys.number(&weights, &[full.clone(), full.clone()], &bound);
    let mut inputs = v.sys.numbers()[number as usize].digits.clone();
    let extra = v.sys.opaque(&BigInt::zero(), &full);
    inputs.extend(extra.atom);
    let mut words: Vec<Affine> = inputs.iter().map(|a| Affine::new(BigInt::zero(), BigInt::one(), *a)).collect();
    words.push(Affine::constant(r.uniform(&full)));
    let mut flags = vec![Affine::constant(0)];
    let steps = 4 + r.below(8);
    for _ in 0..steps {
        let pick = |r: &mut Random, from: &[Affine]| from[r.below(from.len() as u64) as usize].clone();
        let (a, b, f) = (pick(r, &words), pick(r, &words), pick(r, &flags));
        match r.below(6) {
            0 | 1 => {
                let exact = v.sum(&a, 1, &b).plus(&BigInt::one(), &f.poly());
                let (lo, hi) = v.sys.split(&exact, w);
                words.push(lo);
                flags.push(hi);
            }
            2 | 3 => {
                let (lo, borrow) = v.difference(&a, &b, &f, w);
                words.push(lo);
                flags.push(borrow);
            }
            4 => {
                let exact = v.product(&a, &b);
                let (lo, hi) = v.sys.split(&exact, w);
                words.push(lo);
                words.push(hi);
            }
            _ => {
                let mask = v.mask(&f, w);
                let chosen = v.select(&mask, &a, &b, w);
                words.push(chosen);
            }
        }
    }
    (v, inputs)
}

/// Values of all atoms for every admissible input.
fn solutions(sys: &System, inputs: &[Atom], w: u32) -> Vec<Vec<BigInt>> {
    let size = 1u64 << (w as usize * inputs.len());
    let mut all = Vec::new();
    for x in 0..size {
        let mut values = vec![BigInt::zero(); sys.atoms() as usize];
        for (i, a) in inputs.iter().enumerate() {
            values[a.0 as usize] = BigInt::from((x >> (w as usize * i)) & ((1 << w) - 1));
        }
        let admitted = sys
            .numbers()
            .iter()
            .all(|n| n.digits.iter().zip(&n.weights).map(|(d, w)| &values[d.0 as usize] * w).sum::<BigInt>() <= n.max);
        if !admitted {
            continue;
        }
        for node in sys.nodes() {
            let x = evaluate(&node.poly, &values);
            let (lo, hi) = match node.form {
                Form::Split { k } => (low(&x, k), x >> k),
                Form::Borrow { k } => (low(&x, k), -(x >> k)),
                _ => (x, BigInt::zero()),
            };
            values[node.lo.0 as usize] = lo;
            if let Some(h) = node.hi {
                values[h.0 as usize] = hi;
            }
        }
        for (i, x) in values.iter().enumerate() {
            let info = sys.atom(Atom(i as u32));
            assert!(&info.min <= x && x <= &info.max, "atom {i} leaves its interval");
        }
        all.push(values);
    }
    all
}

fn evaluate(poly: &Poly, values: &[BigInt]) -> BigInt {
    poly.terms().iter().map(|(m, c)| m.atoms().iter().fold(c.clone(), |x, a| x * &values[a.0 as usize])).sum()
}

#[test]
fn proved_bounds_and_facts_hold_in_every_solution() {
    let (mut tight, mut asked) = (0, 0);
    for seed in 0..400 {
        let mut r = Random(seed);
        let w = 1 + (seed % 3) as u32;
        let (values, inputs) = random_system(&mut r, w);
        let sys = &values.sys;
        let all = solutions(sys, &inputs, w);
        let mut search = Search::new(sys, &[], &values.masks, FastSet::default());
        search.low_words();
        for _ in 0..6 {
            let mut poly = Poly::default();
            for _ in 0..1 + r.below(3) {
                let c = BigInt::from(r.below(5)) - 2;
                poly =
                    poly.plus(&(c << (w * r.below(3) as u32)), &Poly::atom(Atom(r.below(sys.atoms() as u64) as u32)));
            }
            let truth = all.iter().map(|v| evaluate(&poly, v)).max().unwrap();
            asked += 1;
            tight += search.at_most(&poly, &truth, Atom(u32::MAX), &[]).is_some() as u32;
            let proved = search.at_most(&poly, &(&truth - 1), Atom(u32::MAX), &[]);
            assert!(proved.is_none(), "seed {seed}: {poly:?} <= {} is proved, {truth} occurs", &truth - 1);
        }
        for a in (0..sys.atoms()).map(Atom) {
            search.high_part(a);
            if let Some(fact) = search.facts.get(a) {
                let difference = Poly::atom(a).plus(&-BigInt::one(), fact.value());
                assert!(
                    all.iter().all(|v| evaluate(&difference, v).is_zero()),
                    "seed {seed}: a wrong fact of atom {}",
                    a.0
                );
            }
        }
    }
    println!("{tight} of {asked} tight bounds proved");
    assert!(tight * 3 > asked, "the search has become weak: {tight} of {asked}");
}

#[test]
fn congruences_hold_in_every_solution() {
    let mut shown = 0;
    for seed in 0..300 {
        let mut r = Random(1000 + seed);
        let w = 2;
        let (values, inputs) = random_system(&mut r, w);
        let sys = &values.sys;
        let all = solutions(sys, &inputs, w);
        let mut search = Search::new(sys, &[], &values.masks, FastSet::default());
        search.low_words();
        // A node's equation holds; the same with one coefficient changed need not.
        for node in sys.nodes() {
            let mut equation = node.poly.plus(&-BigInt::one(), &Poly::atom(node.lo));
            if let Some(h) = node.hi {
                equation = equation.plus(&-node.weight.clone(), &Poly::atom(h));
            }
            let modulus = BigInt::from(2 + r.below(40));
            assert!(
                search.congruence(&equation, &modulus, None).is_ok(),
                "seed {seed}: an equation is not seen to hold"
            );
            let changed =
                equation.plus(&BigInt::from(1 + r.below(3)), &Poly::atom(Atom(r.below(sys.atoms() as u64) as u32)));
            if search.congruence(&changed, &modulus, None).is_ok() {
                shown += 1;
                assert!(
                    all.iter().all(|v| (evaluate(&changed, v) % &modulus).is_zero()),
                    "seed {seed}: a wrong congruence"
                );
            }
        }
    }
    assert!(shown > 0);
}
