//! The steps, on vectors of any width: lanes are neighbouring entries.

use crate::native;

use super::{Constants, Into, Left, MOST_DIGITS, Planes, Right, Task, Vector, pair};

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

/// The residue of each word modulo m of the least size: less than `(1/2 + 3·2^-24·|x|/m)·m`.
#[inline(always)]
fn reduce<V: Vector>(x: V, m: V, inverse: V::Floats) -> V {
    x.sub(V::nearest(V::product(x.floats(), inverse)).times(m))
}

/// What is done with residues. Not a closure: those do not become part of code for the vectors of a processor.
trait Takes<V: Vector> {
    /// Takes residues modulo modulus i.
    fn take(&mut self, i: usize, residues: [V; 2]);
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
    let moduli = constants.moduli.iter().zip(&constants.inverses).zip(&into.start);
    if passes == 1 {
        for (i, (((m, inverse), start), weights)) in moduli.zip(all).enumerate() {
            let (m, inverse) = (V::all(*m), V::all_floats(*inverse));
            each.take(i, pass([V::all(*start); 2], &first, weights, m, inverse));
        }
        return;
    }
    for (i, (((m, inverse), start), weights)) in moduli.zip(all.chunks_exact(passes)).enumerate() {
        let (m, inverse) = (V::all(*m), V::all_floats(*inverse));
        let mut sums = [V::all(*start); 2];
        for (at, weights) in weights.iter().enumerate() {
            let words = [words_of::<V, D>(entries[0], at), words_of::<V, D>(entries[1], at)];
            sums = pass(sums, &words, weights, m, inverse);
        }
        each.take(i, sums);
    }
}

/// Residues of what sums and the words of a pass times their weights are.
#[inline(always)]
fn pass<V: Vector, const D: usize>(
    mut sums: [V; 2],
    words: &[[V; D]; 2],
    weights: &[i32; D],
    m: V,
    inverse: V::Floats,
) -> [V; 2] {
    unrolled!(t < D => {
        let weight = V::all(weights[t]);
        sums[0] = sums[0].add_products(words[0][t], weight);
        sums[1] = sums[1].add_products(words[1][t], weight);
    });
    [reduce(sums[0], m, inverse), reduce(sums[1], m, inverse)]
}

/// The words of a pass: digits of 16 bits less 2^15, which are signed numbers of 16 bits.
#[inline(always)]
fn words_of<V: Vector, const D: usize>((planes, at): (&Planes, usize), pass: usize) -> [V; D] {
    let signed = V::all(pair(-(1 << 15), -(1 << 15)));
    let mut words = [signed; D];
    unrolled!(t < D => { words[t] = V::load(&planes.plane(pass * D + t)[at..]).xor(signed) });
    words
}

/// Residues as words at some places, those of the next modulus `step` words further on: as pairs of neighbours, or of
/// numbers of two rows.
struct Pairs<'a> {
    to: &'a mut [i32],
    step: usize,
    neighbours: bool,
}

impl<V: Vector> Takes<V> for Pairs<'_> {
    #[inline(always)]
    fn take(&mut self, i: usize, [low, high]: [V; 2]) {
        let both = if self.neighbours { low.halves(high) } else { low.and(V::all(0xffff)).or(high.left(16)) };
        both.store(&mut self.to[i * self.step..]);
    }
}

pub(super) struct OfLeft<'a> {
    pub constants: &'a Constants,
    pub planes: &'a Planes,
    pub to: &'a mut [i32],
    pub row: usize,
    pub rows: usize,
    pub stride: usize,
}

impl Task for OfLeft<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let OfLeft { constants, planes, to, row, rows, stride } = self;
        for at in (0..stride).step_by(V::LANES) {
            let entries = [(planes, 2 * at), (planes, 2 * at + V::LANES)];
            let pairs = Pairs { to: &mut to[row * stride + at..], step: rows * stride, neighbours: true };
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
                residues_of::<V>(
                    constants,
                    &constants.right,
                    entries,
                    Pairs { to, step: pairs * panel, neighbours: false },
                );
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
        for (i, (m, inverse)) in constants.moduli.iter().zip(&constants.inverses).enumerate() {
            let rows = &left.residues[i * left.rows * left.stride..][..left.rows * left.stride];
            let own = &mut sums[i / 2 * left.rows * columns..][..left.rows * columns];
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
                        m: *m,
                        inverse: *inverse,
                        odd: i % 2 == 1,
                        sums: &mut own[row * columns + first..],
                        columns,
                    };
                    tiled::<V>(tile, count, two);
                    row += count;
                }
            }
        }
    }
}

/// Some rows of one panel modulo one modulus.
struct Tile<'a> {
    a: &'a [i32],
    stride: usize,
    b: &'a [i32],
    /// What will be multiplied next, if it is there: as long as b.
    ahead: *const i32,
    depth: usize,
    m: i32,
    inverse: f32,
    /// The modulus is the second of its pair.
    odd: bool,
    sums: &'a mut [i32],
    columns: usize,
}

#[inline(always)]
fn tiled<V: Vector>(tile: Tile, rows: usize, two: bool) {
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
fn products<V: Vector, const R: usize, const C: usize>(tile: Tile) {
    let Tile { a, stride, b, ahead, depth, m, inverse, odd, sums, columns } = tile;
    let (m, inverse) = (V::all(m), V::all_floats(inverse));
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
        unrolled!(r < R => {
            unrolled!(c < C => { acc[r][c] = reduce(acc[r][c], m, inverse) });
        });
        start = end;
    }
    unrolled!(r < R => {
        unrolled!(c < C => {
            let (to, residue) = (&mut sums[r * columns + c * V::LANES..], acc[r][c]);
            let low = if odd { V::load(to).or(residue.left(16)) } else { residue.and(V::all(0xffff)) };
            low.store(to);
        });
    });
}

pub(super) struct OfRow<'a> {
    pub constants: &'a Constants,
    pub sums: &'a [i32],
    pub row: usize,
    pub rows: usize,
    pub columns: usize,
    pub to: &'a mut [u64],
}

impl Task for OfRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let OfRow { constants, sums, row, rows, columns, to } = self;
        let mut digits = [V::all(0); MOST];
        for first in (0..columns).step_by(V::LANES) {
            let entry = Entry { sums: &sums[row * columns + first..], step: rows * columns };
            let count = constants.digits();
            entry.digits(constants, &mut digits[..count]);
            subtract(constants, &mut digits[..count]);
            join(constants, &digits[..count], columns, &mut to[first..]);
        }
    }
}

/// Digits of an entry at most.
pub const MOST: usize = 160;

/// A vector of sums: of the next pair of moduli `step` words further on.
#[derive(Clone, Copy)]
struct Entry<'a> {
    sums: &'a [i32],
    step: usize,
}

impl Entry<'_> {
    /// Residues modulo a pair of moduli.
    #[inline(always)]
    fn pair<V: Vector>(self, pair: usize) -> V {
        V::load(&self.sums[pair * self.step..])
    }

    /// What is multiplied with digits beside residues: the quotient, and α.
    #[inline(always)]
    fn multiples<V: Vector>(self, constants: &Constants) -> [V; 2] {
        let out = &constants.out;
        // Sums of y_i/m_i and of y_i·W_i/p.
        let (mut fractions, mut quotient) = (V::all_floats(0.0), V::all_floats(0.0));
        for (pair, shares) in out.shares.iter().enumerate() {
            let both = self.pair::<V>(pair);
            let residues = [both.left(16).right(16).floats(), both.right(16).floats()];
            for i in 0..2 {
                fractions = V::sum(fractions, V::product(residues[i], V::all_floats(shares[i][0])));
                quotient = V::sum(quotient, V::product(residues[i], V::all_floats(shares[i][1])));
            }
        }
        let alpha = V::nearest(V::sum(fractions, V::all_floats(-0.25)));
        let quotient = V::sum(quotient, V::product(alpha.floats(), V::all_floats(out.alpha)));
        let quotient = V::floor(V::sum(quotient, V::all_floats(-out.margin)));
        // The quotient in two parts, of which the lower one has twelve bits.
        let low = quotient.and(V::all(0xfff));
        [low.or(quotient.right(12).left(16)), alpha.and(V::all(0xffff))]
    }

    /// All digits.
    #[inline(always)]
    fn digits<V: Vector>(self, constants: &Constants, digits: &mut [V]) {
        let out = &constants.out;
        let others = self.multiples(constants);
        let mut carry = V::all(0);
        let rows = constants.pairs() + 2;
        for (digits, weights) in digits.chunks_exact_mut(out.chunk).zip(out.weights.chunks_exact(out.chunk * rows)) {
            macro_rules! of_digits {
                ($($count:literal)*) => {
                    match out.chunk {
                        $($count => carry = self.columns::<V, $count>(out.bits, weights, others, carry, digits),)*
                        _ => unreachable!("a chunk has up to {MOST_DIGITS} digits"),
                    }
                };
            }
            of_digits!(1 2 3 4 5 6 7 8 9 10)
        }
    }

    /// D columns, carried.
    #[inline(always)]
    fn columns<V: Vector, const D: usize>(
        self,
        bits: u32,
        weights: &[i32],
        others: [V; 2],
        mut carry: V,
        digits: &mut [V],
    ) -> V {
        let mut acc = [V::all(0); D];
        let rows = weights.as_chunks::<D>().0;
        let pairs = rows.len() - 2;
        for (pair, weights) in rows[..pairs].iter().enumerate() {
            let both = self.pair::<V>(pair);
            unrolled!(d < D => { acc[d] = acc[d].add_products(both, V::all(weights[d])) });
        }
        for i in 0..2 {
            let weights = &rows[pairs + i];
            unrolled!(d < D => { acc[d] = acc[d].add_products(others[i], V::all(weights[d])) });
        }
        let mask = V::all(((1u32 << bits) - 1).cast_signed());
        unrolled!(d < D => {
            let column = acc[d].add(carry);
            digits[d] = column.and(mask);
            carry = column.right(bits);
        });
        carry
    }
}

/// Takes p away where that leaves a number.
#[inline(always)]
fn subtract<V: Vector>(constants: &Constants, digits: &mut [V]) {
    let out = &constants.out;
    if out.modulus.is_empty() {
        return;
    }
    let mask = V::all(((1u32 << out.bits) - 1).cast_signed());
    let mut less = [V::all(0); MOST];
    let mut carry = V::all(0);
    for ((less, digit), p) in less.iter_mut().zip(digits.iter()).zip(&out.modulus) {
        let column = digit.sub(V::all(*p)).add(carry);
        *less = column.and(mask);
        carry = column.right(out.bits);
    }
    for (digit, less) in digits.iter_mut().zip(&less) {
        *digit = digit.where_negative(carry, *less);
    }
}

/// Digits of the result: `to` has those of the next digit `columns` words further on.
#[inline(always)]
fn join<V: Vector>(constants: &Constants, digits: &[V], columns: usize, to: &mut [u64]) {
    let (bits, parts) = (constants.out.bits, constants.out.parts);
    if parts == 0 {
        return join_any(constants, digits, columns, to);
    }
    for (d, parts) in digits.chunks_exact(parts).take(constants.out.result).enumerate() {
        let to = &mut to[d * columns..];
        match *parts {
            [a, b, c, d] => a.or(b.left(bits)).widen(c.or(d.left(bits)), 2 * bits, to),
            [a, b] => a.or(b.left(bits)).widen(V::all(0), 32, to),
            [a] => a.widen(V::all(0), 32, to),
            _ => unreachable!("a digit has one, two or four parts"),
        }
    }
}

/// The same of digits that are no whole number of those here.
#[inline(always)]
fn join_any<V: Vector>(constants: &Constants, digits: &[V], columns: usize, to: &mut [u64]) {
    let (bits, radix) = (constants.out.bits as usize, constants.out.radix as usize);
    let mut lanes = [[0; 16]; MOST];
    for (lanes, digit) in lanes.iter_mut().zip(digits) {
        digit.store(lanes);
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
        to[d * columns..].iter_mut().zip(all).take(V::LANES).for_each(|(to, word)| *to = word & mask);
    }
}
