//! Products and affine maps by doubles on vectors: proved kernels, checked programs, equal to the interpreter in every
//! lane.

use crate::common::{Rng, Vectors};
use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_codegen::check::check;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Features, Width};
use evariste_descriptions::Field;
use evariste_jit::{constant_time, encode};
use evariste_proof::{Outcome, prove};

#[test]
fn products_by_doubles_run_on_vectors() {
    let mut rng = Rng(0x510e_527f_ade6_82d1);
    let (mut checked_programs, mut singles) = (0, 0);
    for (text, operation) in
        [("int64", Operation::MUL), ("int64", Operation::SQUARE), ("2^64 + 13", Operation::AFFINE_MOD.with(64u32))]
    {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for layout in layouts(&field, 64) {
            for plan in plans(&field, &layout, &operation).into_iter().filter(|p| p.algorithm.contains("float")) {
                let at = format!("{text} {} {}", operation.name(), plan.name());
                let Outcome::Proved(proved) = prove(&plan.write().unwrap_or_else(|e| panic!("{at}: {e}"))) else {
                    panic!("{at} is not proved")
                };
                if let Ok(program) = lanes::compile_one(proved.kernel(), Features::AVX2) {
                    // One element, as scalar code takes it.
                    let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{at}: {e}\n{program}"));
                    let class = encode(&program)
                        .map(|code| constant_time(&code))
                        .unwrap_or_else(|e| panic!("{at}: {e}"))
                        .unwrap_or_else(|e| panic!("{at}: {e}"));
                    assert!(class.doubles > 0, "{at}: {program}");
                    singles += 1;
                    Vectors::new(proved.kernel(), &program, &mut rng, 200)
                        .judge(checked.report(), &program)
                        .unwrap_or_else(|e| panic!("{at}: {e}\n{program}"));
                }
                for width in [Width::Z, Width::Y, Width::X] {
                    for shape in [
                        Shape::single(width),
                        Shape { groups: 3, iterations: 2, active: 2, reserve: 3, fold: true, ..Shape::single(width) },
                    ] {
                        // Products by words of 64 bits, and carries where there are no masks, have no form on vectors.
                        let Ok(program) = lanes::compile(&proved, Features::AVX512, shape) else { continue };
                        let checked =
                            check(&proved, &program).unwrap_or_else(|e| panic!("{at} {shape}: {e}\n{program}"));
                        checked_programs += 1;
                        let code = encode(&program).unwrap_or_else(|e| panic!("{at}: {e}"));
                        let class = constant_time(&code).unwrap_or_else(|e| panic!("{at}: {e}"));
                        assert!(class.doubles > 0, "{at}: {program}");
                        let vectors = Vectors::new(proved.kernel(), &program, &mut rng, 200);
                        assert!(vectors.len() >= 200, "{at}: {} vectors", vectors.len());
                        vectors
                            .judge(checked.report(), &program)
                            .unwrap_or_else(|e| panic!("{at} {shape}: {e}\n{program}"));
                    }
                }
            }
        }
    }
    println!("{checked_programs} programs, {singles} for one element");
    // Four products of two kinds at three widths in two shapes; three affine maps at 512 bits. And the products for one
    // element.
    assert!(checked_programs >= 54 && singles >= 8, "{checked_programs} programs, {singles} for one element");
}
