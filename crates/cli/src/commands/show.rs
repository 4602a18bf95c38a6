//! `evariste show WHAT FIELD`.

use evariste::builder::{
    Chosen, Core, Estimate, MachineCode, Outcome, Plan, Proved, WORDS, Wish, assembly, c_source, estimates, survey,
};
use evariste::{Field, Op};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::{Show, Stage};
use crate::commands::emit::target;
use crate::commands::eval::layout_and_plan;
use crate::failure::Failure;
use crate::numbers::{counted, known, measured};
use crate::session::Session;
use crate::tables::{fitted, left_out, table, wrapped};

/// Columns of plans that go where there is no room, in this order.
const DROPPED: [&str; 3] = ["moves", "additions", "products"];

/// Any stage of a kernel, as text.
pub fn run(options: &Show, session: &Session) -> Result<Answer, Failure> {
    let field = session.field_with_kernels(&options.field)?;
    let operation = field.operation(&options.op)?;
    if options.what == Stage::Plans {
        return plans(&field, &operation, options, &session.core()?.core);
    }
    // Remembered winners are looked up by compiler; without one, plans are chosen by bound.
    let compiler = evariste::Compiler::find().ok();
    let (layout, name) = layout_and_plan(options.layout.as_deref(), options.plan.as_deref());
    let code = options.target.as_deref().map(target).transpose()?;
    let mut chosen = session.choose_for(&field, layout, compiler.as_ref(), Wish { code, ..Wish::default() })?;
    chosen.code = code;
    let plan = field.chosen_plan(&chosen, &operation, name)?;
    let (text, stage) = match options.what {
        Stage::Kernel => (plan.kernel().to_string(), json!({ "kernel": plan.kernel().to_string() })),
        Stage::Contract => contract(&plan),
        Stage::Proof => return Ok(proof(&plan)),
        Stage::Ranges => ranges(&proved(&plan)?),
        Stage::C => {
            let source = c_source(&[&proved(&plan)?], &field.identifier())?;
            let json = json!({ "c": source.text });
            (source.text, json)
        }
        Stage::Program => program(&chosen, &plan)?,
        Stage::Asm => {
            let proved = proved(&plan)?;
            let text = assembly(&[(&machine_code(&chosen, &plan, &proved)?, &proved)], &field.identifier())?;
            let json = json!({ "asm": text });
            (text, json)
        }
        Stage::Estimates => estimated(&chosen, &plan)?,
        Stage::Schedule => {
            let (schedule, searched) = field.schedule(&chosen, &plan)?;
            let json = json!({ "schedule": schedule, "searched": searched });
            (schedule, json)
        }
        Stage::Plans => (String::new(), Value::Null),
    };
    Ok(Answer::new(ended(text), about(&plan, stage)))
}

/// The text with a line end.
fn ended(text: String) -> String {
    if text.ends_with('\n') { text } else { text + "\n" }
}

/// What the JSON is about, with the members of a stage.
fn about(plan: &Plan, stage: Value) -> Value {
    let mut json =
        json!({ "field": plan.kernel().field().text(), "operation": plan.operation().name(), "plan": plan.name() });
    if let (Value::Object(members), Value::Object(more)) = (&mut json, stage) {
        members.extend(more);
    }
    json
}

/// The proved kernel, or why it is not proved.
fn proved(plan: &Plan) -> Result<Proved, Failure> {
    match plan.prove() {
        Outcome::Proved(proved) => Ok(proved),
        Outcome::Refuted(counterexample) => {
            Err(Failure::failed(format!("{} is refuted: {}", plan.name(), counterexample.violation)))
        }
        Outcome::Unknown(open) => Err(Failure::failed(format!(
            "{} is not proved: {}: {}\nhelp: `evariste show plans` lists other plans",
            plan.name(),
            open.what,
            open.detail
        ))),
    }
}

/// The checked machine code of a plan, by the schedule that `emit` takes.
fn machine_code(chosen: &Chosen, plan: &Plan, proved: &Proved) -> Result<MachineCode, Failure> {
    let schedule = chosen.schedule(plan.operation(), &plan.name(), proved.kernel())?;
    Ok(evariste::builder::checked_program(
        chosen.packaged().1,
        &plan.operation().name(),
        &plan.name(),
        proved,
        schedule.as_ref(),
        &chosen.routines(proved.kernel()),
    )?)
}

/// What tables and `llvm-mca` say of the code.
fn estimated(chosen: &Chosen, plan: &Plan) -> Result<(String, Value), Failure> {
    let proved = proved(plan)?;
    let code = machine_code(chosen, plan, &proved)?;
    let all = estimates(chosen.packaged().0, proved.kernel(), &code.program);
    let cycles = |x: Option<f64>| x.map_or_else(|| "-".to_string(), |x| format!("{x:.1}"));
    let row = |e: &Estimate| {
        let llvm = cycles(e.llvm_mca.as_ref().ok().copied());
        vec![e.core.to_string(), cycles(Some(e.bound)), cycles(e.modelled), llvm]
    };
    let mut text = format!("{}\n\n", plan.name());
    text += &table(&["core", "bound", "code", "llvm-mca"], all.iter().map(row).collect());
    text += "\ncycles of one of many independent calls: of any code at least, of this code by the table, of this code by llvm-mca; none is measured\n";
    for e in &all {
        text += &wrapped(&format!("{}: {}\n", e.core, e.source));
        text += &e.llvm_mca.as_ref().err().map_or_else(String::new, |why| wrapped(&format!("  llvm-mca: {why}\n")));
    }
    let json: Vec<Value> = all
        .iter()
        .map(|e| {
            let llvm = e.llvm_mca.as_ref().ok();
            json!({ "core": e.core, "source": e.source, "bound": e.bound, "code": e.modelled, "llvm_mca": llvm })
        })
        .collect();
    Ok((text, json!({ "estimates": json })))
}

fn program(chosen: &Chosen, plan: &Plan) -> Result<(String, Value), Failure> {
    let code = machine_code(chosen, plan, &proved(plan)?)?;
    let (program, counts) = (&code.program, code.program.count());
    let json = json!({
        "features": program.features(), "program": program.to_string(), "instructions": counts.instructions, "products": counts.products,
        "carries": counts.carries, "loads": counts.loads, "stores": counts.stores, "spills": counts.spills,
    });
    Ok((format!("{program}{}", wrapped(&format!("{counts}\n"))), json))
}

fn plans(field: &Field, operation: &Op, options: &Show, core: &Core) -> Result<Answer, Failure> {
    if let Some(name) = &options.layout {
        field.layout(name)?;
    }
    let mut text = String::new();
    let mut list = Vec::new();
    let mut gone = Vec::new();
    for layout in survey(field, &WORDS, Some(operation), core)
        .into_iter()
        .filter(|l| options.layout.as_ref().is_none_or(|name| *name == l.layout))
    {
        let mut rows = Vec::new();
        for plan in layout.operations.iter().flat_map(|entry| &entry.plans) {
            if options.plan.as_ref().is_some_and(|name| !plan.name().contains(name.as_str())) {
                continue;
            }
            let (kernel, counts) = (plan.kernel(), plan.kernel().counts());
            let moves = counts.moves + counts.loads + counts.stores;
            rows.push(vec![
                plan.algorithm().to_string(),
                measured(known(kernel.bound(core))),
                counts.multiplications.to_string(),
                counts.additions.to_string(),
                moves.to_string(),
            ]);
            list.push(json!({
                "plan": plan.name(), "layout": layout.layout, "contract": kernel.contract(), "bound_cycles": known(kernel.bound(core)),
                "multiplications": counts.multiplications, "additions": counts.additions, "moves": moves,
            }));
        }
        if !rows.is_empty() {
            text += &wrapped(&format!("{}: {}\n", layout.layout, layout.description));
            let (table, dropped) = fitted(&["plan", ">bound", ">products", ">additions", ">moves"], &rows, &DROPPED);
            text += &table;
            gone = if dropped.len() > gone.len() { dropped } else { gone };
        }
    }
    if list.is_empty() {
        return Err(Failure::usage(format!(
            "no plan for {} in {} has that name\nhelp: leave out --plan and --layout to see all",
            operation.name(),
            field.called()
        )));
    }
    text += &left_out(&gone);
    text += &format!("{} for {}\n", counted(list.len() as u64, "plan"), operation.name());
    Ok(Answer::new(text, json!({ "field": field.text(), "operation": operation.name(), "plans": list })))
}

fn contract(plan: &Plan) -> (String, Value) {
    let contract = &plan.kernel().data().contract;
    let mut text = plan.kernel().contract() + "\n";
    let mut operands = Vec::new();
    let outputs = contract.claims.iter().map(|claim| (claim.output(), "promised"));
    for (operand, role) in contract.inputs.iter().map(|o| (o, "needed")).chain(outputs) {
        let below = operand
            .below
            .map(|b| format!("below {} · {}, ", b.multiple, contract.inputs[b.number as usize].name))
            .unwrap_or_default();
        text += &format!("{} ({role}): {below}at most {:#x}\n", operand.name, operand.bound);
        let mut digits = Vec::new();
        for digit in &operand.digits {
            let array = &plan.kernel().data().array(digit.array).name;
            text += &format!(
                "  {array}[{}]{}·2^{}, at most {:#x}\n",
                digit.index,
                digit.bits.map_or_else(String::new, |k| format!(" mod 2^{k}")),
                digit.weight,
                digit.max
            );
            digits.push(json!({ "array": array, "index": digit.index, "weight": digit.weight, "bits": digit.bits, "max": digit.max.to_string() }));
        }
        operands
            .push(json!({ "name": operand.name, "role": role, "bound": operand.bound.to_string(), "digits": digits }));
    }
    (text, json!({ "contract": plan.kernel().contract(), "operands": operands }))
}

fn proof(plan: &Plan) -> Answer {
    let line = plan.kernel().contract();
    let (text, stage, failure) = match plan.prove() {
        Outcome::Proved(proved) => {
            let r = proved.report();
            let ms = r.time.as_secs_f64() * 1e3;
            let mut text = format!("{}: proved in {ms:.1} ms\n  {line}\n", plan.name());
            text += &format!(
                "  {} after unrolling, {} beyond intervals\n",
                counted(r.operations, "operation"),
                counted(r.obligations, "obligation")
            );
            text += &format!(
                "  search: {} queries, {} walks, {} eliminations, {} updates\n",
                r.stats.queries, r.stats.walks, r.stats.eliminations, r.stats.updates
            );
            if r.callees > 0 {
                text += &format!("  {}, each proved once\n", counted(r.callees, "called kernel"));
            }
            for step in &r.steps {
                text += &format!("  rests on vectors: {step}\n");
            }
            let json = json!({
                "outcome": "proved", "contract": line, "operations": r.operations, "obligations": r.obligations, "queries": r.stats.queries,
                "eliminations": r.stats.eliminations, "callees": r.callees, "steps": r.steps, "ms": ms,
            });
            (text, json, None)
        }
        Outcome::Refuted(c) => {
            let inputs: Vec<Value> = c.inputs.iter().map(|(name, v)| json!({ "array": name, "elements": v.iter().map(|x| x.to_string()).collect::<Vec<_>>() })).collect();
            let mut text = format!("{}: refuted\n  {line}\n  {}\n", plan.name(), c.violation);
            for (name, elements) in &c.inputs {
                text += &format!("  {name} = {elements:?}\n");
            }
            (
                text,
                json!({ "outcome": "refuted", "contract": line, "violation": c.violation, "inputs": inputs }),
                Some(Failure::failed("the kernel does not keep its contract")),
            )
        }
        Outcome::Unknown(open) => {
            let text = format!("{}: not proved\n  {line}\n  open: {}: {}\n", plan.name(), open.what, open.detail);
            (
                text,
                json!({ "outcome": "unknown", "contract": line, "obligation": open.what, "detail": open.detail }),
                Some(Failure::failed("the kernel is not proved, so it cannot be used")),
            )
        }
    };
    let answer = Answer::new(wrapped(&text), about(plan, stage));
    match failure {
        Some(failure) => answer.failed(failure),
        None => answer,
    }
}

fn ranges(proved: &Proved) -> (String, Value) {
    let kernel = proved.kernel();
    let mut text = String::new();
    let mut list = Vec::new();
    for (i, value) in kernel.values.iter().enumerate() {
        let bits = value.range.hi.bits().max(value.range.lo.bits());
        text += &format!("%{i}: {} [{:#x}, {:#x}] {bits} bits\n", value.ty, value.range.lo, value.range.hi);
        list.push(json!({ "value": i, "type": value.ty.to_string(), "lo": value.range.lo.to_string(), "hi": value.range.hi.to_string() }));
    }
    (text, json!({ "ranges": list }))
}
