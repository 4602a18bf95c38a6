//! Random kernels with loops, calls, views, arrays of all kinds, carried words, flags, masks and wide words.
#![allow(dead_code)] // Each test file uses a part.

use std::sync::Arc;

use evariste_ir::verify::verify;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Counter, Index, Interval, Kernel, Type, Value, View};

use super::Rng;
use super::random::{Pools, operation};

const WORD: Type = Type::Word(64);

/// A random kernel that verifies.
pub fn kernel(rng: &mut Rng) -> Kernel {
    loop {
        let kernel = Writer::write(rng, "rolled", 2);
        if verify(&kernel).is_ok() {
            return kernel;
        }
    }
}

struct Writer<'r> {
    b: Builder,
    rng: &'r mut Rng,
    pools: Pools,
    /// Counters in scope, with the greatest value of each.
    counters: Vec<(Counter, i64)>,
    /// Arrays that may be read and written.
    readable: Vec<Array>,
    writable: Vec<Array>,
    callees: Vec<(u32, Arc<Kernel>)>,
    order: Array,
    left: u64,
}

impl Writer<'_> {
    fn write(rng: &mut Rng, name: &str, depth: u64) -> Kernel {
        let mut b = Builder::new(name, 64);
        let full = || vec![WORD.full()];
        let len = 2 + rng.below(5) as u32;
        let apart = rng.below(2) == 0;
        let kind = if rng.below(4) == 0 { ArrayKind::InOut } else { ArrayKind::Output };
        let out = b.array("out", WORD, len, kind.clone(), full());
        let mut readable: Vec<Array> = Vec::new();
        let most = if rng.below(6) == 0 { 7 } else { 2 };
        for name in ["a", "b", "c", "d", "e", "f", "g"].iter().take(1 + rng.below(most) as usize) {
            let of = if rng.below(2) == 0 { len } else { 1 + rng.below(6) as u32 };
            let array = b.array(*name, WORD, of, ArrayKind::Input, full());
            if apart {
                b.must_be_disjoint(out, array);
            }
            readable.push(array);
        }
        let mut locals = Vec::new();
        for (i, ty) in [WORD, WORD, Type::Flag, Type::Mask(64), Type::Wide(128)].into_iter().enumerate() {
            if i < 2 || rng.below(4) == 0 {
                locals.push(b.array(format!("t{i}"), ty, 2 + rng.below(6) as u32, ArrayKind::Local, vec![ty.full()]));
            }
        }
        let order = b.table("order", {
            let mut o: Vec<u32> = (0..len).collect();
            o.rotate_left(1);
            o.into_iter().map(Into::into).collect()
        });
        let constants = (0..2 + rng.below(7)).map(|_| rng.word().into()).collect();
        readable.push(b.table("constants", constants));
        let words: Vec<Value> = readable.iter().map(|a| b.load(*a, 0u32)).collect();
        let flags = vec![b.no_flag()];
        let mut callees = Vec::new();
        if depth > 0 {
            for i in 0..rng.below(4) / 2 + rng.below(2) {
                let callee = Arc::new(loop {
                    let callee = Writer::write(rng, &format!("callee{depth}{i}"), depth - 1);
                    if verify(&callee).is_ok() {
                        break callee;
                    }
                });
                callees.push((b.callee(callee.clone()), callee));
            }
        }
        let mut writable = locals.clone();
        if apart {
            writable.push(out);
        }
        let mut w = Writer {
            b,
            rng,
            pools: Pools { words, flags, masks: Vec::new(), wides: Vec::new() },
            counters: Vec::new(),
            readable,
            writable,
            callees,
            order,
            left: 8,
        };
        // Every element is defined before it is read.
        for array in locals.iter().copied().chain((apart && kind == ArrayKind::Output).then_some(out)) {
            w.fill(array);
        }
        w.readable.extend(locals.iter().copied());
        if apart || kind == ArrayKind::InOut {
            w.readable.push(out);
        }
        if kind == ArrayKind::InOut && w.rng.below(2) == 0 {
            // Also before it is written.
            w.writable.push(out);
        }
        w.left = 3 + w.rng.below(8);
        w.block();
        if !apart {
            w.fill(out);
        }
        w.b.finish(Contract::default())
    }

    /// Writes every element, in a loop or one by one.
    fn fill(&mut self, array: Array) {
        let (len, ty) = (self.b.kernel().array(array).len, self.b.kernel().array(array).ty);
        if self.rng.below(3) == 0 {
            for i in 0..len {
                operation(&mut self.b, self.rng, &mut self.pools);
                let v = self.value(ty);
                self.b.store(array, i, v);
            }
            return;
        }
        self.repeat(len, |w, c| {
            operation(&mut w.b, w.rng, &mut w.pools);
            let v = w.value(ty);
            w.b.store(array, c, v);
        });
    }

    /// A value of a type.
    fn value(&mut self, ty: Type) -> Value {
        let pools = &mut self.pools;
        let word = pools.words[pools.words.len() - 1 - self.rng.below(pools.words.len().min(6) as u64) as usize];
        match ty {
            Type::Flag => pools.flags[self.rng.below(pools.flags.len() as u64) as usize],
            Type::Mask(_) => self.b.less(word, pools.words[0]),
            Type::Wide(_) => self.b.mul_full(word, pools.words[0]),
            _ => word,
        }
    }

    /// A loop that carries some values; what its body computes is forgotten.
    fn repeat(&mut self, count: u32, body: impl FnOnce(&mut Self, Counter)) {
        let mut init = Vec::new();
        for _ in 0..self.rng.below(4) {
            let ty = [WORD, WORD, Type::Flag, Type::Mask(64), Type::Wide(128)][self.rng.below(5) as usize];
            let v = self.value(ty);
            init.push((v, ty));
        }
        let lengths = |p: &Pools| [p.words.len(), p.flags.len(), p.masks.len(), p.wides.len()];
        let before = lengths(&self.pools);
        let carried: Vec<(Value, Interval)> = init.iter().map(|(v, ty)| (*v, ty.full())).collect();
        // The builder lends itself to the body; a stand-in keeps its place meanwhile.
        let mut b = std::mem::replace(&mut self.b, Builder::new("", 64));
        let results = b.repeat(count, &carried, |b, c, inner| {
            std::mem::swap(&mut self.b, b);
            self.counters.push((c, i64::from(count) - 1));
            for (v, (_, ty)) in inner.iter().zip(&init) {
                self.put(*v, *ty);
            }
            body(self, c);
            let mut next: Vec<Value> = init.iter().map(|(_, ty)| self.value(*ty)).collect();
            if self.rng.below(3) == 0 && init.len() >= 2 && init[0].1 == init[1].1 {
                // An exchange, all at once.
                (next[0], next[1]) = (inner[1], inner[0]);
            }
            self.counters.pop();
            std::mem::swap(&mut self.b, b);
            next
        });
        self.b = b;
        self.pools.words.truncate(before[0]);
        self.pools.flags.truncate(before[1]);
        self.pools.masks.truncate(before[2]);
        self.pools.wides.truncate(before[3]);
        for (v, (_, ty)) in results.iter().zip(&init) {
            self.put(*v, *ty);
        }
    }

    fn put(&mut self, v: Value, ty: Type) {
        match ty {
            Type::Flag => self.pools.flags.push(v),
            Type::Mask(_) => self.pools.masks.push(v),
            Type::Wide(_) => self.pools.wides.push(v),
            _ => self.pools.words.push(v),
        }
    }

    /// An index into `room` elements.
    fn index(&mut self, room: u32) -> Index {
        let last = i64::from(room) - 1;
        let mut index = Index::default();
        let mut most = 0;
        for (c, top) in self.counters.clone() {
            let k = [0, 1, 1, 2, -1][self.rng.below(5) as usize];
            if k > 0 && most + k * top <= last {
                index = index.plus(c, k);
                most += k * top;
            }
            if k < 0 && top <= last - most {
                index = index.plus(c, -1).offset(top);
                most += top;
            }
        }
        if self.rng.below(8) == 0 {
            return index.offset(self.rng.below(9) as i64 - 4).modulo();
        }
        index.offset(self.rng.below((last - most) as u64 + 1) as i64)
    }

    fn block(&mut self) {
        for _ in 0..1 + self.rng.below(5) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            match self.rng.below(10) {
                0 | 1 if self.counters.len() < 3 => {
                    let count = 1 + self.rng.below(7) as u32;
                    self.repeat(count, |w, _| w.block());
                }
                2..=5 if !self.callees.is_empty() && self.rng.below(3) > 0 => self.call(),
                4 | 5 => {
                    let array = self.readable[self.rng.below(self.readable.len() as u64) as usize];
                    let (len, ty) = (self.b.kernel().array(array).len, self.b.kernel().array(array).ty);
                    let index = self.index(len);
                    let v = self.b.load(array, index);
                    self.put(v, ty);
                }
                6 | 7 => {
                    let array = self.writable[self.rng.below(self.writable.len() as u64) as usize];
                    let (len, ty) = (self.b.kernel().array(array).len, self.b.kernel().array(array).ty);
                    let index = self.index(len);
                    let v = self.value(ty);
                    self.b.store(array, index, v);
                }
                _ => {
                    for _ in 0..1 + self.rng.below(6) {
                        operation(&mut self.b, self.rng, &mut self.pools);
                    }
                }
            }
        }
    }

    /// A call; whether the views are allowed is the verifier's to say.
    fn call(&mut self) {
        let (index, callee) = self.callees[self.rng.below(self.callees.len() as u64) as usize].clone();
        let mut views: Vec<View> = Vec::new();
        for p in callee.params() {
            let info = callee.array(p);
            let from = if info.kind == ArrayKind::Input { &self.readable } else { &self.writable };
            // Mostly other arrays than the written one, which stands first; sometimes the same, in the same place or
            // not.
            let other = self.rng.below(4) > 0;
            let written = views.first().map(|v| v.array).filter(|_| other);
            let fits = |a: &Array| {
                self.b.kernel().array(*a).ty == info.ty
                    && self.b.kernel().array(*a).len >= info.len
                    && Some(*a) != written
            };
            let fits: Vec<Array> = from.iter().copied().filter(fits).collect();
            if fits.is_empty() {
                return;
            }
            let array = fits[self.rng.below(fits.len() as u64) as usize];
            let len = self.b.kernel().array(array).len;
            let start = self.index(len - info.len + 1);
            if let Some(same) = views
                .first()
                .filter(|v| v.array == array && info.len == callee.array(callee.params().next().unwrap_or(p)).len)
                && self.rng.below(4) > 0
            {
                views.push(same.clone());
                continue;
            }
            let order =
                (self.rng.below(10) == 0 && info.len == self.b.kernel().array(self.order).len).then_some(self.order);
            views.push(View { array, start, order });
        }
        self.b.call(index, views);
    }
}
