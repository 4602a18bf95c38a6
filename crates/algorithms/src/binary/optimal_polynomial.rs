//! Optimal normal bases of type 2 through powers of β: polynomials are multiplied, at the price of two changes of basis.
//!
//! * **computes** coordinates on `c_n = z^n + z^−n` (a permutation of the normal basis) into coordinates on `c, c², …`, the product of these polynomials, its coefficients
//!   back to `c_1 … c_2m`, and folds them: `c_{2m+1−k} = c_k`.
//! * **needs** type 2. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** M(m) gates of a product of polynomials, and about `(n/2) log2 n` XORs for a change of n coordinates: two of m, one of 2m, m to fold. 13,410 gates for m = 131.
//! * **source** Von zur Gathen, Shokrollahi, Shokrollahi, "Efficient multiplication using type 2 optimal normal bases" (2007); Bernstein and Lange, "Type-II optimal polynomial
//!   bases" (2010).

use evariste_ir::Kernel;
use evariste_spec::Field;

use super::circuit::{Circuit, Wire};
use super::coordinates::{circuit_product, normal_bits};
use super::fan_hasan::{permuted, places};
use super::polynomial_product::{Cost, Products};
use crate::frame::NotApplicable;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::registry::Whole;

/// Fewest gates: products also by values at five places.
pub const FEWEST: Whole = Whole { name: "optimal-polynomial", applies, write: |f, l, op| write(f, l, op, "optimal_polynomial", Cost::Gates) };
/// Shallow: Karatsuba's kind of splits only.
pub const SHALLOW: Whole = Whole { name: "optimal-polynomial-shallow", applies, write: |f, l, op| write(f, l, op, "optimal_polynomial_shallow", Cost::ShallowGates) };
/// By blocks that stay in registers.
pub const BLOCKS: Whole = Whole { name: "optimal-polynomial-blocks", applies, write: |f, l, op| write(f, l, op, "optimal_polynomial_blocks", Cost::Instructions) };

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let fits = |f: &Field| matches!(f, Field::Binary(f) if f.basis_type() == Some(2) && f.degree <= super::CIRCUIT_DEGREE);
    *op == Operation::Mul && normal_bits(field, layout) && fits(field)
}

/// The largest power of two up to n.
fn power_of_two(n: usize) -> usize {
    1 << n.ilog2()
}

/// Coordinates on powers of c into those on `c_1, c_2, …`, in place.
pub fn to_symmetric(c: &mut Circuit, x: &mut [Wire]) {
    let n = x.len();
    if n < 3 {
        return;
    }
    // x[i] belongs to index i + 1; c^h = c_h for a power of two.
    let h = power_of_two(n);
    to_symmetric(c, &mut x[..h - 1]);
    to_symmetric(c, &mut x[h..]);
    for i in 1..=(n - h).min(h - 1) {
        x[h - i - 1] = c.xor(x[h - i - 1], x[h + i - 1]);
    }
}

/// The inverse.
pub fn to_powers(c: &mut Circuit, x: &mut [Wire]) {
    let n = x.len();
    if n < 3 {
        return;
    }
    let h = power_of_two(n);
    for i in 1..=(n - h).min(h - 1) {
        x[h - i - 1] = c.xor(x[h - i - 1], x[h + i - 1]);
    }
    to_powers(c, &mut x[..h - 1]);
    to_powers(c, &mut x[h..]);
}

/// `c_1 … c_2m` onto `c_1 … c_m`.
pub fn fold(c: &mut Circuit, x: &[Wire]) -> Vec<Wire> {
    let m = x.len() / 2;
    (0..m).map(|k| c.xor(x[k], x[2 * m - 1 - k])).collect()
}

fn write(field: &Field, layout: &Layout, op: &Operation, name: &str, cost: Cost) -> Result<Kernel, NotApplicable> {
    let products = Products::new(layout.digits(), cost);
    circuit_product(field, layout, &format!("{}_{name}", op.name()), |f, c, x, y| {
        let (m, places) = (x.len(), places(f));
        let mut factors = [x, y].map(|v| permuted(&places, v).split_off(1));
        factors.iter_mut().for_each(|v| to_powers(c, v));
        // Coefficients of c² … c^2m.
        let mut product = vec![None];
        product.extend(products.multiply(c, &factors[0], &factors[1]));
        product.resize(2 * m, None);
        to_symmetric(c, &mut product);
        let folded = fold(c, &product);
        places.iter().map(|at| folded[at - 1]).collect()
    })
}
