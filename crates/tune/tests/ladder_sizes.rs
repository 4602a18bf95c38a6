//! How long machine code of ladders is: it stays in the near caches. Sizes are counted, no time is asked.

use evariste_algorithms::Operation;
use evariste_backend::{Choice, Kind, found};
use evariste_descriptions::{Field, named_curves};
use evariste_tune::choose::{Wish, choose_for};

/// Bytes of a ladder's machine code.
const MOST: u64 = 64 * 1024;

/// Curves that every run looks at: the shortest and the longest of each kind.
const ALWAYS: [&str; 7] = ["25519", "448", "sect131r1", "sect233k1", "sect283r1", "sect409r1", "sect571r1"];

#[test]
fn ladders_have_at_most_64_kib() {
    let Some(backend) = found(|kind| kind == Kind::Scalar, None).into_iter().find(|b| b.entry().is_native()) else {
        evariste_testing::lacks_feature("sizes of ladders", "machine code of our own");
        return;
    };
    // Without these it is other code.
    if let Some(lacking) = ["bmi2", "adx", "pclmulqdq"].iter().find(|set| !backend.setting().contains(**set)) {
        evariste_testing::lacks_feature("sizes of ladders", lacking);
        return;
    }
    let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
    let mut seen = 0;
    let mut wrong: Vec<String> = Vec::new();
    for curve in named_curves() {
        if !ALWAYS.contains(&curve.name) && !evariste_testing::full() {
            continue;
        }
        let field = Field::parse(&format!("curve:{}", curve.name)).expect("a curve");
        let chosen = choose_for(&field, &[64], None, None, wish).expect("a layout");
        let Ok((plan, proved)) = chosen.proved_plan(&Operation::LADDER) else {
            assert!(!ALWAYS.contains(&curve.name), "{} has no ladder", curve.name);
            continue;
        };
        let made = match backend.make(&proved, &Choice::default()) {
            Ok(made) => made,
            Err(why) => panic!("{}: {plan}: {why}", curve.name),
        };
        let bytes = made.code_bytes.expect("machine code has a size");
        println!("{}: {plan}, {bytes} bytes", curve.name);
        if bytes > MOST {
            wrong.push(format!("{}: {plan} has {bytes} bytes, more than {MOST}", curve.name));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= ALWAYS.len(), "{seen}");
}
