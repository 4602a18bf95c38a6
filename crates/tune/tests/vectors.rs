//! The shared vectors (`vectors/` at the root) through every proved plan: by the interpreter, and by C compiled by gcc
//! and by clang.
//!
//! By default one product stands before each reduction, C is compiled with `-O1`, not every plan of every field by every
//! compiler ([`is_compiled`]), and of the normal bases one half is taken; what is drawn changes from day to day.
//! `EVARISTE_FULL=1` takes them all, compiles each plan once, compilers and flags by turns (`-O0 -O1 -O2 -O3`, and `-O1`
//! with `-DEVARISTE_VERIFY`), and bases in all these ways; of those above [`LONG`] bits each compiler has one way.

use crate::support;

use crate::support::{
    Case, Form, cases, check_compiled, compilers, field, flag_sets, full, interpret, light_sets, run_compiled,
    sampled_cases,
};
use evariste_algorithms::Operation;
use evariste_backend::Made;
use evariste_descriptions::Modulus;
use evariste_ir::Interpreter;
use evariste_run::Buffer;
use evariste_testing::{sample, turn};
use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;
use serde_json::Value;

const PRIME_FIELDS: &str = include_str!("../../../vectors/prime-fields.json");
const DFC_AFFINE: &str = include_str!("../../../vectors/dfc-affine.json");
const GNB_PRODUCTS: &str = include_str!("../../../vectors/gnb-products.json");

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the vectors are JSON")
}

fn list(v: &Value) -> &[Value] {
    v.as_array().expect("a list")
}

/// A number in hexadecimal digits, with or without `0x`.
fn hex(v: &Value) -> BigUint {
    let text = v.as_str().expect("a string");
    BigUint::parse_bytes(text.trim_start_matches("0x").as_bytes(), 16).expect("hexadecimal digits")
}

/// Operands and the result, plain numbers.
type Vector = (Vec<BigUint>, BigUint);

/// Is this the case's turn for a compiler? In a default run each plan is compiled by each compiler for one field in
/// [`STRIDE`]; where no field is given, always.
fn is_compiled(at: Option<usize>, case: usize, compiler: usize) -> bool {
    full() || at.is_none_or(|at| turn(at + case + compiler * STRIDE / 2, STRIDE) == 0)
}

/// One plan in that many is compiled by a compiler in a default run.
const STRIDE: usize = 64;

/// Results, taken out of the case's layout, beside the vectors'.
fn compare(case: &Case, vectors: &[Vector], results: &[BigInt]) -> Vec<String> {
    let form = Form::new(&case.plan.field, &case.plan.layout).expect("a prime");
    let low_bits = case.plan.operation.small_number_of(&Operation::AFFINE_MOD);
    let mut complaints = Vec::new();
    assert_eq!(vectors.len(), results.len());
    for ((x, right), result) in vectors.iter().zip(results) {
        let plain = match low_bits {
            Some(k) => result.magnitude() % (BigUint::from(1u32) << k),
            None => form.plain(result),
        };
        let bound = &case.kernel().contract.claims[0].output().bound;
        if plain != *right || result > bound {
            complaints.push(format!(
                "{}: {x:x?} gives {plain:x}, not {right:x} (held as {result:x}, at most {bound:x})",
                case.title()
            ));
        }
    }
    complaints
}

/// All cases on their vectors: interpreted, then compiled. Gives the number of results that were compared.
fn check(cases: &[Case], vectors: impl Fn(&Case) -> Vec<Vector> + Sync, at: Option<usize>) -> (usize, Vec<String>) {
    let operands = |case: &Case| -> Vec<Vec<BigInt>> {
        let form = Form::new(&case.plan.field, &case.plan.layout).expect("a prime");
        vectors(case).iter().map(|(x, _)| x.iter().map(|x| form.into_layout(x)).collect()).collect()
    };
    let interpreted = |case: &Case| {
        interpret(&Interpreter::checking_ranges(case.kernel()), &operands(case))
            .map_or_else(|e| vec![format!("{}: {e}", case.title())], |r| compare(case, &vectors(case), &r))
    };
    let mut complaints: Vec<String> = cases.par_iter().flat_map(interpreted).collect();
    let mut compared: usize = cases.iter().map(|c| vectors(c).len()).sum();
    let (compilers, sets) = (compilers("vectors"), flag_sets());
    let ways = compilers.len() * sets.len();
    for (k, compiler) in compilers.iter().enumerate() {
        for (j, flags) in sets.iter().enumerate() {
            // In a full run each plan of a field goes one way, by turns.
            let turn = |i: usize| !full() || at.is_none_or(|at| (at + i) % ways == k * sets.len() + j);
            let is_chosen = |i: usize| is_compiled(at, i, k) && turn(i);
            let chosen: Vec<&Case> = cases.iter().enumerate().filter(|(i, _)| is_chosen(*i)).map(|(_, c)| c).collect();
            complaints.extend(check_compiled(&chosen, compiler, flags, |case, compiled: &Made| {
                let results: Vec<BigInt> =
                    operands(case).iter().map(|x| run_compiled(case.kernel(), compiled, x)).collect();
                compare(case, &vectors(case), &results)
            }));
            compared += chosen.iter().map(|c| vectors(c).len()).sum::<usize>();
        }
    }
    (compared, complaints)
}

#[test]
fn prime_fields() {
    let mut complaints = Vec::new();
    let (mut fields, mut plans, mut compared) = (0, 0, 0);
    let all = json(PRIME_FIELDS);
    // A third of the fields by default, shorter and longer ones.
    let is_long = |entry: &&Value| entry["modulus"].as_str().is_some_and(|m| m.len() > 66);
    let drawn = sample("prime fields", list(&all["fields"]).iter().collect(), 3, is_long);
    for (at, entry) in drawn.into_iter().enumerate() {
        let name = entry["name"].as_str().expect("a name");
        let field = field(entry["modulus"].as_str().expect("a modulus"));
        let Some(m) = field.get::<Modulus>() else { panic!("{name} is not a modulus") };
        assert!(m.prime, "{name}");
        let products: Vec<Vector> =
            list(&entry["mul_vectors"]).iter().map(|v| (vec![hex(&v[0]), hex(&v[1])], hex(&v[2]))).collect();
        assert!(products.len() >= 8, "{name}");
        // The squares among the vectors, and those of their other operands.
        let squares: Vec<Vector> = products
            .iter()
            .map(|(x, right)| (vec![x[0].clone()], if x[0] == x[1] { right.clone() } else { &x[0] * &x[0] % &m.value }))
            .collect();
        let start = std::time::Instant::now();
        let cases = sampled_cases(&field, &[64, 32], &[Operation::MUL, Operation::SQUARE]);
        let proved = start.elapsed().as_secs_f64();
        let (n, wrong) = check(
            &cases,
            |case| if case.plan.operation == Operation::MUL { products.clone() } else { squares.clone() },
            Some(at),
        );
        println!(
            "{name:<16} {:>4} plans, {n:>6} results, proved in {proved:.1} s, run in {:.1} s",
            cases.len(),
            start.elapsed().as_secs_f64() - proved
        );
        (fields, plans, compared) = (fields + 1, plans + cases.len(), compared + n);
        complaints.extend(wrong);
    }
    println!("{fields} fields, {plans} plans, {compared} results compared");
    support::none(&complaints);
}

#[test]
fn affine_maps_of_dfc() {
    let dfc = field("dfc");
    let operations = [Operation::AFFINE, Operation::AFFINE_MOD.with(64u32)];
    let cases = cases(&dfc, &[64, 32], &operations);
    assert!(
        cases.iter().any(|c| c.plan.operation == operations[1])
            && cases.iter().any(|c| c.plan.operation == operations[0])
    );
    let Some(m) = dfc.get::<Modulus>() else { panic!("dfc is not a modulus") };
    let all = json(DFC_AFFINE);
    let vectors: Vec<(Vec<BigUint>, BigUint)> = list(&all["vectors"])
        .iter()
        .map(|v| (["a", "x", "b"].map(|n| hex(&v["inputs"][n])).to_vec(), hex(&v["outputs"]["affine"])))
        .collect();
    assert_eq!(vectors.len(), 143);
    // Before truncation the vector gives the low 64 bits; what is above them is one bit.
    let whole = |x: &[BigUint], low: &BigUint| {
        let right = (&x[0] * &x[1] + &x[2]) % &m.value;
        assert_eq!(&right % (BigUint::from(1u32) << 64), *low, "the vector {x:x?}");
        right
    };
    let wanted = |case: &Case| match case.plan.operation.row().name {
        "affine_mod_2_K" => vectors.clone(),
        _ => vectors.iter().map(|(x, low)| (x.clone(), whole(x, low))).collect(),
    };
    // By default each is compiled by one of the compilers, in turns.
    let (compared, complaints) = check(&cases, wanted, if full() { None } else { Some(0) });
    println!("{} plans, {compared} results compared", cases.len());
    support::none(&complaints);
}

/// Calls of a compiled one-bit kernel on pairs of operands, so many pairs a call.
fn run_lanes(compiled: &Made, degree: usize, lanes: usize, pairs: &[(BigUint, BigUint, BigUint)]) -> Vec<BigUint> {
    pairs.chunks(lanes).flat_map(|pairs| call_lanes(compiled, degree, lanes / 8, pairs)).collect()
}

/// One call, whose words have so many bytes.
fn call_lanes(compiled: &Made, degree: usize, size: usize, pairs: &[(BigUint, BigUint, BigUint)]) -> Vec<BigUint> {
    let arguments = compiled.function.arguments();
    let transposed = |number: &dyn Fn(&(BigUint, BigUint, BigUint)) -> BigUint, bytes: usize| {
        let word = |bit: usize| {
            pairs.iter().enumerate().fold(0u64, |w, (lane, p)| w | u64::from(number(p).bit(bit as u64)) << lane)
        };
        let mut content: Vec<u8> = (0..degree).flat_map(|bit| word(bit).to_le_bytes()[..size].to_vec()).collect();
        content.resize(bytes, 0);
        Buffer::from_bytes(&content)
    };
    let mut inputs =
        [transposed(&|p| p.0.clone(), arguments[1].bytes), transposed(&|p| p.1.clone(), arguments[1].bytes)]
            .into_iter();
    let written = arguments.iter().position(|a| a.role == evariste_run::Role::Output).expect("an output");
    let mut buffers: Vec<Buffer> = arguments
        .iter()
        .map(|a| {
            if a.role == evariste_run::Role::Output {
                Buffer::zeroed(a.bytes)
            } else {
                inputs.next().expect("two operands")
            }
        })
        .collect();
    compiled.function.call(&mut buffers).expect("it runs");
    let bytes = buffers[written].bytes();
    let bit = |i: usize, lane: usize| bytes[i * size + lane / 8] >> (lane % 8) & 1;
    let number = |lane: usize| (0..degree).fold(BigUint::default(), |n, i| n | BigUint::from(bit(i, lane)) << i);
    (0..pairs.len()).map(number).collect()
}

/// Words of bit-sliced C, with the flag that chooses them.
const LANES: [(usize, &str); 4] =
    [(64, "-DEVARISTE_LANES=64"), (32, "-DEVARISTE_LANES=32"), (16, "-DEVARISTE_LANES=16"), (8, "-DEVARISTE_LANES=8")];

/// Kernels of longer bases take compilers minutes.
const LONG: usize = 40;

/// The degree of a basis, where it is of type 2, odd and not too long.
fn degree(basis: &Value) -> Option<usize> {
    let m = basis["m"].as_u64().expect("a degree") as usize;
    (basis["type"] == 2 && !m.is_multiple_of(2) && m <= 131).then_some(m)
}

/// The vectors of one basis through interpreter and compilers; the degree, where the basis is of type 2 and not too
/// long. In a default run, and of bases longer than [`LONG`], each compiler has words of one length for it, by turns, and
/// kernels in whole words have 64 bits and one other length.
fn normal_basis(at: usize, basis: &Value) -> Option<usize> {
    let m = degree(basis)?;
    let all = full() && m <= LONG;
    // The unrolled kernels are long: to optimise them takes most of the time.
    let flags = match (all, full()) {
        (true, _) => flag_sets(),
        (_, true) => light_sets(),
        _ => vec![&["-O0"][..]],
    };
    let field = field(&format!("GF(2^{m}):onb2"));
    let given = list(&basis["cases"]).iter().map(|c| (hex(&c["a"]), hex(&c["b"]), hex(&c["product"])));
    // A lane for each vector and for each with its operands swapped.
    let vectors: Vec<(BigUint, BigUint, BigUint)> =
        given.flat_map(|(a, b, c)| [(a.clone(), b.clone(), c.clone()), (b, a, c)]).collect();
    assert!((8..=64).contains(&vectors.len()));
    let cases = if all {
        cases(&field, &[64, 32, 16, 8], &[Operation::MUL])
    } else {
        cases(&field, &[64, [32, 16, 8][at % 3]], &[Operation::MUL])
    };
    let names: Vec<&str> = cases.iter().map(|c| c.plan.algorithm.as_str()).collect();
    assert!(["aesmpo", "aesmpo-unrolled"].iter().all(|n| names.contains(n)), "m = {m}: {names:?}");
    let operands: Vec<Vec<BigInt>> = vectors.iter().map(|(a, b, _)| vec![a.clone().into(), b.clone().into()]).collect();
    let wrong = |case: &Case, results: &[BigUint]| -> Vec<String> {
        let wrong = vectors.iter().zip(results).filter(|((_, _, right), result)| right != *result);
        wrong
            .map(|((a, b, right), result)| format!("{}: {a:x}·{b:x} gives {result:x}, not {right:x}", case.title()))
            .collect()
    };
    let numbers = |results: Vec<BigInt>| results.into_iter().map(|x| x.magnitude().clone()).collect::<Vec<BigUint>>();
    let mut complaints = Vec::new();
    for case in &cases {
        complaints.extend(wrong(
            case,
            &numbers(interpret(&Interpreter::checking_ranges(case.kernel()), &operands).expect("no fault")),
        ));
    }
    let (sliced, whole): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|c| c.plan.layout.word == 1);
    for (k, compiler) in compilers("normal bases").iter().enumerate() {
        // Of long kernels each compiler optimises in one way, by turns.
        let turn = |i: usize| m <= LONG || i == (at + k) % flags.len();
        for flags in flags.iter().enumerate().filter(|(i, _)| turn(*i)).map(|(_, flags)| flags) {
            for (lanes, flag) in
                LANES.into_iter().enumerate().filter(|(i, _)| all || (at + k) % LANES.len() == *i).map(|(_, l)| l)
            {
                let flags: Vec<&str> = flags.iter().copied().chain([flag]).collect();
                complaints.extend(check_compiled(&sliced, compiler, &flags, |case, compiled| {
                    wrong(case, &run_lanes(compiled, m, lanes, &vectors))
                }));
            }
            complaints.extend(check_compiled(&whole, compiler, flags, |case, compiled| {
                wrong(case, &numbers(operands.iter().map(|x| run_compiled(case.kernel(), compiled, x)).collect()))
            }));
        }
    }
    support::none(&complaints);
    Some(m)
}

#[test]
fn normal_bases() {
    let all = json(GNB_PRODUCTS);
    // Degrees that are not too long, a quarter of them by default.
    let bases: Vec<&Value> = list(&all["bases"]).iter().filter(|basis| degree(basis).is_some()).collect();
    assert!(bases.len() >= 9 && bases.iter().any(|basis| degree(basis) == Some(131)), "{} bases", bases.len());
    let drawn = sample("normal bases", bases, 4, |basis| degree(basis).is_some_and(|m| m > 64));
    let degrees: Vec<usize> = drawn.par_iter().enumerate().filter_map(|(at, basis)| normal_basis(at, basis)).collect();
    println!("degrees {degrees:?}");
}
