//! Pages of made-up figures: well-formed, self-contained, complete, and drawings whose points lie inside them.

use crate::markup::parse;
#[allow(dead_code)] // Each test file uses a part.
use evariste_report::reproduction;
use evariste_reproduce::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};

fn series(name: &str, origin: Origin, points: &[(f64, f64)]) -> Series {
    Series {
        name: name.into(),
        origin,
        points: points.iter().map(|(x, y)| Point { label: format!("m = {x}"), x: *x, y: *y }).collect(),
    }
}

fn panel(title: &str, drawing: Drawing, series: Vec<Series>) -> Panel {
    Panel { title: title.into(), drawing, x: Axis::new("degree m", ""), y: Axis::new("time", "ns"), series }
}

fn figure() -> Figure {
    let many = (0..19)
        .map(|i| {
            series(
                &format!("multiplier-{i}"),
                Origin::Measured,
                &[(3.0, 1.0 + f64::from(i)), (519.0, 123_457.0 * f64::from(i + 1))],
            )
        })
        .collect();
    let bars = vec![
        series("XOR", Origin::Counted, &[(0.0, 10.0), (1.0, 0.0)]),
        series("A <&> \"b\"", Origin::Counted, &[(0.0, 7.0), (1.0, 29.0)]),
    ];
    let mixed = vec![series("one", Origin::Published, &[(5.0, 0.125)]), series("none", Origin::Measured, &[])];
    Figure {
        name: "nb-test".into(),
        paper: "Somebody & other, \"Title\" (2011)".into(),
        figure: "Figure 7".into(),
        title: "A title <b>".into(),
        machine: Some("a machine".into()),
        panels: vec![
            panel("many", Drawing::Lines, many),
            panel("bars", Drawing::Bars, bars),
            panel("mixed", Drawing::Lines, mixed),
            panel("empty", Drawing::Lines, Vec::new()),
            panel("no bars", Drawing::Bars, Vec::new()),
        ],
        comparisons: vec![Comparison { what: "crossing".into(), published: "at 29".into(), ours: "at 35".into() }],
        changed: ["First line.".into(), "Second line.".into()],
        notes: vec!["missing & why".into()],
    }
}

#[test]
fn a_page_is_whole() {
    let page = reproduction(&figure());
    assert_eq!(page, reproduction(&figure()));
    let all = parse(&page).unwrap_or_else(|e| panic!("{e}"));
    let mut ids: Vec<&str> = all.iter().filter_map(|e| e.attribute("id")).collect();
    let before = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), before, "ids are unique");
    for foreign in ["http", "src=", "url(", "@import", "<script", "<link", "//"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for part in [
        "A title &lt;b&gt;",
        "Somebody &amp; other",
        "First line.",
        "Second line.",
        "missing &amp; why",
        "at 29",
        "at 35",
        "(published)",
        "(measured)",
        "(counted)",
        "A &lt;&amp;&gt; &quot;b&quot;",
        "evariste reproduce nb-test",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Every number of every series stands in a table.
    for p in figure().panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points) {
        assert!(page.contains(&format!("<td class=\"n\">{}</td>", evariste_report::significant(p.y))), "{p:?}");
    }
}

#[test]
fn points_lie_inside_their_drawing_in_the_order_of_their_values() {
    let page = reproduction(&figure());
    let all = parse(&page).expect("well-formed");
    let dots: Vec<(f64, f64)> =
        all.iter().filter(|e| e.name == "circle").map(|e| (e.number("cx"), e.number("cy"))).collect();
    assert_eq!(dots.len(), 38, "a dot a measured point");
    assert!(dots.iter().all(|(x, y)| (0.0..=720.0).contains(x) && (0.0..=420.0).contains(y)), "{dots:?}");
    // Each curve goes right and up; and of two curves the one of greater values lies higher.
    for (i, pair) in dots.chunks(2).enumerate() {
        assert!(pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1, "{i}: {pair:?}");
        assert!(i == 0 || pair[1].1 < dots[2 * i - 1].1, "{i}");
    }
    let parts: Vec<f64> = all
        .iter()
        .filter(|e| {
            e.name == "rect"
                && e.attribute("class").is_some_and(|c| c.starts_with("part"))
                && e.attribute("x") != Some("1")
        })
        .map(|e| e.number("width"))
        .collect();
    assert_eq!(parts.len(), 3, "a part a count that is not zero");
    assert!((parts[0] / parts[1] - 10.0 / 7.0).abs() < 0.01 && parts[2] > parts[0] + parts[1], "{parts:?}");
}

/// The classes of the curves and parts of a drawing, by the name in their titles.
fn styles(page: &str, kind: &str) -> Vec<String> {
    let all = parse(page).expect("well-formed");
    let classes = all.iter().filter_map(|e| e.attribute("class"));
    let mut found: Vec<String> = classes.filter_map(|c| c.strip_prefix(kind)).map(|c| c.trim().to_string()).collect();
    found.dedup();
    found
}

#[test]
fn no_two_curves_look_alike() {
    let names = [
        "massey-omura",
        "massey-omura-unrolled",
        "matrix",
        "matrix-unrolled",
        "xesmpo",
        "xesmpo-unrolled",
        "aesmpo",
        "aesmpo-unrolled",
        "kwon",
        "kwon-unrolled",
        "fan-hasan",
        "fan-hasan-two-way",
        "optimal-polynomial",
        "optimal-polynomial-shallow",
        "optimal-polynomial-blocks",
        "optimal-polynomial-rolled",
        "via-polynomial",
    ];
    let mut all: Vec<Series> =
        names.iter().zip(1..).map(|(name, i)| series(name, Origin::Counted, &[(3.0, f64::from(i))])).collect();
    all.push(series("AESMPO, 2.5 m²", Origin::Published, &[(3.0, 0.5)]));
    let page = reproduction(&Figure { panels: vec![panel("gates", Drawing::Lines, all)], ..figure() });
    let curves = styles(&page, "curve ");
    // In the legend, and in the drawing.
    let (legend, drawing): (Vec<_>, Vec<_>) = (curves[..18].to_vec(), curves[18..].to_vec());
    let distinct: std::collections::HashSet<&String> = drawing.iter().collect();
    assert_eq!((legend.len(), drawing.len(), distinct.len()), (18, 18, 18), "{drawing:?}");
    let colour = |name: &str| {
        let at = names.iter().position(|n| *n == name).expect("a name");
        drawing[at].split(' ').next().expect("a colour").to_string()
    };
    assert_eq!(colour("aesmpo"), colour("aesmpo-unrolled"));
    assert_eq!(colour("optimal-polynomial"), colour("optimal-polynomial-rolled"));
    assert_ne!(colour("aesmpo"), colour("xesmpo"));
}

#[test]
fn a_name_has_one_colour_in_all_panels() {
    let bars = |names: &[&str]| names.iter().map(|n| series(n, Origin::Counted, &[(0.0, 1.0)])).collect::<Vec<_>>();
    let panels = vec![
        panel("kernels", Drawing::Bars, bars(&["XOR", "AND", "load", "store", "other"])),
        panel("AVX-512", Drawing::Bars, bars(&["XOR", "AND", "fused", "load", "store", "spill", "reload", "other"])),
    ];
    let page = reproduction(&Figure { panels, ..figure() });
    let parts: Vec<String> = styles(&page, "part ").iter().map(|c| c.split(' ').next().unwrap_or("").into()).collect();
    // Drawing and legend of the first panel, then of the second.
    let (first, second) = (&parts[..5], &parts[10..18]);
    assert_eq!(first, ["c0", "c1", "c2", "c3", "c4"]);
    assert_eq!(second, ["c0", "c1", "c5", "c2", "c3", "c6", "c7", "c4"]);
}
