//! Lanes of 32 bits: the operations of small primes on vectors, proved, checked, called, and equal to the interpreter
//! in every lane; mutants of them refused or right.

use crate::common::{Judged, Rng, Vectors, lane_mutants};
use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, lane_layouts, plans};
use evariste_codegen::check::{check, check_kernel};
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Features, Program, Width};
use evariste_descriptions::Field;
use evariste_ir::Kernel;
use evariste_proof::{Outcome, prove};
use evariste_testing::machine::Callable;

/// Products, sums, choice and forms.
const OPERATIONS: &[Operation] = evariste_algorithms::operation::OPERATIONS.split_at(9).0;

/// A shape of several groups in a loop, and one of a single group.
fn shapes(width: Width) -> [Shape; 2] {
    [
        Shape {
            width,
            groups: 3,
            iterations: 2,
            active: 2,
            reserve: 3,
            fold: true,
            source: false,
            lag: 0,
            rolled: false,
        },
        Shape::single(width),
    ]
}

/// The proved kernels of one word of 32 bits for these operations, by name.
fn kernels(field: &str, operations: &[Operation]) -> Vec<(String, Kernel)> {
    kernels_of(field, operations, 32)
}

/// Kernels of layouts of one word of so many bits.
fn kernels_of(field: &str, operations: &[Operation], word: u32) -> Vec<(String, Kernel)> {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e}"));
    let mut all = Vec::new();
    for layout in layouts(&field, word).iter().filter(|l| l.digits() == 1 && l.saturated()) {
        for operation in operations {
            for plan in plans(&field, layout, operation) {
                let Ok(kernel) = plan.write() else { continue };
                let name = format!("{} {} {}", field.name(), operation.name(), plan.name());
                match prove(&kernel) {
                    Outcome::Proved(proved) => all.push((name, proved.kernel().clone())),
                    _ => panic!("{name} is not proved"),
                }
            }
        }
    }
    all
}

/// Programs that were made, that ran, that have no form, and what the checker says of those that it does not recognise.
#[derive(Default)]
struct Tally {
    made: usize,
    ran: usize,
    without: usize,
    refused: Vec<String>,
}

impl Tally {
    /// Makes, checks, runs a kernel in all shapes of a width, an element in so many bytes. `SHOW=part of a name` prints
    /// what has no form or is not recognised.
    fn run(&mut self, name: &str, kernel: &Kernel, width: Width, features: Features, bytes: u32, rng: &mut Rng) {
        let shown = std::env::var("SHOW").is_ok_and(|wanted| name.contains(&wanted));
        for shape in shapes(width) {
            let program = match lanes::compile_kernel(kernel, features, shape) {
                Ok(program) => program,
                Err(e) => {
                    self.without += 1;
                    if shown {
                        println!("{name} {shape}: {e}");
                    }
                    continue;
                }
            };
            self.made += 1;
            assert_eq!(program.lanes.count, width.bytes() / bytes, "{name}");
            let checked = match check_kernel(kernel, &program) {
                Ok(checked) => checked,
                Err(e) => {
                    if shown && shape.groups == 1 {
                        println!("{name}: {e}\n{kernel}\n{program}");
                    }
                    self.refused.push(format!("{name} {shape}: {e}"));
                    continue;
                }
            };
            let vectors = Vectors::new(kernel, &program, rng, 100);
            vectors.judge(checked, &program).unwrap_or_else(|e| panic!("{name} {shape}: {e}\n{program}"));
            self.ran += 1;
        }
    }

    fn print(self, what: &str) -> Tally {
        println!(
            "{} programs of {what}, {} ran; {} have no form; the checker did not recognise {}",
            self.made,
            self.ran,
            self.without,
            self.refused.len()
        );
        self.refused.iter().for_each(|line| println!("{line}"));
        self
    }
}

#[test]
fn small_primes() {
    let mut rng = Rng(0x1f83_d9ab_fb41_bd6b);
    let fields: &[&str] = if std::env::var_os("EVARISTE_FULL").is_some() {
        &["babybear", "koalabear", "mersenne31", "4294967291", "1000003", "2^32-2^20+1", "7"]
    } else {
        &["babybear", "mersenne31"]
    };
    let mut tally = Tally::default();
    for field in fields {
        for (name, kernel) in kernels(field, OPERATIONS) {
            for width in [Width::Z, Width::Y] {
                tally.run(&name, &kernel, width, Features::AVX512, 4, &mut rng);
            }
        }
    }
    let Tally { made, mut refused, .. } = tally.print("32-bit lanes");
    assert!(made > 100, "{made} programs were made");
    // What the checker does not follow yet: some sums of three words of which every bit counts, of primes above 2^31;
    // without mask registers, carries of such sums by comparison of signed words; with them, carries of two words and 1
    // where bits above those of a Mersenne prime were set. Nothing else.
    let three_words = |line: &String| {
        line.starts_with("2^32-")
            || ["mersenne31 ", "7 "].iter().any(|prime| line.starts_with(prime))
                && line.contains(" zmm ")
                && line.contains("fold-ceiling")
            || line.contains(" ymm ") && ["barrett", "cios-merge", "sos-merge"].iter().any(|name| line.contains(name))
    };
    refused.retain(|line| !three_words(line));
    assert!(refused.is_empty(), "not recognised:\n{}", refused.join("\n"));
}

/// Roots multiply constants by constants: what the compiler computes of them is what lanes of 32 bits would. In the
/// emulator, since the checker does not follow such roots on vectors without mask registers.
#[test]
fn roots_of_small_primes() {
    let mut rng = Rng(0x3c6e_f372_fe94_f82b);
    let (mut ran, mut refused) = (0, Vec::new());
    let fields: &[&str] = if std::env::var_os("EVARISTE_FULL").is_some() { &["97", "babybear"] } else { &["97"] };
    for field in fields {
        for (name, kernel) in kernels(field, &[Operation::SQRT]) {
            for features in [Features::AVX512, Features::AVX2] {
                let program = lanes::compile_kernel(&kernel, features, Shape::single(Width::Y)).unwrap();
                let vectors = Vectors::new(&kernel, &program, &mut rng, 32);
                let emulated = Callable::emulated(&program).unwrap();
                vectors
                    .compare(&emulated, program.lanes, usize::MAX)
                    .unwrap_or_else(|e| panic!("{name}: {e}\n{program}"));
                ran += 1;
                refused.extend(check_kernel(&kernel, &program).err().map(|e| format!("{name}: {e}")));
            }
        }
    }
    println!("{ran} programs ran; not recognised:\n{}", refused.join("\n"));
    assert!(refused.len() < ran && refused.iter().all(|line| line.ends_with("a coefficient leaves 126 bits")));
}

/// Primes of `long_words` below 2^63.
const BELOW_2_63: [&str; 3] = ["mersenne61 ", "2^63-25 ", "2^62-57 "];

/// Whole words of 64 bits in lanes: products of four halves.
#[test]
fn long_words() {
    let mut rng = Rng(0x510e_527f_ade6_82d1);
    let fields: &[&str] = if std::env::var_os("EVARISTE_FULL").is_some() {
        &["goldilocks", "mersenne61", "2^64-59", "2^64-257", "2^63-25", "2^62-57", "odd64"]
    } else {
        &["goldilocks", "mersenne61"]
    };
    let mut tally = Tally::default();
    for field in fields {
        let full = std::env::var_os("EVARISTE_FULL").is_some();
        // Schedules of one word are much alike, and products by doubles the same operations as anywhere: a choice of
        // them, all with EVARISTE_FULL=1.
        let chosen = |(i, (name, _)): &(usize, (String, Kernel))| {
            full || name.contains("comba+") || !name.contains("float") && i % 6 == 0
        };
        for (name, kernel) in
            kernels_of(field, OPERATIONS, 64).into_iter().enumerate().filter(chosen).map(|(_, kernel)| kernel)
        {
            for (width, features) in [(Width::Z, Features::AVX512), (Width::Y, Features::AVX2)] {
                tally.run(&name, &kernel, width, features, 8, &mut rng);
            }
        }
    }
    let Tally { made, mut refused, .. } = tally.print("64-bit words in lanes");
    assert!(made > 100 && refused.len() * 12 <= made, "{} of {made} not recognised", refused.len());
    // Known: a borrow of two words of which one was chosen by another borrow, a sum that is merged with its reduction,
    // carries of two words and 1 where bits above those of a Mersenne prime were set, and without mask registers products
    // by doubles of primes below 2^63.
    refused.retain(|line| {
        !(line.contains("barrett/1x64") && line.contains("ymm")
            || line.contains("montgomery-cios-merge") && line.contains("zmm")
            || line.starts_with("mersenne61") && line.contains("fold-ceiling") && line.contains("zmm")
            || line.contains("float-")
                && line.contains("ymm")
                && BELOW_2_63.iter().any(|prime| line.starts_with(prime)))
    });
    assert!(refused.is_empty(), "not recognised:\n{}", refused.join("\n"));
}

/// Words of 32 bits in lanes of 64, where borrows are signs: without mask registers.
#[test]
fn borrows_that_are_signs() {
    let (mut made, mut refused) = (0, Vec::new());
    let fields = ["goldilocks"];
    for field in fields {
        let field = Field::parse(field).unwrap_or_else(|e| panic!("{e}"));
        for layout in layouts(&field, 32) {
            for operation in OPERATIONS {
                for plan in plans(&field, &layout, operation) {
                    let Ok(kernel) = plan.write() else { continue };
                    let Outcome::Proved(proved) = prove(&kernel) else { continue };
                    let Ok(program) = lanes::compile(&proved, Features::AVX2, Shape::single(Width::Y)) else {
                        continue;
                    };
                    made += 1;
                    if let Err(e) = check(&proved, &program) {
                        refused.push(format!("{} {} {}: {e}", field.name(), operation.name(), plan.name()));
                    }
                }
            }
        }
    }
    println!("{made} programs of 256 bits, {} not recognised", refused.len());
    for line in &refused {
        println!("{line}");
    }
    assert!(made > 20 && refused.len() * 4 <= made, "{} of {made} not recognised", refused.len());
}

/// Is the product of babybear what it should be: no more than 11 slots of the ports, no multiplication of all lanes at
/// once?
#[test]
fn operations_of_a_product() {
    let all = kernels("babybear", &[Operation::MUL]);
    let operations = |name: &str| {
        let (_, kernel) = all.iter().find(|(n, _)| n.contains(name)).unwrap_or_else(|| panic!("no {name}"));
        let graph = lanes::graph(kernel, Features::AVX512, Width::Z).unwrap_or_else(|e| panic!("{e}"));
        lanes::operations(&graph)
    };
    assert_eq!(operations("comba+montgomery-difference"), 11);
}

/// A product of words of 64 bits takes 16 operations (four products of halves among them), the fold of Goldilocks eight
/// more.
#[test]
fn operations_of_a_long_product() {
    for (field, operation, name, wanted) in [
        ("goldilocks", Operation::MUL, "comba+fold-half/1x64-redundant", 24),
        ("goldilocks", Operation::ADD, "fold/1x64-redundant", 5),
        ("mersenne61", Operation::MUL, "comba+fold/1x64", 22),
    ] {
        let all = kernels_of(field, &[operation], 64);
        let (_, kernel) = all.iter().find(|(n, _)| n.ends_with(name)).unwrap_or_else(|| panic!("no {name}"));
        let graph = lanes::graph(kernel, Features::AVX512, Width::Z).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(lanes::operations(&graph), wanted, "{field} {name}");
    }
}

/// The fewest operations that a product of four elements takes on AVX2, of digits of 29 bits in columns.
#[test]
fn operations_of_columns() {
    for (text, wanted) in [("p256", 267), ("bls12-381-fr", 357), ("secp256k1", 240), ("2^255 - 19", 217)] {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let layouts = lane_layouts(&field, 64, 29);
        let all = layouts.iter().flat_map(|layout| plans(&field, layout, &Operation::MUL));
        let count = |plan: evariste_algorithms::Plan| {
            let proved = prove(&plan.write().ok()?).proved()?;
            lanes::graph(proved.kernel(), Features::AVX2, Width::Y).ok().map(|graph| lanes::operations(&graph))
        };
        let columns = all.filter(|plan| plan.algorithm.contains("columns")).filter_map(count).min();
        assert_eq!(columns, Some(wanted), "{text}");
    }
}

#[test]
fn mutants_are_refused_or_right() {
    let mut rng = Rng(0x5be0_cd19_137e_2179);
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let mut judged = Judged::default();
    let mut judge = |kernel: &Kernel, program: &Program, rng: &mut Rng| {
        let vectors = Vectors::new(kernel, program, rng, 64);
        judged.judge(kernel, &vectors, lane_mutants(program));
    };
    for field in if full { &["babybear", "mersenne31", "4294967291"][..] } else { &["babybear"][..] } {
        let operations = if full { OPERATIONS } else { &OPERATIONS[..4] };
        for (i, (name, kernel)) in kernels(field, operations).iter().enumerate() {
            if !full && i % 27 != 0 && !name.contains(" comba+montgomery-difference") {
                continue;
            }
            for width in [Width::Z, Width::Y] {
                let shape = Shape { groups: 2, active: 2, ..Shape::single(width) };
                let Ok(program) = lanes::compile_kernel(kernel, Features::AVX512, shape) else { continue };
                if check_kernel(kernel, &program).is_ok() {
                    judge(kernel, &program, &mut rng);
                }
            }
        }
    }
    let Judged { refused, accepted } = judged;
    println!("{refused} mutants refused, {accepted} accepted and right");
    assert!(refused > 2 * accepted && refused > 500, "{refused} refused, {accepted} accepted");
}

/// Digits whose whole products columns take, in lanes of 64 bits of AVX2: Montgomery's operations, folds, also of mixed
/// radices, and columns that carry in between; and digits that are multiplied as doubles.
#[test]
fn whole_products_in_columns() {
    let mut rng = Rng(0x1319_8a2e_0370_7344);
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let mut made = 0;
    let more = [("p256", 28), ("2^521 - 1", 29), ("bls12-381-fp", 28), ("p384", 30), ("babybear", 28)];
    let cases = [
        ("2^255 - 19", 51),
        ("p256", 29),
        ("bls12-381-fr", 29),
        ("secp256k1", 29),
        ("bls12-381-fp", 30),
        ("2^255 - 19", 26),
    ];
    for (field, radix) in cases.into_iter().chain(more.into_iter().filter(|_| full)) {
        let field = Field::parse(field).unwrap_or_else(|e| panic!("{e}"));
        let layouts = lane_layouts(&field, 64, radix);
        assert!(!layouts.is_empty(), "{field:?}");
        for (layout, operation) in layouts.iter().flat_map(|l| OPERATIONS[..5].iter().map(move |op| (l, op))) {
            let mut forms = 0;
            for plan in plans(&field, layout, operation) {
                let name = format!("{} {} {}", field.name(), operation.name(), plan.name());
                let Outcome::Proved(proved) = prove(&plan.write().unwrap_or_else(|e| panic!("{name}: {e}"))) else {
                    panic!("{name} is not proved")
                };
                let Ok(program) = lanes::compile(&proved, Features::AVX2, Shape::single(Width::Y)) else { continue };
                (forms, made) = (forms + 1, made + 1);
                assert_eq!(program.lanes.count, 4, "{name}");
                let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{name}: {e}"));
                let vectors = Vectors::new(proved.kernel(), &program, &mut rng, 100);
                vectors.judge(checked.report(), &program).unwrap_or_else(|e| panic!("{name}: {e}"));
                if *operation == Operation::MUL {
                    let graph =
                        lanes::graph(proved.kernel(), Features::AVX2, Width::Y).unwrap_or_else(|e| panic!("{e}"));
                    println!("{name}: {} operations of four elements", lanes::operations(&graph));
                }
            }
            assert!(forms > 0, "{}: {} has no form on AVX2", field.name(), operation.name());
        }
    }
    println!("{made} programs");
}
