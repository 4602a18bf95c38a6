//! Linear and bilinear maps over GF(2): first by typing (every value is linear in one operand, or a sum of products of
//! the two), then, which is complete for such kernels, by the products of coordinates that each bit of the output is the
//! sum of, or on all basis vectors or pairs of them, many lanes at once in the interpreter.

mod lists;
pub(crate) mod monomials;

use std::collections::HashMap;

use evariste_ir::op::OverBits;
use evariste_ir::{Array, BitMap, Coordinate, Interpreter, Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::broken_rules::{Rule, broken};
use crate::outcome::Obligation;
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, pattern, run};

/// How a value (every bit of it) depends on the operands.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Class {
    /// A constant, as the pattern of its type.
    Constant(BigInt),
    /// Linear in the first operand, no constant part.
    Left,
    /// Linear in the second operand.
    Right,
    /// Linear in each.
    Product,
    /// None of these.
    Other,
}

use Class::*;

impl Class {
    fn is_zero(&self) -> bool {
        matches!(self, Constant(c) if c.is_zero())
    }
}

/// Sums.
fn sum(a: &Class, b: &Class) -> Class {
    match (a, b) {
        (Constant(x), Constant(y)) => Constant(x ^ y),
        (Constant(c), x) | (x, Constant(c)) if c.is_zero() => x.clone(),
        (x, y) if x == y => x.clone(),
        _ => Other,
    }
}

/// Bitwise and carry-less products.
fn product(a: &Class, b: &Class) -> Class {
    match (a, b) {
        (Constant(c), _) | (_, Constant(c)) if c.is_zero() => Constant(BigInt::zero()),
        (Constant(_), x) | (x, Constant(_)) => x.clone(),
        (Left, Right) | (Right, Left) => Product,
        _ => Other,
    }
}

/// A value: how it depends on the operands, and as a sum of values that are no sums themselves, which have numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Typed {
    class: Class,
    /// The numbers of those that occur an odd number of times, ascending; none is zero.
    sum: Vec<u32>,
}

/// Longest sum that is kept; a longer one gets a number of its own.
const LONGEST: usize = 16;

/// What occurs an odd number of times in both lists together.
fn added(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    add_to(&mut all, a, b);
    all
}

/// Writes what occurs an odd number of times in both lists together behind what is there.
fn add_to(all: &mut Vec<u32>, a: &[u32], b: &[u32]) {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x != y {
            all.push(*x.min(y));
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    all.extend_from_slice(&a[i..]);
    all.extend_from_slice(&b[j..]);
}

/// A look-up in entries that were computed. Where each is the sum of the entries at the powers of two that its place is
/// the sum of (that at 0 is 0), what is looked up is the sum of these entries times the bits of the index: bilinear
/// where the index and each of them are linear in different operands.
fn looked_up(index: &Class, entries: &[Typed]) -> Class {
    let powers = || (0..entries.len().trailing_zeros()).map(|i| &entries[1 << i]);
    let is_sum = |(place, entry): (usize, &Typed)| {
        let parts = powers().enumerate().filter(|(i, _)| place >> i & 1 == 1);
        entry.sum == parts.fold(Vec::new(), |sum, (_, part)| added(&sum, &part.sum))
    };
    let sums = entries.len().is_power_of_two() && (broken(Rule::Table) || entries.iter().enumerate().all(is_sum));
    // Each entry alone: the sum of two equal constants is 0, and they are not.
    let all = |wanted: &Class| powers().all(|entry| entry.class == *wanted || entry.class.is_zero());
    match index {
        Left | Right if sums && powers().all(|entry| entry.class.is_zero()) => Constant(BigInt::zero()),
        Left if sums && all(&Right) => Product,
        Right if sums && all(&Left) => Product,
        _ => Other,
    }
}

/// The typing, with the next number.
#[derive(Default)]
struct Typing {
    next: u32,
}

impl Typing {
    /// A value that is no sum.
    fn alone(&mut self, class: Class) -> Typed {
        if class.is_zero() {
            return Typed { class, sum: Vec::new() };
        }
        self.next += 1;
        Typed { class, sum: vec![self.next] }
    }
}

impl Domain for Typing {
    type V = Typed;

    fn apply(&mut self, o: &Applied, operands: &[Typed]) -> Result<Vec<Typed>, Failure> {
        let args: Vec<Class> = operands[..o.args.len()].iter().map(|x| x.class.clone()).collect();
        let class = if operands.len() > args.len() {
            looked_up(&args[0], &operands[args.len()..])
        } else {
            of_operation(o, &args)
        };
        if let (Op::Xor, [a, b]) = (o.op, operands) {
            let sum = added(&a.sum, &b.sum);
            if sum.len() <= LONGEST && !matches!(class, Constant(_)) {
                return Ok(vec![Typed { class, sum }]);
            }
        }
        Ok(o.types.iter().map(|_| self.alone(class.clone())).collect())
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Typed {
        self.alone(Constant(pattern(c, ty)))
    }
}

/// How the results of an operation depend on the operands.
fn of_operation(o: &Applied, args: &[Class]) -> Class {
    use Op::*;
    let bit = o.types[0].bits() == 1 && o.arg_types.iter().all(|t| t.bits() == 1);
    let over_bits = o.op.row().over_bits;
    let all_constant = args.iter().all(|a| matches!(a, Constant(_)));
    match o.op {
        Const(c) => Constant(pattern(c, o.types[0])),
        Xor => sum(&args[0], &args[1]),
        WrappingAdd | WrappingSub if bit => sum(&args[0], &args[1]),
        // The square of a polynomial: no two different bits meet an odd number of times.
        Clmul if o.args[0] == o.args[1] && matches!(args[0], Left | Right) => args[0].clone(),
        _ if over_bits == OverBits::Bilinear && !all_constant => product(&args[0], &args[1]),
        And if all_constant => match args {
            [Constant(x), Constant(y)] => Constant(x & y),
            _ => Other,
        },
        WrappingMul | Mul if bit => product(&args[0], &args[1]),
        AndNot => match args {
            [Constant(x), Constant(y)] => Constant(x - (x & y)),
            // The bits of a linear value that a constant leaves.
            [x, Constant(_)] => x.clone(),
            _ => Other,
        },
        // b + m (a + b)
        Select => sum(&args[2], &product(&args[0], &sum(&args[1], &args[2]))),
        // What only moves bits, or repeats them, or adds them up. A constant that is moved is no longer known, unless
        // it is zero.
        _ if over_bits == OverBits::Linear => args.iter().fold(Constant(BigInt::zero()), |c, a| moved(&c, a)),
        Lookup { .. } if is_linear(o.table) => moved(&Constant(BigInt::zero()), &args[0]),
        _ => Other,
    }
}

fn moved(so_far: &Class, next: &Class) -> Class {
    match next {
        Constant(c) if !c.is_zero() => Other,
        _ => sum(so_far, next),
    }
}

/// Is a table a linear map of its index?
fn is_linear(table: &[BigInt]) -> bool {
    table.len().is_power_of_two()
        && (0..table.len()).all(|i| {
            let lowest = i & i.wrapping_neg();
            if i == lowest { i != 0 || table[0].is_zero() } else { table[i] == &table[lowest] ^ &table[i ^ lowest] }
        })
}

fn open(output: &Operand, detail: impl Into<String>) -> Obligation {
    Obligation { what: format!("map of {}", output.name), detail: detail.into() }
}

/// Shows that the output's digits are the image of the inputs' digits.
pub(crate) fn check(kernel: &Kernel, output: &Operand, map: &BitMap) -> Result<(), Obligation> {
    let operands = map.operands();
    let inputs: Vec<&Operand> = kernel.contract.inputs.iter().collect();
    if inputs.len() != operands {
        return Err(open(output, format!("the map has {operands} operands, the kernel {}", inputs.len())));
    }
    let mut typing = Typing::default();
    let mut arrays: Arrays<Typed> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, evariste_ir::ArrayKind::Input | evariste_ir::ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(typing.alone(Other)));
        }
    }
    for (operand, class) in inputs.iter().zip([Left, Right]) {
        for d in &operand.digits {
            let cell = &mut arrays[d.array.0 as usize][d.index as usize];
            match cell {
                Some(x) if x.class == Other => x.class = class.clone(),
                _ => return Err(open(output, "an element belongs to two operands")),
            }
        }
    }
    let (arrays, _) = run(&mut typing, kernel, arrays).map_err(|e| open(output, e))?;
    let wanted = if operands == 1 { Left } else { Product };
    for (i, d) in output.digits.iter().enumerate() {
        let class = arrays[d.array.0 as usize][d.index as usize].as_ref().map(|x| &x.class);
        let fits = class.is_some_and(|c| *c == wanted || c.is_zero());
        if !fits {
            return Err(open(output, format!("digit {i} is not of the kind by typing: {class:?}")));
        }
    }
    compare(kernel, output, &inputs, map)
}

/// The coordinates of the image of a basis vector (pair).
pub(super) fn image(map: &BitMap, at: usize, m: usize) -> Option<Vec<u32>> {
    let mut image = Vec::new();
    visit_image(map, at, m, |k| image.push(k))?;
    Some(image)
}

/// Visits the coordinates of the image of a basis vector (pair).
fn visit_image(map: &BitMap, at: usize, m: usize, mut visit: impl FnMut(u32)) -> Option<()> {
    let (images, turn) = match map {
        BitMap::Linear(images) | BitMap::Bilinear(images) => (images.get(at)?, 0),
        BitMap::Convolution(images) => (images.get(at / m + at % m)?, 0),
        BitMap::RotatingBilinear(rows) => (rows.get((at % m + m - at / m) % m)?, at / m),
    };
    match turn {
        0 => images.iter().for_each(|c| visit(*c)),
        _ => images.iter().for_each(|c| visit((c + turn as u32) % m as u32)),
    }
    Some(())
}

/// Elements are compared whole: bits above the coordinates must be zero.
fn compare(kernel: &Kernel, output: &Operand, inputs: &[&Operand], map: &BitMap) -> Result<(), Obligation> {
    let coordinates = |o: &Operand| {
        o.coordinates().ok_or_else(|| open(output, format!("the digits of {} are no row of bits", o.name)))
    };
    let vectors: Vec<Vec<Coordinate>> = inputs.iter().map(|o| coordinates(o)).collect::<Result<_, _>>()?;
    let result = coordinates(output)?;
    if kernel
        .contract
        .inputs
        .iter()
        .chain([output])
        .flat_map(|o| &o.digits)
        .any(|d| kernel.array(d.array).ty.bits() > 64)
    {
        return Err(open(output, "an element of more than 64 bits"));
    }
    // What is not shown is run, which tells the pair.
    if monomials::is_image(kernel, output, &vectors, map) == Some(true) {
        return Ok(());
    }
    on_basis(kernel, output, &vectors, &result, map)
}

/// All basis vectors (pairs), a block of lanes at a time: what the outputs are for these they are for all inputs.
pub(crate) fn on_basis(
    kernel: &Kernel,
    output: &Operand,
    vectors: &[Vec<Coordinate>],
    result: &[Coordinate],
    map: &BitMap,
) -> Result<(), Obligation> {
    let elements: Vec<(Array, u32)> = output.digits.iter().map(|d| (d.array, d.index)).collect();
    let place: HashMap<(Array, u32), usize> = elements.iter().copied().zip(0..).collect();
    let second = vectors.get(1).map_or(1, Vec::len);
    let total = vectors[0].len() * second;
    let interpreter = Interpreter::new(kernel);
    let lanes = interpreter.block_lanes().min(total.max(1));
    let mut batch = interpreter.batch(lanes);
    let mut start = 0;
    while start < total {
        let count = lanes.min(total - start);
        batch.clear();
        let mut expected = vec![vec![0u64; count]; elements.len()];
        for lane in 0..count {
            let at = start + lane;
            for (vector, i) in vectors.iter().zip([at / second, at % second]) {
                let c = vector[i];
                batch.set(c.array, c.index, lane, 1 << c.bit);
            }
            for k in image(map, at, second).ok_or_else(|| open(output, "the map has too few images"))? {
                let c =
                    result.get(k as usize).ok_or_else(|| open(output, "the map has a coordinate beyond the output"))?;
                expected[place[&(c.array, c.index)]][lane] ^= 1 << c.bit;
            }
        }
        if !interpreter.run(&mut batch).is_clean() {
            return Err(open(output, "the interpreter reports a fault"));
        }
        let mut found = vec![0u64; lanes];
        for (i, ((array, index), expected)) in elements.iter().zip(&expected).enumerate() {
            batch.read(*array, *index, &mut found);
            if let Some(lane) = (0..count).find(|l| found[*l] != expected[*l]) {
                let (a, b) = ((start + lane) / second, (start + lane) % second);
                return Err(open(output, format!("digit {i} is wrong for the basis vectors {a} and {b}")));
            }
        }
        start += count;
    }
    Ok(())
}
