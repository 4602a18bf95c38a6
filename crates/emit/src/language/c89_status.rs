//! Functions with a status in C89: above a kernel that says in an array of one word whether it has results stands a
//! function that gives this word, as in C.

use evariste_ir::{Array, ArrayKind};

use super::c::STATUS;
use super::c89_names::{WORDS, element, signature, table};
use crate::manifest::params;
use crate::package::{Content, Flagged, Status};

fn name(made: &Flagged, a: Array) -> String {
    WORDS.name(&made.kernel.array(a).name)
}

/// The parameters without the status, in order.
fn parameters(made: &Flagged) -> Vec<Array> {
    made.kernel.visible().filter(|a| *a != made.flag).collect()
}

/// Name and parameters of the function.
fn head(content: &Content, made: &Flagged) -> String {
    let whole = signature(made.kernel, "");
    let inside = whole.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let kept = inside.split(", ").zip(made.kernel.visible()).filter(|(_, a)| *a != made.flag).map(|(text, _)| text);
    format!("{}_{}({})", content.prefix, made.status.function, kept.collect::<Vec<_>>().join(", "))
}

/// For the header.
pub fn declarations(content: &Content) -> String {
    let declaration = |made: Flagged| {
        let Status { function, kernel, .. } = made.status;
        format!(
            "\n/* {0}_{function}: as {0}_{kernel}. Gives 1; where there is no result it gives 0, and writes what {0}_{kernel} writes then. */\nEVARISTE_STATUS {1};\n",
            content.prefix,
            head(content, &made)
        )
    };
    let all: String = content.flagged().map(declaration).collect();
    if all.is_empty() { all } else { STATUS.to_string() + &all }
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let definition = |made: Flagged| {
        let flag = name(&made, made.flag);
        let all: Vec<String> = made.kernel.visible().map(|a| name(&made, a)).collect();
        format!(
            "\nint {} {{\n  unsigned long {flag}[1];\n  {}_{}({});\n  return (int){flag}[0];\n}}\n",
            head(content, &made),
            content.prefix,
            made.status.kernel,
            all.join(", ")
        )
    };
    content.flagged().map(definition).collect()
}

/// For the test: a function for each, and the lines that call them.
pub fn tests(content: &Content) -> (String, String) {
    let calls = content.flagged().map(|made| format!("  test_{}();\n", made.status.function)).collect();
    (content.flagged().map(|made| test(content, &made)).collect(), calls)
}

/// Every known answer of the kernel.
fn test(content: &Content, made: &Flagged) -> String {
    let Status { function, kernel: operation, .. } = made.status;
    let table = |a: Array, end: &str| table(operation, made.kernel, a, end);
    let rows = format!("(int)(sizeof {0} / sizeof {0}[0])", table(made.flag, "_expected"));
    let (mut declared, mut filled) = (String::new(), String::new());
    for a in parameters(made) {
        let (info, name) = (made.kernel.array(a), name(made, a));
        declared += &format!("    {} {name}[{}];\n", element(info.ty), info.len);
        filled += &match info.kind {
            ArrayKind::Output => format!("    memset({name}, 0x5a, sizeof {name});\n"),
            _ => format!("    memcpy({name}, {}[row], sizeof {name});\n", table(a, "_given")),
        };
    }
    let arguments: Vec<String> = parameters(made).into_iter().map(|a| name(made, a)).collect();
    let mut checks = format!(
        "    expect(\"{function}: status\", row, {}_{function}({}) == (int){}[row][0]);\n",
        content.prefix,
        arguments.join(", "),
        table(made.flag, "_expected")
    );
    for a in params(made.kernel, true).into_iter().filter(|a| *a != made.flag) {
        let (name, known) = (name(made, a), table(a, "_expected"));
        checks += &format!("    expect(\"{function}\", row, memcmp({name}, {known}[row], sizeof {name}) == 0);\n");
    }
    format!(
        "\nstatic void test_{function}(void) {{\n  int row;\n  for (row = 0; row < {rows}; row++) {{\n{declared}{filled}{checks}  }}\n}}\n"
    )
}

/// For `ct.c`: a function for each, and the lines that call them.
pub fn ct(content: &Content) -> (String, String) {
    let run = |made: Flagged| {
        let Status { function, kernel: operation, .. } = made.status;
        let mut out = format!("\nstatic void ct_{function}(void) {{\n");
        for a in parameters(&made) {
            let info = made.kernel.array(a);
            out += &format!("  static {} {}[{}];\n", element(info.ty), name(&made, a), info.len);
        }
        out += "  int status;\n  unsigned long before = VALGRIND_COUNT_ERRORS;\n";
        for a in params(made.kernel, false) {
            let (name, given) = (name(&made, a), table(operation, made.kernel, a, "_given"));
            out += &format!("  memcpy({name}, {given}[0], sizeof {name});\n");
            out += &format!("  (void)VALGRIND_MAKE_MEM_UNDEFINED({name}, sizeof {name});\n");
        }
        let arguments: Vec<String> = parameters(&made).into_iter().map(|a| name(&made, a)).collect();
        let symbol = format!("{}_{function}", content.prefix);
        out += &format!("  status = {symbol}({});\n", arguments.join(", "));
        out + &format!(
            "  judge(\"{symbol}\", VALGRIND_COUNT_ERRORS - before, is_secret(&status, sizeof status));\n}}\n"
        )
    };
    let calls = content.flagged().map(|made| format!("  ct_{}();\n", made.status.function)).collect();
    (content.flagged().map(run).collect(), calls)
}
