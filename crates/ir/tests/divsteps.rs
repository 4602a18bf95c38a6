//! The number of division steps that ends every gcd, by Wuille's convex hulls.
//!
//! All pairs (f, g) that i steps can lead to, for each ζ, lie in a convex hull: a step is a linear map, so the hull of
//! the images of its corners contains the images of all that it contains. Which pairs are integers, and odd, is not used
//! but at the end: an integer g with |g| < 1 is 0, and stays 0.

use std::collections::BTreeMap;

use evariste_ir::divsteps::steps_needed;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// A pair (f, g), times `2^i` after i steps.
type Point = (BigInt, BigInt);

/// Where does the way from a over b to c turn? Positive: to the left.
fn turn(a: &Point, b: &Point, c: &Point) -> BigInt {
    (&b.0 - &a.0) * (&c.1 - &a.1) - (&b.1 - &a.1) * (&c.0 - &a.0)
}

/// The corners of the convex hull of some points.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for p in points {
            while chain.len() > 1 && !turn(&chain[chain.len() - 2], &chain[chain.len() - 1], p).is_positive() {
                chain.pop();
            }
            chain.push(p.clone());
        }
        chain.pop();
        chain
    };
    let (lower, upper) = (half(&mut points.iter()), half(&mut points.iter().rev()));
    lower.into_iter().chain(upper).collect()
}

/// The least number of steps after which g is 0 wherever steps begin with `0 ≤ g ≤ f < 2^bits`, as far as hulls tell.
/// Pairs are in units of `2^bits − 1`: steps are linear, and short numbers are quick.
fn least_steps(bits: u32) -> u32 {
    let most: BigInt = (BigInt::from(1) << bits) - 1;
    let (zero, unit) = (BigInt::zero(), BigInt::from(1));
    let start = vec![(zero.clone(), zero.clone()), (unit.clone(), zero), (unit.clone(), unit)];
    let mut hulls = BTreeMap::from([(-1i64, start)]);
    for steps in 1.. {
        let mut next: BTreeMap<i64, Vec<Point>> = BTreeMap::new();
        for (zeta, corners) in &hulls {
            for (f, g) in corners {
                let stays = next.entry(zeta - 1).or_default();
                stays.push((f * 2, g.clone()));
                if *zeta < 0 {
                    next.entry(-zeta - 2).or_default().push((g * 2, g - f));
                } else {
                    stays.push((f * 2, g + f));
                }
            }
        }
        let one = BigInt::from(1) << steps;
        hulls = next.into_iter().map(|(zeta, points)| (zeta, hull(points))).collect();
        // Where g is 0 it stays so.
        hulls.retain(|_, corners| corners.iter().any(|(_, g)| g.abs() * &most >= one));
        if hulls.is_empty() {
            return steps;
        }
    }
    0
}

/// The greatest number of steps that any pair takes, for so short ones.
fn most_steps(bits: u32) -> u32 {
    let steps = |f: i64, g: i64| {
        let (mut zeta, mut f, mut g) = (-1, f, g);
        (0..).find(|_| {
            if g == 0 {
                return true;
            }
            (zeta, f, g) = match (zeta < 0, g & 1 == 1) {
                (true, true) => (-zeta - 2, g, (g - f) / 2),
                (_, odd) => (zeta - 1, f, (g + if odd { f } else { 0 }) / 2),
            };
            false
        })
    };
    let pairs = (1..1i64 << bits).step_by(2).flat_map(|f| (0..=f).map(move |g| (f, g)));
    pairs.filter_map(|(f, g)| steps(f, g)).max().unwrap_or(0)
}

/// By default up to 64 bits, in a full run up to 256, which take minutes: the time grows with the fourth power of the
/// length.
#[test]
fn hulls_say_no_more_steps_than_the_formula() {
    let mut lengths: Vec<u32> = (2..=24).chain([32, 48, 64]).collect();
    if std::env::var_os("EVARISTE_FULL").is_some() {
        lengths.extend([96, 127, 128, 192, 256]);
    }
    for bits in lengths {
        let (hull, formula) = (least_steps(bits), steps_needed(bits));
        assert!(hull <= formula, "{bits} bits: {hull} steps by the hull, {formula} by the formula");
        println!("{bits} {hull} {formula}");
    }
}

#[test]
fn short_pairs_take_no_more_steps_than_hulls_say() {
    for bits in 2..=10 {
        let (most, hull) = (most_steps(bits), least_steps(bits));
        assert!(most <= hull && most + 12 > hull, "{bits} bits: {most} steps at most, {hull} by the hull");
    }
}
