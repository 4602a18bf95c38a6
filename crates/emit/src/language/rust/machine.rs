//! Machine code in a crate: a module of `global_asm!`, and beside each function that has such code one that takes it where
//! the feature `asm` is on and the processor has what it needs. What gives the same results is not `const`.

use std::collections::BTreeSet;

use evariste_codegen::assembly::{InRust, Target};
use evariste_ir::{Array, Kernel};

use super::names::{WORDS, array_type, parameter, results, signature};
use crate::asm::{Entry, entry, functions_of_elf, target};
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;

/// The end of the name of a function that takes machine code where there is some.
pub const FAST: &str = "_fast";

/// The name of the function that computes an operation soonest: with its prefix.
pub fn fastest(content: &Content, operation: &str) -> String {
    let end = if content.has_machine_code(operation) { FAST } else { "" };
    format!("{}_{operation}{end}", content.prefix)
}

/// The name of the function by which a test takes one version of machine code after the other.
pub fn only_version(content: &Content) -> String {
    format!("{}_only_version", content.prefix)
}

/// The processor of a package's machine code, and what crates say of it; `None`: it has none.
fn processor(content: &Content) -> Result<Option<(&'static Target, InRust)>, EmitError> {
    if content.machine_code.is_empty() {
        return Ok(None);
    }
    let target = target(&content.machine_code.iter().collect::<Vec<_>>())?;
    let rust = target.rust.ok_or_else(|| EmitError::MachineCode {
        operation: content.machine_code[0].operation.clone(),
        why: format!("crates of Rust have no assembly for {}\nhelp: take --lang rust, or --lang asm", target.name),
    })?;
    Ok(Some((target, rust)))
}

/// The functions with machine code, in the order of the package.
fn coded<'a>(content: &'a Content) -> impl Iterator<Item = (&'a str, &'a Kernel)> {
    content.kernels.iter().filter(|(name, _)| content.has_machine_code(name)).map(|(name, k)| (name.as_str(), *k))
}

/// What the library has of it: the functions that choose, and the module's line.
pub fn functions(content: &Content) -> Result<String, EmitError> {
    let Some((target, rust)) = processor(content)? else { return Ok(String::new()) };
    let condition = format!("all(feature = \"asm\", {})", rust.compiled_for);
    let mut out = format!("\n#[cfg({condition})]\nmod {};\n", target.suffix);
    out += &format!(
        "\n/// For the test of this crate: from now on functions take versions of machine code for what the processor has (0), or for no\n/// more than one version needs (1, 2, …). `false`: there is no such version.\n#[doc(hidden)]\npub fn {}(version: usize) -> bool {{\n    #[cfg({condition})]\n    return {}::only(version);\n    #[cfg(not({condition}))]\n    {{\n        version == 0\n    }}\n}}\n",
        only_version(content),
        target.suffix
    );
    for (operation, kernel) in coded(content) {
        let symbol = format!("{}_{operation}", content.prefix);
        if content.kernels.iter().any(|(other, _)| *other == format!("{operation}{FAST}")) {
            return Err(EmitError::DuplicateName { symbol: symbol + FAST });
        }
        let call = given(kernel).join(", ");
        let head = signature(kernel, &format!("{symbol}{FAST}")).replace("const fn", "pub fn");
        out += &format!(
            "\n/// [`{symbol}`], by machine code where the feature `asm` is on and the processor has what it needs.\n#[inline]\n{head} {{\n    #[cfg({condition})]\n    return {}::{operation}({call});\n    #[cfg(not({condition}))]\n    {symbol}({call})\n}}\n",
            target.suffix
        );
    }
    Ok(out)
}

/// The names of what a function takes.
fn given(kernel: &Kernel) -> Vec<String> {
    params(kernel, false).into_iter().map(|a| WORDS.name(&kernel.array(a).name)).collect()
}

/// The module's file: its name and its text.
pub fn module(content: &Content, library: &str) -> Result<Option<(String, String)>, EmitError> {
    let Some((target, rust)) = processor(content)? else { return Ok(None) };
    // Symbols of two crates of one program must differ.
    let prefix = format!("{}_{:016x}", content.prefix, digest(library));
    let mut entries = Vec::new();
    let (mut declared, mut functions) = (String::new(), String::new());
    for (operation, kernel) in coded(content) {
        let own: Vec<Entry> =
            content.machine_codes(operation).map(|code| entry(&prefix, code, kernel)).collect::<Result<_, _>>()?;
        for entry in &own {
            declared += &format!("    fn {}({});\n", entry.symbol, pointers(kernel));
        }
        functions += &caller(content, operation, kernel, &own);
        entries.extend(own);
    }
    let needed = entries.iter().fold(0, |all, entry| all | entry.needs);
    let sets: BTreeSet<u32> = entries.iter().map(|entry| entry.needs).filter(|needs| *needs != 0).collect();
    let only =
        ONLY.replace("COUNT", &sets.len().to_string()).replace("SETS", &format!("{sets:?}").replace(['{', '}'], ""));
    let assembly = functions_of_elf(&entries)?;
    let text = format!(
        "
//! Machine code for {}, checked instruction by instruction against the proved kernels, and the choice: a function takes it
//! where the processor has what it needs.
#![allow(unsafe_code, dead_code)]

use core::sync::atomic::{{AtomicU32, Ordering}};

core::arch::global_asm!(
    r#\"
{assembly}\"#,
    options(raw)
);

unsafe extern \"{}\" {{
{declared}}}

{ASKS}
fn asked() -> u32 {{
{}}}
{only}{TAKEN}{functions}",
        target.name, rust.convention, (rust.statements)(target.asked_bits(needed))
    );
    Ok(Some((format!("{}.rs", target.suffix), text)))
}

const ASKS: &str = "\
/// What the processor has, as bits; 0: nobody has asked yet.
static CPU: AtomicU32 = AtomicU32::new(0);

#[inline(always)]
fn cpu() -> u32 {
    match CPU.load(Ordering::Relaxed) {
        0 => ask(),
        cpu => cpu,
    }
}

#[cold]
fn ask() -> u32 {
    let cpu = asked();
    CPU.store(cpu, Ordering::Relaxed);
    cpu
}

";

/// How the test of a crate takes one version after the other.
const ONLY: &str = "
/// What versions of functions need, each set once.
const NEEDED: [u32; COUNT] = [SETS];

pub fn only(version: usize) -> bool {
    let bits = match version {
        0 => Some(&u32::MAX),
        _ => NEEDED.get(version - 1),
    };
    CPU.store(asked() & *bits.unwrap_or(&u32::MAX) | 1, Ordering::Relaxed);
    bits.is_some()
}
";

const SAFETY: &str =
    "// SAFETY: arrays of the lengths that the code was checked with, and the processor has what it needs.";

const TAKEN: &str = "
/// What was written, word by word: a copy by vectors would wait for the stores.
#[inline(always)]
fn taken<T: Copy, const N: usize>(from: &[T; N]) -> [T; N] {
    // SAFETY: a reference can be read.
    core::array::from_fn(|i| unsafe { core::ptr::read_volatile(&from[i]) })
}
";

/// The parameters of the machine code, in calling order.
fn pointers(kernel: &Kernel) -> String {
    let pointer = |a| {
        let kind = if params(kernel, true).contains(&a) { "*mut" } else { "*const" };
        format!("{}: {kind} {}", WORDS.name(&kernel.array(a).name), array_type(&parameter(kernel, a)))
    };
    kernel.visible().map(pointer).collect::<Vec<_>>().join(", ")
}

/// The function that calls the first that the processor has all of.
fn caller(content: &Content, operation: &str, kernel: &Kernel, codes: &[Entry]) -> String {
    let Some((last, others)) = codes.split_last() else { return String::new() };
    let (written, read) = (params(kernel, true), params(kernel, false));
    let name = |a: Array| WORDS.name(&kernel.array(a).name);
    let head = signature(kernel, operation).replace("const fn", "pub fn");
    let mut out = format!("\n#[inline]\n{head} {{\n");
    let asks = |needs: u32| format!("cpu() & {needs} != {needs}");
    let needs: Vec<u32> = codes.iter().map(|code| code.needs).collect();
    if needs.iter().all(|needs| *needs != 0) {
        let portable = format!("super::{}_{operation}({})", content.prefix, given(kernel).join(", "));
        let none: Vec<String> = needs.iter().map(|needs| asks(*needs)).collect();
        out += &format!("    if {} {{\n        return {portable};\n    }}\n", none.join(" && "));
    }
    for a in &written {
        out += &match read.contains(a) {
            true => format!("    let mut {0} = *{0};\n", name(*a)),
            false => format!("    let mut {} = [0; {}];\n", name(*a), kernel.array(*a).len),
        };
    }
    let passed = kernel.visible().map(|a| if written.contains(&a) { format!("&mut {}", name(a)) } else { name(a) });
    let passed: Vec<String> = passed.collect();
    // A few words are taken one by one.
    let took = |a: &Array| if kernel.array(*a).len <= 16 { format!("taken(&{})", name(*a)) } else { name(*a) };
    let all: Vec<String> = written.iter().map(took).collect();
    let call = |code: &Entry| format!("unsafe {{ {}({}) }};", code.symbol, passed.join(", "));
    let mut first = "    ".to_string();
    for code in others {
        let needs = code.needs;
        out += &format!("{first}if cpu() & {needs} == {needs} {{\n        {SAFETY}\n        {}\n    }}", call(code));
        first = " else ".to_string();
    }
    out += &match others {
        [] => format!("    {SAFETY}\n    {}\n", call(last)),
        _ => format!(" else {{\n        {SAFETY}\n        {}\n    }}\n", call(last)),
    };
    out + &format!("    {}\n}}\n", results(&all))
}

/// Fowler, Noll and Vo's FNV-1a of 64 bits.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |x, byte| (x ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
