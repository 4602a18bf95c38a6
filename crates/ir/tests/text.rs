//! The text form: printed as expected, read back identical, and errors that say where and why.

use std::sync::Arc;

use crate::common::{cases, operand_ranges};
use evariste_ir::contract::{Below, BitMap, Claim, Contract, Digit, Fact, Modulo, Multiplication, Operand, Polynomial};
use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayKind, BitOf, Builder, Index, Interval, Kernel, Op, Recurrence, Ring, Type, View, verify,
};
use evariste_testing::Random;
use expect_test::{Expect, expect};
use num_bigint::{BigInt, BigUint};

fn round_trip(kernel: &Kernel) -> String {
    let text = kernel.to_string();
    match Kernel::parse(&text) {
        Ok(back) => assert_eq!(&back, kernel, "{text}"),
        Err(e) => panic!("{e}\n{text}"),
    }
    text
}

/// Everything but floats: loops, calls, views, tables, ghosts, all kinds of ranges.
fn rich() -> Kernel {
    let top = [pow2(8) - 1];
    let mut c = Builder::new("callee", 8);
    let out = c.output("out", 2, &top);
    let v = c.input("v", 2, &top);
    c.must_be_disjoint(out, v);
    let (x, y) = (c.load(v, 0u32), c.load(v, 1u32));
    c.store(out, 0u32, y);
    c.store(out, 1u32, x);
    let callee = Arc::new(c.finish(Contract::default()));

    let mut k = Builder::new("rich", 8);
    let r = k.output("r", 3, &[BigInt::from(9), pow2(8) - 1, pow2(8) - 2]);
    let a = k.input("a", 3, &[BigInt::from(3)]);
    let s = k.array("s", Type::Word(8), 2, ArrayKind::InOut, vec![Interval::up_to(5)]);
    let g = k.ghost("g", 1);
    let t = k.local("t", 3, Interval::new(-3, 90));
    let p = k.table("p", vec![1.into(), 2.into(), 0.into()]);
    k.must_be_disjoint(r, a);
    let f = k.callee(callee);
    let zero = k.word_constant(0);
    k.repeat(3, &[], |k, i, _| {
        k.store(t, i, zero);
        vec![]
    });
    k.call(f, vec![View::from(t, Index::at(2).modulo()), View { array: a, start: Index::at(0), order: Some(p) }]);
    k.call(f, vec![View::whole(s), View::from(t, 1u32)]);
    let flag = k.no_flag();
    let sums = k.repeat(2, &[(zero, Interval::up_to(6)), (flag, Interval::bits(1))], |k, i, carried| {
        let x = k.load(a, Index::counter(i).with_table(p, Index::counter(i)).offset(-1).modulo());
        let y = k.wrapping_add(carried[0], x);
        let (z, c) = k
            .op(Op::AddCarry, &[y, x, carried[1]], &[Type::Word(8), Type::Flag])
            .split_first()
            .map(|(z, c)| (*z, c[0]))
            .unwrap();
        let z = k.shr(z, Index::counter(i).plus(i, 2).offset(1));
        k.store(g, 0u32, z);
        vec![y, c]
    });
    k.store(r, 0u32, sums[0]);
    let w = k.flag_to_word(sums[1], Type::Word(8));
    k.store(r, 1u32, w);
    let q = k.lookup(p, w);
    k.store(r, 2u32, q);
    let max: BigInt = pow2(8) - 1;
    let a_number = Operand::new("a", a, &[0, 8, 16], &[BigInt::from(3)], 197379.into());
    let r_number =
        Operand::new("r", r, &[0, 8, 16], std::slice::from_ref(&max), pow2(24) - 1).with_digit(g, 0, 24, max);
    let claims = vec![
        Claim::Value {
            output: r_number.clone(),
            factor: pow2(8),
            polynomial: Polynomial::input(0).plus(-2, &[1, 0]).plus(7, &[]),
            modulus: Some(Modulo::Constant(pow2(255) - 19)),
        },
        Claim::Equal {
            output: Operand {
                digits: vec![Digit { array: r, index: 1, weight: 0, max: 1.into(), bits: None }],
                name: "e".into(),
                bound: 1.into(),
                below: None,
            },
            left: 0,
            right: Some(1),
        },
        Claim::Power {
            output: r_number.clone(),
            base: 1,
            exponent: BigUint::from(5u32),
            product: Multiplication::Modular { factor: 1.into(), modulus: 101.into() },
        },
        Claim::Value {
            output: r_number.clone().below(Some(Below { multiple: 2, number: 0 })),
            factor: 1.into(),
            polynomial: Polynomial::input(1),
            modulus: Some(Modulo::Input(0)),
        },
        Claim::Step { output: r_number, name: "round".into() },
    ];
    let s_number =
        Operand::new("s", s, &[0, 8], &[BigInt::from(3)], 1000.into()).below(Some(Below { multiple: 1, number: 0 }));
    let facts = vec![
        Fact { number: 1, times: Some(0), polynomial: Polynomial::constant(-1), modulus: pow2(8) },
        Fact { number: 1, times: None, polynomial: Polynomial::default().plus(4, &[0]), modulus: 101.into() },
    ];
    k.finish(Contract { facts, inputs: vec![a_number, s_number], claims })
}

fn check(actual: &str, expected: Expect) {
    expected.assert_eq(actual);
}

#[test]
fn a_rich_kernel_prints_and_reads_back() {
    let kernel = rich();
    verify(&kernel).unwrap();
    check(
        &round_trip(&kernel),
        expect![[r#"
            kernel @0 callee: word 8 {
                output out: 2 x w8
                input v: 2 x w8
                disjoint out v

                %0: w8 = v[0]
                %1: w8 = v[1]
                out[0] = %1
                out[1] = %0
            }

            kernel rich: word 8 {
                output r: 3 x w8 each ([0, 9], <2^8, [0, 254])
                input a: 3 x w8 <2^2
                inout s: 2 x w8 [0, 5]
                ghost g: 1 x w8
                local t: 3 x w8 [-3, 90]
                table p: 3 x w8 [0, 2] = (1, 2, 0)
                disjoint r a
                callees @0

                given a <= 197379 = a[0..3] * 2^0 step 8 max 3
                given s <= 1000 = s[0..2] * 2^0 step 8 max 3
                where s < 1 * a
                where s * a = -1 mod 256
                where s = 4*a mod 101
                gives r <= (2^24-1) = r[0..3] * 2^0 step 8 max 255 + g[0] * 2^24 max 255: value 256 it = a - 2*a*s + 7 mod (2^255-19)
                gives e <= 1 = r[1] * 2^0 max 1: equal a s
                gives r <= (2^24-1) = r[0..3] * 2^0 step 8 max 255 + g[0] * 2^24 max 255: power s ^ 5 factor 1 mod 101
                gives r <= (2^24-1) = r[0..3] * 2^0 step 8 max 255 + g[0] * 2^24 max 255 < 2 * a: value 1 it = s mod a
                gives r <= (2^24-1) = r[0..3] * 2^0 step 8 max 255 + g[0] * 2^24 max 255: step round

                %0: w8 [0] = const(0)
                for i0 in 0..3 {
                    t[i0] = %0
                }
                call 0 callee(t[2 mod ..], a[0.. by p])
                call 0 callee(s, t[1..])
                %1: flag [0] = const(0)
                %9: w8 [0, 6], %10: flag = for i1 in 0..2 carry %2: w8 [0, 6] = %0, %3: flag = %1 {
                    %4: w8 <2^2 = a[i1 + p[i1] - 1 mod]
                    %5: w8 [0, 9] = add %2, %4
                    %6: w8 [0, 13], %7: flag [0] = add_carry %5, %4, %3
                    %8: w8 [0, 6] = shr(i1 + i1*2 + 1) %6
                    g[0] = %8
                    yield %5, %7
                }
                r[0] = %9
                %11: w8 <2^1 = flag_to_word %10
                r[1] = %11
                %12: w8 [0, 2] = lookup(p) %11
                r[2] = %12
            }
        "#]],
    );
}

#[test]
fn bit_maps_read_back() {
    for map in [
        BitMap::Linear(Arc::new(vec![vec![0], vec![], vec![1, 0]])),
        BitMap::Bilinear(Arc::new(vec![vec![1]; 9])),
        BitMap::RotatingBilinear(Arc::new(vec![vec![2, 1], vec![0], vec![]])),
    ] {
        let mut k = Builder::new("bits", 1);
        let r = k.output("r", 3, &[1.into()]);
        let a = k.input("a", 3, &[1.into()]);
        let b = k.input("b", 3, &[1.into()]);
        let x = k.load_all(a);
        k.store_all(r, &x);
        let number = |name: &str, array: Array| Operand::new(name, array, &[0, 1, 2], &[1.into()], 7.into());
        round_trip(&k.finish(Contract {
            facts: Vec::new(),
            inputs: vec![number("x", a), number("x", b)],
            claims: vec![Claim::Bits { output: number("r", r), map }],
        }));
    }
}

/// A polynomial of a few monomials in so many variables, with coefficients of any size and sign.
fn any_polynomial(r: &mut Random, variables: u64) -> Polynomial {
    (0..r.below(4)).fold(Polynomial::default(), |p, _| {
        let size = BigInt::from(u128::from(r.word()) << 64 | u128::from(r.word())) >> r.below(128);
        let factors: Vec<u32> = (0..r.below(4)).map(|_| r.below(variables) as u32).collect();
        p.plus(if r.below(2) == 0 { size } else { -size }, &factors)
    })
}

/// Recurrences and formulas over bits of any content, also such that the verifier refuses.
#[test]
fn recurrences_read_back() {
    let mut r = Random(11);
    for _ in 0..2000 {
        let mut k = Builder::new("loop", 8);
        let out = k.output("out", 1, &[255.into()]);
        let a = k.input("a", 2, &[255.into()]);
        let x = k.load(a, 0u32);
        k.store(out, 0u32, x);
        let number = |name: &str, array: Array| Operand::new(name, array, &[0], &[255.into()], 255.into());
        let (components, bits) = (r.below(4), r.below(3));
        let mut bit = || BitOf {
            number: r.below(3) as u32,
            first: r.below(1 << 20) as u32,
            stride: r.below(1 << 21) as i32 - (1 << 20),
        };
        let bits: Vec<BitOf> = (0..bits).map(|_| bit()).collect();
        let modulus = BigInt::from(r.word()) - (BigInt::from(1) << 20);
        let images = Arc::new((0..3).map(|i| vec![i; r.below(3) as usize]).collect());
        let map = if r.below(2) == 0 { BitMap::Convolution(images) } else { BitMap::RotatingBilinear(images) };
        let polynomial = any_polynomial(&mut r, 2);
        let recurrence = Recurrence {
            start: (0..components).map(|_| any_polynomial(&mut r, 2)).collect(),
            step: (0..components).map(|_| any_polynomial(&mut r, 6)).collect(),
            bits,
            count: r.below(1 << 32) as u32,
            ring: if r.below(2) == 0 { Ring::Bits(map.clone()) } else { Ring::Integers(modulus) },
        };
        let claim = Claim::Iterate {
            output: number("y", out),
            recurrence: Arc::new(recurrence),
            component: r.below(components + 1) as u32,
        };
        let formula = Claim::Polynomial { output: number("z", out), polynomial, map };
        let inputs = vec![number("x", a), number("z", a)];
        round_trip(&k.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim, formula] }));
    }
}

#[test]
fn every_operation_reads_back() {
    for w in [1, 3, 8, 52, 64] {
        for case in cases(w, &[0, 1, 2]) {
            for at in 0..4 {
                let mut k = Builder::new("one", u32::from(w));
                let ins: Vec<Array> = case
                    .args
                    .iter()
                    .enumerate()
                    .map(|(i, t)| {
                        let ranges = operand_ranges(*t);
                        k.array(format!("a{i}"), *t, 1, ArrayKind::Input, vec![ranges[at % ranges.len()].clone()])
                    })
                    .collect();
                let args: Vec<_> = ins.iter().map(|a| k.load(*a, 0u32)).collect();
                k.op(case.op.clone(), &args, &case.results);
                let kernel = k.finish(Contract::default());
                round_trip(&kernel);
            }
        }
    }
    let text = "kernel f: word 64 {\n    input a: 1 x f53 [(-2^10), 2^10]\n}\n";
    assert!(Kernel::parse(text).is_err());
    let text = "kernel f: word 64 {\n    input a: 1 x f53 [-(2^10+1), 2^10]\n\n    %0: f53 [-(2^10+1), 2^10] = a[0]\n    %1: f53 = float_fma %0, %0, %0\n    %2: w64 = float_to_bits %1\n}\n";
    assert_eq!(Kernel::parse(text).unwrap().to_string(), text);
}

#[test]
fn errors_say_where_and_why() {
    let mut all = String::new();
    let header = "kernel k: word 8 {\n    output r: 1 x w8\n    input a: 2 x w8\n";
    for bad in [
        "",
        "kernel",
        "kernel k: word 8 {",
        "kernel @1 k: word 8 {}",
        "kernel k: word 8 {} kernel j: word 8 {}",
        "kernel @0 k: word 8 {}",
        "kernel k: word 8 { é }",
        &format!("{header} input a: 1 x w8 }}"),
        &format!("{header} input b: 1 x w8 each (<2^8, <2^8) }}"),
        &format!("{header} input b: 1 x q8 }}"),
        &format!("{header} input b: 1 x w8 [3, 2] }}"),
        &format!("{header} input b: 1 x w8 <2^2000000 }}"),
        &format!("{header} callees @0 }}"),
        &format!("{header} given a <= 3 = c[0] * 2^0 max 1 }}"),
        &format!("{header} gives r <= 3 = r[0] * 2^0 max 1: sorted }}"),
        &format!("{header} gives r <= 3 = r[0] * 2^0 max 1: value 1 it = b }}"),
        &format!("{header} %0: w8 = a[0] %0: w8 = a[1] }}"),
        &format!("{header} %1: w8 = a[0] }}"),
        &format!("{header} %0: w8 = plus %1, %2 }}"),
        &format!("{header} %0: w8 = a[1 + 2] }}"),
        &format!("{header} %0: w8 = a[9223372036854775808] }}"),
        &format!("{header} %0: w8 = for i0 in 0..4 {{ }} }}"),
        &format!("{header} for i0 in 1..4 {{ }} }}"),
        &format!("{header} for j in 0..4 {{ }} }}"),
        &format!("{header} call 0 f(r, a) }}"),
        &format!("{header} yield %0 }}"),
        &format!("{header} r[0] %0 }}"),
    ] {
        let e = Kernel::parse(bad).expect_err(bad);
        all += &format!("{e}\n");
    }
    check(
        &all,
        expect![[r#"
            line 1, column 1: expected "kernel", found the end
            line 1, column 7: expected the kernel's name, found the end
            line 1, column 19: expected a statement or "}", found the end
            line 1, column 9: this kernel's number must be @0
            line 1, column 21: the text goes on after the kernel without a number, which must be the last
            line 1, column 23: expected "kernel", found the end
            line 1, column 20: the character 'é' has no meaning here
            line 4, column 8: there is already an array of that name
            line 4, column 36: 2 ranges for 1 elements
            line 4, column 15: expected a type (w64, d128, f53, flag, m64), found "q8"
            line 4, column 23: the range is empty
            line 4, column 21: exponents go up to 1048576
            line 4, column 11: there is no kernel of that number before this one
            line 4, column 17: there is no array called c
            line 4, column 35: expected a promise (value, equal, zero, power, linear, bilinear, rotating, polynomial, iterate, divsteps, step), found "sorted"
            line 4, column 48: expected the name of an input number, found "b"
            line 4, column 16: this value is already defined
            line 4, column 17: %0 is never defined, but greater ones are
            line 4, column 11: expected an operation or an array, found "plus"
            line 4, column 17: an index has one constant part
            line 4, column 13: the number does not fit 64 bits
            line 4, column 28: the loop's results, carried values and yields differ in number
            line 4, column 13: counters start at 0
            line 4, column 6: expected a counter (i0, i1, …), found "j"
            line 4, column 7: the kernel has no callee of that number and name
            line 4, column 12: only loops yield
            line 4, column 7: expected "=", found "%"
        "#]],
    );
}
