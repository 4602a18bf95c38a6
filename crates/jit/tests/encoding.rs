//! Every opcode in every form of its operands is encoded, and the decoder reads the same instruction back.

use crate::common::forms;

use crate::common::forms::CONDITIONS;
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::table::{Timing, row};
use evariste_codegen::x86_64::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Program};
use evariste_jit::{EncodeError, Executable, JitError, constant_time, disassemble, encode};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

fn program(code: Vec<Inst>, constants: Vec<u64>) -> Program {
    Program {
        name: "f".to_string(),
        features: Features::ADX,
        lanes: Lanes::ONE,
        params: vec![],
        disjoint: vec![],
        constants,
        code,
        callees: Vec::new(),
    }
}

/// What the decoder must say of an opcode.
fn mnemonic(op: Opcode, bits: u8) -> Mnemonic {
    use Opcode::*;
    match op {
        Mov => Mnemonic::Mov,
        MovZeroExtend if bits == 32 => Mnemonic::Mov,
        MovZeroExtend => Mnemonic::Movzx,
        Lea => Mnemonic::Lea,
        Add => Mnemonic::Add,
        Adc => Mnemonic::Adc,
        Sub => Mnemonic::Sub,
        Sbb => Mnemonic::Sbb,
        Adcx => Mnemonic::Adcx,
        Adox => Mnemonic::Adox,
        Neg => Mnemonic::Neg,
        And => Mnemonic::And,
        Or => Mnemonic::Or,
        Xor => Mnemonic::Xor,
        Not => Mnemonic::Not,
        Andn => Mnemonic::Andn,
        Cmp => Mnemonic::Cmp,
        Test => Mnemonic::Test,
        BitTest => Mnemonic::Bt,
        Imul => Mnemonic::Imul,
        Mul => Mnemonic::Mul,
        Mulx => Mnemonic::Mulx,
        Shl => Mnemonic::Shl,
        Shr => Mnemonic::Shr,
        Sar => Mnemonic::Sar,
        Rol => Mnemonic::Rol,
        Shld => Mnemonic::Shld,
        Shrd => Mnemonic::Shrd,
        Rorx => Mnemonic::Rorx,
        Shlx => Mnemonic::Shlx,
        Shrx => Mnemonic::Shrx,
        Set(c) => [Mnemonic::Setb, Mnemonic::Setae, Mnemonic::Seto, Mnemonic::Setno, Mnemonic::Sete, Mnemonic::Setne]
            [condition(c)],
        Cmov(c) => {
            [Mnemonic::Cmovb, Mnemonic::Cmovae, Mnemonic::Cmovo, Mnemonic::Cmovno, Mnemonic::Cmove, Mnemonic::Cmovne]
                [condition(c)]
        }
        ClearCarry => Mnemonic::Clc,
        SetCarry => Mnemonic::Stc,
        Push => Mnemonic::Push,
        Pop => Mnemonic::Pop,
        Label => Mnemonic::INVALID,
        Jump => Mnemonic::Jmp,
        JumpIf(c) => {
            [Mnemonic::Jb, Mnemonic::Jae, Mnemonic::Jo, Mnemonic::Jno, Mnemonic::Je, Mnemonic::Jne][condition(c)]
        }
        Call => Mnemonic::Call,
        Return => Mnemonic::Ret,
        EndBranch => Mnemonic::Endbr64,
        Vector(..) => Mnemonic::INVALID,
    }
}

fn condition(c: Condition) -> usize {
    CONDITIONS.iter().position(|x| *x == c).expect("all six are listed")
}

/// A register as the decoder names it, without the encoder's own table: by its name in the manuals.
fn is_register(r: Register, gpr: Gpr, bits: u8) -> bool {
    let old = ["AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI"].get(gpr.number() as usize);
    let name = match (old, bits) {
        (Some(name), 64) => format!("R{name}"),
        (Some(name), 32) => format!("E{name}"),
        (Some(name), 16) => name.to_string(),
        (Some(name), _) => format!("{}L", name.trim_end_matches('X')),
        (None, _) => format!(
            "R{}{}",
            gpr.number(),
            [(64, ""), (32, "D"), (16, "W"), (8, "L")].map(|(b, end)| if b == bits { end } else { "" }).concat()
        ),
    };
    format!("{r:?}") == name
}

fn check_operands(inst: &Inst, got: &Instruction, constants_at: u64) {
    let operands: Vec<Operand> = inst.operands().collect();
    // `mov r64, imm` of 32 unsigned bits is written on the half register, which extends by zeros.
    let halved = inst.op == Opcode::Mov && inst.bits == 64 && got.op0_register().is_gpr32();
    let decoded = got.op_count() as usize;
    assert_eq!(decoded, operands.len(), "{inst:?} became {got}");
    for (i, operand) in operands.iter().enumerate() {
        let kind = got.op_kind(i as u32);
        match operand {
            Operand::Register(gpr) => {
                let bits = if halved || inst.op == Opcode::MovZeroExtend && i == 0 { 32 } else { inst.bits };
                assert!(
                    kind == OpKind::Register && is_register(got.op_register(i as u32), *gpr, bits),
                    "{inst:?} became {got}, operand {i}"
                );
            }
            Operand::Immediate(v) => {
                let size = if matches!(kind, OpKind::Immediate8) && inst.bits > 8 { 64 } else { inst.bits };
                let mask = if size == 64 { u64::MAX } else { (1 << size) - 1 };
                assert_eq!(got.immediate(i as u32) & mask, *v as u64 & mask, "{inst:?} became {got}");
                assert!(!halved || got.immediate(i as u32) <= u64::from(u32::MAX));
            }
            Operand::Memory(a) => {
                assert_eq!(kind, OpKind::Memory, "{inst:?} became {got}");
                match a.base {
                    Base::Constants => {
                        assert!(got.is_ip_rel_memory_operand());
                        assert_eq!(
                            got.ip_rel_memory_address(),
                            constants_at + a.displacement as u64,
                            "{inst:?} became {got}"
                        );
                    }
                    Base::Register(base) => {
                        assert!(is_register(got.memory_base(), base, 64), "{inst:?} became {got}");
                        assert_eq!(
                            got.memory_displacement64(),
                            i64::from(a.displacement) as u64,
                            "{inst:?} became {got}"
                        );
                        match a.index {
                            None => assert_eq!(got.memory_index(), Register::None, "{inst:?} became {got}"),
                            Some((index, scale)) => assert!(
                                is_register(got.memory_index(), index, 64)
                                    && got.memory_index_scale() == u32::from(scale),
                                "{inst:?} became {got}"
                            ),
                        }
                    }
                }
                if inst.op != Opcode::Lea {
                    assert_eq!(got.memory_size().size(), usize::from(inst.bits) / 8, "{inst:?} became {got}");
                }
            }
            _ => unreachable!("branches and vectors have their own tests"),
        }
    }
}

/// Encodes all in one program and compares instruction by instruction.
fn round_trip(code: Vec<Inst>, constants: usize) {
    let program = program(code, vec![7; constants]);
    let encoded = encode(&program).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(encoded.constants_at % 64, if constants == 0 { encoded.code_len % 64 } else { 0 });
    for (i, inst) in program.code.iter().enumerate() {
        let at = encoded.offsets[i];
        let mut decoder = Decoder::with_ip(64, &encoded.bytes[at..encoded.code_len], at as u64, DecoderOptions::NONE);
        let got = decoder.decode();
        assert_eq!(got.mnemonic(), mnemonic(inst.op, inst.bits), "{inst:?} became {got}");
        assert_eq!(
            got.next_ip() as usize,
            encoded.offsets.get(i + 1).copied().unwrap_or(encoded.code_len),
            "{inst:?} became {got}"
        );
        check_operands(inst, &got, encoded.constants_at as u64);
    }
    // The text has a line an instruction and a constant.
    assert_eq!(disassemble(&encoded).lines().count(), program.code.len() + constants);
}

#[test]
fn every_form_decodes_to_itself() {
    let code = forms::scalar();
    // Every opcode took part, branches and labels aside.
    assert!(code.len() > 20_000, "{}", code.len());
    round_trip(code.clone(), 3);
    let all_ops: Vec<Opcode> = code.iter().map(|inst| inst.op).collect();
    let all = encode(&program(code, vec![7; 3])).expect("encoded before");
    // The list judges as the machine table does.
    let on_the_list = all_ops.iter().filter(|op| row(**op).timing == Timing::Independent).count();
    let class = constant_time(&all).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((class.instructions, class.independent, class.conditional_jumps), (all.offsets.len(), on_the_list, 0));
}

#[test]
fn branches_reach_and_grow() {
    use Operand::Label;
    for filler in [0, 5, 60, 61, 62, 63, 64, 200, 100_000] {
        let mut code = vec![Inst::new(Opcode::Label, &[Label(1)])];
        code.extend(vec![Inst::new(Opcode::ClearCarry, &[]); filler]);
        for c in CONDITIONS {
            code.push(Inst::new(Opcode::JumpIf(c), &[Label(1)]));
            code.push(Inst::new(Opcode::JumpIf(c), &[Label(2)]));
        }
        code.push(Inst::new(Opcode::Jump, &[Label(2)]));
        code.push(Inst::new(Opcode::Jump, &[Label(1)]));
        code.push(Inst::new(Opcode::Call, &[Label(1)]));
        code.extend(vec![Inst::new(Opcode::SetCarry, &[]); filler]);
        code.push(Inst::new(Opcode::Label, &[Label(2)]));
        code.push(Inst::new(Opcode::Return, &[]));
        let program = program(code, vec![]);
        let encoded = encode(&program).unwrap_or_else(|e| panic!("{e}"));
        for (i, inst) in program.code.iter().enumerate() {
            let Some(Label(label)) = inst.operands[0] else { continue };
            if inst.op == Opcode::Label {
                continue;
            }
            let at = encoded.offsets[i];
            let got = Decoder::with_ip(64, &encoded.bytes[at..], at as u64, DecoderOptions::NONE).decode();
            assert_eq!(got.mnemonic(), mnemonic(inst.op, 64));
            let target = program
                .code
                .iter()
                .position(|x| x.op == Opcode::Label && x.operands[0] == Some(Label(label)))
                .expect("the label is there");
            assert_eq!(got.near_branch_target(), encoded.offsets[target] as u64, "{got}");
            let distance = got.near_branch_target() as i64 - got.next_ip() as i64;
            assert!(
                i8::try_from(distance).is_err() || got.len() == 2 || inst.op == Opcode::Call,
                "{got} is longer than it must be"
            );
        }
    }
}

#[test]
fn what_has_no_form_is_refused() {
    use Operand::*;
    let r = Register(Gpr::Rax);
    let refused = |inst: Inst| encode(&program(vec![inst], vec![1])).expect_err(&format!("{inst:?}"));
    assert!(matches!(refused(Inst::new(Opcode::Mulx, &[r, r, Immediate(3)])), EncodeError::NoForm { .. }));
    assert!(matches!(refused(Inst::new(Opcode::Add, &[r, Immediate(1 << 40)])), EncodeError::NoForm { .. }));
    assert!(matches!(refused(Inst::sized(Opcode::Adcx, 8, &[r, r])), EncodeError::NoForm { .. }));
    assert!(matches!(refused(Inst::new(Opcode::Shl, &[r, Immediate(64)])), EncodeError::Refused { .. }));
    assert!(matches!(refused(Inst::sized(Opcode::Add, 8, &[r, Immediate(256)])), EncodeError::Refused { .. }));
    assert!(matches!(
        refused(Inst::new(Opcode::Mov, &[r, Memory(Address::constant(1))])),
        EncodeError::NoConstant { at: 0 }
    ));
    let index_rsp = Address { base: Base::Register(Gpr::Rax), index: Some((Gpr::Rsp, 1)), displacement: 0 };
    assert!(matches!(refused(Inst::new(Opcode::Mov, &[r, Memory(index_rsp)])), EncodeError::Refused { .. }));
    assert_eq!(refused(Inst::new(Opcode::Jump, &[Label(3)])), EncodeError::NoLabel { at: 0, label: 3 });
    let twice = vec![Inst::new(Opcode::Label, &[Label(3)]); 2];
    assert_eq!(encode(&program(twice, vec![])), Err(EncodeError::LabelTwice { label: 3 }));
}

#[test]
fn the_list_refuses_jumps_on_data() {
    let on = |c| {
        encode(&program(
            vec![Inst::new(Opcode::Label, &[Operand::Label(0)]), Inst::new(Opcode::JumpIf(c), &[Operand::Label(0)])],
            vec![],
        ))
        .expect("encodes")
    };
    let error = constant_time(&on(Condition::Carry)).expect_err("a jump on a carry");
    assert_eq!(
        error.to_string(),
        "f: `jb short 0` at 0x0 is not in the list of instructions whose time is independent of data"
    );
    assert_eq!(constant_time(&on(Condition::NotZero)).map(|t| t.conditional_jumps), Ok(1));
    // Bytes that are no instruction of ours; none of them becomes executable.
    let mut code = on(Condition::Zero);
    let refused: [(&[u8], &str); 7] = [
        (&[0x48, 0xf7, 0xf1], "div rcx"),
        (&[0x48, 0xd3, 0xe0], "shl rax,cl"),
        (&[0x48, 0x0f, 0xa5, 0xd0], "shld rax,rdx,cl"),
        (&[0xc4, 0xe2, 0xf2, 0xf7, 0xc2], "sarx rax,rdx,rcx"),
        (&[0xf5], "cmc"),
        (&[0x48, 0x0f, 0xbd, 0xc2], "bsr rax,rdx"),
        (&[0x06], "(bad)"),
    ];
    for (bytes, text) in refused {
        (code.bytes, code.code_len) = (bytes.to_vec(), bytes.len());
        (code.constants_at, code.offsets) = (bytes.len(), vec![0]);
        assert_eq!(constant_time(&code).expect_err(text).instruction, text);
        // SAFETY: whatever comes of it is not called.
        let executable = unsafe { Executable::new(&code) };
        assert!(matches!(executable, Err(JitError::NotConstantTime(_) | JitError::AnotherProcessor(_))), "{text}");
    }
    (code.bytes, code.code_len, code.constants_at) = (vec![0x48, 0xd1, 0xe0], 3, 3);
    assert_eq!(constant_time(&code).map(|t| t.independent), Ok(1), "shl rax, 1");
}
