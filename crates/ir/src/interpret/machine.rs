//! Walks a prepared kernel over a block of lanes.

use super::program::{Address, Check, Node, Place, PreparedView, Program};
use super::report::{Fault, Report, Violation};
use crate::float::number;
use crate::lanes::vectors::{Cell, Vectors};

/// An array element in a frame: a slot, or the constant of a table.
#[derive(Clone, Copy)]
pub(crate) enum Source<L> {
    Slot(u32),
    Constant(L),
}

/// One activation of a kernel.
pub(crate) struct Frame<L> {
    /// First slot of the frame.
    pub base: u32,
    /// The elements of every array.
    pub arrays: Vec<Vec<Source<L>>>,
    counters: Vec<u32>,
}

/// The running state: lane vectors of all slots and the report.
pub(crate) struct Machine<'a, L> {
    vectors: Vectors<'a, L>,
    lanes: usize,
    report: &'a mut Report,
    /// The current kernel's name and statement paths (for messages), and those of the callers.
    place: (&'a str, &'a [Vec<u32>]),
    callers: Vec<(&'a str, &'a [u32])>,
}

impl<L: Cell> Frame<L> {
    /// A frame at `base` whose parameters are given.
    fn new(program: &Program<L>, base: u32, params: &[Vec<Source<L>>]) -> Frame<L> {
        let arrays = program
            .places
            .iter()
            .map(|(place, len)| match place {
                Place::Param(i) => params.get(*i as usize).cloned().unwrap_or_default(),
                Place::Local(at) => (0..*len).map(|i| Source::Slot(base + at + i)).collect(),
                Place::Table(entries) => entries.iter().map(|e| Source::Constant(*e)).collect(),
            })
            .collect();
        Frame { base, arrays, counters: vec![0; program.counters as usize] }
    }

    fn element(&self, array: u32, i: Option<i64>) -> Option<Source<L>> {
        self.arrays.get(array as usize)?.get(usize::try_from(i?).ok()?).copied()
    }
}

impl<'a, L: Cell> Machine<'a, L> {
    /// Runs `program` with the frame at `base` over slots that hold the parameters.
    pub fn run(
        program: &'a Program<L>,
        slots: &'a mut [Vec<L>],
        lanes: usize,
        base: u32,
        params: &[Vec<Source<L>>],
        report: &'a mut Report,
    ) {
        let mut machine = Machine {
            vectors: Vectors::new(slots, base as usize),
            lanes,
            report,
            place: (&program.name, &program.paths),
            callers: Vec::new(),
        };
        let mut frame = Frame::new(program, base, params);
        machine.block(program, &program.nodes, &mut frame);
    }

    fn block(&mut self, program: &'a Program<L>, nodes: &'a [Node<L>], frame: &mut Frame<L>) {
        let base = self.vectors.base;
        for node in nodes {
            match node {
                Node::Op { inst, step, shift, statement } => {
                    let amount = |s: &Address| u32::try_from(s.at(&frame.counters, 0)?).ok();
                    match shift.as_ref().map_or(Some(0), amount) {
                        Some(k) => step(&mut self.vectors, inst, k),
                        None => self.fault_everywhere(*statement, Fault::Index),
                    }
                    self.report_left(*statement, Fault::LeftType);
                }
                Node::Entry { result, array, place, statement } => {
                    self.look_up(*statement, *result, *place, &frame.arrays[*array as usize]);
                }
                Node::Check(c) => self.check(c),
                Node::Load { result, array, index, statement } => {
                    match frame.element(*array, index.at(&frame.counters, 0)) {
                        Some(Source::Slot(s)) => self.vectors.copy(s as usize, base + *result as usize),
                        Some(Source::Constant(c)) => self.vectors.fill(*result, c),
                        None => self.fault_everywhere(*statement, Fault::Index),
                    }
                }
                Node::Store { array, index, value, statement, checks } => {
                    let i = index.at(&frame.counters, 0);
                    match frame.element(*array, i) {
                        Some(Source::Slot(s)) => {
                            if let Some(check) = checks.get(i.unwrap_or(0) as usize).or(checks.first()) {
                                self.check(check);
                            }
                            self.vectors.copy(base + *value as usize, s as usize);
                        }
                        _ => self.fault_everywhere(*statement, Fault::Index),
                    }
                }
                Node::Copy(moves) => {
                    for (from, to) in moves {
                        self.vectors.copy(base + *from as usize, base + *to as usize);
                    }
                }
                Node::Loop { counter, count, body } => {
                    for i in 0..*count {
                        frame.counters[*counter as usize] = i;
                        self.block(program, body, frame);
                    }
                }
                Node::Call { callee, views, statement } => self.call(program, *callee, views, *statement, frame),
            }
        }
    }

    fn call(
        &mut self,
        program: &'a Program<L>,
        callee: u32,
        views: &[PreparedView],
        statement: u32,
        frame: &mut Frame<L>,
    ) {
        let callee = &program.callees[callee as usize];
        let mut params = Vec::with_capacity(views.len());
        for view in views {
            let mut elements = Vec::with_capacity(view.len as usize);
            for j in 0..view.len as usize {
                let j = match &view.order {
                    Some(order) => order.get(j).copied(),
                    None => Some(j as i64),
                };
                match frame.element(view.array, j.and_then(|j| view.start.at(&frame.counters, j))) {
                    Some(e) => elements.push(e),
                    None => return self.fault_everywhere(statement, Fault::Index),
                }
            }
            params.push(elements);
        }
        let base = frame.base + program.slots;
        let mut inner = Frame::new(callee, base, &params);
        let caller = (self.vectors.base, self.place);
        self.callers.push((self.place.0, &self.place.1[statement as usize]));
        self.vectors.base = base as usize;
        self.place = (&callee.name, &callee.paths);
        self.block(callee, &callee.nodes, &mut inner);
        (self.vectors.base, self.place) = caller;
        self.callers.pop();
    }
}

impl<L: Cell> Machine<'_, L> {
    /// The entries at the places that the index has, lane by lane.
    fn look_up(&mut self, statement: u32, d: u32, index: u32, entries: &[Source<L>]) {
        let mut out = self.vectors.take(d);
        let mut outside = Vec::new();
        for lane in 0..self.lanes {
            let i = usize::try_from(L::get(self.vectors.slot(index), lane)).unwrap_or(usize::MAX);
            let entry = match entries.get(i) {
                Some(Source::Slot(s)) => L::get(&self.vectors.slots[*s as usize], lane),
                Some(Source::Constant(c)) => L::get(&[*c], 0),
                None => {
                    outside.push(lane);
                    0
                }
            };
            L::set(&mut out, lane, entry);
        }
        self.vectors.put(d, out);
        if !outside.is_empty() {
            self.fault(statement, Fault::Lookup, |lane| outside.binary_search(&lane).is_ok());
        }
    }

    fn check(&mut self, c: &Check<L>) {
        check(&mut self.vectors, c);
        self.report_left(c.statement, c.fault);
    }

    /// Records a fault of the lanes where the last operation left something over.
    fn report_left(&mut self, statement: u32, fault: Fault) {
        if let Some(left) = self.vectors.left_over() {
            self.fault(statement, fault, |lane| L::get(&left, lane) != 0);
        }
    }

    /// Records a fault of every lane.
    #[cold]
    fn fault_everywhere(&mut self, statement: u32, fault: Fault) {
        self.fault(statement, fault, |_| true);
    }

    /// Records a fault of the lanes for which `bad` holds, if there are any.
    #[cold]
    fn fault(&mut self, statement: u32, fault: Fault, bad: impl Fn(usize) -> bool) {
        let lanes = self.lanes;
        let mut lanes = (0..lanes).filter(|i| bad(*i)).peekable();
        let Some(&lane) = lanes.peek() else { return };
        self.report.bad.resize(self.lanes.div_ceil(64), 0);
        for i in lanes {
            self.report.bad[i / 64] |= 1 << (i % 64);
        }
        if self.report.violations.len() < Report::MOST {
            let path = self.place.1.get(statement as usize).cloned().unwrap_or_default();
            let callers = self.callers.iter().map(|(name, path)| (name.to_string(), path.to_vec())).collect();
            self.report.violations.push(Violation { kernel: self.place.0.to_string(), path, callers, lane, fault });
        }
    }
}

/// `(x − lo) mod 2^n ≤ width`, or float bounds.
fn check<L: Cell>(m: &mut Vectors<L>, c: &Check<L>) {
    match c.float {
        None => {
            let (mask, lo, width) = (L::mask(c.bits), c.lo, c.width);
            m.check(c.slot, |x| width.less(x.sub(lo) & mask));
        }
        Some((mantissa, lo, hi)) => m.check(c.slot, |x| {
            let number = number(x.first(), mantissa);
            if lo <= number && number <= hi { L::ZERO } else { L::ONE }
        }),
    }
}
