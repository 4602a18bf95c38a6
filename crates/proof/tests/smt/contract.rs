//! The contract: numbers and promises in bit vectors wide enough for every value that occurs.

use evariste_ir::range::pow2;
use evariste_ir::{BitMap, BitOf, Claim, Contract, Kernel, Modulo, Multiplication, Operand, Polynomial, Recurrence};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::{Cells, Script, constant, extended};

/// A number as a term, and the most that its elements allow.
struct Number {
    term: String,
    most: BigInt,
}

/// The two sides of an equation with non-negative terms on each.
struct Sides {
    left: String,
    right: String,
}

/// Bits in which everything that a contract says of these numbers fits.
fn width(contract: &Contract, mosts: &[BigInt], outputs: &[BigInt]) -> u32 {
    let size_at = |p: &Polynomial, mosts: &[BigInt]| -> BigInt {
        let term = |(c, f): &(BigInt, Vec<u32>)| f.iter().fold(c.abs(), |x, i| x * &mosts[*i as usize]);
        p.0.iter().map(term).sum()
    };
    let size = |p: &Polynomial| size_at(p, mosts);
    let mut most: BigInt = mosts.iter().chain(outputs).max().cloned().unwrap_or_default();
    for fact in &contract.facts {
        let left = fact.times.map_or_else(|| 1.into(), |t| mosts[t as usize].clone()) * &mosts[fact.number as usize];
        most = most.max(size(&fact.polynomial) + left + &fact.modulus);
    }
    for (claim, out) in contract.claims.iter().zip(outputs) {
        most = most.max(match claim {
            Claim::Value { factor, polynomial, modulus, .. } => {
                let modulus = modulus.as_ref().and_then(Modulo::constant).cloned().unwrap_or_default();
                size(polynomial) + factor.abs() * out + modulus
            }
            Claim::Power { product: Multiplication::Modular { modulus, factor }, .. } => {
                modulus * modulus + factor.abs() + modulus * out
            }
            Claim::Iterate { recurrence: r, .. } if r.ring.modulus().is_some() => {
                let modulus = r.ring.modulus().cloned().unwrap_or_default();
                let state = r.step.iter().map(|_| modulus.clone());
                let of: Vec<BigInt> =
                    mosts.iter().cloned().chain(state).chain(r.bits.iter().map(|_| 1.into())).collect();
                r.start.iter().chain(&r.step).map(|p| size_at(p, &of)).max().unwrap_or_default() + modulus * 2
            }
            _ => 0.into(),
        });
        let multiples = contract.inputs.iter().chain([claim.output()]).filter_map(|o| o.below);
        most = most.max(multiples.map(|b| &mosts[b.number as usize] * b.multiple).max().unwrap_or_default());
    }
    most.bits() as u32 + 2
}

impl Script {
    /// What the inputs keep, and what the outputs must.
    pub(super) fn contract(
        &mut self,
        kernel: &Kernel,
        before: &Cells,
        after: &Cells,
    ) -> Option<(Vec<String>, Vec<String>)> {
        let contract = &kernel.contract;
        let most = |o: &Operand| -> BigInt {
            let element = |d: &evariste_ir::Digit| pow2(kernel.array(d.array).ty.bits()) << d.weight;
            o.digits.iter().map(element).sum()
        };
        let mosts: Vec<BigInt> = contract.inputs.iter().map(most).collect();
        let outputs: Vec<BigInt> = contract.claims.iter().map(|c| most(c.output())).collect();
        let w = width(contract, &mosts, &outputs);
        let (mut asked, mut promised) = (Vec::new(), Vec::new());
        let inputs: Vec<Number> =
            contract.inputs.iter().map(|o| self.number(kernel, o, before, w, &mut asked)).collect::<Option<_>>()?;
        for (o, x) in contract.inputs.iter().zip(&inputs) {
            asked.extend(self.below(o, &inputs, &x.term, w));
        }
        for fact in &contract.facts {
            let left = Polynomial::default();
            let left = match fact.times {
                Some(t) => left.plus(1, &[t, fact.number]),
                None => left.plus(1, &[fact.number]),
            };
            let right = fact.polynomial.0.iter().fold(left, |p, (c, f)| p.plus(-c, f));
            let sides = self.sides(&right, &inputs, w);
            asked.push(congruent(&sides, &constant(&fact.modulus, w)));
        }
        for claim in &contract.claims {
            let output = claim.output();
            let out = self.number(kernel, output, after, w, &mut promised)?;
            promised.extend(self.below(output, &inputs, &out.term, w));
            promised.push(self.claim(kernel, claim, &inputs, out, before, w)?);
        }
        Some((asked, promised))
    }

    /// The number's term; its digits' maxima and its bound are added to `kept`.
    fn number(
        &mut self,
        kernel: &Kernel,
        o: &Operand,
        cells: &Cells,
        w: u32,
        kept: &mut Vec<String>,
    ) -> Option<Number> {
        let mut sum = constant(&0.into(), w);
        for d in &o.digits {
            let n = kernel.array(d.array).ty.bits();
            let element = cells[d.array.0 as usize][d.index as usize].clone()?;
            kept.push(format!(
                "(bvule {} {})",
                extended(&element, w - n, false),
                constant(&d.max.clone().min(pow2(w) - 1), w)
            ));
            let counted = match d.bits {
                Some(k) => extended(&format!("((_ extract {} 0) {element})", k - 1), w - k, false),
                None => extended(&element, w - n, false),
            };
            sum = format!("(bvadd {sum} (bvshl {counted} {}))", constant(&d.weight.into(), w));
        }
        let term = self.define(w, &sum);
        kept.push(format!("(bvule {term} {})", constant(&o.bound.clone().min(pow2(w) - 1), w)));
        let most = o.bound.clone();
        Some(Number { term, most })
    }

    fn below(&self, o: &Operand, inputs: &[Number], term: &str, w: u32) -> Option<String> {
        let below = o.below?;
        let limit = format!("(bvmul {} {})", constant(&below.multiple.into(), w), inputs[below.number as usize].term);
        Some(format!("(bvult {term} {limit})"))
    }

    /// `p = left − right`, without a negative term on either side.
    fn sides(&mut self, p: &Polynomial, inputs: &[Number], w: u32) -> Sides {
        let mut sums = [constant(&0.into(), w), constant(&0.into(), w)];
        for (c, factors) in p.0.iter().filter(|(c, _)| !c.is_zero()) {
            let product =
                factors.iter().fold(constant(&c.abs(), w), |x, i| format!("(bvmul {x} {})", inputs[*i as usize].term));
            let side = &mut sums[usize::from(c.is_negative())];
            *side = format!("(bvadd {side} {product})");
        }
        let [left, right] = sums.map(|sum| self.define(w, &sum));
        Sides { left, right }
    }

    fn claim(
        &mut self,
        kernel: &Kernel,
        claim: &Claim,
        inputs: &[Number],
        out: Number,
        before: &Cells,
        w: u32,
    ) -> Option<String> {
        Some(match claim {
            Claim::Step { .. } => "true".to_string(),
            Claim::Value { factor, polynomial, modulus, .. } => {
                let sides = self.sides(polynomial, inputs, w);
                let product = format!("(bvmul {} {})", constant(&factor.abs(), w), out.term);
                let (own, other) =
                    if factor.is_negative() { (&sides.left, &sides.right) } else { (&sides.right, &sides.left) };
                let sides = Sides { left: self.define(w, &format!("(bvadd {product} {own})")), right: other.clone() };
                match modulus {
                    None => format!("(= {} {})", sides.left, sides.right),
                    Some(Modulo::Constant(m)) => congruent(&sides, &constant(m, w)),
                    // A remainder by 0 is the number itself in SMT-LIB: congruent is equal.
                    Some(Modulo::Input(i)) => congruent(&sides, &inputs[*i as usize].term),
                }
            }
            Claim::Equal { left, right, .. } => {
                let other = right.map_or_else(|| constant(&0.into(), w), |r| inputs[r as usize].term.clone());
                let (one, zero) = (constant(&1.into(), w), constant(&0.into(), w));
                format!("(= {} (ite (= {} {other}) {one} {zero}))", out.term, inputs[*left as usize].term)
            }
            Claim::Power { base, exponent, product: Multiplication::Modular { factor, modulus }, .. } => {
                let e = u32::try_from(exponent.clone()).ok().filter(|e| (1..=16).contains(e))?;
                if inputs[*base as usize].most.bits() > 16 {
                    return None;
                }
                let m = constant(modulus, w);
                let reduce = |x: String| format!("(bvurem {x} {m})");
                let base = self.define(w, &reduce(inputs[*base as usize].term.clone()));
                let mut power = base.clone();
                let mut left = self.define(w, &reduce(out.term.clone()));
                for _ in 1..e {
                    power = self.define(w, &reduce(format!("(bvmul {power} {base})")));
                    left = self.define(w, &reduce(format!("(bvmul {left} {})", constant(&(factor % modulus), w))));
                }
                format!("(= {left} {power})")
            }
            Claim::Power { .. } | Claim::Divsteps { .. } | Claim::Polynomial { .. } => return None,
            Claim::Iterate { recurrence, component, .. } => {
                let state = self.state(recurrence, inputs, w)?;
                let left = format!("(bvurem {} {})", out.term, constant(recurrence.ring.modulus()?, w));
                format!("(= {left} {})", state[*component as usize].term)
            }
            Claim::Bits { map, output } => self.image(kernel, map, output, &out, before, w)?,
        })
    }

    /// The state after the last step.
    fn state(&mut self, r: &Recurrence, inputs: &[Number], w: u32) -> Option<Vec<Number>> {
        if r.count > 8 {
            return None;
        }
        let modulus = r.ring.modulus()?;
        let m = constant(modulus, w);
        let reduced = |smt: &mut Self, p: &Polynomial, of: &[Number]| {
            let sides = smt.sides(p, of, w);
            let (x, y) = (format!("(bvurem {} {m})", sides.left), format!("(bvurem {} {m})", sides.right));
            let term = smt.define(w, &format!("(bvurem (bvsub (bvadd {x} {m}) {y}) {m})"));
            Number { term, most: modulus - 1u32 }
        };
        let mut state: Vec<Number> = r.start.iter().map(|p| reduced(self, p, inputs)).collect();
        for i in 0..r.count {
            let bit = |b: &BitOf| {
                let shifted =
                    format!("(bvlshr {} {})", inputs[b.number as usize].term, constant(&b.place(i)?.into(), w));
                Some(Number { term: format!("(bvand {shifted} {})", constant(&1.into(), w)), most: 1.into() })
            };
            let bits: Vec<Number> = r.bits.iter().map(bit).collect::<Option<_>>()?;
            let same = |x: &Number| Number { term: x.term.clone(), most: x.most.clone() };
            let of: Vec<Number> = inputs.iter().chain(&state).chain(&bits).map(same).collect();
            state = r.step.iter().map(|p| reduced(self, p, &of)).collect();
        }
        Some(state)
    }

    /// The output is the image of the inputs' bits.
    fn image(
        &mut self,
        kernel: &Kernel,
        map: &BitMap,
        output: &Operand,
        out: &Number,
        before: &Cells,
        w: u32,
    ) -> Option<String> {
        let bits = |o: &Operand| -> Option<Vec<String>> {
            let bit = |c: &evariste_ir::Coordinate| {
                let element = before[c.array.0 as usize][c.index as usize].clone()?;
                Some(format!("((_ extract {0} {0}) {element})", c.bit))
            };
            o.coordinates()?.iter().map(bit).collect()
        };
        let vectors: Vec<Vec<String>> = kernel.contract.inputs.iter().map(bits).collect::<Option<_>>()?;
        let mut image = vec!["#b0".to_string(); output.coordinates()?.len()];
        let mut add = |out: usize, term: &str| image[out] = format!("(bvxor {} {term})", image[out]);
        let x = &vectors[0];
        if let BitMap::Linear(images) = map {
            for (i, image) in images.iter().enumerate() {
                image.iter().for_each(|k| add(*k as usize, &x[i]));
            }
        } else {
            let y = vectors.get(1)?;
            for (i, x) in x.iter().enumerate() {
                for (j, y_bit) in y.iter().enumerate() {
                    let term = format!("(bvand {x} {y_bit})");
                    match map {
                        BitMap::Bilinear(images) => {
                            images[i * y.len() + j].iter().for_each(|k| add(*k as usize, &term))
                        }
                        BitMap::Convolution(images) => images[i + j].iter().for_each(|k| add(*k as usize, &term)),
                        BitMap::RotatingBilinear(rows) => {
                            let m = rows.len();
                            rows[(j + m - i) % m].iter().for_each(|k| add((*k as usize + i) % m, &term));
                        }
                        BitMap::Linear(_) => {}
                    }
                }
            }
        }
        let n = image.len() as u32;
        let whole = image.iter().skip(1).fold(image[0].clone(), |below, bit| format!("(concat {bit} {below})"));
        let whole = self.define(n, &whole);
        Some(format!("(= {} {})", out.term, extended(&whole, w.checked_sub(n)?, false)))
    }
}

fn congruent(sides: &Sides, modulus: &str) -> String {
    format!("(= (bvurem {} {modulus}) (bvurem {} {modulus}))", sides.left, sides.right)
}
