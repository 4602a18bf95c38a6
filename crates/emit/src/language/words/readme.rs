//! The readme of a package.

use evariste_ir::Kernel;

use crate::describe::facts_in;
use crate::notice::LICENCE;
use crate::package::Content;
use crate::unit::Model;

/// What a function promises and needs; a word of a bit-sliced one carries 64 elements.
pub fn facts(model: Model, kernel: &Kernel) -> Vec<String> {
    facts_in(model, kernel).iter().map(|line| line.replace("EVARISTE_LANES elements", "64 elements")).collect()
}

/// What a language says in its readme.
#[derive(Debug)]
pub struct Page<'a> {
    /// How the package is used and tested: paragraphs.
    pub usage: String,
    /// The mark of the language on blocks of code.
    pub fence: &'a str,
    /// Sections behind the functions.
    pub more: String,
}

/// The page: what the package is, how it is used, each function with its contract, notes, licence.
pub fn readme(content: &Content, page: &Page, signature: impl Fn(&str, &Kernel) -> String) -> String {
    let Page { usage, fence, more } = page;
    let mut out = format!(
        "# {}\n\n{}\n\nWritten by Evariste from kernels that were proved correct, with\n\n    {}\n\n## Use\n\n{}\n\n## Functions\n",
        content.title,
        content.description.trim(),
        content.command_line,
        usage.trim()
    );
    for (operation, kernel) in &content.kernels {
        let declared = signature(operation, kernel);
        out += &format!("\n### `{}_{operation}`\n\n```{fence}\n{declared}\n```\n\n", content.prefix);
        facts(Model::of(kernel), kernel).iter().for_each(|line| out += &format!("    {line}\n"));
    }
    out += more;
    for note in content.notes {
        out += &format!("\n{note}\n");
    }
    out + &format!("\n## Licence\n\n0BSD.\n\n{LICENCE}\n")
}
