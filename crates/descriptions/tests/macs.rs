//! Universal hash functions: every shared vector through the reference, and what is refused.

use evariste_descriptions::{Addition, Field, Mmh, Part, SquareHash, Structure, Tmmh, Words};
use num_bigint::BigUint;
use serde_json::Value;

fn vectors(text: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["vectors"].as_array().expect("a list").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn hex(value: &Value) -> BigUint {
    BigUint::parse_bytes(text(value).as_bytes(), 16).unwrap_or_else(|| panic!("{value}"))
}

fn field(name: &str) -> Field {
    Field::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

fn read(structure: &dyn Structure, part: Part, text: &str) -> BigUint {
    let part = structure.part(part).expect("a part");
    let read = part.read(text, 0..text.len()).expect("it reads texts").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(part.written(&read).as_deref(), Some(text), "it is written as it is read");
    read
}

/// Words of a vector as one text, each in all its digits.
fn joined(words: &Value, bits: u32) -> String {
    let digits = (bits / 4) as usize;
    words.as_array().expect("a list").iter().map(|word| format!("{:0digits$x}", hex(word))).collect()
}

/// Texts of more digits than a width of the standard library's formats may say.
#[test]
fn long_strings_are_written() {
    let hash = field("mac:mmh32");
    read(&*hash, Part::Message, &"00000001".repeat(9000));
}

#[test]
fn every_vector_of_mmh_and_tmmh() {
    let (mut mmh, mut tmmh) = (0, 0);
    for vector in &vectors(include_str!("../../../vectors/mmh.json")) {
        let (inputs, outputs) = (&vector["inputs"], &vector["outputs"]);
        let Some(bits) = vector["word_bits"].as_u64() else {
            let hash = field("mac:tmmh16");
            let operands = [
                read(&*hash, Part::Key, text(&inputs["key"])),
                read(&*hash, Part::Message, text(&inputs["message"])),
                inputs["tag_bytes"].as_u64().expect("a number").into(),
            ];
            assert_eq!(hash.complaint("tag", &operands), None);
            let tag = hash.get::<Tmmh>().and_then(|hash| hash.tag_string(&operands[0], &operands[1], &operands[2]));
            assert_eq!(hash.written(&tag.expect("a tag")).as_deref(), outputs["tag"].as_str());
            tmmh += 1;
            continue;
        };
        let hash = field(&format!("mac:mmh{bits}"));
        let key = read(&*hash, Part::Key, &joined(&inputs["x"], bits as u32));
        let message = read(&*hash, Part::Message, &joined(&inputs["m"], bits as u32));
        assert_eq!(hash.complaint("hash", &[key.clone(), message.clone()]), None);
        for (output, signed, wrapping) in [
            ("exact_unsigned", false, false),
            ("wrap_unsigned", false, true),
            ("exact_signed", true, false),
            ("wrap_signed", true, true),
        ] {
            let how = Words { signed, wrapping };
            let given = hash.get::<Mmh>().expect("MMH").hash_strings(&key, &message, how);
            assert_eq!(given, hex(&outputs[output]), "{}: {output}", vector["name"]);
        }
        mmh += 1;
    }
    assert_eq!((mmh, tmmh), (49, 2));
}

/// The fold that ends on p itself: implementations that compare with `>` give 15.
#[test]
fn a_sum_that_p_divides_hashes_to_0() {
    let hash = field("mac:mmh32");
    let (key, message) = (read(&*hash, Part::Key, "222222260000000e"), read(&*hash, Part::Message, "8000000000000001"));
    for wrapping in [false, true] {
        let given = hash.get::<Mmh>().expect("MMH").hash_strings(&key, &message, Words { signed: false, wrapping });
        assert_eq!(hash.written(&given).as_deref(), Some("00000000"));
    }
}

#[test]
fn every_vector_of_square_hash() {
    let all = vectors(include_str!("../../../vectors/squarehash.json"));
    for vector in &all {
        let [n, l] = ["word_bits", "out_bits"].map(|name| vector[name].as_u64().expect("a number") as u32);
        let hash = field(&format!("mac:square-hash-{n}-{l}"));
        let key = read(&*hash, Part::Key, &joined(&vector["inputs"]["k"], n));
        let message = read(&*hash, Part::Message, &joined(&vector["inputs"]["m"], n));
        for (output, addition) in [("exact_add", Addition::Exact), ("wrap_add", Addition::Wrapping)] {
            let square = hash.get::<SquareHash>().expect("square hash");
            let given = square.hash_strings(&key, &message, &BigUint::ZERO, addition);
            assert_eq!(given, hex(&vector["outputs"][output]), "{}: {output}", vector["name"]);
            // A word of the key that is added counts before both reductions.
            let two = |k: u32| BigUint::from(1u32) << k;
            let word = |part: &str, i: usize| hex(&vector["inputs"][part][i]);
            let sums = (0..vector["inputs"]["m"].as_array().map_or(0, Vec::len)).map(|i| {
                let sum = word("m", i) + word("k", i);
                if output == "wrap_add" { sum % two(n) } else { sum }
            });
            let b = two(n) - 3u32;
            let right = (sums.map(|sum| &sum * &sum).sum::<BigUint>() + &b) % &square.prime % two(l);
            assert_eq!(square.hash_strings(&key, &message, &b, addition), right, "{}", vector["name"]);
        }
    }
    assert_eq!(all.len(), 42);
}

#[test]
fn primes_are_those_of_the_table() {
    for (name, bits, c) in [
        ("mac:square-hash-8", 8, 1u32),
        ("mac:square-hash-16", 16, 1),
        ("mac:square-hash-32", 32, 15),
        ("mac:square-hash-64", 64, 13),
        ("mac:square-hash-128", 128, 51),
    ] {
        let hash = field(name);
        assert_eq!(hash.get::<SquareHash>().expect("square hash").prime, (BigUint::from(1u32) << bits) + c, "{name}");
    }
}

#[test]
fn what_is_refused() {
    let hash = field("mac:mmh32");
    let part = hash.part(Part::Message).expect("messages");
    let error = part.read("00000", 0..5).expect("it reads texts").expect_err("20 bits");
    assert!(error.to_string().contains("a message of 20 bits is not possible"), "{error}");
    let (key, message) = (read(&*hash, Part::Key, "00000001"), read(&*hash, Part::Message, "0000000100000002"));
    let complaint = hash.complaint("hash", &[key, message]).expect("a word is missing");
    assert!(complaint.starts_with("a key of 32 bits does not go with a message of 64"), "{complaint}");
    let tag = field("mac:tmmh16");
    let (key, message) = (read(&*tag, Part::Key, "01234567"), read(&*tag, Part::Message, "cafeba"));
    let complaint = |bytes: u32| tag.complaint("tag", &[key.clone(), message.clone(), bytes.into()]);
    assert!(complaint(2).expect("too short").starts_with("the key has 2 words, and this message and tag need 3"));
    assert!(complaint(0).expect("no tag").starts_with("a tag of 0 bytes"));
    let count = tag.part(Part::Count).expect("numbers of bytes");
    assert!(count.read("3", 0..1).expect("it reads texts").is_err());
    for wrong in [
        "mac:",
        "mac:hmac",
        "mac:square-hash-12",
        "mac:square-hash-136",
        "mac:square-hash-32-33",
        "mac:square-hash-32-0",
    ] {
        assert!(Field::parse(wrong).is_err(), "{wrong}");
    }
    for text in ["mac:mmh16", "mac:mmh64", "mac:tmmh16", "mac:square-hash-24", "mac:square-hash-32-16"] {
        assert_eq!(field(text).text(), text);
    }
}
