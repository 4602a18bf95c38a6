//! Kernels that are made of calls of division steps: what each call promises is one of a few laws about numbers that it
//! is handed, else nothing is known of its result.
//!
//! * Steps, where ζ, f and g are those of one point, and as many bits of f and g are known as there are steps.
//! * `low + 2^s·f' ≡ u·f + v·g` modulo a power of two, with `low < 2^s`: steps leave multiples of `2^s`, so f' is f after
//!   them, modulo what is known of f and g and divided by `2^s`.
//! * The product of two matrices, the one from where the other ends. Its rows have |u| + |v| at most `2^s`, since the rows
//!   of both have that: whatever f is, since steps of `packed` have it for every f. So an entry keeps to its bound also
//!   where f is even, of which nothing else is said. A row of entries that several calls gave would not: each matrix is
//!   of one call.
//! * What is congruent modulo p to d, e or the result serves as these do, and to the base if it is below p.
//! * `m·d' ≡ u·d + v·e` modulo p: where `d·a ≡ c·f` and `e·a ≡ c·g`, `d'·a ≡ (c·2^s/m)·f'`. Where a is 0 g is 0, no step
//!   adds or exchanges, v is 0, and d' is 0 as d is.
//! * After enough steps f is 1 or −1, or a is a multiple of p: `(1 − 2·b)·d·a ≡ c` for the second lowest bit b of f.

use std::sync::Arc;

use evariste_ir::divsteps::Part;
use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, Claim, Digit, Kernel, Modulo, Op, Operand, Polynomial, Type};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

use super::are_enough;
use super::numbers::{Cell, Known, Matrix, Numbers, Terms, of_part};
use crate::broken_rules::{Rule, broken};
use crate::outcome::Obligation;
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, pattern, run};

/// A kernel of division steps in execution.
struct Calls {
    word: u32,
    /// p, where an inverse is asked for.
    prime: Option<BigInt>,
    numbers: Numbers,
    /// Calls so far.
    made: u32,
}

impl Calls {
    fn new(word: u32, prime: Option<BigInt>) -> Calls {
        Calls { word, prime, numbers: Numbers::default(), made: 0 }
    }
}

/// The arrays on entry: input numbers are what they are said to be.
fn entry(kernel: &Kernel, numbers: &mut Numbers, known: impl Fn(usize) -> Option<Known>) -> Arrays<Cell> {
    let mut arrays: Arrays<Cell> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(Cell::Unknown));
        }
    }
    for (i, operand) in kernel.contract.inputs.iter().enumerate() {
        if let Some(known) = known(i).filter(|_| operand.digits.iter().all(|d| d.bits.is_none())) {
            numbers.write(known, operand.digits.iter().map(|d| (d, d.weight)), &mut arrays);
        }
    }
    arrays
}

/// Is the output that part of so many steps from the first three inputs?
pub(super) fn shows(kernel: &Kernel, output: &Operand, part: Part, count: u32) -> Result<bool, String> {
    let mut calls = Calls::new(kernel.word, None);
    let bits = kernel.word;
    let arrays = entry(kernel, &mut calls.numbers, |i| match i {
        0 => Some(Known::Zeta { at: 0 }),
        1 | 2 => Some(Known::Low { row: i as u8 - 1, at: 0, bits }),
        _ => None,
    });
    let (arrays, _) = run(&mut calls, kernel, arrays)?;
    let read = |output: &Operand| calls.numbers.read(output, &arrays);
    Ok(match (part, read(output)) {
        (Part::Entry(row, column), Some(Known::Entry { row: r, column: c, matrix })) => {
            // Callers rely on the bounds of rows: all entries are those of one matrix.
            let of_another = |claim: &Claim| match claim {
                Claim::Divsteps { output, count: n, part: Part::Entry(..) } if *n == count => {
                    !matches!(read(output), Some(Known::Entry { matrix: m, .. }) if m == matrix)
                }
                _ => false,
            };
            let whole = (matrix.from, matrix.to) == (0, count) && !kernel.contract.claims.iter().any(of_another);
            (r, c) == (row, column) && whole
        }
        (Part::Zeta, found) => found == Some(Known::Zeta { at: count }),
        _ => false,
    })
}

/// Shows that the output is the inverse of an input number: `output · base ≡ factor²` modulo a prime, and 0 where that
/// is 0.
pub(crate) fn inverse(
    kernel: &Kernel,
    output: &Operand,
    base: u32,
    factor: &BigInt,
    prime: &BigInt,
) -> Result<(), Obligation> {
    let open = |detail: &str| Obligation { what: format!("inverse {}", output.name), detail: detail.into() };
    if prime.is_even() || !evariste_descriptions::prime::is_prime(prime.magnitude()) {
        return Err(open("the modulus is no odd prime"));
    }
    let mut calls = Calls::new(kernel.word, Some(prime.clone()));
    let operand = kernel.contract.inputs.get(base as usize).ok_or_else(|| open("an input that does not exist"))?;
    let below = operand.bound < *prime || broken(Rule::DivisionBase);
    let arrays = entry(kernel, &mut calls.numbers, |i| (i == base as usize).then_some(Known::Base { below }));
    let (arrays, _) = run(&mut calls, kernel, arrays).map_err(|why| open(&why))?;
    match calls.numbers.read(output, &arrays) {
        Some(Known::Result { scale }) if (&scale - factor * factor).is_multiple_of(prime) => Ok(()),
        Some(Known::Result { .. }) => Err(open("it has another factor")),
        _ => Err(open("the output is no inverse that is known")),
    }
}

/// A promise `factor · output ≡ polynomial` with what the operands are.
struct Promise<'a> {
    output: &'a Operand,
    factor: &'a BigInt,
    polynomial: &'a Polynomial,
    modulus: Option<&'a BigInt>,
    operands: &'a [Option<Known>],
}

impl Promise<'_> {
    fn is(&self, polynomial: &Polynomial) -> bool {
        Terms::of(self.polynomial, self.modulus) == Terms::of(polynomial, self.modulus)
    }

    /// The operand that is so, if there is one alone.
    fn find(&self, is: impl Fn(&Known) -> bool) -> Option<u32> {
        let mut found = (0..).zip(self.operands).filter(|(_, x)| x.as_ref().is_some_and(&is)).map(|(i, _)| i);
        found.next().filter(|_| found.next().is_none())
    }

    /// Rows of matrices among the operands: of which matrix, which row, its entries.
    fn rows(&self) -> Vec<(Matrix, u8, [u32; 2])> {
        let entry = |x: &Option<Known>| match x {
            Some(Known::Entry { row, column: 0, matrix }) => Some((matrix.clone(), *row)),
            _ => None,
        };
        let beside = |(matrix, row): (Matrix, u8)| {
            let at = |column| self.find(|x| *x == Known::Entry { row, column, matrix: matrix.clone() });
            let entries = [at(0)?, at(1)?];
            Some((matrix, row, entries))
        };
        self.operands.iter().filter_map(entry).filter_map(beside).collect()
    }
}

impl Calls {
    /// f or g at a point, by so many bits.
    fn low_bits(&self, known: &Known, row: u8, at: u32) -> Option<u32> {
        match known {
            Known::Low { row: r, at: t, bits } if (*r, *t) == (row, at) => Some(*bits),
            // Where an inverse begins f is p, and g is the base.
            Known::Constant { value } if row == 0 && at == 0 => {
                let apart = self.prime.as_ref()? - value;
                Some(apart.trailing_zeros().map_or(u32::MAX, |bits| u32::try_from(bits).unwrap_or(u32::MAX)))
            }
            Known::Base { below: true } if row == 1 && at == 0 && self.prime.is_some() => Some(u32::MAX),
            _ => None,
        }
    }

    /// The point at which ζ is that.
    fn point(&self, zeta: &Known) -> Option<u32> {
        match zeta {
            Known::Zeta { at } => Some(*at),
            Known::Constant { value } if self.prime.is_some() && *value == pow2(self.word) - 1 => Some(0),
            _ => None,
        }
    }

    /// The scale of d or e at a point.
    fn scale(&self, known: &Known, row: u8, at: u32) -> Option<BigInt> {
        match known {
            Known::Follower { row: r, at: t, scale } if (*r, *t) == (row, at) => Some(scale.clone()),
            Known::Constant { value } if row == 1 && at == 0 => Some(value.clone()),
            _ => None,
        }
    }

    /// Steps from numbers of one point.
    fn steps(&self, part: Part, count: u32, operands: &[Option<Known>]) -> Option<Known> {
        let [Some(zeta), Some(f), Some(g), ..] = operands else { return None };
        let at = self.point(zeta)?;
        let known = self.low_bits(f, 0, at)?.min(self.low_bits(g, 1, at)?);
        (known >= count || broken(Rule::DivisionBits)).then(|| of_part(part, Matrix::of_call(at, count, self.made)))
    }

    /// f and g after steps, by which the output is divided: the number, and the bits that are dropped.
    fn divided(&self, p: &Promise) -> Option<(Known, u32)> {
        let known = match p.modulus {
            Some(m) if m.magnitude().count_ones() == 1 => m.bits() as u32 - 1,
            _ => return None,
        };
        if !p.factor.is_one() {
            return None;
        }
        p.rows().into_iter().find_map(|(Matrix { from, to, .. }, row, entries)| {
            let at = |row| p.find(|x| self.low_bits(x, row, from).is_some());
            let numbers = [at(0)?, at(1)?];
            let bits = |i: usize| self.low_bits(p.operands[numbers[i] as usize].as_ref()?, i as u8, from);
            let known = known.min(bits(0)?).min(bits(1)?);
            let bits = known.checked_sub(to - from).or_else(|| broken(Rule::DivisionBits).then_some(2))?;
            p.is(&Terms::row(entries, numbers, to - from)).then_some((Known::Low { row, at: to, bits }, to - from))
        })
    }

    /// The product of two matrices.
    fn product(&self, p: &Promise) -> Option<Known> {
        let rows = p.rows();
        let of = |first: &Matrix, second: &Matrix, row: u8, entries: [u32; 2]| {
            let (matrix, k, s) = (first.then(second), first.steps(), second.steps());
            // An entry is known where it is known modulo more than it can be.
            let known = p.modulus.is_none_or(|m| *m > pow2(k + s + 1) && p.output.bound < *m);
            let column = |column: u8| {
                let at = |row| p.find(|x| *x == Known::Entry { row, column, matrix: first.clone() });
                let product = Terms::product(entries, [at(0)?, at(1)?], s, k);
                p.is(&product).then(|| Known::Entry { row, column, matrix: matrix.clone() })
            };
            (known && p.factor.is_one()).then(|| column(0).or_else(|| column(1))).flatten()
        };
        rows.iter().find_map(|(second, row, entries)| {
            let mut firsts = rows.iter().map(|(first, ..)| first).filter(|first| first.to == second.from);
            firsts.find_map(|first| of(first, second, *row, *entries))
        })
    }

    /// d and e after steps.
    fn followed(&self, p: &Promise) -> Option<Known> {
        let prime = self.prime.as_ref().filter(|m| p.modulus == Some(*m))?;
        p.rows().into_iter().find_map(|(Matrix { from, to, .. }, row, entries)| {
            // Constants are d and e at the start: d is 0.
            let at = |row| {
                p.find(|x| match x {
                    Known::Constant { value } if from == 0 => (row == 0) == value.is_multiple_of(prime),
                    x => self.scale(x, row, from).is_some(),
                })
            };
            let numbers = [at(0)?, at(1)?];
            let scale = self.scale(p.operands[numbers[1] as usize].as_ref()?, 1, from)?;
            let same =
                |x: &Known| matches!(x, Known::Constant { .. }) || self.scale(x, 0, from).as_ref() == Some(&scale);
            let same = p.operands[numbers[0] as usize].as_ref().is_some_and(same);
            let scale = scale * pow2(to - from) * p.factor.modinv(prime)?;
            let scale = scale.mod_floor(prime);
            let row_is = p.is(&Terms::row(entries, numbers, to - from));
            (same && row_is).then_some(Known::Follower { row, at: to, scale })
        })
    }

    /// d with the sign of f, after enough steps.
    fn ended(&self, p: &Promise) -> Option<Known> {
        let prime = self.prime.as_ref().filter(|m| p.modulus == Some(*m))?;
        let bit = p.find(|x| matches!(x, Known::Bit { .. }))?;
        let d = p.find(|x| matches!(x, Known::Follower { row: 0, .. }))?;
        let (Some(Known::Bit { at }), Some(Known::Follower { at: same, scale, .. })) =
            (&p.operands[bit as usize], &p.operands[d as usize])
        else {
            return None;
        };
        let enough = at == same && are_enough(*at, prime.bits() as u32, self.word);
        let polynomial = Polynomial::input(d).plus(-2, &[bit, d]);
        let scale = (scale * p.factor.modinv(prime)?).mod_floor(prime);
        (enough && p.is(&polynomial)).then_some(Known::Result { scale })
    }

    /// A number that is congruent to the base, below p, or to what follows or is a result, of which no more is known.
    fn congruent(&self, p: &Promise) -> Option<Known> {
        let prime = self.prime.as_ref().filter(|m| p.modulus == Some(*m) && p.factor.is_one())?;
        let kept = |x: &Known| matches!(x, Known::Base { .. } | Known::Follower { .. } | Known::Result { .. });
        let place = p.find(kept).filter(|place| p.is(&Polynomial::input(*place)))?;
        match p.operands[place as usize].clone()? {
            Known::Base { .. } => {
                let below = p.output.bound < *prime || broken(Rule::DivisionCongruent);
                below.then_some(Known::Base { below })
            }
            known => Some(known),
        }
    }

    /// The second lowest bit of f, where a number is f itself in a bit, another and the rest.
    fn bit(&self, p: &Promise) -> Option<Known> {
        let f = p.find(|x| matches!(x, Known::Low { row: 0, .. }))?;
        let Some(Known::Low { at, bits, .. }) = &p.operands[f as usize] else { return None };
        let [low, second, rest @ ..] = &p.output.digits[..] else { return None };
        let one = |d: &Digit, weight| d.weight == weight && d.max <= BigInt::one() && d.bits.is_none();
        let split = one(low, 0) && one(second, 1) && rest.iter().all(|d| d.weight >= 2 && d.bits.is_none());
        let same = p.factor.is_one() && p.modulus.is_none() && p.is(&Polynomial::input(f));
        (split && same && *bits >= 2).then_some(Known::Bit { at: *at })
    }

    /// What a value that is promised is.
    fn value(&mut self, p: &Promise, results: &mut Arrays<Cell>) {
        if p.output.digits.iter().any(|d| d.bits.is_some()) {
            return;
        }
        let whole = |known: Known| (known, 0);
        let found = self.divided(p).or_else(|| self.product(p).map(whole));
        let found = found.or_else(|| self.followed(p).or_else(|| self.ended(p)).map(whole));
        let found = found.or_else(|| self.congruent(p).or_else(|| self.bit(p)).map(whole));
        let Some((known, dropped)) = found else { return };
        let (low, kept): (Vec<&Digit>, Vec<&Digit>) = p.output.digits.iter().partition(|d| d.weight < dropped);
        let dropped_most: BigInt = low.iter().map(|d| &d.max << d.weight).sum();
        if dropped == 0 || dropped_most < pow2(dropped) || broken(Rule::DivisionRest) {
            // A digit that weighs more than the number's bound is 0: the number is what the others say.
            let lost = |d: &Digit| broken(Rule::DivisionTop) && dropped == 0 && d.weight >= self.word;
            let may_count = |d: &&Digit| pow2(d.weight) <= p.output.bound && !lost(d);
            let kept = kept.into_iter().filter(may_count);
            self.numbers.write(known, kept.map(|d| (d, d.weight - dropped)), results);
        }
    }
}

impl Domain for Calls {
    type V = Cell;

    fn apply(&mut self, o: &Applied, _: &[Cell]) -> Result<Vec<Cell>, Failure> {
        Ok(match o.op {
            Op::Const(c) => vec![Cell::Constant(pattern(c, o.types[0]))],
            _ => vec![Cell::Unknown; o.types.len()],
        })
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Cell {
        Cell::Constant(pattern(c, ty))
    }

    fn call(&mut self, callee: &Arc<Kernel>, arrays: &Arrays<Cell>) -> Result<Option<Arrays<Cell>>, Failure> {
        self.made += 1;
        let inputs = &callee.contract.inputs;
        let operands: Vec<Option<Known>> = inputs.iter().map(|o| self.numbers.read(o, arrays)).collect();
        let mut results: Arrays<Cell> =
            callee.arrays.iter().map(|a| vec![Some(Cell::Unknown); a.len as usize]).collect();
        // ζ is in two's complement: a word of one size is none of another.
        let same_words = callee.word == self.word || broken(Rule::DivisionWord);
        for claim in &callee.contract.claims {
            match claim {
                Claim::Divsteps { output, part, count } if same_words => {
                    if let Some(known) = self.steps(*part, *count, &operands) {
                        self.numbers.write(known, output.digits.iter().map(|d| (d, d.weight)), &mut results);
                    }
                }
                Claim::Value { output, factor, polynomial, modulus } => {
                    let modulus = match modulus {
                        Some(Modulo::Input(_)) => continue,
                        Some(Modulo::Constant(m)) => Some(m),
                        None => None,
                    };
                    let promise = Promise { output, factor, polynomial, modulus, operands: &operands };
                    self.value(&promise, &mut results);
                }
                _ => {}
            }
        }
        Ok(Some(results))
    }
}
