//! Number-theoretic transforms: values of a polynomial at all powers of a root of unity, and back.
//!
//! * **computes** `X[k] = Σ x[j]·w^(jk)` for a root w of order N = 2^m, in natural order on both sides.
//! * **needs** N of at least the square of the lanes: [`Engine::smallest_transform`]; a root of that order.
//! * **gives** elements at rest.
//! * **cost** `N/2·log₂ N` products, as many sums and differences, and 3N products for twiddles between the two halves.
//! * **source** Bailey, "FFTs in external or hierarchical memory" (1990): a matrix of R × C whose columns are
//!   transformed, multiplied by `w^(ck)`, transposed, and transformed again; columns by Stockham's order (Cochran and
//!   others, "What is the fast Fourier transform?", 1967), in which nothing is ever reversed. Lanes are neighbouring
//!   columns, so a butterfly never crosses lanes.

use std::sync::Arc;

use evariste_algorithms::Operation;
use num_bigint::BigUint;

use crate::array::{Array, View};
use crate::code::{Code, In};
use crate::engine::{Engine, Kernels};
use crate::error::{ArrayError, same_length};
use crate::storage::Storage;

/// What transforms of one length and root share.
pub struct Transform {
    kernels: Arc<Kernels>,
    /// Of the columns of the first matrix, and of the second.
    columns: [Columns; 2],
    /// `w^c` for every column c.
    powers: Array,
    one: Array,
}

/// Transforms of columns: many at once, a vector of them.
struct Columns {
    rows: usize,
    /// Of each step but the last one `w^p` for each product, in all lanes.
    steps: Vec<Array>,
}

/// The code of the steps.
struct Codes<'a> {
    add: &'a Code,
    sub: &'a Code,
    mul: &'a Code,
}

impl Transform {
    /// How many elements it takes.
    pub fn len(&self) -> usize {
        self.columns[0].rows * self.columns[1].rows
    }

    /// It takes one element at least.
    pub fn is_empty(&self) -> bool {
        false
    }
}

impl Engine {
    /// The least length that transforms have in this layout.
    pub fn smallest_transform(&self) -> usize {
        self.lanes().next_power_of_two().pow(2)
    }

    /// Makes a transform of a length by a root of unity of that order.
    ///
    /// # Errors
    /// [`ArrayError::Root`]: a length that is no power of two or too short, a number that is no such root.
    pub fn transform(&self, len: usize, root: &BigUint) -> Result<Transform, ArrayError> {
        let limit = &self.kernels.limit;
        let no = |why: &str| ArrayError::Root { len, root: root.clone(), why: why.to_string() };
        if self.kernels.modulus().is_none() {
            return Err(no("there are no such roots in a binary field"));
        }
        if !len.is_power_of_two() || len < self.smallest_transform() {
            return Err(no(&format!("lengths are powers of two from {} on", self.smallest_transform())));
        }
        if root >= limit || root.modpow(&(len / 2).into(), limit) != limit - 1u32 {
            return Err(no("its power to half of the length is not −1"));
        }
        let rows = 1usize << len.ilog2().div_ceil(2);
        let own = |rows: usize| self.columns_of(rows, &root.modpow(&(len / rows).into(), limit));
        let (mut power, mut powers) = (BigUint::from(1u32), Vec::with_capacity(len / rows));
        for _ in 0..len / rows {
            powers.push(power.clone());
            power = power * root % limit;
        }
        Ok(Transform {
            kernels: self.kernels.clone(),
            columns: [own(rows)?, own(len / rows)?],
            powers: self.from_integers(&powers)?,
            one: self.from_integers(&vec![self.kernels.one(); self.lanes()])?,
        })
    }

    /// The tables of columns of so many rows by a root of that order.
    fn columns_of(&self, rows: usize, root: &BigUint) -> Result<Columns, ArrayError> {
        let (limit, lanes) = (&self.kernels.limit, self.lanes());
        let mut powers = vec![BigUint::from(1u32)];
        for i in 1..rows / 2 {
            powers.push(&powers[i - 1] * root % limit);
        }
        let mut steps = Vec::new();
        let mut span = 1;
        while span < rows / 2 {
            let of_row = |row: usize| &powers[row / span * span];
            let all: Vec<BigUint> = (0..rows / 2 * lanes).map(|i| of_row(i / lanes).clone()).collect();
            steps.push(self.from_integers(&all)?);
            span *= 2;
        }
        Ok(Columns { rows, steps })
    }

    /// The transform of an array.
    ///
    /// # Errors
    /// A foreign array or transform; another length.
    pub fn transformed<'a>(&self, transform: &Transform, a: impl Into<View<'a>>) -> Result<Array, ArrayError> {
        let a = a.into();
        self.own("transform", &transform.kernels)?;
        self.own("transform", a.kernels)?;
        same_length("transform", transform.len(), a.len)?;
        let kernels = &self.kernels;
        let codes = Codes {
            add: kernels.code(&Operation::ADD)?,
            sub: kernels.code(&Operation::SUB)?,
            mul: kernels.code(&Operation::MUL)?,
        };
        let no = |why| kernels.fault("transform", why);
        let (lanes, group) = (self.lanes(), kernels.group());
        let [first, second] = &transform.columns;
        // A vector of columns gives as many rows of the transposed matrix.
        let mut middle = Storage::zeroed(a.words.len());
        self.parallel(middle.words_mut(), first.rows * group, 1, |at, rows, scratch| {
            let [x, y, half] = scratch.areas::<3>(first.rows * group);
            let step = second.rows / lanes;
            for (row, to) in x.chunks_exact_mut(group).enumerate() {
                to.copy_from_slice(a.groups(row * step + at, 1));
            }
            let (x, y) = first.run(&codes, group, x, y, half).map_err(no)?;
            transform.twiddles(&codes, at, y).map_err(no)?;
            codes.mul.run(x, &[In::Out(0), In::Words(y)]).map_err(no)?;
            kernels.transposed(x, rows);
            Ok(())
        })?;
        // The second columns, one vector of them behind the other.
        let mut last = Storage::zeroed(a.words.len());
        let (from, step) = (middle.words(), first.rows / lanes);
        self.parallel(last.words_mut(), second.rows * group, 1, |at, out, scratch| {
            let [x, y, half] = scratch.areas::<3>(second.rows * group);
            for (row, to) in x.chunks_exact_mut(group).enumerate() {
                to.copy_from_slice(&from[(row * step + at) * group..][..group]);
            }
            out.copy_from_slice(second.run(&codes, group, x, y, half).map_err(no)?.0);
            Ok(())
        })?;
        let mut out = self.zeros(a.len);
        let from = last.words();
        self.parallel(out.storage.words_mut(), step * group, 1, |row, out, _| {
            for (at, to) in out.chunks_exact_mut(group).enumerate() {
                to.copy_from_slice(&from[(at * second.rows + row) * group..][..group]);
            }
            Ok(())
        })?;
        Ok(out)
    }
}

impl Columns {
    /// Transforms the columns in x, a vector of them; the result is in the first of the two areas that come back.
    fn run<'a>(
        &self,
        codes: &Codes,
        group: usize,
        mut x: &'a mut [u64],
        mut y: &'a mut [u64],
        half: &mut [u64],
    ) -> Result<(&'a mut [u64], &'a mut [u64]), String> {
        let middle = self.rows / 2 * group;
        let (sums, differences) = half.split_at_mut(middle);
        let mut span = group;
        for step in self.steps.iter().map(Some).chain([None]) {
            let (low, high) = x.split_at(middle);
            codes.add.run(sums, &[In::Words(low), In::Words(high)])?;
            codes.sub.run(differences, &[In::Words(low), In::Words(high)])?;
            // The last step has 1 as its only factor.
            if let Some(step) = step {
                codes.mul.run(differences, &[In::Out(0), In::Words(step.storage.words())])?;
            }
            let parts = sums.chunks_exact(span).zip(differences.chunks_exact(span));
            for (to, (sum, difference)) in y.chunks_exact_mut(2 * span).zip(parts) {
                to[..span].copy_from_slice(sum);
                to[span..].copy_from_slice(difference);
            }
            std::mem::swap(&mut x, &mut y);
            span *= 2;
        }
        Ok((x, y))
    }
}

impl Transform {
    /// `w^(ck)` for each row k and the columns c of one vector: of the first rows, twice as many at a time.
    fn twiddles(&self, codes: &Codes, at: usize, out: &mut [u64]) -> Result<(), String> {
        let group = self.kernels.group();
        let mut power = self.powers.storage.words()[at * group..(at + 1) * group].to_vec();
        out[..group].copy_from_slice(self.one.storage.words());
        let mut done = group;
        while done < out.len() {
            let (below, rest) = out.split_at_mut(done);
            // (A constant is one element for all lanes; this is another one in each.)
            let factors = power.repeat(done / group);
            codes.mul.run(&mut rest[..done], &[In::Words(below), In::Words(&factors)])?;
            codes.mul.run(&mut power, &[In::Out(0), In::Words(&factors[..group])])?;
            done *= 2;
        }
        Ok(())
    }
}

impl Kernels {
    /// Rows of one vector each become as many rows as a vector has elements.
    fn transposed(&self, from: &[u64], to: &mut [u64]) {
        let (lanes, row, digits) = (self.lanes(), self.row(), self.digits());
        let rows = from.len() / self.group();
        if self.per_word() > 1 {
            for element in 0..rows * lanes {
                let target = element % lanes * rows + element / lanes;
                for i in 0..digits {
                    self.put_digit(to, target, i, self.digit(from, element, i));
                }
            }
            return;
        }
        // A block of as many rows as lanes: its digits change places with the lanes.
        for (block, from) in from.chunks_exact(row * row * digits).enumerate() {
            for (k, from) in from.chunks_exact(row * digits).enumerate() {
                for (i, from) in from.chunks_exact(row).enumerate() {
                    for (lane, word) in from.iter().enumerate() {
                        to[(lane * rows / row + block) * row * digits + i * row + k] = *word;
                    }
                }
            }
        }
    }
}
