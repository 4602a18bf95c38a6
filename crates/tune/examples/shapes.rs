//! Counts and times code on vectors in several shapes:
//! `cargo run --release -p evariste-tune --example shapes -- FIELD PLAN-TEXT [SHAPE-TEXT]`, a plan's text being
//! `ALGORITHM/LAYOUT`; `EVARISTE_OP` names another operation than the product. The time of the proof;
//! instructions by kind, bytes of code, and cycles of an element: measured, median of independent calls, paired in one
//! run. A text that no shape has: bounds alone.

use std::collections::BTreeMap;
use std::time::Instant;

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_backend::Made;
use evariste_backend::bit_lanes;
use evariste_backend::features;
use evariste_backend::x86_64::{models, vectorize};
use evariste_codegen::Aim;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Base, Gpr, Opcode, Operand, Program, Vector, Width};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::TimingOptions;
use evariste_tune::cores::found;
use evariste_tune::measure::time;

/// Instructions by kind.
fn counts(program: &Program) -> String {
    let [mut logic, mut folded, mut loads, mut stores, mut reloads, mut spills, mut copies] = [0; 7];
    for inst in &program.code {
        let Opcode::Vector(op, _) = inst.op else { continue };
        let memory = inst
            .operands()
            .find_map(|o| if let Operand::Memory(a) | Operand::Broadcast(a) = o { Some(a) } else { None });
        let stack = memory.is_some_and(|a| a.base == Base::Register(Gpr::Rsp));
        let stores_to = matches!(inst.operands[0], Some(Operand::Memory(_)));
        match (op, memory, stores_to) {
            (Vector::Move, Some(_), true) if stack => spills += 1,
            (Vector::Move, Some(_), true) => stores += 1,
            (Vector::Move, Some(_), false) if stack => reloads += 1,
            (Vector::Move | Vector::Broadcast, Some(_), false) => loads += 1,
            (Vector::Move, None, _) => copies += 1,
            (Vector::ZeroUpper, ..) => {}
            _ => {
                logic += 1;
                folded += i32::from(memory.is_some());
            }
        }
    }
    format!(
        "logic {logic} ({folded} from memory), loads {loads}, reloads {reloads}, stores {stores}, spills {spills}, copies {copies}"
    )
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [field, text, rest @ ..] = arguments.as_slice() else { return Err("FIELD PLAN-TEXT [SHAPE-TEXT]".into()) };
    let field = Field::parse(field).map_err(|_| "no such field")?;
    let features = features::<X86_64>().map_err(|e| e.to_string())?;
    let operation = std::env::var("EVARISTE_OP").unwrap_or_else(|_| "mul".into());
    let operation = Operation::parse(&operation).ok_or("no such operation")?;
    let core = found(None).map_err(|e| e.to_string())?.core;
    let (aim, backends) = (Aim::of_core(features, &core), models(features));
    let mut all: Vec<Layout> = [1, 32, 64].into_iter().flat_map(|word| layouts(&field, word)).collect();
    all.extend(backends.first().into_iter().flat_map(|backend| backend.layouts(&field)));
    for layout in all {
        for plan in plans(&field, &layout, &operation) {
            let name = format!("{}/{}", plan.name(), layout.name);
            if !name.contains(text.as_str()) {
                continue;
            }
            let kernel = plan.write().map_err(|e| e.to_string())?;
            let start = Instant::now();
            let proved = match prove(&kernel) {
                Outcome::Proved(proved) => proved,
                other => return Err(format!("{} is not proved: {other:?}", name)),
            };
            println!("{}: proved in {:.2} s", name, start.elapsed().as_secs_f64());
            for width in
                [Width::Z, Width::Y, Width::X].into_iter().filter(|width| *width != Width::Z || features.avx512)
            {
                let graph = match lanes::graph(proved.kernel(), features, width) {
                    Ok(graph) => graph,
                    Err(e) => {
                        println!("{} {width:?}: {e}", name);
                        continue;
                    }
                };
                println!(
                    "{name} {width:?}: {} nodes, {} operations, bound {:.2}",
                    graph.nodes.len(),
                    lanes::operations(&graph),
                    lanes::bound(&graph, width, &core) / f64::from(bit_lanes(proved.kernel()))
                );
                let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
                graph.nodes.iter().for_each(|node| *kinds.entry(node.op.name()).or_default() += 1);
                println!("  {}", kinds.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", "));
                let mut shapes = lanes::shapes(proved.kernel(), &graph, width);
                let more = [Shape::single(width), Shape { fold: true, ..Shape::single(width) }];
                let more: Vec<Shape> = more.into_iter().filter(|shape| !shapes.contains(shape)).collect();
                shapes.extend(more);
                shapes.retain(|s| rest.first().is_none_or(|t| s.to_string().contains(t.as_str())));
                let mut made: Vec<(Shape, Made)> = Vec::new();
                for shape in shapes {
                    let program = match lanes::compile(&proved, aim, shape) {
                        Ok(program) => program,
                        Err(e) => {
                            println!("  {shape}: {e}");
                            continue;
                        }
                    };
                    match vectorize(&proved, aim, shape) {
                        Ok(compiled) => {
                            println!("  {shape}: {}, {} bytes", counts(&program), compiled.code_bytes.unwrap_or(0));
                            made.push((shape, compiled));
                        }
                        Err(e) => println!("  {shape}: {} {e}", counts(&program)),
                    }
                }
                let pairs: Vec<(&Proved, &Made)> = made.iter().map(|(_, c)| (&proved, c)).collect();
                if pairs.is_empty() {
                    continue;
                }
                let timings = time(&pairs, &TimingOptions { latency: false, ..TimingOptions::default() })
                    .map_err(|e| e.to_string())?;
                for ((shape, compiled), timing) in made.iter().zip(timings) {
                    let lanes = f64::from(compiled.lanes);
                    println!(
                        "  {shape}: {:.3} cycles, {:.3} ns",
                        timing.throughput.cycles / lanes,
                        timing.throughput.ns / lanes
                    );
                }
            }
        }
    }
    Ok(())
}
