//! Every operation of every kind of field, by every way to run it: `eval` (the reference and the kernel), arrays,
//! emitted C and assembly, and the face of the library; on edge-biased operands (200 of each with `EVARISTE_FULL=1`,
//! else fewer), against arithmetic that shares nothing with the project.
//!
//! Nothing can be left out: a new operation is tried by what its row says ([`meanings`]), a new kind of description by
//! the arithmetic that its row says again ([`kinds`]); an operation that no field exercises fails. What arrays have is
//! listed in [`arrays`].

mod arrays;
mod kinds;
mod meanings;
mod scalar;

use std::collections::BTreeSet;

use evariste::array::ArrayError;
use evariste::builder::{Layout, Modulus};
use evariste::{BigUint, Compiler, Element, Error, Field, LANGUAGES, Op};
use evariste_algorithms::operation::OPERATIONS;
use evariste_emit::Language;
use kinds::{Kind, Subject, subjects};
use meanings::{Role, meaning, operand_sets};
use scalar::Case;

fn full() -> bool {
    std::env::var_os("EVARISTE_FULL").is_some()
}

/// Sets of operands of each operation.
fn count() -> usize {
    if full() { 200 } else { 24 }
}

fn field(subject: &Subject) -> Field {
    Field::parse(subject.text).unwrap_or_else(|e| panic!("{}: {e}", subject.text))
}

/// The operations of a layout, and a power of fields.
fn operations(field: &Field, layout: &Layout) -> Vec<Op> {
    let mut all = field.operations(layout);
    if field.spec().get::<Modulus>().is_some_and(|m| m.prime) {
        all.push(Op::POWER.with(0x1_0001u32));
    }
    all
}

/// Digits of the longest bit-sliced layout where not all are asked for: products of longer ones are ten thousands of
/// gates, minutes for a compiler.
const SLICED: usize = 64;

/// Layouts to work in: the first of each kind (plain, Montgomery, unsaturated, short bit-sliced), or all.
fn layouts(field: &Field) -> Vec<Layout> {
    let mut all = field.layouts();
    if !full() {
        all.retain(|l| l.word > 1 || l.digits() <= SLICED);
        let kind = |l: &Layout| (l.montgomery.is_some(), l.saturated(), l.word == 1);
        let mut seen = BTreeSet::new();
        all.retain(|layout| seen.insert(kind(layout)));
    }
    all
}

fn none(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} wrong:\n{}",
        complaints.len(),
        complaints[..complaints.len().min(40)].join("\n")
    );
}

/// The operations of fields: parts of others are proved and run where plans are (`crates/proof/tests/parts.rs`), what
/// has no kernels yet is tested with its reference (`crates/descriptions/tests`).
fn of_fields() -> impl Iterator<Item = &'static Op> {
    use evariste_algorithms::operation::Kind::{Ciphers, Hashes, Pairings, Parts, Points, Towers};
    OPERATIONS.iter().filter(|op| !matches!(op.row().kind, Ciphers | Hashes | Pairings | Parts | Points | Towers))
}

/// All operations without a number in their name that `wanted` takes were met.
fn all_met(met: &BTreeSet<String>, wanted: impl Fn(&Op) -> bool) {
    let missed: Vec<String> = of_fields()
        .filter(|op| op.row().family.is_none() && wanted(op))
        .map(Op::name)
        .filter(|name| !met.contains(name))
        .collect();
    assert!(missed.is_empty(), "no field exercises {}", missed.join(", "));
}

#[test]
fn there_is_a_field_of_every_kind() {
    kinds::kinds_are_all_there();
}

/// The fault that this test was written after: the sum of two elements took the first one alone.
#[test]
fn sums_in_binary_fields_have_both_operands() {
    let field = Field::parse("GF(2^163)").expect("a field");
    let [a, b, c] = [0x10000u32, 3, 0x10003].map(BigUint::from);
    for name in ["add", "sub"] {
        let operation = field.evaluable_named(name).expect("an operation");
        for layout in field.layouts() {
            let chosen = field.choose(Some(&layout.name), None).expect("a layout");
            let answer = field.evaluate(&chosen, &operation, None, &[a.clone(), b.clone()], None).expect("an answer");
            assert_eq!((&answer.reference, &answer.kernel), (&c, &c), "{name} in {}", layout.name);
        }
    }
}

#[test]
fn evaluated() {
    let (mut complaints, mut met) = (Vec::new(), BTreeSet::new());
    for subject in &subjects() {
        let field = field(subject);
        for layout in &layouts(&field) {
            for op in &operations(&field, layout) {
                let Ok(meaning) = meaning(op) else {
                    panic!("{} in {}: {} is of arrays", field, layout.name, op.name())
                };
                let case = Case { subject, field: &field, layout, op, meaning: &meaning, count: count() };
                case.evaluate(&mut complaints);
                met.insert(op.name());
            }
        }
    }
    none(&complaints);
    all_met(&met, |op| meaning(op).is_ok());
}

#[test]
fn emitted() {
    let Ok(compiler) = Compiler::find() else {
        evariste_testing::lacks_tool("every operation in emitted packages", "a C compiler");
        return;
    };
    let (mut complaints, mut met) = (Vec::new(), BTreeSet::new());
    let mut at = 0;
    for subject in &subjects() {
        let field = field(subject);
        for layout in &layouts(&field) {
            at += 1;
            // Languages that are not C have no calls, those for smaller machines hold words in other types than these calls hand over, and a header exports
            // nothing: their packages are tested by themselves (`crates/cli/tests/packages.rs`).
            let called = |l: &&Language| l.is_c && l.machine.is_none() && l.extension != "h";
            // By default one of them for each layout, by turns.
            let called: Vec<&Language> = LANGUAGES.iter().filter(called).collect();
            let drawn = evariste_testing::turn(at, called.len());
            for (_, language) in called.into_iter().enumerate().filter(|(i, _)| full() || *i == drawn) {
                if language.machine_code && !cfg!(target_arch = "x86_64") {
                    evariste_testing::lacks_feature("every operation in emitted assembly", "x86-64");
                    continue;
                }
                let folder = tempfile::tempdir().expect("a folder");
                let operations = operations(&field, layout);
                let library = scalar::built(&field, layout, &operations, language.name, &compiler, folder.path());
                for op in &operations {
                    let Ok(meaning) = meaning(op) else { panic!("{} is of arrays", op.name()) };
                    let case = Case { subject, field: &field, layout, op, meaning: &meaning, count: count() };
                    case.native(language.name, &library, "f", &mut complaints);
                    met.insert(op.name());
                }
            }
        }
    }
    none(&complaints);
    all_met(&met, |op| meaning(op).is_ok());
}

#[test]
fn of_arrays() {
    let (mut complaints, mut met) = (Vec::new(), BTreeSet::new());
    // More elements than the longest vector has lanes.
    let count = if full() { 200 } else { 70 };
    for subject in &subjects() {
        let field = field(subject);
        if !subject.kind.has_arrays() {
            assert!(matches!(field.arrays(1), Err(Error::Array(ArrayError::NoLayout { .. }))), "{field}");
            continue;
        }
        let prime = field.spec().get::<Modulus>().is_some_and(|m| m.prime) || subject.kind.is_binary();
        for (how, engine) in arrays::engines(&field) {
            let whole = |op: &&Op| op.row().family.is_none() && (prime || **op != Op::INVERSE);
            let named = of_fields().filter(whole).cloned();
            for op in named.chain([Op::POWER.with(0x1_0001u32), Op::DOT.with(1u32), Op::SUM.with(1u32)]) {
                if arrays::run(subject, how, &engine, &op, count, &mut complaints) {
                    met.insert(op.name());
                }
            }
        }
    }
    none(&complaints);
    all_met(&met, |op| arrays::HAVE.contains(&op.name().as_str()));
}

/// The methods of elements, and kernels that run on elements.
#[test]
fn by_the_library() {
    let mut complaints = Vec::new();
    for subject in &subjects() {
        let field = field(subject);
        if matches!(subject.kind, Kind::Given(_)) {
            continue;
        }
        let p = subject.kind.limit();
        for (x, _) in operand_sets(&subject.kind, &[Role::Element, Role::Element], count(), 3) {
            let [a, b] = [0, 1].map(|i| field.element_from(x[i].clone()).expect("an element"));
            let e = BigUint::from(5u32);
            let kind = &subject.kind;
            let mut judge = |name: &str, got: Result<Element, Error>, right: BigUint| {
                let fits = !matches!(kind, Kind::Integers(_)) || right < p;
                match got {
                    Ok(got) if fits && *got.value() == right => {}
                    Err(_) if !fits => {}
                    got => complaints.push(format!("{} {name}: {x:x?} gives {got:?}", subject.text)),
                }
            };
            judge("mul", a.mul(&b), kind.mul(&x[0], &x[1], &p));
            judge("square", a.square(), kind.mul(&x[0], &x[0], &p));
            if !matches!(kind, Kind::Integers(_)) {
                judge("add", a.add(&b), kind.add(&x[0], &x[1], &p));
                judge("sub", a.sub(&b), kind.sub(&x[0], &x[1], &p));
                judge("neg", a.neg(), kind.sub(&BigUint::ZERO, &x[0], &p));
                judge("pow", a.pow(&e), kind.pow(&x[0], &e, &p));
                if let Ok(inverse) = a.inverse() {
                    judge("inverse", a.mul(&inverse), kind.one());
                }
            }
        }
        for layout in &layouts(&field) {
            for op in operations(&field, layout) {
                let Ok(meaning) = meaning(&op) else { continue };
                let elements = meaning.operands.iter().chain([&meaning.result]).all(|r| *r == Role::Element);
                if !elements || matches!(subject.kind, Kind::Integers(_)) || op.is_any(&[Op::AFFINE, Op::AFFINE_MOD]) {
                    continue;
                }
                // The plan that is chosen for a package.
                let chosen = field.choose(Some(&layout.name), None).expect("a layout");
                let Some(plan) = chosen.plan(&op) else { continue };
                let kernel = field.plan(&op, &plan.name()).expect("a plan").kernel().clone();
                for (x, _) in operand_sets(&subject.kind, &meaning.operands, 4, 5) {
                    let x: Vec<Element> = x.into_iter().map(|x| field.element_from(x).expect("an element")).collect();
                    let numbers: Vec<BigUint> = x.iter().map(|x| x.value().clone()).collect();
                    match kernel.run(&x.iter().collect::<Vec<_>>()) {
                        Ok(out) if (meaning.right)(&subject.kind, &numbers, out.value(), &p) => {}
                        out => complaints.push(format!("{kernel:?}: {numbers:x?} gives {out:?}")),
                    }
                }
            }
        }
    }
    none(&complaints);
}
