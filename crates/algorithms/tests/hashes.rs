//! Hash functions in the interpreter: every plan on the shared vectors.

use evariste_algorithms::hash::TAG_BYTES;
use evariste_algorithms::kinds::{Given, given, result};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_descriptions::{Field, Part};
use num_bigint::BigUint;
use serde_json::Value;

use crate::ciphers::{field, hex, run, run_all, vectors};

/// The plans of all layouts in words of 64 and 32 bits.
fn every_plan(hash: &Field, operation: &Operation) -> Vec<Plan> {
    let layouts = [64, 32].into_iter().flat_map(|word| layouts(hash, word)).collect::<Vec<_>>();
    layouts.iter().flat_map(|layout| plans(hash, layout, operation)).collect()
}

/// Words of a vector as numbers, as kernels have them.
fn words(hash: &Field, part: Part, words: &Value, bits: u64) -> Vec<BigUint> {
    let digits = (bits / 4) as usize;
    let text: String =
        words.as_array().expect("a list").iter().map(|word| format!("{:0digits$x}", hex(word))).collect();
    let string = hash.part(part).and_then(|of| of.read(&text, 0..text.len())).expect("strings").expect("a string");
    match given(hash, Holds::Part(part), &string) {
        Given::Elements(all) => all,
        Given::Number(_) => panic!("strings are words"),
    }
}

/// Every plan of an operation on these operands.
fn checked(hash: &Field, operation: &Operation, operands: &[BigUint], right: &BigUint) -> usize {
    let all = every_plan(hash, operation);
    for plan in &all {
        let kernel = plan.write().unwrap_or_else(|e| panic!("{hash:?} {}: {e}", plan.name()));
        let output = kernel.contract.claims[0].output();
        let result = run(&kernel, operands);
        // What is above the result is a ghost.
        let low = output.digits.iter().filter(|d| kernel.array(d.array).name == "out");
        let bits: u64 = low.map(|d| u64::from(d.weight) + d.max.bits()).max().unwrap_or(0);
        assert_eq!(result % (BigUint::from(1u32) << bits), *right, "{hash:?} {}", plan.name());
    }
    all.len()
}

#[test]
fn every_vector_of_mmh() {
    let mut compared = 0;
    for vector in vectors(include_str!("../../../vectors/mmh.json")) {
        let Some(bits) = vector["word_bits"].as_u64() else { continue };
        let hash = field(&format!("mac:mmh{bits}"));
        let mut operands = words(&hash, Part::Key, &vector["inputs"]["x"], bits);
        operands.extend(words(&hash, Part::Message, &vector["inputs"]["m"], bits));
        let outputs = &vector["outputs"];
        compared += checked(&hash, &Operation::HASH, &operands, &hex(&outputs["exact_unsigned"]));
        compared += checked(&hash, &Operation::HASH_WRAPPING, &operands, &hex(&outputs["wrap_unsigned"]));
        compared += checked(&hash, &Operation::HASH_SIGNED, &operands, &hex(&outputs["exact_signed"]));
        compared += checked(&hash, &Operation::HASH_WRAPPING_SIGNED, &operands, &hex(&outputs["wrap_signed"]));
    }
    assert!(compared > 49 * 4 * 4, "{compared}");
}

/// The official vectors of TMMH/16, words of tags that begin at every word of a key, and messages of every length: the
/// reference, which is tested by the vectors, says what is right.
#[test]
fn words_of_tags_of_tmmh() {
    let hash = field("mac:tmmh16");
    let string = |part: Part, text: &str| {
        hash.part(part).and_then(|of| of.read(text, 0..text.len())).expect("strings").expect("a string")
    };
    let words = |key: &BigUint, message: &BigUint| {
        let of = |part, x| match given(&hash, Holds::Part(part), x) {
            Given::Elements(all) => all,
            Given::Number(_) => panic!("strings are words"),
        };
        [of(Part::Key, key), of(Part::Message, message)].concat()
    };
    let mut compared = 0;
    for vector in vectors(include_str!("../../../vectors/mmh.json")) {
        let inputs = &vector["inputs"];
        let (Some(key), Some(message)) = (inputs["key"].as_str(), inputs["message"].as_str()) else { continue };
        let operands = words(&string(Part::Key, key), &string(Part::Message, message));
        compared += checked(&hash, &Operation::TAG_WORD, &operands, &hex(&vector["outputs"]["tag"]));
    }
    assert!(compared >= 2 * 4, "{compared}");
    let mut random = evariste_testing::Random(31);
    for bytes in [0, 1, 2, 3, 31, 32, 62, 63, 64] {
        let mut text = |bytes: u64| -> String {
            let byte = |_| if random.below(2) == 0 { "ff".into() } else { format!("{:02x}", random.below(256)) };
            (0..bytes).map(byte).collect()
        };
        let [key, message] = [(Part::Key, 66), (Part::Message, bytes)].map(|(part, n)| string(part, &text(n)));
        let right = Operation::TAG_WORD.meaning(&*hash, &[key.clone(), message.clone()]).expect("a word");
        compared += checked(&hash, &Operation::TAG_WORD, &words(&key, &message), &right);
    }
    assert!(compared >= 11 * 4, "{compared}");
}

/// Tags of several words on messages of every length: the reference, which is tested by the vectors, says what is right.
#[test]
fn tags_of_tmmh() {
    let hash = field("mac:tmmh16");
    let string = |part: Part, text: &str| {
        hash.part(part).and_then(|of| of.read(text, 0..text.len())).expect("strings").expect("a string")
    };
    let (mut random, mut compared) = (evariste_testing::Random(37), 0);
    for bytes in [0, 1, 2, 3, 31, 32, 62, 63, 64] {
        let mut text = |bytes: u64| -> String {
            let byte = |_| if random.below(2) == 0 { "ff".into() } else { format!("{:02x}", random.below(256)) };
            (0..bytes).map(byte).collect()
        };
        let [key, message] = [(Part::TagKey, 80), (Part::Message, bytes)].map(|(part, n)| string(part, &text(n)));
        let size = BigUint::from(TAG_BYTES);
        let right = Operation::TAG.meaning(&*hash, &[key.clone(), message.clone(), size.clone()]).expect("a tag");
        let operands = [(Part::TagKey, &key), (Part::Message, &message), (Part::Count, &size)].map(|(part, x)| {
            match given(&hash, Holds::Part(part), x) {
                Given::Elements(all) => all,
                Given::Number(_) => panic!("strings are words, and the size of a tag is no operand"),
            }
        });
        for plan in every_plan(&hash, &Operation::TAG) {
            let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
            let words = run_all(&kernel, &operands.concat());
            let all = result(&hash, Holds::Part(Part::Message), &words).expect("a string");
            assert_eq!(all, right, "{}, {bytes} bytes", plan.name());
            // A shorter tag is the first words.
            let asked = Operation::TAG.row().asked.expect("as many bytes as are asked for");
            let short = Operation::TAG.meaning(&*hash, &[key.clone(), message.clone(), 6u32.into()]);
            assert_eq!(Some(asked(&[key.clone(), message.clone(), 6u32.into()], all)), short);
            compared += 1;
        }
    }
    assert!(compared >= 9 * 2, "{compared}");
}

#[test]
fn every_vector_of_square_hash() {
    let mut compared = 0;
    for vector in vectors(include_str!("../../../vectors/squarehash.json")) {
        let [n, l] = ["word_bits", "out_bits"].map(|name| vector[name].as_u64().expect("a number"));
        let hash = field(&format!("mac:square-hash-{n}-{l}"));
        let mut operands = words(&hash, Part::Key, &vector["inputs"]["k"], n);
        operands.extend(words(&hash, Part::Message, &vector["inputs"]["m"], n));
        let outputs = &vector["outputs"];
        compared += checked(&hash, &Operation::HASH, &operands, &hex(&outputs["exact_add"]));
        compared += checked(&hash, &Operation::WRAPPING, &operands, &hex(&outputs["wrap_add"]));
        operands.push(BigUint::ZERO);
        compared += checked(&hash, &Operation::HASH_PLUS, &operands, &hex(&outputs["exact_add"]));
        compared += checked(&hash, &Operation::WRAPPING_PLUS, &operands, &hex(&outputs["wrap_add"]));
    }
    assert!(compared > 40 * 4 * 4, "{compared}");
}

/// Messages in one piece, and in two at every word, on every plan: the end of their running sums is what vectors say.
#[test]
fn every_vector_by_running_sums() {
    let mut compared = 0;
    let mmh = vectors(include_str!("../../../vectors/mmh.json"));
    let square = vectors(include_str!("../../../vectors/squarehash.json"));
    for vector in mmh.iter().chain(&square) {
        let Some(bits) = vector["word_bits"].as_u64() else { continue };
        let (name, key, outputs) = match vector["out_bits"].as_u64() {
            Some(l) => (format!("mac:square-hash-{bits}-{l}"), "k", ["exact_add", "wrap_add"]),
            None => (format!("mac:mmh{bits}"), "x", ["exact_unsigned", "wrap_unsigned"]),
        };
        let hash = field(&name);
        let [key, message] = [key, "m"].map(|of| vector["inputs"][of].as_array().expect("a list"));
        for (absorb, output) in [Operation::ABSORB, Operation::ABSORB_WRAPPING].into_iter().zip(outputs) {
            for at in 0..message.len().min(4) {
                let mut sum = BigUint::ZERO;
                for part in [0..at, at..message.len()] {
                    let part_of = |all: &[Value]| Value::from(all[part.clone()].to_vec());
                    let mut operands = words(&hash, Part::Key, &part_of(key), bits);
                    operands.extend(words(&hash, Part::Message, &part_of(message), bits));
                    operands.push(sum.clone());
                    let string = |part: Part, text: &str| {
                        let of = hash.part(part).expect("strings");
                        of.read(text, 0..text.len()).expect("strings").expect("a string")
                    };
                    let digits = (bits / 4) as usize;
                    let text = |all: &[Value]| -> String {
                        all[part.clone()].iter().map(|word| format!("{:0digits$x}", hex(word))).collect()
                    };
                    let given = [string(Part::Key, &text(key)), string(Part::Message, &text(message)), sum];
                    sum = absorb.meaning(&*hash, &given).expect("a sum");
                    compared += checked(&hash, &absorb, &operands, &sum);
                }
                compared += checked(&hash, &Operation::FINISH, &[sum], &hex(&vector["outputs"][output]));
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}
