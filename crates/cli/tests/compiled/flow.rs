//! Follows data through a disassembled function of x86-64 and names the branches, divisions and addresses that depend
//! on it. What memory holds is data; so is what is computed from data; pointers, lengths and counters are not. Registers,
//! flags and bytes of the stack are followed along every path, until nothing changes.
//!
//! What it does not see: data that a function leaves on the stack through a pointer and reads by the stack's register,
//! and what other functions make of arguments in registers, of which it takes results for data.

use std::collections::{BTreeMap, BTreeSet};

/// An instruction: its address, its name, its operands as GNU's disassembler writes them (AT&T).
#[derive(Clone, Debug)]
pub struct Instruction {
    pub address: u64,
    pub name: String,
    pub operands: Vec<String>,
}

/// A function's instructions.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub code: Vec<Instruction>,
}

/// What depends on data: registers, `flags`, bytes of the stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    registers: BTreeSet<String>,
    stack: BTreeSet<i64>,
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let before = (self.registers.len(), self.stack.len());
        self.registers.extend(other.registers.iter().cloned());
        self.stack.extend(other.stack.iter());
        before != (self.registers.len(), self.stack.len())
    }
}

/// Where a memory operand points.
struct Memory {
    displacement: i64,
    base: Option<String>,
    index: Option<String>,
}

/// Reads `0x8(%rax,%rcx,8)`; `None` for what is no memory.
fn memory(operand: &str) -> Option<Memory> {
    let operand = operand.trim_start_matches('*').trim_start_matches("%fs:");
    let (displacement, inside) = operand.strip_suffix(')')?.split_once('(')?;
    let (sign, digits) = displacement.strip_prefix('-').map_or((1, displacement), |rest| (-1, rest));
    let displacement = i64::from_str_radix(digits.trim_start_matches("0x"), 16).unwrap_or(0) * sign;
    let mut parts = inside.split(',');
    let register = |part: Option<&str>| part.and_then(|p| p.strip_prefix('%')).map(whole);
    Some(Memory { displacement, base: register(parts.next()), index: register(parts.next()) })
}

/// The whole register that a part of one belongs to: `r8` of `r8d`, `rax` of `al`, `v1` of `xmm1`.
fn whole(name: &str) -> String {
    for vector in ["xmm", "ymm", "zmm"] {
        if let Some(number) = name.strip_prefix(vector) {
            return format!("v{}", number.split('{').next().unwrap_or(number));
        }
    }
    if let Some(rest) = name.strip_prefix('r')
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return format!("r{}", rest.trim_end_matches(['d', 'w', 'b']));
    }
    let inner = name.trim_start_matches(['r', 'e']);
    match inner {
        "ax" | "al" | "ah" => "rax",
        "bx" | "bl" | "bh" => "rbx",
        "cx" | "cl" | "ch" => "rcx",
        "dx" | "dl" | "dh" => "rdx",
        "si" | "sil" => "rsi",
        "di" | "dil" => "rdi",
        "bp" | "bpl" => "rbp",
        "sp" | "spl" => "rsp",
        _ => return name.to_string(),
    }
    .to_string()
}

/// Bytes that an operand of this instruction has in memory.
fn bytes(i: &Instruction) -> i64 {
    let has = |start: &str| i.operands.iter().any(|o| o.starts_with(start));
    let name = i.name.as_str();
    match () {
        _ if has("%zmm") => 64,
        _ if has("%ymm") => 32,
        _ if has("%xmm") && name.ends_with("movq") => 8,
        _ if has("%xmm") && name.ends_with("movd") => 4,
        _ if has("%xmm") => 16,
        _ if name.starts_with("movzb") || name.starts_with("movsb") || name.starts_with("set") => 1,
        _ if name.starts_with("movzw") || name.starts_with("movsw") => 2,
        _ if name.starts_with("movsl") => 4,
        _ => i.operands.iter().find_map(|o| o.strip_prefix('%').map(width)).unwrap_or(match name.chars().last() {
            Some('b') => 1,
            Some('w') => 2,
            Some('l') => 4,
            _ => 8,
        }),
    }
}

/// Bytes of a general register.
fn width(name: &str) -> i64 {
    let numbered = name.starts_with('r') && name[1..].starts_with(|c: char| c.is_ascii_digit());
    match () {
        _ if numbered && name.ends_with('d') || name.starts_with('e') => 4,
        _ if numbered && name.ends_with('w') => 2,
        _ if numbered && name.ends_with('b') || name.ends_with('l') || name.ends_with('h') => 1,
        _ if name.starts_with('r') => 8,
        _ => 2,
    }
}

/// What is not followed from function to function.
pub struct Rules {
    /// Bytes at the start of every object in memory that hold its length and type, not data.
    pub header: i64,
    /// Registers whose memory is the machine's own.
    pub own: &'static [&'static str],
    /// Is what a call returns data? The machine's own calls return new arrays.
    pub results: bool,
}

/// Of C and Rust.
pub const NATIVE: Rules = Rules { header: 0, own: &["rip"], results: true };
/// Of the JVM: arrays begin with their length, `r15` holds the thread.
pub const JVM: Rules = Rules { header: 16, own: &["rip", "r15"], results: false };

struct Walk<'f> {
    rules: &'f Rules,
    framed: bool,
    state: State,
    found: BTreeSet<(u64, String)>,
}

impl Walk<'_> {
    fn is_stack(&self, base: Option<&str>) -> bool {
        base == Some("rsp") || (self.framed && base == Some("rbp"))
    }

    /// Bytes of the stack have one name whichever register they are reached by, or none at all: two frames of numbers.
    fn slot(&self, m: &Memory) -> i64 {
        m.displacement + if m.base.as_deref() == Some("rbp") { 1 << 40 } else { 0 }
    }

    /// Is what the operand holds data?
    fn is_data(&self, operand: &str, size: i64) -> bool {
        if operand.starts_with('$') {
            return false;
        }
        let Some(m) = memory(operand) else {
            return operand.strip_prefix('%').is_some_and(|name| self.state.registers.contains(&whole(name)));
        };
        let base = m.base.as_deref();
        match base {
            Some(base) if self.rules.own.contains(&base) => false,
            _ if self.is_stack(base) && m.index.is_some() => true,
            _ if self.is_stack(base) => {
                let at = self.slot(&m);
                self.state.stack.range(at..at + size).next().is_some()
            }
            None => false,
            _ => m.displacement >= self.rules.header || m.index.is_some(),
        }
    }

    fn set(&mut self, operand: &str, data: bool, size: i64) {
        match memory(operand) {
            Some(m) if self.is_stack(m.base.as_deref()) && m.index.is_none() => {
                let at = self.slot(&m);
                for byte in at..at + size {
                    if data {
                        self.state.stack.insert(byte)
                    } else {
                        self.state.stack.remove(&byte)
                    };
                }
            }
            Some(_) => {}
            None => {
                let Some(name) = operand.strip_prefix('%').map(whole) else { return };
                if data {
                    self.state.registers.insert(name)
                } else {
                    self.state.registers.remove(&name)
                };
            }
        }
    }

    fn flags(&mut self, data: bool) {
        self.set("%flags", data, 0);
    }

    fn report(&mut self, i: &Instruction, what: &str) {
        self.found.insert((i.address, format!("{what}: {} {}", i.name, i.operands.join(","))));
    }

    /// One instruction.
    fn step(&mut self, i: &Instruction) {
        let (name, size) = (i.name.as_str(), bytes(i));
        let any = |walk: &Self, all: &[String]| all.iter().any(|o| walk.is_data(o, size));
        let flags = self.is_data("%flags", 0);
        if !name.starts_with("lea") && !name.starts_with("nop") {
            for m in i.operands.iter().filter_map(|o| memory(o)) {
                if m.base.iter().chain(&m.index).any(|r| self.state.registers.contains(r)) {
                    self.report(i, "an address depends on data");
                }
            }
        }
        if name.starts_with('j') {
            let indirect = i.operands.iter().any(|o| o.starts_with('*')) && any(self, &i.operands);
            let counted = name.contains("cxz") && self.is_data("%rcx", 8);
            if (name != "jmp" && flags && !name.contains("cxz")) || indirect || counted {
                self.report(i, "a branch depends on data");
            }
            return;
        }
        let plain = name.trim_start_matches('v');
        if plain.starts_with("div") || plain.starts_with("idiv") || plain.starts_with("sqrt") {
            if any(self, &i.operands) || (plain != "sqrt" && (self.is_data("%rax", 8) || self.is_data("%rdx", 8))) {
                self.report(i, "a division of data");
            }
            return;
        }
        if name == "cltd" || name == "cqto" {
            let data = self.is_data("%rax", 8);
            self.set("%rdx", data, 8);
        }
        let Some((to, from)) = i.operands.split_last() else { return };
        let same = from.len() == 1 && from[0] == *to || from.len() == 2 && from[0] == from[1];
        match name {
            _ if name.starts_with("call") => {
                let made = self.rules.results && !i.operands.iter().any(|o| o.contains("<mem"));
                for register in ["rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "flags"] {
                    self.set(&format!("%{register}"), false, 8);
                }
                self.set("%rax", made, 8);
                self.set("%rdx", made, 8);
            }
            _ if name.starts_with("push") || name.starts_with("nop") => {}
            _ if name.starts_with("pop") && from.is_empty() => self.set(to, false, 8),
            _ if name.starts_with("lea") => {
                let m = memory(&from[0]);
                let data = m.is_some_and(|m| m.base.iter().chain(&m.index).any(|r| self.state.registers.contains(r)));
                self.set(to, data, 8);
            }
            _ if name.starts_with("xchg") => {
                let data = any(self, &i.operands);
                i.operands.iter().for_each(|o| self.set(o, data, size));
            }
            _ if name.starts_with("cmp") && !name.starts_with("cmpxchg")
                || name.starts_with("test")
                || name.starts_with("bt") =>
            {
                let data = any(self, &i.operands);
                self.flags(data);
            }
            _ if name.starts_with("set") => self.set(to, flags, 1),
            _ if name.starts_with("cmov") => {
                let data = flags || any(self, &i.operands);
                self.set(to, data, size);
            }
            _ if (plain.starts_with("xor") || plain.starts_with("pxor") || name.starts_with("sub")) && same => {
                self.set(to, false, size);
                self.flags(false);
            }
            _ if name.starts_with("mulx") => {
                let data = self.is_data(&from[0], 8) || self.is_data("%rdx", 8);
                self.set(&from[1], data, 8);
                self.set(to, data, 8);
            }
            _ if from.is_empty() && (name.starts_with("mul") || name.starts_with("imul")) => {
                let data = self.is_data(to, 8) || self.is_data("%rax", 8);
                self.set("%rax", data, 8);
                self.set("%rdx", data, 8);
                self.flags(data);
            }
            _ if plain.starts_with("mov") && from.len() == 1
                || name.starts_with("cvt")
                || plain.starts_with("pbroadcast") =>
            {
                let data = any(self, from);
                self.set(to, data, size);
            }
            _ => self.compute(i, flags, size),
        }
    }

    /// Anything else: the last operand is made of all, with the carry where it takes part.
    fn compute(&mut self, i: &Instruction, flags: bool, size: i64) {
        let name = i.name.as_str();
        let Some((to, from)) = i.operands.split_last() else { return };
        let carries = ["adc", "sbb", "adcx", "adox", "rcl", "rcr"].iter().any(|c| name.starts_with(c));
        // Of three operands the last is written only, but for shifts of two words.
        let read = if from.len() < 2 || name.starts_with("sh") { &i.operands[..] } else { from };
        let data = (carries && flags) || read.iter().any(|o| self.is_data(o, size));
        self.set(to, data, size);
        let silent = ["not", "shlx", "shrx", "sarx", "rorx"].contains(&name.trim_end_matches(['l', 'q']))
            || i.operands.iter().any(|o| o.starts_with("%xmm") || o.starts_with("%ymm") || o.starts_with("%zmm"));
        if !silent {
            self.flags(data);
        }
    }
}

/// What depends on data in a function, in order of addresses.
pub fn findings(function: &Function, rules: &Rules) -> Vec<String> {
    let framed = function.code.iter().take(8).any(|i| i.name.starts_with("mov") && i.operands == ["%rsp", "%rbp"]);
    let mut incoming: BTreeMap<u64, State> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for _ in 0..100 {
        let mut walk = Walk { rules, framed, state: State::default(), found: BTreeSet::new() };
        let mut changed = false;
        let mut falls = true;
        for i in &function.code {
            if !falls {
                walk.state = State::default();
            }
            if let Some(more) = incoming.get(&i.address) {
                walk.state.join(more);
            }
            walk.step(i);
            if i.name.starts_with('j')
                && let Some(target) = i
                    .operands
                    .first()
                    .and_then(|o| u64::from_str_radix(o.split(' ').next()?.trim_start_matches("0x"), 16).ok())
            {
                changed |= incoming.entry(target).or_default().join(&walk.state);
            }
            falls = !(i.name.starts_with("jmp") || i.name.starts_with("ret") || i.name.starts_with("ud2"));
        }
        found.extend(walk.found);
        if !changed {
            break;
        }
    }
    found.into_iter().map(|(_, text)| format!("{}: {text}", function.name)).collect()
}

/// Functions of a disassembly by `objdump -d --no-show-raw-insn`.
pub fn functions(text: &str) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|l| l.split_once(" <")) {
            all.push(Function { name: name.1.to_string(), code: Vec::new() });
        } else if let (Some((address, code)), Some(function)) = (line.split_once(":\t"), all.last_mut()) {
            let Ok(address) = u64::from_str_radix(address.trim(), 16) else { continue };
            function.code.push(instruction(address, code));
        }
    }
    all
}

/// Reads one instruction's text.
fn instruction(address: u64, text: &str) -> Instruction {
    let text = text.split('#').next().unwrap_or_default().trim();
    let prefixes = ["notrack ", "lock ", "rep ", "repz ", "bnd ", "data16 ", "cs "];
    let text = prefixes.iter().fold(text, |text, prefix| text.trim_start_matches(prefix));
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (mut operands, mut depth, mut start) = (Vec::new(), 0, 0);
    let rest = rest.trim();
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(rest[start..at].to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !rest.is_empty() {
        operands.push(rest[start..].to_string());
    }
    Instruction { address, name: name.to_string(), operands }
}

#[test]
fn what_depends_on_data_is_found() {
    let told = |code: &[&str]| {
        let code = code.iter().enumerate().map(|(i, text)| instruction(i as u64, text)).collect();
        findings(&Function { name: "f".into(), code }, &NATIVE)
    };
    let none: [String; 0] = [];
    // A counter, a choice by a mask, a carry, a zero.
    assert_eq!(
        told(&["mov $0x4,%ecx", "mov (%rsi),%rax", "adc 0x8(%rsi),%rax", "dec %ecx", "jne 1 <f+1>", "ret"]),
        none
    );
    assert_eq!(
        told(&["mov (%rsi),%rax", "cmp %rax,%rdx", "cmovb %rax,%rdx", "xor %eax,%eax", "test %eax,%eax", "je 0 <f>"]),
        none
    );
    // The stack, and a register that was data before.
    assert_eq!(
        told(&["mov (%rsi),%rax", "mov %rax,0x8(%rsp)", "mov %rdi,0x8(%rsp)", "cmpq $0x0,0x8(%rsp)", "je 0 <f>"]),
        none
    );
    assert_eq!(
        told(&["mov (%rsi),%rax", "mov %rax,0x8(%rsp)", "cmpq $0x0,0x8(%rsp)", "je 0 <f>"]),
        ["f: a branch depends on data: je 0 <f>"]
    );
    assert_eq!(
        told(&["mov (%rsi),%rax", "and $0x1,%eax", "mov (%rdi,%rax,8),%rcx"]),
        ["f: an address depends on data: mov (%rdi,%rax,8),%rcx"]
    );
    assert_eq!(told(&["mov (%rsi),%rax", "xor %edx,%edx", "divq (%rdi)"]), ["f: a division of data: divq (%rdi)"]);
    // Round a loop: data comes from below.
    assert_eq!(
        told(&["test %rbx,%rbx", "je 4 <f+4>", "mov (%rsi),%rbx", "jmp 0 <f>", "ret"]),
        ["f: a branch depends on data: je 4 <f+4>"]
    );
    // Carries and products of vectors.
    assert_eq!(
        told(&[
            "vmovdqu (%rsi),%ymm1",
            "vpmuludq %ymm1,%ymm0,%ymm2",
            "vmovq %xmm2,%rax",
            "test %rax,%rax",
            "jne 0 <f>"
        ]),
        ["f: a branch depends on data: jne 0 <f>"]
    );
}
