//! The kinds of promises, calls, and what leaves after a proof.

use crate::kernels;

use std::sync::Arc;

use crate::kernels::montgomery::{End, cios};
use crate::kernels::pow2;
use evariste_algorithms::layouts;
use evariste_algorithms::prime::power::power_kernel;
use evariste_algorithms::{Operation, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::{
    Array, ArrayKind, BitMap, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, Type, Value, View,
    refute,
};
use evariste_proof::{Outcome, prove};
use num_bigint::{BigInt, BigUint};

fn is_proved(kernel: &Kernel) -> bool {
    match prove(kernel) {
        Outcome::Proved(_) => true,
        Outcome::Refuted(c) => {
            let inputs: Vec<(&str, Vec<BigInt>)> = c.inputs.iter().map(|(n, x)| (n.as_str(), x.clone())).collect();
            assert!(refute(kernel, &inputs).is_some(), "a counterexample replays");
            false
        }
        Outcome::Unknown(_) => false,
    }
}

fn words(b: &mut Builder, name: &str, n: u32) -> (Array, Operand) {
    let w = b.word();
    let array = b.input(name, n, &[pow2(w) - 1]);
    let weights: Vec<u32> = (0..n).map(|i| i * w).collect();
    (array, Operand::new(name, array, &weights, &[pow2(w) - 1], pow2(w * n) - 1))
}

fn flag_out(b: &mut Builder) -> (Array, Operand) {
    let array = b.output("out", 1, &[1.into()]);
    (array, Operand::new("out", array, &[0], &[1.into()], 1.into()))
}

/// 1 when two numbers of 3 words agree.
fn comparison(fault: &str) -> Kernel {
    let mut b = Builder::new("comparison", 64);
    let (out, output) = flag_out(&mut b);
    let ((x, xo), (y, yo)) = (words(&mut b, "a", 3), words(&mut b, "b", 3));
    let (x, y) = (b.load_all(x), b.load_all(y));
    let zero = b.word_constant(0);
    let mut all = zero;
    for i in 0..3 {
        if fault == "a digit forgotten" && i == 1 {
            continue;
        }
        let j = if fault == "digits crossed" && i < 2 { 1 - i } else { i };
        let d = b.xor(x[i], y[j]);
        all = if fault == "and" && i == 2 { b.and(all, d) } else { b.or(all, d) };
    }
    let mask = b.equal(all, zero);
    let flag = b.mask_to_flag(mask);
    let flag = if fault == "inverted" { b.not(flag) } else { flag };
    let word = b.flag_to_word(flag, Type::Word(64));
    b.store(out, 0u32, word);
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![xo, yo],
        claims: vec![Claim::Equal { output, left: 0, right: Some(1) }],
    })
}

#[test]
fn comparisons() {
    assert!(is_proved(&comparison("")));
    for fault in ["a digit forgotten", "digits crossed", "and", "inverted"] {
        assert!(!is_proved(&comparison(fault)), "{fault}");
    }
}

/// The product of two polynomials of degree 2 over GF(2), as bits.
fn binary_product(fault: &str) -> Kernel {
    let m = 3;
    let mut b = Builder::new("binary_product", 1);
    let out = b.output("out", 2 * m - 1, &[1.into()]);
    let bits = |n: u32| (0..n).collect::<Vec<u32>>();
    let output = Operand::new("out", out, &bits(2 * m - 1), &[1.into()], pow2(2 * m - 1) - 1);
    let ((x, xo), (y, yo)) = (words(&mut b, "a", m), words(&mut b, "b", m));
    let (x, y) = (b.load_all(x), b.load_all(y));
    let mut c: Vec<Option<Value>> = vec![None; 2 * m as usize - 1];
    for i in 0..m as usize {
        for j in 0..m as usize {
            let p = match fault {
                "a with a" if i == 1 && j == 2 => b.and(x[i], x[j]),
                "term missing" if i == 2 && j == 1 => continue,
                _ => b.and(x[i], y[j]),
            };
            c[i + j] = Some(match c[i + j] {
                None => p,
                Some(old) if fault == "or" && i + j == 2 => b.or(old, p),
                Some(old) => b.xor(old, p),
            });
        }
    }
    for (i, v) in c.into_iter().enumerate() {
        let v = v.unwrap();
        let v = if fault == "constant" && i == 0 { b.not(v) } else { v };
        b.store(out, i, v);
    }
    let images = (0..m).flat_map(|i| (0..m).map(move |j| vec![i + j])).collect();
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![xo, yo],
        claims: vec![Claim::Bits { output, map: BitMap::Bilinear(Arc::new(images)) }],
    })
}

#[test]
fn bilinear_maps() {
    assert!(is_proved(&binary_product("")));
    for fault in ["a with a", "term missing", "or", "constant"] {
        assert!(!is_proved(&binary_product(fault)), "{fault}");
    }
}

/// The square of a polynomial of degree 7 over GF(2), as two words of eight bits.
fn binary_square(fault: &str) -> Kernel {
    let mut b = Builder::new("binary_square", 8);
    let out = b.output("out", 2, &[255.into()]);
    let output = Operand::new("out", out, &[0, 8], &[255.into()], pow2(16) - 1);
    let (x, xo) = words(&mut b, "a", 1);
    let x = b.load(x, 0u32);
    let y = match fault {
        // Worth the same on every basis vector but the eighth, and no linear map.
        "another value" => {
            let seven = b.low_bits(x, 7);
            let eighth = b.shr(x, 7u32);
            let eighth = b.wrapping_shl(eighth, 7u32);
            b.or(seven, eighth)
        }
        "shifted" => b.wrapping_shl(x, 1u32),
        "product" => b.and(x, x),
        _ => x,
    };
    let wide = b.clmul(x, y);
    let parts = b.split(wide, 8);
    b.store_all(out, &parts);
    let images = (0..8).map(|i| vec![2 * i]).collect();
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![xo],
        claims: vec![Claim::Bits { output, map: BitMap::Linear(Arc::new(images)) }],
    })
}

#[test]
fn squares_are_linear_and_nothing_like_them_is() {
    assert!(is_proved(&binary_square("")));
    for fault in ["another value", "shifted", "product"] {
        assert!(!is_proved(&binary_square(fault)), "{fault}");
    }
}

/// A product of one bit by a word of eight: the bit repeated by an arithmetic shift, or added up (`fault`).
fn repeated_bit(fault: bool) -> Kernel {
    let mut b = Builder::new("repeated_bit", 8);
    let out = b.output("out", 1, &[255.into()]);
    let output = Operand::new("out", out, &[0], &[255.into()], pow2(8) - 1);
    let x = b.input("a", 1, &[1.into()]);
    let xo = Operand::new("a", x, &[0], &[1.into()], 1.into());
    let (y, yo) = words(&mut b, "b", 1);
    let (x, y) = (b.load(x, 0u32), b.load(y, 0u32));
    let mask = if fault {
        let zero = b.word_constant(0);
        b.wrapping_sub(zero, x)
    } else {
        let top = b.wrapping_shl(x, 7u32);
        b.sar(top, 7u32)
    };
    let v = b.and(mask, y);
    b.store(out, 0u32, v);
    let images = (0..8).map(|i| vec![i]).collect();
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![xo, yo],
        claims: vec![Claim::Bits { output, map: BitMap::Bilinear(Arc::new(images)) }],
    })
}

#[test]
fn arithmetic_shifts_repeat_a_bit() {
    assert!(is_proved(&repeated_bit(false)));
    // True as well, but a difference of words is of no kind.
    assert!(!is_proved(&repeated_bit(true)));
}

#[test]
fn powers() {
    let field = Field::parse("2^61-1").unwrap();
    let Some(m) = field.get::<Modulus>() else { panic!("a prime field") };
    for layout in layouts(&field, 32) {
        let first = |op| plans(&field, &layout, &op).iter().find_map(|p| p.write().ok()).map(Arc::new);
        let (Some(mul), Some(square)) = (first(Operation::MUL), first(Operation::SQUARE)) else { continue };
        for e in [1u32, 2, 3, 12345, 1 << 30] {
            let kernel = power_kernel("power", &BigUint::from(e), &[mul.clone(), square.clone()], m, &layout).unwrap();
            assert!(is_proved(&kernel), "{} to the {e}", layout.name);
            let mut wrong = kernel.clone();
            if let Claim::Power { exponent, .. } = &mut wrong.contract.claims[0] {
                *exponent += 1u32;
            }
            assert!(!is_proved(&wrong), "{} to the {e} + 1", layout.name);
        }
        let kernel = power_kernel("power", &BigUint::from(12345u32), &[mul.clone(), mul.clone()], m, &layout);
        assert!(kernel.map_or(true, |k| !is_proved(&k)), "a product in place of the square");
    }
}

/// `a·b·c` by two calls of a Montgomery product below 2p (p of 62 bits, words of 32).
fn two_products(fault: &str) -> Kernel {
    let p: BigInt = pow2(61) - 1;
    let callee = Arc::new(cios(32, 2, &p, End::Lazy, if fault == "faulty callee" { "dropped carry" } else { "" }));
    let mut b = Builder::new("two_products", 32);
    let bound: BigInt = 2 * &p - 1;
    let full: BigInt = pow2(32) - 1;
    let out = b.output("out", 2, std::slice::from_ref(&full));
    let number =
        |name: &str, array: Array, bound: &BigInt| Operand::new(name, array, &[0, 32], &[pow2(32) - 1], bound.clone());
    let inputs: Vec<Array> = ["a", "b", "c"].iter().map(|n| b.input(*n, 2, std::slice::from_ref(&full))).collect();
    let allowed: BigInt = if fault == "operand too large" { pow2(64) - 1 } else { bound.clone() };
    let operands =
        vec![number("a", inputs[0], &bound), number("b", inputs[1], &allowed), number("c", inputs[2], &bound)];
    let t = b.local("t", 2, Interval::up_to(full.clone()));
    let f = b.callee(callee.clone());
    let ghosts: Vec<Array> = callee
        .params()
        .filter(|a| callee.array(*a).kind == ArrayKind::Ghost)
        .map(|a| b.local(format!("g{}", a.0), callee.array(a).len, Interval::up_to(full.clone())))
        .collect();
    let call = |b: &mut Builder, to: Array, x: Array, y: Array| {
        let (mut xs, mut gs) = ([x, y].into_iter(), ghosts.iter());
        let views = callee.params().map(|a| match callee.array(a).kind {
            ArrayKind::Output => View::whole(to),
            ArrayKind::Ghost => View::whole(*gs.next().unwrap()),
            _ => View::whole(xs.next().unwrap()),
        });
        b.call(f, views.collect());
    };
    call(&mut b, t, inputs[0], inputs[1]);
    call(&mut b, out, if fault == "wrong argument" { inputs[0] } else { t }, inputs[2]);
    let r = pow2(64);
    let claim = Claim::Value {
        output: number("out", out, &bound),
        factor: &r * &r,
        polynomial: Polynomial::default().plus(1, &[0, 1, 2]),
        modulus: Some(p.into()),
    };
    b.finish(Contract { facts: Vec::new(), inputs: operands, claims: vec![claim] })
}

#[test]
fn calls() {
    assert!(is_proved(&two_products("")));
    for fault in ["faulty callee", "operand too large", "wrong argument"] {
        assert!(!is_proved(&two_products(fault)), "{fault}");
    }
}

#[test]
fn what_leaves_has_no_ghosts() {
    let kernel = cios(64, 4, &kernels::montgomery::dense(256), End::Final, "");
    assert!(kernel.arrays.iter().any(|a| a.kind == ArrayKind::Ghost));
    let proved = prove(&kernel).proved().expect("proved");
    assert!(proved.kernel().arrays.iter().all(|a| a.kind != ArrayKind::Ghost));
    assert_eq!(proved.statement(), &kernel);
    assert_eq!(evariste_ir::verify(proved.kernel()), Ok(()));
}

#[test]
fn floating_point_is_unknown() {
    let mut b = Builder::new("float", 64);
    let (x, xo) = words(&mut b, "a", 1);
    let out = b.output("out", 1, &[pow2(64) - 1]);
    let v = b.load(x, 0u32);
    let f = b.op(evariste_ir::Op::BitsToFloat, &[v], &[Type::Float(53)])[0];
    let g = b.op(evariste_ir::Op::FloatAdd, &[f, f], &[Type::Float(53)])[0];
    let v = b.op(evariste_ir::Op::FloatToBits, &[g], &[Type::Word(64)])[0];
    b.store(out, 0u32, v);
    let output = Operand::new("out", out, &[0], &[pow2(64) - 1], pow2(64) - 1);
    let kernel = b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![xo],
        claims: vec![Claim::Step { output, name: "twice".into() }],
    });
    assert!(matches!(prove(&kernel), Outcome::Unknown(_)));
}
