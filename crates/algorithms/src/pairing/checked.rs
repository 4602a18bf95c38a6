//! Pairings of points in bytes, with every check of what comes from outside.
//!
//! * **computes** the pairing of two points in uncompressed bytes, or the product of the pairings of two pairs.
//! * **needs** nothing: any bytes.
//! * **gives** 1 as `valid` and the value; or 0 and that of neutral points in place of those that are none: for another
//!   prefix, a coordinate that is not below p, a point that is not on its curve or in its group.
//! * **cost** that of the pairing, and for each point a test for its group and a product for each coordinate of y. Time and
//!   addresses depend on no byte.
//! * **source** SEC 1 (2009), section 2.3.4, for the bytes; the definitions.

use evariste_descriptions::{Curve, Part};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, View};

use super::exponent::claims;
use super::setting::{Setting, degree};
use crate::curve::Bytes;
use crate::lowering::Element;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::prime::to_bytes::byte_count;
use crate::recipe::{Kind, Need, Of, Parts, Pick, Recipe, Setting as Wanted};
use crate::signature::NotApplicable;
use crate::tower::room;

/// What is called: both ways to read a point, the product of the prime field, and the pairing of points.
macro_rules! needs {
    ($operation:ident) => {
        &[
            Need { operation: Operation::FROM_UNCOMPRESSED, pick: Pick::First, of: Of::Group(Part::First) },
            Need { operation: Operation::FROM_UNCOMPRESSED, pick: Pick::First, of: Of::Group(Part::Second) },
            Need::ground(Operation::MUL),
            Need::new(Operation::$operation, Pick::First),
        ]
    };
}

/// All of them.
pub const CHECKED: &[&dyn Recipe] = &[
    &Checked { operation: Operation::PAIRING_OF_BYTES, pairs: &[["p", "q"]], needs: needs!(PAIRING) },
    &Checked {
        operation: Operation::MULTI_PAIRING_OF_BYTES,
        pairs: &[["p1", "q1"], ["p2", "q2"]],
        needs: needs!(MULTI_PAIRING),
    },
];

/// A pairing of points in bytes.
struct Checked {
    operation: Operation,
    pairs: &'static [[&'static str; 2]],
    needs: &'static [Need],
}

impl Recipe for Checked {
    fn name(&self) -> &'static str {
        "checked"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Wanted) -> Option<&'static [Need]> {
        let fits = *s.operation == self.operation && s.layout.word.is_multiple_of(8);
        (fits && Setting::new(s.field, s.layout).is_ok()).then_some(self.needs)
    }

    fn write(&self, s: Wanted, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let setting = Setting::new(s.field, s.layout)?;
        let mut builder = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let b = &mut builder;
        let out = Element::output(b, s.layout, "out", setting.target().degree());
        let valid = b.output("valid", 1, &[1.into()]);
        let curves = [&setting.pairing.first, &setting.pairing.second];
        let length = byte_count(setting.modulus());
        let bytes = |b: &mut Builder, name: &str, curve: &Curve| {
            let count = 1 + 2 * length * degree(curve.field()) as u32;
            Bytes::new(b, name, ArrayKind::Input, count, true)
        };
        let mut given = Vec::new();
        for names in self.pairs {
            for (name, curve) in names.iter().zip(curves) {
                given.push((name, bytes(b, name, curve), degree(curve.field()) as u32));
            }
        }
        let mut callee = |i: usize, name: &str| Ok(Callee::new(b, parts.kernel(i)?, name));
        let read = [callee(0, "from_first")?, callee(1, "from_second")?];
        let [mul, pairing] = [callee(2, "mul")?, callee(3, "pairing")?];
        let mut points: Vec<Array> = Vec::new();
        let mut all = b.word_constant(1);
        for (i, (name, bytes, degree)) in given.iter().enumerate() {
            let point = room(b, s.layout, &format!("{name}_point"), 3 * *degree as usize);
            let is = b.local(format!("{name}_is"), 1, Interval::bits(1));
            read[i % 2].call_each(b, &[View::whole(point), View::whole(is)], &[View::whole(bytes.array)]);
            points.push(affine(b, s, &mul, point, *degree, name));
            let is = b.load(is, 0u32);
            all = b.and(all, is);
        }
        pairing.call(b, out.array, &points);
        b.store(valid, 0u32, all);
        let flag = Operand::new("valid", valid, &[0], &[1.into()], 1.into());
        let mut claims = claims(&out, s.layout, "pairing_of_bytes");
        claims.push(Claim::Step { output: flag, name: "pairing_of_bytes".into() });
        let inputs = given.into_iter().map(|(_, bytes, _)| bytes.operand).collect();
        Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
    }
}

/// The affine coordinates of `(x : y : 1)`, and (0, 0) of the neutral element `(0 : 1 : 0)`: x and y·z.
fn affine(b: &mut Builder, s: Wanted, mul: &Callee, point: Array, degree: u32, name: &str) -> Array {
    let digits = s.layout.digits() as u32;
    let to = room(b, s.layout, &format!("{name}_affine"), 2 * degree as usize);
    for i in 0..degree * digits {
        let digit = b.load(point, i);
        b.store(to, i, digit);
    }
    // (Of z = 1 + 0·i the first coordinate.)
    let z = View::from(point, 2 * degree * digits);
    for i in degree..2 * degree {
        mul.call_views(b, View::from(to, i * digits), &[View::from(point, i * digits), z.clone()]);
    }
    to
}
