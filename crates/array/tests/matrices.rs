//! Products of matrices, and elements that are moved, against big integers.

use evariste_array::{Array, BigUint, Engine, Options, Places};
use evariste_descriptions::Field;
use evariste_testing::Random;

/// Primes of one to many digits, a ring, binary fields of each kind of layout.
const FIELDS: &[&str] = &[
    "2^31 - 1",
    "2^61 - 1",
    "2^255 - 19",
    "p384",
    "2^96 + 6",
    "65537",
    "2^64 - 2^32 + 1",
    "2^64",
    "GF(2^8)",
    "GF(2^13)",
    "GF(2^29):onb2",
    "GF(2^131)",
];

fn engines(text: &str) -> Vec<Engine> {
    let field = Field::parse(text).unwrap();
    let with = |threads, features: Option<&str>| {
        let options = Options { threads, features: features.map(str::to_string), forget: true, ..Options::default() };
        Engine::with(&field, options).unwrap()
    };
    vec![with(1, None), with(2, None), with(1, Some("avx2")), with(1, Some("avx2+fma")), with(1, Some("baseline"))]
}

fn numbers(engine: &Engine, random: &mut Random, count: usize) -> Vec<BigUint> {
    let order = engine.field().order();
    // The largest ones too: columns are full of them.
    (0..count)
        .map(|i| {
            if i % 5 == 0 {
                &order - 1u32
            } else {
                (0..9).fold(BigUint::ZERO, |x, _| (x << 64u32) + random.word()) % &order
            }
        })
        .collect()
}

#[test]
fn products_of_matrices_are_sums_of_products() {
    for text in FIELDS {
        let mut random = Random(0x1234_5678_9abc);
        for engine in engines(text) {
            let field = engine.field().clone();
            for (m, k, n) in
                [(1, 1, 1), (2, 3, 4), (5, 17, 9), (9, 33, 3), (17, 4, 1), (3, 0, 2), (0, 2, 2), (1, 40, 11)]
            {
                let (a, b) = (numbers(&engine, &mut random, m * k), numbers(&engine, &mut random, k * n));
                let entry = |i: usize, j: usize| {
                    (0..k).fold(field.zero(), |sum, t| {
                        let product = field.multiply(&a[i * k + t], &b[t * n + j]).unwrap();
                        field.add(&sum, &product).unwrap()
                    })
                };
                let want: Vec<BigUint> = (0..m * n).map(|at| entry(at / n, at % n)).collect();
                let [left, right] = [&a, &b].map(|x| engine.from_integers(x).unwrap());
                let product = engine.matmul(&left, &right, m, k, n).unwrap();
                assert_eq!(engine.to_integers(&product).unwrap(), want, "{engine:?}: {m} × {k} × {n}");
            }
        }
    }
}

/// Columns are emptied before they overflow.
#[test]
fn long_sums_of_the_largest_products_do_not_overflow() {
    for text in ["2^255 - 19", "2^61 - 1", "2^64 - 2^32 + 1", "2^32 - 5", "p521"] {
        for engine in engines(text) {
            let k = 2000;
            let most = engine.from_integers(&vec![engine.field().order() - 1u32; k]).unwrap();
            let product = engine.matmul(&most, &most, 1, k, 1).unwrap();
            // (−1)·(−1), so many times.
            assert_eq!(engine.to_integers(&product).unwrap(), [BigUint::from(k)], "{engine:?}");
        }
    }
}

#[test]
fn elements_move_as_numbers_do() {
    for text in FIELDS {
        let mut random = Random(0x1234_5678_9abc);
        for engine in engines(text) {
            let a = numbers(&engine, &mut random, 60);
            let array = engine.from_integers(&a).unwrap();
            let listed: Vec<i64> = (0..77).map(|i| i * 31 % 60).collect();
            let all = [
                (Places::Strided { first: 59, shape: &[5, 12], steps: &[-1, -5] }, {
                    (0..60).map(|i| 59 - (i / 12) - 5 * (i % 12)).collect::<Vec<usize>>()
                }),
                (Places::Strided { first: 0, shape: &[3, 20], steps: &[20, 1] }, (0..60).collect()),
                (Places::Listed(&listed), listed.iter().map(|i| *i as usize).collect()),
            ];
            for (places, wanted) in all {
                let got = engine.gather(&array, places).unwrap();
                let want: Vec<BigUint> = wanted.iter().map(|i| a[*i].clone()).collect();
                assert_eq!(engine.to_integers(&got).unwrap(), want, "{engine:?}: {places:?}");
                let mut back: Array = engine.zeros(60);
                engine.scatter(&mut back, places, &got).unwrap();
                assert_eq!(engine.to_integers(&back).unwrap(), a, "{engine:?}: {places:?}");
            }
            // A part that starts where a vector does, and ends within one.
            let first = engine.lanes() as isize;
            let mut longer = engine.zeros(60 + 2 * engine.lanes());
            engine.scatter(&mut longer, Places::Strided { first, shape: &[60], steps: &[1] }, &array).unwrap();
            let part = engine.gather(&longer, Places::Strided { first, shape: &[60], steps: &[1] }).unwrap();
            assert_eq!(engine.to_integers(&part).unwrap(), a, "{engine:?}");
            assert_eq!(engine.sum(&longer).unwrap(), engine.sum(&array).unwrap(), "{engine:?}");
            let mut filled = engine.zeros(20);
            let places = Places::Strided { first: 1, shape: &[10], steps: &[2] };
            engine.scatter(&mut filled, places, &engine.from_integers(&a[..1]).unwrap()).unwrap();
            let want: Vec<BigUint> = (0..20).map(|i| if i % 2 == 1 { a[0].clone() } else { BigUint::ZERO }).collect();
            assert_eq!(engine.to_integers(&filled).unwrap(), want, "{engine:?}");
            assert!(engine.gather(&array, Places::Listed(&[60])).is_err());
            assert!(engine.scatter(&mut filled, places, &array).is_err());
        }
    }
}

/// Rows that start at any element, as long as several vectors or shorter than one.
#[test]
fn rows_move_from_any_place_to_any_other() {
    for text in FIELDS {
        let mut random = Random(0x1234_5678_9abc);
        for engine in engines(text) {
            let (a, b) = (numbers(&engine, &mut random, 300), numbers(&engine, &mut random, 300));
            let (array, under) = (engine.from_integers(&a).unwrap(), engine.from_integers(&b).unwrap());
            for (first, count) in (0..80).step_by(3).flat_map(|first| [(first, 5), (first, 75)]) {
                let (shape, target) = ([2, count], (7 * first + count) % 90);
                let from = Places::Strided { first: first as isize, shape: &shape, steps: &[90, 1] };
                let to = Places::Strided { first: target as isize, shape: &shape, steps: &[80, 1] };
                let got = engine.gather(&array, from).unwrap();
                let want: Vec<BigUint> = [first, first + 90].iter().flat_map(|i| a[*i..i + count].to_vec()).collect();
                assert_eq!(engine.to_integers(&got).unwrap(), want, "{engine:?}: {from:?}");
                let (mut moved, mut all) = (under.clone(), b.clone());
                engine.scatter(&mut moved, to, &got).unwrap();
                for (row, i) in [target, target + 80].into_iter().enumerate() {
                    all[i..i + count].clone_from_slice(&want[row * count..][..count]);
                }
                assert_eq!(engine.to_integers(&moved).unwrap(), all, "{engine:?}: {to:?}");
            }
        }
    }
}

#[test]
fn constants_are_added_and_multiplied_in() {
    for text in FIELDS {
        let mut random = Random(0x1234_5678_9abc);
        for engine in engines(text) {
            let field = engine.field().clone();
            let numbers = numbers(&engine, &mut random, 23);
            let (c, a) = (numbers[0].clone(), engine.from_integers(&numbers).unwrap());
            let mut sum = engine.zeros(23);
            engine.add_constant_into(&mut sum, &a, &c).unwrap();
            let want: Vec<BigUint> = numbers.iter().map(|x| field.add(x, &c).unwrap()).collect();
            assert_eq!(engine.to_integers(&sum).unwrap(), want, "{engine:?}");
            engine.mul_constant_add_assign(&mut sum, &a, &c).unwrap();
            let want: Vec<BigUint> = want
                .iter()
                .zip(&numbers)
                .map(|(s, x)| field.add(s, &field.multiply(x, &c).unwrap()).unwrap())
                .collect();
            assert_eq!(engine.to_integers(&sum).unwrap(), want, "{engine:?}");
            engine.add_constant_assign(&mut sum, &c).unwrap();
            let want: Vec<BigUint> = want.iter().map(|x| field.add(x, &c).unwrap()).collect();
            assert_eq!(engine.to_integers(&sum).unwrap(), want, "{engine:?}");
        }
    }
}

/// A root of unity of that order, by powers of small numbers.
fn root(p: &BigUint, len: usize) -> BigUint {
    let one = BigUint::from(1u32);
    let found = (2u32..).map(|g| BigUint::from(g).modpow(&((p - &one) / len), p));
    found.into_iter().find(|w| w.modpow(&BigUint::from(len / 2), p) == p - &one).unwrap()
}

#[test]
fn transforms_are_values_at_powers_of_a_root() {
    for text in ["2^31 - 2^27 + 1", "2^64 - 2^32 + 1", "bls12-381-fr", "65537"] {
        let mut random = Random(0xfeed);
        for engine in engines(text) {
            let p = engine.field().order();
            for len in [2usize, 4, 8, 16, 32, 256, 512, 2048, 4096]
                .into_iter()
                .filter(|len| *len >= engine.smallest_transform())
            {
                let w = root(&p, len);
                let a = numbers(&engine, &mut random, len);
                let transform = engine.transform(len, &w).unwrap();
                assert_eq!(transform.len(), len);
                let array = engine.from_integers(&a).unwrap();
                let values = engine.to_integers(&engine.transformed(&transform, &array).unwrap()).unwrap();
                for k in [0, 1, 2, len / 2, len - 1, len / 3].into_iter().filter(|k| *k < len) {
                    // Horner's rule at w^k.
                    let at = w.modpow(&BigUint::from(k), &p);
                    let want = a.iter().rev().fold(BigUint::ZERO, |sum, x| (sum * &at + x) % &p);
                    assert_eq!(values[k], want, "{engine:?}: {len}, {k}");
                }
                // The inverse root and 1/len give the elements again.
                let back = engine.transform(len, &w.modpow(&BigUint::from(len - 1), &p)).unwrap();
                let again = engine.transformed(&back, &engine.from_integers(&values).unwrap()).unwrap();
                let share = BigUint::from(len).modpow(&(&p - 2u32), &p);
                let again = engine.mul_constant(&again, &share).unwrap();
                assert_eq!(engine.to_integers(&again).unwrap(), a, "{engine:?}: {len}");
                assert!(engine.transformed(&transform, &engine.zeros(len - 1)).is_err());
                assert!(engine.transform(len, &BigUint::from(1u32)).is_err() && engine.transform(len - 1, &w).is_err());
            }
        }
    }
}
