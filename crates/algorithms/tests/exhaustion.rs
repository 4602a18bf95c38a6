//! Every algorithm at words of 3, 4 and 5 bits, one to three digits (more where a layout of such a modulus has more),
//! judged by its contract.
//!
//! * **Moduli.** All odd p ≥ 3 of at most 8 bits and all even ones of at most 6 that have that many digits; of longer
//!   ones a choice ([`chosen`]): the least and the greatest of each bit length, those next to R/4, R/2 and 3R/4,
//!   `2^k ± c`, p ≡ ±1 modulo the word, a lowest digit of one bit, sums of few powers, and spread ones; powers of two,
//!   twice odd numbers, and odd numbers of few bits times powers of two.
//! * **Inputs.** Every combination of input numbers, digit by digit (also those digits of unsaturated numbers that no
//!   canonical value has), where there are at most 2^15 (2^20 with `EVARISTE_FULL=1`); above, each number runs through
//!   edges (near 0, p, 2p, powers of two, the bound; all digits least or greatest) and pseudo-random values, and all
//!   combinations of these are tried. Of unmasked numbers of more digit vectors than that, what is above a digit takes
//!   three values.
//! * **Aliasing.** The output over each input of its shape, on up to 2^12 combinations spread over all.
//! * **Pairs.** Under each reduction one product is tried for a field, layout and operation, another one for each and
//!   from day to day; with `EVARISTE_FULL=1` every pair. Products by themselves are those of the plain integers.
//! * Exact operations and every stated interval are checked at every step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_algorithms::recipe::Kind;
use evariste_algorithms::registry::{LANES as IN_LANES, WORDS};
use evariste_algorithms::{Operation, field_set, lane_layouts, layouts, plans, prime};
use evariste_descriptions::{Field, Integers, Modulus};
use evariste_ir::interpret::ClaimChecker;
use evariste_ir::{Array, ArrayKind, Digit, Interpreter, Kernel, Operand};
use evariste_testing::{full, reduction_of, sample};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// Combinations tried without a choice.
fn all_of() -> usize {
    if full() { 1 << 20 } else { 1 << 13 }
}
/// Combinations tried where there are more.
fn some_of() -> usize {
    if full() { 1 << 16 } else { 1 << 12 }
}
/// Combinations of kernels whose contracts are judged number by number.
const SLOW: usize = 1 << 10;
/// Combinations tried for each aliasing.
const ALIASED: usize = 1 << 12;
/// Threads.
const THREADS: usize = 2;

/// Lanes that are tried: word, bits of a digit, digits. Of three digits in words of 12 bits some are of mixed radices, and
/// digits of three bits in words of five are multiplied as floats of five; words of 16 bits have bytes.
const LANES: [(u32, u32, u32); 12] = [
    (6, 3, 1),
    (7, 3, 2),
    (7, 3, 3),
    (9, 5, 1),
    (9, 5, 2),
    (10, 3, 1),
    (10, 3, 2),
    (10, 8, 2),
    (12, 3, 3),
    (5, 3, 2),
    (16, 9, 2),
    (10, 3, 4),
];

/// Strips of columns that are wider than any toy product, where `strips-2-madd` is the same code; and products in loops
/// over blocks, which take fields of more than 48 coordinates: all pairs of basis vectors, on which they are proved,
/// are all inputs of a bilinear map; products and squares of bytes, of which `tune/tests/bytes.rs` tries every pair;
/// affine maps by half products, which take words of ten bits (`proof/tests/affine_halves.rs`);
/// inverses by division steps, which take words of seven bits, and square roots, of eight: `algorithms/tests/safegcd.rs`
/// and `roots.rs` try every element.
const LONG: [&str; 11] = [
    "tonelli-shanks",
    "euler",
    "strips-12-madd",
    "strips-13-madd",
    "strips-14-madd",
    "optimal-polynomial-rolled",
    "polynomial-rolled",
    "rijndael",
    "safegcd",
    "bit-matrix",
    "quotient-by-halves",
];

/// The values of one input number: one column a digit, all columns equally long.
struct Axis {
    columns: Vec<(Array, u32, Vec<u64>)>,
    len: usize,
}

/// Most digit vectors that are listed of columns that are added to, which are far above their radix: lower ones take
/// their edges only.
const LISTED: u64 = 1 << 10;

/// All digit vectors of a number, lowest digit first.
fn vectors(operand: &Operand) -> Vec<Vec<u64>> {
    let small = |x: &num_bigint::BigInt| x.to_u64().unwrap_or(u64::MAX);
    let bound = small(&operand.bound);
    // Of long unmasked numbers every value of each digit, and of what is above it none, all, and something in between.
    let long = operand.digits.iter().map(|d| small(&d.max) as u128 + 1).product::<u128>() > all_of() as u128;
    let columns =
        operand.digits.windows(2).any(|d| d[0].bits.is_none() && small(&d[0].max) >> (d[1].weight - d[0].weight) >= 4);
    let mut all = vec![(0u64, Vec::new())];
    for d in operand.digits.iter().rev() {
        let tried = |x: &u64| match d.bits {
            Some(k) if long => [0, small(&d.max) >> k, (x * 5 + 3) % (small(&d.max) >> k).max(1)].contains(&(x >> k)),
            _ => true,
        };
        let most = small(&d.max);
        let listed = !columns || all.len() as u64 * (most + 1) <= LISTED;
        let values: Vec<u64> = if listed { (0..=most).filter(tried).collect() } else { vec![0, most / 2, most] };
        all = all
            .into_iter()
            .flat_map(|(value, digits)| {
                // Of an unmasked digit only the low bits count.
                let counted = d.bits.map_or(u64::MAX, |k| (1 << k) - 1);
                let more = |x: &u64| {
                    let value = value + ((x & counted) << d.weight);
                    (value <= bound)
                        .then(|| (value, std::iter::once(*x).chain(digits.iter().copied()).collect::<Vec<u64>>()))
                };
                values.iter().filter_map(more).collect::<Vec<_>>()
            })
            .collect();
    }
    all.into_iter().map(|(_, digits)| digits).collect()
}

/// At most `limit` of the vectors: edges first, then pseudo-random ones.
fn some(operand: &Operand, all: Vec<Vec<u64>>, p: u64, limit: usize) -> Vec<Vec<u64>> {
    if all.len() <= limit {
        return all;
    }
    let counted = |d: &Digit| d.bits.map_or(u64::MAX, |k| (1 << k) - 1);
    let value = |v: &Vec<u64>| operand.digits.iter().zip(v).map(|(d, x)| (x & counted(d)) << d.weight).sum::<u64>();
    let top = all.iter().map(value).max().unwrap_or(0);
    let near = |x: u64, y: u64| x.abs_diff(y) <= 1;
    let is_edge = |v: &Vec<u64>| {
        let x = value(v);
        let extreme = operand.digits.iter().zip(v).all(|(d, x)| *x == 0 || Some(*x) == d.max.to_u64());
        near(x, 0)
            || near(x, p)
            || near(x, 2 * p)
            || near(x, top)
            || x.is_power_of_two()
            || (x + 1).is_power_of_two()
            || extreme
    };
    let (mut chosen, mut rest): (Vec<_>, Vec<_>) = all.into_iter().partition(is_edge);
    let mut state = p;
    while chosen.len() < limit && !rest.is_empty() {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let at = (state >> 33) as usize % rest.len();
        chosen.push(rest.swap_remove(at));
    }
    chosen.truncate(limit);
    chosen
}

impl Axis {
    fn new(operand: &Operand, vectors: Vec<Vec<u64>>) -> Axis {
        let column = |i: usize| vectors.iter().map(|v| v[i]).collect();
        let columns = operand.digits.iter().enumerate().map(|(i, d)| (d.array, d.index, column(i))).collect();
        Axis { columns, len: vectors.len() }
    }
}

/// What was tried: combinations, and whether all of them.
#[derive(Clone, Copy, Default)]
struct Tried {
    moduli: u64,
    combinations: u64,
    partly: u64,
}

/// Runs a kernel on the combinations of its axes, `step` apart.
fn run(
    kernel: &Kernel,
    interpreter: &Interpreter,
    axes: &[Axis],
    step: usize,
    alias: Option<(Array, Array)>,
) -> Result<u64, String> {
    let total: usize = axes.iter().map(|a| a.len).product();
    let count = total.div_ceil(step);
    let lanes = interpreter.block_lanes().min(count).max(1);
    let mut batch = interpreter.batch(lanes);
    if let Some((output, input)) = alias {
        batch.alias(output, input);
    }
    let mut checker = ClaimChecker::new(kernel);
    if !checker.is_fast() && total > SLOW {
        return Err(format!("{} is not of a toy size", kernel.name));
    }
    let mut column = vec![0; lanes];
    let mut tried = 0;
    for start in (0..count).step_by(lanes) {
        let mut stride = 1;
        for axis in axes {
            for (array, element, values) in &axis.columns {
                let (mut at, mut rest) = ((start * step / stride) % axis.len, start * step % stride);
                for lane in column.iter_mut() {
                    *lane = values[at];
                    rest += step;
                    // Steps of the axis: one division only when it moves by more than a place.
                    if rest >= stride {
                        at = if rest < 2 * stride { at + 1 } else { at + rest / stride };
                        rest = if rest < 2 * stride { rest - stride } else { rest % stride };
                        at = if at < axis.len { at } else { at % axis.len };
                    }
                }
                batch.write(*array, *element, &column);
            }
            stride *= axis.len;
        }
        checker.capture(&batch);
        let report = interpreter.run(&mut batch);
        let here = lanes.min(count - start);
        if let Some(lane) = checker.check(&batch, &report, here) {
            let fault =
                report.violations.first().map(ToString::to_string).unwrap_or_else(|| "a promise is broken".into());
            let mut index = (start + lane) * step;
            let inputs: Vec<String> = axes
                .iter()
                .map(|a| {
                    let at = index % a.len;
                    index /= a.len;
                    format!("{:?}", a.columns.iter().map(|c| c.2[at]).collect::<Vec<_>>())
                })
                .collect();
            return Err(format!("{fault}; input digits {}", inputs.join(" ")));
        }
        tried += (0..here).filter(|lane| checker.is_admissible(*lane)).count() as u64;
    }
    Ok(tried)
}

/// Tries one kernel: all or some combinations, then each aliasing.
fn exhaust(kernel: &Kernel, p: u64) -> Result<Tried, String> {
    let inputs = &kernel.contract.inputs;
    let all: Vec<Vec<Vec<u64>>> = inputs.iter().map(vectors).collect();
    let total = all.iter().try_fold(1usize, |n, v| n.checked_mul(v.len())).unwrap_or(usize::MAX);
    let partly = total > all_of();
    let limit = if partly {
        (1..).take_while(|x: &usize| x.pow(all.len() as u32) <= some_of()).last().unwrap_or(1)
    } else {
        usize::MAX
    };
    let chosen: Vec<Vec<Vec<u64>>> = inputs.iter().zip(all).map(|(o, v)| some(o, v, p, limit)).collect();
    let mut axes: Vec<Axis> = inputs.iter().zip(&chosen).map(|(o, v)| Axis::new(o, v.clone())).collect();
    for fact in &kernel.contract.facts {
        // The number runs along with the one that it is tied to.
        let (number, tied) = (fact.number as usize, fact.polynomial.0[0].1[0] as usize);
        let follow = |v: &Vec<u64>| {
            let mut values = vec![BigInt::from(0); inputs.len()];
            values[tied] = inputs[tied].value(&v.iter().map(|x| BigInt::from(*x)).collect::<Vec<_>>());
            let value = (fact.polynomial.evaluate(&values) % &fact.modulus).to_u64().unwrap_or(0);
            let digits = &inputs[number].digits;
            let digit = |i: usize| {
                let above = digits.get(i + 1).map_or(0, |next| value >> next.weight << next.weight);
                (value - above) >> digits[i].weight
            };
            (0..digits.len()).map(digit).collect::<Vec<u64>>()
        };
        let followed = Axis::new(&inputs[number], chosen[tied].iter().map(follow).collect());
        axes[tied].columns.extend(followed.columns);
        axes[number] = Axis { columns: Vec::new(), len: 1 };
    }
    let interpreter = Interpreter::checking_ranges(kernel);
    let mut combinations = run(kernel, &interpreter, &axes, 1, None)?;
    // Of the digits of a claim some may be ghosts.
    let output = kernel
        .params()
        .find(|a| kernel.array(*a).kind == ArrayKind::Output)
        .unwrap_or(kernel.contract.claims[0].output().digits[0].array);
    let total: usize = axes.iter().map(|a| a.len).product();
    for input in kernel.params() {
        if kernel.may_alias(output, input) {
            // An odd step meets every residue of the first axes.
            let step = (total / ALIASED) | 1;
            combinations += run(kernel, &interpreter, &axes, step, Some((output, input)))
                .map_err(|e| format!("output over {}: {e}", kernel.array(input).name))?;
        }
    }
    Ok(Tried { moduli: 1, combinations, partly: u64::from(partly) })
}

/// The moduli of `n` words of `w` bits that are tried.
fn chosen(w: u32, n: u32) -> Vec<u64> {
    let (least, most) = (1u64 << (w * (n - 1)), 1u64 << (w * n));
    let valid = |p: &u64| *p >= 3 && *p > least && *p <= most;
    let (r, word) = (most, 1u64 << w);
    let even = [2 * least, 2 * least + 2, r / 2, r, r - 2, r / 2 + 2, 3 * r / 4, r - word, 5 * r / 8 + 4, r / 2 + 6];
    if w * n <= 8 {
        let all = (least..most).filter(|p| p % 2 == 1 || w * n <= 6);
        return all.chain(even).filter(valid).collect::<BTreeSet<u64>>().into_iter().collect();
    }
    let mut all = vec![
        least + 1,
        least + 3,
        least + word - 1,
        r / 4 - 1,
        r / 4 + 1,
        r / 2 - 1,
        r / 2 + 1,
        r / 2 + word - 1,
        3 * r / 4 - 1,
        3 * r / 4 + 1,
    ];
    // Near R: c = 1, 3, 5, …; lowest digits of ones and zeros; few powers of two; spread ones.
    all.extend([r - 1, r - 3, r - 5, r - word - 1, r - word + 1, r - word / 2 - 1, r / 2 - 3, r / 2 - 5, r / 2 + 5]);
    all.extend([r / 2 + r / 8 - word - 1, r / 2 + r / 4 + r / 16 + 1, r - r / 4 + word - 1, r / 2 - word + 1]);
    all.extend((1..=4).map(|i| (i * (r - least) / 5 + least) | 1));
    all.retain(|p| p % 2 == 1);
    all.extend(even);
    all.retain(valid);
    all.sort_unstable();
    all.dedup();
    all
}

/// One job: a field at a word size, in the column of the table that it belongs to.
struct Job {
    column: String,
    word: u32,
    /// `Some(k)`: layouts for lanes with digits of k bits.
    radix: Option<u32>,
    field: Field,
}

fn jobs() -> Vec<Job> {
    let mut all = Vec::new();
    for (w, n) in [(3, 1), (4, 1), (5, 1), (3, 2), (4, 2), (5, 2), (3, 3), (4, 3), (5, 3)] {
        let column = format!("{n}x{w}");
        for p in chosen(w, n) {
            let modulus = Modulus::new(BigUint::from(p)).expect("a number of at least three");
            all.push(Job { column: column.clone(), word: w, radix: None, field: Field::new(modulus) });
        }
        let least = (w * (n - 1) + 1).max(2);
        all.extend((least..=w * n).map(|bits| Job {
            column: column.clone(),
            word: w,
            radix: None,
            field: Field::new(Integers { bits }),
        }));
    }
    // Lanes: words with room for the sums of products of digits.
    for (w, radix, n) in LANES {
        let column = format!("{n}x{radix}/{w}");
        // Of the longest only those just above a word, for affine maps by constants, or some that are not near a power
        // of two, for bytes.
        let moduli = match (w, radix, n) {
            (10, 8, _) | (10, 3, 4) => [1u64, 3, 5, 7, 9, 15].map(|c| (1 << w) + c).to_vec(),
            (16, 9, _) => vec![157, 345, 421, 691],
            _ => chosen(radix, n),
        };
        for p in moduli {
            let modulus = Modulus::new(BigUint::from(p)).expect("a number of at least three");
            all.push(Job { column: column.clone(), word: w, radix: Some(radix), field: Field::new(modulus) });
        }
        let least = (radix * (n - 1) + 1).max(2);
        all.extend((least..=radix * n).filter(|_| radix < 8).map(|bits| Job {
            column: column.clone(),
            word: w,
            radix: Some(radix),
            field: Field::new(Integers { bits }),
        }));
    }
    for m in [2, 3, 5, 6, 9] {
        let field = Field::parse(&format!("GF(2^{m}):onb2")).expect("a degree with this basis");
        all.push(Job { column: "bits".into(), word: 1, radix: None, field });
    }
    for (text, word) in [
        ("GF(2^3)", 1),
        ("GF(2^5)", 1),
        ("GF(2^3)", 2),
        ("GF(2^5)", 3),
        ("GF(2^5):onb2", 8),
        ("GF(2^4):onb1", 1),
        ("GF(2^7):gnb4", 1),
    ] {
        let field = Field::parse(text).expect("a field");
        all.push(Job { column: "bits".into(), word, radix: None, field });
    }
    // Of numbers of three digits most moduli are alike: a third of them by default, and all of each other length.
    let long = |j: &Job| j.word > 1 && j.field.bits() > 2 * j.radix.unwrap_or(j.word);
    let (drawn, mut all): (Vec<Job>, Vec<Job>) = all.into_iter().partition(long);
    all.extend(sample("moduli of three digits", drawn, 3, |j| (j.column.clone(), j.field.get::<Modulus>().is_some())));
    // Long jobs first, so that the threads end together.
    all.sort_by_key(|j| std::cmp::Reverse(j.field.bits()));
    all
}

/// Operations of three and more operands, or of operands far above the modulus: by default at every eighth modulus of
/// up to six bits, at all with `EVARISTE_FULL=1`.
fn is_long(op: &Operation) -> bool {
    op.is_any(&[
        Operation::MUL_ADD,
        Operation::DOT,
        Operation::SUM,
        Operation::MUL_WORDS,
        Operation::MUL_MONTGOMERY_WORDS,
        Operation::EXCEEDS,
        Operation::ADD_ADD,
    ])
}

/// The rows of a field: operation and algorithm, with what was tried.
type Rows = BTreeMap<(String, String), Tried>;

fn try_field(job: &Job) -> Result<Rows, String> {
    let mut rows = Rows::new();
    let p = job.field.order().to_u64().unwrap_or(u64::MAX);
    let layouts = match job.radix {
        Some(radix) => lane_layouts(&job.field, job.word, radix),
        None => layouts(&job.field, job.word),
    };
    for layout in layouts {
        let mut operations = field_set::operations(&job.field, &layout);
        if job.radix.is_some() {
            operations.extend([Operation::MUL_WIDE, Operation::SQUARE_WIDE, Operation::REDUCE]);
        }
        operations.push(Operation::ADD_ADD);
        if operations.contains(&Operation::SUB) {
            operations.extend([1u32, 2, 5, 23].map(|e| Operation::POWER.with(e)));
            operations.extend((1..job.field.bits()).step_by(2).map(|k| Operation::AFFINE_MOD.with(k)));
        }
        for operation in operations {
            if is_long(&operation) && !full() && (job.field.bits() > 6 || p / 2 % 8 != 1) {
                continue;
            }
            let name = match operation.row().name {
                "pow_HEX" => "pow".to_string(),
                "affine_constant_mod_2_K" => "affine constant".to_string(),
                "affine_mod_2_K" => "affine mod 2^k".to_string(),
                _ => operation.name(),
            };
            let what = format!("{} {} {name}", job.field.text(), layout.name);
            let pairs = plans(&job.field, &layout, &operation);
            for plan in sample(&what, pairs, usize::MAX, |plan| reduction_of(&plan.algorithm).to_string()) {
                let at = |e: String| {
                    format!("{} at {} bits, {} {}: {e}", job.field.text(), job.word, operation.name(), plan.name())
                };
                let kernel = match plan.write() {
                    Ok(kernel) => kernel,
                    // Some combinations apply by their shape and find too little room at a toy size: counted as a row
                    // without moduli.
                    Err(_) => {
                        rows.entry((name.clone(), plan.algorithm.clone())).or_default();
                        continue;
                    }
                };
                if let Err(defects) = evariste_ir::verify(&kernel) {
                    return Err(at(format!("not a well-formed kernel: {}", defects[0])));
                }
                let tried = exhaust(&kernel, p).map_err(at)?;
                let row = rows.entry((name.clone(), plan.algorithm.clone())).or_default();
                // A modulus counts once, in however many layouts.
                row.moduli = 1;
                row.combinations += tried.combinations;
                row.partly |= tried.partly;
            }
        }
    }
    Ok(rows)
}

fn short(x: u64) -> String {
    match x {
        0..1_000 => x.to_string(),
        1_000..1_000_000 => format!("{}k", x / 1_000),
        _ => format!("{}M", x / 1_000_000),
    }
}

/// The table of a list of jobs; every one of `names` must have been tried.
fn try_all(jobs: Vec<Job>, names: Vec<&str>) {
    let next = AtomicUsize::new(0);
    let table: Mutex<BTreeMap<(String, String), BTreeMap<String, Tried>>> = Mutex::default();
    let failures: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match try_field(job) {
                        Err(e) => failures.lock().expect("no panic").push(e),
                        Ok(rows) => {
                            let mut table = table.lock().expect("no panic");
                            for (row, tried) in rows {
                                let cell = table.entry(row).or_default().entry(job.column.clone()).or_default();
                                cell.moduli += tried.moduli;
                                cell.combinations += tried.combinations;
                                cell.partly += tried.partly;
                            }
                        }
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no panic");
    failures.sort();
    let table = table.into_inner().expect("no panic");
    print_table(&table);
    assert!(failures.is_empty(), "{} fields failed:\n{}", failures.len(), failures.join("\n"));
    // Every line of the registry was tried, and every named method of its name appears.
    let tried: Vec<&str> = table
        .iter()
        .filter(|(_, cells)| cells.values().any(|c| c.combinations > 0))
        .flat_map(|((_, algorithm), _)| algorithm.split('+'))
        .collect();
    let missing: Vec<&str> = names.into_iter().filter(|n| !tried.contains(n)).collect();
    assert!(missing.is_empty(), "never tried: {missing:?}");
}

#[test]
fn every_algorithm_at_toy_sizes() {
    let lines = WORDS.iter().flat_map(|folder| folder.iter());
    let carryless = |kind| matches!(kind, Kind::CarrylessProduct | Kind::CarrylessReduction);
    let names = lines.filter(|r| !carryless(r.kind())).map(|r| r.name());
    let names = names.filter(|n| !LONG.contains(n) && *n != prime::is_zero::CANONICAL_OR.name);
    try_all(jobs().into_iter().filter(|j| j.radix.is_none()).collect(), names.collect());
}

#[test]
fn every_algorithm_for_lanes_at_toy_sizes() {
    let lines = IN_LANES.iter().flat_map(|folder| folder.iter()).map(|r| r.name());
    let composites = [prime::inverse::ADDITION_CHAIN.name, prime::is_zero::CANONICAL_OR.name];
    let names = lines.chain(composites).filter(|n| !LONG.contains(n));
    try_all(jobs().into_iter().filter(|j| j.radix.is_some()).collect(), names.collect());
}

/// Rows: operation and algorithm. Columns: digits x word bits; a cell holds moduli (or degrees) and combinations, `~`
/// where some moduli had only a choice of these.
fn print_table(table: &BTreeMap<(String, String), BTreeMap<String, Tried>>) {
    let columns = ["1x3", "2x3", "3x3", "1x4", "2x4", "3x4", "1x5", "2x5", "3x5", "bits"].map(String::from).into_iter();
    let columns: Vec<String> = columns.chain(LANES.iter().map(|(w, radix, n)| format!("{n}x{radix}/{w}"))).collect();
    print!("{:<58}", "operation algorithm: moduli/combinations");
    println!("{}", columns.iter().map(|c| format!("{c:>11}")).collect::<String>());
    let mut total = 0;
    for ((operation, algorithm), cells) in table {
        print!("{:<58}", format!("{operation} {algorithm}"));
        for column in &columns {
            let text = cells.get(column).map_or("-".to_string(), |c| {
                format!("{}{}/{}", if c.partly > 0 { "~" } else { "" }, c.moduli, short(c.combinations))
            });
            print!("{text:>11}");
        }
        println!();
        total += cells.values().map(|c| c.combinations).sum::<u64>();
    }
    println!("{} rows, {total} combinations of inputs", table.len());
}
