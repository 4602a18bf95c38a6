//! Each operation on words as a statement.

use evariste_ir::{Index, Interval, Op, Type, Value};
use num_bigint::Sign;

use super::build::Writer;
use super::data::{Arithmetic, Bitwise, Expression, Reach, Statement};
use super::helper::Helper;
use super::model::container;
use super::place::Place;

fn boxed(x: &Expression) -> Box<Expression> {
    Box::new(x.clone())
}

fn arithmetic(op: Arithmetic, bits: u32, left: &Expression, right: &Expression) -> Expression {
    Expression::Arithmetic { op, bits, left: boxed(left), right: boxed(right), halves: false }
}

fn float(op: Arithmetic, left: &Expression, right: &Expression) -> Expression {
    Expression::Float { op, left: boxed(left), right: boxed(right) }
}

impl Writer<'_> {
    /// Bits of an operand.
    fn bits(&self, v: Value) -> u32 {
        self.prepared.kernel.value(v).ty.bits()
    }

    /// Is the value always below 2^32?
    fn is_half(&self, v: Value) -> bool {
        self.prepared.kernel.value(v).range.within(&Interval::bits(32))
    }

    /// A product modulo 2^bits.
    fn product(&self, args: &[Value], bits: u32) -> Expression {
        let [left, right] = [0, 1].map(|i| Box::new(self.value(args[i])));
        let halves = args.iter().all(|v| self.is_half(*v));
        Expression::Arithmetic { op: Arithmetic::Mul, bits, left, right, halves }
    }

    /// Two results by one helper.
    fn define_pair(&mut self, args: &[Value], results: &[Value], helper: Helper, arguments: Vec<Expression>) {
        helper.add_to(self.helpers);
        let first = self.is_live(results[0]).then(|| self.variable(results[0]));
        let second = self.variable(results[1]);
        let halves = [0, 1].map(|i| self.is_half(args[i]));
        let signless =
            [0, 1].map(|i| self.prepared.kernel.value(args[i]).range.within(&Interval::bits(self.bits(args[i]) - 1)));
        self.push(Statement::Pair { helper, arguments, halves, signless, first, second });
    }

    fn call(&mut self, result: Value, helper: Helper, arguments: Vec<Expression>) {
        let value = self.helper(helper, arguments);
        self.define(result, value);
    }

    /// The public amount of a shift, and the greatest value it takes.
    fn amount(&mut self, k: &Index) -> (Place, i64) {
        let k = &Index { modulo: false, ..k.clone() };
        let (_, most) = self.counters.range(&self.prepared.kernel, k);
        (self.place(k, 0), most)
    }

    fn shift(&mut self, result: Value, a: Value, left: bool, k: &Index) {
        let bits = self.bits(a);
        let (amount, most) = self.amount(k);
        let reach = match () {
            () if most < i64::from(bits) => Reach::Inside,
            () if k.constant().is_some() => Reach::Outside,
            () => Reach::Both,
        };
        let value = Box::new(self.value(a));
        self.define(result, Expression::Shift { left, bits, value, amount, reach });
    }

    fn helper_shift(&mut self, result: Value, helper: Helper, mut a: Vec<Expression>, k: &Index) {
        let (amount, _) = self.amount(k);
        a.push(Expression::Public(amount));
        self.call(result, helper, a);
    }

    /// Writes one live operation.
    pub(super) fn operation(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        let a: Vec<Expression> = args.iter().map(|v| self.value(*v)).collect();
        let n = args.first().map_or(0, |v| self.bits(*v));
        let r = results[0];
        let out = self.bits(r);
        let logic = |op: Bitwise, b: Expression| Expression::logic(op, out, a[0].clone(), b);
        let value = match op {
            // Constants stand where they are used; what has a body was written out.
            Op::Const(_) | Op::Defined(_) => return,
            Op::Add | Op::WrappingAdd => arithmetic(Arithmetic::Add, n, &a[0], &a[1]),
            Op::Sub | Op::WrappingSub => arithmetic(Arithmetic::Sub, n, &a[0], &a[1]),
            Op::Mul | Op::WrappingMul => self.product(args, n),
            Op::MulFull => Expression::Product { bits: out, left: boxed(&a[0]), right: boxed(&a[1]) },
            Op::MulWide | Op::MulAddAdd | Op::AddCarry | Op::SubBorrow => return self.carrying(op, args, a, results),
            Op::MaddLo(k) => self.helper(Helper::MaddLo(n, *k), a),
            Op::MaddHi(k) => self.helper(Helper::MaddHi(n, *k), a),
            Op::FlagToWord | Op::Widen => Expression::Convert { bits: out, value: boxed(&a[0]) },
            Op::FlagToMask => self.helper(Helper::Mask(out), a),
            Op::MaskToWord => a[0].clone(),
            Op::MaskToFlag => Expression::Flag(boxed(&a[0])),
            Op::Equal => self.helper(Helper::Equal(n), a),
            Op::Less => self.helper(Helper::Less(n), a),
            Op::Select => return self.select(args, r, &a),
            Op::Shl(k) | Op::WrappingShl(k) => return self.shift(r, args[0], true, k),
            Op::Shr(k) => return self.shift(r, args[0], false, k),
            Op::Sar(k) => return self.helper_shift(r, Helper::Sar(n), a, k),
            Op::Rotate(k) => return self.helper_shift(r, Helper::Rotate(n), a, k),
            Op::FunnelShift(k) => return self.helper_shift(r, Helper::Funnel(n), a, k),
            Op::And => logic(Bitwise::And, a[1].clone()),
            Op::Or => logic(Bitwise::Or, a[1].clone()),
            Op::Xor => logic(Bitwise::Xor, a[1].clone()),
            Op::AndNot => logic(Bitwise::And, Expression::inverted(out, a[1].clone())),
            Op::Not => Expression::inverted(n, a[0].clone()),
            Op::LowBits(k) if *k >= n => a[0].clone(),
            Op::LowBits(k) => Expression::Low { low: *k, bits: out, value: boxed(&a[0]) },
            // The bits of a negative number reach above a type that does not fill its container.
            Op::Narrow if self.prepared.kernel.value(args[0]).range.lo.sign() == Sign::Minus => {
                Expression::Slice { at: 0, bits: out, value: boxed(&a[0]) }
            }
            Op::Narrow => Expression::Convert { bits: out, value: boxed(&a[0]) },
            Op::Split => return self.split(args[0], results),
            Op::Join => {
                let parts = args.iter().zip(a).map(|(v, x)| (self.bits(*v), x)).collect();
                Expression::Join { bits: out, parts }
            }
            Op::Clmul => self.helper(Helper::Clmul(n), a),
            Op::RijndaelMul => self.helper(Helper::RijndaelMul, a),
            Op::BitMatrix(images) => self.helper(Helper::BitMatrix, vec![Expression::Pattern(*images), a[0].clone()]),
            Op::BitsToFloat => self.helper(Helper::BitsToFloat, a),
            Op::FloatToBits => self.helper(Helper::FloatToBits, a),
            Op::FloatAdd => float(Arithmetic::Add, &a[0], &a[1]),
            Op::FloatSub => float(Arithmetic::Sub, &a[0], &a[1]),
            Op::FloatMul => float(Arithmetic::Mul, &a[0], &a[1]),
            Op::FloatFma => Expression::Fused { bits: out, operands: a },
            Op::Lookup { table, vartime } => {
                let info = self.prepared.kernel.array(*table);
                let name = self.words.name(&info.name);
                if *vartime {
                    Expression::Entry(name, boxed(&a[0]))
                } else {
                    let length = Expression::Public(Place::constant(u64::from(info.len)));
                    self.helper(Helper::Lookup(container(out)), vec![Expression::Name(name), length, a[0].clone()])
                }
            }
        };
        self.define(r, value);
    }

    /// What has two results, of which one may not be needed.
    fn carrying(&mut self, op: &Op, args: &[Value], a: Vec<Expression>, results: &[Value]) {
        let (n, r) = (self.bits(args[0]), results[0]);
        let both = self.is_live(results[1]);
        let sum = |x: &Expression, y: &Expression| arithmetic(Arithmetic::Add, n, x, y);
        match op {
            Op::MulWide if !both => self.define(r, arithmetic(Arithmetic::Mul, n, &a[0], &a[1])),
            Op::MulWide => self.define_pair(args, results, Helper::MulWide(n), a),
            Op::MulAddAdd if !both => {
                let product = arithmetic(Arithmetic::Mul, n, &a[0], &a[1]);
                self.define(r, sum(&sum(&product, &a[2]), &a[3]));
            }
            Op::MulAddAdd => self.define_pair(args, results, Helper::MulAddAdd(n), a),
            Op::AddCarry if both => self.define_pair(args, results, Helper::AddCarry(n), a),
            Op::SubBorrow if both => self.define_pair(args, results, Helper::SubBorrow(n), a),
            _ => {
                let adds = matches!(op, Op::AddCarry);
                if self.is_zero(args[2]) {
                    let op = if adds { Arithmetic::Add } else { Arithmetic::Sub };
                    self.define(r, arithmetic(op, n, &a[0], &a[1]));
                } else {
                    self.call(r, if adds { Helper::AddWithCarry(n) } else { Helper::SubWithBorrow(n) }, a);
                }
            }
        }
    }

    /// A mask as a mask of `n` bits.
    fn mask_of(&self, mask: Value, n: u32) -> Expression {
        match self.bits(mask) {
            m if m == n => self.value(mask),
            _ => Expression::Mask { to: n, mask: Box::new(self.value(mask)) },
        }
    }

    fn select(&mut self, args: &[Value], result: Value, a: &[Expression]) {
        let n = self.bits(result);
        if let Type::Float(_) = self.prepared.kernel.value(result).ty {
            // Doubles are selected by their bits.
            let mask = self.mask_of(args[0], 64);
            let bits: Vec<Expression> =
                a[1..].iter().map(|x| self.helper(Helper::FloatToBits, vec![x.clone()])).collect();
            let chosen = self.helper(Helper::Select(64), [vec![mask], bits].concat());
            return self.call(result, Helper::BitsToFloat, vec![chosen]);
        }
        let mask = self.mask_of(args[0], n);
        if self.is_zero(args[2]) {
            self.define(result, Expression::logic(Bitwise::And, n, mask, a[1].clone()));
        } else if self.is_zero(args[1]) {
            self.define(result, Expression::logic(Bitwise::And, n, Expression::inverted(n, mask), a[2].clone()));
        } else {
            self.call(result, Helper::Select(n), vec![mask, a[1].clone(), a[2].clone()]);
        }
    }

    fn split(&mut self, value: Value, results: &[Value]) {
        let mut at = 0;
        for result in results {
            let bits = self.bits(*result);
            if self.is_live(*result) {
                let value = Box::new(self.value(value));
                self.define(*result, Expression::Slice { at, bits, value });
            }
            at += bits;
        }
    }
}
