//! Each operation on words as a C statement.

use evariste_ir::{Index, Op, Type, Value};

use super::function::Printer;
use super::helpers::{Helper, masked};
use super::names;
use super::types::{computing, container, is_native, ones, unsigned};

impl Printer<'_> {
    /// Bits of an operand.
    fn bits(&self, v: Value) -> u32 {
        self.prepared.kernel.value(v).ty.bits()
    }

    /// `T name = expression;`
    pub(super) fn define(&mut self, result: Value, expression: &str) {
        let ty = self.c_type(result);
        let name = self.value(result);
        self.line(&format!("{ty} {name} = {expression};"));
    }

    /// An integer expression in the computing type, brought back to `result`'s type.
    fn define_wrapped(&mut self, result: Value, expression: &str) {
        let n = self.bits(result);
        if is_native(n) {
            self.define(result, expression);
        } else {
            self.define(result, &format!("({})({})", unsigned(n), masked(n, expression)));
        }
    }

    /// An operand in its computing type.
    fn computed(&self, v: Value) -> String {
        let n = self.bits(v);
        if is_native(n) { self.value(v) } else { format!("({}){}", computing(n), self.value(v)) }
    }

    /// `T low, high` by a helper that returns the first and writes the second.
    fn define_pair(&mut self, results: &[Value], helper: Helper, arguments: &[String]) {
        let call = self.prelude.name(helper);
        let (first, second) = (self.value(results[0]), self.value(results[1]));
        let (ty, second_ty) = (self.c_type(results[0]), self.c_type(results[1]));
        let call = format!("{call}({}, &{second})", arguments.join(", "));
        if !self.is_live(results[0]) {
            self.line(&format!("{second_ty} {second}; (void){call};"));
        } else if ty == second_ty {
            self.line(&format!("{ty} {second}, {first} = {call};"));
        } else {
            self.line(&format!("{second_ty} {second}; {ty} {first} = {call};"));
        }
    }

    fn call(&mut self, result: Value, helper: Helper, arguments: &[String]) {
        let name = self.prelude.name(helper);
        self.define(result, &format!("{name}({})", arguments.join(", ")));
    }

    /// The public amount of a shift: text and the greatest value it takes.
    fn amount(&mut self, k: &Index) -> (String, i64) {
        let kernel = &self.prepared.kernel;
        let k = &Index { modulo: false, ..k.clone() };
        let text = self.counters.print(kernel, self.prelude, k, 0);
        let (_, most) = self.counters.range(kernel, k);
        let simple = text.chars().all(|c| c.is_ascii_alphanumeric());
        (if simple { text } else { format!("({text})") }, most)
    }

    /// A shift by a public amount; amounts of the whole type or more, which C leaves undefined, give 0.
    fn shift(&mut self, result: Value, a: Value, operator: &str, k: &Index) {
        let n = self.bits(a);
        let (amount, most) = self.amount(k);
        let shifted = format!("{} {operator} {amount}", self.computed(a));
        if most < i64::from(n) {
            self.define_wrapped(result, &shifted);
        } else if k.constant().is_some() {
            self.define(result, &format!("({})0", unsigned(n)));
        } else {
            self.define_wrapped(result, &format!("({amount} < {n} ? {shifted} : 0)"));
        }
    }

    /// Prints one live operation.
    pub(super) fn operation(&mut self, op: &Op, args: &[Value], results: &[Value]) {
        let a: Vec<String> = args.iter().map(|v| self.value(*v)).collect();
        let n = args.first().map_or(0, |v| self.bits(*v));
        let r = results[0];
        let out = self.bits(r);
        match op {
            Op::Const(_) => {}
            Op::Add | Op::WrappingAdd => self.define_wrapped(r, &format!("{} + {}", self.computed(args[0]), a[1])),
            Op::Sub | Op::WrappingSub => self.define_wrapped(r, &format!("{} - {}", self.computed(args[0]), a[1])),
            Op::Mul | Op::WrappingMul => self.define_wrapped(r, &format!("{} * {}", self.computed(args[0]), a[1])),
            Op::MulWide if !self.is_live(results[1]) => {
                self.define_wrapped(r, &format!("{} * {}", self.computed(args[0]), a[1]))
            }
            Op::MulWide => self.define_pair(results, Helper::MulWide(n), &a),
            Op::MulFull => self.define(r, &format!("({})(({}){} * {})", unsigned(out), computing(out), a[0], a[1])),
            Op::MulAddAdd if !self.is_live(results[1]) => {
                self.define_wrapped(r, &format!("{} * {} + {} + {}", self.computed(args[0]), a[1], a[2], a[3]));
            }
            Op::MulAddAdd => self.define_pair(results, Helper::MulAddAdd(n), &a),
            Op::MaddLo(k) => self.call(r, Helper::MaddLo(n, *k), &a),
            Op::MaddHi(k) => self.call(r, Helper::MaddHi(n, *k), &a),
            Op::AddCarry if self.is_live(results[1]) => self.define_pair(results, Helper::AddCarry(n), &a),
            Op::SubBorrow if self.is_live(results[1]) => self.define_pair(results, Helper::SubBorrow(n), &a),
            Op::AddCarry | Op::SubBorrow if self.is_zero(args[2]) => {
                let sign = if matches!(op, Op::AddCarry) { "+" } else { "-" };
                self.define_wrapped(r, &format!("{} {sign} {}", self.computed(args[0]), a[1]));
            }
            Op::AddCarry => self.call(r, Helper::AddWithCarry(n), &a),
            Op::SubBorrow => self.call(r, Helper::SubWithBorrow(n), &a),
            Op::FlagToWord | Op::Widen => self.define(r, &format!("({}){}", unsigned(out), a[0])),
            Op::FlagToMask => self.call(r, Helper::Mask(out), &a),
            Op::MaskToWord => self.define(r, &a[0]),
            Op::MaskToFlag => self.define(r, &format!("(uint8_t)({} & 1)", a[0])),
            Op::Equal => self.call(r, Helper::Equal(n), &a),
            Op::Less => self.call(r, Helper::Less(n), &a),
            Op::Select => self.select(args, r, &a),
            Op::Shl(k) | Op::WrappingShl(k) => self.shift(r, args[0], "<<", k),
            Op::Shr(k) => self.shift(r, args[0], ">>", k),
            Op::Sar(k) => self.helper_shift(r, Helper::Sar(n), &a, k),
            Op::Rotate(k) => self.helper_shift(r, Helper::Rotate(n), &a, k),
            Op::FunnelShift(k) => self.helper_shift(r, Helper::Funnel(n), &a, k),
            Op::And => self.define_plain(r, &format!("{} & {}", a[0], a[1])),
            Op::Or => self.define_plain(r, &format!("{} | {}", a[0], a[1])),
            Op::Xor => self.define_plain(r, &format!("{} ^ {}", a[0], a[1])),
            Op::Not => self.define_wrapped(r, &format!("~{}", self.computed(args[0]))),
            Op::AndNot => self.define_plain(r, &format!("{} & ~{}", a[0], a[1])),
            Op::LowBits(k) if *k >= n => self.define(r, &a[0]),
            Op::LowBits(k) => self.define_plain(r, &format!("{} & {}", a[0], ones(*k))),
            Op::Narrow => {
                let cast = format!("({}){}", unsigned(out), a[0]);
                // The bits of a negative number reach above a type that does not fill its container.
                let full = out == container(out)
                    || self.prepared.kernel.value(args[0]).range.lo.sign() != num_bigint::Sign::Minus;
                self.define(r, &if full { cast } else { format!("({})({} & {})", unsigned(out), a[0], ones(out)) });
            }
            Op::Split => self.split(args[0], results),
            Op::Join => self.join(args, r),
            Op::Clmul => self.call(r, Helper::Clmul(n), &a),
            Op::RijndaelMul => self.call(r, Helper::RijndaelMul, &a),
            Op::BitMatrix(images) => {
                self.call(r, Helper::BitMatrix, &[format!("UINT64_C({images:#018x})"), a[0].clone()])
            }
            Op::BitsToFloat => self.call(r, Helper::BitsToFloat, &a),
            Op::FloatToBits => self.call(r, Helper::FloatToBits, &a),
            Op::FloatAdd => self.define(r, &format!("{} + {}", a[0], a[1])),
            Op::FloatSub => self.define(r, &format!("{} - {}", a[0], a[1])),
            Op::FloatMul => self.define(r, &format!("{} * {}", a[0], a[1])),
            Op::FloatFma => {
                let fma = if out == 32 { "__builtin_fmaf" } else { "__builtin_fma" };
                self.define(r, &format!("{fma}({})", a.join(", ")));
            }
            Op::Lookup { table, vartime } => {
                let table_name = names::array(&self.prepared.kernel.array(*table).name);
                if *vartime {
                    self.define(r, &format!("{table_name}[{}]", a[0]));
                } else {
                    let length = self.prepared.kernel.array(*table).len;
                    self.call(r, Helper::Lookup(container(out)), &[table_name, length.to_string(), a[0].clone()]);
                }
            }
        }
    }

    /// A bitwise expression, which cannot leave the type.
    fn define_plain(&mut self, result: Value, expression: &str) {
        let n = self.bits(result);
        if is_native(n) {
            self.define(result, expression);
        } else {
            self.define(result, &format!("({})({expression})", unsigned(n)));
        }
    }

    fn helper_shift(&mut self, result: Value, helper: Helper, a: &[String], k: &Index) {
        let (amount, _) = self.amount(k);
        let mut arguments = a.to_vec();
        arguments.push(amount);
        self.call(result, helper, &arguments);
    }

    /// A mask as a mask of `n` bits.
    fn mask_of(&self, mask: Value, n: u32) -> String {
        let name = self.value(mask);
        match self.bits(mask) {
            m if m == n => name,
            _ => format!("({})({})", unsigned(n), masked(n, &format!("0 - ({})({name} & 1)", computing(n)))),
        }
    }

    fn select(&mut self, args: &[Value], result: Value, a: &[String]) {
        let n = self.bits(result);
        if let Type::Float(_) = self.prepared.kernel.value(result).ty {
            // Doubles are selected by their bits.
            let (to_bits, from_bits) = (self.prelude.name(Helper::FloatToBits), self.prelude.name(Helper::BitsToFloat));
            let select = self.prelude.name(Helper::Select(64));
            let mask = self.mask_of(args[0], 64);
            self.define(result, &format!("{from_bits}({select}({mask}, {to_bits}({}), {to_bits}({})))", a[1], a[2]));
            return;
        }
        let mask = self.mask_of(args[0], n);
        if self.is_zero(args[2]) {
            self.define_plain(result, &format!("{mask} & {}", a[1]));
        } else if self.is_zero(args[1]) {
            self.define_plain(result, &format!("~{mask} & {}", a[2]));
        } else {
            self.call(result, Helper::Select(n), &[mask, a[1].clone(), a[2].clone()]);
        }
    }

    fn split(&mut self, value: Value, results: &[Value]) {
        let mut at = 0;
        for result in results {
            let n = self.bits(*result);
            if self.is_live(*result) {
                let shifted = if at == 0 { self.value(value) } else { format!("({} >> {at})", self.value(value)) };
                let whole = n == container(n);
                let expression = if whole {
                    format!("({}){shifted}", unsigned(n))
                } else {
                    format!("({})({shifted} & {})", unsigned(n), ones(n))
                };
                self.define(*result, &expression);
            }
            at += n;
        }
    }

    fn join(&mut self, parts: &[Value], result: Value) {
        let c = computing(self.bits(result));
        let mut at = 0;
        let mut terms = Vec::new();
        for part in parts {
            terms.push(if at == 0 {
                format!("({c}){}", self.value(*part))
            } else {
                format!("({c}){} << {at}", self.value(*part))
            });
            at += self.bits(*part);
        }
        self.define_wrapped(result, &terms.join(" | "));
    }
}
