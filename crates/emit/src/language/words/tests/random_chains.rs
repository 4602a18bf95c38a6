//! Random kernels that are full of carry chains beside the interpreter: sums and differences whose carries are taken by the
//! next one, elsewhere, or twice; halves of products in them, side by side or not; loads and stores of an array that is
//! read again between the links.

use std::process::Command;

use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Op, Value, legalise, verify};
use evariste_testing::Random;

use super::super::super::c::tests::{random, with_content};
use super::super::super::cuda;
use crate::folder::write_package;

/// A recent value, or any.
fn pick(random: &mut Random, from: &[Value]) -> Value {
    let near = from.len().min(8);
    from[if random.below(3) == 0 { random.index(from.len()) } else { from.len() - 1 - random.index(near) }]
}

/// One of the words, or half of a product that is still to be added, the high half after the low one.
fn operand(random: &mut Random, words: &[Value], halves: &mut Vec<Value>) -> Value {
    if !halves.is_empty() && random.below(3) > 0 { halves.remove(0) } else { pick(random, words) }
}

fn kernel(random: &mut Random, word: u32) -> Kernel {
    let mut b = Builder::new("chains", word);
    let ty = b.word_type();
    let out = b.array("out", ty, 8, ArrayKind::InOut, vec![ty.full()]);
    let a = b.array("a", ty, 6, ArrayKind::Input, vec![ty.full()]);
    b.must_be_disjoint(out, a);
    let mut words = b.load_all(a);
    let mut flags = vec![b.no_flag()];
    let mut halves = Vec::new();
    for _ in 0..60 {
        let carry = if random.below(4) > 0 { flags[flags.len() - 1] } else { pick(random, &flags) };
        match random.below(12) {
            0..=5 => {
                let (x, y) = (operand(random, &words, &mut halves), pick(random, &words));
                let op = if random.below(5) == 0 { Op::SubBorrow } else { Op::AddCarry };
                let results = b.op(op, &[x, y, carry], &[ty, evariste_ir::Type::Flag]);
                words.push(results[0]);
                flags.push(results[1]);
            }
            6 | 7 => {
                let (x, y) = (pick(random, &words), pick(random, &words));
                halves.extend(b.op(Op::MulWide, &[x, y], &[ty, ty]));
            }
            8 => b.store(out, random.below(8) as u32, pick(random, &words)),
            9 => words.push(b.load(out, random.below(8) as u32)),
            10 => {
                let (x, y) = (pick(random, &words), pick(random, &words));
                words.push(b.xor(x, y));
            }
            _ => flags.push(b.no_flag()),
        }
    }
    (0..4u32).for_each(|i| b.store(out, i, words[words.len() - 1 - i as usize]));
    let last = b.flag_to_word(flags[flags.len() - 1], ty);
    b.store(out, 7u32, last);
    b.finish(Contract::default())
}

#[test]
fn chains_among_other_statements() {
    if Command::new("c++").arg("--version").output().is_err() {
        return evariste_testing::lacks_tool("random chains in CUDA", "c++");
    }
    let mut random = Random(20261127);
    let machine = cuda::CUDA.machine.expect("a machine");
    let kernels: Vec<(&'static str, Kernel)> = (0..160)
        .map(|i| {
            let kernel = kernel(&mut random, [32, 64][i % 2]);
            verify(&kernel).expect("well formed");
            (&*format!("chains{i}").leak(), legalise(&kernel, &machine).expect("legal"))
        })
        .collect();
    let vectors: Vec<_> =
        kernels.iter().enumerate().flat_map(|(i, (name, k))| random::vectors(name, k, 12, i as u64)).collect();
    let files = with_content(&kernels, &vectors, cuda::of_content).expect("they are printed");
    let text = &files.iter().find(|f| f.path == "toy.cuh").expect("the functions").text;
    let shapes: Vec<&str> = text.lines().filter(|line| line.starts_with("#define EVARISTE_HAS_chain_")).collect();
    for part in ["add_32", "add_64", "sub_32", "sub_64", "p1", "p2", "_in", "_out"] {
        assert!(shapes.iter().any(|shape| shape.contains(part)), "no chain with {part} among {}", shapes.len());
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("toy");
    write_package(&folder, "toy", &files, false).expect("the folder is ours");
    let output = Command::new("make").arg("test").current_dir(&folder).output().expect("make");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains(" checks, 0 failures"), "{told}");
}
