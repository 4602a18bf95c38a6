//! The register of WG: its initialisation, and its keystream, 64 bits at a time.
//!
//! * **computes** 44 steps whose first stage is the linear feedback and Q; 64 steps whose first stage is the linear feedback,
//!   with a bit of the transformation of the last stage after each; the stages after any number of linear steps.
//! * **needs** the eleven stages; to jump the eleven coefficients of `x^n` modulo the polynomial of the feedback.
//! * **gives** the stages, and 64 bits, the first one on top.
//! * **cost** a step: Q or the transformation ([`functions`](super::functions)), and a product by a constant, which is sums:
//!   shared ones in one-bit words, one of each coordinate in others. No stage moves: all elements of the register's sequence
//!   of a call stay where they are, and a window goes along. A jump: ten linear steps and 121 products.
//! * **source** Nawaz, Gong, "The WG Stream Cipher" (2005); the constant as in the designers' source.

use std::sync::Arc;

use evariste_descriptions::{Wg, wg, wg_field};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Counter, Index, Kernel, Operand, Value, View};

use super::elements::{Basis, Element, Elements, load, local, parameter, plus, store};
use super::functions::{NEEDS, feedback, transformation};
use super::given::DEGREE;
use super::polynomial::Polynomials;
use crate::binary::linear::map_kernel;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Composite, Whole};
use crate::signature::NotApplicable;

/// Bits of keystream of a call.
const BITS: u32 = 64;
const STAGES: u32 = wg::STAGES as u32;
/// The stages that a step reads: the last one, and those that are added to it.
const TAPS: [u32; 6] = [11, 10, 8, 5, 2, 1];

/// All steps of the initialisation.
pub const INITIAL_STEPS: Composite = Composite {
    name: "register",
    applies: |f, _, op| *op == Operation::INITIAL_STEPS && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| initial(&kernel_name(op, "register"), l, Basis::Normal(parts)),
};

/// 64 bits of keystream.
pub const STREAM: Composite = Composite {
    name: "register",
    applies: |f, _, op| *op == Operation::STREAM && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| stream(&kernel_name(op, "register"), l, Basis::Normal(parts)),
};

/// A jump over many steps.
pub const JUMP: Composite = Composite {
    name: "coefficients",
    applies: |f, _, op| *op == Operation::JUMP && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| jump(&kernel_name(op, "coefficients"), l, Basis::Normal(parts)),
};

/// Initialisation and keystream with polynomials between the first step and the last.
pub const POLYNOMIALS: Whole = Whole {
    name: "register-polynomials",
    applies: |f, l, op| {
        op.is_any(&[Operation::INITIAL_STEPS, Operation::STREAM]) && f.get::<Wg>().is_some() && l.word == 64
    },
    write: |_, l, op| {
        let (name, polynomials) = (kernel_name(op, "register-polynomials"), Polynomials::new(l)?);
        let write = if *op == Operation::STREAM { stream } else { initial };
        write(&name, l, Basis::Polynomial(&polynomials))
    },
};

/// Images of the basis under the product by the constant of the feedback.
fn gamma() -> Vec<Vec<u32>> {
    let image = |i: u32| {
        let word = wg_field::multiply(wg::GAMMA, 1 << (31 - i));
        (0..DEGREE).filter(|k| word >> (31 - k) & 1 == 1).collect()
    };
    (0..DEGREE).map(image).collect()
}

/// `gamma·x`.
fn times_gamma(b: &mut Builder, field: &Elements, map: Option<&(Callee, [Array; 2])>, x: &[Value]) -> Element {
    let Some((map, [from, to])) = map else { return field.times_gamma(b, &gamma(), x) };
    b.store_all(*from, x);
    map.call(b, *to, &[*from]);
    b.load_all(*to)
}

/// What a step has beside the linear feedback.
#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    Nothing,
    /// Q, added.
    Feedback,
    /// The bit of the stage that becomes the last one.
    Bit,
}

/// The kernel of a step: the new first stage of a window, the stages from the last one on.
fn step(name: &str, layout: &Layout, basis: Basis, with: With) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, output) = parameter(&mut b, layout, "out", ArrayKind::Output, 1);
    let bit = (with == With::Bit).then(|| b.output("bit", 1, &[1.into()]));
    let (window, inputs) = parameter(&mut b, layout, "window", ArrayKind::Input, STAGES);
    let field = Elements::new(&mut b, layout, basis)?;
    let map = (layout.word == 1).then(|| {
        let kernel = map_kernel("times_gamma", layout, gamma(), |circuit, x, rows| circuit.linear_map(x, rows));
        (
            Callee::new(&mut b, Arc::new(kernel), "gamma"),
            ["gamma_in", "gamma_out"].map(|name| local(&mut b, layout, name, 1)),
        )
    });
    let stages = TAPS.map(|stage| load(&mut b, layout, window, STAGES - stage));
    let mut sum = times_gamma(&mut b, &field, map.as_ref(), &stages[0]);
    for stage in &stages[1..] {
        sum = plus(&mut b, &sum, stage);
    }
    let mut claims = Vec::new();
    if with == With::Feedback {
        let fed = feedback(&mut b, &field, &stages[0]);
        sum = plus(&mut b, &sum, &fed);
    } else if let Some(bit) = bit {
        // S10 becomes the last stage.
        let value = transformation(&mut b, &field, &stages[1]);
        b.store(bit, 0u32, value);
        let output = Operand::new("bit", bit, &[0], &[1.into()], 1.into());
        claims.push(Claim::Step { output, name: "wg".into() });
    }
    b.store_all(out, &sum);
    claims.extend(output.into_iter().map(|output| Claim::Step { output, name: "wg_register".into() }));
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// The sequence of a register from the last stage on: each new first stage comes behind what there is.
struct Sequence<'a> {
    layout: &'a Layout,
    elements: Array,
    step: u32,
    /// To polynomials and back.
    maps: Option<[Callee; 2]>,
}

impl Sequence<'_> {
    /// Begins with the stages of a state; there is room for so many steps.
    fn new<'a>(
        b: &mut Builder,
        layout: &'a Layout,
        basis: Basis,
        state: Array,
        steps: u32,
        step: Kernel,
    ) -> Sequence<'a> {
        let elements = local(b, layout, "sequence", STAGES + steps);
        let maps = match basis {
            Basis::Normal(_) => None,
            Basis::Polynomial(all) => Some(
                [(&all.enter, "enter"), (&all.leave, "leave")].map(|(map, name)| Callee::new(b, map.clone(), name)),
            ),
        };
        for i in 0..STAGES {
            moved(b, layout, maps.as_ref().map(|[enter, _]| enter), [state, elements], [STAGES - 1 - i, i]);
        }
        Sequence { layout, elements, step: b.callee(Arc::new(step)), maps }
    }

    /// Takes a step after so many, which loops count.
    fn advance(&self, b: &mut Builder, before: &[(Counter, i64)], bit: Option<View>) {
        let n = i64::from(self.layout.digits() as u32);
        let place = |element: u32| {
            let start = before.iter().fold(Index::at(i64::from(element) * n), |at, (i, each)| at.plus(*i, each * n));
            View::from(self.elements, start)
        };
        let mut views = vec![place(STAGES)];
        views.extend(bit);
        views.push(place(0));
        b.call(self.step, views);
    }

    /// The stages after so many steps.
    fn stages(&self, b: &mut Builder, out: Array, steps: u32) {
        for i in 0..STAGES {
            let leave = self.maps.as_ref().map(|[_, leave]| leave);
            moved(b, self.layout, leave, [self.elements, out], [steps + STAGES - 1 - i, i]);
        }
    }
}

/// An element, or its image under a map, from a place in one array to another in another one.
fn moved(b: &mut Builder, layout: &Layout, map: Option<&Callee>, [from, to]: [Array; 2], [here, there]: [u32; 2]) {
    if let Some(map) = map {
        let view = |array, element: u32| View::from(array, Index::at(i64::from(element)));
        return map.call_views(b, view(to, there), &[view(from, here)]);
    }
    let element = load(b, layout, from, here);
    store(b, to, there, &element);
}

/// A jump: element n places on in a sequence is the sum of the products of the eleven elements from a place on by the
/// coefficients of `x^n` modulo the feedback's polynomial, whatever the sequence and the place.
fn jump(name: &str, layout: &Layout, basis: Basis) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let n = i64::from(layout.digits() as u32);
    let (out, outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, STAGES);
    let (state, mut inputs) = parameter(&mut b, layout, "state", ArrayKind::Input, STAGES);
    let (far, coefficients) = parameter(&mut b, layout, "far", ArrayKind::Input, STAGES);
    inputs.extend(coefficients);
    let field = Elements::new(&mut b, layout, basis)?;
    let step = step("linear_step", layout, basis, With::Nothing)?;
    let sequence = Sequence::new(&mut b, layout, basis, state, STAGES - 1, step);
    b.repeat(STAGES - 1, &[], |b, i, _| {
        sequence.advance(b, &[(i, 1)], None);
        Vec::new()
    });
    // The result may lie where operands do: it goes there when all are read.
    let sums = local(&mut b, layout, "sums", STAGES);
    b.repeat(STAGES, &[], |b, k, _| {
        let zero = b.word_constant(0);
        let start: Vec<_> = layout.resting.digit_max.iter().map(|max| (zero, Interval::up_to(max.clone()))).collect();
        let sum = b.repeat(STAGES, &start, |b, i, sum| {
            // The coefficient of x^i is in the place of stage 11 − i, as the element that it multiplies.
            let coefficient = View::from(far, Index::at((i64::from(STAGES) - 1) * n).plus(i, -n));
            let element = View::from(sequence.elements, Index::at(0).plus(i, n).plus(k, n));
            let product = field.product_of(b, coefficient, element);
            plus(b, sum, &product)
        });
        for (j, digit) in (0..).zip(sum) {
            b.store(sums, Index::at((i64::from(STAGES) - 1) * n + j).plus(k, -n), digit);
        }
        Vec::new()
    });
    (0..STAGES).for_each(|i| moved(&mut b, layout, None, [sums, out], [i, i]));
    let claims = outputs.into_iter().map(|output| Claim::Step { output, name: "wg_register".into() }).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

fn initial(name: &str, layout: &Layout, basis: Basis) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, STAGES);
    let (state, inputs) = parameter(&mut b, layout, "state", ArrayKind::Input, STAGES);
    let step = step("initial_step", layout, basis, With::Feedback)?;
    let sequence = Sequence::new(&mut b, layout, basis, state, wg::INITIAL_STEPS, step);
    b.repeat(wg::INITIAL_STEPS, &[], |b, i, _| {
        sequence.advance(b, &[(i, 1)], None);
        Vec::new()
    });
    sequence.stages(&mut b, out, wg::INITIAL_STEPS);
    let claims = outputs.into_iter().map(|output| Claim::Step { output, name: "wg_register".into() }).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

fn stream(name: &str, layout: &Layout, basis: Basis) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let word = layout.word;
    let (out, outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, STAGES);
    let words = BITS / word;
    let bits = b.output("stream", words, &vec![pow2(word) - 1; words as usize]);
    let (state, inputs) = parameter(&mut b, layout, "state", ArrayKind::Input, STAGES);
    let bit = b.local("bit", 1, Interval::bits(1));
    let step = step("step", layout, basis, With::Bit)?;
    let sequence = Sequence::new(&mut b, layout, basis, state, BITS, step);
    b.repeat(words, &[], |b, i, _| {
        if word == 1 {
            sequence.advance(b, &[(i, 1)], Some(View::from(bits, Index::counter(i))));
            return Vec::new();
        }
        let zero = b.word_constant(0);
        let all = b.repeat(word, &[(zero, Interval::bits(word))], |b, j, all| {
            sequence.advance(b, &[(i, i64::from(word)), (j, 1)], Some(View::whole(bit)));
            let up = b.wrapping_shl(all[0], 1u32);
            let bit = b.load(bit, 0u32);
            vec![b.or(up, bit)]
        });
        b.store(bits, Index::counter(i), all[0]);
        Vec::new()
    });
    sequence.stages(&mut b, out, BITS);
    let mut operand = Operand { name: "stream".into(), digits: Vec::new(), bound: pow2(BITS) - 1, below: None };
    for i in (0..words).rev() {
        operand = operand.with_digit(bits, i, BITS - word * (i + 1), pow2(word) - 1);
    }
    let step = |output| Claim::Step { output, name: "wg_register".into() };
    let claims = outputs.into_iter().chain([operand]).map(step).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}
