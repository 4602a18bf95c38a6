//! `evariste eval FIELD OP NUMBERS…`.

use evariste::builder::{MESSAGE_WORDS, Reason, Runner, Slot};
use evariste::{BigUint, Field, Op};
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::Eval;
use crate::failure::Failure;
use crate::numbers::both;
use crate::progress::Waiting;
use crate::session::Session;
use crate::tables::wrapped;

/// The answer by the reference and by a proved kernel.
pub fn run(options: &Eval, session: &Session) -> Result<Answer, Failure> {
    let field = session.field(&options.field)?;
    let operation = field.evaluable_named(&options.operation)?;
    no_other_modulus(&field, options)?;
    let texts: Vec<&String> = options.numbers.iter().chain(&options.modulus).collect();
    let numbers = field.operands(&operation, &texts)?;
    let _waiting = Waiting::for_work("computing");
    // A long message is taken piece by piece, unless a kernel is named for all of it.
    let pieces = field.in_pieces(&operation, &numbers).filter(|_| options.layout.is_none() && options.plan.is_none());
    if pieces.is_none() && (!field.has_plans(&operation) || !field.kernels_take(&numbers)) {
        return reference(&field, &operation, &numbers, options);
    }
    let compiler = session.compiler("the kernel is interpreted");
    let (layout, plan) = layout_and_plan(options.layout.as_deref(), options.plan.as_deref());
    let chosen_for = pieces.as_ref().unwrap_or(&operation);
    let chosen = field.choose_first(layout, session.recall(&field, compiler.as_ref()), chosen_for)?;
    let answer = match &pieces {
        Some(_) => field.evaluate_in_pieces(&chosen, &operation, &numbers, compiler.as_ref())?,
        None => field.evaluate(&chosen, &operation, plan, &numbers, compiler.as_ref())?,
    };
    let how = ran(answer.runner);
    let by = if plan.is_some() { Reason::Named } else { chosen.reason(chosen_for) }.to_string();
    let (inputs, outputs) = (operation.row().inputs, operation.row().outputs);
    // What is supplied at run time is a number.
    let text_of = |slot: Option<&Slot>, x: &BigUint| slot.and_then(|slot| field.written(slot, x));
    let slots = inputs.iter().map(Some).chain(std::iter::repeat(None));
    let operands: Vec<(&str, &BigUint, Option<String>)> =
        answer.operands.iter().zip(slots).map(|((name, x), slot)| (*name, x, text_of(slot, x))).collect();
    let [reference, kernel] = [&answer.reference, &answer.kernel].map(|x| text_of(outputs.first(), x));
    let mut text = wrapped(&format!("{} in {}\n", operation.name(), field.title()));
    for (name, x, written) in &operands {
        text += &format!("  {name} = {}\n", written.clone().unwrap_or_else(|| both(x)));
    }
    let line = |written: &Option<String>, x: &BigUint| written.clone().unwrap_or_else(|| both(x));
    text +=
        &format!("reference  {}\nkernel     {}\n", line(&reference, &answer.reference), line(&kernel, &answer.kernel));
    text += &wrapped(&format!("           {}, {how}, proved: {}\n           ({by})\n", answer.plan, answer.contract));
    let json = json!({
        "field": field.text(),
        "operation": operation.name(),
        "operands": operands.iter().map(|(name, x, written)| {
            json!({ "name": name, "value": written.clone().unwrap_or_else(|| x.to_string()) })
        }).collect::<Vec<_>>(),
        "reference": reference.unwrap_or_else(|| answer.reference.to_string()),
        "kernel": kernel.unwrap_or_else(|| answer.kernel.to_string()),
        "agree": answer.agrees(),
        "plan": answer.plan,
        "contract": answer.contract,
        "runner": how,
        "chosen_by": by,
    });
    let result = Answer::new(text, json);
    Ok(if answer.agrees() {
        result
    } else {
        result.failed(Failure::failed(
            "the kernel and the reference disagree\nhelp: this is a defect: please report it with this command",
        ))
    })
}

/// How a kernel was run, in words.
fn ran(runner: Runner) -> &'static str {
    match runner {
        Runner::Assembled => "machine code",
        Runner::Compiled => "compiled",
        Runner::Interpreted => "interpreted",
    }
}

/// A modulus is given only where it is supplied at run time.
fn no_other_modulus(field: &Field, options: &Eval) -> Result<(), Failure> {
    if let Some(modulus) = options.modulus.as_ref().filter(|_| !field.takes_modulus()) {
        return Err(Failure::usage(format!(
            "{} has its modulus: --modulus {modulus} says another one\nhelp: leave it out, or name moduli supplied at run time, such as odd256",
            field.called()
        )));
    }
    Ok(())
}

/// The answer by the reference alone, where no kernel computes it yet.
fn reference(field: &Field, operation: &Op, numbers: &[BigUint], options: &Eval) -> Result<Answer, Failure> {
    if !field.kernels_take(numbers) && field.has_plans(operation) {
        if options.layout.is_some() || options.plan.is_some() {
            return Err(Failure::usage(format!(
                "kernels of `{}` take messages of at most {MESSAGE_WORDS} words\nhelp: leave --layout and --plan out: the reference answers",
                operation.name()
            )));
        }
    } else if options.layout.is_some() || options.plan.is_some() {
        field.with_kernels()?;
        return Err(Failure::usage(format!(
            "{} has no plans for `{}` yet\nhelp: leave --layout and --plan out: the reference answers",
            field.called(),
            operation.name()
        )));
    }
    let answer = field.reference(operation, numbers)?;
    let (inputs, outputs) = (operation.row().inputs, operation.row().outputs);
    let text_of = |slot: &Slot, x: &BigUint| field.written(slot, x);
    let mut text = wrapped(&format!("{} in {}\n", operation.name(), field.title()));
    let mut operands = Vec::new();
    for (slot, x) in inputs.iter().zip(numbers) {
        text += &format!("  {} = {}\n", slot.name, text_of(slot, x).unwrap_or_else(|| both(x)));
        let value = text_of(slot, x).unwrap_or_else(|| x.to_string());
        operands.push(json!({ "name": slot.name, "value": value }));
    }
    text += &format!("reference  {}\n", text_of(&outputs[0], &answer).unwrap_or_else(|| both(&answer)));
    let why = if field.has_plans(operation) {
        format!("none: kernels of {} take messages of at most {MESSAGE_WORDS} words", operation.name())
    } else {
        format!("none yet: there is no plan for {} in {}", operation.name(), field.called())
    };
    text += &wrapped(&format!("kernel     {why}\n"));
    let json = json!({
        "field": field.text(),
        "operation": operation.name(),
        "operands": operands,
        "reference": text_of(&outputs[0], &answer).unwrap_or_else(|| answer.to_string()),
        "kernel": null,
        "agree": null,
        "plan": null,
        "contract": null,
        "runner": null,
        "chosen_by": null,
    });
    Ok(Answer::new(text, json))
}

/// A full plan name (algorithm/layout) names the layout too.
pub fn layout_and_plan<'a>(layout: Option<&'a str>, plan: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
    (layout.or_else(|| plan.and_then(|name| Some(name.split_once('/')?.1))), plan)
}
