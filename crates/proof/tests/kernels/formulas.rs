//! Formulas as kernels that call a field's operations: one line a step, `t3 = X1 + Y1`, over resting elements.

use std::collections::BTreeMap;
use std::sync::Arc;

use evariste_algorithms::prime::power::Callee;
use evariste_algorithms::prime::representation::modulus;
use evariste_algorithms::signature::{ValueClaim, calls, input, output};
use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::{
    Array, ArrayKind, BitOf, Builder, Claim, Contract, Index, Interval, Kernel, Operand, Polynomial, Recurrence, Ring,
};
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;
use num_integer::Integer;

/// A field's first layout of so many bits a word, with the first kernel of each operation that is proved.
pub struct Calls {
    pub p: BigInt,
    pub layout: Layout,
    operations: BTreeMap<&'static str, Arc<Kernel>>,
}

impl Calls {
    pub fn of(text: &str, word: u32) -> Calls {
        Calls::with(text, word, |_| true)
    }

    /// As [`Calls::of`], without a Montgomery factor.
    pub fn plain(text: &str, word: u32) -> Calls {
        Calls::with(text, word, |layout| layout.montgomery.is_none())
    }

    fn with(text: &str, word: u32, fits: impl Fn(&Layout) -> bool) -> Calls {
        let field = Field::parse(text).expect("a field");
        let modulus = modulus(&field).unwrap_or_else(|e| panic!("{text}: {e}"));
        let p = BigInt::from(modulus.value.clone());
        let layout = layouts(&field, word).into_iter().find(fits).expect("a layout");
        let first = |op: Operation| {
            let kernel = plans(&field, &layout, &op)
                .iter()
                .filter_map(|plan| plan.write().ok())
                .find(|kernel| matches!(prove(kernel), Outcome::Proved(_)));
            Arc::new(kernel.unwrap_or_else(|| panic!("{text}: no {}", op.name())))
        };
        let operations =
            [("*", Operation::MUL), ("+", Operation::ADD), ("-", Operation::SUB), ("?", Operation::SELECTZNZ)];
        Calls { p, operations: operations.into_iter().map(|(sign, op)| (sign, first(op))).collect(), layout }
    }

    /// The digits of a constant as the layout has it.
    fn digits(&self, c: i64) -> Vec<BigInt> {
        let value = (BigInt::from(c) * self.layout.factor()).mod_floor(&self.p);
        let next = self.layout.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
        let digit = |(w, next): (&u32, Option<u32>)| match next {
            Some(next) => (&value >> w) % super::pow2(next - w),
            None => &value >> w,
        };
        self.layout.weights.iter().zip(next).map(digit).collect()
    }

    /// `factor^(degree − 1) · out ≡ polynomial`, homogeneous of that degree.
    pub fn claim(&self, polynomial: Polynomial, degree: u32) -> ValueClaim {
        let factor = self.layout.factor().modpow(&BigInt::from(degree - 1), &self.p);
        ValueClaim { factor, polynomial, modulus: Some(self.p.clone()) }
    }

    /// Registers of a kernel under construction.
    pub fn registers<'a>(&'a self, b: &mut Builder, named: &[(&str, Array)]) -> Registers<'a> {
        let operations = self.operations.iter().map(|(sign, kernel)| {
            let name = kernel.name.clone();
            (*sign, Callee::new(b, kernel.clone(), &name))
        });
        let arrays = named.iter().map(|(name, array)| (name.to_string(), *array)).collect();
        Registers { calls: self, operations: operations.collect(), arrays }
    }

    /// A kernel of these steps; each output is the register of its name at the end.
    pub fn kernel(&self, name: &str, outputs: Vec<(&str, ValueClaim)>, inputs: &[&str], steps: &str) -> Kernel {
        let names: Vec<String> = outputs.iter().map(|(name, _)| name.to_string()).collect();
        calls(name, &self.layout, outputs, inputs, |b, out, arrays| {
            let named: Vec<(&str, Array)> = inputs.iter().copied().zip(arrays.iter().copied()).collect();
            let mut registers = self.registers(b, &named);
            registers.run(b, steps);
            for (name, to) in names.iter().zip(out) {
                registers.copy(b, name, *to);
            }
            Ok(())
        })
        .expect("a kernel")
    }
}

/// A step of the Montgomery ladder on Curve25519, RFC 7748, from (x2 : z2), (x3 : z3) and their difference x1; 486662 and
/// 121665 belong to that curve.
pub const LADDER_STEP: &str = "A = x2 + z2; AA = A * A; B = x2 - z2; BB = B * B; E = AA - BB; C = x3 + z3; D = x3 - z3; \
    DA = D * A; CB = C * B; s = DA + CB; u = s * s; d = DA - CB; v = d * d; v = x1 * v; \
    x2 = AA * BB; e = 121665 * E; e = AA + e; z2 = E * e; x3 = u + 0; z3 = v + 0;";

/// Exchanges the points where the bit is 1.
pub const EXCHANGE: &str = "u = bit ? x2 x3; v = bit ? x3 x2; x2 = u + 0; x3 = v + 0; \
    u = bit ? z2 z3; v = bit ? z3 z2; z2 = u + 0; z3 = v + 0;";

/// The ladder's step by definition, from x1, x2, z2, x3, z3.
pub fn ladder_step([x1, x2, z2, x3, z3]: [Terms; 5]) -> [Terms; 4] {
    let square = |x: Terms| x.clone() * x;
    let (xx, zz, xz) = (square(x2.clone()), square(z2.clone()), x2.clone() * z2.clone());
    [
        square(xx.clone() - zz.clone()),
        xz.clone() * 4 * (xx + xz * 486_662 + zz),
        square(x2.clone() * x3.clone() - z2.clone() * z3.clone()) * 4,
        x1 * square(x2 * z3 - z2 * x3) * 4,
    ]
}

/// The ladder as a recurrence in k and x1 (inputs 0 and 1), from its highest bit down: in a step the points are exchanged
/// by the bit, combined, and exchanged back.
pub fn ladder_recurrence(p: &BigInt, steps: u32) -> Recurrence {
    let [x1, x2, z2, x3, z3, bit] = [1, 2, 3, 4, 5, 6].map(Terms::variable);
    let chosen = |a: &Terms, b: &Terms| a.clone() + bit.clone() * (b.clone() - a.clone());
    let exchanged =
        |[x2, z2, x3, z3]: [Terms; 4]| [chosen(&x2, &x3), chosen(&z2, &z3), chosen(&x3, &x2), chosen(&z3, &z2)];
    let [x2, z2, x3, z3] = exchanged([x2, z2, x3, z3]);
    // A bit is its own square.
    let step = exchanged(ladder_step([x1, x2, z2, x3, z3])).map(|step| step.with_flag(6));
    let start = [Polynomial::constant(1), Polynomial::default(), Polynomial::input(1), Polynomial::constant(1)];
    Recurrence {
        start: start.to_vec(),
        step: step.map(|t| t.0).to_vec(),
        bits: vec![BitOf { number: 0, first: steps - 1, stride: -1 }],
        count: steps,
        ring: Ring::Integers(p.clone()),
    }
}

/// `x^k` by squaring and multiplying, from the highest of so many bits down, one loop.
pub fn power(field: &Calls, steps: u32, fault: &str) -> Kernel {
    let layout = &field.layout;
    let mut b = Builder::new("power", layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let k = b.input("k", steps, &[1.into()]);
    let weights: Vec<u32> = (0..steps).collect();
    let k_operand = Operand::new("k", k, &weights, &[1.into()], super::pow2(steps) - 1);
    let x = input(&mut b, "x", &layout.weights, &layout.resting);
    let ty = b.word_type();
    let bit = b.array("bit", ty, 1, ArrayKind::Local, vec![Interval::bits(1)]);
    let mut registers = field.registers(&mut b, &[("x", x.array), ("bit", bit)]);
    let s = registers.array(&mut b, "s");
    registers.copy(&mut b, if fault == "start" { "x" } else { "1" }, s);
    registers.array(&mut b, "u");
    let text = match fault {
        "no square" => "u = s * x; s = bit ? s u",
        "the other way" => "s = s * s; u = s * x; s = bit ? u s",
        _ => "s = s * s; u = s * x; s = bit ? s u",
    };
    b.repeat(steps, &[], |b, i, _| {
        let at = Index::at(i64::from(steps) - 1).plus(i, -1);
        let value = b.load(k, at);
        b.store(bit, 0u32, value);
        registers.run(b, text);
        Vec::new()
    });
    registers.copy(&mut b, "s", out);
    let [x_of, s_of, bit_of] = [1, 2, 3].map(Terms::variable);
    let square = s_of.clone() * s_of;
    let Terms(step) = square.clone() + bit_of * (square.clone() * x_of - square);
    let recurrence = Recurrence {
        start: vec![Polynomial::constant(1)],
        step: vec![step],
        bits: vec![BitOf { number: 0, first: steps - 1, stride: -1 }],
        count: steps,
        ring: Ring::Integers(field.p.clone()),
    };
    let claims = vec![Claim::Iterate { output: operand, recurrence: Arc::new(recurrence), component: 0 }];
    b.finish(Contract { facts: Vec::new(), inputs: vec![k_operand, x.operand], claims })
}

/// A ladder of so many steps: k as single bits and x1 in, X2 and Z2 out, one loop.
pub fn ladder(field: &Calls, steps: u32, fault: &str) -> Kernel {
    let layout = &field.layout;
    let mut b = Builder::new("ladder", layout.word);
    let (out_x, operand_x) = output(&mut b, "X2", &layout.weights, &layout.resting);
    let (out_z, operand_z) = output(&mut b, "Z2", &layout.weights, &layout.resting);
    let k = b.input("k", steps, &[1.into()]);
    let weights: Vec<u32> = (0..steps).collect();
    let mut k_operand = Operand::new("k", k, &weights, &[1.into()], super::pow2(steps) - 1);
    if fault == "bits out of order" {
        (k_operand.digits[0].index, k_operand.digits[1].index) = (1, 0);
    }
    let x1 = input(&mut b, "x1", &layout.weights, &layout.resting);
    let ty = b.word_type();
    let bit = b.array("bit", ty, 1, ArrayKind::Local, vec![Interval::bits(1)]);
    let mut registers = field.registers(&mut b, &[("x1", x1.array), ("bit", bit)]);
    for (name, from) in [("x2", "1"), ("z2", "0"), ("x3", if fault == "start" { "0" } else { "x1" }), ("z3", "1")] {
        let to = registers.array(&mut b, name);
        registers.copy(&mut b, from, to);
    }
    let text = match fault {
        "no way back" => format!("{EXCHANGE} {LADDER_STEP}"),
        "a sign" => format!("{EXCHANGE} {} {EXCHANGE}", LADDER_STEP.replace("d = DA - CB", "d = DA + CB")),
        _ => format!("{EXCHANGE} {LADDER_STEP} {EXCHANGE}"),
    };
    // Locals and tables are declared before the loop.
    text.split([' ', ';']).filter(|w| w.chars().any(char::is_alphanumeric)).for_each(|w| {
        registers.array(&mut b, w);
    });
    let last = i64::from(steps) - 1;
    b.repeat(steps, &[], |b, i, _| {
        let at = if fault == "bits upward" { Index::at(0).plus(i, 1) } else { Index::at(last).plus(i, -1) };
        let x = b.load(k, at);
        b.store(bit, 0u32, x);
        registers.run(b, &text);
        Vec::new()
    });
    registers.copy(&mut b, "x2", out_x);
    registers.copy(&mut b, if fault == "another number" { "z3" } else { "z2" }, out_z);
    let recurrence = Arc::new(ladder_recurrence(&field.p, steps));
    let claim = |output, component| Claim::Iterate { output, recurrence: recurrence.clone(), component };
    let claims = vec![claim(operand_x, 0), claim(operand_z, 1)];
    b.finish(Contract { facts: Vec::new(), inputs: vec![k_operand, x1.operand], claims })
}

/// Arrays by name.
pub struct Registers<'a> {
    calls: &'a Calls,
    operations: BTreeMap<&'static str, Callee>,
    pub arrays: BTreeMap<String, Array>,
}

impl Registers<'_> {
    /// The array of that name: a number is a constant, any other new name a local.
    pub fn array(&mut self, b: &mut Builder, name: &str) -> Array {
        if let Some(array) = self.arrays.get(name) {
            return *array;
        }
        let layout = &self.calls.layout;
        let array = match name.parse::<i64>() {
            Ok(c) => b.table(format!("c{}", self.arrays.len()), self.calls.digits(c)),
            Err(_) => {
                let ranges = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
                let ty = b.word_type();
                b.array(format!("at_{name}"), ty, layout.weights.len() as u32, ArrayKind::Local, ranges)
            }
        };
        self.arrays.insert(name.to_string(), array);
        array
    }

    /// Steps, one a line or between semicolons: `t = x * y`, or `t = x ? y z`: y where the flag x is 0, else z.
    pub fn run(&mut self, b: &mut Builder, steps: &str) {
        for step in steps.split([';', '\n']).map(str::trim).filter(|s| !s.is_empty()) {
            let words: Vec<&str> = step.split_whitespace().collect();
            let (to, x, sign) = (words[0], words[2], words[3]);
            let operands: Vec<Array> = [x].iter().chain(&words[4..]).map(|name| self.array(b, name)).collect();
            let to = self.array(b, to);
            self.operations[sign].call(b, to, &operands);
        }
    }

    /// Copies a register into another array.
    pub fn copy(&mut self, b: &mut Builder, name: &str, to: Array) {
        let from = self.array(b, name);
        let digits = b.load_all(from);
        b.store_all(to, &digits);
    }
}

/// Polynomials to compute with: what a definition says.
#[derive(Clone, Debug)]
pub struct Terms(pub Polynomial);

impl Terms {
    pub fn variable(i: u32) -> Terms {
        Terms(Polynomial::input(i))
    }

    /// These terms where variable `i` is 0 or 1.
    pub fn with_flag(self, i: u32) -> Terms {
        let once = |(c, mut factors): (BigInt, Vec<u32>)| {
            factors.dedup_by(|x, y| x == y && *x == i);
            Terms(Polynomial(vec![(c, factors)]))
        };
        let one = Terms(Polynomial::constant(1));
        // The product merges equal terms.
        self.0.0.into_iter().map(once).fold(Terms(Polynomial::default()), |sum, term| sum + term) * one
    }
}

impl std::ops::Add for Terms {
    type Output = Terms;
    fn add(self, other: Terms) -> Terms {
        Terms(Polynomial(self.0.0.into_iter().chain(other.0.0).collect()))
    }
}

impl std::ops::Mul<i64> for Terms {
    type Output = Terms;
    fn mul(self, c: i64) -> Terms {
        Terms(Polynomial(self.0.0.into_iter().map(|(d, factors)| (d * c, factors)).collect()))
    }
}

impl std::ops::Sub for Terms {
    type Output = Terms;
    fn sub(self, other: Terms) -> Terms {
        self + other * -1
    }
}

#[allow(clippy::suspicious_arithmetic_impl)] // A product of sums of monomials adds their factors up.
impl std::ops::Mul for Terms {
    type Output = Terms;
    fn mul(self, other: Terms) -> Terms {
        let product = |(c, x): &(BigInt, Vec<u32>), (d, y): &(BigInt, Vec<u32>)| {
            let mut factors = [x.as_slice(), y].concat();
            factors.sort_unstable();
            (c * d, factors)
        };
        let mut sums: BTreeMap<Vec<u32>, BigInt> = BTreeMap::new();
        for (c, factors) in self.0.0.iter().flat_map(|x| other.0.0.iter().map(move |y| product(x, y))) {
            *sums.entry(factors).or_default() += c;
        }
        Terms(Polynomial(sums.into_iter().map(|(factors, c)| (c, factors)).collect()))
    }
}
