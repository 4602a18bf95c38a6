//! Inverses by division steps: too few steps, too few bits, wrong steps and remainders that are none are refused, and
//! proved while the rule is broken that forbids them.

use std::sync::Arc;

use evariste_algorithms::layouts;
use evariste_algorithms::prime::safegcd::{self, Size, batches, steps};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::mutate::mutants;
use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayInfo, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Polynomial, Stmt, View, refute,
};
use num_bigint::BigInt;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::prove;

const W: u32 = 10;

/// The inverse modulo 251 in words of ten bits.
fn inverse(size: impl Fn(u32) -> Size) -> Kernel {
    inverse_modulo("251", size)
}

fn inverse_modulo(prime: &str, size: impl Fn(u32) -> Size) -> Kernel {
    let field = Field::parse(prime).unwrap();
    let m = field.get::<Modulus>().unwrap();
    let layout = layouts(&field, W).into_iter().find(|l| l.name == "1x10").unwrap();
    safegcd::inverse("inv", m, &layout, size(batches(m, &layout))).unwrap()
}

fn is_wrong_inverse(kernel: &Kernel) -> bool {
    (0..251).any(|a| refute(kernel, &[("a", vec![a.into()])]).is_some())
}

/// Is some part of the steps wrong?
fn is_wrong_steps(kernel: &Kernel) -> bool {
    let zetas = [0, 1, 511, 512, 1023];
    let all = zetas.into_iter().flat_map(|z| (1..32).step_by(2).flat_map(move |f| (0..32).map(move |g| (z, f, g))));
    let inputs = |(z, f, g): (i32, i32, i32)| [("zeta", vec![z.into()]), ("f", vec![f.into()]), ("g", vec![g.into()])];
    all.map(inputs).any(|inputs| refute(kernel, &inputs).is_some())
}

/// Of an even f nothing is said but the bounds of the entries, on which callers rely all the same.
#[test]
fn entries_keep_to_their_bounds_where_f_is_even() {
    let kernel = steps::batch(W, steps::batch_steps(W, W));
    assert!(is_proved(&kernel));
    let mut narrow = (*kernel).clone();
    for claim in &mut narrow.contract.claims[1..] {
        let Claim::Divsteps { output, .. } = claim else { panic!("a part of division steps") };
        output.digits[0].max = output.digits[0].max.clone() * 3 / 4;
    }
    let inputs = |(z, f, g): (i32, i32, i32)| [("zeta", vec![z.into()]), ("f", vec![f.into()]), ("g", vec![g.into()])];
    let zetas = [0, 1, 2, 511, 512, 1022, 1023];
    let all: Vec<_> =
        zetas.into_iter().flat_map(|z| (0..64).step_by(2).flat_map(move |f| (0..64).map(move |g| (z, f, g)))).collect();
    let broken = |kernel: &Kernel| all.iter().filter(|x| refute(kernel, &inputs(**x)).is_some()).count();
    assert_eq!(broken(&kernel), 0);
    assert!(broken(&narrow) > 10, "three quarters of the bound are too few");
}

#[test]
fn too_few_steps_are_refused() {
    assert!(is_proved(&inverse(|batches| Size { batches, words: batches })));
    for less in 1..4 {
        let kernel = inverse(|batches| Size { batches: batches - less, words: batches });
        assert!(!is_proved(&kernel), "{less} batches less");
    }
    let short = inverse(|_| Size { batches: 1, words: 4 });
    assert!(is_wrong_inverse(&short) && breaking(&[Rule::DivisionSteps, Rule::Nets], || is_proved(&short)));
}

#[test]
fn steps_on_too_few_bits_are_refused() {
    let kernel = inverse(|batches| Size { batches, words: 1 });
    assert!(is_wrong_inverse(&kernel) && !is_proved(&kernel));
    assert!(breaking(&[Rule::DivisionBits, Rule::Nets], || is_proved(&kernel)));
}

/// Long inverses keep f and g in more words than are known: few lengths, each of which serves several batches.
#[test]
fn several_batches_divide_by_one_length() {
    let field = Field::parse("2^127 - 1").unwrap();
    let m = field.get::<Modulus>().unwrap();
    let layout = layouts(&field, W).into_iter().find(|l| l.name == "13x10").unwrap();
    let kernel = |less: u32| {
        safegcd::inverse("inv", m, &layout, Size { batches: batches(m, &layout) - less, words: batches(m, &layout) })
    };
    let right = kernel(0).unwrap();
    let divisions = right.callees.iter().filter(|k| k.name.starts_with("divide_")).count() as u32;
    assert!(divisions * 3 < batches(m, &layout) * 2, "{divisions} divisions in {} batches", batches(m, &layout));
    assert!(is_proved(&right) && !is_proved(&kernel(1).unwrap()));
    // With so few words the last batches know too few bits of f and g.
    let short = safegcd::inverse("inv", m, &layout, Size { batches: batches(m, &layout), words: 20 }).unwrap();
    assert!(!is_proved(&short));
}

#[test]
fn what_is_no_division_step_is_refused() {
    let kernel = steps::packed(W, steps::packed_steps(W));
    assert!(is_proved(&kernel) && !is_wrong_steps(&kernel));
    let (mut proved, mut believed) = (0, 0);
    for mutant in mutants(&kernel) {
        if is_proved(&mutant.kernel) {
            assert!(!is_wrong_steps(&mutant.kernel), "{} is proved and wrong", mutant.fault);
            proved += 1;
        } else if breaking(&[Rule::DivisionStep, Rule::Nets], || is_proved(&mutant.kernel)) {
            believed += u32::from(is_wrong_steps(&mutant.kernel));
        }
    }
    assert!(believed > 5, "{proved} mutants are proved; of the wrong ones {believed} while the rule is broken");
}

/// f and g after steps, 1 less: what is left over is not below `2^steps`.
fn one_less(steps: u32) -> Kernel {
    let mut b = Builder::new("one_less", W);
    let full: BigInt = pow2(W) - 1;
    let most = [pow2(steps + 1)];
    let outs = ["f_after", "g_after"].map(|name| b.output(name, 1, std::slice::from_ref(&full)));
    let matrix = b.input("matrix", 4, &most);
    let [f, g] = ["f", "g"].map(|name| b.input(name, 1, std::slice::from_ref(&full)));
    let rest = b.ghost("rest", 2);
    let (x, y, m) = (b.load(f, 0u32), b.load(g, 0u32), b.load_all(matrix));
    let (sum, unit, one) = (b.wrapping_add(x, y), b.word_constant(pow2(steps)), b.word_constant(1));
    let mut claims = Vec::new();
    for (row, out) in (0..2u32).zip(outs) {
        let (s, t) = (b.wrapping_mul(m[2 * row as usize], x), b.wrapping_mul(m[2 * row as usize + 1], y));
        let total = b.wrapping_add(s, t);
        let low = b.low_bits(total, steps);
        let low = b.add(low, unit);
        b.store(rest, row, low);
        let quotient = b.shr(total, steps);
        let quotient = b.wrapping_sub(quotient, sum);
        let quotient = b.wrapping_sub(quotient, one);
        b.store(out, 0u32, quotient);
        let mut output = Operand::new("after", rest, &[0], &[pow2(steps + 1) - 1], pow2(W + steps + 1));
        output.digits[0].index = row;
        let output = output.with_digit(out, 0, steps, full.clone());
        let raised = -pow2(steps);
        let polynomial = Polynomial::default().plus(1, &[2 * row, 4]).plus(1, &[2 * row + 1, 5]);
        let polynomial = polynomial.plus(raised.clone(), &[4]).plus(raised, &[5]);
        claims.push(Claim::Value { output, factor: 1.into(), polynomial, modulus: Some(pow2(W).into()) });
    }
    let mut inputs: Vec<Operand> =
        (0..4).map(|_| Operand::new("entry", matrix, &[0], &most, most[0].clone())).collect();
    inputs.iter_mut().zip(0..).for_each(|(o, i)| (o.digits[0].index, o.name) = (i, format!("entry{i}")));
    inputs.extend(
        [("f", f), ("g", g)].map(|(name, x)| Operand::new(name, x, &[0], std::slice::from_ref(&full), full.clone())),
    );
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

#[test]
fn a_remainder_is_below_what_is_divided_by() {
    let count = steps::packed_steps(W);
    let once = Arc::new(steps::packed(W, count));
    let right = steps::joined(W, (count, once.clone()), (count, once));
    assert!(is_proved(&right) && !is_wrong_steps(&right));
    let less = one_less(count);
    assert!(is_proved(&less), "{:?}", prove(&less));
    let mut wrong = right;
    let place = wrong.callees.iter().position(|k| k.name.starts_with("divide")).unwrap();
    wrong.callees[place] = Arc::new(less);
    assert!(is_wrong_steps(&wrong) && !is_proved(&wrong));
    assert!(breaking(&[Rule::DivisionRest, Rule::Nets], || is_proved(&wrong)));
}

/// d or −d, more by p, whose second digit is not returned.
fn with_sign_and_p(p: u32) -> Kernel {
    let mut b = Builder::new("with_sign", W);
    let full: BigInt = pow2(W) - 1;
    let out = b.output("out", 1, std::slice::from_ref(&full));
    let sign = b.input("sign", 1, &[1.into()]);
    let d = b.input("d", 1, std::slice::from_ref(&BigInt::from(p - 1)));
    let above = b.ghost("above", 1);
    let (flag, x) = (b.load(sign, 0u32), b.load(d, 0u32));
    let (zero, prime, none) = (b.word_constant(0), b.word_constant(p), b.no_flag());
    let negative = b.sub(prime, x);
    let mask = b.less(zero, flag);
    let chosen = b.select(mask, negative, x);
    let (low, carry) = b.add_carry(chosen, prime, none);
    b.store(out, 0u32, low);
    let top = b.flag_to_word(carry, b.word_type());
    b.store(above, 0u32, top);
    let output = Operand::new("out", out, &[0], std::slice::from_ref(&full), (2 * p).into());
    let output = output.with_digit(above, 0, W, 1.into());
    let most = |name: &str, array, most: u32| Operand::new(name, array, &[0], &[most.into()], most.into());
    let inputs = vec![most("sign", sign, 1), most("d", d, p - 1)];
    let polynomial = Polynomial::input(1).plus(-2, &[0, 1]);
    let claim = Claim::Value { output, factor: 1.into(), polynomial, modulus: Some(BigInt::from(p).into()) };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

#[test]
fn a_digit_is_left_off_only_where_it_is_zero() {
    // Twice 1021 exceeds a word, and followers keep a digit above it, which is 0.
    let all = |batches| Size { batches, words: batches };
    let mut kernel = inverse_modulo("1021", all);
    let ghosts = |k: &Kernel| k.arrays.iter().any(|a| a.kind == ArrayKind::Ghost);
    assert!(kernel.callees.iter().any(|k| k.name.starts_with("follow") && ghosts(k)));
    assert!(is_proved(&kernel), "{:?}", prove(&kernel));
    let place = kernel.callees.iter().position(|k| k.name == "with_sign").unwrap();
    assert_eq!(kernel.callees[place].params().count(), 3);
    let more = with_sign_and_p(1021);
    assert!(is_proved(&more), "{:?}", prove(&more));
    kernel.callees[place] = Arc::new(more);
    // The array above is handed to it too.
    let top = Array(kernel.arrays.len() as u32);
    let word = kernel.arrays[0].ty;
    let ranges = vec![word.full()];
    kernel.arrays.push(ArrayInfo { name: "top".into(), ty: word, len: 1, kind: ArrayKind::Local, ranges });
    let Some(Stmt::Call { callee, args }) = kernel.body.last_mut() else { panic!("the last call") };
    assert_eq!(*callee as usize, place);
    args.push(View::whole(top));
    let [Claim::Power { output, .. }] = &mut kernel.contract.claims[..] else { panic!("a power") };
    output.bound = pow2(W) - 1;
    output.digits[0].max = pow2(W) - 1;
    kernel.arrays[0].ranges = vec![word.full()];
    assert!(is_wrong_inverse(&kernel) && !is_proved(&kernel));
    assert!(breaking(&[Rule::DivisionTop, Rule::Nets], || is_proved(&kernel)));
}
