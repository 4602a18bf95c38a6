//! Inverses of a whole array by Montgomery's product trick.
//!
//! Of a part of the array, the products of the first 1, 2, 3, … blocks are kept (element by element within a block, so
//! that all lanes work), the last of them is inverted, and on the way back each block's inverse is the product of what
//! is kept before it and the inverse of what is behind. The product of all blocks is inverted in the same way group by
//! group, and the last group by the power p − 2, in a field of q elements q − 2 (Montgomery, "Speeding the Pollard and
//! elliptic curve methods of factorization", 1987). Zeros are replaced by ones on the way; their inverse is 0.

use crate::array::{Array, View, ViewMut};
use crate::code::{Code, In};
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::storage::{Scratch, Storage};
use evariste_algorithms::Operation;

/// Elements that share an inversion: enough that it does not count, few enough for the second cache.
const PART: usize = 16_384;

/// Elements of a part from which on so many blocks go side by side, for fewer calls.
const LONG: usize = 4096;
const BLOCKS: usize = 4;

/// Words that are looked at for zeros at a time.
const PIECE: usize = 2048;

impl Engine {
    /// `1/a`, and 0 for 0.
    ///
    /// # Errors
    /// A foreign array; a modulus that is not prime.
    pub fn inverse<'a>(&self, a: impl Into<View<'a>>) -> Result<Array, ArrayError> {
        let a = a.into();
        let mut out = self.fresh(a.len);
        self.inverse_into(&mut out, a)?;
        Ok(out)
    }

    /// `out = 1/a`, and 0 for 0.
    ///
    /// # Errors
    /// As [`Engine::inverse`]; different lengths.
    pub fn inverse_into<'o, 'a>(&self, out: impl Into<ViewMut<'o>>, a: impl Into<View<'a>>) -> Result<(), ArrayError> {
        let (out, a) = (out.into(), a.into());
        self.own("inverse", a.kernels)?;
        self.own("inverse", out.kernels)?;
        same_length("inverse", out.len, a.len)?;
        if let Some(modulus) = self.kernels.modulus().filter(|m| !m.prime) {
            return Err(ArrayError::NotPrime { modulus: modulus.value.clone() });
        }
        let (lanes, group) = (self.lanes(), self.kernels.group());
        let mul = self.kernels.code(&Operation::MUL)?;
        let block = mul.block_groups() * if a.len >= LONG { BLOCKS } else { 1 };
        let trick = Trick {
            engine: self,
            mul,
            select: self.kernels.code(&Operation::SELECTZNZ)?,
            leave: self.leave().map(|step| self.kernels.code(&step)).transpose()?,
            block,
            one: self.block(&self.kernels.one(), &Operation::MUL)?,
        };
        // No larger than what keeps all threads busy.
        let part = PART.min(a.len.div_ceil(self.threads())).div_ceil(lanes).next_multiple_of(block).max(block);
        self.walk(out, part, 1, |first, words, scratch| {
            let groups = words.len() / group;
            let elements = a.len.saturating_sub(first * lanes).min(groups * lanes);
            trick.part(words, a.groups(first, groups), elements, scratch).map_err(|e| match e {
                Fault::Call(why) => self.kernels.fault("inverse", why),
                Fault::Array(e) => e,
            })
        })
    }
}

/// An error of a call, or of a step that is an operation itself.
enum Fault {
    Call(String),
    Array(ArrayError),
}

impl From<String> for Fault {
    fn from(why: String) -> Fault {
        Fault::Call(why)
    }
}

/// Inverts a piece in place.
type Invert<'a> = dyn Fn(&Engine, &mut [u64]) -> Result<(), Fault> + 'a;

struct Trick<'a> {
    engine: &'a Engine,
    mul: &'a Code,
    select: &'a Code,
    /// What makes elements canonical, where they do not rest so.
    leave: Option<&'a Code>,
    /// Groups of a block.
    block: usize,
    /// A block of ones.
    one: Vec<u64>,
}

impl Trick<'_> {
    /// Inverts a part, of which so many elements are the array's.
    fn part(&self, out: &mut [u64], a: &[u64], elements: usize, scratch: &mut Scratch) -> Result<(), Fault> {
        let kernels = &self.engine.kernels;
        let (row, group) = (kernels.row(), kernels.group());
        let (size, groups) = (self.block * group, a.len() / group);
        let blocks = groups.div_ceil(self.block);
        let [values, products, zeros] = scratch.areas::<3>(blocks * size);
        let zeros = &mut zeros[..groups * row];
        let ones: Vec<u64> = self.one[..group].repeat(self.select.block_groups().max(1));
        // Piece by piece, in the first cache.
        let piece = PIECE.div_ceil(group).next_multiple_of(self.mul.block_groups());
        for (at, a) in a.chunks(piece * group).enumerate() {
            let count = a.len() / group;
            let zeros = &mut zeros[at * piece * row..][..count * row];
            // Canonical elements, of which the digits say whether they are 0, are only wanted until then.
            match self.leave {
                Some(code) => {
                    code.run(&mut products[..a.len()], &[In::Words(a)])?;
                    kernels.zeros(&products[..a.len()], zeros);
                }
                None => kernels.zeros(a, zeros),
            }
            // What lies in padding lanes may not even be in range, and the chains run through all groups.
            let padding = (at * piece + count) * kernels.lanes();
            kernels.flag(zeros, at * piece * kernels.lanes(), elements.min(padding)..padding);
            let values = &mut values[at * piece * group..][..a.len()];
            self.select.run(values, &[In::Words(zeros), In::Words(a), In::Constant(&ones)])?;
        }
        // Whole blocks: what is not there is 1.
        values[a.len()..].chunks_mut(group).for_each(|rest| rest.copy_from_slice(&self.one[..rest.len()]));
        self.chain(values, products, size, &|engine, block| engine.invert_groups(self, block))?;
        let none = vec![0u64; group * self.select.block_groups().max(1)];
        self.select.run(out, &[In::Words(zeros), In::Words(&values[..a.len()]), In::Constant(&none)])?;
        Ok(())
    }

    /// Inverts pieces of `size` words in place, all by one inversion of a piece; `products` has room for as many.
    fn chain(&self, values: &mut [u64], products: &mut [u64], size: usize, invert: &Invert) -> Result<(), Fault> {
        let count = values.len() / size;
        // products[i] = values[0]·…·values[i].
        products[..size].copy_from_slice(&values[..size]);
        for i in 1..count {
            let (done, next) = products.split_at_mut(i * size);
            self.mul.run(
                &mut next[..size],
                &[In::Words(&done[(i - 1) * size..]), In::Words(&values[i * size..(i + 1) * size])],
            )?;
        }
        let mut inverse = Storage::zeroed(size);
        let inverse = inverse.words_mut();
        inverse.copy_from_slice(&products[(count - 1) * size..]);
        invert(self.engine, inverse)?;
        for i in (1..count).rev() {
            // products[i] is no longer needed: it takes the inverse of what is before.
            let (before, own) = products.split_at_mut(i * size);
            let value = &mut values[i * size..(i + 1) * size];
            self.mul.run(&mut own[..size], &[In::Words(inverse), In::Words(value)])?;
            self.mul.run(value, &[In::Words(&before[(i - 1) * size..]), In::Words(inverse)])?;
            inverse.copy_from_slice(&own[..size]);
        }
        values[..size].copy_from_slice(inverse);
        Ok(())
    }
}

impl Engine {
    /// Inverts a block group by group.
    fn invert_groups(&self, trick: &Trick, block: &mut [u64]) -> Result<(), Fault> {
        let mut products = Storage::zeroed(block.len());
        trick.chain(block, products.words_mut(), self.kernels.group(), &|engine, group| {
            let exponent = &engine.kernels.limit - 2u32;
            let base = group.to_vec();
            let mut scratch = Scratch::default();
            let table = scratch.areas(group.len());
            engine.raise(group, &base, &exponent, &trick.one, table).map_err(Fault::Array)
        })
    }
}
