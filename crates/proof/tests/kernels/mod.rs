//! Small generators of kernels for the tests: the schedules of the literature, each with named faults.
#![allow(dead_code)]

pub mod bit_formulas;
pub mod fields;
pub mod formulas;
pub mod ifma;
pub mod integers;
pub mod montgomery;
pub mod montgomery_rows;

use evariste_ir::{ArrayKind, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, Value};
use num_bigint::BigInt;
use num_traits::One;

pub fn pow2(k: u32) -> BigInt {
    BigInt::one() << k
}

/// Digits of a constant.
pub fn digits(x: &BigInt, radix: u32, n: usize) -> Vec<BigInt> {
    (0..n as u32).map(|i| (x >> (radix * i)) & (pow2(radix) - 1)).collect()
}

/// A kernel under construction: input numbers a, b, … and one output number.
pub struct Draft {
    pub b: Builder,
    pub w: u32,
    inputs: Vec<Operand>,
    ghosts: u32,
}

impl Draft {
    pub fn new(name: &str, w: u32) -> Draft {
        Draft { b: Builder::new(name, w), w, inputs: Vec::new(), ghosts: 0 }
    }

    /// An input number of n digits of `radix` bits, each at most `digit`, the whole at most `bound`.
    pub fn input_of(&mut self, name: &str, n: usize, radix: u32, digit: &BigInt, bound: &BigInt) -> Vec<Value> {
        let array = self.b.input(name, n as u32, std::slice::from_ref(digit));
        let weights: Vec<u32> = (0..n as u32).map(|i| i * radix).collect();
        self.inputs.push(Operand::new(name, array, &weights, std::slice::from_ref(digit), bound.clone()));
        self.b.load_all(array)
    }

    pub fn input(&mut self, name: &str, n: usize, bound: &BigInt) -> Vec<Value> {
        let w = self.w;
        self.input_of(name, n, w, &(pow2(w) - 1), bound)
    }

    /// Ends with `factor·out ≡ polynomial`; digits from `ghosts` on are not returned.
    #[allow(clippy::too_many_arguments)]
    pub fn finish_of(
        mut self,
        out: &[Value],
        radix: u32,
        digit: &BigInt,
        bound: &BigInt,
        ghosts: usize,
        factor: BigInt,
        p: Polynomial,
        modulus: Option<BigInt>,
    ) -> Kernel {
        let n = out.len() - ghosts;
        let array = self.b.output("out", n as u32, &[pow2(self.w) - 1]);
        let weights: Vec<u32> = (0..n as u32).map(|i| i * radix).collect();
        let mut operand = Operand::new("out", array, &weights, std::slice::from_ref(digit), bound.clone());
        self.b.store_all(array, &out[..n]);
        if ghosts > 0 {
            let ty = self.b.word_type();
            let ghost = self.b.array("ghost", ty, ghosts as u32, ArrayKind::Ghost, vec![Interval::bits(self.w)]);
            for (i, v) in out[n..].iter().enumerate() {
                let v = if self.b.ty(*v) == ty { *v } else { self.b.flag_to_word(*v, ty) };
                self.b.store(ghost, i, v);
                operand = operand.with_digit(ghost, i as u32, (n + i) as u32 * radix, pow2(self.w) - 1);
            }
        }
        let claim = Claim::Value { output: operand, factor, polynomial: p, modulus: modulus.map(Into::into) };
        self.b.finish(Contract { facts: Vec::new(), inputs: self.inputs, claims: vec![claim] })
    }

    pub fn finish(self, out: &[Value], bound: &BigInt, p: Polynomial, modulus: Option<BigInt>) -> Kernel {
        let w = self.w;
        self.finish_of(out, w, &(pow2(w) - 1), bound, 0, BigInt::one(), p, modulus)
    }

    pub fn constants(&mut self, xs: &[BigInt]) -> Vec<Value> {
        xs.iter().map(|x| self.b.word_constant(x.clone())).collect()
    }

    pub fn zero(&mut self) -> Value {
        self.b.word_constant(0)
    }
}

/// `a·b`.
pub fn product() -> Polynomial {
    Polynomial::default().plus(1, &[0, 1])
}

/// `−1/p mod 2^w`.
pub fn inverse_digit(p: &BigInt, w: u32) -> BigInt {
    let base = pow2(w);
    let mut x = BigInt::one();
    for _ in 0..8 {
        x = &x * (2 - p * &x) % &base;
    }
    ((-x) % &base + &base) % &base
}
