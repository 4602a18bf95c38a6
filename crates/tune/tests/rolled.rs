//! Rolled kernels of 4096 bits are proved, and compile. (Candidates of the fields that matter: `proof`'s tests.)

use std::time::Instant;

use crate::support::{cases, field, interpret, run_compiled};
use evariste_algorithms::{Operation, Plan};
use evariste_run::Compiler;
use num_bigint::BigInt;

/// The rolled kernels of an operation: proved, compiled, and right on the largest operands.
fn rolled(text: &str, operand: BigInt, expected: impl Fn(&BigInt, &Plan) -> BigInt) {
    let field = field(text);
    let found: Vec<_> =
        cases(&field, &[64], &[Operation::MUL]).into_iter().filter(|c| c.plan.algorithm.contains("rolled")).collect();
    assert!(!found.is_empty(), "{text}: no rolled kernel is proved");
    for case in &found {
        let inputs = vec![operand.clone(); 2];
        let right = expected(&operand, &case.plan);
        let interpreted =
            interpret(&evariste_ir::Interpreter::checking_ranges(case.kernel()), std::slice::from_ref(&inputs))
                .expect("no fault");
        assert_eq!(interpreted[0], right, "{}", case.title());
        let Ok(compiler) = Compiler::find() else {
            evariste_testing::lacks_tool(&format!("{} in C", case.title()), "a C compiler");
            continue;
        };
        let start = Instant::now();
        let compiled = evariste_backend::c::compile(&case.proved, &compiler).expect("it compiles");
        println!(
            "{}: proved in {:.0} ms, compiled in {:.0} ms, {:?} bytes",
            case.title(),
            case.ms,
            start.elapsed().as_secs_f64() * 1e3,
            compiled.code_bytes
        );
        assert_eq!(run_compiled(case.kernel(), &compiled, &inputs), right, "{}", case.title());
    }
}

#[test]
fn a_product_of_4096_bits_is_rolled() {
    let most = (BigInt::from(1) << 4096) - 1;
    rolled("int4096", most, |a, _| a * a);
}

#[test]
fn a_montgomery_product_of_4096_bits_is_rolled() {
    let p: BigInt = (BigInt::from(1) << 4096) - 2549;
    // The factor of these layouts is 2^4096, which is 2549 modulo p: a²/2549.
    let inverse = BigInt::from(2549).modinv(&p).expect("2549 is prime");
    rolled("2^4096 - 2549", &p - 1, |a, plan| {
        assert_eq!(plan.layout.montgomery, Some(4096));
        a * a * &inverse % &p
    });
}
