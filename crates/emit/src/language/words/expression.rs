//! Expressions.

use evariste_ir::Type;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use super::body::Printer;
use super::notation::Notation;
use crate::unit::{Arithmetic, Bitwise, Expression, Helper, Model, Place, Reach};

/// `x mod 2^bits`.
pub fn reduced(x: &BigInt, bits: u32) -> BigInt {
    let modulus = pow2(bits);
    ((x % &modulus) + &modulus) % &modulus
}

/// A text without parentheses around the whole of it.
pub fn bare(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0;
    for c in inside.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inside
}

impl<N: Notation> Printer<'_, N> {
    /// A constant of a type: in bit-sliced functions all lanes alike.
    pub fn constant(&self, ty: Type, x: &BigInt) -> String {
        match self.model {
            Model::Words => self.notation.literal(&reduced(x, ty.bits()), ty.bits()),
            Model::Lanes => self.notation.literal(&reduced(&-x, 64), 64),
        }
    }

    fn ones(&self, k: u32) -> String {
        self.notation.literal(&(pow2(k) - 1), k)
    }

    /// Bits of the type of a name or a constant.
    fn bits(&self, x: &Expression) -> u32 {
        match x {
            Expression::Name(name) => self.bits.get(name).copied().unwrap_or(64),
            Expression::Constant(ty, _) => ty.bits(),
            Expression::Product { bits, .. }
            | Expression::Arithmetic { bits, .. }
            | Expression::Bitwise { bits, .. }
            | Expression::Not { bits, .. } => *bits,
            _ => 64,
        }
    }

    fn is_double(&self, bits: u32) -> bool {
        self.model == Model::Words && bits > 64
    }

    /// An operand: in parentheses where it needs them.
    pub fn operand(&self, x: &Expression) -> String {
        match self.parts(x) {
            (text, true) => text,
            (text, false) => format!("({text})"),
        }
    }

    /// As an operand of an operation on that many bits.
    fn operand_in(&self, bits: u32, x: &Expression) -> String {
        match (self.is_double(bits), self.is_double(self.bits(x))) {
            (true, false) => self.notation.widened(self.operand(x)),
            (false, true) => self.notation.narrowed(self.operand(x)),
            _ => self.operand(x),
        }
    }

    /// An expression that stands alone.
    pub fn value(&self, x: &Expression) -> String {
        bare(&self.parts(x).0).to_string()
    }

    /// What leaves a type is brought back to it.
    fn masked(&self, bits: u32, (text, binds): (String, bool)) -> (String, bool) {
        if self.model == Model::Lanes || matches!(bits, 64 | 128) {
            return (text, binds);
        }
        let text = if binds { text } else { format!("({text})") };
        (format!("{text} & {}", self.ones(bits)), false)
    }

    /// The text of an expression, and whether it binds like a name.
    fn parts(&self, x: &Expression) -> (String, bool) {
        match x {
            Expression::Name(name) => (name.clone(), true),
            Expression::Constant(ty, c) => (self.constant(*ty, c), true),
            Expression::Pattern(bits) => (self.notation.literal(&BigInt::from(*bits), 64), true),
            Expression::Public(at) => (self.notation.place(at), true),
            Expression::Element(array, at) => {
                let held = self.held(array);
                (self.notation.element(array, &held, &self.notation.index(array, &held, at)), true)
            }
            Expression::Entry(array, index) => {
                let held = self.held(array);
                let index = self.notation.secret_index(array, &held, &self.operand(index));
                (self.notation.element(array, &held, &index), true)
            }
            Expression::Arithmetic { bits, .. } => self.masked(*bits, self.sum(x, *bits)),
            Expression::Product { bits, left, right } => {
                let [left, right] = [left, right].map(|x| self.operand_in(*bits, x));
                let product = self.notation.arithmetic(Arithmetic::Mul, self.is_double(*bits), &left, &right);
                self.masked(*bits, product)
            }
            Expression::Bitwise { op, left, right, .. } => {
                let sign = match op {
                    Bitwise::And => "&",
                    Bitwise::Or => "|",
                    Bitwise::Xor => "^",
                };
                (format!("{} {sign} {}", self.operand(left), self.operand(right)), false)
            }
            Expression::Not { bits, of } => {
                self.masked(*bits, (format!("{}{}", self.notation.not(), self.operand(of)), true))
            }
            Expression::Shift { reach: Reach::Outside, bits, .. } => {
                (self.notation.literal(&BigInt::from(0), *bits), true)
            }
            Expression::Shift { left, bits, value, amount, reach } => self.shift(*left, *bits, value, amount, *reach),
            Expression::Low { low, bits, value } => {
                (format!("{} & {}", self.operand_in(*bits, value), self.ones(*low)), false)
            }
            Expression::Convert { bits, value } => (self.operand_in(*bits, value), true),
            Expression::Slice { at, bits, value } => self.slice(*at, *bits, value),
            Expression::Join { bits, parts } => self.join(*bits, parts),
            Expression::Flag(mask) => (format!("{} & 1", self.operand_in(64, mask)), false),
            Expression::Mask { to, mask } => {
                let double = self.is_double(*to);
                let flag = format!("({} & 1)", self.operand_in(*to, mask));
                let zero = self.notation.literal(&BigInt::from(0), *to);
                self.masked(*to, self.notation.arithmetic(Arithmetic::Sub, double, &zero, &flag))
            }
            Expression::Helper(helper, arguments) => (self.helper(*helper, arguments), true),
            // Functions with floating-point numbers are refused.
            Expression::Float { .. } | Expression::Fused { .. } => (String::new(), true),
        }
    }

    /// The call of a helper with one result.
    fn helper(&self, helper: Helper, arguments: &[Expression]) -> String {
        let given = |x: &Expression| match x {
            Expression::Name(array) if matches!(helper, Helper::Lookup(_)) && self.is_array(array) => {
                self.notation.whole(array, &self.held(array))
            }
            _ => self.value(x),
        };
        let arguments: Vec<String> = arguments.iter().map(given).collect();
        self.notation.helper(helper, &arguments)
    }

    /// A sum without its mask: the left side, another sum, needs none of its own.
    fn sum(&self, x: &Expression, bits: u32) -> (String, bool) {
        let Expression::Arithmetic { op, left, right, .. } = x else { return (self.operand_in(bits, x), true) };
        let (mut left, binds) = self.sum(left, bits);
        if !binds {
            left = format!("({left})");
        }
        self.notation.arithmetic(*op, self.is_double(bits), &left, &self.operand_in(bits, right))
    }

    fn shift(&self, left: bool, bits: u32, value: &Expression, amount: &Place, reach: Reach) -> (String, bool) {
        let sign = if left { "<<" } else { self.notation.right() };
        let amount = self.notation.place(amount);
        let shifted = format!("{} {sign} {amount}", self.operand(value));
        let shifted = match reach {
            Reach::Both => (self.notation.far_shift(&shifted, &amount, bits), true),
            _ => (shifted, false),
        };
        if left { self.masked(bits, shifted) } else { shifted }
    }

    fn slice(&self, at: u32, bits: u32, value: &Expression) -> (String, bool) {
        let of = self.bits(value);
        let text = self.operand(value);
        let shifted = if at == 0 { text } else { format!("({text} {} {at})", self.notation.right()) };
        let narrow = self.is_double(of) && !self.is_double(bits);
        let (text, whole) = match narrow {
            true => (self.notation.narrowed(shifted), 64),
            false => (shifted, of.saturating_sub(at)),
        };
        if bits == whole { (text, true) } else { self.masked(bits, (text, true)) }
    }

    fn join(&self, bits: u32, parts: &[(u32, Expression)]) -> (String, bool) {
        let mut at = 0;
        let mut terms = Vec::new();
        for (width, part) in parts {
            let text = self.operand_in(bits, part);
            terms.push(if at == 0 { text } else { format!("({text} << {at})") });
            at += width;
        }
        (terms.join(" | "), terms.len() == 1)
    }
}
