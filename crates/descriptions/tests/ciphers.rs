//! Ciphers: every shared vector through the reference, the constants, the laws of WG's field.

use evariste_descriptions::{Dfc, Field, Part, Structure, Wg, dfc, wg, wg_field};
use evariste_testing::Random;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
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

fn word(value: &Value) -> u32 {
    hex(value).to_u32().expect("a word")
}

fn described<T: Structure + Clone>(name: &str) -> T {
    let field = Field::parse(name).unwrap_or_else(|error| panic!("{error}"));
    field.get::<T>().unwrap_or_else(|| panic!("{name} is of another kind")).clone()
}

fn read(structure: &dyn Structure, part: Part, text: &str) -> BigUint {
    let part = structure.part(part).expect("a part");
    let read = part.read(text, 0..text.len()).expect("it reads texts").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(part.written(&read).as_deref(), Some(text), "it is written as it is read");
    read
}

/// The cipher of a vector.
fn cipher(vector: &Value) -> Dfc {
    let inputs = &vector["inputs"];
    match (text(&vector["cipher"]), inputs["r"].as_u64(), inputs["s"].as_u64()) {
        ("DFC", None, None) => described("cipher:dfc"),
        (_, Some(r), Some(s)) => described(&format!("cipher:dfcv2-r{r}-s{s}")),
        _ => described("cipher:dfcv2"),
    }
}

#[test]
fn every_vector_of_dfc() {
    let mut counts = [0; 2];
    let official = vectors(include_str!("../../../vectors/dfc-official.json"));
    assert_eq!(official.len(), 494);
    for vector in official.iter().chain(&vectors(include_str!("../../../vectors/dfc-computed.json"))) {
        let (cipher, name) = (cipher(vector), text(&vector["name"]));
        counts[usize::from(cipher.schedule.is_some())] += 1;
        let key = read(&cipher, Part::Key, text(&vector["inputs"]["key"]));
        let block = hex(&vector["inputs"]["plaintext"]).to_u128().expect("a block");
        let times = vector["inputs"]["iterations"].as_u64().unwrap_or(1);
        let encrypted = (0..times).fold(block, |block, _| cipher.encrypt(&key, block));
        assert_eq!(BigUint::from(encrypted), hex(&vector["outputs"]["ciphertext"]), "{name}");
        assert_eq!((0..times).fold(encrypted, |block, _| cipher.decrypt(&key, block)), block, "{name}");
        let outputs = &vector["outputs"];
        let Some(keys) = outputs["round_keys_a_b"].as_array() else { continue };
        let given: Vec<[u64; 2]> = cipher.round_keys(&key);
        let keys: Vec<[u64; 2]> = keys.iter().map(|k| [0, 1].map(|i| hex(&k[i]).to_u64().expect("a half"))).collect();
        assert_eq!(given, keys, "{name}");
        let halves: Vec<BigUint> = dfc::halves(&keys, block).into_iter().map(BigUint::from).collect();
        assert_eq!(halves, outputs["R0_to_R9"].as_array().expect("a list").iter().map(hex).collect::<Vec<_>>());
    }
    assert_eq!(counts, [500, 10]);
}

#[test]
fn every_affine_map_and_round_of_dfc() {
    let all = vectors(include_str!("../../../vectors/dfc-affine.json"));
    for vector in &all {
        let of = |name: &str| hex(&vector["inputs"][name]).to_u64().expect("a half");
        let (a, x, b) = (of("a"), of("x"), of("b"));
        assert_eq!(BigUint::from(dfc::affine(a, x, b)), hex(&vector["outputs"]["affine"]), "{vector}");
        assert_eq!(BigUint::from(dfc::round([a, b], x)), hex(&vector["outputs"]["RF"]), "{vector}");
    }
    assert_eq!(all.len(), 143);
}

#[test]
fn constants_of_dfc_are_digits_of_e() {
    let constants = Dfc::confusion();
    assert_eq!(constants.table.len(), dfc::TABLE);
    assert_eq!([constants.table[0], constants.table[28], constants.table[63]], [0xb7e15162, 0xc2b3293d, 0xe67008e1]);
    assert_eq!((constants.mask, constants.addend), (0xeb64749a, 0x86d1bf275b9b241d));
    let padding = described::<Dfc>("cipher:dfcv2").padded(&read(&Dfc::TWO, Part::Key, ""));
    assert_eq!(padding[..3], [0x86d1bf27, 0x5b9b241d, 0xeb64749a]);
    assert_eq!(padding[3..], [0x47dfdfb9, 0x6632c3eb, 0x061b6472, 0xbbf84c26, 0x144e49c2]);
}

/// A key of a few bits is that many of its first digit; one bit more is another key.
#[test]
fn keys_of_every_length_of_bits() {
    let cipher = Dfc::ONE;
    let mut seen = std::collections::BTreeSet::new();
    for bits in 0..=256usize {
        let digits = "0".repeat(bits.div_ceil(4));
        let key = if bits % 4 == 0 { digits } else { format!("{digits}/{bits}") };
        let padded = cipher.padded(&read(&cipher, Part::Key, &key));
        // The first bits are 0, then e follows.
        let whole = padded.iter().fold(BigUint::ZERO, |all, word| (all << 32u32) + *word);
        let e = BigUint::parse_bytes(b"da06c80abb1185eb4f7c7b5757f59584", 16).expect("digits");
        let shown = 256 - bits.min(256);
        assert_eq!(&whole >> shown, BigUint::ZERO, "{bits}");
        let common = shown.min(e.bits() as usize);
        assert_eq!(&whole >> (shown - common), &e >> (e.bits() as usize - common), "{bits}");
        seen.insert(cipher.encrypt(&read(&cipher, Part::Key, &key), 0));
    }
    // The first digit of the padding has its highest bit set: no two keys are padded alike.
    assert_eq!(seen.len(), 257);
    for wrong in ["e0/3", "f/3", "0/5", "/", "00/", "0/0", &"0".repeat(65), "0g", "0 0"] {
        let part = Structure::part(&cipher, Part::Key).expect("keys");
        assert!(part.read(wrong, 0..wrong.len()).expect("it reads texts").is_err(), "{wrong}");
    }
}

#[test]
fn every_vector_of_wg() {
    let cipher: Wg = described("cipher:wg");
    let all = vectors(include_str!("../../../vectors/wg-keystream.json"));
    for vector in &all {
        let (inputs, outputs, name) = (&vector["inputs"], &vector["outputs"], text(&vector["name"]));
        let key = read(&cipher, Part::Key, text(&inputs["key"]));
        let iv = read(&cipher, Part::InitialValue, text(&inputs["iv"]));
        let bytes = inputs["bytes"].as_u64().expect("a number") as usize;
        assert_eq!(cipher.complaint("keystream", &[key.clone(), iv.clone(), bytes.into()]), None, "{name}");
        let loaded = cipher.loaded(&key, &iv);
        let begin = wg::initialise(&loaded);
        let stream = wg::keystream(begin, bytes);
        let shown = |part: &[u8]| part.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let states = [("state_loaded_S1_to_S11", loaded), ("state_after_init_S1_to_S11", begin)];
        for (name, state) in states.iter().filter(|(name, _)| outputs[*name].is_array()) {
            let expected: Vec<u32> = outputs[*name].as_array().expect("a list").iter().map(word).collect();
            assert_eq!(state.to_vec(), expected, "{name}");
        }
        let mut compared = 0;
        for (output, expected) in outputs.as_object().expect("an object") {
            if let Some((from, to)) = output.strip_prefix("stream_").and_then(|range| range.split_once('_')) {
                let [from, to]: [usize; 2] = [from, to].map(|n| n.parse().expect("a number"));
                assert_eq!(shown(&stream[from..=to]), text(expected), "{name}: {output}");
                compared += 1;
            }
        }
        if let Some(expected) = outputs["keystream"].as_str() {
            assert_eq!(shown(&stream), expected, "{name}");
            compared += 1;
        }
        if let Some(expected) = outputs["xor_digest"].as_str() {
            let digest: Vec<u8> =
                (0..64).map(|i| stream.iter().skip(i).step_by(64).fold(0, |sum, byte| sum ^ byte)).collect();
            assert_eq!(shown(&digest), expected, "{name}");
        }
        assert!(compared > 0, "{name}");
    }
    assert_eq!(all.len(), 74);
}

#[test]
fn every_vector_of_the_field_of_wg() {
    let all = vectors(include_str!("../../../vectors/wg-field.json"));
    for vector in &all {
        let (a, b) = (word(&vector["inputs"]["a"]), word(&vector["inputs"]["b"]));
        let outputs = &vector["outputs"];
        let bits = |name: &str| outputs[name].as_u64() == Some(1);
        assert_eq!(wg_field::multiply(a, b), word(&outputs["a_times_b"]), "{vector}");
        assert_eq!(wg_field::frobenius(a, 1), word(&outputs["a_squared"]), "{vector}");
        assert_eq!(wg_field::multiply(a, a), wg_field::frobenius(a, 1), "{vector}");
        assert_eq!(wg_field::inverse(a), word(&outputs["inverse_a"]), "{vector}");
        assert_eq!(wg_field::trace(a), bits("trace_a"), "{vector}");
        assert_eq!(wg_field::feedback(a), word(&outputs["q_feedback_a"]), "{vector}");
        assert_eq!(wg_field::permutation(a), word(&outputs["wgperm_a"]), "{vector}");
        assert_eq!(wg_field::transformation(a), bits("WG_a"), "{vector}");
        assert_eq!(wg_field::trace(wg_field::permutation(a)), bits("WG_a"), "{vector}");
    }
    assert_eq!(all.len(), 96);
}

#[test]
fn the_field_of_wg_is_a_field() {
    let mut random = Random(29);
    let mut next = || (random.word() as u32) & wg_field::ONE;
    for _ in 0..200 {
        let [a, b, c] = [next(), next(), next()];
        let mul = wg_field::multiply;
        assert_eq!(mul(a, mul(b, c)), mul(mul(a, b), c));
        assert_eq!(mul(a, b ^ c), mul(a, b) ^ mul(a, c));
        assert_eq!(mul(a, wg_field::ONE), a);
        assert!(a == 0 || mul(a, wg_field::inverse(a)) == wg_field::ONE);
    }
}

#[test]
fn what_goes_wrong_with_keys_and_initial_values() {
    let cipher: Wg = described("cipher:wg");
    let refused = |part: Part, given: &str| {
        let part = cipher.part(part).expect("a part");
        part.read(given, 0..given.len()).expect("it reads texts").expect_err(given).to_string()
    };
    assert!(refused(Part::Key, &"00".repeat(11)).contains("a key of 88 bits is not possible"));
    assert!(refused(Part::InitialValue, &"00".repeat(5)).contains("32, 64, 80, 96, 112, 128 bits"));
    assert!(refused(Part::Count, "4398046511105").contains("at most 2^45 bits"));
    assert!(refused(Part::Count, "4398046511104").contains("at once"));
    assert!(refused(Part::Count, "-1").contains("write a natural number"));
    let (key, iv) = (read(&cipher, Part::Key, &"00".repeat(10)), read(&cipher, Part::InitialValue, &"00".repeat(12)));
    let complaint = cipher.complaint("keystream", &[key, iv, 1u32.into()]).expect("lengths differ");
    assert!(complaint.starts_with("an initial value of 96 bits does not go with a key of 80"), "{complaint}");
    let element = |text: &str| cipher.read(text, 0..text.len()).expect("it reads texts");
    assert!(element("80000001").is_err() && element("8000000").is_err());
    assert_eq!(cipher.written(&element("80000400").expect("an element")).as_deref(), Some("80000400"));
}

#[test]
fn names() {
    for (given, text) in [
        ("cipher:DFC", "cipher:dfc"),
        ("Cipher: dfcv2", "cipher:dfcv2"),
        ("cipher:dfcv2-r8-s4", "cipher:dfcv2"),
        ("cipher:dfcv2-r12-s6", "cipher:dfcv2-r12-s6"),
        ("cipher:wg", "cipher:wg"),
    ] {
        let field = Field::parse(given).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(field.text(), text);
        assert_eq!(Field::parse(&field.text()).as_ref(), Ok(&field));
    }
    for wrong in
        ["cipher:", "cipher:aes", "cipher:dfcv2-r0-s4", "cipher:dfcv2-r33-s4", "cipher:dfcv2-r+8-s4", "cipher:dfcv2-r8"]
    {
        assert!(Field::parse(wrong).is_err(), "{wrong}");
    }
}
