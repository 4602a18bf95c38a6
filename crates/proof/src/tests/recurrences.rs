//! Loops that look like a recurrence and are another one: each is refused, at a size at which every input runs.

use std::sync::Arc;

use evariste_ir::{
    Array, ArrayKind, BitOf, Builder, Claim, Contract, Index, Interval, Kernel, Polynomial, Recurrence, Ring,
};
use evariste_ir::{Operand, range::pow2};

use super::{holds, is_proved};
use crate::kernels::formulas::{Calls, Registers, Terms};
use crate::toys::exhaust;

/// Trips of the loop, and bits of the input number k.
const TRIPS: u32 = 3;

/// What a test writes between the start, s = x and t = y, and the end, out = t.
struct Body<'a, 'b> {
    b: &'a mut Builder,
    registers: Registers<'b>,
    k: Array,
    bit: Array,
}

impl Body<'_, '_> {
    fn array(&mut self, name: &str) -> Array {
        self.registers.array(self.b, name)
    }

    fn run(&mut self, steps: &str) {
        self.registers.run(self.b, steps);
    }

    fn copy(&mut self, from: &str, to: &str) {
        let to = self.array(to);
        self.registers.copy(self.b, from, to);
    }

    /// Steps so many times.
    fn repeat(&mut self, trips: u32, steps: &str) {
        let registers = &mut self.registers;
        self.b.repeat(trips, &[], |b, _, _| {
            registers.run(b, steps);
            Vec::new()
        });
    }

    /// Steps in the loop, after the bit of k or of a copy of it, and what else is done in an iteration.
    fn repeat_with_bit(&mut self, from: Array, steps: &str, mut more: impl FnMut(&mut Builder, Index)) {
        let (registers, bit) = (&mut self.registers, self.bit);
        self.b.repeat(TRIPS, &[], |b, i, _| {
            let at = Index::at(0).plus(i, 1);
            let x = b.load(from, at.clone());
            b.store(bit, 0u32, x);
            registers.run(b, steps);
            more(b, at);
            Vec::new()
        });
    }
}

/// What is claimed of t, which is component 0: `t = y; s = x`, then so often a step in x, y (inputs 1 and 2), t, s
/// and the bit (3, 4 and 5).
struct Claimed {
    start: [Polynomial; 2],
    step: [Terms; 2],
    count: u32,
}

/// `t += s; s *= x`.
fn claimed() -> Claimed {
    let [x, t, s] = [1, 3, 4].map(Terms::variable);
    Claimed { start: [Polynomial::input(2), Polynomial::input(1)], step: [t + s.clone(), s * x], count: TRIPS }
}

const STEP: &str = "t = t + s; s = s * x";

/// The kernel of such a body; k and x are inputs or are written, too.
fn kernel(field: &Calls, [of_k, of_x]: [ArrayKind; 2], claimed: Claimed, body: impl FnOnce(&mut Body)) -> Kernel {
    let layout = &field.layout;
    let mut b = Builder::new("looped", layout.word);
    let ty = b.word_type();
    let (out, operand) = evariste_algorithms::signature::output(&mut b, "out", &layout.weights, &layout.resting);
    let k = b.array("k", ty, TRIPS, of_k, vec![Interval::bits(1)]);
    let weights: Vec<u32> = (0..TRIPS).collect();
    let mut inputs = vec![Operand::new("k", k, &weights, &[1.into()], pow2(TRIPS) - 1)];
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let [x, y] = [("x", of_x), ("y", ArrayKind::Input)].map(|(name, kind)| {
        let array = b.array(name, ty, layout.weights.len() as u32, kind, ranges.clone());
        let bound = layout.resting.bound.clone();
        inputs.push(Operand::new(name, array, &layout.weights, &layout.resting.digit_max, bound));
        array
    });
    let bit = b.array("bit", ty, 1, ArrayKind::Local, vec![Interval::bits(1)]);
    let registers = field.registers(&mut b, &[("x", x), ("y", y), ("bit", bit)]);
    let mut writer = Body { b: &mut b, registers, k, bit };
    writer.copy("x", "s");
    writer.copy("y", "t");
    body(&mut writer);
    let mut registers = writer.registers;
    registers.copy(&mut b, "t", out);
    let recurrence = Recurrence {
        start: claimed.start.to_vec(),
        step: claimed.step.map(|t| t.0).to_vec(),
        bits: vec![BitOf { number: 0, first: 0, stride: 1 }],
        count: claimed.count,
        ring: Ring::Integers(field.p.clone()),
    };
    let claim = Claim::Iterate { output: operand, recurrence: Arc::new(recurrence), component: 0 };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

const INPUTS: [ArrayKind; 2] = [ArrayKind::Input, ArrayKind::Input];

/// Well formed, wrong on some input, and not proved, also not where samples are not run.
fn fails(what: &str, kernel: &Kernel) {
    use crate::broken_rules::{Rule, breaking};
    assert_eq!(evariste_ir::verify(kernel), Ok(()), "{what}");
    assert!(exhaust(kernel).is_some(), "{what} is right");
    assert!(!is_proved(kernel), "{what} is proved");
    assert!(!breaking(&[Rule::Nets], || is_proved(kernel)), "{what} is proved without samples");
}

fn field() -> Calls {
    Calls::plain("7", 2)
}

fn of(body: impl FnOnce(&mut Body)) -> Kernel {
    kernel(&field(), INPUTS, claimed(), body)
}

#[test]
fn one_loop_in_its_order() {
    assert!(field().layout.weights.len() > 1, "numbers of two digits");
    holds("the recurrence", &of(|w| w.repeat(TRIPS, STEP)));
    fails("the new s for the old one", &of(|w| w.repeat(TRIPS, "s = s * x; t = t + s")));
    fails("one trip more", &of(|w| w.repeat(TRIPS + 1, STEP)));
    fails(
        "a step after the loop",
        &of(|w| {
            w.repeat(TRIPS, STEP);
            w.run("t = t + s");
        }),
    );
    fails(
        "a step before the loop",
        &of(|w| {
            w.run("t = t + s");
            w.repeat(TRIPS, STEP);
        }),
    );
    fails(
        "a number of the last iteration",
        &of(|w| {
            w.copy("y", "u");
            w.repeat(TRIPS, "t = u + s; s = s * x");
        }),
    );
}

#[test]
fn several_loops() {
    fails(
        "the loop twice",
        &of(|w| {
            w.repeat(TRIPS, STEP);
            w.repeat(TRIPS, STEP);
        }),
    );
    fails(
        "each half of a step in a loop of its own",
        &of(|w| {
            w.repeat(TRIPS, "s = s * x");
            w.repeat(TRIPS, "t = t + s");
        }),
    );
    fails(
        "another loop before",
        &of(|w| {
            w.repeat(TRIPS, "s = s + y");
            w.repeat(TRIPS, STEP);
        }),
    );
    for inner in [2, TRIPS] {
        fails(
            "a loop in a loop",
            &of(|w| {
                let registers = &mut w.registers;
                w.b.repeat(TRIPS, &[], |b, _, _| {
                    b.repeat(inner, &[], |b, _, _| {
                        registers.run(b, STEP);
                        Vec::new()
                    });
                    Vec::new()
                });
            }),
        );
        let count = Claimed { count: inner, ..claimed() };
        fails(
            "the inner loop's count",
            &kernel(&field(), INPUTS, count, |w| {
                let registers = &mut w.registers;
                w.b.repeat(2, &[], |b, _, _| {
                    b.repeat(inner, &[], |b, _, _| {
                        registers.run(b, STEP);
                        Vec::new()
                    });
                    Vec::new()
                });
            }),
        );
    }
}

#[test]
fn places_and_digits() {
    fails(
        "a digit at a place that moves",
        &of(|w| {
            let (s, y) = (w.array("s"), w.array("y"));
            let registers = &mut w.registers;
            w.b.repeat(TRIPS, &[], |b, i, _| {
                registers.run(b, STEP);
                let digit = b.load(y, 0u32);
                b.store(s, Index::counter(i).modulo(), digit);
                Vec::new()
            });
        }),
    );
    fails(
        "a digit from a place that moves",
        &of(|w| {
            let (s, y) = (w.array("s"), w.array("y"));
            let registers = &mut w.registers;
            w.b.repeat(TRIPS, &[], |b, i, _| {
                registers.run(b, STEP);
                let digit = b.load(y, Index::counter(i).modulo());
                b.store(s, 0u32, digit);
                Vec::new()
            });
        }),
    );
    fails(
        "digits exchanged in each iteration",
        &of(|w| {
            let s = w.array("s");
            let registers = &mut w.registers;
            w.b.repeat(TRIPS, &[], |b, _, _| {
                let digits = b.load_all(s);
                b.store_all(s, &[digits[1], digits[0]]);
                registers.run(b, STEP);
                Vec::new()
            });
        }),
    );
    // Kept in another order of digits, which every iteration undoes and makes again; or does not make again.
    for again in [true, false] {
        let kept = of(|w| {
            let s = w.array("s");
            let turned = w.b.local("turned", 2, Interval::bits(2));
            let turn = |b: &mut Builder, from: Array, to: Array, back: bool| {
                let digits = b.load_all(from);
                b.store_all(to, &if back { [digits[1], digits[0]] } else { [digits[0], digits[1]] });
            };
            turn(w.b, s, turned, true);
            let registers = &mut w.registers;
            w.b.repeat(TRIPS, &[], |b, _, _| {
                turn(b, turned, s, true);
                registers.run(b, STEP);
                turn(b, s, turned, again);
                Vec::new()
            });
        });
        if again {
            assert_eq!(exhaust(&kept), None, "digits in another order")
        } else {
            fails("digits in two orders", &kept)
        }
    }
    fails(
        "a digit that is carried",
        &of(|w| {
            let (s, y) = (w.array("s"), w.array("y"));
            let digit = w.b.load(y, 0u32);
            let registers = &mut w.registers;
            w.b.repeat(TRIPS, &[(digit, Interval::bits(2))], |b, _, carried| {
                registers.run(b, STEP);
                let next = b.load(s, 0u32);
                b.store(s, 0u32, carried[0]);
                vec![next]
            });
        }),
    );
    fails(
        "a digit that was carried, after the loop",
        &of(|w| {
            let (t, y) = (w.array("t"), w.array("y"));
            let digit = w.b.load(y, 0u32);
            let registers = &mut w.registers;
            let results = w.b.repeat(TRIPS, &[(digit, Interval::bits(2))], |b, _, _| {
                registers.run(b, STEP);
                vec![b.load(t, 0u32)]
            });
            w.run("t = t + x");
            w.b.store(t, 0u32, results[0]);
        }),
    );
}

#[test]
fn starts() {
    let zero = || [Polynomial::default(), Polynomial::default()];
    let [x, y, t, s] = [1, 2, 3, 4].map(Terms::variable);
    // Both start at 0, where a step that multiplies says nothing.
    let sums = || Claimed { start: zero(), step: [t.clone() + s.clone(), s.clone() + x.clone()], count: TRIPS };
    let body = |steps: &'static str| {
        move |w: &mut Body| {
            w.copy("0", "s");
            w.copy("0", "t");
            w.repeat(TRIPS, steps);
        }
    };
    holds("sums from 0", &kernel(&field(), INPUTS, sums(), body("t = t + s; s = s + x")));
    fails("another sum from 0", &kernel(&field(), INPUTS, sums(), body("t = t + s; s = s + y")));
    let squares = Claimed { start: zero(), step: [t.clone() + s.clone(), s.clone() * s + y], count: TRIPS };
    fails("0 instead of squares", &kernel(&field(), INPUTS, squares, body("t = t + s; s = s + y")));
    // The start that the step would reach.
    let later = Claimed { start: [Polynomial::input(2), Polynomial::input(2)], ..claimed() };
    fails("y for x", &kernel(&field(), INPUTS, later, |w| w.repeat(TRIPS, STEP)));
}

#[test]
fn bits_and_arrays_in_place() {
    let [x, t, s, bit] = [1, 3, 4, 5].map(Terms::variable);
    let chosen = || Claimed { step: [t.clone() + bit.clone() * x.clone(), s.clone()], ..claimed() };
    let steps = "u = t + x; t = bit ? t u";
    let nothing = |_: &mut Builder, _: Index| {};
    holds("bits", &kernel(&field(), INPUTS, chosen(), |w| w.repeat_with_bit(w.k, steps, nothing)));
    let set = |array: Array| {
        move |b: &mut Builder, _: Index| {
            let zero = b.word_constant(0);
            b.store(array, TRIPS - 1, zero);
        }
    };
    fails(
        "bits of a copy that is written",
        &kernel(&field(), INPUTS, chosen(), |w| {
            let copy = w.b.local("copy", TRIPS, Interval::bits(1));
            let bits = w.b.load_all(w.k);
            w.b.store_all(copy, &bits);
            w.repeat_with_bit(copy, steps, set(copy));
        }),
    );
    let in_place = || [ArrayKind::InOut, ArrayKind::Input];
    fails(
        "bits of an array that is written",
        &kernel(&field(), in_place(), chosen(), |w| {
            w.repeat_with_bit(w.k, steps, set(w.k));
        }),
    );
    fails(
        "bits of an array that was written before",
        &kernel(&field(), in_place(), chosen(), |w| {
            set(w.k)(w.b, Index::at(0));
            w.repeat_with_bit(w.k, steps, nothing);
        }),
    );
    let in_place = || [ArrayKind::Input, ArrayKind::InOut];
    holds(
        "x in place, after the loop",
        &kernel(&field(), in_place(), claimed(), |w| {
            w.repeat(TRIPS, STEP);
            w.run("x = x * x");
        }),
    );
    fails(
        "x in place, before the loop",
        &kernel(&field(), in_place(), claimed(), |w| {
            w.run("x = x * x");
            w.repeat(TRIPS, STEP);
        }),
    );
    fails(
        "x in place, in the loop",
        &kernel(&field(), in_place(), claimed(), |w| {
            w.repeat(TRIPS, "t = t + s; s = s * x; x = x * x");
        }),
    );
}
