//! Products of matrices by residues: how rows and columns go through [`evariste_jit::residues`].

use std::ops::Range;
use std::sync::Arc;

use evariste_jit::Prefetch;
use evariste_jit::residues::{Constants, Cuts, Left, Planes, Right, Width, halves, halves_of, put};

use super::Sizes;
use super::constants::{Entries, constants};
use crate::array::{View, ViewMut};
use crate::engine::{Engine, Kernels};
use crate::error::ArrayError;

/// Rows whose residues are computed together: a whole number of vectors of elements, and of tiles.
const ROWS: usize = 48;

/// Columns whose sums are together in a near cache.
const COLUMNS: usize = 96;

/// Words of residues of the right factor at a time, at most.
const MOST_WORDS: usize = 8 << 20;

/// How a product by residues is computed.
pub(super) struct Residues {
    pub constants: Arc<Constants>,
    cuts: Cuts,
    pub width: Width,
    short: bool,
    /// Factors are made canonical first: digits at rest overlap.
    canonical: bool,
    lanes: usize,
}

/// The width of vectors that an engine may use.
fn width(kernels: &Kernels) -> Option<Width> {
    // Without vectors nothing is to be had; those of 512 bits where elements are on such.
    let most = match kernels.row() {
        8 => Width::Wide,
        4 => Width::Narrow,
        _ => return None,
    };
    Width::found().find(|width| *width <= most)
}

impl Residues {
    /// Products with sums of k products, where this machine and this layout have them.
    pub fn new(kernels: &Kernels, k: usize) -> Option<Residues> {
        let width = width(kernels)?;
        Residues::on(kernels, k, width)
    }

    /// The same on vectors of any width.
    pub fn on(kernels: &Kernels, k: usize, width: Width) -> Option<Residues> {
        if kernels.binary().is_some() || kernels.modulus().is_none() {
            return None;
        }
        let resting = Entries::resting(kernels);
        // The same number, where there is no Montgomery form.
        let canonical = resting.is_none() && kernels.layout.montgomery.is_none();
        let entries = if canonical { Entries::canonical(kernels) } else { resting }?;
        let mut kept = kernels.kept.constants.lock().unwrap_or_else(|e| e.into_inner());
        let constants = match kept.iter().find(|(own, _)| *own == k) {
            Some((_, constants)) => constants.clone(),
            None => {
                let made = constants(kernels, &entries, k).map(Arc::new);
                // A few lengths are in use at a time.
                kept.truncate(15);
                kept.insert(0, (k, made.clone()));
                made
            }
        };
        let constants = constants?;
        let cuts = Cuts::new(&entries.digits, constants.words);
        Some(Residues { constants, cuts, width, short: kernels.short(), canonical, lanes: kernels.lanes() })
    }

    /// Words of 32 bits of some entries, with room for `more` behind them; what lies `ahead` entries further on is next.
    fn take(&self, planes: &mut Planes, from: View, place: [usize; 2], [more, ahead]: [usize; 2]) {
        if self.short {
            planes.take_halves(from.words, place, [self.constants.words, more]);
        } else {
            planes.take(self.width, (from.words, self.lanes, &self.cuts), place, [more, ahead]);
        }
    }

    /// Residues of columns of the right factor, panel by panel.
    fn right(
        &self,
        engine: &Engine,
        b: View,
        sizes: Sizes,
        columns: &Range<usize>,
        to: &mut [u64],
    ) -> Result<(), ArrayError> {
        let (pairs, panel) = (sizes.k.div_ceil(2), self.constants.panel(self.width));
        let size = self.constants.panel_words(self.width, pairs) / 2;
        let panels = columns.len().div_ceil(panel).div_ceil(engine.threads());
        engine.parallel(to, panels * size, 1, |part, words, _| {
            let (to, column) = (halves(words), columns.start + part * panels * panel);
            let count = (panels * panel).min(columns.end - column);
            let mut rows = [Planes::default(), Planes::default()];
            for at in 0..pairs {
                for (i, planes) in rows.iter_mut().enumerate() {
                    let row = 2 * at + i;
                    if row < sizes.k {
                        self.take(planes, b, [row * sizes.n + column, count], [panel, 2 * sizes.n]);
                    } else {
                        planes.zero(self.constants.words, (panels + 1) * panel);
                    }
                }
                self.constants.right(self.width, [&rows[0], &rows[1]], to, [at, pairs]);
            }
            Ok(())
        })
    }

    /// `out = a·b`.
    pub fn product(&self, engine: &Engine, out: ViewMut, [a, b]: [View; 2], sizes: Sizes) -> Result<(), ArrayError> {
        if !self.canonical {
            return self.product_of(engine, out, [a, b], sizes);
        }
        let [a, b] = [engine.canonical(a)?, engine.canonical(b)?];
        let [a, b] = [engine.resting(&a)?, engine.resting(&b)?];
        self.product_of(engine, out, [View::from(&a), View::from(&b)], sizes)
    }

    fn product_of(&self, engine: &Engine, out: ViewMut, [a, b]: [View; 2], sizes: Sizes) -> Result<(), ArrayError> {
        let kernels = &engine.kernels;
        let (pairs, panel) = (sizes.k.div_ceil(2), self.constants.panel(self.width));
        let size = self.constants.panel_words(self.width, pairs) / 2;
        let at_once = (MOST_WORDS / size.max(1) * panel / COLUMNS * COLUMNS).max(COLUMNS);
        let ViewMut { words, len, shared, .. } = out;
        for first in (0..sizes.n).step_by(at_once) {
            let columns = first..(first + at_once).min(sizes.n);
            let needed = columns.len().div_ceil(panel) * size;
            let mut memory = kernels.kept.memory(needed);
            self.right(engine, b, sizes, &columns, &mut memory.words_mut()[..needed])?;
            let right = &memory.words()[..needed];
            let out: ViewMut = ViewMut::of(kernels, words, len, shared);
            // Of so many rows entries start where a vector starts, as many lanes as there are.
            let rows = ROWS.next_multiple_of(self.lanes);
            engine.walk(out, rows / self.lanes * sizes.n, 1, |group, words, _| {
                let start = group * self.lanes / sizes.n;
                let rows = start..(start + rows).min(len / sizes.n);
                self.rows(kernels, a, right, sizes, (rows, columns.clone()), words);
                Ok(())
            })?;
            kernels.kept.keep(memory);
        }
        Ok(())
    }

    /// Some rows and columns of the product, into words of which the first are of the first of these rows.
    fn rows(
        &self,
        kernels: &Kernels,
        a: View,
        right: &[u64],
        sizes: Sizes,
        (rows, columns): (Range<usize>, Range<usize>),
        words: &mut [u64],
    ) {
        let (constants, width) = (&*self.constants, self.width);
        let (pairs, panel) = (sizes.k.div_ceil(2), constants.panel(width));
        let line = width.lanes();
        // An odd number of lines: rows do not meet in one set of a cache.
        let stride = (pairs.div_ceil(line) | 1) * line;
        let factor = constants.moduli.len() * rows.len() * stride / 2 + 1;
        let sums = constants.sums(width, rows.len(), COLUMNS) / 2 + 1;
        let mut memory = kernels.kept.memory(factor.next_multiple_of(8) + sums.next_multiple_of(8));
        let (left, sums) = memory.words_mut().split_at_mut(factor.next_multiple_of(8));
        let (left, sums) = (halves(left), halves(sums));
        let mut planes = Planes::default();
        for (at, row) in rows.clone().enumerate() {
            self.take(&mut planes, a, [row * sizes.k, sizes.k], [2 * stride, sizes.k]);
            constants.left(width, &planes, left, [at, rows.len()], [pairs, stride]);
        }
        let left = Left { residues: left, rows: rows.len(), stride };
        let size = constants.panel_words(width, pairs);
        let mut digits = vec![0; constants.out.result * COLUMNS];
        for first in (0..columns.len()).step_by(COLUMNS) {
            let count = COLUMNS.min(columns.len() - first);
            let residues = &halves_of(right)[first / panel * size..][..count.div_ceil(panel) * size];
            constants.block(width, &left, &Right { residues, pairs, columns: count }, sums);
            let wide = count.next_multiple_of(panel);
            for row in 0..rows.len() {
                let place = row * sizes.n + columns.start + first;
                self.ask(kernels, words, place, count);
                constants.row(width, sums, row, wide, &mut digits);
                self.put(kernels, words, place, &digits, [wide, count]);
            }
        }
        kernels.kept.keep(memory);
    }

    /// Asks for the memory of some elements, which are soon written: most of it comes from far.
    fn ask(&self, kernels: &Kernels, words: &[u64], place: usize, count: usize) {
        let (lanes, group) = (self.lanes, kernels.group());
        if !self.short {
            let end = ((place + count).div_ceil(lanes) * group).min(words.len());
            Prefetch::write(&words[place / lanes * group..end], 0).now();
        }
    }

    /// Writes the digits of `count` elements from one on; of the next digit they lie `wide` words further on.
    fn put(&self, kernels: &Kernels, words: &mut [u64], place: usize, digits: &[u64], [wide, count]: [usize; 2]) {
        if self.short {
            for (i, digit) in digits[..count].iter().enumerate() {
                kernels.put_digit(words, place + i, 0, *digit);
            }
            return;
        }
        put(self.width, digits, [wide, count], words, [self.lanes, kernels.digits(), place]);
    }
}
