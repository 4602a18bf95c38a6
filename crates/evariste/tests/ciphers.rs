//! Ciphers and hash functions through their kernels as they run here (machine code, compiled C): the shared vectors, and
//! strings at random against the reference.

use evariste::builder::{Runner, Slot};
use evariste::{BigUint, Compiler, Field, Op};
use evariste_testing::Random;
use serde_json::Value;

fn vectors(text: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["vectors"].as_array().expect("a list").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn field(name: &str) -> Field {
    Field::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

/// An operation in one layout, by its kernel.
struct Kernel {
    field: Field,
    operation: Op,
    evaluator: evariste::builder::Evaluator,
    compiled: bool,
}

impl Kernel {
    fn new(field: &Field, name: &str, layout: &str, plan: Option<&str>, compiler: Option<&Compiler>) -> Kernel {
        let operation = field.evaluable_named(name).unwrap_or_else(|e| panic!("{e}"));
        let chosen = field.choose(Some(layout), None).unwrap_or_else(|e| panic!("{e}"));
        let evaluator = field.evaluator(&chosen, &operation, plan, compiler).unwrap_or_else(|e| panic!("{name}: {e}"));
        Kernel { field: field.clone(), operation, evaluator, compiled: compiler.is_some() }
    }

    /// The result as a text, which is the reference's too.
    fn run(&self, operands: &[&str]) -> String {
        let numbers = self.field.operands(&self.operation, operands).unwrap_or_else(|e| panic!("{e}"));
        let answer = self.evaluator.evaluate(&numbers).unwrap_or_else(|e| panic!("{e}"));
        assert!(!self.compiled || answer.runner != Runner::Interpreted, "{} is interpreted", answer.plan);
        let written = |x: &BigUint| {
            let slot: Option<&Slot> = self.operation.row().outputs.first();
            slot.and_then(|slot| self.field.written(slot, x)).unwrap_or_else(|| x.to_string())
        };
        assert_eq!(written(&answer.kernel), written(&answer.reference), "{} {operands:?}", self.operation.name());
        written(&answer.kernel)
    }
}

fn compiler() -> Option<Compiler> {
    let found = Compiler::find().ok();
    if found.is_none() {
        evariste_testing::lacks_tool("ciphers as compiled code", "a C compiler");
    }
    found
}

#[test]
fn every_vector_of_dfc_as_it_runs() {
    let compiler = compiler();
    let official = vectors(include_str!("../../../vectors/dfc-official.json"));
    for (name, layout) in [("cipher:dfc", "2x64"), ("cipher:dfc", "3x32"), ("cipher:dfcv2", "2x64")] {
        let cipher = field(name);
        let [forward, backward] =
            ["encrypt", "decrypt"].map(|op| Kernel::new(&cipher, op, layout, None, compiler.as_ref()));
        let mut compared = 0;
        for vector in official.iter().filter(|v| (text(&v["cipher"]) == "DFC") == (name == "cipher:dfc")) {
            let (inputs, right) = (&vector["inputs"], text(&vector["outputs"]["ciphertext"]));
            let key = text(&inputs["key"]);
            let times = inputs["iterations"].as_u64().unwrap_or(1);
            let start = text(&inputs["plaintext"]).to_owned();
            let encrypted = (0..times).fold(start.clone(), |block, _| forward.run(&[key, &block]));
            assert_eq!(encrypted, right, "{}", vector["name"]);
            assert_eq!((0..times).fold(encrypted, |block, _| backward.run(&[key, &block])), start);
            compared += 1;
        }
        assert!(compared >= 4, "{name}: {compared}");
    }
}

#[test]
fn every_way_to_encrypt_a_block_of_dfc() {
    let compiler = compiler();
    let cipher = field("cipher:dfc");
    let expand = Kernel::new(&cipher, "expand_key", "2x64", None, compiler.as_ref());
    let keys = expand.run(&["00000000000000000000000000000000"]);
    assert!(keys.starts_with("127433b4c2ee4273e0ff3b8da7fddb11"), "{keys}");
    for plan in ["rounds-choices", "rounds-masks", "rounds-direct_vartime"] {
        let forward = Kernel::new(&cipher, "encrypt_block", "2x64", Some(plan), compiler.as_ref());
        let encrypted = forward.run(&[&keys, "000102030405060708090a0b0c0d0e0f"]);
        assert_eq!(encrypted, "630420709e777ff6cb1c65231362c5e3", "{plan}");
        let backward = Kernel::new(&cipher, "decrypt_block", "2x64", Some(plan), compiler.as_ref());
        assert_eq!(backward.run(&[&keys, &encrypted]), "000102030405060708090a0b0c0d0e0f", "{plan}");
    }
    let blocks: String = (0..16).map(|i| format!("{i:x}00102030405060708090a0b0c0d0e0f")).collect();
    for plan in ["rounds-choices", "rounds-direct_vartime"] {
        let forward = Kernel::new(&cipher, "encrypt_blocks", "2x64", Some(plan), compiler.as_ref());
        let encrypted = forward.run(&[&keys, &blocks]);
        assert!(encrypted.starts_with("630420709e777ff6cb1c65231362c5e3"), "{encrypted}");
        let backward = Kernel::new(&cipher, "decrypt_blocks", "2x64", Some(plan), compiler.as_ref());
        assert_eq!(backward.run(&[&keys, &encrypted]), blocks, "{plan}");
    }
}

#[test]
fn every_vector_of_the_functions_of_wg_as_they_run() {
    let compiler = compiler();
    let cipher = field("cipher:wg");
    let all = vectors(include_str!("../../../vectors/wg-field.json"));
    for layout in ["1x64", "1x32", "29x1"] {
        for (name, output) in [("transformation", "WG_a"), ("feedback", "q_feedback_a"), ("permutation", "wgperm_a")] {
            let kernel = Kernel::new(&cipher, name, layout, None, compiler.as_ref());
            for vector in &all {
                let right = &vector["outputs"][output];
                let right = right.as_u64().map_or_else(|| text(right).to_owned(), |bit| bit.to_string());
                assert_eq!(kernel.run(&[text(&vector["inputs"]["a"])]), right, "{layout}: {vector}");
            }
        }
    }
}

#[test]
fn registers_of_wg_as_they_run() {
    let compiler = compiler();
    let cipher = field("cipher:wg");
    let all = vectors(include_str!("../../../vectors/wg-keystream.json"));
    let states = |name: &str| {
        let of = |v: &Value| Some(v["outputs"][name].as_array()?.iter().map(text).collect::<String>());
        all.iter().filter_map(of).collect::<Vec<String>>()
    };
    let (loaded, begun) = (states("state_loaded_S1_to_S11"), states("state_after_init_S1_to_S11"));
    for (layout, plan) in [("1x64", "register"), ("1x64", "register-polynomials"), ("29x1", "register")] {
        let [initial, stream] =
            ["initial_steps", "stream_64"].map(|op| Kernel::new(&cipher, op, layout, Some(plan), compiler.as_ref()));
        for (loaded, begun) in loaded.iter().zip(&begun) {
            assert_eq!(initial.run(&[loaded]), *begun, "{layout}");
            // (The reference's state after 64 steps; the bits themselves are compared in `algorithms`.)
            stream.run(&[begun]);
        }
        if plan == "register" {
            // (The state of the second vector as coefficients: any are.)
            Kernel::new(&cipher, "jump", layout, None, compiler.as_ref()).run(&[&begun[0], &begun[1]]);
        }
    }
}

#[test]
fn hashes_at_random_as_they_run() {
    let compiler = compiler();
    let mut random = Random(16);
    let mut string = |bytes: usize| -> String {
        // Long runs of equal bits too.
        (0..bytes)
            .map(|_| if random.below(3) == 0 { "ff".into() } else { format!("{:02x}", random.below(256)) })
            .collect()
    };
    for (name, word, operations) in [
        ("mac:mmh16", 2, &["hash", "hash-wrapping", "hash_signed", "hash_wrapping_signed"][..]),
        ("mac:mmh32", 4, &["hash", "hash_wrapping", "hash_signed", "hash_wrapping_signed"]),
        ("mac:mmh64", 8, &["hash", "hash_wrapping", "hash_signed", "hash_wrapping_signed"]),
        ("mac:tmmh16", 2, &["tag_word"]),
        ("mac:square-hash-32", 4, &["hash", "wrapping"]),
        ("mac:square-hash-64", 8, &["hash", "wrapping"]),
        ("mac:square-hash-128-64", 16, &["hash", "wrapping"]),
    ] {
        let hash = field(name);
        for layout in hash.layouts() {
            // (TMMH has no running sums.)
            for operation in ["absorb", "absorb_wrapping"].iter().filter(|_| name != "mac:tmmh16") {
                let [absorb, finish] = [*operation, "finish"]
                    .map(|operation| Kernel::new(&hash, operation, &layout.name, None, compiler.as_ref()));
                for words in [0, 1, 5, 32] {
                    let [key, message, sum] = [words, words, 2].map(|n| string(n * word));
                    absorb.run(&[&key, &message, &sum]);
                    finish.run(&[&sum]);
                }
            }
            for operation in operations {
                let kernel = Kernel::new(&hash, operation, &layout.name, None, compiler.as_ref());
                for words in [0, 1, 2, 5, 31, 32] {
                    // (TMMH has a word of the key for the length.)
                    let (key, message) = (string((words + 1) * word), string(words * word));
                    let key = if name == "mac:tmmh16" { &key } else { &key[2 * word..] };
                    kernel.run(&[key, &message]);
                }
            }
            for (words, bytes) in [(0, 2), (1, 4), (5, 16), (31, 8), (32, 16)].iter().filter(|_| name == "mac:tmmh16") {
                let kernel = Kernel::new(&hash, "tag", &layout.name, None, compiler.as_ref());
                let (key, message) = (string(words * word + bytes), string(words * word));
                kernel.run(&[&key, &message, &bytes.to_string()]);
            }
        }
    }
}
