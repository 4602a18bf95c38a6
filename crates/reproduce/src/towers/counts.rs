//! What formulas of extensions cost, beside what was published of them.

use evariste_formulas::published::published;
use evariste_formulas::{Counts, count, registry, tower};

use crate::figure::{Axis, Comparison, Drawing, Origin, Panel, Point, Series};

/// Families of formulas whose counts are drawn.
const DRAWN: [(&str, &str); 6] = [
    ("cubic-product", "products in K[v]/(v³ − ξ)"),
    ("cubic-square", "squares in K[v]/(v³ − ξ)"),
    ("quartic-product", "products in K[x]/(x⁴ − ξ)"),
    ("sextic-product", "products in K[x]/(x⁶ − ξ)"),
    ("twelve-product", "products in degree 12 over Fp, K of degree 2"),
    ("twelve-square", "squares in degree 12 over Fp, K of degree 2"),
];

/// Additions that the paper prints, by formula.
const OF_THE_PAPER: [(&str, u32); 3] = [("karatsuba-3", 15), ("toom-3", 35), ("toom-3i", 27)];

/// A panel for each family.
pub fn panels() -> Vec<Panel> {
    DRAWN.iter().map(|(family, title)| counts(family, title)).collect()
}

/// Counts of a family's formulas, each a bar.
fn counts(family: &str, title: &str) -> Panel {
    let formulas: Vec<(&str, Counts)> = registry()
        .iter()
        .filter(|f| f.name == family)
        .flat_map(|f| f.formulas)
        .filter_map(|entry| Some((entry.name, count(&entry.formula().ok()?))))
        .collect();
    let kinds: [(&str, fn(&Counts) -> u32); 4] = [
        ("products", |c| c.mul),
        ("squares", |c| c.square),
        ("products with constants", Counts::by_constants),
        ("additions", |c| c.add),
    ];
    let series = |(name, of): (&str, fn(&Counts) -> u32)| Series {
        name: name.into(),
        origin: Origin::Counted,
        points: formulas
            .iter()
            .enumerate()
            .map(|(i, (label, counts))| Point { label: label.to_string(), x: i as f64, y: f64::from(of(counts)) })
            .collect(),
    };
    Panel {
        title: title.into(),
        drawing: Drawing::Bars,
        x: Axis::new("formula", ""),
        y: Axis::new("operations in K", ""),
        series: kinds.into_iter().map(series).collect(),
    }
}

/// The additions that the paper prints beside ours, its word on squares, and every other count that we know of.
pub fn comparisons() -> Vec<Comparison> {
    let entries = || tower::FAMILIES.iter().flat_map(|family| family.formulas);
    let ours = |name: &str| Some(count(&entries().find(|entry| entry.name == name)?.formula().ok()?));
    let of_the_paper = |(name, additions): &(&str, u32)| {
        Some(Comparison {
            what: format!("{name}: products and additions in K, as the paper counts"),
            published: format!("{additions} additions"),
            ours: ours(name)?.to_string(),
        })
    };
    let mut rows: Vec<Comparison> = OF_THE_PAPER.iter().filter_map(of_the_paper).collect();
    let all = registry();
    let squares = all.iter().filter(|family| family.name == "cubic-square").flat_map(|family| family.formulas);
    let counted = squares.filter_map(|entry| Some((entry.name, count(&entry.formula().ok()?))));
    let text: Vec<String> =
        counted.filter(|(_, counts)| counts.mul == 0).map(|(name, counts)| format!("{name} {counts}")).collect();
    rows.push(Comparison {
        what: "a square by five squares and no product".into(),
        published: "may be ahead of Chung and Hasan's".into(),
        ours: text.join("; "),
    });
    rows.extend(entries().filter_map(|entry| {
        let (theirs, ours) = (published(entry.name)?, ours(entry.name)?);
        let more = theirs.exceeded_by(&ours);
        let verdict = if more.is_empty() { "no more".to_string() } else { more.join(", ") };
        Some(Comparison {
            what: format!("{}: cost in K", entry.name),
            published: theirs.text(),
            ours: format!("{ours}: {verdict}"),
        })
    }));
    rows
}
