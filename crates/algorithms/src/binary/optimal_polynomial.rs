//! Optimal normal bases of type 2 through powers of β: polynomials are multiplied, at the price of two changes of
//! basis.
//!
//! * **computes** coordinates on `c_n = z^n + z^−n` (a permutation of the normal basis) into coordinates on `c, c², …`,
//!   the product of these polynomials, its coefficients back to `c_1 … c_2m`, and folds them: `c_{2m+1−k} = c_k`.
//! * **needs** type 2. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** M(m) gates of a product of polynomials, and about `(n/2) log2 n` XORs for a change of n coordinates: two
//!   of m, one of 2m, m to fold. 13,410 gates for m = 131.
//! * **source** Von zur Gathen, Shokrollahi, Shokrollahi, "Efficient multiplication using type 2 optimal normal bases"
//!   (2007); Bernstein and Lange, "Type-II optimal polynomial bases" (2010).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;

use super::circuit::{Circuit, Wire};
use super::coordinates::{binary, circuit_product, normal_bits};
use super::fan_hasan::{permuted, places};
use super::leaves::{Ends, Runs, levels, rolled_product};
use super::polynomial_product::{Cost, Products};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Fewest gates: products also by values at five places.
pub const FEWEST: Whole =
    Whole { name: "optimal-polynomial", applies, write: |f, l, op| write(f, l, op, "optimal_polynomial", Cost::Gates) };
/// Shallow: Karatsuba's kind of splits only.
pub const SHALLOW: Whole = Whole {
    name: "optimal-polynomial-shallow",
    applies,
    write: |f, l, op| write(f, l, op, "optimal_polynomial_shallow", Cost::ShallowGates),
};
/// By blocks that stay in registers.
pub const BLOCKS: Whole = Whole {
    name: "optimal-polynomial-blocks",
    applies,
    write: |f, l, op| write(f, l, op, "optimal_polynomial_blocks", Cost::Instructions),
};

/// By blocks that stay in registers, all of them by the same code.
pub const ROLLED: Whole = Whole {
    name: "optimal-polynomial-rolled",
    applies: |f, l, op| applies(f, l, op) && levels(l.digits()) > 0,
    write: |f, l, op| {
        let field = binary(f)?;
        // Of the change of basis of the product, first the blocks that fit the registers: c^n for n from 32 k + 1 on is
        // coefficient n − 2. The first block has no place for c.
        let (stride, count) = (BLOCK + 1, (2 * l.digits() + 1) / (BLOCK + 1) - 1);
        let block = |c: &mut Circuit, x: &[Wire]| {
            let mut x = x.to_vec();
            to_symmetric(c, &mut x, 0);
            x
        };
        let runs = Runs { first: stride - 1..2 * stride - 2, stride, count, map: &block };
        let ends = Ends {
            before: &|c, x| powers(field, c, x),
            runs: Some(runs),
            after: &|c, x| coordinates(field, c, x, BLOCK),
        };
        rolled_product(f, l, &format!("{}_optimal_polynomial_rolled", op.name()), &ends)
    },
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let fits = |f: &Field| {
        f.get::<BinaryField>().is_some_and(|f| f.basis_type() == Some(2) && f.degree <= super::circuit::CIRCUIT_DEGREE)
    };
    *op == Operation::MUL && normal_bits(field, layout) && fits(field)
}

/// Coordinates of a change of basis that fit the registers.
const BLOCK: usize = 31;

/// The largest power of two up to n.
fn power_of_two(n: usize) -> usize {
    1 << n.ilog2()
}

/// Coordinates on powers of c into those on `c_1, c_2, …`, in place; blocks of `done` coordinates are such already.
pub fn to_symmetric(c: &mut Circuit, x: &mut [Wire], done: usize) {
    let n = x.len();
    if n < 3 || n == done {
        return;
    }
    // x[i] belongs to index i + 1; c^h = c_h for a power of two.
    let h = power_of_two(n);
    to_symmetric(c, &mut x[..h - 1], done);
    to_symmetric(c, &mut x[h..], done);
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
        let (x, y) = (powers(f, c, x), powers(f, c, y));
        let product = products.multiply(c, &x, &y);
        coordinates(f, c, &product, 0)
    })
}

/// The coefficients of c, c², … of an element.
fn powers(f: &BinaryField, c: &mut Circuit, x: &[Wire]) -> Vec<Wire> {
    let mut x = permuted(&places(f), x).split_off(1);
    to_powers(c, &mut x);
    x
}

/// The coordinates of a product from its coefficients of c² … c^2m; blocks of `done` are on `c_n` already, but for the
/// first.
fn coordinates(f: &BinaryField, c: &mut Circuit, coefficients: &[Wire], done: usize) -> Vec<Wire> {
    let places = places(f);
    let mut product = vec![None];
    product.extend(coefficients);
    product.resize(2 * places.len(), None);
    let first = done.min(product.len());
    to_symmetric(c, &mut product[..first], 0);
    to_symmetric(c, &mut product, done);
    let folded = fold(c, &product);
    places.iter().map(|at| folded[at - 1]).collect()
}
