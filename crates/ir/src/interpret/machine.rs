//! Walks a prepared kernel over a block of lanes.

use super::lane::Lane;
use super::program::{Check, Inst, Node, Place, PreparedView, Program};
use super::report::{Fault, Report, Violation};
use crate::op::Op;

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
    pub slots: &'a mut [Vec<L>],
    pub lanes: usize,
    pub report: &'a mut Report,
    /// First slot of the current frame.
    pub base: usize,
    /// The current kernel's name and statement paths (for messages), and those of the callers.
    place: (&'a str, &'a [Vec<u32>]),
    callers: Vec<(&'a str, &'a [u32])>,
}

/// How operations act on vectors of such cells.
pub(crate) trait Execute: Lane {
    /// Runs one operation on all lanes.
    fn execute(machine: &mut Machine<Self>, inst: &Inst<Self>, shift: u32);
    /// Checks `(x − lo) mod 2^n ≤ width` on all lanes of a slot; calls `machine.fault` where it fails.
    fn check(machine: &mut Machine<Self>, check: &Check<Self>);
}

impl<L: Lane> Frame<L> {
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

impl<'a, L: Execute> Machine<'a, L> {
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
            slots,
            lanes,
            report,
            base: base as usize,
            place: (&program.name, &program.paths),
            callers: Vec::new(),
        };
        let mut frame = Frame::new(program, base, params);
        machine.block(program, &program.nodes, &mut frame);
    }

    fn block(&mut self, program: &'a Program<L>, nodes: &'a [Node<L>], frame: &mut Frame<L>) {
        for node in nodes {
            match node {
                Node::Op(Inst { op: Op::Lookup { table, .. }, args, results, statement, .. }) => {
                    self.look_up(*statement, results[0].slot, args[0].slot, &frame.arrays[table.0 as usize]);
                }
                Node::Op(inst) => {
                    let shift = match &inst.shift {
                        None => 0,
                        Some(s) => match s.at(&frame.counters, 0).and_then(|k| u32::try_from(k).ok()) {
                            Some(k) => k,
                            None => {
                                self.fault_everywhere(inst.statement, Fault::Index);
                                continue;
                            }
                        },
                    };
                    L::execute(self, inst, shift);
                }
                Node::Check(check) => L::check(self, check),
                Node::Load { result, array, index, statement } => {
                    match frame.element(*array, index.at(&frame.counters, 0)) {
                        Some(Source::Slot(s)) => self.copy(s as usize, self.base + *result as usize),
                        Some(Source::Constant(c)) => self.slots[self.base + *result as usize].fill(c),
                        None => self.fault_everywhere(*statement, Fault::Index),
                    }
                }
                Node::Store { array, index, value, statement, checks } => {
                    let i = index.at(&frame.counters, 0);
                    match frame.element(*array, i) {
                        Some(Source::Slot(s)) => {
                            if let Some(check) = checks.get(i.unwrap_or(0) as usize).or(checks.first()) {
                                L::check(self, check);
                            }
                            self.copy(self.base + *value as usize, s as usize);
                        }
                        _ => self.fault_everywhere(*statement, Fault::Index),
                    }
                }
                Node::Copy(moves) => {
                    for (from, to) in moves {
                        self.copy(self.base + *from as usize, self.base + *to as usize);
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
        let caller = (self.base, self.place);
        self.callers.push((self.place.0, &self.place.1[statement as usize]));
        self.base = base as usize;
        self.place = (&callee.name, &callee.paths);
        self.block(callee, &callee.nodes, &mut inner);
        (self.base, self.place) = caller;
        self.callers.pop();
    }
}

impl<L: Lane> Machine<'_, L> {
    /// The entries at the places that the index has, lane by lane.
    fn look_up(&mut self, statement: u32, d: u32, index: u32, entries: &[Source<L>]) {
        let mut out = self.take(d);
        let mut outside = Vec::new();
        for lane in 0..self.lanes {
            let i = usize::try_from(L::get(self.slot(index), lane)).unwrap_or(usize::MAX);
            let entry = match entries.get(i) {
                Some(Source::Slot(s)) => L::get(&self.slots[*s as usize], lane),
                Some(Source::Constant(c)) => L::get(&[*c], 0),
                None => {
                    outside.push(lane);
                    0
                }
            };
            L::set(&mut out, lane, entry);
        }
        self.put(d, out);
        if !outside.is_empty() {
            self.fault(statement, Fault::Lookup, |lane| outside.binary_search(&lane).is_ok());
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        let mut out = std::mem::take(&mut self.slots[to]);
        out.copy_from_slice(&self.slots[from]);
        self.slots[to] = out;
    }

    /// Records a fault of every lane.
    #[cold]
    pub fn fault_everywhere(&mut self, statement: u32, fault: Fault) {
        self.fault(statement, fault, |_| true);
    }

    /// Records a fault of the lanes for which `bad` holds, if there are any.
    #[cold]
    pub fn fault(&mut self, statement: u32, fault: Fault, bad: impl Fn(usize) -> bool) {
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

    // Maps over lane vectors. `d` is a result's slot, `a, b, c, e` are operands' slots; no result shares a slot with an
    // operand.

    fn take(&mut self, d: u32) -> Vec<L> {
        std::mem::take(&mut self.slots[self.base + d as usize])
    }

    fn put(&mut self, d: u32, v: Vec<L>) {
        self.slots[self.base + d as usize] = v;
    }

    /// The lane vector of a frame's slot.
    pub fn slot(&self, a: u32) -> &[L] {
        &self.slots[self.base + a as usize]
    }

    pub fn fill(&mut self, d: u32, value: L) {
        self.slots[self.base + d as usize].fill(value);
    }

    pub fn move_slot(&mut self, d: u32, a: u32) {
        self.copy(self.base + a as usize, self.base + d as usize);
    }

    #[inline(always)]
    pub fn map1(&mut self, d: u32, a: u32, f: impl Fn(L) -> L) {
        let mut out = self.take(d);
        for (o, a) in out.iter_mut().zip(self.slot(a)) {
            *o = f(*a);
        }
        self.put(d, out);
    }

    #[inline(always)]
    pub fn map2(&mut self, d: u32, a: u32, b: u32, f: impl Fn(L, L) -> L) {
        let mut out = self.take(d);
        for ((o, a), b) in out.iter_mut().zip(self.slot(a)).zip(self.slot(b)) {
            *o = f(*a, *b);
        }
        self.put(d, out);
    }

    #[inline(always)]
    pub fn map3(&mut self, d: u32, a: u32, b: u32, c: u32, f: impl Fn(L, L, L) -> L) {
        let mut out = self.take(d);
        for (((o, a), b), c) in out.iter_mut().zip(self.slot(a)).zip(self.slot(b)).zip(self.slot(c)) {
            *o = f(*a, *b, *c);
        }
        self.put(d, out);
    }

    /// `d = f(d, a, b)`.
    #[inline(always)]
    pub fn accumulate2(&mut self, d: u32, a: u32, b: u32, f: impl Fn(L, L, L) -> L) {
        let mut out = self.take(d);
        for ((o, a), b) in out.iter_mut().zip(self.slot(a)).zip(self.slot(b)) {
            *o = f(*o, *a, *b);
        }
        self.put(d, out);
    }

    #[inline(always)]
    pub fn map2_pair(&mut self, d: [u32; 2], a: u32, b: u32, f: impl Fn(L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(d[0]), self.take(d[1]));
        for (((l, h), a), b) in lo.iter_mut().zip(&mut hi).zip(self.slot(a)).zip(self.slot(b)) {
            (*l, *h) = f(*a, *b);
        }
        self.put(d[0], lo);
        self.put(d[1], hi);
    }

    #[inline(always)]
    pub fn map3_pair(&mut self, d: [u32; 2], args: [u32; 3], f: impl Fn(L, L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(d[0]), self.take(d[1]));
        let [a, b, c] = args.map(|a| self.slot(a));
        for ((((l, h), a), b), c) in lo.iter_mut().zip(&mut hi).zip(a).zip(b).zip(c) {
            (*l, *h) = f(*a, *b, *c);
        }
        self.put(d[0], lo);
        self.put(d[1], hi);
    }

    #[inline(always)]
    pub fn map4_pair(&mut self, d: [u32; 2], args: [u32; 4], f: impl Fn(L, L, L, L) -> (L, L)) {
        let (mut lo, mut hi) = (self.take(d[0]), self.take(d[1]));
        let [a, b, c, e] = args.map(|a| self.slot(a));
        for (((((l, h), a), b), c), e) in lo.iter_mut().zip(&mut hi).zip(a).zip(b).zip(c).zip(e) {
            (*l, *h) = f(*a, *b, *c, *e);
        }
        self.put(d[0], lo);
        self.put(d[1], hi);
    }
}

/// How an exact operation ends: the operation's result and what is left over (zero when it was exact).
pub(crate) trait Leftover: Lane {
    fn or(self, other: Self) -> Self;
    /// Has lane `lane % LANES` of the cell something left over?
    fn any(self) -> bool;
    fn lane(self, lane: usize) -> bool;
}

impl<L: Leftover> Machine<'_, L> {
    /// One operand; `f` gives the result and what is left over.
    #[inline(always)]
    pub fn exact1(&mut self, inst: &Inst<L>, f: impl Fn(L) -> (L, L)) {
        let (d, a) = (inst.results[0].slot, inst.args[0].slot);
        let mut out = self.take(d);
        let mut left = L::default();
        for (o, a) in out.iter_mut().zip(self.slot(a)) {
            let (r, bad) = f(*a);
            *o = r;
            left = left.or(bad);
        }
        if left.any() {
            let bad: Vec<L> = self.slot(a).iter().map(|a| f(*a).1).collect();
            self.fault(inst.statement, Fault::LeftType, |i| bad[i / L::LANES].lane(i));
        }
        self.put(d, out);
    }

    /// Two operands.
    #[inline(always)]
    pub fn exact2(&mut self, inst: &Inst<L>, f: impl Fn(L, L) -> (L, L)) {
        let (d, a, b) = (inst.results[0].slot, inst.args[0].slot, inst.args[1].slot);
        let mut out = self.take(d);
        let mut left = L::default();
        for ((o, a), b) in out.iter_mut().zip(self.slot(a)).zip(self.slot(b)) {
            let (r, bad) = f(*a, *b);
            *o = r;
            left = left.or(bad);
        }
        if left.any() {
            let bad: Vec<L> = self.slot(a).iter().zip(self.slot(b)).map(|(a, b)| f(*a, *b).1).collect();
            self.fault(inst.statement, Fault::LeftType, |i| bad[i / L::LANES].lane(i));
        }
        self.put(d, out);
    }

    /// Three operands.
    #[inline(always)]
    pub fn exact3(&mut self, inst: &Inst<L>, f: impl Fn(L, L, L) -> (L, L)) {
        let (d, a, b, c) = (inst.results[0].slot, inst.args[0].slot, inst.args[1].slot, inst.args[2].slot);
        let mut out = self.take(d);
        let mut left = L::default();
        for (((o, a), b), c) in out.iter_mut().zip(self.slot(a)).zip(self.slot(b)).zip(self.slot(c)) {
            let (r, bad) = f(*a, *b, *c);
            *o = r;
            left = left.or(bad);
        }
        if left.any() {
            let bad: Vec<L> =
                self.slot(a).iter().zip(self.slot(b)).zip(self.slot(c)).map(|((a, b), c)| f(*a, *b, *c).1).collect();
            self.fault(inst.statement, Fault::LeftType, |i| bad[i / L::LANES].lane(i));
        }
        self.put(d, out);
    }

    /// Calls [`Machine::fault`] for the lanes of a slot where `f` leaves something.
    #[inline(always)]
    pub fn check_cells(&mut self, check: &Check<L>, f: impl Fn(L) -> L) {
        let left = self.slot(check.slot).iter().fold(L::default(), |left, x| left.or(f(*x)));
        if left.any() {
            let bad: Vec<L> = self.slot(check.slot).iter().map(|x| f(*x)).collect();
            self.fault(check.statement, check.fault, |i| bad[i / L::LANES].lane(i));
        }
    }
}
