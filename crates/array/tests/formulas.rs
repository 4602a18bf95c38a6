//! Formulas on arrays: products in quadratic and cubic extensions, made of calls, with two results of four operands and
//! three of six, against `num-bigint`; on vectors, in scalar code and in the interpreter.

use std::sync::Arc;

use evariste_algorithms::prime::power::Callee;
use evariste_algorithms::signature::{ValueClaim, calls};
use evariste_algorithms::{Operation, plans};
use evariste_array::{Array, ArrayError, BigUint, Engine, Options, View};
use evariste_descriptions::Modulus;
use evariste_ir::{ArrayKind, Interval, Kernel, Polynomial};
use evariste_proof::{Outcome, Proved, prove};
use evariste_testing::Random;

use crate::operations::{field, numbers};

/// `t^n = NON_RESIDUE` in an extension of degree n: whether it is one makes no difference to products.
const NON_RESIDUE: i32 = 2;

/// The engine's own kernel of an operation.
fn part(engine: &Engine, operation: &Operation) -> Arc<Kernel> {
    let described = engine.describe(&operation.name()).expect("an operation");
    let all = plans(engine.field(), engine.layout(), operation);
    let plan = all.iter().find(|plan| described.starts_with(&format!("{}, ", plan.name())));
    Arc::new(plan.expect("the plan that is described").write().expect("a kernel"))
}

/// The product of `a0 + a1·t + …` and `b0 + b1·t + …`, row by row: `c[k] = Σ a[i]·b[j]`, doubled where `t^n` was
/// reached.
fn extension_product(engine: &Engine, m: &Modulus, degree: usize) -> Kernel {
    let layout = engine.layout();
    let names: Vec<String> = ["a", "b"].iter().flat_map(|x| (0..degree).map(move |i| format!("{x}{i}"))).collect();
    let results: Vec<String> = (0..degree).map(|k| format!("c{k}")).collect();
    let terms = |k: usize| (0..degree).map(move |i| (i, (degree + k - i) % degree, i > k));
    let polynomial = |k: usize| {
        terms(k).fold(Polynomial::default(), |sum, (i, j, wrapped)| {
            sum.plus(if wrapped { NON_RESIDUE } else { 1 }, &[i as u32, (degree + j) as u32])
        })
    };
    let claim =
        |k| ValueClaim { factor: layout.factor(), polynomial: polynomial(k), modulus: Some(m.value.clone().into()) };
    let outputs = results.iter().enumerate().map(|(k, name)| (name.as_str(), claim(k))).collect();
    let inputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mul, add) = (part(engine, &Operation::MUL), part(engine, &Operation::ADD));
    calls("extension_product", layout, outputs, &inputs, |b, out, arrays| {
        let (mul, add) = (Callee::new(b, mul, "mul"), Callee::new(b, add, "add"));
        let local = |b: &mut evariste_ir::Builder, name: String| {
            let ranges = layout.resting.digit_max.iter().map(|max| Interval::up_to(max.clone())).collect();
            let ty = b.word_type();
            b.array(name, ty, layout.digits() as u32, ArrayKind::Local, ranges)
        };
        // The last two terms of each result: nothing is written before everything was read.
        let mut last = Vec::new();
        for k in 0..degree {
            let mut sums: Vec<evariste_ir::Array> = Vec::new();
            for (i, j, wrapped) in terms(k) {
                let product = local(b, format!("p{k}{i}"));
                mul.call(b, product, &[arrays[i], arrays[degree + j]]);
                sums.push(product);
                if wrapped {
                    let doubled = local(b, format!("d{k}{i}"));
                    add.call(b, doubled, &[product, product]);
                    sums[i] = doubled;
                }
            }
            while let [.., x, y] = sums[..]
                && sums.len() > 2
            {
                let sum = local(b, format!("s{k}{}", sums.len()));
                add.call(b, sum, &[x, y]);
                sums.truncate(sums.len() - 2);
                sums.push(sum);
            }
            last.push(sums);
        }
        last.iter().zip(out).for_each(|(sums, out)| add.call(b, *out, sums));
        Ok(())
    })
    .expect("a kernel")
}

fn proved(kernel: &Kernel) -> Proved {
    match prove(kernel) {
        Outcome::Proved(proved) => proved,
        other => panic!("{}: {other:?}", kernel.name),
    }
}

/// The product by definition.
fn product(m: &Modulus, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
    let n = a.len();
    let mut c = vec![BigUint::ZERO; n];
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let factor = if i + j < n { 1 } else { NON_RESIDUE as u32 };
        c[(i + j) % n] = m.add(&c[(i + j) % n], &(m.mul(&a[i], &b[j]) * factor % &m.value));
    }
    c
}

fn check(engine: &Engine, m: &Modulus, degree: usize, lengths: &[usize], rng: &mut Random) {
    let formula = engine.formula(&proved(&extension_product(engine, m, degree))).expect("code");
    assert_eq!(formula.arity(), (degree, 2 * degree));
    for len in lengths {
        let x: Vec<Vec<BigUint>> = (0..2 * degree).map(|_| numbers(m, *len, rng)).collect();
        let mut arrays: Vec<Array> = x.iter().map(|x| engine.from_integers(x).expect("an array")).collect();
        arrays.iter_mut().for_each(|array| array.spoil(|| rng.word()));
        let views: Vec<View> = arrays.iter().map(Array::view).collect();
        let results = engine.compute(&formula, &views).expect("results");
        let got: Vec<Vec<BigUint>> = results.iter().map(|c| engine.to_integers(c).expect("numbers")).collect();
        for e in 0..*len {
            let element = |of: &[Vec<BigUint>]| of.iter().map(|x| x[e].clone()).collect::<Vec<_>>();
            let wanted = product(m, &element(&x[..degree]), &element(&x[degree..]));
            assert_eq!(element(&got), wanted, "element {e} of {len}, {} in {engine:?}", formula.description());
        }
    }
}

/// The ways to run a kernel: the widest vectors, those without IFMA or of 256 bits, scalar code, the interpreter.
fn ways() -> [(Options, &'static [usize]); 5] {
    let sets = |names: &str| Options { features: Some(names.into()), forget: true, threads: 1, ..Options::default() };
    let all = Options { forget: true, threads: 1, ..Options::default() };
    [
        (all.clone(), &[0, 1, 7, 8, 9, 63, 64, 65, 1025]),
        (sets("bmi2+adx+avx2+fma+avx512+vbmi2"), &[1, 17]),
        (sets("bmi2+adx+avx2+fma"), &[1, 17]),
        (sets("baseline"), &[1, 17]),
        (Options { interpreted: true, ..all }, &[1, 3]),
    ]
}

#[test]
fn several_results_of_many_operands() {
    for (text, degree) in [("25519", 2), ("p256", 3), ("babybear", 3)] {
        let (field, m) = field(text);
        for (options, lengths) in ways() {
            // Sets that this processor lacks are no way of their own.
            let Ok(engine) = Engine::with(&field, options) else { continue };
            check(&engine, &m, degree, lengths, &mut Random(degree as u64));
        }
        let threads =
            Engine::with(&field, Options { forget: true, threads: 2, ..Options::default() }).expect("threads");
        check(&threads, &m, degree, &[9, 20_011], &mut Random(5));
    }
}

/// Of arrays whose last group holds elements behind the views' ends, only the views' own are written.
#[test]
fn parts_of_arrays_as_results() {
    let (field, m) = field("25519");
    let engine = Engine::with(&field, Options { forget: true, threads: 1, ..Options::default() }).expect("an engine");
    let formula = engine.formula(&proved(&extension_product(&engine, &m, 2))).expect("code");
    let (mut rng, len) = (Random(11), 2 * engine.lanes());
    let x: Vec<Vec<BigUint>> = (0..4).map(|_| numbers(&m, len, &mut rng)).collect();
    let operands: Vec<Array> = x.iter().map(|x| engine.from_integers(x).expect("an array")).collect();
    for part in [0, 1, engine.lanes(), engine.lanes() + 1, len] {
        let views: Vec<View> = operands.iter().map(|a| a.slice(0..part).expect("a view")).collect();
        let before = numbers(&m, len, &mut rng);
        let (mut c0, mut c1) =
            (engine.from_integers(&before).expect("an array"), engine.from_integers(&x[0][..part]).expect("an array"));
        let results = vec![c0.slice_mut(0..part).expect("a view"), c1.view_mut()];
        engine.compute_into(&formula, results, &views).expect("results");
        let (c0, c1) = (engine.to_integers(&c0).expect("numbers"), engine.to_integers(&c1).expect("numbers"));
        for e in 0..part {
            let wanted = product(&m, &[x[0][e].clone(), x[1][e].clone()], &[x[2][e].clone(), x[3][e].clone()]);
            assert_eq!([&c0[e], &c1[e]], [&wanted[0], &wanted[1]], "element {e} of {part}");
        }
        assert_eq!(c0[part..], before[part..], "behind the view of {part}");
    }
}

#[test]
fn what_is_no_formula_of_the_engine() {
    let (f, m) = field("25519");
    let engine = |text: &str| {
        Engine::with(&field(text).0, Options { forget: true, threads: 1, ..Options::default() }).expect("an engine")
    };
    let (own, other) = (engine("25519"), engine("p256"));
    let kernel = proved(&extension_product(&own, &m, 2));
    let why = |result: Result<(), ArrayError>| result.expect_err("a refusal").to_string();
    assert!(why(other.formula(&kernel).map(drop)).contains("is no element at rest in the layout"));
    let (p256, formula) = (field("p256").1, own.formula(&kernel).expect("code"));
    let a = own.from_integers(&[BigUint::from(3u32)]).expect("an array");
    let two = own.from_integers(&[1u32, 2].map(BigUint::from)).expect("an array");
    let foreign = other.formula(&proved(&extension_product(&other, &p256, 2))).expect("code");
    let view = a.view();
    assert!(why(own.compute(&foreign, &[view; 4]).map(drop)).contains("the array is of"));
    assert!(why(own.compute(&formula, &[view; 3]).map(drop)).contains("2 results of 3 operands: it has 2 of 4"));
    assert!(why(own.compute(&formula, &[view, view, view, two.view()]).map(drop)).contains("elements, the other"));
    // A sum of columns is no element, a flag neither.
    for operation in [Operation::SUM.with(4u32), Operation::EXCEEDS, Operation::SELECTZNZ] {
        let all = plans(&f, own.layout(), &operation);
        let Some(plan) = all.first() else { continue };
        let kernel = proved(&plan.write().expect("a kernel"));
        assert!(why(own.formula(&kernel).map(drop)).contains("is no element at rest"), "{}", operation.name());
    }
}
