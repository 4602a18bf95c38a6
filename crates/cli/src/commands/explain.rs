//! `evariste explain FIELD`.

use evariste::Field;
use evariste::array::{Operation, Options, ProductsOfWords, Structured};
use evariste::builder::{WORDS, machine, survey};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Explain;
use crate::failure::Failure;
use crate::numbers::{known, measured};
use crate::session::Session;
use crate::tables::{fitted, left_out, wrapped};

/// Columns that go where there is no room, in this order.
const DROPPED: [&str; 3] = ["moves", "additions", "products"];

/// What the field is, and for each layout its operations with the number of plans and the least bound.
pub fn run(options: &Explain, session: &Session) -> Result<Answer, Failure> {
    let field = session.field(&options.field)?;
    if !field.has_kernels() {
        return Ok(described(&field));
    }
    let core = session.core()?;
    let mut text = wrapped(&format!("{}\n", field.description()));
    let mut layouts = Vec::new();
    let mut gone = Vec::new();
    for layout in survey(&field, &WORDS, None, &core.core) {
        text += &wrapped(&format!("\n{}: {}\n", layout.layout, layout.description));
        let mut rows = Vec::new();
        let mut operations = Vec::new();
        for entry in &layout.operations {
            let Some(best) = entry.plans.first() else { continue };
            let counts = best.kernel().counts();
            let moves = counts.moves + counts.loads + counts.stores;
            rows.push(vec![
                entry.operation.name(),
                entry.plans.len().to_string(),
                measured(known(best.kernel().bound(&core.core))),
                counts.multiplications.to_string(),
                counts.additions.to_string(),
                moves.to_string(),
                best.algorithm().to_string(),
            ]);
            let explained = |p: &evariste::builder::Plan| Some(json!({ "plan": p.name(), "lines": p.explanation()? }));
            let explanations: Vec<Value> = entry.plans.iter().filter_map(explained).collect();
            let names: Vec<Value> = entry.plans.iter().map(|p| json!(p.name())).collect();
            operations.push(json!({
                "operation": entry.operation.name(), "contract": best.kernel().contract(), "plans": names, "explanations": explanations,
                "best": { "plan": best.name(), "bound_cycles": known(best.kernel().bound(&core.core)), "multiplications": counts.multiplications, "additions": counts.additions, "moves": moves },
            }));
        }
        let headings = ["operation", ">plans", ">bound", ">products", ">additions", ">moves", "plan of least bound"];
        let (table, dropped) = fitted(&headings, &rows, &DROPPED);
        text += &table;
        for entry in &layout.operations {
            let explained = entry.plans.iter().find_map(|plan| Some((plan.algorithm(), plan.explanation()?)));
            if let Some((algorithm, lines)) = explained {
                text +=
                    &wrapped(&format!("{} by {algorithm}: {}\n", entry.operation.name(), lines.replace('\n', "; ")));
            }
        }
        gone = if dropped.len() > gone.len() { dropped } else { gone };
        layouts.push(json!({ "layout": layout.layout, "description": layout.description, "operations": operations }));
    }
    text.push('\n');
    text += &left_out(&gone);
    text += &wrapped(&format!(
        "bound: least cycles per element as scalar {} by the costs of {} (see `evariste list targets`); counts are those of the plan of least bound.\n\
         Next: `evariste tune` measures, `evariste show plans` lists every plan.\n",
        machine().title,
        core.line()
    ));
    let arrays = if options.arrays { Some(of_arrays(&field, &mut text)?) } else { None };
    let json = json!({ "field": field.text(), "name": field.name(), "bits": field.bits(), "description": field.description(), "layouts": layouts, "arrays": arrays });
    Ok(Answer::new(text, json))
}

/// What is described, and what the reference has, where there are no kernels yet.
fn described(field: &Field) -> Answer {
    let evaluable = field.evaluable();
    let list: Vec<String> =
        evaluable.iter().map(|(op, names)| format!("{} ({})", op.name(), names.join(", "))).collect();
    let text = wrapped(&format!(
        "{}\n\nThe reference has {}.\nThere are no kernels yet: nothing to count, to measure or to emit.\nNext: `evariste eval` answers.\n",
        field.description(),
        list.join(", ")
    ));
    let none: [Value; 0] = [];
    let json = json!({
        "field": field.text(), "name": field.name(), "bits": field.bits(), "description": field.description(), "layouts": none,
        "reference": evaluable.iter().map(|(op, _)| op.name()).collect::<Vec<_>>(),
    });
    Answer::new(text, json)
}

/// How arrays compute: products, where an element has one coordinate, else what takes longest.
fn of_arrays(field: &Field, text: &mut String) -> Result<Value, Failure> {
    match Structured::with(field.spec(), Options::default()) {
        Ok(engine) => of_coordinates(&engine, text),
        Err(_) => products_of_words(field, text),
    }
}

/// How arrays of what has several coordinates compute what takes longest: lines of the text, and the same as data.
fn of_coordinates(engine: &Structured, text: &mut String) -> Result<Value, Failure> {
    const TOLD: [Operation; 5] =
        [Operation::MUL, Operation::SQUARE, Operation::SCALAR_MUL, Operation::LADDER, Operation::PAIRING_MULTIPLE];
    let (layout, lanes) = (&engine.ground().layout().name, engine.ground().lanes());
    *text += &format!("\nArrays of elements, coordinates in the layout {layout}, {lanes} side by side:\n");
    let mut operations = Vec::new();
    for operation in engine.operations().filter(|operation| TOLD.contains(operation)) {
        let how = engine.describe(operation).map_err(evariste::Error::from)?;
        *text += &wrapped(&format!("{}: {how}\n", operation.name()));
        operations.push(json!({ "operation": operation.name(), "how": how }));
    }
    Ok(json!({ "layout": layout, "lanes": lanes, "operations": operations }))
}

/// Which way products of arrays of words go, timed here: lines of the text, and the same as data.
fn products_of_words(field: &Field, text: &mut String) -> Result<Value, Failure> {
    let engine = field.arrays(1)?;
    let ways = [
        ("mul_words", false, 2),
        ("mul_montgomery_words", true, 2),
        ("mul_all_words of three", false, 3),
        ("mul_all_montgomery_words of three", true, 3),
    ];
    // An operation that the layout does not have is none of those that are listed.
    let found: Vec<(&str, ProductsOfWords)> = ways
        .iter()
        .filter_map(|(name, form, factors)| Some((*name, engine.products_of_factors(*form, *factors).ok()?)))
        .collect();
    *text +=
        &format!("\nProducts of arrays of words, both ways timed on this machine (layout {}):\n", engine.layout().name);
    for (name, how) in &found {
        *text += &wrapped(&format!("{name}: {how}\n"));
    }
    *text += "\nProducts of square matrices:\n";
    let matrices = [10, 30, 100, 300].map(|n| (n, engine.product_of_matrices(n, n, n)));
    for (n, how) in &matrices {
        *text += &wrapped(&format!("{n} × {n}: {how}\n"));
    }
    let matrices = matrices
        .map(|(n, how)| json!({ "rows": n, "moduli": how.moduli, "vector_bits": how.vector_bits, "terms": how.terms }));
    let all = found.into_iter().map(|(name, how)| {
        json!({ "operation": name, "one_by_one": how.one_by_one, "lanes": how.lanes, "lanes_from": how.lanes_from, "lanes_beyond_caches": how.lanes_beyond_caches })
    });
    Ok(
        json!({ "layout": engine.layout().name, "lanes": engine.lanes(), "products_of_words": all.collect::<Vec<Value>>(), "products_of_matrices": matrices }),
    )
}
