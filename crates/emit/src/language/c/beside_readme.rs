//! The readme of a package with machine code.

use evariste_codegen::assembly::Target;

use crate::asm::ending;
use crate::package::{Content, MachineCode};

use super::support_files::functions;

/// `README.md`.
pub(super) fn readme(content: &Content, target: &Target) -> String {
    let (prefix, ending, processor, by) = (content.prefix, ending(target), target.name, target.question.by);
    let mut out = format!("# {}\n\n{}\n\n", content.title, content.description.trim());
    out += &format!(
        "Written by Evariste from kernels that were proved correct, and from machine code that was checked against them, with\n\n    {}\n\n",
        content.command_line
    );
    out += &format!(
        "## Use\n\nAdd `{prefix}.c`, `{prefix}{ending}.S`, `{prefix}.h` and `{prefix}_versions.h` to a program and include `{prefix}.h`: C99, no allocation. The words of a\n\
         number come lowest first.\n\n\
         ```sh\nmake test      # every known answer in {prefix}_vectors.h by both versions, also with outputs in the place of inputs\n\
         make verify    # the same with every proved bound of the C functions checked at run time (-DEVARISTE_VERIFY)\n\
         make bench     # nanoseconds per call on this machine: what is called, and the C beside it\n\
         make ct        # every function and both versions under Valgrind, their inputs marked as secret: no branch and no address may depend on them\n```\n\n\
         `CC` and `CFLAGS` can be given.\n\n\
         ## Two versions\n\n\
         Each of these functions is there in machine code for {processor} (`{prefix}{ending}.S`; its name ends in `{ending}`) and in C (`{prefix}.c`; `_c`). The function of\n\
         the plain name takes the machine code where the processor has what it needs, which is asked once, at the first call, by {by}:\n\n\
         | function | needs |\n| --- | --- |\n"
    );
    for (operation, _) in &content.kernels {
        for code in content.machine_codes(operation) {
            let version = if code.apart().is_empty() { String::new() } else { code.ending() };
            out += &format!("| `{prefix}_{operation}{version}` | {} |\n", code.needed());
        }
    }
    out += &apart(content);
    let only: Vec<String> = content
        .kernels
        .iter()
        .filter(|(op, _)| !content.has_machine_code(op))
        .map(|(op, _)| format!("`{prefix}_{op}`"))
        .collect();
    if !only.is_empty() {
        out +=
            &format!("\nIn C only: {}. They call the functions above where they are made of them.\n", only.join(", "));
    }
    let landing = target.dialect.landing.as_ref().map_or_else(String::new, |landing| {
        let (instruction, option) = (landing.instruction, landing.option);
        format!(", and with `{instruction}` and its\nnote where the compiler asks for them (`{option}`)")
    });
    out += &format!(
        "\nOn other processors, on systems with another calling convention (Windows), and with `-DEVARISTE_PORTABLE` for all files, everything is C and\n\
         `{prefix}{ending}.S` is empty. The assembly is {}, for ELF and Mach-O, with unwind notes{landing}. `evariste tune` measures the same bytes; the notes say where it did.\n\n\
         The functions branch on no data and use no address that depends on data, unless their description says so. The C keeps compilers from re-introducing\n\
         branches by barriers; the machine code consists of instructions whose time does not depend on data. Registers and stack are not wiped.\n",
        target.dialect.name
    );
    out + &functions(content)
}

/// What is said of code for processors that have more than most.
fn apart(content: &Content) -> String {
    let all: Vec<&MachineCode> = content.machine_code.iter().filter(|code| !code.apart().is_empty()).collect();
    let Some(first) = all.first() else { return String::new() };
    let alone = all.iter().all(|code| content.machine_codes(&code.operation).count() == 1);
    format!(
        "\nVersions whose names end in `{}` are for processors that have all that they need, where the system keeps its registers: the function of the plain\n\
         name takes them there, and elsewhere {}. Such a version may compute in another way than the C, by a kernel that was proved to keep the same contract and\n\
         that gave the same digits for every known answer. Valgrind may lack its instructions: `make ct` says which versions it does not run.\n",
        first.ending(),
        if alone { "C" } else { "the other machine code, or C" }
    )
}
