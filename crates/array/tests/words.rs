//! Operations on numbers in ordinary words: right at every length, and no number that is not below the modulus goes
//! unseen, wherever it lies.

use evariste_array::{ArrayError, BigUint, Engine, Options};
use evariste_descriptions::Field;

/// Lengths about blocks of every number of elements, and about where lanes begin.
const MOST: usize = 70;

fn engine(field: &str, threads: usize) -> Engine {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e}"));
    Engine::with(&field, Options { threads, forget: true, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

fn words(numbers: &[BigUint], n: usize) -> Vec<u64> {
    let element = |x: &BigUint| {
        let mut words = x.to_u64_digits();
        words.resize(n, 0);
        words
    };
    numbers.iter().flat_map(element).collect()
}

/// Zero, the greatest, and any.
fn numbers(p: &BigUint, seed: u32, len: usize) -> Vec<BigUint> {
    let mut any = BigUint::from(seed).pow(700) % p;
    let mut number = |i: usize| {
        any = (&any * seed + i) % p;
        match i % 7 {
            0 => p - 1u8,
            3 => BigUint::ZERO,
            _ => any.clone(),
        }
    };
    (0..len).map(&mut number).collect()
}

type Step<'a> = (&'static str, &'a dyn Fn(&mut [u64], &[&[u64]]) -> Result<(), ArrayError>, usize);

/// Every operation of an engine, each of so many operands.
fn with_steps(engine: &Engine, run: &mut dyn FnMut(Step)) {
    let two = |out: &mut [u64], all: &[&[u64]]| engine.mul_words_into(out, all[0], all[1]);
    let montgomery = |out: &mut [u64], all: &[&[u64]]| engine.mul_montgomery_words_into(out, all[0], all[1]);
    let all = |out: &mut [u64], all: &[&[u64]]| engine.mul_all_words_into(out, all);
    let all_montgomery = |out: &mut [u64], all: &[&[u64]]| engine.mul_all_montgomery_words_into(out, all);
    let sums = |out: &mut [u64], all: &[&[u64]]| engine.add_all_words_into(out, all);
    let steps: [Step; 8] = [
        ("mul", &two, 2),
        ("montgomery", &montgomery, 2),
        ("mul", &all, 3),
        ("montgomery", &all_montgomery, 3),
        ("add", &sums, 2),
        ("add", &sums, 3),
        ("mul", &all, 5),
        ("add", &sums, 5),
    ];
    let has = |name: &str| name != "montgomery" || engine.products_of_words(true).is_ok();
    steps.into_iter().filter(|(name, ..)| has(name)).for_each(run);
}

/// What an operation gives.
fn expected(name: &str, p: &BigUint, n: usize, operands: &[Vec<BigUint>]) -> Vec<BigUint> {
    let scale = (BigUint::from(1u8) << (64 * n)).modinv(p).expect("an odd modulus");
    let step = |a: &BigUint, b: &BigUint| match name {
        "mul" => a * b % p,
        "montgomery" => a * b * &scale % p,
        _ => (a + b) % p,
    };
    let (first, others) = operands.split_first().expect("operands");
    others.iter().fold(first.clone(), |all, other| all.iter().zip(other).map(|(a, b)| step(a, b)).collect())
}

#[test]
fn every_length_is_right() {
    for (text, threads) in [("25519", 1), ("p256", 1), ("bls12-381-fp", 2), ("goldilocks", 1), ("2^89 - 1", 1)] {
        let (engine, field) = (engine(text, threads), Field::parse(text).unwrap());
        let (p, n) = (field.order(), engine.words_per_element());
        // With tests of numbers, and without.
        for engine in [&engine, &engine.trusting()] {
            with_steps(engine, &mut |(name, step, count)| {
                for len in (0..=MOST).chain([255, 1025, 3001]) {
                    let operands: Vec<Vec<BigUint>> = (0..count).map(|i| numbers(&p, 3 + 2 * i as u32, len)).collect();
                    let given: Vec<Vec<u64>> = operands.iter().map(|numbers| words(numbers, n)).collect();
                    let mut out = vec![7; n * len];
                    let done = step(&mut out, &given.iter().map(Vec::as_slice).collect::<Vec<_>>());
                    assert_eq!(done, Ok(()), "{text}, {name} of {count}, {len} elements");
                    let wanted = words(&expected(name, &p, n, &operands), n);
                    assert!(out == wanted, "{text}, {name} of {count}, {len} elements");
                }
            });
        }
    }
}

/// A number that is not below the modulus is named, at every place of arrays of every length; the greatest that is passes.
#[test]
fn no_number_goes_unseen() {
    for text in ["25519", "p256", "bls12-381-fr", "goldilocks", "2^89 - 1"] {
        let (engine, field) = (engine(text, 1), Field::parse(text).unwrap());
        let (p, n) = (field.order(), engine.words_per_element());
        let most = (BigUint::from(1u8) << (64 * n)) - 1u8;
        let edges = [p.clone(), &p + 1u8, most.clone(), &p + (BigUint::from(1u8) << (64 * (n - 1)))];
        let wrong: Vec<&BigUint> = edges.iter().filter(|x| **x <= most).collect();
        with_steps(&engine, &mut |(name, step, count)| {
            for len in 1..=MOST {
                let mut operands = vec![words(&numbers(&p, 3, len), n); count];
                let mut out = vec![7; n * len];
                for at in 0..len {
                    // Every operand and every number by turns.
                    let (which, edge) = ((at + len) % count, wrong[(at + len / 3) % wrong.len()]);
                    let own = operands[which].clone();
                    operands[which][at * n..(at + 1) * n].copy_from_slice(&words(std::slice::from_ref(edge), n));
                    let done = step(&mut out, &operands.iter().map(Vec::as_slice).collect::<Vec<_>>());
                    let error = ArrayError::Range { index: at, value: edge.clone(), limit: p.clone() };
                    assert_eq!(done, Err(error), "{text}, {name} of {count}, {at} of {len}, operand {which}");
                    operands[which] = own;
                }
            }
        });
    }
}

/// Without tests there is no error, and numbers that are below the modulus are right beside others.
#[test]
fn trusted_numbers_are_not_tested() {
    for text in ["25519", "p256", "bls12-381-fr", "goldilocks"] {
        let (engine, field) = (engine(text, 1), Field::parse(text).unwrap());
        let (p, n) = (field.order(), engine.words_per_element());
        with_steps(&engine.trusting(), &mut |(name, step, count)| {
            for len in [1, 5, 16, 33, 300] {
                let operands: Vec<Vec<BigUint>> = (0..count).map(|i| numbers(&p, 3 + i as u32, len)).collect();
                let mut given: Vec<Vec<u64>> = operands.iter().map(|numbers| words(numbers, n)).collect();
                for at in [0, len / 2] {
                    given[count - 1][at * n..(at + 1) * n].fill(u64::MAX);
                }
                let mut out = vec![7; n * len];
                let done = step(&mut out, &given.iter().map(Vec::as_slice).collect::<Vec<_>>());
                assert_eq!(done, Ok(()), "{text}, {name} of {count}, {len} elements");
                let wanted = words(&expected(name, &p, n, &operands), n);
                for at in (0..len).filter(|at| ![0, len / 2].contains(at)) {
                    let own = at * n..(at + 1) * n;
                    assert!(out[own.clone()] == wanted[own], "{text}, {name} of {count}, {at} of {len}");
                }
            }
        });
    }
}

#[test]
fn arrays_that_do_not_fit() {
    for engine in [engine("25519", 1), engine("25519", 1).trusting()] {
        arrays_do_not_fit(&engine);
    }
    // A single group of six words, in lanes from a few numbers on.
    for engine in [engine("bls12-381-fp", 1), engine("bls12-381-fp", 1).trusting()] {
        arrays_that_are_cut(&engine);
    }
}

fn arrays_do_not_fit(engine: &Engine) {
    let (mut out, a) = ([0; 8], [1; 8]);
    assert_eq!(
        engine.add_all_words_into(&mut out, &[&a]).unwrap_err().to_string(),
        "`add` of 1 arrays of words\nhelp: give two or more"
    );
    assert!(matches!(engine.mul_all_words_into(&mut out, &[]), Err(ArrayError::Operands { given: 0, .. })));
    let pieces = engine.mul_all_words_into(&mut out[..7], &[&a, &a, &a]);
    assert_eq!(pieces, Err(ArrayError::Pieces { unit: "words", given: 7, per_element: 4 }));
    let lengths = engine.add_all_words_into(&mut out, &[&a, &a, &a[..4]]);
    assert_eq!(lengths, Err(ArrayError::Length { operation: "add", left: 2, right: 1 }));
    // The first time, and when the code is there.
    for _ in 0..2 {
        assert_eq!(engine.add_all_words_into(&mut out, &[&a, &a, &a]), Ok(()));
        assert_eq!(out, [3; 8]);
        let lengths = engine.mul_words_into(&mut out, &a, &a[..4]);
        assert_eq!(lengths, Err(ArrayError::Length { operation: "mul_words", left: 2, right: 1 }));
    }
    arrays_that_are_cut(engine);
}

/// Arrays that end within a number, of every length that goes one by one, in lanes or both, are refused.
fn arrays_that_are_cut(engine: &Engine) {
    let n = engine.words_per_element();
    let (mut out, a) = (vec![0; MOST * n], vec![1; MOST * n]);
    with_steps(engine, &mut |(name, step, count)| {
        step(&mut out, &vec![&a[..]; count]).unwrap_or_else(|e| panic!("{name}: {e}"));
        for given in (0..MOST * n).filter(|words| words % n != 0) {
            let error = step(&mut out[..given], &vec![&a[..given]; count]);
            let cut = Err(ArrayError::Pieces { unit: "words", given, per_element: n });
            assert_eq!(error, cut, "{name} of {count}, {given} words");
        }
    });
}

/// Without scalar code sums go by way of arrays.
#[test]
fn the_interpreter_adds_words() {
    let field = Field::parse("2^89 - 1").unwrap();
    let engine = Engine::with(&field, Options { threads: 1, interpreted: true, ..Options::default() }).unwrap();
    let operands: Vec<Vec<BigUint>> = (0..3).map(|i| numbers(&field.order(), 3 + i, 9)).collect();
    let given: Vec<Vec<u64>> = operands.iter().map(|numbers| words(numbers, 2)).collect();
    let mut out = vec![0; 18];
    engine.add_all_words_into(&mut out, &[&given[0], &given[1], &given[2]]).unwrap();
    assert_eq!(out, words(&expected("add", &field.order(), 2, &operands), 2));
}
