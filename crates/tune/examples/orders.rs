//! Candidate orders of scalar code, modelled and measured: `cargo run --release -p evariste-tune --example orders --
//! FIELD OPERATION [PLAN-TEXT [MOVES [print]]]`. For each plan and order: instructions, cycles by resources alone, cycles by the model
//! of the core's window, measured cycles of independent calls; latency by the model, and measured.

use std::time::Instant;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_backend::features;
use evariste_codegen::Aim;
use evariste_codegen::lower::lower;
use evariste_codegen::schedule::{Moves, Random, Schedule};
use evariste_codegen::simulate::{latency, throughput};
use evariste_codegen::x86_64::allocate::Allocator;
use evariste_codegen::x86_64::{X86_64, compile, cost, schedule, steps};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_run::TimingOptions;
use evariste_tune::grounds::Grounds;
use evariste_tune::measure::time;

/// What a cycle of latency counts for: that part of one of throughput.
const LATENCY: f64 = 10.0;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, operation, rest @ ..] = arguments.as_slice() else { return Err("FIELD OPERATION [PLAN-TEXT]".into()) };
    let text = rest.first().map_or("", String::as_str);
    let tries: usize = rest.get(1).and_then(|n| n.parse().ok()).unwrap_or(1000);
    let field = Field::parse(field).map_err(|_| "no such field")?;
    let operation = Operation::parse(operation).ok_or("no such operation")?;
    let core = evariste_tune::cores::found(None).map_err(|e| e.to_string())?.core;
    let features = features::<X86_64>().map_err(|e| e.to_string())?;
    println!("{}, window {:?}", core.name, core.window);
    for plan in layouts(&field, 64).iter().flat_map(|layout| plans(&field, layout, &operation)) {
        if !plan.name().contains(text) {
            continue;
        }
        let Ok(kernel) = Grounds::of(std::slice::from_ref(&plan)).write(&plan) else { continue };
        let Outcome::Proved(proved) = prove(&kernel) else { continue };
        let Ok(graph) = lower(proved.kernel()) else { continue };
        let aim = Aim::of_core(features.scalar(), &core);
        let mut made = Vec::new();
        let window = steps::window(&core);
        let mut allocator = Allocator::new(&graph, aim.features);
        let mut cost = |order: &Schedule, strict: bool| {
            let code = steps::steps(&allocator.run(order, strict).ok()?.code, &core);
            Some(throughput(&code, window) + latency(&code, window) / LATENCY)
        };
        let mut orders = evariste_codegen::schedule::candidates(&graph, schedule::resources(aim));
        let start = orders.iter().filter_map(|order| Some((cost(order, false)?, order.clone())));
        let (mut best, mut order) = start.min_by(|a, b| a.0.total_cmp(&b.0)).ok_or("no order")?;
        let (begin, moves, mut random, mut next) = (Instant::now(), Moves::new(&graph), Random::new(1), order.clone());
        for _ in 0..tries {
            moves.propose(&order, &mut random, &mut next);
            if let Some(now) = cost(&next, true).filter(|now| *now <= best) {
                (best, order) = (now, next.clone());
            }
        }
        println!("{tries} moves in {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
        orders.push(order);
        for order in orders {
            let Ok(program) = compile(&proved, aim, Some(&order)) else { continue };
            if rest.get(2).is_some() {
                println!("{program}");
            }
            let code = steps::steps(&program.code, &core);
            let modelled = (cost::cycles(&program.code, &core), throughput(&code, window), latency(&code, window));
            let one =
                evariste_backend::assemble::<X86_64>(&proved, aim.features, Some(&order)).map_err(|e| e.to_string())?;
            made.push((program.code.len(), modelled, one));
        }
        let all: Vec<_> = made.iter().map(|(.., made)| (&proved, made)).collect();
        let timings = time(&all, &TimingOptions::default()).map_err(|e| e.to_string())?;
        for ((len, (sum, own, late), _), timing) in made.iter().zip(timings) {
            let measured = timing.latency.as_ref().map_or(f64::NAN, |t| t.cycles);
            println!(
                "{:50} {len:5} {sum:7.1} {own:7.1} {:7.1}   {late:7.1} {measured:7.1}",
                plan.name(),
                timing.throughput.cycles
            );
        }
    }
    Ok(())
}
