//! Kernels rewritten for lesser machines: the same outputs on every input, and nothing left that the machine lacks.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayKind, Builder, Carries, Contract, Interpreter, Interval, Kernel, Machine, Op, Products, Report, Stmt,
    Type, Value, View, legalise, verify,
};

/// Bits of a word.
pub const W: u32 = 4;

/// Machines of every kind.
pub fn machines() -> Vec<Machine> {
    let products = [Products::Wide, Products::High, Products::Low];
    let flags = [(true, true), (true, false), (false, true), (false, false)];
    let all = products.into_iter().flat_map(|p| flags.map(|(f, u)| (p, f, u)));
    let one = |carries, (products, flags, unsigned)| Machine { word: W, products, flags, unsigned, carries };
    [Carries::Flag, Carries::Written]
        .into_iter()
        .flat_map(|c| all.clone().map(move |machine| one(c, machine)))
        .collect()
}

/// What the machine lacks and the kernel has.
pub fn left_over(kernel: &Kernel, machine: &Machine) -> Option<String> {
    let wide = |ty: Type| matches!(ty, Type::Wide(n) if u32::from(n) > machine.word);
    let mut found = None;
    if machine.products != Products::Wide && kernel.values.iter().any(|v| wide(v.ty)) {
        found = Some("a double word".to_string());
    }
    for stmt in kernel.statements() {
        let Stmt::Op { op, .. } = stmt else { continue };
        let lacks = match op {
            Op::MulWide | Op::MulAddAdd => machine.products == Products::Low,
            Op::AddCarry | Op::SubBorrow => !machine.flags,
            Op::Less => !machine.unsigned,
            _ => false,
        };
        if lacks {
            found = Some(op.name().to_string());
        }
    }
    found.or_else(|| kernel.callees.iter().find_map(|k| left_over(k, machine)))
}

/// A kernel of words a, b, c and a bit that stores what `body` gives.
pub fn kernel(name: &str, body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> Kernel {
    let mut b = Builder::new(name, W);
    let inputs: Vec<Array> = ["a", "b", "c"].iter().map(|x| b.input(*x, 1, &[pow2(W) - 1])).collect();
    let bit = b.input("bit", 1, &[1.into()]);
    let values: Vec<Value> = inputs.iter().chain([&bit]).map(|a| b.load(*a, 0u32)).collect();
    let results = body(&mut b, &values);
    let out = b.output("out", results.len() as u32, &[pow2(W) - 1]);
    b.store_all(out, &results);
    b.finish(Contract::default())
}

/// Legalised kernels give the original's outputs on every input, for every machine.
fn agree(original: &Kernel) {
    assert_eq!(verify(original), Ok(()), "{original}");
    let expected = outputs(original);
    for machine in machines() {
        let legal = legalise(original, &machine).unwrap_or_else(|e| panic!("{machine:?}: {e}"));
        assert_eq!(verify(&legal), Ok(()), "{machine:?}\n{legal}");
        assert_eq!(left_over(&legal, &machine), None, "{machine:?}\n{legal}");
        assert_eq!(legal.contract, original.contract);
        assert_eq!(outputs(&legal), expected, "{}, {machine:?}\n{legal}", original.name);
    }
}

/// The outputs for all inputs.
fn outputs(kernel: &Kernel) -> Vec<u128> {
    all_outputs(kernel).unwrap_or_else(|report| panic!("{report:?}"))
}

/// The outputs for all inputs, if no exact operation leaves its type.
pub fn all_outputs(kernel: &Kernel) -> Result<Vec<u128>, Report> {
    let interpreter = Interpreter::new(kernel);
    let lanes = 1usize << (3 * W + 1);
    let mut batch = interpreter.batch(lanes);
    for (i, name) in ["a", "b", "c", "bit"].iter().enumerate() {
        let array = kernel.find(name).expect("it is a parameter");
        let values: Vec<u64> = (0..lanes as u64).map(|code| code >> (i as u32 * W) & ((1 << W) - 1)).collect();
        batch.write(array, 0, &values);
    }
    let report = interpreter.run(&mut batch);
    if !report.is_clean() {
        return Err(report);
    }
    let out = kernel.find("out").expect("it is a parameter");
    let elements = 0..kernel.array(out).len;
    Ok(elements.flat_map(|e| (0..lanes).map(|lane| batch.get(out, e, lane)).collect::<Vec<_>>()).collect())
}

#[test]
fn products() {
    agree(&kernel("product", |b, v| {
        let (lo, hi) = b.mul_wide(v[0], v[1]);
        vec![lo, hi]
    }));
    agree(&kernel("product_and_sums", |b, v| {
        let bit = v[3];
        let (lo, hi) = b.mul_add_add(v[0], v[1], v[2], bit);
        vec![lo, hi]
    }));
    agree(&kernel("parts", |b, v| {
        let two = b.low_bits(v[2], 2);
        let (lo, hi) = (b.madd_lo(3, two, v[0], v[1]), b.madd_hi(3, two, v[0], v[1]));
        vec![lo, hi]
    }));
}

#[test]
fn carries_and_comparisons() {
    agree(&kernel("sums", |b, v| {
        let none = b.no_flag();
        let (_, flag) = b.add_carry(v[3], v[2], none);
        let (sum, carry) = b.add_carry(v[0], v[1], flag);
        let carry = b.flag_to_word(carry, Type::Word(W as u8));
        vec![sum, carry]
    }));
    agree(&kernel("differences", |b, v| {
        let none = b.no_flag();
        let (_, flag) = b.sub_borrow(v[3], v[2], none);
        let (difference, borrow) = b.sub_borrow(v[0], v[1], flag);
        let mask = b.flag_to_mask(borrow);
        let chosen = b.select(mask, v[2], v[0]);
        vec![difference, chosen]
    }));
    agree(&kernel("comparisons", |b, v| {
        let (less, equal) = (b.less(v[0], v[1]), b.equal(v[1], v[2]));
        let chosen = b.select(less, v[2], v[3]);
        vec![chosen, b.mask_to_word(equal)]
    }));
}

/// Sums of products in double words, shifts, selections, and a loop that carries one.
#[test]
fn double_words() {
    let word = Type::Word(W as u8);
    agree(&kernel("double_words", |b, v| {
        let (x, y) = (b.mul_full(v[0], v[1]), b.mul_full(v[2], v[3]));
        let c = b.widen(v[2], Type::Wide(2 * W as u8));
        let x = b.low_bits(x, 7);
        let sum = b.add(x, y);
        let sum = b.wrapping_add(sum, c);
        let difference = b.wrapping_sub(sum, y);
        let mut out = b.split(sum, W);
        for k in [1u32, 3, 4, 6] {
            let shifted = b.shr(difference, k);
            let up = b.wrapping_shl(sum, k);
            let both = b.xor(shifted, up);
            out.extend(b.split(both, W));
        }
        let low = b.low_bits(sum, 3);
        out.push(b.narrow(low, word));
        let mask = b.equal(v[0], v[1]);
        let chosen = b.select(mask, sum, difference);
        let wide = b.op(Op::WrappingMul, &[chosen, difference], &[Type::Wide(2 * W as u8)])[0];
        out.extend(b.split(wide, W));
        out.push(b.mask_to_word(mask));
        out
    }));
    agree(&kernel("carried", |b, v| {
        let start = b.mul_full(v[0], v[1]);
        let start = b.low_bits(start, 5);
        let sums = b.repeat(3, &[(start, Interval::bits(8))], |b, _, x| {
            let step = b.mul_full(v[2], v[3]);
            let sum = b.wrapping_add(x[0], step);
            vec![b.low_bits(sum, 7)]
        });
        b.split(sums[0], W)
    }));
}

/// Sums of products whose operands have room above: in halves, which are put together where both words are needed.
#[test]
fn sums_in_halves() {
    let word = Type::Word(W as u8);
    let short = |b: &mut Builder, v: &[Value]| -> Vec<Value> { v.iter().map(|v| b.low_bits(*v, 2)).collect() };
    let column = kernel("column", |b, v| {
        let v = short(b, v);
        let (x, y) = (b.mul_full(v[0], v[1]), b.mul_full(v[2], v[0]));
        let sum = b.add(x, y);
        let carry = b.widen(v[3], Type::Wide(2 * W as u8));
        let sum = b.add(carry, sum);
        let (above, digit) = (b.shr(sum, 3u32), b.low_bits(sum, 3));
        vec![b.narrow(above, word), b.narrow(digit, word)]
    });
    agree(&column);
    let machine = Machine { word: W, products: Products::High, flags: true, unsigned: true, carries: Carries::Written };
    let carries = |machine: &Machine| {
        let legal = legalise(&column, machine).expect("it is rewritten");
        legal.statements().filter(|stmt| matches!(stmt, Stmt::Op { op: Op::AddCarry, .. })).count()
    };
    assert_eq!((carries(&machine), carries(&Machine { carries: Carries::Flag, ..machine })), (0, 2));
    agree(&kernel("put_together", |b, v| {
        let s = short(b, v);
        let products = [b.mul_full(s[0], s[1]), b.mul_full(s[1], s[2]), b.mul_full(s[2], s[2])];
        let sum = b.add(products[0], products[1]);
        let more = b.add(sum, products[2]);
        let other = b.mul_full(v[2], v[3]);
        let beside = b.add(sum, other);
        let mut out = b.split(more, W);
        out.extend(b.split(beside, W));
        for k in [1u32, 2, 3, 5] {
            let (above, digit) = (b.shr(more, k), b.low_bits(sum, k + 1));
            let both = b.xor(above, digit);
            out.extend(b.split(both, W));
        }
        out
    }));
    agree(&kernel("carried_halves", |b, v| {
        let s = short(b, v);
        let start = b.mul_full(s[0], s[1]);
        let sums = b.repeat(2, &[(start, Interval::bits(6))], |b, _, x| {
            let step = b.mul_full(s[2], s[0]);
            let sum = b.add(x[0], step);
            vec![b.low_bits(sum, 5)]
        });
        let again = b.mul_full(s[2], s[0]);
        let sum = b.add(sums[0], again);
        let above = b.shr(sum, 3u32);
        vec![b.narrow(above, word)]
    }));
    agree(&kernel("multiply_adds", |b, v| {
        let (zero, four) = (b.constant(word, 0), b.constant(word, 4));
        let products = [(v[0], v[1]), (v[1], v[1]), (v[0], four), (four, v[2])];
        let halves = products.map(|(x, y)| [b.madd_lo(3, zero, x, y), b.madd_hi(3, v[3], x, y)]);
        halves.concat()
    }));
}

/// A product that fills its double word is shifted as its pattern: the highest bit comes again, also where the number is
/// never negative and moves down by more than a word.
#[test]
fn full_double_words_keep_their_highest_bit() {
    agree(&kernel("highest_bit", |b, v| {
        let product = b.op(Op::MulFull, &[v[0], v[1]], &[Type::Wide(2 * W as u8)])[0];
        let mut out = Vec::new();
        for k in 0..2 * W {
            let shifted = b.sar(product, k);
            out.extend(b.split(shifted, W));
        }
        out
    }));
}

/// A callee is rewritten once, whoever calls it.
#[test]
fn callees() {
    let callee = {
        let mut b = Builder::new("inner", W);
        let out = b.output("out", 2, &[pow2(W) - 1]);
        let (x, y) = (b.input("x", 1, &[pow2(W) - 1]), b.input("y", 1, &[pow2(W) - 1]));
        let (p, q) = (b.load(x, 0u32), b.load(y, 0u32));
        let (lo, hi) = b.mul_wide(p, q);
        b.store_all(out, &[lo, hi]);
        Arc::new(b.finish(Contract::default()))
    };
    let mut b = Builder::new("outer", W);
    let inputs: Vec<Array> = ["a", "b", "c", "bit"].iter().map(|x| b.input(*x, 1, &[pow2(W) - 1])).collect();
    let out = b.output("out", 2, &[pow2(W) - 1]);
    let local = b.local("t", 2, Interval::bits(W));
    let number = b.callee(callee);
    b.call(number, vec![View::whole(local), View::whole(inputs[0]), View::whole(inputs[1])]);
    b.call(number, vec![View::whole(out), View::from(local, 1u32), View::whole(inputs[2])]);
    agree(&b.finish(Contract::default()));
}

#[test]
fn what_cannot_be_had_is_refused() {
    let refused = |machine: Machine, kernel: &Kernel| legalise(kernel, &machine).map(|_| ()).unwrap_err().to_string();
    let product = kernel("product", |b, v| {
        let wide = b.clmul(v[0], v[1]);
        b.split(wide, W)
    });
    assert!(refused(Machine { word: 2, ..Machine::C32 }, &product).contains("take a layout with narrower words"));
    assert!(refused(Machine { word: W, ..Machine::C32 }, &product).contains("carry-less"));
    let mut b = Builder::new("wide_parameter", W);
    let ty = Type::Wide(2 * W as u8);
    b.array("a", ty, 1, ArrayKind::Input, vec![ty.full()]);
    assert!(
        refused(Machine { word: W, ..Machine::C32 }, &b.finish(Contract::default())).contains("`a`, of double words")
    );
}
