//! Answers that others know in packages: all published ones of ciphers and hash functions, in every language and on every
//! runner. By default a third of the languages and of the runners, others each day, have those of one cipher or hash function;
//! all with `EVARISTE_FULL=1`.

use evariste::builder::runners::RUNNERS;
use evariste_testing::sample;
use expect_test::expect;
use serde_json::{Value, json};

use crate::common::{Place, can_test, documented, own_test};

const DFC: &str = include_str!("../../../vectors/dfc-official.json");
const WG: &str = include_str!("../../../vectors/wg-keystream.json");
const MMH: &str = include_str!("../../../vectors/mmh.json");
const SQUARE_HASH: &str = include_str!("../../../vectors/squarehash.json");

/// Bytes of keystream that simulators of small processors are asked for, and answers of each kind.
const FEW_BYTES: usize = 24;
const FEW: usize = 8;

fn vectors(text: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["vectors"].as_array().expect("a list").clone()
}

fn answer(operation: &str, operands: &[&Value], result: &Value) -> Value {
    json!({ "operation": operation, "operands": operands, "result": result })
}

/// Blocks of a cipher, both ways. (Two vectors of DFCv2 are chains, of which a package's functions take one block each.)
fn blocks(cipher: &str) -> Vec<Value> {
    let is_of = |v: &&Value| v["cipher"].as_str().is_some_and(|name| name.starts_with("DFCv2") == (cipher == "DFCv2"));
    let once = |v: &&Value| v["inputs"]["iterations"].as_u64().unwrap_or(1) == 1;
    let both = |v: &Value| {
        let (key, plain, encrypted) = (&v["inputs"]["key"], &v["inputs"]["plaintext"], &v["outputs"]["ciphertext"]);
        [answer("encrypt", &[key, plain], encrypted), answer("decrypt", &[key, encrypted], plain)]
    };
    vectors(DFC).iter().filter(is_of).filter(once).flat_map(both).collect()
}

/// First bytes of keystreams, `most` at most.
fn keystreams(most: usize) -> Vec<Value> {
    let one = |v: &Value| {
        let outputs = &v["outputs"];
        let stream = outputs["keystream"].as_str().or(outputs["stream_0_63"].as_str()).expect("a stream");
        let stream = &stream[..stream.len().min(2 * most)];
        let bytes = json!((stream.len() / 2).to_string());
        answer("keystream", &[&v["inputs"]["key"], &v["inputs"]["iv"], &bytes], &json!(stream))
    };
    vectors(WG).iter().map(one).collect()
}

/// Words as one string.
fn joined(words: &Value, bits: u64) -> Value {
    let digits = (bits / 4) as usize;
    let word = |word: &Value| format!("{:0>digits$}", word.as_str().expect("a word"));
    words.as_array().expect("words").iter().map(word).collect::<String>().into()
}

fn hashes(text: &str, bits: u64, result: Option<u64>, key: &str, of: &[(&str, &str)]) -> Vec<Value> {
    let is_of = |v: &&Value| v["word_bits"] == bits && v["out_bits"].as_u64() == result;
    let one = |v: &Value| {
        let (key, message) = (joined(&v["inputs"][key], bits), joined(&v["inputs"]["m"], bits));
        let hash = |output: &str| joined(&json!([v["outputs"][output]]), result.unwrap_or(bits));
        of.iter().map(|(operation, output)| answer(operation, &[&key, &message], &hash(output))).collect::<Vec<_>>()
    };
    vectors(text).iter().filter(is_of).flat_map(one).collect()
}

fn tags() -> Vec<Value> {
    let one = |v: &Value| {
        let inputs = &v["inputs"];
        let bytes = json!(inputs["tag_bytes"].to_string());
        answer("tag", &[&inputs["key"], &inputs["message"], &bytes], &v["outputs"]["tag"])
    };
    vectors(MMH).iter().filter(|v| v["word_bits"].is_null()).map(one).collect()
}

/// Descriptions with what is known of them, `small`: for a processor that computes some thousand times as slowly.
fn known(small: bool) -> Vec<(&'static str, Vec<Value>)> {
    let mmh = |bits| {
        let kinds = [
            ("hash", "exact_unsigned"),
            ("hash_wrapping", "wrap_unsigned"),
            ("hash_signed", "exact_signed"),
            ("hash_wrapping_signed", "wrap_signed"),
        ];
        hashes(MMH, bits, None, "x", &kinds)
    };
    let square =
        |bits, result| hashes(SQUARE_HASH, bits, Some(result), "k", &[("hash", "exact_add"), ("wrapping", "wrap_add")]);
    let mut all = vec![
        ("cipher:dfc", blocks("DFC")),
        ("cipher:dfcv2", blocks("DFCv2")),
        ("cipher:wg", keystreams(if small { FEW_BYTES } else { 512 })),
        ("mac:mmh16", mmh(16)),
        ("mac:mmh32", mmh(32)),
        ("mac:mmh64", mmh(64)),
        ("mac:tmmh16", tags()),
        ("mac:square-hash-8", square(8, 8)),
        ("mac:square-hash-16", square(16, 16)),
        ("mac:square-hash-32", square(32, 32)),
        ("mac:square-hash-64", square(64, 64)),
        ("mac:square-hash-64-32", square(64, 32)),
    ];
    if small {
        all.iter_mut().for_each(|(_, answers)| answers.truncate(FEW));
    }
    all
}

/// Answers by their operation.
fn by_operation(answers: Vec<Value>) -> Vec<Vec<Value>> {
    let mut parts: Vec<Vec<Value>> = Vec::new();
    for answer in answers {
        match parts.iter_mut().find(|part| part[0]["operation"] == answer["operation"]) {
            Some(part) => part.push(answer),
            None => parts.push(vec![answer]),
        }
    }
    parts
}

/// The operations of answers that are kernels' own; of keystreams all that the layout offers.
fn operations(answers: &[Value]) -> Option<String> {
    let mut names: Vec<&str> = answers.iter().filter_map(|a| a["operation"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    (!names.contains(&"keystream")).then(|| names.join(","))
}

/// Writes the package in a language with these answers.
fn emit(place: &Place, field: &str, language: &str, answers: &[Value], folder: &str) {
    let file = format!("{folder}.json");
    std::fs::write(place.path(&file), serde_json::to_string(answers).expect("JSON")).expect("written");
    let mut arguments = vec!["emit", field, "--lang", language, "--known-answers", &file, "--prefix", "fe"];
    let operations = operations(answers);
    if let Some(names) = &operations {
        arguments.extend(["--ops", names]);
    }
    place.run(&[&arguments[..], &["-o", folder]].concat()).ok();
}

#[test]
fn there_are_as_many_as_are_published() {
    let count = |field: &str| known(false).into_iter().find(|(name, _)| *name == field).map(|(_, all)| all.len());
    let counts = ["cipher:dfc", "cipher:dfcv2", "cipher:wg", "mac:mmh32", "mac:tmmh16"].map(count);
    assert_eq!(counts, [Some(980), Some(4), Some(74), Some(72), Some(2)]);
}

#[test]
fn every_language() {
    let place = Place::new();
    let can = evariste::LANGUAGES.iter().filter(|language| can_test(language)).collect();
    for language in sample("languages of known answers", can, 3, |_| ()) {
        let what = format!("known answers in {}", language.name);
        for (field, answers) in sample(&what, known(false), usize::MAX, |_| ()) {
            let folder = format!("{}-{}", language.name, field.replace(':', "-"));
            emit(&place, field, language.name, &answers, &folder);
            own_test(language, &place.path(&folder), &[]);
            // The manifest has those of kernels, which the reference judges again.
            let json = place.run(&["check", &folder, "--json"]).ended(0).json();
            documented(&json);
            let vectors = json["operations"].as_array().into_iter().flatten().filter_map(|op| op["vectors"].as_u64());
            let wanted = if operations(&answers).is_some() { answers.len() as u64 } else { 1 };
            assert!(vectors.sum::<u64>() >= wanted, "{field} in {}: {json}", language.name);
        }
    }
}

#[test]
fn every_runner() {
    let place = Place::new();
    for runner in sample("runners of known answers", RUNNERS.iter().collect(), 3, |_| ()) {
        if let Err(why) = runner.bench() {
            let why = why.to_string();
            evariste_testing::lacks_tool(
                &format!("known answers on {}", runner.name),
                why.lines().next().unwrap_or(""),
            );
            continue;
        }
        let small = ["atmega128", "arm7tdmi"].contains(&runner.name);
        let language = if runner.wide { "c" } else { "c89" };
        let what = format!("known answers on {}", runner.name);
        for (field, answers) in sample(&what, known(small), usize::MAX, |_| ()) {
            // Of more operations the ATmega128 has not enough memory for the test.
            let parts = if runner.name == "atmega128" { by_operation(answers) } else { vec![answers] };
            for (part, answers) in parts.iter().enumerate() {
                let folder = format!("{}-{}-{part}", runner.name, field.replace(':', "-"));
                emit(&place, field, language, answers, &folder);
                let json = place.run(&["check", &folder, "--runner", runner.name, "--json"]).ended(0).json();
                assert_eq!(json["runners"][0]["passed"], true, "{field} on {}: {json}", runner.name);
            }
        }
    }
}

/// A package's command gives it again, and what is wrong with answers is said.
#[test]
fn files_of_answers() {
    let place = Place::new();
    let good = r#"[{"operation": "mul", "operands": ["0x3", "5"], "result": "15"}]"#;
    std::fs::write(place.path("good.json"), good).expect("written");
    place.run(&["emit", "p256", "--known-answers", "good.json", "--ops", "mul", "-o", "out"]).ok();
    let [kept, source] = ["p256_known_answers.json", "p256.h"]
        .map(|file| std::fs::read_to_string(place.path("out").join(file)).expect("a file"));
    assert!(kept == good && source.contains(" --known-answers p256_known_answers.json --ops mul"), "{source}");
    let refused = |text: &str, operations: &str, expected: expect_test::Expect| {
        std::fs::write(place.path("bad.json"), text).expect("written");
        let arguments = ["emit", "p256", "--known-answers", "bad.json", "--ops", operations, "-o", "none"];
        expected.assert_eq(&place.run(&arguments).ended(2).err);
        assert!(!place.path("none").exists());
    };
    refused(
        "{}",
        "mul",
        expect![[r#"
        error: the file: invalid type: map, expected a sequence at line 1 column 0
        help: write [{"operation": "mul", "operands": ["0x3", "5"], "result": "15"}, …], texts as `evariste eval` takes them
    "#]],
    );
    refused(
        r#"[{"operation": "mul", "operands": ["3", "5"], "result": "16"}]"#,
        "mul",
        expect![[r#"
        error: answer 1 (`mul`): the result is 0xf, and not 16
        help: `evariste eval` shows how it is reached; leave out what is meant to be wrong
    "#]],
    );
    refused(
        r#"[{"operation": "mull", "operands": ["3", "5"], "result": "15"}]"#,
        "mul",
        expect![[r#"
        error: answer 1 (`mull`): there is no operation on numbers `mull`
        help: did you mean mul? p256 has mul (a, b), square (a), add (a, b), sub (a, b), opp (a), selectznz (flag, a, b), is_zero (a), equal (a, b), inv (a), sqrt (a), is_square (a), affine (a, x, b), to_montgomery (a), from_montgomery (a)
    "#]],
    );
    refused(
        r#"[{"operation": "mul", "operands": ["3"], "result": "15"}]"#,
        "mul",
        expect![[r#"
        error: answer 1 (`mul`): `mul` takes 2 operands (a, b), and got 1
        help: write [{"operation": "mul", "operands": ["0x3", "5"], "result": "15"}, …], texts as `evariste eval` takes them
    "#]],
    );
    refused(
        r#"[{"operation": "mul", "operands": ["3", "five"], "result": "15"}]"#,
        "mul",
        expect![[r#"
        error: answer 1 (`mul`): the word “five” cannot be part of an expression
          | five
          | ^^^^
        help: an expression has numbers, + - * ^ and parentheses; a name stands alone
    "#]],
    );
    refused(
        good,
        "add",
        expect![[r#"
        error: an answer of `mul` is known, and this package of p256 has no function of it
        help: it has add; leave --ops out for all that the layout offers
    "#]],
    );
    let run = place.run(&["emit", "p256", "--known-answers", "nowhere.json", "-o", "none"]).ended(2);
    assert!(run.err.starts_with("error: cannot read `nowhere.json`: "), "{}", run.err);
}
