//! DFC in lanes: every published answer through every kernel, as machine code of each kind of vectors, a key in each lane;
//! and of sixteen blocks by one key the reference's answer to each.

use evariste_algorithms::{Operation, Plan, lane_layouts, plans};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Features, Width};
use evariste_descriptions::dfc::{BLOCKS, network};
use evariste_descriptions::{Dfc, Field};
use evariste_testing::machine::Callable;
use num_bigint::BigUint;
use num_traits::One;
use rayon::prelude::*;
use serde_json::Value;

use crate::support;

const OFFICIAL: &str = include_str!("../../../vectors/dfc-official.json");

/// Processors, and the bits of the digits that they multiply.
const MACHINES: [(&str, Features, Width, u32); 3] = [
    ("AVX-512 with IFMA", Features::AVX512, Width::Z, 52),
    ("AVX-512 without IFMA", Features { avx512: true, ..Features::AVX2 }, Width::Z, 24),
    ("AVX2", Features::AVX2, Width::Y, 24),
];

/// Round keys, a block and what it is encrypted to.
struct Answer {
    keys: Vec<[u64; 2]>,
    block: u128,
    encrypted: u128,
}

fn answers(field: &Field) -> Vec<Answer> {
    let cipher = field.get::<Dfc>().expect("a cipher");
    let all: Value = serde_json::from_str(OFFICIAL).expect("JSON");
    let is_of = |v: &&Value| (v["cipher"] == "DFC") == cipher.schedule.is_none();
    let once = |v: &&Value| v["inputs"]["iterations"].as_u64().unwrap_or(1) == 1;
    let of = all["vectors"].as_array().expect("a list").iter().filter(is_of).filter(once);
    of.map(|v| {
        let text = |v: &Value| v.as_str().expect("a text").to_owned();
        let hex = |v: &Value| u128::from_str_radix(&text(v), 16).expect("a block");
        let key = text(&v["inputs"]["key"]);
        let value = BigUint::parse_bytes(key.as_bytes(), 16).expect("a key");
        let marked = (BigUint::one() << (4 * key.len())) + value;
        Answer {
            keys: cipher.round_keys(&marked),
            block: hex(&v["inputs"]["plaintext"]),
            encrypted: hex(&v["outputs"]["ciphertext"]),
        }
    })
    .collect()
}

/// The blocks of an answer's lane, and what they are encrypted to: that of the answer somewhere among others.
fn blocks(answer: &Answer, count: u32, at: usize) -> Vec<(u128, u128)> {
    (0..count)
        .map(|i| {
            if i == at as u32 % count {
                return (answer.block, answer.encrypted);
            }
            let block =
                answer.block.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).wrapping_add(u128::from(i));
            (block, network(&answer.keys, block))
        })
        .collect()
}

/// All answers through a plan's code on these vectors; how many blocks, or why not.
fn run(plan: &Plan, answers: &[Answer], features: Features, width: Width) -> Result<usize, String> {
    let (cases, failures) = support::prove_plans(std::slice::from_ref(plan));
    let case = cases.first().ok_or_else(|| failures.join("\n"))?;
    let program = lanes::compile(&case.proved, features, Shape { source: true, ..Shape::single(width) })
        .map_err(|e| format!("NO CODE: {e}"))?;
    let checked = evariste_codegen::check::check(&case.proved, &program).map_err(|e| e.to_string())?;
    let callable = Callable::new(&checked).map_err(|e| e.to_string())?;
    let Lanes { count: lanes, .. } = program.lanes;
    let backward = plan.operation.is_any(&[Operation::DECRYPT_BLOCK, Operation::DECRYPT_BLOCKS]);
    let many = plan.operation.is_any(&[Operation::ENCRYPT_BLOCKS, Operation::DECRYPT_BLOCKS]);
    let (count, rounds) = (if many { BLOCKS } else { 1 }, answers[0].keys.len());
    let mut compared = 0;
    for first in (0..answers.len()).step_by(lanes as usize) {
        let of = |lane: usize| &answers[(first + lane) % answers.len()];
        let mut memory = [vec![0; 2 * (count * lanes) as usize], Vec::new(), Vec::new()];
        memory[1].resize(2 * rounds * lanes as usize, 0);
        memory[2].resize(2 * (count * lanes) as usize, 0);
        let mut wanted = Vec::new();
        for lane in 0..lanes as usize {
            let place = |i: usize| i * lanes as usize + lane;
            of(lane).keys.iter().flatten().enumerate().for_each(|(i, half)| memory[1][place(i)] = *half);
            for (i, (plain, encrypted)) in blocks(of(lane), count, first + lane).into_iter().enumerate() {
                let (given, right) = if backward { (encrypted, plain) } else { (plain, encrypted) };
                memory[2][place(2 * i)] = (given >> 64) as u64;
                memory[2][place(2 * i + 1)] = given as u64;
                wanted.push((place(2 * i), place(2 * i + 1), right));
            }
        }
        callable.call(&mut memory)?;
        for (high, low, right) in wanted {
            let got = u128::from(memory[0][high]) << 64 | u128::from(memory[0][low]);
            if got != right {
                return Err(format!("{}: {got:032x}, not {right:032x}", case.title()));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Does the plan look up as this machine does not?
fn is_for_others(title: &str, machine: &str) -> bool {
    let others: &[&str] = if machine == "AVX2" { &["rounds-quarters", "rounds-halves"] } else { &["rounds-eighths"] };
    others.iter().any(|plan| title.contains(plan))
}

#[test]
fn published_blocks_of_dfc_in_every_lane() {
    let operations =
        [Operation::ENCRYPT_BLOCK, Operation::DECRYPT_BLOCK, Operation::ENCRYPT_BLOCKS, Operation::DECRYPT_BLOCKS];
    let mut chosen = Vec::new();
    for name in ["cipher:dfc", "cipher:dfcv2"] {
        let (field, here) = (support::field(name), answers(&support::field(name)));
        assert!(here.len() >= if name == "cipher:dfc" { 484 } else { 2 }, "{name}: {}", here.len());
        let here = std::sync::Arc::new(here);
        for machine in MACHINES {
            for layout in lane_layouts(&field, 64, machine.3) {
                let all = operations.iter().flat_map(|operation| plans(&field, &layout, operation));
                chosen.extend(all.map(|plan| (plan, here.clone(), machine)));
            }
        }
    }
    let done: Vec<(String, Result<usize, String>)> = chosen
        .par_iter()
        .map(|(plan, answers, (name, features, width, _))| {
            let title = format!("{} {} {} on {name}", plan.field.text(), plan.operation.name(), plan.name());
            (title, run(plan, answers, *features, *width))
        })
        .collect();
    let mut complaints = Vec::new();
    for (machine, ..) in MACHINES {
        let here = done.iter().filter(|(title, _)| title.ends_with(machine));
        let (mut kernels, mut compared) = (0, 0);
        for (title, result) in here {
            match result {
                Ok(blocks) => (kernels, compared) = (kernels + 1, compared + blocks),
                // Look-ups in registers are for long vectors, those among eight entries for short ones.
                Err(why) if why.starts_with("NO CODE") && is_for_others(title, machine) => {}
                Err(why) => complaints.push(format!("{title}: {why}")),
            }
        }
        println!("{machine}: {kernels} kernels, {compared} blocks");
        assert!(kernels >= 8 || !complaints.is_empty(), "{machine}: {kernels}");
    }
    support::none(&complaints);
}
