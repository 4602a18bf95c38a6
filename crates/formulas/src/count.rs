//! What a formula costs in its coefficient ring, as papers count.

use std::collections::BTreeMap;
use std::fmt;

use crate::formula::{Formula, Known, Step, Value};

/// Operations by kind. Small multiples are the additions of the shortest way by doublings, sums and differences.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Products of two elements (M).
    pub mul: u32,
    /// Squares (S).
    pub square: u32,
    /// Products with each constant.
    pub by_constant: BTreeMap<String, u32>,
    /// Sums, differences, doublings and negatives (A).
    pub add: u32,
    /// Halvings.
    pub halve: u32,
    /// Inverses (I).
    pub invert: u32,
    /// Choices by a bit; a swap is two.
    pub select: u32,
    /// Steps on the longest way from an input to an output.
    pub depth: u32,
    /// Products (M, S, by constants, inverses) on the longest such way.
    pub products_deep: u32,
}

/// The additions by which a number's multiple is found: doublings, and a sum or difference for each further digit that
/// is not 0 in its signed form.
pub fn additions(k: u32) -> u32 {
    let mut k = u64::from(k);
    let mut count = 0;
    while k > 1 {
        if k & 1 == 1 {
            count += 1;
            k = if k & 3 == 3 && k > 3 { k + 1 } else { k - 1 };
        }
        k >>= 1;
        count += 1;
    }
    count
}

/// Counts. Calls count as what they call.
pub fn count(formula: &Formula) -> Counts {
    let mut all = Counts::default();
    // The depths of every element: all steps, products.
    let mut depths: Vec<(u32, u32)> = vec![(0, 0); formula.first_result().0 as usize];
    for step in &formula.steps {
        let depth = step.operands().iter().fold((0, 0), |d: (u32, u32), v| {
            let of = depths.get(v.0 as usize).copied().unwrap_or_default();
            (d.0.max(of.0), d.1.max(of.1))
        });
        let (steps, products) = all.step(formula, step);
        let after = (depth.0 + steps, depth.1 + products);
        depths.extend(std::iter::repeat_n(after, formula.results(step)));
    }
    let of = |v: Value| depths.get(v.0 as usize).copied().unwrap_or_default();
    all.depth = formula.output_list().map(|o| of(o.value).0).max().unwrap_or(0);
    all.products_deep = formula.output_list().map(|o| of(o.value).1).max().unwrap_or(0);
    all
}

impl Counts {
    /// Adds a step; its depths.
    fn step(&mut self, formula: &Formula, step: &Step) -> (u32, u32) {
        match step {
            Step::Add(..) | Step::Sub(..) | Step::Neg(_) | Step::Double(_) => self.add += 1,
            Step::Small(k, _) => {
                self.add += additions(*k);
                return (additions(*k), 0);
            }
            Step::Halve(_) => self.halve += 1,
            Step::Mul(..) => {
                self.mul += 1;
                return (1, 1);
            }
            Step::Square(_) => {
                self.square += 1;
                return (1, 1);
            }
            Step::MulConstant(c, _) => {
                let name = formula.as_constant(*c).map_or("?", |c| &c.name);
                *self.by_constant.entry(name.to_string()).or_default() += 1;
                return (1, 1);
            }
            Step::Invert(_) => {
                self.invert += 1;
                return (1, 1);
            }
            Step::Select(..) => self.select += 1,
            Step::Swap(..) => self.select += 2,
            Step::Call { callee, .. } => {
                let Some(callee) = formula.callees.get(*callee as usize) else { return (0, 0) };
                let inner = count(callee);
                let deep = (inner.depth, inner.products_deep);
                self.add_all(&inner);
                return deep;
            }
        }
        (1, 0)
    }

    /// Adds another formula's operations; depths stay.
    pub fn add_all(&mut self, other: &Counts) {
        self.mul += other.mul;
        self.square += other.square;
        self.add += other.add;
        self.halve += other.halve;
        self.invert += other.invert;
        self.select += other.select;
        for (name, n) in &other.by_constant {
            *self.by_constant.entry(name.clone()).or_default() += n;
        }
    }

    /// Products with a constant.
    pub fn by(&self, constant: &str) -> u32 {
        self.by_constant.get(constant).copied().unwrap_or(0)
    }

    /// Products with all constants.
    pub fn by_constants(&self) -> u32 {
        self.by_constant.values().sum()
    }
}

/// `5M + 25A + 2·xi`, without what does not occur.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = [
            (self.mul, "M"),
            (self.square, "S"),
            (self.invert, "I"),
            (self.add, "A"),
            (self.halve, "h"),
            (self.select, "C"),
        ];
        let plain = letters.iter().filter(|(n, _)| *n > 0).map(|(n, letter)| format!("{n}{letter}"));
        let constants = self.by_constant.iter().map(|(name, n)| format!("{n}·{name}"));
        let all: Vec<String> = plain.chain(constants).collect();
        f.write_str(if all.is_empty() { "0" } else { "" })?;
        f.write_str(&all.join(" + "))
    }
}

/// Whether a constant is an integer or given by others: for tables, which say what a constant costs.
pub fn is_free(known: &Known) -> bool {
    matches!(known, Known::Free)
}
