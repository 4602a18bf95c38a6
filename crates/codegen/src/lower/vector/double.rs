//! Double words in lanes of 64 bits.

use evariste_ir::Op;

use super::super::lane::Lane;
use super::super::lowering::{Lowering, Rep};
use super::super::site::Site;
use super::super::writer::Writer;
use crate::graph::{Id, NONE, Operation};

impl Lowering<'_, '_> {
    /// Double words in lanes of 64 bits: two vectors, of each pair of lanes the double word of the even one and that of
    /// the odd one; of one lane the first alone.
    pub(super) fn double_words(&mut self, on: &Site<'_>, lane: Lane) -> Option<Vec<Rep>> {
        let (n, out) = (on.bits(), on.out());
        let (w, element) = (&mut self.writer, lane.bits);
        let words: Vec<_> =
            on.reps.iter().map(|r| if let Rep::Limbs(x) = r { Some(*x) } else { None }).collect::<Option<_>>()?;
        // A constant is a number in two limbs, which means the same when it is zero alone.
        let other_constant = |x: Id| x != NONE && w.graph.constant(x).is_some_and(|c| c != 0);
        if n == 128 && words.iter().flatten().any(|x| other_constant(*x)) {
            return None;
        }
        match (on.op, words.as_slice()) {
            (Op::Clmul, [x, y]) if element == 64 && n == 64 => {
                let (x, y) = (x[0], y[0]);
                if [x, y].iter().any(|v| w.graph.constant(*v) == Some(0)) {
                    let zero = w.constant(0);
                    return Some(vec![Rep::Limbs([zero, zero])]);
                }
                let even = w.vector_word(Operation::ClmulEven, &[x, y]);
                let odd = if lane.alone { NONE } else { w.vector_word(Operation::ClmulOdd, &[x, y]) };
                Some(vec![Rep::Limbs([even, odd])])
            }
            (Op::Xor, [x, y]) if lane.alone && n == 128 => Some(vec![Rep::Limbs([w.xor(x[0], y[0]), NONE])]),
            (Op::Split, [x]) if lane.alone && n == 128 && out == 64 => {
                let high = if w.graph.constant(x[0]) == Some(0) {
                    x[0]
                } else {
                    w.vector_word(Operation::UnpackOdd, &[x[0], x[0]])
                };
                Some(vec![Rep::Limbs([x[0], NONE]), Rep::Limbs([high, NONE])])
            }
            (Op::Xor, [x, y]) if element == 64 && n == 128 => {
                Some(vec![Rep::Limbs([w.xor(x[0], y[0]), w.xor(x[1], y[1])])])
            }
            (Op::Split, [x]) if element == 64 && n == 128 && out == 64 => {
                let part = |w: &mut Writer, op| {
                    if x.iter().all(|v| w.graph.constant(*v) == Some(0)) { x[0] } else { w.vector_word(op, x) }
                };
                Some(vec![
                    Rep::Limbs([part(w, Operation::UnpackEven), NONE]),
                    Rep::Limbs([part(w, Operation::UnpackOdd), NONE]),
                ])
            }
            _ => None,
        }
    }
}
