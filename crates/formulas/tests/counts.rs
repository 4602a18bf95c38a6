//! What formulas cost, beside what was published; docs/reference/formulas.md is made here.

use std::fmt::Write;

use evariste_formulas::{Counts, Formula, Line, check, count, registry, specialised};
use expect_test::{expect, expect_file};

use crate::checks::named;

/// Published counts: formula, M, S, products with constants, A (halvings and products with roots of unity apart), and
/// where ours are counted otherwise, why.
type Published = (&'static str, u32, u32, u32, u32, &'static str);

/// What a source does not count.
const UNSAID: u32 = u32::MAX;

#[rustfmt::skip] // A table.
const PUBLISHED: &[Published] = &[
    ("quadratic-schoolbook", 4, 0, 1, 2, ""),
    ("quadratic-karatsuba", 3, 0, 1, 5, ""),
    ("quadratic-complex-square", 2, 0, 2, 5, ""),
    ("gauss-complex-square", 2, 0, 0, 3, ""),
    ("multiple-by-1-plus-u", 0, 0, 0, 2, ""),
    ("multiple-by-1-plus-2u", 0, 0, 0, 4, ""),
    ("multiple-by-9-plus-u", 0, 0, 0, 10, ""),
    ("cubic-schoolbook", 9, 0, 2, 6, ""),
    ("karatsuba-3", 6, 0, 2, 15, ""),
    ("karatsuba-3-shared", 6, 0, 2, 14, ""),
    ("toom-3", 5, 0, 2, 35, ""),
    ("toom-3-tripled-once", 5, 0, 2, 34, "33 are claimed, by a schedule that we have not seen"),
    ("toom-3i", 5, 0, 5, 27, "products with i cost nothing"),
    ("karatsuba-3-square", 0, 6, 2, 11, ""),
    ("chung-hasan-1", 3, 2, 2, 9, "a1 is doubled, not two products"),
    ("chung-hasan-2", 2, 3, 2, 10, "a1 is doubled, not two products"),
    ("chung-hasan-3", 1, 4, 2, 11, "one halving more"),
    ("chung-hasan-3x", 1, 4, 2, 14, ""),
    ("toom-3-square", 0, 5, 2, 28, ""),
    ("toom-3i-square", 0, 5, 4, 19, "products with i cost nothing"),
    ("karatsuba-2-2", 9, 0, 3, 27, ""),
    ("quartic-sixth-roots", 7, 0, 9, 55, "6 products with ζ"),
    ("sextic-fifth-roots", 11, 0, 69, 120, "64 products with powers of ζ"),
    ("twelve-karatsuba", 18, 0, 7, 57, ""),
    ("twelve-toom-3i", 15, 0, 16, 90, "products with i cost nothing"),
    ("twelve-complex-square", 12, 0, 6, 43, ""),
    ("twelve-toom-3i-square", 10, 0, 12, 65, "products with i cost nothing"),
    ("sparse-m-twist", 13, 0, 4, 25, ""),
    ("sparse-d-twist", 13, 0, 3, 25, ""),
    ("granger-scott", 0, 9, 4, 30, ""),
    ("karabina", 0, 6, 3, 24, ""),
    ("complete-addition", 12, 0, 5, 23, ""),
    ("complete-addition-minus-3", 12, 0, 2, 29, ""),
    ("complete-addition-0", 12, 0, 2, 19, ""),
    ("complete-doubling", 8, 3, 5, 15, ""),
    ("complete-doubling-minus-3", 8, 3, 2, 21, ""),
    ("complete-doubling-0", 6, 2, 1, 9, ""),
    ("montgomery-ladder-step", 5, 4, 1, 8, ""),
    ("edwards-addition", 9, 0, 2, UNSAID, ""),
    ("edwards-addition-minus-1", 8, 0, 1, UNSAID, ""),
    ("edwards-mixed-addition", 8, 0, 1, UNSAID, ""),
    ("edwards-mixed-addition-minus-1", 7, 0, 0, UNSAID, ""),
    ("edwards-doubling", 4, 4, 1, UNSAID, ""),
    ("edwards-doubling-minus-1", 4, 4, 0, UNSAID, ""),
    ("edwards-doubling-without-t", 3, 4, 1, UNSAID, ""),
    ("edwards-doubling-minus-1-without-t", 3, 4, 0, UNSAID, ""),
    ("lopez-dahab-step", 5, 5, 1, 3, "(X0 Z1 + X1 Z0)², X0², Z0², (X0² + c Z0²)²: four squares"),
    ("lopez-dahab-step-koblitz", 5, 5, 0, 3, "as above"),
    ("lopez-dahab-recovery", 10, UNSAID, 0, UNSAID, "and one inverse"),
    ("binary-edwards-step", 5, 4, 2, UNSAID, ""),
    ("miller-doubling", 3, 6, 1, UNSAID, "two halvings more; 4m for the line at P are apart"),
    ("miller-addition", 11, 2, 0, UNSAID, "4m for the line at P are apart"),
];

fn published(name: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|row| row.0 == name)
}

/// Ours are as published, or better.
#[test]
fn counts_are_as_published_or_better() {
    for (name, mul, square, by_constants, add, _) in PUBLISHED {
        let ours = count(&named(name));
        let sums = [(ours.mul, *mul), (ours.square, *square), (ours.by_constants(), *by_constants), (ours.add, *add)];
        assert!(sums.iter().all(|(ours, theirs)| ours <= theirs), "{name}: {ours}, {sums:?}");
    }
}

/// `A` without the letter of what does not occur.
fn published_text((_, mul, square, by_constants, add, note): &Published) -> String {
    let letters = [(mul, "M"), (square, "S"), (add, "A"), (by_constants, "c")];
    let all: Vec<String> =
        letters.iter().filter(|(n, _)| ![0, UNSAID].contains(*n)).map(|(n, l)| format!("{n}{l}")).collect();
    let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
    format!("{}{note}", all.join(" + "))
}

fn excepted(f: &Formula) -> String {
    let mut all: Vec<&str> = Vec::new();
    for line in &f.definition.0 {
        if let Line::Nonzero { except, .. } = line
            && !all.contains(&except.as_str())
        {
            all.push(except);
        }
    }
    all.join("; ")
}

/// A cost with the many constants of Frobenius summed up.
fn cost(counts: &Counts) -> String {
    if counts.by_constant.len() <= 5 {
        return counts.to_string();
    }
    let rest = Counts { by_constant: Default::default(), ..counts.clone() };
    format!("{rest} + {}·constants", counts.by_constants())
}

#[test]
fn the_reference_has_every_formula() {
    let mut page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formulas.head.md")).unwrap();
    for family in registry() {
        let first = family.formulas[0].formula().unwrap();
        writeln!(page, "\n### {}\n\n{}.", family.name, first.computes.trim_end_matches('.')).unwrap();
        let cases = excepted(&first);
        if !cases.is_empty() {
            writeln!(page, "Excepted by the definition: {cases}.").unwrap();
        }
        page.push_str("\n| formula | scale | characteristic | cost | deep | published | source |\n");
        page.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
        for entry in family.formulas {
            let f = entry.formula().unwrap();
            let counts = count(&f);
            let theirs = published(entry.name).map_or(String::new(), published_text);
            writeln!(
                page,
                "| `{}` | {} | {} | {} | {}, {} | {theirs} | {} |",
                f.name,
                f.scale,
                f.characteristic,
                cost(&counts),
                counts.products_deep,
                counts.depth,
                f.source
            )
            .unwrap();
        }
    }
    expect_file!["../../../docs/reference/formulas.md"].assert_eq(&page);
}

/// The points that Toom-Cook may take in a quadratic extension. A product with i is free; with one of the others it costs an
/// addition in the base field, half an A.
#[test]
fn no_point_is_ahead_of_i() {
    let mut rows = vec!["point | scale | M | A | products with it, in half A | A in all".to_string()];
    for (name, point, free) in [
        ("toom-3i", "i", true),
        ("toom-3-omega", "ω", false),
        ("toom-3-phi", "φ", false),
        ("toom-3-root-2", "√2", false),
        ("toom-3-root-minus-2", "√−2", false),
        ("toom-3-tripled-once", "2", true),
    ] {
        let f = named(name);
        let c = count(&f);
        // A product with φ² is two with φ, as one with 1/φ² is.
        let halves = if free { 0 } else { c.by_constants() - c.by("xi") + c.by("square") + c.by("inverse_square") };
        let all = f64::from(c.add) + f64::from(halves) / 2.0;
        assert!(c.mul == 5 && (name == "toom-3i" || all > 25.0), "{name}");
        rows.push(format!("{point} | {} | {} | {} | {halves} | {all}", f.scale, c.mul, c.add));
    }
    let expected = expect![[r#"
        point | scale | M | A | products with it, in half A | A in all
        i | 4 | 5 | 25 | 0 | 25
        ω | 3 | 5 | 29 | 3 | 30.5
        φ | 2 | 5 | 25 | 11 | 30.5
        √2 | 4 | 5 | 30 | 3 | 31.5
        √−2 | 12 | 5 | 36 | 3 | 37.5
        2 | 6 | 5 | 34 | 0 | 34"#]];
    expected.assert_eq(&rows.join("\n"));
}

#[test]
fn constants_may_become_numbers() {
    let special = |name: &str, b: i64| {
        let f = specialised(&named(name), &[("b", b)]).unwrap();
        check(&f).unwrap_or_else(|e| panic!("{e}"));
        format!("{name}, b = {b}: {}", count(&f))
    };
    let all = [
        ("complete-addition-0", 7),
        ("complete-doubling-0", 7),
        ("complete-addition-0", 4),
        ("complete-doubling-0", 4),
    ];
    let expected = expect![[r#"
        complete-addition-0, b = 7: 12M + 31A
        complete-doubling-0, b = 7: 6M + 2S + 15A
        complete-addition-0, b = 4: 12M + 27A
        complete-doubling-0, b = 4: 6M + 2S + 13A"#]];
    expected.assert_eq(&all.map(|(name, b)| special(name, b)).join("\n"));
    let refused = specialised(&named("complete-addition-0"), &[("a", 1)]).unwrap_err().to_string();
    let expected = expect!["formula complete-addition-0: it has no free constant a that could be 1"];
    expected.assert_eq(&refused);
}
