//! Formulas over binary fields as kernels that call a field's operations, with what they are as polynomials: `t = x * y`,
//! `t = x + y`, `t = x ^ 2`, and `t = x ? y`: x where the flag is 0, else y.

use std::collections::BTreeMap;
use std::sync::Arc;

use evariste_algorithms::binary::coordinates::product_map;
use evariste_algorithms::prime::power::Callee;
use evariste_algorithms::signature::{ValueClaim, input, output};
use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::{
    Array, ArrayKind, BitMap, BitOf, Builder, Claim, Contract, Index, Interval, Kernel, Operand, Polynomial,
    Recurrence, Ring,
};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

/// A field with kernels of its operations in one layout.
pub struct BitCalls {
    pub f: BinaryField,
    pub layout: Layout,
    pub map: BitMap,
    operations: BTreeMap<&'static str, Arc<Kernel>>,
}

impl BitCalls {
    pub fn new(text: &str, word: u32) -> BitCalls {
        let field = Field::parse(text).expect("a field");
        let f = field.get::<BinaryField>().expect("a binary field").clone();
        let layout = layouts(&field, word).remove(0);
        let first = |op: Operation| {
            let kernel = plans(&field, &layout, &op).iter().find_map(|plan| plan.write().ok());
            Arc::new(kernel.unwrap_or_else(|| panic!("{text}: no {} in {}", op.name(), layout.name)))
        };
        let mut operations = BTreeMap::from([
            ("*", first(Operation::MUL)),
            ("+", first(Operation::ADD)),
            ("^", first(Operation::SQUARE)),
        ]);
        operations.insert("?", Arc::new(choice(&layout)));
        BitCalls { map: product_map(&f), f, layout, operations }
    }

    /// How many bits an element has.
    pub fn bits(&self) -> u32 {
        self.f.degree
    }
}

/// `a + g·(b − a)`, an equality of integers.
fn choice(layout: &Layout) -> Kernel {
    let mut b = Builder::new("choice", layout.word);
    let (out, output) = output(&mut b, "out", &layout.weights, &layout.resting);
    let flag = b.input("g", 1, &[1.into()]);
    let [x, y] = ["a", "b"].map(|name| input(&mut b, name, &layout.weights, &layout.resting));
    let g = b.load(flag, 0u32);
    let zero = b.word_constant(0);
    let mask = b.less(zero, g);
    for i in 0..layout.digits() as u32 {
        let [a, c] = [x.array, y.array].map(|array| b.load(array, i));
        let chosen = b.select(mask, c, a);
        b.store(out, i, chosen);
    }
    let polynomial = Polynomial::input(1).plus(1, &[0, 2]).plus(-1, &[0, 1]);
    let claims = vec![ValueClaim::plain(polynomial, None).on(output)];
    let inputs = vec![Operand::new("g", flag, &[0], &[1.into()], 1.into()), x.operand, y.operand];
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// A polynomial over the field; the variable that is a bit is its own square.
#[derive(Clone)]
pub struct BitTerms(pub BTreeMap<Vec<u32>, BigUint>);

impl BitTerms {
    pub fn variable(f: &BinaryField, i: u32) -> BitTerms {
        BitTerms(BTreeMap::from([(vec![i], f.one())]))
    }

    pub fn constant(c: BigUint) -> BitTerms {
        let mut terms = BTreeMap::from([(Vec::new(), c)]);
        terms.retain(|_, c| !c.is_zero());
        BitTerms(terms)
    }

    pub fn plus(&self, other: &BitTerms) -> BitTerms {
        let mut sum = self.0.clone();
        for (factors, c) in &other.0 {
            *sum.entry(factors.clone()).or_default() ^= c;
        }
        sum.retain(|_, c| !c.is_zero());
        BitTerms(sum)
    }

    pub fn times(&self, other: &BitTerms, f: &BinaryField, bit: u32) -> BitTerms {
        let mut product: BTreeMap<Vec<u32>, BigUint> = BTreeMap::new();
        for (x, c) in &self.0 {
            for (y, d) in &other.0 {
                let mut factors = [&x[..], &y[..]].concat();
                factors.sort_unstable();
                factors.dedup_by(|x, y| x == y && *x == bit);
                *product.entry(factors).or_default() ^= f.multiply(c, d);
            }
        }
        product.retain(|_, c| !c.is_zero());
        BitTerms(product)
    }

    pub fn polynomial(&self) -> Polynomial {
        let plus = |sum: Polynomial, (factors, c): (&Vec<u32>, &BigUint)| sum.plus(BigInt::from(c.clone()), factors);
        self.0.iter().fold(Polynomial::default(), plus)
    }
}

/// A kernel of steps on the registers s and t, which begin as x and y, and what s is at the end: `trips` times in a loop
/// that follows the bits of k upward, or once where that is 0. Numbers among the registers are constants.
pub fn kernel(field: &BitCalls, trips: u32, steps: &str) -> Kernel {
    let layout = &field.layout;
    let (f, n) = (&field.f, layout.digits() as u32);
    let mut b = Builder::new("formula", layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let bits = trips.max(1);
    let k = b.input("k", bits, &[1.into()]);
    let weights: Vec<u32> = (0..bits).collect();
    let k_operand = Operand::new("k", k, &weights, &[1.into()], super::pow2(bits) - 1);
    let [x, y] = ["x", "y"].map(|name| input(&mut b, name, &layout.weights, &layout.resting));
    let callees: BTreeMap<&str, Callee> = field
        .operations
        .iter()
        .map(|(sign, kernel)| (*sign, Callee::new(&mut b, kernel.clone(), &kernel.name)))
        .collect();
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let ty = b.word_type();
    let bit = b.array("bit", ty, 1, ArrayKind::Local, vec![Interval::bits(1)]);
    let mut arrays = BTreeMap::from([("x", x.array), ("y", y.array), ("bit", bit)]);
    for name in ["s", "t"] {
        arrays.insert(name, b.array(name, ty, n, ArrayKind::Local, ranges.clone()));
    }
    // In a line: inputs k, x, y. In a loop: then s, t and the bit.
    let (s, t, of_bit) = if trips == 0 { (1, 2, 0) } else { (3, 4, 5) };
    let of = [("x", 1), ("y", 2), ("s", s), ("t", t), ("bit", of_bit)];
    let mut values: BTreeMap<&str, BitTerms> = of.map(|(name, i)| (name, BitTerms::variable(f, i))).into();
    let lines: Vec<Vec<&str>> = steps.split(';').map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    let lines: Vec<Vec<&str>> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    for line in &lines {
        let read = if line[3] == "^" { &line[2..3] } else { &[line[2], line[4]][..] };
        for name in read.iter().copied() {
            if !arrays.contains_key(name) {
                let c: BigUint = name.parse().expect("a constant");
                let digit = |i: u32| BigInt::from((&c >> (i * layout.word)) % (BigUint::from(1u32) << layout.word));
                arrays.insert(name, b.table(format!("c{name}"), (0..n).map(digit).collect()));
                values.insert(name, BitTerms::constant(c));
            }
        }
        let (a, sign) = (values[line[2]].clone(), line[3]);
        let value = match sign {
            "^" => a.times(&a, f, of_bit),
            "+" => a.plus(&values[line[4]]),
            "*" => a.times(&values[line[4]], f, of_bit),
            _ => a.plus(&a.plus(&values[line[4]]).times(&values["bit"], f, of_bit)),
        };
        values.insert(line[0], value);
    }
    let copy = |b: &mut Builder, from: Array, to: Array| {
        for i in 0..n {
            let digit = b.load(from, i);
            b.store(to, i, digit);
        }
    };
    copy(&mut b, x.array, arrays["s"]);
    copy(&mut b, y.array, arrays["t"]);
    let body = |b: &mut Builder, at: Index| {
        let value = b.load(k, at);
        b.store(bit, 0u32, value);
        for line in &lines {
            let [to, a] = [line[0], line[2]].map(|name| arrays[name]);
            match line[3] {
                "^" => callees["^"].call(b, to, &[a]),
                "?" => callees["?"].call(b, to, &[bit, a, arrays[line[4]]]),
                sign => callees[sign].call(b, to, &[a, arrays[line[4]]]),
            }
        }
    };
    if trips == 0 {
        body(&mut b, Index::at(0));
    } else {
        b.repeat(trips, &[], |b, i, _| {
            body(b, Index::at(0).plus(i, 1));
            Vec::new()
        });
    }
    copy(&mut b, arrays["s"], out);
    let claim = if trips == 0 {
        Claim::Polynomial { output: operand, polynomial: values["s"].polynomial(), map: field.map.clone() }
    } else {
        let start = [1, 2].map(|i| BitTerms::variable(f, i).polynomial());
        let recurrence = Recurrence {
            start: start.to_vec(),
            step: ["s", "t"].map(|name| values[name].polynomial()).to_vec(),
            bits: vec![BitOf { number: 0, first: 0, stride: 1 }],
            count: trips,
            ring: Ring::Bits(field.map.clone()),
        };
        Claim::Iterate { output: operand, recurrence: Arc::new(recurrence), component: 0 }
    };
    let inputs = vec![k_operand, x.operand, y.operand];
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}
