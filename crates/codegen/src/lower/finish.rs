//! The end of a routine: segments get their exports, their edges and the places of their parameters.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::edges::{Overlap, memory_edges};
use super::error::LowerError;
use super::fuse;
use super::index::Terms;
use super::lowering::{Closed, Lowering, Piece};
use super::memory::{BIAS, Home, SCALARS};
use crate::graph::{Graph, Kind, Operation};
use crate::outline::{Body, Part, Place, Pointer, PointerBase, Routine, Segment};

impl Lowering<'_, '_> {
    /// The only segment as the graph of the whole routine, as the kernel says it.
    pub(super) fn graph(mut self) -> Graph {
        let mut graph = self.closed.pop().map_or_else(Graph::empty, |closed| closed.writer.graph);
        (graph.name, graph.disjoint) = (std::mem::take(&mut self.name), std::mem::take(&mut self.disjoint));
        // A parameter that nothing uses is one all the same.
        graph.params = std::mem::take(&mut self.params);
        graph
    }

    /// All segments, loops and calls.
    pub(super) fn routine(mut self) -> Result<Routine, LowerError> {
        let (mut segments, mut tables) = (Vec::new(), Tables::default());
        let mut computed: Vec<((u32, Terms, i64), u32)> = Vec::new();
        for closed in std::mem::take(&mut self.closed) {
            let segment = self.segment(closed, &mut computed, &mut tables)?;
            segments.push(Some(segment).filter(|s| !s.graph.nodes.is_empty()));
        }
        let parts = parts(std::mem::take(&mut self.pieces), &mut segments);
        Ok(Routine {
            name: self.name,
            path: Vec::new(),
            params: self.params,
            disjoint: self.disjoint,
            tables: tables.words,
            body: Body::Parts { parts, words: self.words },
        })
    }

    fn segment(
        &mut self,
        closed: Closed,
        computed: &mut Vec<((u32, Terms, i64), u32)>,
        tables: &mut Tables,
    ) -> Result<Segment, LowerError> {
        (self.writer, self.regions) = (closed.writer, closed.regions);
        self.export(closed.exports);
        let mut graph = std::mem::replace(&mut self.writer.graph, Graph::empty());
        let regions = std::mem::take(&mut self.regions);
        graph.name.clone_from(&self.name);
        match self.element {
            Some(lane) => super::whole::simplify(&mut graph, lane),
            None => fuse::fuse(&mut graph),
        }
        fuse::remove_dead(&mut graph);
        graph.edges = memory_edges(&graph, |a, b| self.overlap(regions[a as usize], regions[b as usize]));
        let mut places = Vec::with_capacity(regions.len());
        for (p, (storage, terms)) in regions.into_iter().enumerate() {
            if terms == Terms::NONE {
                places.push(match self.storages.get(storage as usize).map(|s| &s.home) {
                    None => Place::Frame(0),
                    Some(Home::Param(p)) => Place::Through(u32::from(*p)),
                    Some(Home::Frame(Some(first))) => Place::Frame(*first),
                    Some(_) => return Err(LowerError::Malformed("an element is read before it is written")),
                });
                continue;
            }
            // Counted from the least element that is used.
            let low = shift(&mut graph, p as u16);
            let storage_of = &self.storages[storage as usize];
            let (base, unit, bytes) = match storage_of.home {
                Home::Param(p) => {
                    let bytes = i64::from(self.params[p as usize].element_bytes);
                    (PointerBase::Through(u32::from(p)), bytes, bytes)
                }
                Home::Frame(Some(first)) => (PointerBase::Frame(first), 8 * i64::from(storage_of.words()), 8),
                Home::Table(entries) => (PointerBase::Table(tables.number(storage, entries)), 8, 8),
                _ => return Err(LowerError::Malformed("an element is read before it is written")),
            };
            let known = computed.iter().find(|(key, _)| *key == (storage, terms, low)).map(|(_, word)| *word);
            let word = known.unwrap_or_else(|| {
                computed.push(((storage, terms, low), self.words));
                self.words += 1;
                self.words - 1
            });
            let terms = self.terms[terms.0 as usize].iter().map(|(word, n)| (*word, n * unit)).collect();
            places.push(Place::Computed(word, Pointer { base, terms, bytes: low * bytes }));
        }
        Ok(Segment { graph, places })
    }

    fn overlap(&self, (s, a): (u32, Terms), (t, b): (u32, Terms)) -> Overlap {
        if s != t {
            let param = |id: u32| match self.storages.get(id as usize).map(|s| &s.home) {
                Some(Home::Param(p)) if id != SCALARS => Some(u32::from(*p)),
                _ => None,
            };
            match (param(s), param(t)) {
                (Some(p), Some(q)) if !self.disjoint.contains(&(p.min(q), p.max(q))) => {}
                _ => return Overlap::Never,
            }
        }
        if a == b { Overlap::Same } else { Overlap::Any }
    }
}

/// The tables that a routine reads at counters.
#[derive(Default)]
struct Tables {
    storages: Vec<u32>,
    words: Vec<Vec<u64>>,
}

impl Tables {
    /// The number of a storage's table among them.
    fn number(&mut self, storage: u32, entries: &[BigInt]) -> u32 {
        let known = self.storages.iter().position(|s| *s == storage);
        known.unwrap_or_else(|| {
            self.storages.push(storage);
            // (Data are words: no entry has more bits, or is negative.)
            self.words.push(entries.iter().map(|x| x.to_u64().unwrap_or(0)).collect());
            self.storages.len() - 1
        }) as u32
    }
}

/// Counts the indices of a parameter from the least on, and gives that, without [`BIAS`].
fn shift(graph: &mut Graph, param: u16) -> i64 {
    let inputs = graph.values.iter().filter_map(|k| match k {
        Kind::Input { param: p, index } if *p == param => Some(*index),
        _ => None,
    });
    let stores = graph.nodes.iter().filter_map(|n| match n.op {
        Operation::Store { param: p, index } if p == param => Some(index),
        _ => None,
    });
    let low = inputs.chain(stores).min().unwrap_or(BIAS as u32);
    for kind in &mut graph.values {
        match kind {
            Kind::Input { param: p, index } if *p == param => *index -= low,
            _ => {}
        }
    }
    for node in &mut graph.nodes {
        match &mut node.op {
            Operation::Store { param: p, index } if *p == param => *index -= low,
            _ => {}
        }
    }
    i64::from(low) - BIAS
}

fn parts(pieces: Vec<Piece>, segments: &mut [Option<Segment>]) -> Vec<Part> {
    let mut all = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Segment(i) => all.extend(segments[i].take().map(Part::Segment)),
            Piece::Loop { counter, step, limit, body } => {
                all.push(Part::Loop { counter, step, limit, body: parts(body, segments) })
            }
            Piece::Call { routine, args } => all.push(Part::Call { routine, args }),
        }
    }
    all
}
