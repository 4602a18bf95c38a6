//! Fixed powers, for kernels that are made of calls and copies: each array holds `x` with `x·f^(e−1) ≡ base^e`, and products add exponents.

use std::sync::Arc;

use evariste_ir::{Claim, Kernel, Modulo, Operand, Type};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::equations::system::pow2;
use crate::outcome::Obligation;
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, run};

/// A cell: the digit of that weight of a power, by so many of its bits (all: `None`), or anything.
type Cell = Option<(usize, u32, Option<u32>)>;

/// One power: its exponent, and the weights of the digits that may differ from zero.
struct Power {
    exponent: BigUint,
    weights: Vec<u32>,
}

struct Powers<'a> {
    known: Vec<Power>,
    factor: &'a BigInt,
    modulus: &'a BigInt,
}

/// The weights of digits that the bound does not show to be zero.
fn weights(o: &Operand) -> Vec<u32> {
    o.digits.iter().map(|d| d.weight).filter(|w| pow2(*w) <= o.bound).collect()
}

impl Powers<'_> {
    /// The power that an operand holds in these arrays.
    fn read(&self, operand: &Operand, arrays: &Arrays<Cell>) -> Option<usize> {
        let mut power = None;
        for d in &operand.digits {
            let (p, w, bits) = arrays[d.array.0 as usize][d.index as usize]??;
            if w != d.weight || bits != d.bits || *power.get_or_insert(p) != p {
                return None;
            }
        }
        let all = |p: &usize| self.known[*p].weights.iter().all(|w| operand.digits.iter().any(|d| d.weight == *w));
        power.filter(all)
    }

    fn write(&mut self, exponent: BigUint, operand: &Operand, arrays: &mut Arrays<Cell>) {
        self.known.push(Power { exponent, weights: weights(operand) });
        let p = self.known.len() - 1;
        for d in &operand.digits {
            arrays[d.array.0 as usize][d.index as usize] = Some(Some((p, d.weight, d.bits)));
        }
    }

    /// The exponent of what a claim gives for these arguments.
    fn exponent(&self, claim: &Claim, inputs: &[Option<usize>]) -> Option<BigUint> {
        let of = |i: &u32| Some(&self.known[(*inputs.get(*i as usize)?)?].exponent);
        let same = |m: &BigInt| m.is_multiple_of(self.modulus);
        match claim {
            Claim::Value { factor, polynomial, modulus: Some(Modulo::Constant(m)), .. } if same(m) => {
                // factor · out ≡ Π inputs with factor = f^(d−1): exponents add.
                let [(c, factors)] = polynomial.0.as_slice() else { return None };
                let degree = u32::try_from(factors.len()).ok().filter(|d| *d > 0)?;
                let expected = self.factor.modpow(&BigInt::from(degree - 1), self.modulus);
                let fits = (c - BigInt::one()).is_multiple_of(self.modulus) && (factor - expected).is_multiple_of(self.modulus);
                fits.then(|| factors.iter().map(of).sum::<Option<BigUint>>()).flatten()
            }
            Claim::Power { base, exponent, factor, modulus, .. } if same(modulus) && (factor - self.factor).is_multiple_of(self.modulus) && !exponent.is_zero() => {
                Some(of(base)? * exponent)
            }
            _ => None,
        }
    }
}

impl Domain for Powers<'_> {
    type V = Cell;

    fn apply(&mut self, o: &Applied, _: &[Cell]) -> Result<Vec<Cell>, Failure> {
        Ok(vec![None; o.types.len()])
    }

    fn constant(&mut self, _: &BigInt, _: Type) -> Cell {
        None
    }

    fn call(&mut self, callee: &Arc<Kernel>, arrays: &Arrays<Cell>) -> Result<Option<Arrays<Cell>>, Failure> {
        let inputs: Vec<Option<usize>> = callee.contract.inputs.iter().map(|o| self.read(o, arrays)).collect();
        let mut results: Arrays<Cell> = callee.arrays.iter().map(|a| vec![Some(None); a.len as usize]).collect();
        for claim in &callee.contract.claims {
            if let Some(e) = self.exponent(claim, &inputs) {
                self.write(e, claim.output(), &mut results);
            }
        }
        Ok(Some(results))
    }
}

/// Shows `output · factor^(exponent−1) ≡ base^exponent`.
pub(crate) fn check(kernel: &Kernel, output: &Operand, base: u32, exponent: &BigUint, factor: &BigInt, modulus: &BigInt) -> Result<(), Obligation> {
    let open = |detail: String| Obligation { what: format!("power {}", output.name), detail };
    if *modulus <= BigInt::one() || exponent.is_zero() {
        return Err(open("no modulus, or exponent 0".into()));
    }
    let operand = kernel.contract.inputs.get(base as usize).ok_or_else(|| open("an input that does not exist".into()))?;
    let mut arrays: Arrays<Cell> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, evariste_ir::ArrayKind::Input | evariste_ir::ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(None));
        }
    }
    let mut powers = Powers { known: Vec::new(), factor, modulus };
    powers.write(BigUint::one(), operand, &mut arrays);
    let (arrays, _) = run(&mut powers, kernel, arrays).map_err(open)?;
    match powers.read(output, &arrays).map(|p| &powers.known[p].exponent) {
        Some(e) if e == exponent => Ok(()),
        Some(e) => Err(open(format!("the exponent is {e}"))),
        None => Err(open("the output is no power that is known".into())),
    }
}
