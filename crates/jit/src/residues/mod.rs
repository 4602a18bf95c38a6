//! Products of matrices of large numbers by their residues modulo many small ones: a sum of products of residues is a few
//! instructions for many entries at once, and what it takes to go to residues and back is shared by a whole row.
//!
//! * **computes** of numbers `a_it`, `b_tj` of W words of 32 bits the sums `Σ_t a_it·b_tj`, modulo a number p times a
//!   constant: residues of both factors modulo each `m_i` ([`Constants::left`], [`Constants::right`]: digits of 16 bits
//!   times what their weights are modulo `m_i`), sums of products of residues, and of each sum digits of a number
//!   modulo p ([`Constants::block`]).
//! * **needs** what [`Constants`] says of each of its numbers; that these are right is the caller's.
//! * **gives** the number below p, or below 2p where nothing is subtracted, in digits.
//! * **cost** of an entry of the product k·N/2 sums of two products of 16 bits, N the number of moduli; of an entry of a
//!   factor W·N, and of one of the product N·(D + 3)/2 for D digits, with 4 or 5 steps more for each modulus of a factor.
//! * **source** the Chinese remainder theorem; the multiple of `Πm_i` by the sum of fractions as in Bernstein and
//!   Sorenson, "Modular exponentiation via the explicit Chinese remainder theorem" (2007). Neither has 16-bit
//!   instructions.
//!
//! Nothing here branches on a number, or takes one as an address.

mod planes;
mod steps;
pub(crate) mod vector;

use crate::native;
pub use planes::{Cuts, Digit, Planes};
pub use steps::MOST;
pub(crate) use vector::Plain;
pub use vector::{Task, Vector, Width};

impl Width {
    /// What the processor has, the widest first; never plain code.
    pub fn found() -> impl Iterator<Item = Width> {
        [Width::Wide, Width::Narrow].into_iter().filter(|width| native::has_residues(*width))
    }

    /// Words of 32 bits of a vector.
    pub fn lanes(self) -> usize {
        if self == Width::Wide { 16 } else { 8 }
    }

    fn run<T: Task>(self, task: T) -> T::Output {
        match native::residues(self, task) {
            Ok(output) => output,
            Err(task) => task.run::<Plain>(),
        }
    }
}

/// What a factor's digits are multiplied with.
#[derive(Clone, Debug)]
pub struct Into {
    /// Modulo each modulus, what the digits' excess of 2^15 sums up to.
    pub start: Vec<i32>,
    /// Modulo each modulus, of each word the weights of its two digits ([`pair`]).
    pub weights: Vec<i32>,
}

/// Sums that become α and the quotient.
pub const ESTIMATES: usize = 3;

/// α and the quotient as sums of residues times numbers with a fixed point.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// Of each two moduli `1/m_i`, and `W_i/p` and what is left of it ([`pair`]).
    pub weights: Vec<[i32; ESTIMATES]>,
    /// What the sums begin with.
    pub start: [i32; ESTIMATES],
    /// Bits behind the point: of α, of the quotient, and those that what is left has more.
    pub bits: [u32; ESTIMATES],
    /// What one α adds to the last two.
    pub alpha: [i32; 2],
}

/// How residues become digits of a number modulo p.
#[derive(Clone, Debug)]
pub struct Out {
    /// Bits of a digit here.
    pub bits: u32,
    /// Digits that are computed at a time, at most [`MOST_DIGITS`].
    pub chunk: usize,
    /// Of each chunk of digits, of each pair of moduli, of the pair of quotient and of that of α, the digits that they are
    /// multiplied with.
    pub weights: Vec<i32>,
    /// α and the quotient.
    pub estimates: Estimates,
    /// Digits of p; none: what is below 2p is left as it is.
    pub modulus: Vec<i32>,
    /// Digits here of a digit of the result: 1, 2 or 4; 0: no whole number of them.
    pub parts: usize,
    /// Bits of a digit of the result.
    pub radix: u32,
    /// Digits of the result.
    pub result: usize,
}

/// The numbers of a product of matrices by residues.
#[derive(Clone, Debug)]
pub struct Constants {
    /// The moduli.
    pub moduli: Vec<i32>,
    /// The same in both halves of words.
    pub halves: Vec<i32>,
    /// 1, and what is 2^16 modulo each of them ([`pair`]).
    pub folds: Vec<i32>,
    /// The nearest to their inverses.
    pub inverses: Vec<f32>,
    /// Words of 32 bits of an entry, one of [`WORDS`], or a multiple of the greatest of them.
    pub words: usize,
    /// Of the left factor.
    pub left: Into,
    /// Of the right factor.
    pub right: Into,
    /// Pairs of products that are added up before sums are made smaller.
    pub depth: usize,
    /// The way back.
    pub out: Out,
}

/// Digits that are computed at a time at most.
pub const MOST_DIGITS: usize = 10;

/// Numbers of words for which there is code, those of a pass of longer numbers last.
pub const WORDS: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12];

/// Two signed numbers of 16 bits as one word.
pub fn pair(low: i32, high: i32) -> i32 {
    low & 0xffff | high << 16
}

/// Residues of some rows of the left factor.
pub struct Left<'a> {
    /// Words: modulus by modulus `rows` rows of `stride` pairs of neighbours.
    pub residues: &'a [i32],
    /// Rows.
    pub rows: usize,
    /// Words of a row.
    pub stride: usize,
}

/// Residues of some columns of the right factor, panels of two vectors.
pub struct Right<'a> {
    /// Words: panel by panel, modulus by modulus, of each pair of rows a word a column.
    pub residues: &'a [i32],
    /// Pairs of rows.
    pub pairs: usize,
    /// Columns that count.
    pub columns: usize,
}

impl Constants {
    /// Pairs of moduli.
    pub fn pairs(&self) -> usize {
        self.moduli.len().div_ceil(2)
    }

    /// Digits that are computed of an entry.
    pub fn digits(&self) -> usize {
        self.out.weights.len() / (self.pairs() + 2)
    }

    /// Columns of a panel.
    pub fn panel(&self, width: Width) -> usize {
        2 * width.lanes()
    }

    /// Words of a panel of so many pairs of rows.
    pub fn panel_words(&self, width: Width, pairs: usize) -> usize {
        self.moduli.len() * pairs * self.panel(width)
    }

    /// Residues of `pairs` pairs of neighbours in a row of the left factor, of whose entries `planes` has at least so many as
    /// `stride` pairs: row `row` of those that `to` is for.
    pub fn left(
        &self,
        width: Width,
        planes: &Planes,
        to: &mut [i32],
        [row, rows]: [usize; 2],
        [pairs, stride]: [usize; 2],
    ) {
        width.run(steps::OfLeft { constants: self, planes, to, row, rows, stride, pairs });
    }

    /// Residues of two rows of some panels of the right factor: pair `at` of `pairs`. `to` is these panels, and the rows
    /// have as many entries.
    pub fn right(&self, width: Width, rows: [&Planes; 2], to: &mut [i32], [at, pairs]: [usize; 2]) {
        width.run(steps::OfRight { constants: self, rows, to, at, pairs });
    }

    /// Rows by columns: `sums` takes what residues sum up to, [`Constants::sums`] words.
    pub fn block(&self, width: Width, left: &Left, right: &Right, sums: &mut [i32]) {
        width.run(steps::Block { constants: self, left, right, sums });
    }

    /// Words that a block of so many rows by so many columns takes.
    pub fn sums(&self, width: Width, rows: usize, columns: usize) -> usize {
        self.pairs() * rows * columns.next_multiple_of(self.panel(width))
    }

    /// The entries of one row of a block of sums: digit by digit, `columns` of each, a whole number of panels.
    pub fn row(&self, width: Width, sums: &[i32], row: usize, columns: usize, to: &mut [u64]) {
        let sums = &sums[row * self.pairs() * columns..][..self.pairs() * columns];
        width.run(steps::OfRow { constants: self, sums, columns, to });
    }
}

/// Writes the digits of `count` numbers, of each digit `wide` words, to groups of `lanes` numbers from the number
/// `place` on, of which so many digits lie one behind the other.
pub fn put(width: Width, from: &[u64], [wide, count]: [usize; 2], to: &mut [u64], [lanes, digits, place]: [usize; 3]) {
    width.run(planes::Put { from, wide, count, to, lanes, digits, place });
}

/// The words of memory as words of half as many bits.
pub fn halves(words: &mut [u64]) -> &mut [i32] {
    // SAFETY: any bytes are such words, which need less alignment, and twice as many take the same memory.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), 2 * words.len()) }
}

/// The words of memory as words of half as many bits.
pub fn halves_of(words: &[u64]) -> &[i32] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), 2 * words.len()) }
}
