//! `evariste eval FIELD OP NUMBERS…`.

use evariste::builder::{Reason, Runner};
use evariste::{BigUint, Field};
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::Eval;
use crate::failure::Failure;
use crate::numbers::both;
use crate::session::Session;
use crate::tables::wrapped;

/// The answer by the reference and by a proved kernel.
pub fn run(options: &Eval, session: &Session) -> Result<Answer, Failure> {
    let field = session.field(&options.field)?;
    let operation = field.evaluable_named(&options.operation)?;
    if let Some(modulus) = options.modulus.as_ref().filter(|_| !field.takes_modulus()) {
        return Err(Failure::usage(format!(
            "{} has its modulus: --modulus {modulus} says another one\nhelp: leave it out, or name moduli supplied at run time, such as odd256",
            field.called()
        )));
    }
    let numbers = options
        .numbers
        .iter()
        .chain(&options.modulus)
        .map(|text| number(&field, text))
        .collect::<Result<Vec<_>, _>>()?;
    let compiler = session.compiler("the kernel is interpreted");
    let (layout, plan) = layout_and_plan(options.layout.as_deref(), options.plan.as_deref());
    let chosen = field.choose_first(layout, session.recall(&field, compiler.as_ref()), &operation)?;
    let answer = field.evaluate(&chosen, &operation, plan, &numbers, compiler.as_ref())?;
    let how = match answer.runner {
        Runner::Assembled => "machine code",
        Runner::Compiled => "compiled",
        Runner::Interpreted => "interpreted",
    };
    let by = if plan.is_some() { Reason::Named } else { chosen.reason(&operation) }.to_string();
    let operands: Vec<String> = answer.operands.iter().map(|(name, x)| format!("{name} = {}", both(x))).collect();
    let mut text = wrapped(&format!("{} in {}\n", operation.name(), field.title()));
    for operand in &operands {
        text += &format!("  {operand}\n");
    }
    text += &format!("reference  {}\nkernel     {}\n", both(&answer.reference), both(&answer.kernel));
    text += &wrapped(&format!("           {}, {how}, proved: {}\n           ({by})\n", answer.plan, answer.contract));
    let json = json!({
        "field": field.text(),
        "operation": operation.name(),
        "operands": answer.operands.iter().map(|(name, x)| json!({ "name": name, "value": x.to_string() })).collect::<Vec<_>>(),
        "reference": answer.reference.to_string(),
        "kernel": answer.kernel.to_string(),
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

/// A number as an operand: modulo p its residue.
fn number(field: &Field, text: &str) -> Result<BigUint, Failure> {
    Ok(field.element(text)?.value().clone())
}

/// A full plan name (algorithm/layout) names the layout too.
pub fn layout_and_plan<'a>(layout: Option<&'a str>, plan: Option<&'a str>) -> (Option<&'a str>, Option<&'a str>) {
    (layout.or_else(|| plan.and_then(|name| Some(name.split_once('/')?.1))), plan)
}
