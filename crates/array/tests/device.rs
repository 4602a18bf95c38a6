//! The engine on an OpenCL device: its digits are the processor's. PoCL, which is a device on the processor, is enough.

use evariste_array::{BigUint, ENGINES, Engine, Options, Structured, devices};
use evariste_descriptions::Field;
use evariste_testing::Random;

use crate::operations::{field, numbers};

/// Devices, or a counted skip.
fn has_devices() -> bool {
    let found = devices();
    if found.is_err() {
        evariste_testing::lacks_tool("arrays on an OpenCL device", "an OpenCL driver");
    }
    found.is_ok()
}

fn on(field: &Field, engine: &str, threads: usize) -> Result<Engine, evariste_array::ArrayError> {
    Engine::with(field, Options { engine: Some(engine.into()), threads, forget: true, ..Options::default() })
}

#[test]
fn a_device_gives_what_the_processor_gives() {
    if !has_devices() {
        return;
    }
    // By default one of them, another one each day: the drivers' compilers take seconds.
    let fields = vec!["25519", "p256", "bls12-381-fp", "secp256k1", "p521"];
    for name in evariste_testing::sample("arrays on a device", fields, usize::MAX, |_| ()) {
        let (spec, m) = field(name);
        let mut rng = Random(11);
        let device = on(&spec, "opencl", 2).expect("an engine");
        let processor = on(&spec, "processor", 1).expect("an engine");
        assert!(device.describe("mul").expect("mul").contains(", on "), "{name}");
        assert!(!processor.describe("mul").expect("mul").contains(", on "), "{name}");
        for len in [0, 1, 2, 63, 513] {
            let [x, y] = [(); 2].map(|()| numbers(&m, len, &mut rng));
            let both = |operation: &dyn Fn(&Engine) -> Vec<BigUint>| {
                assert_eq!(operation(&device), operation(&processor), "{name}, {len}");
            };
            let out = |e: &Engine, a: evariste_array::Array| e.to_integers(&a).expect("integers");
            both(&|e| out(e, e.mul(&e.from_integers(&x).unwrap(), &e.from_integers(&y).unwrap()).unwrap()));
            both(&|e| out(e, e.square(&e.from_integers(&x).unwrap()).unwrap()));
            both(&|e| out(e, e.add(&e.from_integers(&x).unwrap(), &e.from_integers(&y).unwrap()).unwrap()));
            both(&|e| out(e, e.sub(&e.from_integers(&x).unwrap(), &e.from_integers(&y).unwrap()).unwrap()));
            both(&|e| out(e, e.neg(&e.from_integers(&x).unwrap()).unwrap()));
            both(&|e| out(e, e.mul_constant(&e.from_integers(&x).unwrap(), &(&m.value - 2u32)).unwrap()));
            // In place, a part alone, and what is no operation of devices, on the same elements.
            both(&|e| {
                let (mut a, b) = (e.from_integers(&x).unwrap(), e.from_integers(&y).unwrap());
                (0..20).for_each(|_| e.mul_assign(&mut a, &b).unwrap());
                e.square_assign(&mut a).unwrap();
                if len > 8 {
                    let part = b.slice(0..8).unwrap();
                    e.sub_assign(a.slice_mut(0..8).unwrap(), part).unwrap();
                }
                let one = e.mul_add(&a, &b, &b).unwrap();
                out(e, e.inverse(&e.add(&one, &a).unwrap()).unwrap())
            });
        }
        // The numbers themselves, by big integers.
        let (x, y) = (numbers(&m, 40, &mut rng), numbers(&m, 40, &mut rng));
        let [a, b] = [&x, &y].map(|all| device.from_integers(all).expect("an array"));
        let products: Vec<BigUint> = x.iter().zip(&y).map(|(x, y)| x * y % &m.value).collect();
        assert_eq!(device.to_integers(&device.mul(&a, &b).expect("products")).expect("integers"), products, "{name}");
    }
}

#[test]
fn engines_that_cannot_be_had_say_why() {
    let p256 = Field::parse("p256").expect("a field");
    let text =
        |result: Result<Engine, evariste_array::ArrayError>| result.err().map(|e| e.to_string()).expect("an error");
    assert_eq!(text(on(&p256, "abacus", 1)), "there is no engine `abacus`\nhelp: there are processor, opencl");
    let known: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    assert_eq!(known.join(", "), "processor, opencl");
    for other in ["babybear", "2^64 - 2^32 + 1", "GF(2^163)"] {
        let why = text(on(&Field::parse(other).expect("a field"), "opencl", 1));
        assert!(why.starts_with("the engine `opencl` has prime fields above 64 bits, not "), "{why}");
    }
    let curve = Field::parse("curve:p256").expect("a curve");
    let options = Options { engine: Some("opencl".into()), ..Options::default() };
    let Err(why) = Structured::with(&curve, options) else { panic!("there are no such arrays") };
    let why = why.to_string();
    assert!(why.starts_with("the engine `opencl` has prime fields above 64 bits, not "), "{why}");
    if devices().is_err() {
        let why = text(on(&p256, "opencl", 1));
        assert!(why.starts_with("no OpenCL device: ") && why.contains("\nhelp: install a driver"), "{why}");
    }
}

/// Arrays of different lengths are refused before anything is on a device.
#[test]
fn lengths_are_looked_at_first() {
    if !has_devices() {
        return;
    }
    let (spec, m) = field("25519");
    let engine = on(&spec, "opencl", 1).expect("an engine");
    let mut rng = Random(5);
    let [a, b] = [3, 4].map(|len| engine.from_integers(&numbers(&m, len, &mut rng)).expect("an array"));
    let Err(why) = engine.mul(&a, &b) else { panic!("their lengths differ") };
    let why = why.to_string();
    assert!(why.contains("one array has 3 elements, the other 4"), "{why}");
}
