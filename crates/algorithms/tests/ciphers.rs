//! Ciphers in the interpreter: every plan on the shared vectors.

use std::collections::HashMap;

use evariste_algorithms::kinds::{Given, given};
use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Operation, Plan, layouts, plans, plans_vartime};
use evariste_descriptions::{Field, Part, wg};
use evariste_ir::{Claim, Interpreter, Kernel};
use num_bigint::{BigInt, BigUint};
use serde_json::Value;

pub fn vectors(text: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["vectors"].as_array().expect("a list").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

pub fn hex(value: &Value) -> BigUint {
    BigUint::parse_bytes(text(value).as_bytes(), 16).unwrap_or_else(|| panic!("{value}"))
}

pub fn field(text: &str) -> Field {
    Field::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The first result of a kernel for these numbers.
pub fn run(kernel: &Kernel, operands: &[BigUint]) -> BigUint {
    run_all(kernel, operands).remove(0)
}

/// All results of a kernel for these numbers.
pub fn run_all(kernel: &Kernel, operands: &[BigUint]) -> Vec<BigUint> {
    assert_eq!(kernel.contract.inputs.len(), operands.len(), "{}", kernel.name);
    let mut arrays: HashMap<&str, Vec<BigInt>> = HashMap::new();
    for (operand, x) in kernel.contract.inputs.iter().zip(operands) {
        for digit in &operand.digits {
            let array = kernel.array(digit.array);
            let elements = arrays.entry(&array.name).or_insert_with(|| vec![0.into(); array.len as usize]);
            elements[digit.index as usize] = BigInt::from(x.clone() >> digit.weight) & &digit.max;
        }
    }
    let given: Vec<(&str, Vec<BigInt>)> = arrays.into_iter().collect();
    let results =
        Interpreter::checking_ranges(kernel).run_one(&given).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    let elements = |array| &results.iter().find(|(name, _)| *name == kernel.array(array).name).expect("a result").1;
    let number = |claim: &Claim| {
        let digits = claim.output().digits.iter();
        let sum: BigInt = digits.map(|d| &elements(d.array)[d.index as usize] << d.weight).sum();
        sum.to_biguint().expect("a natural number")
    };
    kernel.contract.claims.iter().map(number).collect()
}

/// A key as kernels have it.
fn padded(cipher: &Field, key: &str) -> BigUint {
    let key = cipher.part(Part::Key).and_then(|keys| keys.read(key, 0..key.len())).expect("keys").expect("a key");
    match given(cipher, Holds::Part(Part::Key), &key) {
        Given::Number(number) => number,
        Given::Elements(_) => panic!("a key is a number"),
    }
}

/// The plans of all layouts in words of 64 and 32 bits, those in variable time too.
fn every_plan(cipher: &Field, operation: &Operation) -> Vec<Plan> {
    let layouts = [64, 32].into_iter().flat_map(|word| layouts(cipher, word)).collect::<Vec<_>>();
    assert!(layouts.iter().any(|l| l.word == 64) && layouts.iter().any(|l| l.word == 32));
    let of = |layout| plans(cipher, layout, operation).into_iter().chain(plans_vartime(cipher, layout, operation));
    layouts.iter().flat_map(of).collect()
}

#[test]
fn every_round_of_dfc() {
    let cipher = field("cipher:dfc");
    let all = vectors(include_str!("../../../vectors/dfc-affine.json"));
    let mut names = Vec::new();
    for plan in every_plan(&cipher, &Operation::ROUND) {
        let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
        assert_eq!(kernel.vartime, plan.algorithm.ends_with("_vartime"));
        for vector in &all {
            let operands = ["a", "x", "b"].map(|name| hex(&vector["inputs"][name]));
            assert_eq!(run(&kernel, &operands), hex(&vector["outputs"]["RF"]), "{}: {vector}", plan.name());
        }
        names.push(plan.algorithm);
    }
    for name in
        ["complement-mul+masks", "barrett+choices", "complement-shift-table+look-up", "complement-mul+direct_vartime"]
    {
        assert!(names.iter().any(|plan| plan == name), "{names:?}");
    }
}

#[test]
fn every_vector_of_dfc() {
    let official = vectors(include_str!("../../../vectors/dfc-official.json"));
    let computed = vectors(include_str!("../../../vectors/dfc-computed.json"));
    let mut kernels: HashMap<String, Vec<[Kernel; 2]>> = HashMap::new();
    let mut compared = 0;
    for vector in official.iter().chain(&computed) {
        let inputs = &vector["inputs"];
        let cipher = match (text(&vector["cipher"]), inputs["r"].as_u64(), inputs["s"].as_u64()) {
            ("DFC", None, None) => field("cipher:dfc"),
            (_, Some(r), Some(s)) => field(&format!("cipher:dfcv2-r{r}-s{s}")),
            _ => field("cipher:dfcv2"),
        };
        let pairs = kernels.entry(cipher.text()).or_insert_with(|| {
            let [forward, backward] = [Operation::ENCRYPT, Operation::DECRYPT].map(|op| every_plan(&cipher, &op));
            let write = |plan: &Plan| plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
            forward.iter().zip(&backward).map(|(f, b)| [write(f), write(b)]).collect()
        });
        assert!(pairs.len() >= 2);
        let (key, block) = (padded(&cipher, text(&inputs["key"])), hex(&inputs["plaintext"]));
        let times = inputs["iterations"].as_u64().unwrap_or(1);
        for [forward, backward] in pairs {
            let encrypted = (0..times).fold(block.clone(), |x, _| run(forward, &[key.clone(), x]));
            assert_eq!(encrypted, hex(&vector["outputs"]["ciphertext"]), "{}: {}", forward.name, vector["name"]);
            let back = (0..times).fold(encrypted, |x, _| run(backward, &[key.clone(), x]));
            assert_eq!(back, block, "{}: {}", backward.name, vector["name"]);
            compared += 1;
        }
    }
    assert!(compared >= 2 * (official.len() + computed.len()), "{compared}");
}

/// Expanded keys are those of the vectors, and what they encrypt comes back, also in variable time.
#[test]
fn expanded_keys_of_dfc() {
    for vector in vectors(include_str!("../../../vectors/dfc-computed.json")) {
        let Some(keys) = vector["outputs"]["round_keys_a_b"].as_array() else { continue };
        let cipher = field(if text(&vector["cipher"]) == "DFC" { "cipher:dfc" } else { "cipher:dfcv2" });
        let halves = keys.iter().flat_map(|pair| [hex(&pair[0]), hex(&pair[1])]);
        let keys = halves.fold(BigUint::ZERO, |all, half| (all << 64u32) + half);
        let key = padded(&cipher, text(&vector["inputs"]["key"]));
        for plan in every_plan(&cipher, &Operation::EXPAND_KEY) {
            let kernel = plan.write().expect("a kernel");
            assert_eq!(run(&kernel, std::slice::from_ref(&key)), keys, "{}", plan.name());
        }
        let (block, encrypted) = (hex(&vector["inputs"]["plaintext"]), hex(&vector["outputs"]["ciphertext"]));
        for (operation, from, to) in
            [(Operation::ENCRYPT_BLOCK, &block, &encrypted), (Operation::DECRYPT_BLOCK, &encrypted, &block)]
        {
            let all = every_plan(&cipher, &operation);
            assert!(all.iter().any(|plan| plan.algorithm == "rounds-direct_vartime"));
            for plan in all {
                let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
                assert_eq!(run(&kernel, &[keys.clone(), from.clone()]), *to, "{}", plan.name());
            }
        }
        // Sixteen blocks, the first one this.
        let next = |block: BigUint, i: u32| (block << 77u32 | BigUint::from(i)) % (BigUint::from(1u32) << 128u32);
        let blocks = std::iter::successors(Some((block, 0)), |(block, i)| Some((next(block.clone(), *i), i + 1)));
        let all = blocks.take(16).fold(BigUint::ZERO, |all, (block, _)| (all << 128u32) + block);
        for (operation, back) in [
            (Operation::ENCRYPT_BLOCKS, Operation::DECRYPT_BLOCKS),
            (Operation::DECRYPT_BLOCKS, Operation::ENCRYPT_BLOCKS),
        ] {
            let other = back.meaning(&*cipher, &[keys.clone(), all.clone()]).expect("blocks");
            let plans = every_plan(&cipher, &operation);
            assert!(plans.len() >= 3, "{}", plans.len());
            for plan in plans {
                let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
                assert_eq!(run(&kernel, &[keys.clone(), other.clone()]), all, "{}", plan.name());
            }
        }
    }
}

fn elements(cipher: &Field, part: Option<Part>, text: &str) -> Vec<BigUint> {
    let of = part.map_or(Some(&**cipher), |part| cipher.part(part)).expect("a part");
    let x = of.read(text, 0..text.len()).expect("it reads texts").expect("an element");
    match given(cipher, part.map_or(Holds::Element, Holds::Part), &x) {
        Given::Elements(all) => all,
        Given::Number(_) => panic!("elements"),
    }
}

/// Plans in words of 64 and of 32 bits, and bit-sliced.
fn plans_of_wg(cipher: &Field, operation: &Operation) -> Vec<Plan> {
    let layouts = [64, 32, 1].into_iter().flat_map(|word| layouts(cipher, word)).collect::<Vec<_>>();
    let all: Vec<Plan> = layouts.iter().flat_map(|layout| plans(cipher, layout, operation)).collect();
    let mut words: Vec<u32> = all.iter().map(|plan| plan.layout.word).collect();
    words.dedup();
    assert_eq!(words, [64, 32, 1]);
    all
}

#[test]
fn every_function_of_wg() {
    let cipher = field("cipher:wg");
    let all = vectors(include_str!("../../../vectors/wg-field.json"));
    for (operation, output) in [
        (Operation::TRANSFORMATION, "WG_a"),
        (Operation::FEEDBACK, "q_feedback_a"),
        (Operation::PERMUTATION, "wgperm_a"),
    ] {
        for plan in plans_of_wg(&cipher, &operation) {
            let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
            for vector in &all {
                let a = elements(&cipher, None, text(&vector["inputs"]["a"]));
                let right = match vector["outputs"][output].as_u64() {
                    Some(bit) => vec![bit.into()],
                    None => elements(&cipher, None, text(&vector["outputs"][output])),
                };
                assert_eq!(run_all(&kernel, &a), right, "{}: {vector}", plan.name());
            }
        }
    }
}

#[test]
fn every_keystream_of_wg() {
    let cipher = field("cipher:wg");
    let kernels: Vec<[Kernel; 2]> = plans_of_wg(&cipher, &Operation::INITIAL_STEPS)
        .iter()
        .zip(&plans_of_wg(&cipher, &Operation::STREAM))
        .map(|(first, then)| [first, then].map(|plan| plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()))))
        .collect();
    let state = |words: &Value| -> Vec<BigUint> {
        let all: String = words.as_array().expect("a list").iter().map(text).collect();
        elements(&cipher, Some(Part::State), &all)
    };
    let mut compared = 0;
    for (at, vector) in vectors(include_str!("../../../vectors/wg-keystream.json")).iter().enumerate() {
        let outputs = &vector["outputs"];
        if !outputs["state_loaded_S1_to_S11"].is_array() {
            continue;
        }
        let begin = state(&outputs["state_after_init_S1_to_S11"]);
        let stream = text(&outputs["stream_0_63"]);
        // All ways for the first of each sort of vector, else by turns.
        for (way, [initial, steps]) in
            kernels.iter().enumerate().filter(|(way, _)| at < 3 || at % kernels.len() == *way)
        {
            assert_eq!(
                run_all(initial, &state(&outputs["state_loaded_S1_to_S11"])),
                begin,
                "{way}: {}",
                vector["name"]
            );
            let mut state = begin.clone();
            for bytes in (0..stream.len()).step_by(16).take(if at < 3 { 4 } else { 1 }) {
                let mut results = run_all(steps, &state);
                let bits = results.pop().expect("a keystream");
                assert_eq!(format!("{bits:016x}"), stream[bytes..bytes + 16], "{way}: {}", vector["name"]);
                state = results;
                compared += 1;
            }
        }
    }
    assert!(compared > 70, "{compared}");
}

#[test]
fn jumps_of_wg() {
    let cipher = field("cipher:wg");
    let state: wg::State = std::array::from_fn(|i| (i as u32 + 1).wrapping_mul(0x9e37_79b9) & 0xffff_fff8);
    let packed = |state: &wg::State| -> Vec<BigUint> {
        let text: String = state.iter().map(|stage| format!("{stage:08x}")).collect();
        elements(&cipher, Some(Part::State), &text)
    };
    let plans = plans_of_wg(&cipher, &Operation::JUMP);
    let mut after = state;
    for steps in 0..80 {
        let far = wg::far(steps);
        assert_eq!(wg::jump(&state, &far), after, "{steps} steps");
        // Two jumps are one of as many steps.
        assert_eq!(wg::jump(&wg::jump(&state, &wg::far(1 << 40)), &far), wg::jump(&state, &wg::far((1 << 40) + steps)));
        let plan = &plans[steps as usize % plans.len()];
        let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e}", plan.name()));
        let operands = [packed(&state), packed(&far)].concat();
        assert_eq!(run_all(&kernel, &operands), packed(&after), "{} over {steps}", plan.name());
        after = wg::step(&after).0;
    }
}
