//! Linear and bilinear maps over GF(2): first by typing (every value is linear in one operand, or a sum of products of the two), then, which is complete for
//! such kernels, on all basis vectors or pairs of them, many lanes at once in the interpreter.

use evariste_ir::{BitMap, Digit, Interpreter, Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::outcome::Obligation;
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, run};

/// How a value (every bit of it) depends on the operands.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Class {
    /// A constant.
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

/// The typing.
struct Typing;

impl Domain for Typing {
    type V = Class;

    fn apply(&mut self, o: &Applied, args: &[Class]) -> Result<Vec<Class>, Failure> {
        use Op::*;
        let bit = o.types[0].bits() == 1 && o.arg_types.iter().all(|t| t.bits() == 1);
        let all_constant = args.iter().all(|a| matches!(a, Constant(_)));
        let class = match o.op {
            Const(c) => Constant(c.clone()),
            Xor => sum(&args[0], &args[1]),
            WrappingAdd | WrappingSub if bit => sum(&args[0], &args[1]),
            And | Clmul if !all_constant => product(&args[0], &args[1]),
            And if all_constant => match args {
                [Constant(x), Constant(y)] => Constant(x & y),
                _ => Other,
            },
            WrappingMul | Mul if bit => product(&args[0], &args[1]),
            AndNot if matches!(args[1], Constant(_)) => args[0].clone(),
            // b + m (a + b)
            Select => sum(&args[2], &product(&args[0], &sum(&args[1], &args[2]))),
            // What only moves bits. A constant that is moved is no longer known, unless it is zero.
            Shl(_) | WrappingShl(_) | Shr(_) | Rotate(_) | FunnelShift(_) | LowBits(_) | Split | Join | Widen | Narrow | FlagToWord | FlagToMask | MaskToWord
            | MaskToFlag => args.iter().fold(Constant(BigInt::zero()), |c, a| moved(&c, a)),
            Lookup { .. } if is_linear(o.table) => moved(&Constant(BigInt::zero()), &args[0]),
            _ => Other,
        };
        Ok(vec![class; o.types.len()])
    }

    fn constant(&mut self, c: &BigInt, _: Type) -> Class {
        Constant(c.clone())
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
    table.len().is_power_of_two() && (0..table.len()).all(|i| {
        let lowest = i & i.wrapping_neg();
        if i == lowest { i != 0 || table[0].is_zero() } else { table[i] == &table[lowest] ^ &table[i ^ lowest] }
    })
}

fn open(output: &Operand, detail: impl Into<String>) -> Obligation {
    Obligation { what: format!("map of {}", output.name), detail: detail.into() }
}

/// Shows that the output's digits are the image of the inputs' digits.
pub(crate) fn check(kernel: &Kernel, output: &Operand, map: &BitMap) -> Result<(), Obligation> {
    let operands = if matches!(map, BitMap::Linear(_)) { 1 } else { 2 };
    let inputs: Vec<&[Digit]> = kernel.contract.inputs.iter().map(|o| o.digits.as_slice()).collect();
    if inputs.len() != operands {
        return Err(open(output, format!("the map has {operands} operands, the kernel {}", inputs.len())));
    }
    let digits = inputs.iter().copied().flatten().chain(&output.digits);
    if digits.clone().any(|d| d.max > BigInt::one()) {
        return Err(open(output, "a digit is not a single bit"));
    }
    let mut arrays: Arrays<Class> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, evariste_ir::ArrayKind::Input | evariste_ir::ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(Other));
        }
    }
    for (digits, class) in inputs.iter().zip([Left, Right]) {
        for d in *digits {
            let cell = &mut arrays[d.array.0 as usize][d.index as usize];
            if *cell != Some(Other) {
                return Err(open(output, "an element belongs to two operands"));
            }
            *cell = Some(class.clone());
        }
    }
    let (arrays, _) = run(&mut Typing, kernel, arrays).map_err(|e| open(output, e))?;
    let wanted = if operands == 1 { Left } else { Product };
    for (i, d) in output.digits.iter().enumerate() {
        let class = arrays[d.array.0 as usize][d.index as usize].clone();
        let fits = class.as_ref().is_some_and(|c| *c == wanted || matches!(c, Constant(x) if x.is_zero()));
        if !fits {
            return Err(open(output, format!("digit {i} is not of the kind by typing: {class:?}")));
        }
    }
    compare(kernel, output, &inputs, map)
}

/// The coordinates of the image of a basis vector (pair).
fn image(map: &BitMap, at: usize, m: usize) -> Option<Vec<u32>> {
    match map {
        BitMap::Linear(images) | BitMap::Bilinear(images) => images.get(at).cloned(),
        BitMap::RotatingBilinear(rows) => {
            let (i, k) = (at / m, at % m);
            let row = rows.get((k + m - i) % m)?;
            Some(row.iter().map(|c| (c + i as u32) % m as u32).collect())
        }
    }
}

/// All basis vectors (pairs), a block of lanes at a time.
fn compare(kernel: &Kernel, output: &Operand, inputs: &[&[Digit]], map: &BitMap) -> Result<(), Obligation> {
    let second = inputs.get(1).map_or(1, |d| d.len());
    let total = inputs[0].len() * second;
    let interpreter = Interpreter::new(kernel);
    let lanes = interpreter.block_lanes().min(total.max(1));
    let mut batch = interpreter.batch(lanes);
    let mut start = 0;
    while start < total {
        let count = lanes.min(total - start);
        batch.clear();
        let mut expected = vec![vec![0u64; count]; output.digits.len()];
        for lane in 0..count {
            let at = start + lane;
            let pair = [at / second, at % second];
            for (digits, i) in inputs.iter().zip(pair) {
                batch.set(digits[i].array, digits[i].index, lane, 1);
            }
            for c in image(map, at, second).ok_or_else(|| open(output, "the map has too few images"))? {
                let row = expected.get_mut(c as usize).ok_or_else(|| open(output, "the map has a coordinate beyond the output"))?;
                row[lane] ^= 1;
            }
        }
        if !interpreter.run(&mut batch).is_clean() {
            return Err(open(output, "the interpreter reports a fault"));
        }
        let mut found = vec![0u64; lanes];
        for (i, (d, expected)) in output.digits.iter().zip(&expected).enumerate() {
            batch.read(d.array, d.index, &mut found);
            if let Some(lane) = (0..count).find(|l| found[*l] != expected[*l]) {
                let (a, b) = ((start + lane) / second, (start + lane) % second);
                return Err(open(output, format!("digit {i} is wrong for the basis vectors {a} and {b}")));
            }
        }
        start += count;
    }
    Ok(())
}

