//! Calls: the callee's precondition is owed, its contract is an equation.

use evariste_ir::{ArrayKind, Claim, Kernel, Operand, Type, View};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::equations::Poly;
use crate::equations::system::{Affine, pow2};
use crate::session::Session;

use super::unroll::{Failure, Translation};
use super::values::Obligation;

/// Where the elements of a callee's parameter live in the caller.
type Cells = Vec<Vec<usize>>;

impl<'k> Translation<'k> {
    /// One call.
    pub(super) fn call(&mut self, callee: u32, views: &[View], session: &mut Session) -> Result<(), Failure> {
        let kernel = self.kernel;
        let callee = kernel.callees.get(callee as usize).ok_or("a call of no kernel")?;
        session.prove_callee(callee)?;
        let params: Vec<_> = callee.params().collect();
        if params.len() != views.len() {
            return Err(format!("{} takes {} arrays, not {}", callee.name, params.len(), views.len()));
        }
        let cells: Cells = params.iter().zip(views).map(|(p, v)| self.cells(callee.array(*p).len, v)).collect::<Result<_, _>>()?;
        // The callee's arrays as it sees them on entry.
        let mut seen: Vec<Vec<Option<Affine>>> = callee.arrays.iter().map(|a| vec![None; a.len as usize]).collect();
        for ((p, v), cells) in params.iter().zip(views).zip(&cells) {
            let info = callee.array(*p);
            if !matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
                continue;
            }
            for (j, i) in cells.iter().enumerate() {
                let x = self.read(v.array, *i)?;
                let range = info.range(j as u32);
                self.values.owe(&x, &range.lo, &range.hi, &|| format!("argument {}[{j}] of {}", info.name, callee.name));
                seen[p.0 as usize][j] = Some(x);
            }
        }
        let mut inputs = Vec::new();
        for operand in &callee.contract.inputs {
            let poly = number(&seen, operand).ok_or_else(|| format!("argument {} of {} is not defined", operand.name, callee.name))?;
            self.precondition(&poly, operand, &seen, callee);
            inputs.push(poly);
        }
        let mut results: Vec<Vec<Option<Affine>>> = callee.arrays.iter().map(|a| vec![None; a.len as usize]).collect();
        for claim in &callee.contract.claims {
            self.promise(claim, &inputs, &mut results, callee);
        }
        for ((p, v), cells) in params.iter().zip(views).zip(&cells) {
            let info = callee.array(*p);
            if matches!(info.kind, ArrayKind::Input) {
                continue;
            }
            for (j, i) in cells.iter().enumerate() {
                let range = info.range(j as u32);
                let x = results[p.0 as usize][j].take().unwrap_or_else(|| match info.ty {
                    Type::Mask(n) => {
                        let flag = self.values.opaque_flag();
                        self.values.mask(&flag, n as u32)
                    }
                    _ => self.values.sys.opaque(&range.lo, &range.hi),
                });
                self.write(v.array, *i, x);
            }
        }
        Ok(())
    }

    pub(crate) fn cells(&self, len: u32, view: &View) -> Result<Vec<usize>, Failure> {
        let order: Option<&[BigInt]> = match view.order.map(|t| &self.kernel.array(t).kind) {
            None => None,
            Some(ArrayKind::Table(entries)) if entries.len() >= len as usize => Some(entries),
            Some(_) => return Err("a view's order is no table of its length".into()),
        };
        (0..len)
            .map(|j| {
                let offset = match order {
                    Some(entries) => i64::try_from(&entries[j as usize]).map_err(|_| "an entry of an order is too large")?,
                    None => j as i64,
                };
                self.cell(view.array, &view.start.clone().offset(offset))
            })
            .collect()
    }

    /// Digits and bound that the callee asks for.
    fn precondition(&mut self, poly: &Poly, operand: &Operand, seen: &[Vec<Option<Affine>>], callee: &Kernel) {
        for d in &operand.digits {
            if let Some(x) = seen[d.array.0 as usize][d.index as usize].clone() {
                self.values.owe(&x, &BigInt::zero(), &d.max, &|| format!("digit {} of {} for {}", d.index, operand.name, callee.name));
            }
        }
        if self.values.sys.interval(poly).1 > operand.bound {
            self.values.obligations.push(Obligation {
                poly: poly.clone(),
                lo: None,
                hi: Some(operand.bound.clone()),
                limit: crate::equations::Atom(self.values.sys.atoms()),
                what: format!("bound of {} for {}", operand.name, callee.name),
            });
        }
    }

    /// The output number of a claim as a new number, with what the claim says of it.
    fn promise(&mut self, claim: &Claim, inputs: &[Poly], results: &mut [Vec<Option<Affine>>], callee: &Kernel) {
        let output = claim.output();
        let free = output.digits.iter().all(|d| {
            let info = callee.array(d.array);
            results[d.array.0 as usize][d.index as usize].is_none() && info.range(d.index).lo.sign() != Sign::Minus && !matches!(info.ty, Type::Mask(_) | Type::Float(_))
        });
        if !free {
            return;
        }
        // Highest digit first: the lowest is the newest atom, and the one that the claim defines.
        let digits: Vec<_> = output.digits.iter().rev().collect();
        let weights: Vec<BigInt> = digits.iter().map(|d| pow2(d.weight)).collect();
        let maxima: Vec<BigInt> = digits.iter().map(|d| (&d.max).min(&callee.array(d.array).range(d.index).hi).clone()).collect();
        let number = self.values.sys.number(&weights, &maxima, &output.bound);
        let atoms = self.values.sys.numbers()[number as usize].digits.clone();
        for (d, atom) in digits.iter().zip(&atoms) {
            results[d.array.0 as usize][d.index as usize] = Some(Affine::new(BigInt::zero(), BigInt::one(), *atom));
        }
        let Claim::Value { factor, polynomial, modulus, .. } = claim else { return };
        let Some((lowest, one)) = atoms.last().zip(weights.last()) else { return };
        let Some(spec) = self.polynomial(polynomial, inputs) else { return };
        let inverse = match modulus {
            Some(m) => factor.modinv(m),
            None => factor.is_one().then(BigInt::one),
        };
        let (Some(inverse), true) = (inverse, one.is_one()) else { return };
        let mut poly = spec.scaled(&inverse);
        if let Some(m) = modulus {
            poly = poly.map(|c| c % m);
        }
        let rest = Poly::from_terms(atoms.iter().zip(&weights).rev().skip(1).map(|(a, w)| (crate::equations::Mono::atom(*a), -w)).collect());
        self.values.sys.relate_digit(*lowest, poly.plus(&BigInt::one(), &rest), modulus.clone());
    }
}

fn number(arrays: &[Vec<Option<Affine>>], operand: &Operand) -> Option<Poly> {
    let mut terms = Vec::new();
    for d in &operand.digits {
        let x = arrays.get(d.array.0 as usize)?.get(d.index as usize)?.as_ref()?;
        terms.extend(x.poly().terms().iter().map(|(m, c)| (*m, c << d.weight)));
    }
    Some(Poly::from_terms(terms))
}
