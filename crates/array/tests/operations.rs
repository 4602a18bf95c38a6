//! Every operation against `num-bigint`, at lengths around those of vectors and blocks, with edge values in every lane
//! and garbage in the lanes that have no element.

use std::sync::Arc;

use evariste_algorithms::{Operation, plans};
use evariste_array::{Array, ArrayError, BigUint, Canonical, Endian, Engine, Mask, Options};
use evariste_backend::{Backend, named, vectors};
use evariste_descriptions::{Field, Modulus};
use evariste_testing::Random;

const LENGTHS: [usize; 9] = [0, 1, 7, 8, 9, 16, 17, 511, 513];
const FIELDS: [&str; 9] = [
    "25519",
    "p256",
    "bls12-381-fr",
    "bls12-381-fp",
    "secp256k1",
    "babybear",
    "4294967291",
    "2^64 - 2^32 + 1",
    "2^521 - 1",
];
/// More, with `EVARISTE_FULL=1`.
const MORE: [&str; 6] = ["koalabear", "mersenne31", "1000003", "7", "2^64 - 59", "2^63 - 25"];

/// Xorshift: what is tested is the same every time.
trait Numbers {
    fn number(&mut self, m: &Modulus) -> BigUint;
}

impl Numbers for Random {
    /// Below p: edges, long runs of ones and zeros, and anything.
    fn number(&mut self, m: &Modulus) -> BigUint {
        let (p, bits) = (&m.value, u64::from(m.bits));
        let power = |k: u64| BigUint::from(1u32) << k;
        let any = (0..m.bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word());
        let x = match self.word() % 12 {
            0 => BigUint::ZERO,
            1 => BigUint::from(1u32),
            2 => p - 1u32,
            3 => p - 2u32,
            4 => power(self.word() % bits),
            5 => power(self.word() % bits) - 1u32,
            6 => p - power(self.word() % (bits - 1)),
            7 => power(bits - 1) - power(self.word() % (bits - 1)),
            8 => (power(260) % p) + self.word() % 3,
            _ => any,
        };
        x % p
    }
}

pub fn field(text: &str) -> (Field, Modulus) {
    let field = Field::parse(text).unwrap();
    let Some(m) = field.get::<Modulus>() else { panic!("{text} has no modulus") };
    (field.clone(), m.clone())
}

pub fn numbers(m: &Modulus, len: usize, rng: &mut Random) -> Vec<BigUint> {
    (0..len).map(|_| rng.number(m)).collect()
}

/// All operations on arrays of that length; the first wrong one is named.
pub fn check(engine: &Engine, m: &Modulus, len: usize, rng: &mut Random) {
    let (x, y, z) = (numbers(m, len, rng), numbers(m, len, rng), numbers(m, len, rng));
    let array = |x: &[BigUint], rng: &mut Random| {
        let mut a = engine.from_integers(x).unwrap();
        a.spoil(|| rng.word());
        a
    };
    let (a, b, c) = (array(&x, rng), array(&y, rng), array(&z, rng));
    let what = |name: &str| format!("{name} of {len} elements in {engine:?}");
    let same = |name: &str, got: Result<Array, ArrayError>, wanted: &dyn Fn(usize) -> BigUint| {
        let got = engine.to_integers(&got.unwrap()).unwrap();
        assert_eq!(got.len(), len, "{}", what(name));
        for (i, got) in got.iter().enumerate() {
            assert_eq!(*got, wanted(i), "element {i}: {} ({:#x}, {:#x}, {:#x})", what(name), x[i], y[i], z[i]);
        }
    };
    same("pack", Ok(a.clone()), &|i| x[i].clone());
    same("mul", engine.mul(&a, &b), &|i| m.mul(&x[i], &y[i]));
    same("square", engine.square(&a), &|i| m.square(&x[i]));
    same("add", engine.add(&a, &b), &|i| m.add(&x[i], &y[i]));
    same("sub", engine.sub(&a, &b), &|i| m.sub(&x[i], &y[i]));
    same("neg", engine.neg(&a), &|i| m.neg(&x[i]));
    same("mul_add", engine.mul_add(&a, &b, &c), &|i| m.affine(&x[i], &y[i], &z[i]));
    let flags: Vec<bool> = (0..len).map(|_| rng.word() % 2 == 1).collect();
    let mask = Mask::new(&flags);
    same("select", engine.select(&mask, &a, &b), &|i| if flags[i] { y[i].clone() } else { x[i].clone() });
    let constant = rng.number(m);
    same("mul_constant", engine.mul_constant(&a, &constant), &|i| m.mul(&x[i], &constant));
    if len < 20 || engine.lanes() > 1 {
        let exponent = rng.number(m) >> (m.bits / 2);
        same("power", engine.power(&a, &exponent), &|i| m.pow(&x[i], &exponent));
        same("inverse", engine.inverse(&a), &|i| m.inverse(&x[i]).unwrap_or_default());
    }

    // In place.
    let in_place = |f: &dyn Fn(&mut Array) -> Result<(), ArrayError>| {
        let mut own = a.clone();
        f(&mut own).map(|()| own)
    };
    same("mul_assign", in_place(&|a| engine.mul_assign(a, &b)), &|i| m.mul(&x[i], &y[i]));
    same("square_assign", in_place(&|a| engine.square_assign(a)), &|i| m.square(&x[i]));
    same("add_assign", in_place(&|a| engine.add_assign(a, &b)), &|i| m.add(&x[i], &y[i]));
    same("sub_assign", in_place(&|a| engine.sub_assign(a, &b)), &|i| m.sub(&x[i], &y[i]));
    same("neg_assign", in_place(&|a| engine.neg_assign(a)), &|i| m.neg(&x[i]));
    same("select_assign", in_place(&|a| engine.select_assign(&mask, a, &b)), &|i| {
        if flags[i] { y[i].clone() } else { x[i].clone() }
    });
    same("mul_constant_assign", in_place(&|a| engine.mul_constant_assign(a, &constant)), &|i| m.mul(&x[i], &constant));

    // A chain of dependent operations never leaves its range.
    let mut chain = a.clone();
    let mut wanted = x.clone();
    for step in 0..6 {
        engine.mul_assign(&mut chain, &b).unwrap();
        engine.sub_assign(&mut chain, &c).unwrap();
        chain = engine.add(&chain, &chain).unwrap();
        for i in 0..len {
            let product = m.sub(&m.mul(&wanted[i], &y[i]), &z[i]);
            wanted[i] = m.add(&product, &product);
        }
        same(&format!("chain, step {step}"), Ok(chain.clone()), &|i| wanted[i].clone());
    }

    let total = x.iter().fold(BigUint::ZERO, |s, x| m.add(&s, x));
    assert_eq!(engine.sum(&a).unwrap(), total, "{}", what("sum"));
    let products = x.iter().zip(&y).fold(BigUint::ZERO, |s, (x, y)| m.add(&s, &m.mul(x, y)));
    assert_eq!(engine.dot(&a, &b).unwrap(), products, "{}", what("dot"));

    // Canonical elements: equality, zeros, and back.
    let difference: Array<Canonical> = engine.canonical(&engine.sub(&a, &a).unwrap()).unwrap();
    assert_eq!(engine.is_zero(&difference).unwrap().count(), len, "{}", what("is_zero"));
    let (ca, cb) = (engine.canonical(&a).unwrap(), engine.canonical(&b).unwrap());
    let equal: Vec<bool> = x.iter().zip(&y).map(|(x, y)| x == y).collect();
    assert_eq!(engine.equal(&ca, &cb).unwrap().to_flags(), equal, "{}", what("equal"));
    same("resting", engine.resting(&ca), &|i| x[i].clone());

    // Words and bytes.
    let size = engine.bytes_per_element();
    let little: Vec<u8> = x
        .iter()
        .flat_map(|x| {
            let mut b = x.to_bytes_le();
            b.resize(size, 0);
            b
        })
        .collect();
    let big: Vec<u8> = little.chunks(size).flat_map(|b| b.iter().rev().copied()).collect();
    for (endian, bytes) in [(Endian::Little, &little), (Endian::Big, &big)] {
        assert_eq!(engine.to_bytes(&a, endian).unwrap(), *bytes, "{}", what("to_bytes"));
        same("from_bytes", engine.from_bytes(bytes, endian), &|i| x[i].clone());
    }
    let words = engine.to_words(&a).unwrap();
    let mut product = vec![0; words.len()];
    engine.mul_words_into(&mut product, &words, &engine.to_words(&b).unwrap()).unwrap();
    same("mul_words", engine.from_words(&product), &|i| m.mul(&x[i], &y[i]));
    // Words of Montgomery form: the same numbers stand for others.
    if let Ok(plan) = engine.describe("mul_montgomery_words") {
        let scale = m.inverse(&(BigUint::from(1u32) << (64 * engine.words_per_element()))).unwrap();
        engine.mul_montgomery_words_into(&mut product, &words, &engine.to_words(&b).unwrap()).unwrap();
        same(&plan, engine.from_words(&product), &|i| m.mul(&m.mul(&x[i], &y[i]), &scale));
    }
    same("from_words", engine.from_words(&words), &|i| x[i].clone());
}

fn check_field(text: &str, options: &Options, lengths: &[usize]) {
    let (field, m) = field(text);
    let mut rng = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(m.bits));
    let engine = Engine::with(&field, Options { threads: 1, ..options.clone() }).unwrap();
    // Where there is no machine code, short arrays have to do.
    let most = if interpreted(&engine) { 9 } else { usize::MAX };
    let lengths: Vec<usize> = lengths.iter().copied().filter(|len| *len <= most).collect();
    for len in &lengths {
        check(&engine, &m, *len, &mut rng);
    }
    check(&engine.with_threads(2).unwrap(), &m, lengths.last().copied().unwrap_or(9), &mut rng);
}

/// Is there no machine code here?
fn interpreted(engine: &Engine) -> bool {
    engine.describe("mul").unwrap().ends_with(", interpreted")
}

#[test]
fn operations_agree_with_big_integers() {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    for text in FIELDS.iter().chain(MORE.iter().filter(|_| full)) {
        check_field(text, &Options::default(), &LENGTHS);
    }
}

#[test]
fn operations_agree_without_vectors() {
    let options = Options { features: Some("bmi2".into()), ..Options::default() };
    for text in ["25519", "bls12-381-fr", "babybear", "mersenne31", "2^64 - 2^32 + 1"] {
        check_field(text, &options, &[0, 1, 9, 41]);
    }
}

/// On six kinds of processors, of which two by turns, all in a full run; as far as this machine has their instruction sets.
#[test]
fn operations_agree_on_every_kind_of_processor() {
    const KINDS: [&str; 6] = [
        "baseline",
        "bmi2+adx",
        "bmi2+avx2",
        "bmi2+adx+avx2+fma+pclmulqdq+vpclmulqdq",
        "bmi2+adx+avx2+fma+pclmulqdq+avx512",
        "bmi2+adx+avx2+fma+pclmulqdq+avx512+ifma",
    ];
    let full = evariste_testing::full();
    let todays = |at: &usize| full || evariste_testing::turn(*at, KINDS.len() / 2) == 0;
    for sets in (0..KINDS.len()).filter(todays).map(|at| KINDS[at]) {
        let options = Options { threads: 1, features: Some(sets.into()), forget: true, ..Options::default() };
        for text in ["25519", "babybear", "2^61 - 1", "2^64 - 2^32 + 1"] {
            check_field(text, &options, &[0, 1, 3, 17]);
        }
    }
}

/// Vectors of 256 bits without products of 52 bits: digits whose whole products columns take.
#[test]
fn operations_agree_on_narrow_vectors() {
    let sets = "bmi2+adx+avx2+fma";
    if named("avx2").is_none_or(|entry| (entry.find)(Some(sets)).is_err()) {
        evariste_testing::lacks_feature("operations on narrow vectors", "AVX2");
        return;
    }
    let options = Options { features: Some(sets.into()), forget: true, ..Options::default() };
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let more = ["p256", "p384", "2^521 - 1", "448"];
    let fields = ["25519", "bls12-381-fr", "secp256k1", "bls12-381-fp", "babybear", "2^64 - 2^32 + 1"];
    for text in fields.into_iter().chain(more.into_iter().filter(|_| full)) {
        let engine = Engine::with(&field(text).0, options.clone()).unwrap();
        assert!([4, 8].contains(&engine.lanes()), "{text}: {} lanes", engine.lanes());
        check_field(text, &options, &[0, 1, 3, 4, 5, 33]);
    }
}

#[test]
fn operations_agree_in_the_interpreter() {
    let options = Options { interpreted: true, ..Options::default() };
    check_field("25519", &options, &[2]);
    check_field("babybear", &options, &[3]);
}

/// Digit for digit where they hold the same ones (vectors without products of 52 bits have digits of their own):
/// vectors of any number of threads, scalar code, the interpreter.
#[test]
fn all_ways_give_the_same_digits() {
    for text in ["25519", "bls12-381-fr", "2^64 - 2^32 + 1", "babybear", "mersenne31"] {
        let (field, m) = field(text);
        let mut rng = Random(77);
        let (x, y) = (numbers(&m, 9, &mut rng), numbers(&m, 9, &mut rng));
        let run = |options: Options| {
            let engine = Engine::with(&field, Options { forget: true, ..options }).unwrap();
            let (a, b) = (engine.from_integers(&x).unwrap(), engine.from_integers(&y).unwrap());
            let results =
                [engine.mul(&a, &b), engine.square(&a), engine.add(&a, &b), engine.sub(&a, &b), engine.neg(&a), Ok(a)];
            let digits =
                results.each_ref().map(|r| (0..9).map(|i| r.as_ref().unwrap().digits(i).unwrap()).collect::<Vec<_>>());
            (engine.layout().clone(), digits, results.map(|r| engine.to_integers(&r.unwrap()).unwrap()))
        };
        let (layout, digits, numbers) = run(Options { threads: 1, ..Options::default() });
        for options in [
            Options { threads: 2, ..Options::default() },
            Options { threads: 1, features: Some("bmi2".into()), ..Options::default() },
            Options { threads: 1, features: Some("baseline".into()), ..Options::default() },
            Options { threads: 1, interpreted: true, ..Options::default() },
        ] {
            let own = run(options.clone());
            assert_eq!(own.2, numbers, "{text} {options:?}");
            assert!(own.0 != layout || own.1 == digits, "{text} {options:?}: {digits:?}, {:?}", own.1);
        }
    }
}

/// Parts of arrays; what is outside a part stays as it is.
#[test]
fn views_touch_only_their_elements() {
    for (text, starts) in [("bls12-381-fr", [8, 40]), ("koalabear", [16, 48])] {
        views(text, starts);
    }
}

fn views(text: &str, [one, other]: [usize; 2]) {
    let (field, m) = field(text);
    let engine = Engine::new(&field, 2).unwrap();
    let mut rng = Random(5);
    let (x, y) = (numbers(&m, 100, &mut rng), numbers(&m, 100, &mut rng));
    let (a, b) = (engine.from_integers(&x).unwrap(), engine.from_integers(&y).unwrap());
    for range in [0..100, one..2 * one, one..one + 13, 0..0, 16..16, 96..100, other..99] {
        let mut out = a.clone();
        engine
            .mul_into(
                out.slice_mut(range.clone()).unwrap(),
                a.slice(range.clone()).unwrap(),
                b.slice(range.clone()).unwrap(),
            )
            .unwrap();
        engine.square_assign(out.slice_mut(range.clone()).unwrap()).unwrap();
        let wanted: Vec<BigUint> =
            (0..100).map(|i| if range.contains(&i) { m.square(&m.mul(&x[i], &y[i])) } else { x[i].clone() }).collect();
        assert_eq!(engine.to_integers(&out).unwrap(), wanted, "{range:?}");
    }
    for range in [0..100, 3..77, 99..100, 5..5] {
        assert_eq!(engine.to_integers(&a.copy_range(range.clone()).unwrap()).unwrap(), x[range]);
    }
}

#[test]
fn a_hundred_thousand_elements_over_threads() {
    let (field, m) = field("bls12-381-fr");
    let engine = Engine::new(&field, 2).unwrap();
    let times = if interpreted(&engine) { 1 } else { 100 };
    let mut rng = Random(9);
    let (x, y) = (numbers(&m, 1000, &mut rng), numbers(&m, 1000, &mut rng));
    let words = |x: &[BigUint]| -> Vec<u64> {
        x.iter()
            .flat_map(|x| {
                let mut d = x.to_u64_digits();
                d.resize(4, 0);
                d
            })
            .collect()
    };
    let (a, b) =
        (engine.from_words(&words(&x).repeat(times)).unwrap(), engine.from_words(&words(&y).repeat(times)).unwrap());
    let product = engine.to_words(&engine.mul(&a, &b).unwrap()).unwrap();
    let wanted: Vec<BigUint> = x.iter().zip(&y).map(|(x, y)| m.mul(x, y)).collect();
    assert!(product.chunks(4000).all(|part| part == words(&wanted)));
    let inverse = engine.inverse(&a).unwrap();
    let one = engine.canonical(&engine.mul(&inverse, &a).unwrap()).unwrap();
    let zeros = x.iter().filter(|x| **x == BigUint::ZERO).count();
    assert_eq!(engine.is_zero(&one).unwrap().count(), times * zeros);
    let ones = engine.canonical(&engine.from_integers(&vec![BigUint::from(1u32); 1000 * times]).unwrap()).unwrap();
    assert_eq!(engine.equal(&one, &ones).unwrap().count(), 1000 * times - times * zeros);
}

/// A remembered ranking names layout, plan and shape; what it names and does not exist is passed over.
#[test]
fn a_ranking_decides() {
    let (field, m) = field("p256");
    // Rows of the lanes at hand that arrays take (those of SSE2 compare no elements): a layout that they do not take is
    // none.
    let usual = Engine::with(&field, Options { threads: 1, forget: true, ..Options::default() }).unwrap();
    let lanes = vectors().into_iter().next().filter(|_| usual.lanes() > 1);
    let code = lanes.as_ref().map_or("avx-512", |lanes| lanes.entry().name);
    let takes = |name: &str| {
        let taken = |lanes: &Arc<dyn Backend>| {
            lanes.layouts(&field).iter().any(|layout| layout.name == name && lanes.takes(&field, layout, false))
        };
        lanes.as_ref().is_none_or(taken)
    };
    // Products of 52 bits, or of 29 where there are none.
    let (layout, plan) = if takes("montgomery-5x52-clean") {
        ("montgomery-5x52-clean", "montgomery-madd")
    } else {
        ("montgomery-9x29-clean", "montgomery-columns")
    };
    let plan = format!("{plan}/{layout}");
    let candidate = |plan: &str, shape: &str| {
        serde_json::json!({
            "plan": plan, "code": code, "operation": "mul", "layout": layout, "proved": true, "contract": "", "multiplications": 0, "additions": 0, "moves": 0,
            "proof_ms": 0.0, "bound_cycles": 0.0, "latency_cycles": null, "latency_ns": null, "throughput_cycles": 1.0, "throughput_ns": 1.0, "percent_of_bound": null, "code_bytes": null, "shape": shape,
        })
    };
    // The shapes of its code: the first is taken where none is named. A call may have fewer groups than the shape.
    let shapes = lanes.map_or_else(Vec::new, |lanes| {
        let all = lanes.layouts(&field);
        let layout = all.into_iter().find(|l| l.name == layout).unwrap();
        let written = plans(&field, &layout, &Operation::MUL).into_iter().find(|p| p.name() == plan).unwrap();
        lanes.shapes(&written.write().unwrap())
    });
    let order = |shape: &str| shape.splitn(3, ' ').nth(2).unwrap_or_default().to_owned();
    let usual = shapes.first().cloned().unwrap_or_default();
    let other = shapes.iter().rfind(|shape| order(shape) != order(&usual)).cloned().unwrap_or_default();
    assert!(shapes.is_empty() || !other.is_empty(), "one order alone: {shapes:?}");
    for (shape, used) in [(other.as_str(), order(&other)), ("nonsense", order(&usual))] {
        let ranking = serde_json::from_value(serde_json::json!({
            "version": 2, "field": field.text(), "target": "", "mix": "", "candidates": [candidate(&plan, shape)],
            "layouts": [
                { "layout": "of another machine", "description": "", "mix_ns": null, "throughput": [], "latency": [], "size": [] },
                { "layout": layout, "description": "", "mix_ns": null, "throughput": [], "latency": [], "size": [] },
            ],
            "winner": null, "winner_code": null,
        }));
        let engine =
            Engine::with(&field, Options { threads: 2, ranking: Some(ranking.unwrap()), ..Options::default() })
                .unwrap();
        engine.prepare().unwrap();
        assert_eq!(engine.layout().name, layout);
        let description = engine.describe("mul").unwrap();
        assert!(
            description.starts_with(&format!("{plan}, ")) && (engine.lanes() == 1 || description.contains(&used)),
            "{description}"
        );
        check(&engine, &m, 17, &mut Random(3));
    }
}

/// Columns are added up until they are full, and then again from zero: the largest elements, many of them.
#[test]
fn long_sums_do_not_overflow() {
    for (text, elements) in
        [("babybear", 40_000usize), ("2^64 - 2^32 + 1", 40_000), ("25519", 40_000), ("bls12-381-fr", 30_001)]
    {
        let (field, m) = field(text);
        let with = |sets: Option<&str>| {
            let features = sets.map(str::to_string);
            Engine::with(&field, Options { threads: 1, features, forget: true, ..Options::default() }).unwrap()
        };
        // Those of AVX2 and doubles have layouts of 25519 without columns.
        for engine in [with(None), with(Some("avx2+fma"))] {
            let elements = if interpreted(&engine) { 30 } else { elements };
            let mut a = engine.from_integers(&vec![&m.value - 1u32; elements]).unwrap();
            // Everything above a digit that means nothing, and all that is added to a column, as large as can be.
            let lanes = engine.lanes();
            if let Some(radix) = engine.layout().resting.low {
                let digits = engine.layout().digits();
                a.raw_mut()
                    .iter_mut()
                    .enumerate()
                    .filter(|(at, _)| at / lanes % digits < digits - 1)
                    .for_each(|(_, word)| *word |= !0 << radix);
            }
            let n = BigUint::from(elements);
            assert_eq!(engine.dot(&a, &a).unwrap(), &n % &m.value, "{text}");
            assert_eq!(engine.sum(&a).unwrap(), m.neg(&(&n % &m.value)), "{text}");
            assert_eq!(engine.with_threads(2).unwrap().dot(&a, &a).unwrap(), &n % &m.value, "{text}");
        }
    }
}

/// Numbers that are not below the modulus are found wherever they are, by their last words too.
#[test]
fn words_are_judged_in_every_place() {
    for text in ["p256", "bls12-381-fr", "babybear", "2^64 - 2^32 + 1", "2^521 - 1"] {
        let (field, m) = field(text);
        let engine = Engine::new(&field, 1).unwrap();
        let (n, len) = (engine.words_per_element(), if interpreted(&engine) { 3 } else { 77 });
        let words = |x: &BigUint| {
            let mut w = x.to_u64_digits();
            w.resize(n, 0);
            w
        };
        let fine: Vec<u64> = words(&(&m.value - 1u32)).repeat(len);
        let mut out = vec![0; n * len];
        engine.mul_words_into(&mut out, &fine, &fine).unwrap();
        assert!(out.chunks(n).all(|x| x == words(&BigUint::from(1u32))), "{text}");
        let most = (BigUint::from(1u32) << (64 * n)) - 1u32;
        for (at, value) in (0..len).zip([m.value.clone(), &m.value + 1u32, most].iter().cycle()) {
            let mut all = fine.clone();
            all[n * at..n * (at + 1)].copy_from_slice(&words(value));
            let wanted = ArrayError::Range { index: at, value: value.clone(), limit: m.value.clone() };
            assert_eq!(engine.mul_words_into(&mut out, &fine, &all), Err(wanted.clone()));
            assert_eq!(engine.mul_words_into(&mut out, &all, &fine), Err(wanted.clone()));
            assert_eq!(engine.from_words(&all).map(drop), Err(wanted));
        }
    }
}

/// Bytes of elements, which are no whole number of words, or less than one.
#[test]
fn bytes_of_any_number() {
    let scalar = Options { features: Some("bmi2".into()), ..Options::default() };
    for text in ["7", "1000003", "babybear", "4294967291", "2^40 - 87", "2^64 - 2^32 + 1", "p224", "448", "2^521 - 1"] {
        let (field, m) = field(text);
        let mut rng = Random(5);
        for options in [Options::default(), scalar.clone()] {
            let engine = Engine::with(&field, Options { threads: 1, ..options }).unwrap();
            let size = engine.bytes_per_element();
            for len in if interpreted(&engine) { &[1, 3] } else { &LENGTHS[..] } {
                let x = numbers(&m, *len, &mut rng);
                let bytes = |x: &[BigUint], endian: Endian| -> Vec<u8> {
                    let each = |x: &BigUint| {
                        let mut bytes = x.to_bytes_le();
                        bytes.resize(size, 0);
                        if endian == Endian::Big {
                            bytes.reverse();
                        }
                        bytes
                    };
                    x.iter().flat_map(each).collect()
                };
                for endian in [Endian::Little, Endian::Big] {
                    let mut a = engine.from_bytes(&bytes(&x, endian), endian).unwrap();
                    assert_eq!(engine.to_integers(&a).unwrap(), x, "{endian:?} in {engine:?}");
                    a.spoil(|| rng.word());
                    assert_eq!(engine.to_bytes(&a, endian).unwrap(), bytes(&x, endian), "{endian:?} in {engine:?}");
                    let most = (BigUint::from(1u32) << (8 * size)) - 1u32;
                    for (at, value) in [0, len / 2, len.saturating_sub(1)]
                        .into_iter()
                        .zip([&m.value, &most, &m.value])
                        .filter(|_| *len > 0)
                    {
                        let mut wrong = x.clone();
                        wrong[at..].fill(value.clone());
                        let wanted = ArrayError::Range { index: at, value: value.clone(), limit: m.value.clone() };
                        assert_eq!(
                            engine.from_bytes(&bytes(&wrong, endian), endian).map(drop),
                            Err(wanted),
                            "{endian:?} in {engine:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Arrays that no near cache holds, and a view of one: software prefetch is at work there.
#[test]
fn long_arrays_are_as_short_ones() {
    for text in ["25519", "bls12-381-fr", "babybear"] {
        let (field, m) = field(text);
        let engine = Engine::new(&field, 1).unwrap();
        if interpreted(&engine) || engine.lanes() == 1 {
            evariste_testing::lacks_feature(&format!("long arrays of {text}"), "AVX-512 IFMA");
            continue;
        }
        let (n, len) = (engine.words_per_element(), (3 << 20) / (8 * engine.words_per_element()) + 5);
        let few = engine.from_integers(&numbers(&m, 1001, &mut Random(9))).unwrap();
        let cycled =
            |few: &Array| -> Vec<u64> { engine.to_words(few).unwrap().into_iter().cycle().take(n * len).collect() };
        let (words, products, sums) = (
            cycled(&few),
            cycled(&engine.mul(&few, &few).unwrap()),
            cycled(&engine.mul_add(&few, &few, &few).unwrap()),
        );
        for engine in [engine.clone(), engine.with_threads(2).unwrap()] {
            let mut a = engine.from_words(&words).unwrap();
            assert_eq!(engine.to_words(&a).unwrap(), words, "{text}");
            let mut product = engine.mul(&a, &a).unwrap();
            assert_eq!(engine.to_words(&product).unwrap(), products, "{text}");
            engine.add_assign(&mut product, &a).unwrap();
            assert_eq!(engine.to_words(&product).unwrap(), sums, "{text}");
            // Whole groups and a part of one; what lies behind stays.
            let (start, end) = (16 * 5, len - 7);
            engine.from_words_into(a.slice_mut(start..end).unwrap(), &words[..n * (end - start)]).unwrap();
            let mut wanted = words.clone();
            wanted[n * start..n * end].copy_from_slice(&words[..n * (end - start)]);
            assert_eq!(engine.to_words(&a).unwrap(), wanted, "{text}");
            for endian in [Endian::Little, Endian::Big] {
                let bytes = engine.to_bytes(a.slice(start..end).unwrap(), endian).unwrap();
                let b = engine.from_bytes(&bytes, endian).unwrap();
                assert_eq!(engine.to_words(&b).unwrap(), words[..n * (end - start)], "{text}, {endian:?}");
            }
        }
        let mut wrong = words.clone();
        wrong[n * (len - 9)..].fill(u64::MAX);
        let value = (BigUint::from(1u32) << (64 * n)) - 1u32;
        assert_eq!(
            engine.from_words(&wrong).map(drop),
            Err(ArrayError::Range { index: len - 9, value, limit: m.value.clone() }),
            "{text}"
        );
    }
}
