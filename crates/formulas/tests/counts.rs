//! What formulas cost, beside what was published; docs/reference/formulas.md is made here.

use std::fmt::Write;

use evariste_formulas::published::{PUBLISHED, Published, published};
use evariste_formulas::{Counts, Formula, Line, check, count, registry, specialised};
use expect_test::{expect, expect_file};

use crate::checks::named;

/// Ours are as published, or better.
#[test]
fn counts_are_as_published_or_better() {
    for row in PUBLISHED {
        let ours = count(&named(row.name));
        assert_eq!(row.exceeded_by(&ours), Vec::<String>::new(), "{}: {ours}", row.name);
    }
    let strict = Published { add: 13, ..*published("karatsuba-3-shared").expect("a row") };
    assert_eq!(strict.exceeded_by(&count(&named(strict.name))), ["14 additions, not 13"]);
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
            let theirs = published(entry.name).map_or(String::new(), Published::text);
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
