//! Transforms of columns, a vector of them at once. Rows are a matrix of their own, of `high` by `low`: rounds of
//! butterflies go over the first index, the matrix is transposed, and rounds over the other one follow, so that every
//! call works on a run of many rows. Results lie in the order of reversed digits; who moves them on brings them into
//! their own.

use num_bigint::BigUint;

use crate::butterflies::Butterflies;
use crate::code::In;
use crate::engine::Engine;
use crate::error::ArrayError;

/// Butterflies of two or four parts of each block.
struct Round {
    /// Entries of a part, by the index that this round goes over.
    run: usize,
    /// Of each part but the first the factors of all rows.
    factors: Vec<Vec<u64>>,
}

/// Transforms of columns of so many rows.
pub(crate) struct Columns {
    pub rows: usize,
    high: usize,
    /// Over the first index: a factor a row.
    first: Vec<Round>,
    /// Over the second index: a factor for each of its values, as often as a block takes it.
    second: Vec<Round>,
    /// A fourth root of unity, as often as a block takes it.
    fourth: Vec<u64>,
    /// Which result is at each place.
    pub order: Vec<usize>,
}

/// Butterflies of how many parts transform so many entries: of four, but for one of two.
fn parts(entries: usize) -> Vec<usize> {
    let bits = entries.ilog2() as usize;
    std::iter::repeat_n(2, bits % 2).chain(std::iter::repeat_n(4, bits / 2)).collect()
}

impl Columns {
    /// The tables of columns of so many rows by a root of that order.
    pub fn new(engine: &Engine, codes: &Butterflies, rows: usize, root: &BigUint) -> Result<Columns, ArrayError> {
        let (limit, lanes) = (&engine.kernels.limit, engine.lanes());
        let low = 1usize << (rows.ilog2() / 2);
        let high = rows / low;
        let block = codes.block_groups();
        let power = |x: &BigUint, by: usize| x.modpow(&by.into(), limit);
        let in_all_lanes = |numbers: Vec<BigUint>, times: usize| -> Result<Vec<u64>, ArrayError> {
            let all: Vec<BigUint> =
                numbers.iter().flat_map(|x| std::iter::repeat_n(x.clone(), times * lanes)).collect();
            Ok(engine.from_integers(&all)?.storage.words().to_vec())
        };
        // Rounds over so many entries of `width` rows each, by a root of the order of all rows.
        let rounds = |entries: usize, width: usize, times: usize, root: &BigUint| {
            let (mut left, mut own, mut rounds) = (entries * width, root.clone(), Vec::new());
            for count in parts(entries) {
                left /= count;
                let powers = |part: usize| {
                    let step = power(&own, part);
                    std::iter::successors(Some(BigUint::from(1u32)), move |x| Some(x * &step % limit)).take(left)
                };
                let factors = (1..count).map(|part| in_all_lanes(powers(part).collect(), times));
                rounds.push(Round { run: left / width, factors: factors.collect::<Result<_, _>>()? });
                own = power(&own, count);
            }
            Ok::<_, ArrayError>(rounds)
        };
        let (reversed_high, reversed_low) = (|i| reversed(i, high, &parts(high)), |i| reversed(i, low, &parts(low)));
        Ok(Columns {
            rows,
            high,
            first: rounds(high, low, 1, root)?,
            second: rounds(low, 1, block, &power(root, high))?,
            fourth: in_all_lanes(vec![power(root, rows / 4)], block)?,
            order: (0..rows).map(|place| reversed_high(place % high) + high * reversed_low(place / high)).collect(),
        })
    }

    /// Transforms the columns in x, a vector of them, into y, whose place p then has result `order[p]`.
    pub fn run(&self, codes: &Butterflies, x: &mut [u64], y: &mut [u64]) -> Result<(), String> {
        let (group, high, low) = (x.len() / self.rows, self.high, self.rows / self.high);
        let fourth = In::Constant(&self.fourth);
        for Round { run, factors } in &self.first {
            let part = run * low * group;
            let all: [In; 3] = std::array::from_fn(|i| In::Words(factors.get(i).map_or(&[], Vec::as_slice)));
            for block in x.chunks_exact_mut(part * (factors.len() + 1)) {
                codes.run(&mut cut(block, part)[..=factors.len()], &all[..factors.len()], fourth)?;
            }
        }
        for (i, row) in x.chunks_exact(low * group).enumerate() {
            for (j, from) in row.chunks_exact(group).enumerate() {
                y[(j * high + i) * group..][..group].copy_from_slice(from);
            }
        }
        for Round { run, factors } in &self.second {
            let (row, part) = (high * group, run * high * group);
            for block in y.chunks_exact_mut(part * (factors.len() + 1)) {
                for j in 0..*run {
                    let mut parts =
                        cut(block, part).map(|part| part.get_mut(j * row..(j + 1) * row).unwrap_or_default());
                    let of = |words: &'_ Vec<u64>| -> std::ops::Range<usize> {
                        let size = words.len() / run;
                        j * size..(j + 1) * size
                    };
                    let all: [In; 3] =
                        std::array::from_fn(|i| In::Constant(factors.get(i).map_or(&[], |words| &words[of(words)])));
                    codes.run(&mut parts[..=factors.len()], &all[..factors.len()], fourth)?;
                }
            }
        }
        Ok(())
    }
}

/// The first two or four parts of a block, of so many words each.
fn cut(block: &mut [u64], part: usize) -> [&mut [u64]; 4] {
    let mut parts = block.chunks_exact_mut(part);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The number whose digits, of so many values each from the highest on, are those of another in reverse.
fn reversed(number: usize, mut values: usize, parts: &[usize]) -> usize {
    let (mut rest, mut weight, mut result) = (number, 1, 0);
    for part in parts {
        values /= part;
        result += rest / values * weight;
        rest %= values;
        weight *= part;
    }
    result
}
