//! Runs a kernel on forms: loops run, local arrays are memory, calls are entered but for those that the program has a
//! routine for: of these the results are [atoms](super::calls). **Trusted.**
//!
//! What the kernel's proof knows becomes equations: exact operations do not leave their type, values lie in their
//! proved intervals. The kernel must be one that `ir::verify` accepts, and its intervals true: that is what `Proved`
//! says.

use std::collections::HashSet;

use evariste_ir::unroll::{evaluate, view_elements};
use evariste_ir::{Array, ArrayKind, Kernel, Loop, Op, Stmt, Type, Value};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use super::calls::Call;
use super::memory::{Arrays, bounds_of, is_sliced, unsigned_bounds};
use super::operation::{Item, Operands, execute};
use super::routines::Routines;
use super::terms::{Flag, Terms, Word};

/// What the checker cannot follow, in words.
pub type Unsupported = String;

/// Where an element of an array of the running kernel lives.
#[derive(Clone, PartialEq)]
enum Place {
    /// Element of a class of the parameters' memory.
    Param(usize, usize),
    /// Element of the pool of local elements.
    Local(usize),
    /// An entry of a table in the pool of local elements, shown to a callee: nothing that a pointer could reach.
    Entry(usize),
}

/// Do the elements lie one behind the other, so that a pointer shows them?
fn in_one_piece(places: &[Place]) -> bool {
    let next = |place: &Place| match place {
        Place::Param(class, i) => Some(Place::Param(*class, i + 1)),
        Place::Local(i) => Some(Place::Local(i + 1)),
        Place::Entry(_) => None,
    };
    !places.is_empty()
        && !matches!(places[0], Place::Entry(_))
        && places.windows(2).all(|w| next(&w[0]).as_ref() == Some(&w[1]))
}

/// The elements of each array of a frame; tables have none.
type Frame = Vec<Vec<Place>>;

/// The most statements that are run.
const MOST_STEPS: u64 = 20_000_000;

/// Calls that are not entered: their kernels, by number.
pub struct Atoms<'a> {
    /// The numbers.
    pub routines: &'a Routines<'a>,
    /// Which of them.
    pub kernels: HashSet<u32>,
}

/// Runs `kernel` on that group of elements in the memory; gives the number of statements run.
///
/// # Errors
/// An operation that the checker does not know; what a verified kernel does not do (reading what is undefined).
pub fn run(
    terms: &mut Terms,
    kernel: &Kernel,
    memory: &mut Arrays,
    group: u32,
    atoms: &Atoms<'_>,
) -> Result<u64, Unsupported> {
    let mut runner = Runner { terms, memory, atoms, locals: Vec::new(), steps: 0 };
    let params: Vec<Array> = kernel.params().collect();
    let mut frame: Frame = vec![Vec::new(); kernel.arrays.len()];
    for (p, a) in params.iter().enumerate() {
        let class = runner.memory.class[p];
        let len = kernel.array(*a).len as usize;
        frame[a.0 as usize] = (0..len).map(|i| Place::Param(class, len * group as usize + i)).collect();
    }
    runner.enter(kernel, frame)?;
    Ok(runner.steps)
}

struct Runner<'a> {
    terms: &'a mut Terms,
    memory: &'a mut Arrays,
    atoms: &'a Atoms<'a>,
    locals: Vec<Option<Item>>,
    steps: u64,
}

struct Running<'k> {
    kernel: &'k Kernel,
    frame: Frame,
    values: Vec<Option<Item>>,
    counters: Vec<u32>,
}

impl Running<'_> {
    fn item(&self, v: Value) -> Result<Item, Unsupported> {
        self.values[v.0 as usize]
            .clone()
            .ok_or_else(|| format!("{}: a value is used before it is defined", self.kernel.name))
    }

    fn ty(&self, v: Value) -> Type {
        self.kernel.value(v).ty
    }

    /// Is the value, as its proof knows it, never negative?
    fn unsigned(&self, v: Value) -> bool {
        self.kernel.value(v).range.lo >= BigInt::zero()
    }
}

impl Runner<'_> {
    fn enter(&mut self, kernel: &Kernel, mut frame: Frame) -> Result<(), Unsupported> {
        for (a, info) in kernel.arrays.iter().enumerate() {
            if info.kind == ArrayKind::Local {
                let start = self.locals.len();
                self.locals.resize(start + info.len as usize, None);
                frame[a] = (start..self.locals.len()).map(Place::Local).collect();
            }
        }
        let locals = self.locals.len();
        let mut running = Running { kernel, frame, values: vec![None; kernel.values.len()], counters: Vec::new() };
        self.block(&mut running, &kernel.body)?;
        self.locals.truncate(locals);
        Ok(())
    }

    fn block(&mut self, r: &mut Running<'_>, body: &[Stmt]) -> Result<(), Unsupported> {
        for stmt in body {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(format!("more than {MOST_STEPS} statements run"));
            }
            match stmt {
                Stmt::Op { op, args, results } => self.op(r, op, args, results)?,
                Stmt::Load { result, array, index } => {
                    let item = self.load(r, *array, index)?;
                    self.define(r, *result, item)?;
                }
                Stmt::Store { array, index, value } => {
                    let item = r.item(*value)?;
                    let i = self.element(r, *array, index)?;
                    self.write(&r.frame[array.0 as usize][i], item)?;
                }
                Stmt::Loop(l) => self.repeat(r, l)?,
                Stmt::Call { callee, args } => {
                    let callee = r.kernel.callees[*callee as usize].clone();
                    let mut frame: Frame = vec![Vec::new(); callee.arrays.len()];
                    for (view, param) in args.iter().zip(callee.params()) {
                        let shown = view_elements(r.kernel, view, &r.counters, callee.array(param).len);
                        let places = &r.frame[view.array.0 as usize];
                        for i in shown {
                            let place =
                                match (&r.kernel.array(view.array).kind, i.and_then(|i| usize::try_from(i).ok())) {
                                    (ArrayKind::Table(entries), Some(i)) if i < entries.len() => {
                                        // A table that is shown to a callee: its entries as local elements.
                                        let entry = self.constant(
                                            r.kernel.array(view.array).ty,
                                            &entries[i],
                                            is_sliced(r.kernel),
                                        )?;
                                        self.locals.push(Some(entry));
                                        Place::Entry(self.locals.len() - 1)
                                    }
                                    (_, Some(i)) if i < places.len() => places[i].clone(),
                                    _ => return Err(format!("{}: a view leaves its array", r.kernel.name)),
                                };
                            frame[param.0 as usize].push(place);
                        }
                    }
                    let number = self.atoms.routines.number(&callee).filter(|n| self.atoms.kernels.contains(n));
                    match number.filter(|_| callee.params().all(|p| in_one_piece(&frame[p.0 as usize]))) {
                        Some(number) => self.apply(number, &callee, &frame)?,
                        None => self.enter(&callee, frame)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// A call that is not entered: its results are functions of what the parameters hold.
    fn apply(&mut self, number: u32, callee: &Kernel, frame: &Frame) -> Result<(), Unsupported> {
        let mut call = Call { kernel: number, inputs: Vec::new() };
        for p in callee.params().filter(|p| callee.array(*p).kind != ArrayKind::Output) {
            for place in &frame[p.0 as usize] {
                match self.read(place) {
                    Some(Item::Words(limbs)) if limbs.len() == 1 => {
                        call.inputs.push(self.terms.refresh_word(limbs[0]));
                    }
                    _ => return Err(format!("{} is called on what is no word", callee.name)),
                }
            }
        }
        let (call, mut i) = (self.terms.call(call), 0);
        for p in callee.params().filter(|p| callee.array(*p).kind != ArrayKind::Input) {
            let info = callee.array(p);
            for (j, place) in frame[p.0 as usize].iter().enumerate() {
                let bounds = unsigned_bounds(self.terms, callee, info.ty, info.range(j as u32));
                let result = self.terms.result(call, i, Some(bounds));
                let word = self.terms.word(result);
                self.write(place, Item::Words(vec![word]))?;
                i += 1;
            }
        }
        Ok(())
    }

    fn repeat(&mut self, r: &mut Running<'_>, l: &Loop) -> Result<(), Unsupported> {
        let c = l.counter.0 as usize;
        if r.counters.len() <= c {
            r.counters.resize(c + 1, 0);
        }
        let mut carried = Vec::new();
        for x in &l.carried {
            carried.push(r.item(x.init)?);
        }
        for i in 0..l.count {
            r.counters[c] = i;
            for (x, item) in l.carried.iter().zip(carried) {
                self.define(r, x.inner, item)?;
            }
            self.block(r, &l.body)?;
            carried = l.carried.iter().map(|x| r.item(x.next)).collect::<Result<_, _>>()?;
        }
        for (x, item) in l.carried.iter().zip(carried) {
            self.define(r, x.result, item)?;
        }
        Ok(())
    }

    /// Gives a value its item, and writes down what its proved interval says.
    fn define(&mut self, r: &mut Running<'_>, v: Value, item: Item) -> Result<(), Unsupported> {
        let info = r.kernel.value(v);
        // What is known of a double is its number; the item is its pattern.
        if !is_sliced(r.kernel) && !matches!(info.ty, Type::Float(_)) {
            match (&item, bounds_of(&info.range)) {
                (Item::Words(limbs), Some((lo, hi))) => {
                    self.terms.bound_word(limbs[0], lo, hi);
                    let limbs = limbs.clone();
                    if lo == hi {
                        self.learn(limbs[0], lo);
                    }
                    // The interval fits one limb.
                    for limb in &limbs[1..] {
                        self.learn(*limb, 0);
                    }
                }
                (Item::Flag(f), Some((lo, hi))) if lo == hi => {
                    let bit = self.terms.sum(&[(f.0, 1)], -i128::from(lo != 0));
                    self.terms.learn_zero(bit);
                }
                _ => {}
            }
        }
        let item = match item {
            Item::Flag(f) => Item::Flag(self.terms.refresh(f)),
            Item::Words(limbs) => Item::Words(limbs.into_iter().map(|x| self.terms.refresh_word(x)).collect()),
        };
        r.values[v.0 as usize] = Some(item);
        Ok(())
    }

    fn learn(&mut self, x: Word, value: i128) {
        let int = self.terms.int(x);
        let zero = self.terms.sum(&[(int, 1)], -value);
        self.terms.learn_zero(zero);
    }

    fn element(&mut self, r: &Running<'_>, array: Array, index: &evariste_ir::Index) -> Result<usize, Unsupported> {
        let info = r.kernel.array(array);
        let i = evaluate(r.kernel, index, &r.counters, Some(info.len)).and_then(|i| usize::try_from(i).ok());
        i.filter(|i| *i < info.len as usize).ok_or_else(|| format!("{}: an index leaves {}", r.kernel.name, info.name))
    }

    fn load(&mut self, r: &Running<'_>, array: Array, index: &evariste_ir::Index) -> Result<Item, Unsupported> {
        let i = self.element(r, array, index)?;
        let info = r.kernel.array(array);
        if let ArrayKind::Table(entries) = &info.kind {
            return self.constant(info.ty, &entries[i], is_sliced(r.kernel));
        }
        self.read(&r.frame[array.0 as usize][i])
            .ok_or_else(|| format!("{}: {}[{i}] is read before it is written", r.kernel.name, info.name))
    }

    fn read(&self, place: &Place) -> Option<Item> {
        match place {
            Place::Param(class, i) => self.memory.elements[*class][*i].map(|w| Item::Words(vec![w])),
            Place::Local(i) | Place::Entry(i) => self.locals[*i].clone(),
        }
    }

    fn write(&mut self, place: &Place, item: Item) -> Result<(), Unsupported> {
        match (place, item) {
            (Place::Local(i), item) => self.locals[*i] = Some(item),
            (Place::Param(class, i), Item::Words(limbs)) if limbs.len() == 1 => {
                self.memory.elements[*class][*i] = Some(limbs[0]);
            }
            _ => return Err("a parameter of flags, masks or wide words".to_string()),
        }
        Ok(())
    }

    fn constant(&mut self, ty: Type, c: &BigInt, sliced: bool) -> Result<Item, Unsupported> {
        if let Type::Float(_) = ty {
            // The kernel's proof shows that doubles hold its constants.
            return Ok(Item::Words(vec![self.terms.word_constant(c.to_f64().map_or(0, f64::to_bits))]));
        }
        let size = BigInt::one() << ty.bits();
        let pattern = ((c % &size) + &size) % &size;
        if matches!(ty, Type::Mask(_)) && !pattern.is_zero() && pattern != &size - 1 {
            return Err(format!("{c} is no mask: all bits of one are alike"));
        }
        if sliced {
            return Ok(Item::Words(vec![self.terms.word_constant(if pattern.is_zero() { 0 } else { u64::MAX })]));
        }
        Ok(match ty {
            Type::Flag | Type::Mask(_) => {
                let bit = self.terms.constant(i128::from(!pattern.is_zero()));
                Item::Flag(Flag(bit))
            }
            _ => {
                let limb = |i: u32| ((&pattern >> (64 * i)) & BigInt::from(u64::MAX)).to_u64().unwrap_or(0);
                Item::Words((0..ty.bits().div_ceil(64)).map(|i| self.terms.word_constant(limb(i))).collect())
            }
        })
    }

    fn op(&mut self, r: &mut Running<'_>, op: &Op, args: &[Value], results: &[Value]) -> Result<(), Unsupported> {
        let mut items = Vec::with_capacity(args.len());
        for v in args {
            items.push(r.item(*v)?);
        }
        let amount = op.amount().map(|k| evaluate(r.kernel, k, &r.counters, None).and_then(|k| u32::try_from(k).ok()));
        let amount = match amount {
            Some(None) => return Err(format!("{}: a shift by no amount", r.kernel.name)),
            Some(Some(k)) => k,
            None => 0,
        };
        let unsupported = || {
            format!(
                "the checker does not follow {} on {:?}",
                op.name(),
                args.iter().map(|v| r.ty(*v)).collect::<Vec<_>>()
            )
        };
        let out = if let Op::Lookup { table, .. } = op {
            self.look_up(r, *table, &items[0]).ok_or_else(unsupported)?
        } else if is_sliced(r.kernel) {
            self.sliced(op, &items).ok_or_else(unsupported)?
        } else {
            let types: Vec<Type> = results.iter().map(|v| r.ty(*v)).collect();
            let from: Vec<Type> = args.iter().map(|v| r.ty(*v)).collect();
            let unsigned = args.iter().chain(results).all(|v| r.unsigned(*v));
            let on = Operands { from: &from, args: &items, to: &types, amount, unsigned };
            execute(self.terms, op, &on).ok_or_else(unsupported)?
        };
        let out = match op {
            Op::Const(c) => vec![self.constant(r.ty(results[0]), c, is_sliced(r.kernel))?],
            _ => out,
        };
        for (v, item) in results.iter().zip(out) {
            self.define(r, *v, item)?;
        }
        Ok(())
    }

    /// The entry at a secret index, which is below the table's length: where machines look up, an atom, else by a scan, each
    /// entry replacing what was found before where the index is its place.
    fn look_up(&mut self, r: &Running<'_>, table: Array, index: &Item) -> Option<Vec<Item>> {
        let (Item::Words(index), false) = (index, is_sliced(r.kernel)) else { return None };
        let info = r.kernel.array(table);
        let (ArrayKind::Table(entries), &[index]) = (&info.kind, index.as_slice()) else { return None };
        if self.terms.whole_look_ups {
            let words = |entry| match self.constant(info.ty, entry, false) {
                Ok(Item::Words(words)) if words.len() == 1 => self.terms.word_value(words[0]),
                _ => None,
            };
            let entries: Vec<u64> = entries.iter().map(words).collect::<Option<_>>()?;
            return Some(vec![Item::Words(vec![self.terms.look_up(&entries, index)])]);
        }
        let mut found: Option<Vec<Word>> = None;
        for (i, entry) in entries.iter().enumerate() {
            let Ok(Item::Words(entry)) = self.constant(info.ty, entry, false) else { return None };
            let place = self.terms.word_constant(i as u64);
            let distance = self.terms.sub(index, place, 64);
            let elsewhere = self.terms.nonzero(distance);
            let here = self.terms.complement(elsewhere);
            let zero = self.terms.word_constant(0);
            let before = found.unwrap_or_else(|| vec![zero; entry.len()]);
            found = Some(entry.iter().zip(before).map(|(x, y)| self.terms.select(here, *x, y)).collect());
        }
        Some(vec![Item::Words(found?)])
    }

    /// Operations on 64 lanes of one bit.
    fn sliced(&mut self, op: &Op, items: &[Item]) -> Option<Vec<Item>> {
        if matches!(op, Op::Const(_)) {
            return Some(Vec::new());
        }
        let mut x = Vec::new();
        for item in items {
            match item {
                Item::Words(limbs) if limbs.len() == 1 => x.push(limbs[0]),
                _ => return None,
            }
        }
        let t = &mut *self.terms;
        let out = match (op, x.as_slice()) {
            (Op::And | Op::Mul | Op::WrappingMul, [a, b]) => t.and(*a, *b),
            (Op::Or, [a, b]) => t.or(*a, *b),
            (Op::Xor | Op::WrappingAdd | Op::WrappingSub, [a, b]) => t.xor(*a, *b),
            (Op::Not, [a]) => t.not(*a, 64),
            (Op::AndNot, [a, b]) => t.and_not(*a, *b, 64),
            (Op::Equal, [a, b]) => {
                let differ = t.xor(*a, *b);
                t.not(differ, 64)
            }
            // Of bits: the first is 0 and the second 1.
            (Op::Less, [a, b]) => t.and_not(*b, *a, 64),
            (Op::FlagToWord | Op::FlagToMask | Op::MaskToWord | Op::MaskToFlag, [a]) => *a,
            // b, and where the mask is set what it differs by from a.
            (Op::Select, [m, a, b]) => {
                let differ = t.xor(*a, *b);
                let differ = t.and(differ, *m);
                t.xor(differ, *b)
            }
            _ => return None,
        };
        Some(vec![Item::Words(vec![out])])
    }
}
