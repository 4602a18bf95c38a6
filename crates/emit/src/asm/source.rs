//! `PREFIX_PROCESSOR.S`: the checked programs of a package as text for the C compiler's assembler, on ELF and Mach-O.

use evariste_codegen::assembly::{CONSTANTS, Constants, Dialect, Local, Printable, Target};
use evariste_ir::Kernel;

use crate::describe::facts;
use crate::error::EmitError;
use crate::notice::comment_safe;

/// One function of the file.
pub(crate) struct Entry<'a> {
    /// The name that a linker sees (but for Mach-O's underscore).
    pub symbol: String,
    /// Where the program came from: the plan's name.
    pub plan: &'a str,
    /// What it computes.
    pub kernel: &'a Kernel,
    /// The instructions.
    pub program: &'a Printable,
    /// The [bits](evariste_codegen::assembly::Extension::bit) of what a processor must offer.
    pub needs: u32,
}

/// Directives whose form depends on the object file; `;` stands for what the assembler wants between two. Mach-O here, ELF
/// below.
const APPLE: &str = "
#if defined(__APPLE__)
#define EVARISTE_SYMBOL(name) _##name
#define EVARISTE_LOCAL(name) L##name
#define EVARISTE_FUNCTION(name) .globl _##name; .private_extern _##name; .p2align 6
#define EVARISTE_END(name)
#define EVARISTE_CONSTANTS .section __TEXT,__const; .p2align 6
#else
";
const ELF: &str = "\
#define EVARISTE_SYMBOL(name) name
#define EVARISTE_LOCAL(name) .L##name
#define EVARISTE_FUNCTION(name) .globl name; .hidden name; .type name, @function; .p2align 6
#define EVARISTE_END(name) .size name, . - name
#define EVARISTE_CONSTANTS .section .rodata; .p2align 6
#endif
";

/// What stands before the functions: what indirect calls land on is there when the compiler asks for it.
fn opening(dialect: &Dialect) -> String {
    let mut text = APPLE.replace(';', dialect.separator.apple) + &ELF.replace(';', dialect.separator.elf);
    if dialect.constants == Constants::Behind {
        let kept = text.split_inclusive('\n').filter(|line| !line.starts_with("#define EVARISTE_CONSTANTS"));
        text = kept.collect();
    }
    if let Some(landing) = &dialect.landing {
        text += &format!(
            "#if {}\n#define EVARISTE_ENTRY {}\n#else\n#define EVARISTE_ENTRY\n#endif\n",
            landing.asked, landing.instruction
        );
    }
    if dialect.opening.is_empty() { text } else { text + "\n" + dialect.opening + "\n" }
}

/// What stands after them: the stack need not be executable, and what indirect calls land on is there.
fn closing(dialect: &Dialect) -> String {
    let back = if dialect.closing.is_empty() { String::new() } else { format!("\n{}\n", dialect.closing) };
    let landing = dialect
        .landing
        .as_ref()
        .map_or_else(String::new, |landing| format!("\n#if defined(__ELF__)\n{}#endif\n", landing.note));
    format!("{back}{landing}\n#endif\n\n#if defined(__ELF__)\n.section .note.GNU-stack, \"\", %progbits\n#endif\n")
}

/// The text after the opening comment. `condition` is what the preprocessor asks whether there is machine code at all.
pub(crate) fn source(entries: &[Entry], target: &Target, condition: &str) -> Result<String, EmitError> {
    let mut text = format!("\n#if {condition}\n{}", opening(&target.dialect));
    for entry in entries {
        text += "\n";
        text += &function(entry, &Spelling::Macros)?;
    }
    Ok(text + &closing(&target.dialect))
}

/// A label or the constants of a function, in the spelling of the system.
fn local(function: &str, what: &str) -> String {
    format!("EVARISTE_LOCAL({function}_{what})")
}

/// Functions alone, for an assembler of ELF that has no preprocessor before it.
pub(crate) fn functions_of_elf(entries: &[Entry]) -> Result<String, EmitError> {
    entries.iter().map(|entry| function(entry, &Spelling::Elf)).collect()
}

/// How names and sections are spelled.
enum Spelling {
    /// By macros, which know the system.
    Macros,
    /// As ELF has them.
    Elf,
}

impl Spelling {
    /// A label or the constants of a function.
    fn local(&self, function: &str, what: &str) -> String {
        match self {
            Spelling::Macros => local(function, what),
            Spelling::Elf => format!(".L{function}_{what}"),
        }
    }

    /// The section of constants that stand apart.
    fn constants(&self) -> &'static str {
        match self {
            Spelling::Macros => "EVARISTE_CONSTANTS",
            Spelling::Elf => ".section .rodata\n.p2align 6",
        }
    }

    /// Before a function's first instruction.
    fn begin(&self, symbol: &str) -> String {
        match self {
            Spelling::Macros => format!("EVARISTE_FUNCTION({symbol})\nEVARISTE_SYMBOL({symbol}):\n"),
            Spelling::Elf => {
                format!(".globl {symbol}\n.hidden {symbol}\n.type {symbol}, @function\n.p2align 6\n{symbol}:\n")
            }
        }
    }

    /// What indirect calls land on, where the system asks for it.
    fn landing(&self) -> &'static str {
        match self {
            Spelling::Macros => "    EVARISTE_ENTRY\n",
            Spelling::Elf => "",
        }
    }

    /// Behind its last one.
    fn end(&self, symbol: &str) -> String {
        match self {
            Spelling::Macros => format!("EVARISTE_END({symbol})\n"),
            Spelling::Elf => format!(".size {symbol}, . - {symbol}\n"),
        }
    }
}

fn function(entry: &Entry, spelling: &Spelling) -> Result<String, EmitError> {
    let (symbol, program) = (&entry.symbol, entry.program);
    let target = program.target();
    let local = |what: &str| spelling.local(symbol, what);
    let wrong = |why| EmitError::MachineCode { operation: program.proved().kernel().name.clone(), why };
    let mut out = format!("/* {symbol}: {}\n", comment_safe(entry.plan));
    for fact in facts(entry.kernel) {
        out += &format!(" *   {fact}\n");
    }
    out += &format!(" * Processor: {}. {}.\n", target.needs(entry.needs), program.count());
    out += &format!(
        " * {} calling convention. Checked instruction by instruction against the proved kernel. */\n",
        target.convention
    );
    let apart = target.dialect.constants == Constants::Apart;
    if apart {
        out += &constants(program, spelling.constants(), &local);
    }
    out += &format!(".text\n{}    .cfi_startproc\n", spelling.begin(symbol));
    if target.dialect.landing.is_some() && !program.has_landing() {
        out += spelling.landing();
    }
    for line in program.lines(&local).map_err(wrong)? {
        out += &line;
        out += "\n";
    }
    out += "    .cfi_endproc\n";
    if !apart {
        out += &constants(program, ".p2align 3", &local);
    }
    out += &spelling.end(symbol);
    Ok(out)
}

/// A function's constants, if it has some.
fn constants(program: &Printable, before: &str, local: Local<'_>) -> String {
    if program.constants().is_empty() {
        return String::new();
    }
    let words = program.constants().iter().map(|constant| format!("    .quad {constant:#018x}\n"));
    format!("{before}\n{}:\n", local(CONSTANTS)) + &words.collect::<String>()
}
