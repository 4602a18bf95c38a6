//! The steps, on vectors of any width: lanes are neighbouring entries.

use crate::native;

use super::vector::Modulus;
use super::{Constants, ESTIMATES, Estimates, Into, Left, MOST_DIGITS, Planes, Right, Task, Vector, pair};

/// A block for each number below a constant, at most 12: written out, so that what it computes stays in registers.
macro_rules! unrolled {
    ($i:ident < $count:ident => $block:block) => {
        unrolled!(@ $i $count $block 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (@ $i:ident $count:ident $block:block $($number:literal)*) => {
        $(if $count > $number {
            const { assert!($count <= 12) };
            let $i: usize = $number;
            $block
        })*
    };
}

/// Words of a pass of long numbers.
const PASS: usize = 12;

/// What is done with residues. Not a closure: those do not become part of code for the vectors of a processor.
trait Takes<V: Vector> {
    /// Takes numbers, of which it takes the residues modulo the next modulus.
    fn take(&mut self, m: &Modulus<V>, numbers: [V; 2]);
}

/// Residues of two vectors of numbers modulo each modulus in turn, which are shown to `each`.
#[inline(always)]
fn residues_of<V: Vector>(constants: &Constants, into: &Into, entries: [(&Planes, usize); 2], each: impl Takes<V>) {
    match constants.words {
        1 => of_words::<V, 1>(constants, into, entries, each),
        2 => of_words::<V, 2>(constants, into, entries, each),
        3 => of_words::<V, 3>(constants, into, entries, each),
        4 => of_words::<V, 4>(constants, into, entries, each),
        5 => of_words::<V, 5>(constants, into, entries, each),
        6 => of_words::<V, 6>(constants, into, entries, each),
        7 => of_words::<V, 7>(constants, into, entries, each),
        8 => of_words::<V, 8>(constants, into, entries, each),
        9 => of_words::<V, 9>(constants, into, entries, each),
        _ => of_words::<V, PASS>(constants, into, entries, each),
    }
}

/// Residues of numbers of a whole number of passes of D words.
#[inline(always)]
fn of_words<V: Vector, const D: usize>(
    constants: &Constants,
    into: &Into,
    entries: [(&Planes, usize); 2],
    mut each: impl Takes<V>,
) {
    let first = [words_of::<V, D>(entries[0], 0), words_of::<V, D>(entries[1], 0)];
    let (passes, all) = (constants.words / D, into.weights.as_chunks::<D>().0);
    let numbers = constants.moduli.iter().zip(&constants.halves).zip(&constants.inverses).zip(&into.start);
    if passes == 1 {
        for ((((m, halves), inverse), start), weights) in numbers.zip(all) {
            let m = Modulus { m: V::all(*m), halves: V::all(*halves), inverse: V::all_floats(*inverse) };
            each.take(&m, pass([V::all(*start); 2], &first, weights));
        }
        return;
    }
    for ((((m, halves), inverse), start), weights) in numbers.zip(all.chunks_exact(passes)) {
        let m = Modulus { m: V::all(*m), halves: V::all(*halves), inverse: V::all_floats(*inverse) };
        let mut sums = [V::all(*start); 2];
        for (at, weights) in weights.iter().enumerate() {
            let words = [words_of::<V, D>(entries[0], at), words_of::<V, D>(entries[1], at)];
            if at > 0 {
                sums = [sums[0].residue(&m), sums[1].residue(&m)];
            }
            sums = pass(sums, &words, weights);
        }
        each.take(&m, sums);
    }
}

/// Adds the words of a pass times their weights: words at odd places apart, since each product waits for the one before.
#[inline(always)]
fn pass<V: Vector, const D: usize>(sums: [V; 2], words: &[[V; D]; 2], weights: &[i32; D]) -> [V; 2] {
    let mut sums = [sums, [V::all(0); 2]];
    unrolled!(t < D => {
        let weight = V::all(weights[t]);
        sums[t % 2][0] = sums[t % 2][0].add_products(words[0][t], weight);
        sums[t % 2][1] = sums[t % 2][1].add_products(words[1][t], weight);
    });
    if D == 1 { sums[0] } else { [sums[0][0].add(sums[1][0]), sums[0][1].add(sums[1][1])] }
}

/// The words of a pass: digits of 16 bits less 2^15, which are signed numbers of 16 bits.
#[inline(always)]
fn words_of<V: Vector, const D: usize>((planes, at): (&Planes, usize), pass: usize) -> [V; D] {
    let signed = V::all(pair(-(1 << 15), -(1 << 15)));
    let mut words = [signed; D];
    unrolled!(t < D => { words[t] = V::load(&planes.plane(pass * D + t)[at..]).xor(signed) });
    words
}

/// Residues as words at the start of a slice, those of the next modulus `step` words further on: as pairs of neighbours, or of
/// numbers of two rows.
struct Pairs<'a> {
    to: &'a mut [i32],
    step: usize,
    /// How much further on residues of the next numbers will be, where these are far from each other.
    ahead: Option<usize>,
    neighbours: bool,
}

impl<V: Vector> Takes<V> for Pairs<'_> {
    #[inline(always)]
    fn take(&mut self, m: &Modulus<V>, [low, high]: [V; 2]) {
        let both = if self.neighbours { low.residues_then(high, m) } else { low.residues_beside(high, m) };
        both.store(self.to);
        if let Some(ahead) = self.ahead {
            native::prefetch(self.to.as_ptr().wrapping_add(ahead).cast(), true);
        }
        let to = std::mem::take(&mut self.to);
        let step = self.step.min(to.len());
        self.to = &mut to[step..];
    }
}

pub(super) struct OfLeft<'a> {
    pub constants: &'a Constants,
    pub planes: &'a Planes,
    pub to: &'a mut [i32],
    pub row: usize,
    pub rows: usize,
    pub stride: usize,
    pub pairs: usize,
}

impl Task for OfLeft<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let OfLeft { constants, planes, to, row, rows, stride, pairs } = self;
        for at in (0..pairs).step_by(V::LANES) {
            let entries = [(planes, 2 * at), (planes, 2 * at + V::LANES)];
            let pairs = Pairs { to: &mut to[row * stride + at..], step: rows * stride, ahead: None, neighbours: true };
            residues_of::<V>(constants, &constants.left, entries, pairs);
        }
    }
}

pub(super) struct OfRight<'a> {
    pub constants: &'a Constants,
    pub rows: [&'a Planes; 2],
    pub to: &'a mut [i32],
    pub at: usize,
    pub pairs: usize,
}

impl Task for OfRight<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let OfRight { constants, rows, to, at, pairs } = self;
        let panel = 2 * V::LANES;
        for (p, to) in to.chunks_exact_mut(constants.moduli.len() * pairs * panel).enumerate() {
            for part in 0..2 {
                let first = p * panel + part * V::LANES;
                let entries = [(rows[0], first), (rows[1], first)];
                let to = &mut to[at * panel + part * V::LANES..];
                let pairs = Pairs { to, step: pairs * panel, ahead: Some(panel), neighbours: false };
                residues_of::<V>(constants, &constants.right, entries, pairs);
            }
        }
    }
}

pub(super) struct Block<'a> {
    pub constants: &'a Constants,
    pub left: &'a Left<'a>,
    pub right: &'a Right<'a>,
    pub sums: &'a mut [i32],
}

impl Task for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Block { constants, left, right, sums } = self;
        let (panel, pairs) = (2 * V::LANES, right.pairs);
        let columns = right.columns.next_multiple_of(panel);
        let numbers = constants.moduli.iter().zip(&constants.halves).zip(&constants.inverses).zip(&constants.folds);
        for (i, (((m, halves), inverse), fold)) in numbers.enumerate() {
            let m = Modulus { m: V::all(*m), halves: V::all(*halves), inverse: V::all_floats(*inverse) };
            let rows = &left.residues[i * left.rows * left.stride..][..left.rows * left.stride];
            let (own, line) = (&mut sums[i / 2 * columns..], constants.pairs() * columns);
            for (p, first) in (0..columns).step_by(panel).enumerate() {
                let place = |p: usize, i: usize| (p * constants.moduli.len() + i) * pairs * panel;
                let b = &right.residues[place(p, i)..][..pairs * panel];
                // What is multiplied next: it comes from a far cache.
                let next = if first + panel < columns { place(p + 1, i) } else { place(0, i + 1) };
                let two = right.columns > first + V::LANES;
                let mut row = 0;
                while row < left.rows {
                    let count = V::ROWS.min(left.rows - row);
                    let last = row + count == left.rows;
                    let tile = Tile {
                        ahead: if last { right.residues.as_ptr().wrapping_add(next) } else { b.as_ptr() },
                        a: &rows[row * left.stride..],
                        stride: left.stride,
                        b,
                        depth: constants.depth,
                        m,
                        fold: *fold,
                        odd: i % 2 == 1,
                        sums: &mut own[row * line + first..],
                        line,
                    };
                    tiled::<V>(tile, count, two);
                    row += count;
                }
            }
        }
    }
}

/// Some rows of one panel modulo one modulus.
struct Tile<'a, V: Vector> {
    a: &'a [i32],
    stride: usize,
    b: &'a [i32],
    /// What will be multiplied next, if it is there: as long as b.
    ahead: *const i32,
    depth: usize,
    m: Modulus<V>,
    /// By what sums become smaller between pieces.
    fold: i32,
    /// The modulus is the second of its pair.
    odd: bool,
    sums: &'a mut [i32],
    /// Words from a row of sums to the next.
    line: usize,
}

#[inline(always)]
fn tiled<V: Vector>(tile: Tile<V>, rows: usize, two: bool) {
    macro_rules! of_rows {
        ($($count:literal)*) => {
            match (rows, two) {
                $(($count, true) => products::<V, $count, 2>(tile), ($count, false) => products::<V, $count, 1>(tile),)*
                _ => unreachable!("a tile has up to twelve rows"),
            }
        };
    }
    of_rows!(1 2 3 4 5 6 7 8 9 10 11 12)
}

/// Sums of products of R rows and C vectors of columns.
#[inline(always)]
fn products<V: Vector, const R: usize, const C: usize>(tile: Tile<V>) {
    let Tile { a, stride, b, ahead, depth, m, fold, odd, sums, line } = tile;
    let panel = 2 * V::LANES;
    let pairs = b.len() / panel;
    assert!(pairs <= stride && a.len() >= R * stride, "a tile has all pairs of its rows");
    let mut acc = [[V::all(0); C]; R];
    let mut start = 0;
    while start < pairs {
        let end = pairs.min(start + depth);
        for t in start..end {
            let mut y = [V::all(0); C];
            let next = &b[t.wrapping_mul(panel)..];
            let ahead = ahead.wrapping_add(t.wrapping_mul(panel)).cast();
            native::prefetch(ahead, false);
            native::prefetch(ahead.wrapping_add(64), false);
            unrolled!(c < C => { y[c] = V::load(&next[c * V::LANES..]) });
            unrolled!(r < R => {
                // SAFETY: t < pairs ≤ stride, and there are R rows of `stride` words.
                let x = V::all(unsafe { *a.as_ptr().add(r.wrapping_mul(stride).wrapping_add(t)) });
                unrolled!(c < C => { acc[r][c] = acc[r][c].add_products(x, y[c]) });
            });
        }
        start = end;
        if start < pairs {
            let fold = V::all(fold);
            unrolled!(r < R => {
                unrolled!(c < C => { acc[r][c] = acc[r][c].folded(fold) });
            });
        }
    }
    unrolled!(r < R => {
        unrolled!(c < C => {
            let (to, residue) = (&mut sums[r * line + c * V::LANES..], acc[r][c].residue(&m));
            let low = if odd { V::load(to).or(residue.left(16)) } else { residue.and(V::all(0xffff)) };
            low.store(to);
        });
    });
}

pub(super) struct OfRow<'a> {
    pub constants: &'a Constants,
    pub sums: &'a [i32],
    pub columns: usize,
    pub to: &'a mut [u64],
}

impl Task for OfRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        // Room for what most numbers have, which is cleared in less time.
        match (V::LANES, self.constants.digits()) {
            (16, ..=FEW) => self.entries::<V, 2, FEW>(),
            (16, _) => self.entries::<V, 2, MOST>(),
            (_, ..=FEW) => self.entries::<V, 1, FEW>(),
            _ => self.entries::<V, 1, MOST>(),
        }
    }
}

impl OfRow<'_> {
    /// C vectors at a time, of whose digits there are at most so many.
    #[inline(always)]
    fn entries<V: Vector, const C: usize, const ROOM: usize>(self) {
        let OfRow { constants, sums, columns, to } = self;
        let mut digits = [[V::all(0); C]; ROOM];
        let digits = &mut digits[..constants.digits()];
        for first in (0..columns).step_by(C * V::LANES) {
            let entry = Entry { sums: &sums[first..], step: columns };
            entry.digits::<V, C>(constants, digits);
            subtract(constants, digits);
            join(constants, digits, columns, &mut to[first..]);
        }
    }
}

/// Digits of an entry at most.
pub const MOST: usize = 160;

/// Digits of most numbers at most.
const FEW: usize = 32;

/// Vectors of sums: of the next pair of moduli `step` words further on.
#[derive(Clone, Copy)]
struct Entry<'a> {
    sums: &'a [i32],
    step: usize,
}

impl Entry<'_> {
    /// Residues modulo a pair of moduli.
    #[inline(always)]
    fn pair<V: Vector, const C: usize>(self, pair: usize) -> [V; C] {
        let (mut both, sums) = ([V::all(0); C], &self.sums[pair * self.step..][..C * V::LANES]);
        unrolled!(c < C => { both[c] = V::load(&sums[c * V::LANES..]) });
        both
    }

    /// What is multiplied with digits beside residues: the quotient, and α.
    #[inline(always)]
    fn multiples<V: Vector, const C: usize>(self, estimates: &Estimates) -> [[V; C]; 2] {
        let [alpha, whole, part] = estimates.start.map(|start| [V::all(start); C]);
        let mut sums = [alpha, whole, part];
        for (pair, weights) in estimates.weights.iter().enumerate() {
            let both = self.pair::<V, C>(pair);
            unrolled!(e < ESTIMATES => {
                let weight = V::all(weights[e]);
                unrolled!(c < C => { sums[e][c] = sums[e][c].add_products(both[c], weight) });
            });
        }
        let mut multiples = [[V::all(0); C]; 2];
        let [alpha_bits, whole_bits, part_bits] = estimates.bits;
        unrolled!(c < C => {
            let alpha = sums[0][c].right(alpha_bits).and(V::all(0xffff));
            let whole = sums[1][c].add_products(alpha, V::all(estimates.alpha[0]));
            let part = sums[2][c].add_products(alpha, V::all(estimates.alpha[1]));
            let quotient = whole.add(part.right(part_bits)).right(whole_bits);
            // The quotient in two parts, of which the lower one has twelve bits.
            let low = quotient.and(V::all(0xfff));
            multiples[0][c] = low.or(quotient.right(12).left(16));
            multiples[1][c] = alpha;
        });
        multiples
    }

    /// All digits.
    #[inline(always)]
    fn digits<V: Vector, const C: usize>(self, constants: &Constants, digits: &mut [[V; C]]) {
        let out = &constants.out;
        let others = self.multiples(&out.estimates);
        let mut carry = [V::all(0); C];
        let rows = constants.pairs() + 2;
        for (digits, weights) in digits.chunks_exact_mut(out.chunk).zip(out.weights.chunks_exact(out.chunk * rows)) {
            macro_rules! of_digits {
                ($($count:literal)*) => {
                    match out.chunk {
                        $($count => carry = self.columns::<V, C, $count>(out.bits, weights, others, carry, digits),)*
                        _ => unreachable!("a chunk has up to {MOST_DIGITS} digits"),
                    }
                };
            }
            of_digits!(1 2 3 4 5 6 7 8 9 10)
        }
    }

    /// D columns, carried.
    #[inline(always)]
    fn columns<V: Vector, const C: usize, const D: usize>(
        self,
        bits: u32,
        weights: &[i32],
        others: [[V; C]; 2],
        mut carry: [V; C],
        digits: &mut [[V; C]],
    ) -> [V; C] {
        let mut acc = [[V::all(0); C]; D];
        let rows = weights.as_chunks::<D>().0;
        let (residues, last) = rows.split_at(rows.len() - 2);
        for (pair, weights) in residues.iter().enumerate() {
            let both = self.pair::<V, C>(pair);
            unrolled!(d < D => {
                let weight = V::all(weights[d]);
                unrolled!(c < C => { acc[d][c] = acc[d][c].add_products(both[c], weight) });
            });
        }
        for i in 0..2 {
            unrolled!(d < D => {
                let weight = V::all(last[i][d]);
                unrolled!(c < C => { acc[d][c] = acc[d][c].add_products(others[i][c], weight) });
            });
        }
        let mask = V::all(((1u32 << bits) - 1).cast_signed());
        unrolled!(d < D => {
            unrolled!(c < C => {
                let column = acc[d][c].add(carry[c]);
                digits[d][c] = column.and(mask);
                carry[c] = column.right(bits);
            });
        });
        carry
    }
}

/// Takes p away where that leaves a number.
#[inline(always)]
fn subtract<V: Vector, const C: usize>(constants: &Constants, digits: &mut [[V; C]]) {
    let out = &constants.out;
    if out.modulus.is_empty() {
        return;
    }
    // What is carried at the end is negative where p is greater.
    let mut carry = [V::all(0); C];
    for (digit, p) in digits.iter().zip(&out.modulus) {
        let p = V::all(*p);
        unrolled!(c < C => { carry[c] = digit[c].sub(p).add(carry[c]).right(out.bits) });
    }
    let (sign, mask) = (carry, V::all(((1u32 << out.bits) - 1).cast_signed()));
    let mut carry = [V::all(0); C];
    for (digit, p) in digits.iter_mut().zip(&out.modulus) {
        let p = V::all(*p);
        unrolled!(c < C => {
            let column = digit[c].sub(V::all(0).where_negative(sign[c], p)).add(carry[c]);
            digit[c] = column.and(mask);
            carry[c] = column.right(out.bits);
        });
    }
}

/// Digits of the result: `to` has those of the next digit `columns` words further on.
#[inline(always)]
fn join<V: Vector, const C: usize>(constants: &Constants, digits: &[[V; C]], columns: usize, to: &mut [u64]) {
    let (bits, parts) = (constants.out.bits, constants.out.parts);
    if parts == 0 {
        return join_any(constants, digits, columns, to);
    }
    for (d, parts) in digits.chunks_exact(parts).take(constants.out.result).enumerate() {
        let to = &mut to[d * columns..];
        unrolled!(i < C => {
            let to = &mut to[i * V::LANES..];
            match *parts {
                [a, b, c, d] => a[i].or(b[i].left(bits)).widen(c[i].or(d[i].left(bits)), 2 * bits, to),
                [a, b] => a[i].or(b[i].left(bits)).widen(V::all(0), 32, to),
                [a] => a[i].widen(V::all(0), 32, to),
                _ => unreachable!("a digit has one, two or four parts"),
            }
        });
    }
}

/// The same of digits that are no whole number of those here.
#[inline(always)]
fn join_any<V: Vector, const C: usize>(constants: &Constants, digits: &[[V; C]], columns: usize, to: &mut [u64]) {
    let (bits, radix) = (constants.out.bits as usize, constants.out.radix as usize);
    let mut lanes = [[0; 16]; MOST];
    for i in 0..C {
        for (lanes, digit) in lanes.iter_mut().zip(digits) {
            digit[i].store(lanes);
        }
        for d in 0..constants.out.result {
            let (first, end) = (d * radix / bits, ((d + 1) * radix).div_ceil(bits).min(digits.len()));
            let mut all = [0; 16];
            for (j, digit) in lanes[..end].iter().enumerate().skip(first) {
                let (left, right) =
                    ((j * bits).saturating_sub(d * radix) as u32, (d * radix).saturating_sub(j * bits) as u32);
                for l in 0..16 {
                    all[l] |= (digit[l].cast_unsigned() as u64).wrapping_shl(left).wrapping_shr(right);
                }
            }
            let mask = u64::MAX >> (64 - radix);
            let to = &mut to[d * columns + i * V::LANES..];
            to.iter_mut().zip(all).take(V::LANES).for_each(|(to, word)| *to = word & mask);
        }
    }
}
