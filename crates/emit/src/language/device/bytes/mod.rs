//! Functions on bytes of ciphers and hash functions, for languages of many threads: kernels on arrays of a device's memory, and
//! functions for the host that copy its memory there and back. What does not fit is a code, and then nothing was written.

mod blocks;
mod message;
mod stream;

use super::dialect::Dialect;
use crate::notice::notice;
use crate::package::{Content, File};

/// A kernel: what it is called, its arrays, how many numbers follow them before that of threads.
struct Entry {
    name: &'static str,
    arrays: Vec<&'static str>,
    numbers: usize,
}

/// What a kind of cipher or hash function has.
struct Part {
    /// What stands for types of words, and the types in C.
    types: Vec<(&'static str, String)>,
    /// The kernels.
    kernels: String,
    /// Functions of the host.
    host: String,
    /// Their test, which ends with `test_bytes`.
    test: String,
    /// Codes: name, value, when it is given.
    codes: &'static [(&'static str, u8, &'static str)],
    /// The kernels that the functions of the host run.
    entries: Vec<Entry>,
    /// Types that kernels and host share.
    shared: String,
    /// What the functions do.
    about: String,
    /// How they are declared.
    signatures: String,
    /// The same for the readme.
    readme: String,
}

impl Part {
    fn of(content: &Content) -> Option<Part> {
        blocks::part(content).or_else(|| message::part(content)).or_else(|| stream::part(content))
    }

    /// A text with its types as C has them.
    fn in_c(&self, content: &Content, host: &Host, text: &str) -> String {
        let text = self.types.iter().fold(text.to_string(), |text, (name, ty)| text.replace(name, ty));
        let pairs = [
            ("CODE PREFIX", "static inline EVARISTE_CODE PREFIX"),
            ("(ON", &format!("({}", host.parameter)),
            ("(GIVEN", &format!("({}", host.argument)),
            ("(HERE", &format!("({}", host.in_test)),
            ("BYTE ", "uint8_t "),
            ("INT32", "uint32_t"),
            ("WIDEST", "uint64_t"),
        ];
        let text = pairs.iter().fold(text, |text, (name, is)| text.replace(name, is));
        named(content, &text)
    }
}

/// What a language says of functions of the host.
pub struct Host {
    /// What a file of them includes.
    pub includes: &'static str,
    /// What is declared and passed first in each function, and in its test.
    pub parameter: &'static str,
    /// The argument, of a function that calls another.
    pub argument: &'static str,
    /// The argument, in the test.
    pub in_test: &'static str,
    /// Are types of the kernels known there?
    pub knows_types: bool,
    /// The function that runs a kernel, in which TABLE and ARRAYCOUNTS stand for what is known of each.
    pub run: &'static str,
    /// A line of the table: the number of a kernel, its name, the types of its arrays, how many numbers it takes.
    pub line: fn(usize, &str, &[String], usize) -> String,
    /// What users have to know.
    pub readme: &'static str,
    /// The mark on blocks of code.
    pub fence: &'static str,
}

fn named(content: &Content, text: &str) -> String {
    text.replace("UPPER", &content.prefix.to_ascii_uppercase()).replace("PREFIX", content.prefix)
}

/// The kernels; nothing without a cipher or hash function.
pub fn kernels(dialect: &Dialect, content: &Content) -> String {
    let Some(part) = Part::of(content) else { return String::new() };
    let at = |ty: &str| match ty {
        "uint8_t" => 0,
        "uint16_t" => 1,
        "uint32_t" => 2,
        _ => 3,
    };
    let text = part.types.iter().fold(part.shared + &part.kernels, |text, (name, ty)| {
        let own = dialect.types[at(ty)];
        text.replace(&format!("ARRAY{name}"), &format!("{}{own}", dialect.kernel[1])).replace(name, own)
    });
    let [count, thread] = dialect.thread;
    let pairs = [
        ("FUNCTION", dialect.function),
        ("KERNEL", dialect.kernel[0]),
        ("ARRAY", dialect.kernel[1]),
        ("BYTE ", &format!("{} ", dialect.types[0])),
        ("(BYTE)", &format!("({})", dialect.types[0])),
        ("INT32", dialect.types[2]),
        ("WIDEST", dialect.types[3]),
        ("COUNT", count),
        ("THREAD", thread),
    ];
    named(content, &pairs.iter().fold(text, |text, (name, is)| text.replace(name, is)))
}

/// `PREFIX_bytes.h` and its test; nothing without a cipher or hash function.
pub fn files(content: &Content, host: &Host) -> Vec<File> {
    let Some(part) = Part::of(content) else { return Vec::new() };
    let guard = format!("{}_BYTES_H", content.prefix.to_ascii_uppercase());
    let body = part.in_c(content, host, &declared(&part, host));
    let text = format!("\n#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n");
    let test = part.in_c(content, host, &(EXPECT.to_string() + &part.test));
    vec![
        File {
            path: format!("{}_bytes.h", content.prefix),
            text: notice(content, "functions on bytes for the host") + &text,
        },
        File { path: "bytes_test.h".into(), text: notice(content, "the test of functions on bytes") + &test },
    ]
}

/// The file, in the names that [`Part::in_c`] fills.
fn declared(part: &Part, host: &Host) -> String {
    let code = |(name, value, when): &(&str, u8, &str)| format!("#define UPPER_{name} {value} /* {when} */\n");
    let codes: String = part.codes.iter().map(code).collect();
    let numbers: Vec<String> = part.entries.iter().map(|e| run_name(e.name)).collect();
    let lines: String = part.entries.iter().enumerate().map(|(i, entry)| line(i, entry, host)).collect();
    let counts: Vec<String> = part.entries.iter().map(|e| e.arrays.len().to_string()).collect();
    let run = host.run.replace("TABLE\n", &lines).replace("ARRAYCOUNTS", &counts.join(", "));
    format!(
        "#include <stddef.h>\n#include <stdint.h>\n{}{CODES}{codes}#define UPPER_DEVICE_FAILED 6 /* memory, the program or the device: what was to be written is then unknown */\n{TYPE}{}{}{}\nenum {{ {} }};\n{run}{}",
        host.includes,
        if host.knows_types { "" } else { &part.shared },
        part.about,
        include_str!("common_host.txt"),
        numbers.join(", "),
        part.host
    )
}

fn run_name(name: &str) -> String {
    format!("UPPER_RUN_{}", name.to_ascii_uppercase())
}

fn line(number: usize, entry: &Entry, host: &Host) -> String {
    let arrays: Vec<String> = entry.arrays.iter().map(|ty| (*ty).to_string()).collect();
    (host.line)(number, entry.name, &arrays, entry.numbers)
}

const CODES: &str = "
/* What functions on bytes give: 0 where they did what they say, else what did not fit, and then nothing was written. */
#define UPPER_DONE 0
";

const TYPE: &str = "#ifndef EVARISTE_CODE
#if defined(__GNUC__)
#define EVARISTE_CODE __attribute__((warn_unused_result)) int
#else
#define EVARISTE_CODE int
#endif
#endif
";

const EXPECT: &str = "
static void expect_code(const char *what, size_t row, int got, int wanted) { expect(what, row, got == wanted); }
";

/// For the main function of the test; nothing without a cipher or hash function.
pub fn test_lines(content: &Content, lines: &str) -> String {
    Part::of(content).map_or_else(String::new, |_| lines.to_string())
}

/// For the readme.
pub fn readme(content: &Content, host: &Host) -> String {
    let Some(part) = Part::of(content) else { return String::new() };
    let codes: Vec<String> = part.codes.iter().map(|(name, ..)| format!("`UPPER_{name}`")).collect();
    let names: Vec<String> = part.entries.iter().map(|e| format!("`PREFIX_{}_many`", e.name)).collect();
    let signatures = part.signatures.replace("CODE ", "int ");
    let text = format!(
        "\n## Functions on bytes\n\n`PREFIX_bytes.h` has functions for the host, on its memory:\n\n```{}\n{signatures}```\n\n{} {}\n\nThey give `UPPER_DONE` (0), or without having written anything {}, or `UPPER_DEVICE_FAILED` where memory or the device failed. They are tested against the reference, not proved. Their kernels, {}, take arrays of the device instead, for programs that keep texts there, and check nothing. Time depends on lengths and numbers alone, as far as the driver keeps it so. Memory of the device is given back without being wiped.\n",
        host.fence,
        part.readme,
        host.readme,
        codes.join(", "),
        names.join(", ")
    );
    part.in_c(content, host, &text)
}
