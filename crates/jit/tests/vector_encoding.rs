//! Every vector instruction in every form of its operands is encoded, and the decoder reads the same instruction back.

use crate::common::forms;

use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::vector::ALL;
use evariste_codegen::x86_64::{Address, Features, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_jit::{EncodeError, constant_time, encode};
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};

fn vector(n: u8, width: Width) -> Register {
    let first = match width {
        Width::S | Width::X => Register::XMM0,
        Width::Y => Register::YMM0,
        Width::Z => Register::ZMM0,
    };
    first + u32::from(n)
}

fn compare(inst: &Inst, op: Vector, width: Width, got: &Instruction, constants_at: u64) {
    let name = format!("{:?}", got.mnemonic()).to_lowercase();
    assert_eq!(name, op.name(inst.bits, width), "{inst} became {got}");
    let operands: Vec<Operand> = inst.operands().collect();
    assert_eq!(got.op_count() as usize, operands.len() + usize::from(op.immediate().is_some()), "{inst} became {got}");
    let mut masked = Register::None;
    for (i, operand) in (0u32..).zip(&operands) {
        let memory = |a: &Address, broadcast: bool| {
            assert_eq!(got.op_kind(i), OpKind::Memory, "{inst} became {got}");
            assert_eq!(got.is_broadcast(), broadcast, "{inst} became {got}");
            match a.base {
                evariste_codegen::x86_64::Base::Constants => {
                    assert_eq!(got.ip_rel_memory_address(), constants_at + a.displacement as u64, "{inst} became {got}")
                }
                evariste_codegen::x86_64::Base::Register(_) => {
                    assert_eq!(got.memory_displacement64(), i64::from(a.displacement) as u64, "{inst} became {got}")
                }
            }
        };
        match operand {
            Operand::Vector(n) => assert_eq!(got.op_register(i), vector(*n, width), "{inst} became {got}"),
            Operand::Masked(n, k) => {
                assert_eq!(got.op_register(i), vector(*n, width), "{inst} became {got}");
                masked = Register::K0 + u32::from(*k);
            }
            Operand::Mask(k) => assert_eq!(got.op_register(i), Register::K0 + u32::from(*k), "{inst} became {got}"),
            Operand::Memory(a) => memory(a, false),
            Operand::Broadcast(a) => memory(a, true),
            _ => unreachable!("no other operands are made"),
        }
    }
    assert_eq!(got.op_mask(), masked, "{inst} became {got}");
    assert!(!got.zeroing_masking(), "{inst} became {got}");
    if let Some(k) = op.immediate() {
        assert_eq!(got.immediate(operands.len() as u32), u64::from(k), "{inst} became {got}");
    }
}

#[test]
fn round_trip() {
    let mut seen = 0;
    for width in [Width::S, Width::X, Width::Y, Width::Z] {
        for op in ALL.into_iter().chain([Vector::Ternary(0xf8)]) {
            for bits in [8, 32, 64] {
                let code: Vec<Inst> = forms::vector(op, width, bits)
                    .iter()
                    .map(|operands| Inst::sized(Opcode::Vector(op, width), bits, operands))
                    .collect();
                let program = Program {
                    name: "f".into(),
                    features: Features::AVX512,
                    lanes: Lanes { count: 8, groups: 1 },
                    params: vec![],
                    disjoint: vec![],
                    constants: vec![1, 2, 3],
                    code,
                    callees: Vec::new(),
                };
                let encoded = match encode(&program) {
                    Ok(encoded) => encoded,
                    // What the processor does not have.
                    Err(EncodeError::NoForm { .. }) => {
                        assert!(!op.element_bits(width).contains(&bits), "{op} of {bits} bits has a form");
                        continue;
                    }
                    Err(e) => panic!("{e}"),
                };
                assert!(op.element_bits(width).contains(&bits), "{op} of {bits} bits has no form");
                constant_time(&encoded).unwrap_or_else(|e| panic!("{e}"));
                for (i, inst) in program.code.iter().enumerate() {
                    let at = encoded.offsets[i];
                    let mut decoder =
                        Decoder::with_ip(64, &encoded.bytes[at..encoded.code_len], at as u64, DecoderOptions::NONE);
                    let got = decoder.decode();
                    assert_eq!(
                        got.next_ip() as usize,
                        encoded.offsets.get(i + 1).copied().unwrap_or(encoded.code_len),
                        "{inst} became {got}"
                    );
                    compare(inst, op, width, &got, encoded.constants_at as u64);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 400, "{seen} instructions were compared");
}

#[test]
fn registers_that_do_not_exist() {
    for (operand, width) in [
        (Operand::Vector(32), Width::Z),
        (Operand::Vector(16), Width::Y),
        (Operand::Vector(16), Width::X),
        (Operand::Vector(16), Width::S),
        (Operand::Masked(1, 8), Width::Z),
        (Operand::Masked(1, 0), Width::Z),
    ] {
        let code =
            vec![Inst::new(Opcode::Vector(Vector::Add, width), &[operand, Operand::Vector(1), Operand::Vector(2)])];
        let program = Program {
            name: "f".into(),
            features: Features::AVX512,
            lanes: Lanes { count: 8, groups: 1 },
            params: vec![],
            disjoint: vec![],
            constants: vec![],
            code,
            callees: Vec::new(),
        };
        assert!(encode(&program).is_err(), "{operand:?}");
    }
}
