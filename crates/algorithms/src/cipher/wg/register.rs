//! The register of WG: its initialisation, and its keystream, 64 bits at a time.
//!
//! * **computes** 44 steps whose first stage is the linear feedback and Q; 64 steps whose first stage is the linear feedback,
//!   with a bit of the transformation of the last stage after each.
//! * **needs** the eleven stages.
//! * **gives** the stages, and 64 bits, the first one on top.
//! * **cost** a step: Q or the transformation ([`functions`](super::functions)), and a product by a constant, which is sums:
//!   shared ones in one-bit words, one of each coordinate in others. No stage moves: the register turns.
//! * **source** Nawaz, Gong, "The WG Stream Cipher" (2005); the constant as in the designers' source.

use std::sync::Arc;

use evariste_descriptions::{Wg, wg, wg_field};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Counter, Index, Kernel, Operand, Value, View};
use num_bigint::BigInt;

use super::elements::{Element, Elements, load, local, parameter, plus, store};
use super::functions::{NEEDS, feedback, transformation};
use super::given::DEGREE;
use crate::binary::linear::map_kernel;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::Composite;
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
    write: |_, l, op, parts| initial(&kernel_name(op, "register"), l, parts),
};

/// 64 bits of keystream.
pub const STREAM: Composite = Composite {
    name: "register",
    applies: |f, _, op| *op == Operation::STREAM && f.get::<Wg>().is_some(),
    needs: NEEDS,
    write: |_, l, op, parts| stream(&kernel_name(op, "register"), l, parts),
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
fn times_gamma(b: &mut Builder, layout: &Layout, map: Option<&(Callee, [Array; 2])>, x: &[Value]) -> Element {
    if let Some((map, [from, to])) = map {
        b.store_all(*from, x);
        map.call(b, *to, &[*from]);
        return b.load_all(*to);
    }
    let top = layout.word - 1;
    let mut sum = b.word_constant(0);
    for (i, image) in (0..).zip(gamma()) {
        let up = b.wrapping_shl(x[0], top - i);
        let mask = b.sar(up, top);
        let image = b.word_constant(image.iter().map(|k| pow2(*k)).sum::<BigInt>());
        let term = b.and(mask, image);
        sum = b.xor(sum, term);
    }
    vec![sum]
}

/// The kernel of a step: the new first stage of the stages that it reads; of an initial step with Q, else with the bit of
/// the stage that becomes the last one.
fn step(name: &str, layout: &Layout, parts: &[Arc<Kernel>], initial: bool) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, output) = parameter(&mut b, layout, "out", ArrayKind::Output, 1);
    let bit = (!initial).then(|| b.output("bit", 1, &[1.into()]));
    let taps = TAPS.map(|stage| parameter(&mut b, layout, &format!("s{stage}"), ArrayKind::Input, 1));
    let field = Elements::new(&mut b, layout, parts).ok_or_else(|| NotApplicable("a part is missing".into()))?;
    let map = (layout.word == 1).then(|| {
        let kernel = map_kernel("times_gamma", layout, gamma(), |circuit, x, rows| circuit.linear_map(x, rows));
        (
            Callee::new(&mut b, Arc::new(kernel), "gamma"),
            ["gamma_in", "gamma_out"].map(|name| local(&mut b, layout, name, 1)),
        )
    });
    let stages: Vec<Element> = taps.iter().map(|(array, _)| load(&mut b, layout, *array, 0)).collect();
    let mut sum = times_gamma(&mut b, layout, map.as_ref(), &stages[0]);
    for stage in &stages[1..] {
        sum = plus(&mut b, &sum, stage);
    }
    let mut claims = Vec::new();
    if initial {
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
    let inputs = taps.into_iter().flat_map(|(_, operands)| operands).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// A register that turns instead of moving its stages.
struct Register<'a> {
    layout: &'a Layout,
    stages: Array,
    step: u32,
}

impl Register<'_> {
    /// Takes a step; `before` is how many there were, public and counted by loops.
    fn advance(&self, b: &mut Builder, before: &Steps, bit: Option<View>) {
        let n = i64::from(self.layout.digits() as u32);
        let place = |stage: u32| View {
            array: self.stages,
            start: before.subtracted(Index::at(i64::from(stage - 1) * n), n).modulo(),
            order: None,
        };
        // The last stage is where the first one is after the step.
        let mut views = vec![place(STAGES)];
        views.extend(bit);
        views.extend(TAPS.map(place));
        b.call(self.step, views);
    }
}

/// Steps that were taken: counters with how many each counts.
struct Steps(Vec<(Counter, i64)>);

impl Steps {
    fn subtracted(&self, index: Index, n: i64) -> Index {
        self.0.iter().fold(index, |index, (counter, each)| index.plus(*counter, -n * each))
    }
}

fn copied(b: &mut Builder, layout: &Layout, from: Array, to: Array, turned: u32) {
    for stage in 0..STAGES {
        let element = load(b, layout, from, (stage + turned) % STAGES);
        store(b, to, stage, &element);
    }
}

fn initial(name: &str, layout: &Layout, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let (out, outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, STAGES);
    let (state, inputs) = parameter(&mut b, layout, "state", ArrayKind::Input, STAGES);
    let stages = local(&mut b, layout, "stages", STAGES);
    let step = b.callee(Arc::new(step("initial_step", layout, parts, true)?));
    copied(&mut b, layout, state, stages, 0);
    let register = Register { layout, stages, step };
    b.repeat(wg::INITIAL_STEPS, &[], |b, i, _| {
        register.advance(b, &Steps(vec![(i, 1)]), None);
        Vec::new()
    });
    // As many steps turn the register by whole turns.
    copied(&mut b, layout, stages, out, (STAGES - wg::INITIAL_STEPS % STAGES) % STAGES);
    let claims = outputs.into_iter().map(|output| Claim::Step { output, name: "wg_register".into() }).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}

fn stream(name: &str, layout: &Layout, parts: &[Arc<Kernel>]) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, layout.word);
    let word = layout.word;
    let (out, outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, STAGES);
    let words = BITS / word;
    let bits = b.output("stream", words, &vec![pow2(word) - 1; words as usize]);
    let (state, inputs) = parameter(&mut b, layout, "state", ArrayKind::Input, STAGES);
    let stages = local(&mut b, layout, "stages", STAGES);
    let bit = b.local("bit", 1, Interval::bits(1));
    let step = b.callee(Arc::new(step("step", layout, parts, false)?));
    copied(&mut b, layout, state, stages, 0);
    let register = Register { layout, stages, step };
    b.repeat(words, &[], |b, i, _| {
        if word == 1 {
            register.advance(b, &Steps(vec![(i, 1)]), Some(View::from(bits, Index::counter(i))));
            return Vec::new();
        }
        let zero = b.word_constant(0);
        let all = b.repeat(word, &[(zero, Interval::bits(word))], |b, j, all| {
            register.advance(b, &Steps(vec![(i, i64::from(word)), (j, 1)]), Some(View::whole(bit)));
            let up = b.wrapping_shl(all[0], 1u32);
            let bit = b.load(bit, 0u32);
            vec![b.or(up, bit)]
        });
        b.store(bits, Index::counter(i), all[0]);
        Vec::new()
    });
    copied(&mut b, layout, stages, out, (STAGES - BITS % STAGES) % STAGES);
    let mut operand = Operand { name: "stream".into(), digits: Vec::new(), bound: pow2(BITS) - 1, below: None };
    for i in (0..words).rev() {
        operand = operand.with_digit(bits, i, BITS - word * (i + 1), pow2(word) - 1);
    }
    let step = |output| Claim::Step { output, name: "wg_register".into() };
    let claims = outputs.into_iter().chain([operand]).map(step).collect();
    Ok(b.finish(Contract { facts: Vec::new(), inputs, claims }))
}
