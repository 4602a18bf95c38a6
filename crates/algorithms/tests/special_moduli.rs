//! Moduli of a special form: the word tables of Solinas reductions, the layouts with digits below a word, edge-biased
//! operands at 32 and 64 bits for folds, Solinas, Barrett and the complement (products, squares and affine maps), and
//! the affine values of DFC.

use crate::common::{Random, aliases, edges, run};
use evariste_algorithms::reduction::solinas;
use evariste_algorithms::{Operation, lane_layouts, layout, layouts, plan_named, plans};
use evariste_descriptions::{Field, Modulus, Shape};
use evariste_ir::Interpreter;
use num_bigint::BigInt;
use serde_json::Value;

fn field(text: &str) -> Field {
    Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn vectors(name: &str) -> Value {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The published tables list rows of words; summed by column they are the generated ones.
#[test]
fn solinas_tables_are_the_published_ones() {
    let file = vectors("prime-fields.json");
    let mut checked = 0;
    for (name, wanted) in file["solinas_tables"].as_object().expect("tables by name") {
        let (Some(chunk), Some(n)) = (wanted["word_bits"].as_u64(), wanted["words"].as_u64()) else { continue };
        let m = field(&name.to_lowercase().replace('-', ""));
        let Some(m) = m.get::<Modulus>() else { panic!("{name}") };
        let (k, terms) = solinas::signed_powers(m).unwrap_or_else(|| panic!("{name} is no sum of powers"));
        assert_eq!(u64::from(k), chunk * n, "{name}");
        let mut sums = vec![vec![0i64; n as usize]; 2 * n as usize];
        for row in wanted["rows"].as_array().expect("rows") {
            let coefficient = row["coefficient"].as_i64().expect("a coefficient");
            for (i, word) in row["words_msw_first"].as_array().expect("words").iter().rev().enumerate() {
                if let Some(j) = word.as_u64() {
                    sums[j as usize][i] += coefficient;
                }
            }
        }
        assert_eq!(solinas::table(k, &terms, chunk as u32, 2 * n as usize), sums, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 4);
}

/// Digits of lanes of 64 bits modulo `2^B − c` that are multiplied otherwise than by halves: of one radix, of mixed ones,
/// as doubles.
#[test]
fn digits_of_lanes() {
    let wanted = [
        ("25519", 26, "10x26 10x25.5"),
        ("25519", 29, "9x29"),
        ("25519", 51, "5x51-doubles"),
        ("p521", 29, "18x29"),
        ("p521", 28, "19x28 19x27.4"),
        ("p521", 48, "11x48-doubles"),
        ("2^414 - 17", 46, "9x46-doubles"),
        // c has two digits: nothing is folded early, and no column takes C times another.
        ("secp256k1", 26, "10x26"),
        ("secp256k1", 51, ""),
    ];
    for (text, radix, names) in wanted {
        let all = lane_layouts(&field(text), 64, radix).into_iter().filter(|layout| layout.montgomery.is_none());
        assert_eq!(
            all.map(|layout| layout.name).collect::<Vec<_>>().join(" "),
            names,
            "{text}, digits of {radix} bits"
        );
    }
}

/// Where digits are smaller than words, and why: see `layouts`.
#[test]
fn digits_below_a_word() {
    let wanted = [
        ("25519", 64, "5x51"),
        ("25519", 32, "10x25.5-w32 9x29-w32"),
        ("secp256k1", 64, "5x52"),
        ("secp256k1", 32, "9x29-w32"),
        ("p521", 64, "9x58"),
        ("p521", 32, "18x29-w32"),
        ("mersenne61", 64, "1x61"),
        ("2^127 - 1", 64, "3x43"),
        ("2^130 - 5", 64, "3x44"),
        ("2^130 - 5", 32, "5x26-w32"),
        ("p256", 64, ""),
        ("dfc", 64, ""),
    ];
    for (text, word, names) in wanted {
        let below = |l: &&layout::Layout| {
            l.resting.digit_max.iter().all(|d| d + 1 < BigInt::from(1) << word)
                && l.montgomery.is_none()
                && l.digits() > 0
        };
        let field = field(text);
        let Some(m) = field.get::<Modulus>() else { panic!("{text}") };
        let p = BigInt::from(m.value.clone());
        let all = layouts(&field, word);
        let found: Vec<&str> =
            all.iter().filter(below).filter(|l| l.resting.bound >= p).map(|l| l.name.as_str()).collect();
        assert_eq!(found.join(" "), names, "{text} at {word} bits");
    }
}

/// Is the algorithm one of this file's?
fn special(algorithm: &str) -> bool {
    let reduction = algorithm.rsplit('+').next().unwrap_or(algorithm);
    ["fold", "solinas", "barrett", "complement", "quotient-by-halves"].iter().any(|s| reduction.starts_with(s))
}

/// A field's special candidates on edge-biased operands, the output also over each operand; how many there are.
fn check_field(text: &str, word: u32, lanes: usize) -> usize {
    let field = field(text);
    let Some(m) = field.get::<Modulus>() else { panic!("{text}") };
    let p = BigInt::from(m.value.clone());
    let edges = edges(&p, word);
    let truncated = m.shapes.iter().filter_map(|s| match s {
        Shape::AbovePower { k, .. } => Some(Operation::AFFINE_MOD.with(*k)),
        _ => None,
    });
    let operations: Vec<Operation> =
        [Operation::MUL, Operation::SQUARE, Operation::AFFINE, Operation::AFFINE_MOD.with(m.bits / 2)]
            .into_iter()
            .chain(truncated)
            .collect();
    let mut kernels = 0;
    for layout in layouts(&field, word).iter().filter(|l| l.montgomery.is_none()) {
        for operation in &operations {
            // One schedule of the product is enough: the others are tested as products.
            let all = plans(&field, layout, operation)
                .into_iter()
                .filter(|p| special(&p.algorithm) && (!p.algorithm.contains('+') || p.algorithm.starts_with("comba+")));
            for plan in all {
                let at = format!("{text} {} {} at {word} bits", operation.name(), plan.name());
                let kernel = plan.write().unwrap_or_else(|e| panic!("{at}: {e}"));
                kernels += 1;
                let seed = u64::from(m.bits) + kernels as u64;
                for alias in std::iter::once(None).chain(aliases(&kernel).into_iter().map(Some)) {
                    for lane in run(&kernel, &mut Random(seed), lanes, &edges, alias)
                        .unwrap_or_else(|e| panic!("{at}, seed {seed}: {e}"))
                    {
                        let x = &lane.inputs;
                        // `output` counts ghost words: the value before truncation.
                        let wanted = match operation.row().name {
                            "square" => &x[0] * &x[0],
                            "mul" => &x[0] * &x[1],
                            _ => &x[0] * &x[1] + &x[2],
                        };
                        assert_eq!(&lane.output % &p, wanted % &p, "{at}, seed {seed}: operands {x:x?}");
                        if let Some(j) = operation.small_number_of(&Operation::AFFINE_MOD) {
                            let out = kernel.find("out").expect("an output");
                            let digits = kernel.contract.claims[0].output().digits.iter().zip(&lane.output_digits);
                            let low: BigInt = digits.filter(|(d, _)| d.array == out).map(|(d, x)| x << d.weight).sum();
                            assert_eq!(
                                low,
                                &lane.output % (BigInt::from(1) << j),
                                "{at}, seed {seed}: operands {x:x?}"
                            );
                            assert!(lane.output < p, "{at}");
                        }
                    }
                }
            }
        }
    }
    kernels
}

#[test]
fn named_fields() {
    let mut kernels = 0;
    for named in evariste_descriptions::named() {
        for word in [32, 64] {
            kernels += check_field(named.name, word, 60);
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > 500, "{kernels}");
}

/// Neighbours of powers of two with long and short c, next to word edges.
#[test]
fn shapes_of_many_lengths() {
    let mut kernels = 0;
    for text in [
        "2^127 - 1",
        "2^130 - 5",
        "2^107 - 1",
        "2^414 - 17",
        "2^256 - 189",
        "2^192 - 237",
        "2^64 - 59",
        "2^32 - 5",
        "2^160 - 2^31 - 1",
        "2^222 - 117",
        "2^128 + 51",
        "2^16 + 1",
        "2^32 + 15",
        "2^255 - 2^96 - 19",
        "2^256 + 2^100 + 297",
        "2^128 - 2^96 - 2^32 + 1",
        "2^96 - 2^64 + 1",
    ] {
        for word in [32, 64] {
            kernels += check_field(text, word, 40);
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > 200, "{kernels}");
}

/// The rare paths of DFC's affine map.
#[test]
fn dfc_affine_values() {
    let file = vectors("dfc-affine.json");
    let cases = file["vectors"].as_array().expect("a list of cases");
    let number = |v: &Value| {
        u64::from_str_radix(v.as_str().expect("hexadecimal").trim_start_matches("0x"), 16).expect("64 bits")
    };
    let dfc = field("dfc");
    let operation = Operation::AFFINE_MOD.with(64u32);
    let names = [
        "complement-mul",
        "complement-mul-table",
        "complement-shift",
        "complement-shift-table",
        "complement-mul-b-after",
        "complement-mul-table-b-after",
        "complement-shift-b-after",
        "complement-shift-table-b-after",
        "barrett",
    ];
    for word in [32u32, 64] {
        let layout = &layouts(&dfc, word)[0];
        let of_a_word = (word == 64).then_some("quotient-by-halves");
        for name in names.into_iter().chain(of_a_word) {
            let kernel = plan_named(&dfc, layout, &operation, name)
                .unwrap_or_else(|| panic!("{name} at {word} bits"))
                .write()
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let interpreter = Interpreter::checking_ranges(&kernel);
            let mut batch = interpreter.batch(cases.len());
            let arrays = ["a", "x", "b"].map(|n| kernel.find(n).expect("an operand"));
            for (lane, case) in cases.iter().enumerate() {
                for (array, key) in arrays.iter().zip(["a", "x", "b"]) {
                    for i in 0..64 / word {
                        let digit = number(&case["inputs"][key]) >> (i * word) & (u64::MAX >> (64 - word));
                        batch.set(*array, i, lane, u128::from(digit));
                    }
                }
            }
            let report = interpreter.run(&mut batch);
            assert!(report.violations.is_empty(), "{name} at {word} bits: {}", report.violations[0]);
            let out = kernel.find("out").expect("an output");
            for (lane, case) in cases.iter().enumerate() {
                let got = (0..64 / word).fold(0u64, |sum, i| sum | (batch.get(out, i, lane) as u64) << (i * word));
                assert_eq!(got, number(&case["outputs"]["affine"]), "{name} at {word} bits: {case}");
            }
        }
    }
    assert!(cases.len() >= 20, "{}", cases.len());
}

/// The fold for 2^w − 2^(w/2) + 1 on every pair of words of 4 and 6 bits: primes or not.
#[test]
fn half_powers_on_every_pair() {
    let mut known = 0;
    for (text, word) in [("13", 4), ("57", 6)] {
        let field = field(text);
        for layout in layouts(&field, word) {
            for plan in plans(&field, &layout, &Operation::MUL).into_iter().filter(|p| p.algorithm == "comba+fold-half")
            {
                let kernel = plan.write().unwrap_or_else(|e| panic!("{text}: {e}"));
                let most = i64::try_from(&layout.resting.bound).expect("a word");
                for a in 0..=most {
                    for b in 0..=most {
                        let inputs = [("a", vec![BigInt::from(a)]), ("b", vec![BigInt::from(b)])];
                        assert_eq!(evariste_ir::refute(&kernel, &inputs), None, "{text} {}: {a}·{b}", plan.name());
                    }
                }
                known += 1;
            }
        }
    }
    assert_eq!(known, 4, "a canonical and a redundant layout each");
}
