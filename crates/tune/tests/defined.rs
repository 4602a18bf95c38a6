//! An operation that is defined by a body, all the way: proved by it, checked, as machine code and as compiled C.

use evariste_codegen::check::check;
use evariste_codegen::x86_64::{Features, compile};
use evariste_ir::op::{Op, Row, defined_row, types};
use evariste_ir::{ArrayKind, BitMap, Builder, Claim, Contract, Kernel, Operand, Type};
use evariste_jit::Function;
use evariste_proof::{Outcome, Proved, prove};
use evariste_run::{Buffer, Compiler, NativeFunction};
use num_bigint::BigInt;

/// The sum of all bits, as a word that is 0 or 1.
static PARITY: Row = defined_row(
    "parity",
    || Op::Defined(&PARITY),
    types::INTEGER,
    |w, args| {
        let (mut x, bits) = (args[0], w.ty(args[0]).bits());
        for k in [32u32, 16, 8, 4, 2, 1].into_iter().filter(|k| *k < bits) {
            let up = w.same(Op::Shr(k.into()), &[x]);
            x = w.same(Op::Xor, &[x, up]);
        }
        vec![w.same(Op::LowBits(1), &[x])]
    },
);

/// out = the sum of the bits of a, which the contract says of the bits that `counted` has.
fn kernel(counted: u64) -> Kernel {
    let mut b = Builder::new("sum_of_bits", 64);
    let (ty, top) = (b.word_type(), BigInt::from(u64::MAX));
    let out = b.output("out", 1, &[1.into()]);
    let a = b.array("a", ty, 1, ArrayKind::Input, vec![ty.full()]);
    let x = b.load(a, 0u32);
    let sum = b.op(Op::Defined(&PARITY), &[x], &[Type::Word(64)])[0];
    b.store(out, 0u32, sum);
    let images = (0..64).map(|i| if counted >> i & 1 == 1 { vec![0] } else { vec![] }).collect::<Vec<_>>();
    b.finish(Contract {
        inputs: vec![Operand::new("a", a, &[0], std::slice::from_ref(&top), top.clone())],
        claims: vec![Claim::Bits {
            output: Operand::new("out", out, &[0], &[1.into()], 1.into()),
            map: BitMap::Linear(images.into()),
        }],
        ..Contract::default()
    })
}

fn proved(kernel: &Kernel) -> Proved {
    match prove(kernel) {
        Outcome::Proved(proved) => proved,
        Outcome::Refuted(_) => panic!("refuted"),
        Outcome::Unknown(why) => panic!("{why:?}"),
    }
}

fn agrees(function: &NativeFunction) {
    let mut rng = evariste_testing::Random(1);
    for x in [0, 1, u64::MAX, 1 << 63].into_iter().chain((0..1000).map(|_| rng.word())) {
        let mut buffers = [Buffer::zeroed(8), Buffer::from_u64(&[x])];
        function.call(&mut buffers).unwrap();
        assert_eq!(buffers[0].to_u64(), [u64::from(x.count_ones() % 2)], "{x:#x}");
    }
}

#[test]
fn a_body_is_proved_and_runs_everywhere() {
    let kernel = kernel(u64::MAX);
    let proved = proved(&kernel);
    assert!(proved.kernel().to_string().contains("= parity %"), "{}", proved.kernel());
    let program = compile(&proved, Features::BASELINE, None).unwrap();
    let checked = check(&proved, &program).unwrap();
    if cfg!(target_arch = "x86_64") {
        agrees(&NativeFunction::from_machine_code(Function::new(&checked).unwrap()).unwrap());
    }
    match Compiler::find() {
        Ok(compiler) => agrees(&compiler.functions(&[&proved], &["-O2", "-Wall", "-Wextra", "-Werror"]).unwrap()[0]),
        Err(_) => evariste_testing::lacks_tool("a body as C", "a C compiler"),
    }
}

#[test]
fn what_the_body_does_not_do_is_refused() {
    // A contract that forgets a bit; a program of another kernel.
    assert!(!matches!(prove(&kernel(u64::MAX >> 1)), Outcome::Proved(_)));
    let proved = proved(&kernel(u64::MAX));
    let mut other = proved.kernel().clone();
    for stmt in &mut other.body {
        if let evariste_ir::Stmt::Op { op, .. } = stmt {
            *op = Op::LowBits(1);
        }
    }
    let program = evariste_codegen::x86_64::compile_kernel(&other, Features::BASELINE, None).unwrap();
    assert!(check(&proved, &program).is_err());
}
