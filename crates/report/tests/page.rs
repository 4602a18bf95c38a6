//! Pages of made-up rankings: well-formed, complete, self-contained, and drawings whose parts lie inside them and whose
//! texts do not overlap.

use crate::markup::{Element, parse};
use evariste_report::report;
use evariste_tune::ranking::{Code, VERSION, rank};
use evariste_tune::{Candidate, Ranking};

const TEXT: f64 = 11.0;

fn candidate(layout: &str, operation: &str, algorithm: &str, code: Option<Code>, seed: u64) -> Candidate {
    let cycles = code.map(|_| 20.0 + (seed * 7919 % 1000) as f64 / 10.0);
    Candidate {
        searched: None,
        schedule: None,
        fingerprint: None,
        heuristic_cycles: None,
        brief: false,
        shape: None,
        plan: format!("{algorithm}/{layout}"),
        code,
        operation: operation.into(),
        layout: layout.into(),
        proved: true,
        contract: "a, b < p → out < p, out ≡ a·b".into(),
        note: None,
        multiplications: 21 + seed % 17,
        additions: 44 + seed % 31,
        moves: 1000 * (seed % 3),
        proof_ms: 1.25,
        bound_cycles: 18.0,
        latency_cycles: cycles.map(|c| c * 1.5),
        latency_ns: cycles.map(|c| c * 0.4),
        throughput_cycles: cycles,
        throughput_ns: cycles.map(|c| c * 0.3),
        also: Vec::new(),
        throughput_spread: None,
        latency_spread: None,
        percent_of_bound: cycles.map(|c| 1800.0 / c),
        code_bytes: code.map(|_| 300 + seed),
    }
}

fn ranking(field: &str, candidates: Vec<Candidate>) -> Ranking {
    let mut ranking = Ranking {
        searches: Vec::new(),
        without_vectors: Vec::new(),
        noise: Vec::new(),
        date: Some("2026-11-22".into()),
        program: Some("evariste 0.1.0".into()),
        stopped: None,
        version: VERSION,
        core: "a core".into(),
        table: String::new(),
        field: field.into(),
        target: "linux x86_64; a processor; cc 1.0; -O2".into(),
        mix: "2 mul + 1 add".into(),
        candidates,
        layouts: Vec::new(),
        winner: None,
        winner_code: None,
    };
    let order = ["4x64", "odd <&> \"layout\""].map(|l| (l.to_string(), format!("{l} digits")));
    rank(&mut ranking, &order, &[("mul".into(), 2), ("add".into(), 1)]);
    ranking
}

/// Two layouts, two operations, more plans than are drawn, names that need escapes, extreme numbers.
fn measured() -> Ranking {
    let mut candidates = Vec::new();
    for (l, layout) in ["4x64", "odd <&> \"layout\""].into_iter().enumerate() {
        for (o, operation) in ["mul", "add"].into_iter().enumerate() {
            for i in 0..15u64 {
                let seed = i + 31 * o as u64 + 57 * l as u64;
                let algorithm = if i == 0 {
                    "a-name-that-is-longer-than-any-that-the-registry-has-and-must-be-cut+fold<T>&".to_string()
                } else {
                    format!("plan-{i}")
                };
                for code in [Code::named("c"), Code::named("x86-64")].into_iter().take(if l == 1 { 1 } else { 2 }) {
                    candidates.push(candidate(layout, operation, &algorithm, code, seed));
                }
            }
        }
    }
    candidates[3].throughput_cycles = Some(4567.8);
    candidates[4].latency_cycles = None;
    candidates[5].code_bytes = None;
    candidates[6] =
        Candidate { note: Some("not compiled: <b>\nmore".into()), ..candidate("4x64", "mul", "plan-3", None, 1) };
    candidates[8] = Candidate {
        proved: false,
        contract: String::new(),
        note: Some("unknown: too hard".into()),
        ..candidate("4x64", "mul", "unproved", None, 1)
    };
    ranking("2^255 - 19", candidates)
}

fn unmeasured() -> Ranking {
    ranking("p < q & r", (0..3).map(|i| candidate("4x64", "mul", &format!("plan-{i}"), None, i)).collect())
}

fn pages() -> Vec<(Vec<Ranking>, String)> {
    let single = ranking("GF(2^5):onb2", vec![candidate("4x64", "mul", "one", Code::named("c"), 5)]);
    let lists = [
        vec![],
        vec![ranking("empty", Vec::new())],
        vec![unmeasured()],
        vec![single.clone()],
        vec![measured()],
        vec![measured(), measured(), unmeasured(), single, ranking("none", Vec::new())],
    ];
    lists.into_iter().map(|list| (list.clone(), report(&list))).collect()
}

#[test]
fn a_page_says_what_when_where_and_by_what() {
    let named = ranking("2^256 - 2^224 + 2^192 + 2^96 - 1", vec![candidate("4x64", "mul", "a", Code::named("c"), 1)]);
    let page = report(std::slice::from_ref(&named));
    for part in [
        "<title>Évariste: p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)</title>",
        "<h2>p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)</h2>",
        "Measured on linux x86_64; a processor; cc 1.0; -O2; 2026-11-22, by evariste 0.1.0.",
        "<dt>measured</dt><dd>2026-11-22, by evariste 0.1.0</dd>",
        "evariste tune p256 --html report.html",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    // A second field of the same run adds no second line; one without a date says so.
    let mut old = ranking("2^255 - 19", vec![candidate("4x64", "mul", "a", Code::named("c"), 2)]);
    assert_eq!(report(&[named.clone(), old.clone()]).matches("Measured on ").count(), 1);
    (old.date, old.program) = (None, None);
    let page = report(&[named, old]);
    assert!(page.contains("-O2; no date.") && page.contains(">p256</a>") && page.contains(">25519</a>"), "{page}");
}

#[test]
fn pages_are_well_formed_and_ids_unique() {
    for (_, page) in pages() {
        let all = parse(&page).unwrap_or_else(|e| panic!("{e}"));
        let ids: Vec<&str> = all.iter().filter_map(|e| e.attribute("id")).collect();
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), ids.len(), "an id stands twice");
        for name in all.iter().filter_map(|e| e.attribute("aria-labelledby")).flat_map(str::split_whitespace) {
            assert!(ids.contains(&name), "{name} is nowhere");
        }
        for target in all.iter().filter_map(|e| e.attribute("href")) {
            assert!(target.strip_prefix('#').is_some_and(|id| ids.contains(&id)), "{target} leads nowhere");
        }
        for svg in all.iter().filter(|e| e.name == "svg") {
            assert_eq!(svg.attribute("role"), Some("img"));
        }
        assert_eq!(page.matches("<desc").count(), page.matches("<svg").count());
    }
}

#[test]
fn nothing_comes_from_elsewhere() {
    for (_, page) in pages() {
        for foreign in ["http", "src=", "url(", "@import", "<script", "<link", "//"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn every_candidate_is_told_of() {
    for (rankings, page) in pages() {
        for ranking in &rankings {
            for text in [&ranking.field, &ranking.target, &ranking.mix] {
                assert!(page.contains(&escaped(text)), "{text}");
            }
            for c in &ranking.candidates {
                let at = page.find("Complete table").expect("the table");
                assert!(page[at..].contains(&escaped(&c.plan)), "{}", c.plan);
            }
        }
        // A row of the complete table for each, which is told apart by its heading for rows.
        let rows = page.matches("<th scope=\"row\">").count();
        let candidates: usize = rankings.iter().map(|r| r.candidates.len()).sum();
        assert!(rows >= candidates, "{rows} rows of {candidates} candidates");
        assert!(!page.contains("<b>\n") && !page.contains("fold<T>"));
    }
}

#[test]
fn what_was_not_measured_is_said_with_its_reason() {
    let page = report(&[measured()]);
    for part in [
        "not compiled: &lt;b&gt; (1)",
        "unknown: too hard (1)",
        "unproved/4x64 (not proved)",
        "without a latency",
        "3 slower plans",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let page = report(&[unmeasured()]);
    for part in [
        "none: no candidate",
        "there was nothing to make code with",
        "Bound (nothing was measured)",
        "evariste tune 'p &lt; q &amp; r' --html",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!report(&[ranking("x", Vec::new())]).contains("<svg"));
    assert!(report(&[]).contains("No rankings"));
}

#[test]
fn a_page_is_the_same_each_time_and_says_kinds_and_units() {
    assert_eq!(report(&[measured()]), report(&[measured()]));
    let page = report(&[measured()]);
    for part in [
        "(measured)",
        "(counted)",
        "bound",
        "cycles per element",
        "latency: cycles",
        "bytes of machine code",
        "prefers-color-scheme: dark",
        "logarithmic",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let winner = measured().winner.expect("a winner");
    assert!(page.contains(&format!("<strong>{}</strong>", escaped(&winner))));
}

/// The box of a text: left, top, right, bottom. Widths are guessed a little high, as in the drawings.
fn text_box(e: &Element) -> [f64; 4] {
    let width = 0.53 * TEXT * e.text.chars().count() as f64;
    let (x, y) = (e.number("x"), e.number("y"));
    let left = match e.attribute("text-anchor") {
        Some("end") => x - width,
        Some("middle") => x - width / 2.0,
        _ => x,
    };
    [left, y - 0.75 * TEXT, left + width, y + 0.2 * TEXT]
}

#[test]
fn drawings_keep_to_their_frame_and_texts_apart() {
    let mut seen = 0;
    for (_, page) in pages() {
        let all = parse(&page).expect("well-formed");
        for (start, svg) in all.iter().enumerate().filter(|(_, e)| e.name == "svg") {
            let size: Vec<f64> =
                svg.attribute("viewBox").expect("a viewBox").split(' ').map(|n| n.parse().expect("a number")).collect();
            let (width, height) = (size[2], size[3]);
            let parts: Vec<&Element> = all[start + 1..].iter().take_while(|e| e.depth > svg.depth).collect();
            let inside = |x: f64, y: f64| {
                assert!(
                    (-0.01..=width + 0.01).contains(&x) && (-1.01..=height + 0.01).contains(&y),
                    "({x}, {y}) is outside {width} × {height}"
                )
            };
            let mut texts: Vec<[f64; 4]> = Vec::new();
            for e in parts {
                seen += 1;
                match e.name.as_str() {
                    "rect" => {
                        inside(e.number("x"), e.number("y"));
                        inside(e.number("x") + e.number("width"), e.number("y") + e.number("height"));
                    }
                    "line" => {
                        inside(e.number("x1"), e.number("y1"));
                        inside(e.number("x2"), e.number("y2"));
                    }
                    "circle" => {
                        inside(e.number("cx") - e.number("r"), e.number("cy") - e.number("r"));
                        inside(e.number("cx") + e.number("r"), e.number("cy") + e.number("r"));
                    }
                    // The one that is turned stands in the left margin.
                    "text" if e.attribute("transform").is_none() => {
                        let place = text_box(e);
                        inside(place[0].max(0.0), place[1]);
                        inside(place[2].min(width + 2.0) - 2.0, place[3]);
                        assert!(
                            place[0] >= -2.0 && place[2] <= width + 2.0,
                            "“{}” leaves its drawing: {place:?}",
                            e.text
                        );
                        for other in &texts {
                            let apart = place[0] >= other[2]
                                || other[0] >= place[2]
                                || place[1] >= other[3]
                                || other[1] >= place[3];
                            assert!(apart, "“{}” at {place:?} overlaps {other:?}", e.text);
                        }
                        texts.push(place);
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen > 1000, "{seen} parts of drawings");
}
