//! How many products and additions a product of two words of 64 bits takes, by the widths of multiplier and registers:
//! counted in kernels, and in what these become on a machine that has less.

use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_ir::count::count;
use evariste_ir::legalise::{Carries, Machine, Products, legalise};
use evariste_tune::TuneError;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::proved;
use crate::reproduction::NOILHAN;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "dfc-tables",
    paper: NOILHAN,
    figure: "Tables 1 and 2",
    about: "products by width of the multiplier and additions by width of the registers in a product of two 64-bit words, counted in kernels",
    make,
};

/// A multiplier: its name, the words of kernels, whether it gives the low half of a product alone, and the paper's count.
const MULTIPLIERS: [(&str, u32, bool, u32); 5] = [
    ("64 × 64 → 128", 64, false, 1),
    ("32 × 32 → 64", 32, false, 4),
    ("32 × 32 → 32", 32, true, 16),
    ("16 × 16 → 32", 16, false, 16),
    ("8 × 8 → 16", 8, false, 64),
];

/// Registers, and the paper's additions.
const REGISTERS: [(u32, u32); 3] = [(64, 4), (32, 18), (16, 88)];

/// What a kernel of a product became, and its counts.
struct Counted {
    /// Bits of a register.
    word: u32,
    low: bool,
    products: u64,
    additions: u64,
}

/// Every kernel of a product, and what it becomes where the low half of products is all that there is.
fn kernels(watch: Watch, notes: &mut Vec<String>) -> Vec<Counted> {
    let mut all: Vec<Counted> = Vec::new();
    for word in [64, 32, 16, 8] {
        for (_, proved) in proved(&products(word), watch, notes) {
            let kernel = proved.kernel();
            all.push(counted(kernel, word, false));
            let low = Machine { word, products: Products::Low, flags: true, unsigned: true, carries: Carries::Flag };
            match legalise(kernel, &low) {
                Ok(kernel) => all.push(counted(&kernel, word, true)),
                Err(why) => notes.push(format!("{}: {why}.", kernel.name)),
            }
        }
    }
    all
}

fn make(_: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let all = kernels(watch, &mut notes);
    let products =
        |word: u32, low: bool| all.iter().filter(|c| c.word == word && c.low == low).map(|c| c.products).min();
    // As the paper has it, with a multiplier of half the register's width: digits of a register, or of half of one.
    let is_of = |c: &&Counted, word: u32| (c.word == word && c.low) || (2 * c.word == word && !c.low);
    let additions = |word: u32| all.iter().filter(|c| is_of(c, word)).map(|c| c.additions).min();
    let bars = |rows: Vec<(String, Option<u64>)>| -> Vec<Point> {
        let some = rows.into_iter().enumerate().filter_map(|(i, (label, y))| Some((i, label, y?)));
        some.map(|(i, label, y)| Point { label, x: i as f64, y: y as f64 }).collect()
    };
    let of_products =
        MULTIPLIERS.iter().map(|(name, word, low, _)| (name.to_string(), products(*word, *low))).collect();
    let of_additions = REGISTERS.iter().map(|(word, _)| (format!("{word} bits"), additions(*word))).collect();
    let panel = |title: &str, x: &str, points: Vec<Point>| Panel {
        title: title.into(),
        drawing: Drawing::Bars,
        x: Axis::new(x, ""),
        y: Axis::new("in a product of 64 × 64 bits", "operations"),
        series: vec![Series { name: title.into(), origin: Origin::Counted, points }],
    };
    let mut comparisons: Vec<Comparison> = MULTIPLIERS
        .iter()
        .map(|(name, word, low, published)| row(format!("products of {name} bits"), *published, products(*word, *low)))
        .collect();
    comparisons.extend(REGISTERS.iter().map(|(word, published)| {
        row(
            format!("additions in registers of {word} bits, products of {} bits", word / 2),
            *published,
            additions(*word),
        )
    }));
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Operations of one product of two 64-bit words".into(),
        machine: None,
        panels: vec![
            panel("products", "multiplier", bars(of_products)),
            panel("additions", "registers", bars(of_additions)),
        ],
        comparisons,
        changed: [
            "Counts are of the kernel with the fewest; Karatsuba's has three products for four, which the paper does not consider.".into(),
            "An addition with carry counts as one. Registers are as wide as whole products of the multiplier, as in the paper's second table.".into(),
        ],
        notes,
    })
}

fn row(what: String, published: u32, ours: Option<u64>) -> Comparison {
    let ours = ours.map_or_else(|| "no kernel".into(), |n| n.to_string());
    Comparison { what, published: published.to_string(), ours }
}

/// Every product of two words of 64 bits in digits of a word, by all partial products.
fn products(word: u32) -> Vec<Plan> {
    let Ok(field) = Field::parse("int64") else { return Vec::new() };
    let saturated = layouts(&field, word).into_iter().filter(|layout| layout.word == word && layout.radix.is_none());
    let all = saturated.flat_map(|layout| plans(&field, &layout, &Operation::MUL));
    all.filter(|plan| !plan.algorithm.contains("karatsuba") && !plan.algorithm.contains("toom")).collect()
}

fn counted(kernel: &Kernel, word: u32, low: bool) -> Counted {
    let counts = count(kernel);
    Counted { word, low, products: counts.multiplications, additions: counts.additions + counts.wide_additions }
}
