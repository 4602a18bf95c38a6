//! Executes a kernel's statements over any domain of values: loops unrolled, arrays as lists of values, calls by the
//! domain or inlined. The translation into equations is one domain; the claims that are no equations have small ones of
//! their own.

mod whole;

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Carried, Index, Kernel, Loop, Op, Stmt, Type, Value, View};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

use whole::Whole;
pub use whole::Wholes;

/// Why a kernel cannot be executed.
pub type Failure = String;

/// The contents of a kernel's arrays.
pub type Arrays<V> = Vec<Vec<Option<V>>>;

/// Most statements after unrolling.
const MOST_STEPS: u64 = 20_000_000;

/// An operation with all that its meaning depends on.
pub struct Applied<'a> {
    /// The kernel that it stands in.
    pub kernel: &'a Kernel,
    /// The operation.
    pub op: &'a Op,
    /// The operands' names.
    pub args: &'a [Value],
    /// Types of the operands.
    pub arg_types: &'a [Type],
    /// Types of the results (at least one).
    pub types: &'a [Type],
    /// The results' names.
    pub results: &'a [Value],
    /// The public amount of a shift, at most the bits of the type.
    pub shift: u32,
    /// The entries of the constant table of a look-up.
    pub table: &'a [BigInt],
}

/// A domain of values.
pub trait Domain {
    /// A value.
    type V: Clone;

    /// The results of an operation. After the operands of a look-up in a local array come what the array holds.
    fn apply(&mut self, o: &Applied, args: &[Self::V]) -> Result<Vec<Self::V>, Failure>;

    /// An entry of a constant table.
    fn constant(&mut self, c: &BigInt, ty: Type) -> Self::V;

    /// The contents of the written parameters after a call, given the contents before; `None` to inline the callee.
    fn call(
        &mut self,
        callee: &std::sync::Arc<Kernel>,
        arrays: &Arrays<Self::V>,
    ) -> Result<Option<Arrays<Self::V>>, Failure> {
        let _ = (callee, arrays);
        Ok(None)
    }

    /// A word as its name's declared range reads it.
    fn loaded(&mut self, kernel: &Kernel, name: Value, x: &Self::V) -> Self::V {
        let _ = (kernel, name);
        x.clone()
    }

    /// A value gets its name.
    fn define(&mut self, kernel: &Kernel, name: Value, x: &Self::V) {
        let _ = (kernel, name, x);
    }

    /// A value enters an array.
    fn store(&mut self, kernel: &Kernel, array: Array, i: usize, x: &Self::V) {
        let _ = (kernel, array, i, x);
    }

    /// A carried value starts iteration `i`.
    fn carry(&mut self, kernel: &Kernel, carried: &Carried, i: u32, x: &Self::V) {
        let _ = (kernel, carried, i, x);
    }

    /// What the domain needs to take loops as a whole, if it does: their bodies then run once, for any iteration.
    fn wholes(&mut self) -> Option<&mut dyn Wholes<Self::V>> {
        None
    }
}

/// One kernel in execution.
struct Frame<'k, D: Domain> {
    kernel: &'k Kernel,
    arrays: Arrays<D::V>,
    env: Vec<Option<D::V>>,
    counters: Vec<i64>,
    whole: Option<Whole>,
}

/// Executes a kernel on the given array contents (tables are filled in); gives the contents at the end and the number
/// of statements.
pub fn run<D: Domain>(domain: &mut D, kernel: &Kernel, arrays: Arrays<D::V>) -> Result<(Arrays<D::V>, u64), Failure> {
    let mut steps = 0;
    let arrays = execute(domain, kernel, arrays, &mut steps)?;
    Ok((arrays, steps))
}

fn execute<D: Domain>(
    domain: &mut D,
    kernel: &Kernel,
    mut arrays: Arrays<D::V>,
    steps: &mut u64,
) -> Result<Arrays<D::V>, Failure> {
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if let ArrayKind::Table(entries) = &info.kind {
            *cells = entries.iter().map(|c| Some(domain.constant(c, info.ty))).collect();
        }
    }
    let mut frame = Frame { kernel, arrays, env: vec![None; kernel.values.len()], counters: Vec::new(), whole: None };
    frame.block(domain, &kernel.body, steps)?;
    Ok(frame.arrays)
}

/// The bits of a constant of that type, read as an unsigned number.
pub fn pattern(c: &BigInt, ty: Type) -> BigInt {
    c.mod_floor(&pow2(ty.bits()))
}

/// Empty arrays of the right lengths.
pub fn empty<V: Clone>(kernel: &Kernel) -> Arrays<V> {
    kernel.arrays.iter().map(|a| vec![None; a.len as usize]).collect()
}

impl<'k, D: Domain> Frame<'k, D> {
    fn index(&self, index: &Index, length: Option<u32>) -> Result<i64, Failure> {
        let overflow = || "an index overflows".to_string();
        if self.follows(index).is_some() {
            return Err("an index follows the counter of a loop that is taken as a whole".into());
        }
        let mut i = index.base;
        for (c, k) in &index.terms {
            let counter = self.counters.get(c.0 as usize).ok_or("an index uses a counter outside its loop")?;
            i = k.checked_mul(*counter).and_then(|x| i.checked_add(x)).ok_or_else(overflow)?;
        }
        if let Some((table, inner)) = &index.table {
            let ArrayKind::Table(entries) = &self.kernel.array(*table).kind else {
                return Err("an index looks into no table".into());
            };
            let at = self.index(inner, Some(entries.len() as u32))?;
            let entry =
                entries.get(at as usize).and_then(|e| e.to_i64()).ok_or("an entry of an index table is too large")?;
            i = i.checked_add(entry).ok_or_else(overflow)?;
        }
        match length {
            Some(n) if index.modulo => Ok(i.rem_euclid(n as i64)),
            Some(n) if !(0..n as i64).contains(&i) => Err(format!("index {i} of an array of length {n}")),
            _ => Ok(i),
        }
    }

    fn cell(&self, array: Array, index: &Index) -> Result<usize, Failure> {
        Ok(self.index(index, Some(self.kernel.array(array).len))? as usize)
    }

    fn cells(&self, len: u32, view: &View) -> Result<Vec<usize>, Failure> {
        let order: Option<&[BigInt]> = match view.order.map(|t| &self.kernel.array(t).kind) {
            None => None,
            Some(ArrayKind::Table(entries)) if entries.len() >= len as usize => Some(entries),
            Some(_) => return Err("a view's order is no table of its length".into()),
        };
        (0..len)
            .map(|j| {
                let offset = match order {
                    Some(entries) => {
                        i64::try_from(&entries[j as usize]).map_err(|_| "an entry of an order is too large")?
                    }
                    None => j as i64,
                };
                let base = view.start.base.checked_add(offset).ok_or("an index overflows")?;
                self.cell(view.array, &Index { base, ..view.start.clone() })
            })
            .collect()
    }

    fn get(&self, v: Value) -> Result<D::V, Failure> {
        self.env
            .get(v.0 as usize)
            .and_then(|x| x.clone())
            .ok_or_else(|| format!("v{} is used before it is defined", v.0))
    }

    fn set(&mut self, domain: &mut D, v: Value, x: D::V) {
        domain.define(self.kernel, v, &x);
        self.env[v.0 as usize] = Some(x);
    }

    fn write(&mut self, domain: &mut D, array: Array, i: usize, x: D::V) {
        domain.store(self.kernel, array, i, &x);
        self.arrays[array.0 as usize][i] = Some(x);
    }

    fn block(&mut self, domain: &mut D, body: &'k [Stmt], steps: &mut u64) -> Result<(), Failure> {
        for stmt in body {
            *steps += 1;
            if *steps > MOST_STEPS {
                return Err("too many statements after unrolling".into());
            }
            match stmt {
                Stmt::Op { op, args, results } => self.operation(domain, op, args, results)?,
                Stmt::Load { result, array, index } => {
                    let x = match self.place(domain, *array, index)? {
                        Ok(i) => self.arrays[array.0 as usize][i].clone().ok_or_else(|| {
                            format!("{}[{i}] is read before it is written", self.kernel.array(*array).name)
                        })?,
                        Err(x) => x,
                    };
                    let x = domain.loaded(self.kernel, *result, &x);
                    self.set(domain, *result, x);
                }
                Stmt::Store { array, index, value } => {
                    let i = self.cell(*array, index)?;
                    let x = self.get(*value)?;
                    self.write(domain, *array, i, x);
                }
                Stmt::Loop(l) => self.repeat(domain, l, steps)?,
                Stmt::Call { callee, args } => self.call(domain, *callee, args, steps)?,
            }
        }
        Ok(())
    }

    fn operation(&mut self, domain: &mut D, op: &Op, args: &[Value], results: &[Value]) -> Result<(), Failure> {
        let kernel = self.kernel;
        let mut operands: Vec<D::V> = args.iter().map(|v| self.get(*v)).collect::<Result<_, _>>()?;
        let arg_types: Vec<Type> = args.iter().map(|v| kernel.value(*v).ty).collect();
        let types: Vec<Type> = results.iter().map(|v| kernel.value(*v).ty).collect();
        if types.is_empty() || op.operands().is_some_and(|n| n != args.len()) {
            return Err(format!("{} with the wrong number of operands or results", op.name()));
        }
        if let Some(wholes) = op.amount().and_then(|i| self.follows(i)).and_then(|_| domain.wholes()) {
            let unknown: Vec<D::V> = results.iter().map(|_| wholes.opaque()).collect();
            results.iter().zip(unknown).for_each(|(v, x)| self.set(domain, *v, x));
            return Ok(());
        }
        let shift = match op.amount() {
            Some(i) => {
                let k = self.index(i, None)?;
                u32::try_from(k).ok().filter(|k| *k <= types[0].bits()).ok_or_else(|| format!("shift by {k}"))?
            }
            None => 0,
        };
        let table: &[BigInt] = match op {
            Op::Lookup { table, .. } => match &kernel.array(*table).kind {
                ArrayKind::Table(entries) => entries,
                ArrayKind::Local => {
                    for (i, cell) in self.arrays[table.0 as usize].iter().enumerate() {
                        operands.push(cell.clone().ok_or_else(|| {
                            format!("{}[{i}] is looked up before it is written", kernel.array(*table).name)
                        })?);
                    }
                    &[]
                }
                _ => return Err("a look-up in no table".into()),
            },
            _ => &[],
        };
        let values = domain.apply(
            &Applied { kernel, op, args, arg_types: &arg_types, types: &types, results, shift, table },
            &operands,
        )?;
        if values.len() != results.len() {
            return Err(format!("{} with the wrong number of results", op.name()));
        }
        for (v, x) in results.iter().zip(values) {
            self.set(domain, *v, x);
        }
        Ok(())
    }

    fn repeat(&mut self, domain: &mut D, l: &'k Loop, steps: &mut u64) -> Result<(), Failure> {
        let at = l.counter.0 as usize;
        if self.counters.len() <= at {
            self.counters.resize(at + 1, 0);
        }
        if self.whole.is_none() && domain.wholes().is_some_and(|wholes| wholes.takes(l.count)) {
            return self.take_whole(domain, l, steps);
        }
        let mut carried: Vec<D::V> = l.carried.iter().map(|c| self.get(c.init)).collect::<Result<_, _>>()?;
        for i in 0..l.count {
            self.counters[at] = i as i64;
            for (c, x) in l.carried.iter().zip(carried) {
                domain.carry(self.kernel, c, i, &x);
                self.set(domain, c.inner, x);
            }
            self.block(domain, &l.body, steps)?;
            carried = l.carried.iter().map(|c| self.get(c.next)).collect::<Result<_, _>>()?;
        }
        for (c, x) in l.carried.iter().zip(carried) {
            domain.carry(self.kernel, c, l.count, &x);
            self.set(domain, c.result, x);
        }
        Ok(())
    }

    fn call(&mut self, domain: &mut D, callee: u32, views: &[View], steps: &mut u64) -> Result<(), Failure> {
        let callee = self.kernel.callees.get(callee as usize).ok_or("a call of no kernel")?;
        let params: Vec<Array> = callee.params().collect();
        if params.len() != views.len() {
            return Err(format!("{} takes {} arrays, not {}", callee.name, params.len(), views.len()));
        }
        let mut arrays = empty(callee);
        let mut cells = Vec::new();
        for (p, v) in params.iter().zip(views) {
            let info = callee.array(*p);
            // Elements that follow the counter of a loop that is taken as a whole are of arrays that it does not write.
            let moving = self.follows(&v.start).is_some() && info.kind == ArrayKind::Input && v.order.is_none();
            if !moving {
                cells.push(self.cells(info.len, v)?);
                continue;
            }
            cells.push(Vec::new());
            for j in 0..info.len {
                let base = v.start.base.checked_add(i64::from(j)).ok_or("an index overflows")?;
                let x = self.place(domain, v.array, &Index { base, ..v.start.clone() })?.err();
                arrays[p.0 as usize][j as usize] = Some(x.ok_or("an index that does not follow the counter")?);
            }
        }
        check_overlaps(callee, &params, views, &cells)?;
        for ((p, v), cells) in params.iter().zip(views).zip(&cells) {
            let info = callee.array(*p);
            if matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
                for (j, i) in cells.iter().enumerate() {
                    let x = self.arrays[v.array.0 as usize][*i].clone();
                    let x =
                        x.ok_or_else(|| format!("argument {}[{j}] of {} is not defined", info.name, callee.name))?;
                    arrays[p.0 as usize][j] = Some(x);
                }
            }
        }
        let results = match domain.call(callee, &arrays)? {
            Some(results) => results,
            None => execute(domain, callee, arrays, steps)?,
        };
        for ((p, v), cells) in params.iter().zip(views).zip(&cells) {
            if matches!(callee.array(*p).kind, ArrayKind::Input) {
                continue;
            }
            for (j, i) in cells.iter().enumerate() {
                match results[p.0 as usize][j].clone() {
                    Some(x) => self.write(domain, v.array, *i, x),
                    None => self.arrays[v.array.0 as usize][*i] = None,
                }
            }
        }
        Ok(())
    }
}

/// A written parameter is the very same cells as another one, or has none in common with it; some pairs must have none
/// in common.
fn check_overlaps(callee: &Kernel, params: &[Array], views: &[View], cells: &[Vec<usize>]) -> Result<(), Failure> {
    for (i, p) in params.iter().enumerate() {
        if matches!(callee.array(*p).kind, ArrayKind::Input) {
            continue;
        }
        let mut own = cells[i].clone();
        own.sort_unstable();
        if own.windows(2).any(|w| w[0] == w[1]) {
            return Err(format!("{} of {} names a cell twice", callee.array(*p).name, callee.name));
        }
        for (j, q) in params.iter().enumerate() {
            if i == j || views[i].array != views[j].array || cells[j].iter().all(|c| own.binary_search(c).is_err()) {
                continue;
            }
            if !callee.may_alias(*p, *q) || cells[i] != cells[j] {
                return Err(format!(
                    "{} and {} overlap in a call of {}",
                    callee.array(*p).name,
                    callee.array(*q).name,
                    callee.name
                ));
            }
        }
    }
    Ok(())
}
