//! Fixed powers.
//!
//! * **computes** `a^e mod p` for a public exponent e, by an addition chain of squares and products.
//! * **needs** kernels of the layout's product and square (no pair of whose parameters must be disjoint); a resting
//!   operand. The output may be the operand.
//! * **gives** a resting element; in Montgomery form if the operand is.
//! * **cost** the chain's length: log2 e squarings, and a dozen products for runs of ones, one in five or six bits for
//!   dense exponents.
//! * **source** Knuth, The Art of Computer Programming 2, section 4.6.3; see `addition_chain`.

use std::sync::Arc;

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Multiplication, View};
use num_bigint::BigUint;
use num_traits::Zero;

use super::addition_chain::{self, Chain};
use super::representation::{kernel_name, modulus, prime, resting_of};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::{NotApplicable, input, output};

/// Every layout that has products.
pub const ADDITION_CHAIN: Composite = Composite {
    name: "addition-chain",
    applies: |f, l, op| op.is(&Operation::POWER) && has_elements(f, l),
    needs: PRODUCTS,
    write: |f, l, op, parts| {
        let Some(e) = op.number_of(&Operation::POWER) else { return Err(NotApplicable("not a power".into())) };
        power_kernel(&kernel_name(op, "addition-chain"), e, parts, modulus(f)?, l)
    },
};

/// The product and the square that powers are made of.
pub const PRODUCTS: &[Need] = &[Need::new(Operation::MUL, Pick::First), Need::new(Operation::SQUARE, Pick::First)];

/// Are the elements residues that products take and give?
pub fn has_elements(field: &Field, layout: &Layout) -> bool {
    modulus(field).is_ok() && (layout.radix.is_some() || resting_of(field, layout).is_some())
}

/// One line of the program that a chain becomes: slots hold values, slot 0 is the operand.
enum Line {
    /// `to = from^(2^count)`.
    Squares { from: usize, to: usize, count: usize },
    /// `to = x·y`.
    Product { x: usize, y: usize, to: usize },
}

/// Turns a chain into lines over as few slots as its order allows: runs of doublings whose middle values nobody else
/// needs become one line, and a slot is used again after the last use of its value. The last line's slot is not used
/// afterwards.
fn lines(chain: &Chain) -> (Vec<Line>, usize) {
    let count = chain.steps.len() + 1;
    let mut last_use = vec![0; count];
    let mut uses = vec![0u32; count];
    for (at, (i, j)) in chain.steps.iter().enumerate() {
        for v in if i == j { vec![*i] } else { vec![*i, *j] } {
            last_use[v] = at;
            uses[v] += 1;
        }
    }
    let mut slot_of = vec![0; count];
    let mut free: Vec<usize> = Vec::new();
    let mut slots = 1;
    let mut lines = Vec::new();
    let mut at = 0;
    while at < chain.steps.len() {
        let (i, j) = chain.steps[at];
        let mut last = at;
        if i == j {
            while chain.steps.get(last + 1) == Some(&(last + 1, last + 1)) && uses[last + 1] == 1 {
                last += 1;
            }
        }
        // Operands that die here leave their slots first: kernels read before they write.
        for v in if i == j { vec![i] } else { vec![i, j] } {
            if v != 0 && last_use[v] <= last {
                free.push(slot_of[v]);
            }
        }
        let to = free.pop().unwrap_or_else(|| {
            slots += 1;
            slots - 1
        });
        slot_of[last + 1] = to;
        lines.push(if i == j {
            Line::Squares { from: slot_of[i], to, count: last + 1 - at }
        } else {
            Line::Product { x: slot_of[i], y: slot_of[j], to }
        });
        at = last + 1;
    }
    (lines, slots)
}

/// A callee with the scratch arrays that take its ghosts.
#[derive(Clone)]
pub struct Callee {
    index: u32,
    ghosts: Vec<Array>,
    kernel: Arc<Kernel>,
}

impl Callee {
    /// Registers the kernel; `name` tells its scratch arrays from others.
    pub fn new(b: &mut Builder, kernel: Arc<Kernel>, name: &str) -> Callee {
        let index = b.callee(kernel.clone());
        let ghosts = kernel.params().filter(|a| kernel.array(*a).kind == ArrayKind::Ghost);
        let ghosts: Vec<(evariste_ir::Type, u32)> = ghosts.map(|a| (kernel.array(a).ty, kernel.array(a).len)).collect();
        let ghosts = ghosts
            .into_iter()
            .enumerate()
            .map(|(i, (ty, len))| b.array(format!("{name}_ghost{i}"), ty, len, ArrayKind::Local, vec![ty.full()]))
            .collect();
        Callee { index, ghosts, kernel }
    }

    /// `to = callee(operands…)`.
    pub fn call(&self, b: &mut Builder, to: Array, operands: &[Array]) {
        let operands: Vec<View> = operands.iter().copied().map(View::whole).collect();
        self.call_views(b, View::whole(to), &operands);
    }

    /// `to = callee(operands…)`, of parts of arrays.
    pub fn call_views(&self, b: &mut Builder, to: View, operands: &[View]) {
        self.call_each(b, &[to], operands);
    }

    /// As [`Callee::call_views`], of a callee with several outputs.
    pub fn call_each(&self, b: &mut Builder, to: &[View], operands: &[View]) {
        let (mut to, mut operands, mut ghosts) = (to.iter(), operands.iter(), self.ghosts.iter());
        let views = self.kernel.params().filter_map(|a| match self.kernel.array(a).kind {
            ArrayKind::Output | ArrayKind::InOut => to.next().cloned(),
            ArrayKind::Ghost => ghosts.next().copied().map(View::whole),
            _ => operands.next().cloned(),
        });
        b.call(self.index, views.collect());
    }
}

/// The kernel `out = a^exponent` by calls of a product and a square of the layout, in this order.
///
/// # Errors
/// For exponent 0 (that is the constant 1), for other than two kernels, and for kernels that forbid an output at the
/// place of an operand.
pub fn power_kernel(
    name: &str,
    exponent: &BigUint,
    parts: &[Arc<Kernel>],
    m: &Modulus,
    layout: &Layout,
) -> Result<Kernel, NotApplicable> {
    let [mul, square] = parts else { return Err(NotApplicable("powers are made of a product and a square".into())) };
    if exponent.is_zero() {
        return Err(NotApplicable("the power 0 is the constant 1".into()));
    }
    if !mul.disjoint.is_empty() || !square.disjoint.is_empty() {
        return Err(NotApplicable("the products must allow an output at the place of an operand".into()));
    }
    let mut b = Builder::new(name, layout.word);
    let (out, output) = output(&mut b, "out", &layout.weights, &layout.resting);
    let x = input(&mut b, "a", &layout.weights, &layout.resting);
    let (lines, slots) = lines(&addition_chain::find(exponent));
    let n = layout.digits() as u32;
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let mut arrays = vec![x.array];
    let ty = b.word_type();
    for i in 1..slots {
        arrays.push(b.array(format!("t{i}"), ty, n, ArrayKind::Local, ranges.clone()));
    }
    let (mul, square) = (Callee::new(&mut b, mul.clone(), "mul"), Callee::new(&mut b, square.clone(), "square"));
    let last = lines.len();
    for (at, line) in lines.into_iter().enumerate() {
        let place = |to: usize| if at + 1 == last { out } else { arrays[to] };
        match line {
            Line::Product { x, y, to } => mul.call(&mut b, place(to), &[arrays[x], arrays[y]]),
            Line::Squares { from, to, count: 1 } => square.call(&mut b, place(to), &[arrays[from]]),
            Line::Squares { from, to, count } if at + 1 == last => {
                squares(&mut b, &square, arrays[from], arrays[to], count - 1);
                square.call(&mut b, out, &[arrays[to]]);
            }
            Line::Squares { from, to, count } => squares(&mut b, &square, arrays[from], arrays[to], count),
        }
    }
    if last == 0 {
        let digits = b.load_all(x.array);
        b.store_all(out, &digits);
    }
    let claim = Claim::Power {
        output,
        base: 0,
        exponent: exponent.clone(),
        product: Multiplication::Modular { factor: layout.factor(), modulus: prime(m) },
    };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}

/// `count ≥ 1` squares of a number, one after another, into t.
fn squares(b: &mut Builder, square: &Callee, from: Array, t: Array, count: usize) {
    square.call(b, t, &[from]);
    match count - 1 {
        0 => {}
        1 => square.call(b, t, &[t]),
        more => {
            b.repeat(more as u32, &[], |b, _, _| {
                square.call(b, t, &[t]);
                Vec::new()
            });
        }
    }
}
