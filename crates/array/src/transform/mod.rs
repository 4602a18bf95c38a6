//! Number-theoretic transforms: values of a polynomial at all powers of a root of unity, and back.
//!
//! * **computes** `X[k] = Σ x[j]·w^(jk)` for a root w of order N = 2^m, in natural order on both sides.
//! * **needs** N of at least the square of the lanes: [`Engine::smallest_transform`]; a root of that order.
//! * **gives** elements at rest.
//! * **cost** about `N/2·log₂ N` products, twice as many sums, and 2N products for twiddles between the two halves.
//! * **source** Bailey, "FFTs in external or hierarchical memory" (1990): a matrix of R × C whose columns are
//!   transformed, multiplied by `w^(ck)`, transposed, and transformed again; columns in place, by [rounds of
//!   butterflies](columns). Lanes are neighbouring columns, so a butterfly never crosses lanes.

mod columns;
mod transpose;

use std::sync::Arc;

use evariste_algorithms::Operation;
use num_bigint::BigUint;

use self::columns::Columns;
use crate::array::{Array, View, ViewMut};
use crate::code::{Code, In};
use crate::engine::{Engine, Kernels};
use crate::error::{ArrayError, same_length};
use crate::storage::Scratch;

/// What transforms of one length and root share.
pub struct Transform {
    kernels: Arc<Kernels>,
    /// Of the columns of the first matrix, and of the second.
    columns: [Columns; 2],
    /// `w^c` for every column c.
    powers: Array,
    one: Array,
    /// The place of each result of the first columns.
    places: Vec<usize>,
    /// Of short transforms the twiddles of all vectors of columns, one after the other.
    twiddles: Vec<u64>,
}

/// Words of twiddles that are kept: what no near cache holds is sooner computed.
const MOST_TWIDDLES: usize = 1 << 15;

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
    /// [`ArrayError::Root`]: a length that is no power of two or too short, a number that is no such root; a field
    /// without code for butterflies.
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
        let codes = self.kernels.butterflies()?;
        let rows = 1usize << len.ilog2().div_ceil(2);
        let own = |rows: usize| Columns::new(self, codes, rows, &root.modpow(&(len / rows).into(), limit));
        let powers = std::iter::successors(Some(BigUint::from(1u32)), |power| Some(power * root % limit));
        let powers: Vec<BigUint> = powers.take(len / rows).collect();
        let columns = [own(rows)?, own(len / rows)?];
        let mut places = vec![0; rows];
        columns[0].order.iter().enumerate().for_each(|(place, result)| places[*result] = place);
        let mut transform = Transform {
            kernels: self.kernels.clone(),
            columns,
            powers: self.from_integers(&powers)?,
            one: self.from_integers(&vec![self.kernels.one(); self.lanes()])?,
            places,
            twiddles: Vec::new(),
        };
        let (words, column) = (len / self.lanes() * self.kernels.group(), rows * self.kernels.group());
        if words <= MOST_TWIDDLES {
            let (mul, mut twiddles) = (self.kernels.code(&Operation::MUL)?, vec![0; words]);
            for (at, own) in twiddles.chunks_exact_mut(column).enumerate() {
                transform.twiddles(mul, at, own).map_err(|why| self.kernels.fault("transform", why))?;
            }
            transform.twiddles = twiddles;
        }
        Ok(transform)
    }

    /// The transform of an array.
    ///
    /// # Errors
    /// A foreign array or transform; another length.
    pub fn transformed<'a>(&self, transform: &Transform, a: impl Into<View<'a>>) -> Result<Array, ArrayError> {
        let mut out = self.zeros(transform.len());
        self.transformed_into(transform, &mut out, a)?;
        Ok(out)
    }

    /// `out` = the transform of an array.
    ///
    /// # Errors
    /// As [`Engine::transformed`]; a result of another length.
    pub fn transformed_into<'o, 'a>(
        &self,
        transform: &Transform,
        out: impl Into<ViewMut<'o>>,
        a: impl Into<View<'a>>,
    ) -> Result<(), ArrayError> {
        let (out, a) = (out.into(), a.into());
        [&transform.kernels, out.kernels, a.kernels].into_iter().try_for_each(|own| self.own("transform", own))?;
        same_length("transform", transform.len(), a.len)?;
        same_length("transform", transform.len(), out.len)?;
        self.first_columns(transform, a, out.words)?;
        self.second_columns(transform, out.words)
    }

    /// The first columns, their results times twiddles, as rows of the transposed matrix: a vector of columns gives as
    /// many.
    fn first_columns(&self, transform: &Transform, a: View, out: &mut [u64]) -> Result<(), ArrayError> {
        let kernels = &self.kernels;
        let (codes, mul) = (kernels.butterflies()?, kernels.code(&Operation::MUL)?);
        let no = |why| kernels.fault("transform", why);
        let [first, second] = &transform.columns;
        let (group, step) = (kernels.group(), second.rows / self.lanes());
        let (size, beside) = (first.rows * group, beside(group, step));
        self.parallel(out, beside * size, 1, |part, rows, scratch| {
            let [x, y] = scratch.areas::<2>(beside * size);
            for row in 0..first.rows {
                side_by_side(a.groups(row * step + part * beside, beside), row, group, size, x);
            }
            let columns = x.chunks_exact_mut(size).zip(y.chunks_exact_mut(size)).zip(rows.chunks_exact_mut(size));
            for (at, ((x, y), rows)) in columns.enumerate() {
                first.run(codes, x, y).map_err(no)?;
                let at = part * beside + at;
                let twiddles = match transform.twiddles.get(at * size..(at + 1) * size) {
                    Some(kept) => kept,
                    None => {
                        transform.twiddles(mul, at, x).map_err(no)?;
                        &*x
                    }
                };
                mul.run(y, &[In::Out(0), In::Words(twiddles)]).map_err(no)?;
                kernels.transposed(y, &transform.places, rows);
            }
            Ok(())
        })
    }

    /// The second columns, in place: a vector of them has one group of every row, and so have its results.
    fn second_columns(&self, transform: &Transform, words: &mut [u64]) -> Result<(), ArrayError> {
        let kernels = &self.kernels;
        let codes = kernels.butterflies()?;
        let [first, second] = &transform.columns;
        let (group, step) = (kernels.group(), first.rows / self.lanes());
        let (size, beside) = (second.rows * group, beside(group, step));
        // Of each row the groups of neighbouring columns.
        let mut parts: Vec<Vec<&mut [u64]>> = (0..step / beside).map(|_| Vec::with_capacity(second.rows)).collect();
        for row in words.chunks_exact_mut(step * group) {
            row.chunks_exact_mut(beside * group).zip(&mut parts).for_each(|(own, part)| part.push(own));
        }
        self.parallel(&mut parts, 1, 1, |_, part, scratch: &mut Scratch| {
            let [x, y] = scratch.areas::<2>(beside * size);
            let rows = &mut part[0];
            for (row, from) in rows.iter().enumerate() {
                side_by_side(from, row, group, size, x);
            }
            for (x, y) in x.chunks_exact_mut(size).zip(y.chunks_exact_mut(size)) {
                second.run(codes, x, y).map_err(|why| kernels.fault("transform", why))?;
            }
            for (place, result) in second.order.iter().enumerate() {
                for (own, y) in rows[*result].chunks_exact_mut(group).zip(y.chunks_exact(size)) {
                    own.copy_from_slice(&y[place * group..][..group]);
                }
            }
            Ok(())
        })
    }
}

/// Groups that lie side by side become the same row of one vector of columns each, of so many words.
fn side_by_side(from: &[u64], row: usize, group: usize, size: usize, columns: &mut [u64]) {
    for (from, column) in from.chunks_exact(group).zip(columns.chunks_exact_mut(size)) {
        column[row * group..][..group].copy_from_slice(from);
    }
}

/// Words that lie side by side in a row: what fewer take is fetched in too many pieces.
const BESIDE: usize = 32;

/// How many vectors of columns are transformed one after the other once they are read, of so many in all.
fn beside(group: usize, all: usize) -> usize {
    (BESIDE / group).max(1).next_power_of_two().min(all)
}

impl Transform {
    /// `w^(ck)` for the columns c of one vector, at each place the factor of the result k that is there: of the first
    /// places, twice as many at a time.
    fn twiddles(&self, mul: &Code, at: usize, out: &mut [u64]) -> Result<(), String> {
        let (group, first) = (self.kernels.group(), &self.columns[0]);
        // The powers 1, 2, 4, 8, …
        let mut powers = vec![self.powers.storage.words()[at * group..(at + 1) * group].to_vec()];
        for _ in 1..first.rows.ilog2() {
            let mut square = powers[powers.len() - 1].clone();
            let factor = square.clone();
            mul.run(&mut square, &[In::Out(0), In::Words(&factor)])?;
            powers.push(square);
        }
        out[..group].copy_from_slice(self.one.storage.words());
        let mut done = 1;
        while done < first.rows {
            let (below, rest) = out.split_at_mut(done * group);
            // Bits of a place are bits of its result.
            let power = &powers[first.order[done].ilog2() as usize];
            let rest = &mut rest[..done * group];
            // To scalar code a constant is one element for all lanes; this is another one in each.
            if self.kernels.row() == 1 {
                mul.run(rest, &[In::Words(below), In::Words(&power.repeat(done))])?;
            } else {
                mul.run(rest, &[In::Words(below), In::Constant(&power.repeat(mul.block_groups()))])?;
            }
            done *= 2;
        }
        Ok(())
    }
}
