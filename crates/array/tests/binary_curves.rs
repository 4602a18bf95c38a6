//! Arrays of points of binary curves beside the exact arithmetic of `descriptions` and the published vectors: coordinates
//! in whole words and bit-sliced, on vectors of each width and in scalar code.

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_array::{BigUint, Options, Scalars, Structured, StructuredArray};
use evariste_descriptions::{BinaryField, Curve, Field, Part};
use evariste_testing::{Random, sample};
use serde_json::Value;

/// What may be used: all; vectors of 256 bits with carry-less products; those of 128 bits with them; none.
const SETS: [Option<&str>; 4] =
    [None, Some("bmi2+adx+avx2+fma+pclmulqdq+vpclmulqdq"), Some("bmi2+adx+avx2+fma+pclmulqdq"), Some("baseline")];

/// Any b and b = 1, a of each trace, degrees of both parities, cofactors from 2 to 8.
const TOYS: [&str; 4] = [
    "curve:y^2+xy=x^3+x^2+1@GF(2)[x]/(x^5+x^2+1),base=[8,23],order=11,cofactor=2",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^5+x^2+1),base=[2,29],order=11,cofactor=4",
    "curve:y^2+xy=x^3+x^2+6@GF(2)[x]/(x^5+x^2+1),base=[17,13],order=7,cofactor=6",
    "curve:y^2+xy=x^3+1@GF(2)[x]/(x^6+x+1),base=[15,54],order=7,cofactor=8",
];

fn engine(text: &str, sets: Option<&str>, sliced: bool) -> Structured {
    let options = Options {
        features: sets.map(str::to_owned),
        forget: true,
        threads: 1,
        sliced,
        whole: !sliced,
        ..Options::default()
    };
    Structured::with(&Field::parse(text).expect("a description"), options).expect("an engine")
}

/// First coordinates of multiples, with whatever there is in the lanes that have no element.
fn ladders(engine: &Structured, scalars: &[BigUint], points: &[BigUint]) -> Vec<BigUint> {
    let (holds, mut rng) = (Holds::Part(Part::Abscissae), Random(5));
    let mut points: StructuredArray = engine.from_numbers(holds, points).expect("an array");
    points.spoil(|| rng.word() >> 40);
    let scalars: Scalars = engine.scalars(scalars);
    let out = engine.compute(&Operation::LADDER, &[(&scalars).into(), (&points).into()]);
    let out = out.unwrap_or_else(|e| panic!("{engine:?}: {e}"));
    engine.to_numbers(holds, &out).expect("numbers")
}

/// Every first coordinate and every scalar of toy curves, those from the order up among them; one scalar for all points,
/// and one point for all scalars.
#[test]
fn every_first_coordinate_and_every_scalar() {
    for text in TOYS {
        let field = Field::parse(text).expect("a curve");
        let curve: &Curve = field.get().expect("a curve");
        let size: u32 = curve.field().order().try_into().expect("a small field");
        // Every scalar is one below the number of points.
        let points = curve.order.clone().expect("an order") * curve.cofactor.clone().expect("a cofactor");
        let most: u32 = points.try_into().expect("a small curve");
        let wanted = |k: u32, u: u32| curve.ladder(&k.into(), &u.into()).expect("a first coordinate");
        let pairs: Vec<(u32, u32)> = (0..size).flat_map(|u| (0..=most).map(move |k| (k, u))).collect();
        let [scalars, points]: [Vec<BigUint>; 2] =
            [pairs.iter().map(|(k, _)| (*k).into()).collect(), pairs.iter().map(|(_, u)| (*u).into()).collect()];
        for (sets, sliced) in SETS.iter().flat_map(|sets| [(*sets, false), (*sets, true)]) {
            let engine = engine(text, sets, sliced);
            // Where vectors have no carry-less products, whole words are one by one; without vectors there is that alone.
            if sets.is_none() && !evariste_backend::vectors().is_empty() {
                assert_eq!(engine.ground().layout().word == 1, sliced, "{engine:?}");
            }
            for ((k, u), got) in pairs.iter().zip(ladders(&engine, &scalars, &points)) {
                assert_eq!(got, wanted(*k, *u), "{k} times {u} of {text} in {engine:?}");
            }
            for ((k, u), got) in pairs.iter().zip(ladders(&engine, &[5u32.into()], &points)).step_by(7) {
                assert_eq!(got, wanted(5, *u), "5 (not {k}) times {u} of {text} in {engine:?}");
            }
            for ((k, u), got) in pairs.iter().zip(ladders(&engine, &scalars, &[3u32.into()])).step_by(7) {
                assert_eq!(got, wanted(*k, 3), "{k} times 3 (not {u}) of {text} in {engine:?}");
            }
        }
    }
}

fn number(value: &Value) -> BigUint {
    BigUint::parse_bytes(value.as_str().expect("a number").as_bytes(), 16).expect("hexadecimal")
}

/// Scalars, first coordinates and those of the multiples: what is published, edges, and a few others.
fn cases(curve: &Curve, entry: &Value, rng: &mut Random) -> Vec<(BigUint, BigUint, BigUint)> {
    let (order, (x, _)) = (curve.order.clone().expect("an order"), curve.base.clone().expect("a base point"));
    let mut cases: Vec<(BigUint, BigUint, BigUint)> = Vec::new();
    for vector in entry["scalar_vectors"].as_array().expect("vectors") {
        cases.push((number(&vector["k"]), x.clone(), number(&vector["x"])));
    }
    let last = cases[3].clone();
    for (k, result) in [
        (BigUint::ZERO, BigUint::ZERO),
        (1u32.into(), x.clone()),
        (&order - 1u32, x.clone()),
        (order.clone(), BigUint::ZERO),
    ] {
        cases.push((k, x.clone(), result));
    }
    for _ in 0..2 {
        let k = (0..6).fold(BigUint::ZERO, |k, _| (k << 64u32) + rng.word()) % &order;
        let result = curve.ladder(&k, &last.2).expect("a first coordinate");
        cases.push((k, last.2.clone(), result));
    }
    cases
}

/// Multiples with both coordinates, of the base point as it is and as any point.
fn both_coordinates(engine: &Structured, curve: &Curve, vectors: &[Value]) {
    let base = curve.packed(&curve.base.clone());
    let scalars: Vec<BigUint> = vectors.iter().map(|vector| number(&vector["k"])).collect();
    let scalars = engine.scalars(&scalars);
    let point = engine.from_numbers(Holds::Part(Part::Points), &[base]).expect("a point");
    let multiples = [
        engine.compute(&Operation::MUL_BASE, &[(&scalars).into()]),
        engine.compute(&Operation::SCALAR_MUL, &[(&scalars).into(), (&point).into()]),
    ];
    for multiples in multiples {
        let multiples = multiples.unwrap_or_else(|e| panic!("{engine:?}: {e}"));
        let got = engine.to_numbers(Holds::Element, &multiples).expect("points");
        for (vector, got) in vectors.iter().zip(got) {
            let wanted = curve.packed(&Some((number(&vector["x"]), number(&vector["y"]))));
            assert_eq!(got, wanted, "{} times the base in {engine:?}", vector["k"]);
        }
    }
}

/// Published multiples of base points, with 0, 1, n − 1 and n times and multiples of other points; one curve with a random
/// b and one with b = 1 a day, all in a full run.
#[test]
fn published_multiples() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/binary-curves.json")).expect("JSON");
    let entries = vectors["curves"].as_array().expect("curves").iter().filter(|entry| entry["kind"] == "standard");
    let entries: Vec<Value> = entries.filter(|entry| entry["m"].as_u64() < Some(300)).cloned().collect();
    assert_eq!(entries.len(), 25);
    let mut rng = Random(31);
    for entry in sample("arrays of binary curves", entries, usize::MAX, |entry| number(&entry["b"]) == 1u32.into()) {
        let text = format!("curve:{}", entry["name"].as_str().expect("a name"));
        let field = Field::parse(&text).expect("a curve");
        let curve: &Curve = field.get().expect("a curve");
        let cases = cases(curve, &entry, &mut rng);
        // Whole groups and more.
        let len = 70;
        let all: Vec<_> = cases.iter().cycle().take(len).cloned().collect();
        let column = |at: usize| all.iter().map(|case| [&case.0, &case.1, &case.2][at].clone()).collect::<Vec<_>>();
        for (sets, sliced) in [(SETS[0], false), (SETS[0], true), (SETS[1], false), (SETS[2], false)] {
            // Longer bit-sliced ladders are too long for machine code, and slow to make.
            if sliced && curve.field().bits() > 200 {
                continue;
            }
            let engine = engine(&text, sets, sliced);
            let got = ladders(&engine, &column(0), &column(1));
            for (case, got) in all.iter().zip(got) {
                assert_eq!(got, case.2, "{} times {} of {text} in {engine:?}", case.0, case.1);
            }
            // (Bit-sliced, recovery takes more of the stack.)
            if sets.is_none() && (!sliced || curve.field().bits() < 170) {
                both_coordinates(&engine, curve, entry["scalar_vectors"].as_array().expect("vectors"));
            }
        }
    }
}

/// With SSE2 alone no vectors multiply whole words, and bit-sliced ladders of long curves are too long for code: words are
/// computed one by one then, and nobody has to ask for it.
#[test]
fn where_bit_sliced_ladders_have_no_code_words_are_computed_one_by_one() {
    let text = "curve:sect283k1";
    let field = Field::parse(text).expect("a curve");
    let curve: &Curve = field.get().expect("a curve");
    let x = curve.base.clone().expect("a base point").0;
    for sets in ["bmi2+adx+pclmulqdq", "baseline"] {
        let options = Options { features: Some(sets.into()), forget: true, threads: 1, ..Options::default() };
        let engine = Structured::with(&field, options).expect("an engine");
        let scalars: Vec<BigUint> = vec![BigUint::ZERO, 1u32.into(), (BigUint::from(1u32) << 281u32) + 12345u32];
        let got = ladders(&engine, &scalars, &vec![x.clone(); scalars.len()]);
        for (k, got) in scalars.iter().zip(got) {
            assert_eq!(
                got,
                curve.ladder(k, &x).expect("a first coordinate"),
                "{k} times the base of {text} in {engine:?}"
            );
        }
    }
}

/// Points with both coordinates: every multiple of every point of a toy curve, the neutral one and that of order two among
/// them.
#[test]
fn every_multiple_of_every_point() {
    let text = TOYS[0];
    let field = Field::parse(text).expect("a curve");
    let curve: &Curve = field.get().expect("a curve");
    let size: u32 = curve.field().order().try_into().expect("a small field");
    let f: &BinaryField = curve.field().get().expect("a binary field");
    let [a, b] = &curve.equation.coefficients;
    // y² + xy = x³ + a x² + b
    let is_on = |x: &BigUint, y: &BigUint| {
        let square = f.square(x);
        f.square(y) ^ f.multiply(x, y) == f.multiply(&square, x) ^ f.multiply(a, &square) ^ b
    };
    let pairs = (0..size).flat_map(|x| (0..size).map(move |y| (x.into(), y.into())));
    let points: Vec<BigUint> =
        pairs.filter(|(x, y)| is_on(x, y)).map(|pair| curve.packed(&Some(pair))).chain([curve.packed(&None)]).collect();
    assert_eq!(points.len(), 22);
    let pairs: Vec<(u32, &BigUint)> = points.iter().flat_map(|p| (0..=23).map(move |k| (k, p))).collect();
    for (sets, sliced) in SETS.iter().flat_map(|sets| [(*sets, false), (*sets, true)]) {
        let engine = engine(text, sets, sliced);
        let scalars = engine.scalars(&pairs.iter().map(|(k, _)| (*k).into()).collect::<Vec<_>>());
        let given: Vec<BigUint> = pairs.iter().map(|(_, p)| (*p).clone()).collect();
        let array = engine.from_numbers(Holds::Part(Part::Points), &given).expect("points");
        let out = engine.compute(&Operation::SCALAR_MUL, &[(&scalars).into(), (&array).into()]).expect("multiples");
        for ((k, p), got) in pairs.iter().zip(engine.to_numbers(Holds::Element, &out).expect("points")) {
            assert_eq!(got, curve.scale(&(*k).into(), p), "{k} times {p:?} in {engine:?}");
        }
    }
}

/// The form that is taken, and why.
#[test]
fn the_choice_says_what_was_weighed() {
    let text = "curve:y^2+xy=x^3+x^2+1@GF(2)[x]/(x^5+x^2+1),base=[8,23],order=11,cofactor=2";
    let field = Field::parse(text).expect("a curve");
    let lanes = evariste_backend::found(evariste_backend::Kind::has_lanes, None);
    if lanes.is_empty() {
        evariste_testing::lacks_feature("two forms of coordinates", "vectors");
        return;
    }
    let options = Options { forget: true, threads: 1, ..Options::default() };
    let says = |options: Options| {
        let engine = Structured::with(&field, options).expect("an engine");
        engine.describe(&Operation::LADDER).expect("a ladder")
    };
    let [tables, here] = [false, true].map(|measured| says(Options { measured, ..options.clone() }));
    assert!(tables.contains("bit-sliced in") && tables.contains("cycles a point"), "{tables}");
    assert!(here.contains("measured here: ") && here.contains("bit-sliced in"), "{here}");
    assert!(!says(Options { sliced: true, ..options.clone() }).contains("whole words in"));
    // Lanes that no element fills are computed too: what few elements take is the form of few lanes.
    let of = |elements| Options { elements, ..options.clone() };
    let lanes = |elements| Structured::with(&field, of(elements)).expect("an engine").ground().lanes();
    let (one, many) = (lanes(1), lanes(1 << 12));
    assert!(one < many || !tables.contains("whole words in"), "{one} lanes of one element, {many} of many: {tables}");
    assert!(says(of(1)).contains("in arrays of 1"), "{}", says(of(1)));
}
