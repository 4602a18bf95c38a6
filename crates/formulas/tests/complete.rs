//! What no polynomial identity says, tried on every point of every curve of a shape over toy fields: that complete formulas
//! have no excepted cases, that ladders treat the identity rightly, that cyclotomic squares hold on their subgroup.
//!
//! By default curves over the larger fields are a sample; a full run takes them all.

use evariste_formulas::Formula;
use evariste_testing::sample;

use crate::checks::named;
use crate::toys::curves::{binary, binary_edwards, cubic, edwards};
use crate::toys::{Binary, F, Gauss, Group, Point, Prime, Toy};

const PRIMES: [u32; 9] = [5, 7, 11, 13, 17, 19, 23, 29, 31];

/// All pairs of coefficients over a field; of the larger fields one in so many.
fn coefficients<T: Toy>(what: &str, f: &F<T>) -> Vec<(u32, u32)> {
    let all: Vec<(u32, u32)> = f.all().flat_map(|a| f.all().map(move |b| (a, b))).collect();
    let size = f.0.size();
    sample(&format!("{what} {size}"), all, if size <= 8 { 1 } else { size as usize * size as usize / 24 }, |_| 0)
}

/// Coordinates of a point by another factor each time: `(x f^i : y f^j : f)`.
fn coordinates(f: &F<impl Toy>, p: Point, factor: u32, [i, j]: [usize; 2]) -> Vec<u32> {
    let power = |n: usize| f.product(&vec![factor; n]);
    match p {
        Some((x, y)) => vec![f.mul(x, power(i)), f.mul(y, power(j)), factor],
        None => vec![0, factor, 0],
    }
}

/// The point that coordinates stand for; (0, 0, 0) is none.
fn point(f: &F<impl Toy>, c: &[u32], [i, j]: [usize; 2]) -> Point {
    assert!(c.iter().any(|x| *x != 0), "no point");
    let z = |n: usize| f.product(&vec![c[2]; n]);
    Some((f.div(c[0], z(i))?, f.div(c[1], z(j))?))
}

fn factor(f: &F<impl Toy>, at: usize) -> u32 {
    1 + (at as u32 * 7 + 3) % (f.0.size() - 1)
}

struct Law<'a, T> {
    f: &'a F<T>,
    group: &'a Group,
    constants: Vec<(&'a str, u32)>,
    powers: [usize; 2],
}

impl<T: Toy> Law<'_, T> {
    fn operands(&self, i: usize, j: usize) -> [Vec<u32>; 2] {
        let g = |k: usize, at: usize| coordinates(self.f, self.group.points[k], factor(self.f, at), self.powers);
        [g(i, i + j), g(j, 2 * i + j + 1)]
    }

    fn addition(&self, formula: &Formula, fits: impl Fn(usize, usize) -> bool) {
        let n = self.group.points.len();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| fits(*i, *j)) {
            let r = self.f.run(formula, &self.operands(i, j).concat(), &[], &self.constants);
            let sum = point(self.f, &r, self.powers);
            assert_eq!(sum, self.group.points[self.group.sum[i][j]], "{} {i} {j}", formula.name);
        }
    }

    fn doubling(&self, formula: &Formula) {
        for i in 0..self.group.points.len() {
            let r = self.f.run(formula, &self.operands(i, i)[0], &[], &self.constants);
            assert_eq!(point(self.f, &r, self.powers), self.group.points[self.group.sum[i][i]], "{} {i}", formula.name);
        }
    }
}

#[test]
fn complete_addition_has_no_excepted_case() {
    let [general, minus_3, zero] = ["complete-addition", "complete-addition-minus-3", "complete-addition-0"].map(named);
    let doublings = ["complete-doubling", "complete-doubling-minus-3", "complete-doubling-0"].map(named);
    let mut curves = [0; 3];
    for p in PRIMES {
        let f = F(Prime(p));
        let special = f.all().flat_map(|b| [(f.int(-3), b), (0, b)]);
        for (a, b) in coefficients("complete", &f).into_iter().chain(special) {
            let Some(group) = cubic(&f, 0, a, b).filter(|g| g.points.len() % 2 == 1) else { continue };
            let law = Law { f: &f, group: &group, constants: vec![("a", a), ("b", b)], powers: [1, 1] };
            let fits = [true, a == f.int(-3), a == 0];
            for (k, addition) in [&general, &minus_3, &zero].into_iter().enumerate().filter(|(k, _)| fits[*k]) {
                law.addition(addition, |_, _| true);
                law.doubling(&doublings[k]);
                curves[k] += 1;
            }
        }
    }
    assert!(curves.iter().all(|n| *n > 20), "{curves:?}");
}

/// Where P − Q has order two, complete sums are no point, and only there; the chord is right for these but next to the
/// identity. Doublings have no exceptions.
#[test]
fn sums_in_groups_with_points_of_order_two() {
    let [general, minus_3, zero] = ["complete-addition", "complete-addition-minus-3", "complete-addition-0"].map(named);
    let doublings = ["complete-doubling", "complete-doubling-minus-3", "complete-doubling-0"].map(named);
    let chord = named("chord-addition");
    let mut excepted = [0; 3];
    for p in PRIMES {
        let f = F(Prime(p));
        let special = f.all().flat_map(|b| [(f.int(-3), b), (0, b)]);
        for (a, b) in coefficients("by cases", &f).into_iter().chain(special) {
            let Some(group) = cubic(&f, 0, a, b).filter(|g| g.points.len() % 2 == 0) else { continue };
            let law = Law { f: &f, group: &group, constants: vec![("a", a), ("b", b)], powers: [1, 1] };
            let apart_by_two = |i: usize, j: usize| {
                let d = group.sum[i][group.opposite(j)];
                group.points[d].is_some_and(|(_, y)| y == 0)
            };
            let neither = |i: usize, j: usize| group.points[i].is_some() && group.points[j].is_some();
            let fits = [true, a == f.int(-3), a == 0];
            for (k, addition) in [&general, &minus_3, &zero].into_iter().enumerate().filter(|(k, _)| fits[*k]) {
                law.addition(addition, |i, j| !apart_by_two(i, j));
                law.doubling(&doublings[k]);
                let n = group.points.len();
                for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| apart_by_two(*i, *j)) {
                    let r = f.run(addition, &law.operands(i, j).concat(), &[], &law.constants);
                    assert_eq!(r, [0; 3], "{} {i} {j}", addition.name);
                    excepted[k] += 1;
                }
            }
            law.addition(&chord, |i, j| neither(i, j) && apart_by_two(i, j));
        }
    }
    assert!(excepted.iter().all(|n| *n > 100), "{excepted:?}");
}

#[test]
fn jacobian_sums_are_right_but_for_the_excepted_cases() {
    let additions = ["jacobian-addition", "jacobian-addition-cmo"].map(named);
    let mixed = ["jacobian-mixed-addition", "jacobian-mixed-addition-cmo"].map(named);
    let names = ["", "-minus-3", "-minus-3-hmv", "-0"];
    let doublings = names.map(|name| named(&format!("jacobian-doubling{name}")));
    for p in PRIMES {
        let f = F(Prime(p));
        for (a, b) in coefficients("jacobian", &f).into_iter().chain([(f.int(-3), 1), (0, 2)]) {
            let Some(group) = cubic(&f, 0, a, b) else { continue };
            let law = Law { f: &f, group: &group, constants: vec![("a", a), ("b", b)], powers: [2, 3] };
            let points = &group.points;
            let x = |i: usize| points[i].map(|(x, _)| x);
            let apart = |i: usize, j: usize| points[i].is_some() && points[j].is_some() && x(i) != x(j);
            additions.iter().for_each(|addition| law.addition(addition, apart));
            let affine = |i: usize, j: usize| {
                let (x, y) = points[j].unwrap();
                for mixed in &mixed {
                    let r = f.run(mixed, &[&law.operands(i, j)[0][..], &[x, y]].concat(), &[], &law.constants);
                    assert_eq!(point(&f, &r, [2, 3]), points[group.sum[i][j]]);
                }
            };
            let n = points.len();
            (0..n)
                .flat_map(|i| (0..n).map(move |j| (i, j)))
                .filter(|(i, j)| apart(*i, *j))
                .for_each(|(i, j)| affine(i, j));
            let fits = [true, a == f.int(-3), a == f.int(-3), a == 0];
            (0..4).filter(|k| fits[*k]).for_each(|k| law.doubling(&doublings[k]));
        }
    }
}

/// What windows in Jacobian coordinates rely on: a sum with the identity, whatever its other coordinates, has Z = 0.
#[test]
fn jacobian_sums_with_the_identity_have_no_third_coordinate() {
    let addition = named("jacobian-addition-cmo");
    for p in PRIMES {
        let f = F(Prime(p));
        let c = [("a", f.int(-3)), ("b", 1)];
        for (x, y) in f.all().flat_map(|x| f.all().map(move |y| (x, y))) {
            let (other, identity) = ([y, x, f.int(2)], [x, y, 0]);
            for operands in [[other, identity], [identity, other], [identity, identity]] {
                assert_eq!(f.run(&addition, &operands.concat(), &[], &c)[2], 0);
            }
        }
    }
}

#[test]
fn edwards_sums_are_complete() {
    let names = ["edwards-addition", "edwards-addition-minus-1", "edwards-doubling", "edwards-doubling-minus-1"];
    let [general, minus_1, double, double_minus_1] = names.map(named);
    let without = ["edwards-doubling-without-t", "edwards-doubling-minus-1-without-t"].map(named);
    let mixed = ["edwards-mixed-addition", "edwards-mixed-addition-minus-1"].map(named);
    let mut curves = 0;
    for p in PRIMES {
        let f = F(Prime(p));
        let all = coefficients("edwards", &f).into_iter().chain(f.all().map(|d| (f.int(-1), d)));
        for (a, d) in all.filter(|(a, d)| *a != 0 && f.is_square(*a) && !f.is_square(*d)) {
            let group = edwards(&f, a, d);
            let c = [("a", a), ("d", d)];
            let extended = |i: usize, z: u32| {
                let (x, y) = group.points[i].unwrap();
                [f.mul(x, z), f.mul(y, z), z, f.product(&[x, y, z])]
            };
            let minus = a == f.int(-1);
            curves += u32::from(minus);
            let good = |r: &[u32], expected: usize| {
                let p = (f.div(r[0], r[2]), f.div(r[1], r[2]));
                let (x, y) = group.points[expected].unwrap();
                p == (Some(x), Some(y)) && r.get(3).is_none_or(|t| f.mul(*t, r[2]) == f.mul(r[0], r[1]))
            };
            let n = group.points.len();
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let operands = [extended(i, factor(&f, i + j)), extended(j, factor(&f, 2 * i + j + 1))].concat();
                for (formula, _) in [(&general, true), (&minus_1, minus)].iter().filter(|(_, fits)| *fits) {
                    assert!(good(&f.run(formula, &operands, &[], &c), group.sum[i][j]), "{} {i} {j}", formula.name);
                }
            }
            // An affine point, and what is known of it.
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let (x, y) = group.points[j].unwrap();
                let product = f.product(&[d, x, y]);
                let kept = [[x, y, product], [f.sub(y, x), f.add(y, x), f.add(product, product)]];
                for ((formula, kept), _) in mixed.iter().zip(kept).zip([true, minus]).filter(|(_, fits)| *fits) {
                    let operands = [&extended(i, factor(&f, i + j))[..], &kept].concat();
                    assert!(good(&f.run(formula, &operands, &[], &c), group.sum[i][j]), "{} {i} {j}", formula.name);
                }
            }
            for i in 0..n {
                let operand = extended(i, factor(&f, i));
                let all = [(&double, true), (&without[0], true), (&double_minus_1, minus), (&without[1], minus)];
                for (formula, _) in all.iter().filter(|(_, fits)| *fits) {
                    let operand = &operand[..formula.input_count()];
                    assert!(good(&f.run(formula, operand, &[], &c), group.sum[i][i]), "{} {i}", formula.name);
                }
            }
        }
    }
    assert!(curves > 10);
}

/// Runs a ladder's steps and swaps over a scalar; the coordinates of k·P and (k + 1)·P.
fn climb<T: Toy>(f: &F<T>, [step, swap]: [&Formula; 2], base: u32, k: usize, constants: &[(&str, u32)]) -> Vec<u32> {
    let mut state = vec![1, 0, base, 1];
    let mut previous = 0;
    for i in (0..usize::BITS - k.leading_zeros() + 1).rev() {
        let bit = (k >> i & 1) as u32;
        state = f.run(swap, &state, &[bit ^ previous], &[]);
        state = f.run(step, &[&[base], &state[..]].concat(), &[], constants);
        previous = bit;
    }
    f.run(swap, &state, &[previous], &[])
}

/// The step from every R0, and the ladder for every scalar of one base.
fn ladder<T: Toy>(f: &F<T>, group: &Group, step: &Formula, constants: &[(&str, u32)]) {
    let x = |i: usize| group.points[i].map(|(x, _)| x);
    let coordinates = |i: usize, factor: u32| x(i).map_or([factor, 0], |x| [f.mul(x, factor), factor]);
    let n = group.points.len();
    let swap = named("ladder-swap");
    for p in (0..n).filter(|p| x(*p).is_some_and(|x| x != 0)) {
        let base = x(p).unwrap();
        for i in 0..n {
            let j = group.sum[i][p];
            let state = [coordinates(i, factor(f, i)), coordinates(j, factor(f, 2 * i + 1))].concat();
            let r = f.run(step, &[&[base], &state[..]].concat(), &[], constants);
            assert_eq!(f.ratio(r[0], r[1]), Some(x(group.sum[i][i])), "{} {p} {i}", step.name);
            assert_eq!(f.ratio(r[2], r[3]), Some(x(group.sum[i][j])), "{} {p} {i}", step.name);
        }
        // One base of each curve climbs.
        if p == (0..n).find(|p| x(*p).is_some_and(|x| x != 0)).unwrap() {
            for k in 0..2 * n {
                let r = climb(f, [step, &swap], base, k, constants);
                assert_eq!(f.ratio(r[0], r[1]), Some(x(group.multiple(k, p))), "{} {k}·{p}", step.name);
            }
        }
    }
}

#[test]
fn montgomery_ladder_from_every_point() {
    let step = named("montgomery-ladder-step");
    for p in PRIMES {
        let f = F(Prime(p));
        for a24 in f.all() {
            let a = f.add(f.mul(f.int(4), a24), f.int(2));
            if let Some(group) = cubic(&f, a, 1, 0) {
                ladder(&f, &group, &step, &[("a24", a24)]);
            }
        }
    }
}

#[test]
fn lopez_dahab_ladder_from_every_point() {
    let (step, koblitz, recovery) =
        (named("lopez-dahab-step"), named("lopez-dahab-step-koblitz"), named("lopez-dahab-recovery"));
    for m in 2..=5 {
        let f = F(Binary::new(m));
        for (a, c) in coefficients("lopez-dahab", &f).into_iter().filter(|(_, c)| *c != 0) {
            let group = binary(&f, a, f.mul(c, c));
            ladder(&f, &group, &step, &[("c", c)]);
            if c == 1 {
                ladder(&f, &group, &koblitz, &[]);
            }
            let n = group.points.len();
            for (p, i) in (0..n).flat_map(|p| (0..n).map(move |i| (p, i))) {
                let (Some(base), Some(r0), Some(r1)) =
                    (group.points[p], group.points[i], group.points[group.sum[i][p]])
                else {
                    continue;
                };
                if base.0 == 0 {
                    continue;
                }
                let (z0, z1) = (factor(&f, p), factor(&f, i));
                let inputs = [base.0, base.1, f.mul(r0.0, z0), z0, f.mul(r1.0, z1), z1];
                assert_eq!(f.run(&recovery, &inputs, &[], &[]), [r0.0, r0.1], "{p} {i}");
            }
        }
    }
}

#[test]
fn binary_edwards_steps_from_every_pair() {
    let step = named("binary-edwards-step");
    let mut curves = 0;
    for m in 2..=5 {
        let f = F(Binary::new(m));
        // Complete where t² + t + d has no root.
        for d in f.all().filter(|d| *d != 0 && f.all().all(|t| f.sum(&[f.mul(t, t), t, *d]) != 0)) {
            let group = binary_edwards(&f, d);
            curves += 1;
            let w = |i: usize| group.points[i].map(|(x, y)| f.add(x, y)).unwrap();
            let n = group.points.len();
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let base = w(group.sum[j][group.opposite(i)]);
                let (z2, z3) = (factor(&f, i), factor(&f, i + 2 * j));
                let inputs = [base, f.mul(w(i), z2), z2, f.mul(w(j), z3), z3];
                let r = f.run(&step, &inputs, &[], &[("d", d)]);
                assert_eq!(f.ratio(r[0], r[1]), Some(Some(w(group.sum[i][i]))), "{d} {i}");
                assert_eq!(f.ratio(r[2], r[3]), Some(Some(w(group.sum[i][j]))), "{d} {i} {j}");
            }
        }
    }
    assert!(curves > 20);
}

/// `K[w]/(w⁶ − ξ)`.
fn product<T: Toy>(f: &F<T>, xi: u32, a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut r = vec![0; 6];
    for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
        let term = if i + j >= 6 { f.product(&[xi, a[i], b[j]]) } else { f.mul(a[i], b[j]) };
        r[(i + j) % 6] = f.add(r[(i + j) % 6], term);
    }
    r
}

fn power<T: Toy>(f: &F<T>, xi: u32, a: &[u32], exponent: u64) -> Vec<u32> {
    let one = vec![1, 0, 0, 0, 0, 0];
    (0..64).rev().fold(one, |r, i| {
        let square = product(f, xi, &r, &r);
        if exponent >> i & 1 == 1 { product(f, xi, &square, a) } else { square }
    })
}

/// Every element of the cyclotomic subgroup of a field of p¹² elements: for p = 7 it has p⁴ − p² + 1 = 13 · 181.
#[test]
fn cyclotomic_squares_hold_on_the_whole_subgroup() {
    let f = F(Gauss(7));
    let one = vec![1, 0, 0, 0, 0, 0];
    let order = 7u64.pow(4) - 7u64.pow(2) + 1;
    let is_generator = |g: &[u32], xi: u32| {
        power(&f, xi, g, order) == one && [13, 181].iter().all(|q| power(&f, xi, g, order / q) != one)
    };
    // ξ is neither a square nor a cube in Fp2, where it has the exponents 24 and 16.
    let raise = |x: u32, e: u32| (0..e).fold(1, |r, _| f.mul(r, x));
    let xi = f.all().find(|x| *x != 0 && raise(*x, 24) != 1 && raise(*x, 16) != 1).unwrap();
    let generator = (1..100)
        .map(|k| {
            // (p^12 − 1)/order = (p⁶ − 1)(p² + 1)
            let g = power(&f, xi, &[k % 49, 1, (5 * k) % 49, 2, 0, 1], 7u64.pow(6) - 1);
            power(&f, xi, &g, 7u64.pow(2) + 1)
        })
        .find(|g| is_generator(g, xi))
        .unwrap();
    let [whole, compressed, quotient, zero, rest, both] = [
        "granger-scott",
        "karabina",
        "decompression-quotient",
        "decompression-quotient-of-zero",
        "decompression-rest",
        "decompression",
    ]
    .map(named);
    let c = [("xi", xi)];
    let mut g = one.clone();
    let mut zeros = 0;
    for _ in 0..order {
        let square = product(&f, xi, &g, &g);
        assert_eq!(f.run(&whole, &g, &[], &c), square);
        let four = [g[1], g[2], g[4], g[5]];
        assert_eq!(f.run(&compressed, &four, &[], &c), [square[1], square[2], square[4], square[5]]);
        let fraction = f.run(&quotient, &four, &[], &c);
        assert_eq!(f.mul(g[3], fraction[1]), fraction[0]);
        if g[1] == 0 {
            zeros += 1;
            let fraction = f.run(&zero, &four, &[], &c);
            assert_eq!(f.mul(g[3], fraction[1]), fraction[0]);
        } else {
            assert_eq!(f.run(&both, &four, &[], &c), [g[0], g[3]]);
        }
        assert_eq!(f.run(&rest, &[g[1], g[2], g[3], g[4], g[5]], &[], &c), [g[0]]);
        g = product(&f, xi, &g, &generator);
    }
    assert!(g == one && zeros > 1);
}
