//! Routines of several groups of lanes: each part of the function once for each group, so that a processor computes the
//! start of one group's operation beside the end of another's, which nothing in it waits for.
//!
//! Groups lie one after the other in each array, as the elements of [`evariste_ir::times`] do, and share counters and
//! nothing else. What has parts and is called becomes parts of the function; routines in one piece stay, and compute one
//! group a call.

use crate::outline::{Body, Part, Place, Pointer, PointerBase, Routine, Segment};
use crate::program::Parameter;

/// The function of so many groups, and the routines that it calls; their kernels are those of `times` of the function's.
/// `None`: with all that becomes part of it it has more than so many instructions for each group, about.
pub fn beside(routines: &[Routine], groups: u32, most: usize) -> Option<Vec<Routine>> {
    let (function, called) = routines.split_first()?;
    let Body::Parts { parts, words } = &function.body else { return None };
    let mut inlined = Inlined { routines, words: *words, left: most };
    let parts = inlined.parts(parts, &Frame { offset: 0, params: None }, *words)?;
    let places = Places { words: inlined.words, params: &function.params };
    let body = Body::Parts { parts: places.parts(&parts, groups), words: inlined.words * groups };
    let params = function.params.iter().map(|p| Parameter { len: p.len * groups, ..p.clone() }).collect();
    let mut all = vec![Routine { params, body, ..function.clone() }];
    all.extend(called.iter().map(|routine| {
        let path = [0].into_iter().chain(routine.path.iter().copied()).collect();
        Routine { path, ..routine.clone() }
    }));
    Some(without_uncalled(all))
}

/// Only the routines that the function calls; they call nothing.
fn without_uncalled(mut routines: Vec<Routine>) -> Vec<Routine> {
    let mut is_called = vec![false; routines.len()];
    is_called[0] = true;
    for_each_call(&mut routines[0].body, &mut |routine| is_called[*routine] = true);
    let before = |at: usize| is_called[..at].iter().filter(|is| **is).count();
    for_each_call(&mut routines[0].body, &mut |routine| *routine = before(*routine));
    routines.into_iter().zip(&is_called).filter(|(_, is)| **is).map(|(routine, _)| routine).collect()
}

fn for_each_call(body: &mut Body, with: &mut dyn FnMut(&mut usize)) {
    fn of(parts: &mut [Part], with: &mut dyn FnMut(&mut usize)) {
        for part in parts {
            match part {
                Part::Segment(_) => {}
                Part::Loop { body, .. } => of(body, with),
                Part::Call { routine, .. } => with(routine),
            }
        }
    }
    if let Body::Parts { parts, .. } = body {
        of(parts, with);
    }
}

/// Where the words of a routine's frame lie in that of the function, and what its parameters show there.
struct Frame {
    offset: u32,
    params: Option<Vec<Pointer>>,
}

impl Frame {
    fn pointer(&self, p: &Pointer) -> Pointer {
        let terms = p.terms.iter().map(|(word, n)| (word + self.offset, *n));
        match (p.base, &self.params) {
            (PointerBase::Through(i), Some(params)) => {
                let shown = &params[i as usize];
                Pointer {
                    base: shown.base,
                    terms: shown.terms.iter().copied().chain(terms).collect(),
                    bytes: shown.bytes + p.bytes,
                }
            }
            (PointerBase::Frame(word), _) => {
                Pointer { base: PointerBase::Frame(word + self.offset), terms: terms.collect(), bytes: p.bytes }
            }
            (base, _) => Pointer { base, terms: terms.collect(), bytes: p.bytes },
        }
    }

    fn place(&self, place: &Place) -> Place {
        match place {
            Place::Frame(word) => Place::Frame(word + self.offset),
            Place::Through(p) if self.params.is_none() => Place::Through(*p),
            Place::Through(p) => {
                let pointer = Pointer { base: PointerBase::Through(*p), terms: Vec::new(), bytes: 0 };
                of_pointer(self.pointer(&pointer), 0)
            }
            Place::Computed(word, pointer) => of_pointer(self.pointer(pointer), word + self.offset),
        }
    }
}

/// The place that a pointer shows.
fn of_pointer(pointer: Pointer, word: u32) -> Place {
    match pointer.base {
        PointerBase::Frame(at) if pointer.terms.is_empty() => Place::Frame(at + (pointer.bytes / 8) as u32),
        PointerBase::Through(p) if pointer.terms.is_empty() && pointer.bytes == 0 => Place::Through(p),
        _ => Place::Computed(word, pointer),
    }
}

/// Routines in parts, as parts of the function.
struct Inlined<'a> {
    routines: &'a [Routine],
    /// Words of the frame, and instructions that the function may still have.
    words: u32,
    left: usize,
}

impl Inlined<'_> {
    /// `below`: words that are taken. `None`: too long.
    fn parts(&mut self, parts: &[Part], frame: &Frame, below: u32) -> Option<Vec<Part>> {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Part::Segment(s) => {
                    self.left = self.left.checked_sub(s.graph.nodes.len())?;
                    let places = s.places.iter().map(|p| frame.place(p)).collect();
                    all.push(Part::Segment(Segment { graph: s.graph.clone(), places }));
                }
                Part::Loop { counter, step, limit, body } => {
                    let body = self.parts(body, frame, below)?;
                    all.push(Part::Loop { counter: counter + frame.offset, step: *step, limit: *limit, body });
                }
                Part::Call { routine, args } => {
                    let args: Vec<Pointer> = args.iter().map(|p| frame.pointer(p)).collect();
                    match &self.routines[*routine].body {
                        Body::Parts { parts, words } => {
                            let inner = Frame { offset: below, params: Some(args) };
                            self.words = self.words.max(below + words);
                            all.extend(self.parts(parts, &inner, below + words)?);
                        }
                        _ => {
                            self.left = self.left.checked_sub(1 + 2 * args.len())?;
                            all.push(Part::Call { routine: *routine, args });
                        }
                    }
                }
            }
        }
        Some(all)
    }
}

/// Where groups lie: in the frame so many words apart, in an array of the caller as many as it has for one.
struct Places<'a> {
    words: u32,
    params: &'a [Parameter],
}

impl Places<'_> {
    fn parts(&self, parts: &[Part], groups: u32) -> Vec<Part> {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Part::Segment(s) => all.extend((0..groups).map(|g| {
                    let places = s.places.iter().map(|p| self.place(p, g)).collect();
                    Part::Segment(Segment { graph: s.graph.clone(), places })
                })),
                Part::Loop { counter, step, limit, body } => all.push(Part::Loop {
                    counter: *counter,
                    step: *step,
                    limit: *limit,
                    body: self.parts(body, groups),
                }),
                Part::Call { routine, args } => all.extend((0..groups).map(|g| Part::Call {
                    routine: *routine,
                    args: args.iter().map(|p| self.pointer(p, g)).collect(),
                })),
            }
        }
        all
    }

    fn pointer(&self, p: &Pointer, group: u32) -> Pointer {
        match p.base {
            PointerBase::Through(i) => {
                Pointer { bytes: p.bytes + i64::from(8 * group * self.params[i as usize].len), ..p.clone() }
            }
            PointerBase::Frame(word) => Pointer { base: PointerBase::Frame(word + group * self.words), ..p.clone() },
            PointerBase::Table(_) => p.clone(),
        }
    }

    fn place(&self, place: &Place, group: u32) -> Place {
        match place {
            Place::Frame(word) => Place::Frame(word + group * self.words),
            Place::Through(p) => {
                let pointer = Pointer { base: PointerBase::Through(*p), terms: Vec::new(), bytes: 0 };
                of_pointer(self.pointer(&pointer, group), *p)
            }
            Place::Computed(word, pointer) => Place::Computed(*word, self.pointer(pointer, group)),
        }
    }
}
