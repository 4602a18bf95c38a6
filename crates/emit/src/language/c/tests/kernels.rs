//! The kernels of the tests.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{
    ArrayKind, Builder, Claim, Contract, Index, Interval, Kernel, Op, Operand, Polynomial, Type, Value, View,
};
use num_bigint::BigInt;

/// `n × n` words by rows of `a·b + c + d`.
pub fn operand_scanning(w: u32, n: usize) -> Kernel {
    let mut b = Builder::new(format!("operand_scanning_{n}"), w);
    let full = [pow2(w) - 1];
    let out = b.output("out", 2 * n as u32, &full);
    let (x, y) = (b.input("a", n as u32, &full), b.input("b", n as u32, &full));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let zero = b.word_constant(0);
    let mut t = vec![zero; 2 * n];
    for i in 0..n {
        let mut carry = zero;
        for j in 0..n {
            (t[i + j], carry) = b.mul_add_add(a[j], c[i], t[i + j], carry);
        }
        t[i + n] = carry;
    }
    b.store_all(out, &t);
    let weights = |k: usize| (0..k as u32).map(|i| i * w).collect::<Vec<_>>();
    let operand = |name, array, k: usize| Operand::new(name, array, &weights(k), &full, pow2(w * k as u32) - 1);
    let claim = Claim::Value {
        output: operand("out", out, 2 * n),
        factor: 1.into(),
        polynomial: Polynomial::default().plus(1, &[0, 1]),
        modulus: None,
    };
    b.finish(Contract { facts: Vec::new(), inputs: vec![operand("a", x, n), operand("b", y, n)], claims: vec![claim] })
}

/// `a² ` by columns of three-word accumulators.
fn comba_square(w: u32, n: usize) -> Kernel {
    let mut b = Builder::new(format!("comba_square_{n}"), w);
    let full = [pow2(w) - 1];
    let out = b.output("out", 2 * n as u32, &full);
    let x = b.input("a", n as u32, &full);
    let a = b.load_all(x);
    let zero = b.word_constant(0);
    let none = b.no_flag();
    let mut sum = [zero; 3];
    for k in 0..2 * n {
        for i in 0..n {
            if k >= i && k - i < n {
                let (lo, hi) = b.mul_wide(a[i], a[k - i]);
                let (s0, c0) = b.op2_of(Op::AddCarry, &[sum[0], lo, none]);
                let (s1, c1) = b.op2_of(Op::AddCarry, &[sum[1], hi, c0]);
                let carry = b.flag_to_word(c1, Type::Word(w as u8));
                sum = [s0, s1, b.wrapping_add(sum[2], carry)];
            }
        }
        b.store(out, k, sum[0]);
        sum = [sum[1], sum[2], zero];
    }
    b.must_be_disjoint(out, x);
    b.finish(Contract::default())
}

trait Pair {
    fn op2_of(&mut self, op: Op, args: &[Value]) -> (Value, Value);
}

impl Pair for Builder {
    fn op2_of(&mut self, op: Op, args: &[Value]) -> (Value, Value) {
        let ty = self.ty(args[0]);
        let r = self.op(op, args, &[ty, Type::Flag]);
        (r[0], r[1])
    }
}

/// `a + b mod m` for the modulus `2^(2w-1) − 1`, by a subtraction and a selection.
fn add_mod(w: u32) -> Kernel {
    let m: BigInt = pow2(2 * w - 1) - 1;
    let mut b = Builder::new("add_mod", w);
    let maxima = [pow2(w) - 1, pow2(w - 1) - 1];
    let out = b.output("out", 2, &maxima);
    let (x, y) = (b.input("a", 2, &maxima), b.input("b", 2, &maxima));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let none = b.no_flag();
    let (s0, carry) = b.add_carry(a[0], c[0], none);
    let (s1, _) = b.add_carry(a[1], c[1], carry);
    let (m0, m1) = (b.word_constant(pow2(w) - 1), b.word_constant(pow2(w - 1) - 1));
    let (d0, borrow) = b.op2_of(Op::SubBorrow, &[s0, m0, none]);
    let (d1, borrow) = b.op2_of(Op::SubBorrow, &[s1, m1, borrow]);
    let below = b.flag_to_mask(borrow);
    let r0 = b.select(below, s0, d0);
    let r1 = b.select(below, s1, d1);
    // The number's bound tells of the top word what its interval cannot.
    let r1 = b.low_bits(r1, w - 1);
    b.store(out, 0u32, r0);
    b.store(out, 1u32, r1);
    let operand = |name, array| Operand::new(name, array, &[0, w], &maxima, &m - 1);
    let polynomial = Polynomial::input(0).plus(1, &[1]);
    let claim =
        Claim::Value { output: operand("out", out), factor: 1.into(), polynomial, modulus: Some(m.clone().into()) };
    b.finish(Contract { facts: Vec::new(), inputs: vec![operand("a", x), operand("b", y)], claims: vec![claim] })
}

/// Double-word accumulators with a ghost, signed differences and an in-out parameter.
fn wide_and_signed(w: u32) -> Kernel {
    let mut b = Builder::new("wide_and_signed", w);
    let ty = Type::Word(w as u8);
    let small = Interval::bits(w / 2);
    let out = b.output("out", 4, &[pow2(w) - 1]);
    let both = b.array("both", ty, 1, ArrayKind::InOut, vec![Interval::bits(w)]);
    let x = b.array("a", ty, 4, ArrayKind::Input, vec![small]);
    let ghost = b.ghost("ghost", 1);
    let a = b.load_all(x);
    let products: Vec<Value> = (0..4).map(|i| b.mul_full(a[i], a[3 - i])).collect();
    let sum = products[1..].iter().fold(products[0], |s, p| b.add(s, *p));
    let parts = b.split(sum, w);
    b.store(out, 0u32, parts[0]);
    b.store(out, 1u32, parts[1]);
    let difference = b.sub(a[0], a[1]);
    let more = b.add(difference, a[2]);
    let sign = b.sar(more, w - 1);
    let bits = b.and(sign, a[3]);
    b.store(out, 2u32, bits);
    let narrow = b.low_bits(sum, w);
    let narrow = b.narrow(narrow, ty);
    b.store(out, 3u32, narrow);
    let old = b.load(both, 0u32);
    let new = b.wrapping_add(old, bits);
    b.store(both, 0u32, new);
    let high = b.shr(sum, w);
    let high = b.narrow(high, ty);
    b.store(ghost, 0u32, high);
    b.finish(Contract::default())
}

/// Products, sums and selections.
pub fn numbers(w: u32) -> Vec<(&'static str, Kernel)> {
    vec![
        ("mul2", operand_scanning(w, 2)),
        ("mul3", operand_scanning(w, 3)),
        ("mul4", operand_scanning(w, 4)),
        ("square4", comba_square(w, 4)),
        ("add_mod", add_mod(w)),
        ("wide", wide_and_signed(w)),
    ]
}

/// Every operation that lanes of 64 bits have, each result into its own output word. Needs an even `w` of at least 4.
pub fn in_lanes(w: u32) -> Kernel {
    let mut b = Builder::new("in_lanes", w);
    let (ty, half, mask) = (Type::Word(w as u8), Type::Word(w as u8 / 2), Type::Mask(w as u8));
    let x = b.input("a", 4, &[pow2(w) - 1]);
    let small = b.input("small", 2, &[pow2(w / 2) - 1]);
    let table = b.table("table", (0..4u32).map(|i| BigInt::from(i * 3 + 1)).collect());
    let (a, s) = (b.load_all(x), b.load_all(small));
    let entry = b.load(table, 2u32);
    let mut r: Vec<Value> = vec![entry, b.op(Op::Mul, &[s[0], s[1]], &[ty])[0]];
    for op in [Op::WrappingAdd, Op::WrappingSub, Op::WrappingMul, Op::And, Op::Or, Op::Xor, Op::AndNot] {
        r.push(b.op(op, &[a[0], a[1]], &[ty])[0]);
    }
    // Of factors of all sizes; of which only one result is used, too.
    for (x, y) in [(a[0], a[1]), (s[0], a[1]), (a[0], s[1]), (s[0], s[1])] {
        r.extend(b.op(Op::MulWide, &[x, y], &[ty, ty]));
    }
    r.push(b.op(Op::MulWide, &[s[0], s[1]], &[ty, ty])[1]);
    r.push(b.op(Op::MulWide, &[s[0], a[2]], &[ty, ty])[1]);
    let none = b.no_flag();
    let (sum, carry) = b.op2_of(Op::AddCarry, &[a[0], a[1], none]);
    let (sum2, carry2) = b.op2_of(Op::AddCarry, &[a[2], a[3], carry]);
    let (difference, borrow) = b.op2_of(Op::SubBorrow, &[a[0], a[1], none]);
    let (difference2, borrow2) = b.op2_of(Op::SubBorrow, &[a[2], a[3], borrow]);
    let last = b.op2_of(Op::AddCarry, &[sum, sum2, carry2]).0;
    let last2 = b.op2_of(Op::SubBorrow, &[difference, difference2, borrow2]).0;
    r.extend([sum, sum2, difference, difference2, last, last2]);
    for flag in [b.op(Op::And, &[carry, borrow], &[Type::Flag])[0], b.op(Op::Not, &[carry], &[Type::Flag])[0], borrow2]
    {
        let word = b.flag_to_word(flag, ty);
        r.extend([word, b.op(Op::WrappingAdd, &[a[0], word], &[ty])[0]]);
    }
    let (equal, less) = (b.equal(a[0], a[1]), b.less(a[0], a[1]));
    let from_flag = b.op(Op::FlagToMask, &[carry], &[mask])[0];
    let both = b.op(Op::Or, &[equal, less], &[mask])[0];
    for m in [equal, less, from_flag, both] {
        r.push(b.mask_to_word(m));
        r.push(b.select(m, a[2], a[3]));
    }
    let back = b.mask_to_flag(less);
    r.push(b.flag_to_word(back, ty));
    for (x, y) in [(0, 1), (1, 2), (2, 3)] {
        r.push(b.select(from_flag, a[x], a[y]));
    }
    let zero = b.word_constant(0);
    r.extend([b.select(less, a[0], zero), b.select(less, zero, a[0])]);
    for k in [0, 1, i64::from(w) / 2, i64::from(w) - 1] {
        for op in [Op::WrappingShl, Op::Shr, Op::Sar, Op::Rotate] {
            r.push(b.op(op(Index::at(k)), &[a[0]], &[ty])[0]);
        }
    }
    for k in [0, 1, i64::from(w) / 2, i64::from(w)] {
        r.push(b.op(Op::FunnelShift(Index::at(k)), &[a[0], a[1]], &[ty])[0]);
    }
    r.push(b.op(Op::Not, &[a[0]], &[ty])[0]);
    let low = b.low_bits(a[0], w / 2);
    let narrow = b.narrow(low, half);
    let parts = b.split(a[1], w / 2);
    r.extend([low, b.widen(narrow, ty), b.join(&[parts[1], parts[0]], ty), b.widen(parts[1], ty)]);
    let turned = b.repeat(5, &[(a[3], Interval::bits(w)), (a[2], Interval::bits(w))], |b, i, v| {
        let more = b.load(x, Index::default().plus(i, 0));
        let sum = b.wrapping_add(v[0], more);
        vec![v[1], b.xor(sum, s[0])]
    });
    r.extend(turned);
    let out = b.output("out", r.len() as u32, &[pow2(w) - 1]);
    b.store_all(out, &r);
    b.finish(Contract::default())
}

/// Sums of halves of products of 52 bits, of words that reach above.
pub fn multiply_adds() -> Kernel {
    let mut b = Builder::new("multiply_adds", 64);
    let (full, ty) = ([pow2(64) - 1], Type::Word(64));
    let (out, x, sum) = (b.output("out", 2, &full), b.input("a", 2, &full), b.input("sum", 1, &[pow2(63)]));
    let (a, sum) = (b.load_all(x), b.load(sum, 0u32));
    let results = [Op::MaddLo(52), Op::MaddHi(52)].map(|op| b.op(op, &[sum, a[0], a[1]], &[ty])[0]);
    b.store_all(out, &results);
    b.finish(Contract::default())
}

/// Every operation on words once, each result into its own output word. Needs an even `w` of at least 4.
pub fn every_operation(w: u32) -> Kernel {
    let mut b = Builder::new("every_operation", w);
    let (ty, wide, mask) = (Type::Word(w as u8), Type::Wide(2 * w as u8), Type::Mask(w as u8));
    let half = Type::Word(w as u8 / 2);
    let x = b.input("a", 4, &[pow2(w) - 1]);
    let small = b.input("small", 2, &[pow2(w / 2 - 1) - 1]);
    let index = b.input("index", 1, &[BigInt::from(4)]);
    let table = b.table("table", (0..5u32).map(|i| BigInt::from(i * 3 + 1)).collect());
    let (a, s) = (b.load_all(x), b.load_all(small));
    let index = b.load(index, 0u32);
    let mut r: Vec<Value> = Vec::new();
    let exact = [Op::Add, Op::Mul].map(|op| b.op(op, &[s[0], s[1]], &[ty])[0]);
    r.extend(exact);
    let big = b.or(a[0], s[0]);
    r.push(b.op(Op::WrappingSub, &[big, s[0]], &[ty])[0]);
    for op in [Op::WrappingAdd, Op::WrappingSub, Op::WrappingMul, Op::And, Op::Or, Op::Xor, Op::AndNot] {
        r.push(b.op(op, &[a[0], a[1]], &[ty])[0]);
    }
    for op in [Op::MulWide, Op::MulAddAdd] {
        let n = op.operands().unwrap_or(0);
        r.extend(b.op(op, &a[..n], &[ty, ty]));
    }
    // Only one of two results is used.
    r.push(b.op(Op::MulWide, &[a[2], a[3]], &[ty, ty])[1]);
    r.push(b.op(Op::MulAddAdd, &[a[2], a[3], a[0], a[1]], &[ty, ty])[0]);
    let k = w / 2 - 1;
    r.extend([Op::MaddLo(k), Op::MaddHi(k)].map(|op| b.op(op, &[s[0], a[1], a[2]], &[ty])[0]));
    let none = b.no_flag();
    let (sum, carry) = b.op2_of(Op::AddCarry, &[a[0], a[1], none]);
    let (sum2, carry2) = b.op2_of(Op::AddCarry, &[a[2], a[3], carry]);
    let (difference, borrow) = b.op2_of(Op::SubBorrow, &[a[0], a[1], none]);
    let (difference2, borrow2) = b.op2_of(Op::SubBorrow, &[a[2], a[3], borrow]);
    let last = b.op2_of(Op::AddCarry, &[sum, sum2, carry2]).0;
    let last2 = b.op2_of(Op::SubBorrow, &[difference, difference2, borrow2]).0;
    r.extend([sum, sum2, difference, difference2, last, last2]);
    let flags = [
        b.op(Op::And, &[carry, borrow], &[Type::Flag])[0],
        b.op(Op::Or, &[carry, borrow2], &[Type::Flag])[0],
        b.op(Op::Xor, &[carry2, borrow], &[Type::Flag])[0],
        b.op(Op::Not, &[carry], &[Type::Flag])[0],
    ];
    for flag in flags {
        let word = b.flag_to_word(flag, ty);
        r.push(b.op(Op::WrappingAdd, &[a[0], word], &[ty])[0]);
        r.push(b.op(Op::WrappingSub, &[a[0], word], &[ty])[0]);
    }
    let equal = b.equal(a[0], a[1]);
    let less = b.less(a[0], a[1]);
    let from_flag = b.op(Op::FlagToMask, &[carry], &[mask])[0];
    let both = b.op(Op::Or, &[equal, less], &[mask])[0];
    for m in [equal, less, from_flag, both] {
        r.push(b.mask_to_word(m));
    }
    let back = b.mask_to_flag(less);
    r.push(b.flag_to_word(back, ty));
    for (x, y) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)] {
        r.push(b.select(from_flag, a[x], a[y]));
    }
    let zero = b.word_constant(0);
    r.push(b.select(less, a[0], zero));
    r.push(b.select(less, zero, a[0]));
    r.push(b.select(less, zero, zero));
    r.push(b.op(Op::Shl(Index::at(2)), &[exact[0]], &[ty])[0]);
    for k in [0, 1, i64::from(w) - 1] {
        for op in [Op::WrappingShl, Op::Shr, Op::Sar, Op::Rotate] {
            r.push(b.op(op(Index::at(k)), &[a[0]], &[ty])[0]);
        }
    }
    for k in [0, 1, i64::from(w) / 2, i64::from(w)] {
        r.push(b.op(Op::FunnelShift(Index::at(k)), &[a[0], a[1]], &[ty])[0]);
    }
    r.push(b.op(Op::Not, &[a[0]], &[ty])[0]);
    r.push(b.low_bits(a[0], w / 2));
    r.push(b.op(Op::Lookup { table, vartime: false }, &[index], &[ty])[0]);
    let made = b.local("made", 5, ty.full());
    (0..5usize).for_each(|i| b.store(made, i, a[i % 4]));
    r.push(b.lookup(made, index));
    // Parts and double words.
    let parts = b.split(a[0], w / 2);
    r.push(b.join(&[parts[1], parts[0]], ty));
    r.push(b.widen(parts[1], ty));
    let joined = b.join(&[a[2], a[1]], wide);
    let product = b.op(Op::MulFull, &[a[0], a[1]], &[wide])[0];
    let carryless = b.clmul(a[0], a[3]);
    let wide_mask = b.op(Op::Less, &[joined, product], &[Type::Mask(2 * w as u8)])[0];
    let chosen = b.op(Op::Select, &[wide_mask, joined, product], &[wide])[0];
    let chosen2 = b.op(Op::Select, &[less, joined, product], &[wide])[0];
    let (wide_sum, wide_carry) = b.op2_of(Op::AddCarry, &[joined, product, carry]);
    let (wide_difference, wide_borrow) = b.op2_of(Op::SubBorrow, &[joined, product, wide_carry]);
    let word = b.flag_to_word(wide_borrow, ty);
    r.push(word);
    let shifted = b.op(Op::WrappingShl(Index::at(3)), &[joined], &[wide])[0];
    let sheared = b.op(Op::Sar(Index::at(3)), &[joined], &[wide])[0];
    let turned = b.op(Op::Rotate(Index::at(i64::from(w) + 1)), &[joined], &[wide])[0];
    let wrapped = b.op(Op::WrappingMul, &[joined, product], &[wide])[0];
    let flipped = b.op(Op::Not, &[joined], &[wide])[0];
    for v in [
        joined,
        product,
        carryless,
        chosen,
        chosen2,
        wide_sum,
        wide_difference,
        shifted,
        sheared,
        turned,
        wrapped,
        flipped,
    ] {
        r.extend(b.split(v, w));
    }
    let widened = b.widen(a[1], wide);
    let top = b.op(Op::Shr(Index::at(i64::from(w))), &[product], &[wide])[0];
    let top = b.narrow(top, ty);
    r.push(b.narrow(widened, ty));
    r.push(top);
    let low = b.low_bits(a[3], w / 2);
    let narrow = b.narrow(low, half);
    r.push(b.widen(narrow, ty));
    let out = b.output("out", r.len() as u32, &[pow2(w) - 1]);
    b.store_all(out, &r);
    b.finish(Contract::default())
}

/// One-bit words: logic, carries, and a rotating register as in normal bases, with an index table.
pub fn bits() -> Vec<(&'static str, Kernel)> {
    let m = 11u32;
    let mut b = Builder::new("rotating", 1);
    let one = [BigInt::from(1)];
    let out = b.output("out", m, &one);
    let (x, y) = (b.input("a", m, &one), b.input("b", m, &one));
    let jumps = b.array(
        "jumps",
        Type::Word(8),
        3,
        ArrayKind::Table(vec![1.into(), 7.into(), 10.into()]),
        vec![Interval::up_to(10)],
    );
    b.must_be_disjoint(out, x);
    b.must_be_disjoint(out, y);
    b.repeat(m, &[], |b, i, _| {
        let own = b.load(x, i);
        let zero = b.word_constant(0);
        let sum = b.repeat(3, &[(zero, Interval::bits(1))], |b, j, sum| {
            let far = b.load(y, Index::counter(i).with_table(jumps, Index::counter(j)).modulo());
            let product = b.and(own, far);
            vec![b.xor(sum[0], product)]
        });
        let back = b.load(x, Index::counter(i).offset(-4).modulo());
        let total = b.xor(sum[0], back);
        b.store(out, i, total);
        vec![]
    });
    let rotating = b.finish(Contract::default());

    let mut b = Builder::new("logic", 1);
    let (x, y) = (b.input("a", 4, &one), b.input("b", 4, &one));
    let (p, q) = (b.load_all(x), b.load_all(y));
    let ty = Type::Word(1);
    let mut r: Vec<Value> =
        vec![b.and(p[0], q[0]), b.or(p[0], q[0]), b.xor(p[0], q[0]), b.not(p[0]), b.and_not(p[0], q[0])];
    let mut carry = b.no_flag();
    let mut borrow = b.no_flag();
    for i in 0..4 {
        let (s, c) = b.op2_of(Op::AddCarry, &[p[i], q[i], carry]);
        let (d, f) = b.op2_of(Op::SubBorrow, &[p[i], q[i], borrow]);
        (carry, borrow) = (c, f);
        r.extend([s, d]);
    }
    let word = b.flag_to_word(carry, ty);
    r.push(word);
    let mask = b.flag_to_mask(borrow);
    r.push(b.select(mask, p[1], q[2]));
    let equal = b.equal(p[0], q[1]);
    let less = b.less(p[2], q[3]);
    r.extend([b.mask_to_word(equal), b.mask_to_word(less)]);
    r.extend(b.op(Op::MulAddAdd, &[p[0], q[0], p[1], q[1]], &[ty, ty]));
    let out = b.output("out", r.len() as u32, &one);
    b.store_all(out, &r);
    vec![("rotating", rotating), ("logic", b.finish(Contract::default()))]
}

/// Loops that carry values (two of them swapping), a local array, calls with whole, shifted, rotated and permuted
/// views.
pub fn structures(w: u32) -> Vec<(&'static str, Kernel)> {
    let full = [pow2(w) - 1];
    let mut b = Builder::new("looped", w);
    let out = b.output("out", 6, &full);
    let x = b.input("a", 6, &full);
    let kept = b.local("kept", 6, Interval::bits(w));
    let zero = b.word_constant(0);
    let one = b.word_constant(1);
    let all = Interval::bits(w);
    let ends = b.repeat(6, &[(zero, all.clone()), (one, all.clone()), (zero, Interval::bits(w / 2))], |b, i, v| {
        let a = b.load(x, i);
        let s = b.wrapping_add(v[0], a);
        b.store(kept, Index::at(5).plus(i, -1), s);
        let low = b.low_bits(a, w / 2);
        let turned = b.shr(v[2], 1u32);
        let mixed = b.xor(turned, low);
        // The first two change places.
        vec![v[1], v[0], mixed]
    });
    b.repeat(2, &[], |b, i, _| {
        b.repeat(3, &[], |b, j, _| {
            let at = Index::default().plus(i, 3).plus(j, 1);
            let v = b.load(kept, at.clone());
            let u = b.load(kept, at.clone().offset(-1).modulo());
            let u = b.wrapping_shl(u, Index::counter(j));
            let s = b.wrapping_add(v, u);
            let s = b.wrapping_add(s, ends[0]);
            let s = b.xor(s, ends[2]);
            b.store(out, at, s);
            vec![]
        });
        vec![]
    });
    b.must_be_disjoint(out, x);
    let looped = b.finish(Contract::default());

    let mut b = Builder::new("step", w);
    let out = b.output("out", 3, &full);
    let (x, y) = (b.input("a", 3, &full), b.input("b", 3, &full));
    let ghost = b.ghost("top", 1);
    let (a, c) = (b.load_all(x), b.load_all(y));
    for i in 0..3 {
        let p = b.wrapping_mul(a[i], c[2 - i]);
        let s = b.wrapping_add(p, c[i]);
        b.store(out, i, s);
    }
    b.store(ghost, 0u32, a[0]);
    let step = Arc::new(b.finish(Contract::default()));

    let mut b = Builder::new("calling", w);
    let out = b.output("out", 7, &full);
    let x = b.input("a", 7, &full);
    let work = b.local("work", 7, Interval::bits(w));
    let trash = b.local("trash", 1, Interval::bits(w));
    let order = b.array(
        "order",
        Type::Word(8),
        3,
        ArrayKind::Table(vec![2.into(), 0.into(), 5.into()]),
        vec![Interval::up_to(5)],
    );
    b.must_be_disjoint(out, x);
    b.repeat(7, &[], |b, i, _| {
        let v = b.load(x, i);
        b.store(work, i, v);
        vec![]
    });
    let callee = b.callee(step.clone());
    let top = || View::whole(trash);
    b.call(callee, vec![View::from(work, 1u32), View::whole(x), View::from(x, 4u32), top()]);
    b.repeat(7, &[], |b, i, _| {
        let rotated = |offset: i64| View::from(work, Index::counter(i).offset(offset).modulo());
        let permuted = View { array: work, start: Index::counter(i).modulo(), order: Some(order) };
        b.call(callee, vec![rotated(3), permuted.clone(), rotated(-1), top()]);
        b.call(callee, vec![permuted, View::from(x, 2u32), rotated(0), top()]);
        vec![]
    });
    for i in 0..7u32 {
        let v = b.load(work, i);
        b.store(out, i, v);
    }
    let calling = b.finish(Contract::default());
    vec![("looped", looped), ("step", Arc::unwrap_or_clone(step)), ("calling", calling)]
}

/// A kernel that is printed in parts: rounds of sums with carries, shuffles through a local array, a table and a loop
/// in between; then loops on an array, parts of which pass no values.
pub fn long(w: u32) -> Kernel {
    let full = [pow2(w) - 1];
    let mut b = Builder::new("long", w);
    let out = b.output("out", 4, &full);
    let x = b.input("a", 4, &full);
    let kept = b.local("kept", 4, Interval::bits(w));
    let table = b.table("table", (1..9u32).map(BigInt::from).collect());
    b.must_be_disjoint(out, x);
    let mut v = b.load_all(x);
    b.store_all(kept, &v);
    for round in 0..900u32 {
        let mut carry = b.no_flag();
        for i in 0..4 {
            (v[i], carry) = b.op2_of(Op::AddCarry, &[v[i], v[(i + 1) % 4], carry]);
        }
        let word = b.flag_to_word(carry, Type::Word(w as u8));
        let entry = b.load(table, round % 8);
        let entry = b.wrapping_add(entry, word);
        v[1] = b.xor(v[1], entry);
        b.store(kept, round % 4, v[3]);
        v[2] = b.load(kept, (round + 1) % 4);
        if round == 300 {
            v[0] = b.repeat(5, &[(v[0], Interval::bits(w))], |b, i, x| {
                let entry = b.load(table, i);
                vec![b.wrapping_add(x[0], entry)]
            })[0];
        }
    }
    b.store_all(kept, &v);
    for round in 1..802u32 {
        b.repeat(4, &[], |b, i, _| {
            let word = b.load(kept, i);
            let bits = b.word_constant(round % 8);
            let turned = b.xor(word, bits);
            b.store(kept, i, turned);
            vec![]
        });
    }
    let last = b.load_all(kept);
    b.store_all(out, &last);
    b.finish(Contract::default())
}

/// Doubles: both halves of a product of digits of 52 bits by two multiply-adds, and `xy − xy`, which is 0 unless a
/// compiler makes one operation of two.
pub fn floats() -> Kernel {
    let double = Type::Float(53);
    let mut b = Builder::new("floats", 64);
    let full = [pow2(52) - 1];
    let out = b.array("out", Type::Word(64), 4, ArrayKind::Output, vec![Type::Word(64).full()]);
    let (x, y) = (b.input("a", 1, &full), b.input("b", 1, &full));
    let constants = [pow2(52), pow2(104), BigInt::from(3) << 51u32].map(|c| b.constant(double, c));
    let [base, start, middle] = constants;
    let [x, y] = [x, y].map(|array| {
        let word = b.load(array, 0u32);
        let exponent = b.word_constant(0x433u64 << 52);
        let pattern = b.or(word, exponent);
        let biased = b.bits_to_float(pattern, double);
        b.float_sub(biased, base)
    });
    let high = b.float_fma(x, y, start);
    let rest = b.float_sub(start, high);
    let rest = b.float_add(rest, middle);
    let low = b.float_fma(x, y, rest);
    let (product, again) = (b.float_mul(x, y), b.float_mul(x, y));
    let difference = b.float_sub(product, again);
    let zero = b.float_add(difference, base);
    for (i, value) in [high, low, product, zero].into_iter().enumerate() {
        let bits = b.float_to_bits(value);
        b.store(out, i, bits);
    }
    b.finish(Contract::default())
}
