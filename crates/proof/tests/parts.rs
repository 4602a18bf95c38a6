//! Whole products and their reductions are operations of their own: every plan of theirs is proved, and gives what the
//! operation means.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::Interpreter;
use evariste_proof::{Outcome, prove};
use evariste_testing::Random;
use num_bigint::{BigInt, BigUint};

#[test]
fn parts_of_products_are_proved_and_give_what_they_mean() {
    let (mut tried, mut proved, mut unknown) = (0, 0, Vec::new());
    for (text, word) in
        [("p256", 64), ("25519", 32), ("2^61-1", 64), ("int192", 64), ("GF(2^163)", 64), ("GF(2^29)", 8)]
    {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for layout in layouts(&field, word) {
            for operation in [Operation::MUL_WIDE, Operation::SQUARE_WIDE, Operation::REDUCE] {
                for plan in plans(&field, &layout, &operation) {
                    let at = format!("{text} {} {}", operation.name(), plan.name());
                    let Ok(kernel) = plan.write() else { continue };
                    let outcome = prove(&kernel);
                    match &outcome {
                        Outcome::Proved(_) => proved += 1,
                        Outcome::Unknown(why) => unknown.push(format!("{at}: {} ({})", why.what, why.detail)),
                        Outcome::Refuted(why) => panic!("{at}: refuted: {}", why.violation),
                    }
                    tried += 1;
                    let mut random = Random(tried);
                    let inputs: Vec<(String, Vec<BigInt>)> = (kernel.contract.inputs.iter())
                        .map(|operand| {
                            let word = |d: &evariste_ir::Digit| {
                                BigInt::from(random.word()) % (kernel.array(d.array).ranges[0].hi.clone() + 1u32)
                            };
                            let mut digits: Vec<BigInt> = operand.digits.iter().map(word).collect();
                            // Below every bound: the top word is 0.
                            *digits.last_mut().expect("a digit") = 0.into();
                            (operand.name.clone(), digits)
                        })
                        .collect();
                    let number = |digits: &[BigInt]| {
                        let places = (0u32..).map(|i| i * word);
                        digits.iter().zip(places).map(|(d, at)| d << at).sum::<BigInt>().to_biguint().expect("natural")
                    };
                    let x: Vec<BigUint> = inputs.iter().map(|(_, digits)| number(digits)).collect();
                    let named: Vec<(&str, Vec<BigInt>)> =
                        inputs.iter().map(|(name, digits)| (name.as_str(), digits.clone())).collect();
                    let out = Interpreter::new(&kernel).run_one(&named).unwrap_or_else(|e| panic!("{at}: {e}"));
                    let out = number(&out.iter().find(|(name, _)| name == "out").expect("a result").1);
                    let Some(meant) = operation.meaning(&*field, &x) else { continue };
                    match field.get::<Modulus>().filter(|_| operation == Operation::REDUCE) {
                        Some(m) => {
                            let factor = layout.factor().to_biguint().expect("natural");
                            assert_eq!((out * factor) % &m.value, meant, "{at}");
                        }
                        None => assert_eq!(out, meant, "{at}"),
                    }
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(proved > 60 && tried == proved, "{proved} of {tried} kernels");
}
