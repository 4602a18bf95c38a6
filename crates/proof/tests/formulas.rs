//! Formulas over whole numbers: a complete addition, a ladder, steps repeated, each with faults that are refused.

use std::time::Instant;

use evariste_ir::{Kernel, Polynomial};
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;

use super::kernels::formulas::{Calls, LADDER_STEP, Terms, ladder, ladder_step, power};

/// Complete addition on short Weierstrass curves with a = −3: Renes, Costello, Batina, "Complete addition formulas for
/// prime order elliptic curves", Algorithm 4.
const ADDITION: &str = "
    t0 = X1 * X2; t1 = Y1 * Y2; t2 = Z1 * Z2; t3 = X1 + Y1; t4 = X2 + Y2; t3 = t3 * t4; t4 = t0 + t1; t3 = t3 - t4
    t4 = Y1 + Z1; X3 = Y2 + Z2; t4 = t4 * X3; X3 = t1 + t2; t4 = t4 - X3; X3 = X1 + Z1; Y3 = X2 + Z2; X3 = X3 * Y3
    Y3 = t0 + t2; Y3 = X3 - Y3; Z3 = b * t2; X3 = Y3 - Z3; Z3 = X3 + X3; X3 = X3 + Z3; Z3 = t1 - X3; X3 = t1 + X3
    Y3 = b * Y3; t1 = t2 + t2; t2 = t1 + t2; Y3 = Y3 - t2; Y3 = Y3 - t0; t1 = Y3 + Y3; Y3 = t1 + Y3; t1 = t0 + t0
    t0 = t1 + t0; t0 = t0 - t2; t1 = t4 * Y3; t2 = t0 * Y3; Y3 = X3 * Z3; Y3 = Y3 + t2; X3 = t3 * X3; X3 = X3 - t1
    Z3 = t4 * Z3; t1 = t3 * t0; Z3 = Z3 + t1";

/// The coordinates of the sum, in X1, Y1, Z1, X2, Y2, Z2 and b (inputs 0 to 6), by the definition at the head of that
/// paper's section 3.1.
fn sum() -> [Terms; 3] {
    let [x1, y1, z1, x2, y2, z2, b] = [0, 1, 2, 3, 4, 5, 6].map(Terms::variable);
    let m = |x: &Terms, y: &Terms| x.clone() * y.clone();
    let xy = m(&x1, &y2) + m(&x2, &y1);
    let yz = m(&y1, &z2) + m(&y2, &z1);
    let xz = m(&x1, &z2) + m(&x2, &z1);
    let (xx, yy, zz) = (m(&x1, &x2), m(&y1, &y2), m(&z1, &z2));
    let minus = yy.clone() + xz.clone() * 3 - m(&b, &zz) * 3;
    let plus = yy - xz.clone() * 3 + m(&b, &zz) * 3;
    let other = xx.clone() * -3 + m(&b, &xz) * 3 - zz.clone() * 9;
    let three = xx * 3 - zz * 3;
    [m(&xy, &minus) - m(&yz, &other), m(&three, &other) + m(&plus, &minus), m(&yz, &plus) + m(&xy, &three)]
}

/// The factors of a polynomial in Montgomery form differ by monomial: each has degree 4 to 6, with b.
fn addition(field: &Calls, steps: &str) -> Kernel {
    let r = field.layout.factor();
    let claims = sum().map(|Terms(polynomial)| {
        let degree = |factors: &[u32]| factors.len() as u32;
        let terms = polynomial.0.into_iter().map(|(c, factors)| {
            let missing = 6 - degree(&factors);
            (c * r.modpow(&missing.into(), &field.p), factors)
        });
        field.claim(Polynomial(terms.collect()), 6)
    });
    let outputs = ["X3", "Y3", "Z3"].into_iter().zip(claims).collect();
    field.kernel("add", outputs, &["X1", "Y1", "Z1", "X2", "Y2", "Z2", "b"], steps)
}

/// Every text with one sign of a step changed, or one operand for another.
fn faults(steps: &str, [one, other]: [&str; 2]) -> Vec<String> {
    let all: Vec<Vec<&str>> = steps.split([';', '\n']).map(|s| s.split_whitespace().collect()).collect();
    let all: Vec<Vec<&str>> = all.into_iter().filter(|words| !words.is_empty()).collect();
    let with = |at: usize, word: usize, new: &str| {
        let mut changed = all.clone();
        changed[at][word] = new;
        changed.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join("; ")
    };
    let mut texts = Vec::new();
    for (at, words) in all.iter().enumerate() {
        let sign = match words[3] {
            "+" => "-",
            "-" => "+",
            _ => "+",
        };
        // What is added 0 to is copied, with either sign.
        if words[4] != "0" {
            texts.push(with(at, 3, sign));
        }
        texts.push(with(at, 4, if words[4] == one { other } else { one }));
    }
    texts
}

fn proved(kernel: &Kernel) {
    let start = Instant::now();
    match prove(kernel) {
        Outcome::Proved(_) => println!("{}: {:?}", kernel.name, start.elapsed()),
        Outcome::Refuted(c) => panic!("{}: refuted: {}", kernel.name, c.violation),
        Outcome::Unknown(o) => panic!("{}: {} ({})", kernel.name, o.what, o.detail),
    }
}

fn refuted(kernel: &Kernel, fault: &str) {
    assert!(matches!(prove(kernel), Outcome::Refuted(_)), "{}: not refuted: {fault}", kernel.name);
}

#[test]
fn complete_addition_on_p256() {
    let field = Calls::of("p256", 64);
    proved(&addition(&field, ADDITION));
    for fault in faults(ADDITION, ["X1", "Y1"]).iter().step_by(5) {
        refuted(&addition(&field, fault), fault);
    }
}

#[test]
fn a_step_of_the_ladder_of_25519() {
    let field = Calls::of("2^255-19", 64);
    assert_eq!(field.layout.factor(), BigInt::from(1));
    let write = |steps: &str| {
        let claims = ladder_step([0, 1, 2, 3, 4].map(Terms::variable)).map(|t| field.claim(t.0, 1));
        // The outputs have other names than the inputs, which the steps write.
        let copies = "p2 = x2 + 0; q2 = z2 + 0; p3 = x3 + 0; q3 = z3 + 0;";
        let ends = "X2 = p2 + 0; Z2 = q2 + 0; X3 = p3 + 0; Z3 = q3 + 0";
        let inside = steps.split_whitespace().map(|w| match w.trim_end_matches(';') {
            "x2" => w.replace("x2", "p2"),
            "z2" => w.replace("z2", "q2"),
            "x3" => w.replace("x3", "p3"),
            "z3" => w.replace("z3", "q3"),
            _ => w.to_string(),
        });
        let inside = inside.collect::<Vec<_>>().join(" ");
        let steps = format!("{copies} {inside}; {ends}");
        let outputs = ["X2", "Z2", "X3", "Z3"].into_iter().zip(claims).collect();
        field.kernel("ladder_step", outputs, &["x1", "x2", "z2", "x3", "z3"], &steps)
    };
    proved(&write(LADDER_STEP));
    for fault in faults(LADDER_STEP, ["x1", "p2"]).iter().step_by(3) {
        let kernel = write(fault);
        refuted(&kernel, fault);
    }
}

#[test]
fn a_power_of_255_bits() {
    let field = Calls::plain("2^255-19", 64);
    proved(&power(&field, 255, ""));
    for fault in ["start", "no square", "the other way"] {
        refuted(&power(&field, 255, fault), fault);
    }
}

#[test]
fn a_ladder_of_255_steps() {
    let field = Calls::of("2^255-19", 64);
    let right = ladder(&field, 255, "");
    proved(&right);
    assert_eq!(Kernel::parse(&right.to_string()).as_ref().ok(), Some(&right), "text that parses back");
    for fault in ["start", "no way back", "a sign", "bits upward", "another number"] {
        refuted(&ladder(&field, 255, fault), fault);
    }
}
