//! Formulas lowered to kernels: proved in the layouts of real fields, and over toy primes on every operand.

use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::lowering::{Ground, Operations, lower};
use evariste_algorithms::{Layout, Operation, lane_layouts, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_formulas::formula::Characteristic;
use evariste_formulas::{Builder, Checked, Floor, Formula, check, flatten, registry};
use evariste_ir::interpret::Interpreter;
use evariste_ir::mutate::mutants;
use evariste_ir::{Kernel, Stmt};
use evariste_proof::{Outcome, prove};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use crate::toys::exhaust;

/// The formula of that name.
fn named(name: &str) -> Formula {
    let families = registry();
    let entry = families.iter().flat_map(|f| f.formulas).find(|e| e.name == name);
    entry.unwrap_or_else(|| panic!("no formula {name}")).formula().unwrap()
}

pub fn checked(name: &str) -> Checked {
    check(&named(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The quadratic floor with `u² = −1`, ξ = 1 + u, and i = u.
pub fn gauss(product: &str) -> Floor {
    let parse = |text| evariste_formulas::Expression::parse(text).unwrap();
    Floor::new("fp2", ("u", 2, parse("beta")), beta(parse("-1")), &named(product))
        .unwrap()
        .with_square(&named("gauss-complex-square"))
        .unwrap()
        .with_constant("xi", "1 + u", Some(&named("multiple-by-1-plus-u")))
        .unwrap()
        .with_constant("i", "u", None)
        .unwrap()
}

fn beta(is: evariste_formulas::Expression) -> Vec<evariste_formulas::Constant> {
    vec![evariste_formulas::Constant { name: "beta".into(), known: evariste_formulas::Known::Is(is) }]
}

/// The first kernels of a layout whose outputs may lie where operands do.
pub fn operations(field: &Field, layout: &Layout) -> Option<Operations> {
    let of = |op: &Operation| {
        let mut kernels = plans(field, layout, op).into_iter().filter_map(|p| p.write().ok());
        kernels.find(|k| k.disjoint.is_empty()).map(Arc::new)
    };
    Some(Operations {
        mul: of(&Operation::MUL)?,
        square: of(&Operation::SQUARE)?,
        add: of(&Operation::ADD)?,
        sub: of(&Operation::SUB)?,
        opp: of(&Operation::OPP)?,
    })
}

fn lowered(formula: &Checked, field: &Field, layout: &Layout) -> Kernel {
    let modulus = field.get::<Modulus>().unwrap();
    let operations = operations(field, layout).unwrap();
    let number = |name: &str| (name == "beta").then(|| &modulus.value - 1u32);
    lower("lowered", formula, Ground { modulus, layout }, &number, &operations).unwrap()
}

#[test]
fn towers_over_real_primes_are_proved() {
    let over = |formula: &str, floor: &Floor| flatten(&checked(formula), floor).unwrap();
    let floor = gauss("quadratic-karatsuba");
    let all = [
        checked("quadratic-schoolbook"),
        checked("quadratic-karatsuba"),
        checked("gauss-complex-square"),
        over("karatsuba-3-shared", &floor),
        over("toom-3i", &floor),
        over("chung-hasan-2", &floor),
        over("twelve-karatsuba", &floor),
        over("twelve-complex-square", &floor),
        over("sparse-m-twist", &floor),
        over("granger-scott", &floor),
    ];
    for text in ["bls12-381-fp", "bn254-fp"] {
        let field = Field::parse(text).unwrap();
        let mut layouts = layouts(&field, 64);
        layouts.retain(|l| l.name.starts_with("montgomery"));
        let lanes = lane_layouts(&field, 64, 52).into_iter().filter(|l| operations(&field, l).is_some());
        layouts.extend(lanes.take(1));
        for layout in &layouts {
            for formula in &all {
                let start = Instant::now();
                let kernel = lowered(formula, &field, layout);
                let written = start.elapsed();
                let outcome = prove(&kernel);
                let calls = kernel.body.iter().filter(|s| matches!(s, Stmt::Call { .. })).count();
                println!(
                    "{text} {}: {} by {calls} calls, written in {written:.0?}, all in {:.0?}",
                    layout.name,
                    formula.formula().name,
                    start.elapsed()
                );
                assert!(matches!(outcome, Outcome::Proved(_)), "{text} {}: {outcome:?}", formula.formula().name);
            }
        }
    }
}

/// What a formula is over the integers modulo p, by its own evaluation on numbers.
struct Modular(BigInt);

impl evariste_formulas::Ring for Modular {
    type Element = BigInt;

    fn integer(&mut self, x: &BigInt) -> BigInt {
        x.mod_floor(&self.0)
    }
    fn add(&mut self, a: &BigInt, b: &BigInt) -> BigInt {
        (a + b).mod_floor(&self.0)
    }
    fn sub(&mut self, a: &BigInt, b: &BigInt) -> BigInt {
        (a - b).mod_floor(&self.0)
    }
    fn mul(&mut self, a: &BigInt, b: &BigInt) -> BigInt {
        (a * b).mod_floor(&self.0)
    }
    fn halve(&mut self, a: &BigInt) -> Option<BigInt> {
        Some((a * ((&self.0 + 1u32) / 2u32)).mod_floor(&self.0))
    }
    fn invert(&mut self, a: &BigInt) -> Option<BigInt> {
        a.modinv(&self.0)
    }
}

/// Every pair of elements of Fp2 over toy primes, outputs in the place of either operand too.
#[test]
fn every_element_over_toy_primes() {
    let mut tried = 0u64;
    for (p, word) in [(3u32, 3u32), (7, 4), (11, 5)] {
        let field = Field::new(Modulus::new(BigUint::from(p)).unwrap());
        for layout in layouts(&field, word) {
            if operations(&field, &layout).is_none() {
                continue;
            }
            for name in ["quadratic-schoolbook", "quadratic-karatsuba", "quadratic-complex-square", "multiple-by-u"] {
                let formula = checked(name);
                let kernel = lowered(&formula, &field, &layout);
                assert!(matches!(prove(&kernel), Outcome::Proved(_)), "{p} {} {name}", layout.name);
                tried += every(&kernel, formula.formula(), p, &layout);
            }
        }
    }
    assert!(tried > 10_000, "{tried} operands");
}

/// Halves: of every element, and of every number at rest, in words and in lanes; what is proved of single faults is right.
#[test]
fn halves_of_every_element() {
    let b = Builder::new("half");
    b.computes("r = a/2");
    b.source("the definition");
    b.characteristic(Characteristic::NotTwo);
    let a = b.input("a", "a0");
    b.define("gives 2*r0 = a0");
    b.output("r", "r0", &[a[0].halve()]);
    let formula = check(&b.finish().unwrap()).unwrap();
    let (mut kernels, mut judged, mut proved) = (0, 0, 0);
    for p in [131u32, 193, 251] {
        let field = Field::new(Modulus::new(BigUint::from(p)).unwrap());
        let words = [4, 5].into_iter().flat_map(|word| layouts(&field, word));
        let lanes = [(9, 5), (10, 5), (12, 3)].into_iter().flat_map(|(word, k)| lane_layouts(&field, word, k));
        for layout in words.chain(lanes).filter(|l| operations(&field, l).is_some()) {
            let kernel = lowered(&formula, &field, &layout);
            assert!(matches!(prove(&kernel), Outcome::Proved(_)), "{p} {}", layout.name);
            every(&kernel, formula.formula(), p, &layout);
            let Some(halve) = kernel.callees.iter().find(|k| k.name == "halve") else { continue };
            kernels += 1;
            assert_eq!(exhaust(halve), None, "{p} {}", layout.name);
            for mutant in mutants(halve) {
                judged += 1;
                if matches!(prove(&mutant.kernel), Outcome::Proved(_)) {
                    proved += 1;
                    assert_eq!(exhaust(&mutant.kernel), None, "{p} {}: {}", layout.name, mutant.fault);
                }
            }
        }
    }
    println!("{judged} mutants of {kernels} kernels, {proved} proved");
    assert!(kernels > 8 && judged > 5 * proved);
}

/// A number that is not negative in the digits of a layout.
pub fn digits(layout: &Layout, x: &BigInt) -> Vec<BigInt> {
    let starts = layout.weights.iter();
    let ends = layout.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
    starts
        .zip(ends)
        .map(|(start, end)| {
            let high: BigInt = x >> *start;
            end.map_or(high.clone(), |end| high % (BigInt::from(1) << (end - start)))
        })
        .collect()
}

/// Runs a kernel on all canonical operands.
pub fn every(kernel: &Kernel, formula: &Formula, p: u32, layout: &Layout) -> u64 {
    let n = layout.digits();
    let count = formula.input_count();
    let factor: BigInt = layout.factor();
    let modulus = BigInt::from(p);
    let total = u64::from(p).pow(count as u32);
    for i in 0..total {
        let mut rest = i;
        let x: Vec<BigInt> = (0..count)
            .map(|_| {
                let digit = rest % u64::from(p);
                rest /= u64::from(p);
                BigInt::from(digit)
            })
            .collect();
        let held: Vec<Vec<BigInt>> = x.iter().map(|x| digits(layout, &(x * &factor).mod_floor(&modulus))).collect();
        let mut at = 0;
        let arrays: Vec<(&str, Vec<BigInt>)> = formula
            .inputs
            .iter()
            .map(|group| {
                let words = held[at..at + group.elements.len()].concat();
                at += group.elements.len();
                (group.name.as_str(), words)
            })
            .collect();
        let outputs = Interpreter::checking_ranges(kernel).run_one(&arrays).unwrap();
        let (_, out) = outputs.iter().find(|(name, _)| name == "out").unwrap();
        let constant = |name: &str| (name == "beta").then(|| &modulus - 1);
        let wanted = evariste_formulas::evaluate(formula, &mut Modular(modulus.clone()), &x, &[], &constant).unwrap();
        for (j, wanted) in wanted.iter().enumerate() {
            let words = &out[j * n..(j + 1) * n];
            // What is above an unmasked digit means nothing.
            let counted = |(i, d): (usize, &BigInt)| match layout.resting.low {
                Some(k) if i + 1 < n => d % (BigInt::from(1) << k),
                _ => d.clone(),
            };
            let digits = words.iter().enumerate().map(counted);
            let number: BigInt = digits.zip(&layout.weights).map(|(d, w)| d << *w).sum();
            assert_eq!((number - wanted * &factor).mod_floor(&modulus), BigInt::ZERO, "{x:?}: coordinate {j}");
        }
    }
    total
}
