//! Statements in order: loops unrolled, arrays as lists of values.

use evariste_ir::{Array, ArrayKind, Index, Kernel, Loop, Op, Operand, Polynomial, Stmt, Type};
use num_bigint::{BigInt, Sign};
use num_traits::{One, ToPrimitive, Zero};

use crate::equations::Poly;
use crate::equations::system::{Affine, pow2};
use crate::session::Session;

use super::ops::Applied;
use super::values::Values;

/// A kernel as equations.
pub struct Translation<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// Equations and obligations.
    pub values: Values,
    /// The contents of the arrays at this point (at the end: the outputs).
    pub arrays: Vec<Vec<Option<Affine>>>,
    /// The contract's inputs as polynomials.
    pub inputs: Vec<Poly>,
    /// Interval of each SSA value over all iterations.
    pub ranges: Vec<Option<(BigInt, BigInt)>>,
    /// Statements translated.
    pub steps: u64,
    pub(super) env: Vec<Option<Affine>>,
    counters: Vec<i64>,
}

/// Why a kernel could not be translated.
pub type Failure = String;

/// Most statements after unrolling.
const MOST_STEPS: u64 = 20_000_000;

/// Translates a whole kernel; callees are proved on the way.
pub fn translate<'k>(kernel: &'k Kernel, session: &mut Session) -> Result<Translation<'k>, Failure> {
    let mut t = Translation {
        kernel,
        values: Values::default(),
        arrays: kernel.arrays.iter().map(|a| vec![None; a.len as usize]).collect(),
        inputs: Vec::new(),
        ranges: vec![None; kernel.values.len()],
        steps: 0,
        env: vec![None; kernel.values.len()],
        counters: Vec::new(),
    };
    t.enter();
    t.block(&kernel.body, session)?;
    Ok(t)
}

impl<'k> Translation<'k> {
    /// Input numbers, then the input elements that belong to none.
    fn enter(&mut self) {
        let readable = |k: &ArrayKind| matches!(k, ArrayKind::Input | ArrayKind::InOut);
        let word = |t: Type| matches!(t, Type::Word(_) | Type::Wide(_) | Type::Flag);
        for operand in &self.kernel.contract.inputs {
            let mut digits = Vec::new();
            for d in &operand.digits {
                let info = self.kernel.array(d.array);
                let fresh = self.arrays[d.array.0 as usize][d.index as usize].is_none();
                let range = info.range(d.index);
                if fresh && readable(&info.kind) && word(info.ty) && range.lo.sign() != Sign::Minus && !digits.contains(&d) {
                    digits.push(d);
                }
            }
            if digits.len() < operand.digits.len() {
                // Digits that other numbers hold already: what is known of the whole is not used.
                continue;
            }
            let weights: Vec<BigInt> = digits.iter().map(|d| pow2(d.weight)).collect();
            let maxima: Vec<BigInt> = digits.iter().map(|d| (&d.max).min(&self.kernel.array(d.array).range(d.index).hi).clone()).collect();
            let number = self.values.sys.number(&weights, &maxima, &operand.bound);
            let atoms = self.values.sys.numbers()[number as usize].digits.clone();
            for (d, atom) in digits.iter().zip(atoms) {
                self.arrays[d.array.0 as usize][d.index as usize] = Some(Affine::new(BigInt::zero(), BigInt::one(), atom));
            }
        }
        for (info, cells) in self.kernel.arrays.iter().zip(&mut self.arrays) {
            for (i, cell) in cells.iter_mut().enumerate() {
                let range = info.range(i as u32);
                match &info.kind {
                    ArrayKind::Table(entries) => *cell = entries.get(i).map(|c| Affine::constant(c.clone())),
                    kind if readable(kind) && cell.is_none() => {
                        *cell = Some(match info.ty {
                            Type::Mask(n) => {
                                let flag = self.values.opaque_flag();
                                self.values.mask(&flag, n as u32)
                            }
                            _ => self.values.sys.opaque(&range.lo, &range.hi),
                        })
                    }
                    _ => {}
                }
            }
        }
        self.inputs = self.kernel.contract.inputs.iter().map(|o| self.number(o).unwrap_or_default()).collect();
    }

    /// A number as a polynomial, from the present contents of the arrays.
    pub fn number(&self, operand: &Operand) -> Option<Poly> {
        let mut terms = Vec::new();
        for d in &operand.digits {
            let x = self.arrays.get(d.array.0 as usize)?.get(d.index as usize)?.as_ref()?;
            terms.extend(x.poly().terms().iter().map(|(m, c)| (*m, c << d.weight)));
        }
        Some(Poly::from_terms(terms))
    }

    /// A specification in the input numbers.
    pub fn polynomial(&self, p: &Polynomial, inputs: &[Poly]) -> Option<Poly> {
        let mut terms = Vec::new();
        for (c, factors) in &p.0 {
            let mut product = Poly::constant(c.clone());
            for f in factors {
                product = product.times(inputs.get(*f as usize)?, |a| self.values.sys.is_flag(a))?;
            }
            terms.extend(product.terms().iter().cloned());
        }
        Some(Poly::from_terms(terms))
    }

    /// The value of a public index.
    pub(super) fn index(&self, index: &Index, length: Option<u32>) -> Result<i64, Failure> {
        let mut i = index.base;
        for (c, k) in &index.terms {
            let counter = self.counters.get(c.0 as usize).ok_or("an index uses a counter outside its loop")?;
            i = k.checked_mul(*counter).and_then(|x| i.checked_add(x)).ok_or("an index overflows")?;
        }
        if let Some((table, inner)) = &index.table {
            let ArrayKind::Table(entries) = &self.kernel.array(*table).kind else { return Err("an index looks into no table".into()) };
            let at = self.index(inner, Some(entries.len() as u32))?;
            i += entries.get(at as usize).and_then(|e| e.to_i64()).ok_or("an entry of an index table is too large")?;
        }
        match length {
            Some(n) if index.modulo => Ok(i.rem_euclid(n as i64)),
            Some(n) if !(0..n as i64).contains(&i) => Err(format!("index {i} of an array of length {n}")),
            _ => Ok(i),
        }
    }

    pub(super) fn cell(&self, array: Array, index: &Index) -> Result<usize, Failure> {
        Ok(self.index(index, Some(self.kernel.array(array).len))? as usize)
    }

    pub(super) fn read(&self, array: Array, i: usize) -> Result<Affine, Failure> {
        let cell = self.arrays[array.0 as usize].get(i).and_then(|c| c.clone());
        cell.ok_or_else(|| format!("{}[{i}] is read before it is written", self.kernel.array(array).name))
    }

    pub(super) fn write(&mut self, array: Array, i: usize, value: Affine) {
        let info = self.kernel.array(array);
        let range = info.range(i as u32);
        self.values.owe(&value, &range.lo, &range.hi, &|| format!("{}[{i}] within its range", info.name));
        self.arrays[array.0 as usize][i] = Some(value);
    }

    fn get(&self, v: evariste_ir::Value) -> Result<Affine, Failure> {
        self.env.get(v.0 as usize).and_then(|x| x.clone()).ok_or_else(|| format!("v{} is used before it is defined", v.0))
    }

    fn set(&mut self, v: evariste_ir::Value, x: Affine) {
        let (lo, hi) = self.values.interval(&x);
        let range = &mut self.ranges[v.0 as usize];
        *range = Some(match range.take() {
            Some((l, h)) => (l.min(lo), h.max(hi)),
            None => (lo, hi),
        });
        self.env[v.0 as usize] = Some(x);
    }

    pub(super) fn block(&mut self, body: &'k [Stmt], session: &mut Session) -> Result<(), Failure> {
        for stmt in body {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err("too many statements after unrolling".into());
            }
            match stmt {
                Stmt::Op { op, args, results } => self.operation(op, args, results)?,
                Stmt::Load { result, array, index } => {
                    let i = self.cell(*array, index)?;
                    let x = self.read(*array, i)?;
                    self.set(*result, x);
                }
                Stmt::Store { array, index, value } => {
                    let i = self.cell(*array, index)?;
                    let x = self.get(*value)?;
                    self.write(*array, i, x);
                }
                Stmt::Loop(l) => self.repeat(l, session)?,
                Stmt::Call { callee, args } => self.call(*callee, args, session)?,
            }
        }
        Ok(())
    }

    fn operation(&mut self, op: &Op, args: &[evariste_ir::Value], results: &[evariste_ir::Value]) -> Result<(), Failure> {
        let kernel = self.kernel;
        let operands: Vec<Affine> = args.iter().map(|v| self.get(*v)).collect::<Result<_, _>>()?;
        let arg_types: Vec<Type> = args.iter().map(|v| kernel.value(*v).ty).collect();
        let types: Vec<Type> = results.iter().map(|v| kernel.value(*v).ty).collect();
        let Some(first) = results.first() else { return Err(format!("{} without a result", op.name())) };
        let shift = match op {
            Op::Shl(i) | Op::WrappingShl(i) | Op::Shr(i) | Op::Sar(i) | Op::Rotate(i) | Op::FunnelShift(i) => {
                let k = self.index(i, None)?;
                u32::try_from(k).ok().filter(|k| *k <= types[0].bits()).ok_or_else(|| format!("shift by {k}"))?
            }
            _ => 0,
        };
        let table: &[BigInt] = match op {
            Op::Lookup { table, .. } => match &kernel.array(*table).kind {
                ArrayKind::Table(entries) => entries,
                _ => return Err("a look-up in no table".into()),
            },
            _ => &[],
        };
        let signed = kernel.value(*first).range.lo.sign() == Sign::Minus;
        let applied = Applied { op, arg_types: &arg_types, types: &types, signed, shift, table };
        let what = || format!("v{} = {} stays in its type", first.0, op.name());
        let values = self.values.apply(&applied, &operands, &what);
        for (v, x) in results.iter().zip(values) {
            self.set(*v, x);
        }
        Ok(())
    }

    fn repeat(&mut self, l: &'k Loop, session: &mut Session) -> Result<(), Failure> {
        let at = l.counter.0 as usize;
        if self.counters.len() <= at {
            self.counters.resize(at + 1, 0);
        }
        let mut carried: Vec<Affine> = l.carried.iter().map(|c| self.get(c.init)).collect::<Result<_, _>>()?;
        for i in 0..l.count {
            self.counters[at] = i as i64;
            for (c, x) in l.carried.iter().zip(carried) {
                let invariant = self.invariant(c.inner, &x, i);
                self.set(c.inner, invariant);
            }
            self.block(&l.body, session)?;
            carried = l.carried.iter().map(|c| self.get(c.next)).collect::<Result<_, _>>()?;
        }
        for (c, x) in l.carried.iter().zip(carried) {
            let invariant = self.invariant(c.inner, &x, l.count);
            self.set(c.result, invariant);
        }
        Ok(())
    }

    /// A carried value must lie in its declared interval, on entry and after each step.
    fn invariant(&mut self, inner: evariste_ir::Value, x: &Affine, i: u32) -> Affine {
        let range = &self.kernel.value(inner).range;
        let (lo, hi) = self.values.interval(x);
        if lo >= range.lo && hi <= range.hi {
            return x.clone();
        }
        self.values.owe(x, &range.lo, &range.hi, &|| format!("v{} within its invariant before iteration {i}", inner.0));
        x.clone()
    }
}
