//! Curves: known answers, every pair of points of toy curves, the group law by two ways, what texts mean.

use evariste_descriptions::kinds::KINDS;
use evariste_descriptions::prime::is_prime;
use evariste_descriptions::{Curve, CurveShape, Field, Modulus, Part, Structure, named_curves};
use evariste_testing::Random;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use serde_json::Value;

fn curve(text: &str) -> Curve {
    let field = Field::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    field.get::<Curve>().unwrap_or_else(|| panic!("{text} is no curve")).clone()
}

fn point(curve: &Curve, text: &str) -> BigUint {
    curve.read(text, 0..text.len()).expect("points").unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The group law a second time.
fn again(curve: &Curve) -> Box<dyn Structure> {
    let kind = KINDS.iter().find(|kind| kind.example == "curve:p256").expect("a kind");
    (kind.again.expect("a second time"))(&Field::new(curve.clone()))
}

/// A number of the vectors, with or without 0x.
fn number(value: &Value) -> BigUint {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    BigUint::parse_bytes(text.trim_start_matches("0x").as_bytes(), 16).unwrap_or_else(|| panic!("{text}"))
}

/// A coordinate of the vectors as text: a number, or a list of two.
fn coordinate(value: &Value) -> String {
    match value.as_array() {
        Some(parts) => format!("[{}]", parts.iter().map(coordinate).collect::<Vec<_>>().join(",")),
        None => format!("{:#x}", number(value)),
    }
}

fn of_json(curve: &Curve, value: &Value) -> BigUint {
    point(curve, &format!("[{}, {}]", coordinate(&value["x"]), coordinate(&value["y"])))
}

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../vectors/curves.json")).expect("JSON")
}

fn binary_vectors() -> Value {
    serde_json::from_str(include_str!("../../../vectors/binary-curves.json")).expect("JSON")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn named_curves_are_what_they_say() {
    for named in named_curves() {
        let curve = curve(&format!("curve:{}", named.name));
        assert_eq!(curve.text(), format!("curve:{}", named.name));
        for alias in named.aliases {
            assert_eq!(self::curve(&format!("Curve:{}", alias.to_uppercase())), curve, "{alias}");
        }
        let (x, y) = curve.base.clone().expect("a base point");
        assert!(curve.equation.holds(&x, &y), "{}", named.name);
        let (order, cofactor) = (curve.order.clone().expect("an order"), curve.cofactor.clone().expect("a cofactor"));
        assert_eq!(is_prime(&order), named.prime, "{}", named.name);
        assert_eq!(curve.scale_base(&order), Some(curve.one()), "{}", named.name);
        // As few points over the order as there are by Hasse.
        let (points, middle) = (&order * &cofactor, curve.field().order() + 1u32);
        let apart = if points > middle { &points - &middle } else { &middle - &points };
        assert!(&apart * &apart <= curve.field().order() * 4u32, "{}", named.name);
        // The text by coefficients is checked, and is the same curve where the order is prime.
        let text = format!("curve:{}@{}", curve.equation.text(), named.field);
        assert_eq!(self::curve(&text), curve, "{text}");
        let base = curve.written(&curve.generator().expect("a base point")).expect("a text");
        if named.prime {
            let text = format!("{text}, base={base}, order={order}, cofactor={cofactor}");
            assert_eq!(self::curve(&text), curve, "{text}");
        }
    }
    assert_eq!(named_curves().len(), 16 + 52);
}

#[test]
fn no_curve_has_two_entries() {
    let mut all: Vec<&str> = named_curves().iter().flat_map(|n| n.aliases.iter().copied().chain([n.name])).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn known_multiples() {
    let mut tried = 0;
    for entry in list(&vectors()["curves"]) {
        let name = entry["name"].as_str().expect("a name");
        for vector in list(&entry["scalar_mult_base"]) {
            let curve = curve(&format!("curve:{name}"));
            let k = number(&vector["k"]);
            let expected = if vector["x"].is_null() { curve.one() } else { of_json(&curve, vector) };
            assert_eq!(curve.scale_base(&k), Some(expected), "{name}: {k}");
            tried += 1;
        }
        for (group, vectors, at) in [("g1", "scalar_mult_g1", "P"), ("g2", "scalar_mult_g2", "Q")] {
            let vectors = list(&entry[vectors]);
            if vectors.is_empty() {
                continue;
            }
            let curve = curve(&format!("curve:{name}-{group}"));
            for vector in vectors {
                let k = number(&vector["k"]);
                assert_eq!(curve.scale_base(&k), Some(of_json(&curve, &vector[at])), "{name}-{group}: {k}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 6 * 9 + 16, "{tried}");
}

#[test]
fn known_multiples_on_binary_curves_and_where_the_ladder_ends() {
    let vectors = binary_vectors();
    let entries = list(&vectors["curves"]);
    assert_eq!(entries.len(), 52);
    std::thread::scope(|scope| {
        for start in 0..2 {
            scope.spawn(move || entries.iter().skip(start).step_by(2).for_each(binary_curve));
        }
    });
}

/// A curve of the vectors with its 8 multiples.
fn binary_curve(entry: &Value) {
    let name = entry["name"].as_str().expect("a name");
    let curve = curve(&format!("curve:{name}"));
    let [a, b] = &curve.equation.coefficients;
    assert_eq!((a, b), (&number(&entry["a"]), &number(&entry["b"])), "{name}");
    assert_eq!(curve.generator(), Some(of_json(&curve, &entry["generator"])), "{name}");
    assert_eq!(curve.order, Some(number(&entry["order"])), "{name}");
    for alias in list(&entry["aliases"]).iter().filter_map(Value::as_str).filter(|alias| !alias.contains('(')) {
        assert_eq!(self::curve(&format!("curve:{alias}")), curve);
    }
    let x = curve.base.as_ref().expect("a base point").0.clone();
    for vector in list(&entry["scalar_vectors"]) {
        let k = number(&vector["k"]);
        let expected = of_json(&curve, vector);
        assert_eq!(curve.scale_base(&k), Some(expected.clone()), "{name}: {k}");
        assert_eq!(curve.ladder(&k, &x), curve.unpacked(&expected).map(|(x, _)| x), "{name}: {k}");
        if let Some(bits) = vector["ladder_bits"].as_u64() {
            let [(x0, z0), (x1, z1)] = curve.equation.rungs(&k, bits, &x).expect("a ladder");
            let ends = &vector["ladder_final"];
            for (own, name) in [(x0, "X0"), (z0, "Z0"), (x1, "X1"), (z1, "Z1")] {
                assert_eq!(own, number(&ends[name]), "{name}");
            }
        }
    }
    let vectors = list(&entry["scalar_vectors"]);
    assert!(vectors.len() == 8 && vectors.last().is_some_and(|v| v["ladder_bits"].is_u64()), "{name}");
}

/// The little-endian number of RFC 7748.
fn little(value: &Value) -> BigUint {
    let text = value.as_str().expect("hexadecimal digits");
    let bytes: Option<Vec<u8>> =
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()).collect();
    BigUint::from_bytes_le(&bytes.expect("bytes"))
}

#[test]
fn rfc_7748() {
    let vectors = vectors();
    let mut tried = 0;
    for (name, function) in [("25519", "x25519"), ("448", "x448")] {
        let curve = curve(&format!("curve:{name}"));
        let entry = list(&vectors["curves"]).iter().find(|entry| entry["name"] == format!("Curve{name}"));
        let entry = &entry.expect("an entry")["rfc7748"];
        let run = |k: &BigUint, u: &BigUint| {
            let text = u.to_string();
            let u = curve.part(Part::Abscissae).and_then(|part| part.read(&text, 0..text.len())).expect("a ladder");
            curve.clamped_ladder(k, &u.expect("a number")).expect("a ladder")
        };
        for vector in list(&entry[function]) {
            assert_eq!(run(&little(&vector["k"]), &little(&vector["u"])), little(&vector["out"]), "{vector}");
            tried += 1;
        }
        if let Some(iterated) = entry[format!("{function}_iterated")].as_object() {
            let nine = BigUint::from(9u32);
            let (mut k, mut u) = (nine.clone(), nine);
            for round in 1..=1000u32 {
                (k, u) = (run(&k, &u), k);
                if let Some(expected) = iterated.get(&round.to_string()) {
                    assert_eq!(k, little(expected), "{round}");
                    tried += 1;
                }
            }
        }
        // The ladder and the group agree on the first coordinate.
        for k in [1u32, 2, 3, 1000, 0xffff_ffff] {
            let multiple = curve.scale_base(&k.into()).expect("a base point");
            let x = curve.unpacked(&multiple).map(|(x, _)| x);
            assert_eq!(curve.ladder(&k.into(), &curve.base.as_ref().expect("a base point").0), x);
        }
    }
    assert_eq!(tried, 2 + 2 + 1);
}

/// Montgomery and Edwards curves of one field are the same group: `u = (1 + y)/(1 − y)`.
#[test]
fn edwards25519_is_curve25519() {
    let (edwards, montgomery) = (curve("curve:ed25519"), curve("curve:25519"));
    let field = edwards.field().get::<Modulus>().expect("a modulus").clone();
    for k in [1u32, 2, 5, 77, 1_000_003] {
        let (_, y) = edwards.unpacked(&edwards.scale_base(&k.into()).expect("a base point")).expect("affine");
        let (u, _) = montgomery.unpacked(&montgomery.scale_base(&k.into()).expect("a base point")).expect("affine");
        let one = BigUint::one();
        assert_eq!(field.mul(&u, &field.sub(&one, &y)), field.add(&one, &y), "{k}");
    }
}

#[test]
fn texts_parse_back() {
    for (given, text) in [
        ("Curve: P-256 ", "curve:p256"),
        ("curve:y^2 = x^3 - 3x + 7 @ p256", "curve:y^2=x^3-3*x+7@p256"),
        ("curve:0=x^3+7-y*y@secp256k1", "curve:secp256k1"),
        ("curve:y^2=x^3-x@7", "curve:y^2=x^3-x@7"),
        ("curve:2y^2=x^3+3x^2+x@13", "curve:2*y^2=x^3+3*x^2+x@13"),
        ("curve:-x^2+y^2=1+2x^2*y^2@13", "curve:-x^2+y^2=1+2*x^2*y^2@13"),
        ("curve:y^2=x^3+(1+u)x-(2u)@7[u]/(u^2+1)", "curve:y^2=x^3+(1+u)*x-2*u@7[u]/(u^2+1)"),
        ("curve:y^2+xy=x^3+x^2+7@GF(2^8)", "curve:y^2+x*y=x^3+x^2+7@GF(2)[x]/(x^8+x^4+x^3+x+1)"),
        (
            "curve:y^2=x^3+2x+3@97,cofactor=20 , order = 5, base = [3,6]",
            "curve:y^2=x^3+2*x+3@97,base=[0x3,0x6],order=0x5,cofactor=0x14",
        ),
    ] {
        let curve = curve(given);
        assert_eq!(self::curve(&curve.text()), curve, "{given}");
        assert_eq!(curve.text(), text);
    }
}

/// Mutated texts of elements: no panic, and what is understood is an element that is written and read back.
#[test]
fn mutated_elements() {
    let structures =
        ["curve:p256", "curve:bls12-381-g2", "curve:sect163k1", "curve:ed25519", "bls12-381-fp6", "pairing:bn254"]
            .map(|text| Field::parse(text).expect("a description"));
    let mut random = Random(0x6576_6172);
    let pieces = ["[", "]", ",", " ", "-", "0x", "1", "2^", "inf", "é", "u", "(", "9"];
    let (mut understood, mut refused) = (0, 0);
    for round in 0..20_000 {
        let structure = &structures[round % structures.len()];
        let element = structure.generator().unwrap_or_else(|| structure.one());
        let mut text: Vec<char> = structure.written(&element).expect("a text").chars().collect();
        for _ in 0..random.index(4) {
            let at = random.index(text.len() + 1);
            let end = (at + random.index(80)).min(text.len());
            match random.index(3) {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..end, [])),
                _ => drop(text.splice(at..at, random.pick(&pieces).chars())),
            }
        }
        let text: String = text.into_iter().collect();
        assert!((1..=2).contains(&structure.texts(&text)));
        match structure.read(&text, 0..text.len()).expect("elements have texts") {
            Ok(element) => {
                understood += 1;
                let written = structure.written(&element).expect("a text");
                assert_eq!(structure.read(&written, 0..written.len()), Some(Ok(element.clone())), "{text:?}");
                assert_eq!(structure.element(&element.clone().into()), Some(element), "{text:?}");
            }
            Err(error) => {
                refused += 1;
                assert!(text.get(error.span.clone()).is_some() && !error.help.is_empty(), "{text:?}: {error}");
            }
        }
    }
    assert!(understood > 1000 && refused > 1000, "{understood} understood, {refused} refused");
}

/// Every point of a curve over a small field, by its equation.
fn points(curve: &Curve) -> Vec<BigUint> {
    let q = u32::try_from(curve.field().order()).expect("small");
    let mut all: Vec<BigUint> =
        (curve.equation.shape != CurveShape::Edwards).then(|| curve.one()).into_iter().collect();
    let affine = (0..q).flat_map(|x| (0..q).map(move |y| (BigUint::from(x), BigUint::from(y))));
    all.extend(affine.filter(|(x, y)| curve.equation.holds(x, y)).map(|point| curve.packed(&Some(point))));
    all
}

/// The group laws for every pair of points, and for every triple where it has few; sums by two ways.
fn is_a_group(curve: &Curve) -> usize {
    let (mut points, again, name) = (points(curve), again(curve), curve.text());
    points.sort_unstable();
    let zero = curve.one();
    let add = |a: &BigUint, b: &BigUint| Structure::add(curve, a, b).expect("sums");
    let place = |a: &BigUint| points.binary_search(a).unwrap_or_else(|_| panic!("{name}: {a} is not on it"));
    let table: Vec<Vec<usize>> = points.iter().map(|a| points.iter().map(|b| place(&add(a, b))).collect()).collect();
    let neutral = place(&zero);
    for (i, a) in points.iter().enumerate() {
        let opposite = curve.negate(a).expect("opposites");
        assert_eq!(again.negate(a), Some(opposite.clone()), "{name}: {a}");
        assert_eq!((table[i][neutral], table[i][place(&opposite)]), (i, neutral), "{name}: {a}");
        assert_eq!(curve.scale(&points.len().into(), a), zero, "{name}: {a}");
        assert_eq!(curve.element(&a.clone().into()), Some(a.clone()));
        let text = curve.written(a).expect("a text");
        assert_eq!(point(curve, &text), *a, "{name}: {text}");
        for (j, b) in points.iter().enumerate() {
            assert_eq!(table[i][j], table[j][i], "{name}: {a}, {b}");
            assert_eq!(again.add(a, b).as_ref(), Some(&points[table[i][j]]), "{name}: {a}, {b}");
            for k in 0..points.len() {
                assert_eq!(table[table[i][j]][k], table[i][table[j][k]], "{name}: {a}, {b}, {}", points[k]);
            }
        }
    }
    points.len()
}

/// The curve, or nothing where it is singular.
fn regular(text: &str) -> Option<Curve> {
    match Field::parse(text) {
        Ok(field) => field.get::<Curve>().cloned(),
        Err(error) => {
            assert!(error.message.starts_with("this is no curve: "), "{text}\n{error}");
            None
        }
    }
}

#[test]
fn every_pair_of_points_of_every_toy_curve() {
    let mut counted = [0usize; 5];
    // Every curve up to 7, then some.
    for (p, step) in [(3u32, 1usize), (5, 1), (7, 1), (11, 5), (13, 11), (17, 31), (31, 241)] {
        let pairs: Vec<(u32, u32)> = (0..p).flat_map(|a| (0..p).map(move |b| (a, b))).collect();
        for (a, b) in pairs.iter().step_by(step) {
            if let Some(curve) = regular(&format!("curve:y^2=x^3+{a}x+{b}@{p}")) {
                assert_eq!(curve.equation.shape, CurveShape::Weierstrass);
                is_a_group(&curve);
                counted[0] += 1;
            }
        }
        for (a, b) in pairs.iter().skip(1).step_by(step).filter(|(a, b)| *a > 0 && *b > 0) {
            if let Some(curve) = regular(&format!("curve:{b}y^2=x^3+{a}x^2+x@{p}")) {
                assert_eq!(curve.equation.shape, CurveShape::Montgomery);
                is_a_group(&curve);
                counted[1] += 1;
            }
            if let Some(curve) = regular(&format!("curve:{a}x^2+y^2=1+{b}x^2y^2@{p}")) {
                assert_eq!(curve.equation.shape, CurveShape::Edwards);
                is_a_group(&curve);
                counted[2] += 1;
            }
        }
    }
    for m in 2..=5u32 {
        let q = 1 << m;
        let pairs: Vec<(u32, u32)> = (0..q).flat_map(|a| (1..q).map(move |b| (a, b))).collect();
        for (a, b) in pairs.iter().step_by(if m < 4 { 1 } else { 7 * (m as usize - 3).pow(3) }) {
            let text = format!("curve:y^2+xy=x^3+{a}x^2+{b}@GF(2^{m})");
            is_a_group(&regular(&text).unwrap_or_else(|| panic!("{text}")));
            counted[3] += 1;
        }
    }
    for (a, b) in (0..9u32).flat_map(|a| (0..9u32).map(move |b| (a, b))).step_by(4) {
        let text = format!("curve:y^2=x^3+({}+{}u)x+({}+{}u)@3[u]/(u^2+1)", a % 3, a / 3, b % 3, b / 3);
        if let Some(curve) = regular(&text) {
            is_a_group_over_a_tower(&curve);
            counted[4] += 1;
        }
    }
    assert!(counted.iter().all(|n| *n >= 12), "{counted:?}");
}

/// The same over a tower, whose elements are no consecutive numbers: closure, order and opposites.
fn is_a_group_over_a_tower(curve: &Curve) {
    let number = |n: u32| BigUint::from(n % 3 + (n / 3 << 2));
    let all = (0..9u32).flat_map(|x| (0..9u32).map(move |y| (number(x), number(y))));
    let affine = all.filter(|(x, y)| curve.equation.holds(x, y)).map(|point| curve.packed(&Some(point)));
    let points: Vec<BigUint> = affine.chain([BigUint::zero()]).collect();
    let again = again(curve);
    for a in &points {
        assert_eq!(curve.scale(&points.len().into(), a), BigUint::zero(), "{}: {a}", curve.text());
        for b in &points {
            let sum = Structure::add(curve, a, b).expect("sums");
            assert!(points.contains(&sum));
            assert_eq!(again.add(a, b), Some(sum));
        }
    }
}

/// Multiples of a toy point, by the ladder and by sums one by one.
#[test]
fn ladders_on_every_point_of_toy_curves() {
    let mut tried = 0;
    for text in [
        "curve:y^2=x^3+3x^2+x@13",
        "curve:2y^2=x^3+4x^2+x@17",
        "curve:y^2+xy=x^3+x^2+3@GF(2^4)",
        "curve:y^2+xy=x^3+7@GF(2^5)",
    ] {
        let curve = curve(text);
        for a in points(&curve) {
            let Some((x, _)) = curve.unpacked(&a).filter(|(x, _)| !x.is_zero()) else { continue };
            let mut multiple = curve.one();
            for k in 0..70u32 {
                let expected = curve.unpacked(&multiple).map_or_else(BigUint::zero, |(x, _)| x);
                assert_eq!(curve.ladder(&k.into(), &x), Some(expected), "{text}: {k} times {a}");
                assert_eq!(curve.scale(&k.into(), &a), multiple);
                multiple = Structure::add(&curve, &multiple, &a).expect("sums");
                tried += 1;
            }
        }
    }
    assert!(tried > 2000, "{tried}");
}

/// Sums on real curves by two ways, special points among them.
#[test]
fn two_ways_agree() {
    let mut random = Random(5);
    for named in named_curves() {
        let curve = curve(&format!("curve:{}", named.name));
        let again = again(&curve);
        let base = curve.generator().expect("a base point");
        let any = curve.scale(&random.word().into(), &base);
        let points = [curve.one(), base.clone(), curve.negate(&base).expect("opposites"), curve.double(&base), any];
        for a in &points {
            assert_eq!(curve.negate(a), again.negate(a), "{}", named.name);
            for b in &points {
                assert_eq!(Structure::add(&curve, a, b), again.add(a, b), "{}: {a:#x}, {b:#x}", named.name);
            }
        }
    }
}
