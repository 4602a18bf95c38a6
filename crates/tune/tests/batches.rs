//! Many kernels in one run of the compiler: each is what it is alone.

use evariste_algorithms::Operation;
use evariste_backend::c;
use evariste_run::{Compiler, RunError, Stop};
use evariste_tune::measure::make_all;
use evariste_tune::operands::operand_values;

use crate::support::{cases, field, run_compiled};

#[test]
fn kernels_compiled_together_are_what_they_are_alone() {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(RunError::NoCompiler { .. }) => {
            evariste_testing::lacks_tool("what compiles many kernels at once", "a C compiler");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    // One digit, with and without floats; several digits, products that several kernels call; bits of elements.
    for (name, word) in [("babybear", 64), ("p256", 32), ("GF(2^5):onb2", 64)] {
        let field = field(name);
        let cases = cases(&field, &[word], &[Operation::MUL, Operation::ADD]);
        let kernels: Vec<_> = cases.iter().map(|case| &case.proved).take(40).collect();
        let made = make_all(&kernels, &*c::by(compiler.clone()), &Stop::default(), || ());
        assert_eq!(made.len(), kernels.len());
        for (place, (proved, made)) in kernels.iter().zip(made).enumerate() {
            let (kernel, made) = (proved.kernel(), made.expect("it compiles"));
            // A compiler takes a second for them all.
            if place % 8 == 0 {
                let alone = c::compile(proved, &compiler).expect("it compiles");
                assert_eq!(made.code_bytes, alone.code_bytes, "{name}: {}", kernel.name);
                for values in operand_values(kernel, 40, 3).iter().filter(|_| kernel.word > 1) {
                    let (together, alone) = (run_compiled(kernel, &made, values), run_compiled(kernel, &alone, values));
                    assert_eq!(together, alone, "{name}: {}", kernel.name);
                }
            }
        }
    }
}
