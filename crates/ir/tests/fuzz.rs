//! Mutated texts never make the parser, the printer or the verifier panic, nor take much time or memory; what parses
//! and verifies reads back identical, runs, and survives pruning. `FUZZ_RUNS=1000000` runs longer.

use std::path::Path;
use std::time::Instant;

use evariste_ir::count::count;
use evariste_ir::prune::prune;
use evariste_ir::unroll::trace;
use evariste_ir::{Interpreter, Kernel, verify};
use evariste_testing::Random;

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect()
}

const LETTERS: &[u8] = b" 0123456789abcdefirtwx%[](){}<=+-*^@#,.:";

const PIECES: [&str; 40] = [
    "2^1048576",
    "99999999999999999999",
    "4294967295",
    "-",
    "0",
    "0x",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "mod",
    "..",
    "by",
    "each",
    "i0",
    "i1*9",
    "%0",
    "%4000000000",
    "w64",
    "w65",
    "d128",
    "m0",
    "flag",
    "f53",
    "for i0 in 0..4294967295 {",
    "yield %0",
    "call 0 f(r, a)",
    "nothing",
    "given",
    "gives",
    "table",
    "inout",
    "ghost",
    "callees @0",
    "lookup(t)",
    "const(-1)",
    "é",
    "//",
];

fn mutate(text: &str, others: &[String], r: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + r.index(3) {
        let at = r.index(chars.len() + 1);
        let end = (at + r.index(12)).min(chars.len());
        match r.index(8) {
            0 => drop(chars.drain(at..end)),
            1 => drop(chars.splice(at..at, PIECES[r.index(PIECES.len())].chars())),
            2 => drop(chars.splice(at..end, PIECES[r.index(PIECES.len())].chars())),
            3 => {
                // Another digit or letter in place of one.
                if let Some(c) = chars.get_mut(at) {
                    *c = char::from(LETTERS[r.index(LETTERS.len())]);
                }
            }
            4 | 5 => {
                // Another number.
                let digits: Vec<usize> = (0..chars.len()).filter(|i| chars[*i].is_ascii_digit()).collect();
                if let Some(i) = digits.get(r.index(digits.len())) {
                    chars[*i] = char::from(b'0' + r.index(10) as u8);
                }
            }
            6 => {
                let other: Vec<char> = others[r.index(others.len())].chars().collect();
                let from = r.index(other.len());
                let to = (from + r.index(60)).min(other.len());
                drop(chars.splice(at..at, other[from..to].iter().copied()));
            }
            _ => {
                let piece: Vec<char> = chars[at..end].to_vec();
                let to = r.index(chars.len() + 1);
                drop(chars.splice(to..to, piece));
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn the_corpus_is_read_back() {
    let all = corpus();
    assert!(all.len() >= 5);
    for text in &all {
        let kernel = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(&kernel.to_string(), text);
        assert_eq!(verify(&kernel), Ok(()), "{text}");
    }
}

#[test]
fn mutated_texts() {
    let all = corpus();
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let (mut parsed, mut verified, mut slowest) = (0, 0, 0.0f64);
    let runs = std::env::var("FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(8_000);
    for _ in 0..runs {
        let text = mutate(&all[r.index(all.len())], &all, &mut r);
        let start = Instant::now();
        let result = Kernel::parse(&text);
        slowest = slowest.max(start.elapsed().as_secs_f64());
        if let Ok(kernel) = result {
            parsed += 1;
            let printed = kernel.to_string();
            if verify(&kernel).is_ok() {
                verified += 1;
                assert_eq!(Kernel::parse(&printed).as_ref(), Ok(&kernel), "{printed}");
                if trace(&kernel, 100_000, |_, _| ()).is_ok() && count(&kernel).calls < 1000 {
                    let interpreter = Interpreter::checking_ranges(&kernel);
                    interpreter.run(&mut interpreter.batch(3));
                }
                let small = prune(&kernel);
                assert_eq!(verify(&small), Ok(()), "{printed}\n{small}");
            }
        }
    }
    println!("{parsed} of {runs} parsed, {verified} verified, slowest to parse {slowest:.3} s");
    assert!(parsed > 500 && verified > 100, "{parsed} {verified}");
}
