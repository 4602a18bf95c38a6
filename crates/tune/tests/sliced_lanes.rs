//! Bit-sliced products on vectors, in shapes with and without operands from memory: every program is checked against its kernel.

mod support;

use evariste_algorithms::{Operation, layout::layouts, plans};
use evariste_target::x86_64::lanes::{self, Shape};
use evariste_target::x86_64::{self, Features, Width};
use support::{field, full, prove_plans};

/// With `fold` an operand that lies on the stack is read within the instruction that uses it: its place once went to a value that was stored before that, which the
/// products of GF(2^29) showed.
#[test]
fn operands_from_memory_keep_their_place() {
    let fields: &[&str] = if full() { &["GF(2^23):onb2", "GF(2^29):onb2", "GF(2^35):onb2", "GF(2^36):onb1", "GF(2^31)", "GF(2^131):onb2"] } else { &["GF(2^29):onb2"] };
    let mut made = 0;
    for text in fields {
        let f = field(text);
        let layout = layouts(&f, 1).remove(0);
        let mut candidates = plans(&f, &layout, &Operation::Mul);
        candidates.retain(|p| full() || p.algorithm.starts_with("optimal") || p.algorithm.starts_with("fan"));
        let (cases, failures) = prove_plans(&candidates);
        assert!(failures.is_empty(), "{failures:?}");
        for case in &cases {
            for (width, source) in [(Width::Z, true), (Width::Z, false), (Width::Y, true)] {
                let shape = Shape { fold: true, source, ..Shape::single(width) };
                let program = lanes::compile(&case.proved, Features::AVX512, shape).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                x86_64::check(case.kernel(), &program).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                made += 1;
            }
        }
    }
    println!("{made} programs");
}
