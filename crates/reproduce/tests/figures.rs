//! Quick reproductions: their structure, and their counts against the kernels. No time is judged.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::count::count;
use evariste_reproduce::{Figure, Options, Origin, REPRODUCTIONS, named, operations};
use evariste_tune::cores::InUse;

fn quick(name: &str) -> Figure {
    let told = std::sync::atomic::AtomicUsize::new(0);
    let figure =
        named(name).expect("registered").run(&Options { quick: true, core: InUse::reference().into() }, &|p| {
            assert!(p.done <= p.total, "{p:?}");
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
    assert!(told.into_inner() > 0, "{name} tells of its progress");
    figure.expect("made")
}

/// What every figure keeps.
fn sound(f: &Figure) {
    assert!(
        !f.panels.is_empty() && !f.comparisons.is_empty() && f.changed.iter().all(|line| line.ends_with('.')),
        "{}",
        f.name
    );
    for panel in &f.panels {
        for series in &panel.series {
            assert!(
                series.points.iter().all(|p| p.x.is_finite() && p.y.is_finite() && p.y >= 0.0),
                "{} {} {}",
                f.name,
                panel.title,
                series.name
            );
            assert!(
                panel.x.unit == "bytes" || series.points.is_sorted_by(|a, b| a.x < b.x),
                "{} {} {}: by x, without repetition",
                f.name,
                panel.title,
                series.name
            );
            assert!(
                series.origin != Origin::Measured || f.machine.is_some(),
                "{}: a measurement names its machine",
                f.name
            );
        }
    }
    let csv = f.csv();
    let points: usize = f.panels.iter().flat_map(|p| &p.series).map(|s| s.points.len()).sum();
    assert_eq!(csv.lines().count(), 1 + points);
    let json = serde_json::to_value(f).expect("JSON");
    let mut in_json = Vec::new();
    for panel in json["panels"].as_array().expect("panels") {
        for series in panel["series"].as_array().expect("series") {
            for p in series["points"].as_array().expect("points") {
                in_json.push((
                    series["name"].as_str().expect("a name").to_string(),
                    series["origin"].as_str().expect("a kind").to_string(),
                    p["y"].as_f64().expect("a number"),
                ));
            }
        }
    }
    let in_csv: Vec<_> = csv
        .lines()
        .skip(1)
        .map(cells)
        .map(|c| (c[1].clone(), c[2].clone(), c[6].parse::<f64>().expect("a number")))
        .collect();
    assert_eq!(in_json, in_csv, "JSON and CSV say the same");
}

/// The cells of a line, quotes resolved.
fn cells(line: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            c => all.last_mut().expect("a cell").push(c),
        }
    }
    assert_eq!(all.len(), 8, "{line}");
    all
}

#[test]
fn names_are_unique_and_found() {
    for (i, r) in REPRODUCTIONS.iter().enumerate() {
        assert!(REPRODUCTIONS[..i].iter().all(|other| other.name != r.name));
        assert_eq!(named(r.name).map(|found| found.about), Some(r.about));
    }
    assert!(named("nb-gate").is_none());
}

#[test]
fn gates_are_those_of_the_kernels() {
    let f = quick("nb-gates");
    sound(&f);
    let mut seen = 0;
    for series in f.panels[0].series.iter().filter(|s| s.origin == Origin::Counted) {
        for p in &series.points {
            let field = Field::new(BinaryField::normal(p.x as u32, 2).expect("a basis of type 2"));
            let layout = &layouts(&field, 1)[0];
            let plan = plans(&field, layout, &Operation::MUL)
                .into_iter()
                .find(|plan| plan.algorithm == series.name)
                .expect("a plan");
            let kernel = plan.write().expect("applies");
            assert_eq!(p.y, count(&kernel).logic as f64, "{} m = {}", series.name, p.x);
            let o = operations(&kernel);
            assert_eq!(o.gates(), o.and + o.xor);
            assert_eq!((o.loads, o.stores), (count(&kernel).loads, count(&kernel).stores));
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
    // m clocks of AESMPO: m(m+1)/2 ANDs and 2m² − m XORs, of which what is written out saves the first into each of m
    // zeros.
    let of = |name: &str| f.panels[0].series.iter().find(|s| s.name == name).expect("there");
    for p in &of("aesmpo").points {
        assert_eq!(p.y, 2.5 * p.x * p.x - 0.5 * p.x, "m = {}", p.x);
        assert_eq!(of("aesmpo-unrolled").at(p.x), Some(p.y - p.x), "m = {}", p.x);
        assert!(of("AESMPO, 2.5 m²").at(p.x).is_some_and(|bound| p.y < bound));
    }
}

#[test]
fn mixes_add_up() {
    let f = quick("nb-mix");
    sound(&f);
    assert!(f.panels.iter().filter(|p| p.title.ends_with("kernels")).count() == 2, "a degree of type 2, one of type 4");
    for panel in &f.panels {
        let value = |class: &str, x: f64| {
            panel.series.iter().find(|s| s.name == class).and_then(|s| s.at(x)).expect("a number")
        };
        for (x, name) in panel.places() {
            let (logic, moves) = (value("XOR", x) + value("AND", x), value("load", x) + value("store", x));
            assert!(logic > 0.0 && moves > 0.0, "{} {name}", panel.title);
            if panel.title.ends_with("kernels") {
                let (m, t) = if panel.title.starts_with("m = 11,") { (11, 2) } else { (13, 4) };
                let field = Field::new(BinaryField::normal(m, t).expect("a basis"));
                let plan = plans(&field, &layouts(&field, 1)[0], &Operation::MUL)
                    .into_iter()
                    .find(|p| p.algorithm == name)
                    .expect("a plan");
                assert_eq!(logic, count(&plan.write().expect("applies")).logic as f64, "{} {name}", panel.title);
            } else {
                // Each result is stored, each operand read; what is fused is fewer instructions than gates.
                assert!(value("store", x) >= 11.0 && value("load", x) >= 22.0, "{} {name}", panel.title);
            }
        }
    }
}

#[test]
fn timings_have_every_target_or_a_note() {
    for name in ["nb-sweep", "nb-footprint"] {
        let f = quick(name);
        sound(&f);
        for target in ["C, 64 lanes", "AVX2, 256 lanes", "AVX-512, 512 lanes"] {
            let shown =
                f.panels.iter().any(|p| p.title.starts_with(target) && p.series.iter().any(|s| s.points.len() == 2));
            assert!(
                shown != f.notes.iter().any(|n| *n == format!("{target}: this machine has none of it.")),
                "{name} {target}: {:?}",
                f.notes
            );
        }
        if name == "nb-sweep" {
            assert!(
                f.panels.iter().all(|p| p.series.iter().any(|s| s.name.starts_with("polynomial"))),
                "the polynomial basis beside"
            );
            for panel in &f.panels {
                let named = |name: &str| panel.series.iter().find(|s| s.name == name).expect("there");
                let (apart, with) = (
                    named("transposition of two operands and a product"),
                    named("best multiplier, transposition included"),
                );
                assert!(
                    !with.points.is_empty()
                        && with.points.iter().all(|p| apart.at(p.x).is_some_and(|ns| 0.0 < ns && ns < p.y)),
                    "{}: the transposition apart and included",
                    panel.title
                );
            }
        }
    }
}

#[test]
fn products_of_words_are_counted_by_multiplier() {
    let f = quick("dfc-tables");
    sound(&f);
    let ours = |panel: usize| f.panels[panel].series[0].points.iter().map(|p| p.y as u32).collect::<Vec<_>>();
    // As the paper has them, and not from its table.
    assert_eq!(ours(0), [1, 4, 16, 16, 64], "{:?}", f.notes);
    assert!(ours(1).is_sorted() && ours(1).len() == 3, "more additions in narrower registers: {:?}", ours(1));
    assert!(f.notes.is_empty(), "{:?}", f.notes);
}

#[test]
fn formulas_of_extensions_are_counted_and_timed() {
    let f = quick("towers");
    sound(&f);
    let panel = &f.panels[0];
    let counts = |formula: &str| {
        let of = |s: &evariste_reproduce::Series| s.points.iter().find(|p| p.label == formula).map(|p| p.y as u32);
        panel.series.iter().map(|s| of(s).expect("every formula has every count")).collect::<Vec<_>>()
    };
    assert_eq!(counts("karatsuba-3"), [6, 0, 2, 15]);
    // Three of its products with constants are with i, which cost nothing.
    assert_eq!(counts("toom-3i"), [5, 0, 5, 25]);
    timed(&f, &["toom-3i", "toom-3i, reduced late", "karatsuba-3-shared, reduced late"]);
    timed(&f, &["toom-3i-square", "chung-hasan-2", "writing and proving"]);
    // Every count that is known of the formulas of towers stands beside ours, and none of ours is more.
    let all = evariste_formulas::tower::FAMILIES.iter().flat_map(|family| family.formulas);
    let known: Vec<_> = all.filter_map(|entry| evariste_formulas::published::published(entry.name)).collect();
    assert!(known.len() > 25, "{}", known.len());
    for row in known {
        let what = format!("{}: cost in K", row.name);
        let shown = f.comparisons.iter().find(|c| c.what == what).unwrap_or_else(|| panic!("{what}"));
        assert!(shown.published == row.text() && shown.ours.ends_with(": no more"), "{shown:?}");
    }
    for operation in ["toom-3i over karatsuba-3-shared", "toom-3i-square over the best of"] {
        let verdict = |c: &&evariste_reproduce::Comparison| c.what.contains(operation) && c.ours.contains("head (");
        assert!(f.comparisons.iter().any(|c| verdict(&c) || c.ours.contains("behind (")), "{operation}");
    }
    assert!(f.comparisons.iter().any(|c| c.ours.contains("as quick at m/a = ")), "{:?}", f.comparisons);
    let lanes = f.panels.iter().filter(|panel| panel.title.contains("elements side by side: products in Fp6"));
    for panel in lanes {
        for name in ["toom-3i", "karatsuba-3-shared"] {
            let mut of = panel.series.iter().filter(|series| series.name.starts_with(name));
            assert!(of.next().is_some(), "{}: {name}: {:?}", panel.title, f.notes);
        }
    }
}

#[test]
fn scans_are_timed_with_and_without_a_last_subtraction() {
    let f = quick("montgomery-scans");
    sound(&f);
    timed(&f, &["FIPS", "FIPS, no last subtraction", "CIHS"]);
    counted(&f, &["FIOS", "CIOS", "SOS", "FIPS"]);
    // UMAAL takes the place of several instructions of scans by rows.
    let panel = |title: &str| f.panels.iter().find(|p| p.title.contains(title));
    if let (Some(with), Some(without)) =
        (panel("ARM v6 (ARM1136) with UMAAL"), panel("ARM v6 (ARM1136), UMAAL left out"))
    {
        let of = |p: &evariste_reproduce::Panel| p.series.iter().find(|s| s.name == "FIOS").and_then(|s| s.at(254.0));
        assert!(of(with) < of(without) && of(with).is_some(), "{with:?} {without:?}");
    }
}

#[test]
fn ciphers_are_timed_beside_what_was_published() {
    for name in ["dfc-cycles", "wg"] {
        let f = quick(name);
        sound(&f);
        timed(&f, &["measured"]);
        let published = |s: &evariste_reproduce::Series| s.origin == Origin::Published && !s.points.is_empty();
        let here = |p: &&evariste_reproduce::Panel| !p.series.iter().any(is_counted);
        assert!(f.panels.iter().filter(here).all(|p| p.series.iter().any(published)), "{name}");
        // Bit-sliced keystreams are compared with the reference's before they are timed.
        assert!(f.notes.iter().all(|note| !note.contains("the reference's")), "{name}: {:?}", f.notes);
    }
    counted(&quick("dfc-cycles"), &["ANSI C (C89), products of 32 bits", "C99, products of 64 bits"]);
}

/// Of another processor.
fn is_counted(series: &evariste_reproduce::Series) -> bool {
    matches!(series.origin, Origin::Counted | Origin::Simulated)
}

/// Where a runner is there, some panel has each of these series, with counts; never of both kinds.
fn counted(f: &Figure, names: &[&str]) {
    let here = evariste_run::runners::RUNNERS.iter().any(|runner| runner.bench().is_ok());
    if !here {
        evariste_testing::lacks_tool(&format!("{}: counts on other processors", f.name), "any runner");
        return;
    }
    for name in names {
        let all = f.panels.iter().flat_map(|p| &p.series).filter(|s| is_counted(s) && s.name == *name);
        let points: Vec<f64> = all.flat_map(|s| &s.points).map(|p| p.y).collect();
        assert!(
            !points.is_empty() && points.iter().all(|y| *y >= 10.0),
            "{}: {name}: {points:?}: {:?}",
            f.name,
            f.notes
        );
    }
    for panel in f.panels.iter().filter(|p| p.series.iter().any(is_counted)) {
        assert!(panel.series.iter().all(|s| s.origin == panel.series[0].origin), "{}", panel.title);
    }
}

#[test]
fn columns_are_timed_in_both_digits() {
    let f = quick("delayed-carry");
    sound(&f);
    timed(&f, &["Comba"]);
    counted(&f, &["Comba", "delayed carry"]);
}

/// Where the machine makes code at all, some panel has each of these series, with times.
fn timed(f: &Figure, names: &[&str]) {
    let measured = || f.panels.iter().flat_map(|p| &p.series).filter(|s| s.origin == Origin::Measured);
    if measured().next().is_none() {
        evariste_testing::lacks_tool(&format!("{}: times", f.name), "a C compiler");
        return;
    }
    for name in names {
        let points: Vec<f64> = measured().filter(|s| s.name == *name).flat_map(|s| &s.points).map(|p| p.y).collect();
        assert!(!points.is_empty() && points.iter().all(|y| *y > 0.0), "{}: {name}: {points:?}", f.name);
    }
}
