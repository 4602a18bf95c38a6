//! Which whole product and which reduction serve a formula best: cycles of all pairs, as machine code.
//!
//! `cargo run --release -p evariste-tune --example whole FIELD LAYOUT OPERATION PLAN [PRODUCT [REDUCTION]]`. What is not
//! paired is what the registry lists first; parts of the names of products and reductions choose among them.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan, kinds, layouts, plans};
use evariste_backend::{Kind, Made, Ordered, Orders, found};
use evariste_descriptions::Field;
use evariste_ir::{Kernel, Stmt};
use evariste_proof::{Proved, prove};
use evariste_run::{Stop, TimingOptions, time_paired};
use evariste_tune::grounds::Grounds;
use evariste_tune::measure::{make_all, workload};

const SHORT: TimingOptions = TimingOptions {
    rounds: 12,
    samples_per_round: 6,
    sample_ns: 10_000.0,
    warm_ns: 30_000.0,
    budget_ns: 2e8,
    latency: true,
};

fn written(plans: &[Plan], part: &str) -> Vec<(String, Arc<Kernel>)> {
    let named = plans.iter().filter(|p| p.algorithm.contains(part) && !p.algorithm.contains("rolled"));
    named.filter_map(|p| Some((p.algorithm.clone(), Arc::new(p.write().ok()?)))).collect()
}

fn main() -> Result<(), String> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [name, layout, operation, plan, parts @ ..] = &given[..] else { return Err("see the head of the file".into()) };
    let field = Field::parse(name).map_err(|_| format!("{name} is no field"))?;
    let layout = layouts(&field, 64).into_iter().find(|l| l.name == *layout).ok_or("no such layout")?;
    let operation = Operation::parse(operation).ok_or("no such operation")?;
    let ground = kinds::ground(&field);
    if plan == "alone" {
        let alone = written(&plans(&field, &layout, &operation), "");
        let proved = |(name, kernel): (String, Arc<Kernel>)| Some((name, prove(&kernel).proved()?));
        return time(&alone.into_iter().filter_map(proved).collect::<Vec<_>>());
    }
    let plan = plans(&field, &layout, &operation).into_iter().find(|p| p.algorithm == *plan).ok_or("no such plan")?;
    let part = |i: usize| parts.get(i).map_or("", String::as_str);
    let of = |op: &Operation, part: &str| written(&plans(&ground, &layout, op), part);
    let first = |op: &Operation| of(op, "").into_iter().map(|(_, k)| k).find(|k| k.disjoint.is_empty());
    let (products, reductions) = (of(&Operation::MUL_WIDE, part(0)), of(&Operation::REDUCE, part(1)));
    let mut all: Vec<(String, Proved)> = Vec::new();
    for (product, wide) in &products {
        let square = of(&Operation::SQUARE_WIDE, product).into_iter().find(|(n, _)| n == product);
        for (reduction, reduce) in &reductions {
            let square = square.as_ref().map(|(_, k)| k.clone()).or_else(|| first(&Operation::SQUARE_WIDE));
            let kernels: Option<Vec<Arc<Kernel>>> = plan
                .needs()
                .iter()
                .map(|need| match &need.operation {
                    op if *op == Operation::MUL_WIDE => Some(wide.clone()),
                    op if *op == Operation::SQUARE_WIDE => square.clone(),
                    op if *op == Operation::REDUCE => Some(reduce.clone()),
                    op => first(op),
                })
                .collect();
            let Ok(kernel) = plan.write_with(&kernels.ok_or("no kernel of a part")?) else { continue };
            if let Some(proved) = prove(&kernel).proved() {
                all.push((format!("{product} {reduction}"), proved));
            }
        }
    }
    let grounds = Grounds::of(std::slice::from_ref(&plan));
    let chosen = grounds.write(&plan).ok().and_then(|kernel| prove(&kernel).proved());
    if let Some(proved) = &chosen {
        let of = |at: usize| {
            proved
                .kernel()
                .statements()
                .filter(|s| matches!(s, Stmt::Call { callee, .. } if *callee as usize == at))
                .count()
        };
        let callees = proved.kernel().callees.iter().enumerate();
        let callees = callees.filter_map(|(i, k)| Some((format!("{} times {}", of(i), k.name), prove(k).proved()?)));
        time(&callees.collect::<Vec<_>>())?;
    }
    all.extend(chosen.map(|proved| ("those chosen".into(), proved)));
    time(&all)
}

fn time(all: &[(String, Proved)]) -> Result<(), String> {
    let backend = found(|kind| kind == Kind::Scalar, None).into_iter().next().ok_or("no machine code")?;
    let kernels: Vec<&Proved> = all.iter().map(|(_, k)| k).collect();
    let mut made = Vec::new();
    if std::env::args().any(|a| a == "orders") {
        for (name, proved) in all {
            let mut of = |orders: &mut dyn Orders| {
                for (i, schedule) in orders.candidates().iter().enumerate() {
                    if let Ok(Ordered::Made(function, _)) = orders.make(schedule, false) {
                        made.push((
                            format!("{name}, order {i}"),
                            workload(proved, &Made::scalar(proved.kernel(), function)),
                        ));
                    }
                }
            };
            let _ = backend.with_orders(proved, &mut of);
        }
    }
    for ((name, proved), code) in all.iter().zip(make_all(&kernels, &*backend, &Stop::default(), || ())) {
        match code {
            Ok(code) => made.push((name.clone(), workload(proved, &code))),
            Err(why) => println!("{name}: {why}"),
        }
    }
    let workloads: Vec<_> = made.iter().map(|(_, w)| w.clone()).collect();
    let timings = time_paired(&workloads, &SHORT).map_err(|e| e.to_string())?;
    let least = |f: &evariste_run::Figure| f.rounds_ns.iter().copied().fold(f64::INFINITY, f64::min);
    let mut rows: Vec<(f64, f64, &String)> = made
        .iter()
        .zip(&timings)
        .map(|((name, _), t)| (least(&t.throughput), t.latency.as_ref().map_or(0.0, least), name))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.iter().for_each(|(t, l, name)| println!("{t:8.1} ns {l:8.1} ns  {name}"));
    Ok(())
}
