//! What C compilers have names for on some processors, and plain C has to say in a roundabout way: carries, conditional
//! moves, carry-less products. A processor is a file; C without any of them is the same function, only slower.

mod arm;
mod x86_64;

/// What compilers that speak as gcc does have names for on a processor.
pub struct ByName {
    /// The processor, in prose.
    pub processor: &'static str,
    /// The macro that says whether carries and conditional moves have names.
    pub has: &'static str,
    /// Defines it, and what else the names rest upon.
    pub opening: &'static str,
    /// The function that adds (or subtracts) two numbers of 32 or 64 bits and a carry, stores the result through its last
    /// argument and returns the carry.
    pub carry: fn(bits: u32, add: bool) -> String,
    /// The statement that takes, for each of so many words, `a` in place of `x` where a mask is not zero.
    pub select: fn(count: u32) -> String,
    /// When carry-less products of 64 bits have a name, as a macro, and statements that leave the
    /// product of `a` and `b` in `r[0]` and `r[1]`.
    pub carryless: (&'static str, &'static str),
}

/// Conditions and statements that give the low word of `a b + c + d` of 32 bits, and the high one through the last
/// argument.
pub const MULTIPLY_ADD_ADD: [(&str, &str); 1] = [arm::MULTIPLY_ADD_ADD];

/// All of them.
pub const PROCESSORS: [&ByName; 1] = [&x86_64::X86_64];

/// Texts by the first condition that holds, else another text.
pub fn either(texts: impl Iterator<Item = (String, String)>, plain: &str) -> String {
    let mut out = String::new();
    for (condition, text) in texts {
        out += if out.is_empty() { "#if " } else { "#elif " };
        out += &format!("{condition}\n{text}");
    }
    if out.is_empty() { plain.to_string() } else { format!("{out}#else\n{plain}#endif\n") }
}

/// [`either`] of what each processor has for carries and conditional moves.
pub fn named(text: impl Fn(&ByName) -> String, plain: &str) -> String {
    either(PROCESSORS.iter().map(|processor| (processor.has.to_string(), text(processor))), plain)
}

/// The processors, in prose.
pub fn processors() -> String {
    PROCESSORS.map(|by_name| by_name.processor).join(" and ")
}
