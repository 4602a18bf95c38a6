//! Every form of AArch64 that the encoder writes, with registers and numbers at their edges.

use evariste_codegen::aarch64::{Address, Chosen, Gpr, Half, Inst, Logic, Shift, Shifted, Sum, Wide};

const SUMS: [Sum; 8] = [Sum::Add, Sum::Adds, Sum::Sub, Sum::Subs, Sum::Adc, Sum::Adcs, Sum::Sbc, Sum::Sbcs];
const LOGIC: [Logic; 6] = [Logic::And, Logic::Or, Logic::Xor, Logic::AndNot, Logic::OrNot, Logic::XorNot];
const SHIFTS: [Shift; 4] = [Shift::Left, Shift::Right, Shift::Signed, Shift::Rotate];

fn x(number: u8) -> Gpr {
    Gpr::x(number)
}

/// Triples in which each register stands in each place, the zero register too.
fn triples() -> Vec<[Gpr; 3]> {
    let all: Vec<Gpr> = (0..31).map(x).chain([Gpr::ZERO]).collect();
    (0..32).map(|i| [all[i], all[(i * 7 + 3) % 32], all[(i * 13 + 5) % 32]]).collect()
}

/// Patterns of every size.
fn patterns() -> Vec<u64> {
    let elements = [(2u32, 1u64), (4, 6), (8, 0x3c), (16, 0x8001), (32, 0x7fff_fffe), (64, 0xff), (64, !0xff)];
    let mut all: Vec<u64> =
        elements.iter().map(|(size, e)| (0..64 / size).fold(0, |v, i| v | e << (size * i))).collect();
    all.extend((1..64).map(|k| u64::MAX >> k));
    all
}

fn arithmetic(code: &mut Vec<Inst>) {
    for [to, left, right] in triples() {
        code.extend(SUMS.map(|op| Inst::sum(op, to, left, right)));
        // `mov` is the assembler's name of one.
        code.extend(LOGIC.map(|op| Inst::logic(op, to, left, right)));
        code.extend([Half::Low, Half::High].map(|half| Inst::Product { half, to, left, right }));
        code.extend(
            [Chosen::AsIs, Chosen::PlusOne, Chosen::Complement]
                .into_iter()
                .flat_map(|chosen| [true, false].map(|carry| Inst::Select { chosen, to, left, right, carry })),
        );
        if right != Gpr::ZERO {
            code.push(Inst::ProductSum { to, left: right, right: left, addend: right });
        }
    }
    for [to, left, register] in triples() {
        for (shift, amount) in SHIFTS.into_iter().flat_map(|shift| [1, 31, 63].map(|amount| (shift, amount))) {
            let right = Shifted { register, shift, amount };
            code.extend(LOGIC.map(|op| Inst::logic(op, to, left, right)));
            if shift != Shift::Rotate {
                code.extend([Sum::Add, Sum::Adds, Sum::Sub, Sum::Subs].map(|op| Inst::sum(op, to, left, right)));
            }
            code.push(Inst::Shift { shift, to, from: left, amount });
            if left != register {
                code.push(Inst::Extract { to, high: left, low: register, amount });
            }
        }
        for (from_bit, bits) in [(0, 1), (0, 63), (1, 62), (31, 32), (62, 1)] {
            code.push(Inst::Field { to, from: left, from_bit, bits });
        }
    }
}

fn immediates(code: &mut Vec<Inst>) {
    let pointers: Vec<Gpr> = (0..31).map(x).chain([Gpr::SP]).collect();
    for (i, left) in pointers.iter().enumerate() {
        for (value, high) in [(0, false), (1, false), (4095, false), (1, true), (4095, true)] {
            code.extend([Sum::Add, Sum::Sub].map(|op| {
                let to = pointers[(i * 5 + 1) % 32];
                Inst::SumOf { op, to, left: *left, value, high }
            }));
            for to in [x(i as u8 % 31), Gpr::ZERO] {
                code.extend([Sum::Adds, Sum::Subs].map(|op| Inst::SumOf { op, to, left: *left, value, high }));
            }
        }
    }
    for (i, value) in patterns().into_iter().enumerate() {
        let (to, left) = (x(i as u8 % 31), if i % 8 == 0 { Gpr::ZERO } else { x((i * 3) as u8 % 31) });
        code.extend([Logic::And, Logic::Or, Logic::Xor].map(|op| Inst::LogicOf { op, to, left, value }));
    }
    for wide in [Wide::Zeros, Wide::Ones, Wide::Keep] {
        for (place, value) in (0..4).flat_map(|place| [0u16, 1, 0x8000, 0xffff].map(|value| (place, value))) {
            code.push(Inst::Move { wide, to: x(value as u8 % 31), value, place });
        }
    }
}

fn memory(code: &mut Vec<Inst>) {
    let bases: Vec<Gpr> = (0..31).map(x).chain([Gpr::SP]).collect();
    for (i, base) in bases.iter().copied().enumerate() {
        let register = if i == 7 { Gpr::ZERO } else { x((i * 11) as u8 % 31) };
        for (bytes, k) in [1u8, 2, 4, 8].into_iter().flat_map(|bytes| [0, 1, 4095].map(|k| (bytes, k))) {
            let address = Address { base, offset: i32::from(bytes) * k };
            code.push(Inst::Load { bytes, to: register, address });
            code.push(Inst::Store { bytes, from: register, address });
        }
        let (first, second) = (x((i * 3) as u8 % 31), x((i * 3 + 1) as u8 % 31));
        for offset in [-512, -8, 0, 8, 504] {
            let address = Address { base, offset };
            code.push(Inst::LoadPair { first, second, address });
            code.push(Inst::StorePair { first, second, address });
        }
        code.push(Inst::Push { first, second, bytes: 8 * (i as u16 + 1) });
        code.push(Inst::Pop { first, second, bytes: 8 * i as u16 });
    }
    code.extend([0, 8, 16].map(|offset| Inst::Constant { to: x(offset as u8), offset }));
}

fn control(code: &mut Vec<Inst>) {
    code.push(Inst::Label(0));
    for (at, filler) in [0, 30, 2000].into_iter().enumerate() {
        for label in [0, at as u32 + 1] {
            code.extend([Inst::Jump(label), Inst::Call(label), Inst::JumpUnlessZero { register: x(at as u8), label }]);
        }
        code.extend(vec![Inst::Return; filler]);
        code.push(Inst::Label(at as u32 + 1));
    }
}

/// All of them.
pub fn all() -> Vec<Inst> {
    let mut code = Vec::new();
    arithmetic(&mut code);
    immediates(&mut code);
    memory(&mut code);
    control(&mut code);
    code
}
