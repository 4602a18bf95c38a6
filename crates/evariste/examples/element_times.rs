//! Nanoseconds of an operation on elements, by big integers and by machine code:
//! `cargo run --release -p evariste --example element_times [FIELD…]`.

use std::hint::black_box;
use std::time::Instant;

use evariste::{Element, Field};

fn time(times: u32, mut step: impl FnMut()) -> f64 {
    // The least of some runs: what disturbs a run makes it longer.
    let run = |_| {
        let start = Instant::now();
        (0..times).for_each(|_| step());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
    };
    (0..9).map(run).fold(f64::INFINITY, f64::min)
}

fn times(a: &Element, b: &Element) -> Result<[f64; 4], evariste::Error> {
    let mut x = a.clone();
    let mut step = |f: &dyn Fn(&Element) -> Element| {
        time(1000, || x = black_box(f(&x)));
        time(1000, || x = black_box(f(&x)))
    };
    let products = [step(&|x| x * b), step(&|x| x * x), step(&|x| x + b)];
    let inverse = time(20, || drop(black_box(a.inverse())));
    Ok([products[0], products[1], products[2], inverse])
}

fn main() -> Result<(), evariste::Error> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let usual = ["p256", "25519", "bls12-381-fp", "goldilocks", "p521", "GF(2^163)", "GF(2^571)"].map(String::from);
    println!("{:14} {:12} {:>9} {:>9} {:>9} {:>9}", "field", "by", "mul ns", "square ns", "add ns", "inverse ns");
    for text in if given.is_empty() { usual.to_vec() } else { given } {
        let field = Field::parse(&text)?;
        let (a, b) = (field.element_from(5u32)?.inverse()?, field.element_from(7u32)?.inverse()?);
        let show = |by: &str, [mul, square, add, inverse]: [f64; 4]| {
            println!("{text:14} {by:12} {mul:9.1} {square:9.1} {add:9.1} {inverse:9.0}");
        };
        // (Fewer operations than those after which code is made without being asked for.)
        show("big integers", times(&a, &b)?);
        let start = Instant::now();
        let made = field.prepare();
        let seconds = start.elapsed().as_secs_f64();
        if made {
            show("machine code", times(&a, &b)?);
        }
        println!("{text:14} {} in {seconds:.2} s", if made { "made" } else { "no machine code" });
    }
    Ok(())
}
