//! The back end that needs no processor of its own, through the seam alone, beside those that this machine has.

use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_backend::{Backend, Choice, Code, Kind, found};
use evariste_descriptions::Field;
use evariste_proof::{Proved, prove};
use evariste_run::{Buffer, Role};
use evariste_testing::Random;

fn kernels(text: &str, word: u32, operation: &Operation) -> Vec<Proved> {
    let field = Field::parse(text).expect("a field");
    let layout = layouts(&field, word).remove(0);
    let written = plans(&field, &layout, operation).into_iter().take(3).filter_map(|p| p.write().ok());
    written.filter_map(|kernel| prove(&kernel).proved()).collect()
}

/// What the function leaves in its arrays, of operands below every bound.
fn run(backend: &dyn Backend, proved: &Proved, seed: u64) -> Option<Vec<Vec<u8>>> {
    let made = backend.make(proved, &Choice::default()).ok()?;
    assert_eq!(made.lanes, if proved.kernel().word == 1 { 64 } else { 1 });
    let mut random = Random(seed);
    let mut buffers: Vec<Buffer> = Vec::new();
    for argument in made.function.arguments() {
        let mut bytes: Vec<u8> = (0..argument.bytes).map(|_| random.word() as u8).collect();
        // Below 2^(bits − 8): the top byte of a number in words is 0.
        if proved.kernel().word > 1 {
            bytes.iter_mut().last().into_iter().for_each(|last| *last = 0);
        }
        buffers.push(if argument.role == Role::Output {
            Buffer::zeroed(argument.bytes)
        } else {
            Buffer::from_bytes(&bytes)
        });
    }
    made.function.call(&mut buffers).expect("a call");
    Some(buffers.iter().map(|b| b.bytes().to_vec()).collect())
}

#[test]
fn it_computes_what_other_back_ends_do() {
    let all = found(|_| true, None);
    let interpreter = all.iter().find(|b| b.entry().kind == Kind::Interpreted).expect("on every machine");
    let mut compared = 0;
    for (text, word, operation) in [
        ("p256", 64, Operation::MUL),
        ("2^255 - 19", 32, Operation::SQUARE),
        ("babybear", 32, Operation::SUB),
        ("GF(2^13)", 1, Operation::MUL),
    ] {
        for proved in kernels(text, word, &operation) {
            for seed in 1..4 {
                let wanted = run(&**interpreter, &proved, seed).expect("every kernel is interpreted");
                for backend in all.iter().filter(|b| matches!(b.entry().kind, Kind::Scalar | Kind::Compiled)) {
                    let Some(got) = run(&**backend, &proved, seed) else { continue };
                    assert_eq!(got, wanted, "{text} {} by {:?}", proved.kernel().name, backend.entry().name);
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} results compared");
    assert!(compared > 0 || all.len() == 1);
}

#[test]
fn it_is_used_when_it_is_asked_for() {
    let code = Code::named("interpreter").expect("its line");
    assert!(evariste_backend::usual().iter().all(|b| b.entry().name != code.entry().name));
    assert!(evariste_backend::vectors().iter().all(|b| b.entry().name != code.entry().name));
}
