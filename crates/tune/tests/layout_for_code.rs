//! A package takes the layout that is best as what it is printed in.

use evariste_algorithms::Operation;
use evariste_descriptions::Field;
use evariste_ir::count::count_operations;
use evariste_ir::{Machine, Op, legalise};
use evariste_tune::cache;
use evariste_tune::choose::{Wish, choose, choose_for};
use evariste_tune::ranking::{Code, Ranking};

/// A row of a ranking: nanoseconds of an operation in a layout as one kind of code.
fn row(layout: &str, operation: &str, code: &str, ns: f64) -> String {
    format!(
        "{{\"plan\": \"x/{layout}\", \"code\": \"{code}\", \"operation\": \"{operation}\", \"layout\": \"{layout}\", \"proved\": true, \"contract\": \"\", \"multiplications\": 1, \"additions\": 1, \
         \"moves\": 1, \"proof_ms\": 1.0, \"bound_cycles\": 1.0, \"throughput_ns\": {ns}}}"
    )
}

/// p256 in two layouts: in the first one machine code is fast and C slow; in the second both are middling. A third was
/// measured as C in part only.
fn ranking() -> Ranking {
    let mut rows = Vec::new();
    for operation in ["mul", "square", "add", "sub"] {
        rows.extend([row("montgomery-4x64", operation, "x86-64", 5.0), row("montgomery-4x64", operation, "c", 20.0)]);
        rows.extend([row("4x64", operation, "x86-64", 8.0), row("4x64", operation, "c", 9.0)]);
    }
    rows.push(row("8x32", "mul", "c", 1.0));
    let layout = |name: &str| {
        format!(
            "{{\"layout\": \"{name}\", \"description\": \"\", \"mix_ns\": 1.0, \"throughput\": [], \"latency\": [], \"size\": []}}"
        )
    };
    let layouts = ["montgomery-4x64", "4x64", "8x32"].map(layout).join(", ");
    let text = format!(
        "{{\"version\": 2, \"field\": \"f\", \"target\": \"\", \"mix\": \"\", \"candidates\": [{}], \"layouts\": [{layouts}], \"winner\": null, \"winner_code\": null}}",
        rows.join(", ")
    );
    cache::parse(text.as_bytes(), "f").expect("it is valid")
}

#[test]
fn each_kind_of_code_has_its_layout() {
    let field = Field::parse("p256").expect("a field");
    let of = |code| {
        choose_for(&field, &[64, 32], None, Some(ranking()), Wish { code, ..Wish::default() })
            .expect("a layout")
            .layout
            .name
    };
    assert_eq!(of(Code::named("x86-64")), "montgomery-4x64");
    assert_eq!(of(Code::named("c")), "4x64");
    assert_eq!(of(None), "montgomery-4x64");
    assert_eq!(choose(&field, &[64, 32], None, Some(ranking())).expect("a layout").layout.name, "montgomery-4x64");
    assert_eq!(
        choose_for(
            &field,
            &[64, 32],
            Some("8x32"),
            Some(ranking()),
            Wish { code: Code::named("c"), canonical: true, ..Wish::default() }
        )
        .expect("a layout")
        .layout
        .name,
        "8x32"
    );
    // What a package is does not change with what was measured: elements are canonical unless it is asked otherwise.
    let field = Field::parse("2^255 - 19").expect("a field");
    let text = serde_json::to_string(&ranking()).expect("it is written");
    let won: Ranking = serde_json::from_str(&text.replace("montgomery-4x64", "5x51")).expect("it is read");
    let of = |canonical| {
        choose_for(&field, &[64, 32], None, Some(won.clone()), Wish { canonical, ..Wish::default() })
            .expect("a layout")
            .layout
            .name
    };
    assert_eq!((of(false).as_str(), of(true).as_str()), ("5x51", "4x64"));
    let mix = ["mul", "square", "add", "sub"].map(|op| (op.to_string(), 1));
    let order: Vec<String> = ranking().layouts_for(&mix, Code::named("c")).iter().map(|l| l.layout.clone()).collect();
    assert_eq!(order, ["4x64", "montgomery-4x64", "8x32"], "what was not measured comes last");
}

/// Where carries are several operations, a layout is taken that needs few or none, whatever won elsewhere, and its plan.
#[test]
fn written_out_carries_are_counted() {
    let machine = Machine { flags: true, unsigned: true, ..Machine::JAVA };
    let layout = |text: &str, ranking: Option<Ranking>| {
        let field = Field::parse(text).expect("a field");
        let wish = Wish { canonical: true, word: Some(64), machine: Some(machine), ..Wish::default() };
        let chosen = choose_for(&field, &[64, 32], None, ranking, wish).expect("a layout");
        assert_eq!(chosen.machine, Some(machine));
        let kernel = chosen.plan(&Operation::MUL).expect("a plan").write().expect("a kernel");
        let legal = legalise(&kernel, &machine).expect("it is rewritten");
        let carries = |op: &Op| matches!(op, Op::AddCarry | Op::SubBorrow | Op::MulAddAdd);
        let carries = count_operations(&legal, &carries);
        assert!(carries < 20, "{text} in layout {}: {carries}", chosen.layout.name);
        chosen.layout.name
    };
    assert_eq!(layout("25519", None), "5x51");
    assert_eq!(layout("secp256k1", None), "5x52");
    assert_eq!(layout("p521", None), "9x58");
    assert_eq!(layout("448", None), "8x56");
    assert_eq!(layout("p256", Some(ranking())), "montgomery-5x52-clean");
    assert_eq!(layout("p384", None), "montgomery-7x56-clean");
    assert_eq!(layout("bls12-381-fp", None), "montgomery-7x55-clean");
    assert_eq!(layout("bls12-381-fr", None), "montgomery-5x52-clean");
}
