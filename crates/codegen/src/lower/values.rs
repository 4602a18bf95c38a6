//! Values of a kernel while it is lowered: in the open segment as words and flags of its graph, from segment to segment
//! in the frame.

use evariste_ir::{Kernel, Type, Value};

use super::error::LowerError;
use super::index::{Binding, Counter, Terms};
use super::lowering::{Lowering, Rep};
use super::memory::SCALARS;
use super::writer::Flag;
use crate::graph::NONE;

/// A kernel that is being run: the function, or a call that is inlined.
pub struct Activation<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// Where its arrays lie.
    pub bindings: Vec<Binding>,
    /// What its values are.
    pub values: Vec<Option<Held>>,
    /// What its counters are.
    pub counters: Vec<Option<Counter>>,
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// The segment that computes it and what it is there; `None`: only the frame has it.
    made: Option<(usize, Rep)>,
    /// Its first word in the frame.
    home: Option<u32>,
}

impl Held {
    /// A value in the frame.
    pub fn in_frame(word: u32) -> Held {
        Held { made: None, home: Some(word) }
    }
}

/// A value that a segment leaves in the frame.
pub struct Export {
    word: u32,
    ty: Type,
    rep: Rep,
}

const UNDEFINED: LowerError = LowerError::Malformed("a value is used before it is computed");

impl<'k> Activation<'k> {
    /// Before its first statement. Its arrays come after.
    pub fn new(kernel: &'k Kernel) -> Activation<'k> {
        Activation { kernel, bindings: Vec::new(), values: vec![None; kernel.values.len()], counters: Vec::new() }
    }
}

impl<'k> Lowering<'k, '_> {
    /// Gives a value what it is in the open segment.
    pub(super) fn define(&mut self, a: &mut Activation<'k>, v: Value, rep: Rep) {
        let rep = self.known(a.kernel, v).unwrap_or(rep);
        a.values[v.0 as usize] = Some(Held { made: Some((self.closed.len(), rep)), home: None });
    }

    /// What a value is in the open segment.
    pub(super) fn fetch(&mut self, a: &mut Activation<'k>, v: Value) -> Result<Rep, LowerError> {
        let held = a.values[v.0 as usize].as_mut().ok_or(UNDEFINED)?;
        let ty = a.kernel.value(v).ty;
        if let Some((segment, rep)) = held.made {
            if segment == self.closed.len() {
                return Ok(rep);
            }
            if let Some(rep) = self.constant_of(segment, rep) {
                return Ok(rep);
            }
        }
        let word = match (held.home, held.made) {
            (Some(word), _) => word,
            (None, Some((segment, rep))) => {
                let word = self.words;
                self.words += self.words_of(ty);
                held.home = Some(word);
                self.closed[segment].exports.push(Export { word, ty, rep });
                word
            }
            (None, None) => return Err(UNDEFINED),
        };
        let frame = self.region(SCALARS, Terms::NONE);
        let low = self.writer.input(frame, word);
        Ok(match ty {
            _ if self.lanes => Rep::Limbs([low, NONE]),
            Type::Flag => Rep::Flag(Flag::Bit(low)),
            Type::Mask(_) => Rep::Mask(Flag::Bit(low)),
            _ if self.words_of(ty) == 2 => Rep::Limbs([low, self.writer.input(frame, word + 1)]),
            _ => Rep::Limbs([low, NONE]),
        })
    }

    /// Words of a value in the frame.
    pub(super) fn words_of(&self, ty: Type) -> u32 {
        if !self.lanes && ty.bits() > 64 { 2 } else { 1 }
    }

    /// A constant of a closed segment in the open one.
    fn constant_of(&mut self, segment: usize, rep: Rep) -> Option<Rep> {
        let graph = &self.closed[segment].writer.graph;
        match rep {
            Rep::Flag(Flag::Known(_)) | Rep::Mask(Flag::Known(_)) => Some(rep),
            Rep::Limbs([low, high]) => {
                let low = graph.constant(low)?;
                let high = if high == NONE { None } else { Some(graph.constant(high)?) };
                let low = self.writer.constant(low);
                Some(Rep::Limbs([low, high.map_or(NONE, |h| self.writer.constant(h))]))
            }
            _ => None,
        }
    }

    /// At the open segment's end: words of the frame get a value.
    pub(super) fn assign(&mut self, word: u32, ty: Type, rep: Rep) {
        let frame = self.region(SCALARS, Terms::NONE);
        let rep = match (rep, ty) {
            // What lies in the frame as a flag is 0 or 1.
            (Rep::Limbs(_), Type::Flag | Type::Mask(_)) if !self.lanes => Rep::Flag(self.flag(rep)),
            (Rep::Flag(_) | Rep::Mask(_), Type::Word(_) | Type::Wide(_)) => Rep::Limbs(self.limbs(rep, ty.bits())),
            _ => rep,
        };
        let [low, high] = self.words_in_memory(rep, ty, false);
        self.writer.store(frame, word, low);
        if self.words_of(ty) == 2 {
            self.writer.store(frame, word + 1, high);
        }
    }

    /// Stores what later segments want of a closed one, which is the open one for the time.
    pub(super) fn export(&mut self, exports: Vec<Export>) {
        for Export { word, ty, rep } in exports {
            self.assign(word, ty, rep);
        }
    }
}
