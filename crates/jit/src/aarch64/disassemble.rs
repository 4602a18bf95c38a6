//! Code as text, read back by a decoder of its own, and the list of instructions that constant-time code may consist of.

use crate::code::{Code, NotConstantTime, TimingClass};

use super::decode::{Class, decode};

/// The words of the instructions, with their offsets.
fn words(code: &Code) -> impl Iterator<Item = (usize, u32)> + '_ {
    let words = code.bytes[..code.code_len].as_chunks::<4>().0.iter();
    words.enumerate().map(|(i, bytes)| (4 * i, u32::from_le_bytes(*bytes)))
}

/// One instruction a line: offset, the word, the assembler's syntax. Then the constants.
pub fn disassemble(code: &Code) -> String {
    let mut text = String::new();
    for (at, word) in words(code) {
        let said = decode(word, at).map_or_else(|| format!(".inst {word:#010x}"), |(said, _)| said);
        text += &format!("{at:5x}  {word:08x}  {said}\n");
    }
    for (i, constant) in code.bytes[code.constants_at..].as_chunks::<8>().0.iter().enumerate() {
        text += &format!("{:5x}  .quad {:#018x}\n", code.constants_at + 8 * i, u64::from_le_bytes(*constant));
    }
    text
}

/// Reads the bytes back and judges every instruction. The list is Arm's: "data-independent timing" (`PSTATE.DIT`, in the
/// manual's chapter on it) names what does not depend on the values of registers; the loads, stores and branches here
/// have public addresses and conditions, which the checker shows.
pub fn constant_time(code: &Code) -> Result<TimingClass, NotConstantTime> {
    let mut class = TimingClass::default();
    for (offset, word) in words(code) {
        class.instructions += 1;
        match decode(word, offset) {
            Some((_, Class::Independent | Class::Memory)) => class.independent += 1,
            Some((_, Class::Control)) => {}
            Some((_, Class::Branch)) => class.conditional_jumps += 1,
            None => {
                return Err(NotConstantTime {
                    program: code.name.clone(),
                    offset,
                    instruction: format!(".inst {word:#010x}"),
                });
            }
        }
    }
    Ok(class)
}
