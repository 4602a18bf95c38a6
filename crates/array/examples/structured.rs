//! Nanoseconds of an operation of a tower, a curve or a pairing for each element of an array, beside one call of the
//! quickest scalar machine code of our own: `structured bls12-381-fp12 mul`. `SETS` names the instruction sets that may be
//! used; `FORM=sliced` and `FORM=measured` say how coordinates over a binary field lie; `ALONE` leaves the scalar code out.

use std::time::Instant;

use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Operation, layouts, plans};
use evariste_array::{BigUint, Operand, Options, Scalars, Structured, StructuredArray};
use evariste_backend::Choice;
use evariste_descriptions::{Curve, Field, Pairing, Part, Tower};
use evariste_jit::Argument;
use evariste_tune::choose::{Wish, choose_for};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, text, name, ..] = &arguments[..] else { return Err("give a description and an operation".into()) };
    let field = Field::parse(text)?;
    let operation = Operation::parse(name).ok_or("no such operation")?;
    let len = arguments.get(3).map_or(Ok(64), |n| n.parse())?;
    let form = std::env::var("FORM").unwrap_or_default();
    let options = Options {
        threads: 1,
        forget: true,
        elements: len,
        features: std::env::var("SETS").ok(),
        sliced: form == "sliced",
        measured: form == "measured",
        ..Options::default()
    };
    let start = Instant::now();
    let engine = Structured::with(&field, options)?;
    println!("{}", engine.describe(&operation)?);
    println!("made in {:.1} s", start.elapsed().as_secs_f64());
    let one = lanes(&engine, &operation, len)?;
    println!("{text} {name}: {one:.1} ns an element of {len}");
    if std::env::var_os("ALONE").is_some() {
        return Ok(());
    }
    match scalar(&field, &operation) {
        Ok((plan, ns)) => println!("scalar, {plan}: {ns:.1} ns, {:.2} times as much", ns / one),
        Err(why) => println!("no scalar code: {why}"),
    }
    Ok(())
}

enum Given {
    Elements(StructuredArray),
    Scalars(Scalars),
}

fn lanes(engine: &Structured, operation: &Operation, len: usize) -> Result<f64, Failure> {
    let field = engine.field();
    let given = operation.row().inputs.iter().map(|slot| {
        let numbers: Vec<BigUint> = (1..=len as u32).map(|i| number(field, slot.holds, i)).collect();
        Ok(match slot.holds {
            Holds::Part(Part::Scalars) => Given::Scalars(engine.scalars(&numbers)),
            holds => Given::Elements(engine.from_numbers(holds, &numbers)?),
        })
    });
    let given = given.collect::<Result<Vec<Given>, Failure>>()?;
    let operands: Vec<Operand> = given
        .iter()
        .map(|given| match given {
            Given::Elements(array) => array.into(),
            Given::Scalars(scalars) => scalars.into(),
        })
        .collect();
    let run = || {
        engine.compute(operation, &operands)?;
        Ok(())
    };
    least(0.5, run).map(|ns| ns / len as f64)
}

/// The least time of a call.
fn least(seconds: f64, mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let (mut least, begin) = (f64::INFINITY, Instant::now());
    while begin.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        run()?;
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    Ok(least)
}

/// Any number of what an operand holds.
fn number(field: &Field, holds: Holds, i: u32) -> BigUint {
    let any = |bits: u32| (BigUint::from(0x9e37_79b9_7f4a_7c15u64).pow(bits / 32) * i) >> 3u32;
    let multiple = |curve: &Curve| curve.scale_base(&i.into()).unwrap_or_default();
    let element = |tower: &Tower| {
        let one = |c: u32| (any(tower.base.bits) * (c + 1)) % &tower.base.value;
        tower.packed(&(0..tower.degree() as u32).map(one).collect::<Vec<_>>())
    };
    if let Some(tower) = field.get::<Tower>() {
        return element(tower);
    }
    if let Some(pairing) = field.get::<Pairing>() {
        return match holds {
            Holds::Part(Part::First) => multiple(&pairing.first),
            Holds::Part(Part::Second) => multiple(&pairing.second),
            _ => element(&pairing.target),
        };
    }
    let Some(curve) = field.get::<Curve>() else { return BigUint::ZERO };
    match holds {
        Holds::Part(Part::Scalars) => any(curve.field().bits()) % curve.order.clone().unwrap_or_default(),
        Holds::Part(Part::Abscissae) => any(curve.field().bits()) % curve.field().order(),
        _ => multiple(curve),
    }
}

/// The quickest scalar machine code of one call: of every plan in every layout of words of 64 bits, each made of what is
/// chosen for its parts by estimates.
fn scalar(field: &Field, operation: &Operation) -> Result<(String, f64), Failure> {
    let backend = evariste_tune::here::scalar(None).ok_or("no machine code")?;
    let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
    let mut best: Option<(String, f64)> = None;
    for layout in layouts(field, 64) {
        for plan in plans(field, &layout, operation) {
            let mut chosen = choose_for(field, &[64], Some(&layout.name), None, wish)?;
            chosen.code = wish.code;
            chosen.pin(operation, &plan.name())?;
            let Ok((plan, proved)) = chosen.proved_plan(operation) else { continue };
            let Ok(made) = backend.make(&proved, &Choice { long: true, ..Choice::default() }) else { continue };
            let Some(function) = made.function.machine_code() else { continue };
            let mut memory: Vec<Vec<u64>> = function.params().iter().map(|p| vec![1; p.len as usize]).collect();
            let ns = least(0.1, || {
                let arguments: Vec<Argument> = memory.iter_mut().map(|words| Argument::from(&mut words[..])).collect();
                Ok(function.call(&arguments)?)
            })?;
            if best.as_ref().is_none_or(|(_, least)| ns < *least) {
                best = Some((plan, ns));
            }
        }
    }
    best.ok_or_else(|| "no plan has code".into())
}
