//! Nanoseconds of a multiple by the ladder of a binary curve, for each point of an array, in the form of coordinates that
//! takes the least time here, with all instruction sets and with those of AVX2 alone, with either kind of carry-less
//! products, beside `openssl speed` where that has the curve: `ladders [sect163r2 …]`.

use std::process::Command;
use std::time::Instant;

use evariste_algorithms::Operation;
use evariste_algorithms::operation::Holds;
use evariste_array::{BigUint, Operand, Options, Structured};
use evariste_descriptions::{Field, Part};

type Failure = Box<dyn std::error::Error>;

/// Curves, and what `openssl speed` calls them.
const CURVES: [(&str, &str); 8] = [
    ("sect131r1", ""),
    ("sect163k1", "k163"),
    ("sect163r1", ""),
    ("sect163r2", "b163"),
    ("sect233k1", "k233"),
    ("sect233r1", "b233"),
    ("sect283k1", "k283"),
    ("sect283r1", "b283"),
];

/// Instruction sets: all, those of processors with AVX2 whose carry-less products are of two words at once (Zen 3), and of
/// those that have them of single words.
const SETS: [(&str, Option<&str>); 3] = [
    ("all", None),
    ("AVX2 of two", Some("bmi2+adx+avx2+fma+pclmulqdq+vpclmulqdq")),
    ("AVX2 of one", Some("bmi2+adx+avx2+fma+pclmulqdq")),
];

/// Points of an array.
const LEN: usize = 1024;

fn main() -> Result<(), Failure> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("curve      sets         ns a point  OpenSSL's  times  how");
    for (name, called) in CURVES.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        let theirs = openssl(called);
        for (title, sets) in SETS {
            let (how, ns) = ladder(name, sets)?;
            let beside = theirs.map_or_else(
                || format!("{:>9}  {:>5}", "–", "–"),
                |theirs| format!("{theirs:>9.0}  {:>5.1}", theirs / ns),
            );
            println!("{name:<10} {title:<11} {ns:>11.0}  {beside}  {how}");
        }
    }
    Ok(())
}

/// How the ladder is computed, and the nanoseconds of a point: the least of some passes.
fn ladder(name: &str, sets: Option<&str>) -> Result<(String, f64), Failure> {
    let field = Field::parse(&format!("curve:{name}"))?;
    let options = Options {
        threads: 1,
        features: sets.map(str::to_owned),
        elements: LEN,
        forget: true,
        measured: true,
        ..Options::default()
    };
    let engine = Structured::with(&field, options)?;
    let order = engine.ground().field().order();
    let numbers: Vec<BigUint> =
        (1..=LEN).map(|i| BigUint::from(0x9e37_79b9_7f4a_7c15u64 + i as u64).pow(5) % &order).collect();
    let points = engine.from_numbers(Holds::Part(Part::Abscissae), &numbers)?;
    let scalars = engine.scalars(&numbers);
    let (mut least, begin) = (f64::INFINITY, Instant::now());
    while begin.elapsed().as_secs_f64() < 0.3 {
        let start = Instant::now();
        engine.compute(&Operation::LADDER, &[Operand::Scalars(&scalars), (&points).into()])?;
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    Ok((engine.describe(&Operation::LADDER)?, least / LEN as f64))
}

/// Nanoseconds of one exchange by OpenSSL on that curve, where the command is there.
fn openssl(curve: &str) -> Option<f64> {
    let name = format!("ecdh{curve}");
    let output = Command::new("openssl").args(["speed", "-seconds", "1", &name]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().find(|line| line.contains(&format!("(nist{curve})")))?;
    let each: f64 = line.split_whitespace().last()?.parse().ok()?;
    (each > 0.0 && !curve.is_empty()).then(|| 1e9 / each)
}
