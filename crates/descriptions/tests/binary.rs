//! Binary fields: the multiplication by polynomials, the matrix, and the vectors agree.

use evariste_descriptions::{BinaryField, NoField, gaussian_types, has_gaussian_basis};
use num_bigint::BigUint;
use num_traits::{Num, One, Zero};
use serde_json::Value;

fn field(degree: u32) -> BinaryField {
    BinaryField::normal(degree, 2).unwrap()
}

fn number(value: &Value) -> BigUint {
    BigUint::from_str_radix(value.as_str().unwrap(), 16).unwrap()
}

/// The degrees of type 2 up to `limit`.
fn degrees(limit: u32) -> Vec<u32> {
    (2..=limit).filter(|&degree| has_gaussian_basis(degree, 2)).collect()
}

#[test]
fn vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/gnb-products.json")).unwrap();
    let bases = vectors["bases"].as_array().unwrap();
    assert_eq!(bases.len(), 62);
    let (mut products, mut others) = (0, 0);
    for basis in bases {
        let m = basis["m"].as_u64().unwrap() as u32;
        let field = BinaryField::normal(m, basis["type"].as_u64().unwrap() as u32).unwrap();
        assert_eq!(field.root_order().map(u64::from), basis["p"].as_u64());
        assert_eq!(field.matrix().iter().map(Vec::len).sum::<usize>() as u64, basis["matrix_weight"].as_u64().unwrap());
        assert_eq!(field.minimal_polynomial(), number(&basis["minimal_polynomial_of_beta"]), "degree {m}");
        // Inverses of large degrees by the reference take long; every basis has some.
        for (i, case) in basis["cases"].as_array().unwrap().iter().enumerate() {
            let a = number(&case["a"]);
            assert_eq!(field.multiply(&a, &number(&case["b"])), number(&case["product"]), "degree {m}");
            products += 1;
            if let Some(square) = case.get("a_squared") {
                assert_eq!(field.square(&a), number(square));
                others += 1;
            }
            if let Some(inverse) = case.get("a_inverse").filter(|_| m < 100 || i < 2) {
                let expected = Some(number(inverse)).filter(|_| !a.is_zero());
                assert_eq!(field.inverse(&a), expected, "degree {m}");
                others += 1;
            }
            if let Some(trace) = case.get("a_trace") {
                assert_eq!(u64::from(field.trace(&a)), trace.as_u64().unwrap());
                others += 1;
            }
            if let Some(half) = case.get("a_half_trace") {
                assert_eq!(field.half_trace(&a), Some(number(half)), "degree {m}");
                others += 1;
            }
            if case.get("a_trace").is_some() && (m < 100 || i < 2) {
                let root = case.get("root_of_z2_z_a_with_z0_0").map(number);
                assert_eq!(field.solve_quadratic(&a), root, "degree {m}");
                others += 1;
            }
        }
    }
    assert!(products >= 430 && others >= 700, "{products} products, {others} others");
}

/// The maps of the whole basis are those of its elements, one by one.
#[test]
fn maps_of_all_basis_elements() {
    let normal = (2..=24).flat_map(|m| gaussian_types(m, 6).into_iter().filter_map(move |t| BinaryField::normal(m, t)));
    let large = [BinaryField::normal(113, 2), BinaryField::standard(113), BinaryField::standard(128)];
    for field in normal.chain((2..=24).filter_map(BinaryField::standard)).chain(large.into_iter().flatten()) {
        let units: Vec<BigUint> = (0..field.degree).map(|i| BigUint::one() << i).collect();
        assert_eq!(field.traces(), units.iter().map(|a| field.trace(a)).collect::<Vec<_>>(), "{}", field.text());
        let halves: Option<Vec<BigUint>> = units.iter().map(|a| field.half_trace(a)).collect();
        assert_eq!(field.half_traces(), halves, "{}", field.text());
        let first = units.iter().find(|a| field.trace(a)).expect("an element of trace 1");
        let solvable = |a: &BigUint| if field.trace(a) { a ^ first } else { a.clone() };
        let roots: Option<Vec<BigUint>> = units.iter().map(|a| field.solve_quadratic(&solvable(a))).collect();
        assert_eq!(Some(field.quadratic()), roots, "{}", field.text());
    }
}

/// B_i·B_j is B_0·B_(j − i) rotated by i: every product of basis elements from row j − i of the matrix.
#[test]
fn the_matrix_gives_the_products_of_basis_elements() {
    for m in degrees(70).into_iter().chain([131]) {
        let field = field(m);
        let delta = field.delta();
        assert_eq!(delta.len(), m as usize);
        assert_eq!(delta[0], [1], "B_0² = B_1");
        let step = if m > 70 { 13 } else { 1 };
        for i in (0..m).step_by(step) {
            for j in 0..m {
                let mut expected = BigUint::zero();
                for w in &delta[((m + j - i) % m) as usize] {
                    expected.set_bit(u64::from((w + i) % m), true);
                }
                let product = field.multiply(&(BigUint::one() << i), &(BigUint::one() << j));
                assert_eq!(product, expected, "degree {m}: B_{i} B_{j}");
            }
        }
    }
}

/// The multiplication matrix is that of B_0's products: row j of it for even types, and for all types the first
/// coordinates of products.
#[test]
fn the_matrix_is_that_of_the_products() {
    for m in 2..24 {
        for t in gaussian_types(m, 11) {
            let field = BinaryField::normal(m, t).unwrap();
            let matrix = field.matrix();
            if t % 2 == 0 {
                assert_eq!(matrix, field.delta(), "degree {m}, type {t}");
            }
            for (i, row) in matrix.iter().enumerate() {
                for j in 0..m {
                    let product = field.multiply(&(BigUint::one() << i), &(BigUint::one() << j));
                    assert_eq!(product.bit(0), row.contains(&j), "degree {m}, type {t}: {i}, {j}");
                }
            }
        }
    }
}

#[test]
fn bases_of_one_field_are_converted() {
    for m in (2..=30).chain([131]) {
        let mut bases: Vec<BinaryField> = gaussian_types(m, if m > 20 { 4 } else { 8 })
            .into_iter()
            .filter_map(|t| BinaryField::normal(m, t))
            .collect();
        bases.push(BinaryField::standard(m).unwrap());
        let another = (1u32..)
            .map(|low| (BigUint::one() << m) + 2 * low + 1u32)
            .find_map(|f| BinaryField::polynomial(&f).ok().filter(|f| !bases.contains(f)));
        if m > 3 {
            bases.extend(another);
        }
        for from in &bases {
            for to in bases.iter().skip(usize::from(m > 100)) {
                let map = from.conversion(to).unwrap();
                let image = |x: &BigUint| {
                    (0..m).filter(|i| x.bit(u64::from(*i))).fold(BigUint::zero(), |sum, i| sum ^ &map[i as usize])
                };
                let back = to.conversion(from).unwrap();
                assert_eq!(image(&from.one()), to.one());
                let (mut a, mut b) = (from.generator(), from.generator() + 5u32 & ((BigUint::one() << m) - 1u32));
                for _ in 0..4 {
                    assert_eq!(
                        image(&from.multiply(&a, &b)),
                        to.multiply(&image(&a), &image(&b)),
                        "{} to {}",
                        from.text(),
                        to.text()
                    );
                    let there = image(&b);
                    let again = (0..m)
                        .filter(|i| there.bit(u64::from(*i)))
                        .fold(BigUint::zero(), |sum, i| sum ^ &back[i as usize]);
                    assert_eq!(again, b);
                    (a, b) = (b.clone(), from.multiply(&a, &b));
                }
            }
        }
    }
    assert_eq!(field(11).conversion(&field(9)), None);
}

#[test]
fn polynomials_that_are_no_fields() {
    let no = |f: u32| BinaryField::polynomial(&BigUint::from(f)).unwrap_err();
    assert_eq!(no(0), NoField::Degree(0));
    assert_eq!(no(3), NoField::Degree(1));
    assert_eq!(no(0b100), NoField::Factor("x".into()));
    assert_eq!(no(0b10001), NoField::Factor("x+1".into()));
    // (x² + x + 1)·(x³ + x + 1), and a square.
    assert_eq!(no(0b110001), NoField::Factor("x^2+x+1".into()));
    assert_eq!(no(0b10101), NoField::Factor("x^2+x+1".into()));
}

/// Every element and every pair of the small fields in every basis up to type 6 and as polynomials: a field with its
/// axioms, and squaring a rotation in normal bases.
#[test]
fn small_fields_exhaustively() {
    let normal = (2..=6).flat_map(|m| gaussian_types(m, 6).into_iter().filter_map(move |t| BinaryField::normal(m, t)));
    for field in normal.chain((2..=6).filter_map(BinaryField::standard)) {
        let m = field.degree;
        let one = field.one();
        let elements: Vec<BigUint> = (0..1u32 << m).map(BigUint::from).collect();
        for (n, a) in elements.iter().enumerate() {
            let rotated = (n << 1 | n >> (m - 1)) & ((1 << m) - 1);
            if field.basis_type().is_some() {
                assert_eq!(field.square(a), elements[rotated]);
                assert_eq!(field.trace(a), a.count_ones() % 2 == 1);
            }
            assert_eq!(field.multiply(a, &one), *a);
            let solves = |z: &&BigUint| !z.bit(0) && field.add(&field.square(z), z) == *a;
            assert_eq!(field.solve_quadratic(a).as_ref(), elements.iter().find(solves));
            assert_eq!(field.solve_quadratic(a).is_none(), field.trace(a));
            assert_eq!(field.square(a), field.multiply(a, a));
            let inverse = elements.iter().find(|b| field.multiply(a, b) == one);
            assert_eq!(field.inverse(a).as_ref(), inverse);
            for b in &elements {
                let product = field.multiply(a, b);
                assert_eq!(product, field.multiply(b, a));
                assert!(product.bits() <= u64::from(m));
                let c = &elements[(7 * n + 3) % elements.len()];
                assert_eq!(field.multiply(&field.add(a, c), b), field.add(&product, &field.multiply(c, b)));
                assert_eq!(field.multiply(&product, c), field.multiply(a, &field.multiply(b, c)));
            }
        }
    }
}

#[test]
fn degrees_and_types() {
    assert_eq!(
        degrees(131),
        [
            2, 3, 5, 6, 9, 11, 14, 18, 23, 26, 29, 30, 33, 35, 39, 41, 50, 51, 53, 65, 69, 74, 81, 83, 86, 89, 90, 95,
            98, 99, 105, 113, 119, 131
        ]
    );
    for (m, types) in [
        (29, vec![2, 8, 12, 18]),
        (35, vec![2, 6, 8, 12, 14, 20]),
        (131, vec![2, 6, 8, 20]),
        (163, vec![4, 16]),
        (233, vec![2, 6, 12]),
        (283, vec![6]),
        (571, vec![10, 16]),
        (8, vec![]),
        (64, vec![]),
    ] {
        assert_eq!(gaussian_types(m, 20), types, "degree {m}");
    }
    for degree in [0, 1, 4, 7, 8, 163, 601, 1025, 1031, u32::MAX] {
        assert_eq!(BinaryField::normal(degree, 2), None, "degree {degree}");
    }
    // The largest, by associativity on one triple.
    let field = field(593);
    let a = (BigUint::one() << 500u32) + 12345u32;
    let (b, c) = (&a * 77u32, &a + 1u32);
    assert_eq!(field.multiply(&field.multiply(&a, &b), &c), field.multiply(&a, &field.multiply(&b, &c)));
}

/// Bits beyond the degree are ignored.
#[test]
fn operands_are_cut_to_the_degree() {
    let field = field(11);
    let (a, b) = (BigUint::from(0x5a5u32), BigUint::from(0x3c7u32));
    let long = &a + (BigUint::from(0xabcu32) << 11u32);
    assert_eq!(field.multiply(&long, &b), field.multiply(&a, &b));
    assert_eq!(field.trace(&long), field.trace(&a));
    assert_eq!(field.inverse(&(BigUint::one() << 11u32)), None);
}
