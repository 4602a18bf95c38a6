//! Arrays of towers' elements, of points and for pairings, against the exact arithmetic of `descriptions`: on vectors of
//! each width, in scalar code and in the interpreter, of toy fields and real ones.

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_array::{BigUint, Operand, Options, Scalars, Structured, StructuredArray};
use evariste_descriptions::{Curve, Field, Pairing, Part, Tower};
use evariste_testing::Random;

/// Numbers of what an operand holds.
fn numbers(field: &Field, holds: Holds, len: usize, rng: &mut Random) -> Vec<BigUint> {
    let any = |rng: &mut Random, bits: u64| {
        (0..bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + rng.word())
            >> (bits.next_multiple_of(64) - bits)
    };
    let point = |curve: &Curve, i: usize, rng: &mut Random| {
        let order = curve.order.clone().unwrap_or_default();
        // The neutral element, the base point and its opposite are among them.
        let k = match i % 5 {
            0 => BigUint::ZERO,
            1 => 1u32.into(),
            2 => order - 1u32,
            _ => BigUint::from(rng.word() % 1000),
        };
        curve.scale_base(&k).expect("a base point")
    };
    let element = |tower: &Tower, i: usize, rng: &mut Random| {
        let p = &tower.base.value;
        let one = |c: usize, rng: &mut Random| match (i + c) % 4 {
            0 if i < 4 => BigUint::ZERO,
            1 if i < 4 => p - 1u32,
            _ => any(rng, tower.base.bits.into()) % p,
        };
        let all: Vec<BigUint> = (0..tower.degree()).map(|c| if i == 0 { BigUint::ZERO } else { one(c, rng) }).collect();
        tower.packed(&all)
    };
    let one = |i: usize, rng: &mut Random| {
        if let Some(tower) = field.get::<Tower>() {
            return element(tower, i, rng);
        }
        if let Some(pairing) = field.get::<Pairing>() {
            return match holds {
                Holds::Part(Part::First) => point(&pairing.first, i, rng),
                Holds::Part(Part::Second) => point(&pairing.second, i + 3, rng),
                _ => element(&pairing.target, i + 1, rng),
            };
        }
        let curve = field.get::<Curve>().expect("a curve");
        match holds {
            Holds::Part(Part::Scalars) => match i {
                0 => BigUint::ZERO,
                1 => curve.order.clone().unwrap_or_default() - 1u32,
                2 => curve.order.clone().unwrap_or_default(),
                _ => any(rng, curve.field().bits().into()) % curve.order.clone().unwrap_or_default(),
            },
            Holds::Part(Part::Abscissae) => any(rng, curve.field().bits().into()) % curve.field().order(),
            _ => point(curve, i, rng),
        }
    };
    (0..len).map(|i| one(i, rng)).collect()
}

enum Given {
    Elements(StructuredArray),
    Scalars(Scalars),
}

/// One operation on arrays of that length, of which `constant` says whether the first operand is one for all.
fn check(engine: &Structured, operation: &Operation, len: usize, constant: bool, rng: &mut Random) {
    let field = engine.field();
    let row = operation.row();
    let lengths = |at: usize| if constant && at == 0 { 1 } else { len };
    let given: Vec<Vec<BigUint>> =
        row.inputs.iter().enumerate().map(|(at, slot)| numbers(field, slot.holds, lengths(at), rng)).collect();
    let arrays: Vec<Given> = row
        .inputs
        .iter()
        .zip(&given)
        .map(|(slot, numbers)| match slot.holds {
            Holds::Part(Part::Scalars) => Given::Scalars(engine.scalars(numbers)),
            holds => {
                let mut array = engine.from_numbers(holds, numbers).expect("an array");
                array.spoil(|| rng.word() >> 13);
                Given::Elements(array)
            }
        })
        .collect();
    let operands: Vec<Operand> = arrays
        .iter()
        .map(|given| match given {
            Given::Elements(array) => array.into(),
            Given::Scalars(scalars) => scalars.into(),
        })
        .collect();
    let out = engine.compute(operation, &operands).unwrap_or_else(|e| panic!("{operation:?} of {engine:?}: {e}"));
    let out = engine.to_numbers(row.outputs[0].holds, &out).expect("numbers");
    assert_eq!(out.len(), if constant && given.len() == 1 { 1 } else { len });
    for (i, got) in out.iter().enumerate() {
        let operands: Vec<BigUint> = given.iter().map(|all| all[if all.len() == 1 { 0 } else { i }].clone()).collect();
        let wanted = (row.meaning)(&**field, &BigUint::ZERO, &operands).expect("a result");
        let counts = |x: &BigUint| row.counts.map_or_else(|| x.clone(), |c| c(&**field, x).expect("what counts"));
        assert_eq!(counts(got), counts(&wanted), "{} of element {i} of {len} in {engine:?}", operation.name());
    }
}

fn options(sets: Option<&str>) -> Options {
    Options { features: sets.map(str::to_owned), forget: true, threads: 1, ..Options::default() }
}

/// Sets of instructions: the widest vectors, those without products of 52 bits, of 256 bits, scalar code.
const SETS: [Option<&str>; 4] =
    [None, Some("bmi2+adx+avx2+fma+avx512+vbmi2"), Some("bmi2+adx+avx2+fma"), Some("baseline")];

fn engine(text: &str, options: Options) -> Structured {
    Structured::with(&Field::parse(text).expect("a description"), options).expect("an engine")
}

/// These sets of [`SETS`], by their places.
fn among(places: &[usize]) -> impl Iterator<Item = Option<&'static str>> {
    places.iter().map(|at| SETS[*at])
}

#[test]
fn towers() {
    // Real towers of few floors on all vectors, a long product on the widest: exact arithmetic takes most of the time.
    let all: [(&str, &[usize]); 7] = [
        ("13[u]/(u^2-2)", &[0, 1, 2, 3]),
        ("5[w]/(w^2-w+1)[x]/(x^4-(1+w))", &[0, 2]),
        ("7[z]/(z^4+z^3+z^2+z+1)", &[1, 3]),
        ("bn254-fp2[x]/(x^6-(9+u))", &[0]),
        ("bls12-381-fp2", &[0, 1, 2, 3]),
        ("bn254-fp6", &[0, 2]),
        ("bls12-381-fp12", &[0]),
    ];
    for (text, places) in all {
        for sets in among(places) {
            let (engine, mut rng) = (engine(text, options(sets)), Random(7));
            let all: Vec<Operation> = engine.operations().cloned().collect();
            assert!(all.contains(&Operation::MUL) && all.contains(&Operation::INVERSE), "{all:?}");
            for operation in &all {
                for len in [0, 1, 9] {
                    check(&engine, operation, len, false, &mut rng);
                }
                check(&engine, operation, 3, true, &mut rng);
            }
            check(&engine, &Operation::MUL, 67, false, &mut rng);
        }
    }
}

/// Many inverses share an inversion: zeros anywhere among them, lengths that make whole blocks and that do not, and what a
/// range of an array holds.
#[test]
fn inverses_share_inversions() {
    let whole = |text| engine(text, Options { whole: true, ..options(SETS[2]) });
    let usual = |text, places: [usize; 2]| places.map(|at| engine(text, options(SETS[at])));
    let engines = [usual("13[u]/(u^2-2)", [0, 2]), usual("bls12-381-fp2", [0, 3])].concat();
    for engine in engines.iter().chain(&[engine("bn254-fp6", options(None)), whole("bls12-381-fp2")]) {
        let (field, mut rng) = (engine.field(), Random(29));
        for len in [127, 1300, 2048] {
            let mut given = numbers(field, Holds::Element, len, &mut rng);
            given.iter_mut().skip(5).step_by(11).for_each(|x| *x = BigUint::ZERO);
            let mut a = engine.from_numbers(Holds::Element, &given).expect("elements");
            a.spoil(|| rng.word() >> 13);
            let inverses = engine.compute(&Operation::INVERSE, &[(&a).into()]).expect("inverses");
            let products = engine.compute(&Operation::MUL, &[(&a).into(), (&inverses).into()]).expect("products");
            let products = engine.to_numbers(Holds::Element, &products).expect("numbers");
            let zeros = engine.is_zero(&inverses).expect("flags");
            for (i, x) in given.iter().enumerate() {
                let wanted = if *x == BigUint::ZERO { BigUint::ZERO } else { field.one() };
                assert_eq!((&products[i], zeros[i]), (&wanted, wanted == BigUint::ZERO), "{i} of {len} in {engine:?}");
            }
            let job = engine.job(&Operation::INVERSE, &[(&a).into()]).expect("a job");
            let (mut parts, middle) = (job.room(), len / 64 * 32);
            job.run(&mut parts, middle..len).and_then(|()| job.run(&mut parts, 0..middle)).expect("inverses");
            assert!(engine.equal(&parts, &inverses).expect("flags").iter().all(|same| *same), "{len} in {engine:?}");
        }
    }
}

/// Elements one by one in whole words, as scalar code has them, which short vectors may lose to.
#[test]
fn towers_in_whole_words() {
    for (text, sets) in [("bls12-381-fp2", None), ("bn254-fp6", SETS[2]), ("448[u]/(u^2+1)", SETS[3])] {
        let (engine, mut rng) = (engine(text, Options { whole: true, ..options(sets) }), Random(19));
        let ground = engine.ground();
        if !ground.layout().saturated() {
            evariste_testing::lacks_feature("towers in whole words", "scalar machine code");
            return;
        }
        assert_eq!(ground.lanes(), 1, "{engine:?}");
        let all: Vec<Operation> = engine.operations().cloned().collect();
        assert!(all.contains(&Operation::MUL) && all.contains(&Operation::INVERSE), "{all:?}");
        for operation in &all {
            check(&engine, operation, 9, false, &mut rng);
            check(&engine, operation, 2, true, &mut rng);
        }
        let p = ground.field().order();
        for refused in [p.clone(), &p + 1u32, (BigUint::from(1u32) << (64 * ground.words_per_element())) - 1u32] {
            let mut words = vec![1; ground.words_per_element()];
            words.extend(
                (0..ground.words_per_element()).map(|i| (&refused >> (64 * i)).iter_u64_digits().next().unwrap_or(0)),
            );
            let why = ground.from_words(&words).expect_err("a refusal").to_string();
            assert!(why.contains("element 1"), "{why}");
        }
        // The prime field's own arrays are of the same form.
        let x = [BigUint::ZERO, 1u32.into(), &p - 1u32, &p >> 1];
        let a = ground.from_integers(&x).expect("elements");
        let product = ground.mul_add(&a, &a, &a).and_then(|a| ground.to_integers(&a)).expect("products");
        assert_eq!(product, x.each_ref().map(|x| (x * x + x) % &p));
        let inverse = ground.inverse(&a).and_then(|b| ground.mul(&a, &b)).and_then(|a| ground.to_integers(&a));
        assert_eq!(inverse.expect("inverses"), [0u32, 1, 1, 1].map(BigUint::from));
        let numbers = numbers(engine.field(), Holds::Element, 5, &mut rng);
        let b = engine.from_numbers(Holds::Element, &numbers).expect("elements");
        assert_eq!(engine.is_zero(&b).expect("flags"), numbers.iter().map(|x| *x == BigUint::ZERO).collect::<Vec<_>>());
        assert_eq!(engine.equal(&b, &b).expect("flags"), [true; 5]);
    }
}

/// On short vectors both forms are compared, by time or by a core's table, and `describe` says how.
#[test]
fn forms_of_towers_are_compared() {
    for (measured, unit) in [(false, "cycles a product"), (true, "ns a product")] {
        let engine = engine("bn254-fp2", Options { measured, ..options(SETS[2]) });
        let how = engine.describe(&Operation::MUL).expect("code");
        assert!(how.contains(" one by one: ") && how.contains(unit), "{how}");
        check(&engine, &Operation::MUL, 9, false, &mut Random(23));
    }
}

#[test]
fn interpreted_towers_have_the_same_digits() {
    let field = Field::parse("bls12-381-fp2").expect("a description");
    let ways = [options(None), Options { interpreted: true, ..options(None) }];
    let results = ways.map(|options| {
        let engine = Structured::with(&field, options).expect("an engine");
        let x = numbers(&field, Holds::Element, 5, &mut Random(3));
        let a = engine.from_numbers(Holds::Element, &x).expect("an array");
        let product = engine.compute(&Operation::MUL, &[(&a).into(), (&a).into()]).expect("a product");
        let digits = |c| (0..5).map(|i| engine.coordinate(&product, c).expect("one").digits(i).expect("one")).collect();
        let numbers = engine.to_numbers(Holds::Element, &product).expect("numbers");
        (numbers, engine.ground().layout().clone(), [0, 1].map(digits) as [Vec<Vec<u64>>; 2])
    });
    let [(numbers, layout, digits), (others, other, own)] = results;
    assert_eq!(numbers, others);
    assert!(layout != other || digits == own, "{digits:?}, {own:?}");
}

#[test]
fn points() {
    let all: [(&str, &[usize]); 5] = [
        ("curve:p256", &[0, 2, 3]),
        ("curve:secp256k1", &[0]),
        ("curve:ed25519", &[1]),
        ("curve:25519", &[0, 2]),
        ("curve:bls12-381-g2", &[0]),
    ];
    for (text, places) in all {
        for sets in among(places) {
            let (engine, mut rng) = (engine(text, options(sets)), Random(11));
            // (Long kernels one by one have a test of their own.)
            let long = |op: &Operation| op.row().inputs.iter().any(|slot| slot.holds == Holds::Part(Part::Scalars));
            let scalar = sets == Some("baseline");
            let twice = |op: &Operation| *op == Operation::DOUBLE_SCALAR_MUL;
            let wanted = |op: &&Operation| !(twice(op) || scalar && long(op));
            for operation in engine.operations().filter(wanted).cloned().collect::<Vec<_>>() {
                check(&engine, &operation, 9, false, &mut rng);
                check(&engine, &operation, 2, true, &mut rng);
            }
        }
    }
}

/// Long operations of two groups side by side: with 16 registers always, with 32 where that was measured; what is left of
/// an array is one group.
#[test]
fn groups_side_by_side() {
    let mut rng = Random(19);
    let usual = engine("curve:25519", options(SETS[2]));
    let measured = [SETS[0], SETS[2]].map(|sets| engine("curve:25519", Options { measured: true, ..options(sets) }));
    let how = usual.describe(&Operation::LADDER).expect("code");
    let has_16_registers = usual.ground().lanes() == 4;
    assert!(how.contains("2 groups side by side") == has_16_registers, "{how}");
    for engine in [usual].iter().chain(&measured) {
        let lanes = engine.ground().lanes();
        for len in [1, lanes, lanes + 1, 2 * lanes, 3 * lanes - 1, 4 * lanes, 5 * lanes] {
            check(engine, &Operation::LADDER, len, false, &mut rng);
        }
        check(engine, &Operation::LADDER, 3 * lanes, true, &mut rng);
    }
    // A pairing is too long.
    let pairing = engine("pairing:bn254", options(SETS[2])).describe(&Operation::PAIRING_MULTIPLE).expect("code");
    assert!(!pairing.contains("side by side"), "{pairing}");
}

/// Long operations by scalar code: where there are no vectors of words, and on AVX2 what it takes less time for.
#[test]
fn long_operations_one_by_one() {
    let mut rng = Random(17);
    let checked = |engine: &Structured, operation: &Operation, unit: &str, rng: &mut Random| {
        let how = engine.describe(operation).expect("code");
        assert!(how.contains("(in lanes") && how.contains(unit), "{how}");
        check(engine, operation, 9, false, rng);
        check(engine, operation, 2, true, rng);
        how
    };
    let scalar = engine("curve:p256", options(SETS[3]));
    let how = checked(&scalar, &Operation::SCALAR_MUL, "cycles an element, estimated", &mut rng);
    assert!(how.contains(", one by one (in lanes"), "{how}");
    // What is measured may go either way.
    let short = engine("curve:bls12-381-g1", Options { measured: true, ..options(SETS[2]) });
    checked(&short, &Operation::MUL_IN_SUBGROUP, "ns an element, measured here", &mut rng);
    assert!(!short.describe(&Operation::ADD).expect("code").contains("one by one"), "short ones stay in lanes");
}

#[test]
fn pairings() {
    for (text, sets) in [("pairing:bls12-381", None), ("pairing:bn254", SETS[2])] {
        let (engine, mut rng) = (engine(text, options(sets)), Random(13));
        check(&engine, &Operation::PAIRING_MULTIPLE, 5, false, &mut rng);
        check(&engine, &Operation::MILLER, 1, false, &mut rng);
    }
}

/// Threads share the groups, and give what one does.
#[test]
fn threads() {
    let engine = engine("bls12-381-fp6", Options { threads: 2, ..options(None) });
    check(&engine, &Operation::MUL, 1001, false, &mut Random(1));
}

#[test]
fn operands_that_do_not_fit() {
    let tower = engine("bls12-381-fp2", options(None));
    let other = engine("bn254-fp2", options(None));
    let two = tower.from_numbers(Holds::Element, &[1u32, 2].map(BigUint::from)).expect("an array");
    let three = tower.from_numbers(Holds::Element, &[1u32, 2, 3].map(BigUint::from)).expect("an array");
    let foreign = other.from_numbers(Holds::Element, &[BigUint::from(1u32)]).expect("an array");
    let of = |a: &StructuredArray, b: &StructuredArray| {
        tower.compute(&Operation::MUL, &[a.into(), b.into()]).expect_err("a refusal").to_string()
    };
    assert!(of(&two, &three).contains("one array has 2 elements, the other 3"));
    assert!(of(&foreign, &two).contains("the array is of"));
    let curve = engine("curve:bls12-381-g1", options(None));
    let (long, short) = (curve.scalars(&[BigUint::from(1u32) << 600]), curve.scalars(&[BigUint::from(1u32) << 200]));
    let base = curve.from_numbers(Holds::Element, &numbers(curve.field(), Holds::Element, 2, &mut Random(1)));
    let why = curve.compute(&Operation::SCALAR_MUL, &[(&short).into(), (&two).into()]).expect_err("a refusal");
    assert!(why.to_string().contains("2 coordinates: it takes 3"), "{why}");
    let base = base.expect("points");
    let why = curve.compute(&Operation::SCALAR_MUL, &[(&long).into(), (&base).into()]).expect_err("a refusal");
    assert!(why.to_string().contains("scalar 0 has 381 bits: 256 are the most here"), "{why}");
    assert!(curve.compute(&Operation::SCALAR_MUL, &[(&short).into(), (&base).into()]).is_ok());
    let plain = Field::parse("25519").expect("a field");
    assert!(
        Structured::with(&plain, options(None)).expect_err("a refusal").to_string().contains("several coordinates")
    );
}

/// x and y of numbers that are points.
fn affine(engine: &Structured, points: &[BigUint]) -> StructuredArray {
    let curve = engine.field().get::<Curve>().expect("a curve");
    let all = points.iter().map(|point| {
        let (x, y) = curve.unpacked(point).unwrap_or_default();
        let of = |x: &BigUint| curve.field().get::<Tower>().map_or_else(|| vec![x.clone()], |tower| tower.unpacked(x));
        [of(&x), of(&y)].concat()
    });
    let all: Vec<Vec<BigUint>> = all.collect();
    let coordinate = |c: usize| {
        let own: Vec<BigUint> = all.iter().map(|point| point[c].clone()).collect();
        engine.ground().from_integers(&own).expect("elements")
    };
    let coordinates: Vec<_> = (0..all[0].len()).map(coordinate).collect();
    engine.from_coordinates(&coordinates).expect("coordinates")
}

/// Points from x and y and back, on curves over a prime field and a tower, and in Edwards form; equal points in different
/// coordinates; what is on no curve.
#[test]
fn points_from_affine_coordinates_and_back() {
    let toy = "curve:x^2+y^2=1+2*x^2*y^2@13,base=[4,4]";
    for (text, sets) in [
        ("curve:p256", SETS[0]),
        ("curve:ed25519", SETS[2]),
        ("curve:bls12-381-g2", SETS[0]),
        ("curve:secp256k1", SETS[3]),
        (toy, SETS[0]),
    ] {
        let (engine, mut rng) = (engine(text, options(sets)), Random(5));
        let curve = engine.field().get::<Curve>().expect("a curve");
        let given = if text == toy {
            (0..11u32).map(|k| curve.scale_base(&k.into()).expect("a point")).collect()
        } else {
            numbers(engine.field(), Holds::Element, 11, &mut rng)
        };
        let pairs = affine(&engine, &given);
        assert_eq!(engine.on_curve(&pairs).expect("flags"), vec![true; 11], "{text}");
        let points = engine.points(&pairs).expect("points");
        assert_eq!(engine.to_numbers(Holds::Element, &points).expect("numbers"), given, "{text}");
        // Twice a point by a sum with itself and by doubling lies in different coordinates.
        let twice = engine.compute(&Operation::DOUBLE, &[(&points).into()]).expect("points");
        let sum = engine.compute(&Operation::ADD, &[(&points).into(), (&points).into()]).expect("points");
        assert_eq!(engine.equal(&twice, &sum).expect("flags"), vec![true; 11]);
        let same: Vec<bool> = given.iter().map(|point| curve.double(point) == *point).collect();
        assert_eq!(engine.equal(&twice, &points).expect("flags"), same);
        let back = engine.affine(&twice).expect("coordinates");
        let doubled: Vec<BigUint> = given.iter().map(|point| curve.double(point)).collect();
        let numbers = |array: &StructuredArray| {
            engine
                .coordinates(array)
                .expect("all")
                .iter()
                .map(|a| engine.ground().to_integers(a).expect("numbers"))
                .collect()
        };
        let (found, wanted): (Vec<Vec<BigUint>>, Vec<Vec<BigUint>>) =
            (numbers(&back), numbers(&affine(&engine, &doubled)));
        assert_eq!(found, wanted, "{text}");
        // One more in the last coordinate: no point.
        let mut coordinates = engine.coordinates(&pairs).expect("all");
        let last = coordinates.len() - 1;
        engine.ground().add_constant_assign(&mut coordinates[last], &1u32.into()).expect("a sum");
        let off = engine.on_curve(&engine.from_coordinates(&coordinates).expect("pairs")).expect("flags");
        let wanted = coordinates[last].len();
        let exact: Vec<bool> = (0..wanted)
            .map(|i| {
                let own: Vec<BigUint> =
                    coordinates.iter().map(|a| engine.ground().to_integers(a).expect("numbers")[i].clone()).collect();
                let half = own.len() / 2;
                let of = |part: &[BigUint]| {
                    curve.field().get::<Tower>().map_or_else(|| part[0].clone(), |tower| tower.packed(part))
                };
                curve.equation.holds(&of(&own[..half]), &of(&own[half..]))
            })
            .collect();
        assert_eq!(off, exact, "{text}");
        assert!(exact.contains(&false));
    }
    let ladder = engine("curve:25519", options(None));
    assert!(ladder.neutral().expect_err("a refusal").to_string().contains("points on Edwards and Weierstrass curves"));
}

/// Where (0, 0) is a point, one of order two, the neutral element is (0, 1); pairings take it as zeros.
#[test]
fn a_point_of_order_two_is_no_neutral_element() {
    let engine = engine("curve:y^2=x^3-x@2^31-1", options(None));
    let given: Vec<BigUint> = [0, 0, 1, 0, 0, 1].map(|x: u32| x.into()).to_vec();
    let of = |at: usize| {
        let numbers: Vec<BigUint> = given.iter().skip(at).step_by(2).cloned().collect();
        engine.ground().from_integers(&numbers).expect("numbers")
    };
    let pairs = engine.from_coordinates(&[of(0), of(1)]).expect("pairs");
    assert_eq!(engine.on_curve(&pairs).expect("flags"), [true; 3]);
    let points = engine.points(&pairs).expect("points");
    let neutral =
        engine.gather(&engine.neutral().expect("one"), evariste_array::Places::Listed(&[0, 0, 0])).expect("three");
    assert_eq!(engine.equal(&points, &neutral).expect("flags"), [false, false, true]);
    let numbers = |array: &StructuredArray| -> Vec<Vec<BigUint>> {
        let all = engine.coordinates(array).expect("all");
        all.iter().map(|a| engine.ground().to_integers(a).expect("numbers")).collect()
    };
    assert_eq!(numbers(&engine.affine(&points).expect("pairs")), numbers(&pairs));
    let zeros = numbers(&engine.affine_or_zeros(&points).expect("pairs"));
    assert_eq!(zeros[1], [0u32, 0, 0].map(BigUint::from));
}

/// Ranges of a job, places, powers and comparisons of towers.
#[test]
fn ranges_places_and_powers() {
    let (engine, mut rng) = (engine("bls12-381-fp2", options(None)), Random(9));
    let given = numbers(engine.field(), Holds::Element, 40, &mut rng);
    let a = engine.from_numbers(Holds::Element, &given).expect("an array");
    let lanes = engine.ground().lanes();
    let whole = engine.compute(&Operation::SQUARE, &[(&a).into()]).expect("squares");
    let job = engine.job(&Operation::SQUARE, &[(&a).into()]).expect("a job");
    let mut parts = job.room();
    for range in [2 * lanes..job.len(), 0..2 * lanes] {
        job.run(&mut parts, range).expect("a range");
    }
    assert_eq!(engine.equal(&whole, &parts).expect("flags"), vec![true; 40]);
    if lanes > 1 {
        assert!(job.run(&mut parts, 0..1).is_err() && job.run(&mut parts, 1..40).is_err());
    }
    assert!(job.run(&mut parts, 0..80).is_err());
    let (list, mut moved) = ([3i64, 3, 39, 0], a.clone());
    let some = engine.gather(&a, evariste_array::Places::Listed(&list)).expect("some");
    let wanted: Vec<BigUint> = list.iter().map(|i| given[*i as usize].clone()).collect();
    assert_eq!(engine.to_numbers(Holds::Element, &some).expect("numbers"), wanted);
    engine.scatter(&mut moved, evariste_array::Places::Listed(&[1, 2, 5, 38]), &some).expect("moved");
    let mut exact = given.clone();
    [1, 2, 5, 38].iter().zip(&wanted).for_each(|(at, x)| exact[*at] = x.clone());
    assert_eq!(engine.to_numbers(Holds::Element, &moved).expect("numbers"), exact);
    let differ: Vec<bool> = exact.iter().zip(&given).map(|(x, y)| x == y).collect();
    assert_eq!(engine.equal(&moved, &a).expect("flags"), differ);
    let zero: Vec<bool> = given.iter().map(|x| *x == BigUint::ZERO).collect();
    assert_eq!(engine.is_zero(&a).expect("flags"), zero);
    assert!(engine.gather(&a, evariste_array::Places::Listed(&[40])).is_err());
    for exponent in [0u32, 1, 2, 15, 16, 1000] {
        let power = engine.power(&a, &exponent.into()).expect("powers");
        let wanted: Vec<BigUint> =
            given.iter().map(|x| engine.field().power(x, &exponent.into()).expect("a power")).collect();
        assert_eq!(engine.to_numbers(Holds::Element, &power).expect("numbers"), wanted, "{exponent}");
    }
}
