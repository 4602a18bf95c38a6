//! Fixed powers, for kernels that are made of calls and copies: each array holds a power of the base, and products add
//! exponents. Integers: `x·f^(e−1) ≡ base^e`. Vectors over GF(2): linear maps that are repeated squarings multiply
//! exponents by `2^k`, and so do rotations where squaring is a rotation.

use std::sync::Arc;

use evariste_ir::{BitMap, Claim, Kernel, Modulo, Multiplication, Operand, Type};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::algebra::Algebra;
use crate::broken_rules::{Rule, broken};
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

/// A multiplication with what its powers rest on.
enum Product<'a> {
    /// `factor · z ≡ x · y` modulo a number.
    Modular { factor: &'a BigInt, modulus: &'a BigInt },
    /// Of vectors over GF(2).
    Bits { map: &'a BitMap, algebra: Algebra },
}

impl Product<'_> {
    fn new(product: &Multiplication) -> Result<Product<'_>, String> {
        match product {
            Multiplication::Modular { factor, modulus } if *modulus > BigInt::one() => {
                Ok(Product::Modular { factor, modulus })
            }
            Multiplication::Modular { .. } => Err("no modulus".to_string()),
            Multiplication::Bits(map) => Ok(Product::Bits { map, algebra: Algebra::new(map)? }),
        }
    }

    /// The exponent of what a claim gives for inputs of these exponents.
    fn exponent(&self, claim: &Claim, inputs: &[Option<BigUint>]) -> Option<BigUint> {
        let of = |i: &u32| inputs.get(*i as usize)?.as_ref();
        let sum = |all: &[u32]| all.iter().map(of).sum::<Option<BigUint>>();
        match (claim, self) {
            (
                Claim::Value { factor: f, polynomial, modulus: Some(Modulo::Constant(m)), .. },
                Product::Modular { factor, modulus },
            ) if m.is_multiple_of(modulus) => {
                // f · out ≡ Π inputs with f = factor^(d−1): exponents add.
                let [(c, factors)] = polynomial.0.as_slice() else { return None };
                let degree = u32::try_from(factors.len()).ok().filter(|d| *d > 0)?;
                // (A product of few: cheaper than `modpow`, which prepares for long exponents.)
                let expected = (1..degree).fold(BigInt::one(), |power, _| (power * *factor).mod_floor(modulus));
                let fits = (c - BigInt::one()).is_multiple_of(modulus) && (f - expected).is_multiple_of(modulus);
                fits.then(|| sum(factors)).flatten()
            }
            (Claim::Bits { map: BitMap::Linear(images), .. }, Product::Bits { algebra, .. }) => {
                Some(of(&0)? << algebra.squarings(images)?)
            }
            (Claim::Bits { map: of_call, .. }, Product::Bits { map, .. }) if of_call == *map => sum(&[0, 1]),
            (Claim::Power { base, exponent, product, .. }, _) if self.is(product) && !exponent.is_zero() => {
                Some(of(base)? * exponent)
            }
            _ => None,
        }
    }

    /// Is it that multiplication?
    fn is(&self, product: &Multiplication) -> bool {
        match (self, product) {
            (Product::Modular { factor, modulus }, Multiplication::Modular { factor: f, modulus: m }) => {
                m.is_multiple_of(modulus) && (f - *factor).is_multiple_of(modulus)
            }
            (Product::Bits { map, .. }, Multiplication::Bits(of_call)) => of_call == *map,
            _ => false,
        }
    }

    /// Do these numbers have as many coordinates as the elements?
    fn is_of_size(&self, inputs: &[Operand]) -> bool {
        let Product::Bits { algebra, .. } = self else { return true };
        let size = |o: &Operand| o.coordinates().map(|all| all.len());
        broken(Rule::MapSizes) || inputs.iter().all(|o| size(o) == Some(algebra.size()))
    }

    /// The coordinates that a number of single bits has, where a rotation of them by one is squaring.
    fn ring(&self, operand: &Operand) -> Option<u32> {
        let Product::Bits { algebra, .. } = self else { return None };
        let m = algebra.rotates()?;
        let bits = operand.digits.iter().zip(0..).all(|(d, i)| d.weight == i && d.max.is_one());
        (bits && operand.digits.len() == m as usize).then_some(m)
    }
}

struct Powers<'a> {
    known: Vec<Power>,
    product: Product<'a>,
}

/// The weights of digits that the bound does not show to be zero.
fn weights(o: &Operand) -> Vec<u32> {
    o.digits.iter().map(|d| d.weight).filter(|w| pow2(*w) <= o.bound).collect()
}

impl Powers<'_> {
    /// The exponent of the power that an operand holds in these arrays.
    fn read(&self, operand: &Operand, arrays: &Arrays<Cell>) -> Option<BigUint> {
        let ring = self.product.ring(operand);
        let mut found = None;
        for d in &operand.digits {
            let (p, w, bits) = arrays[d.array.0 as usize][d.index as usize]??;
            // How far the digit went up.
            let turn = match ring {
                Some(m) if w < m => (d.weight + m - w) % m,
                _ if w == d.weight => 0,
                _ => return None,
            };
            if bits != d.bits || *found.get_or_insert((p, turn)) != (p, turn) {
                return None;
            }
        }
        let (p, turn) = found?;
        let power = &self.known[p];
        let all = power.weights.iter().all(|w| operand.digits.iter().any(|d| d.weight == *w));
        all.then(|| &power.exponent << turn)
    }

    fn write(&mut self, exponent: BigUint, operand: &Operand, arrays: &mut Arrays<Cell>) {
        self.known.push(Power { exponent, weights: weights(operand) });
        let p = self.known.len() - 1;
        for d in &operand.digits {
            arrays[d.array.0 as usize][d.index as usize] = Some(Some((p, d.weight, d.bits)));
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
        let inputs: Vec<Option<BigUint>> = callee.contract.inputs.iter().map(|o| self.read(o, arrays)).collect();
        let mut results: Arrays<Cell> = callee.arrays.iter().map(|a| vec![Some(None); a.len as usize]).collect();
        // The same images of a table are another map where they are of operands of other sizes.
        let of_size = self.product.is_of_size(&callee.contract.inputs);
        for claim in callee.contract.claims.iter().filter(|c| of_size || !matches!(c, Claim::Bits { .. })) {
            if let Some(e) = self.product.exponent(claim, &inputs) {
                self.write(e, claim.output(), &mut results);
            }
        }
        Ok(Some(results))
    }
}

/// Shows that the output is that power of the base.
pub(crate) fn check(
    kernel: &Kernel,
    output: &Operand,
    base: u32,
    exponent: &BigUint,
    product: &Multiplication,
) -> Result<(), Obligation> {
    let open = |detail: String| Obligation { what: format!("power {}", output.name), detail };
    if exponent.is_zero() {
        return Err(open("exponent 0".into()));
    }
    let product = Product::new(product).map_err(open)?;
    let operand =
        kernel.contract.inputs.get(base as usize).ok_or_else(|| open("an input that does not exist".into()))?;
    let mut arrays: Arrays<Cell> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, evariste_ir::ArrayKind::Input | evariste_ir::ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(None));
        }
    }
    let mut powers = Powers { known: Vec::new(), product };
    powers.write(BigUint::one(), operand, &mut arrays);
    let (arrays, _) = run(&mut powers, kernel, arrays).map_err(open)?;
    match powers.read(output, &arrays) {
        Some(e) if e == *exponent => Ok(()),
        Some(e) => Err(open(format!("the exponent is {e}"))),
        None => Err(open("the output is no power that is known".into())),
    }
}
