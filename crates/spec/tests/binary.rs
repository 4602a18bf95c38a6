//! Binary fields: the multiplication by polynomials, the matrix, and the vectors agree.

use evariste_spec::{Basis, BinaryField, gaussian_types, has_gaussian_basis};
use num_bigint::BigUint;
use num_traits::{Num, One, Zero};
use serde_json::Value;

fn field(degree: u32) -> BinaryField {
    BinaryField::new(degree, Basis::OptimalNormalTwo).unwrap()
}

fn number(value: &Value) -> BigUint {
    BigUint::from_str_radix(value.as_str().unwrap(), 16).unwrap()
}

/// The degrees of type 2 up to `limit`.
fn degrees(limit: u32) -> Vec<u32> {
    (2..=limit)
        .filter(|&degree| has_gaussian_basis(degree, 2))
        .collect()
}

#[test]
fn vectors() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../vectors/gnb-products.json")).unwrap();
    let bases = vectors["bases"].as_array().unwrap();
    assert_eq!(bases.len(), 13);
    let (mut products, mut others) = (0, 0);
    for basis in bases {
        let m = basis["m"].as_u64().unwrap() as u32;
        let field = field(m);
        assert_eq!(u64::from(field.root_order()), basis["p"].as_u64().unwrap());
        assert_eq!(
            field.delta().iter().map(Vec::len).sum::<usize>() as u64,
            basis["matrix_weight"].as_u64().unwrap()
        );
        assert_eq!(
            field.minimal_polynomial(),
            number(&basis["minimal_polynomial_of_beta"]),
            "degree {m}"
        );
        for case in basis["cases"].as_array().unwrap() {
            let a = number(&case["a"]);
            assert_eq!(
                field.multiply(&a, &number(&case["b"])),
                number(&case["product"]),
                "degree {m}"
            );
            products += 1;
            if let Some(square) = case.get("a_squared") {
                assert_eq!(field.square(&a), number(square));
                others += 1;
            }
            if let Some(inverse) = case.get("a_inverse") {
                let expected = Some(number(inverse)).filter(|_| !a.is_zero());
                assert_eq!(field.inverse(&a), expected, "degree {m}");
                others += 1;
            }
            if let Some(trace) = case.get("a_trace") {
                assert_eq!(u64::from(field.trace(&a)), trace.as_u64().unwrap());
                others += 1;
            }
        }
    }
    assert!(
        products >= 90 && others >= 150,
        "{products} products, {others} others"
    );
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

/// Every element and every pair of the small fields: a field with its axioms, and squaring a rotation.
#[test]
fn small_fields_exhaustively() {
    for m in degrees(6) {
        let field = field(m);
        let one = field.one();
        let elements: Vec<BigUint> = (0..1u32 << m).map(BigUint::from).collect();
        for (n, a) in elements.iter().enumerate() {
            let rotated = (n << 1 | n >> (m - 1)) & ((1 << m) - 1);
            assert_eq!(field.square(a), elements[rotated]);
            assert_eq!(field.multiply(a, &one), *a);
            assert_eq!(field.trace(a), a.count_ones() % 2 == 1);
            let inverse = elements.iter().find(|b| field.multiply(a, b) == one);
            assert_eq!(field.inverse(a).as_ref(), inverse);
            for b in &elements {
                let product = field.multiply(a, b);
                assert_eq!(product, field.multiply(b, a));
                assert!(product <= one);
                let c = &elements[(7 * n + 3) % elements.len()];
                assert_eq!(
                    field.multiply(&field.add(a, c), b),
                    field.add(&product, &field.multiply(c, b))
                );
                assert_eq!(
                    field.multiply(&product, c),
                    field.multiply(a, &field.multiply(b, c))
                );
            }
        }
    }
}

#[test]
fn degrees_and_types() {
    assert_eq!(
        degrees(131),
        [
            2, 3, 5, 6, 9, 11, 14, 18, 23, 26, 29, 30, 33, 35, 39, 41, 50, 51, 53, 65, 69, 74, 81,
            83, 86, 89, 90, 95, 98, 99, 105, 113, 119, 131
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
    for degree in [0, 1, 4, 7, 8, 163, 601, 611, u32::MAX] {
        assert_eq!(
            BinaryField::new(degree, Basis::OptimalNormalTwo),
            None,
            "degree {degree}"
        );
    }
    // The largest, by associativity on one triple.
    let field = field(593);
    let a = (BigUint::one() << 500u32) + 12345u32;
    let (b, c) = (&a * 77u32, &a + 1u32);
    assert_eq!(
        field.multiply(&field.multiply(&a, &b), &c),
        field.multiply(&a, &field.multiply(&b, &c))
    );
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
