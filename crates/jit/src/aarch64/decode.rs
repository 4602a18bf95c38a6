//! Words as instructions: those that the compiler writes, by the manual's tables, whatever wrote them. What is not here is
//! not on the list.

/// What is known of an instruction's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// On Arm's list: it does not depend on the values of registers.
    Independent,
    /// A load or store, whose time may depend on its address alone.
    Memory,
    /// Control that moves in public ways: calls, returns, jumps.
    Control,
    /// A conditional jump.
    Branch,
}

/// Bits `high` to `low` of a word.
fn field(word: u32, high: u32, low: u32) -> u32 {
    word >> low & ((1 << (high - low + 1)) - 1)
}

/// Bits as a signed number.
fn signed(word: u32, high: u32, low: u32) -> i64 {
    let bits = high - low + 1;
    i64::from(field(word, high, low)) << (64 - bits) >> (64 - bits)
}

fn x(number: u32) -> String {
    if number == 31 { "xzr".into() } else { format!("x{number}") }
}

fn or_sp(number: u32) -> String {
    if number == 31 { "sp".into() } else { x(number) }
}

/// The text of an instruction at that place, and its class; `None`: not one of those that are known here.
pub(super) fn decode(word: u32, at: usize) -> Option<(String, Class)> {
    let independent = sum(word).or_else(|| bits(word)).or_else(|| product(word)).or_else(|| choice(word));
    if let Some(said) = independent {
        return Some((said, Class::Independent));
    }
    memory(word, at).map(|said| (said, Class::Memory)).or_else(|| control(word, at))
}

fn shifted(word: u32) -> String {
    let (m, amount) = (x(field(word, 20, 16)), field(word, 15, 10));
    let kind = ["lsl", "lsr", "asr", "ror"][field(word, 23, 22) as usize];
    if amount == 0 && kind == "lsl" { m } else { format!("{m}, {kind} #{amount}") }
}

/// `add sub adc sbc` and their fellows.
fn sum(word: u32) -> Option<String> {
    let (d, n) = (field(word, 4, 0), field(word, 9, 5));
    let flags = word >> 29 & 1 == 1;
    let name = |plain: &str| format!("{plain}{}", if flags { "s" } else { "" });
    let minus = word >> 30 & 1 == 1;
    // 64 bits, shifted register, no rotation.
    if word & 0x9f20_0000 == 0x8b00_0000 && field(word, 23, 22) != 3 {
        let name = name(if minus { "sub" } else { "add" });
        return Some(format!("{name} {}, {}, {}", x(d), x(n), shifted(word)));
    }
    // An immediate.
    if word & 0x9f80_0000 == 0x9100_0000 {
        let name = name(if minus { "sub" } else { "add" });
        let to = if flags { x(d) } else { or_sp(d) };
        let high = if word >> 22 & 1 == 1 { ", lsl #12" } else { "" };
        return Some(format!("{name} {to}, {}, #{}{high}", or_sp(n), field(word, 21, 10)));
    }
    // With carry.
    if word & 0x9fe0_fc00 == 0x9a00_0000 {
        let name = name(if minus { "sbc" } else { "adc" });
        return Some(format!("{name} {}, {}, {}", x(d), x(n), x(field(word, 20, 16))));
    }
    None
}

/// The number that the fields of a bitwise immediate say.
fn pattern(word: u32) -> Option<u64> {
    let (whole, turn, ones) = (field(word, 22, 22), field(word, 21, 16), field(word, 15, 10));
    let size = 1u32 << (whole << 6 | !ones & 0x3f).checked_ilog2()?;
    let (turn, ones) = (turn & (size - 1), (ones & (size - 1)) + 1);
    if size < 2 || ones == size {
        return None;
    }
    let (run, mask) = ((1u64 << ones) - 1, u64::MAX >> (64 - size));
    let element = if turn == 0 { run } else { (run >> turn | run << (size - turn)) & mask };
    Some((0..64 / size).fold(0, |value, i| value | element << (size * i)))
}

/// Operations on bits, and shifts.
fn bits(word: u32) -> Option<String> {
    let (d, n) = (x(field(word, 4, 0)), x(field(word, 9, 5)));
    let (turn, last) = (field(word, 21, 16), field(word, 15, 10));
    if word & 0x9f00_0000 == 0x8a00_0000 {
        let all = [["and", "orr", "eor"], ["bic", "orn", "eon"]];
        let name = all[(word >> 21 & 1) as usize].get(field(word, 30, 29) as usize)?;
        if *name == "orr" && n == "xzr" && field(word, 23, 22) == 0 && last == 0 {
            return Some(format!("mov {d}, {}", x(field(word, 20, 16))));
        }
        return Some(format!("{name} {d}, {n}, {}", shifted(word)));
    }
    if word & 0x9f80_0000 == 0x9200_0000 && field(word, 4, 0) != 31 {
        let name = ["and", "orr", "eor"].get(field(word, 30, 29) as usize)?;
        return Some(format!("{name} {d}, {n}, #{:#x}", pattern(word)?));
    }
    if word & 0xffc0_0000 == 0xd340_0000 {
        return match (turn, last) {
            (0, 63) => None,
            (k, 63) => Some(format!("lsr {d}, {n}, #{k}")),
            (turn, last) if last + 1 == turn => Some(format!("lsl {d}, {n}, #{}", 63 - last)),
            (turn, last) if last >= turn => Some(format!("ubfx {d}, {n}, #{turn}, #{}", last - turn + 1)),
            _ => None,
        };
    }
    if word & 0xffc0_fc00 == 0x9340_fc00 && turn > 0 {
        return Some(format!("asr {d}, {n}, #{turn}"));
    }
    if word & 0xffe0_0000 == 0x93c0_0000 && last > 0 {
        let m = x(field(word, 20, 16));
        return Some(if m == n { format!("ror {d}, {n}, #{last}") } else { format!("extr {d}, {n}, {m}, #{last}") });
    }
    None
}

fn product(word: u32) -> Option<String> {
    let (d, n, m) = (x(field(word, 4, 0)), x(field(word, 9, 5)), x(field(word, 20, 16)));
    if word & 0xffe0_fc00 == 0x9bc0_7c00 {
        return Some(format!("umulh {d}, {n}, {m}"));
    }
    if word & 0xffe0_8000 == 0x9b00_0000 {
        return Some(match x(field(word, 14, 10)).as_str() {
            "xzr" => format!("mul {d}, {n}, {m}"),
            a => format!("madd {d}, {n}, {m}, {a}"),
        });
    }
    None
}

/// Conditional selections on the carry, and moves of 16 bits.
fn choice(word: u32) -> Option<String> {
    let (d, n, m) = (x(field(word, 4, 0)), x(field(word, 9, 5)), x(field(word, 20, 16)));
    let name = match word & 0xffe0_0c00 {
        0x9a80_0000 => "csel",
        0x9a80_0400 => "csinc",
        0xda80_0000 => "csinv",
        _ => "",
    };
    let condition = match field(word, 15, 12) {
        2 => "cs",
        3 => "cc",
        _ => "",
    };
    if !name.is_empty() && !condition.is_empty() {
        return Some(format!("{name} {d}, {n}, {m}, {condition}"));
    }
    let name = match word & 0xff80_0000 {
        0x9280_0000 => "movn",
        0xd280_0000 => "movz",
        0xf280_0000 => "movk",
        _ => return None,
    };
    let (value, place) = (field(word, 20, 5), 16 * field(word, 22, 21));
    Some(if place == 0 { format!("{name} {d}, #{value:#x}") } else { format!("{name} {d}, #{value:#x}, lsl #{place}") })
}

fn memory(word: u32, at: usize) -> Option<String> {
    let (t, n) = (field(word, 4, 0), or_sp(field(word, 9, 5)));
    let address = |offset: i64| if offset == 0 { format!("[{n}]") } else { format!("[{n}, #{offset}]") };
    if word & 0x3f80_0000 == 0x3900_0000 {
        let (size, load) = (field(word, 31, 30), word >> 22 & 1 == 1);
        let name = format!("{}{}", if load { "ldr" } else { "str" }, ["b", "h", "", ""][size as usize]);
        let register = if size == 3 { x(t) } else { x(t).replacen('x', "w", 1) };
        return Some(format!("{name} {register}, {}", address(i64::from(field(word, 21, 10)) << size)));
    }
    if word & 0xff00_0000 == 0x5800_0000 {
        return Some(format!("ldr {}, {:#x}", x(t), at as i64 + 4 * signed(word, 23, 5)));
    }
    let (last, offset) = (x(field(word, 14, 10)), 8 * signed(word, 21, 15));
    let pair = |name: &str, address: String| Some(format!("{name} {}, {last}, {address}", x(t)));
    match word & 0xffc0_0000 {
        0xa900_0000 => pair("stp", address(offset)),
        0xa940_0000 => pair("ldp", address(offset)),
        0xa980_0000 if n == "sp" => pair("stp", format!("[sp, #{offset}]!")),
        0xa8c0_0000 if n == "sp" => pair("ldp", format!("[sp], #{offset}")),
        _ => None,
    }
}

fn control(word: u32, at: usize) -> Option<(String, Class)> {
    let to = |high, low| at as i64 + 4 * signed(word, high, low);
    match word {
        0xd65f_03c0 => Some(("ret".into(), Class::Control)),
        _ if word & 0xfc00_0000 == 0x1400_0000 => Some((format!("b {:#x}", to(25, 0)), Class::Control)),
        _ if word & 0xfc00_0000 == 0x9400_0000 => Some((format!("bl {:#x}", to(25, 0)), Class::Control)),
        _ if word & 0xff00_0000 == 0xb500_0000 => {
            Some((format!("cbnz {}, {:#x}", x(field(word, 4, 0)), to(23, 5)), Class::Branch))
        }
        _ => None,
    }
}
