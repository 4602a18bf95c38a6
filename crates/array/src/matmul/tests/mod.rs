//! Products by residues beside sums of products of integers.

use evariste_descriptions::Field;
use evariste_jit::residues::Width;
use evariste_testing::Random;
use num_bigint::BigUint;

use super::Sizes;
use super::constants::Entries;
use super::residues::Residues;
use crate::engine::{Engine, Options};

/// Primes of one to many words, with and without a Montgomery form, and a ring.
const FIELDS: &[&str] = &[
    "2^31 - 1",
    "babybear",
    "2^61 - 1",
    "goldilocks",
    "2^96 + 6",
    "2^255 - 19",
    "secp256k1",
    "bls12-381-fr",
    "p384",
    "p521",
];

fn engines(text: &str) -> Vec<Engine> {
    let with = |threads, features: Option<&str>| {
        let features = features.map(str::to_string);
        let options = Options { threads, features, forget: true, ..Options::default() };
        Engine::with(&Field::parse(text).unwrap(), options).unwrap()
    };
    vec![with(1, None), with(2, None), with(1, Some("bmi2+adx+avx2+fma+pclmulqdq"))]
}

/// Products by residues on vectors of each width, plain code among them, which tests that nothing overflows.
fn judge(engine: &Engine, [m, k, n]: [usize; 3], a: &[BigUint], b: &[BigUint]) {
    let p = engine.field().order();
    let [left, right] = [a, b].map(|x| engine.from_integers(x).unwrap());
    let entry = |i: usize, j: usize| (0..k).map(|t| &a[i * k + t] * &b[t * n + j]).sum::<BigUint>() % &p;
    let want: Vec<BigUint> = (0..m * n).map(|at| entry(at / n, at % n)).collect();
    for width in Width::found().chain([Width::Plain]) {
        let Some(residues) = Residues::on(&engine.kernels, k, width) else { continue };
        let mut out = engine.zeros(m * n);
        residues.product(engine, out.view_mut(), [left.view(), right.view()], Sizes { k, n }).unwrap();
        assert_eq!(engine.to_integers(&out).unwrap(), want, "{engine:?}: {m} × {k} × {n}, {width:?}");
    }
}

#[test]
fn sums_by_residues_are_exact() {
    for text in FIELDS {
        let mut random = Random(0x5eed);
        for engine in engines(text) {
            let p = engine.field().order();
            let mut one = |most: bool| match most {
                true => &p - 1u32,
                false => (0..9).fold(BigUint::ZERO, |x, _| (x << 64u32) + random.word()) % &p,
            };
            let mut any = |count: usize, most: bool| (0..count).map(|_| one(most)).collect::<Vec<_>>();
            // Lengths about those of pieces; rows and columns about those of tiles, panels and blocks.
            for (sizes, most) in [
                ([1, 1, 1], true),
                ([3, 2, 5], false),
                ([13, 9, 33], false),
                ([49, 7, 98], false),
                ([2, 511, 3], true),
                ([2, 512, 3], true),
                ([1, 513, 17], true),
                ([2, 1100, 1], true),
            ] {
                let [m, k, n] = sizes;
                judge(&engine, sizes, &any(m * k, most), &any(k * n, most));
                judge(&engine, sizes, &vec![BigUint::ZERO; m * k], &any(k * n, true));
            }
        }
    }
}

/// Layouts of vectors of 512 bits have such products on any machine that makes code for them.
#[test]
fn fields_of_every_length_have_constants() {
    for text in FIELDS {
        for engine in engines(text).iter().filter(|engine| engine.lanes() > 1) {
            for k in [1, 2, 300, 512, 513, 100_000] {
                let found = Residues::on(&engine.kernels, k, Width::Plain);
                // Digits at rest are apart, or canonical ones are the same number.
                let apart = Entries::resting(&engine.kernels).is_some();
                let plain = engine.kernels.layout.montgomery.is_none();
                assert_eq!(found.is_some(), apart || plain, "{engine:?}: {k}");
            }
        }
    }
}
