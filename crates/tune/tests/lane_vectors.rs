//! Every plan in the layouts for lanes on the shared vectors and on edges: judged by its contract in the interpreter,
//! then as machine code on vectors of every width that a level has, in several shapes, and as scalar code, word for word
//! as the interpreter. Each element meets every lane; lanes behind the last element hold anything.
//!
//! By default one kernel in [`STRIDE`] is taken, the turn moving with the field; with `EVARISTE_FULL=1` all are,
//! inverses too.

use crate::support;

use crate::support::{Case, Form, field, full};
use evariste_algorithms::field_set::operations;
use evariste_algorithms::{Operation, lane_layouts, plans};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{self, Features, Width};
use evariste_descriptions::{Field, OddModuli};
use evariste_ir::{ArrayKind, Digit, Interpreter, Kernel, Operand, refute};
use evariste_proof::{Outcome, prove};
use evariste_testing::levels::{Level, levels};
use evariste_testing::machine::Callable;
use evariste_tune::encode::{bits, decode};
use evariste_tune::operands::admit;
use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;
use serde_json::Value;

const PRIME_FIELDS: &str = include_str!("../../../vectors/prime-fields.json");
const DFC_AFFINE: &str = include_str!("../../../vectors/dfc-affine.json");

/// One kernel in that many takes part in a default run.
const STRIDE: usize = 14;

/// Operands of one call, word by word.
type Words = Vec<Vec<u64>>;

/// Xorshift: what is tested is the same every time.
struct Rng(u64);

impl Rng {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn number(&mut self, bits: u64) -> BigUint {
        (0..bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64u32) + self.word())
    }
}

/// Values of a number: at its ends, around multiples of p, long runs of ones and zeros, anything.
fn value(rng: &mut Rng, bound: &BigInt, p: &BigInt) -> BigInt {
    let bits = bound.bits().max(1);
    let power = |k: u64| BigInt::from(1) << k;
    let x = match rng.word() % 12 {
        0 => BigInt::ZERO,
        1 => bound.clone(),
        2 => bound - 1,
        3 => p.clone(),
        4 => p - 1,
        5 => p * 2 - 1,
        6 => power(rng.word() % bits),
        7 => power(rng.word() % bits) - 1,
        8 => bound - power(rng.word() % bits),
        9 => (power(bits) - 1) ^ power(rng.word() % bits),
        _ => rng.number(bits).into(),
    };
    let x = if x < BigInt::ZERO { BigInt::ZERO } else { x };
    if x > *bound { x % (bound + 1) } else { x }
}

/// The words of a number, from the top: each digit takes as much as it may hold, and unmasked ones anything above.
fn words(kernel: &Kernel, operand: &Operand, value: &BigInt, rng: &mut Rng) -> Vec<u64> {
    let mut words = vec![0; kernel.array(operand.digits[0].array).len as usize];
    let mut digits: Vec<&Digit> = operand.digits.iter().collect();
    digits.sort_by_key(|d| std::cmp::Reverse(d.weight));
    let mut rest = value.clone();
    for d in digits {
        let digit = std::cmp::min(&rest >> d.weight, d.most());
        rest -= &digit << d.weight;
        let noise = if rng.word().is_multiple_of(2) { d.max.clone() } else { rng.word().into() };
        words[d.index as usize] = bits(&d.element(&digit, &noise));
    }
    assert_eq!(rest, BigInt::ZERO, "{}: {} does not hold {value}", kernel.name, operand.name);
    words
}

/// Inputs for a kernel: those of the vectors, then edges.
fn inputs(case: &Case, vectors: &[(BigUint, BigUint, BigUint)], p: &BigInt) -> Vec<Words> {
    let kernel = case.kernel();
    let form = Form::new(&case.plan.field, &case.plan.layout);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ p.bits() ^ (kernel.name.len() as u64) << 32);
    // Elsewhere what has one digit may be a flag.
    let is_product = case.plan.operation == Operation::MUL;
    let numbers = |at: usize, rng: &mut Rng| -> Vec<BigInt> {
        let mut all: Vec<BigInt> = Vec::new();
        for (i, operand) in kernel.contract.inputs.iter().enumerate() {
            let given = match (vectors.get(at), &form) {
                (Some((x, y, _)), Some(form)) if is_product || operand.digits.len() > 1 => {
                    Some(form.into_layout(if i == 0 { x } else { y })).filter(|x| *x <= operand.bound)
                }
                _ => None,
            };
            all.push(given.unwrap_or_else(|| value(rng, &operand.bound, p)));
        }
        admit(kernel, &mut all);
        all
    };
    (0..vectors.len() + 40)
        .map(|at| {
            let all = numbers(at, &mut rng);
            kernel.contract.inputs.iter().zip(&all).map(|(o, x)| words(kernel, o, x, &mut rng)).collect()
        })
        .collect()
}

/// What the interpreter makes of the inputs, each judged by the contract, and products by the vectors.
fn expected(case: &Case, inputs: &[Words], vectors: &[(BigUint, BigUint, BigUint)]) -> Result<Words, String> {
    let (proved, statement) = (case.kernel(), case.plan.write().map_err(|e| e.to_string())?);
    let interpreter = Interpreter::checking_ranges(proved);
    let arrays: Vec<_> = proved.params().filter(|a| proved.array(*a).kind == ArrayKind::Input).collect();
    let output = proved.params().find(|a| proved.array(*a).kind == ArrayKind::Output).ok_or("no output")?;
    let mut batch = interpreter.batch(inputs.len());
    for (lane, set) in inputs.iter().enumerate() {
        let named: Vec<(&str, Vec<BigInt>)> = arrays
            .iter()
            .zip(set)
            .map(|(a, w)| (proved.array(*a).name.as_str(), w.iter().map(|w| BigInt::from(*w)).collect()))
            .collect();
        if let Some(why) = evariste_ir::inadmissible(&statement, &named) {
            return Err(format!("{}: the test's own inputs: {why}", case.title()));
        }
        // The interpreter one by one is slow: the contract is asked of every third.
        if (full() || lane % 3 == 0)
            && let Some(why) = refute(&statement, &named)
        {
            return Err(format!("{}: {why} for {set:x?}", case.title()));
        }
        for (a, w) in arrays.iter().zip(set) {
            w.iter().enumerate().for_each(|(i, w)| batch.set(*a, i as u32, lane, u128::from(*w)));
        }
    }
    let report = interpreter.run(&mut batch);
    if let Some(v) = report.violations.first() {
        return Err(format!("{}: {v} at {:x?}", case.title(), inputs[v.lane]));
    }
    if case.plan.operation == Operation::MUL
        && let Some(form) = Form::new(&case.plan.field, &case.plan.layout)
    {
        for (lane, (x, y, right)) in vectors.iter().enumerate() {
            let result = form.plain(&decode(
                proved.contract.claims[0].output(),
                &[(output, interpreter.values(&batch, output, lane))].to_vec(),
            ));
            if result != *right {
                return Err(format!("{}: {x:x}·{y:x} gives {result:x}, not {right:x}", case.title()));
            }
        }
    }
    Ok((0..inputs.len()).map(|lane| interpreter.values(&batch, output, lane).iter().map(bits).collect()).collect())
}

/// Calls the code until each of `count` elements was in each lane; `lanes.elements()` elements a call, of which the
/// last few are none.
fn run(callable: &Callable, at: Lanes, inputs: &[Words], wanted: &Words, rng: &mut Rng) -> Result<usize, String> {
    let (count, elements) = (at.count as usize, at.elements() as usize);
    let width = |p: usize| if p == 0 { wanted[0].len() } else { inputs[0][p - 1].len() };
    let mut compared = 0;
    for first in 0..inputs.len().max(elements) {
        // Of longer calls every start would be too many; one lane more than fits is never met.
        if elements > count && first % count != first / count % count {
            continue;
        }
        let real = if elements == 1 { 1 } else { elements - first % elements.min(8) };
        let mut memory: Vec<Vec<u64>> =
            (0..=inputs[0].len()).map(|p| (0..width(p) * elements).map(|_| rng.word()).collect()).collect();
        let place = |p: usize, element: usize, i: usize| (element / count * width(p) + i) * count + element % count;
        for element in 0..real {
            for (p, words) in inputs[(first + element) % inputs.len()].iter().enumerate() {
                words.iter().enumerate().for_each(|(i, w)| memory[p + 1][place(p + 1, element, i)] = *w);
            }
        }
        callable.call(&mut memory)?;
        for element in 0..real {
            let (which, got) = (
                (first + element) % inputs.len(),
                (0..width(0)).map(|i| memory[0][place(0, element, i)]).collect::<Vec<_>>(),
            );
            if got != wanted[which] {
                return Err(format!(
                    "element {element} of {elements} is {got:x?}, not {:x?}, for {:x?}",
                    wanted[which], inputs[which]
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Functions of a kernel by what they are; `Err` where it has none of that kind, as text.
fn functions(case: &Case, level: Level) -> Vec<(String, Result<(Callable, Lanes), String>)> {
    let features = level.features;
    let shape = |width, groups, iterations, active| Shape { groups, iterations, active, ..Shape::single(width) };
    let shapes = level.widths().into_iter().flat_map(|width| match width {
        Width::Z => vec![Shape::single(width), shape(width, 2, 1, 2), shape(width, 1, 3, 1)],
        // Half of the lanes that there are: bit-slicing only.
        Width::X => Vec::new(),
        _ => vec![Shape::single(width), shape(width, 1, 2, 1)],
    });
    let made = |program: Result<x86_64::Program, String>| {
        let program = program?;
        let checked =
            evariste_codegen::check::check(&case.proved, &program).map_err(|e| format!("NOT RECOGNISED: {e}"))?;
        Ok((Callable::new(&checked).map_err(|e| format!("NOT MADE: {e}"))?, program.lanes))
    };
    let mut all: Vec<_> = shapes
        .map(|s| (s.to_string(), made(lanes::compile(&case.proved, features, s).map_err(|e| e.to_string()))))
        .collect();
    all.push((
        "scalar".to_string(),
        made(x86_64::compile(&case.proved, features.scalar(), None).map_err(|e| e.to_string())),
    ));
    all
}

/// What was done: by the kind of code, functions and results; kernels without a form of a kind.
#[derive(Default)]
struct Done {
    functions: usize,
    results: usize,
    without: usize,
    complaints: Vec<String>,
}

fn check(case: &Case, vectors: &[(BigUint, BigUint, BigUint)], level: Level) -> Done {
    let p = BigInt::from(case.plan.field.order());
    let mut done = Done::default();
    let inputs = inputs(case, vectors, &p);
    let wanted = match expected(case, &inputs, vectors) {
        Ok(wanted) => wanted,
        Err(why) => return Done { complaints: vec![why], ..done },
    };
    let mut rng = Rng(77);
    for (what, callable) in functions(case, level) {
        match callable {
            Ok((callable, lanes)) => match run(&callable, lanes, &inputs, &wanted, &mut rng) {
                Ok(results) => {
                    done.functions += 1;
                    done.results += results;
                }
                Err(why) => done.complaints.push(format!("{}, {what}: {why}", case.title())),
            },
            // Products of 52 bits have a form of 512 bits alone; long kernels are not written straight.
            Err(why)
                if why.starts_with("NOT")
                    || what.starts_with("zmm") && level.features.ifma && case.plan.operation != Operation::INVERSE =>
            {
                done.complaints.push(format!("{}, {what}: {why}", case.title()))
            }
            Err(_) => done.without += 1,
        }
    }
    done
}

#[test]
fn every_plan_for_lanes_in_every_lane() {
    let all: Value = serde_json::from_str(PRIME_FIELDS).expect("the vectors are JSON");
    let hex = |v: &Value| {
        BigUint::parse_bytes(v.as_str().expect("a string").trim_start_matches("0x").as_bytes(), 16)
            .expect("hexadecimal digits")
    };
    let mut fields: Vec<(Field, Vec<(BigUint, BigUint, BigUint)>)> = Vec::new();
    for entry in all["fields"].as_array().expect("a list") {
        let products = entry["mul_vectors"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|v| (hex(&v[0]), hex(&v[1]), hex(&v[2])))
            .collect();
        fields.push((field(entry["modulus"].as_str().expect("a modulus")), products));
    }
    // Without vectors of their own: integers, affine maps by constants, a ring, moduli supplied at run time.
    fields.extend(
        ["int256", "int521", "dfc", "2^64 + 13", "0xfffffffffffffffffffffffffffffffffffff3", "odd256", "odd381"]
            .map(|text| (field(text), Vec::new())),
    );
    let (mut chosen, mut known) = (Vec::new(), 0);
    for (at, (field, vectors)) in fields.iter().enumerate() {
        // Digits for products of 52 bits, and for whole products, of which long ones carry in between.
        let whole = if field.bits() > 261 { 30 } else { 29 };
        for layout in [52, whole].into_iter().flat_map(|radix| lane_layouts(field, 64, radix)) {
            for operation in operations(field, &layout) {
                // Sums hold many numbers in one array: the room of arrays calls them, and tests them.
                if operation == Operation::INVERSE && !full() || operation.is_any(&[Operation::DOT, Operation::SUM]) {
                    continue;
                }
                for plan in plans(field, &layout, &operation) {
                    known += 1;
                    // By moduli supplied at run time, one in each lane, there are few kernels: all of them.
                    if full() || field.get::<OddModuli>().is_some() || (known + at).is_multiple_of(STRIDE) {
                        chosen.push((plan, vectors));
                    }
                }
            }
        }
    }
    let levels = levels("vectors in lanes");
    let each = |(at, (plan, vectors)): (usize, &(evariste_algorithms::Plan, &Vec<_>))| {
        let (cases, failures) = support::prove_plans(std::slice::from_ref(plan));
        let level = levels[at % levels.len()];
        let mut done: Vec<Done> = cases.iter().map(|case| check(case, vectors, level)).collect();
        done.push(Done { complaints: failures, ..Done::default() });
        done
    };
    let done: Vec<Done> = chosen.par_iter().enumerate().flat_map_iter(each).collect();
    let sum = |f: fn(&Done) -> usize| done.iter().map(f).sum::<usize>();
    println!(
        "{} of {known} kernels, {} functions, {} results compared; {} kinds of code that a kernel has not",
        chosen.len(),
        sum(|d| d.functions),
        sum(|d| d.results),
        sum(|d| d.without)
    );
    let complaints: Vec<String> = done.iter().flat_map(|d| d.complaints.clone()).collect();
    support::none(&complaints);
    assert!(sum(|d| d.functions) > chosen.len(), "scalar code alone");
}

/// Affine maps of several words by one key: the published values, and edges beside whole numbers.
#[test]
fn affine_maps_of_several_words() {
    let all: Value = serde_json::from_str(DFC_AFFINE).expect("the vectors are JSON");
    let hex =
        |v: &Value| u64::from_str_radix(v.as_str().expect("a string").trim_start_matches("0x"), 16).expect("a word");
    let vectors = all["vectors"].as_array().expect("a list");
    let mut sets: Vec<[u64; 3]> = vectors.iter().map(|v| ["a", "x", "b"].map(|n| hex(&v["inputs"][n]))).collect();
    let (dfc, mut rng) = (field("dfc"), Rng(0x1234_5678_9abc_def1));
    let p = BigInt::from(dfc.order());
    let word = |rng: &mut Rng| bits(&value(rng, &BigInt::from(u64::MAX), &p));
    sets.extend((0..200).map(|_| [0; 3].map(|_| word(&mut rng))));
    let layouts = lane_layouts(&dfc, 64, 52);
    let mut functions_made = 0;
    for count in [1u32, 3, 16] {
        let operation = Operation::AFFINE_EACH.with(count);
        let plans: Vec<_> = layouts.iter().flat_map(|layout| plans(&dfc, layout, &operation)).collect();
        let (cases, failures) = support::prove_plans(&plans);
        support::none(&failures);
        assert!(!cases.is_empty(), "{}", operation.name());
        let inputs: Vec<Words> = sets
            .iter()
            .map(|[a, x, b]| {
                vec![vec![*a], (0..count).map(|i| if i == count / 2 { *x } else { word(&mut rng) }).collect(), vec![*b]]
            })
            .collect();
        let right = |set: &Words| -> Vec<u64> {
            let map = |x: &u64| (BigInt::from(set[0][0]) * x + set[2][0]) % &p & BigInt::from(u64::MAX);
            set[1].iter().map(|x| bits(&map(x))).collect()
        };
        let wanted: Words = inputs.iter().map(right).collect();
        for (set, v) in wanted.iter().zip(vectors) {
            assert_eq!(set[count as usize / 2], hex(&v["outputs"]["affine"]));
        }
        for (case, level) in
            cases.iter().flat_map(|case| levels("vectors in lanes").into_iter().map(move |l| (case, l)))
        {
            for (what, callable) in functions(case, level) {
                match callable {
                    Ok((callable, lanes)) => {
                        run(&callable, lanes, &inputs, &wanted, &mut rng)
                            .unwrap_or_else(|why| panic!("{}, {what}: {why}", case.title()));
                        functions_made += 1;
                    }
                    Err(why) => assert!(!why.starts_with("NOT"), "{}, {what}: {why}", case.title()),
                }
            }
        }
    }
    assert!(functions_made >= 9, "{functions_made} functions");
}

/// The fewest operations that an operation's candidates in the layout of that name take for eight elements, and the bar.
const BARS: &[(&str, &str, &str, u32)] = &[
    ("bls12-381-fr", "mul", "montgomery-5x52", 118),
    ("bn254-fp", "mul", "montgomery-5x52", 118),
    ("bls12-381-fp", "mul", "montgomery-8x52", 286),
    ("p384", "mul", "montgomery-8x52", 286),
    ("2^255-19", "mul", "5x52", 88),
    ("2^255-19", "square", "5x52", 76),
    ("secp256k1", "mul", "5x52", 88),
    ("secp256k1", "square", "5x52", 76),
    ("p256", "mul", "montgomery-5x52", 102),
    ("p256", "add", "montgomery-5x52", 27),
    ("p256", "sub", "montgomery-5x52", 32),
    ("bn254-fp", "add", "montgomery-5x52", 24),
    ("bn254-fp", "sub", "montgomery-5x52", 29),
    ("bn254-fp", "opp", "montgomery-5x52", 24),
    ("bls12-381-fr", "add", "montgomery-5x52", 25),
    ("bls12-381-fr", "mul_montgomery_words", "montgomery-5x52", 150),
    ("bls12-381-fr", "mul_words", "montgomery-5x52", 204),
    ("bls12-381-fr", "exceeds", "montgomery-5x52", 8),
    ("bls12-381-fr", "from_words", "montgomery-5x52", 74),
    ("bls12-381-fr", "to_words", "montgomery-5x52", 105),
    ("bls12-381-fr", "to_montgomery", "montgomery-5x52", 71),
    ("bls12-381-fp", "from_words", "montgomery-8x52", 168),
    ("bls12-381-fp", "to_words", "montgomery-8x52", 220),
    ("2^255-19", "from_words", "5x52", 8),
    ("2^255-19", "to_words", "5x52", 37),
    ("2^255-19", "exceeds", "5x52", 10),
    ("bls12-381-fp", "add", "montgomery-8x52", 39),
    ("bls12-381-fp", "sub", "montgomery-8x52", 47),
    ("int192", "mul", "4x52", 53),
    ("int256", "mul", "5x52", 77),
    ("int384", "mul", "8x52", 173),
    ("int521", "mul", "11x52", 305),
    ("int1024", "mul", "20x52", 917),
    ("dfc", "affine_constant_mod_2_64", "above-2x52", 16),
    ("dfc", "affine_each_16", "above-2x52", 11 + 16 * 14),
];

#[test]
fn operations_stay_below_the_bars() {
    println!("operations  bar  kernel");
    let mut above = Vec::new();
    for (text, operation, layout, bar) in BARS {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let layout = lane_layouts(&field, 64, 52)
            .into_iter()
            .find(|l| l.name == *layout)
            .unwrap_or_else(|| panic!("{text} has no layout {layout}"));
        let operation = Operation::parse(operation).unwrap_or_else(|| panic!("no operation is {operation}"));
        let candidates = plans(&field, &layout, &operation);
        let counted = candidates.iter().filter_map(|p| {
            let Outcome::Proved(proved) = prove(&p.write().ok()?) else { return None };
            Some((lanes::operations(&lanes::graph(proved.kernel(), Features::AVX512, Width::Z).ok()?), p.name()))
        });
        let Some((count, name)) = counted.min() else { panic!("{text}: no proved kernel of {}", operation.name()) };
        println!("{count:10} {bar:4}  {text} {} {name}", operation.name());
        if count > *bar {
            above.push(format!("{text} {}: {count} operations, the bar is {bar}", operation.name()));
        }
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
}
