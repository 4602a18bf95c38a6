//! Every vector instruction in every form of its operands is encoded, and the decoder reads the same instruction back.

use evariste_codegen::x86_64::vector::ALL;
use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Lanes, Opcode, Operand, Program, Vector, Width};
use evariste_jit::{EncodeError, constant_time, encode};
use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};

/// The destinations and the other operands that an instruction takes.
fn forms(op: Vector, width: Width, bits: u8) -> Vec<Vec<Operand>> {
    let wide = width.has_masks();
    let high = width.registers() as u8 - 1;
    let memory = |d: i32| Operand::Memory(Address::at(Gpr::Rsi, d));
    let (v, m) = (Operand::Vector, Operand::Mask);
    match op {
        Vector::ZeroUpper => vec![vec![]],
        Vector::Move => vec![
            vec![v(3), v(high)],
            vec![v(high), memory(64)],
            vec![v(0), memory(-12345)],
            vec![memory(128 * 64), v(9)],
            vec![Operand::Memory(Address::at(Gpr::Rsp, 64)), v(9)],
        ],
        Vector::MoveLowest => vec![
            vec![v(high), memory(64)],
            vec![v(0), Operand::Memory(Address::constant(1))],
            vec![memory(-8), v(9)],
            vec![memory(12345), v(high)],
        ],
        Vector::BitMatrix if wide => vec![vec![v(high), v(4), Operand::Broadcast(Address::constant(2))]],
        Vector::RijndaelMul => vec![vec![v(high), v(4), v(0)], vec![v(9), v(high), memory(64)]],
        Vector::Broadcast => vec![vec![v(high), Operand::Memory(Address::constant(1))]],
        Vector::MaskNot => vec![vec![m(1), m(7)]],
        Vector::MaskConstant => vec![vec![m(7), Operand::Memory(Address::constant(1))]],
        Vector::CopyLow | Vector::CopyHigh if wide => {
            vec![vec![v(high), v(4)], vec![Operand::Masked(2, 5), v(high)], vec![v(9), memory(64)]]
        }
        Vector::CopyLow | Vector::CopyHigh => vec![vec![v(high), v(4)], vec![v(9), memory(96)]],
        Vector::MaskAnd | Vector::MaskOr | Vector::MaskXor | Vector::MaskAndNot => vec![vec![m(1), m(7), m(3)]],
        Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_) | Vector::Rol(_) if wide => {
            vec![vec![v(high), v(4)], vec![Operand::Masked(2, 5), v(high)]]
        }
        Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_) | Vector::Rol(_) => vec![vec![v(high), v(4)]],
        _ => {
            let last = if !op.takes_broadcast() || wide && bits == 8 {
                vec![v(high), memory(64), memory(100_000)]
            } else if wide {
                vec![v(high), memory(64), memory(100_000), Operand::Broadcast(Address::constant(2))]
            } else {
                vec![v(high), memory(96)]
            };
            let first = match op {
                Vector::Compare(_) => vec![m(2), m(7)],
                Vector::Blend => vec![Operand::Masked(high, 1)],
                _ if !op.takes_broadcast() => vec![v(0), v(high)],
                _ if wide => vec![v(0), v(high), Operand::Masked(17, 6)],
                _ => vec![v(0), v(high)],
            };
            first.iter().flat_map(|d| last.iter().map(|l| vec![*d, v(11), *l])).collect()
        }
    }
}

fn vector(n: u8, width: Width) -> Register {
    let first = match width {
        Width::X => Register::XMM0,
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
    for width in [Width::X, Width::Y, Width::Z] {
        for op in ALL.into_iter().chain([Vector::Ternary(0xf8)]) {
            for bits in [8, 32, 64] {
                let code: Vec<Inst> = forms(op, width, bits)
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
        };
        assert!(encode(&program).is_err(), "{operand:?}");
    }
}
