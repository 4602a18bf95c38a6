//! `evariste list WHAT`.

use evariste::builder::cores::InUse;
use evariste::builder::{AlgorithmKind, algorithms, named, targets};
use evariste::{Field, LANGUAGES};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::{List, Listed};
use crate::failure::Failure;
use crate::numbers::figure;
use crate::session::Session;
use crate::tables::{fitted, table, wrapped};

/// Lists what there is.
pub fn run(options: &List, session: &Session) -> Result<Answer, Failure> {
    match &options.what {
        Listed::Fields => Ok(fields()),
        Listed::Algorithms => Ok(all_algorithms()),
        Listed::Layouts { field } => layouts(field),
        Listed::Targets => Ok(machines(&session.core()?)),
        Listed::Languages => {
            let names: Vec<&str> = LANGUAGES.iter().map(|l| l.name).collect();
            let rows = LANGUAGES.iter().map(|l| vec![l.name.to_string(), l.about.to_string()]).collect();
            Ok(Answer::new(table(&["language", "what"], rows), json!({ "languages": names })))
        }
        Listed::Operations { field } => operations(field.as_deref()),
    }
}

fn fields() -> Answer {
    let rows = named().iter().map(|n| vec![n.name.to_string(), n.expression.to_string(), n.what.to_string()]).collect();
    let list: Vec<Value> = named()
        .iter()
        .map(|n| json!({ "name": n.name, "aliases": n.aliases, "expression": n.expression, "what": n.what, "source": n.source }))
        .collect();
    let more = "\nAlso any modulus as an expression (2^255 - 19, 2^64, 1000), plain integers (int256), odd moduli supplied at run time (odd256), and binary fields as polynomials (GF(2^163)) or in a Gaussian normal basis (GF(2^131):onb2).\n";
    Answer::new(table(&["name", "modulus", "what"], rows) + &wrapped(more), json!({ "fields": list }))
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

fn layouts(field: &str) -> Result<Answer, Failure> {
    let field = Field::parse(field)?;
    let layouts = field.layouts();
    let rows = layouts.iter().map(|l| vec![l.name.clone(), evariste::builder::layout_line(l)]).collect();
    let list: Vec<Value> = layouts
        .iter()
        .map(|l| {
            json!({
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
    let mut rows = Vec::new();
    let mut list = Vec::new();
    for layout in field.layouts() {
        let names: Vec<String> = field.operations(&layout).iter().map(evariste::Op::name).collect();
        rows.push(vec![layout.name.clone(), names.join(" ")]);
        list.push(json!({ "layout": layout.name, "operations": names }));
    }
    Ok(Answer::new(table(&["layout", "operations"], rows), json!({ "field": field.text(), "layouts": list })))
}
