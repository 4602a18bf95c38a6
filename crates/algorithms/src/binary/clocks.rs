//! What the sequential multipliers share: registers that stand still while indices rotate, and tables of rows of the
//! multiplication matrix.
//!
//! * **computes** nothing by itself.
//! * **needs** one-bit words.
//! * **gives** kernels of loops over clocks: the accumulators are local, so that the output may be an operand.
//! * **cost** code and tables of about T entries a row, whatever m is.
//! * **source** Brumley and Page, "Bit-sliced binary normal basis multiplication" (2011), section II.

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Counter, Index, Kernel, Type, Value};
use num_bigint::BigInt;

use super::coordinates::{binary, element_in, element_out, product_contract};
use crate::layout::Layout;
use crate::signature::NotApplicable;

/// The arrays of a sequential multiplier.
pub struct Registers {
    /// First factor.
    pub a: Array,
    /// Second factor.
    pub b: Array,
    /// Accumulators.
    pub c: Array,
    /// The degree.
    pub m: u32,
}

impl Registers {
    /// `c[index mod m] += v`.
    pub fn accumulate(&self, b: &mut Builder, at: Index, v: Value) {
        let old = b.load(self.c, at.clone().modulo());
        let new = b.xor(old, v);
        b.store(self.c, at.modulo(), new);
    }
}

/// A kernel: accumulators are cleared, `clocks` writes the loops, the accumulators are the product.
pub fn kernel(
    field: &Field,
    layout: &Layout,
    name: &str,
    clocks: impl FnOnce(&mut Builder, &Registers),
) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let m = f.degree;
    let mut b = Builder::new(name, 1);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let registers = Registers { a: x.array, b: y.array, c: b.local("c", m, Interval::bits(1)), m };
    b.repeat(m, &[], |b, i, _| {
        let zero = b.word_constant(0);
        b.store(registers.c, i, zero);
        vec![]
    });
    clocks(&mut b, &registers);
    b.repeat(m, &[], |b, i, _| {
        let v = b.load(registers.c, i);
        b.store(out, i, v);
        vec![]
    });
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

/// A public table of indices (its entries need more than the one bit of the kernel's words).
pub fn index_table(b: &mut Builder, name: &str, entries: &[u32]) -> Array {
    let top = BigInt::from(entries.iter().max().copied().unwrap_or_default());
    let entries: Vec<BigInt> = entries.iter().map(|e| BigInt::from(*e)).collect();
    b.array(name, Type::Word(16), entries.len() as u32, ArrayKind::Table(entries), vec![Interval::up_to(top)])
}

/// Lists of one length: which number each has, and its entries by place.
pub struct Lists {
    /// How many lists.
    pub count: u32,
    /// The number of each list.
    pub number: Array,
    /// The entries at each place.
    pub columns: Vec<Array>,
}

/// Tables of lists that have a number each, by length; empty lists are left out.
pub fn lists(b: &mut Builder, name: &str, all: &[(u32, Vec<u32>)]) -> Vec<Lists> {
    let longest = all.iter().map(|(_, l)| l.len()).max().unwrap_or(0);
    (1..=longest)
        .filter_map(|length| {
            let these: Vec<&(u32, Vec<u32>)> = all.iter().filter(|(_, l)| l.len() == length).collect();
            if these.is_empty() {
                return None;
            }
            let numbers: Vec<u32> = these.iter().map(|(n, _)| *n).collect();
            let number = index_table(b, &format!("{name}_{length}"), &numbers);
            let column = |b: &mut Builder, place: usize| {
                let entries: Vec<u32> = these.iter().map(|(_, l)| l[place]).collect();
                index_table(b, &format!("{name}_{length}_{place}"), &entries)
            };
            let columns = (0..length).map(|place| column(b, place)).collect();
            Some(Lists { count: these.len() as u32, number, columns })
        })
        .collect()
}

/// `counter + table[entry]`.
pub fn at(counter: Counter, table: Array, entry: Counter) -> Index {
    Index::counter(counter).with_table(table, Index::counter(entry))
}

/// `Σ array[(counter + table[entry]) mod m]` over the tables.
pub fn sum(b: &mut Builder, array: Array, tables: &[Array], counter: Counter, entry: Counter) -> Option<Value> {
    tables.iter().fold(None, |sum, table| {
        let v = b.load(array, at(counter, *table, entry).modulo());
        Some(sum.map_or(v, |s| b.xor(s, v)))
    })
}
