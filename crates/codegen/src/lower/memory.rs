//! Memory while a routine is lowered: what its elements hold, and what is still to be stored.
//!
//! Inside of a segment elements are values: they are loaded once and stored at the segment's end. Elements that are
//! reached by different sums of counters may or may not be the same; where that would matter, the segment ends.

use std::collections::BTreeMap;

use evariste_ir::{ArrayInfo, ArrayKind, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::error::LowerError;
use super::index::{Binding, Location, Terms};
use super::lowering::{Closed, Lowering, Piece, Rep};
use super::writer::{Flag, Writer};
use crate::graph::{Graph, Id, NONE};
use crate::program::{Parameter, Role};

/// The storage of values that live in the frame, and of counters.
pub const SCALARS: u32 = u32::MAX;

/// Added to indices behind counters, so that none is negative. Taken away when the segment is finished.
pub const BIAS: i64 = 1 << 24;

/// Where an array lies.
pub enum Home<'k> {
    /// A parameter of the routine.
    Param(u16),
    /// The frame, from that word on; `None`: nothing of it was ever in memory.
    Frame(Option<u32>),
    /// Nowhere: constants.
    Table(&'k [BigInt]),
}

/// Elements of one sum of counters: what each holds now.
type Cells = BTreeMap<i64, Rep>;

/// An array while the kernel runs.
pub struct Storage<'k> {
    /// Where it lies.
    pub home: Home<'k>,
    /// Type of its elements.
    pub ty: Type,
    len: u32,
    name: &'k str,
    /// Is it a table that loops may read at their counters?
    is_data: bool,
    /// What was loaded or written in the open segment.
    cells: Vec<(Terms, Cells)>,
    /// Elements to be stored at the segment's end, and the terms that they have in common.
    written: Option<(Terms, BTreeMap<i64, ()>)>,
}

impl Storage<'_> {
    /// Can elements be read only at places that are known?
    pub fn is_in_code(&self) -> bool {
        matches!(self.home, Home::Table(_)) && !self.is_data
    }

    /// Is it a parameter's?
    pub fn is_param(&self) -> bool {
        matches!(self.home, Home::Param(_))
    }

    /// Words of an element in the frame.
    pub fn words(&self) -> u32 {
        if self.ty.bits() > 64 { 2 } else { 1 }
    }
}

impl<'k> Lowering<'k, '_> {
    /// Memory of an array, and its elements.
    pub(super) fn array(&mut self, info: &'k ArrayInfo, param: Option<u16>) -> Binding {
        let home = match (&info.kind, param) {
            (ArrayKind::Table(entries), _) => Home::Table(entries),
            (_, Some(p)) => Home::Param(p),
            _ => Home::Frame(None),
        };
        let is_data = self.is_data(info);
        let id = self.storages.len() as u32;
        self.live.push(id);
        self.storages.push(Storage {
            home,
            ty: info.ty,
            len: info.len,
            name: &info.name,
            is_data,
            cells: Vec::new(),
            written: None,
        });
        Binding::whole(id, info.len)
    }

    /// Is the array a table of words that is long enough to lie beside the code?
    fn is_data(&self, info: &ArrayInfo) -> bool {
        let (ArrayKind::Table(entries), Some(rolling)) = (&info.kind, &self.rolling) else { return false };
        let are_words = matches!(info.ty, Type::Word(_)) && entries.iter().all(|x| x.to_u64().is_some());
        are_words && !self.lanes && self.element.is_none() && info.len > rolling.limits.data
    }

    /// Ends the segment when elements of other terms are still to be stored.
    fn settle(&mut self, at: Location) -> Result<usize, LowerError> {
        let s = at.storage as usize;
        if self.storages[s].written.as_ref().is_some_and(|(terms, _)| *terms != at.terms) {
            self.close()?;
        }
        Ok(s)
    }

    /// What an element holds now. May end the segment.
    pub(super) fn load(&mut self, at: Location) -> Result<Rep, LowerError> {
        let s = self.settle(at)?;
        let storage = &self.storages[s];
        if let Some(rep) =
            storage.cells.iter().find(|(t, _)| *t == at.terms).and_then(|(_, cells)| cells.get(&at.offset))
        {
            return Ok(*rep);
        }
        let ty = storage.ty;
        let missing = match &storage.home {
            Home::Table(_) if at.terms != Terms::NONE && storage.is_data => false,
            Home::Table(entries) => {
                let entry =
                    usize::try_from(at.offset).ok().and_then(|i| entries.get(i)).filter(|_| at.terms == Terms::NONE);
                return self.constant(entry.ok_or(LowerError::Malformed("an index outside of its table"))?, ty);
            }
            Home::Param(p) => self.rolling.is_none() && !self.params[*p as usize].role.is_read(),
            Home::Frame(first) => first.is_none(),
        };
        if missing {
            return Err(LowerError::Malformed("an element is read before it is written"));
        }
        let words = storage.words();
        let region = self.region(at.storage, at.terms);
        let index = self.element(at, words)?;
        let word = self.writer.input(region, index);
        let rep = match ty {
            _ if self.lanes => Rep::Limbs([word, NONE]),
            Type::Flag => Rep::Flag(Flag::Bit(word)),
            Type::Mask(_) => {
                let one = self.writer.constant(1);
                Rep::Mask(Flag::Bit(self.writer.and(word, one)))
            }
            _ if words == 2 => Rep::Limbs([word, self.writer.input(region, index + 1)]),
            _ => Rep::Limbs([word, NONE]),
        };
        self.storages[s].hold(at, rep);
        Ok(rep)
    }

    /// Makes ready for a store to the element. May end the segment.
    pub(super) fn before_store(&mut self, at: Location) -> Result<(), LowerError> {
        self.settle(at).map(|_| ())
    }

    /// Writes an element, after [`Lowering::before_store`].
    pub(super) fn store(&mut self, at: Location, rep: Rep) -> Result<(), LowerError> {
        let storage = &mut self.storages[at.storage as usize];
        storage.hold(at, rep);
        storage.written.get_or_insert_with(|| (at.terms, BTreeMap::new())).1.insert(at.offset, ());
        Ok(())
    }

    /// The parameter of the open segment for a storage at some terms.
    pub(super) fn region(&mut self, storage: u32, terms: Terms) -> u16 {
        if let Some(p) = self.regions.iter().rposition(|r| *r == (storage, terms)) {
            return p as u16;
        }
        let described = match self.storages.get(storage as usize) {
            Some(Storage { home: Home::Param(p), .. }) => self.params[*p as usize].clone(),
            Some(s @ Storage { home: Home::Table(_), .. }) => {
                Parameter { name: s.name.to_string(), element_bytes: 8, len: s.len, role: Role::Input }
            }
            Some(s) => {
                Parameter { name: s.name.to_string(), element_bytes: 8, len: s.len * s.words(), role: Role::InOut }
            }
            None => Parameter { name: "frame".into(), element_bytes: 8, len: 0, role: Role::InOut },
        };
        self.writer.graph.params.push(described);
        self.regions.push((storage, terms));
        self.regions.len() as u16 - 1
    }

    /// The index of an element's first word in its region.
    fn element(&self, at: Location, words: u32) -> Result<u32, LowerError> {
        let bias = if at.terms == Terms::NONE { 0 } else { BIAS };
        let index = at.offset.checked_mul(i64::from(words)).and_then(|i| i.checked_add(bias));
        index.and_then(|i| u32::try_from(i).ok()).ok_or(LowerError::Malformed("an index outside of its array"))
    }

    /// New words of the frame.
    pub(super) fn new_words(&mut self, count: u32) -> u32 {
        self.words += count;
        self.words - count
    }

    /// Forgets what local arrays from a place in the list of live ones on hold: nobody reads them any more.
    pub(super) fn forget(&mut self, from: usize) {
        for id in self.live.split_off(from.min(self.live.len())) {
            let storage = &mut self.storages[id as usize];
            if storage.is_param() {
                self.live.push(id);
            } else {
                (storage.cells, storage.written) = (Vec::new(), None);
            }
        }
    }

    /// Where a local array begins in the frame.
    pub(super) fn in_frame(&mut self, s: usize) -> u32 {
        match self.storages[s].home {
            Home::Frame(Some(first)) => first,
            _ => {
                let first = self.new_words(self.storages[s].len * self.storages[s].words());
                self.storages[s].home = Home::Frame(Some(first));
                first
            }
        }
    }

    /// Ends the segment: what was written is stored, and nothing of memory is known any more.
    pub(super) fn close(&mut self) -> Result<(), LowerError> {
        for at in 0..self.live.len() {
            let id = self.live[at];
            let s = id as usize;
            let Some((terms, written)) = self.storages[s].written.take() else { continue };
            let cells = std::mem::take(&mut self.storages[s].cells);
            let Some((_, cells)) = cells.into_iter().find(|(t, _)| *t == terms) else { continue };
            if !self.storages[s].is_param() {
                self.in_frame(s);
            }
            let (ty, words) = (self.storages[s].ty, self.storages[s].words());
            let region = self.region(id, terms);
            for (offset, rep) in cells.into_iter().filter(|(o, _)| written.contains_key(o)) {
                let index = self.element(Location { storage: id, terms, offset }, words)?;
                let [low, high] = self.words_in_memory(rep, ty, self.storages[s].is_param());
                self.writer.store(region, index, low);
                if words == 2 {
                    self.writer.store(region, index + 1, high);
                }
            }
        }
        for id in &self.live {
            self.storages[*id as usize].cells.clear();
        }
        let bits = self.element.map_or(64, |lane| lane.bits);
        let writer = std::mem::replace(&mut self.writer, Writer::new(Graph::empty(), bits));
        self.nodes += writer.graph.nodes.len();
        let regions = std::mem::take(&mut self.regions);
        self.pieces.push(Piece::Segment(self.closed.len()));
        self.closed.push(Closed { writer, regions, exports: Vec::new() });
        Ok(())
    }

    /// A value as it lies in memory: masks as all their bits in parameters, flags and masks as 0 or 1 in the frame.
    pub(super) fn words_in_memory(&mut self, rep: Rep, ty: Type, param: bool) -> [Id; 2] {
        match (rep, ty) {
            (Rep::Limbs([low, NONE]), ty) if ty.bits() > 64 => [low, self.writer.constant(0)],
            (Rep::Limbs(x), _) => x,
            (Rep::Mask(f), Type::Mask(bits)) if param => self.writer.mask_limbs(f, u32::from(bits)),
            (Rep::Flag(f) | Rep::Mask(f), _) => [self.writer.word_of(f), NONE],
        }
    }

    /// A constant of a type.
    pub(super) fn constant(&mut self, c: &BigInt, ty: Type) -> Result<Rep, LowerError> {
        let bits = ty.bits();
        let modulus = evariste_ir::range::pow2(bits);
        let pattern = ((c % &modulus) + &modulus) % &modulus;
        let pattern = pattern.to_u128().ok_or(LowerError::Malformed("a constant wider than its type"))?;
        Ok(match ty {
            _ if self.lanes => Rep::Limbs([self.writer.constant(if pattern & 1 == 1 { u64::MAX } else { 0 }), NONE]),
            Type::Float(_) => Rep::Limbs([self.writer.constant(super::floats::pattern(c, ty)?), NONE]),
            Type::Flag => Rep::Flag(Flag::Known(pattern & 1 == 1)),
            Type::Mask(_) => Rep::Mask(Flag::Known(pattern & 1 == 1)),
            _ => Rep::Limbs(self.writer.constant_limbs(pattern, bits)),
        })
    }
}

impl Storage<'_> {
    fn hold(&mut self, at: Location, rep: Rep) {
        match self.cells.iter_mut().find(|(t, _)| *t == at.terms) {
            Some((_, cells)) => {
                cells.insert(at.offset, rep);
            }
            None => self.cells.push((at.terms, Cells::from([(at.offset, rep)]))),
        }
    }
}
