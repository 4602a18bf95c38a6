//! Where reductions fell in a formula, and why.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::limits::Limits;
use super::steps::{From, How, Kind, Program};

/// What a program does, in a few lines.
pub(super) fn explained(program: &Program, limits: &Limits) -> String {
    let mut count = Counts::default();
    program.numbers.iter().for_each(|number| count.add(&number.from));
    let squares = |x: &BigInt| tenths(x, &(&limits.p * &limits.p));
    let largest = program.numbers.iter().filter(|x| x.wide).map(|x| &x.size.bound).max().cloned().unwrap_or_default();
    let mut lines = vec![format!(
        "{}, {}",
        amount(count.products, "whole product", "whole products"),
        amount(count.reductions, "reduction", "reductions")
    )];
    if count.blocks > 0 {
        lines[0] += &format!(", {} of products of the lowest floor", amount(count.blocks, "call", "calls"));
    }
    if count.reduced > 0 {
        lines[0] +=
            &format!(", {} at once: no sum reads them", amount(count.reduced, "product reduced", "products reduced"));
    }
    if count.sums > 0 {
        lines[0] += &format!(
            ", {} reduced as {} made",
            amount(count.sums, "sum of products", "sums of products"),
            if count.sums == 1 { "it is" } else { "they are" }
        );
    }
    lines.push(format!(
        "whole numbers up to {} p², where a reduction takes {} p²: {} as they are, {} with a multiple of p added, {}",
        squares(&largest),
        squares(&limits.double.bound),
        amount(count.plain, "sum", "sums"),
        amount(count.biased, "difference", "differences"),
        match count.corrected {
            0 => "none corrected".into(),
            n => format!("{n} corrected, which would pass that"),
        }
    ));
    lines.push(format!(
        "{} of elements not reduced, {}",
        amount(count.loose, "sum", "sums"),
        match count.rest {
            0 => "none that has to rest".into(),
            n => format!("{n} at rest: products of looser ones would pass it, or an output is one"),
        }
    ));
    if count.corrected + count.rest == 0 {
        lines.push("nothing but reductions keeps numbers in range".into());
    }
    lines.join("\n")
}

/// How often things occur.
#[derive(Default)]
struct Counts {
    products: usize,
    reductions: usize,
    reduced: usize,
    sums: usize,
    blocks: usize,
    plain: usize,
    biased: usize,
    corrected: usize,
    loose: usize,
    rest: usize,
}

impl Counts {
    fn add(&mut self, from: &From) {
        let kind = match from {
            From::Call(kind, _) => kind,
            From::Output { index: 0, .. } => return self.blocks += 1,
            _ => return,
        };
        let counted = match kind {
            Kind::MulWide(_) | Kind::SquareWide(_) => &mut self.products,
            Kind::Reduce(_) => &mut self.reductions,
            Kind::Mul | Kind::Square | Kind::MulOf(_) | Kind::SquareOf(_) => &mut self.reduced,
            Kind::Add | Kind::Sub | Kind::Opp => &mut self.rest,
            Kind::Rested(terms) => return self.rest += terms.len() - 1,
            Kind::Products(_) => &mut self.sums,
            Kind::Halve => return,
            Kind::Combination(sum) => {
                let subtracted = sum.terms.iter().filter(|(_, minus)| *minus).count();
                self.biased += subtracted;
                return self.plain += (sum.terms.len() - subtracted).saturating_sub(1);
            }
            Kind::Sum(sum) if !sum.wide => &mut self.loose,
            Kind::Sum(sum) => match sum.how {
                How::Plain => &mut self.plain,
                How::Biased(_) => &mut self.biased,
                How::Corrected(_) | How::Masked(_) => &mut self.corrected,
            },
        };
        *counted += 1;
    }
}

fn amount(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A quotient with one decimal, or as a power of two where it is long.
fn tenths(x: &BigInt, unit: &BigInt) -> String {
    if unit.is_zero() {
        return "0".into();
    }
    let tenths: BigInt = (x * 10u32 + unit / 2u32) / unit;
    match tenths.to_u32() {
        Some(n) if n < 100_000 => format!("{}.{}", n / 10, n % 10),
        _ => format!("2^{}", (x / unit).bits().saturating_sub(1)),
    }
}
