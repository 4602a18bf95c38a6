//! Linear maps of binary fields, bit-sliced: trace, half-trace, solutions of quadratics, squares of polynomials.
//!
//! * **computes** sums of coordinates; pairs that several sums need are added once.
//! * **needs** any basis; the half-trace an odd degree. The output may be the operand.
//! * **gives** the image's coordinates.
//! * **cost** in normal bases: trace m − 1 XORs, quadratics m − 2. In polynomials what the greedy search leaves of the
//!   dense maps.
//! * **source** the definitions; IEEE 1363 annex A.4; pairs: Paar, "Optimized arithmetic for Reed-Solomon encoders"
//!   (1997).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::{Builder, Kernel, Operand};
use num_bigint::BigUint;

use super::circuit::{Circuit, Wire};
use super::coordinates::{binary, element_in, element_out, linear_contract, one_bit_words, polynomial_bits};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Greatest degree for which pairs of a dense map are searched: that takes m³ steps.
pub const DENSE_DEGREE: u32 = 300;

/// Sums, pairs shared.
pub const SHARED_SUMS: Whole = Whole { name: "shared-sums", applies, write };

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let Some(f) = field.get::<BinaryField>() else { return false };
    let normal = f.basis_type().is_some();
    let sparse = f.degree <= DENSE_DEGREE;
    let wanted = *op == Operation::SQUARE && polynomial_bits(field, layout)
        || *op == Operation::TRACE
        || *op == Operation::SOLVE_QUADRATIC && (normal || sparse)
        || *op == Operation::HALF_TRACE && f.degree % 2 == 1 && sparse;
    wanted && one_bit_words(field, layout)
}

/// The coordinates of each basis element's image, by the field's definition.
fn images(f: &BinaryField, op: &Operation) -> Vec<Vec<u32>> {
    let unit = |i: u32| BigUint::from(1u32) << i;
    let coordinates = |x: BigUint| (0..f.degree).filter(|i| x.bit(u64::from(*i))).collect::<Vec<u32>>();
    let square = |i| op.meaning(f, &[unit(i)]).unwrap_or_default();
    let all = match op {
        op if *op == Operation::SOLVE_QUADRATIC => f.quadratic(),
        op if *op == Operation::HALF_TRACE => f.half_traces().unwrap_or_default(),
        // (The trace is coordinate 0.)
        op if *op == Operation::TRACE => f.traces().into_iter().map(|one| BigUint::from(u32::from(one))).collect(),
        _ => (0..f.degree).map(square).collect(),
    };
    all.into_iter().map(coordinates).collect()
}

fn write(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let kernel = map_kernel(&format!("{}_shared_sums", op.name()), layout, images(f, op), |circuit, x, rows| {
        if *op == Operation::SOLVE_QUADRATIC && f.basis_type().is_some() {
            // Every coordinate is the one before and one more.
            prefix_sums(circuit, x)
        } else if *op == Operation::TRACE {
            vec![circuit.sum(rows[0].iter().map(|i| x[*i]))]
        } else {
            circuit.linear_map(x, rows)
        }
    });
    Ok(kernel)
}

/// The kernel of a linear map by these images, whose coordinates a circuit makes from those of the operand and the
/// lists of those that add up to each; of one coordinate where it makes one.
pub fn map_kernel(
    name: &str,
    layout: &Layout,
    images: Vec<Vec<u32>>,
    build: impl FnOnce(&mut Circuit, &[Wire], Vec<Vec<usize>>) -> Vec<Wire>,
) -> Kernel {
    let mut circuit = Circuit::default();
    let x = circuit.inputs(layout.digits());
    let mut rows = vec![Vec::new(); layout.digits()];
    images.iter().enumerate().for_each(|(i, image)| image.iter().for_each(|k| rows[*k as usize].push(i)));
    let wires = build(&mut circuit, &x, rows);
    let mut b = Builder::new(name, 1);
    let (out, output) = if wires.len() == 1 {
        let array = b.output("out", 1, &[1.into()]);
        (array, Operand::new("out", array, &[0], &[1.into()], 1.into()))
    } else {
        element_out(&mut b, layout)
    };
    let x = element_in(&mut b, "a", layout);
    let inputs = b.load_all(x.array);
    let values = circuit.write(&mut b, &inputs, &wires);
    b.store_all(out, &values);
    b.finish(linear_contract(output, x.operand, images))
}

/// z_0 = 0, z_i = z_{i−1} + a_i.
fn prefix_sums(c: &mut Circuit, x: &[Wire]) -> Vec<Wire> {
    let mut sum = None;
    let next = |w: &Wire| {
        sum = c.xor(sum, *w);
        sum
    };
    std::iter::once(None).chain(x[1..].iter().map(next)).collect()
}
