//! What assembly files, and the C beside them, say of a processor: rows of text.

/// A processor, as compilers and assemblers speak of it.
#[derive(Debug)]
pub struct Target {
    /// Its name in prose.
    pub name: &'static str,
    /// Its name as a part of those of functions, files and macros.
    pub suffix: &'static str,
    /// Is it what the C compiler translates for? A condition of the preprocessor.
    pub compiled_for: &'static str,
    /// How its functions are called.
    pub convention: &'static str,
    /// Do C functions pass pointers in that way? A condition of the preprocessor.
    pub called_so: &'static str,
    /// What the assembler reads.
    pub dialect: Dialect,
    /// What C can ask it for, the lowest bit first.
    pub extensions: &'static [Extension],
    /// How C asks.
    pub question: Question,
    /// What crates of Rust say of it, where they take its functions.
    pub rust: Option<InRust>,
}

/// What a crate of Rust says of a processor.
#[derive(Clone, Copy, Debug)]
pub struct InRust {
    /// Is it what the crate is translated for, and are symbols and sections as ELF has them? Conditions of `cfg`.
    pub compiled_for: &'static str,
    /// How its functions are called.
    pub convention: &'static str,
    /// Statements that end in the bits of what there is, of those that are [asked for](Target::asked), and 1.
    pub statements: fn(u32) -> String,
}

/// What assemblers read, beyond what is alike for all processors.
#[derive(Debug)]
pub struct Dialect {
    /// Its name, for readers.
    pub name: &'static str,
    /// Between two directives of a line.
    pub separator: Separator,
    /// A line before the functions; may be empty.
    pub opening: &'static str,
    /// A line after them, which takes that back; may be empty.
    pub closing: &'static str,
    /// Where a function's constants lie.
    pub constants: Constants,
    /// What indirect calls must land on, where the compiler asks for it.
    pub landing: Option<Landing>,
}

/// What stands between two directives of a line, by the object file's format.
#[derive(Debug)]
pub struct Separator {
    /// For ELF.
    pub elf: &'static str,
    /// For Mach-O.
    pub apple: &'static str,
}

/// Where a function's constants lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constants {
    /// In a section of what is only read: instructions reach it wherever it is.
    Apart,
    /// Behind the function: an instruction that reads one wants it near, in the same section.
    Behind,
}

/// What indirect calls land on.
#[derive(Debug)]
pub struct Landing {
    /// The instruction.
    pub instruction: &'static str,
    /// Does the compiler ask for it? A condition of the preprocessor.
    pub asked: &'static str,
    /// The compiler's option that asks for it.
    pub option: &'static str,
    /// The lines of an ELF file that say that it is there.
    pub note: &'static str,
}

/// What a processor may have beyond the least one.
#[derive(Debug)]
pub struct Extension {
    /// Its bit in the answer to the question; bit 0 says that the question was asked.
    pub bit: u32,
    /// Its names: one, or a few that come together.
    pub names: &'static [&'static str],
    /// It is asked for where one of these bits is needed; 0: by every package.
    pub asked_with: u32,
    /// Where code that needs it stands beside code that does not, the end of its functions' names; may be empty.
    pub apart: &'static str,
}

/// How C asks which extensions there are.
#[derive(Debug)]
pub struct Question {
    /// What is asked, for readers: an instruction, a function of the system.
    pub by: &'static str,
    /// What C includes for it.
    pub header: &'static str,
    /// Statements that declare `unsigned cpu` and set it to 1 and the bits of what there is, of those that are
    /// [asked for](Target::asked).
    pub statements: fn(u32) -> String,
}

impl Target {
    /// Extensions, in words.
    pub fn needs(&self, bits: u32) -> String {
        let named = self.extensions.iter().filter(|extension| bits & extension.bit != 0);
        let names: Vec<&str> = named.flat_map(|extension| extension.names).copied().collect();
        match names.as_slice() {
            [] => format!("any {}", self.name),
            [name] => name.to_string(),
            [others @ .., last] => format!("{} and {last}", others.join(", ")),
        }
    }

    /// What a package that needs these asks for.
    pub fn asked(&self, bits: u32) -> impl Iterator<Item = &Extension> {
        self.extensions.iter().filter(move |extension| extension.asked_with == 0 || bits & extension.asked_with != 0)
    }

    /// The bits of what a package that needs these asks for.
    pub fn asked_bits(&self, bits: u32) -> u32 {
        self.asked(bits).fold(0, |all, extension| all | extension.bit)
    }

    /// What stands at the end of the names of functions that need these, where others of the same operation do not.
    pub fn apart(&self, bits: u32) -> String {
        self.extensions.iter().filter(|extension| bits & extension.bit != 0).map(|extension| extension.apart).collect()
    }

    /// The end of the names of functions that need these.
    pub fn ending(&self, bits: u32) -> String {
        format!("_{}{}", self.suffix, self.apart(bits))
    }
}
