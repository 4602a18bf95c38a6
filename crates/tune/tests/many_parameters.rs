//! Functions of up to sixteen pointers, those behind the sixth on the stack: compiled C, machine code and printed
//! assembly pass them alike.

use evariste_codegen::check::check;
use evariste_codegen::x86_64::{Features, compile};
use evariste_emit::{MachineCode, assembly};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Type};
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::{Buffer, Compiler, NativeFunction};

/// `out = in + 1` on the last half of so many parameters, in the reverse order of the inputs, so that none is where its
/// output is; of an odd number the last input is added to all.
fn kernel(arity: u32) -> Proved {
    let word = Type::Word(64);
    let mut b = Builder::new(format!("sums{arity}"), 64);
    let full = || vec![word.full()];
    let outputs: Vec<Array> =
        (0..arity / 2).map(|i| b.array(format!("out{i}"), word, 3, ArrayKind::Output, full())).collect();
    let inputs: Vec<Array> =
        (0..arity - arity / 2).map(|i| b.array(format!("in{i}"), word, 3, ArrayKind::Input, full())).collect();
    for out in &outputs {
        inputs.iter().for_each(|input| b.must_be_disjoint(*out, *input));
    }
    for (i, (out, input)) in outputs.iter().zip(inputs[..outputs.len()].iter().rev()).enumerate() {
        for j in 0..3u32 {
            let mut x = b.load(*input, j);
            if inputs.len() > outputs.len() {
                let last = b.load(inputs[outputs.len()], j);
                x = b.wrapping_add(x, last);
            }
            let more = b.word_constant(i as u64 + 1);
            let sum = b.wrapping_add(x, more);
            b.store(*out, j, sum);
        }
    }
    match prove(&b.finish(Contract::default())) {
        Outcome::Proved(proved) => proved,
        other => panic!("{other:?}"),
    }
}

/// What the arrays hold afterwards.
fn wanted(arity: usize, arrays: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let outputs = arity / 2;
    let mut after = arrays.to_vec();
    for i in 0..outputs {
        for j in 0..3 {
            let last = if arity % 2 == 1 { arrays[arity - 1][j] } else { 0 };
            after[i][j] = arrays[2 * outputs - 1 - i][j].wrapping_add(last).wrapping_add(i as u64 + 1);
        }
    }
    after
}

#[test]
fn compiled_assembled_and_printed() {
    let compiler = Compiler::all().into_iter().next();
    if compiler.is_none() {
        evariste_testing::lacks_tool("functions of many parameters in C", "a C compiler");
    }
    for arity in [2, 6, 7, 9, 12, 15, 16] {
        let proved = kernel(arity as u32);
        let program = compile(&proved, Features::BASELINE, None).unwrap_or_else(|e| panic!("{arity}: {e}"));
        let program = check(&proved, &program).unwrap_or_else(|e| panic!("{arity}: {e}"));
        let mut made: Vec<NativeFunction> = Vec::new();
        if let Some(compiler) = &compiler {
            made.extend(compiler.functions(&[&proved], &["-O1"]).unwrap_or_else(|e| panic!("{arity}: {e}")));
        }
        if evariste_jit::available::<evariste_codegen::x86_64::X86_64>().is_ok() {
            let function = evariste_jit::Function::new(&program).unwrap_or_else(|e| panic!("{arity}: {e}"));
            made.push(NativeFunction::from_machine_code(function).unwrap_or_else(|e| panic!("{arity}: {e}")));
        }
        for function in made {
            let before: Vec<Vec<u64>> = (0..arity as u64).map(|i| vec![i, u64::MAX - i, i << 60]).collect();
            let mut buffers: Vec<Buffer> = before.iter().map(|words| Buffer::from_u64(words)).collect();
            function.call(&mut buffers).unwrap_or_else(|e| panic!("{arity}: {e}"));
            let after: Vec<Vec<u64>> = buffers.iter().map(Buffer::to_u64).collect();
            assert_eq!(after, wanted(arity, &before), "{arity}");
        }
        let code = MachineCode { operation: "sums".into(), plan: "by hand".into(), program: program.into() };
        let text = assembly(&[(&code, &proved)], "f").unwrap_or_else(|e| panic!("{arity}: {e}"));
        assert_eq!(text.contains("[rsp"), arity > 6, "{text}");
    }
}
