//! `evariste list WHAT`.

use evariste::builder::cores::InUse;
use evariste::builder::runners::RUNNERS;
use evariste::builder::{
    AlgorithmKind, CIPHERS, KINDS, MACS, NamedCurve, NamedPairing, NamedTower, algorithms, formula_counts, formulas,
    named, named_curves, named_pairings, named_towers, targets,
};
use evariste::{Field, LANGUAGES, Language};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::{List, Listed};
use crate::failure::Failure;
use crate::numbers::figure;
use crate::session::Session;
use crate::tables::{fitted, left_out, table, wrapped};

/// Lists what there is.
pub fn run(options: &List, session: &Session) -> Result<Answer, Failure> {
    match &options.what {
        Listed::Fields => Ok(fields()),
        Listed::Algorithms => Ok(all_algorithms()),
        Listed::Formulas => Ok(all_formulas()),
        Listed::Layouts { field } => layouts(field),
        Listed::Targets => Ok(machines(&session.core()?)),
        Listed::Languages => {
            let names: Vec<&str> = LANGUAGES.iter().map(|l| l.name).collect();
            let rows = LANGUAGES.iter().map(|l| vec![l.name.to_string(), l.about.to_string()]).collect();
            let of = |l: &'static Language| l.faces.iter().map(move |face| (l.name, face));
            let all: Vec<_> = LANGUAGES.iter().flat_map(of).collect();
            let faces = all.iter().map(|(l, face)| vec![face.name.to_string(), l.to_string(), face.about.to_string()]);
            let text =
                table(&["language", "what"], rows) + "\n" + &table(&["face", "language", "what"], faces.collect());
            let faces: Vec<Value> =
                all.iter().map(|(l, f)| json!({ "name": f.name, "language": l, "what": f.about })).collect();
            Ok(Answer::new(text, json!({ "languages": names, "faces": faces })))
        }
        Listed::Runners => Ok(all_runners()),
        Listed::Operations { field } => operations(field.as_deref()),
    }
}

fn fields() -> Answer {
    let rows = named().iter().map(|n| vec![n.name.to_string(), n.expression.to_string(), n.what.to_string()]).collect();
    let list: Vec<Value> = named()
        .iter()
        .map(|n| json!({ "name": n.name, "aliases": n.aliases, "expression": n.expression, "what": n.what, "source": n.source }))
        .collect();
    let (towers, more_lists) = structures();
    let more = "\nAlso any modulus as an expression (2^255 - 19, 2^64, 1000), plain integers (int256), odd moduli supplied at run time (odd256), and binary fields as polynomials (GF(2^163)) or in a Gaussian normal basis (GF(2^131):onb2).\n";
    let mut json = json!({ "fields": list, "kinds": kinds() });
    for (key, value) in more_lists {
        json[key] = value;
    }
    Answer::new(table(&["name", "modulus", "what"], rows) + &wrapped(more) + &towers, json)
}

/// Kinds of descriptions.
fn kinds() -> Vec<Value> {
    KINDS.iter().map(|kind| json!({ "what": kind.what, "example": kind.example })).collect()
}

/// Named towers, curves, pairings, ciphers and hash functions: text, and lists by name.
fn structures() -> (String, Vec<(&'static str, Value)>) {
    let mut text = wrapped(
        "\nTowers, curves, pairings, ciphers and hash functions have exact arithmetic (`evariste eval`), and not all of them kernels yet.\n\n",
    );
    let towers = named_towers();
    let rows = towers.iter().map(|t| vec![t.name.to_string(), format!("{}{}", t.base, t.floors)]).collect();
    text += &table(&["tower", "what"], rows);
    text += &wrapped("Also any tower by its polynomials: p256[u]/(u^2+1)[v]/(v^3-(2+u)).\n\n");
    let curves = named_curves();
    let rows =
        curves.iter().map(|c| vec![format!("curve:{}", c.name), c.field.to_string(), c.what.to_string()]).collect();
    text += &table(&["curve", "field", "what"], rows);
    text += &wrapped("Also any curve by its equation: curve:y^2=x^3-3x+7@p256,base=[X,Y],order=N,cofactor=H.\n\n");
    let pairings = named_pairings();
    let rows = pairings.iter().map(|p| vec![format!("pairing:{}", p.name), p.what.to_string()]).collect();
    text += &table(&["pairing", "what"], rows);
    for (title, entries) in [("cipher", CIPHERS), ("hash function", MACS)] {
        let rows = entries.iter().map(|[name, what, _]| vec![name.to_string(), what.to_string()]).collect();
        text += "\n";
        text += &table(&[title, "what"], rows);
    }
    let named = |name: String, aliases: &[&str], what: &str, source: &str| json!({ "name": name, "aliases": aliases, "what": what, "source": source });
    let tower = |t: &NamedTower| named(t.name.into(), &[], &format!("{}{}", t.base, t.floors), t.source);
    let curve = |c: &NamedCurve| named(format!("curve:{}", c.name), c.aliases, c.what, c.source);
    let pairing = |p: &NamedPairing| named(format!("pairing:{}", p.name), p.aliases, p.what, p.source);
    let lists = vec![
        ("towers", Value::Array(towers.iter().map(tower).collect())),
        ("curves", Value::Array(curves.iter().map(curve).collect())),
        ("pairings", Value::Array(pairings.iter().map(pairing).collect())),
        ("ciphers", strings(CIPHERS)),
        ("macs", strings(MACS)),
    ];
    (text, lists)
}

/// Ciphers or hash functions.
fn strings(entries: &[[&str; 3]]) -> Value {
    let one = |[name, what, source]: &[&str; 3]| json!({ "name": name, "aliases": [], "what": what, "source": source });
    Value::Array(entries.iter().map(one).collect())
}

fn all_algorithms() -> Answer {
    let kinds = [
        (AlgorithmKind::Product, "product", "products (each joins each reduction: comba+solinas)"),
        (AlgorithmKind::Reduction, "reduction", "reductions of a product"),
        (AlgorithmKind::Interleaved, "interleaved", "products with the reduction interleaved"),
        (AlgorithmKind::CarrylessProduct, "carry-less product", "products of polynomials over GF(2) in words"),
        (AlgorithmKind::CarrylessReduction, "carry-less reduction", "reductions of these"),
        (AlgorithmKind::Composite, "composite", "made of calls of other kernels"),
        (AlgorithmKind::Whole, "whole", "whole kernels: other operations, rolled loops, one-bit words"),
    ];
    let mut text = String::new();
    let mut list = Vec::new();
    for (kind, name, title) in kinds {
        text += &wrapped(&format!("{title}:\n"));
        for (algorithm, _) in algorithms().iter().filter(|(_, k)| *k == kind) {
            text += &format!("  {algorithm}\n");
            list.push(json!({ "name": algorithm, "kind": name }));
        }
    }
    Answer::new(text, json!({ "algorithms": list }))
}

fn all_formulas() -> Answer {
    let (mut rows, mut list) = (Vec::new(), Vec::new());
    for family in formulas() {
        for formula in family.formulas.iter().filter_map(|entry| entry.formula().ok()) {
            let cost = formula_counts(&formula);
            let scale = if formula.scale == 1 { String::new() } else { formula.scale.to_string() };
            rows.push(vec![family.name.into(), formula.name.clone(), cost.to_string(), scale, formula.source.clone()]);
            list.push(json!({
                "name": formula.name, "family": family.name, "computes": formula.computes, "scale": formula.scale, "source": formula.source,
                "cost": {
                    "mul": cost.mul, "square": cost.square, "by_constants": cost.by_constants(), "add": cost.add, "halve": cost.halve,
                    "invert": cost.invert, "select": cost.select,
                },
            }));
        }
    }
    let (text, gone) = fitted(&["family", "formula", "cost", ">scale", "source"], &rows, &["source", "scale"]);
    let legend = "\nCost: products M, squares S, inverses I, sums and differences A, halvings h, choices C, products with constants by name. A scale is the factor that results carry.\n";
    Answer::new(text + &wrapped(legend) + &left_out(&gone), json!({ "formulas": list }))
}

fn layouts(field: &str) -> Result<Answer, Failure> {
    let field = Field::parse(field)?;
    field.with_kernels()?;
    let mut layouts: Vec<_> = field.layouts().into_iter().map(|l| (l, None)).collect();
    for language in LANGUAGES.iter() {
        let more =
            field.layouts_in(language).into_iter().filter(|l| !layouts.iter().any(|(known, _)| known.name == l.name));
        let more: Vec<_> = more.map(|l| (l, Some(language.name))).collect();
        layouts.extend(more);
    }
    let only_in = |language: &Option<&str>| language.map_or_else(String::new, |name| format!(" (--lang {name})"));
    let rows = layouts
        .iter()
        .map(|(l, language)| vec![l.name.clone(), evariste::builder::layout_line(l) + &only_in(language)])
        .collect();
    let list: Vec<Value> = layouts
        .iter()
        .map(|(l, language)| {
            json!({
                "language": language,
                "name": l.name, "description": evariste::builder::layout_line(l), "word": l.word, "weights": l.weights,
                "montgomery": l.montgomery, "resting_bound": l.resting.bound.to_string(), "loose_bound": l.loose.bound.to_string(),
            })
        })
        .collect();
    Ok(Answer::new(table(&["layout", "elements"], rows), json!({ "field": field.text(), "layouts": list })))
}

fn machines(core: &InUse) -> Answer {
    let mut text = wrapped(&format!("costs of {}\n", core.line()));
    let mut list = Vec::new();
    for target in targets(&core.core) {
        text += &wrapped(&format!("\n{}: {}\n", target.name, target.description));
        let rates: Vec<String> = target.per_cycle.iter().map(|(what, n)| format!("{} {what}", figure(*n))).collect();
        text += &wrapped(&format!("  a cycle: {}\n", rates.join(", ")));
        let per_cycle: serde_json::Map<String, Value> =
            target.per_cycle.iter().map(|(what, n)| (what.to_string(), json!(n))).collect();
        if !target.vectors.is_empty() {
            let latency = |latency: Option<f64>| latency.map_or_else(|| "-".to_string(), |x| format!("{x:.0}"));
            let rows: Vec<Vec<String>> =
                target.vectors.iter().map(|v| vec![v.name.clone(), figure(v.cycles), latency(v.latency)]).collect();
            text += &fitted(&["instruction", ">cycles", ">latency"], &rows, &[]).0;
        }
        let vectors: Vec<Value> = target
            .vectors
            .iter()
            .map(|v| {
                let uses: serde_json::Map<String, Value> = v.uses.iter().map(|(r, n)| (r.clone(), json!(n))).collect();
                json!({ "name": v.name, "cycles": v.cycles, "latency": v.latency, "uses": uses })
            })
            .collect();
        list.push(json!({ "name": target.name, "description": target.description, "per_cycle": per_cycle, "vectors": vectors }));
    }
    Answer::new(text, json!({ "core": core.core.name, "targets": list }))
}

/// Runners, and whether each can run here.
fn all_runners() -> Answer {
    let (mut rows, mut list) = (Vec::new(), Vec::new());
    for runner in RUNNERS {
        let missing = runner.bench().err().map(|error| error.to_string());
        let short = |text: &str| text.lines().next().and_then(|l| Some(l.split_once(": ")?.1.to_string()));
        let here = missing.as_deref().map_or(Some("yes".to_string()), short).unwrap_or_else(|| "no".to_string());
        rows.push(
            [runner.name, runner.about, runner.compiler, runner.run_by(), runner.counts().name(), &here]
                .map(str::to_string)
                .to_vec(),
        );
        list.push(json!({
            "name": runner.name, "about": runner.about, "compiler": runner.compiler, "flags": runner.flags.join(" "), "run_by": runner.run_by(),
            "counts": runner.counts().name(), "remark": runner.remark, "packages": runner.packages, "missing": missing,
        }));
    }
    let mut text = table(&["runner", "processor", "compiler", "run by", "numbers", "here"], rows);
    for (name, remark) in RUNNERS.iter().filter_map(|r| Some((r.name, r.remark?))) {
        text += &wrapped(&format!("\n{name}: {remark}.\n"));
    }
    Answer::new(text, json!({ "runners": list }))
}

fn operations(field: Option<&str>) -> Result<Answer, Failure> {
    let Some(text) = field else {
        let all = evariste::builder::operations();
        let rows = all
            .iter()
            .map(|op| vec![op.name.to_string(), op.operands.join(", "), op.kind.to_string(), op.what.to_string()])
            .collect();
        let list: Vec<Value> = all
            .iter()
            .map(|op| json!({ "name": op.name, "operands": op.operands, "of": op.kind, "what": op.what }))
            .collect();
        return Ok(Answer::new(table(&["operation", "operands", "of", "what"], rows), json!({ "operations": list })));
    };
    let field = Field::parse(text)?;
    if !field.has_kernels() {
        return Ok(by_reference(&field));
    }
    let mut rows = Vec::new();
    let mut list = Vec::new();
    for layout in field.layouts() {
        let names: Vec<String> = field.operations(&layout).iter().map(evariste::Op::name).collect();
        rows.push(vec![layout.name.clone(), names.join(" ")]);
        list.push(json!({ "layout": layout.name, "operations": names }));
    }
    Ok(Answer::new(table(&["layout", "operations"], rows), json!({ "field": field.text(), "layouts": list })))
}

/// The operations that the reference has, where there are no layouts.
fn by_reference(field: &Field) -> Answer {
    let evaluable = field.evaluable();
    let rows = evaluable
        .iter()
        .map(|(op, operands)| vec![op.name(), operands.join(", "), op.row().what.to_string()])
        .collect();
    let names: Vec<String> = evaluable.iter().map(|(op, _)| op.name()).collect();
    let text =
        table(&["operation", "operands", "what"], rows) + &wrapped("By the reference: there are no kernels yet.\n");
    let none: [Value; 0] = [];
    Answer::new(text, json!({ "field": field.text(), "layouts": none, "reference": names }))
}
