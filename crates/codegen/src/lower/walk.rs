//! Walks the statements of a kernel: loops are unrolled or rolled, calls are inlined or become calls.

use std::sync::Arc;

use evariste_ir::statements::all;
use evariste_ir::{Counter as Name, Index, Kernel, Loop, Op, Stmt, Type, Value, View};

use super::MOST_IN_REGISTERS;
use super::error::LowerError;
use super::index::{Binding, Counter};
use super::lowering::{Lowering, Piece, Rep, Wanted, visible};
use super::memory::Home;
use super::site::Site;
use super::size::Sizes;
use super::values::{Activation, Held};
use super::writer::Flag;
use crate::outline::{Pointer, PointerBase};

impl<'k> Lowering<'k, '_> {
    pub(super) fn block(&mut self, a: &mut Activation<'k>, body: &'k [Stmt]) -> Result<(), LowerError> {
        for stmt in body {
            self.step(1)?;
            match stmt {
                Stmt::Op { op, args, results } => self.operation(a, op, args, results)?,
                Stmt::Load { result, array, index } => {
                    let at = self.locate(a, *array, index)?;
                    let rep = self.load(at)?;
                    self.define(a, *result, rep);
                }
                Stmt::Store { array, index, value } => {
                    let at = self.locate(a, *array, index)?;
                    self.before_store(at)?;
                    let rep = self.fetch(a, *value)?;
                    self.store(at, rep)?;
                }
                Stmt::Loop(l) => match self.rolled_by(a, l) {
                    Some(factor) => self.roll(a, l, factor)?,
                    None => self.unroll(a, l)?,
                },
                Stmt::Call { callee, args } => self.call(a, *callee as usize, args)?,
            }
        }
        Ok(())
    }

    fn operation(
        &mut self,
        a: &mut Activation<'k>,
        op: &'k Op,
        args: &[Value],
        results: &[Value],
    ) -> Result<(), LowerError> {
        let mut operands = [Rep::Flag(Flag::Known(false)); 4];
        let many: Vec<Rep>;
        let reps: &[Rep] = if args.len() <= 4 {
            for (place, v) in operands.iter_mut().zip(args) {
                *place = self.fetch(a, *v)?;
            }
            &operands[..args.len()]
        } else {
            many = args.iter().map(|v| self.fetch(a, *v)).collect::<Result<_, _>>()?;
            &many
        };
        let amount = op.amount().map_or(Ok(0), |index| self.number(a, index, None))?;
        let amount = u32::try_from(amount).map_err(|_| LowerError::Malformed("a negative amount"))?;
        let computed = self.compute(&Site { kernel: a.kernel, op, args, reps, results, amount })?;
        for (v, rep) in results.iter().zip(computed) {
            self.define(a, *v, rep);
        }
        Ok(())
    }

    /// How often the body of a loop is repeated in a rolled one; `None`: the loop is unrolled.
    fn rolled_by(&mut self, a: &Activation<'k>, l: &Loop) -> Option<u32> {
        let limits = self.rolling.as_ref()?.limits;
        let mut sizes = Sizes::default();
        let body = sizes.of_block(a.kernel, &l.body).max(1);
        if l.count < 2
            || body.saturating_mul(u64::from(l.count)) <= limits.segment
            || !self.is_counted(a, l.counter, &l.body)
        {
            return None;
        }
        let most = (limits.segment / body).clamp(1, u64::from(l.count)) as u32;
        if most == 1 || !self.stays_straight(a, &l.body, &mut sizes) {
            return Some(1);
        }
        // Without iterations that are left over, where that costs little.
        let exact = (most / 2 + 1..=most).rev().find(|f| l.count.is_multiple_of(*f));
        Some(exact.unwrap_or(most)).filter(|f| l.count / f > 1).or(Some(most.min(l.count / 2)))
    }

    /// Do the statements use the counter only where a counted one can stand?
    fn is_counted(&self, a: &Activation<'k>, counter: Name, body: &[Stmt]) -> bool {
        let uses = |index: &Index| index.terms.iter().any(|(c, k)| *c == counter && *k != 0);
        let looks_up = |index: &Index| uses_in_table(index, counter);
        let affine = |index: &Index, array: evariste_ir::Array| {
            let binding = &a.bindings[array.0 as usize];
            let in_code = self.storages[binding.storage as usize].is_in_code();
            !looks_up(index) && (!uses(index) || !index.modulo && binding.contiguous && !in_code)
        };
        all(body).all(|stmt| match stmt {
            Stmt::Op { op, .. } => op.amount().is_none_or(|k| !uses(k) && !looks_up(k)),
            Stmt::Load { array, index, .. } | Stmt::Store { array, index, .. } => affine(index, *array),
            Stmt::Loop(_) => true,
            Stmt::Call { args, .. } => args.iter().all(|view| affine(&view.start, view.array)),
        })
    }

    /// Is the kernel a routine of its own: too long to be inlined?
    fn is_routine(&self, kernel: &Kernel) -> bool {
        let Some(rolling) = &self.rolling else { return false };
        rolling.callable.get(&std::ptr::from_ref(kernel)).is_some_and(|callable| callable.is_routine)
    }

    /// Are the statements one segment, without loops and calls?
    fn stays_straight(&self, a: &Activation<'k>, body: &[Stmt], sizes: &mut Sizes) -> bool {
        let Some(limits) = self.rolling.as_ref().map(|r| r.limits) else { return true };
        all(body).all(|stmt| match stmt {
            Stmt::Loop(l) => sizes.of_block(a.kernel, &l.body).saturating_mul(u64::from(l.count)) <= limits.segment,
            Stmt::Call { callee, .. } => !self.is_routine(&a.kernel.callees[*callee as usize]),
            _ => true,
        })
    }

    fn unroll(&mut self, a: &mut Activation<'k>, l: &'k Loop) -> Result<(), LowerError> {
        for i in 0..l.count {
            pass(a, l, |c| (c.inner, if i == 0 { c.init } else { c.next }));
            self.iteration(a, l, Counter::Known(i64::from(i)))?;
        }
        pass(a, l, |c| (c.result, c.next));
        Ok(())
    }

    fn iteration(&mut self, a: &mut Activation<'k>, l: &'k Loop, counter: Counter) -> Result<(), LowerError> {
        let c = l.counter.0 as usize;
        if a.counters.len() <= c {
            a.counters.resize(c + 1, None);
        }
        a.counters[c] = Some(counter);
        self.step(1)?;
        self.block(a, &l.body)
    }

    /// A loop in the code, its body `factor` times; iterations that are left over come after it.
    fn roll(&mut self, a: &mut Activation<'k>, l: &'k Loop, factor: u32) -> Result<(), LowerError> {
        let counter = self.new_words(1);
        let mut homes = Vec::with_capacity(l.carried.len());
        for c in &l.carried {
            let ty = a.kernel.value(c.inner).ty;
            let words = self.words_of(ty);
            homes.push((self.new_words(words), ty));
        }
        self.carry(a, l, &homes, |c| c.init)?;
        self.close()?;
        let before = std::mem::take(&mut self.pieces);
        for (c, (word, _)) in l.carried.iter().zip(&homes) {
            a.values[c.inner.0 as usize] = Some(Held::in_frame(*word));
        }
        for k in 0..factor {
            if k > 0 {
                pass(a, l, |c| (c.inner, c.next));
            }
            self.iteration(a, l, Counter::Counted(counter, i64::from(k)))?;
        }
        self.carry(a, l, &homes, |c| c.next)?;
        self.close()?;
        let body = std::mem::replace(&mut self.pieces, before);
        let limit = l.count / factor * factor;
        self.pieces.push(Piece::Loop { counter, step: factor, limit, body });
        for (c, (word, _)) in l.carried.iter().zip(&homes) {
            a.values[c.next.0 as usize] = Some(Held::in_frame(*word));
        }
        for i in limit..l.count {
            pass(a, l, |c| (c.inner, c.next));
            self.iteration(a, l, Counter::Known(i64::from(i)))?;
        }
        pass(a, l, |c| (c.result, c.next));
        Ok(())
    }

    /// Gives the carried words of the frame their values, all at once.
    fn carry(
        &mut self,
        a: &mut Activation<'k>,
        l: &Loop,
        homes: &[(u32, Type)],
        value: impl Fn(&evariste_ir::Carried) -> Value,
    ) -> Result<(), LowerError> {
        let reps = l.carried.iter().map(|c| self.fetch(a, value(c))).collect::<Result<Vec<Rep>, _>>()?;
        for ((word, ty), rep) in homes.iter().zip(reps) {
            self.assign(*word, *ty, rep);
        }
        Ok(())
    }

    fn call(&mut self, a: &mut Activation<'k>, callee: usize, views: &'k [View]) -> Result<(), LowerError> {
        let kernel: &'k Arc<Kernel> = &a.kernel.callees[callee];
        let mut views = views.iter();
        let mut inner = Activation::new(kernel);
        let first = self.live.len();
        for info in &kernel.arrays {
            let binding = if info.is_param() {
                let view = views.next().ok_or(LowerError::Malformed("a call without a view of each parameter"))?;
                self.view(a, view, info.len)?
            } else {
                self.array(info, None)
            };
            self.step(binding.offsets.len())?;
            inner.bindings.push(binding);
        }
        if self.is_routine(kernel) && self.has_pointers(&inner) {
            self.forget(first);
            return self.call_routine(&inner);
        }
        self.block(&mut inner, &kernel.body)?;
        self.forget(first);
        Ok(())
    }

    /// Can all arrays of the call be shown by pointers?
    fn has_pointers(&self, inner: &Activation<'k>) -> bool {
        let params = visible(inner.kernel);
        let fits = self.element.is_none() || params.len() <= MOST_IN_REGISTERS;
        fits && params.into_iter().all(|p| {
            let binding = &inner.bindings[p.0 as usize];
            let storage = &self.storages[binding.storage as usize];
            let ty = inner.kernel.array(p).ty;
            binding.contiguous
                && !binding.offsets.is_empty()
                && !matches!(storage.home, Home::Table(_))
                && storage.words() == 1
                && ty == storage.ty
        })
    }

    /// A call in the code.
    fn call_routine(&mut self, inner: &Activation<'k>) -> Result<(), LowerError> {
        self.close()?;
        let (mut args, mut bytes) = (Vec::new(), Vec::new());
        for p in visible(inner.kernel) {
            let binding = &inner.bindings[p.0 as usize];
            args.push(self.pointer(binding));
            bytes.push(match self.storages[binding.storage as usize].home {
                Home::Param(p) => self.params[p as usize].element_bytes,
                _ => 8,
            });
        }
        let Some(rolling) = &mut self.rolling else { return Err(LowerError::Malformed("a call in straight code")) };
        // Kernels that were written apart may be equal: they share a routine.
        let is_same = |kernel: &Kernel| std::ptr::eq(kernel, inner.kernel) || *kernel == *inner.kernel;
        let known = rolling.wanted.iter().position(|w| is_same(w.kernel) && w.bytes.as_ref() == Some(&bytes));
        let routine = known.unwrap_or_else(|| {
            rolling.wanted.push(Wanted { kernel: inner.kernel, bytes: Some(bytes), element: self.element });
            rolling.wanted.len() - 1
        });
        self.pieces.push(Piece::Call { routine, args });
        Ok(())
    }

    /// The address of a binding's first element.
    fn pointer(&mut self, binding: &Binding) -> Pointer {
        let s = binding.storage as usize;
        let (base, unit) = match self.storages[s].home {
            Home::Param(p) => (PointerBase::Through(u32::from(p)), i64::from(self.params[p as usize].element_bytes)),
            _ => (PointerBase::Frame(self.in_frame(s)), 8 * i64::from(self.storages[s].words())),
        };
        let terms = self.terms[binding.terms.0 as usize].iter().map(|(word, n)| (*word, n * unit)).collect();
        Pointer { base, terms, bytes: binding.offsets[0] * unit }
    }
}

/// Does an index look up a table at a place that depends on the counter?
fn uses_in_table(index: &Index, counter: Name) -> bool {
    index.table.as_ref().is_some_and(|(_, inner)| {
        inner.terms.iter().any(|(c, k)| *c == counter && *k != 0) || uses_in_table(inner, counter)
    })
}

/// All at once: a carried value may be another one's next.
fn pass(a: &mut Activation<'_>, l: &Loop, pair: impl Fn(&evariste_ir::Carried) -> (Value, Value)) {
    let next: Vec<Option<Held>> = l.carried.iter().map(|c| a.values[pair(c).1.0 as usize]).collect();
    for (c, held) in l.carried.iter().zip(next) {
        a.values[pair(c).0.0 as usize] = held;
    }
}
